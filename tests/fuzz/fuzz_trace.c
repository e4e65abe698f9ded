/* Trace files: the container, its metadata, computing and checking, opening as a document. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_run.h"
#include "fuzz/fuzz_words.h"
#include "model/tracefile.h"

enum { PREFIX = 8 };

/* The length of the header as it is now, and the bytes behind it as many as its tensors say. */
static size_t repair(uint8_t *bytes, size_t size) {
    size_t end = PREFIX, depth = 0;
    bool quoted = false;
    if (size < PREFIX) return size;
    for (; end < size; end++) {
        if (bytes[end] == '"') quoted = !quoted;
        if (!quoted && bytes[end] == '{') depth++;
        if (!quoted && bytes[end] == '}' && depth-- <= 1) break;
    }
    if (end == size) return size;
    while (end + 1 < size && bytes[end + 1] == ' ') end++;
    uint64_t length = end + 1 - PREFIX;
    for (int i = 0; i < PREFIX; i++) bytes[i] = (uint8_t)(length >> (8 * i));
    return size;
}

const FuzzTarget fuzz_target = {
    .name = "fuzz_trace", .cases = 14000, .max = 14000, .folders = {"tests/data/attention", NULL}, .suffix = ".safetensors",
    .words = fuzz_trace_words, .front = 3000, .repair = repair};

static bool is_small(const TraceFile *file) {
    const AttentionSpec *s = &file->spec;
    int sizes[] = {s->L, s->S, s->d_model, s->d_kv, s->n_heads, s->n_kv_heads, s->d_k, s->d_v};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] > 300) return false;
    return true;
}

/* The computed trace as a file again: it agrees with itself. */
static void write_again(const Trace *trace, const TraceFile *file, Arena *arena) {
    void *bytes;
    size_t size;
    Err err = {0};
    Safetensors parsed;
    TraceFile again;
    Trace *computed;
    CheckRow *rows;
    int n;
    if (!str_eq(file->kind, "attention")) return;
    if (!tracefile_format(trace, &file->spec, file->tokens, file->n_tokens, file->source, file->n_source, arena, &bytes, &size, &err)) {
        fuzz_error(&err);
        return;
    }
    fuzz_check(safetensors_parse(bytes, size, "again", arena, &parsed, &err), "%s", err.message);
    fuzz_check(tracefile_from(&parsed, "again", arena, &again, &err), "%s", err.message);
    fuzz_check(tracefile_compute(&again, &(CoreContext){0}, arena, &computed, &err), "%s", err.message);
    fuzz_check(tracefile_check(&again, computed, arena, &rows, &n, &err), "%s", err.message);
    for (int i = 0; i < n; i++) fuzz_check(!rows[i].differs, "%s differs by %g in a file of our own", rows[i].name, rows[i].difference);
}

static void compute(const TraceFile *file, Arena *arena) {
    Trace *trace;
    CheckRow *rows;
    int n;
    Err err = {0};
    if (!tracefile_compute(file, &(CoreContext){0}, arena, &trace, &err) || !tracefile_check(file, trace, arena, &rows, &n, &err)) {
        fuzz_error(&err);
        return;
    }
    for (int i = 0; i < n; i++) fuzz_check(rows[i].missing || !isnan(rows[i].difference), "a difference that is no number");
    write_again(trace, file, arena);
}

static void open_it(const TraceFile *file) {
    Doc doc = {0};
    Run *run = NULL;
    Err err = {0};
    if (!doc_from_trace(file, &doc, &err)) {
        fuzz_error(&err);
    } else if (fuzz_is_small(&doc) && fuzz_run(&doc, &run)) {
        fuzz_write_back(&doc, NULL);
        run_close(run);
    }
    doc_reset(&doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena arena = {0};
    Safetensors file;
    TraceFile trace;
    Err err = {0};
    if (!safetensors_parse(data, size, "input", &arena, &file, &err) || !tracefile_from(&file, "input", &arena, &trace, &err)) {
        fuzz_error(&err);
        fuzz_check(str_eq(err.file, "input"), "an error without its file: %s", err.message);
    } else if (is_small(&trace)) {
        compute(&trace, &arena);
        open_it(&trace);
    }
    arena_free(&arena);
    return 0;
}
