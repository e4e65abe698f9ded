#include "base/phrase.h"

#include <stdio.h>
#include <stdlib.h>
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

/* "3:# thousand|6:# million": the last step that is not above the count. */
const char *phrase_count(Arena *arena, double count) {
    /* TRANSLATORS: how large numbers are said; before each colon the power of ten from which on. In Chinese "4:# 万|8:# 亿". */
    const char *step = tr("3:# thousand|6:# million|9:# billion"), *found = NULL;
    double unit = 1;
    for (; step; step = strchr(step, '|') ? strchr(step, '|') + 1 : NULL) {
        double power = 1;
        for (int i = atoi(step); i > 0; i--) power *= 10;
        if (count < 0.9995 * power) break; /* in three figures it is less */
        unit = power;
        found = strchr(step, ':');
    }
    char number[32];
    snprintf(number, sizeof number, "%.*f", !found || count / unit >= 99.95 ? 0 : count / unit >= 9.995 ? 1 : 2, count / unit);
    const char *place = found ? strchr(found, '#') : NULL;
    if (!place) return arena_strdup(arena, number);
    const char *rest = place + 1;
    return arena_printf(arena, "%.*s%s%.*s", (int)(place - found - 1), found + 1, number, (int)strcspn(rest, "|"), rest);
}
