#include "model/tracefile.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
#include "model/json_text.h"
#include "model/tokenizer.h"
#include "model/tracefile_internal.h"

const MaskParam tracefile_mask_params[] = {
    {MASK_PADDING, "pad_keys", offsetof(MaskSpec, pad_keys)},
    {MASK_WINDOW, "window_left", offsetof(MaskSpec, left)},
    {MASK_WINDOW, "window_right", offsetof(MaskSpec, right)},
    {MASK_LOCAL_BLOCK, "block", offsetof(MaskSpec, block)},
    {MASK_GLOBAL_WINDOW, "window_each_side", offsetof(MaskSpec, left)},
    {MASK_STRIDED, "stride", offsetof(MaskSpec, stride)},
};
static_assert(sizeof tracefile_mask_params / sizeof *tracefile_mask_params == MASK_PARAM_COUNT, "all are counted");

const char tracefile_padding_causal[] = "padding_causal";

const char *const tracefile_scale_rules[] = {
    [SCALE_RULE_DK] = "1/sqrt(d_k)",
    [SCALE_RULE_DK_TEMPERATURE] = "1/(sqrt(d_k)*temperature)",
    [SCALE_RULE_ONE] = "one",
    [SCALE_RULE_NUMBER] = "number",
};

bool tracefile_mask_has_causal(MaskKind kind) {
    return kind == MASK_LOCAL_BLOCK || kind == MASK_GLOBAL_WINDOW || kind == MASK_STRIDED;
}

enum { POSITIONS_MAX = 1 << 24 }; /* numbers in a table of positions */

/* ---- one key of the metadata ---- */

typedef struct {
    const Safetensors *file;
    const char *path;
    Arena *arena;
    TraceFile *out;
    const char *prefix; /* of the masks' keys: "", or "self_" and "cross_" in a decoder's block */
    Err *err;
} Reader;

static bool refuse(const Reader *r, const char *fmt, ...) BASE_PRINTF(2, 3);

static bool refuse(const Reader *r, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    err_set_v(r->err, ERR_INPUT, fmt, args);
    va_end(args);
    return err_place(r->err, r->path, 0, 0);
}

static const char *prefixed(const Reader *r, const char *key) {
    return r->prefix[0] ? arena_printf(r->arena, "%s%s", r->prefix, key) : key;
}

/* Leaves *value as it is when the key is absent. */
static bool read_int(const Reader *r, const char *key, int min, int *value) {
    const char *text = safetensors_meta(r->file, key);
    int number;
    if (text == NULL) return true;
    if (!str_to_int(text, &number) || number < min || number > TENSOR_DIM_MAX)
        return refuse(r, tr("metadata %s is \"%.60s\"; a whole number from %d to %d is needed"), key, text, min, TENSOR_DIM_MAX);
    *value = number;
    return true;
}

static bool read_flag(const Reader *r, const char *key, bool *value) {
    const char *text = safetensors_meta(r->file, key);
    if (text == NULL) return true;
    if (!str_eq(text, "0") && !str_eq(text, "1")) return refuse(r, tr("metadata %s is \"%.60s\"; 0 or 1 is needed"), key, text);
    *value = text[0] == '1';
    return true;
}

static bool read_number(const Reader *r, const char *key, double *value) {
    const char *text = safetensors_meta(r->file, key);
    double number;
    if (text == NULL) return true;
    if (!str_to_double(text, &number) || isnan(number)) return refuse(r, tr("metadata %s is \"%.60s\"; a number is needed"), key, text);
    *value = number;
    return true;
}

/* The position of the key's value among `names`; *value stays when the key is absent. */
static bool read_choice(const Reader *r, const char *key, const char *const *names, int count, int *value) {
    const char *text = safetensors_meta(r->file, key);
    if (text == NULL) return true;
    int found = str_find(names, count, text);
    if (found >= 0) {
        *value = found;
        return true;
    }
    StrBuf known;
    sb_init(&known, r->arena);
    for (int i = 0; i < count; i++)
        if (names[i] != NULL) sb_printf(&known, "%s%s", known.length > 0 ? ", " : "", names[i]);
    return refuse(r, tr("metadata %s is \"%.60s\"; known are %s"), key, text, known.data);
}

