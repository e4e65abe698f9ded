/* Masks and positions of the scenario file: a kind, a mapping with its parameters, or a list of masks. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/tr.h"
#include "doc/yaml_schema.h"

/* ---- parameters of masks ---- */

typedef enum { PARAM_INT, PARAM_BOOL, PARAM_SIDE, PARAM_KEYS, PARAM_TOKENS } ParamType;

typedef struct {
    MaskKind kind;
    const char *name;
    ParamType type;
    size_t at;      /* in MaskSpec */
    int min;
    bool needed;
} MaskParam;

static const MaskParam mask_params[] = {
    {MASK_PADDING, "keys", PARAM_KEYS, 0, 1, true},
    {MASK_PADDING, "side", PARAM_SIDE, offsetof(MaskSpec, pad_left), 0, false},
    {MASK_WINDOW, "left", PARAM_INT, offsetof(MaskSpec, left), 0, true},
    {MASK_WINDOW, "right", PARAM_INT, offsetof(MaskSpec, right), 0, true},
    {MASK_LOCAL_BLOCK, "block", PARAM_INT, offsetof(MaskSpec, block), 1, true},
    {MASK_LOCAL_BLOCK, "causal", PARAM_BOOL, offsetof(MaskSpec, causal), 0, false},
    {MASK_GLOBAL_WINDOW, "each_side", PARAM_INT, offsetof(MaskSpec, left), 0, true},
    {MASK_GLOBAL_WINDOW, "tokens", PARAM_TOKENS, 0, 1, false},
    {MASK_GLOBAL_WINDOW, "causal", PARAM_BOOL, offsetof(MaskSpec, causal), 0, false},
    {MASK_STRIDED, "stride", PARAM_INT, offsetof(MaskSpec, stride), 1, true},
    {MASK_STRIDED, "causal", PARAM_BOOL, offsetof(MaskSpec, causal), 0, false},
};
enum { MASK_PARAMS = sizeof mask_params / sizeof *mask_params };

#define PARAM(mask, param, Type) (*(Type *)(void *)((char *)&(mask)->spec + (param)->at))
#define PARAM_OF(mask, param, Type) (*(const Type *)(const void *)((const char *)&(mask)->spec + (param)->at))

/* Positions from 1 to a blob of positions from 0. */
static bool read_positions(YamlReader *r, const YamlNode *node, Blob **out) {
    char found[96];
    if (node->kind != NODE_LIST || node->n == 0)
        return yaml_bad(r, node, ERR_INPUT, tr("expected a list of positions, found %s"), yaml_found(node, found));
    int *list = arena_try(r->arena, (size_t)node->n, sizeof *list), n = 0;
    if (!list) return yaml_bad(r, node, ERR_MEMORY, "%s", tr("out of memory"));
    for (const YamlNode *item = node->first; item; item = item->next) {
        if (!yaml_int(r, item, 1, TENSOR_DIM_MAX, &list[n])) return false;
        list[n++] -= 1;
    }
    doc_set_blob(out, list, (size_t)n * sizeof *list);
    return true;
}

static bool read_param(YamlReader *r, const MaskParam *param, const YamlNode *node, DocMask *mask) {
    static const char *const sides[] = {"right", "left"};
    int side;
    switch (param->type) {
    case PARAM_INT: return yaml_int(r, node, param->min, TENSOR_DIM_MAX, &PARAM(mask, param, int));
    case PARAM_BOOL: return yaml_bool(r, node, &PARAM(mask, param, bool));
    case PARAM_SIDE:
        if (!yaml_choice(r, node, sides, 2, &side)) return false;
        mask->spec.pad_left = side == 1;
        return true;
    case PARAM_KEYS: /* a list of keys, how many at the end, or the token that is padding */
        if (node->kind == NODE_LIST) return read_positions(r, node, &mask->keys);
        mask->by_token = node->kind == NODE_SCALAR && str_eq(node->text, DOC_PAD);
        if (mask->by_token) return true;
        return yaml_int(r, node, 0, TENSOR_DIM_MAX, &mask->spec.pad_keys);
    case PARAM_TOKENS: return read_positions(r, node, &mask->globals);
    }
    return false;
}

