#include "doc/check.h"

#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
#include "doc/run_build.h"
#include "doc/yaml.h"
#include "model/dump.h"

static const char *told_text(const CheckAsk *ask, const char *key) {
    const char *value = NULL;
    for (int i = 0; i < ask->n_settings; i++)
        if (str_eq(ask->settings[i].key, key)) value = ask->settings[i].value;
    return value;
}

static bool told_int(const CheckAsk *ask, const char *key, int *value, Err *err) {
    const char *text = told_text(ask, key);
    if (!text || (str_to_int(text, value) && *value > 0)) return true;
    err_set(err, ERR_USAGE, tr("%s is \"%.60s\"; a whole number from 1 is needed"), key, text);
    return err_key(err, key);
}

static bool read_told(const CheckAsk *ask, DumpTold *told, Err *err) {
    const char *projections = told_text(ask, "projections");
    *told = (DumpTold){.mask = told_text(ask, "mask") || told_text(ask, "keep"), .plain = projections && str_eq(projections, proj_names[PROJ_NONE]),
                       .activation = ask->activation};
    return told_int(ask, "heads", &told->heads, err) && told_int(ask, "kv_heads", &told->kv_heads, err);
}

/* ---- reading ---- */

bool check_is_dump(const char *path, bool *dump, Err *err) {
    Arena arena = {0};
    char *bytes;
    size_t size;
    SafetensorsHeader header;
    bool ok = file_read(path, SAFETENSORS_FILE_MAX, &arena, &bytes, &size, err) && safetensors_header(bytes, size, path, false, &arena, &header, err);
    if (ok) *dump = dump_is(&header);
    else err_place(err, path, 0, 0);
    arena_free(&arena);
    return ok;
}

/* A trace file as a dump: its outputs with their own tolerances. */
static bool read_trace_file(Check *c, Dump *dump, Err *err) {
    TraceFile *file = &dump->file;
    if (!tracefile_read(c->path, &c->arena, file, err)) return false;
    dump->shown = ARENA_ARRAY(&c->arena, const char *, (size_t)file->n_outputs + 1);
    dump->tolerance = ARENA_ARRAY(&c->arena, double, (size_t)file->n_outputs + 1);
    for (int i = 0; i < file->n_outputs; i++) {
        dump->shown[i] = file->outputs[i].name;
        dump->tolerance[i] = tracefile_output_tolerance(file, &file->outputs[i]);
    }
    return true;
}

static bool read_file(Check *c, const CheckAsk *ask, Dump *dump, Err *err) {
    bool is = false;
    DumpTold told;
    *dump = (Dump){0};
    if (!check_is_dump(c->path, &is, err)) return false;
    return is ? read_told(ask, &told, err) && dump_read(c->path, &told, &c->arena, dump, err) : read_trace_file(c, dump, err);
}

/* ---- the right numbers ---- */

/* What may be said beside a file: how it is computed, and names. Its numbers are its own. */
static const char *const sayable[] = {"tokens", "source", "d_k", "heads", "kv_heads", "projections", "out_proj", "tie", "position", "scale", "temperature", "mask", "keep", "causal_align", "mask_fill", "mask_op", "empty_row", "precision"};

static bool check_sayable(const CheckAsk *ask, Err *err) {
    for (int i = 0; i < ask->n_settings; i++)
        if (str_find(sayable, sizeof sayable / sizeof *sayable, ask->settings[i].key) < 0)
            return err_set(err, ERR_USAGE, tr("%s cannot be said beside a file that is checked: its numbers are the file's"), ask->settings[i].key);
    return true;
}

/* keep first: a mask that is said then takes it over. */
static bool apply(Doc *doc, const CheckAsk *ask, Err *err) {
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < ask->n_settings; i++)
            if (str_eq(ask->settings[i].key, "keep") == (turn == 0) && !yaml_set(doc, NULL, ask->settings[i].key, ask->settings[i].value, err)) return false;
    return true;
}

