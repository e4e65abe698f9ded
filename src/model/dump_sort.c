/* What of a dump is given, what follows from it, and the metadata that say so. */
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "model/dump_parts.h"

/* What is made of the dump: parts that are inputs, parts that are compared. */
typedef struct {
    DumpReader *r;
    bool input[PART_COUNT], output[PART_COUNT];
    int from;                   /* parts behind this one are made: V where q and k are there, else the given map */
    const char *as[PART_COUNT]; /* under another name than its own; NULL = its own */
    MetaPair meta[16]; int n_meta;
    const char *drop[4]; int n_drop; /* keys of the file's metadata that do not hold any more */
} Sort;

const char *dump_meta(const DumpReader *r, const char *key) {
    for (int i = 0; i < r->header.n_meta; i++)
        if (str_eq(r->header.meta[i].key, key)) return r->header.meta[i].value;
    return NULL;
}

static bool has(const Sort *s, int p) { return s->r->tensor[p].data != NULL; }
static void give(Sort *s, int p) { s->input[p] = has(s, p); }

static void add_meta(Sort *s, const char *key, const char *value) { s->meta[s->n_meta++] = (MetaPair){key, value}; }
static void add_int(Sort *s, const char *key, int value) { add_meta(s, key, arena_printf(s->r->arena, "%d", value)); }

/* ---- attention ---- */

/* One of q, k and v. */
typedef struct {
    DumpPart part, weight, bias;
    bool keys;
} Side;
static const Side sides[] = {{PART_Q, PART_W_Q, PART_B_Q, false}, {PART_K, PART_W_K, PART_B_K, true}, {PART_V, PART_W_V, PART_B_V, true}};

static int rows_of(const Sort *s, bool keys) {
    if (keys && has(s, PART_X_KV)) return PART_X_KV;
    return has(s, PART_X) ? PART_X : has(s, PART_TOK) ? PART_TOK : -1;
}

/* Is it made from rows? */
static bool is_made(const Sort *s, const Side *side) { return rows_of(s, side->keys) >= 0 && (s->r->told->plain || has(s, side->weight)); }

static void take_side(Sort *s, const Side *side) {
    if (!is_made(s, side)) {
        give(s, side->part);
        return;
    }
    give(s, rows_of(s, side->keys));
    if (s->r->told->plain) return;
    give(s, side->weight);
    give(s, side->bias);
}

/* q and k, else what comes next in computing order. Scores that are scaled or masked already are not scaled or masked again. */
static void take_scores(Sort *s) {
    DumpReader *r = s->r;
    bool q = has(s, PART_Q) || is_made(s, &sides[0]), k = has(s, PART_K) || is_made(s, &sides[1]);
    if (q && k) {
        take_side(s, &sides[0]);
        take_side(s, &sides[1]);
        s->from = PART_V;
        return;
    }
    if (has(s, PART_Q_ROPE) && has(s, PART_K_ROPE)) {
        s->input[PART_Q_ROPE] = s->input[PART_K_ROPE] = true;
        s->as[PART_Q_ROPE] = "q";
        s->as[PART_K_ROPE] = "k";
        s->drop[s->n_drop++] = "pos_kind";
        s->from = PART_K_ROPE;
        return;
    }
    static const int maps[] = {PART_SCORES, PART_SCALED, PART_MASKED, PART_WEIGHTS};
    int first = 0;
    while (first < 3 && !has(s, maps[first])) first++;
    give(s, maps[first]);
    s->from = maps[first];
    if (first == 1 || first == 2) {
        s->as[maps[first]] = "scores";
        s->drop[s->n_drop++] = "scale";
        add_meta(s, "scale_rule", "one");
    }
    if (first == 2) s->drop[s->n_drop++] = "mask_kind";
    r->out->alone = first == 3;
}