/* "0,1,24" or "0 1 24": numbers parted by commas or spaces, in the arena; *n = 0 when the key is absent. */
static bool read_list(const Reader *r, const char *key, double **values, int *n) {
    const char *text = safetensors_meta(r->file, key);
    *n = 0;
    if (text == NULL) return true;
    *values = ARENA_ARRAY(r->arena, double, strlen(text) / 2 + 1);
    char *copy = arena_strdup(r->arena, text), *rest = NULL;
    for (char *item = strtok_r(copy, ", ", &rest); item != NULL; item = strtok_r(NULL, ", ", &rest)) {
        double *value = &(*values)[*n];
        if (!str_to_double(item, value) || !isfinite(*value))
            return refuse(r, tr("metadata %s is \"%.60s\"; numbers parted by commas are needed"), key, text);
        ++*n;
    }
    return true;
}

/* ---- tensors ---- */

/* The file's tensors that a list of names in the metadata names. `must`: there has to be such a list. */
static bool read_tensors(const Reader *r, const char *key, bool must, TensorInput **list, int *n) {
    const char *text = safetensors_meta(r->file, key);
    *n = 0;
    if (text == NULL) return !must || refuse(r, tr("the metadata have no \"%s\": this is not a trace file"), key);
    *list = ARENA_ARRAY(r->arena, TensorInput, strlen(text) / 2 + 1);
    char *copy = arena_strdup(r->arena, text), *rest = NULL;
    for (char *name = strtok_r(copy, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        const TensorInput *tensor = safetensors_find(r->file, name);
        if (input_find(*list, *n, name) != NULL) return refuse(r, tr("metadata %s names %.60s twice"), key, name);
        if (tensor != NULL) (*list)[(*n)++] = *tensor;
        else return refuse(r, tr("metadata %s names %.60s, which the file does not hold"), key, name);
    }
    return true;
}

/* The mask is a setting of the machine, not one of its inputs: it is read through the mask's kind. */
static void drop_mask(TensorInput *list, int *n) {
    int kept = 0;
    for (int i = 0; i < *n; i++)
        if (!str_eq(list[i].name, "mask")) list[kept++] = list[i];
    *n = kept;
}

/* ---- masks ---- */

static bool read_keep(const Reader *r, MaskSpec *mask) {
    AttentionSpec *spec = &r->out->spec;
    const TensorInput *t = safetensors_find(r->file, prefixed(r, "mask"));
    char shape[64];
    int rank = mask->kind == MASK_CUSTOM_PER_HEAD ? 3 : 2;
    if (t == NULL) return refuse(r, tr("mask_kind is %s, but the file holds no tensor mask"), mask_names[mask->kind]);
    int want[3] = {spec->n_heads, spec->L, spec->S};
    bool fits = t->rank == rank;
    for (int d = 0; fits && d < rank; d++) fits = want[3 - rank + d] == 0 || want[3 - rank + d] == t->dim[d];
    if (!fits)
        return refuse(r, tr("tensor mask %s does not fit mask_kind %s with n_heads %d, L %d, S %d"),
                      tensor_shape_text(shape, t->rank, t->dim), mask_names[mask->kind], spec->n_heads, spec->L, spec->S);
    if (rank == 3) spec->n_heads = t->dim[0];
    spec->L = t->dim[rank - 2];
    spec->S = t->dim[rank - 1];
    size_t count = (size_t)t->dim[0] * (size_t)t->dim[1] * (rank == 3 ? (size_t)t->dim[2] : 1);
    for (size_t i = 0; i < count; i++)
        if (t->data[i] != 0 && t->data[i] != 1)
            return refuse(r, tr("tensor mask: number %zu is %g; 1 keeps, 0 hides"), i + 1, (double)t->data[i]);
    mask->keep = t->data;
    return true;
}

static bool read_globals(const Reader *r, MaskSpec *mask) {
    double *values;
    if (!read_list(r, prefixed(r, "global_tokens"), &values, &mask->n_globals)) return false;
    int *globals = ARENA_ARRAY(r->arena, int, (size_t)mask->n_globals + 1);
    for (int i = 0; i < mask->n_globals; i++) {
        if (values[i] < 0 || values[i] >= TENSOR_DIM_MAX || values[i] != floor(values[i]))
            return refuse(r, tr("metadata global_tokens: %g is not a token's place, counted from 0"), values[i]);
        globals[i] = (int)values[i];
    }
    mask->globals = globals;
    return true;
}

static bool read_mask_params(const Reader *r, MaskSpec *mask) {
    static const char *const sides[] = {"right", "left"};
    int side = 0;
    for (int i = 0; i < MASK_PARAM_COUNT; i++) {
        const MaskParam *p = &tracefile_mask_params[i];
        if (p->kind != mask->kind) continue;
        const char *key = prefixed(r, p->key);
        if (safetensors_meta(r->file, key) == NULL)
            return refuse(r, tr("mask_kind is %s; the metadata have no %s"), mask_names[mask->kind], key);
        if (!read_int(r, key, 0, (int *)(void *)((char *)mask + p->field))) return false;
    }
    if (mask->kind == MASK_PADDING && !read_choice(r, prefixed(r, "pad_side"), sides, 2, &side)) return false;
    mask->pad_left = side == 1;
    if (tracefile_mask_has_causal(mask->kind) && !read_flag(r, prefixed(r, "causal"), &mask->causal)) return false;
    if (mask->kind == MASK_GLOBAL_WINDOW && !read_globals(r, mask)) return false;
    if (mask->kind != MASK_CUSTOM && mask->kind != MASK_CUSTOM_PER_HEAD) return true;
    /* a mask that has a causal part says by its alignment where the first query stands, which ALiBi needs */
    mask->causal = safetensors_meta(r->file, prefixed(r, "causal_align")) != NULL;
    return read_keep(r, mask);
}

static bool read_masks(const Reader *r) {
    AttentionSpec *spec = &r->out->spec;
    const char *names[MASK_KIND_COUNT + 1];
    for (int i = 0; i < MASK_KIND_COUNT; i++) names[i] = mask_names[i];
    names[MASK_KIND_COUNT] = tracefile_padding_causal;
    int kind = MASK_NONE, align = ALIGN_TOP_LEFT, op = MASK_REPLACE;
    if (!read_choice(r, prefixed(r, "mask_kind"), names, MASK_KIND_COUNT + 1, &kind) ||
        !read_choice(r, prefixed(r, "causal_align"), causal_align_names, ALIGN_COUNT, &align) ||
        !read_choice(r, prefixed(r, "mask_op"), mask_op_names, MASK_OP_COUNT, &op))
        return false;
    bool both = kind == MASK_KIND_COUNT;
    spec->n_masks = both ? 2 : kind == MASK_NONE ? 0 : 1;
    spec->masks[0] = (MaskSpec){.kind = both ? MASK_PADDING : (MaskKind)kind, .align = (CausalAlign)align};
    spec->masks[1] = (MaskSpec){.kind = both ? MASK_CAUSAL : MASK_NONE, .align = (CausalAlign)align};
    spec->mask_op = (MaskOp)op;
    spec->fill = -INFINITY;
    const char *fill = safetensors_meta(r->file, prefixed(r, "mask_fill"));
    if (fill != NULL && !str_eq(fill, "none") && !read_number(r, prefixed(r, "mask_fill"), &spec->fill)) return false;
    return spec->n_masks == 0 || read_mask_params(r, &spec->masks[0]);
}

/* ---- positions and scale ---- */

static bool read_slopes(const Reader *r, PositionSpec *position) {
    double *slopes = NULL;
    if (!read_list(r, "alibi_slopes", &slopes, &position->n_slopes)) return false;
    position->slopes = position->n_slopes > 0 ? slopes : NULL;
    return true;
}

static bool read_position(const Reader *r) {
    PositionSpec *position = &r->out->spec.position;
    const char *names[POSITION_KIND_COUNT];
    for (int i = 0; i < POSITION_KIND_COUNT; i++) names[i] = i < POSITION_GIVEN ? position_names[i] : NULL;
    int kind = POSITION_NONE;
    if (!read_choice(r, "pos_kind", names, POSITION_KIND_COUNT, &kind)) return false;
    position->kind = (PositionKind)kind;
    if (kind == POSITION_ALIBI) return read_slopes(r, position);
    bool rope = kind == POSITION_ROPE_INTERLEAVED || kind == POSITION_ROPE_HALF;
    return !rope || (read_int(r, "rope_dim", 2, &position->rope_dim) && read_number(r, "rope_theta", &position->rope_theta) &&
                     read_int(r, "rope_pos0", 0, &position->rope_offset));
}

/* The file's scale is one number. Where its rule gives that number, the rule is kept: so d_k and the
 * temperature can be changed afterwards. */
static bool read_scale(const Reader *r) {
    AttentionSpec *spec = &r->out->spec;
    int rule = SCALE_RULE_NUMBER;
    double scale = NAN, temperature = 1;
    bool stated = safetensors_meta(r->file, "scale") != NULL;
    spec->temperature = 1;
    const char *named = safetensors_meta(r->file, "scale_rule");
    if (named != NULL) rule = str_find(tracefile_scale_rules, 4, named);
    if (!read_number(r, "scale", &scale) || !read_number(r, "temperature", &temperature)) return false;
    if (stated && !isfinite(scale)) return refuse(r, tr("metadata scale is %g; a finite number is needed"), scale);
    AttentionSpec ruled = *spec;
    ruled.scale = rule == SCALE_RULE_ONE ? SCALE_NONE : SCALE_AUTO;
    ruled.temperature = rule == SCALE_RULE_DK_TEMPERATURE ? temperature : 1;
    bool follows = rule != SCALE_RULE_NUMBER && rule >= 0 && spec->d_k > 0 && ruled.temperature > 0 &&
                   fabs(attention_scale(&ruled) - scale) <= 1e-14 * fabs(scale);
    if (follows || !stated) *spec = ruled;
    else {
        spec->scale = SCALE_NUMBER;
        spec->scale_number = scale;
    }
    return true;
}

/* ---- the whole file ---- */

static bool read_sizes(const Reader *r) {
    AttentionSpec *spec = &r->out->spec;
    const struct { const char *key; int *value; } sizes[] = {
        {"L", &spec->L}, {"S", &spec->S}, {"d_model", &spec->d_model}, {"d_kv", &spec->d_kv}, {"n_heads", &spec->n_heads},
        {"n_kv_heads", &spec->n_kv_heads}, {"d_k", &spec->d_k}, {"d_v", &spec->d_v}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!read_int(r, sizes[i].key, 1, sizes[i].value)) return false;
    return true;
}

static bool read_labels(const Reader *r, const char *key, int size, const char ***labels, int *n) {
    const char *text = safetensors_meta(r->file, key);
    if (text == NULL) return true;
    if (!json_text_parse_list(text, TENSOR_DIM_MAX, key, r->arena, labels, n, r->err)) return err_place(r->err, r->path, 0, 0);
    if (size > 0 && *n != size) return refuse(r, tr("metadata %s has %d labels for %d rows"), key, *n, size);
    return true;
}

static bool read_attention(const Reader *r) {
    TraceFile *out = r->out;
    int proj = PROJ_LINEAR, empty = EMPTY_ROW_NAN, precision = PRECISION_F32;
    bool good = read_sizes(r) && read_choice(r, "proj", proj_names, PROJ_KIND_COUNT, &proj) &&
                read_choice(r, "empty_row", empty_row_names, EMPTY_ROW_COUNT, &empty) &&
                read_choice(r, "precision", precision_names, PRECISION_COUNT, &precision) &&
                read_flag(r, "tie_qk", &out->spec.tie_qk) && read_flag(r, "out_proj", &out->spec.out_proj) && read_masks(r) && read_position(r) && read_scale(r);
    out->spec.proj = (ProjKind)proj;
    out->spec.empty_row = (EmptyRow)empty;
    out->spec.precision = (Precision)precision;
    return good && read_labels(r, "tokens", out->spec.L, &out->tokens, &out->n_tokens) &&
           read_labels(r, "source", out->spec.S, &out->source, &out->n_source);
}

static bool read_positional(const Reader *r) {
    double base = 10000;
    r->out->spec.position.kind = POSITION_SINUSOIDAL;
    if (!read_sizes(r) || !read_number(r, "pe_base", &base)) return false;
    if (base != 10000) return refuse(r, tr("metadata pe_base is %g; the sinusoid's base is 10000"), base);
    if (r->out->spec.L == 0 || r->out->spec.d_model == 0) return refuse(r, tr("the metadata lack L or d_model"));
    size_t count = (size_t)r->out->spec.L * (size_t)r->out->spec.d_model;
    if (count > POSITIONS_MAX) return refuse(r, tr("L times d_model is %zu; the limit is %d"), count, POSITIONS_MAX);
    return true;
}

/* ---- blocks and their parts ---- */

static bool read_activation(const Reader *r, BlockSpec *block) {
    const char *names[ACT_COUNT + 1];
    int kind = ACT_RELU;
    for (int i = 0; i < ACT_COUNT; i++) names[i] = tracefile_activations[i];
    names[ACT_COUNT] = tracefile_gated;
    if (!read_choice(r, "ffn_act", names, ACT_COUNT + 1, &kind)) return false;
    block->gated = kind == ACT_COUNT;
    block->activation = block->gated ? ACT_SILU : (Activation)kind;
    return true;
}

static bool read_norm(const Reader *r) {
    static const char *const kinds[] = {[NORM_LAYER] = "layernorm", [NORM_RMS] = "rmsnorm"};
    static const char *const places[] = {[NORM_PRE] = "pre", [NORM_POST] = "post"};
    BlockSpec *block = &r->out->block;
    int kind = NORM_LAYER, place = NORM_POST;
    block->eps = 1e-5;
    if (!read_choice(r, "norm", kinds, 2, &kind) || !read_choice(r, "norm_placement", places, 2, &place) ||
        !read_number(r, "ln_eps", &block->eps))
        return false;
    if (!(block->eps >= 0) || isinf(block->eps)) return refuse(r, tr("metadata ln_eps is %g; a number of 0 or more is needed"), block->eps);
    block->norm = (NormKind)kind;
    block->place = (NormPlace)place;
    return true;
}

static bool read_ffn(const Reader *r) { return read_activation(r, &r->out->block); }

static bool read_encoder_block(const Reader *r) {
    bool good = read_attention(r) && read_norm(r) && read_ffn(r);
    r->out->block.self = r->out->spec;
    return good;
}

/* Both attentions have the file's sizes, scale and position; their masks have keys of their own. */
static bool read_decoder_block(const Reader *r) {
    Reader self = *r, cross = *r;
    BlockSpec *block = &r->out->block;
    self.prefix = "self_";
    cross.prefix = "cross_";
    if (!read_attention(r) || !read_norm(r) || !read_ffn(r)) return false;
    AttentionSpec shared = r->out->spec;
    r->out->spec.S = shared.L;
    if (!read_masks(&self)) return false;
    block->self = r->out->spec;
    r->out->spec = shared;
    if (!read_masks(&cross)) return false;
    block->cross = r->out->spec;
    block->has_cross = true;
    return true;
}

static bool read_nothing(const Reader *r) {
    (void)r;
    return true;
}

/* "default=1e-05 scores=0.002": the value of one name; -1 absent, NAN not a tolerance. */
static double find_tolerance(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *p = text; *p != '\0';) {
        size_t item = strcspn(p, " ");
        if (item > length && strncmp(p, name, length) == 0 && p[length] == '=') {
            char number[40];
            double value;
            snprintf(number, sizeof number, "%.*s", (int)(item - length - 1 < 39 ? item - length - 1 : 39), p + length + 1);
            return str_to_double(number, &value) && value >= 0 && isfinite(value) ? value : (double)NAN;
        }
        p += item + (p[item] == ' ');
    }
    return -1;
}

