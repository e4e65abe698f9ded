/* How the trace file's metadata name masks, positions and scales; for its reader and its writer. */
#ifndef MODEL_TRACEFILE_INTERNAL_H
#define MODEL_TRACEFILE_INTERNAL_H

#include "model/tracefile.h"

/* A whole number of a mask: its key, and where it stands in MaskSpec. */
typedef struct {
    MaskKind kind;
    const char *key;
    size_t field; /* offsetof an int */
} MaskParam;

enum { MASK_PARAM_COUNT = 6 };
extern const MaskParam tracefile_mask_params[MASK_PARAM_COUNT];

/* Kinds with "causal" 0 or 1. */
bool tracefile_mask_has_causal(MaskKind kind);

extern const char tracefile_padding_causal[]; /* the name of padding and causal together */

/* scale_rule of the file */
extern const char *const tracefile_scale_rules[4];
enum { SCALE_RULE_DK, SCALE_RULE_DK_TEMPERATURE, SCALE_RULE_ONE, SCALE_RULE_NUMBER };

/* What the file may be about: the metadata's `kind`. One row in the tables of reading (tracefile.c) and computing (tracefile_kinds.c). */
typedef enum {
    TRACE_ATTENTION,
    TRACE_POSITIONAL,    /* pe alone */
    TRACE_ANALYSIS,      /* attention and statistics of its weights */
    TRACE_NORM,
    TRACE_ACTIVATION,    /* all of them, of one x */
    TRACE_FFN,
    TRACE_ENCODER_BLOCK,
    TRACE_DECODER_BLOCK,
    TRACE_ROLLOUT,
    TRACE_KIND_COUNT
} TraceKind;
extern const char *const tracefile_kinds[TRACE_KIND_COUNT];
extern const char *const tracefile_activations[ACT_COUNT]; /* as ffn_act and the outputs of kind activation call them */
extern const char tracefile_gated[];                       /* ffn_act of a gated SiLU */

/* What the trace has for an output of the file, which may be made of several tensors or of statistics: in `out` with dense
 * numbers. false: nothing of that name. */
bool tracefile_value(const TraceFile *file, const Trace *trace, const char *name, Arena *arena, Tensor *out);

#endif
