/* The weight files of a folder: one, or shards and their index. */
#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
#include "model/checkpoint_internal.h"

enum { SHARDS_MAX = 1024, SHOWN_MAX = 80 };
static const size_t index_max = (size_t)64 << 20;
static const char single_name[] = "model.safetensors", index_name[] = "model.safetensors.index.json";
/* Weights that are there, but in forms or under names that are not read: random ones in their place would be a lie. */
static const char *const other_starts[] = {"model", "pytorch_model", "tf_model", "flax_model", "consolidated", "adapter_model"};
static const char *const other_ends[] = {".bin", ".bin.index.json", ".h5", ".msgpack", ".pth", ".pt", ".ckpt", ".ckpt.index", ".onnx"};

static bool open_file(Checkpoint *c, const char *name, Err *err) {
    WeightFile *file = &c->files[c->n_files];
    char *path = path_join(&c->arena, c->info.folder, name);
    if (!mapped_open(path, &c->arena, &file->map, err)) return false;
    c->n_files++; /* from here on it is closed with the others */
    return safetensors_header(file->map.bytes, file->map.size, path, false, &c->arena, &file->header, err);
}

/* ---- the tensors of all files, by name ---- */

static int by_name(const void *a, const void *b) {
    const WeightTensor *x = a, *y = b;
    return strcmp(x->entry->name, y->entry->name);
}

static bool list_tensors(Checkpoint *c, Err *err) {
    size_t n = 0;
    for (int i = 0; i < c->n_files; i++) n += (size_t)c->files[i].header.n_entries;
    c->tensors = arena_try(&c->arena, n + 1, sizeof *c->tensors);
    if (!c->tensors) return err_set(err, ERR_MEMORY, tr("no memory for a list of %zu tensors"), n);
    for (int i = 0; i < c->n_files; i++)
        for (int k = 0; k < c->files[i].header.n_entries; k++)
            c->tensors[c->n_tensors++] = (WeightTensor){.entry = &c->files[i].header.entries[k], .file = &c->files[i]};
    qsort(c->tensors, n, sizeof *c->tensors, by_name);
    for (int i = 1; i < c->n_tensors; i++)
        if (str_eq(c->tensors[i - 1].entry->name, c->tensors[i].entry->name))
            return err_set(err, ERR_INPUT, tr("tensor %.*s stands in two files: %s and %s"), SHOWN_MAX, c->tensors[i].entry->name,
                           path_name(c->tensors[i - 1].file->header.file), path_name(c->tensors[i].file->header.file));
    return true;
}

WeightTensor *checkpoint_tensor(const Checkpoint *c, const char *name) {
    SafetensorsEntry entry = {.name = name};
    WeightTensor key = {.entry = &entry};
    return c->n_tensors > 0 ? bsearch(&key, c->tensors, (size_t)c->n_tensors, sizeof *c->tensors, by_name) : NULL;
}

/* ---- shards ---- */

/* Each tensor of the index must be in the file that it names. */
static bool check_index(const Checkpoint *c, json_t *map, const char *path, Err *err) {
    const char *name;
    json_t *value;
    json_object_foreach(map, name, value) {
        const WeightTensor *tensor = checkpoint_tensor(c, name);
        const char *file = json_string_value(value);
        if (tensor && str_eq(path_name(tensor->file->header.file), file)) continue;
        err_set(err, ERR_INPUT, tr("tensor %.*s should be in %.*s, but is %s%s"), SHOWN_MAX, name, SHOWN_MAX, file,
                tensor ? "in " : "in no file", tensor ? path_name(tensor->file->header.file) : "");
        return err_place(err, path, 0, 0);
    }
    return true;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The files that the index names, each once, sorted. */
static bool list_shards(Checkpoint *c, json_t *map, char ***names, int *n, Err *err) {
    const char *tensor;
    json_t *value;
    char **all = arena_try(&c->arena, json_object_size(map) + 1, sizeof *all);
    size_t count = 0;
    if (!all) return err_set(err, ERR_MEMORY, tr("no memory for the index"));
    json_object_foreach(map, tensor, value) {
        const char *name = json_string_value(value);
        if (!name || name[0] == '\0' || name[0] == '.' || strchr(name, '/'))
            return err_set(err, ERR_INPUT, tr("tensor %.*s: the name of a file in the same folder is expected"), SHOWN_MAX, tensor);
        all[count++] = arena_strdup(&c->arena, name);
    }
    qsort(all, count, sizeof *all, by_text);
    *n = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !str_eq(all[i], all[i - 1])) {
            if (*n == SHARDS_MAX) return err_set(err, ERR_LIMIT, tr("more than %d files"), SHARDS_MAX);
            all[(*n)++] = all[i];
        }
    *names = all;
    return *n > 0 || err_set(err, ERR_INPUT, tr("weight_map names no file"));
}

static bool open_shards(Checkpoint *c, json_t *root, const char *path, Err *err) {
    char **names = NULL;
    int n = 0;
    json_t *map = json_object_get(root, "weight_map");
    if (!json_is_object(map)) {
        err_set(err, ERR_INPUT, tr("there is no weight_map, an object that names the file of each tensor"));
        return err_place(err, path, 0, 0);
    }
    if (!list_shards(c, map, &names, &n, err)) return err_place(err, path, 0, 0);
    c->files = ARENA_ARRAY(&c->arena, WeightFile, (size_t)n);
    for (int i = 0; i < n; i++)
        if (!open_file(c, names[i], err)) return false;
    return list_tensors(c, err) && check_index(c, map, path, err);
}

static bool read_index(Checkpoint *c, const char *path, Err *err) {
    char *text;
    size_t size;
    json_error_t problem;
    if (!file_read(path, index_max, &c->arena, &text, &size, err)) return false;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &problem);
    if (!root) {
        err_set(err, ERR_INPUT, tr("not JSON that can be read: %s"), problem.text);
        return err_place(err, path, problem.line, problem.column);
    }
    bool good = open_shards(c, root, path, err);
    json_decref(root);
    return good;
}

/* ---- the folder ---- */

static bool is_weights(const char *name) {
    bool start = false, end = false;
    for (size_t i = 0; i < sizeof other_starts / sizeof *other_starts; i++) start = start || str_starts(name, other_starts[i]);
    for (size_t i = 0; i < sizeof other_ends / sizeof *other_ends; i++) end = end || str_ends(name, other_ends[i]);
    return (start && end) || str_ends(name, ".safetensors") || str_ends(name, ".gguf");
}

/* A link to nowhere is listed too. */
static bool refuse_others(Checkpoint *c, Err *err) {
    char **names;
    int n;
    if (!file_list(c->info.folder, &c->arena, &names, &n, err)) return false;
    for (int i = 0; i < n; i++)
        if (is_weights(names[i]))
            return err_set(err, ERR_INPUT, tr("%s has weights in %.*s, which is not read; %s is expected, or %s with its files"),
                           c->info.folder, SHOWN_MAX, names[i], single_name, index_name);
    return true;
}

bool checkpoint_files(Checkpoint *c, Err *err) {
    char *single = path_join(&c->arena, c->info.folder, single_name), *index = path_join(&c->arena, c->info.folder, index_name);
    if (file_exists(single)) {
        c->files = ARENA_ARRAY(&c->arena, WeightFile, 1);
        return open_file(c, single_name, err) && list_tensors(c, err);
    }
    return file_exists(index) ? read_index(c, index, err) : refuse_others(c, err);
}

void checkpoint_close_files(Checkpoint *c) {
    for (int i = 0; i < c->n_files; i++) mapped_close(&c->files[i].map);
    c->n_files = 0;
}