static const MaskParam *find_param(YamlReader *r, MaskKind kind, const YamlNode *key) {
    const char *names[MASK_PARAMS + 1] = {"kind"};
    int row[MASK_PARAMS + 1] = {0}, n = 1;
    for (int i = 0; i < MASK_PARAMS; i++) {
        if (mask_params[i].kind != kind) continue;
        row[n] = i;
        names[n++] = mask_params[i].name;
    }
    int at = yaml_find_key(r, key, names, n);
    return at < 0 ? NULL : &mask_params[row[at]];
}

static bool check_needed(YamlReader *r, const YamlNode *at, MaskKind kind, const bool seen[MASK_PARAMS]) {
    for (int i = 0; i < MASK_PARAMS; i++)
        if (mask_params[i].kind == kind && mask_params[i].needed && !seen[i])
            return yaml_bad(r, at, ERR_INPUT, tr("mask %s needs %s: {kind: %s, %s: …}"), mask_names[kind],
                            mask_params[i].name, mask_names[kind], mask_params[i].name);
    return true;
}

static bool read_kind(YamlReader *r, const YamlNode *node, DocMask *mask) {
    int kind;
    if (!yaml_choice(r, node, mask_names, MASK_KIND_COUNT, &kind)) return false;
    mask->spec.kind = (MaskKind)kind;
    return true;
}

static const YamlNode *map_value(const YamlNode *map, const char *name) {
    for (const YamlNode *k = map->first; k; k = k->next->next)
        if (str_eq(k->text, name)) return k->next;
    return NULL;
}

static bool read_one_mask(YamlReader *r, const YamlNode *node, DocMask *mask) {
    bool seen[MASK_PARAMS] = {false};
    if (node->kind != NODE_MAP) return read_kind(r, node, mask) && check_needed(r, node, mask->spec.kind, seen);
    const YamlNode *kind = map_value(node, "kind");
    if (!kind) return yaml_bad(r, node, ERR_INPUT, "%s", tr("kind is missing: {kind: window, left: 2, right: 0}"));
    if (!read_kind(r, kind, mask)) return false;
    for (const YamlNode *k = node->first; k; k = k->next->next) {
        if (k->next == kind) continue;
        const MaskParam *param = find_param(r, mask->spec.kind, k);
        if (!param) return false;
        size_t path = yaml_path_enter(r, param->name, 0);
        if (!read_param(r, param, k->next, mask)) return false;
        yaml_path_leave(r, path);
        seen[param - mask_params] = true;
    }
    return check_needed(r, node, mask->spec.kind, seen);
}

static void drop_masks(Doc *doc) {
    for (int i = 0; i < MASK_LIST_MAX; i++) doc_mask_reset(&doc->masks[i]);
    doc->n_masks = 0;
}

bool yaml_read_mask(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    bool list = node->kind == NODE_LIST;
    int n = list ? node->n : 1;
    if (n > MASK_LIST_MAX) return yaml_bad(r, node, ERR_LIMIT, tr("%d masks; up to %d are possible"), n, MASK_LIST_MAX);
    drop_masks(r->doc);
    r->mask = node;
    int i = 1;
    for (const YamlNode *item = list ? node->first : node; item; item = list ? item->next : NULL, i++) {
        size_t path = list ? yaml_path_enter(r, NULL, i) : strlen(r->path);
        DocMask *mask = &r->doc->masks[r->doc->n_masks++]; /* counted at once, so that a reset finds its blobs */
        if (!read_one_mask(r, item, mask)) return false;
        yaml_path_leave(r, path);
        if (mask->spec.kind == MASK_NONE) r->doc->n_masks--;
    }
    return true;
}

bool yaml_read_keep(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    r->keep = node;
    return true;
}

static DocMask *custom_mask(Doc *doc) {
    for (int i = 0; i < doc->n_masks; i++)
        if (doc->masks[i].spec.kind == MASK_CUSTOM || doc->masks[i].spec.kind == MASK_CUSTOM_PER_HEAD) return &doc->masks[i];
    return NULL;
}

