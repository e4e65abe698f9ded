/* Strings and number text. A number is printed the same way in cells, tooltips, files and the
 * command line: that is decided here and nowhere else. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* A growing text in an arena. Always terminated; `length` excludes the terminator. */
typedef struct {
    Arena *arena;
    char *data;
    size_t length, capacity;
} StrBuf;

void sb_init(StrBuf *sb, Arena *arena);
void sb_add(StrBuf *sb, const char *text);
void sb_add_n(StrBuf *sb, const char *text, size_t length);
void sb_printf(StrBuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

bool str_eq(const char *a, const char *b);               /* NULL equals only NULL */
bool str_starts(const char *text, const char *prefix);
bool str_ends(const char *text, const char *suffix);
/* Whole text to a number in the C locale; accepts inf, -inf, nan. false when anything is left over. */
bool str_to_int(const char *text, int *out);
bool str_to_double(const char *text, double *out);
/* Index of `text` in `names` (count entries, NULL entries skipped), or -1. */
int str_find(const char *const *names, int count, const char *text);
/* How many edits part two words, of single letters or of two that changed places: for "did you mean". */
int str_distance(const char *a, const char *b);
/* How many edits may be slips: less than half of the word's letters, at most 3. */
int str_slips(const char *word);
/* What was meant by a word that there is not: the nearest of all that are offered. */
typedef struct {
    const char *wrong;
    const char *word; /* NULL = none of them is near */
    int distance;
} StrNearest;
StrNearest str_nearest(const char *wrong);
void str_offer(StrNearest *nearest, const char *word);
/* Adds `word` to a list "a, b" in an array of `size` bytes; left out when it does not fit. */
void str_list_add(char *list, size_t size, const char *word);

typedef enum {
    NUM_SCREEN, /* minus U+2212, ∞, NaN */
    NUM_FILE,   /* "-", "inf", "nan" */
    NUM_STYLE_COUNT
} NumStyle;

enum { NUM_MAX = 48 };
/* `decimals` places, never "-0.00". Values whose text would pass 12 characters use an exponent.
 * Writes at most NUM_MAX bytes and returns `out`. */
char *num_fixed(char out[NUM_MAX], double value, int decimals, NumStyle style);
/* Fewest digits that read back as the same float (or double). Non-finite as NumStyle says. */
char *num_float(char out[NUM_MAX], float value, NumStyle style);
char *num_double(char out[NUM_MAX], double value, NumStyle style);

/* FNV-1a 64 of bytes (Fowler, Noll, Vo), and the splitmix64 generator (Steele et al. 2014):
 * the same numbers on every machine. */
uint64_t hash_fnv1a(const void *bytes, size_t size);
uint64_t hash_fnv1a_more(uint64_t hash, const void *bytes, size_t size);
uint64_t random_next(uint64_t *state);
/* Uniform in [0, 1) from the top 53 bits. */
double random_unit(uint64_t *state);

#endif
