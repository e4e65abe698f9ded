/* The built-in models: the numbers that the design states, worked out here with loops of the test's own. */
#include "support/support.h"

#include <stdio.h>

#include "base/str.h"
#include "model/source.h"

enum { D = 16, DK = 4, HEADS = 4 };

typedef struct {
    Arena arena;
    Lexicon *lexicon;
} Room;

static int open_room(void **state) {
    static Room room;
    Err err = {0};
    room = (Room){0};
    if (!lexicon_load(&room.arena, &room.lexicon, &err)) {
        print_error("%s\n", err.message);
        return -1;
    }
    *state = &room;
    return 0;
}

static int close_room(void **state) {
    arena_free(&((Room *)*state)->arena);
    return 0;
}

static TokenList cut(Room *room, TokenizerKind kind, const char *text) {
    TokenList list = {0};
    Err err = {0};
    if (!tokenize(kind, text, room->lexicon, &room->arena, &list, &err)) fail_msg("%s", err.message);
    return list;
}

static Source build(Room *room, const SourceSpec *spec, const TokenList *queries, const TokenList *keys) {
    Source source = {0};
    Err err = {0};
    if (!source_build(spec, queries, keys, room->lexicon, &room->arena, &source, &err)) fail_msg("%s", err.message);
    return source;
}

static const float *matrix(const Source *source, const char *name, int rows, int columns) {
    const TensorInput *input = NULL;
    for (int i = 0; i < source->n_inputs; i++)
        if (str_eq(source->inputs[i].name, name)) input = &source->inputs[i];
    if (input == NULL) fail_msg("no input %s", name);
    assert_int_equal(input->rank, 2);
    assert_int_equal(input->dim[0], rows);
    assert_int_equal(input->dim[1], columns);
    return input->data;
}

static bool has_matrix(const Source *source, const char *name) {
    for (int i = 0; i < source->n_inputs; i++)
        if (str_eq(source->inputs[i].name, name)) return true;
    return false;
}

/* x of token i: tok + pe */
static double x_at(const Source *s, int n, int i, int d) {
    double pe = has_matrix(s, "pe") ? (double)matrix(s, "pe", n, D)[i * D + d] : 0;
    return (double)matrix(s, has_matrix(s, "tok") ? "tok" : "x", n, D)[i * D + d] + pe;
}

static double project(const Source *s, int n, const char *w, int i, int column) {
    double sum = 0;
    for (int d = 0; d < D; d++) sum += x_at(s, n, i, d) * (double)matrix(s, w, D, D)[column * D + d];
    return sum;
}

static double score(const Source *s, int n, int h, int i, int j) {
    double sum = 0;
    for (int c = 0; c < DK; c++) sum += project(s, n, "w_q", i, h * DK + c) * project(s, n, "w_k", j, h * DK + c);
    return sum;
}

/* Softmax of row i of head h over the keys up to `keys`. */
static void weigh(const Source *s, int n, int h, int i, int keys, double *out) {
    double max = -INFINITY, sum = 0;
    for (int j = 0; j < keys; j++) {
        out[j] = score(s, n, h, i, j) / 2;
        max = fmax(max, out[j]);
    }
    for (int j = 0; j < keys; j++) sum += out[j] = exp(out[j] - max);
    for (int j = 0; j < keys; j++) out[j] /= sum;
}

static const SourceSpec classroom = {.kind = MODEL_CLASSROOM, .built_in_position = true};
static const SourceSpec molecule = {.kind = MODEL_MOLECULE, .built_in_position = true};

/* ---- classroom ---- */

static void test_token_rows(void **state) {
    Room *room = *state;
    TokenList tokens = cut(room, TOKENIZER_WORDS, "The cat sat on the mat");
    Source s = build(room, &classroom, &tokens, NULL);
    static const double features[6][8] = {
        {0, 0, 1, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 1, 0, 1}, {0, 1, 0, 0, 0, 0, 0, 1},
        {0, 0, 0, 0, 1, 0, 0, 1}, {0, 0, 1, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 0, 0, 1}};
    /* FNV-1a and splitmix64 of "the" and "cat", worked out by a program of its own in another language */
    static const double the[4] = {0.6411596633, -0.4777181047, 0.4235133276, -0.4258358369};
    const float *tok = matrix(&s, "tok", 6, D), *pe = matrix(&s, "pe", 6, D);
    for (int i = 0; i < 6; i++) {
        double square = 0;
        for (int d = 0; d < 8; d++) assert_near((double)tok[i * D + d], features[i][d], 0);
        for (int d = 8; d < 12; d++) square += (double)tok[i * D + d] * (double)tok[i * D + d];
        assert_near(square, 1, 1e-6);
        for (int d = 12; d < D; d++) assert_near((double)tok[i * D + d], 0, 0);
        for (int d = 0; d < 12; d++) assert_near((double)pe[i * D + d], 0, 0);
        assert_near((double)pe[i * D + 12], sin(0.58 * i), 1e-7);
        assert_near((double)pe[i * D + 15], cos(0.97 * i), 1e-7);
    }
    for (int d = 0; d < 4; d++) {
        assert_near((double)tok[8 + d], the[d], 1e-7);
        assert_near((double)tok[4 * D + 8 + d], the[d], 1e-7); /* "The" and "the" are one word */
    }
}

