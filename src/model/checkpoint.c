#include "model/checkpoint.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/sha256.h"
#include "base/str.h"
#include "base/tr.h"
#include "model/checkpoint_internal.h"

static const size_t config_max = (size_t)4 << 20;
static const unsigned long long random_max = 2ULL << 30; /* numbers of random weights: 8 GiB */

/* ---- what is said of a folder ---- */

/* config.json's bytes, each header's text in the order of the files' names, then each file's size as 8 bytes, low byte first. */
static void make_hash(Checkpoint *c) {
    Sha256 sha;
    sha256_init(&sha);
    sha256_add(&sha, c->config_text, c->config_size);
    for (int i = 0; i < c->n_files; i++) sha256_add(&sha, c->files[i].header.json, c->files[i].header.json_size);
    for (int i = 0; i < c->n_files; i++) {
        unsigned char size[8];
        for (int k = 0; k < 8; k++) size[k] = (unsigned char)((uint64_t)c->files[i].map.size >> (8 * k));
        sha256_add(&sha, size, sizeof size);
    }
    sha256_finish(&sha, c->info.hash);
}

/* Numbers in the files, those of them that are weights here, and how most of these are stored. */
static void count_stored(Checkpoint *c) {
    static const char *const types[] = {"F32", "F16", "BF16", "F64"};
    unsigned long long by_type[4] = {0};
    int most = 0;
    for (int i = 0; i < c->n_files; i++) c->info.bytes += c->files[i].map.size;
    for (int i = 0; i < c->n_tensors; i++) {
        int type = str_find(types, 4, c->tensors[i].entry->dtype);
        if (type < 0) continue; /* masks and tables of whole numbers are no parameters */
        c->info.parameters += c->tensors[i].entry->count;
        if (!c->tensors[i].used) continue;
        by_type[type] += c->tensors[i].entry->count;
        c->info.used += c->tensors[i].entry->count;
    }
    for (int k = 1; k < 4; k++)
        if (by_type[k] > by_type[most]) most = k;
    c->info.stored_as = types[most];
}

static unsigned long long count_slots(const Slot *slots, int n) {
    unsigned long long count = 0;
    for (int i = 0; i < n; i++)
        if (slots[i].present) count += (unsigned long long)slots[i].input.dim[0] * (unsigned long long)slots[i].input.dim[1];
    return count;
}

/* Random weights: shared ones once. */
static void count_random(Checkpoint *c) {
    const ModelConfig *config = &c->config;
    for (int i = 0; i < config->n_stacks; i++) {
        const StackWeights *weights = &c->weights[i];
        int step = config->groups > 0 ? config->stack[i].n_layers / config->groups : 1;
        unsigned long long shared = i > 0 && config->stack[0].vocabulary == config->stack[1].vocabulary ? count_slots(&weights->own[ROLE_W_EMBED], 1) : 0;
        c->info.parameters += count_slots(weights->own, ROLE_COUNT) - shared;
        for (int k = 0; k < config->stack[i].n_layers; k += step) c->info.parameters += count_slots(weights->layer[k][0], ATTENTION_COUNT * ROLE_BLOCK_END);
    }
    c->info.used = c->info.parameters;
    c->info.stored_as = "F32";
}

static const char *mask_words(Checkpoint *c) {
    const ModelConfig *config = &c->config;
    const StackConfig *last = &config->stack[config->n_stacks - 1];
    int local = 0;
    for (int i = 0; i < last->n_layers; i++) local += last->local[i];
    if (!last->decoder) return tr("none");
    if (local == 0) return tr("causal");
    if (local == last->n_layers) return arena_printf(&c->arena, tr("causal, window of %d"), config->window);
    return arena_printf(&c->arena, tr("causal, window of %d in %d of %d layers"), config->window, local, last->n_layers);
}

static const char *position_words(PositionKind kind) {
    static const char *const words[POSITION_KIND_COUNT] = {
        [POSITION_LEARNED] = tr_mark("learned"), [POSITION_SINUSOIDAL] = tr_mark("sinusoidal"), [POSITION_ROPE_HALF] = tr_mark("RoPE"),
        [POSITION_RELATIVE] = tr_mark("relative")};
    return words[kind] ? tr(words[kind]) : tr("none");
}

