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
/* A feature by its name; "column 3" where features have none. The label carries marks. */
const char *word_feature(const Words *w, int axis);
const char *word_feature_label(const Words *w, int axis);

/* words_inputs.c */
void words_say_input(Words *w, ExplainWords *out);
void words_say_position_row(Words *w, ExplainWords *out);
void words_say_rows(Words *w, ExplainWords *out);
void words_say_rope_table(Words *w, ExplainWords *out);
void words_say_slope(Words *w, ExplainWords *out);
void words_say_bias(Words *w, ExplainWords *out);
void words_say_mask_rule(Words *w, ExplainWords *out);

#endif
