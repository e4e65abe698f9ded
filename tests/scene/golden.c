#include "golden.h"

#include <stdio.h>

#include "base/file.h"
#include "support/support.h"

/* The first line in which two texts differ, for the message. */
static int differing_line(const char *a, const char *b, const char **line_a, const char **line_b) {
    int line = 1;
    *line_a = a;
    *line_b = b;
    while (*a && *a == *b) {
        if (*a == '\n') line++, *line_a = a + 1, *line_b = b + 1;
        a++;
        b++;
    }
    return line;
}

static int line_length(const char *line) { return (int)strcspn(line, "\n"); }

void golden_compare(Arena *arena, const char *name, const char *text) {
    Err err = {0};
    const char *path = arena_printf(arena, TEST_SOURCE "/tests/golden/%s.txt", name), *want_line, *got_line;
    char *want;
    size_t size;
    if (getenv("UPDATE_GOLDEN")) {
        if (!file_write(path, text, strlen(text), &err)) fail_msg("%s", err.message);
        return;
    }
    if (!file_read(path, 1 << 24, arena, &want, &size, &err)) fail_msg("%s (UPDATE_GOLDEN=1 writes it)", err.message);
    if (strcmp(want, text) == 0) return;
    int line = differing_line(want, text, &want_line, &got_line);
    fail_msg("%s differs in line %d\n  want: %.*s\n  got:  %.*s", path, line, line_length(want_line), want_line, line_length(got_line),
             got_line);
}

char *golden_dump(const DisplayList *dl, Arena *arena) {
    StrBuf out;
    sb_init(&out, arena);
    dl_dump(dl, &out);
    return out.data;
}

void golden_line(StrBuf *out, const char *name, const char *text) {
    int lines = 0;
    for (const char *p = text; *p; p++) lines += *p == '\n';
    sb_printf(out, "%s: %d lines, %016llx\n", name, lines, (unsigned long long)hash_fnv1a(text, strlen(text)));
}
