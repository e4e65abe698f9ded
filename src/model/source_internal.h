/* What the makers of weights share; for this room's own files. */
#ifndef MODEL_SOURCE_INTERNAL_H
#define MODEL_SOURCE_INTERNAL_H

#include "model/source.h"

enum { SOURCE_INPUTS_MAX = 12 };

/* What a maker needs; `out` has its names and sizes already. */
typedef struct {
    const SourceSpec *spec;
    const TokenList *queries, *keys; /* keys NULL: self-attention */
    const Lexicon *lexicon;          /* may be NULL: no word is listed */
    Arena *arena;
    Source *out;
    Err *err;
} SourceBuild;

/* A zeroed matrix [rows, columns] (rank 2) or [columns] (rows 0), appended to the inputs under `name`.
 * NULL and an error when memory is out. */
float *source_add_input(SourceBuild *build, const char *name, int rows, int columns);

bool source_build_hand(SourceBuild *build);     /* classroom, molecule: source_hand.c */
bool source_build_random(SourceBuild *build);   /* source_random.c */
bool source_build_identity(SourceBuild *build);

/* ---- models made by hand: 16 dimensions, 4 heads of 4 ---- */

enum {
    HAND_D = 16, HAND_HEADS = 4, HAND_DK = 4,
    HAND_ONE = 7,  /* always 1 */
    HAND_ID = 8,   /* id₁ … id₄: which word */
    HAND_POS = 12, /* pos₁ … pos₄: sine and cosine of two clocks */
    HAND_CLOCK_TOKENS = 32
};

/* One number of w_q or w_k: out counts the 16 columns of q or k, head by head. */
typedef struct {
    int out, in;
    double value;
} HandWeight;

typedef struct {
    const char *feature[HAND_D];
    const char *head_name[HAND_HEADS], *head_story[HAND_HEADS];
    const char *slot_q[HAND_D];
    const HandWeight *w_q, *w_k; int n_w_q, n_w_k; /* heads 2 and 3; 1 and 4 are alike in all hand-made models */
    /* Fills a row of zeros up to and with the id dimensions. */
    void (*fill_row)(const Token *token, const Lexicon *lexicon, float row[HAND_D]);
} HandModel;

extern const HandModel hand_classroom, hand_molecule;

/* `count` numbers in [-1, 1) drawn by splitmix64 from a seed that is FNV-1a 64 of the lower-cased text,
 * of which the last `keep` are normalised in double and rounded to float. */
void hand_id(const char *text, int count, int keep, float *out);

#endif
