/* The small lexicon of assets/lexicon.tsv: words with the features that the classroom model reads. */
#ifndef MODEL_LEXICON_H
#define MODEL_LEXICON_H

#include "base/arena.h"
#include "base/err.h"

/* Bits of the first seven dimensions of the classroom model. */
enum { WORD_NOUN = 1, WORD_VERB = 2, WORD_DET = 4, WORD_MODIF = 8, WORD_PREP = 16, WORD_ANIMATE = 32, WORD_PLURAL = 64 };

typedef struct Lexicon Lexicon;

/* From the bytes of the file; errors name its line. Lives in `arena`. */
bool lexicon_parse(const char *text, size_t size, const char *file, Arena *arena, Lexicon **out, Err *err);
/* From the data folder. */
bool lexicon_load(Arena *arena, Lexicon **out, Err *err);
/* Feature bits of a word (any case); -1 when it is not listed. */
int lexicon_find(const Lexicon *lexicon, const char *word, size_t length);
/* Bits of any word: listed; else the listed word without -s, -es or -ies; else by its ending (-ed -ing verb,
 * -ly modifier, -s plural noun); else a noun. 0 for punctuation and marks such as <pad>. */
int lexicon_features(const Lexicon *lexicon, const char *word);
/* Longest listed word at the start of `text`, in bytes; 0 = none. For text without spaces. */
size_t lexicon_longest(const Lexicon *lexicon, const char *text, size_t length);

#endif
