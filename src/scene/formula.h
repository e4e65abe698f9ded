/* softmax(Q K^T / sqrt(d_k) + M) V -> concat W^O as the settings make it, with the running part lit; at the stations
 * around attention their own formula. */
#ifndef SCENE_FORMULA_H
#define SCENE_FORMULA_H

#include "scene/scene.h"

typedef enum { PART_TO_COME, PART_LIT, PART_DONE, PART_STATE_COUNT } PartState;

typedef struct {
    const char *text; /* Unicode; scripts and radicals are drawn by rich */
    char role;        /* 'q', 'k', 'v', 'o' or 0 = ink */
    PartState state;
    bool tight; /* no space before it */
} FormulaPart;

enum { FORMULA_PARTS_MAX = 24 };

int formula_parts(const Scene *scene, FormulaPart parts[FORMULA_PARTS_MAX]);
/* Of a station around attention: norm, residual, feed-forward, pooler, prediction; read off its ops. */
int formula_block_parts(const Scene *scene, FormulaPart parts[FORMULA_PARTS_MAX]);
/* Centred in the box (or at its right edge), smaller where it does not fit. */
void formula_draw(const Scene *scene, Rect box, float size, TextAlign align, DisplayList *dl);

#endif
