#include "network_kit.h"

#include <stdio.h>

#include "draw/theme.h"
#include "scene/overview.h"
#include "support/support.h"

enum { WIDTH_OF_HEAD = 8, VOCABULARY = 50 };

/* ---- weights ---- */

typedef struct {
    Arena *arena;
    const NetworkShape *shape;
    int d;
} Weights;

typedef struct {
    const char *name;
    int rows, cols; /* in widths of the model; 0 = the vocabulary; cols -1: a vector of ones */
    float size;     /* of its numbers, times 1/sqrt(d) */
} Row;

static const Row rows[] = {{"w_q", 1, 1, 3}, {"w_k", 1, 1, 3}, {"w_v", 1, 1, 1},  {"w_o", 1, 1, 1},   {"w_ff1", 2, 1, 1},
                           {"w_ff2", 1, 2, 1}, {"ln1_g", 1, -1, 0}, {"ln2_g", 1, -1, 0}, {"ln3_g", 1, -1, 0}, {"w_embed", 0, 1, 1}};

static bool find_weight(void *ctx, const char *scope, const char *name, TensorInput *out) {
    Weights *w = ctx;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!str_eq(rows[i].name, name)) continue;
        bool vector = rows[i].cols < 0;
        int n = rows[i].rows ? rows[i].rows * w->d : VOCABULARY, m = vector ? 1 : rows[i].cols * w->d;
        float *data = ARENA_ARRAY(w->arena, float, (size_t)n *(size_t)m);
        uint64_t state = hash_fnv1a_more(hash_fnv1a(scope, strlen(scope)), name, strlen(name)) + w->shape->seed;
        bool flat = w->shape->flat && i < 2;
        float size = (flat ? 0.1f : rows[i].size) / sqrtf((float)w->d);
        for (int k = 0; k < n * m; k++) data[k] = vector ? 1 : size * (float)(random_unit(&state) * 4 - 2);
        *out = (TensorInput){.name = arena_strdup(w->arena, name), .rank = vector ? 1 : 2, .dim = {n, m}, .data = data};
        return true;
    }
    return false;
}

/* ---- the machine ---- */

static AttentionSpec attention(const NetworkShape *shape, bool causal) {
    AttentionSpec spec = {.n_heads = shape->heads, .out_proj = true, .fill = -INFINITY, .d_k = WIDTH_OF_HEAD, .d_v = WIDTH_OF_HEAD};
    if (causal) spec.masks[spec.n_masks++] = (MaskSpec){.kind = MASK_CAUSAL};
    return spec;
}

static StackSpec stack(NetworkKit *kit, const NetworkShape *shape, int number, const char *scope, const TokenList *tokens) {
    bool decoder = number == 1;
    int n = shape->layers[number], *ids = ARENA_ARRAY(&kit->lasting, int, (size_t)tokens->n);
    BlockSpec *blocks = ARENA_ARRAY(&kit->lasting, BlockSpec, (size_t)n);
    bool *marked = ARENA_ARRAY(&kit->lasting, bool, (size_t)tokens->n);
    for (int i = 0; i < n; i++)
        blocks[i] = (BlockSpec){.self = attention(shape, decoder || shape->causal), .has_cross = decoder, .norm = NORM_LAYER, .place = NORM_PRE,
                                .eps = 1e-5, .activation = ACT_RELU};
    for (int i = 0; i < n; i++) blocks[i].cross = attention(shape, false);
    for (int i = 0; i < tokens->n; i++) ids[i] = (i * 7 + i / 3) % VOCABULARY;
    if (shape->special) marked[0] = marked[tokens->n - 1] = true;
    return (StackSpec){.scope = scope, .n_layers = n, .blocks = blocks, .n = tokens->n, .ids = ids, .norm = NORM_LAYER, .eps = 1e-5,
                       .position = {.kind = POSITION_SINUSOIDAL}, .marked = shape->special ? marked : NULL};
}

static TokenList words(NetworkKit *kit, int n) {
    static const char *const some[] = {"The", "cat", "sat", "on", "the", "mat", "because", "it", "was", "warm"};
    const char **list = ARENA_ARRAY(&kit->lasting, const char *, (size_t)n);
    for (int i = 0; i < n; i++) list[i] = some[i % 10];
    TokenList tokens;
    tokens_from_list(list, n, &kit->lasting, &tokens);
    return tokens;
}

/* ---- sites ---- */

static const char *site_title(NetworkKit *kit, const Site *site, bool two) {
    if (!two) return arena_printf(&kit->lasting, "Layer %d", site->layer + 1);
    const char *side = site->stack ? "Decoder" : "Encoder", *cross = site->cross ? ", cross" : "";
    return arena_printf(&kit->lasting, "%s layer %d%s", side, site->layer + 1, cross);
}

