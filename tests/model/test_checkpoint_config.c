/* config.json: what it may say, what it must say, and folders that have nothing else. */
#include "model_kit.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"

static Arena arena;
static const char config[] = "config.json";

static int clean(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

/* ---- values that cannot be ---- */

typedef struct {
    const char *model, *from, *to, *says[3];
} Bad;

static const Bad bad_values[] = {
    {"tiny-gpt2", "\"n_head\": 4", "\"n_head\": 5", {"n_head", "5 heads do not divide the width 48", "would do"}},
    {"tiny-gpt2", "\"n_head\": 4", "\"n_head\": 0", {"n_head", "found 0", "from 1"}},
    {"tiny-gpt2", "\"n_head\": 4", "\"n_head\": -4", {"n_head", "found -4"}},
    {"tiny-gpt2", "\"n_head\": 4", "\"n_head\": 4.5", {"n_head", "found 4.5"}},
    {"tiny-gpt2", "\"n_head\": 4", "\"n_head\": \"four\"", {"n_head", "\"four\""}},
    {"tiny-gpt2", "\"n_head\": 4", "\"n_head\": [4]", {"n_head", "a list"}},
    {"tiny-gpt2", "\"n_head\": 4,", "", {"n_head", "missing"}},
    {"tiny-gpt2", "\"n_head\": 4", "\"n_head\": null", {"n_head", "missing"}},
    {"tiny-gpt2", "\"n_head\": 4", "\"n_head\": 4, \"n_head\": 4", {"config.json", "uplicate"}},
    {"tiny-gpt2", "\"n_layer\": 2", "\"n_layer\": 0", {"n_layer", "found 0"}},
    {"tiny-gpt2", "\"n_layer\": 2", "\"n_layer\": 1000000", {"n_layer", "from 1 to 1024"}},
    {"tiny-gpt2", "\"n_layer\": 2", "\"n_layer\": 99999999999999999999", {"config.json"}},
    {"tiny-gpt2", "\"n_layer\": 2", "\"n_layer\": 3", {"transformer.h.2.", "is missing"}},
    {"tiny-gpt2", "\"n_embd\": 48", "\"n_embd\": 52", {"has shape [320, 48]", "[320, 52]"}},
    {"tiny-gpt2", "\"n_embd\": 48", "\"n_embd\": 131072", {"[320, 131072]"}},
    {"tiny-gpt2", "\"n_embd\": 48", "\"n_embd\": 4294967344", {"n_embd"}},
    {"tiny-gpt2", "\"vocab_size\": 320", "\"vocab_size\": 321", {"wte.weight", "[320, 48]", "[321, 48]"}},
    {"tiny-gpt2", "\"n_positions\": 128", "\"n_positions\": 64", {"wpe.weight", "[128, 48]", "[64, 48]"}},
    {"tiny-gpt2", "\"gelu_new\"", "\"mish\"", {"activation_function", "\"mish\" is not known", "gelu_new"}},
    {"tiny-gpt2", "\"gelu_new\"", "1", {"activation_function", "found 1", "text"}},
    {"tiny-gpt2", "\"layer_norm_epsilon\": 1e-05", "\"layer_norm_epsilon\": 0", {"layer_norm_epsilon", "greater than 0"}},
    {"tiny-gpt2", "\"model_type\": \"gpt2\"", "\"model_type\": \"bloom\"", {"GPT2LMHeadModel is not known", "GPT-2, GPT-NeoX, GPT-Neo, Llama", "Pegasus"}},
    {"tiny-gpt2", "\"model_type\": \"gpt2\"", "\"model_type\": 2", {"model_type", "found 2"}},
    {"tiny-gpt2", "\"tie_word_embeddings\": true", "\"tie_word_embeddings\": false", {"lm_head.weight is missing", "[320, 48]"}},
    {"tiny-gpt2", "\"tie_word_embeddings\": true", "\"tie_word_embeddings\": 1", {"tie_word_embeddings", "true or false"}},
    {"tiny-gpt2", "{", "{\"quantization_config\": {\"bits\": 4},", {"quantization_config", "quantised"}},
    {"tiny-gpt2", "{", "[", {"config.json", "JSON"}},
    {"tiny-gpt2", "{", "3", {"config.json"}},
    {"tiny-bert-mlm", "\"absolute\"", "\"relative_key\"", {"position_embedding_type", "relative_key", "absolute"}},
    {"tiny-bert-mlm", "{", "{\"is_decoder\": true,", {"is_decoder", "decoder"}},
    {"tiny-bert-mlm", "BertForMaskedLM", "BertLMHeadModel", {"architectures", "BertLMHeadModel"}},
    {"tiny-bert-mlm", "\"type_vocab_size\": 2", "\"type_vocab_size\": 3", {"token_type_embeddings", "[3, 32]"}},
    {"tiny-roberta", "\"max_position_embeddings\": 130", "\"max_position_embeddings\": 2", {"max_position_embeddings", "2 places", "place 3"}},
    {"tiny-llama3", "\"num_key_value_heads\": 1", "\"num_key_value_heads\": 3", {"num_key_value_heads", "3 key and value heads do not divide 4"}},
    {"tiny-llama3", "\"head_dim\": 16", "\"head_dim\": 15", {"RoPE turns 15 of the 15"}},
    {"tiny-llama3", "\"head_dim\": 16", "\"head_dim\": 8", {"self_attn", "[64, 40]", "[32, 40]"}},
    {"tiny-llama3", "\"rope_type\": \"llama3\"", "\"rope_type\": \"yarn\"", {"rope_scaling", "\"yarn\" is not known", "linear, llama3"}},
    {"tiny-llama3", "\"factor\": 8.0", "\"factor\": 0.5", {"rope_scaling", "factor"}},
    {"tiny-llama3", "\"factor\": 8.0,", "", {"rope_scaling", "factor"}},
    {"tiny-llama3", "\"high_freq_factor\": 4.0", "\"high_freq_factor\": 1.0", {"rope_scaling", "high_freq_factor"}},
    {"tiny-llama3", "\"rope_theta\": 500000.0", "\"rope_theta\": -1", {"rope_theta", "greater than 0"}},
    {"tiny-mistral", "\"sliding_window\": 6", "\"sliding_window\": 0", {"sliding_window", "found 0"}},
    {"tiny-gpt-neox", "\"rotary_pct\": 0.25", "\"rotary_pct\": 1.5", {"RoPE turns 24 of the 16"}},
    {"tiny-gpt-neo", "\"local\"\n", "\"lokal\"\n", {"attention_layers", "layer 2", "\"local\""}},
    {"tiny-gpt-neo", "\"num_layers\": 2", "\"num_layers\": 3", {"attention_layers", "2 layers are listed, the model has 3"}},
    {"tiny-t5-encoder", "\"feed_forward_proj\": \"relu\"", "\"feed_forward_proj\": \"gated-gelu\"", {"wi_0.weight is missing", "[64, 32]"}},
    {"tiny-t5-encoder", "\"relative_attention_num_buckets\": 8", "\"relative_attention_num_buckets\": 9", {"relative_attention_bias", "[8, 4]", "[9, 4]"}},
    {"tiny-t5-encoder", "T5EncoderModel", "T5ForConditionalGeneration", {"decoder.", "is missing"}},
    {"tiny-bart", "\"decoder_attention_heads\": 5", "\"decoder_attention_heads\": 3", {"decoder_attention_heads", "3 heads", "40"}},
};

static void test_bad_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad_values / sizeof *bad_values; i++) {
        const Bad *bad = &bad_values[i];
        const char *folder = model_copy(bad->model, "bad_value", &arena);
        Checkpoint *checkpoint;
        Err err = {0};
        char text[1200];
        model_replace(folder, config, bad->from, bad->to);
        if (checkpoint_open(folder, 1, &checkpoint, &err)) fail_msg("%s: %s was opened", bad->model, bad->to);
        err_format(&err, text, sizeof text);
        for (int k = 0; k < 3 && bad->says[k]; k++)
            if (!strstr(text, bad->says[k])) fail_msg("%s: \"%s\" lacks \"%s\"", bad->to, text, bad->says[k]);
    }
}

