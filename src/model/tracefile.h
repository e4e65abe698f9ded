/* The trace file: a .safetensors file with the inputs, the metadata of the machine and any of its
 * outputs (assets/doc/trace-file.md). */
#ifndef MODEL_TRACEFILE_H
#define MODEL_TRACEFILE_H

#include "core/attn.h"
#include "model/safetensors.h"

typedef struct {
    Safetensors file;
    const char *path;              /* for messages; may be NULL */
    const char *kind;              /* "attention", "positional", "analysis", "norm", "activation", "ffn", "encoder_block" … */
    AttentionSpec spec;            /* from the metadata; arrays live in the arena */
    BlockSpec block;               /* kinds norm, ffn and blocks: what they say beyond `spec` */
    TensorInput *inputs; int n_inputs;     /* as `inputs` in the metadata lists them */
    TensorInput *outputs; int n_outputs;   /* in computing order */
    const char **tokens; int n_tokens;     /* labels, or NULL */
    const char **source; int n_source;     /* key-side labels, or NULL */
} TraceFile;

bool tracefile_from(const Safetensors *file, const char *path, Arena *arena, TraceFile *out, Err *err);
bool tracefile_read(const char *path, Arena *arena, TraceFile *out, Err *err);
/* Append the machine that the file's kind names and run it. */
bool tracefile_compute(const TraceFile *file, const CoreContext *cx, Arena *arena, Trace **out, Err *err);
/* Bytes of a trace file for a finished trace. tokens / source may be NULL. */
bool tracefile_format(const Trace *trace, const AttentionSpec *spec, const char *const *tokens, int n_tokens,
                      const char *const *source, int n_source, Arena *arena, void **bytes, size_t *size, Err *err);

/* The tensor of the trace that the file calls so; TENSOR_NONE: none, or what is made of several, or statistics. */
TensorId tracefile_tensor(const TraceFile *file, const Trace *trace, const char *name, Arena *arena);

typedef struct {
    const char *name;
    double difference;  /* largest |got - want|; NaN meets NaN, inf meets inf; INFINITY when they do not */
    double tolerance;   /* `tol` of the file, else 1e-5 * max(1, largest |value|) */
    int index[TENSOR_RANK_MAX]; /* where */
    double got, want;
    bool missing;       /* the machine makes no such tensor */
    bool differs;
} CheckRow;

/* Compare each stored output with the computed one, in computing order. */
bool tracefile_check(const TraceFile *file, const Trace *trace, Arena *arena, CheckRow **rows, int *n_rows, Err *err);
/* Tolerance the file names for a tensor, or -1. */
double tracefile_tolerance(const Safetensors *file, const char *name);
/* What an output is compared with: that, else 1e-5 times the largest value, at least 1e-5; a mask is all or nothing. */
double tracefile_output_tolerance(const TraceFile *file, const TensorInput *output);

#endif
