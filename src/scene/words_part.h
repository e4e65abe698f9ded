/* Private to words*.c: an explanation being put into words. */
#ifndef SCENE_WORDS_PART_H
#define SCENE_WORDS_PART_H

#include "scene/scene.h"

typedef struct {
    const Run *run;
    const Site *site; /* of e->self */
    const Explanation *e;
    const Tensor *t; /* of e->self */
    Arena *arena;
} Words;

/* Name of the explained number on an axis, in a role's colour. */
const char *word_label(const Words *w, int axis, char role);
/* Of a hidden cell whose query is axis `query`: “mat” is padding; NULL: another mask hides it. */
const char *words_padding_why(const Words *w, int query);
const char *word_plain(const Words *w, int axis);
const char *word_number(const Words *w, double value, int decimals);
/* As few decimals as name it: "2", "1.732", "−1e9". */
const char *word_short(const Words *w, double value);
/* A tensor of the same scope, or TENSOR_NONE. */
TensorId word_find(const Words *w, const char *name);
char word_role(const Words *w, int axis);
/* A feature by its name; "column 3" where features have none. The label carries marks. */
const char *word_feature(const Words *w, int axis);
const char *word_feature_label(const Words *w, int axis);

/* "q, column 2 of 4"; "What does sat ask for?": of q, k or v. */
const char *word_column(const Words *w, char which);
const char *word_project_question(const Words *w, char which);

/* "How much noun is in mat?": of a row of features; `row` is its label. */
const char *word_content_question(const Words *w, const char *row);

/* words_inputs.c */
/* What a feature of a model made by hand stands for: "det is a determiner …"; NULL when nobody has said. */
const char *word_gloss(const Words *w, int axis);
void words_say_input(Words *w, ExplainWords *out);
void words_say_position_row(Words *w, ExplainWords *out);
void words_say_rows(Words *w, ExplainWords *out);
void words_say_rope_table(Words *w, ExplainWords *out);
void words_say_slope(Words *w, ExplainWords *out);
void words_say_bias(Words *w, ExplainWords *out);
void words_say_mask_rule(Words *w, ExplainWords *out);

/* words_map.c: numbers of maps, queries × keys */
void words_say_scores(Words *w, ExplainWords *out);
void words_say_scale(Words *w, ExplainWords *out);
void words_say_mask(Words *w, ExplainWords *out);
void words_say_row_max(Words *w, ExplainWords *out);
void words_say_exp(Words *w, ExplainWords *out);
void words_say_row_sum(Words *w, ExplainWords *out);
void words_say_divide(Words *w, ExplainWords *out);

/* words_result.c: what comes after the weights */
void words_say_weighted_sum(Words *w, ExplainWords *out);
void words_say_concat(Words *w, ExplainWords *out);
void words_say_linear(Words *w, ExplainWords *out);
void words_say_copy(Words *w, ExplainWords *out);

/* words_block.c: around attention. */
/* The token whose row holds the number; of a picked row the one that it was picked from. */
const char *word_row_name(const Words *w);
void words_say_mean(Words *w, ExplainWords *out);
void words_say_variance(Words *w, ExplainWords *out);
void words_say_rms(Words *w, ExplainWords *out);
void words_say_layernorm(Words *w, ExplainWords *out);
void words_say_rmsnorm(Words *w, ExplainWords *out);
void words_say_residual(Words *w, ExplainWords *out);
void words_say_activation(Words *w, ExplainWords *out);
void words_say_multiply(Words *w, ExplainWords *out);
/* false: it is attention's output, which has words of its own. */
bool words_say_product(Words *w, ExplainWords *out);

/* words_network.c: the ends of a network, and several maps at once. */
void words_say_gather(Words *w, ExplainWords *out);
void words_say_pick(Words *w, ExplainWords *out);
void words_say_relative_bias(Words *w, ExplainWords *out);
void words_say_biased(Words *w, ExplainWords *out); /* a score with such a bias and no mask */
bool words_say_scaled_row(Words *w, ExplainWords *out); /* false: it is a map of scores */
/* Does the number belong to the prediction? */
bool word_predicts(const Words *w);
void words_say_logit(Words *w, ExplainWords *out);
bool words_say_probability(Words *w, ExplainWords *out); /* false: it is a map's softmax */
void words_say_head_average(Words *w, ExplainWords *out);
void words_say_mix_identity(Words *w, ExplainWords *out);
void words_say_head_maximum(Words *w, ExplainWords *out);
void words_say_rollout(Words *w, ExplainWords *out);
void words_say_length(Words *w, ExplainWords *out);
void words_say_times_length(Words *w, ExplainWords *out);

#endif
