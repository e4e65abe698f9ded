#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/run.h"

enum { H = AXIS_HEAD, Q = AXIS_QUERY, K = AXIS_KEY, F = AXIS_FEATURE, SL = AXIS_SLOT, PA = AXIS_PAIR, OT = AXIS_OTHER };
enum { REF_MAX = 160, PART_MAX = 96 };

/* What the axes of each tensor count. A mask without heads uses the last two. */
typedef struct {
    const char *name;
    int n;
    int axis[3];
    int matrix; /* MatrixName that an edit of it goes to, -1 = computed */
} AxisRow;

static const AxisRow axis_table[] = {
    {"tok", 2, {Q, F}, MATRIX_X},
    {"x", 2, {Q, F}, MATRIX_X},
    {"pe", 2, {Q, F}, -1},
    {"x_kv", 2, {K, F}, MATRIX_X_KV},
    {"pos_emb", 2, {OT, F}, MATRIX_POS_EMB},
    {"w_q", 2, {SL, F}, MATRIX_W_Q},
    {"w_k", 2, {SL, F}, MATRIX_W_K},
    {"w_v", 2, {SL, F}, MATRIX_W_V},
    {"w_o", 2, {F, SL}, MATRIX_W_O},
    {"b_q", 1, {SL}, MATRIX_B_Q},
    {"b_k", 1, {SL}, MATRIX_B_K},
    {"b_v", 1, {SL}, MATRIX_B_V},
    {"b_o", 1, {F}, MATRIX_B_O},
    {"q", 3, {H, Q, SL}, MATRIX_Q},
    {"k", 3, {H, K, SL}, MATRIX_K},
    {"v", 3, {H, K, SL}, MATRIX_V},
    {"rope_cos", 2, {Q, PA}, -1},
    {"rope_sin", 2, {Q, PA}, -1},
    {"q_rope", 3, {H, Q, SL}, -1},
    {"k_rope", 3, {H, K, SL}, -1},
    {"scores", 3, {H, Q, K}, MATRIX_SCORES},
    {"scaled", 3, {H, Q, K}, -1},
    {"alibi_slopes", 1, {H}, -1},
    {"bias", 3, {H, Q, K}, -1},
    {"mask", 3, {H, Q, K}, -1},
    {"masked", 3, {H, Q, K}, -1},
    {"row_max", 2, {H, Q}, -1},
    {"exp", 3, {H, Q, K}, -1},
    {"row_sum", 2, {H, Q}, -1},
    {"weights", 3, {H, Q, K}, MATRIX_WEIGHTS},
    {"head_out", 3, {H, Q, SL}, -1},
    {"concat", 2, {Q, SL}, -1},
    {"out", 2, {Q, F}, -1},
};

static const AxisRow *axis_row(const Run *run, TensorId id) {
    const char *name = trace_tensor(run->trace, id)->name;
    for (size_t i = 0; i < sizeof axis_table / sizeof *axis_table; i++)
        if (str_eq(axis_table[i].name, name)) return &axis_table[i];
    return NULL;
}

AxisKind run_axis(const Run *run, TensorId id, int axis) {
    const AxisRow *row = axis_row(run, id);
    if (!row) return AXIS_OTHER;
    int at = axis + row->n - trace_tensor(run->trace, id)->rank;
    return at >= 0 && at < row->n ? (AxisKind)row->axis[at] : AXIS_OTHER;
}

int run_matrix_of(const Run *run, TensorId id) {
    const AxisRow *row = axis_row(run, id);
    const Tensor *t = trace_tensor(run->trace, id);
    if (!row || row->matrix < 0) return -1;
    return trace_op(run->trace, t->op)->kind == OP_INPUT ? row->matrix : -1;
}

