/* Seeded random numbers and identity weights. The same seed gives the same numbers on every machine: only
 * splitmix64 (Steele et al. 2014) in integers, and products and square roots, which IEEE 754 rounds exactly.
 *
 * Order of drawing. Weights come from one stream that starts with the seed: w_q, w_k, w_v, w_o, each in the
 * stored order [out][in], then b_q, b_k, b_v, b_o when biases are on. They are uniform with variance
 * 1/d_model, so that a row with variance 1 keeps it. Token rows do not use that stream: each has its own, whose
 * start is FNV-1a 64 of the seed's eight bytes (low byte first) and the token's text, so that equal tokens have
 * equal rows wherever they stand and weights do not change with the text. Rows are uniform with variance 1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "model/source_internal.h"

/* A uniform number in [-width, width) has the variance width² / 3. */
static const double width_of_variance_1 = 1.7320508075688772;

static void draw(float *out, size_t count, double width, uint64_t *state) {
    for (size_t i = 0; i < count; i++) out[i] = (float)(width * (2 * random_unit(state) - 1));
}

static uint64_t text_stream(unsigned long long seed, const char *text) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(seed >> (8 * i));
    return hash_fnv1a_more(hash_fnv1a(bytes, sizeof bytes), text, strlen(text));
}

/* Token rows drawn from the token's text and the seed: [n, d_model] under `name`. */
static bool add_rows(SourceBuild *build, const char *name, const TokenList *tokens) {
    int d = build->out->d_model;
    float *rows = source_add_input(build, name, tokens->n, d);
    if (rows == NULL) return false;
    for (int i = 0; i < tokens->n; i++) {
        uint64_t state = text_stream(build->spec->seed, tokens->items[i].text);
        draw(rows + (size_t)i * (size_t)d, (size_t)d, width_of_variance_1, &state);
    }
    return true;
}

/* "x₁", "x₂", … */
static void name_features(SourceBuild *build) {
    int d = build->out->d_model;
    build->out->feature = ARENA_ARRAY(build->arena, const char *, (size_t)d);
    for (int i = 0; i < d; i++) {
        char digits[16];
        StrBuf sb;
        sb_init(&sb, build->arena);
        sb_add(&sb, "x");
        int n = snprintf(digits, sizeof digits, "%d", i + 1);
        for (int j = 0; j < n; j++) sb_add_n(&sb, (const char[]){(char)0xE2, (char)0x82, (char)(0x80 + digits[j] - '0')}, 3);
        build->out->feature[i] = sb.data;
    }
}

static bool add_all_rows(SourceBuild *build) {
    name_features(build);
    return add_rows(build, "x", build->queries) &&
           (build->keys == NULL || add_rows(build, "x_kv", build->keys));
}

/* One of the matrices: rows of the projection, columns it reads. */
typedef struct {
    const char *weight, *bias;
    int out, in;
} Projection;

bool source_build_random(SourceBuild *build) {
    const Source *s = build->out;
    const Projection list[] = {
        {"w_q", "b_q", s->n_heads * s->d_k, s->d_model},
        {"w_k", "b_k", s->n_kv_heads * s->d_k, s->d_model},
        {"w_v", "b_v", s->n_kv_heads * s->d_v, s->d_model},
        {"w_o", "b_o", s->d_model, s->n_heads * s->d_v},
    };
    double width = width_of_variance_1 / sqrt(s->d_model);
    uint64_t state = build->spec->seed;
    if (!add_all_rows(build)) return false;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        float *w = source_add_input(build, list[i].weight, list[i].out, list[i].in);
        if (w == NULL) return false;
        draw(w, (size_t)list[i].out * (size_t)list[i].in, width, &state);
    }
    for (size_t i = 0; build->spec->bias && i < sizeof list / sizeof *list; i++) {
        float *b = source_add_input(build, list[i].bias, 0, list[i].out);
        if (b == NULL) return false;
        draw(b, (size_t)list[i].out, width, &state);
    }
    return true;
}

bool source_build_identity(SourceBuild *build) {
    static const char *const names[] = {"w_q", "w_k", "w_v", "w_o"};
    int d = build->out->d_model;
    if (!add_all_rows(build)) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        float *w = source_add_input(build, names[i], d, d);
        if (w == NULL) return false;
        for (int j = 0; j < d; j++) w[(size_t)j * (size_t)d + (size_t)j] = 1;
    }
    return true;
}
