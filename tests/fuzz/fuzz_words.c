#include "fuzz/fuzz_words.h"

#include <stddef.h>

const char *const fuzz_scenario_words[] = {
    "attnscope: 1\n", "text", "tokens", "tokenizer", "source_text", "source", "model", "seed", "d_model", "d_k", "d_v", "heads", "kv_heads",
    "projections", "out_proj", "bias", "x", "x_kv", "q", "k", "v", "scores", "weights", "w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o",
    "pos_emb", "edit", "position", "scale", "temperature", "mask", "keep", "causal_align", "mask_fill", "mask_op", "empty_row", "precision", "view",
    "words", "characters", "smiles", "classroom", "molecule", "random", "identity", "given", "linear", "none", "true", "false", "built-in",
    "sinusoidal", "learned", "rope_interleaved", "rope_half", "alibi", "auto", "causal", "padding", "window", "local_block", "global_window",
    "strided", "custom", "custom_per_head", "bottom_right", "top_left", "replace", "add", "zero", "nan", "f32", "f64", "kind", "left", "right",
    "block", "stride", "each_side", "side", "count", "dim", "theta", "offset", "slopes", "stage", "step", "head", "selection", "theme", "palette",
    "speed", "text_scale", "light", "dark", "print", "viridis", "view.stage", "view.step", "view.head", "view.selection",
    "heads: 2\n", "d_k: 2\n", "scale: none\n", "mask: causal\n", "model: random\n", "position: alibi\n", "position: {kind: rope_half, dim: 2}\n",
    "mask: [causal, {kind: padding, keys: [1]}]\n", "mask: {kind: window, left: 1, right: 0}\n", "edit: {x[1, 1]: 5}\n", "source_text: dog barks\n",
    "x: [[1, 0], [0, 1]]\n", "q: [[[1, 2]], [[3, 4]]]\n", "weights[1, 2, 3]", "x[1,1]", "scores[1,the#2,cat]", "[1, 2]", "[[1]]", "[]", "[[]]", "{}",
    "keys: [1, 2]", "tokens: [1]", "projections: none\n", "precision: f64\n", "empty_row: zero\n", "mask_op: add\n", "kv_heads: 1\n", NULL};

const char *const fuzz_trace_words[] = {
    "__metadata__", "dtype", "shape", "data_offsets", "F32", "F64", "F16", "BF16", "I64", "BOOL", "kind", "attention", "positional", "inputs", "outputs",
    "tol", "default=", "scale", "scale_rule", "temperature", "1/sqrt(d_k)", "L", "S", "d_model", "d_kv", "n_heads", "n_kv_heads", "d_k", "d_v", "proj",
    "linear", "none", "given", "out_proj", "empty_row", "precision", "mask_kind", "mask_op", "mask_fill", "causal_align", "causal", "padding",
    "padding_causal", "window", "window_left", "window_right", "local_block", "block", "global_window", "window_each_side", "global_tokens", "strided",
    "stride", "custom", "custom_per_head", "pad_keys", "pad_side", "causal_offset", "pos_kind", "sinusoidal", "learned", "rope_interleaved", "rope_half",
    "rope_dim", "rope_theta", "rope_pos0", "alibi", "alibi_slopes", "pe_base", "tokens", "source", "x", "tok", "x_kv", "pe", "pos_emb", "q", "k", "v",
    "w_q", "w_k", "w_v", "w_o", "scores", "scaled", "masked", "mask", "weights", "head_out", "concat", "out", "row_max", "row_sum", "exp", "bias",
    "norm", "activation", "ffn", "encoder_block", "decoder_block", "analysis", "rollout", "layer_weights", "layernorm", "rmsnorm", "norm_placement",
    "pre", "post", "ln_eps", "ffn_act", "swiglu", "gelu_tanh", "self_", "cross_", "self_mask_kind", "w_ff1", "w_gate", "ln1_g", "attn_out", "resid1",
    "entropy", "head_avg", "layer_entropy",
    "\"L\":\"", "\"kind\":\"attention\",", "[\\\"a\\\", \\\"b\\\"]", "\\u0000", "\\ud800", "-inf", "1", "0", NULL};
