/* Texts made of whole texts. A sentence is never put together from pieces: it is one message with arguments, so that a
 * translation may order and bend its words. What stands here joins texts of which each says something whole alone. */
#ifndef BASE_PHRASE_H
#define BASE_PHRASE_H

#include "base/arena.h"

/* "a · b": a list. Each part could stand alone or be left out, so their order is the same in every language. NULL parts
 * are left out; the result is NULL when both are. */
const char *phrase_list(Arena *arena, const char *a, const char *b);
/* Sentences one behind the other, as the language spaces them. */
const char *phrase_sentences(Arena *arena, const char *a, const char *b);
/* Names in a row: "x, y"; in Chinese "x、y". */
const char *phrase_names(Arena *arena, const char *a, const char *b);

/* A count in three figures, "1.24 million": each language has its own steps (in Chinese 万 and 亿). */
const char *phrase_count(Arena *arena, double count);
/* A sentence up to its first stop, colon or semicolon. */
const char *phrase_clause(Arena *arena, const char *sentence);

#endif