static void test_any_byte(void **state) {
    (void)state;
    static const char *const names[] = {"tiny-llama3", "tiny-gpt-neo", "tiny-marian"};
    static const char others[] = {'0', '9', '-', '"', '{', '\0', (char)0xff};
    for (int m = 0; m < 3; m++) {
        const char *folder = model_copy(names[m], "any_byte", &arena);
        size_t size;
        char *text = model_read(folder, config, &size, &arena);
        unlink(path_join(&arena, folder, "tokenizer.json"));
        for (size_t at = 0; at < size; at++) {
            char before = text[at];
            text[at] = others[at % sizeof others];
            model_write(folder, config, text, size);
            Checkpoint *checkpoint;
            Err err = {0};
            if (checkpoint_open(folder, 1, &checkpoint, &err)) checkpoint_drop(checkpoint);
            else assert_true(err.message[0] != '\0');
            text[at] = before;
        }
    }
}

/* ---- values that may be ---- */

/* Does a changed folder still agree with its reference? */
static int agrees(const char *folder) {
    Model model = model_open(folder);
    CheckpointRow *rows;
    int n, right = 1;
    Err err = {0};
    if (!checkpoint_check(model.checkpoint, path_join(&arena, folder, "ref.safetensors"), -1, &(CoreContext){0}, &arena, &rows, &n, &err)) fail_msg("%s", err.message);
    for (int i = 0; i < n; i++) right = right && !rows[i].differs;
    model_close(&model);
    return right;
}

