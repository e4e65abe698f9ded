/* A folder with the shape of GPT-2 small and random weights: config.json and model.safetensors, F32, names and layouts as
 * GPT-2's ([in][out] matrices, q, k and v in one, the embedding also as the head). No tokenizer: it is run on ids. */
#ifndef BENCH_GPT2_FOLDER_H
#define BENCH_GPT2_FOLDER_H

#include <stdbool.h>

typedef struct {
    int layers, width, heads, vocabulary, positions;
} Gpt2Size;

extern const Gpt2Size gpt2_small;  /* 124 million parameters, 498 MB */
extern const Gpt2Size gpt2_little; /* to see that figures can be taken */

/* Makes the folder where it is not there. false after a message on standard error. */
bool gpt2_write(const char *folder, const Gpt2Size *size);
/* Takes away what gpt2_write wrote. */
void gpt2_remove(const char *folder);

#endif