static void find_sites(NetworkKit *kit, const NetworkShape *shape) {
    Run *run = &kit->run;
    int n = trace_stage_count(run->trace), two = shape->layers[1] > 0;
    run->sites = ARENA_ARRAY(&kit->lasting, Site, (size_t)n);
    run->stage_site = ARENA_ARRAY(&kit->lasting, int, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        const Stage *stage = trace_stage(run->trace, i);
        if (stage->kind == STAGE_EMBED) {
            const char *number = strstr(stage->scope, "layers.");
            Site *site = &run->sites[run->n_sites++];
            *site = (Site){.scope = stage->scope, .stack = str_starts(stage->scope, "decoder"), .cross = str_ends(stage->scope, ".cross"),
                           .layer = number ? atoi(number + 7) : 0, .first_stage = i};
            site->title = site_title(kit, site, two);
            site->queries = two && site->stack == 0 ? &run->keys : &run->tokens;
            site->keys = site->cross || (two && site->stack == 0) ? &run->keys : &run->tokens;
            site->weights = trace_find(run->trace, arena_printf(&kit->lasting, "%s.weights", stage->scope));
            site->spec = attention(shape, !site->cross && (site->stack || shape->causal));
            site->spec.L = site->queries->n;
            site->spec.S = site->keys->n;
            site->spec.d_model = shape->heads * WIDTH_OF_HEAD;
        }
        run->stage_site[i] = run->n_sites - 1;
        run->sites[run->n_sites - 1].n_stages++;
    }
    run->spec = run->sites[0].spec;
}

static double magnitude(const Tensor *t) {
    double most = 0;
    for (size_t i = 0; tensor_readable(t) && i < tensor_count(t); i++) most = fmax(most, fabs(tensor_flat(t, i)));
    return most > 0 && isfinite(most) ? most : 1;
}

void network_open(NetworkKit *kit, const NetworkShape *shape) {
    Err err = {0};
    *kit = (NetworkKit){0};
    doc_init(&kit->doc);
    view_init(&kit->view);
    kit->view.overview = true;
    kit->view.sort = -1;
    Run *run = &kit->run;
    bool two = shape->layers[1] > 0;
    run->tokens = words(kit, shape->tokens[two]);
    run->keys = words(kit, shape->tokens[0]);
    Weights *weights = ARENA_NEW(&kit->lasting, Weights);
    *weights = (Weights){&kit->lasting, shape, shape->heads * WIDTH_OF_HEAD};
    NetworkSpec spec = {.n_stacks = 1 + two, .head = HEAD_NONE, .predict_row = -1, .rollout = true};
    spec.stack[0] = stack(kit, shape, 0, two ? "encoder" : "", two ? &run->keys : &run->tokens);
    if (two) spec.stack[1] = stack(kit, shape, 1, "decoder", &run->tokens);
    WeightSource source = {.ctx = weights, .find = find_weight};
    run->trace = trace_new(&kit->lasting);
    run->network = ARENA_NEW(&kit->lasting, Network);
    run->network->predict_row = -1;
    trace_set_limit(run->trace, shape->limit);
    if (!machine_network(run->trace, &spec, &source, &run->network->results, &err)) fail_msg("%s", err.message);
    if (!trace_run(run->trace, &(CoreContext){0}, &err)) fail_msg("%s", err.message);
    run->magnitude = ARENA_ARRAY(&kit->lasting, double, (size_t)trace_tensor_count(run->trace));
    for (int i = 0; i < trace_tensor_count(run->trace); i++) run->magnitude[i] = magnitude(trace_tensor(run->trace, i));
    source_set_made(&run->source, MADE_RANDOM);
    find_sites(kit, shape);
}

void network_close(NetworkKit *kit) {
    doc_reset(&kit->doc);
    arena_free(&kit->lasting);
    arena_free(&kit->frame);
}

Scene network_scene(NetworkKit *kit, const FontMetrics *font, float width, float height) {
    return (Scene){.doc = &kit->doc, .view = &kit->view, .run = &kit->run, .font = font, .arena = &kit->frame,
                   .layout = layout_make(width, height, &kit->view)};
}

void network_draw(NetworkKit *kit, float width, float height, DisplayList *dl) {
    arena_reset(&kit->frame);
    Scene scene = network_scene(kit, font_fake(), width, height);
    dl_init(dl, &kit->frame, width, height, theme_at(kit->view.theme)->background);
    scene_draw(&scene, dl);
    dl_finish(dl);
}

void network_look(NetworkKit *kit, int site, int head) {
    kit->view.film.stage = kit->run.sites[site].first_stage;
    kit->view.film.position = kit->view.film.until = 0;
    kit->view.head = head;
}
