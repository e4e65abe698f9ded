#include "gpt2_folder.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

const Gpt2Size gpt2_small = {.layers = 12, .width = 768, .heads = 12, .vocabulary = 50257, .positions = 1024};
const Gpt2Size gpt2_little = {.layers = 2, .width = 48, .heads = 4, .vocabulary = 300, .positions = 1024};

enum { TENSORS_MAX = 256, NAME_SIZE = 64, HEADER_SIZE = 1 << 16, CHUNK = 1 << 14 };

typedef struct {
    char name[NAME_SIZE];
    int rows, columns;   /* columns 0: a vector */
    double mean, spread; /* of its numbers */
} Entry;

typedef struct {
    Entry entry[TENSORS_MAX];
    int n;
} Entries;

static void add(Entries *e, const char *name, int rows, int columns, double mean, double spread) {
    Entry *entry = &e->entry[e->n++];
    snprintf(entry->name, sizeof entry->name, "transformer.%s", name);
    entry->rows = rows;
    entry->columns = columns;
    entry->mean = mean;
    entry->spread = spread;
}

static void add_layer(Entries *e, int layer, int d) {
    const struct { const char *name; int rows, columns; double mean, spread; } parts[] = {
        {"ln_1.weight", d, 0, 1, 0.1},         {"ln_1.bias", d, 0, 0, 0.02},          {"attn.c_attn.weight", d, 3 * d, 0, 0.05},
        {"attn.c_attn.bias", 3 * d, 0, 0, 0.02}, {"attn.c_proj.weight", d, d, 0, 0.02}, {"attn.c_proj.bias", d, 0, 0, 0.02},
        {"ln_2.weight", d, 0, 1, 0.1},         {"ln_2.bias", d, 0, 0, 0.02},          {"mlp.c_fc.weight", d, 4 * d, 0, 0.02},
        {"mlp.c_fc.bias", 4 * d, 0, 0, 0.02},  {"mlp.c_proj.weight", 4 * d, d, 0, 0.02}, {"mlp.c_proj.bias", d, 0, 0, 0.02},
    };
    char name[NAME_SIZE - 16];
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        snprintf(name, sizeof name, "h.%d.%s", layer, parts[i].name);
        add(e, name, parts[i].rows, parts[i].columns, parts[i].mean, parts[i].spread);
    }
}

static void list(Entries *e, const Gpt2Size *size) {
    e->n = 0;
    add(e, "wte.weight", size->vocabulary, size->width, 0, 0.05);
    add(e, "wpe.weight", size->positions, size->width, 0, 0.02);
    for (int layer = 0; layer < size->layers; layer++) add_layer(e, layer, size->width);
    add(e, "ln_f.weight", size->width, 0, 1, 0.1);
    add(e, "ln_f.bias", size->width, 0, 0, 0.02);
}

static uint64_t bytes_of(const Entry *entry) { return (uint64_t)entry->rows * (uint64_t)(entry->columns ? entry->columns : 1) * sizeof(float); }

/* The header is padded with spaces to a multiple of 8. */
static size_t write_header(const Entries *e, char *out) {
    uint64_t at = 0;
    size_t n = (size_t)snprintf(out, HEADER_SIZE, "{\"__metadata__\":{\"format\":\"pt\"}");
    for (int i = 0; i < e->n; i++) {
        const Entry *entry = &e->entry[i];
        uint64_t end = at + bytes_of(entry);
        char columns[24] = "";
        if (entry->columns) snprintf(columns, sizeof columns, ",%d", entry->columns);
        n += (size_t)snprintf(out + n, HEADER_SIZE - n, ",\"%s\":{\"dtype\":\"F32\",\"shape\":[%d%s],\"data_offsets\":[%llu,%llu]}", entry->name,
                              entry->rows, columns, (unsigned long long)at, (unsigned long long)end);
        at = end;
    }
    n += (size_t)snprintf(out + n, HEADER_SIZE - n, "}");
    while (n % 8) out[n++] = ' ';
    return n;
}

static bool write_numbers(FILE *file, const Entry *entry, uint64_t *state) {
    float chunk[CHUNK];
    for (uint64_t left = bytes_of(entry) / sizeof(float); left > 0;) {
        size_t n = left < CHUNK ? (size_t)left : CHUNK;
        for (size_t i = 0; i < n; i++) chunk[i] = (float)(entry->mean + entry->spread * sqrt(12) * (random_unit(state) - 0.5));
        if (fwrite(chunk, sizeof *chunk, n, file) != n) return false;
        left -= n;
    }
    return true;
}

static bool write_weights(FILE *file, const Gpt2Size *size) {
    static Entries entries;
    static char header[HEADER_SIZE];
    uint64_t state = 1;
    list(&entries, size);
    uint64_t length = write_header(&entries, header);
    unsigned char prefix[8];
    for (int i = 0; i < 8; i++) prefix[i] = (unsigned char)(length >> 8 * i);
    if (fwrite(prefix, 1, 8, file) != 8 || fwrite(header, 1, length, file) != length) return false;
    for (int i = 0; i < entries.n; i++)
        if (!write_numbers(file, &entries.entry[i], &state)) return false;
    return true;
}

static bool write_config(FILE *file, const Gpt2Size *size) {
    return fprintf(file,
                   "{\n  \"architectures\": [\"GPT2LMHeadModel\"],\n  \"model_type\": \"gpt2\",\n  \"activation_function\": \"gelu_new\",\n"
                   "  \"layer_norm_epsilon\": 1e-05,\n  \"n_embd\": %d,\n  \"n_head\": %d,\n  \"n_inner\": null,\n  \"n_layer\": %d,\n"
                   "  \"n_positions\": %d,\n  \"tie_word_embeddings\": true,\n  \"torch_dtype\": \"float32\",\n  \"vocab_size\": %d\n}\n",
                   size->width, size->heads, size->layers, size->positions, size->vocabulary) > 0;
}

static void join(char *path, size_t room, const char *folder, const char *name) { snprintf(path, room, "%s/%s", folder, name); }

static bool write_file(const char *folder, const char *name, const Gpt2Size *size, bool (*write)(FILE *file, const Gpt2Size *size)) {
    char path[1024];
    join(path, sizeof path, folder, name);
    FILE *file = fopen(path, "wb");
    bool good = file && write(file, size);
    good = (!file || fclose(file) == 0) && good;
    if (!good) fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return good;
}

bool gpt2_write(const char *folder, const Gpt2Size *size) {
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "%s: %s\n", folder, strerror(errno));
        return false;
    }
    return write_file(folder, "config.json", size, write_config) && write_file(folder, "model.safetensors", size, write_weights);
}

void gpt2_remove(const char *folder) {
    char path[1024];
    join(path, sizeof path, folder, "config.json");
    unlink(path);
    join(path, sizeof path, folder, "model.safetensors");
    unlink(path);
    rmdir(folder);
}
