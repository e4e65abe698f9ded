/* config.json to parameters. */
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "model/checkpoint_internal.h"

enum { LAYERS_MAX = 1024, WIDTH_MAX = 1 << 17, SHOWN_MAX = 80 };

typedef struct {
    json_t *root;
    ModelConfig *out;
    Arena *arena;
    Err *err;
} Reader;

static bool refuse(const Reader *r, const char *key, ErrCode code, const char *fmt, ...) BASE_PRINTF(4, 5);

static bool refuse(const Reader *r, const char *key, ErrCode code, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    err_set_v(r->err, code, fmt, args);
    va_end(args);
    err_place(r->err, r->out->file, 0, 0);
    return key ? err_key(r->err, key) : false;
}

/* ---- single values; null counts as absent ---- */

static json_t *get(const json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    return json_is_null(value) ? NULL : value;
}

/* The first of the keys that is there, and its name. */
static json_t *find(const Reader *r, const char *keys, char key[PART_MAX]) {
    for (int i = 0; checkpoint_part(keys, i, key); i++)
        if (get(r->root, key)) return get(r->root, key);
    checkpoint_part(keys, 0, key);
    return NULL;
}

/* What stands there instead of what was expected, shortened. */
static const char *found(const Reader *r, const json_t *value) {
    static const char *const words[] = {"an object", "a list", "a text", "a whole number", "a number", "true", "false", "null"};
    if (json_is_string(value)) return arena_printf(r->arena, "\"%.*s\"", SHOWN_MAX, json_string_value(value));
    if (json_is_integer(value)) return arena_printf(r->arena, "%lld", (long long)json_integer_value(value));
    if (json_is_real(value)) return arena_printf(r->arena, "%g", json_real_value(value));
    return words[json_typeof(value)];
}

/* A whole number from 1 (or `least`) to `most`; otherwise = what an absent key means, -1 = it must be there. */
static bool read_int(const Reader *r, const char *keys, int least, int most, int otherwise, int *out) {
    char key[PART_MAX];
    json_t *value = find(r, keys, key);
    if (!value) {
        *out = otherwise;
        return otherwise >= 0 || refuse(r, key, ERR_INPUT, tr("this key is missing; a whole number from %d to %d is expected"), least, most);
    }
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < least || number > most)
        return refuse(r, key, ERR_INPUT, tr("found %s; a whole number from %d to %d is expected"), found(r, value), least, most);
    *out = (int)number;
    return true;
}

static bool read_number(const Reader *r, const json_t *object, const char *keys, double otherwise, double *out) {
    char key[PART_MAX];
    json_t *value = NULL;
    for (int i = 0; !value && checkpoint_part(keys, i, key); i++) value = get(object, key);
    *out = value ? json_number_value(value) : otherwise;
    if (value && (!json_is_number(value) || !(*out > 0 && *out < 1e30)))
        return refuse(r, key, ERR_INPUT, tr("found %s; a number greater than 0 is expected"), found(r, value));
    return true;
}

static bool read_flag(const Reader *r, const char *key, bool otherwise, bool *out) {
    json_t *value = get(r->root, key);
    *out = value ? json_is_true(value) : otherwise;
    return !value || json_is_boolean(value) || refuse(r, key, ERR_INPUT, tr("found %s; true or false is expected"), found(r, value));
}

static bool read_word(const Reader *r, const json_t *object, const char *key, const char **out) {
    json_t *value = get(object, key);
    *out = value ? json_string_value(value) : NULL;
    return !value || *out || refuse(r, key, ERR_INPUT, tr("found %s; a text is expected"), found(r, value));
}

/* ---- which architecture ---- */

static bool refuse_family(const Reader *r, const char *type, const char *name) {
    StrBuf known;
    sb_init(&known, r->arena);
    for (int i = 0; i < checkpoint_family_count; i++) sb_printf(&known, "%s%s", i > 0 ? ", " : "", checkpoint_families[i].name);
    if (!type && !name) return refuse(r, "model_type", ERR_INPUT, tr("this key is missing, and so is architectures: which model is it? Known: %s"), known.data);
    return refuse(r, "model_type", ERR_INPUT, tr("the architecture %.*s is not known; known: %s"), SHOWN_MAX, name ? name : type, known.data);
}

