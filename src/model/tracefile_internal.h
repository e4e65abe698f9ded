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

#endif
