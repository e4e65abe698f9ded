/* Texts, lists of words, matrices and single edited numbers of the scenario file. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tr.h"
#include "base/utf8.h"
#include "doc/yaml_schema.h"

enum { LINE_WIDTH = 100 };

#define SLOT(doc, key, Type) ((Type *)(void *)((char *)(doc) + (key)->at))
#define SLOT_OF(doc, key, Type) ((const Type *)(const void *)((const char *)(doc) + (key)->at))

/* ---- texts ---- */

bool yaml_read_text(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    char found[96];
    if (node->kind != NODE_SCALAR)
        return yaml_bad(r, node, ERR_INPUT, tr("expected a text, found %s"), yaml_found(node, found));
    size_t length = strlen(node->text);
    if (length > TEXT_MAX)
        return yaml_bad(r, node, ERR_LIMIT, tr("the text has %zu bytes; %d are possible"), length, TEXT_MAX);
    doc_set_blob(SLOT(r->doc, key, Blob *), node->text, length);
    return true;
}

bool yaml_write_text(YamlWriter *w, const YamlKey *key) {
    const Blob *text = *SLOT_OF(w->doc, key, Blob *);
    bool needed = key->at == offsetof(Doc, text) && w->doc->tokens.n == 0 && !doc_rows_given(w->doc);
    if (!text && !needed) return false; /* without it the default text would come */
    sb_printf(&w->sb, "%s: ", key->name);
    yaml_put_text(&w->sb, text ? text->bytes : "");
    sb_add(&w->sb, "\n");
    return true;
}

bool yaml_read_words(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    char found[96];
    if (node->kind != NODE_LIST || node->n == 0)
        return yaml_bad(r, node, ERR_INPUT, tr("expected a list of words such as [\"The\", \"cat\"], found %s"),
                        yaml_found(node, found));
    if (node->n > TOKENS_MAX)
        return yaml_bad(r, node, ERR_LIMIT, tr("%d tokens are more than the limit of %d"), node->n, TOKENS_MAX);
    const char **words = arena_try(r->arena, (size_t)node->n, sizeof *words);
    if (!words) return yaml_bad(r, node, ERR_MEMORY, "%s", tr("out of memory"));
    int n = 0;
    for (const YamlNode *item = node->first; item; item = item->next) {
        size_t path = yaml_path_enter(r, NULL, n + 1);
        if (item->kind != NODE_SCALAR)
            return yaml_bad(r, item, ERR_INPUT, tr("expected a word, found %s"), yaml_found(item, found));
        yaml_path_leave(r, path);
        words[n++] = item->text;
    }
    doc_set_words(SLOT(r->doc, key, DocWords), words, n);
    return true;
}

/* Bytes on the line that is being written. */
static size_t line_length(const StrBuf *sb) {
    size_t n = 0;
    while (n < sb->length && sb->data[sb->length - 1 - n] != '\n') n++;
    return n;
}

bool yaml_write_words(YamlWriter *w, const YamlKey *key) {
    const DocWords *words = SLOT_OF(w->doc, key, DocWords);
    if (words->n == 0) return false;
    const char *word = words->bytes->bytes;
    sb_printf(&w->sb, "%s: [", key->name);
    for (int i = 0; i < words->n; i++) {
        if (i) sb_add(&w->sb, line_length(&w->sb) + strlen(word) > LINE_WIDTH ? ",\n  " : ", ");
        yaml_put_text(&w->sb, word);
        word += strlen(word) + 1;
    }
    sb_add(&w->sb, "]\n");
    return true;
}

/* ---- matrices ---- */

static int node_rank(const YamlNode *node) {
    int rank = 0;
    for (; node && node->kind == NODE_LIST && rank < 8; node = node->first) rank++;
    return rank;
}

typedef struct {
    YamlReader *r;
    const char *name;
    DocMatrix *matrix;
    float *to;
} Filler;

static bool fill_numbers(Filler *f, const YamlNode *row) {
    for (const YamlNode *n = row->first; n; n = n->next) {
        double value;
        if (!yaml_number(f->r, n, &value)) return false;
        if (isfinite(value) && fabs(value) > 3.4028234663852886e38)
            return yaml_bad(f->r, n, ERR_INPUT, tr("%s is too large for a 32-bit number"), n->text);
        *f->to++ = (float)value;
    }
    return true;
}

