/* The number that the film is at: what stages frame and the inspector explains while nothing is selected. */
#ifndef SCENE_NOW_H
#define SCENE_NOW_H

#include "doc/film.h"
#include "scene/scene.h"

typedef struct {
    FilmStep step;
    int number;                 /* of the step, from 0: the one that runs, or was finished last, or comes first */
    bool started;               /* false: the film rests before the first step */
    bool work;                  /* false: the stage has nothing to do; the fields below are then not set */
    int row, col;               /* of step.tensor: the element in work, or the last one finished */
    double phase;               /* how far that element is, 0..1 */
    int index[TENSOR_RANK_MAX]; /* of step.tensor, for the focused head */
} Now;

Now scene_now(const Scene *scene);
const Stage *scene_stage(const Scene *scene);
/* Where attention happens at this stage: its sizes, masks, tokens. */
const Site *scene_site(const Scene *scene);
/* Is the run a network: does attention stand among layers, norms and the like? */
bool scene_in_network(const Run *run);
/* The focused head's index into a tensor with rows and columns behind its head axis (shared heads counted). */
void scene_index(const Run *run, TensorId tensor, int head, int row, int col, int index[TENSOR_RANK_MAX]);
/* Of a tensor with a head axis: the head of it that attention head `head` reads. */
int scene_tensor_head(const Run *run, TensorId tensor, int head);
/* The view's selection as a tensor and an index of this run; false when there is none or it does not fit. */
bool scene_selection(const Scene *scene, TensorId *tensor, int index[TENSOR_RANK_MAX]);
/* What the stage is about: its result, whether it is computed or given; of Project the tensor of the selected
 * number's phase, else of the running one.
 * TENSOR_NONE: there is nothing. */
TensorId scene_stage_tensor(const Scene *scene);
/* Full id of a tensor of the stage's scope: "layers.3." + name; TENSOR_NONE when absent. */
TensorId scene_find(const Scene *scene, const char *name);

/* The number of this stage that the explanation is about: the selection, or the last one before it in the trail that the stage made. */
bool scene_anchor(const Scene *scene, TensorId *tensor, int index[TENSOR_RANK_MAX]);
/* The query of that number, or of a selected number that is of a query of this layer; false: there is none. */
bool scene_anchor_query(const Scene *scene, int *row);

#endif
