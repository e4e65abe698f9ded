/* Which tensors of a run are written, and the trace file of a whole network. */
#ifndef APP_CLI_TENSORS_H
#define APP_CLI_TENSORS_H

#include "doc/run.h"

/* [tensors of the trace], in `arena`: those that the patterns name ("layers.*.weights,out"; NULL: all but a folder's weights).
 * A pattern that names none is an error. NULL and err then. */
bool *tensors_wanted(const Run *run, const char *patterns, Arena *arena, Err *err);
/* The wanted tensors of a network and the ids of its texts as .safetensors (assets/doc/models-from-disk.md). What is not in memory
 * is computed again on the way. */
bool tensors_write(const Run *run, const bool *wanted, const CoreContext *cx, const char *path, Err *err);

#endif