int run_edit_of(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX]) {
    int matrix = run->doc.n_edits > 0 ? run_matrix_of(run, id) : -1;
    if (matrix < 0) return -1;
    int rank = trace_tensor(run->trace, id)->rank, skip = doc_matrix_rank((MatrixName)matrix) - rank; /* a 2-D q is head 1 */
    for (int i = 0; i < run->doc.n_edits; i++) {
        const DocEdit *edit = doc_edit_at(&run->doc, i);
        if (!run->edit_active[i] || (int)edit->matrix != matrix) continue;
        bool same = true;
        for (int a = 0; a < rank; a++) same = same && edit->index[a + skip] == index[a];
        if (same) return i;
    }
    return -1;
}

const TokenList *run_axis_tokens(const Run *run, TensorId id, AxisKind kind) {
    if (kind != AXIS_QUERY && kind != AXIS_KEY) return NULL;
    const Site *site = run_site_of(run, id);
    return kind == AXIS_QUERY ? site->queries : site->keys;
}

/* Names of the entries of a slot axis, all heads one behind the other, or NULL. */
static const char **slot_names(const Run *run, const char *tensor, int *n) {
    static const struct {
        const char *tensor;
        bool value;
    } side[] = {{"q", false}, {"q_rope", false}, {"k", false}, {"k_rope", false}, {"w_q", false}, {"w_k", false},
                {"b_q", false}, {"b_k", false}, {"v", true}, {"w_v", true}, {"b_v", true}, {"head_out", true},
                {"concat", true}, {"w_o", true}};
    const Source *s = &run->source;
    for (size_t i = 0; i < sizeof side / sizeof *side; i++) {
        if (!str_eq(side[i].tensor, tensor)) continue;
        *n = s->n_heads * (side[i].value ? s->d_v : s->d_k);
        return side[i].value ? s->slot_v : s->slot_q;
    }
    return NULL;
}

const char *run_slot_label(const Run *run, TensorId id, int head, int slot) {
    const Tensor *t = trace_tensor(run->trace, id);
    int n = 0;
    const char **names = slot_names(run, t->name, &n);
    if (!names || t->rank != 3) return NULL;
    int heads = run->source.n_heads, width = heads ? n / heads : 0;
    if (width != t->dim[2]) return NULL;
    if (t->dim[0] < heads && heads % t->dim[0] == 0) head *= heads / t->dim[0]; /* grouped keys: the group's first */
    int at = heads == 1 ? slot : head * width + slot;
    return at >= 0 && at < n ? names[at] : NULL;
}

static const char *feature_name(const Run *run, const Tensor *t, int axis, int i) {
    const Source *s = &run->source;
    return s->feature && t->dim[axis] == s->d_model && i < s->d_model ? s->feature[i] : NULL;
}

const char *run_label(const Run *run, TensorId id, int axis, int i, char buffer[32]) {
    const Tensor *t = trace_tensor(run->trace, id);
    AxisKind kind = run_axis(run, id, axis);
    const TokenList *tokens = run_axis_tokens(run, id, kind);
    const char *label = NULL;
    int n = 0;
    if (tokens && i >= 0 && i < tokens->n) label = tokens->items[i].label;
    if (kind == AXIS_FEATURE) label = feature_name(run, t, axis, i);
    if (kind == AXIS_SLOT && t->rank < 3) {
        const char **names = slot_names(run, t->name, &n);
        if (names && n == t->dim[axis]) label = names[i];
    }
    if (label) return label;
    snprintf(buffer, 32, "%d", i + 1);
    return buffer;
}

/* ---- a number's name as text ---- */

static int same_before(const TokenList *tokens, int i, bool *again) {
    int before = 0;
    *again = false;
    for (int j = 0; j < tokens->n; j++) {
        if (j == i || !str_eq(tokens->items[j].text, tokens->items[i].text)) continue;
        before += j < i;
        *again = true;
    }
    return before;
}

static bool is_token(const TokenList *tokens, const char *name) {
    for (int i = 0; i < tokens->n; i++)
        if (str_eq(tokens->items[i].text, name)) return true;
    return false;
}