/* Without v nothing follows from the weighted sum on; where q and k are there, zeros stand in its place. */
static bool take_v(Sort *s) {
    DumpReader *r = s->r;
    if (has(s, PART_V) || is_made(s, &sides[2])) {
        take_side(s, &sides[2]);
        return true;
    }
    if (s->from > PART_K_ROPE) return false;
    int k = has(s, PART_K) ? PART_K : has(s, PART_K_ROPE) ? PART_K_ROPE : -1, rows = k < 0 ? r->tensor[rows_of(s, true)].dim[0] : r->tensor[k].dim[1];
    r->tensor[PART_V] = (DumpTensor){.rank = 3, .dim = {r->groups, rows, 1}, .data = ARENA_ARRAY(r->arena, float, (size_t)r->groups * (size_t)rows)};
    s->input[PART_V] = true;
    dump_note(r, tr("There is no v: zeros stand in its place, and nothing behind the weights is compared."));
    return false;
}

/* Everything that stands behind what is given. */
static void take_outputs(Sort *s, bool v) {
    for (int p = s->from + 1; p <= (v ? PART_OUT : PART_WEIGHTS); p++) s->output[p] = has(s, p) && !s->input[p];
    for (int i = 0; i < 3; i++)
        if (i < 2 ? s->from == PART_V : v) s->output[sides[i].part] = has(s, sides[i].part) && !s->input[sides[i].part];
    if (!s->output[PART_OUT] || has(s, PART_W_O)) return;
    s->output[PART_OUT] = false;
    dump_note(s->r, arena_printf(s->r->arena, tr("%s is not compared: there is no w_o to make it with."), s->r->shown[PART_OUT]));
}

static void take_mask(Sort *s) {
    DumpReader *r = s->r;
    if (!has(s, PART_MASK)) return;
    bool settles = !r->told->mask && !dump_meta(r, "mask_kind");
    s->output[PART_MASK] = !settles;
    if (!settles || r->out->alone) return;
    s->input[PART_MASK] = true;
    add_meta(s, "mask_kind", mask_names[r->tensor[PART_MASK].rank == 3 ? MASK_CUSTOM_PER_HEAD : MASK_CUSTOM]);
    dump_note(r, arena_printf(r->arena, tr("%s says which keys each query may read: 1 keeps, 0 hides."), r->shown[PART_MASK]));
}

static bool sort_attention(Sort *s) {
    DumpReader *r = s->r;
    take_scores(s);
    bool v = take_v(s), linear = false;
    if (v && has(s, PART_W_O)) {
        give(s, PART_W_O);
        give(s, PART_B_O);
    }
    if (has(s, PART_POS_EMB)) give(s, PART_POS_EMB);
    take_outputs(s, v);
    take_mask(s);
    for (int i = 0; i < 3; i++) linear = linear || s->input[sides[i].weight];
    add_meta(s, "kind", "attention");
    add_int(s, "n_heads", r->heads);
    add_int(s, "n_kv_heads", r->groups);
    add_meta(s, "proj", proj_names[linear ? PROJ_LINEAR : r->told->plain ? PROJ_NONE : PROJ_GIVEN]);
    add_int(s, "out_proj", s->input[PART_W_O]);
    return true;
}

/* ---- the feed-forward layer ---- */

static bool is_feed_forward(const Sort *s) {
    for (int p = PART_Q; p <= PART_OUT; p++)
        if (has(s, p)) return false;
    return has(s, PART_FFN_ACT) || has(s, PART_FFN_OUT) || has(s, PART_FFN_HIDDEN);
}

static bool sort_feed_forward(Sort *s) {
    DumpReader *r = s->r;
    const char *activation = r->told->activation ? r->told->activation : dump_meta(r, "ffn_act");
    if (!activation) return dump_refuse(r, ERR_INPUT, tr("which activation the feed-forward layer should have is not said: --activation gelu_exact, gelu_tanh, relu or silu"));
    bool whole = rows_of(s, false) >= 0 && has(s, PART_W_FF1);
    if (!whole) { /* the activation alone */
        if (!has(s, PART_FFN_HIDDEN) || !has(s, PART_FFN_ACT)) return dump_refuse(r, ERR_INPUT, tr("a feed-forward layer needs x and w_ff1, or ffn_hidden and ffn_act"));
        give(s, PART_FFN_HIDDEN);
        s->as[PART_FFN_HIDDEN] = "x";
        s->output[PART_FFN_ACT] = true;
        s->as[PART_FFN_ACT] = activation;
        add_meta(s, "kind", "activation");
        return true;
    }
    for (int p = PART_W_FF1; p <= PART_B_FF2; p++) give(s, p);
    give(s, rows_of(s, false));
    for (int p = PART_FFN_HIDDEN; p <= PART_FFN_OUT; p++) s->output[p] = has(s, p) && (p != PART_FFN_OUT || has(s, PART_W_FF2));
    s->drop[s->n_drop++] = "ffn_act";
    add_meta(s, "kind", "ffn");
    add_meta(s, "ffn_act", activation);
    return true;
}

