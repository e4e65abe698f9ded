/* What the small maps show, one a head. Shared by heads.c and figure.c; not for other modules. */
#ifndef SCENE_HEADS_PART_H
#define SCENE_HEADS_PART_H

#include "scene/matrix.h"

/* A tensor with a head axis, a head's columns of a joined one, or what each head adds to the output. */
typedef enum { SHOW_NOTHING, SHOW_HEAD, SHOW_COLUMNS, SHOW_PARTS } HeadsShow;

typedef struct {
    const Scene *scene;
    HeadsShow show;
    TensorId tensor;
    int n, rows, cols;
    int share; /* heads that a map belongs to: keys and values that several queries' heads read have one map for all of these */
} HeadsMaps;

/* What the running stage has for each head. */
HeadsMaps heads_find(const Scene *scene);
/* Size of a small map of whole pixels a cell in this room. */
void heads_map_size(const HeadsMaps *maps, float room_w, float room_h, float *w, float *h);
/* Draws it, with an edge where its colours alone would not show how far it reaches. */
void heads_draw_map(const HeadsMaps *maps, int head, Rect box, DisplayList *dl);
/* Of a network: the layer in view, the layers before and after it, all of them. In a row, or upright. */
bool heads_have_layers(const Scene *scene);
float heads_layer_width(const Scene *scene, bool upright);
void heads_layer_draw(const Scene *scene, Rect box, bool upright, DisplayList *dl);
/* "previous token", or NULL. */
const char *heads_job(const Scene *scene, int head);

#endif
