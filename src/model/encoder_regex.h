/* The syntax of expressions in tokenizer files (Oniguruma's) in that of PCRE2. Knows no text and no files. */
#ifndef MODEL_ENCODER_REGEX_H
#define MODEL_ENCODER_REGEX_H

#include "model/encoder_internal.h"

/* The expression for PCRE2 (UTF, UCP, multi-line) in `arena`; NULL and *reason when it uses what cannot be said there. */
const char *enc_regex_translate(Arena *arena, EncBytes expression, const char **reason);

#endif