static void test_pictured_scores(void **state) {
    Room *room = *state;
    TokenList tokens = cut(room, TOKENIZER_WORDS, "The cat sat on the mat");
    Source s = build(room, &classroom, &tokens, NULL);
    static const double first_row[6] = {16.82, 0.46, -13.70, -17.05, -10.01, -0.58};
    static const double q_of_sat[4] = {6.58, 10.04, 9.90, 6.78};
    for (int j = 0; j < 6; j++) assert_near(score(&s, 6, 0, 0, j), first_row[j], 0.006);
    for (int i = 1; i < 6; i++) assert_near(score(&s, 6, 0, i, i - 1), 24, 1e-5);
    for (int c = 0; c < 4; c++) assert_near(project(&s, 6, "w_q", 2, c), q_of_sat[c], 0.006);
    assert_near(project(&s, 6, "w_q", 2, 4), 4, 0); /* sat asks for a noun, 4, and an animate one, 3 */
    assert_near(project(&s, 6, "w_q", 2, 5), 3, 0);
    assert_near(project(&s, 6, "w_q", 1, 6), 4, 0); /* cat asks for a determiner */
    assert_near(score(&s, 6, 2, 0, 4), 40, 1e-4);   /* The and the are the same word */
}

static void test_grammar_partner(void **state) {
    Room *room = *state;
    TokenList tokens = cut(room, TOKENIZER_WORDS, "The cat sat on the mat");
    Source s = build(room, &classroom, &tokens, NULL);
    static const double want[6][6] = {{1}, {.88, .12}, {.028, .943, .028}, {.10, .71, .10, .10},
                                      {.09, .65, .09, .09, .09}, {.39, .05, .05, .05, .39, .05}};
    double row[6];
    for (int i = 0; i < 6; i++) {
        weigh(&s, 6, 1, i, i + 1, row);
        for (int j = 0; j <= i; j++) assert_near(row[j], want[i][j], i == 2 ? 0.0006 : 0.006);
    }
}

static void test_up_to_32_tokens(void **state) {
    Room *room = *state;
    char text[200] = "";
    double row[40];
    for (int n = 1; n <= 33; n++) {
        strcat(text, n % 3 == 0 ? "mat " : n % 2 == 0 ? "sat " : "cat ");
        TokenList tokens = cut(room, TOKENIZER_WORDS, text);
        Source s = build(room, &classroom, &tokens, NULL);
        assert_int_equal(tokens.n, n);
        if ((s.note != NULL) != (n > 32)) fail_msg("%d tokens: the note is wrong", n);
        for (int i = n - 1; n <= 32 && n % 4 == 0 && i >= 0; i--) {
            for (int causal = 0; causal < 2; causal++) {
                int keys = causal ? i + 1 : n;
                weigh(&s, n, 0, i, keys, row);
                if (i > 0 && row[i - 1] < 0.85) fail_msg("%d tokens: row %d gives %g to the one before", n, i, row[i - 1]);
                weigh(&s, n, 3, i, keys, row);
                if (row[0] < 0.9) fail_msg("%d tokens: row %d gives %g to the first", n, i, row[0]);
            }
        }
    }
}

