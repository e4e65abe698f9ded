#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

void fuzz_fail(const char *file, int line, const char *condition, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "%s:%d: %s does not hold: ", file, line, condition);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

bool fuzz_more(const FuzzBytes *bytes) {
    return bytes->at < bytes->size;
}

unsigned fuzz_byte(FuzzBytes *bytes) {
    return bytes->at < bytes->size ? bytes->data[bytes->at++] : 0;
}

unsigned fuzz_pick(FuzzBytes *bytes, unsigned n) {
    unsigned value = fuzz_byte(bytes);
    if (n > 256) value = value << 8 | fuzz_byte(bytes);
    return value % n;
}

static char *take(FuzzBytes *bytes, size_t length, Arena *arena) {
    char *text = arena_alloc(arena, length + 1, 1);
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        if (bytes->data[bytes->at + i]) text[n++] = (char)bytes->data[bytes->at + i];
    bytes->at += length;
    return text;
}

char *fuzz_line(FuzzBytes *bytes, Arena *arena) {
    size_t left = bytes->size - bytes->at;
    const uint8_t *end = left ? memchr(bytes->data + bytes->at, '\n', left) : NULL;
    char *text = take(bytes, end ? (size_t)(end - bytes->data) - bytes->at : left, arena);
    bytes->at += end != NULL;
    return text;
}

char *fuzz_rest(FuzzBytes *bytes, Arena *arena) {
    return take(bytes, bytes->size - bytes->at, arena);
}