/* The same thing said in other words, and things that make other numbers. */
static void test_other_words(void **state) {
    (void)state;
    static const struct {
        const char *model, *from, *to;
        int same;
    } words[] = {
        {"tiny-gpt2", "\"model_type\": \"gpt2\",", "", 1},
        {"tiny-gpt2", "\"architectures\": [\n    \"GPT2LMHeadModel\"\n  ],", "", 1},
        {"tiny-gpt2", "\"n_positions\"", "\"n_ctx\"", 1},
        {"tiny-gpt2", "\"tie_word_embeddings\": true,", "", 1},
        {"tiny-gpt2", "\"gelu_new\"", "\"gelu_pytorch_tanh\"", 1},
        {"tiny-gpt2", "\"gelu_new\"", "\"relu\"", 0},
        {"tiny-gpt2", "\"scale_attn_weights\": true", "\"scale_attn_weights\": false", 0},
        {"tiny-gpt2", "\"scale_attn_by_inverse_layer_idx\": false", "\"scale_attn_by_inverse_layer_idx\": true", 0},
        {"tiny-llama3", "\"rope_type\"", "\"type\"", 1},
        {"tiny-llama3", "\"rope_scaling\": {", "\"rope_parameters\": {\"rope_theta\": 500000.0,", 1},
        {"tiny-llama3", "\"llama3\"", "\"linear\"", 0},
        {"tiny-llama3", "\"llama3\"", "\"default\"", 0},
        {"tiny-llama3", "\"rope_theta\": 500000.0,", "", 0},
        {"tiny-mistral", "\"sliding_window\": 6", "\"sliding_window\": null", 0},
        {"tiny-qwen2", "\"sliding_window\": null", "\"sliding_window\": 4", 1}, /* use_sliding_window says no */
        {"tiny-qwen2", "\"use_sliding_window\": false", "\"use_sliding_window\": true", 1},
        {"tiny-gpt-neo", "\"attention_layers\": [\n    \"global\",\n    \"local\"\n  ],", "", 1}, /* attention_types says it too */
        {"tiny-gpt-neo", "\"window_size\": 5", "\"window_size\": 4", 0},
        {"tiny-gpt-neox", "\"use_parallel_residual\": true", "\"use_parallel_residual\": false", 0},
        {"tiny-gpt-neox", "\"rotary_pct\": 0.25", "\"rotary_pct\": 0.5", 0},
        {"tiny-roberta", "\"pad_token_id\": 1,", "", 1},
        {"tiny-roberta", "\"model_type\": \"roberta\"", "\"model_type\": \"xlm-roberta\"", 1},
        {"tiny-marian", "\"scale_embedding\": true", "\"scale_embedding\": false", 0},
        {"tiny-marian", "\"swish\"", "\"silu\"", 1},
        {"tiny-bart", "\"scale_embedding\": false,", "", 1},
        {"tiny-t5-encoder", "\"relative_attention_max_distance\": 20", "\"relative_attention_max_distance\": 10", 0},
        {"tiny-t5-encoder", "\"model_type\": \"t5\"", "\"model_type\": \"mt5\"", 1},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *folder = model_copy(words[i].model, "other_words", &arena);
        model_replace(folder, config, words[i].from, words[i].to);
        if (agrees(folder) != words[i].same) fail_msg("%s with %s: %s numbers", words[i].model, words[i].to, words[i].same ? "other" : "the same");
    }
}

