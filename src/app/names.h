/* What kinds are called in front of people ("Causal", "RoPE, halves") and what the chips of the top bar say. Knows the
 * document and its run, no session. */
#ifndef APP_NAMES_H
#define APP_NAMES_H

#include "doc/run.h"

const char *name_of_model(int kind);
const char *name_of_mask(int kind);
const char *name_of_position(int kind);
const char *name_of_tokenizer(int kind);
/* What the chips say; `run` is NULL when there is none. In `arena`. */
const char *chip_model(const Doc *doc, const Run *run, Arena *arena);
const char *chip_badge(const Run *run); /* "made by hand"; NULL when the name says it already */
const char *chip_mask(const Doc *doc, Arena *arena);
const char *chip_position(const Doc *doc);
/* Has the model clocks of its own? */
bool model_has_position(const Doc *doc);

#endif