double tracefile_tolerance(const Safetensors *file, const char *name) {
    const char *text = safetensors_meta(file, "tol");
    if (text == NULL) return -1;
    double own = find_tolerance(text, name);
    return own == -1 ? find_tolerance(text, "default") : own;
}

static bool check_tolerances(const Reader *r) {
    for (int i = 0; i < r->file->n_tensors; i++)
        if (isnan(tracefile_tolerance(r->file, r->file->tensors[i].name)))
            return refuse(r, tr("metadata tol: the tolerance for %.60s is not a number of 0 or more"), r->file->tensors[i].name);
    return true;
}

static bool (*const readers[])(const Reader *r) = {
    [TRACE_ATTENTION] = read_attention, [TRACE_POSITIONAL] = read_positional, [TRACE_ANALYSIS] = read_attention,
    [TRACE_NORM] = read_norm, [TRACE_ACTIVATION] = read_nothing, [TRACE_FFN] = read_ffn,
    [TRACE_ENCODER_BLOCK] = read_encoder_block, [TRACE_DECODER_BLOCK] = read_decoder_block, [TRACE_ROLLOUT] = read_nothing,
};
static_assert(sizeof readers / sizeof *readers == TRACE_KIND_COUNT, "a reader for each kind");

static const char *known_kinds(Arena *arena) {
    StrBuf out;
    sb_init(&out, arena);
    for (int i = 0; i < TRACE_KIND_COUNT; i++) sb_printf(&out, "%s%s", i ? ", " : "", tracefile_kinds[i]);
    return out.data;
}

