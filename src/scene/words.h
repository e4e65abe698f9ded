/* What an explanation says, as sentences with colour marks (see rich.h); explain_words of scene.h is the plain form. */
#ifndef SCENE_WORDS_H
#define SCENE_WORDS_H

#include "scene/scene.h"

/* Texts carry RICH_ marks. `arena` holds them. */
void words_rich(const Run *run, const Explanation *explanation, Arena *arena, ExplainWords *out);
/* Short sign of a tensor: "q", "W_Q", "weight". */
const char *words_symbol(const char *tensor_name);
/* What a row's diagnosis says about this number: messages joined; NULL when nothing is wrong. */
const char *words_diagnosis(const Run *run, TensorId tensor, const int index[TENSOR_RANK_MAX], Arena *arena);
/* "Entropy of this row: 0.37 bits, of 1.58 possible." of a row of weights. */
const char *words_entropy(const Run *run, TensorId weights, int head, int row, Arena *arena);

/* The key that gets most of a row's weight. */
typedef struct {
    int key; /* -1: the row has no weight to give */
    double share;
    int n_alike;  /* keys with that same share, this one counted */
    int n_hidden; /* keys of the row that the mask hides */
} RowLeader;
RowLeader words_leader(const Run *run, TensorId weights, int head, int row);

#endif
