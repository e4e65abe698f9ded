/* Texts of folders without a tokenizer: lists of token ids. */
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "model/checkpoint_internal.h"

enum { CONFIG_MAX = 4 << 20 };

static bool is_gap(char c) {
    return c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r';
}

bool checkpoint_is_ids(const char *text) {
    bool any = false;
    for (const char *c = text; *c; c++) {
        if (!is_gap(*c) && (*c < '0' || *c > '9')) return false;
        any |= !is_gap(*c);
    }
    return any;
}

static bool has_file(const char *folder, const char *name) {
    Arena arena = {0};
    bool has = file_exists(path_join(&arena, folder, name));
    arena_free(&arena);
    return has;
}

int checkpoint_id_texts(const char *folder, int sizes[2]) {
    Arena arena = {0};
    ModelConfig config = {0};
    char *text;
    size_t size;
    bool has = has_file(folder, "tokenizer.json") || (has_file(folder, "vocab.json") && has_file(folder, "merges.txt")) || has_file(folder, "vocab.txt");
    const char *path = path_join(&arena, folder, "config.json");
    bool ids = !has && file_read(path, CONFIG_MAX, &arena, &text, &size, NULL) && checkpoint_config(path, text, size, &arena, &config, NULL);
    for (int i = 0; i < config.n_stacks; i++) sizes[i] = config.stack[i].vocabulary;
    arena_free(&arena);
    return ids ? config.n_stacks : 0;
}

static bool bad_id(const char *word, const char *name, int vocabulary, Err *err) {
    return err_set(err, ERR_INPUT, tr("'%.40s' is not a token id: %s has no tokenizer, and its text is a list of ids from 0 to %d, such as 5 6 7"), word, name,
                   vocabulary - 1);
}

/* The word at `text[from]` up to the next gap, cut to what a message takes. */
static const char *word_at(const char *text, size_t from, Arena *arena) {
    size_t to = from;
    while (text[to] && !is_gap(text[to])) to++;
    return arena_strndup(arena, text + from, utf8_fit(text + from, to - from, 40));
}

/* Digits of an id below `vocabulary`; -1 = something else. */
static int read_id(const char *word, int vocabulary) {
    long long id = 0;
    if (!*word) return -1;
    for (const char *c = word; *c; c++) {
        if (*c < '0' || *c > '9') return -1;
        id = 10 * id + (*c - '0');
        if (id >= vocabulary) return -1;
    }
    return (int)id;
}

static void make_room(Encoding *out, size_t most, Arena *arena) {
    out->ids = ARENA_ARRAY(arena, int, most);
    out->pieces = ARENA_ARRAY(arena, const char *, most);
    out->start = ARENA_ARRAY(arena, int, most);
    out->end = ARENA_ARRAY(arena, int, most);
    out->type_ids = ARENA_ARRAY(arena, int, most);
    out->source = ARENA_ARRAY(arena, int, most);
    out->added = ARENA_ARRAY(arena, bool, most);
    out->char_start = ARENA_ARRAY(arena, int, most);
    out->char_end = ARENA_ARRAY(arena, int, most);
}

bool checkpoint_ids(const char *text, const char *name, int vocabulary, Arena *arena, Encoding *out, Err *err) {
    size_t length = strlen(text), n = 0, at = 0;
    if (!utf8_check(text, length, err)) return false;
    *out = (Encoding){0};
    make_room(out, length / 2 + 2, arena);
    for (;;) {
        while (text[at] && is_gap(text[at])) at++;
        if (!text[at]) break;
        const char *word = word_at(text, at, arena);
        int id = read_id(word, vocabulary);
        size_t end = at + strlen(word);
        if (id < 0 || (text[end] && !is_gap(text[end]))) return bad_id(word, name, vocabulary, err);
        if (n == TOKENS_MAX) return err_set(err, ERR_LIMIT, tr("the text has more than %d ids"), TOKENS_MAX);
        out->ids[n] = id;
        out->pieces[n] = word;
        out->start[n] = out->char_start[n] = (int)at; /* up to here every character is one byte */
        out->end[n] = out->char_end[n] = (int)end;
        at = end;
        n++;
    }
    out->n = (int)n;
    return true;
}