/* ---- as a trace file ---- */

static const char *name_of(const Sort *s, int p) { return s->as[p] ? s->as[p] : dump_names[p].name; }

static bool add_tensor(Sort *s, Safetensors *file, int p, StrBuf *list) {
    const DumpTensor *t = &s->r->tensor[p];
    TensorInput *in = &file->tensors[file->n_tensors++];
    *in = (TensorInput){.name = name_of(s, p), .rank = t->rank, .dim = {1, 1, 1, 1}, .data = t->data};
    memcpy(in->dim, t->dim, (size_t)t->rank * sizeof *t->dim);
    sb_printf(list, "%s%s", list->length ? " " : "", in->name);
    return true;
}

static bool is_dropped(const Sort *s, const char *key) {
    for (int i = 0; i < s->n_drop; i++)
        if (str_eq(s->drop[i], key)) return true;
    for (int i = 0; i < s->n_meta; i++)
        if (str_eq(s->meta[i].key, key)) return true;
    return false;
}

static bool as_trace_file(Sort *s) {
    DumpReader *r = s->r;
    Safetensors file = {.tensors = ARENA_ARRAY(r->arena, TensorInput, PART_COUNT)};
    StrBuf inputs, outputs;
    sb_init(&inputs, r->arena);
    sb_init(&outputs, r->arena);
    sb_add(&inputs, "");
    sb_add(&outputs, "");
    r->out->shown = ARENA_ARRAY(r->arena, const char *, PART_COUNT);
    r->out->tolerance = ARENA_ARRAY(r->arena, double, PART_COUNT);
    for (int p = 0; p < PART_COUNT; p++)
        if (s->input[p]) add_tensor(s, &file, p, &inputs);
    int n = 0;
    for (int p = 0; p < PART_COUNT; p++) {
        if (!s->output[p]) continue;
        add_tensor(s, &file, p, &outputs);
        r->out->shown[n] = r->shown[p];
        r->out->tolerance[n++] = dump_tolerance(r, p);
    }
    add_meta(s, "inputs", inputs.data);
    add_meta(s, "outputs", outputs.data);
    file.meta = ARENA_ARRAY(r->arena, MetaPair, (size_t)(r->header.n_meta + s->n_meta + 1));
    for (int i = 0; i < r->header.n_meta; i++)
        if (!is_dropped(s, r->header.meta[i].key)) file.meta[file.n_meta++] = r->header.meta[i];
    for (int i = 0; i < s->n_meta; i++) file.meta[file.n_meta++] = s->meta[i];
    return tracefile_from(&file, r->path, r->arena, &r->out->file, r->err);
}

static const char *names_there(const Sort *s) {
    StrBuf list;
    sb_init(&list, s->r->arena);
    sb_add(&list, "");
    for (int p = 0; p < PART_COUNT; p++)
        if (has(s, p)) sb_printf(&list, "%s%s", list.length ? ", " : "", dump_names[p].name);
    return list.data;
}

bool dump_sort(DumpReader *r) {
    Sort *s = ARENA_NEW(r->arena, Sort);
    *s = (Sort){.r = r};
    const char *there = names_there(s);
    bool none = there[0] == '\0';
    if (none) return dump_refuse(r, ERR_INPUT, tr("no tensor of this file has a name that is known here: x, w_q, w_k, w_v, w_o, q, k, v, scores, scaled, masked, weights, head_out, concat, out"));
    if (!(is_feed_forward(s) ? sort_feed_forward(s) : sort_attention(s))) return false;
    int n = 0;
    for (int p = 0; p < PART_COUNT; p++) n += s->output[p];
    if (n == 0 && !r->out->alone)
        return dump_refuse(r, ERR_INPUT, tr("nothing can be compared: of %s no tensor follows from the others"), there);
    return as_trace_file(s);
}
