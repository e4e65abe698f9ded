#include "doc/notes.h"

#include <string.h>

#include "base/str.h"

enum { EVERY_STAGE = -1, NO_HEADING = -2 };

/* "[softmax]" alone in a line: the stage; "[all]": every one. */
static int heading(const char *line, size_t length, Arena *arena) {
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\r')) length--;
    if (length < 3 || line[0] != '[' || line[length - 1] != ']') return NO_HEADING;
    const char *name = arena_strndup(arena, line + 1, length - 2);
    if (str_eq(name, "all")) return EVERY_STAGE;
    for (int kind = 0; kind < STAGE_KIND_COUNT; kind++)
        if (str_eq(name, stage_name((StageKind)kind))) return kind;
    return NO_HEADING;
}

char *doc_notes(const Doc *doc, StageKind stage, Arena *arena) {
    const char *text = doc->notes ? doc->notes->bytes : "";
    int part = EVERY_STAGE;
    StrBuf sb;
    sb_init(&sb, arena);
    sb_add(&sb, "");
    while (*text) {
        size_t n = strcspn(text, "\n");
        int begins = heading(text, n, arena);
        if (begins != NO_HEADING) part = begins;
        else if (part == EVERY_STAGE || part == (int)stage) sb_printf(&sb, "%.*s\n", (int)n, text);
        text += n + (text[n] == '\n');
    }
    while (sb.length > 0 && sb.data[sb.length - 1] == '\n') sb.data[--sb.length] = 0;
    return sb.data;
}
