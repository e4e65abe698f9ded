/* How maps of weights are looked at: which numbers of a layer (one head, all together, times the length of v), on which scale,
 * what is left out, and the words that say so. What is aggregated, cut or hidden is never so silently. */
#ifndef SCENE_LOOK_H
#define SCENE_LOOK_H

#include "scene/matrix.h"

/* Where a logarithmic scale begins. */
#define LOOK_LOG_FROM 0.001

/* Weights, or what is made from them: 0 or more, drawn on the ramp of weights. */
bool look_is_weight(const char *tensor_name);
/* What the stage is about as it is looked at: at Softmax another view of the weights where one is chosen and there is one. */
TensorId look_tensor(const Scene *scene);
/* Which view of the weights Softmax shows; AGGREGATE_HEAD where there is no other. */
AggregateKind look_aggregate(const Scene *scene);
/* Is the map of Softmax one of all heads together? Then it is no head's. */
bool look_over_heads(const Scene *scene);
/* Are weights drawn as ribbons? Then their width says how large they are. */
bool look_lines(const Scene *scene);
/* "head average": as menus and titles call it. */
const char *look_name(AggregateKind kind);
/* End of the colours of one head's map: shared by all, or its own largest number that is shown. */
double look_limit(const Scene *scene, TensorId tensor, int head);
/* Place of a number on the ramp, 0 to 1. */
double look_shade(bool log_scale, double limit, double value);

/* Take over what the view says: the part of the map that is shown, and for weights scale, threshold and hidden columns. */
void look_take(Matrix *m, const Scene *scene);
/* All of it again, on the usual scale of its tensor. */
void look_whole(Matrix *m, const Scene *scene);

/* Weight of a row that lies in hidden columns. */
double look_hidden_share(const Matrix *m, const Scene *scene, int row);
/* Cells that the mask keeps and the threshold leaves out, in the part that is shown. */
int look_below(const Matrix *m, const Scene *scene);
/* "column The is hidden: 0.31 of the weight on average · 12 weights below 0.05 are not shown · log scale"; NULL: nothing to say. */
const char *look_words(const Matrix *m, const Scene *scene);
/* "rows 13 to 40 of 1,000, columns 1 to 28 of 1,000"; NULL: all are shown. */
const char *look_part_words(const Matrix *m, const Scene *scene);
/* "log scale · each head’s own range"; NULL: neither. */
const char *look_scale_words(const Scene *scene);
/* Beside each row the weight that lies in hidden columns; the matrix keeps `right` free for it. */
void look_draw_shares(const Matrix *m, const Scene *scene, DisplayList *dl);
/* "to 0.42": where a head's own range ends; NULL: the range is shared. */
const char *look_range_words(const Scene *scene, TensorId tensor, int head);

#endif