static bool wrong_length(Filler *f, const YamlNode *node, int axis, int place) {
    int rank = f->matrix->rank, want = f->matrix->dim[axis];
    if (axis == rank - 1 && rank > 1)
        return yaml_bad(f->r, node, ERR_SHAPE, tr("row %d of %s has %d numbers, the rows before have %d"), place, f->name,
                        node->n, want);
    return yaml_bad(f->r, node, ERR_SHAPE, tr("head %d of %s has %d rows, the heads before have %d"), place, f->name, node->n,
                    want);
}

/* `place` counts this list among its neighbours, from 1. */
static bool fill_level(Filler *f, const YamlNode *node, int axis, int place) {
    char found[96];
    assert(axis < 3);
    if (node->kind != NODE_LIST)
        return yaml_bad(f->r, node, ERR_SHAPE, tr("expected a list of numbers, found %s"), yaml_found(node, found));
    if (node->n != f->matrix->dim[axis]) return wrong_length(f, node, axis, place);
    size_t path = strlen(f->r->path);
    bool last = axis == f->matrix->rank - 1;
    if (last) return fill_numbers(f, node);
    int i = 1;
    for (const YamlNode *n = node->first; n; n = n->next, i++) {
        yaml_path_enter(f->r, NULL, i);
        if (!fill_level(f, n, axis + 1, i)) return false;
        yaml_path_leave(f->r, path);
    }
    return true;
}

static const char *shape_words(int rank_min, int rank_max) {
    if (rank_min == 1) return tr("a list of numbers, [1, 2]");
    if (rank_max == 2) return tr("a list of rows, [[1, 2], [3, 4]]");
    return tr("a list of rows, [[1, 2], [3, 4]], or a list of such matrices, one a head");
}

bool yaml_take_matrix(YamlReader *r, const YamlNode *node, const char *name, int rank_min, int rank_max, DocMatrix *out) {
    char found[96];
    int rank = node_rank(node);
    DocMatrix shape = {.rank = rank};
    if (rank < rank_min || rank > rank_max)
        return yaml_bad(r, node, ERR_SHAPE, tr("expected %s; found %s nested %d deep"), shape_words(rank_min, rank_max),
                        yaml_found(node, found), rank);
    size_t count = 1;
    const YamlNode *first = node;
    for (int i = 0; i < rank; i++, first = first->first) {
        if (first->n == 0) return yaml_bad(r, first, ERR_SHAPE, tr("%s has an empty list"), name);
        shape.dim[i] = first->n;
        if (!size_mul(count, (size_t)first->n, &count)) return yaml_bad(r, node, ERR_LIMIT, "%s", tr("too large"));
    }
    /* A long first row before many short ones would ask for memory that the file does not fill. */
    if (count > YAML_NODES_MAX) return yaml_bad(r, node, ERR_LIMIT, tr("%s has more than 6,000,000 numbers"), name);
    float *data = arena_try_raw(r->arena, count, sizeof *data);
    if (!data) return yaml_bad(r, node, ERR_MEMORY, "%s", tr("out of memory"));
    Filler f = {.r = r, .name = name, .matrix = &shape, .to = data};
    if (!fill_level(&f, node, 0, 1)) return false;
    doc_set_matrix(out, rank, shape.dim, data);
    return out->data || yaml_bad(r, node, ERR_MEMORY, "%s", tr("out of memory"));
}

bool yaml_read_matrix(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    return yaml_take_matrix(r, node, key->name, key->rank_min, key->rank_max, &r->doc->matrix[key->matrix]);
}

static void put_row(StrBuf *sb, const float *row, int n) {
    char number[NUM_MAX];
    sb_add(sb, "[");
    for (int i = 0; i < n; i++) {
        if (i) sb_add(sb, ", ");
        sb_add(sb, yaml_float(number, row[i]));
    }
    sb_add(sb, "]");
}

