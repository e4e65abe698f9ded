/* Private to words*.c: an explanation being put into words. */
#ifndef SCENE_WORDS_PART_H
#define SCENE_WORDS_PART_H

#include "scene/scene.h"

typedef struct {
    const Run *run;
    const Explanation *e;
    const Tensor *t; /* of e->self */
    Arena *arena;
} Words;

/* Name of the explained number on an axis, in a role's colour. */
const char *word_label(const Words *w, int axis, char role);
const char *word_plain(const Words *w, int axis);
const char *word_number(const Words *w, double value, int decimals);
/* A tensor of the same scope, or TENSOR_NONE. */
TensorId word_find(const Words *w, const char *name);
char word_role(const Words *w, int axis);

#endif