static bool compute(Check *c, const Dump *dump, const CheckAsk *ask, const RunContext *context, Err *err) {
    if (!str_eq(dump->file.kind, "attention")) { /* no document says the others */
        Trace *trace;
        if (ask->n_settings > 0) return err_set(err, ERR_USAGE, tr("%s is for attention; this file is of kind %s"), ask->settings[0].key, dump->file.kind);
        if (!tracefile_compute(&dump->file, context->cx ? context->cx : &(CoreContext){0}, &c->arena, &trace, err)) return false;
        c->right = trace;
        return true;
    }
    if (!doc_from_trace(&dump->file, &c->doc, err) || !apply(&c->doc, ask, err) || !run_build(&c->doc, context, &c->run, err)) return false;
    c->right = c->run->trace;
    return true;
}

/* ---- comparing ---- */

static int op_of(const Check *c, const CheckLine *line) { return trace_tensor(c->right, line->theirs.id)->op; }

/* In computing order; what these settings do not make comes last. */
static void sort_lines(Check *c) {
    for (int i = 1; i < c->n_lines; i++) {
        CheckLine line = c->lines[i];
        int at = i;
        for (; at > 0 && line.made && (!c->lines[at - 1].made || op_of(c, &line) < op_of(c, &c->lines[at - 1])); at--) c->lines[at] = c->lines[at - 1];
        c->lines[at] = line;
    }
}

static void take_lines(Check *c, const Dump *dump, const CheckAsk *ask) {
    c->lines = ARENA_ARRAY(&c->arena, CheckLine, (size_t)dump->file.n_outputs + 1);
    c->n_lines = dump->file.n_outputs;
    for (int i = 0; i < c->n_lines; i++) {
        const TensorInput *numbers = &dump->file.outputs[i];
        c->lines[i] = (CheckLine){.name = dump->shown[i], .theirs = {tracefile_tensor(&dump->file, c->right, numbers->name, &c->arena), *numbers, ask->tolerance >= 0 ? ask->tolerance : dump->tolerance[i]}};
    }
}

static void compare(Check *c) {
    c->n_compared = c->n_differ = 0;
    for (int i = 0; i < c->n_lines; i++) {
        CheckLine *line = &c->lines[i];
        line->made = line->theirs.id != TENSOR_NONE;
        line->difference = (Difference){0};
        if (line->made) line->difference = mistake_difference(trace_tensor(c->right, line->theirs.id), &line->theirs.numbers, line->theirs.tolerance);
        c->n_compared += line->made;
        c->n_differ += line->difference.differs;
    }
    sort_lines(c);
}

static bool find(Check *c, bool causes, const RunContext *context, Err *err) {
    Theirs *theirs = ARENA_ARRAY(c->found, Theirs, (size_t)c->n_compared + 1);
    c->line_of = ARENA_ARRAY(c->found, int, (size_t)c->n_compared + 1);
    int n = 0;
    for (int i = 0; i < c->n_lines; i++) {
        if (!c->lines[i].made) continue;
        theirs[n] = c->lines[i].theirs;
        c->line_of[n++] = i;
    }
    c->looked = causes;
    if (causes) return mistakes_find(c->right, theirs, n, context->cx ? context->cx : &(CoreContext){0}, c->found, c->findings, &c->n_findings, err);
    c->n_findings = 0;
    for (int i = 0; i < n && c->n_findings == 0; i++)
        if (c->lines[c->line_of[i]].difference.differs) c->findings[c->n_findings++] = (Finding){.at = i, .difference = c->lines[c->line_of[i]].difference, .next = -1};
    return true;
}

