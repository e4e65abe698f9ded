/* A folder's parameters to the specification of a network, and typed texts to its ids. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "model/checkpoint_internal.h"

/* ---- texts ---- */

/* Leaves out what has no place: typed tokens from the end, so that what the post-processor put behind them ([SEP]) stays. */
static int cut_to(Encoding *encoding, int most) {
    int tail = 0, cut = encoding->n - most;
    if (most <= 0 || cut <= 0) return 0;
    while (tail < most - 1 && encoding->added[encoding->n - 1 - tail]) tail++;
    size_t from = (size_t)(encoding->n - tail), to = (size_t)(most - tail), n = (size_t)tail;
#define MOVE(field) memmove(encoding->field + to, encoding->field + from, n * sizeof *encoding->field)
    MOVE(ids), MOVE(pieces), MOVE(start), MOVE(end), MOVE(char_start), MOVE(char_end), MOVE(type_ids), MOVE(source), MOVE(added);
#undef MOVE
    encoding->n = most;
    return cut;
}

/* A decoder's text begins with the start token. */
static void put_start(const Checkpoint *c, Arena *arena, Encoding *encoding) {
    Encoding old = *encoding;
    size_t n = (size_t)old.n;
    encoding->n = old.n + 1;
#define SHIFT(field, type)                                                                                                                 \
    encoding->field = ARENA_ARRAY(arena, type, n + 1);                                                                                     \
    if (n > 0) memcpy(encoding->field + 1, old.field, n * sizeof *old.field)
    SHIFT(ids, int);
    SHIFT(pieces, const char *);
    SHIFT(start, int);
    SHIFT(end, int);
    SHIFT(char_start, int);
    SHIFT(char_end, int);
    SHIFT(type_ids, int);
    SHIFT(source, int);
    SHIFT(added, bool);
#undef SHIFT
    encoding->ids[0] = c->config.start_id;
    encoding->pieces[0] = c->encoder ? encoder_piece(c->encoder, c->config.start_id) : arena_printf(arena, "%d", c->config.start_id);
    encoding->source[0] = -1;
    encoding->added[0] = true;
}

/* Without a tokenizer the text is a list of ids; a tokenizer that cannot be read is named where it is none. */
static bool encode_ids(const Checkpoint *c, int stack, const char *text, Arena *arena, Encoding *out, Err *err) {
    Err why = {0};
    bool broken = c->encoder_err.code != ERR_IO;
    if (checkpoint_ids(text, c->info.name, c->config.stack[stack].vocabulary, arena, out, &why)) return true;
    if (broken && !checkpoint_is_ids(text)) return err_set(err, ERR_INPUT, tr("%s - its tokenizer cannot be read: %s"), why.message, c->encoder_err.message);
    if (err && err->code == ERR_NONE) *err = why;
    return false;
}

bool checkpoint_encode(const Checkpoint *checkpoint, int stack, const char *text, const char *pair, Arena *arena, Encoding *out, int *cut,
                       Err *err) {
    bool target = stack == 1;
    bool ok = !checkpoint->encoder ? encode_ids(checkpoint, stack, text, arena, out, err)
              : encoder_encode(checkpoint->encoder, text, strlen(text), target ? NULL : pair, target || !pair ? 0 : strlen(pair), !target, arena, out, err);
    if (!ok) return false;
    if (target) put_start(checkpoint, arena, out);
    *cut = cut_to(out, checkpoint->config.stack[stack].positions);
    return true;
}

/* ---- networks ---- */

static bool check_ids(const Checkpoint *c, int which, const CheckpointIds *ids, Err *err) {
    const StackConfig *s = &c->config.stack[which];
    int types = s->size[SIZE_TYPES];
    if (ids->n < 1) return err_set(err, ERR_INPUT, tr("there are no tokens to run the model on"));
    if (s->positions > 0 && ids->n > s->positions)
        return err_set(err, ERR_LIMIT, tr("%d tokens; %s has places for %d"), ids->n, c->info.name, s->positions);
    for (int i = 0; i < ids->n; i++) {
        if (ids->ids[i] < 0 || ids->ids[i] >= s->vocabulary)
            return err_set(err, ERR_INPUT, tr("token %d has id %d; %s has a vocabulary of %d"), i + 1, ids->ids[i], c->info.name, s->vocabulary);
        if (ids->types && c->weights[which].own[ROLE_W_TYPE].present && (ids->types[i] < 0 || ids->types[i] >= types))
            return err_set(err, ERR_INPUT, tr("token %d has type %d; %s has %d types"), i + 1, ids->types[i], c->info.name, types);
    }
    return true;
}

