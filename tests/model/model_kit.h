/* Model folders in tests: opening, running, copies that can be spoilt. */
#ifndef TESTS_MODEL_KIT_H
#define TESTS_MODEL_KIT_H

#include "core/attn.h"
#include "core/network.h"
#include "model/checkpoint.h"
#include "support/support.h"

typedef struct {
    Arena arena;        /* of the last run */
    Checkpoint *checkpoint;
    Trace *trace;
    NetworkResults results;
} Model;

/* Folders below tests/data/models and below the shared random/ and trained/. NULL ends them. */
extern const char *const model_own[], *const model_random[], *const model_trained[];

/* Fails the test when the folder cannot be opened. */
Model model_open(const char *folder);
void model_close(Model *model);
/* Runs on ids (of the second stack too where there is one), with every row's logits. */
void model_run(Model *model, const int *ids, int n, const int *decoder_ids, int n_decoder);
const Tensor *model_tensor(const Model *model, const char *name); /* by our names or the references' */

/* A copy of a folder's own model below the build tree, for changes. In `arena`. */
char *model_copy(const char *name, const char *where, Arena *arena);
/* All bytes of a file; writes a file, of `size` bytes. */
char *model_read(const char *folder, const char *name, size_t *size, Arena *arena);
void model_write(const char *folder, const char *name, const void *bytes, size_t size);
/* The first `from` in a text file becomes `to`; fails when there is none. */
void model_replace(const char *folder, const char *name, const char *from, const char *to);

#endif
