/* A finished trace as a file: its given tensors as inputs, all others as outputs, its rules as metadata. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "model/json_text.h"
#include "model/tracefile_internal.h"

enum { META_MAX = 48 };

typedef struct {
    const Trace *trace;
    const AttentionSpec *spec;
    Arena *arena;
    Safetensors file;
    Err *err;
} Writer;

/* ---- tensors ---- */

static bool is_given(const Trace *trace, const Tensor *tensor) {
    return trace_op(trace, tensor->op)->kind == OP_INPUT;
}

/* A file holds one layer: the tensors without a scope. */
static bool is_ours(const Tensor *tensor) {
    return str_eq(tensor->id, tensor->name);
}

static bool add_tensor(Writer *w, const Tensor *tensor, const char *name) {
    size_t count = tensor_count(tensor);
    TensorInput *out = &w->file.tensors[w->file.n_tensors++];
    *out = (TensorInput){.name = name, .rank = tensor->rank};
    memcpy(out->dim, tensor->dim, sizeof out->dim);
    if (tensor->dtype == DTYPE_F32 && tensor->data) {
        out->data = tensor->data;
        return true;
    }
    float *narrow = arena_try_raw(w->arena, count, sizeof *narrow);
    if (narrow == NULL) return err_set(w->err, ERR_MEMORY, tr("no memory for the %zu numbers of %s"), count, name);
    for (size_t i = 0; i < count; i++) narrow[i] = (float)tensor_flat(tensor, i);
    out->data = narrow;
    return true;
}

/* Position rows that a model brings along are a table of learned positions to the file: pos_emb is the input,
 * pe its first rows. */
static bool is_given_pe(const Writer *w, const Tensor *tensor) {
    return is_given(w->trace, tensor) && str_eq(tensor->name, "pe");
}

static bool add_tensors(Writer *w, bool inputs, const char **names) {
    StrBuf list;
    sb_init(&list, w->arena);
    sb_add(&list, "");
    for (TensorId id = 0; id < trace_tensor_count(w->trace); id++) {
        const Tensor *t = trace_tensor(w->trace, id);
        bool pe = is_given_pe(w, t);
        bool view = !is_given(w->trace, t) && trace_stage_of(w->trace, id) < 0; /* not part of the layer: made from it for the eye */
        if (!is_ours(t) || view || (!pe && is_given(w->trace, t) != inputs)) continue;
        const char *name = pe && inputs ? "pos_emb" : t->name;
        if (!add_tensor(w, t, name)) return false;
        sb_printf(&list, "%s%s", list.length > 0 ? " " : "", name);
    }
    *names = list.data;
    return true;
}

/* Size `axis` of the first of these tensors that the trace has; else what the settings say. */
static int size_of(const Writer *w, const char *const *names, int axis, int otherwise) {
    for (; *names != NULL; names++) {
        TensorId id = trace_find(w->trace, *names);
        if (id != TENSOR_NONE) return trace_tensor(w->trace, id)->dim[axis];
    }
    return otherwise;
}

/* ---- metadata ---- */

static void add_meta(Writer *w, const char *key, const char *value) {
    w->file.meta[w->file.n_meta++] = (MetaPair){key, value};
}

static void add_int(Writer *w, const char *key, int value) {
    add_meta(w, key, arena_printf(w->arena, "%d", value));
}

static void add_number(Writer *w, const char *key, double value) {
    char text[NUM_MAX];
    add_meta(w, key, arena_strdup(w->arena, num_double(text, value, NUM_FILE)));
}

static void add_sizes(Writer *w) {
    static const char *const rows[] = {"weights", NULL}, *const q[] = {"q", NULL}, *const k[] = {"k", "v", NULL},
                      *const v[] = {"v", "head_out", NULL}, *const x[] = {"x", "out", NULL}, *const kv[] = {"x_kv", "x", NULL};
    const AttentionSpec *s = w->spec;
    int d_kv = size_of(w, kv, 1, 0), heads = size_of(w, rows, 0, s->n_heads);
    add_int(w, "L", size_of(w, rows, 1, s->L));
    add_int(w, "S", size_of(w, rows, 2, s->S));
    int d_model = size_of(w, x, 1, s->d_model), d_k = size_of(w, q, 2, s->d_k), d_v = size_of(w, v, 2, s->d_v);
    if (d_model > 0) add_int(w, "d_model", d_model);
    if (d_kv > 0) add_int(w, "d_kv", d_kv);
    add_int(w, "n_heads", heads);
    add_int(w, "n_kv_heads", size_of(w, k, 0, s->n_kv_heads > 0 ? s->n_kv_heads : heads));
    if (d_k > 0) add_int(w, "d_k", d_k);
    if (d_v > 0) add_int(w, "d_v", d_v);
}

