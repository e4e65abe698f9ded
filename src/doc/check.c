#include "doc/check.h"

#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
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

static int by_computing_order(const CheckLine *a, const CheckLine *b, const Trace *right) {
    return trace_tensor(right, a->theirs.id)->op - trace_tensor(right, b->theirs.id)->op;
}

static void add_line(Check *c, const CheckLine *line) {
    int at = c->n_lines++;
    while (at > 0 && line->made && (!c->lines[at - 1].made || by_computing_order(line, &c->lines[at - 1], c->right) < 0)) {
        c->lines[at] = c->lines[at - 1];
        at--;
    }
    c->lines[at] = *line;
}

static void compare(Check *c, const Dump *dump, const CheckAsk *ask) {
    c->lines = ARENA_ARRAY(&c->arena, CheckLine, (size_t)dump->file.n_outputs + 1);
    for (int i = 0; i < dump->file.n_outputs; i++) {
        const TensorInput *numbers = &dump->file.outputs[i];
        CheckLine line = {.name = dump->shown[i], .theirs = {tracefile_tensor(&dump->file, c->right, numbers->name, &c->arena), *numbers, ask->tolerance >= 0 ? ask->tolerance : dump->tolerance[i]}};
        line.made = line.theirs.id != TENSOR_NONE;
        if (line.made) line.difference = mistake_difference(trace_tensor(c->right, line.theirs.id), numbers, line.theirs.tolerance);
        c->n_compared += line.made;
        c->n_differ += line.difference.differs;
        add_line(c, &line);
    }
}

static bool find(Check *c, const RunContext *context, Err *err) {
    Theirs *theirs = ARENA_ARRAY(&c->arena, Theirs, (size_t)c->n_compared + 1);
    c->line_of = ARENA_ARRAY(&c->arena, int, (size_t)c->n_compared + 1);
    int n = 0;
    for (int i = 0; i < c->n_lines; i++) {
        if (!c->lines[i].made) continue;
        theirs[n] = c->lines[i].theirs;
        c->line_of[n++] = i;
    }
    return mistakes_find(c->right, theirs, n, context->cx ? context->cx : &(CoreContext){0}, &c->arena, c->findings, &c->n_findings, err);
}

/* The keys that the settings hide, [L, S] or [H, L, S] of the given weights; NULL: none. */
static const float *hidden_keys(Check *c, const Tensor *weights, int *rank) {
    const AttentionSpec *spec = &c->run->spec;
    int H = weights->dim[0], L = weights->dim[1], S = weights->dim[2];
    *rank = 3;
    if (spec->n_masks == 0) return NULL;
    float *keep = ARENA_ARRAY(&c->arena, float, tensor_count(weights));
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

static void look_at_weights(Check *c, const CheckAsk *ask) {
    TensorId id = c->run ? trace_find(c->right, "weights") : TENSOR_NONE;
    int rank;
    c->has_weights = id != TENSOR_NONE && trace_op(c->right, trace_tensor(c->right, id)->op)->kind == OP_INPUT;
    if (!c->has_weights) return;
    const Tensor *weights = trace_tensor(c->right, id);
    const float *keep = hidden_keys(c, weights, &rank);
    c->weights = mistake_weights(weights, keep, rank, ask->tolerance >= 0 ? ask->tolerance : 1e-3);
}

bool check_open(const char *path, const CheckAsk *ask, const RunContext *context, Check *out, Err *err) {
    Dump dump;
    *out = (Check){0};
    out->path = arena_strdup(&out->arena, path);
    bool ok = check_sayable(ask, err) && read_file(out, ask, &dump, err) && compute(out, &dump, ask, context, err);
    if (!ok) return err_place(err, path, 0, 0);
    out->notes = dump.notes;
    out->n_notes = dump.n_notes;
    compare(out, &dump, ask);
    look_at_weights(out, ask);
    if (out->n_compared == 0 && !out->has_weights) {
        err_set(err, ERR_INPUT, "%s", tr("nothing can be compared: with these settings none of its tensors is made"));
        return err_place(err, path, 0, 0);
    }
    return find(out, context, err);
}

void check_close(Check *check) {
    run_close(check->run);
    doc_reset(&check->doc);
    arena_free(&check->arena);
    *check = (Check){0};
}

bool check_agrees(const Check *check) { return check->n_differ == 0 && check->weights.fault == WEIGHTS_FINE; }