static void test_values_go_home(void **state) {
    Room *room = *state;
    TokenList tokens = cut(room, TOKENIZER_WORDS, "dog bites man");
    Source s = build(room, &classroom, &tokens, NULL);
    const float *w_v = matrix(&s, "w_v", D, D), *w_o = matrix(&s, "w_o", D, D);
    for (int h = 0; h < HEADS; h++)
        for (int c = 0; c < DK; c++) {
            int reads = -1, writes = -1, column = h * DK + c;
            for (int d = 0; d < D; d++) {
                if (w_v[column * D + d] != 0) reads = d;
                if (w_o[d * D + column] != 0) writes = d;
            }
            assert_true(reads >= 0);
            assert_int_equal(reads, writes);
            assert_string_equal(s.slot_v[column], s.feature[reads]);
        }
    assert_string_equal(s.slot_v[0], "id₁");
    assert_string_equal(s.slot_v[4], "noun");
    assert_string_equal(s.slot_v[12], "pos₁");
    assert_string_equal(s.slot_q[5], "an animate noun");
    assert_string_equal(s.head_name[1], "grammar partner");
    assert_string_equal(s.title, "Classroom 16×4");
    assert_string_equal(s.badge, "made by hand");
    assert_near(s.clock[0], 0.58, 0);
    assert_near(s.clock[1], 0.97, 0);
}

static void test_other_positions(void **state) {
    Room *room = *state;
    TokenList tokens = cut(room, TOKENIZER_WORDS, "dog bites man");
    SourceSpec spec = {.kind = MODEL_CLASSROOM};
    Source s = build(room, &spec, &tokens, NULL);
    assert_false(has_matrix(&s, "pe"));
    const float *x = matrix(&s, "x", 3, D);
    for (int i = 0; i < 3; i++)
        for (int d = 12; d < D; d++) assert_near((double)x[i * D + d], 0, 0);
    assert_near(s.clock[0], 0, 0);
}

static void test_cross(void **state) {
    Room *room = *state;
    TokenList queries = cut(room, TOKENIZER_WORDS, "I love cats"), keys = cut(room, TOKENIZER_WORDS, "我爱猫 !");
    Source s = build(room, &classroom, &queries, &keys);
    const float *x_kv = matrix(&s, "x_kv", 4, D);
    matrix(&s, "tok", 3, D);
    assert_near((double)x_kv[2 * D + 0], 1, 0);          /* 猫 is a noun */
    assert_near((double)x_kv[2 * D + 5], 1, 0);          /* and animate */
    assert_near((double)x_kv[2 * D + 12], sin(1.16), 1e-7);
    for (int d = 0; d < 7; d++) assert_near((double)x_kv[3 * D + d], 0, 0); /* "!" has no feature */
    assert_near((double)x_kv[3 * D + 7], 1, 0);
}

/* ---- molecule ---- */

static void test_molecule(void **state) {
    Room *room = *state;
    TokenList tokens = cut(room, TOKENIZER_SMILES, "Clc1ccccc1O");
    Source s = build(room, &molecule, &tokens, NULL);
    double row[16];
    int n = tokens.n; /* Cl c 1 c c c c c 1 O */
    assert_int_equal(n, 10);
    static const double chlorine[8] = {0, 1, 1, 0, 0, 0, 0, 1}, ring[8] = {0, 0, 0, 0, 0, 1, 0, 1}, c[8] = {1, 0, 0, 0, 0, 0, 1, 1};
    for (int d = 0; d < 8; d++) {
        assert_near(x_at(&s, n, 0, d), chlorine[d], 0);
        assert_near(x_at(&s, n, 1, d), c[d], 0);
        assert_near(x_at(&s, n, 2, d), ring[d], 0);
    }
    weigh(&s, n, 2, 2, n, row); /* a ring digit: 40 raw, 20 scaled, for itself and its mate; 0 for the rest */
    assert_near(row[2], 0.5, 1e-6);
    assert_near(row[8], 0.5, 1e-6);
    weigh(&s, n, 2, 1, n, row);
    for (int j = 0; j < n; j++) assert_near(row[j], 0.1, 1e-6); /* a carbon: everywhere alike */
    weigh(&s, n, 1, 1, n, row); /* carbon: Cl (4 + 3) / 2, O 4 / 2, the rest 0 */
    double sum = exp(3.5) + exp(2) + 8;
    assert_near(row[0], exp(3.5) / sum, 1e-6);
    assert_near(row[9], exp(2) / sum, 1e-6);
    weigh(&s, n, 1, 9, n, row); /* O: six carbons at 4 / 2, four others at 0 */
    assert_near(row[1], exp(2) / (6 * exp(2) + 4), 1e-6);
    weigh(&s, n, 0, 5, n, row);
    assert_true(row[4] > 0.85);
    weigh(&s, n, 3, 5, n, row);
    assert_true(row[0] > 0.9);
}

