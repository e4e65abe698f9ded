/* Typed text to tokens. Each token knows which bytes of the text it came from. */
#ifndef MODEL_TOKENIZER_H
#define MODEL_TOKENIZER_H

#include "model/lexicon.h"

typedef enum {
    TOKENIZER_WORDS,      /* words and single punctuation marks; CJK by the lexicon's longest match, else by character;
                           * don't, well-known and <pad> are one token; spaces are none */
    TOKENIZER_CHARACTERS, /* grapheme clusters, spaces too */
    TOKENIZER_SMILES,     /* atoms (two-letter ones too), [brackets], bonds, ring digits, %12; spaces are no tokens */
    TOKENIZER_KIND_COUNT
} TokenizerKind;

/* More are refused with ERR_LIMIT: a map has the square of this many cells. */
enum { TOKENS_MAX = 2048, TEXT_MAX = 1 << 20 };

typedef struct {
    const char *text;  /* as typed */
    const char *label; /* what is shown: ␣ ⏎ ⇥ for what cannot be seen */
    int start, end;    /* bytes of the typed text; 0, 0 for a listed token */
} Token;

typedef struct {
    int n;
    Token *items;
} TokenList;

extern const char *const tokenizer_names[TOKENIZER_KIND_COUNT];

/* `text` must be good UTF-8; lexicon may be NULL (no word is listed). Empty text gives n = 0 and succeeds. Lives in `arena`. */
bool tokenize(TokenizerKind kind, const char *text, const Lexicon *lexicon, Arena *arena, TokenList *out, Err *err);
/* Tokens from a list of words. */
void tokens_from_list(const char *const *words, int n, Arena *arena, TokenList *out);
/* Visible form of any text: spaces, newlines, tabs, Ġ and ▁, control characters. */
const char *token_label(const char *text, Arena *arena);
/* "cat", "the#2" (second "the"), "3" (position from 1), '"3"' (the token 3, quoted) -> position from 0.
 * An ambiguous or unknown name is an error that lists the positions or the tokens. */
bool token_resolve(const TokenList *tokens, const char *name, int *position, Err *err);

#endif
