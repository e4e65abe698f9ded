/* Somebody's own tensors: a .safetensors file dumped from code that is to be checked, without the trace file's metadata. Names are
 * the trace file's or others in common use, shapes those that PyTorch code has on the way: a batch of one in front, heads before or
 * behind the tokens or not cut yet. It becomes a trace file: the earliest tensors are what everything is computed from, the others
 * what it is compared with. */
#ifndef MODEL_DUMP_H
#define MODEL_DUMP_H

#include "model/tracefile.h"

/* What is said beside the file; 0 and NULL: its metadata say it, else its shapes. */
typedef struct {
    int heads, kv_heads;
    bool mask;              /* a mask is told: the file's is compared with it, not taken for it */
    bool plain;             /* without projections: q, k and v are x */
    const char *activation; /* of the feed-forward layer, as the metadata's ffn_act */
} DumpTold;

typedef struct {
    TraceFile file;
    const char **shown;     /* [file.n_outputs] what the file calls them */
    double *tolerance;      /* [file.n_outputs] 1e-5, of F16 0.004, of BF16 0.03, times the largest value, at least 1 */
    const char **notes; int n_notes; /* what was taken for what, what is not compared, in sentences */
    bool alone;             /* weights with nothing to compute them from: there is nothing else to compare */
} Dump;

/* Is it such a file? A trace file names its kind and inputs. `bytes` hold a good header. */
bool dump_is(const SafetensorsHeader *header);
bool dump_read(const char *path, const DumpTold *told, Arena *arena, Dump *out, Err *err);

#endif