/* All on one line: [[1, 2], [3, 4]]. */
static void put_flow(StrBuf *sb, const DocMatrix *m, int axis, const float **at) {
    assert(axis < 3);
    if (axis == m->rank - 1) {
        put_row(sb, *at, m->dim[axis]);
        *at += m->dim[axis];
        return;
    }
    sb_add(sb, "[");
    for (int i = 0; i < m->dim[axis]; i++) {
        if (i) sb_add(sb, ", ");
        put_flow(sb, m, axis + 1, at);
    }
    sb_add(sb, "]");
}

/* One line a row. */
static void put_block(StrBuf *sb, const DocMatrix *m) {
    const float *at = m->data->bytes;
    int rows = m->dim[m->rank - 2], cols = m->dim[m->rank - 1], heads = m->rank == 3 ? m->dim[0] : 1;
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < rows; i++, at += cols) {
            sb_add(sb, m->rank == 2 ? "  - " : i == 0 ? "  - - " : "    - ");
            put_row(sb, at, cols);
            sb_add(sb, "\n");
        }
}

void yaml_put_matrix(StrBuf *sb, const char *name, const DocMatrix *m) {
    size_t start = sb->length, count = 1;
    for (int i = 0; i < m->rank; i++) count *= (size_t)m->dim[i];
    const float *at = m->data->bytes;
    sb_printf(sb, "%s: ", name);
    size_t head = sb->length;
    if (count <= LINE_WIDTH || m->rank == 1) put_flow(sb, m, 0, &at);
    if (m->rank > 1 && (count > LINE_WIDTH || sb->length - start > LINE_WIDTH)) {
        sb->length = head - 1; /* the space behind the colon goes too */
        sb->data[sb->length] = 0;
        sb_add(sb, "\n");
        put_block(sb, m);
    } else {
        sb_add(sb, "\n");
    }
}

bool yaml_write_matrix(YamlWriter *w, const YamlKey *key) {
    const DocMatrix *m = &w->doc->matrix[key->matrix];
    if (m->rank == 0) return false;
    yaml_put_matrix(&w->sb, key->name, m);
    return true;
}

/* ---- single numbers ---- */

bool yaml_parse_ref(const char *text, char name[64], int index[4], int *n) {
    size_t length = strcspn(text, "[");
    *n = 0;
    if (length == 0 || length >= 64 || text[length] != '[') return false;
    snprintf(name, 64, "%.*s", (int)length, text);
    const char *at = text + length + 1;
    for (;;) {
        char number[16];
        at += strspn(at, " ");
        size_t digits = strspn(at, "0123456789");
        if (*n == 4 || digits == 0 || digits >= sizeof number) return false;
        snprintf(number, sizeof number, "%.*s", (int)digits, at);
        if (!str_to_int(number, &index[*n]) || index[*n] < 1) return false;
        index[(*n)++] -= 1;
        at += digits;
        at += strspn(at, " ");
        if (*at == ']') return at[1] == 0;
        if (*at++ != ',') return false;
    }
}

/* `text` is the place, said at `node`. */
static bool read_place(YamlReader *r, const YamlNode *node, const char *text, DocEdit *edit) {
    char name[64], found[96];
    int index[4] = {0}, n;
    if (!text || !yaml_parse_ref(text, name, index, &n))
        return yaml_bad(r, node, ERR_INPUT, tr("expected a number's place such as \"w_q[1, 2]\", counted from 1; found %s"),
                        text && node->kind == NODE_LIST ? text : yaml_found(node, found));
    int matrix = str_find(doc_matrix_names, MATRIX_COUNT, name);
    if (matrix < 0) return yaml_bad(r, node, ERR_INPUT, tr("%s cannot be edited: it is no given matrix"), name);
    int rank = doc_matrix_rank((MatrixName)matrix);
    if (n != rank) return yaml_bad(r, node, ERR_SHAPE, tr("%s needs %d indices, found %d"), name, rank, n);
    edit->matrix = (MatrixName)matrix;
    for (int i = 0; i < 3; i++) edit->index[i] = i < n ? index[i] : 0;
    return true;
}

