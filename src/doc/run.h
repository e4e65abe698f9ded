/* Doc -> trace: tokens, the model's inputs, the machine, the numbers, the labels that name them. */
#ifndef DOC_RUN_H
#define DOC_RUN_H

#include "doc/doc.h"

/* Everything a picture or an export needs besides Doc and View. Immutable; lives in its own arena. */
typedef struct Run {
    Arena arena;
    Trace *trace;
    AttentionSpec spec;       /* complete: all sizes filled in */
    TokenList tokens;         /* queries */
    TokenList keys;           /* keys: the same list in self-attention */
    bool cross;               /* keys are another text */
    Source source;            /* titles, feature and head names; `source.feature` may be NULL */
    int fields;               /* caption facts: see RUN_ */
    Diagnosis *diagnosis;
    int n_diagnosis;
} Run;

typedef struct {
    const Lexicon *lexicon;
    const CoreContext *cx;
} RunContext;

/* ERR_INPUT, ERR_SHAPE, ERR_LIMIT as the parts say. Empty text: ERR_INPUT "type some words". */
bool run_build(const Doc *doc, const RunContext *context, Run **out, Err *err);
/* A run from a trace file: given numbers, the same machine. */
bool run_from_trace(const char *path, const RunContext *context, Doc *doc, Run **out, Err *err);
void run_close(Run *run); /* NULL is fine */

/* Parse "weights[2,sat,cat]" (positions from 1 or token names) against the run's tensors.
 * Errors list the known tensors, the shape, or the positions of an ambiguous token. */
bool run_resolve(const Run *run, const char *text, TensorId *id, int index[TENSOR_RANK_MAX], Err *err);
/* "weights[2, sat, cat]": names where an axis has names. At most 160 bytes. */
char *run_ref_text(char out[160], const Run *run, TensorId id, const int index[TENSOR_RANK_MAX]);

typedef enum { AXIS_HEAD, AXIS_QUERY, AXIS_KEY, AXIS_FEATURE, AXIS_SLOT, AXIS_PAIR, AXIS_OTHER } AxisKind;
/* What axis `axis` of a tensor counts, by the tensor's name (one table in run.c). */
AxisKind run_axis(const Run *run, TensorId id, int axis);
/* Label of position i on that axis: "cat", "noun", "2". Borrowed from the run or from `buffer`. */
const char *run_label(const Run *run, TensorId id, int axis, int i, char buffer[32]);

#endif