/* The attention of layer `layer` (from 0) of a stack, or what its decoder reads of the encoder. */
static AttentionSpec attention_of(const ModelConfig *config, const StackConfig *s, int layer, bool cross) {
    AttentionSpec spec = {.n_heads = s->n_heads, .n_kv_heads = s->n_kv_heads, .d_k = s->d_k, .d_v = s->d_k, .proj = PROJ_LINEAR, .out_proj = true,
                          .scale = config->scale, .fill = -INFINITY};
    if (config->scale_by_layer) {
        spec.scale_number = (config->scale == SCALE_AUTO ? 1 / sqrt((double)s->d_k) : 1) / (layer + 1);
        spec.scale = SCALE_NUMBER;
    }
    if (cross) return spec;
    PositionKind kind = config->position.kind;
    if (kind == POSITION_ROPE_HALF || kind == POSITION_RELATIVE) {
        spec.position = config->position;
        spec.position.rel_both = kind == POSITION_RELATIVE && !s->decoder;
    }
    if (s->decoder) spec.masks[spec.n_masks++] = s->local[layer] ? (MaskSpec){.kind = MASK_WINDOW, .left = config->window - 1, .right = 0}
                                                                   : (MaskSpec){.kind = MASK_CAUSAL};
    return spec;
}

static BlockSpec *make_blocks(const ModelConfig *config, const StackConfig *s, Arena *arena) {
    BlockSpec *blocks = ARENA_ARRAY(arena, BlockSpec, (size_t)s->n_layers);
    for (int i = 0; i < s->n_layers; i++) {
        bool cross = config->n_stacks == 2 && s == &config->stack[1];
        blocks[i] = (BlockSpec){.self = attention_of(config, s, i, false), .has_cross = cross, .norm = config->family->norm,
                                .place = config->parallel ? NORM_PARALLEL : config->family->place, .eps = config->eps,
                                .activation = config->activation, .gated = config->gated};
        if (cross) blocks[i].cross = attention_of(config, s, i, true);
    }
    return blocks;
}

static StackSpec make_stack(const Checkpoint *c, int which, const CheckpointIds *ids, Arena *arena) {
    const ModelConfig *config = &c->config;
    const StackConfig *s = &config->stack[which];
    const StackWeights *weights = &c->weights[which];
    StackSpec spec = {.scope = s->scope, .n_layers = s->n_layers, .blocks = make_blocks(config, s, arena), .n = ids->n, .ids = ids->ids,
                      .types = weights->own[ROLE_W_TYPE].present ? ids->types : NULL, .norm = config->family->norm, .eps = config->eps,
                      .marked = ids->marked};
    if (config->scale_embedding) spec.embed_scale = sqrt((double)config->d_model);
    bool table = weights->own[ROLE_W_POS].present;
    if (table) spec.position = (PositionSpec){.kind = POSITION_LEARNED, .learned_offset = config->position.learned_offset};
    else if (config->position.kind == POSITION_SINUSOIDAL) spec.position = (PositionSpec){.kind = POSITION_SINUSOIDAL, .sinusoid_halves = true};
    return spec;
}

/* The row whose prediction is looked at when nobody says: the last, or the first masked one. */
static int usual_row(const Checkpoint *c, const CheckpointIds *ids) {
    int mask = c->encoder ? encoder_mask_id(c->encoder) : -1;
    if (c->config.head == HEAD_LOGITS) return ids->n - 1;
    for (int i = 0; c->config.head == HEAD_MASKED && mask >= 0 && i < ids->n; i++)
        if (ids->ids[i] == mask) return i;
    return -1;
}

bool checkpoint_network(const Checkpoint *checkpoint, const CheckpointIds ids[2], int predict_row, Arena *arena, NetworkSpec *spec,
                        WeightSource *weights, Err *err) {
    const ModelConfig *config = &checkpoint->config;
    int last = config->n_stacks - 1;
    if (!checkpoint_intact(checkpoint, err)) return false;
    *spec = (NetworkSpec){.n_stacks = config->n_stacks, .head = config->head, .predict_row = predict_row};
    for (int i = 0; i < config->n_stacks; i++) {
        if (!check_ids(checkpoint, i, &ids[i], err)) return false;
        spec->stack[i] = make_stack(checkpoint, i, &ids[i], arena);
    }
    spec->head_activation = config->family->head_gelu ? ACT_GELU : config->activation;
    if (config->tied && config->family->tied_scale) spec->logit_scale = 1 / sqrt((double)config->d_model);
    if (predict_row == -2) spec->predict_row = usual_row(checkpoint, &ids[last]);
    if (config->head != HEAD_LOGITS && config->head != HEAD_MASKED) spec->predict_row = -1;
    if (spec->predict_row >= ids[last].n)
        return err_set(err, ERR_INPUT, tr("there is no token %d; the text has %d"), spec->predict_row + 1, ids[last].n);
    *weights = (WeightSource){.ctx = (void *)(uintptr_t)checkpoint, .find = checkpoint_find_weight};
    return true;
}
