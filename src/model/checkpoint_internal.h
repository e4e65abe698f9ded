/* What the files of checkpoint_*.c share: the table of families, a folder's parameters, its files and its weights by role. */
#ifndef MODEL_CHECKPOINT_INTERNAL_H
#define MODEL_CHECKPOINT_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/mapped.h"
#include "model/checkpoint.h"
#include "model/safetensors.h"

/* ---- roles: the weights of core/network.h, with their shapes ---- */

typedef enum {
    ROLE_W_Q, ROLE_B_Q, ROLE_W_K, ROLE_B_K, ROLE_W_V, ROLE_B_V, ROLE_W_O, ROLE_B_O, /* of an attention */
    ROLE_LN1_G, ROLE_LN1_B, ROLE_LN2_G, ROLE_LN2_B, ROLE_LN3_G, ROLE_LN3_B,         /* of a block */
    ROLE_W_FF1, ROLE_B_FF1, ROLE_W_FF2, ROLE_B_FF2, ROLE_W_GATE, ROLE_B_GATE, ROLE_W_UP, ROLE_B_UP, ROLE_W_DOWN, ROLE_B_DOWN,
    ROLE_W_EMBED, ROLE_W_POS, ROLE_W_TYPE, ROLE_EMBED_G, ROLE_EMBED_B, ROLE_W_MAP, ROLE_B_MAP, ROLE_REL_BIAS, /* of a stack */
    ROLE_FINAL_G, ROLE_FINAL_B,
    ROLE_W_HEAD, ROLE_B_HEAD, ROLE_HEAD_G, ROLE_HEAD_B, ROLE_W_LOGITS, ROLE_B_LOGITS, ROLE_W_POOL, ROLE_B_POOL, /* of the head */
    ROLE_COUNT,
    ROLE_BLOCK_END = ROLE_W_EMBED
} Role;

/* Sizes of a stack that shapes are made of. */
typedef enum {
    SIZE_NONE, SIZE_MODEL, SIZE_EMBED /* width of the token table */, SIZE_HEADS /* n_heads * d_k */, SIZE_KV /* n_kv_heads * d_k */, SIZE_FF,
    SIZE_VOCABULARY, SIZE_POSITIONS /* rows of the position table */, SIZE_TYPES, SIZE_BUCKETS, SIZE_N_HEADS, SIZE_COUNT
} SizeKind;

/* How random weights of a folder without any are spread. */
typedef enum { SPREAD_ZERO, SPREAD_ONE, SPREAD_TABLE, SPREAD_QUERY, SPREAD_INNER, SPREAD_RESULT } Spread;

typedef struct {
    const char *name;      /* "w_q" */
    SizeKind rows, cols;   /* cols SIZE_NONE: a vector */
    Spread spread;
} RoleInfo;
extern const RoleInfo checkpoint_roles[ROLE_COUNT];

/* ---- families: one row an architecture ---- */

typedef enum {
    LAYOUT_LINEAR,    /* [out, in], as nn.Linear */
    LAYOUT_CONV,      /* [in, out] */
    LAYOUT_CONV_QKV,  /* [in, 3 out]: columns of q, of k, of v */
    LAYOUT_HEADS_QKV, /* [3 out, in]: rows of each head's q, k, v */
    LAYOUT_COUNT
} Layout;

typedef enum { IN_ANY, IN_ENCODER, IN_DECODER } WhichStack;
typedef enum { ATTENTION_SELF, ATTENTION_CROSS, ATTENTION_COUNT } WhichAttention;

/* A tensor's name in files. {i}: layer, {s}: encoder or decoder, {g}: group of layers that share weights. Names in parts by | are
 * tried in order. '/' in front: the prefix does not stand before it. */
typedef struct {
    Role role;
    const char *names;
    bool optional;
    Layout layout;
    int part;                 /* of q, k, v: 0, 1, 2 */
    WhichStack in;
    WhichAttention attention;
} WeightName;

/* Keys of config.json, alternatives in parts by |; NULL: the family has no such parameter. */
typedef struct {
    const char *layers, *heads, *ff;                          /* of the first or only stack */
    const char *decoder_layers, *decoder_heads, *decoder_ff;
    const char *kv_heads, *d_model, *d_k, *positions, *vocabulary, *decoder_vocabulary, *embedding, *types, *eps, *activation, *window;
} ConfigKeys;

typedef enum { STACKS_ENCODER, STACKS_DECODER, STACKS_BOTH } FamilyStacks;
/* Where a family leaves a bias to the config. The keys are attention_bias and mlp_bias. */
typedef enum { BIAS_NEVER, BIAS_ALWAYS, BIAS_UNLESS_KEY /* says no */, BIAS_BY_KEY } BiasRule;
typedef enum { WINDOWS_NONE, WINDOWS_ALL, WINDOWS_LATE /* from layer max_window_layers on */, WINDOWS_LISTED /* attention_layers */ } Windows;