/* Which features a SMILES token has: letters of "chabBra" for carbon, hetero, halogen, bond, branch, ring, aromatic. */
static void test_molecule_features(void **state) {
    Room *room = *state;
    static const struct { const char *token, *features; } rows[] = {
        {"C", "c"}, {"c", "ca"}, {"N", "h"}, {"n", "ha"}, {"F", "hH"}, {"Br", "hH"}, {"[nH]", "ha"}, {"[13CH4]", "c"},
        {"[NH4+]", "h"}, {"[Cl-]", "hH"}, {"[C@@H]", "c"}, {"[se]", "ha"}, {"[H]", ""}, {"[Fe+2]", "h"}, {"=", "b"}, {"#", "b"},
        {"/", "b"}, {":", "ba"}, {"(", "B"}, {")", "B"}, {"3", "r"}, {"%12", "r"}, {".", ""}, {"*", ""}, {"?", ""}, {"[", ""}};
    static const char letters[] = "chHbBra";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TokenList one;
        tokens_from_list(&rows[i].token, 1, &room->arena, &one);
        Source s = build(room, &molecule, &one, NULL);
        for (int d = 0; d < 7; d++) {
            bool want = strchr(rows[i].features, letters[d]) != NULL;
            if ((x_at(&s, 1, 0, d) != 0) != want) fail_msg("%s: %s is wrong", rows[i].token, s.feature[d]);
        }
    }
}

static void test_ring_numbers_differ(void **state) {
    Room *room = *state;
    TokenList tokens = cut(room, TOKENIZER_SMILES, "12345678%12%99");
    Source s = build(room, &molecule, &tokens, NULL);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            if (i != j && score(&s, tokens.n, 2, i, j) > 34) fail_msg("rings %d and %d are taken for one", i + 1, j + 1);
    assert_near(score(&s, tokens.n, 2, 8, 8), 40, 1e-4);
}

/* ---- random and identity ---- */

static const TensorInput *input(const Source *s, const char *name) {
    for (int i = 0; i < s->n_inputs; i++)
        if (str_eq(s->inputs[i].name, name)) return &s->inputs[i];
    fail_msg("no input %s", name);
    return NULL;
}

static void test_random(void **state) {
    Room *room = *state;
    TokenList tokens = cut(room, TOKENIZER_WORDS, "a b a");
    SourceSpec spec = {.kind = MODEL_RANDOM, .seed = 7, .d_model = 12, .n_heads = 6, .n_kv_heads = 2, .d_k = 3, .d_v = 5, .bias = true};
    Source s = build(room, &spec, &tokens, NULL), again = build(room, &spec, &tokens, NULL);
    static const char *const order[] = {"x", "w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o"};
    static const int dims[][2] = {{3, 12}, {18, 12}, {6, 12}, {10, 12}, {12, 30}, {18, 1}, {6, 1}, {10, 1}, {12, 1}};
    assert_int_equal(s.n_inputs, 9);
    for (int i = 0; i < 9; i++) {
        assert_string_equal(s.inputs[i].name, order[i]);
        assert_int_equal(s.inputs[i].dim[0], dims[i][0]);
        assert_int_equal(s.inputs[i].dim[1], dims[i][1]);
        size_t bytes = sizeof(float) * (size_t)dims[i][0] * (size_t)dims[i][1];
        assert_memory_equal(s.inputs[i].data, again.inputs[i].data, bytes);
    }
    assert_memory_equal(s.inputs[0].data, s.inputs[0].data + 24, 12 * sizeof(float)); /* equal words, equal rows */
    assert_memory_not_equal(s.inputs[0].data, s.inputs[0].data + 12, 12 * sizeof(float));
    assert_string_equal(s.feature[11], "x₁₂");
    assert_string_equal(s.badge, "random");
}

/* The first numbers of seed 1, from a program of its own in another language. */
static void test_random_numbers_are_pinned(void **state) {
    Room *room = *state;
    TokenList tokens = cut(room, TOKENIZER_WORDS, "cat");
    SourceSpec spec = {.kind = MODEL_RANDOM, .seed = 1};
    Source s = build(room, &spec, &tokens, NULL);
    static const double w_q[3] = {0.05764401502, 0.2128532456, 0.4079003499}, w_k[3] = {-0.1197422389, -0.3536637045, -0.009447552741}, x[3] = {1.530258419, -0.2073070473, -1.352485221};
    for (int i = 0; i < 3; i++) {
        assert_near((double)input(&s, "w_q")->data[i], w_q[i], 1e-7);
        assert_near((double)input(&s, "w_k")->data[i], w_k[i], 1e-7);
        assert_near((double)input(&s, "x")->data[i], x[i], 1e-7);
    }
}

