/* The models made by hand, from their tables. The two position clocks, p = 0, 1, …:
 *     pos = sin(0.58 p), cos(0.58 p), sin(0.97 p), cos(0.97 p)
 * Head 1 turns them back one step, sin(a - w) = sin a cos w - cos a sin w, so q · k is largest one key back.
 * Head 4 asks for both cosines, which are 1 together at p = 0 only. A gain multiplies q, before 1/sqrt(d_k). */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "model/source_internal.h"

static const double clocks[2] = {0.58, 0.97}; /* radians a step */
static const double clock_gain = 12;

static const char round_again[] =
    tr_mark("After 32 tokens the position clocks come round again, so heads 1 and 4 also find tokens further away.");

/* Alike in all hand-made models. */
static const uint8_t head_needs[HAND_HEADS] = {[0] = HEAD_NEEDS_CLOCKS | HEAD_NEEDS_ONE_TEXT, [3] = HEAD_NEEDS_CLOCKS};

/* Where head h reads its values from and puts its output back: the first of four dimensions. */
static const int value_from[HAND_HEADS] = {HAND_ID, 0, HAND_ID, HAND_POS};

void hand_id(const char *text, int count, int keep, float *out) {
    Arena arena = {0};
    const char *lower = utf8_lower(&arena, text);
    uint64_t state = hash_fnv1a(lower, strlen(lower));
    arena_free(&arena);
    double drawn[4], square = 0;
    assert(count <= 4 && keep <= count);
    for (int i = 0; i < count; i++) drawn[i] = 2 * random_unit(&state) - 1;
    for (int i = count - keep; i < count; i++) square += drawn[i] * drawn[i];
    for (int i = 0; i < keep; i++) out[i] = (float)(drawn[count - keep + i] / sqrt(square));
}

static void fill_clocks(int p, float pos[4]) {
    for (int c = 0; c < 2; c++) {
        pos[2 * c] = (float)sin(clocks[c] * p);
        pos[2 * c + 1] = (float)cos(clocks[c] * p);
    }
}

/* w is [out][in], 16 × 16 */
static void put(float *w, int out, int in, double value) {
    w[out * HAND_D + in] = (float)value;
}

static void fill_clock_heads(float *w_q, float *w_k) {
    for (int c = 0; c < 2; c++) {
        int s = 2 * c; /* slot of the sine; the cosine is next */
        double turn_cos = clock_gain * cos(clocks[c]), turn_sin = clock_gain * sin(clocks[c]);
        put(w_q, s, HAND_POS + s, turn_cos);
        put(w_q, s, HAND_POS + s + 1, -turn_sin);
        put(w_q, s + 1, HAND_POS + s, turn_sin);
        put(w_q, s + 1, HAND_POS + s + 1, turn_cos);
        int first = 3 * HAND_DK + c; /* head 4 */
        put(w_q, first, HAND_ONE, clock_gain);
        put(w_k, first, HAND_POS + s + 1, 1);
    }
    for (int j = 0; j < HAND_DK; j++) put(w_k, j, HAND_POS + j, 1);
}

static void fill_values(float *w_v, float *w_o) {
    for (int h = 0; h < HAND_HEADS; h++)
        for (int j = 0; j < HAND_DK; j++) {
            put(w_v, h * HAND_DK + j, value_from[h] + j, 1);
            put(w_o, value_from[h] + j, h * HAND_DK + j, 1);
        }
}

static bool add_weights(SourceBuild *build, const HandModel *model) {
    static const char *const names[] = {"w_q", "w_k", "w_v", "w_o"};
    float *w[4];
    for (int i = 0; i < 4; i++)
        if ((w[i] = source_add_input(build, names[i], HAND_D, HAND_D)) == NULL) return false;
    fill_clock_heads(w[0], w[1]);
    fill_values(w[2], w[3]);
    for (int i = 0; i < model->n_w_q; i++) put(w[0], model->w_q[i].out, model->w_q[i].in, model->w_q[i].value);
    for (int i = 0; i < model->n_w_k; i++) put(w[1], model->w_k[i].out, model->w_k[i].in, model->w_k[i].value);
    return true;
}

static void fill_rows(const SourceBuild *build, const HandModel *model, const TokenList *tokens, float *rows) {
    for (int i = 0; i < tokens->n; i++) {
        float *row = rows + (size_t)i * HAND_D;
        row[HAND_ONE] = 1;
        model->fill_row(&tokens->items[i], build->lexicon, row);
    }
}

static bool add_rows(SourceBuild *build, const HandModel *model) {
    const TokenList *queries = build->queries, *keys = build->keys;
    bool clocked = build->spec->built_in_position;
    float *tok = source_add_input(build, clocked ? "tok" : "x", queries->n, HAND_D);
    if (tok == NULL) return false;
    fill_rows(build, model, queries, tok);
    if (clocked) {
        float *pe = source_add_input(build, "pe", queries->n, HAND_D);
        if (pe == NULL) return false;
        for (int p = 0; p < queries->n; p++) fill_clocks(p, pe + (size_t)p * HAND_D + HAND_POS);
    }
    if (keys == NULL) return true;
    float *x_kv = source_add_input(build, "x_kv", keys->n, HAND_D);
    if (x_kv == NULL) return false;
    fill_rows(build, model, keys, x_kv);
    for (int p = 0; clocked && p < keys->n; p++) fill_clocks(p, x_kv + (size_t)p * HAND_D + HAND_POS);
    return true;
}

/* Names of v's columns: the features that each head carries. */
static const char **value_names(const SourceBuild *build, const HandModel *model) {
    const char **names = ARENA_ARRAY(build->arena, const char *, HAND_D);
    for (int i = 0; i < HAND_D; i++) names[i] = model->feature[value_from[i / HAND_DK] + i % HAND_DK];
    return names;
}

static const char **copy_names(Arena *arena, const char *const *names, int n) {
    const char **copy = ARENA_ARRAY(arena, const char *, (size_t)n);
    for (int i = 0; i < n; i++) copy[i] = names[i];
    return copy;
}

bool source_build_hand(SourceBuild *build) {
    const HandModel *model = build->spec->kind == MODEL_MOLECULE ? &hand_molecule : &hand_classroom;
    Source *out = build->out;
    out->feature = copy_names(build->arena, model->feature, HAND_D);
    out->head_name = copy_names(build->arena, model->head_name, HAND_HEADS);
    out->head_story = copy_names(build->arena, model->head_story, HAND_HEADS);
    out->head_needs = head_needs;
    out->clock_first = HAND_POS;
    out->slot_q = copy_names(build->arena, model->slot_q, HAND_D);
    out->slot_v = value_names(build, model);
    if (build->spec->built_in_position) {
        memcpy(out->clock, clocks, sizeof out->clock);
        int longest = build->keys != NULL && build->keys->n > build->queries->n ? build->keys->n : build->queries->n;
        if (longest > HAND_CLOCK_TOKENS) out->note = round_again;
    }
    return add_rows(build, model) && add_weights(build, model);
}
