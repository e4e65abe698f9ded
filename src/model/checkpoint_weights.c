/* Weights for a machine: a scope and a name to numbers, and random numbers for folders that have none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "model/checkpoint_internal.h"

/* ---- scope to place ---- */

typedef struct {
    int stack, layer; /* layer -1: the stack's own */
    WhichAttention attention;
} Place;

/* "layers.3", "decoder.layers.3.cross", "encoder", "". */
static bool find_place(const ModelConfig *config, const char *scope, Place *out) {
    *out = (Place){0, -1, ATTENTION_SELF};
    for (int i = 0; i < config->n_stacks && config->n_stacks > 1; i++) {
        size_t length = strlen(config->stack[i].scope);
        if (strncmp(scope, config->stack[i].scope, length) != 0 || (scope[length] != '.' && scope[length] != '\0')) continue;
        out->stack = i;
        scope += length + (scope[length] == '.');
        break;
    }
    if (scope[0] == '\0') return true;
    if (!str_starts(scope, "layers.")) return false;
    char *end;
    long layer = strtol(scope + strlen("layers."), &end, 10);
    if (layer < 0 || layer >= config->stack[out->stack].n_layers) return false;
    if (str_eq(end, ".cross")) out->attention = ATTENTION_CROSS;
    else if (*end != '\0' && !str_eq(end, ".self")) return false;
    out->layer = (int)layer;
    return true;
}

static Role find_role(const char *name) {
    for (int i = 0; i < ROLE_COUNT; i++)
        if (str_eq(checkpoint_roles[i].name, name)) return (Role)i;
    return ROLE_COUNT;
}

/* What names a weight's random numbers: shared ones have one name. */
static const char *random_name(const ModelConfig *config, const Place *place, Role role, char out[64]) {
    bool shared = role == ROLE_W_EMBED && config->stack[0].vocabulary == config->stack[config->n_stacks - 1].vocabulary;
    snprintf(out, 64, "%s.%d.%d.%s", shared ? "" : config->stack[place->stack].scope, place->layer, (int)place->attention, checkpoint_roles[role].name);
    return out;
}

bool checkpoint_find_weight(void *checkpoint, const char *scope, const char *name, TensorInput *out) {
    Checkpoint *c = checkpoint;
    const ModelConfig *config = &c->config;
    Place place;
    Role role = find_role(name);
    if (role == ROLE_COUNT || !find_place(config, scope, &place) || (role < ROLE_BLOCK_END) != (place.layer >= 0)) return false;
    if (role == ROLE_W_LOGITS && config->tied && (config->head == HEAD_LOGITS || config->head == HEAD_MASKED)) role = ROLE_W_EMBED;
    if (place.layer >= 0 && config->groups > 0) place.layer -= place.layer % (config->stack[0].n_layers / config->groups);
    StackWeights *weights = &c->weights[place.stack];
    Slot *slot = place.layer < 0 ? &weights->own[role] : &weights->layer[place.layer][place.attention][role];
    if (!slot->present) return false;
    bool good = true;
    if (c->info.seeded) {
        char id[64];
        pthread_mutex_lock(&c->lock);
        good = slot->input.data || checkpoint_make(c, &config->stack[place.stack], role, random_name(config, &place, role, id), slot);
        *out = slot->input;
        pthread_mutex_unlock(&c->lock);
    } else {
        *out = slot->input;
    }
    out->name = checkpoint_roles[find_role(name)].name;
    return good;
}

/* ---- random weights ---- */

/* Standard deviation of a random matrix: rows of unit size stay so through the inner ones; scores spread by about 1.5, so that
 * attention is far from uniform; what a layer adds to the stream is about as large as the token rows. */
static double spread_of(const ModelConfig *config, const StackConfig *stack, Role role) {
    const RoleInfo *info = &checkpoint_roles[role];
    double in = stack->size[info->cols], d = config->d_model, table = 2 / sqrt(d);
    switch (info->spread) {
    case SPREAD_TABLE: return role == ROLE_W_EMBED && config->scale_embedding ? 1 / sqrt(d) : table;
    case SPREAD_QUERY: return sqrt(1.5 / (in * (config->scale == SCALE_NONE ? sqrt(stack->d_k) : 1)));
    case SPREAD_RESULT: return (config->family->place == NORM_POST ? 1 : table) / sqrt(in);
    case SPREAD_INNER: return 1 / sqrt(in);
    case SPREAD_ZERO:
    case SPREAD_ONE: break;
    }
    return 0;
}

bool checkpoint_make(Checkpoint *c, const StackConfig *stack, Role role, const char *id, Slot *slot) {
    const RoleInfo *info = &checkpoint_roles[role];
    size_t count = (size_t)slot->input.dim[0] * (size_t)slot->input.dim[1];
    float *data = arena_try_raw(&c->made, count, sizeof *data);
    if (!data) return false;
    uint64_t state = hash_fnv1a(id, strlen(id)) ^ c->seed * 0x9E3779B97F4A7C15;
    /* uniform numbers of that deviation, from the generator's top 24 bits */
    float reach = (float)(spread_of(&c->config, stack, role) * sqrt(3.0) * 0x1p-23), base = info->spread == SPREAD_ONE;
    bool constant = info->spread == SPREAD_ZERO || info->spread == SPREAD_ONE;
    for (size_t i = 0; i < count; i++) data[i] = constant ? base : reach * (float)((int)(random_next(&state) >> 40) - (1 << 23));
    slot->input.data = data;
    return true;
}