static void test_random_scale(void **state) {
    Room *room = *state;
    TokenList tokens = cut(room, TOKENIZER_WORDS, "cat");
    SourceSpec spec = {.kind = MODEL_RANDOM, .seed = 3, .d_model = 256, .n_heads = 8};
    Source s = build(room, &spec, &tokens, NULL);
    double square = 0, most = 0;
    const float *w = input(&s, "w_q")->data;
    for (int i = 0; i < 256 * 256; i++) {
        square += (double)w[i] * (double)w[i];
        most = fmax(most, fabs((double)w[i]));
    }
    assert_near(square / (256 * 256), 1.0 / 256, 0.02 / 256); /* variance 1 / d_model */
    assert_true(most <= sqrt(3.0 / 256) + 1e-7);
}

static void test_identity(void **state) {
    Room *room = *state;
    TokenList tokens = cut(room, TOKENIZER_WORDS, "a b");
    SourceSpec spec = {.kind = MODEL_IDENTITY, .d_model = 6, .n_heads = 3};
    Source s = build(room, &spec, &tokens, &tokens);
    assert_int_equal(s.d_k, 2);
    for (int i = 0; i < 36; i++) assert_near((double)input(&s, "w_o")->data[i], i % 7 == 0, 0);
    assert_memory_equal(input(&s, "x")->data, input(&s, "x_kv")->data, 12 * sizeof(float));
}

/* ---- sizes that cannot be ---- */

static void test_refused_sizes(void **state) {
    Room *room = *state;
    TokenList tokens = cut(room, TOKENIZER_WORDS, "a b");
    static const struct { SourceSpec spec; const char *says[3]; } rows[] = {
        {{.kind = MODEL_RANDOM, .d_model = 1600, .n_heads = 48}, {"1600", "48", "25 or 50"}},
        {{.kind = MODEL_RANDOM, .d_model = 7, .n_heads = 2}, {"7", "2", "1 or 7"}},
        {{.kind = MODEL_RANDOM, .d_model = 4, .n_heads = 8}, {"4", "8", "4"}},
        {{.kind = MODEL_RANDOM, .n_heads = 6, .n_kv_heads = 4}, {"6", "4", "3 or 6"}},
        {{.kind = MODEL_RANDOM, .d_model = -3}, {"d_model -3"}},
        {{.kind = MODEL_RANDOM, .d_model = 1 << 24}, {"d_model 16777216", "4096"}},
        {{.kind = MODEL_RANDOM, .n_heads = 256, .d_k = 1024}, {"8192"}},
        {{.kind = MODEL_CLASSROOM, .d_model = 32}, {"classroom", "16", "random"}},
        {{.kind = MODEL_MOLECULE, .n_kv_heads = 2}, {"molecule", "4", "random"}},
        {{.kind = MODEL_IDENTITY, .d_model = 16, .n_heads = 4, .d_k = 3}, {"16", "12"}},
        {{.kind = MODEL_IDENTITY, .d_v = 3}, {"d_v"}},
        {{.kind = MODEL_FOLDER}, {"trace file"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Source s;
        Err err = {0};
        assert_false(source_build(&rows[i].spec, &tokens, NULL, room->lexicon, &room->arena, &s, &err));
        for (int k = 0; k < 3 && rows[i].says[k] != NULL; k++)
            if (strstr(err.message, rows[i].says[k]) == NULL) fail_msg("row %zu: \"%s\" lacks %s", i, err.message, rows[i].says[k]);
    }
    TokenList none = {0};
    Source s;
    Err err = {0};
    assert_false(source_build(&classroom, &none, NULL, room->lexicon, &room->arena, &s, &err));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_token_rows),          cmocka_unit_test(test_pictured_scores),
        cmocka_unit_test(test_grammar_partner),     cmocka_unit_test(test_up_to_32_tokens),
        cmocka_unit_test(test_values_go_home),      cmocka_unit_test(test_other_positions),
        cmocka_unit_test(test_cross),               cmocka_unit_test(test_molecule),
        cmocka_unit_test(test_molecule_features),   cmocka_unit_test(test_ring_numbers_differ),
        cmocka_unit_test(test_random),              cmocka_unit_test(test_random_numbers_are_pinned),
        cmocka_unit_test(test_random_scale),        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_refused_sizes),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
