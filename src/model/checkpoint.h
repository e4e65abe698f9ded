/* A trained model on disk: a folder with config.json, model.safetensors (or shards and their index) and a tokenizer, as the
 * Hugging Face libraries write it. Files are mapped read-only; every header, offset and shape is checked before a pointer is
 * made. One table row an architecture (checkpoint_table.c): which config key is which parameter, which tensor name is which
 * weight of core/network.h. The result is a NetworkSpec and a WeightSource; nothing here computes. */
#ifndef MODEL_CHECKPOINT_H
#define MODEL_CHECKPOINT_H

#include "core/network.h"
#include "model/encoder.h"

typedef struct Checkpoint Checkpoint;

typedef struct {
    const char *folder;        /* as it was opened */
    const char *name;          /* its last part: "stories260K" */
    const char *architecture;  /* "GPT2LMHeadModel" */
    const char *family;        /* "GPT-2" */
    bool causal;               /* a decoder alone: next token */
    bool masked_lm;            /* predicts masked tokens */
    bool encoder_decoder;      /* two texts */
    int n_stacks;
    struct {
        const char *scope;     /* "", "encoder", "decoder" */
        int n_layers, n_heads, n_kv_heads, d_k, d_ff;
        int n_positions;       /* longest text in tokens; 0 = no limit of its own */
    } stack[2];
    int d_model, vocabulary;
    unsigned long long parameters;   /* numbers in the files, each once; of tensors of whole numbers and truth values none */
    unsigned long long used;         /* of them those that are weights here */
    unsigned long long bytes;        /* of the weight files */
    const char *stored_as;     /* "F32", "F16", "BF16" */
    const char *position;      /* "learned", "RoPE", "relative", "sinusoidal" */
    const char *mask;          /* "causal", "window of 6", "none" … in words for the chip */
    const char *tokenizer;     /* encoder_kind, or NULL: the folder has none that can be read */
    const char *tokenizer_problem; /* why not, in words; NULL where there is one */
    bool seeded;               /* no weights in the folder: random ones from the seed */
    char hash[65];             /* SHA-256 in hex of config.json, the safetensors headers and the file sizes */
} CheckpointInfo;

/* Opens the folder. seed: of the random weights where the folder has none (`seeded`). Errors name the file and the tensor or key, what was
 * expected and found: unknown architecture (the known ones are listed), missing or misshapen tensor, lying header, truncated file.
 * The caller gets one reference; checkpoint_keep takes another, checkpoint_drop gives one back (from any thread), the last unmaps. */
bool checkpoint_open(const char *folder, unsigned long long seed, Checkpoint **out, Err *err);
Checkpoint *checkpoint_keep(Checkpoint *checkpoint);
void checkpoint_drop(Checkpoint *checkpoint); /* NULL is fine */

/* Are config.json and the weight files still those that were opened? A few system calls. */
bool checkpoint_unchanged(const Checkpoint *checkpoint);
/* Can the weights still be read where they are mapped: has nobody written to the files or cut them off? One system call a file. */
bool checkpoint_intact(const Checkpoint *checkpoint, Err *err);

/* How many texts a folder's model reads, by its config.json alone: 1, 2 (encoder and decoder), 0 = that cannot be told. */
int checkpoint_texts(const char *folder);

const CheckpointInfo *checkpoint_info(const Checkpoint *checkpoint);
/* Tensors in the files that no weight of the model is: masks, frequencies, heads of other tasks. In `arena`; returns how many. */
int checkpoint_unused(const Checkpoint *checkpoint, Arena *arena, const char ***names);
const Encoder *checkpoint_encoder(const Checkpoint *checkpoint); /* NULL: the folder has no tokenizer */

/* The token ids of a text as this model wants them: special tokens and type ids of the post-processor for encoders, start token
 * and no end token for a decoder that reads another text, nothing added where the model adds nothing. `stack` = 0 or 1: which stack reads it.
 * Longer than the positions: the first n_positions, and *cut = how many were left out. In `arena`. Where the folder has no tokenizer the
 * text is a list of ids, and `pair` is not read. */
bool checkpoint_encode(const Checkpoint *checkpoint, int stack, const char *text, const char *pair, Arena *arena,
                       Encoding *out, int *cut, Err *err);

/* ---- texts of folders without a tokenizer: token ids, parted by spaces or commas ---- */

/* How many texts of ids the folder's model reads, by the names of its files and its config.json alone: 1 or 2, and the vocabulary of each in
 * `sizes`; 0 = it has a tokenizer, or cannot be told. */
int checkpoint_id_texts(const char *folder, int sizes[2]);
bool checkpoint_is_ids(const char *text); /* digits, spaces, commas; at least one digit */
/* Ids from 0 to vocabulary - 1; "" gives none. The error names what is not one. `name` is what it calls the model. At most TOKENS_MAX. */
bool checkpoint_ids(const char *text, const char *name, int vocabulary, Arena *arena, Encoding *out, Err *err);

/* ---- machines ---- */

/* Ids of one stack's text. */
typedef struct {
    int n;
    const int *ids, *types; /* types NULL: all 0 */
    const bool *marked;     /* special tokens, NULL = none */
} CheckpointIds;
/* The machine for these ids (ids[stack]); arrays in `arena`. weights->ctx borrows the checkpoint. predict_row as in NetworkSpec, -2 = the
 * usual row: the last one of a causal model or decoder, the first [MASK] of a masked one. */
bool checkpoint_network(const Checkpoint *checkpoint, const CheckpointIds ids[2], int predict_row, Arena *arena,
                        NetworkSpec *spec, WeightSource *weights, Err *err);

/* ---- comparing with a dump (attnscope check --model) ---- */

/* Id of the trace's tensor that a reference file calls `name`: "layers.0.attn", "hidden.2", "decoder.layers.1.self.attn_out",
 * "position_bias", "last_layer_out", "logits", "pooler_output", or our own ids. TENSOR_NONE = there is none. */
TensorId checkpoint_reference(const Trace *trace, const NetworkResults *results, const char *name);
/* Absolute tolerance of a reference tensor by its kind: probabilities 1e-4, logits 2e-3, others 1e-3. */
double checkpoint_tolerance(const char *name);

/* One tensor of a dump beside the one that was computed. */
typedef struct {
    const char *name;
    bool unknown;              /* there is no such tensor here: nothing was compared */
    const char *problem;       /* shapes that do not fit, in words; NULL = none */
    bool differs;
    double difference, tolerance; /* NaN meets NaN, inf meets inf; INFINITY when they do not */
    int rank, index[TENSOR_RANK_MAX]; /* of the largest difference, from 0 */
    double got, want;          /* computed, in the file */
    int op;                    /* that makes it */
} CheckpointRow;
/* Runs the folder on input_ids (decoder_input_ids, token_type_ids) of a .safetensors file and compares every other tensor in it, in
 * computing order, unknown ones last. tolerance < 0: by kind. Dimensions of 1 in front do not count. */
bool checkpoint_check(const Checkpoint *checkpoint, const char *path, double tolerance, const CoreContext *cx, Arena *arena,
                      CheckpointRow **rows, int *n_rows, Err *err);

#endif
