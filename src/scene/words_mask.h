/* What is said about masks: their kinds, the ways in which M is written and whose they are, how far a query sees. */
#ifndef SCENE_WORDS_MASK_H
#define SCENE_WORDS_MASK_H

#include "scene/scene.h"

const char *words_mask_kind(MaskKind kind); /* "Window" */
/* "True = keep"; of what is added with the fill: "0, −∞". */
const char *words_mask_form(const Scene *scene, MaskForm form);
/* Which library writes it so, or what can be done with it. One line. */
const char *words_mask_source(const Scene *scene, MaskForm form);
/* A cell of M in this form; `brief` where there is no room for words: NULL = a pattern says it. `sum`: 0 is added where the
 * score is kept, else it stays as it is. */
const char *words_mask_cell(const Scene *scene, MaskForm form, bool keep, double fill, bool sum, bool brief);
/* "KEEP 0", "True keeps": what the two signs mean. */
const char *words_mask_sign_means(const Scene *scene, MaskForm form, bool keep, double fill, bool sum);
/* What the mask of a cell of an OP_MASK does: "keeps", "−∞"; of one that is added "+ 0", "+ −1e9". *word: it is a word, no number. */
const char *words_mask_says(const Scene *scene, const Op *op, const int *index, bool *word);
/* Where nothing is written in the cells: what a pattern stands for in this form; NULL where that is plain. */
const char *words_mask_pattern(const Scene *scene, MaskForm form, double fill, bool sum);
/* "window: 2 tokens before, 1 after": of each mask of the site in view, and over the layers of a network. NULL: nothing to say. */
const char *words_mask_reach(const Scene *scene);

#endif