static bool has(const Writer *w, const char *name) {
    return trace_find(w->trace, name) != TENSOR_NONE;
}

static void add_rules(Writer *w) {
    const AttentionSpec *s = w->spec;
    bool temperature = s->temperature != 0 && s->temperature != 1;
    int rule = s->scale == SCALE_AUTO ? (temperature ? SCALE_RULE_DK_TEMPERATURE : SCALE_RULE_DK)
               : s->scale == SCALE_NONE && !temperature ? SCALE_RULE_ONE : SCALE_RULE_NUMBER;
    add_meta(w, "proj", proj_names[s->proj]);
    if (s->tie_qk) add_int(w, "tie_qk", 1);
    add_int(w, "qkv_bias", has(w, "b_q") || has(w, "b_k") || has(w, "b_v"));
    add_int(w, "out_proj", s->out_proj);
    add_int(w, "out_bias", has(w, "b_o"));
    AttentionSpec sized = *s;
    sized.d_k = size_of(w, (const char *const[]){"q", NULL}, 2, s->d_k);
    if (has(w, "scaled")) {
        add_number(w, "scale", attention_scale(&sized));
        add_meta(w, "scale_rule", tracefile_scale_rules[rule]);
        if (rule == SCALE_RULE_DK_TEMPERATURE) add_number(w, "temperature", s->temperature);
    }
    add_meta(w, "precision", precision_names[s->precision]);
    add_meta(w, "empty_row", empty_row_names[s->empty_row]);
}

/* ---- masks ---- */

/* What the file can say of a list of masks: one mask, padding with causal, or the mask's own cells. */
typedef struct {
    const char *kind;
    const MaskSpec *mask;   /* parameters; NULL = none */
    bool causal;            /* an alignment is of use */
    CausalAlign align;
} MaskForm;

static bool padding_by_count(const MaskSpec *m) {
    return m->kind == MASK_PADDING && m->n_keys == 0;
}

static MaskForm mask_form(const Writer *w) {
    const MaskSpec *kept[MASK_LIST_MAX] = {0};
    MaskForm form = {.kind = mask_names[MASK_NONE], .align = ALIGN_TOP_LEFT};
    TensorId id = trace_find(w->trace, "mask");
    if (id == TENSOR_NONE) return form;
    int n = 0;
    for (int i = 0; i < w->spec->n_masks; i++) {
        const MaskSpec *m = &w->spec->masks[i];
        if (m->kind == MASK_NONE) continue;
        kept[n++] = m;
        if (m->kind != MASK_CAUSAL && !m->causal) continue;
        form.causal = true;
        form.align = m->align;
    }
    form.kind = mask_names[trace_tensor(w->trace, id)->rank == 3 ? MASK_CUSTOM_PER_HEAD : MASK_CUSTOM];
    if (n == 1 && (kept[0]->kind != MASK_PADDING || padding_by_count(kept[0]))) {
        form.kind = mask_names[kept[0]->kind];
        form.mask = kept[0];
    } else if (n == 2) {
        int padding = kept[0]->kind == MASK_PADDING ? 0 : 1;
        if (!padding_by_count(kept[padding]) || kept[1 - padding]->kind != MASK_CAUSAL) return form;
        form.kind = tracefile_padding_causal;
        form.mask = kept[padding];
    }
    return form;
}

static void add_globals(Writer *w, const MaskSpec *mask) {
    StrBuf list;
    sb_init(&list, w->arena);
    sb_add(&list, "");
    for (int i = 0; i < mask->n_globals; i++) sb_printf(&list, i > 0 ? ",%d" : "%d", mask->globals[i]);
    add_meta(w, "global_tokens", list.data);
}

