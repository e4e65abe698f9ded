/* Tokenizers of trained models: text to token ids and back, as the folder's own files say. Reads
 * tokenizer.json (BPE byte-level or with byte fallback, WordPiece, Unigram, WordLevel; normalizers,
 * pre-tokenizers, special tokens, post-processors), else vocab.json + merges.txt or vocab.txt.
 * Knows no network: what the ids mean is the checkpoint's business (model/checkpoint.h). */
#ifndef MODEL_ENCODER_H
#define MODEL_ENCODER_H

#include "model/tokenizer.h"

typedef struct Encoder Encoder;

/* One text, or a pair, as ids. Arrays of n, in the arena given. */
typedef struct {
    int n;
    int *ids;
    const char **pieces;   /* as the vocabulary writes them: "Ġcat", "▁ca", "##ing", "<0xE4>" */
    int *start, *end;      /* bytes of the text (of `pair` where source is 1) it came from; 0, 0 for added ones */
    int *char_start, *char_end; /* the same in code points */
    int *type_ids;         /* 0 or 1, as the post-processor says (Roberta has 0 everywhere) */
    int *source;           /* 0 the text, 1 the second one, -1 put there by the post-processor ([CLS], </s>) */
    bool *added;           /* source is -1 */
} Encoding;

/* Where the files lie. `folder` holds tokenizer.json, or vocab.json and merges.txt, or vocab.txt. ERR_IO when there is
 * none (all names tried are listed), ERR_INPUT names file, key, found, expected. Lives in `arena`. Truncation and padding
 * that a file asks for are left to the caller. */
bool encoder_open(const char *folder, Arena *arena, Encoder **out, Err *err);
/* The same from the bytes of a tokenizer.json; `name` is what errors call it. */
bool encoder_open_text(const char *json, size_t size, const char *name, Arena *arena, Encoder **out, Err *err);
/* "byte-level BPE", "BPE with byte fallback", "BPE", "WordPiece", "Unigram", "WordLevel". */
const char *encoder_kind(const Encoder *encoder);
int encoder_size(const Encoder *encoder);             /* ids 0 .. size-1 */
/* `pair` may be NULL. `special`: what the post-processor adds too. More than TOKENS_MAX tokens: ERR_LIMIT.
 * `length` bytes, so that U+0000 may be inside. Bad UTF-8: ERR_INPUT at its byte. */
bool encoder_encode(const Encoder *encoder, const char *text, size_t length, const char *pair, size_t pair_length,
                    bool special, Arena *arena, Encoding *out, Err *err);
/* The vocabulary's text of an id, "" for one it has not. */
const char *encoder_piece(const Encoder *encoder, int id);
/* What an id adds to the text when it follows others: " cat" for "Ġcat" or "▁cat", "ing" for "##ing"; bytes that are
 * no whole character stay as "<0xE4>". Special tokens keep their name. In `arena`. */
const char *encoder_text(const Encoder *encoder, int id, Arena *arena);
/* What is shown for an id: its text with spaces and line breaks made visible ("␣cat"), WordPiece's "##" kept, bytes
 * that are no whole character as "<0xE4>". In `arena`. */
const char *encoder_label(const Encoder *encoder, int id, Arena *arena);
/* The text that ids make together; special tokens are left out, bytes that are no character become U+FFFD. In `arena`. */
const char *encoder_decode(const Encoder *encoder, const int *ids, int n, Arena *arena);
int encoder_find(const Encoder *encoder, const char *piece);  /* id of an exact piece ("[MASK]"), -1 = none */
bool encoder_is_special(const Encoder *encoder, int id);      /* an added token marked special */
/* Id of the mask token ([MASK], <mask>), of the unknown token; -1 = none. */
int encoder_mask_id(const Encoder *encoder);
int encoder_unknown_id(const Encoder *encoder);

#endif
