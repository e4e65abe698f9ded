#include "doc/doc_diff.h"

#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/doc_diff_words.h"
#include "doc/view.h"
#include "doc/yaml.h"

enum { VALUE_LONGEST = 60, EDITS_NAMED = 3 };

/* What people call a key, and what holds where it is not set; without a row: the key itself, and the model's own. */
static const struct {
    const char *key, *name, *unset;
} names[] = {
    {"text", tr_mark("text"), tr_mark("none")},
    {"tokens", tr_mark("tokens"), tr_mark("those of the text")},
    {"source_text", tr_mark("source text"), tr_mark("the same text")},
    {"source", tr_mark("source tokens"), tr_mark("the same tokens")},
    {"tokenizer", tr_mark("tokenizer"), tr_mark("the model’s own")},
    {"model", tr_mark("model"), tr_mark("none")},
    {"seed", tr_mark("seed"), "0"},
    {"heads", tr_mark("heads"), tr_mark("the model’s own")},
    {"kv_heads", tr_mark("key and value heads"), tr_mark("as many as heads")},
    {"projections", tr_mark("projections"), "linear"},
    {"out_proj", tr_mark("output projection"), tr_mark("as the projections")},
    {"tie", tr_mark("W_Q = W_K"), "false"},
    {"edit", tr_mark("numbers changed by hand"), tr_mark("none")},
    {"position", tr_mark("position"), tr_mark("the model’s own")},
    {"scale", tr_mark("scale"), "auto"},
    {"temperature", tr_mark("temperature"), "1"},
    {"bias", tr_mark("bias"), "false"},
    {"precision", tr_mark("precision"), "f32"},
    {"mask", tr_mark("mask"), "none"},
    {"keep", tr_mark("mask, cell by cell"), tr_mark("none")},
    {"causal_align", tr_mark("corner of the causal mask"), "bottom_right"},
    {"mask_fill", tr_mark("mask fill"), "-inf"},
    {"mask_op", tr_mark("how the mask acts"), "replace"},
    {"empty_row", tr_mark("rows without a key"), "zero"},
};

/* The row of a key, or -1. */
static int row_of(const char *key) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(names[i].key, key)) return (int)i;
    return -1;
}

/* What holds where a file says nothing. */
static const char *unset_of(const char *key, Arena *arena) {
    int row = row_of(key);
    return row < 0 ? tr("the model’s own") : doc_diff_words(key, tr(names[row].unset), arena);
}

/* A value in one line, without quotes around all of it; NULL: too long. */
static const char *one_line(const char *value, Arena *arena) {
    size_t length = strlen(value);
    if (length > VALUE_LONGEST || strchr(value, '\n')) return NULL;
    bool quoted = length >= 2 && value[0] == '"' && value[length - 1] == '"' && !memchr(value + 1, '"', length - 2);
    return quoted ? arena_printf(arena, "%.*s", (int)length - 2, value + 1) : arena_strdup(arena, value);
}

/* "w_q[1, 2] = 3, x[1, 1] = 0.5, …"; "" where no number is changed. */
static const char *edits_line(const Doc *doc, Arena *arena) {
    StrBuf sb;
    sb_init(&sb, arena);
    sb_add(&sb, "");
    for (int i = 0; i < doc->n_edits && i < EDITS_NAMED; i++) {
        const DocEdit *edit = doc_edit_at(doc, i);
        char number[NUM_MAX];
        const char *name = view_index_text(doc_matrix_names[edit->matrix], edit->index, doc_matrix_rank(edit->matrix), ", ", arena);
        sb_printf(&sb, "%s%s = %s", i > 0 ? ", " : "", name, num_double(number, edit->value, NUM_SCREEN));
    }
    if (doc->n_edits > EDITS_NAMED) sb_add(&sb, ", …");
    return sb.data;
}

int doc_diff(const Doc *a, const Doc *b, Arena *arena, DocChange **out) {
    const char *const *keys = yaml_keys();
    int n_keys = 0, n = 0;
    while (keys[n_keys]) n_keys++;
    DocChange *list = ARENA_ARRAY(arena, DocChange, (size_t)n_keys + 1);
    for (int i = 0; i < n_keys; i++) {
        const char *value_a, *value_b;
        if (str_eq(keys[i], "notes") || str_eq(keys[i], "view") || !yaml_differs(a, b, i, arena, &value_a, &value_b)) continue;
        const char *in_a = one_line(value_a, arena), *in_b = one_line(value_b, arena);
        if (str_eq(keys[i], "edit")) in_a = edits_line(a, arena), in_b = edits_line(b, arena);
        bool both = in_a && in_b;
        int row = row_of(keys[i]);
        list[n++] = (DocChange){keys[i], row < 0 ? keys[i] : tr(names[row].name), both ? in_a : NULL, both ? in_b : NULL};
    }
    *out = list;
    return n;
}

const char *doc_change_text(const DocChange *change, Arena *arena) {
    if (!change->a) return arena_printf(arena, tr("%s: others"), change->name);
    const char *unset = unset_of(change->key, arena), *a = change->a[0] ? doc_diff_words(change->key, change->a, arena) : unset, *b = change->b[0] ? doc_diff_words(change->key, change->b, arena) : unset;
    return arena_printf(arena, tr("%s: %s → %s"), change->name, a, b);
}
