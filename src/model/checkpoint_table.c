#include "model/checkpoint_internal.h"

#include <assert.h>
#include <string.h>

#include "base/str.h"

/* ---- roles ---- */

#define VECTOR(text, size, how) {text, SIZE_##size, SIZE_NONE, SPREAD_##how}
#define MATRIX(text, out, in, how) {text, SIZE_##out, SIZE_##in, SPREAD_##how}

const RoleInfo checkpoint_roles[ROLE_COUNT] = {
    [ROLE_W_Q] = MATRIX("w_q", HEADS, MODEL, QUERY),         [ROLE_B_Q] = VECTOR("b_q", HEADS, ZERO),
    [ROLE_W_K] = MATRIX("w_k", KV, MODEL, QUERY),            [ROLE_B_K] = VECTOR("b_k", KV, ZERO),
    [ROLE_W_V] = MATRIX("w_v", KV, MODEL, INNER),            [ROLE_B_V] = VECTOR("b_v", KV, ZERO),
    [ROLE_W_O] = MATRIX("w_o", MODEL, HEADS, RESULT),        [ROLE_B_O] = VECTOR("b_o", MODEL, ZERO),
    [ROLE_LN1_G] = VECTOR("ln1_g", MODEL, ONE),              [ROLE_LN1_B] = VECTOR("ln1_b", MODEL, ZERO),
    [ROLE_LN2_G] = VECTOR("ln2_g", MODEL, ONE),              [ROLE_LN2_B] = VECTOR("ln2_b", MODEL, ZERO),
    [ROLE_LN3_G] = VECTOR("ln3_g", MODEL, ONE),              [ROLE_LN3_B] = VECTOR("ln3_b", MODEL, ZERO),
    [ROLE_W_FF1] = MATRIX("w_ff1", FF, MODEL, INNER),        [ROLE_B_FF1] = VECTOR("b_ff1", FF, ZERO),
    [ROLE_W_FF2] = MATRIX("w_ff2", MODEL, FF, RESULT),       [ROLE_B_FF2] = VECTOR("b_ff2", MODEL, ZERO),
    [ROLE_W_GATE] = MATRIX("w_gate", FF, MODEL, INNER),      [ROLE_B_GATE] = VECTOR("b_gate", FF, ZERO),
    [ROLE_W_UP] = MATRIX("w_up", FF, MODEL, INNER),          [ROLE_B_UP] = VECTOR("b_up", FF, ZERO),
    [ROLE_W_DOWN] = MATRIX("w_down", MODEL, FF, RESULT),     [ROLE_B_DOWN] = VECTOR("b_down", MODEL, ZERO),
    [ROLE_W_EMBED] = MATRIX("w_embed", VOCABULARY, EMBED, TABLE), [ROLE_W_POS] = MATRIX("w_pos", POSITIONS, EMBED, TABLE),
    [ROLE_W_TYPE] = MATRIX("w_type", TYPES, EMBED, TABLE),
    [ROLE_EMBED_G] = VECTOR("embed_g", EMBED, ONE),          [ROLE_EMBED_B] = VECTOR("embed_b", EMBED, ZERO),
    [ROLE_W_MAP] = MATRIX("w_map", MODEL, EMBED, INNER),     [ROLE_B_MAP] = VECTOR("b_map", MODEL, ZERO),
    [ROLE_REL_BIAS] = MATRIX("rel_bias", BUCKETS, N_HEADS, INNER),
    [ROLE_FINAL_G] = VECTOR("final_g", MODEL, ONE),          [ROLE_FINAL_B] = VECTOR("final_b", MODEL, ZERO),
    [ROLE_W_HEAD] = MATRIX("w_head", EMBED, MODEL, INNER),   [ROLE_B_HEAD] = VECTOR("b_head", EMBED, ZERO),
    [ROLE_HEAD_G] = VECTOR("head_g", EMBED, ONE),            [ROLE_HEAD_B] = VECTOR("head_b", EMBED, ZERO),
    [ROLE_W_LOGITS] = MATRIX("w_logits", VOCABULARY, EMBED, TABLE), [ROLE_B_LOGITS] = VECTOR("b_logits", VOCABULARY, ZERO),
    [ROLE_W_POOL] = MATRIX("w_pool", MODEL, MODEL, INNER),   [ROLE_B_POOL] = VECTOR("b_pool", MODEL, ZERO),
};

