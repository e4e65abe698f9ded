#include "app/cli_tensors.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "model/json_text.h"

/* ---- which ---- */

static bool unknown(const Run *run, const char *pattern, Err *err) {
    StrNearest near = str_nearest(pattern);
    for (TensorId id = 0; id < trace_tensor_count(run->trace); id++) str_offer(&near, trace_tensor(run->trace, id)->id);
    if (near.word) return err_set(err, ERR_USAGE, "--tensors: no tensor is called \"%s\" - did you mean %s?", pattern, near.word);
    return err_set(err, ERR_USAGE, "--tensors: no tensor is called \"%s\"; attnscope trace without --tensors lists them", pattern);
}

static bool *wanted_usually(const Run *run, bool *wanted) {
    for (TensorId id = 0; id < trace_tensor_count(run->trace); id++) {
        bool given = trace_op(run->trace, trace_tensor(run->trace, id)->op)->kind == OP_INPUT;
        wanted[id] = !run->network || !given;
    }
    return wanted;
}

bool *tensors_wanted(const Run *run, const char *patterns, Arena *arena, Err *err) {
    int n = trace_tensor_count(run->trace);
    bool *wanted = ARENA_ARRAY(arena, bool, (size_t)n + 1);
    if (!patterns) return wanted_usually(run, wanted);
    for (TensorId id = 0; id < n; id++) wanted[id] = false;
    char *list = arena_strdup(arena, patterns), *save = NULL;
    for (const char *pattern = strtok_r(list, ", ", &save); pattern; pattern = strtok_r(NULL, ", ", &save)) {
        bool any = false;
        for (TensorId id = 0; id < n; id++) {
            if (fnmatch(pattern, trace_tensor(run->trace, id)->id, 0) != 0) continue;
            wanted[id] = any = true;
        }
        if (!any) {
            unknown(run, pattern, err);
            return NULL;
        }
    }
    return wanted;
}

/* ---- the file ---- */

enum { CHUNK = 4096 };

typedef struct {
    const Run *run;
    const bool *wanted;
    FileWriter file;
    Arena arena;
    StrBuf header;
    size_t at; /* bytes behind the header so far */
    int n;     /* entries */
} Writer;

/* Ids of one text: name in the file, its encoding. */
typedef struct {
    const char *name;
    const Encoding *of;
} IdList;

static int id_lists(const Network *network, IdList out[2]) {
    bool two = checkpoint_info(network->checkpoint)->n_stacks > 1;
    out[0] = (IdList){"input_ids", &network->encoding[0]};
    out[1] = (IdList){"decoder_input_ids", &network->encoding[1]};
    return two ? 2 : 1;
}

static void add_entry(Writer *w, const char *name, const char *dtype, int rank, const int *dim, size_t bytes) {
    sb_add(&w->header, w->n++ > 0 ? "," : "");
    json_text_add(&w->header, name);
    sb_printf(&w->header, ":{\"dtype\":\"%s\",\"shape\":[", dtype);
    for (int i = 0; i < rank; i++) sb_printf(&w->header, i > 0 ? ",%d" : "%d", dim[i]);
    sb_printf(&w->header, "],\"data_offsets\":[%zu,%zu]}", w->at, w->at + bytes);
    w->at += bytes;
}

static void add_meta(Writer *w, const char *key, const char *value) {
    sb_add(&w->header, w->header.data[w->header.length - 1] == '{' ? "" : ",");
    json_text_add(&w->header, key);
    sb_add(&w->header, ":");
    json_text_add(&w->header, value);
}

static void add_metadata(Writer *w) {
    const CheckpointInfo *info = checkpoint_info(w->run->network->checkpoint);
    sb_add(&w->header, "\"__metadata__\":{");
    add_meta(w, "kind", "network");
    add_meta(w, "model", info->name);
    add_meta(w, "architecture", info->architecture);
    add_meta(w, "sha256", info->hash);
    add_meta(w, "weights", info->seeded ? "random" : "trained");
    add_meta(w, "text", doc_text(&w->run->doc));
    if (w->run->doc.source_text) add_meta(w, "source_text", w->run->doc.source_text->bytes);
    sb_add(&w->header, "}");
    w->n = 1;
}

static void put_header(Writer *w) {
    IdList ids[2];
    int n_ids = id_lists(w->run->network, ids);
    unsigned char length[8];
    sb_init(&w->header, &w->arena);
    sb_add(&w->header, "{");
    add_metadata(w);
    for (int i = 0; i < n_ids; i++) add_entry(w, ids[i].name, "I64", 1, &ids[i].of->n, 8 * (size_t)ids[i].of->n);
    for (TensorId id = 0; id < trace_tensor_count(w->run->trace); id++) {
        const Tensor *tensor = trace_tensor(w->run->trace, id);
        if (w->wanted[id]) add_entry(w, tensor->id, "F32", tensor->rank, tensor->dim, sizeof(float) * tensor_count(tensor));
    }
    sb_add(&w->header, "}");
    while (w->header.length % 8 != 0) sb_add(&w->header, " ");
    for (int i = 0; i < 8; i++) length[i] = (unsigned char)((unsigned long long)w->header.length >> (8 * i));
    file_put(&w->file, length, sizeof length);
    file_put(&w->file, w->header.data, w->header.length);
}

static void put_ids(Writer *w, const Encoding *encoding) {
    for (int i = 0; i < encoding->n; i++) {
        unsigned char bytes[8] = {0};
        for (int b = 0; b < 4; b++) bytes[b] = (unsigned char)((unsigned)encoding->ids[i] >> (8 * b));
        file_put(&w->file, bytes, sizeof bytes);
    }
}

/* Every NaN is written as the same quiet NaN. */
static void put_floats(Writer *w, const Tensor *tensor) {
    double numbers[CHUNK];
    unsigned char bytes[sizeof(float) * CHUNK];
    size_t count = tensor_count(tensor);
    for (size_t at = 0; at < count; at += CHUNK) {
        int n = count - at < CHUNK ? (int)(count - at) : CHUNK;
        tensor_load(tensor, at, n, numbers);
        for (int i = 0; i < n; i++) {
            float value = (float)numbers[i];
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            if (isnan(value)) bits = 0x7FC00000;
            for (int b = 0; b < 4; b++) bytes[4 * i + b] = (unsigned char)(bits >> (8 * b));
        }
        if (!file_put(&w->file, bytes, 4 * (size_t)n)) return;
    }
}

bool tensors_write(const Run *run, const bool *wanted, const CoreContext *cx, const char *path, Err *err) {
    Writer w = {.run = run, .wanted = wanted};
    IdList ids[2];
    bool ok = true;
    if (!file_begin(&w.file, path, err)) return false;
    put_header(&w);
    for (int i = 0, n = id_lists(run->network, ids); i < n; i++) put_ids(&w, ids[i].of);
    for (TensorId id = 0; ok && id < trace_tensor_count(run->trace); id++) {
        if (!wanted[id]) continue;
        ok = trace_need(run->trace, id, cx, err);
        if (ok) put_floats(&w, trace_tensor(run->trace, id));
    }
    arena_free(&w.arena);
    Err written = {0};
    if (!ok) w.file.error = EIO; /* nothing half-written stays */
    bool ended = file_end(&w.file, &written);
    if (ok && !ended) *err = written;
    return ok && ended;
}