bool yaml_join_keep(YamlReader *r) {
    DocMask *mask = custom_mask(r->doc);
    if (!r->keep) {
        if (!mask || mask->keep.rank) return true;
        snprintf(r->path, sizeof r->path, "mask");
        return yaml_bad(r, r->mask, ERR_INPUT, "%s",
                        tr("mask custom needs keep: a matrix with 1 where a key may be read and 0 where not"));
    }
    snprintf(r->path, sizeof r->path, "keep");
    if (!mask) return yaml_bad(r, r->keep, ERR_INPUT, "%s", tr("keep is for mask: custom, which is not set"));
    if (!yaml_take_matrix(r, r->keep, "keep", 2, 3, &mask->keep)) return false;
    const float *at = mask->keep.data->bytes;
    for (size_t i = 0; i < mask->keep.data->size / sizeof *at; i++)
        if (at[i] != 0 && at[i] != 1)
            return yaml_bad(r, r->keep, ERR_INPUT, tr("keep holds 1 (keep) and 0 (hide), found %g"), (double)at[i]);
    mask->spec.kind = mask->keep.rank == 3 ? MASK_CUSTOM_PER_HEAD : MASK_CUSTOM;
    r->path[0] = 0;
    return true;
}

/* ---- writing masks ---- */

static void put_positions(StrBuf *sb, const Blob *blob) {
    const int *list = blob->bytes;
    sb_add(sb, "[");
    for (size_t i = 0; i < blob->size / sizeof *list; i++) sb_printf(sb, "%s%d", i ? ", " : "", list[i] + 1);
    sb_add(sb, "]");
}

static bool param_is_default(const DocMask *mask, const MaskParam *param) {
    if (param->needed) return false;
    if (param->type == PARAM_TOKENS) return !mask->globals;
    if (param->type == PARAM_SIDE) return !mask->spec.pad_left || mask->keys || mask->by_token;
    return !PARAM_OF(mask, param, bool);
}

static void put_param(StrBuf *sb, const DocMask *mask, const MaskParam *param) {
    sb_printf(sb, ", %s: ", param->name);
    switch (param->type) {
    case PARAM_INT: sb_printf(sb, "%d", PARAM_OF(mask, param, int)); break;
    case PARAM_BOOL: sb_add(sb, PARAM_OF(mask, param, bool) ? "true" : "false"); break;
    case PARAM_SIDE: sb_add(sb, mask->spec.pad_left ? "left" : "right"); break;
    case PARAM_KEYS:
        if (mask->by_token) sb_add(sb, "\"" DOC_PAD "\"");
        else if (mask->keys) put_positions(sb, mask->keys);
        else sb_printf(sb, "%d", mask->spec.pad_keys);
        break;
    case PARAM_TOKENS: put_positions(sb, mask->globals); break;
    }
}

static void put_mask(StrBuf *sb, const DocMask *mask) {
    MaskKind kind = mask->spec.kind == MASK_CUSTOM_PER_HEAD ? MASK_CUSTOM : mask->spec.kind;
    bool map = false;
    for (int i = 0; i < MASK_PARAMS; i++) map = map || mask_params[i].kind == kind;
    sb_printf(sb, map ? "{kind: %s" : "%s", mask_names[kind]);
    for (int i = 0; i < MASK_PARAMS; i++)
        if (mask_params[i].kind == kind && !param_is_default(mask, &mask_params[i])) put_param(sb, mask, &mask_params[i]);
    if (map) sb_add(sb, "}");
}

bool yaml_write_mask(YamlWriter *w, const YamlKey *key) {
    const Doc *doc = w->doc;
    if (doc->n_masks == 0) return false;
    sb_printf(&w->sb, "%s: %s", key->name, doc->n_masks > 1 ? "[" : "");
    for (int i = 0; i < doc->n_masks; i++) {
        if (i) sb_add(&w->sb, ", ");
        put_mask(&w->sb, &doc->masks[i]);
    }
    sb_add(&w->sb, doc->n_masks > 1 ? "]\n" : "\n");
    return true;
}

bool yaml_write_keep(YamlWriter *w, const YamlKey *key) {
    for (int i = 0; i < w->doc->n_masks; i++) {
        if (!w->doc->masks[i].keep.rank) continue;
        yaml_put_matrix(&w->sb, key->name, &w->doc->masks[i].keep);
        return true;
    }
    return false;
}

/* ---- positions ---- */

/* POSITION_GIVEN is a built-in model's own and is called built-in. */
static const char *const rope_keys[] = {"kind", "dim", "theta", "offset"};
static const char *const alibi_keys[] = {"kind", "slopes"};

static bool is_rope(PositionKind kind) {
    return kind == POSITION_ROPE_INTERLEAVED || kind == POSITION_ROPE_HALF;
}

