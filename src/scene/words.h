/* What an explanation says, as sentences with colour marks (see rich.h); explain_words of scene.h is the plain form. */
#ifndef SCENE_WORDS_H
#define SCENE_WORDS_H

#include "scene/scene.h"

/* Texts carry RICH_ marks. `arena` holds them. */
void words_rich(const Run *run, const Explanation *explanation, Arena *arena, ExplainWords *out);
/* A token by its name for a sentence; equal ones are counted: "O₄" is the fourth O. Position i of an axis, likewise. */
const char *words_token(const TokenList *tokens, int i, Arena *arena);
const char *words_name(const Run *run, TensorId tensor, int axis, int i, Arena *arena);
/* Was a head made by hand for a job that these positions let it do? */
/* A row's or column's label as it is shown: features of the hand-made models have names in each language. What people type and
 * files hold is run_label's. */
const char *words_label(const Run *run, TensorId tensor, int axis, int i, char buffer[32]);
bool words_head_works(const Run *run, int head);
/* What it was made for, "previous token"; NULL: for nothing, or it cannot do it with these settings. */
const char *words_head_job(const Run *run, int head);
/* What a mask's number does: "keep (adds 0)", "hide (−∞)"; "keep", "hide (becomes −1e9)" where a fill takes the score's place. */
const char *words_mask_number(const Run *run, double keep, Arena *arena);
/* One plain sentence that says what a number is: "query sat reads key cat: 0.94". */
const char *words_hover(const Run *run, TensorId tensor, const int *index, Arena *arena);
/* √dₖ as it is written: "2", "1.414". */
const char *words_root(int d_k, Arena *arena);
/* Short sign of a tensor: "q", "W_Q", "weight". */
const char *words_symbol(const char *tensor_name);
/* The tensor in a sentence: "the masked score", "W_Q". */
const char *words_noun(const char *tensor_name);
/* As words_symbol, seen from a layer: what goes into it is "X". */
const char *words_symbol_in(const Run *run, const Site *site, TensorId id);
/* As words_symbol_in, of another layer with its name: "layer 3’s H". */
const char *words_symbol_from(const Run *run, const Site *site, TensorId id, Arena *arena);
/* What the rows of a layer are in the layer before: "layer 3’s H + F"; NULL: they are made here, or of another text. */
const char *words_rows_name(const Run *run, const Site *site, Arena *arena);
/* Where the rows of a layer come from: "X is what layer 4 gave, its H + F." */
const char *words_rows_from(const Run *run, const Site *site, Arena *arena);
/* A token of the vocabulary by its number: "cat"; "token 17" where the folder has no tokenizer. */
const char *words_vocabulary(const Run *run, int id, Arena *arena);
/* "id 421 (row 422, counted from 1)": ids of the vocabulary begin with 0, positions of an axis with 1. */
const char *words_id(int id, Arena *arena);
/* The id of the vocabulary that an element belongs to, of a table or of a prediction; -1: none. */
int words_id_of(const Run *run, TensorId tensor, const int index[TENSOR_RANK_MAX]);
/* "end of text", of the token that ends a text; NULL: it is another one. */
const char *words_end_of_text(const Run *run, int id);
/* "byte 1 of 3 of 我": of a token that is a part of a character of the typed text; NULL: it is not. */
const char *words_byte_of(const Run *run, const TokenList *tokens, int i, Arena *arena);
/* "34.2 %"; never rounded up to 100 or down to 0: "99.9+ %", "<0.0001 %". */
const char *words_percent(double share, Arena *arena);
/* Does the model fill gaps? The sign that stands for one in its texts, "[MASK]"; NULL: it does not. */
const char *words_mask_sign(const Run *run);
/* What a row's diagnosis says about this number: messages joined; NULL when nothing is wrong. */
const char *words_diagnosis(const Run *run, TensorId tensor, const int index[TENSOR_RANK_MAX], Arena *arena);
/* "Entropy of this row: 0.37 bits, of 1.58 possible." of a row of weights; NULL: the row gives no weight. */
const char *words_entropy(const Run *run, TensorId weights, int head, int row, Arena *arena);

/* The key that gets most of a row's weight. */
typedef struct {
    int key;  /* -1: the row has no weight to give */
    bool nan; /* because a weight is not a number */
    double share;
    int n_alike;  /* keys with that same share, this one counted */
    int n_shares; /* keys that get any weight */
    int n_hidden; /* keys of the row that the mask hides */
} RowLeader;
RowLeader words_leader(const Run *run, TensorId weights, int head, int row);

#endif
