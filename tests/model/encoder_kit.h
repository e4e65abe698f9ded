/* Tokenizers made from a few words of JSON, for tests of their parts. */
#ifndef TESTS_ENCODER_KIT_H
#define TESTS_ENCODER_KIT_H

#include "support/support.h"

#include "base/str.h"
#include "model/encoder.h"

/* All of a kit's memory; freed by kit_clear (a cmocka teardown). */
extern Arena kit_arena;
int kit_clear(void **state);

/* A tokenizer.json with this model, added tokens (a list) and sections ("\"normalizer\": {…}, …"); either may be "". Single quotes stand for double ones. */
const char *kit_json(const char *model, const char *added, const char *sections);
/* Fails the test when it cannot be opened. */
const Encoder *kit_open(const char *model, const char *added, const char *sections);
/* The pieces of a text with their typed bytes, "piece[start,end] …"; special tokens too. */
const char *kit_pieces(const Encoder *encoder, const char *text);
/* How a text is cut and changed, "a|b|c" with the typed bytes "a[0,1]|…": a WordLevel model without words shows nothing of it, so
 * the encoder must have byte fallback or all characters: see kit_letters. */
const char *kit_pair(const Encoder *encoder, const char *text, const char *pair);
/* A BPE model that has ASCII, "é", "▁", "Ġ" and a few more letters as pieces, and no merges; unknown: "?u". */
const char *kit_letters(void);
/* Opening must be refused with a message that has `says` and a key path `key`. */
void kit_refused(const char *json, const char *key, const char *says);

#endif
