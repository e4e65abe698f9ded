/* What kinds are called in front of people ("Causal", "RoPE, halves") and what the chips of the top bar say. Knows the
 * document and its run, no session. */
#ifndef APP_NAMES_H
#define APP_NAMES_H

#include "doc/run.h"

const char *name_of_model(int kind);
const char *name_of_mask(int kind);
const char *name_of_position(int kind);
const char *name_of_tokenizer(int kind);
/* The folder's model that the document and its run are about; NULL = none, or the run is another one's. */
const CheckpointInfo *name_folder(const Doc *doc, const Run *run);
/* What the chips say; `run` is NULL when there is none. In `arena`. */
const char *chip_model(const Doc *doc, const Run *run, Arena *arena);
const char *chip_badge(const Doc *doc, const Run *run); /* "made by hand"; NULL when the name says it already */
const char *chip_mask(const Doc *doc, const Run *run, Arena *arena);
const char *chip_position(const Doc *doc, const Run *run, Arena *arena);
const char *chip_tokenizer(const Doc *doc, const Run *run);
/* "12 layers", "6 + 6 layers". */
const char *name_layers(const CheckpointInfo *info, Arena *arena);
/* The first digits of the hash. */
const char *name_short_hash(const CheckpointInfo *info, Arena *arena);
/* Has the model clocks of its own? */
bool model_has_position(const Doc *doc);

#endif
