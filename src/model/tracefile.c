#include "model/tracefile.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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
    const TensorInput *t = safetensors_find(r->file, "mask");
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
    if (!read_list(r, "global_tokens", &values, &mask->n_globals)) return false;
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
        if (safetensors_meta(r->file, p->key) == NULL)
            return refuse(r, tr("mask_kind is %s; the metadata have no %s"), mask_names[mask->kind], p->key);
        if (!read_int(r, p->key, 0, (int *)(void *)((char *)mask + p->field))) return false;
    }
    if (mask->kind == MASK_PADDING && !read_choice(r, "pad_side", sides, 2, &side)) return false;
    mask->pad_left = side == 1;
    if (tracefile_mask_has_causal(mask->kind) && !read_flag(r, "causal", &mask->causal)) return false;
    if (mask->kind == MASK_GLOBAL_WINDOW && !read_globals(r, mask)) return false;
    if (mask->kind != MASK_CUSTOM && mask->kind != MASK_CUSTOM_PER_HEAD) return true;
    /* a mask that has a causal part says by its alignment where the first query stands, which ALiBi needs */
    mask->causal = safetensors_meta(r->file, "causal_align") != NULL;
    return read_keep(r, mask);
}

static bool read_masks(const Reader *r) {
    AttentionSpec *spec = &r->out->spec;
    const char *names[MASK_KIND_COUNT + 1];
    for (int i = 0; i < MASK_KIND_COUNT; i++) names[i] = mask_names[i];
    names[MASK_KIND_COUNT] = tracefile_padding_causal;
    int kind = MASK_NONE, align = ALIGN_TOP_LEFT, op = MASK_REPLACE;
    if (!read_choice(r, "mask_kind", names, MASK_KIND_COUNT + 1, &kind) ||
        !read_choice(r, "causal_align", causal_align_names, ALIGN_COUNT, &align) ||
        !read_choice(r, "mask_op", mask_op_names, MASK_OP_COUNT, &op))
        return false;
    bool both = kind == MASK_KIND_COUNT;
    spec->n_masks = both ? 2 : kind == MASK_NONE ? 0 : 1;
    spec->masks[0] = (MaskSpec){.kind = both ? MASK_PADDING : (MaskKind)kind, .align = (CausalAlign)align};
    spec->masks[1] = (MaskSpec){.kind = both ? MASK_CAUSAL : MASK_NONE, .align = (CausalAlign)align};
    spec->mask_op = (MaskOp)op;
    spec->fill = -INFINITY;
    const char *fill = safetensors_meta(r->file, "mask_fill");
    if (fill != NULL && !str_eq(fill, "none") && !read_number(r, "mask_fill", &spec->fill)) return false;
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
    for (int i = 0; i < POSITION_KIND_COUNT; i++) names[i] = i == POSITION_GIVEN ? NULL : position_names[i];
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
                read_flag(r, "out_proj", &out->spec.out_proj) && read_masks(r) && read_position(r) && read_scale(r);
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

bool tracefile_from(const Safetensors *file, const char *path, Arena *arena, TraceFile *out, Err *err) {
    TraceFile made = {.file = *file, .path = path, .kind = safetensors_meta(file, "kind")};
    Reader r = {file, path, arena, &made, err};
    if (made.kind == NULL) return refuse(&r, tr("the metadata have no \"kind\": this is not a trace file"));
    bool positional = str_eq(made.kind, "positional");
    if (!positional && !str_eq(made.kind, "attention"))
        return refuse(&r, tr("the file is of kind \"%.60s\"; \"attention\" and \"positional\" are read"), made.kind);
    if (!read_tensors(&r, "inputs", true, &made.inputs, &made.n_inputs) ||
        !read_tensors(&r, "outputs", false, &made.outputs, &made.n_outputs) || !check_tolerances(&r))
        return false;
    drop_mask(made.inputs, &made.n_inputs);
    if (!(positional ? read_positional(&r) : read_attention(&r))) return false;
    *out = made;
    return true;
}

bool tracefile_read(const char *path, Arena *arena, TraceFile *out, Err *err) {
    Safetensors file;
    return safetensors_read(path, arena, &file, err) && tracefile_from(&file, arena_strdup(arena, path), arena, out, err);
}