static void fill_info(Checkpoint *c) {
    const ModelConfig *config = &c->config;
    CheckpointInfo *info = &c->info;
    const StackConfig *last = &config->stack[config->n_stacks - 1];
    info->architecture = config->architecture;
    info->family = config->family->name;
    info->encoder_decoder = config->n_stacks == 2;
    info->causal = config->n_stacks == 1 && last->decoder;
    info->masked_lm = config->head == HEAD_MASKED;
    info->n_stacks = config->n_stacks;
    for (int i = 0; i < config->n_stacks; i++) {
        const StackConfig *s = &config->stack[i];
        info->stack[i].scope = s->scope;
        info->stack[i].n_layers = s->n_layers;
        info->stack[i].n_heads = s->n_heads;
        info->stack[i].n_kv_heads = s->n_kv_heads;
        info->stack[i].d_k = s->d_k;
        info->stack[i].d_ff = s->d_ff;
        info->stack[i].n_positions = s->positions;
    }
    info->d_model = config->d_model;
    info->vocabulary = last->vocabulary;
    bool table = c->weights[0].own[ROLE_W_POS].present; /* Pegasus keeps its sinusoids as a table of its own */
    info->position = position_words(table ? POSITION_LEARNED : config->position.kind);
    info->mask = mask_words(c);
    info->tokenizer = c->encoder ? encoder_kind(c->encoder) : NULL;
    if (!c->encoder) {
        char text[1200];
        info->tokenizer_problem = arena_strdup(&c->arena, err_format(&c->encoder_err, text, sizeof text));
    }
}

/* ---- opening ---- */

/* The folder's name without slashes at its end; "." when there is nothing else. */
static void name_folder(Checkpoint *c, const char *folder) {
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') length--;
    c->info.folder = arena_strndup(&c->arena, folder, length);
    c->info.name = path_name(c->info.folder);
}

static bool open_config(Checkpoint *c, Err *err) {
    const char *path = path_join(&c->arena, c->info.folder, "config.json");
    char *text;
    if (!file_is_folder(c->info.folder)) return err_set(err, ERR_IO, tr("%s is not a folder; a model is a folder with config.json"), c->info.folder);
    if (!file_exists(path)) return err_set(err, ERR_IO, tr("%s has no config.json; a model is a folder with config.json"), c->info.folder);
    if (!file_read(path, config_max, &c->arena, &text, &c->config_size, err)) return false;
    c->config_text = text;
    return checkpoint_config(path, text, c->config_size, &c->arena, &c->config, err);
}

static bool open_all(Checkpoint *c, Err *err) {
    if (!open_config(c, err) || !checkpoint_files(c, err)) return false;
    c->info.seeded = c->n_files == 0;
    if (!checkpoint_bind(c, err)) return false;
    if (c->info.seeded) count_random(c);
    else count_stored(c);
    if (c->info.seeded && c->info.parameters > random_max)
        return err_set(err, ERR_LIMIT, tr("%s has no weights, and random ones would be %llu numbers; %llu is the limit"), c->info.folder,
                       c->info.parameters, random_max);
    make_hash(c);
    if (!encoder_open(c->info.folder, &c->arena, &c->encoder, &c->encoder_err)) c->encoder = NULL;
    fill_info(c);
    return true;
}

bool checkpoint_open(const char *folder, unsigned long long seed, Checkpoint **out, Err *err) {
    Arena arena = {0};
    Checkpoint *c = ARENA_NEW(&arena, Checkpoint);
    c->arena = arena;
    c->seed = seed;
    atomic_init(&c->refs, 1);
    pthread_mutex_init(&c->lock, NULL);
    name_folder(c, folder);
    *out = c;
    if (open_all(c, err)) return true;
    checkpoint_drop(c);
    *out = NULL;
    return false;
}

Checkpoint *checkpoint_keep(Checkpoint *checkpoint) {
    if (checkpoint) atomic_fetch_add(&checkpoint->refs, 1);
    return checkpoint;
}

void checkpoint_drop(Checkpoint *checkpoint) {
    if (!checkpoint || atomic_fetch_sub(&checkpoint->refs, 1) > 1) return;
    checkpoint_close_files(checkpoint);
    arena_free(&checkpoint->made);
    pthread_mutex_destroy(&checkpoint->lock);
    Arena arena = checkpoint->arena; /* which holds the checkpoint itself */
    arena_free(&arena);
}

const CheckpointInfo *checkpoint_info(const Checkpoint *checkpoint) {
    return &checkpoint->info;
}

const Encoder *checkpoint_encoder(const Checkpoint *checkpoint) {
    return checkpoint->encoder;
}

int checkpoint_unused(const Checkpoint *checkpoint, Arena *arena, const char ***names) {
    int n = 0;
    *names = ARENA_ARRAY(arena, const char *, (size_t)checkpoint->n_tensors + 1);
    for (int i = 0; i < checkpoint->n_tensors; i++)
        if (!checkpoint->tensors[i].used) (*names)[n++] = checkpoint->tensors[i].entry->name;
    return n;
}
