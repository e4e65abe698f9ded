#include "base/str.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- growing text ---- */

void sb_init(StrBuf *sb, Arena *arena) {
    *sb = (StrBuf){.arena = arena, .capacity = 256};
    sb->data = arena_alloc(arena, sb->capacity, 1);
}

static void sb_reserve(StrBuf *sb, size_t more) {
    if (sb->length + more < sb->capacity) return;
    size_t capacity = sb->capacity * 2;
    while (capacity <= sb->length + more) capacity *= 2;
    char *data = arena_alloc(sb->arena, capacity, 1);
    memcpy(data, sb->data, sb->length);
    sb->data = data;
    sb->capacity = capacity;
}

void sb_add_n(StrBuf *sb, const char *text, size_t length) {
    sb_reserve(sb, length + 1);
    memcpy(sb->data + sb->length, text, length);
    sb->length += length;
    sb->data[sb->length] = 0;
}

void sb_add(StrBuf *sb, const char *text) {
    sb_add_n(sb, text, strlen(text));
}

void sb_printf(StrBuf *sb, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (length > 0) {
        sb_reserve(sb, (size_t)length + 1);
        vsnprintf(sb->data + sb->length, (size_t)length + 1, fmt, again);
        sb->length += (size_t)length;
    }
    va_end(again);
}

/* ---- comparing and reading ---- */

bool str_eq(const char *a, const char *b) {
    if (!a || !b) return a == b;
    return strcmp(a, b) == 0;
}

bool str_starts(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *text, const char *suffix) {
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && strcmp(text + n - m, suffix) == 0;
}

bool str_to_int(const char *text, int *out) {
    if (!text || !*text) return false;
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (*end || errno || value < INT_MIN || value > INT_MAX) return false;
    *out = (int)value;
    return true;
}

bool str_to_double(const char *text, double *out) {
    /* strtod would take leading spaces and hexadecimal */
    if (!text || !*text || strspn(text, " \t\n\r") > 0 || strpbrk(text, "xX")) return false;
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end) return false;
    *out = value;
    return true;
}

int str_find(const char *const *names, int count, const char *text) {
    for (int i = 0; i < count; i++)
        if (names[i] && str_eq(names[i], text)) return i;
    return -1;
}

static int min3(int a, int b, int c) {
    int m = a < b ? a : b;
    return m < c ? m : c;
}

/* Levenshtein's distance in which two letters that have changed places count as one edit ("optimal string
 * alignment"); long words are compared by their first 63 bytes. */
int str_distance(const char *a, const char *b) {
    enum { MAX = 63 };
    int rows[3][MAX + 1];
    int n = (int)strnlen(a, MAX), m = (int)strnlen(b, MAX);
    for (int j = 0; j <= m; j++) rows[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i - 1) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && second[j - 2] + 1 < row[j]) row[j] = second[j - 2] + 1;
        }
    }
    return rows[n % 3][m];
}

int str_slips(const char *word) {
    size_t n = strnlen(word, 8);
    return n < 3 ? 0 : n > 6 ? 3 : (int)(n - 1) / 2;
}

StrNearest str_nearest(const char *wrong) {
    return (StrNearest){.wrong = wrong, .distance = str_slips(wrong) + 1};
}

void str_offer(StrNearest *nearest, const char *word) {
    int distance = str_distance(word, nearest->wrong);
    if (distance >= nearest->distance) return;
    nearest->distance = distance;
    nearest->word = word;
}

void str_list_add(char *list, size_t size, const char *word) {
    size_t length = strlen(list);
    if (length + strlen(word) + 3 < size) snprintf(list + length, size - length, "%s%s", length ? ", " : "", word);
}

/* ---- hashing and random numbers ---- */

uint64_t hash_fnv1a_more(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

uint64_t hash_fnv1a(const void *bytes, size_t size) {
    return hash_fnv1a_more(0xcbf29ce484222325u, bytes, size);
}

uint64_t random_next(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double random_unit(uint64_t *state) {
    return (double)(random_next(state) >> 11) * 0x1p-53;
}