static bool read_family(const Reader *r) {
    ModelConfig *c = r->out;
    const char *type, *name = json_string_value(json_array_get(json_object_get(r->root, "architectures"), 0));
    if (!read_word(r, r->root, "model_type", &type)) return false;
    for (int i = 0; i < checkpoint_family_count && !c->family; i++) {
        const Family *family = &checkpoint_families[i];
        if (type ? checkpoint_listed(family->model_types, type) : name && str_starts(name, family->class_start)) c->family = family;
    }
    if (!c->family) return refuse_family(r, type, name);
    c->architecture = arena_strdup(r->arena, name ? name : c->family->usual_class);
    for (int i = 0; i < checkpoint_ending_count; i++)
        if (str_ends(c->architecture, checkpoint_endings[i].ending)) {
            c->head = checkpoint_endings[i].head;
            c->encoder_only = checkpoint_endings[i].encoder_only && c->family->stacks == STACKS_BOTH;
            break;
        }
    bool decoder = c->family->stacks != STACKS_ENCODER;
    if (c->head == HEAD_MASKED && decoder) c->head = HEAD_NONE;
    if (c->head == HEAD_POOL && decoder) c->head = HEAD_NONE;
    return true;
}

/* Keys that would change the arithmetic in ways that are not known here. */
static bool refuse_variants(const Reader *r) {
    static const struct {
        const char *key, *usual;
    } words[] = {{"position_embedding_type", "absolute"}};
    static const char *const flags[] = {"is_decoder", "add_cross_attention"};
    if (get(r->root, "quantization_config"))
        return refuse(r, "quantization_config", ERR_INPUT, tr("the weights are quantised; F32, F16 and BF16 are read"));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *word;
        if (!read_word(r, r->root, words[i].key, &word)) return false;
        if (word && !str_eq(word, words[i].usual))
            return refuse(r, words[i].key, ERR_INPUT, tr("found \"%.*s\"; only \"%s\" can be run"), SHOWN_MAX, word, words[i].usual);
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        bool on;
        if (!read_flag(r, flags[i], false, &on)) return false;
        if (on && r->out->family->stacks == STACKS_ENCODER)
            return refuse(r, flags[i], ERR_INPUT, tr("found true; an encoder that is used as a decoder cannot be run"));
    }
    if (r->out->head == HEAD_LOGITS && r->out->family->stacks == STACKS_ENCODER)
        return refuse(r, "architectures", ERR_INPUT, tr("%.*s: an encoder that is used as a decoder cannot be run"), SHOWN_MAX, r->out->architecture);
    int inner;
    if (!read_int(r, "inner_group_num", 1, LAYERS_MAX, 1, &inner)) return false;
    return inner == 1 || refuse(r, "inner_group_num", ERR_INPUT, tr("found %d; only 1 can be run"), inner);
}

/* ---- sizes ---- */

static bool read_heads(const Reader *r, StackConfig *s, const char *heads_keys) {
    const ModelConfig *c = r->out;
    const ConfigKeys *keys = &c->family->keys;
    char advice[80], key[PART_MAX];
    if (!read_int(r, heads_keys, 1, 4096, -1, &s->n_heads) || !read_int(r, keys->kv_heads, 1, 4096, s->n_heads, &s->n_kv_heads) ||
        !read_int(r, keys->d_k, 1, WIDTH_MAX, 0, &s->d_k)) return false;
    find(r, heads_keys, key);
    if (s->d_k == 0 && c->d_model % s->n_heads != 0)
        return refuse(r, key, ERR_SHAPE, tr("%d heads do not divide the width %d; %s"), s->n_heads, c->d_model,
                      attention_heads_advice(advice, c->d_model, s->n_heads));
    if (s->d_k == 0) s->d_k = c->d_model / s->n_heads;
    if (s->n_heads % s->n_kv_heads != 0)
        return refuse(r, keys->kv_heads, ERR_SHAPE, tr("%d key and value heads do not divide %d heads"), s->n_kv_heads, s->n_heads);
    if ((long long)s->n_heads * s->d_k > TENSOR_DIM_MAX)
        return refuse(r, key, ERR_LIMIT, tr("%d heads of width %d are more than %d numbers"), s->n_heads, s->d_k, TENSOR_DIM_MAX);
    return true;
}