/* ---- what is said of a folder ---- */

static void test_info(void **state) {
    (void)state;
    static const struct {
        const char *model, *family, *position, *mask, *stored;
        int layers, heads, kv_heads, d_k, positions;
        bool causal, masked, both;
    } said[] = {
        {"tiny-gpt2", "GPT-2", "learned", "causal", "F32", 2, 4, 4, 12, 128, true, false, false},
        {"tiny-gpt-neo", "GPT-Neo", "learned", "causal, window of 5 in 1 of 2 layers", "F32", 2, 4, 4, 8, 128, true, false, false},
        {"tiny-llama3", "Llama", "RoPE", "causal", "F32", 2, 4, 1, 16, 512, true, false, false},
        {"tiny-mistral", "Mistral", "RoPE", "causal, window of 6", "F16", 2, 4, 2, 12, 128, true, false, false},
        {"tiny-qwen2", "Qwen2", "RoPE", "causal", "BF16", 2, 4, 2, 12, 128, true, false, false},
        {"tiny-bert-mlm", "BERT", "learned", "none", "F32", 2, 4, 4, 8, 96, false, true, false},
        {"tiny-roberta", "RoBERTa", "learned", "none", "F32", 2, 4, 4, 10, 128, false, false, false},
        {"tiny-t5-encoder", "T5", "relative", "none", "F32", 2, 4, 4, 6, 0, false, false, false},
        {"tiny-bart", "BART", "learned", "causal", "F32", 2, 4, 4, 10, 96, false, false, true},
        {"tiny-marian", "Marian", "sinusoidal", "causal", "F32", 2, 4, 4, 8, 128, false, false, true},
    };
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        Model model = model_open(path_join(&arena, data_path("models"), said[i].model));
        const CheckpointInfo *info = checkpoint_info(model.checkpoint);
        assert_string_equal(info->name, said[i].model);
        assert_string_equal(info->family, said[i].family);
        assert_string_equal(info->position, said[i].position);
        assert_string_equal(info->mask, said[i].mask);
        assert_string_equal(info->stored_as, said[i].stored);
        assert_int_equal(info->stack[0].n_layers, said[i].layers);
        assert_int_equal(info->stack[0].n_heads, said[i].heads);
        assert_int_equal(info->stack[0].n_kv_heads, said[i].kv_heads);
        assert_int_equal(info->stack[0].d_k, said[i].d_k);
        assert_int_equal(info->stack[0].n_positions, said[i].positions);
        assert_true(info->causal == said[i].causal && info->masked_lm == said[i].masked && info->encoder_decoder == said[i].both && !info->seeded);
        model_close(&model);
    }
}

