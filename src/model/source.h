/* Where weights and token rows come from: the models made by hand, seeded random numbers, identity.
 * A source gives the attention machine its inputs and tells what its numbers mean. It knows no document and
 * no position kind but its own clocks. assets/doc/models.md describes each model. */
#ifndef MODEL_SOURCE_H
#define MODEL_SOURCE_H

#include <stdint.h>

#include "core/attn.h"
#include "model/tokenizer.h"

typedef enum {
    MODEL_CLASSROOM, /* 16 readable dimensions, 4 heads of d_k 4 */
    MODEL_MOLECULE,  /* the same for SMILES */
    MODEL_RANDOM,    /* seeded; weights scaled by 1/sqrt(d_model) */
    MODEL_IDENTITY,  /* all weights identity */
    MODEL_GIVEN,     /* matrices of the document or a trace file */
    MODEL_FOLDER,    /* a trained model on disk */
    MODEL_KIND_COUNT
} ModelKind;

extern const char *const model_names[MODEL_KIND_COUNT];

/* How the numbers came about. */
typedef enum { MADE_BY_HAND, MADE_RANDOM, MADE_GIVEN, MADE_TRAINED, MADE_COUNT } MadeKind;

/* What a head reads beside the tokens themselves; without it its name promises too much. */
enum {
    HEAD_NEEDS_CLOCKS = 1,  /* the built-in positions */
    HEAD_NEEDS_ONE_TEXT = 2 /* queries and keys are the same tokens */
};

/* Zeros mean the model's own default. Sizes a model cannot have are refused with what it can. */
typedef struct {
    ModelKind kind;
    unsigned long long seed;
    int d_model, n_heads, n_kv_heads, d_k, d_v;
    bool built_in_position; /* classroom, molecule: fill pe; false: their position dimensions are 0 */
    bool bias;              /* random: biases too */
} SourceSpec;

typedef struct {
    const char *title;        /* "Classroom 16×4" */
    MadeKind made;
    const char *badge;        /* the same in words, by tr(): "made by hand", "random", "given", "trained" */
    bool title_says_made;     /* "Random 16×4": the badge would repeat it */
    int d_model, n_heads, n_kv_heads, d_k, d_v;
    const char **feature;     /* [d_model] names of x's columns, or NULL */
    const char **head_name;   /* [n_heads] "previous token", or NULL */
    const char **head_story;  /* [n_heads] a sentence: what the head was built to do, or NULL */
    const uint8_t *head_needs; /* [n_heads] HEAD_NEEDS_… or NULL: nothing */
    const char **slot_q;      /* [n_heads * d_k] what a column of q asks for, or NULL; entries may be NULL */
    const char **slot_v;      /* [n_heads * d_v] names of v's and head_out's columns, or NULL */
    double clock[2];          /* radians a step of the built-in position clocks; 0 = none */
    int clock_first;          /* the first of the model's clock columns, sine and cosine of each; 0 = it has none */
    TensorInput *inputs;      /* tok and pe with built-in positions, else x; x_kv when keys are given (with its own
                               * positions added); w_q w_k w_v w_o; b_q b_k b_v b_o: as the machine wants them */
    int n_inputs;
    const char *note;         /* e.g. the clocks come round again beyond 32 tokens; NULL = none */
} Source;

/* `keys` may be NULL (self-attention) or the source side of cross-attention (then x_kv is given).
 * Everything lives in `arena`. */
bool source_build(const SourceSpec *spec, const TokenList *queries, const TokenList *keys, const Lexicon *lexicon,
                  Arena *arena, Source *out, Err *err);

/* Sets `made` and its badge. */
void source_set_made(Source *source, MadeKind made);

#endif
