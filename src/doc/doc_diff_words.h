/* Values of settings as they stand in a file, in words of the language of the screen. */
#ifndef DOC_DIFF_WORDS_H
#define DOC_DIFF_WORDS_H

#include "base/arena.h"

/* "{kind: window, left: 2}" -> "window, left: 2", its words translated. What people typed stays as it is. */
const char *doc_diff_words(const char *key, const char *value, Arena *arena);

#endif