static bool read_stack(const Reader *r, StackConfig *s, bool second) {
    const ModelConfig *c = r->out;
    const Family *family = c->family;
    const ConfigKeys *keys = &family->keys;
    const char *vocabulary = second && keys->decoder_vocabulary && get(r->root, keys->decoder_vocabulary) ? keys->decoder_vocabulary : keys->vocabulary;
    int rows = 0, types = 1, embedding = c->d_model, buckets;
    if (!read_int(r, second ? keys->decoder_layers : keys->layers, 1, LAYERS_MAX, -1, &s->n_layers) ||
        !read_heads(r, s, second ? keys->decoder_heads : keys->heads) ||
        !read_int(r, second ? keys->decoder_ff : keys->ff, 1, TENSOR_DIM_MAX, family->ff_by_width ? 4 * c->d_model : -1, &s->d_ff) ||
        !read_int(r, vocabulary, 1, TENSOR_DIM_MAX, -1, &s->vocabulary) ||
        (keys->types && !read_int(r, keys->types, 1, TENSOR_DIM_MAX, 2, &types)) ||
        (keys->embedding && !read_int(r, keys->embedding, 1, WIDTH_MAX, 128, &embedding)) ||
        (keys->positions && !read_int(r, keys->positions, 1, 1 << 28, -1, &rows)) ||
        !read_int(r, "relative_attention_num_buckets", 2, TENSOR_DIM_MAX, 32, &buckets)) return false;
    s->positions = family->position == POSITION_LEARNED ? rows + family->position_extra - c->position.learned_offset : rows;
    if (keys->positions && s->positions < 1)
        return refuse(r, keys->positions, ERR_INPUT, tr("%d places, but the first token has place %d"), rows, c->position.learned_offset + 1);
    if (rows > TENSOR_DIM_MAX - family->position_extra) rows = TENSOR_DIM_MAX - family->position_extra; /* RoPE alone has no table */
    const int sizes[SIZE_COUNT] = {
        [SIZE_MODEL] = c->d_model, [SIZE_EMBED] = embedding, [SIZE_HEADS] = s->n_heads * s->d_k, [SIZE_KV] = s->n_kv_heads * s->d_k,
        [SIZE_FF] = s->d_ff, [SIZE_VOCABULARY] = s->vocabulary, [SIZE_POSITIONS] = rows + family->position_extra, [SIZE_TYPES] = types,
        [SIZE_BUCKETS] = buckets, [SIZE_N_HEADS] = s->n_heads};
    memcpy(s->size, sizes, sizeof sizes);
    return true;
}

static bool read_stacks(const Reader *r) {
    ModelConfig *c = r->out;
    const Family *family = c->family;
    bool both = family->stacks == STACKS_BOTH && !c->encoder_only;
    c->n_stacks = both ? 2 : 1;
    c->stack[0] = (StackConfig){.scope = both ? "encoder" : "", .word = "encoder", .decoder = family->stacks == STACKS_DECODER};
    c->stack[1] = (StackConfig){.scope = "decoder", .word = "decoder", .decoder = true};
    for (int i = 0; i < c->n_stacks; i++)
        if (!read_stack(r, &c->stack[i], i == 1)) return false;
    return true;
}

/* ---- activation, scale, windows, groups ---- */

static bool named_activation(const Reader *r, const char *key, const char *name, Activation *out) {
    StrBuf known;
    sb_init(&known, r->arena);
    for (int i = 0; i < checkpoint_activation_count; i++) {
        if (str_eq(checkpoint_activations[i].name, name)) {
            *out = checkpoint_activations[i].activation;
            return true;
        }
        sb_printf(&known, "%s%s", i > 0 ? ", " : "", checkpoint_activations[i].name);
    }
    return refuse(r, key, ERR_INPUT, tr("the activation \"%.*s\" is not known; known: %s"), SHOWN_MAX, name, known.data);
}

/* T5 says "gated-gelu" for a gate and the approximate GELU (the only name that means it), "relu", "gated-silu" … */
static bool read_activation(const Reader *r) {
    ModelConfig *c = r->out;
    const char *key = c->family->keys.activation, *name;
    c->activation = c->family->activation;
    c->gated = c->family->gated;
    if (key) return read_word(r, r->root, key, &name) && (!name || named_activation(r, key, name, &c->activation));
    key = "feed_forward_proj";
    if (!read_word(r, r->root, key, &name) || !name) return r->err->code == ERR_NONE;
    c->gated = str_starts(name, "gated-");
    if (str_eq(name, "gated-gelu")) name = "gelu_new";
    return named_activation(r, key, c->gated && str_starts(name, "gated-") ? name + strlen("gated-") : name, &c->activation);
}