/* {tensor: w_q, index: [1, 2]} as "w_q[1,2]"; NULL: it is neither. */
static const char *place_of_parts(YamlReader *r, const YamlNode *tensor, const YamlNode *index) {
    if (!tensor || !index || tensor->kind != NODE_SCALAR || index->kind != NODE_LIST) return NULL;
    StrBuf sb;
    sb_init(&sb, r->arena);
    sb_printf(&sb, "%s[", tensor->text);
    for (const YamlNode *item = index->first; item; item = item->next) {
        if (item->kind != NODE_SCALAR) return NULL;
        sb_printf(&sb, "%s%s", item->text, item->next ? "," : "");
    }
    sb_add(&sb, "]");
    return sb.data;
}

static bool read_one_edit(YamlReader *r, const YamlNode *node, DocEdit *edit) {
    static const char *const names[] = {"at", "value", "tensor", "index"};
    enum { AT, VALUE, TENSOR, INDEX, KEYS };
    char found[96];
    const YamlNode *seen[KEYS] = {NULL};
    if (node->kind != NODE_MAP)
        return yaml_bad(r, node, ERR_INPUT, tr("expected {at: \"w_q[1, 2]\", value: 0.5}, found %s"), yaml_found(node, found));
    for (const YamlNode *k = node->first; k; k = k->next->next) {
        int at = yaml_find_key(r, k, names, KEYS);
        if (at < 0) return false;
        seen[at] = k->next;
        size_t path = yaml_path_enter(r, names[at], 0);
        if (at == AT && !read_place(r, k->next, k->next->kind == NODE_SCALAR ? k->next->text : NULL, edit)) return false;
        if (at == VALUE && !yaml_number(r, k->next, &edit->value)) return false;
        yaml_path_leave(r, path);
    }
    bool parts = seen[TENSOR] || seen[INDEX];
    if (seen[AT] && parts) return yaml_bad(r, node, ERR_INPUT, "%s", tr("a number's place is said twice: by at, and by tensor and index"));
    int missing = !seen[AT] && !parts ? AT : parts && !seen[TENSOR] ? TENSOR : parts && !seen[INDEX] ? INDEX : !seen[VALUE] ? VALUE : KEYS;
    if (missing != KEYS) return yaml_bad(r, node, ERR_INPUT, tr("%s is missing: expected {at: \"w_q[1, 2]\", value: 0.5}"), names[missing]);
    return !parts || read_place(r, seen[INDEX], place_of_parts(r, seen[TENSOR], seen[INDEX]), edit);
}

bool yaml_read_edit(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    char found[96];
    if (node->kind != NODE_LIST)
        return yaml_bad(r, node, ERR_INPUT, tr("expected a list of {at: \"w_q[1, 2]\", value: 0.5}, found %s"),
                        yaml_found(node, found));
    DocEdit *edits = arena_try(r->arena, (size_t)node->n + 1, sizeof *edits);
    if (!edits) return yaml_bad(r, node, ERR_MEMORY, "%s", tr("out of memory"));
    int n = 0;
    for (const YamlNode *item = node->first; item; item = item->next, n++) {
        size_t path = yaml_path_enter(r, NULL, n + 1);
        if (!read_one_edit(r, item, &edits[n])) return false;
        yaml_path_leave(r, path);
    }
    doc_set_edits(r->doc, edits, n);
    return true;
}

bool yaml_write_edit(YamlWriter *w, const YamlKey *key) {
    char number[NUM_MAX];
    if (w->doc->n_edits == 0) return false;
    sb_printf(&w->sb, "%s:\n", key->name);
    for (int i = 0; i < w->doc->n_edits; i++) {
        const DocEdit *edit = doc_edit_at(w->doc, i);
        int rank = doc_matrix_rank(edit->matrix);
        sb_printf(&w->sb, "  - {at: \"%s[", doc_matrix_names[edit->matrix]);
        for (int a = 0; a < rank; a++) sb_printf(&w->sb, "%s%d", a ? ", " : "", edit->index[a] + 1);
        sb_printf(&w->sb, "]\", value: %s}\n", yaml_double(number, edit->value));
    }
    return true;
}