/* Numbers and hashes worked out by another program from the same bytes (numpy's count; Python's hashlib). */
static void test_parameters_and_hash(void **state) {
    (void)state;
    const char **unused;
    Model model = model_open(path_join(&arena, data_path("models"), "tiny-gpt2/"));
    const CheckpointInfo *info = checkpoint_info(model.checkpoint);
    assert_string_equal(info->name, "tiny-gpt2");
    assert_int_equal(info->parameters, 78144);
    assert_int_equal(info->used, 78144);
    assert_int_equal(info->bytes, 315200);
    assert_int_equal(strlen(info->hash), 64);
    assert_memory_equal(info->hash, "3081460550f3", 12);
    assert_int_equal(checkpoint_unused(model.checkpoint, &arena, &unused), 0);
    model_close(&model);
    model = model_open(path_join(&arena, data_path("models"), "tiny-gpt-neox"));
    assert_memory_equal(checkpoint_info(model.checkpoint)->hash, "5c6e16b79424", 12);
    assert_int_equal(checkpoint_unused(model.checkpoint, &arena, &unused), 6);
    assert_int_equal(checkpoint_info(model.checkpoint)->parameters, 68646); /* without 2 x 256 truth values of two masks */
    assert_int_equal(checkpoint_info(model.checkpoint)->used, 68646 - 2 * 3); /* without a frequency table and a constant a layer */
    assert_string_equal(unused[0], "gpt_neox.layers.0.attention.bias");
    assert_string_equal(unused[5], "gpt_neox.layers.1.attention.rotary_emb.inv_freq");
    model_close(&model);
    const char *folder = model_copy("tiny-gpt2", "hash", &arena); /* one more blank in config.json: another model */
    model_replace(folder, config, "{", "{ ");
    model = model_open(folder);
    assert_true(memcmp(checkpoint_info(model.checkpoint)->hash, "3081460550f3", 12) != 0);
    model_close(&model);
}

/* Which text a token is from goes with it, also behind a decoder's start token and where tokens are left out. */
static void test_sources(void **state) {
    (void)state;
    Encoding encoding;
    int cut = 0;
    Err err = {0};
    StrBuf text;
    sb_init(&text, &arena);
    Model model = model_open(path_join(&arena, data_path("models"), "tiny-bart"));
    for (int longer = 0; longer < 2; longer++) {
        for (int i = 0; i < (longer ? 200 : 3); i++) sb_add(&text, "cat ");
        for (int stack = 0; stack < 2; stack++) {
            assert_true(checkpoint_encode(model.checkpoint, stack, text.data, NULL, &arena, &encoding, &cut, &err));
            assert_true(encoding.added[0] && (cut > 0) == longer);
            for (int i = 0; i < encoding.n; i++) assert_int_equal(encoding.source[i], encoding.added[i] ? -1 : 0);
        }
    }
    model_close(&model);
}

/* Longer texts than a model has places for are cut in front of what its tokenizer puts at the end. */
static void test_long_texts(void **state) {
    (void)state;
    Encoding encoding;
    int cut = 0;
    Err err = {0};
    StrBuf text;
    sb_init(&text, &arena);
    for (int i = 0; i < 200; i++) sb_add(&text, "cat ");
    Model model = model_open(path_join(&arena, data_path("models"), "tiny-bert-mlm"));
    assert_true(checkpoint_encode(model.checkpoint, 0, text.data, NULL, &arena, &encoding, &cut, &err));
    assert_int_equal(encoding.n, 96);
    assert_true(cut > 100);
    assert_string_equal(encoding.pieces[0], "[CLS]");
    assert_string_equal(encoding.pieces[95], "[SEP]");
    assert_true(encoding.added[95] && !encoding.added[94]);
    model_close(&model);
    model = model_open(path_join(&arena, data_path("models"), "tiny-gpt2"));
    int whole = 0;
    assert_true(checkpoint_encode(model.checkpoint, 0, text.data, NULL, &arena, &encoding, &cut, &err));
    assert_int_equal(encoding.n, 128);
    assert_true(checkpoint_encode(model.checkpoint, 0, "cat", NULL, &arena, &encoding, &whole, &err));
    assert_int_equal(whole, 0);
    assert_true(checkpoint_encode(model.checkpoint, 0, "", NULL, &arena, &encoding, &whole, &err));
    assert_int_equal(encoding.n, 0);
    model_close(&model);
}

/* ---- folders with config.json alone ---- */

static const char albert[] = "{\"model_type\": \"albert\", \"architectures\": [\"AlbertForMaskedLM\"], \"vocab_size\": 100, \"embedding_size\": 24, \"hidden_size\": 48, "
                             "\"intermediate_size\": 96, \"num_hidden_layers\": 4, \"num_hidden_groups\": 2, \"num_attention_heads\": 4, \"max_position_embeddings\": 64}";
