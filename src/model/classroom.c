/* The classroom model's own tables: 16 readable dimensions for words. */
#include "base/tr.h"
#include "model/source_internal.h"

enum { NOUN, VERB, DET, MODIF, PREP, ANIMATE, PLURAL, FEATURES };

static void fill_word(const Token *token, const Lexicon *lexicon, float row[HAND_D]) {
    int bits = lexicon != NULL ? lexicon_features(lexicon, token->text) : WORD_NOUN;
    for (int i = 0; i < FEATURES; i++) row[i] = (float)(bits >> i & 1);
    hand_id(token->text, 4, 4, row + HAND_ID);
}

/* Head 2: slot 1 asks for a noun, slot 2 for an animate one, slot 3 for a determiner. Head 3: id meets id. */
static const HandWeight w_q[] = {
    {4, VERB, 4}, {4, DET, 4}, {4, MODIF, 4}, {4, PREP, 4},
    {5, VERB, 3},
    {6, NOUN, 4},
    {8, HAND_ID, 40}, {9, HAND_ID + 1, 40}, {10, HAND_ID + 2, 40}, {11, HAND_ID + 3, 40},
};

static const HandWeight w_k[] = {
    {4, NOUN, 1}, {5, ANIMATE, 1}, {6, DET, 1},
    {8, HAND_ID, 1}, {9, HAND_ID + 1, 1}, {10, HAND_ID + 2, 1}, {11, HAND_ID + 3, 1},
};

const HandModel hand_classroom = {
    .feature = {tr_mark("noun"), tr_mark("verb"), tr_mark("det"), tr_mark("modif"), tr_mark("prep"),
                tr_mark("animate"), tr_mark("plural"), tr_mark("one"),
                "id₁", "id₂", "id₃", "id₄", "pos₁", "pos₂", "pos₃", "pos₄"},
    .head_name = {tr_mark("previous token"), tr_mark("grammar partner"), tr_mark("same word"), tr_mark("first token")},
    .head_story = {
        tr_mark("Each token looks at the one before it: q turns both position clocks back by one step, k reads the clocks."),
        tr_mark("A verb looks for a noun, best a living one; determiners, modifiers and prepositions look for a noun; "
                "a noun looks for a determiner."),
        tr_mark("Each word looks for the same word: the same letters give the same four id numbers."),
        tr_mark("Every token looks at the first one, the only place where both clocks point straight up."),
    },
    .slot_q = {
        tr_mark("clock 1 sine, one step back"), tr_mark("clock 1 cosine, one step back"),
        tr_mark("clock 2 sine, one step back"), tr_mark("clock 2 cosine, one step back"),
        tr_mark("a noun"), tr_mark("an animate noun"), tr_mark("a determiner"), NULL,
        tr_mark("the same id₁"), tr_mark("the same id₂"), tr_mark("the same id₃"), tr_mark("the same id₄"),
        tr_mark("clock 1 pointing up"), tr_mark("clock 2 pointing up"), NULL, NULL,
    },
    .w_q = w_q, .n_w_q = sizeof w_q / sizeof *w_q,
    .w_k = w_k, .n_w_k = sizeof w_k / sizeof *w_k,
    .fill_row = fill_word,
};