static bool plain_name(const char *text) {
    double number;
    if (!*text || str_to_double(text, &number)) return false;
    return strcspn(text, "[],#\"\\ \t\r\n") == strlen(text);
}

/* A token by its name, quoted where it would be read otherwise; by its position when no name is safe. */
static void token_part(char out[PART_MAX], const TokenList *tokens, int i) {
    const char *text = tokens->items[i].text;
    bool again;
    int before = same_before(tokens, i, &again);
    bool unsafe = strlen(text) > 40 || strpbrk(text, "\"\\#\n\r\t") != NULL || !*text;
    snprintf(out, PART_MAX, "%.40s#%d", text, before + 1);
    if (unsafe || (again && (!plain_name(text) || is_token(tokens, out)))) snprintf(out, PART_MAX, "%d", i + 1);
    else if (again) return;
    else if (plain_name(text)) snprintf(out, PART_MAX, "%s", text);
    else snprintf(out, PART_MAX, "\"%s\"", text);
}

/* "id₁" as "id1"; with `typed` "id_1" as well, so that all three can be typed. */
static void plain_digits(char *out, size_t size, const char *text, bool typed) {
    size_t n = 0;
    while (*text && n + 1 < size) {
        const unsigned char *u = (const unsigned char *)text;
        bool sub = u[0] == 0xE2 && u[1] == 0x82 && u[2] >= 0x80 && u[2] <= 0x89;
        bool skip = typed && u[0] == '_' && u[1] >= '0' && u[1] <= '9';
        if (!skip) out[n++] = sub ? (char)('0' + (u[2] - 0x80)) : *text;
        text += sub ? 3 : 1;
    }
    out[n] = 0;
}

static void index_part(char out[PART_MAX], const Run *run, TensorId id, int axis, int i, bool names) {
    AxisKind kind = run_axis(run, id, axis);
    const TokenList *tokens = names ? run_axis_tokens(run, id, kind) : NULL;
    const char *feature = names && kind == AXIS_FEATURE ? feature_name(run, trace_tensor(run->trace, id), axis, i) : NULL;
    bool numbered = kind == AXIS_QUERY && (run->fields & RUN_TOKENS_NUMBERED);
    if (tokens && !numbered && i >= 0 && i < tokens->n) token_part(out, tokens, i);
    else if (feature && plain_name(feature) && strlen(feature) <= 40) plain_digits(out, PART_MAX, feature, false);
    else snprintf(out, PART_MAX, "%d", i + 1);
}

char *run_ref_text(char out[160], const Run *run, TensorId id, const int index[TENSOR_RANK_MAX]) {
    const Tensor *t = trace_tensor(run->trace, id);
    for (int names = 1; names >= 0; names--) {
        int length = snprintf(out, REF_MAX, "%s[", t->id);
        for (int a = 0; a < t->rank && length < REF_MAX; a++) {
            char part[PART_MAX];
            index_part(part, run, id, a, index[a], names != 0);
            length += snprintf(out + length, (size_t)(REF_MAX - length), "%s%s", a ? ", " : "", part);
        }
        if (length < REF_MAX) length += snprintf(out + length, (size_t)(REF_MAX - length), "]");
        if (length < REF_MAX) break; /* else again with positions, which are short */
    }
    return out;
}

/* ---- and back ---- */

static bool unknown_tensor(const Run *run, const char *name, Err *err) {
    char list[400] = "";
    StrNearest near = str_nearest(name);
    for (int i = 0; i < trace_tensor_count(run->trace); i++) {
        str_offer(&near, trace_tensor(run->trace, i)->id);
        str_list_add(list, sizeof list, trace_tensor(run->trace, i)->id);
    }
    if (near.word) return err_set(err, ERR_INPUT, tr("there is no tensor '%s' - did you mean %s? Known: %s"), name, near.word, list);
    return err_set(err, ERR_INPUT, tr("there is no tensor '%s'. Known: %s"), name, list);
}