/* GPT-Neo: attention_layers lists "global" and "local" for each layer; older files have [[["global", "local"], 12]]. */
static bool read_listed(const Reader *r, StackConfig *s) {
    json_t *list = get(r->root, "attention_layers"), *types = get(r->root, "attention_types");
    const char *key = list ? "attention_layers" : "attention_types";
    int n = 0;
    for (size_t i = 0; i < (list ? 1 : json_array_size(types)); i++) {
        json_t *pattern = list ? list : json_array_get(json_array_get(types, i), 0);
        json_int_t times = list ? 1 : json_integer_value(json_array_get(json_array_get(types, i), 1));
        size_t length = json_array_size(pattern);
        if (length == 0) break;
        for (json_int_t t = 0; t < times && n < s->n_layers; t++)
            for (size_t k = 0; k < length && n < s->n_layers; k++) {
                const char *word = json_string_value(json_array_get(pattern, k));
                if (!word || (!str_eq(word, "local") && !str_eq(word, "global")))
                    return refuse(r, key, ERR_INPUT, tr("layer %d: \"global\" or \"local\" is expected"), n + 1);
                s->local[n++] = str_eq(word, "local");
            }
    }
    return n == s->n_layers || refuse(r, key, ERR_INPUT, tr("%d layers are listed, the model has %d"), n, s->n_layers);
}

static bool read_windows(const Reader *r) {
    ModelConfig *c = r->out;
    const Family *family = c->family;
    StackConfig *s = &c->stack[0];
    for (int i = 0; i < c->n_stacks; i++) c->stack[i].local = ARENA_ARRAY(r->arena, bool, (size_t)c->stack[i].n_layers);
    if (family->windows == WINDOWS_NONE) return true;
    bool used = true;
    int first = 0;
    /* sliding_window: null is a model without windows; an absent key has the family's usual value */
    bool none = json_is_null(json_object_get(r->root, family->keys.window));
    if (family->windows == WINDOWS_LATE && (!read_flag(r, "use_sliding_window", false, &used) || !read_int(r, "max_window_layers", 0, 1 << 20, 28, &first)))
        return false;
    if (none || !used) return true;
    if (!read_int(r, family->keys.window, 1, 1 << 28, family->window, &c->window)) return false;
    if (family->windows == WINDOWS_LISTED) return read_listed(r, s);
    for (int i = 0; c->window > 0 && i < s->n_layers; i++) s->local[i] = i >= first;
    return true;
}

static bool read_scale(const Reader *r) {
    ModelConfig *c = r->out;
    bool scaled = true;
    if (c->family->scale_keys && (!read_flag(r, "scale_attn_weights", true, &scaled) || !read_flag(r, "scale_attn_by_inverse_layer_idx", false, &c->scale_by_layer)))
        return false;
    c->scale = c->family->unscaled || !scaled ? SCALE_NONE : SCALE_AUTO;
    return read_flag(r, "scale_embedding", false, &c->scale_embedding) && read_flag(r, "tie_word_embeddings", c->family->tied, &c->tied);
}

/* ---- positions ---- */

/* rope_scaling: {"rope_type": "llama3", factor …}; "type" in older files. */
static bool read_rope_scaling(const Reader *r, const json_t *scaling) {
    PositionSpec *position = &r->out->position;
    const char *type, *older;
    if (!scaling) return true;
    if (!json_is_object(scaling)) return refuse(r, "rope_scaling", ERR_INPUT, tr("found %s; an object or null is expected"), found(r, scaling));
    if (!read_word(r, scaling, "rope_type", &type) || !read_word(r, scaling, "type", &older)) return false;
    if (!type) type = older ? older : "default";
    if (str_eq(type, "default")) return true;
    bool llama3 = str_eq(type, "llama3");
    if (!llama3 && !str_eq(type, "linear"))
        return refuse(r, "rope_scaling", ERR_INPUT, tr("the kind \"%.*s\" is not known; known: default, linear, llama3"), SHOWN_MAX, type);
    if (!read_number(r, scaling, "factor", 0, &position->rope_scale)) return false;
    if (!(position->rope_scale >= 1)) return refuse(r, "rope_scaling", ERR_INPUT, tr("factor is missing or less than 1"));
    if (!llama3) return true;
    double original;
    if (!read_number(r, scaling, "low_freq_factor", 1, &position->rope_low) || !read_number(r, scaling, "high_freq_factor", 4, &position->rope_high) ||
        !read_number(r, scaling, "original_max_position_embeddings", 8192, &original)) return false;
    if (original > 1 << 28 || original != floor(original) || position->rope_high <= position->rope_low)
        return refuse(r, "rope_scaling", ERR_INPUT, tr("original_max_position_embeddings is a whole number, and high_freq_factor greater than low_freq_factor"));
    position->rope_original = (int)original;
    return true;
}