/* ---- names in files ---- */

/* A linear layer or a norm: weight and bias. */
#define LINEAR(R, name) {.role = ROLE_W_##R, .names = name ".weight"}, {.role = ROLE_B_##R, .names = name ".bias"}
#define MAYBE_BIAS(R, name) {.role = ROLE_W_##R, .names = name ".weight"}, {.role = ROLE_B_##R, .names = name ".bias", .optional = true}
#define CONV(R, name) {.role = ROLE_W_##R, .names = name ".weight", .layout = LAYOUT_CONV}, {.role = ROLE_B_##R, .names = name ".bias"}
#define PART(R, name, how, n)                                                                                                              \
    {.role = ROLE_W_##R, .names = name ".weight", .layout = how, .part = n}, {.role = ROLE_B_##R, .names = name ".bias", .layout = how, .part = n}
#define QKV(name, how) PART(Q, name, how, 0), PART(K, name, how, 1), PART(V, name, how, 2)
#define NORM(R, name) {.role = ROLE_##R##_G, .names = name ".weight"}, {.role = ROLE_##R##_B, .names = name ".bias"}
#define RMS(R, name) {.role = ROLE_##R##_G, .names = name ".weight"}
#define ONE(R, name) {.role = ROLE_##R, .names = name}
#define MAYBE(R, name) {.role = ROLE_##R, .names = name, .optional = true}

static const WeightName gpt2_weights[] = {
    ONE(W_EMBED, "wte.weight"), ONE(W_POS, "wpe.weight"),
    NORM(LN1, "h.{i}.ln_1"), QKV("h.{i}.attn.c_attn", LAYOUT_CONV_QKV), CONV(O, "h.{i}.attn.c_proj"),
    NORM(LN2, "h.{i}.ln_2"), CONV(FF1, "h.{i}.mlp.c_fc"), CONV(FF2, "h.{i}.mlp.c_proj"),
    NORM(FINAL, "ln_f"), ONE(W_LOGITS, "/lm_head.weight"),
};

static const WeightName gpt_neo_weights[] = {
    ONE(W_EMBED, "wte.weight"), ONE(W_POS, "wpe.weight"),
    NORM(LN1, "h.{i}.ln_1"), MAYBE_BIAS(Q, "h.{i}.attn.attention.q_proj"), MAYBE_BIAS(K, "h.{i}.attn.attention.k_proj"),
    MAYBE_BIAS(V, "h.{i}.attn.attention.v_proj"), LINEAR(O, "h.{i}.attn.attention.out_proj"),
    NORM(LN2, "h.{i}.ln_2"), LINEAR(FF1, "h.{i}.mlp.c_fc"), LINEAR(FF2, "h.{i}.mlp.c_proj"),
    NORM(FINAL, "ln_f"), ONE(W_LOGITS, "/lm_head.weight"),
};

static const WeightName gpt_neox_weights[] = {
    ONE(W_EMBED, "embed_in.weight"),
    NORM(LN1, "layers.{i}.input_layernorm"),
    {.role = ROLE_W_Q, .names = "layers.{i}.attention.query_key_value.weight", .layout = LAYOUT_HEADS_QKV, .part = 0},
    {.role = ROLE_W_K, .names = "layers.{i}.attention.query_key_value.weight", .layout = LAYOUT_HEADS_QKV, .part = 1},
    {.role = ROLE_W_V, .names = "layers.{i}.attention.query_key_value.weight", .layout = LAYOUT_HEADS_QKV, .part = 2},
    {.role = ROLE_B_Q, .names = "layers.{i}.attention.query_key_value.bias", .layout = LAYOUT_HEADS_QKV, .part = 0, .optional = true},
    {.role = ROLE_B_K, .names = "layers.{i}.attention.query_key_value.bias", .layout = LAYOUT_HEADS_QKV, .part = 1, .optional = true},
    {.role = ROLE_B_V, .names = "layers.{i}.attention.query_key_value.bias", .layout = LAYOUT_HEADS_QKV, .part = 2, .optional = true},
    MAYBE_BIAS(O, "layers.{i}.attention.dense"),
    NORM(LN2, "layers.{i}.post_attention_layernorm"),
    LINEAR(FF1, "layers.{i}.mlp.dense_h_to_4h"), LINEAR(FF2, "layers.{i}.mlp.dense_4h_to_h"),
    NORM(FINAL, "final_layer_norm"), ONE(W_LOGITS, "/embed_out.weight|/lm_head.weight"),
};

/* Llama, Mistral and Qwen2 differ in biases and parameters only. */
static const WeightName llama_weights[] = {
    ONE(W_EMBED, "embed_tokens.weight|/lm_head.weight"),
    RMS(LN1, "layers.{i}.input_layernorm"), MAYBE_BIAS(Q, "layers.{i}.self_attn.q_proj"), MAYBE_BIAS(K, "layers.{i}.self_attn.k_proj"),
    MAYBE_BIAS(V, "layers.{i}.self_attn.v_proj"), MAYBE_BIAS(O, "layers.{i}.self_attn.o_proj"),
    RMS(LN2, "layers.{i}.post_attention_layernorm"), MAYBE_BIAS(GATE, "layers.{i}.mlp.gate_proj"), MAYBE_BIAS(UP, "layers.{i}.mlp.up_proj"),
    MAYBE_BIAS(DOWN, "layers.{i}.mlp.down_proj"),
    RMS(FINAL, "norm"), ONE(W_LOGITS, "/lm_head.weight"),
};

#define BERT_BODY                                                                                                                          \
    ONE(W_EMBED, "embeddings.word_embeddings.weight"), ONE(W_POS, "embeddings.position_embeddings.weight"),                                \
        ONE(W_TYPE, "embeddings.token_type_embeddings.weight"), NORM(EMBED, "embeddings.LayerNorm"),                                       \
        LINEAR(Q, "encoder.layer.{i}.attention.self.query"), LINEAR(K, "encoder.layer.{i}.attention.self.key"),                            \
        LINEAR(V, "encoder.layer.{i}.attention.self.value"), LINEAR(O, "encoder.layer.{i}.attention.output.dense"),                        \
        NORM(LN1, "encoder.layer.{i}.attention.output.LayerNorm"), LINEAR(FF1, "encoder.layer.{i}.intermediate.dense"),                    \
        LINEAR(FF2, "encoder.layer.{i}.output.dense"), NORM(LN2, "encoder.layer.{i}.output.LayerNorm"), LINEAR(POOL, "pooler.dense")

static const WeightName bert_weights[] = {
    BERT_BODY, LINEAR(HEAD, "/cls.predictions.transform.dense"), NORM(HEAD, "/cls.predictions.transform.LayerNorm"),
    ONE(W_LOGITS, "/cls.predictions.decoder.weight"), MAYBE(B_LOGITS, "/cls.predictions.bias|/cls.predictions.decoder.bias"),
};

static const WeightName roberta_weights[] = {
    BERT_BODY, LINEAR(HEAD, "/lm_head.dense"), NORM(HEAD, "/lm_head.layer_norm"),
    ONE(W_LOGITS, "/lm_head.decoder.weight"), MAYBE(B_LOGITS, "/lm_head.bias|/lm_head.decoder.bias"),
};

static const WeightName distilbert_weights[] = {
    ONE(W_EMBED, "embeddings.word_embeddings.weight"), ONE(W_POS, "embeddings.position_embeddings.weight"), NORM(EMBED, "embeddings.LayerNorm"),
    LINEAR(Q, "transformer.layer.{i}.attention.q_lin"), LINEAR(K, "transformer.layer.{i}.attention.k_lin"),
    LINEAR(V, "transformer.layer.{i}.attention.v_lin"), LINEAR(O, "transformer.layer.{i}.attention.out_lin"),
    NORM(LN1, "transformer.layer.{i}.sa_layer_norm"), LINEAR(FF1, "transformer.layer.{i}.ffn.lin1"),
    LINEAR(FF2, "transformer.layer.{i}.ffn.lin2"), NORM(LN2, "transformer.layer.{i}.output_layer_norm"),
    LINEAR(HEAD, "/vocab_transform"), NORM(HEAD, "/vocab_layer_norm"),
    ONE(W_LOGITS, "/vocab_projector.weight"), MAYBE(B_LOGITS, "/vocab_projector.bias"),
};

#define ALBERT_LAYER "encoder.albert_layer_groups.{g}.albert_layers.0."
static const WeightName albert_weights[] = {
    ONE(W_EMBED, "embeddings.word_embeddings.weight"), ONE(W_POS, "embeddings.position_embeddings.weight"),
    ONE(W_TYPE, "embeddings.token_type_embeddings.weight"), NORM(EMBED, "embeddings.LayerNorm"), LINEAR(MAP, "encoder.embedding_hidden_mapping_in"),
    LINEAR(Q, ALBERT_LAYER "attention.query"), LINEAR(K, ALBERT_LAYER "attention.key"), LINEAR(V, ALBERT_LAYER "attention.value"),
    LINEAR(O, ALBERT_LAYER "attention.dense"), NORM(LN1, ALBERT_LAYER "attention.LayerNorm"),
    LINEAR(FF1, ALBERT_LAYER "ffn"), LINEAR(FF2, ALBERT_LAYER "ffn_output"), NORM(LN2, ALBERT_LAYER "full_layer_layer_norm"),
    LINEAR(POOL, "pooler"), LINEAR(HEAD, "/predictions.dense"), NORM(HEAD, "/predictions.LayerNorm"),
    ONE(W_LOGITS, "/predictions.decoder.weight"), MAYBE(B_LOGITS, "/predictions.bias|/predictions.decoder.bias"),
};

#define T5_LAYER "{s}.block.{i}.layer."
#define T5_CROSS(R, name) {.role = ROLE_W_##R, .names = T5_LAYER "1.EncDecAttention." name ".weight", .in = IN_DECODER, .attention = ATTENTION_CROSS}
/* The feed-forward layer is the second part of an encoder's layer, the third of a decoder's; gated or not by the config. */
#define T5_FF(R, name)                                                                                                                     \
    {.role = ROLE_##R, .names = T5_LAYER "1.DenseReluDense." name ".weight", .in = IN_ENCODER},                                            \
        {.role = ROLE_##R, .names = T5_LAYER "2.DenseReluDense." name ".weight", .in = IN_DECODER}
static const WeightName t5_weights[] = {
    ONE(W_EMBED, "shared.weight|{s}.embed_tokens.weight|encoder.embed_tokens.weight|/lm_head.weight"),
    ONE(REL_BIAS, "{s}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"),
    RMS(LN1, T5_LAYER "0.layer_norm"), ONE(W_Q, T5_LAYER "0.SelfAttention.q.weight"), ONE(W_K, T5_LAYER "0.SelfAttention.k.weight"),
    ONE(W_V, T5_LAYER "0.SelfAttention.v.weight"), ONE(W_O, T5_LAYER "0.SelfAttention.o.weight"),
    T5_CROSS(Q, "q"), T5_CROSS(K, "k"), T5_CROSS(V, "v"), T5_CROSS(O, "o"),
    RMS(LN2, T5_LAYER "1.layer_norm"), {.role = ROLE_LN3_G, .names = T5_LAYER "2.layer_norm.weight", .in = IN_DECODER},
    T5_FF(W_FF1, "wi"), T5_FF(W_FF2, "wo"), T5_FF(W_GATE, "wi_0"), T5_FF(W_UP, "wi_1"), T5_FF(W_DOWN, "wo"),
    RMS(FINAL, "{s}.final_layer_norm"), ONE(W_LOGITS, "/lm_head.weight"),
};

/* BART, Marian and Pegasus: the norm behind the encoder's second part is its feed-forward one, behind the decoder's the third. */
#define BART_CROSS(R, name)                                                                                                                \
    {.role = ROLE_W_##R, .names = "{s}.layers.{i}.encoder_attn." name ".weight", .in = IN_DECODER, .attention = ATTENTION_CROSS},          \
        {.role = ROLE_B_##R, .names = "{s}.layers.{i}.encoder_attn." name ".bias", .in = IN_DECODER, .attention = ATTENTION_CROSS}
#define BART_NORM(R, name, where)                                                                                                          \
    {.role = ROLE_##R##_G, .names = "{s}.layers.{i}." name ".weight", .in = where}, {.role = ROLE_##R##_B, .names = "{s}.layers.{i}." name ".bias", .in = where}
#define BART_BODY                                                                                                                          \
    ONE(W_EMBED, "shared.weight|{s}.embed_tokens.weight|encoder.embed_tokens.weight|/lm_head.weight"),                                     \
        LINEAR(Q, "{s}.layers.{i}.self_attn.q_proj"), LINEAR(K, "{s}.layers.{i}.self_attn.k_proj"),                                        \
        LINEAR(V, "{s}.layers.{i}.self_attn.v_proj"), LINEAR(O, "{s}.layers.{i}.self_attn.out_proj"),                                      \
        NORM(LN1, "{s}.layers.{i}.self_attn_layer_norm"), BART_CROSS(Q, "q_proj"), BART_CROSS(K, "k_proj"), BART_CROSS(V, "v_proj"),       \
        BART_CROSS(O, "out_proj"), BART_NORM(LN2, "encoder_attn_layer_norm", IN_DECODER), BART_NORM(LN2, "final_layer_norm", IN_ENCODER),  \
        BART_NORM(LN3, "final_layer_norm", IN_DECODER), LINEAR(FF1, "{s}.layers.{i}.fc1"), LINEAR(FF2, "{s}.layers.{i}.fc2"),              \
        ONE(W_LOGITS, "/lm_head.weight"), MAYBE(B_LOGITS, "/final_logits_bias")

static const WeightName bart_weights[] = {BART_BODY, ONE(W_POS, "{s}.embed_positions.weight"), NORM(EMBED, "{s}.layernorm_embedding")};
static const WeightName marian_weights[] = {BART_BODY, MAYBE(W_POS, "{s}.embed_positions.weight")};
static const WeightName pegasus_weights[] = {BART_BODY, MAYBE(W_POS, "{s}.embed_positions.weight"), NORM(FINAL, "{s}.layer_norm")};

/* ---- families ---- */

#define NAMES(array) .weights = array, .n_weights = sizeof array / sizeof *array

#define COMMON_KEYS                                                                                                                        \
    .layers = "num_hidden_layers", .heads = "num_attention_heads", .d_model = "hidden_size", .ff = "intermediate_size",                    \
    .positions = "max_position_embeddings", .vocabulary = "vocab_size", .activation = "hidden_act"
#define BERT_KEYS {COMMON_KEYS, .types = "type_vocab_size", .eps = "layer_norm_eps"}
#define LLAMA_KEYS                                                                                                                         \
    {COMMON_KEYS, .kv_heads = "num_key_value_heads", .d_k = "head_dim", .eps = "rms_norm_eps", .window = "sliding_window"}
#define BART_KEYS                                                                                                                          \
    {.layers = "encoder_layers", .heads = "encoder_attention_heads", .ff = "encoder_ffn_dim", .decoder_layers = "decoder_layers",          \
     .decoder_heads = "decoder_attention_heads", .decoder_ff = "decoder_ffn_dim", .d_model = "d_model",                                    \
     .positions = "max_position_embeddings", .vocabulary = "vocab_size", .decoder_vocabulary = "decoder_vocab_size",                       \
     .activation = "activation_function"}

const Family checkpoint_families[] = {
    {.model_types = "gpt2", .name = "GPT-2", .class_start = "GPT2", .usual_class = "GPT2LMHeadModel", .prefixes = "|transformer.",
     .keys = {.layers = "n_layer", .heads = "n_head", .d_model = "n_embd", .ff = "n_inner", .positions = "n_positions|n_ctx",
              .vocabulary = "vocab_size", .eps = "layer_norm_epsilon", .activation = "activation_function"},
     .stacks = STACKS_DECODER, .eps = 1e-5, .activation = ACT_GELU_TANH, .position = POSITION_LEARNED, .tied = true,
     .ff_by_width = true, .scale_keys = true, NAMES(gpt2_weights)},
    {.model_types = "gpt_neox", .name = "GPT-NeoX", .class_start = "GPTNeoX", .usual_class = "GPTNeoXForCausalLM", .prefixes = "|gpt_neox.",
     .keys = {COMMON_KEYS, .eps = "layer_norm_eps"}, .stacks = STACKS_DECODER, .eps = 1e-5, .activation = ACT_GELU,
     .position = POSITION_ROPE_HALF, .parallel = true, .rope_part = 0.25,
     .qkv_bias = BIAS_UNLESS_KEY, .out_bias = BIAS_UNLESS_KEY, NAMES(gpt_neox_weights)},
    {.model_types = "gpt_neo", .name = "GPT-Neo", .class_start = "GPTNeo", .usual_class = "GPTNeoForCausalLM", .prefixes = "|transformer.",
     .keys = {.layers = "num_layers", .heads = "num_heads", .d_model = "hidden_size", .ff = "intermediate_size",
              .positions = "max_position_embeddings", .vocabulary = "vocab_size", .eps = "layer_norm_epsilon",
              .activation = "activation_function", .window = "window_size"},
     .stacks = STACKS_DECODER, .eps = 1e-5, .activation = ACT_GELU_TANH, .position = POSITION_LEARNED, .unscaled = true, .tied = true,
     .windows = WINDOWS_LISTED, .window = 256, .ff_by_width = true, NAMES(gpt_neo_weights)},
    {.model_types = "llama", .name = "Llama", .class_start = "Llama", .usual_class = "LlamaForCausalLM", .prefixes = "|model.",
     .keys = LLAMA_KEYS, .stacks = STACKS_DECODER, .norm = NORM_RMS, .eps = 1e-6, .activation = ACT_SILU, .gated = true,
     .position = POSITION_ROPE_HALF, .qkv_bias = BIAS_BY_KEY, .out_bias = BIAS_BY_KEY, .ff_bias = BIAS_BY_KEY, NAMES(llama_weights)},
    {.model_types = "mistral", .name = "Mistral", .class_start = "Mistral", .usual_class = "MistralForCausalLM", .prefixes = "|model.",
     .keys = LLAMA_KEYS, .stacks = STACKS_DECODER, .norm = NORM_RMS, .eps = 1e-6, .activation = ACT_SILU, .gated = true,
     .position = POSITION_ROPE_HALF, .windows = WINDOWS_ALL, .window = 4096, NAMES(llama_weights)},
    {.model_types = "qwen2", .name = "Qwen2", .class_start = "Qwen2", .usual_class = "Qwen2ForCausalLM", .prefixes = "|model.",
     .keys = LLAMA_KEYS, .stacks = STACKS_DECODER, .norm = NORM_RMS, .eps = 1e-6, .activation = ACT_SILU, .gated = true,
     .position = POSITION_ROPE_HALF, .windows = WINDOWS_LATE, .window = 4096, .qkv_bias = BIAS_ALWAYS, NAMES(llama_weights)},
    {.model_types = "bert", .name = "BERT", .class_start = "Bert", .usual_class = "BertModel", .prefixes = "|bert.", .keys = BERT_KEYS,
     .stacks = STACKS_ENCODER, .place = NORM_POST, .eps = 1e-12, .activation = ACT_GELU, .position = POSITION_LEARNED, .tied = true,
     NAMES(bert_weights)},
    {.model_types = "distilbert", .name = "DistilBERT", .class_start = "DistilBert", .usual_class = "DistilBertModel",
     .prefixes = "|distilbert.",
     .keys = {.layers = "n_layers", .heads = "n_heads", .d_model = "dim", .ff = "hidden_dim", .positions = "max_position_embeddings",
              .vocabulary = "vocab_size", .activation = "activation"},
     .stacks = STACKS_ENCODER, .place = NORM_POST, .eps = 1e-12, .activation = ACT_GELU, .position = POSITION_LEARNED, .tied = true,
     NAMES(distilbert_weights)},
    {.model_types = "roberta|xlm-roberta|camembert", .name = "RoBERTa", .class_start = "Roberta", .usual_class = "RobertaModel",
     .prefixes = "|roberta.", .keys = BERT_KEYS, .stacks = STACKS_ENCODER, .place = NORM_POST, .eps = 1e-12, .activation = ACT_GELU,
     .position = POSITION_LEARNED, .position_offset = 1, .position_after_pad = true, .tied = true, .head_gelu = true, NAMES(roberta_weights)},
    {.model_types = "albert", .name = "ALBERT", .class_start = "Albert", .usual_class = "AlbertModel", .prefixes = "|albert.",
     .keys = {COMMON_KEYS, .types = "type_vocab_size", .eps = "layer_norm_eps", .embedding = "embedding_size"},
     .stacks = STACKS_ENCODER, .place = NORM_POST, .eps = 1e-12, .activation = ACT_GELU_TANH, .position = POSITION_LEARNED, .tied = true,
     .shared_layers = true, NAMES(albert_weights)},
    {.model_types = "t5|mt5", .name = "T5", .class_start = "T5", .usual_class = "T5ForConditionalGeneration", .prefixes = "|transformer.",
     .keys = {.layers = "num_layers", .heads = "num_heads", .ff = "d_ff", .decoder_layers = "num_decoder_layers|num_layers",
              .decoder_heads = "num_heads", .decoder_ff = "d_ff", .d_model = "d_model", .d_k = "d_kv", .vocabulary = "vocab_size",
              .eps = "layer_norm_epsilon"},
     .stacks = STACKS_BOTH, .norm = NORM_RMS, .eps = 1e-6, .activation = ACT_RELU, .position = POSITION_RELATIVE, .unscaled = true,
     .tied = true, .tied_scale = true, NAMES(t5_weights)},
    {.model_types = "bart", .name = "BART", .class_start = "Bart", .usual_class = "BartForConditionalGeneration", .prefixes = "|model.",
     .keys = BART_KEYS, .stacks = STACKS_BOTH, .place = NORM_POST, .eps = 1e-5, .activation = ACT_GELU, .position = POSITION_LEARNED,
     .position_offset = 2, .position_extra = 2, .tied = true, NAMES(bart_weights)},
    {.model_types = "marian", .name = "Marian", .class_start = "Marian", .usual_class = "MarianMTModel", .prefixes = "|model.",
     .keys = BART_KEYS, .stacks = STACKS_BOTH, .place = NORM_POST, .eps = 1e-5, .activation = ACT_GELU, .position = POSITION_SINUSOIDAL,
     .tied = true, NAMES(marian_weights)},
    {.model_types = "pegasus", .name = "Pegasus", .class_start = "Pegasus", .usual_class = "PegasusForConditionalGeneration",
     .prefixes = "|model.", .keys = BART_KEYS, .stacks = STACKS_BOTH, .eps = 1e-5, .activation = ACT_GELU,
     .position = POSITION_SINUSOIDAL, .tied = true, NAMES(pegasus_weights)},
};
const int checkpoint_family_count = sizeof checkpoint_families / sizeof *checkpoint_families;

/* The first that fits; any other class is run without a head. */
const ClassEnding checkpoint_endings[] = {
    {"LMHeadModel", HEAD_LOGITS, false},  {"ForCausalLM", HEAD_LOGITS, false},            {"DoubleHeadsModel", HEAD_LOGITS, false},
    {"MTModel", HEAD_LOGITS, false},      {"ForConditionalGeneration", HEAD_LOGITS, false}, {"ForMaskedLM", HEAD_MASKED, false},
    {"ForPreTraining", HEAD_MASKED, false}, {"EncoderModel", HEAD_NONE, true},            {"", HEAD_POOL, false},
};
const int checkpoint_ending_count = sizeof checkpoint_endings / sizeof *checkpoint_endings;

const struct ActivationName checkpoint_activations[] = {
    {"relu", ACT_RELU},           {"gelu", ACT_GELU},
    {"gelu_new", ACT_GELU_TANH},  {"gelu_pytorch_tanh", ACT_GELU_TANH}, {"gelu_fast", ACT_GELU_TANH},
    {"silu", ACT_SILU},           {"swish", ACT_SILU},                  {"tanh", ACT_TANH},
};
const int checkpoint_activation_count = sizeof checkpoint_activations / sizeof *checkpoint_activations;

/* ---- lists in one text ---- */

bool checkpoint_part(const char *list, int n, char out[PART_MAX]) {
    for (; n > 0 && list; n--) list = strchr(list, '|') ? strchr(list, '|') + 1 : NULL;
    if (list == NULL) return false;
    size_t length = strcspn(list, "|");
    assert(length < PART_MAX);
    memcpy(out, list, length);
    out[length] = '\0';
    return true;
}

bool checkpoint_listed(const char *list, const char *word) {
    char part[PART_MAX];
    for (int i = 0; checkpoint_part(list, i, part); i++)
        if (str_eq(part, word)) return true;
    return false;
}