/* 1 where the settings let a key be seen, in the shape of the given weights, [H, L, S]; NULL: everywhere. */
static const float *seen_keys(Check *c, const AttentionSpec *spec, const Tensor *weights) {
    int H = weights->dim[0], L = weights->dim[1], S = weights->dim[2];
    if (spec->n_masks == 0) return NULL;
    float *keep = ARENA_ARRAY(c->found, float, tensor_count(weights));
    for (int h = 0; h < H; h++)
        for (int i = 0; i < L; i++)
            for (int j = 0; j < S; j++) {
                float *cell = &keep[((size_t)h * (size_t)L + (size_t)i) * (size_t)S + (size_t)j];
                *cell = 1;
                for (int m = 0; m < spec->n_masks; m++)
                    if (!mask_keeps(&spec->masks[m], h, i, j, L, S)) *cell = 0;
            }
    return keep;
}

static void look_at_weights(Check *c, const Run *run) {
    TensorId id = run ? trace_find(c->right, "weights") : TENSOR_NONE;
    c->has_weights = id != TENSOR_NONE && trace_op(c->right, trace_tensor(c->right, id)->op)->kind == OP_INPUT;
    c->weights = (WeightsCheck){0};
    if (!c->has_weights) return;
    const Tensor *weights = trace_tensor(c->right, id);
    c->weights = mistake_weights(weights, seen_keys(c, &run->spec, weights), weights->rank, c->tolerance >= 0 ? c->tolerance : 1e-3);
}

/* run NULL: a feed-forward layer's */
static bool judge(Check *c, const Run *run, bool causes, const RunContext *context, Err *err) {
    compare(c);
    look_at_weights(c, run);
    return find(c, causes, context, err);
}

bool check_open(const char *path, const CheckAsk *ask, const RunContext *context, Check *out, Err *err) {
    Dump dump;
    *out = (Check){.tolerance = ask->tolerance};
    out->path = arena_strdup(&out->arena, path);
    bool ok = check_sayable(ask, err) && read_file(out, ask, &dump, err) && compute(out, &dump, ask, context, err);
    if (!ok) return err_place(err, path, 0, 0);
    out->found = arena_child(&out->arena);
    if (!out->found) return err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
    out->notes = dump.notes;
    out->n_notes = dump.n_notes;
    take_lines(out, &dump, ask);
    if (!judge(out, out->run, true, context, err)) return err_place(err, path, 0, 0);
    if (out->n_compared > 0 || out->has_weights) return true;
    err_set(err, ERR_INPUT, "%s", tr("nothing can be compared: with these settings none of its tensors is made"));
    return err_place(err, path, 0, 0);
}

bool check_again(Check *check, const Run *run, bool causes, const RunContext *context, Err *err) {
    arena_reset(check->found);
    check->right = run->trace;
    for (int i = 0; i < check->n_lines; i++) check->lines[i].theirs.id = trace_find(run->trace, check->lines[i].theirs.numbers.name);
    return judge(check, run, causes, context, err);
}

bool check_theirs(const Check *check, const Doc *doc, const RunContext *context, Run **out, Err *err) {
    Run *run;
    if (!run_build(doc, context, &run, err)) return false;
    int n = trace_tensor_count(run->trace);
    run->theirs = ARENA_ARRAY(&run->arena, double, (size_t)n);
    for (int id = 0; id < n; id++) run->theirs[id] = trace_op(run->trace, trace_tensor(run->trace, id)->op)->kind == OP_INPUT ? 0 : -1;
    for (int i = 0; i < check->n_lines; i++) {
        const TensorInput *numbers = &check->lines[i].theirs.numbers;
        TensorId id = trace_find(run->trace, numbers->name);
        if (id == TENSOR_NONE || run->theirs[id] >= 0 || mistake_difference(trace_tensor(run->trace, id), numbers, 0).shape) continue;
        trace_put(run->trace, id, numbers->data);
        run->theirs[id] = check->lines[i].theirs.tolerance;
        run->magnitude[id] = run_magnitude_of(run->trace, id);
    }
    *out = run;
    return true;
}

void check_close(Check *check) {
    run_close(check->run);
    doc_reset(&check->doc);
    arena_free(&check->arena);
    *check = (Check){0};
}

bool check_agrees(const Check *check) { return check->n_differ == 0 && check->weights.fault == WEIGHTS_FINE; }