static bool read_rope(const Reader *r) {
    ModelConfig *c = r->out;
    const StackConfig *s = &c->stack[0];
    json_t *newer = get(r->root, "rope_parameters"); /* newer files keep all of it in one object */
    double part, part_newer;
    if (!read_number(r, r->root, "rotary_emb_base|rope_theta", 10000, &c->position.rope_theta) ||
        !read_number(r, newer, "rope_theta", c->position.rope_theta, &c->position.rope_theta) ||
        !read_number(r, r->root, "rotary_pct|partial_rotary_factor", c->family->rope_part > 0 ? c->family->rope_part : 1, &part) ||
        !read_number(r, newer, "partial_rotary_factor", part, &part_newer) ||
        !read_rope_scaling(r, newer ? newer : get(r->root, "rope_scaling"))) return false;
    int turned = (int)((double)s->d_k * part_newer);
    if (part_newer > 1 || turned < 2 || turned % 2 != 0)
        return refuse(r, NULL, ERR_INPUT, tr("RoPE turns %d of the %d features of a head; an even number from 2 to %d is expected"), turned, s->d_k, s->d_k);
    c->position.rope_dim = turned;
    return true;
}

static bool read_position(const Reader *r) {
    ModelConfig *c = r->out;
    const Family *family = c->family;
    int pad = 0;
    c->position.kind = family->position;
    if (family->position_after_pad && !read_int(r, "pad_token_id", 0, TENSOR_DIM_MAX, 1, &pad)) return false;
    c->position.learned_offset = family->position_offset + pad;
    c->position.sinusoid_halves = true;
    return read_int(r, "relative_attention_max_distance", 1, 1 << 28, 128, &c->position.rel_max_distance);
}

/* ---- biases ---- */

static bool read_bias(const Reader *r, const char *key, BiasRule rule, bool *out) {
    *out = rule == BIAS_ALWAYS || rule == BIAS_UNLESS_KEY;
    return rule == BIAS_NEVER || rule == BIAS_ALWAYS || read_flag(r, key, *out, out);
}

static bool read_biases(const Reader *r) {
    ModelConfig *c = r->out;
    const Family *family = c->family;
    return read_bias(r, "attention_bias", family->qkv_bias, &c->qkv_bias) && read_bias(r, "attention_bias", family->out_bias, &c->out_bias) &&
           read_bias(r, "mlp_bias", family->ff_bias, &c->ff_bias);
}

/* ---- all of it ---- */

static bool read_rest(const Reader *r) {
    ModelConfig *c = r->out;
    if (!read_number(r, r->root, c->family->keys.eps, c->family->eps, &c->eps) || !read_activation(r) || !read_windows(r) || !read_scale(r) || !read_biases(r)) return false;
    if (c->family->position == POSITION_ROPE_HALF && !read_rope(r)) return false;
    if (c->family->parallel && !read_flag(r, "use_parallel_residual", true, &c->parallel)) return false;
    if (c->family->shared_layers && !read_int(r, "num_hidden_groups", 1, LAYERS_MAX, 1, &c->groups)) return false;
    if (c->groups > 0 && c->stack[0].n_layers % c->groups != 0)
        return refuse(r, "num_hidden_groups", ERR_SHAPE, tr("%d groups do not divide %d layers"), c->groups, c->stack[0].n_layers);
    return read_int(r, "decoder_start_token_id|bos_token_id|pad_token_id", 0, TENSOR_DIM_MAX, 0, &c->start_id);
}

bool checkpoint_config(const char *file, const char *text, size_t size, Arena *arena, ModelConfig *out, Err *err) {
    json_error_t problem;
    Err local = {0};
    *out = (ModelConfig){.file = file};
    Reader r = {.root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &problem), .out = out, .arena = arena, .err = err ? err : &local};
    if (!r.root) {
        err_set(r.err, ERR_INPUT, tr("not JSON that can be read: %s"), problem.text);
        return err_place(r.err, file, problem.line, problem.column);
    }
    bool good = json_is_object(r.root) || refuse(&r, NULL, ERR_INPUT, tr("found %s; an object is expected"), found(&r, r.root));
    good = good && read_family(&r) && refuse_variants(&r) && read_int(&r, out->family->keys.d_model, 1, WIDTH_MAX, -1, &out->d_model) &&
           read_position(&r) && read_stacks(&r) && read_rest(&r);
    json_decref(r.root);
    return good;
}