static void add_mask(Writer *w) {
    MaskForm form = mask_form(w);
    add_meta(w, "mask_kind", form.kind);
    if (str_eq(form.kind, mask_names[MASK_NONE])) {
        add_meta(w, "mask_fill", "none");
        return;
    }
    add_number(w, "mask_fill", w->spec->fill);
    add_meta(w, "mask_op", mask_op_names[w->spec->mask_op]);
    if (form.causal) add_meta(w, "causal_align", causal_align_names[form.align]);
    for (int i = 0; form.mask != NULL && i < MASK_PARAM_COUNT; i++) {
        const MaskParam *p = &tracefile_mask_params[i];
        if (p->kind == form.mask->kind) add_int(w, p->key, *(const int *)(const void *)((const char *)form.mask + p->field));
    }
    if (form.mask == NULL) return;
    if (form.mask->kind == MASK_PADDING) add_meta(w, "pad_side", form.mask->pad_left ? "left" : "right");
    if (form.mask->kind == MASK_GLOBAL_WINDOW) add_globals(w, form.mask);
    if (tracefile_mask_has_causal(form.mask->kind)) add_int(w, "causal", form.mask->causal);
}

/* ---- positions ---- */

static void add_position(Writer *w) {
    const PositionSpec *p = &w->spec->position;
    bool rope = p->kind == POSITION_ROPE_INTERLEAVED || p->kind == POSITION_ROPE_HALF;
    add_meta(w, "pos_kind", position_names[p->kind == POSITION_GIVEN ? POSITION_LEARNED : p->kind]);
    if (rope) {
        static const char *const cosines[] = {"rope_cos", NULL};
        add_int(w, "rope_dim", 2 * size_of(w, cosines, 1, p->rope_dim / 2));
        add_number(w, "rope_theta", p->rope_theta != 0 ? p->rope_theta : 10000);
        add_int(w, "rope_pos0", p->rope_offset);
    }
    if (p->kind != POSITION_ALIBI || p->slopes == NULL) return;
    StrBuf list;
    char text[NUM_MAX];
    sb_init(&list, w->arena);
    sb_add(&list, "");
    for (int i = 0; i < p->n_slopes; i++) sb_printf(&list, i > 0 ? ",%s" : "%s", num_double(text, p->slopes[i], NUM_FILE));
    add_meta(w, "alibi_slopes", list.data);
}

static void add_attention(Writer *w) {
    add_sizes(w);
    add_rules(w);
    add_mask(w);
    add_position(w);
}

static void add_positions_alone(Writer *w) {
    static const char *const pe[] = {"pe", NULL};
    add_int(w, "L", size_of(w, pe, 0, w->spec->L));
    add_int(w, "d_model", size_of(w, pe, 1, w->spec->d_model));
    add_meta(w, "pos_kind", position_names[POSITION_SINUSOIDAL]);
    add_meta(w, "pe_base", "10000");
}

bool tracefile_format(const Trace *trace, const AttentionSpec *spec, const char *const *tokens, int n_tokens,
                      const char *const *source, int n_source, Arena *arena, void **bytes, size_t *size, Err *err) {
    Writer w = {.trace = trace, .spec = spec, .arena = arena, .err = err};
    const char *inputs, *outputs;
    w.file.tensors = ARENA_ARRAY(arena, TensorInput, 2 * (size_t)trace_tensor_count(trace) + 1);
    w.file.meta = ARENA_ARRAY(arena, MetaPair, META_MAX);
    if (!add_tensors(&w, true, &inputs) || !add_tensors(&w, false, &outputs)) return false;
    add_meta(&w, "format_version", "1");
    add_meta(&w, "kind", has(&w, "weights") ? "attention" : "positional");
    add_meta(&w, "inputs", inputs);
    add_meta(&w, "outputs", outputs);
    if (has(&w, "weights")) add_attention(&w);
    else add_positions_alone(&w);
    if (tokens != NULL) add_meta(&w, "tokens", json_text_list(arena, tokens, n_tokens));
    if (source != NULL) add_meta(&w, "source", json_text_list(arena, source, n_source));
    return safetensors_format(&w.file, arena, bytes, size, err);
}
