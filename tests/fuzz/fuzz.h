/* Hostile input, the same on every machine. A target is one function of bytes; the driver makes the bytes from
 * a seed, from good files and from a list of words. With clang's -fsanitize=fuzzer (ATTNSCOPE_LIBFUZZER) the
 * same function is driven by libFuzzer instead. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct {
    const char *name;
    int cases;                 /* of a test run in a Release build */
    size_t max;                /* longest input, in bytes */
    const char *folders[4];    /* good files, below the source tree; NULL-terminated */
    const char *suffix;        /* of their names */
    const char *const *words;  /* what a reader knows, and what may stand for a number; NULL-terminated */
    const char *const *texts;  /* more good input; NULL-terminated, may be NULL */
    size_t front;              /* most changes fall into the first `front` bytes; 0 = anywhere */
    size_t (*repair)(uint8_t *bytes, size_t size); /* makes lengths true again, often; NULL = none; gives the size */
} FuzzTarget;

extern const FuzzTarget fuzz_target;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A thing that must hold for every input: says what and aborts, so that the driver names the case. */
#define fuzz_check(condition, ...) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition, __VA_ARGS__))
_Noreturn void fuzz_fail(const char *file, int line, const char *condition, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* ---- bytes as decisions ---- */
typedef struct {
    const uint8_t *data;
    size_t size, at;
} FuzzBytes;

bool fuzz_more(const FuzzBytes *bytes);
unsigned fuzz_byte(FuzzBytes *bytes);                      /* 0 behind the end */
unsigned fuzz_pick(FuzzBytes *bytes, unsigned n);          /* 0 … n-1 */
/* Text up to the next newline or the end, without NUL; behind it the next call begins. In `arena`. */
char *fuzz_line(FuzzBytes *bytes, Arena *arena);
/* The rest as a NUL-terminated text without NUL inside. */
char *fuzz_rest(FuzzBytes *bytes, Arena *arena);

/* ---- making input ---- */
typedef struct {
    uint8_t *bytes;
    size_t size;
} FuzzInput;

typedef struct {
    Arena arena;
    FuzzInput *good;
    int n_good;
    int n_words;
} FuzzCorpus;

void fuzz_load(const FuzzTarget *target, FuzzCorpus *corpus);
/* Input `number` of a seed: the good files first, then changes of them. Lives in `arena`. */
FuzzInput fuzz_make(const FuzzTarget *target, const FuzzCorpus *corpus, uint64_t seed, long number, Arena *arena);
/* Changes in place (room for target->max bytes), gives the new size. */
size_t fuzz_mutate(const FuzzTarget *target, const FuzzCorpus *corpus, uint64_t *state, uint8_t *bytes, size_t size);

#endif
