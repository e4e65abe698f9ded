/* trace: every number of every stage, as JSON or as a trace file. */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/cli_commands.h"
#include "app/cli_run.h"
#include "app/cli_tensors.h"
#include "app/numbers.h"
#include "base/file.h"
#include "base/str.h"
#include "doc/film.h"
#include "model/json_text.h"
#include "model/tracefile.h"

enum { FLUSH_BYTES = 1 << 20 };

/* JSON on its way: sent on in pieces. */
typedef struct {
    Arena arena;
    StrBuf text;
    FileWriter file;
} Out;

static void out_flush(Out *out) {
    file_put(&out->file, out->text.data, out->text.length);
    arena_reset(&out->arena);
    sb_init(&out->text, &out->arena);
}

/* The shortest text that reads back as the same number. */
static void put_number(Out *out, double value, Dtype dtype) {
    char number[NUM_MAX];
    if (isnan(value)) sb_add(&out->text, "\"NaN\"");
    else if (isinf(value)) sb_add(&out->text, value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    else sb_add(&out->text, dtype == DTYPE_F32 ? num_float(number, (float)value, NUM_FILE) : num_double(number, value, NUM_FILE));
}

static void put_data(Out *out, const Tensor *tensor, int axis, size_t *at) {
    assert(axis < TENSOR_RANK_MAX);
    sb_add(&out->text, "[");
    for (int i = 0; i < tensor->dim[axis]; i++) {
        if (i > 0) sb_add(&out->text, axis == tensor->rank - 1 ? ", " : ",\n");
        if (axis < tensor->rank - 1) put_data(out, tensor, axis + 1, at);
        else put_number(out, tensor_flat(tensor, (*at)++), tensor->dtype);
    }
    sb_add(&out->text, "]");
    if (out->text.length > FLUSH_BYTES) out_flush(out);
}

static void put_tokens(Out *out, const char *key, const TokenList *tokens) {
    sb_printf(&out->text, "\"%s\": [", key);
    for (int i = 0; tokens && i < tokens->n; i++) {
        if (i > 0) sb_add(&out->text, ", ");
        json_text_add(&out->text, tokens->items[i].text);
    }
    sb_add(&out->text, "],\n");
}

/* What is not in memory is computed again on the way. */
static bool put_tensors(Out *out, Trace *trace, const bool *wanted, const CoreContext *cx, Err *err) {
    int n = 0;
    sb_add(&out->text, "\"tensors\": {");
    for (TensorId id = 0; id < trace_tensor_count(trace); id++) {
        if (!wanted[id]) continue;
        if (!trace_need(trace, id, cx, err)) return false;
        const Tensor *tensor = trace_tensor(trace, id);
        size_t at = 0;
        sb_add(&out->text, n++ > 0 ? ",\n" : "\n");
        json_text_add(&out->text, tensor->id);
        sb_add(&out->text, ": {\"shape\": [");
        for (int i = 0; i < tensor->rank; i++) sb_printf(&out->text, "%s%d", i > 0 ? ", " : "", tensor->dim[i]);
        sb_add(&out->text, "], \"data\": ");
        put_data(out, tensor, 0, &at);
        sb_add(&out->text, "}");
    }
    sb_add(&out->text, "\n},\n");
    return true;
}

static void put_stages(Out *out, const Trace *trace) {
    sb_add(&out->text, "\"stages\": [");
    for (int i = 0; i < trace_stage_count(trace); i++) {
        const Stage *stage = trace_stage(trace, i);
        sb_printf(&out->text, "%s\n{\"name\": \"%s\", ", i > 0 ? "," : "", stage_name(stage->kind));
        if (stage->scope[0]) {
            sb_add(&out->text, "\"scope\": ");
            json_text_add(&out->text, stage->scope);
            sb_add(&out->text, ", ");
        }
        sb_add(&out->text, "\"result\": ");
        if (stage->result == TENSOR_NONE) sb_add(&out->text, "null");
        else json_text_add(&out->text, trace_tensor(trace, stage->result)->id);
        sb_printf(&out->text, ", \"steps\": %d, \"ops\": [", film_steps(trace, i));
        for (int op = 0; op < stage->n_ops; op++) {
            const Op *at = trace_op(trace, stage->first_op + op);
            sb_printf(&out->text, "%s{\"op\": \"%s\", \"makes\": ", op > 0 ? ", " : "", op_name(at->kind));
            json_text_add(&out->text, trace_tensor(trace, at->out)->id);
            sb_add(&out->text, "}");
        }
        sb_add(&out->text, "]}");
    }
    sb_add(&out->text, "\n],\n");
}

static void put_diagnosis(Out *out, const Run *run) {
    sb_add(&out->text, "\"diagnosis\": [");
    for (int i = 0; i < run->n_diagnosis; i++) {
        const Diagnosis *d = &run->diagnosis[i];
        const Tensor *tensor = trace_tensor(run->trace, d->id);
        sb_printf(&out->text, "%s\n{\"kind\": \"%s\", \"tensor\": ", i > 0 ? "," : "", diagnosis_names[d->kind]);
        json_text_add(&out->text, tensor->id);
        sb_add(&out->text, ", \"index\": [");
        for (int axis = 0; axis < tensor->rank; axis++) sb_printf(&out->text, "%s%d", axis > 0 ? ", " : "", d->index[axis] + 1);
        sb_printf(&out->text, "], \"count\": %d, \"value\": ", d->count);
        put_number(out, d->value, DTYPE_F64);
        sb_add(&out->text, ", \"message\": ");
        json_text_add(&out->text, d->message);
        sb_add(&out->text, "}");
    }
    sb_add(&out->text, run->n_diagnosis > 0 ? "\n]}\n" : "]}\n");
}

static void put_field(Out *out, const char *key, const char *value) {
    sb_printf(&out->text, "\"%s\": ", key);
    json_text_add(&out->text, value);
}

/* Which model from a folder it was; the texts' ids and what is likely next. */
static void put_model(Out *out, const Network *network) {
    const CheckpointInfo *info = checkpoint_info(network->checkpoint);
    sb_add(&out->text, "\"model\": {");
    put_field(out, "name", info->name);
    sb_add(&out->text, ", ");
    put_field(out, "architecture", info->architecture);
    sb_add(&out->text, ", ");
    put_field(out, "weights", info->seeded ? "random" : "trained");
    sb_add(&out->text, ", ");
    put_field(out, "sha256", info->hash);
    sb_add(&out->text, "},\n\"ids\": [");
    for (int stack = 0; stack < info->n_stacks; stack++) {
        sb_add(&out->text, stack > 0 ? ", [" : "[");
        for (int i = 0; i < network->encoding[stack].n; i++) sb_printf(&out->text, i > 0 ? ", %d" : "%d", network->encoding[stack].ids[i]);
        sb_add(&out->text, "]");
    }
    sb_add(&out->text, "],\n\"predictions\": [");
    for (int i = 0; i < network->n_predictions; i++) {
        const Prediction *p = &network->predictions[i];
        sb_printf(&out->text, "%s{\"id\": %d, ", i > 0 ? ",\n" : "", p->id);
        put_field(out, "token", p->label);
        sb_add(&out->text, ", \"probability\": ");
        put_number(out, p->probability, DTYPE_F64);
        sb_add(&out->text, ", \"logit\": ");
        put_number(out, p->logit, DTYPE_F64);
        sb_add(&out->text, "}");
    }
    sb_add(&out->text, "],\n");
}

static bool write_json(const Run *run, const bool *wanted, const CoreContext *cx, const char *path, Err *err) {
    Out out = {.text = {0}};
    if (!file_begin(&out.file, path ? path : "-", err)) return false;
    sb_init(&out.text, &out.arena);
    sb_add(&out.text, "{");
    put_tokens(&out, "tokens", &run->tokens);
    put_tokens(&out, "source", run->cross ? &run->keys : NULL);
    if (run->network) put_model(&out, run->network);
    bool ok = put_tensors(&out, run->trace, wanted, cx, err);
    put_stages(&out, run->trace);
    put_diagnosis(&out, run);
    out_flush(&out);
    arena_free(&out.arena);
    if (!ok) out.file.error = EIO; /* nothing half-written stays */
    return file_end(&out.file, ok ? err : NULL) && ok;
}

static const char **labels(const TokenList *tokens, Arena *arena) {
    const char **list = ARENA_ARRAY(arena, const char *, (size_t)tokens->n + 1);
    for (int i = 0; i < tokens->n; i++) list[i] = tokens->items[i].text;
    return list;
}

static bool write_tracefile(const Run *run, const char *path, Err *err) {
    Arena arena = {0};
    void *bytes;
    size_t size;
    const char **source = run->cross ? labels(&run->keys, &arena) : NULL;
    bool ok = tracefile_format(run->trace, &run->spec, labels(&run->tokens, &arena), run->tokens.n, source, run->cross ? run->keys.n : 0,
                               &arena, &bytes, &size, err) &&
              file_write(path, bytes, size, err);
    arena_free(&arena);
    return ok;
}

static int report(const Run *run) {
    if (run->n_diagnosis == 0) return EXIT_FINE;
    fprintf(stderr, "attnscope: %s: %s", diagnosis_names[run->diagnosis[0].kind], run->diagnosis[0].message);
    if (run->n_diagnosis > 1) fprintf(stderr, " (and %d more)", run->n_diagnosis - 1);
    fputc('\n', stderr);
    return EXIT_DIFFERS;
}

static const char *ending_of(const CliArgs *args) {
    const char *dot = args->output ? strrchr(path_name(args->output), '.') : NULL;
    return args->format ? args->format : dot ? dot + 1 : "json";
}

static bool write_numbers(const CliArgs *args, const Run *run, const NumbersFormat *format, const bool *wanted, const CoreContext *cx, Err *err) {
    Arena arena = {0};
    int n = 0;
    TensorId *ids = ARENA_ARRAY(&arena, TensorId, (size_t)trace_tensor_count(run->trace));
    NumbersOptions options = {.wide = args->wide, .decimals = args->decimals > 0 ? args->decimals - 1 : 3};
    void *data;
    size_t size;
    bool ok = true;
    for (TensorId id = 0; ok && id < trace_tensor_count(run->trace); id++) {
        if (!wanted[id]) continue;
        ids[n++] = id;
        ok = trace_need(run->trace, id, cx, err);
    }
    if (ok && format->one && n != 1) ok = err_set(err, ERR_USAGE, "a .%s file holds one tensor, not %d: --tensors weights", format->ending, n);
    ok = ok && format->write(run, ids, n, &options, &arena, &data, &size, err) && file_write(args->output ? args->output : "-", data, size, err);
    arena_free(&arena);
    return ok;
}

static bool write_run(const CliArgs *args, const Run *run, const CoreContext *cx, Err *err) {
    const char *path = args->output;
    Arena arena = {0};
    const bool *wanted = tensors_wanted(run, args->tensors, &arena, err);
    const NumbersFormat *format = numbers_format_named(ending_of(args));
    bool binary = str_eq(ending_of(args), "safetensors"), ok = wanted != NULL;
    if (ok && format) ok = write_numbers(args, run, format, wanted, cx, err);
    else if (ok && binary && run->network) ok = tensors_write(run, wanted, cx, path, err);
    else if (ok && binary && args->tensors) ok = err_set(err, ERR_USAGE, "the trace file of one attention is written whole: --tensors is for JSON and for models from folders");
    else if (ok) ok = binary ? write_tracefile(run, path ? path : "-", err) : write_json(run, wanted, cx, path, err);
    arena_free(&arena);
    return ok;
}

int cli_trace(const CliArgs *args) {
    Err err = {0};
    CliRun run = {0};
    const char *ending = args->output && str_eq(args->output, "-") && !args->format ? "json" : ending_of(args);
    bool known = str_eq(ending, "json") || str_eq(ending, "safetensors") || numbers_format_named(ending);
    if (!known) err_set(&err, ERR_USAGE, "\"%s\" is no format of numbers; there are json, safetensors, csv, npy, npz, md and tex", ending);
    bool ok = known && cli_open(args, args->n_words, NULL, &run, &err);
    if (ok) {
        ok = write_run(args, session_run(run.session), session_core(run.session), &err);
    }
    int code = !ok ? cli_fail(&err) : args->strict ? report(session_run(run.session)) : EXIT_FINE;
    cli_close(&run);
    return code;
}
