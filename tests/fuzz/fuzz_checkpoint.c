/* Model folders from strangers: config.json alone (random weights), a header of a weight file, an index of shards. What opens is run. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "core/network.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_run.h"
#include "model/checkpoint.h"

enum { DATA_BYTES = 1264 }; /* of the small model's tensors */

static const char small_config[] = "{\"model_type\":\"gpt2\",\"n_layer\":1,\"n_head\":2,\"n_embd\":4,\"n_positions\":8,\"vocab_size\":8}";

/* The first letter says which file it is. */
static const char *const texts[] = {
    "0{\"model_type\":\"gpt2\",\"n_layer\":2,\"n_head\":2,\"n_embd\":4,\"n_positions\":8,\"vocab_size\":8,\"scale_attn_by_inverse_layer_idx\":true}",
    "0{\"model_type\":\"llama\",\"num_hidden_layers\":1,\"num_attention_heads\":2,\"num_key_value_heads\":1,\"hidden_size\":8,\"head_dim\":4,"
    "\"intermediate_size\":8,\"max_position_embeddings\":16,\"vocab_size\":8,\"rope_scaling\":{\"rope_type\":\"llama3\",\"factor\":8,\"low_freq_factor\":1,"
    "\"high_freq_factor\":4,\"original_max_position_embeddings\":8}}",
    "0{\"model_type\":\"qwen2\",\"num_hidden_layers\":2,\"num_attention_heads\":2,\"hidden_size\":8,\"intermediate_size\":8,\"max_position_embeddings\":16,"
    "\"vocab_size\":8,\"use_sliding_window\":true,\"sliding_window\":2,\"max_window_layers\":1}",
    "0{\"model_type\":\"gpt_neo\",\"num_layers\":2,\"num_heads\":2,\"hidden_size\":4,\"max_position_embeddings\":8,\"vocab_size\":8,"
    "\"attention_types\":[[[\"global\",\"local\"],1]],\"window_size\":2}",
    "0{\"model_type\":\"gpt_neox\",\"num_hidden_layers\":1,\"num_attention_heads\":1,\"hidden_size\":8,\"intermediate_size\":8,\"max_position_embeddings\":8,"
    "\"vocab_size\":8,\"rotary_pct\":0.25,\"use_parallel_residual\":false}",
    "0{\"model_type\":\"bert\",\"architectures\":[\"BertForMaskedLM\"],\"num_hidden_layers\":1,\"num_attention_heads\":2,\"hidden_size\":4,"
    "\"intermediate_size\":8,\"max_position_embeddings\":8,\"vocab_size\":8,\"type_vocab_size\":2,\"hidden_act\":\"gelu\"}",
    "0{\"model_type\":\"roberta\",\"num_hidden_layers\":1,\"num_attention_heads\":2,\"hidden_size\":4,\"intermediate_size\":8,"
    "\"max_position_embeddings\":10,\"pad_token_id\":1,\"vocab_size\":8,\"type_vocab_size\":1}",
    "0{\"model_type\":\"albert\",\"architectures\":[\"AlbertForMaskedLM\"],\"num_hidden_layers\":4,\"num_hidden_groups\":2,\"num_attention_heads\":2,"
    "\"hidden_size\":4,\"embedding_size\":2,\"intermediate_size\":8,\"max_position_embeddings\":8,\"vocab_size\":8}",
    "0{\"model_type\":\"t5\",\"num_layers\":1,\"num_heads\":2,\"d_model\":4,\"d_kv\":3,\"d_ff\":8,\"vocab_size\":8,\"feed_forward_proj\":\"gated-gelu\","
    "\"relative_attention_num_buckets\":4,\"relative_attention_max_distance\":8}",
    "0{\"model_type\":\"pegasus\",\"encoder_layers\":1,\"decoder_layers\":1,\"encoder_attention_heads\":2,\"decoder_attention_heads\":1,\"encoder_ffn_dim\":4,"
    "\"decoder_ffn_dim\":8,\"d_model\":4,\"max_position_embeddings\":8,\"vocab_size\":8,\"scale_embedding\":true,\"decoder_start_token_id\":1}",
    "1{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[8,4],\"data_offsets\":[0,128]}"
    ",\"wpe.weight\":{\"dtype\":\"F32\",\"shape\":[8,4],\"data_offsets\":[128,256]}"
    ",\"h.0.ln_1.weight\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[256,272]}"
    ",\"h.0.ln_1.bias\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[272,288]}"
    ",\"h.0.attn.c_attn.weight\":{\"dtype\":\"F32\",\"shape\":[4,12],\"data_offsets\":[288,480]}"
    ",\"h.0.attn.c_attn.bias\":{\"dtype\":\"F32\",\"shape\":[12],\"data_offsets\":[480,528]}"
    ",\"h.0.attn.c_proj.weight\":{\"dtype\":\"F32\",\"shape\":[4,4],\"data_offsets\":[528,592]}"
    ",\"h.0.attn.c_proj.bias\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[592,608]}"
    ",\"h.0.ln_2.weight\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[608,624]}"
    ",\"h.0.ln_2.bias\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[624,640]}"
    ",\"h.0.mlp.c_fc.weight\":{\"dtype\":\"F32\",\"shape\":[4,16],\"data_offsets\":[640,896]}"
    ",\"h.0.mlp.c_fc.bias\":{\"dtype\":\"F32\",\"shape\":[16],\"data_offsets\":[896,960]}"
    ",\"h.0.mlp.c_proj.weight\":{\"dtype\":\"F32\",\"shape\":[16,4],\"data_offsets\":[960,1216]}"
    ",\"h.0.mlp.c_proj.bias\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[1216,1232]}"
    ",\"ln_f.weight\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[1232,1248]}"
    ",\"ln_f.bias\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[1248,1264]}"
    "}",
    "2{\"metadata\":{},\"weight_map\":{\"wte.weight\":\"a.safetensors\",\"wpe.weight\":\"b.safetensors\",\"h.0.ln_1.weight\":\"b.safetensors\"}}",
    NULL};

