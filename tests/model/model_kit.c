#include "model_kit.h"

#include <stdio.h>

#include "base/file.h"
#include "base/str.h"

const char *const model_own[] = {"tiny-gpt2", "tiny-gpt-neo", "tiny-gpt-neox", "tiny-llama3", "tiny-mistral", "tiny-qwen2", "tiny-bert-mlm",
                                 "tiny-distilbert", "tiny-roberta", "tiny-t5-encoder", "tiny-bart", "tiny-marian", NULL};
const char *const model_random[] = {"tiny-gpt2", "tiny-gpt2-hub", "tiny-bert", "tiny-bert-mlm", "tiny-distilbert", "tiny-roberta", "tiny-llama", "tiny-llama3",
                                    "tiny-qwen2", "tiny-mistral", "tiny-gpt-neox", "tiny-gpt-neo", "tiny-t5-encoder", "tiny-t5", "tiny-marian", "tiny-bart", NULL};
const char *const model_trained[] = {"stories260K", "gpt-nano-sort", "rxn-albert", "aren-transliteration", NULL};

Model model_open(const char *folder) {
    Model model = {0};
    Err err = {0};
    char text[1200];
    if (!checkpoint_open(folder, 1, &model.checkpoint, &err)) fail_msg("%s: %s", folder, err_format(&err, text, sizeof text));
    return model;
}

void model_close(Model *model) {
    arena_free(&model->arena);
    checkpoint_drop(model->checkpoint);
}

void model_run(Model *model, const int *ids, int n, const int *decoder_ids, int n_decoder) {
    CheckpointIds both[2] = {{.n = n, .ids = ids}, {.n = n_decoder, .ids = decoder_ids}};
    NetworkSpec spec;
    WeightSource weights;
    Err err = {0};
    arena_free(&model->arena);
    model->trace = trace_new(&model->arena);
    bool good = checkpoint_network(model->checkpoint, both, -2, &model->arena, &spec, &weights, &err);
    spec.all_logits = true;
    good = good && machine_network(model->trace, &spec, &weights, &model->results, &err) && trace_run(model->trace, &(CoreContext){0}, &err);
    if (!good) fail_msg("%s", err.message);
}

const Tensor *model_tensor(const Model *model, const char *name) {
    TensorId id = checkpoint_reference(model->trace, &model->results, name);
    if (id == TENSOR_NONE) fail_msg("there is no tensor %s", name);
    return trace_tensor(model->trace, id);
}

/* ---- copies ---- */

char *model_read(const char *folder, const char *name, size_t *size, Arena *arena) {
    char *bytes = NULL;
    Err err = {0};
    if (!file_read(path_join(arena, folder, name), (size_t)64 << 20, arena, &bytes, size, &err)) fail_msg("%s", err.message);
    return bytes;
}

/* Not through file_write, nor over the old file: both wait for the disk, and thousands of spoilt files are written. */
void model_write(const char *folder, const char *name, const void *bytes, size_t size) {
    Arena arena = {0};
    const char *path = path_join(&arena, folder, name);
    file_remove(path);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) fail_msg("%s cannot be written", path);
    arena_free(&arena);
}

char *model_copy(const char *name, const char *where, Arena *arena) {
    char *from = path_join(arena, data_path("models"), name), *to = arena_strdup(arena, scratch_folder(where));
    char **names = NULL;
    int n = 0;
    Err err = {0};
    if (!file_list(from, arena, &names, &n, &err)) fail_msg("%s", err.message);
    for (int i = 0; i < n; i++) {
        size_t size;
        char *bytes = model_read(from, names[i], &size, arena);
        model_write(to, names[i], bytes, size);
    }
    return to;
}

void model_replace(const char *folder, const char *name, const char *from, const char *to) {
    Arena arena = {0};
    size_t size;
    char *text = model_read(folder, name, &size, &arena), *at = strstr(text, from);
    if (!at) fail_msg("%s has no %s", name, from);
    StrBuf made;
    sb_init(&made, &arena);
    sb_add_n(&made, text, (size_t)(at - text));
    sb_add(&made, to);
    sb_add(&made, at + strlen(from));
    model_write(folder, name, made.data, made.length);
    arena_free(&arena);
}