static const char pegasus[] = "{\"model_type\": \"pegasus\", \"vocab_size\": 100, \"d_model\": 32, \"encoder_layers\": 2, \"decoder_layers\": 3, "
                              "\"encoder_attention_heads\": 4, \"decoder_attention_heads\": 2, \"encoder_ffn_dim\": 64, \"decoder_ffn_dim\": 64, "
                              "\"max_position_embeddings\": 64, \"scale_embedding\": true, \"activation_function\": \"relu\"}";
static const char t5[] = "{\"model_type\": \"t5\", \"vocab_size\": 100, \"d_model\": 32, \"d_kv\": 8, \"d_ff\": 64, \"num_layers\": 2, \"num_heads\": 4, "
                         "\"feed_forward_proj\": \"gated-gelu\"}";

static const char *config_folder(const char *text, size_t size) {
    const char *folder = arena_strdup(&arena, scratch_folder("seeded"));
    model_write(folder, config, text, size);
    return folder;
}

/* Mean entropy of a map's rows with more than two keys kept, as a share of the largest. */
static double spread_of(const Tensor *weights) {
    double sum = 0;
    int rows = 0;
    for (int h = 0; h < weights->dim[0]; h++)
        for (int i = 0; i < weights->dim[1]; i++) {
            double entropy = 0;
            int kept = 0;
            for (int j = 0; j < weights->dim[2]; j++) {
                double w = tensor_at(weights, (int[]){h, i, j, 0});
                if (w > 0) entropy -= w * log(w), kept++;
            }
            if (kept > 2) sum += entropy / log(kept), rows++;
        }
    return rows > 0 ? sum / rows : 0.5;
}

/* It runs, says that it is random, and its attention is neither uniform nor all on one key. */
static void check_seeded(const char *name, const char *text, size_t size) {
    Model model = model_open(config_folder(text, size));
    const CheckpointInfo *info = checkpoint_info(model.checkpoint);
    int ids[12], decoder_ids[9];
    assert_true(info->seeded && info->parameters > 1000 && info->bytes == 0);
    for (int i = 0; i < 12; i++) ids[i] = (i * 37 + 5) % 97;
    for (int i = 0; i < 9; i++) decoder_ids[i] = (i * 53 + 2) % 97;
    model_run(&model, ids, 12, decoder_ids, 9);
    for (int t = 0; t < trace_tensor_count(model.trace); t++) {
        const Tensor *tensor = trace_tensor(model.trace, t);
        if (!trace_resident(model.trace, t) || strstr(tensor->id, "masked")) continue;
        for (size_t i = 0; i < tensor_count(tensor); i++)
            if (!isfinite(tensor_flat(tensor, i))) fail_msg("%s: %s[%zu] is not finite", name, tensor->id, i);
        double spread = str_eq(tensor->name, "weights") ? spread_of(tensor) : 0.5;
        if (spread < 0.1 || spread > 0.97) fail_msg("%s: %s has entropy %g", name, tensor->id, spread);
    }
    model_close(&model);
}

static void test_random_weights(void **state) {
    (void)state;
    for (int i = 0; model_own[i]; i++) {
        size_t size;
        char *text = model_read(path_join(&arena, data_path("models"), model_own[i]), config, &size, &arena);
        check_seeded(model_own[i], text, size);
    }
    check_seeded("albert", albert, strlen(albert));
    check_seeded("pegasus", pegasus, strlen(pegasus));
    check_seeded("t5", t5, strlen(t5));
}

/* Tensors of a run, ours by name: which weights are there is seen in them. */
static const char *tensors_of(const char *folder) {
    Model model = model_open(folder);
    int ids[] = {5, 6, 7};
    StrBuf names;
    sb_init(&names, &arena);
    model_run(&model, ids, 3, ids, 2);
    for (int t = 0; t < trace_tensor_count(model.trace); t++) sb_printf(&names, "%s\n", trace_tensor(model.trace, t)->id);
    sb_printf(&names, "%llu parameters\n", checkpoint_info(model.checkpoint)->used);
    model_close(&model);
    return names.data;
}

