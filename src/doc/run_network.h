/* Private to run*.c: runs of models from folders. */
#ifndef DOC_RUN_NETWORK_H
#define DOC_RUN_NETWORK_H

#include "doc/film.h"
#include "doc/run_build.h"

enum { RUN_LIMIT_DEFAULT = 700 << 20 }; /* computed bytes of a network that stay in memory */

/* Everything of a run whose document names a folder. */
bool run_build_network(RunBuild *build, Err *err);
/* run_network_text.c: the texts as ids and tokens. */
bool run_encode(RunBuild *build, Err *err);
/* Visible form of a token id: "␣cat", "##ing", "[CLS]". In `arena`. */
const char *run_id_label(const Checkpoint *checkpoint, int id, Arena *arena);
/* run_axis.c: what a column of x means, or NULL. */
const char *run_feature_name(const Run *run, const Tensor *tensor, int axis, int i);
/* run_predict.c: network->predictions, after the trace has run. */
void run_predict(Run *run);
/* run_site.c: the places where attention happens, after the trace has run. */
bool run_build_sites(Run *run, const NetworkSpec *spec, Err *err);
/* run_need.c: run->magnitude, as far as it is cheap to look at. `before` may be NULL. */
bool run_build_lazy(Run *run, const Run *before, Err *err);
/* The colour scale's end of a tensor in memory; of a very large table that of its rows in use. */
double run_magnitude_now(const Run *run, TensorId id);

#endif