bool tracefile_from(const Safetensors *file, const char *path, Arena *arena, TraceFile *out, Err *err) {
    TraceFile made = {.file = *file, .path = path, .kind = safetensors_meta(file, "kind")};
    Reader r = {file, path, arena, &made, "", err};
    if (made.kind == NULL) return refuse(&r, tr("the metadata have no \"kind\": this is not a trace file"));
    int kind = str_find(tracefile_kinds, TRACE_KIND_COUNT, made.kind);
    if (kind < 0) return refuse(&r, tr("the file is of kind \"%.60s\"; known are %s"), made.kind, known_kinds(arena));
    if (!read_tensors(&r, "inputs", true, &made.inputs, &made.n_inputs) ||
        !read_tensors(&r, "outputs", false, &made.outputs, &made.n_outputs) || !check_tolerances(&r))
        return false;
    drop_mask(made.inputs, &made.n_inputs);
    if (!readers[kind](&r)) return false;
    *out = made;
    return true;
}

/* Numbers of a whole network, ours or a reference: its token ids are whole numbers, which no trace of one layer has. */
static bool is_network_file(const char *bytes, size_t size, const char *path, Arena *arena) {
    SafetensorsHeader header;
    Err unread = {0}; /* what is wrong with the file is said by its reader */
    if (!safetensors_header(bytes, size, path, false, arena, &header, &unread)) return false;
    for (int i = 0; i < header.n_meta; i++)
        if (str_eq(header.meta[i].key, "kind") && str_eq(header.meta[i].value, "network")) return true;
    return safetensors_entry(&header, "input_ids") != NULL;
}

bool tracefile_read(const char *path, Arena *arena, TraceFile *out, Err *err) {
    Arena whole = {0}; /* the file's bytes are not needed once the numbers are out */
    char *bytes;
    size_t size;
    Safetensors file;
    bool good = file_read(path, SAFETENSORS_FILE_MAX, &whole, &bytes, &size, err);
    if (good && is_network_file(bytes, size, path, &whole)) {
        err_set(err, ERR_INPUT, tr("these are the numbers of a whole network: attnscope check --model FOLDER %s compares them with its model"), path);
        good = err_place(err, path, 0, 0);
    }
    good = good && safetensors_parse(bytes, size, path, arena, &file, err);
    arena_free(&whole);
    return good && tracefile_from(&file, arena_strdup(arena, path), arena, out, err);
}