static bool read_slopes(YamlReader *r, const YamlNode *node, Blob **out) {
    char found[96];
    if (node->kind != NODE_LIST || node->n == 0)
        return yaml_bad(r, node, ERR_INPUT, tr("expected a list of slopes, one a head, found %s"), yaml_found(node, found));
    double *list = arena_try(r->arena, (size_t)node->n, sizeof *list);
    int n = 0;
    if (!list) return yaml_bad(r, node, ERR_MEMORY, "%s", tr("out of memory"));
    for (const YamlNode *item = node->first; item; item = item->next) {
        if (!yaml_number(r, item, &list[n])) return false;
        if (!isfinite(list[n++])) return yaml_bad(r, item, ERR_INPUT, tr("a slope is a finite number, found %s"), item->text);
    }
    doc_set_blob(out, list, (size_t)n * sizeof *list);
    return true;
}

static bool read_theta(YamlReader *r, const YamlNode *node, double *out) {
    char found[96];
    if (!yaml_number(r, node, out)) return false;
    return (isfinite(*out) && *out > 0) ||
           yaml_bad(r, node, ERR_INPUT, tr("expected a number above 0, found %s"), yaml_found(node, found));
}

static bool read_position_param(YamlReader *r, const char *name, const YamlNode *node, Doc *doc) {
    PositionSpec *position = &doc->position;
    if (str_eq(name, "dim")) return yaml_int(r, node, 2, TENSOR_DIM_MAX, &position->rope_dim);
    if (str_eq(name, "offset")) return yaml_int(r, node, 0, 100000000, &position->rope_offset);
    if (str_eq(name, "theta")) return read_theta(r, node, &position->rope_theta);
    return read_slopes(r, node, &doc->slopes);
}

static bool read_position_map(YamlReader *r, const YamlNode *node, const YamlNode *kind) {
    bool rope = is_rope(r->doc->position.kind), alibi = r->doc->position.kind == POSITION_ALIBI;
    const char *const *names = alibi ? alibi_keys : rope_keys;
    int count = rope ? 4 : alibi ? 2 : 1;
    for (const YamlNode *k = node->first; k; k = k->next->next) {
        int at = yaml_find_key(r, k, names, count);
        if (at < 0) return false;
        if (k->next == kind) continue;
        size_t path = yaml_path_enter(r, names[at], 0);
        if (!read_position_param(r, names[at], k->next, r->doc)) return false;
        yaml_path_leave(r, path);
    }
    return true;
}

bool yaml_read_position(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    const YamlNode *kind = node->kind == NODE_MAP ? map_value(node, "kind") : node;
    int value;
    if (!kind) return yaml_bad(r, node, ERR_INPUT, "%s", tr("kind is missing: {kind: rope_half, dim: 4}"));
    if (!yaml_choice(r, kind, position_names, POSITION_RELATIVE, &value)) return false;
    Doc *doc = r->doc;
    bool built_in = value == POSITION_GIVEN;
    doc->position_origin = built_in ? DOC_POSITION_BUILT_IN : DOC_POSITION_SET;
    doc->position = (PositionSpec){.kind = built_in ? POSITION_NONE : (PositionKind)value};
    doc_set_blob(&doc->slopes, NULL, 0);
    return kind == node || read_position_map(r, node, kind);
}

bool yaml_write_position(YamlWriter *w, const YamlKey *key) {
    const Doc *doc = w->doc;
    const PositionSpec *p = &doc->position;
    char number[NUM_MAX];
    if (doc->position_origin == DOC_POSITION_BUILT_IN) return false;
    bool map = p->rope_dim || p->rope_theta > 0 || p->rope_offset || doc->slopes;
    sb_printf(&w->sb, map ? "%s: {kind: %s" : "%s: %s", key->name, position_names[p->kind]);
    if (p->rope_dim) sb_printf(&w->sb, ", dim: %d", p->rope_dim);
    if (p->rope_theta > 0) sb_printf(&w->sb, ", theta: %s", yaml_double(number, p->rope_theta));
    if (p->rope_offset) sb_printf(&w->sb, ", offset: %d", p->rope_offset);
    if (doc->slopes) {
        const double *list = doc->slopes->bytes;
        sb_add(&w->sb, ", slopes: [");
        for (size_t i = 0; i < doc->slopes->size / sizeof *list; i++)
            sb_printf(&w->sb, "%s%s", i ? ", " : "", yaml_double(number, list[i]));
        sb_add(&w->sb, "]");
    }
    sb_add(&w->sb, map ? "}\n" : "\n");
    return true;
}