static const char *const words[] = {
    "null", "true", "false", "\"F16\"", "\"BF16\"", "\"F64\"", "\"I64\"", "\"BOOL\"", "\"F8_E4M3\"", "\"shape\":", "\"data_offsets\":", "[]", "[4]", "[0]", "[1,4]",
    "transformer.", "model.", "\"model_type\":\"bart\"", "\"model_type\":\"marian\"", "\"model_type\":\"mistral\"", "\"sliding_window\":2", "\"n_head\":4",
    "\"tie_word_embeddings\":false", "\"tie_word_embeddings\":true", "\"rope_theta\":", "\"linear\"", "\"default\"", "\"relu\"", "\"gelu_new\"", "\"gated-silu\"",
    "GPT2Model", "T5EncoderModel", "T5Model", "BertModel", "BertForMaskedLM", "ForCausalLM", "a.safetensors", "b.safetensors", "config.json", "../", "\"weight_map\"",
    "\"layer_norm_epsilon\":1e29", "\"head_dim\":2", "\"n_inner\":null", "\"decoder_vocab_size\":5", NULL};

const FuzzTarget fuzz_target = {.name = "fuzz_checkpoint", .cases = 30000, .max = 4000, .words = words, .texts = texts};

/* ---- folders ---- */

static const char *const names[3] = {"fuzz_config", "fuzz_header", "fuzz_index"};

static const char *folder_of(int kind, Arena *arena) {
    Err err = {0};
    char *path = arena_printf(arena, "%s/scratch/%s", TEST_BUILD, names[kind]);
    fuzz_check(file_make_folders(path, &err), "%s", err.message);
    return path;
}

/* Not through file_write, nor over the old file: both wait for the disk. */
static void put(const char *folder, const char *name, const void *bytes, size_t size, Arena *arena) {
    const char *path = path_join(arena, folder, name);
    file_remove(path);
    FILE *file = fopen(path, "wb");
    fuzz_check(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "%s", name);
}

/* Length, header, and the small model's numbers behind it. */
static void put_weights(const char *folder, const char *name, const void *header, size_t size, Arena *arena) {
    char *bytes = arena_alloc(arena, 8 + size + DATA_BYTES, 1);
    float numbers[DATA_BYTES / 4];
    for (int i = 0; i < 8; i++) bytes[i] = (char)((uint64_t)size >> (8 * i));
    memcpy(bytes + 8, header, size);
    for (int i = 0; i < DATA_BYTES / 4; i++) numbers[i] = (float)(i * 37 % 64 - 32) / 16;
    memcpy(bytes + 8 + size, numbers, sizeof numbers);
    put(folder, name, bytes, 8 + size + DATA_BYTES, arena);
}

/* Two halves for an index to name. */
static void put_shards(const char *folder, Arena *arena) {
    static const char all[] = "{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[8,4],\"data_offsets\":[0,128]},\"rest\":{\"dtype\":\"U8\",\"shape\":[1136],"
                              "\"data_offsets\":[128,1264]}}";
    static const char others[] = "{\"wpe.weight\":{\"dtype\":\"F32\",\"shape\":[8,4],\"data_offsets\":[0,128]},\"h.0.ln_1.weight\":{\"dtype\":\"F32\",\"shape\":[4],"
                                 "\"data_offsets\":[128,144]},\"more\":{\"dtype\":\"U8\",\"shape\":[1120],\"data_offsets\":[144,1264]}}";
    put_weights(folder, "a.safetensors", all, strlen(all), arena);
    put_weights(folder, "b.safetensors", others, strlen(others), arena);
}

/* ---- what opens is run ---- */

static void run(const Checkpoint *checkpoint, Arena *arena) {
    static const int ids[3] = {1, 0, 2};
    const CheckpointInfo *info = checkpoint_info(checkpoint);
    CheckpointIds both[2] = {{.n = 3, .ids = ids}, {.n = 2, .ids = ids}};
    NetworkSpec spec;
    NetworkResults results;
    WeightSource weights;
    Err err = {0};
    Trace *trace = trace_new(arena);
    if (info->parameters > 200000) return;
    if (checkpoint_network(checkpoint, both, -2, arena, &spec, &weights, &err) && machine_network(trace, &spec, &weights, &results, &err) &&
        trace_run(trace, &(CoreContext){0}, &err)) {
        fuzz_check(checkpoint_reference(trace, &results, "hidden.0") != TENSOR_NONE || info->encoder_decoder, "no hidden.0");
        return;
    }
    fuzz_error(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena arena = {0};
    int kind = size > 0 ? data[0] % 3 : 0;
    const uint8_t *text = data + (size > 0);
    const char *folder = folder_of(kind, &arena);
    Checkpoint *checkpoint;
    Err err = {0};
    size -= size > 0;
    put(folder, "config.json", kind == 0 ? (const void *)text : small_config, kind == 0 ? size : strlen(small_config), &arena);
    if (kind == 1) put_weights(folder, "model.safetensors", text, size, &arena);
    if (kind == 2) put_shards(folder, &arena);
    if (kind == 2) put(folder, "model.safetensors.index.json", text, size, &arena);
    if (checkpoint_open(folder, 3, &checkpoint, &err)) {
        run(checkpoint, &arena);
        checkpoint_drop(checkpoint);
    } else {
        fuzz_error(&err);
    }
    arena_free(&arena);
    return 0;
}
