/* Changes of good input: bits and bytes, cuts, copies, words a reader knows, numbers at their limits. */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "fuzz/fuzz.h"

static const char *const numbers[] = {
    "0", "-1", "1", "2", "3", "7", "16", "31", "64", "255", "1000", "4096", "65535", "65536", "1048576", "1048577", "2147483647", "2147483648",
    "-2147483648", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
    "1e9", "-1e9", "1e30", "-3.4e38", "3.5e38", "1e300", "1e400", "1e-300", "1e-46", "-0", "-0.0", "0.5", "0.1", "1.0", "inf", "-inf", ".inf",
    "-.inf", "nan", ".nan", "NaN", "0x10", "1_000", "+1", "007", "1e", "--1", "",
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static const char *const signs[] = {
    "\"", "'", "\\", "[", "]", "{", "}", ":", ": ", ", ", "\n", "\n---\n", "- ", "#", "*a", "&a ", "!!str ", "\t", " ", "\xEF\xBB\xBF", "\xC3\xA9", "\xE7\x8C\xAB",
    "\xE2\x80\x8D", "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9", "e\xCC\x81", "\xCC\x81", "\xE2\x80\xAE", "\xC2\x85", "\xE2\x80\xA8", "\x01", "\x7F",
    "\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE7\x8C", "%s%n", "%12", "~/", "../", "#2", "<pad>",
};
enum { SIGNS = sizeof signs / sizeof *signs };

static size_t below(uint64_t *state, size_t n) {
    return n ? (size_t)(random_next(state) % n) : 0;
}

/* ---- pieces put in and taken out ---- */

typedef struct {
    const FuzzTarget *target;
    const FuzzCorpus *corpus;
    uint64_t *state;
    uint8_t *bytes;
    size_t size;
} Edit;

static size_t a_place(Edit *e) {
    size_t front = e->target->front;
    if (front && front < e->size && below(e->state, 4)) return below(e->state, front);
    return below(e->state, e->size + 1);
}

/* `with` takes the place of `length` bytes at `at`. What does not fit is left out. */
static void replace(Edit *e, size_t at, size_t length, const void *with, size_t size) {
    if (at > e->size) at = e->size;
    if (length > e->size - at) length = e->size - at;
    if (e->size - length + size > e->target->max) return;
    memmove(e->bytes + at + size, e->bytes + at + length, e->size - at - length);
    if (size) memcpy(e->bytes + at, with, size);
    e->size = e->size - length + size;
}

static void flip_bit(Edit *e) {
    size_t at = a_place(e);
    if (at < e->size) e->bytes[at] ^= (uint8_t)(1U << below(e->state, 8));
}

static void other_byte(Edit *e) {
    static const uint8_t bytes[] = {0, 1, '\n', ' ', '"', '0', '9', 0x7F, 0x80, 0xFE, 0xFF};
    size_t at = a_place(e);
    if (at < e->size) e->bytes[at] = below(e->state, 2) ? bytes[below(e->state, sizeof bytes)] : (uint8_t)random_next(e->state);
}

static void cut_out(Edit *e) {
    size_t most = e->size < 64 || below(e->state, 4) ? 16 : e->size / 2;
    replace(e, a_place(e), 1 + below(e->state, most), NULL, 0);
}

static void cut_off(Edit *e) {
    e->size = a_place(e);
}

static void copy_piece(Edit *e) {
    uint8_t piece[4096];
    size_t from = below(e->state, e->size), most = e->size - from < sizeof piece ? e->size - from : sizeof piece;
    if (most == 0) return;
    size_t n = 1 + below(e->state, below(e->state, 3) ? (most < 40 ? most : 40) : most);
    memcpy(piece, e->bytes + from, n);
    size_t at = a_place(e), times = below(e->state, 8) ? 1 : 1 + below(e->state, 60);
    for (size_t i = 0; i < times; i++) replace(e, at, 0, piece, n);
}

static void put_text(Edit *e, const char *text) {
    replace(e, a_place(e), below(e->state, 3) ? 0 : below(e->state, 8), text, strlen(text));
}

static void put_word(Edit *e) {
    if (e->corpus->n_words) put_text(e, e->target->words[below(e->state, (size_t)e->corpus->n_words)]);
}

static void put_sign(Edit *e) {
    put_text(e, signs[below(e->state, SIGNS)]);
}

/* From a place on, the next run of bytes of one kind. */
static bool next_run(const Edit *e, size_t from, bool (*belongs)(uint8_t), size_t *at, size_t *length) {
    while (from < e->size && !belongs(e->bytes[from])) from++;
    *at = from;
    while (from < e->size && belongs(e->bytes[from])) from++;
    *length = from - *at;
    return *length > 0;
}

static bool is_number_byte(uint8_t c) {
    return isdigit(c) || c == '-' || c == '.';
}

static bool is_word_byte(uint8_t c) {
    return isalnum(c) || c == '_' || c >= 0x80;
}

static void other_number(Edit *e) {
    size_t at, length;
    const char *text = numbers[below(e->state, NUMBERS)];
    if (next_run(e, a_place(e), is_number_byte, &at, &length)) replace(e, at, length, text, strlen(text));
    else put_text(e, text);
}

static void other_word(Edit *e) {
    size_t at, length;
    if (!e->corpus->n_words || !next_run(e, a_place(e), is_word_byte, &at, &length)) return;
    const char *text = e->target->words[below(e->state, (size_t)e->corpus->n_words)];
    replace(e, at, length, text, strlen(text));
}

/* A line once more, elsewhere; or gone. */
static void move_line(Edit *e) {
    uint8_t line[2048];
    size_t from = a_place(e), to;
    while (from > 0 && e->bytes[from - 1] != '\n') from--;
    for (to = from; to < e->size && e->bytes[to] != '\n';) to++;
    if (to < e->size) to++;
    if (to - from > sizeof line) return;
    memcpy(line, e->bytes + from, to - from);
    size_t n = to - from;
    if (below(e->state, 2)) replace(e, from, n, NULL, 0);
    for (to = a_place(e); to > 0 && to <= e->size && e->bytes[to - 1] != '\n';) to--;
    replace(e, to, 0, line, n);
}

static void splice(Edit *e) {
    if (!e->corpus->n_good) return;
    FuzzInput other = e->corpus->good[below(e->state, (size_t)e->corpus->n_good)];
    size_t from = below(e->state, other.size + 1), n = below(e->state, other.size - from + 1), at = a_place(e);
    if (n > 300 && below(e->state, 4)) n = 300;
    replace(e, at, below(e->state, 2) ? n : 0, other.bytes + from, n);
}

static void (*const changes[])(Edit *e) = {
    flip_bit, other_byte, cut_out, cut_off, copy_piece, put_word, put_sign, other_number, other_word, move_line, splice,
    put_word, other_number, other_word, other_number,
};
enum { CHANGES = sizeof changes / sizeof *changes };

size_t fuzz_mutate(const FuzzTarget *target, const FuzzCorpus *corpus, uint64_t *state, uint8_t *bytes, size_t size) {
    Edit e = {target, corpus, state, bytes, size};
    size_t n = 1 + below(state, below(state, 4) ? 4 : 16);
    for (size_t i = 0; i < n; i++) changes[below(state, CHANGES)](&e);
    if (target->repair && below(state, 8)) e.size = target->repair(bytes, e.size);
    return e.size;
}

/* ---- whole inputs ---- */

static void add_good(const FuzzTarget *target, FuzzCorpus *corpus, const void *bytes, size_t size, int room) {
    if (size > target->max || corpus->n_good == room) return;
    FuzzInput *at = &corpus->good[corpus->n_good++];
    at->bytes = arena_alloc(&corpus->arena, size + 1, 1);
    memcpy(at->bytes, bytes, size);
    at->size = size;
}

void fuzz_load(const FuzzTarget *target, FuzzCorpus *corpus) {
    enum { ROOM = 512 };
    *corpus = (FuzzCorpus){0};
    corpus->good = ARENA_ARRAY(&corpus->arena, FuzzInput, ROOM);
    while (target->words && target->words[corpus->n_words]) corpus->n_words++;
    for (int i = 0; target->texts && target->texts[i]; i++) add_good(target, corpus, target->texts[i], strlen(target->texts[i]), ROOM);
    for (int f = 0; target->folders[f]; f++) {
        char **names, *folder = path_join(&corpus->arena, TEST_SOURCE, target->folders[f]);
        int n = 0;
        Err err = {0};
        if (!file_list(folder, &corpus->arena, &names, &n, &err)) fuzz_fail(__FILE__, __LINE__, folder, "%s", err.message);
        for (int i = 0; i < n; i++) {
            char *bytes;
            size_t size;
            if (!str_ends(names[i], target->suffix)) continue;
            Err unread = {0}; /* larger than max: left out */
            if (file_read(path_join(&corpus->arena, folder, names[i]), target->max, &corpus->arena, &bytes, &size, &unread))
                add_good(target, corpus, bytes, size, ROOM);
        }
    }
}

FuzzInput fuzz_make(const FuzzTarget *target, const FuzzCorpus *corpus, uint64_t seed, long number, Arena *arena) {
    uint64_t state = hash_fnv1a_more(hash_fnv1a(&seed, sizeof seed), &number, sizeof number);
    FuzzInput made = {.bytes = arena_alloc(arena, target->max + 1, 1)};
    bool whole = number < corpus->n_good;
    if (!whole && (corpus->n_good == 0 || below(&state, 8) == 0)) {
        made.size = below(&state, below(&state, 2) ? 64 : target->max);
        for (size_t i = 0; i < made.size; i++) made.bytes[i] = (uint8_t)random_next(&state);
        if (below(&state, 2)) return made;
    } else {
        const FuzzInput *good = &corpus->good[whole ? (size_t)number : below(&state, (size_t)corpus->n_good)];
        made.size = good->size;
        memcpy(made.bytes, good->bytes, good->size);
    }
    if (!whole) made.size = fuzz_mutate(target, corpus, &state, made.bytes, made.size);
    return made;
}
