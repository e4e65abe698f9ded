/* The molecule model's own tables: the classroom model's sister for SMILES.
 * Its id dimensions come in two pairs, so that head 3 can look at ring numbers alone: a ring-closure mark n
 * lies n golden angles (2.39996 radians) round the circle (id₁, id₂); every other mark has a unit vector
 * drawn from its text in (id₃, id₄). */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "model/source_internal.h"

enum { CARBON, HETERO, HALOGEN, BOND, BRANCH, RING, AROMATIC, FEATURES };

static const double golden_angle = 2.399963229728653; /* pi (3 - sqrt 5) */

/* Copies the element of an atom ("Cl", "n", "[13CH4]", "[nH]", "[O-]") with its first letter in upper case. */
static bool read_element(const char *text, char element[3], bool *aromatic) {
    const char *p = text;
    if (*p == '[') p += 1 + strspn(p + 1, "0123456789");
    if (!isalpha((unsigned char)*p)) return false;
    *aromatic = islower((unsigned char)*p) != 0;
    element[0] = (char)toupper((unsigned char)*p);
    bool two = islower((unsigned char)p[1]) && (!*aromatic || text[0] == '[');
    element[1] = two ? p[1] : '\0';
    element[2] = '\0';
    return true;
}

static void fill_atom(const char *element, bool aromatic, float row[HAND_D]) {
    static const char *const halogens[] = {"F", "Cl", "Br", "I", "At", "Ts"};
    bool carbon = str_eq(element, "C"), hydrogen = str_eq(element, "H");
    bool halogen = str_find(halogens, sizeof halogens / sizeof *halogens, element) >= 0;
    row[CARBON] = carbon;
    row[HETERO] = !carbon && !hydrogen;
    row[HALOGEN] = halogen;
    row[AROMATIC] = aromatic;
}

/* The number of a ring-closure mark, "1" or "%12"; -1 for anything else. */
static int ring_number(const char *text) {
    int number = -1;
    const char *digits = text + (text[0] == '%');
    return digits[0] >= '0' && digits[0] <= '9' && str_to_int(digits, &number) ? number : -1;
}

static void fill_mark(const Token *token, const Lexicon *lexicon, float row[HAND_D]) {
    (void)lexicon;
    const char *text = token->text;
    char element[3];
    bool aromatic = false;
    int ring = ring_number(text);
    if (ring >= 0) {
        row[RING] = 1;
        row[HAND_ID] = (float)sin(golden_angle * ring);
        row[HAND_ID + 1] = (float)cos(golden_angle * ring);
        return;
    }
    if (read_element(text, element, &aromatic)) fill_atom(element, aromatic, row);
    else if (text[0] != '\0' && text[1] == '\0') {
        row[BOND] = strchr("-=#$:/\\~", text[0]) != NULL;
        row[BRANCH] = text[0] == '(' || text[0] == ')';
        row[AROMATIC] = text[0] == ':';
    }
    hand_id(text, 4, 2, row + HAND_ID + 2);
}

/* Head 2: slot 1 asks for a hetero atom, slot 2 for a halogen, slot 3 for a carbon. Head 3: ring meets ring. */
static const HandWeight w_q[] = {
    {4, CARBON, 4}, {4, BOND, 4}, {4, BRANCH, 4},
    {5, CARBON, 3},
    {6, HETERO, 4},
    {8, HAND_ID, 40}, {9, HAND_ID + 1, 40},
};

static const HandWeight w_k[] = {
    {4, HETERO, 1}, {5, HALOGEN, 1}, {6, CARBON, 1},
    {8, HAND_ID, 1}, {9, HAND_ID + 1, 1},
};

const HandModel hand_molecule = {
    .feature = {tr_mark("carbon"), tr_mark("hetero"), tr_mark("halogen"), tr_mark("bond"), tr_mark("branch"),
                tr_mark("ring"), tr_mark("aromatic"), tr_mark("one"),
                "id₁", "id₂", "id₃", "id₄", "pos₁", "pos₂", "pos₃", "pos₄"},
    .head_name = {tr_mark("previous token"), tr_mark("functional partner"), tr_mark("same ring digit"), tr_mark("first token")},
    .head_story = {
        tr_mark("Each symbol looks at the one before it: q turns both position clocks back by one step, k reads the clocks."),
        tr_mark("A carbon looks for a hetero atom, best a halogen; bonds and branches look for a hetero atom; "
                "a hetero atom looks for carbon."),
        tr_mark("A ring number looks for the same ring number, where the ring closes; all other symbols look everywhere alike."),
        tr_mark("Every symbol looks at the first one, the only place where both clocks point straight up."),
    },
    .slot_q = {
        tr_mark("clock 1 sine, one step back"), tr_mark("clock 1 cosine, one step back"),
        tr_mark("clock 2 sine, one step back"), tr_mark("clock 2 cosine, one step back"),
        tr_mark("a hetero atom"), tr_mark("a halogen"), tr_mark("a carbon"), NULL,
        tr_mark("the same ring number, sine"), tr_mark("the same ring number, cosine"), NULL, NULL,
        tr_mark("clock 1 pointing up"), tr_mark("clock 2 pointing up"), NULL, NULL,
    },
    .w_q = w_q, .n_w_q = sizeof w_q / sizeof *w_q,
    .w_k = w_k, .n_w_k = sizeof w_k / sizeof *w_k,
    .fill_row = fill_mark,
};