typedef struct {
    const char *model_types;   /* "bert", alternatives by | */
    const char *name;          /* "BERT" */
    const char *class_start;   /* how its class names begin: "Bert" */
    const char *usual_class;   /* where config.json names none */
    const char *prefixes;      /* of tensor names, in parts by |; the first may be empty */
    ConfigKeys keys;
    FamilyStacks stacks;
    NormKind norm;
    NormPlace place;
    double eps;                /* where the key is absent or there is none */
    Activation activation;     /* where the key is absent */
    bool gated;                /* always; T5's config says it itself */
    PositionKind position;
    int position_offset;       /* row of the first token in the position table */
    bool position_after_pad;   /* and it comes after pad_token_id */
    int position_extra;        /* rows of the table beyond max_position_embeddings */
    bool unscaled;             /* scores are not divided by sqrt(d_k) */
    bool tied;                 /* tie_word_embeddings where the key is absent */
    bool tied_scale;           /* tied: rows are divided by sqrt(d_model) before the logits */
    bool head_gelu;            /* the masked head's activation is GELU whatever the key says */
    bool ff_by_width;          /* the feed-forward width is 4 d_model where its key is absent */
    bool scale_keys;           /* scale_attn_weights and scale_attn_by_inverse_layer_idx say how scores are scaled */
    bool shared_layers;        /* num_hidden_groups sets of weights for all layers */
    BiasRule qkv_bias, out_bias, ff_bias; /* of weights whose bias is optional: what a folder without files has */
    bool parallel;             /* unless use_parallel_residual says no */
    double rope_part;          /* share of a head's features that turn, where the key is absent; 0 = all */
    Windows windows;
    int window;                /* where the key is absent */
    const WeightName *weights;
    int n_weights;
} Family;
extern const Family checkpoint_families[];
extern const int checkpoint_family_count;

/* What a class name's end says: what stands behind the last layer. */
typedef struct {
    const char *ending;
    HeadKind head;
    bool encoder_only;
} ClassEnding;
extern const ClassEnding checkpoint_endings[];
extern const int checkpoint_ending_count;

extern const struct ActivationName {
    const char *name; /* as config.json writes it */
    Activation activation;
} checkpoint_activations[];
extern const int checkpoint_activation_count;

/* Part n of a list "a|b", from 0; false behind its end. NULL is an empty list. */
enum { PART_MAX = 128 };
bool checkpoint_part(const char *list, int n, char out[PART_MAX]);
bool checkpoint_listed(const char *list, const char *word); /* as a whole part */

/* ---- a folder ---- */

typedef struct {
    const char *scope;        /* in the trace: "", "encoder", "decoder" */
    const char *word;         /* {s} in names of tensors */
    bool decoder;
    int n_layers, n_heads, n_kv_heads, d_k, d_ff, vocabulary;
    int positions;            /* tokens that have a place; 0 = no limit */
    int size[SIZE_COUNT];
    bool *local;              /* [n_layers] a window instead of all keys before */
} StackConfig;

typedef struct {
    const char *file;         /* path of config.json */
    const char *architecture;
    const Family *family;
    HeadKind head;
    bool encoder_only;
    int n_stacks;
    StackConfig stack[2];
    int d_model;
    double eps;
    Activation activation;
    bool gated, tied, scale_embedding, parallel;
    bool qkv_bias, out_bias, ff_bias; /* as the family and its keys have it */
    PositionSpec position;    /* of rows or of attention, by its kind */
    ScaleKind scale;
    bool scale_by_layer;      /* scores are divided by the layer's number too */
    int window;               /* keys that a local layer's query sees, with its own; 0 = none */
    int groups;               /* of layers that share weights; 0 = none do */
    int start_id;             /* what a decoder begins with; -1 = not said */
} ModelConfig;

/* One weight, ready to be given to a machine. */
typedef struct {
    bool present;
    TensorInput input;        /* neither data nor stored: random, not made yet */
} Slot;

typedef struct {
    Slot own[ROLE_COUNT];                             /* of the stack and the head */
    Slot (*layer)[ATTENTION_COUNT][ROLE_BLOCK_END];   /* [n_layers]; norms and feed-forward under ATTENTION_SELF */
} StackWeights;

typedef struct {
    Mapped map;
    SafetensorsHeader header;
} WeightFile;

/* A tensor of the files. */
typedef struct {
    const SafetensorsEntry *entry;
    const WeightFile *file;
    const void *aligned;      /* its bytes; a copy where the file does not align them; NULL until somebody asks */
    bool used;
} WeightTensor;

struct Checkpoint {
    Arena arena;
    atomic_int refs;
    const char *config_text; size_t config_size;
    ModelConfig config;
    CheckpointInfo info;
    WeightFile *files; int n_files;
    WeightTensor *tensors; int n_tensors; /* by name */
    const char *prefix;
    StackWeights weights[2];
    Encoder *encoder;
    Err encoder_err;          /* why there is none */
    unsigned long long seed;
    pthread_mutex_t lock;     /* of `made` and the slots while random weights are made */
    Arena made;
};

/* config.json. `arena` keeps everything. */
bool checkpoint_config(const char *file, const char *text, size_t size, Arena *arena, ModelConfig *out, Err *err);
/* Finds, maps and checks the weight files; none at all: n_files 0 and true. */
bool checkpoint_files(Checkpoint *c, Err *err);
void checkpoint_close_files(Checkpoint *c);
WeightTensor *checkpoint_tensor(const Checkpoint *c, const char *name); /* NULL = absent */
/* Fills c->weights from the files, or with random ones. */
bool checkpoint_bind(Checkpoint *c, Err *err);
/* Rows and columns of a role in a stack; cols 1 and rank 1 for a vector. */
void checkpoint_shape(const StackConfig *stack, Role role, TensorInput *out);
/* WeightSource.find */
bool checkpoint_find_weight(void *checkpoint, const char *scope, const char *name, TensorInput *out);
/* Makes the numbers of a random weight. Under the lock. `id` names it among all. */
bool checkpoint_make(Checkpoint *c, const StackConfig *stack, Role role, const char *id, Slot *slot);

#endif
