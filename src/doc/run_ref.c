/* Numbers by name: "layers.3.weights[2, sat, cat]" as text and back. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/run_network.h"

enum { REF_MAX = 160, PART_MAX = 96 };

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
    const char *feature = names && kind == AXIS_FEATURE ? run_feature_name(run, trace_tensor(run->trace, id), axis, i) : NULL;
    bool numbered = kind == AXIS_QUERY && (run->fields & RUN_TOKENS_NUMBERED);
    if (tokens && !numbered && i >= 0 && i < tokens->n) token_part(out, tokens, i);
    else if (feature && plain_name(feature) && strlen(feature) <= 40) plain_digits(out, PART_MAX, feature, false);
    else snprintf(out, PART_MAX, "%d", i + 1);
}

char *run_ref_text(char out[160], const Run *run, TensorId id, const int index[TENSOR_RANK_MAX]) {
    if (id == TENSOR_NONE) { /* a number of the settings */
        snprintf(out, REF_MAX, "%s", tr("fill"));
        return out;
    }
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

/* A name without its layer, in the layer that `stage` belongs to: of its attention, its block, its stack. */
static TensorId find_beside(const Run *run, int stage, const char *name) {
    char scope[96], id[256];
    if (stage < 0 && run->n_sites > 1) return TENSOR_NONE;
    snprintf(scope, sizeof scope, "%s", run_site(run, stage)->scope);
    for (;;) {
        snprintf(id, sizeof id, "%s%s%.128s", scope, scope[0] ? "." : "", name);
        TensorId found = trace_find(run->trace, id);
        if (found != TENSOR_NONE || !scope[0]) return found;
        char *dot = strrchr(scope, '.');
        if (dot) *dot = 0;
        else scope[0] = 0;
    }
}

/* The only tensor of this name in any layer; more than one is an error. */
static TensorId find_alone(const Run *run, const char *name, Err *err) {
    int n = 0;
    TensorId first = TENSOR_NONE, last = TENSOR_NONE;
    for (int i = 0; i < trace_tensor_count(run->trace); i++) {
        if (!str_eq(trace_tensor(run->trace, i)->name, name)) continue;
        if (n++ == 0) first = i;
        last = i;
    }
    if (n < 2) return first;
    err_set(err, ERR_INPUT, tr("%d tensors are called %s: say which one, from %s to %s"), n, name, trace_tensor(run->trace, first)->id,
            trace_tensor(run->trace, last)->id);
    return TENSOR_NONE;
}

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
        const char *feature = run_feature_name(run, t, axis, i);
        if (!feature) return -1;
        plain_digits(have, sizeof have, feature, true);
        if (str_eq(want, have)) return i;
    }
    return -1;
}

/* A token id by its piece; quotes around it may be left out. */
static int find_piece(const Run *run, const char *text) {
    const Encoder *encoder = run->network ? checkpoint_encoder(run->network->checkpoint) : NULL;
    char piece[128];
    size_t length = strlen(text);
    bool quoted = length > 2 && text[0] == '"' && text[length - 1] == '"';
    snprintf(piece, sizeof piece, "%.*s", (int)(quoted ? length - 2 : length), text + quoted);
    return encoder ? encoder_find(encoder, piece) : -1;
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
    if (kind == AXIS_VOCABULARY && !str_to_int(text, &number) && (*out = find_piece(run, text)) >= 0) return true;
    if (kind == AXIS_HEAD && str_starts(text, "head ")) text += 5;
    return resolve_number(t, axis, text, out, err);
}

bool run_resolve(const Run *run, const char *text, TensorId *id, int index[TENSOR_RANK_MAX], Err *err) {
    return run_resolve_at(run, -1, text, id, index, err);
}

static bool find_tensor(const Run *run, int stage, const char *name, TensorId *id, Err *err) {
    Err several = {0};
    *id = trace_find(run->trace, name);
    if (*id == TENSOR_NONE) *id = find_beside(run, stage, name);
    if (*id == TENSOR_NONE) *id = find_alone(run, name, &several);
    if (*id != TENSOR_NONE) return true;
    if (several.code == ERR_NONE) return unknown_tensor(run, name, err);
    if (err && err->code == ERR_NONE) *err = several;
    return false;
}

bool run_resolve_at(const Run *run, int stage, const char *text, TensorId *id, int index[TENSOR_RANK_MAX], Err *err) {
    char buffer[1024];
    if (strlen(text) >= sizeof buffer) return err_set(err, ERR_INPUT, "%s", tr("the name of the number is too long"));
    snprintf(buffer, sizeof buffer, "%s", text);
    char *open = strchr(buffer, '['), *name = buffer + strspn(buffer, " \t");
    if (open) *open = 0;
    for (size_t n = strlen(name); n && (name[n - 1] == ' ' || name[n - 1] == '\t');) name[--n] = 0;
    if (!find_tensor(run, stage, name, id, err)) return false;
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