/* A made-up folder has what the folder with files of the same config has, no more and no less. */
static void test_random_weights_are_those_of_files(void **state) {
    (void)state;
    for (int i = 0; model_own[i]; i++) {
        size_t size;
        const char *folder = path_join(&arena, data_path("models"), model_own[i]);
        char *text = model_read(folder, config, &size, &arena);
        const char *want = tensors_of(folder), *got = tensors_of(config_folder(text, size));
        if (!str_eq(want, got)) fail_msg("%s has\n%sbut made up\n%s", model_own[i], want, got);
    }
}

/* Llama's keys say it; other families take no key for it. */
static void test_biases_by_key(void **state) {
    (void)state;
    static const struct {
        const char *type, *key;
        bool q, o, gate;
    } rows[] = {{"llama", "\"mlp_bias\": false", false, false, false}, {"llama", "\"attention_bias\": true", true, true, false},
                {"llama", "\"mlp_bias\": true", false, false, true},   {"mistral", "\"attention_bias\": true", false, false, false},
                {"qwen2", "\"attention_bias\": false", true, false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = arena_printf(&arena, "{\"model_type\": \"%s\", \"vocab_size\": 20, \"hidden_size\": 8, \"intermediate_size\": 12, "
                                                "\"num_hidden_layers\": 1, \"num_attention_heads\": 2, \"max_position_embeddings\": 16, %s}", rows[i].type, rows[i].key);
        const char *names = tensors_of(config_folder(text, strlen(text)));
        if ((strstr(names, ".b_q\n") != NULL) != rows[i].q || (strstr(names, ".b_o\n") != NULL) != rows[i].o || (strstr(names, ".b_gate\n") != NULL) != rows[i].gate)
            fail_msg("%s with %s has\n%s", rows[i].type, rows[i].key, names);
    }
}

static double first_logit(unsigned long long seed) {
    Model model = {0};
    Err err = {0};
    int ids[] = {1, 2, 3};
    assert_true(checkpoint_open(config_folder(albert, strlen(albert)), seed, &model.checkpoint, &err));
    model_run(&model, ids, 3, NULL, 0);
    double value = tensor_flat(model_tensor(&model, "logits"), 0);
    model_close(&model);
    return value;
}

static void test_seed(void **state) {
    (void)state;
    assert_near(first_logit(1), first_logit(1), 0);
    assert_true(fabs(first_logit(1) - first_logit(2)) > 1e-4);
}

/* The same numbers whichever weight is asked for first; norms begin as 1 and 0; ALBERT's groups share, other layers do not. */
static void test_random_weights_by_name(void **state) {
    (void)state;
    Err err = {0};
    Checkpoint *a, *b;
    int ids[] = {1};
    CheckpointIds both[2] = {{.n = 1, .ids = ids}};
    NetworkSpec spec;
    WeightSource in_a, in_b;
    TensorInput x, y, z;
    const char *folder = config_folder(albert, strlen(albert));
    assert_true(checkpoint_open(folder, 7, &a, &err) && checkpoint_open(folder, 7, &b, &err));
    assert_true(checkpoint_network(a, both, -1, &arena, &spec, &in_a, &err) && checkpoint_network(b, both, -1, &arena, &spec, &in_b, &err));
    assert_true(in_a.find(in_a.ctx, "layers.0", "w_q", &x) && in_b.find(in_b.ctx, "layers.2", "w_k", &z) && in_b.find(in_b.ctx, "layers.1", "w_q", &y));
    assert_int_equal(x.dim[0], 48);
    assert_memory_equal(x.data, y.data, 48 * 48 * sizeof(float)); /* layers 1 and 2 are one group */
    assert_true(in_b.find(in_b.ctx, "layers.2", "w_q", &z));
    assert_memory_not_equal(x.data, z.data, 48 * 48 * sizeof(float));
    assert_true(in_a.find(in_a.ctx, "layers.3", "ln1_g", &x) && in_a.find(in_a.ctx, "layers.3", "ln1_b", &y));
    assert_near((double)x.data[0], 1, 0);
    assert_near((double)y.data[47], 0, 0);
    assert_true(in_a.find(in_a.ctx, "", "w_embed", &x) && in_a.find(in_a.ctx, "", "w_logits", &y)); /* tied */
    assert_ptr_equal(x.data, y.data);
    static const char *const none[][2] = {{"layers.4", "w_q"}, {"layers.-1", "w_q"}, {"layers.0x", "w_q"}, {"layers.0.cross", "w_q"}, {"layers.0", "w_embed"},
                                          {"", "w_q"}, {"encoder.layers.0", "w_q"}, {"layers.0", "w_gate"}, {"layers.0", "none"}, {"", "w_pool"}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (in_a.find(in_a.ctx, none[i][0], none[i][1], &x)) fail_msg("%s.%s was found", none[i][0], none[i][1]);
    checkpoint_drop(a);
    checkpoint_drop(b);
}

/* ---- factors that no reference has ---- */

/* T5 with one table for both ends divides its rows by sqrt(d_model) before the logits (Raffel et al. 2020); here by hand. */
static void test_tied_t5(void **state) {
    (void)state;
    int ids[] = {5, 6, 7}, decoder_ids[] = {0, 9};
    Model model = model_open(config_folder(t5, strlen(t5)));
    model_run(&model, ids, 3, decoder_ids, 2);
    const Tensor *logits = model_tensor(&model, "logits"), *last = model_tensor(&model, "decoder.hidden.2"), *table = model_tensor(&model, "decoder.w_embed");
    for (int v = 0; v < 100; v += 9) {
        double sum = 0;
        for (int i = 0; i < 32; i++) sum += tensor_at(last, (int[]){1, i, 0, 0}) * tensor_at(table, (int[]){v, i, 0, 0});
        assert_near(tensor_at(logits, (int[]){1, v, 0, 0}), sum / sqrt(32), 1e-5);
    }
    model_close(&model);
}

/* scale_attn_by_inverse_layer_idx: the scores of layer n are divided by n as well. */
static void test_scale_by_layer(void **state) {
    (void)state;
    int ids[] = {5, 6, 7};
    const char *folder = model_copy("tiny-gpt2", "by_layer", &arena);
    model_replace(folder, config, "\"scale_attn_by_inverse_layer_idx\": false", "\"scale_attn_by_inverse_layer_idx\": true");
    Model model = model_open(folder);
    model_run(&model, ids, 3, NULL, 0);
    for (int layer = 0; layer < 2; layer++) {
        double scores = tensor_flat(model_tensor(&model, layer == 0 ? "layers.0.scores" : "layers.1.scores"), 4);
        assert_near(tensor_flat(model_tensor(&model, layer == 0 ? "layers.0.scaled" : "layers.1.scaled"), 4), scores / sqrt(12) / (layer + 1), 1e-6);
    }
    model_close(&model);
}

/* Sizes that nobody has memory for are refused, not tried. */
static void test_too_large(void **state) {
    (void)state;
    static const char large[] = "{\"model_type\": \"gpt2\", \"n_layer\": 1000, \"n_head\": 64, \"n_embd\": 65536, \"n_positions\": 1024, \"vocab_size\": 50257}";
    Checkpoint *checkpoint;
    Err err = {0};
    assert_false(checkpoint_open(config_folder(large, strlen(large)), 1, &checkpoint, &err));
    assert_int_equal(err.code, ERR_LIMIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_values), cmocka_unit_test(test_any_byte), cmocka_unit_test(test_other_words), cmocka_unit_test(test_info),
        cmocka_unit_test(test_parameters_and_hash), cmocka_unit_test(test_long_texts), cmocka_unit_test(test_sources), cmocka_unit_test(test_random_weights), cmocka_unit_test(test_random_weights_are_those_of_files), cmocka_unit_test(test_biases_by_key), cmocka_unit_test(test_seed),
        cmocka_unit_test(test_random_weights_by_name), cmocka_unit_test(test_tied_t5), cmocka_unit_test(test_scale_by_layer), cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
