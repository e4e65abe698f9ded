#include "app/arrays.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
#include "model/array_file.h"
#include "model/json_text.h"

enum { WORDS_BYTES_MOST = 1 << 20 };

static void add_number(StrBuf *out, float value) {
    char number[NUM_MAX];
    if (isnan(value)) sb_add(out, ".nan");
    else if (isinf(value)) sb_add(out, value > 0 ? ".inf" : "-.inf");
    else sb_add(out, num_float(number, value, NUM_FILE)); /* reads back as the same number */
}

static void add_lists(StrBuf *out, const ArrayFile *a, int axis, size_t *at) {
    assert(axis < ARRAY_RANK_MAX);
    sb_add(out, "[");
    for (int i = 0; i < a->dim[axis]; i++) {
        if (i > 0) sb_add(out, axis == a->rank - 1 ? ", " : ",\n  ");
        if (axis < a->rank - 1) add_lists(out, a, axis + 1, at);
        else add_number(out, a->data[(*at)++]);
    }
    sb_add(out, "]");
}

static void add_array(StrBuf *out, const ArrayFile *a) {
    size_t at = 0;
    add_lists(out, a, 0, &at);
}

static void add_words(StrBuf *out, const char *const *words, int n) {
    sb_add(out, "[");
    for (int i = 0; i < n; i++) {
        if (i > 0) sb_add(out, ", ");
        json_text_add(out, words[i]); /* a YAML text too */
    }
    sb_add(out, "]");
}

const char *arrays_value(const char *path, Arena *arena, Err *err) {
    ArrayFile array;
    StrBuf out;
    if (!array_file_read(path, arena, &array, err)) return NULL;
    sb_init(&out, arena);
    add_array(&out, &array);
    return out.data;
}

const char *arrays_scenario(const char *path, Arena *arena, Err *err) {
    ArrayFile array;
    StrBuf out;
    if (!array_file_read(path, arena, &array, err)) return NULL;
    if (array.rank < 2) {
        err_set(err, ERR_SHAPE, tr("%s holds a list of %d numbers; a map of weights is [rows, columns] or [heads, rows, columns]"), path_name(path), array.dim[0]);
        return NULL;
    }
    sb_init(&out, arena);
    sb_add(&out, "attnscope: 1\n");
    if (array.names && array.n_names == array.dim[array.rank - 1]) { /* rows and columns are the same words */
        sb_add(&out, "tokens: ");
        add_words(&out, array.names, array.n_names);
        sb_add(&out, "\n");
    }
    sb_add(&out, "weights: ");
    add_array(&out, &array);
    sb_add(&out, "\nview: {stage: softmax, step: 64}\n");
    return out.data;
}

const char *arrays_words(const char *path, Arena *arena, Err *err) {
    char *text;
    size_t size;
    int n = 0;
    StrBuf out;
    if (!file_read(path, WORDS_BYTES_MOST, arena, &text, &size, err)) return NULL;
    while (size > 0 && text[size - 1] == '\n') text[--size] = '\0'; /* the end of the last line is no word */
    const char **words = ARENA_ARRAY(arena, const char *, size + 1);
    for (char *line; size > 0 && (line = strsep(&text, "\n")) != NULL;) {
        size_t length = strlen(line);
        if (length > 0 && line[length - 1] == '\r') line[length - 1] = '\0';
        words[n++] = line;
    }
    if (n == 0) {
        err_set(err, ERR_INPUT, tr("%s holds no words; one a line is expected"), path);
        return NULL;
    }
    sb_init(&out, arena);
    add_words(&out, words, n);
    return out.data;
}