/* The next index of "a, b, c]" without spaces around it; quotes protect commas. *last: it was closed by ]. */
static char *next_index(char **at, bool *last) {
    char *start = *at + strspn(*at, " \t"), *p = start;
    bool quoted = false;
    while (*p && (quoted || (*p != ',' && *p != ']'))) {
        if (*p == '\\' && quoted && p[1]) p++;
        else if (*p == '"') quoted = !quoted;
        p++;
    }
    if (!*p) return NULL;
    *last = *p == ']';
    *at = p + 1;
    char *end = p;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) end--;
    *end = 0;
    return start;
}

static int find_feature(const Run *run, const Tensor *t, int axis, const char *name) {
    char want[64], have[64];
    plain_digits(want, sizeof want, name, true);
    for (int i = 0; i < t->dim[axis]; i++) {
        const char *feature = feature_name(run, t, axis, i);
        if (!feature) return -1;
        plain_digits(have, sizeof have, feature, true);
        if (str_eq(want, have)) return i;
    }
    return -1;
}

static bool resolve_number(const Tensor *t, int axis, const char *text, int *out, Err *err) {
    int number;
    if (!str_to_int(text, &number))
        return err_set(err, ERR_INPUT, tr("'%s' is not a position: index %d of %s counts from 1 to %d"), text, axis + 1,
                       t->id, t->dim[axis]);
    if (number < 1 || number > t->dim[axis]) {
        char shape[64];
        return err_set(err, ERR_INPUT, tr("%d is outside: index %d of %s, whose shape is %s, counts from 1 to %d"), number,
                       axis + 1, t->id, tensor_shape_text(shape, t->rank, t->dim), t->dim[axis]);
    }
    *out = number - 1;
    return true;
}

static bool resolve_index(const Run *run, TensorId id, int axis, const char *text, int *out, Err *err) {
    const Tensor *t = trace_tensor(run->trace, id);
    AxisKind kind = run_axis(run, id, axis);
    const TokenList *tokens = run_axis_tokens(run, id, kind);
    int number;
    if (tokens && !str_to_int(text, &number)) return token_resolve(tokens, text, out, err);
    if (kind == AXIS_FEATURE && (*out = find_feature(run, t, axis, text)) >= 0) return true;
    if (kind == AXIS_HEAD && str_starts(text, "head ")) text += 5;
    return resolve_number(t, axis, text, out, err);
}

bool run_resolve(const Run *run, const char *text, TensorId *id, int index[TENSOR_RANK_MAX], Err *err) {
    char buffer[1024];
    if (strlen(text) >= sizeof buffer) return err_set(err, ERR_INPUT, "%s", tr("the name of the number is too long"));
    snprintf(buffer, sizeof buffer, "%s", text);
    char *open = strchr(buffer, '['), *name = buffer + strspn(buffer, " \t");
    if (open) *open = 0;
    for (size_t n = strlen(name); n && (name[n - 1] == ' ' || name[n - 1] == '\t');) name[--n] = 0;
    *id = trace_find(run->trace, name);
    if (*id == TENSOR_NONE) return unknown_tensor(run, name, err);
    const Tensor *t = trace_tensor(run->trace, *id);
    char shape[64], *at = open ? open + 1 : NULL;
    int n = 0;
    for (int a = 0; a < TENSOR_RANK_MAX; a++) index[a] = 0;
    for (bool last = !at; !last;) {
        char *part = next_index(&at, &last);
        if (!part) return err_set(err, ERR_INPUT, tr("'%s' has no closing ]"), text);
        if (n < t->rank && !resolve_index(run, *id, n, part, &index[n], err)) return false;
        n++;
    }
    if (at && at[strspn(at, " \t")]) return err_set(err, ERR_INPUT, tr("'%s' goes on behind its ]"), text);
    if (n == t->rank) return true;
    return err_set(err, ERR_INPUT, tr("%s has the shape %s: it needs %d indices in [ ], found %d"), t->id,
                   tensor_shape_text(shape, t->rank, t->dim), t->rank, n);
}
