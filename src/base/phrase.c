#include "base/phrase.h"

#include <string.h>

#include "base/str.h"
#include "base/tr.h"

static const char *join(Arena *arena, const char *format, const char *a, const char *b) __attribute__((format(printf, 2, 0)));

static const char *join(Arena *arena, const char *format, const char *a, const char *b) {
    return a && b ? arena_printf(arena, format, a, b) : a ? a : b;
}

const char *phrase_list(Arena *arena, const char *a, const char *b) { return join(arena, "%s · %s", a, b); }

/* TRANSLATORS: two whole sentences; what stands between them. */
const char *phrase_sentences(Arena *arena, const char *a, const char *b) { return join(arena, tr("%s %s"), a, b); }

const char *phrase_names(Arena *arena, const char *a, const char *b) {
    /* TRANSLATORS: stands between two names of a list */
    return a && b ? arena_printf(arena, "%s%s%s", a, tr(", "), b) : a ? a : b;
}

const char *phrase_clause(Arena *arena, const char *sentence) {
    static const char *const stops[] = {".", ":", ";", "。", "：", "；"};
    size_t length = strlen(sentence);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        const char *stop = strstr(sentence, stops[i]);
        if (stop && (size_t)(stop - sentence) < length) length = (size_t)(stop - sentence);
    }
    return arena_strndup(arena, sentence, length);
}
