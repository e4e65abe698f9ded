/* UTF-8. Text is checked once, at the door; after that strings are known to be good. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* Reads one code point at *pos and moves *pos behind it. Invalid bytes give U+FFFD and move by one.
 * Overlong forms, surrogates and values above U+10FFFF are invalid. Needs *pos < length. */
uint32_t utf8_next(const char *text, size_t length, size_t *pos);
/* Writes up to 4 bytes, returns how many. */
int utf8_put(char out[4], uint32_t code_point);
/* Byte offset of the first invalid byte, or `length`. */
size_t utf8_valid_until(const char *text, size_t length);
/* Ends a text that was written into `size` bytes at a whole cluster: where they were all needed, it may have been cut inside of one. */
void utf8_cut(char *text, size_t size);
/* How much of a text whole clusters fill of `most` bytes; whole characters where not even one cluster fits. */
size_t utf8_fit(const char *text, size_t length, size_t most);
/* Error names the byte offset and its value. */
bool utf8_check(const char *text, size_t length, Err *err);
/* Copy with each invalid byte as U+FFFD. */
char *utf8_clean(Arena *arena, const char *text, size_t length);
/* Grapheme clusters (utf8proc): offset of the next or previous boundary. */
size_t utf8_grapheme_next(const char *text, size_t length, size_t pos);
size_t utf8_grapheme_previous(const char *text, size_t length, size_t pos);
/* Offset of the next or previous word start, as Ctrl+arrows move. */
size_t utf8_word_next(const char *text, size_t length, size_t pos);
size_t utf8_word_previous(const char *text, size_t length, size_t pos);
/* Lower case, full text, by code point. */
char *utf8_lower(Arena *arena, const char *text);
bool utf8_is_cjk(uint32_t code_point);
bool utf8_is_space(uint32_t code_point);
bool utf8_is_punctuation(uint32_t code_point);
/* May a line end between these two, neither of them a space? Chinese breaks anywhere, but no line begins with a closing mark or
 * ends with an opening one. */
bool utf8_breaks_between(uint32_t before, uint32_t after);

#endif
