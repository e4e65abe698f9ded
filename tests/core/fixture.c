#include "fixture.h"

#include <stdio.h>

#include "base/file.h"
#include "base/str.h"
#include "support/support.h"

char **fixture_names(Arena *arena, int *count) {
    char **names;
    Err err = {0};
    if (!file_list(data_path("attention"), arena, &names, count, &err)) fail_msg("%s", err.message);
    return names;
}

/* Text behind `mark` up to `end`. */
static char *between(Arena *arena, const char *from, const char *mark, const char *end) {
    const char *start = strstr(from, mark);
    if (!start) return NULL;
    start += strlen(mark);
    return arena_strndup(arena, start, (size_t)(strstr(start, end) - start));
}

static int ints(const char *list, int *out, int most) {
    int count = 0;
    for (char *next; *list && count < most; list = *next ? next + 1 : next) {
        out[count++] = (int)strtol(list, &next, 10);
        if (next == list) return count - 1;
    }
    return count;
}

static void read_tensor(Fixture *f, const char *entry, const char *data) {
    TensorInput *t = &f->tensors[f->n_tensors++];
    int offsets[2];
    assert_true(f->n_tensors <= FIXTURE_TENSORS);
    t->name = between(&f->arena, entry, "\"", "\"");
    t->rank = ints(between(&f->arena, entry, "\"shape\":[", "]"), t->dim, 4);
    assert_int_equal(ints(between(&f->arena, entry, "\"data_offsets\":[", "]"), offsets, 2), 2);
    size_t size = (size_t)(offsets[1] - offsets[0]);
    float *copy = arena_alloc(&f->arena, size, 1);
    memcpy(copy, data + offsets[0], size);
    t->data = copy;
}

void fixture_open(Fixture *f, const char *name) {
    char path[256], *bytes;
    size_t size;
    Err err = {0};
    uint64_t header;
    *f = (Fixture){.name = name};
    snprintf(path, sizeof path, "attention/%s", name);
    if (!file_read(data_path(path), 64 << 20, &f->arena, &bytes, &size, &err)) fail_msg("%s", err.message);
    memcpy(&header, bytes, sizeof header);
    f->header = arena_strndup(&f->arena, bytes + 8, header);
    const char *tensors = strchr(strstr(f->header, "\"__metadata__\""), '}') + 1;
    for (const char *entry = tensors; (entry = strstr(entry, "\"dtype\"")); entry++) {
        const char *key = entry - 4; /* back over ":{ to the opening quote */
        while (*key != '"') key--;
        read_tensor(f, key, bytes + 8 + header);
    }
}

void fixture_close(Fixture *f) { arena_free(&f->arena); }

const char *fixture_meta(Fixture *f, const char *key) {
    char mark[80];
    snprintf(mark, sizeof mark, "\"%s\":\"", key);
    char *value = between(&f->arena, f->header, mark, "\"");
    return value ? value : "";
}

const TensorInput *fixture_tensor(const Fixture *f, const char *name) { return input_find(f->tensors, f->n_tensors, name); }

double fixture_tolerance(Fixture *f, const char *tensor) {
    char list[512], mark[80];
    snprintf(list, sizeof list, " %s ", fixture_meta(f, "tol"));
    snprintf(mark, sizeof mark, " %s=", tensor);
    const char *own = strstr(list, mark);
    if (!own) own = strstr(list, " default=");
    return own ? strtod(strchr(own, '=') + 1, NULL) : 1e-5;
}

int fixture_int(Fixture *f, const char *key) { return (int)strtol(fixture_meta(f, key), NULL, 10); }
double fixture_number(Fixture *f, const char *key) { return strtod(fixture_meta(f, key), NULL); }

/* A key behind a prefix, in the arena. */
static const char *prefixed(Fixture *f, const char *prefix, const char *key) { return arena_printf(&f->arena, "%s%s", prefix, key); }

static int *meta_ints(Fixture *f, const char *key, int *count) {
    int *list = ARENA_ARRAY(&f->arena, int, 64);
    *count = ints(fixture_meta(f, key), list, 64);
    return list;
}

void fixture_masks(Fixture *f, const char *prefix, AttentionSpec *s) {
    const char *kind = fixture_meta(f, prefixed(f, prefix, "mask_kind")), *fill = fixture_meta(f, prefixed(f, prefix, "mask_fill"));
    s->fill = str_eq(fill, "-1e9") ? -1e9 : -(double)INFINITY;
    s->empty_row = EMPTY_ROW_NAN;
    if (str_eq(kind, "none") || !kind[0]) return;
    MaskSpec mask = {.align = ALIGN_TOP_LEFT};
    mask.pad_keys = fixture_int(f, prefixed(f, prefix, "pad_keys"));
    mask.pad_left = str_eq(fixture_meta(f, "pad_side"), "left");
    mask.left = fixture_int(f, "window_left");
    mask.right = fixture_int(f, "window_right");
    mask.block = fixture_int(f, "block");
    mask.stride = fixture_int(f, "stride");
    mask.causal = fixture_int(f, "causal") == 1;
    if (str_eq(kind, "padding_causal")) {
        s->masks[s->n_masks++] = (MaskSpec){.kind = MASK_CAUSAL, .align = ALIGN_TOP_LEFT};
        kind = "padding";
    }
    int row = str_find(mask_names, MASK_KIND_COUNT, kind);
    assert_true(row > 0);
    mask.kind = (MaskKind)row;
    if (mask.kind == MASK_GLOBAL_WINDOW) {
        mask.left = fixture_int(f, "window_each_side");
        mask.globals = meta_ints(f, "global_tokens", &mask.n_globals);
    }
    if (mask.kind >= MASK_CUSTOM) mask.keep = fixture_tensor(f, "mask")->data;
    s->masks[s->n_masks++] = mask;
}

void fixture_position(Fixture *f, AttentionSpec *s) {
    int kind = str_find(position_names, POSITION_KIND_COUNT, fixture_meta(f, "pos_kind"));
    if (kind > 0) s->position.kind = (PositionKind)kind;
    s->position.rope_dim = fixture_int(f, "rope_dim");
    s->position.rope_offset = fixture_int(f, "rope_pos0");
    s->position.rope_theta = strtod(fixture_meta(f, "rope_theta"), NULL);
}

void fixture_spec(Fixture *f, AttentionSpec *s, TensorInput inputs[FIXTURE_INPUTS], int *n_inputs) {
    *s = (AttentionSpec){.L = fixture_int(f, "L"), .S = fixture_int(f, "S"), .d_model = fixture_int(f, "d_model"),
                         .n_heads = fixture_int(f, "n_heads"), .n_kv_heads = fixture_int(f, "n_kv_heads"),
                         .d_k = fixture_int(f, "d_k"), .d_v = fixture_int(f, "d_v"), .out_proj = fixture_int(f, "out_proj") == 1,
                         .scale = SCALE_NUMBER, .scale_number = strtod(fixture_meta(f, "scale"), NULL)};
    int proj = str_find(proj_names, PROJ_KIND_COUNT, fixture_meta(f, "proj"));
    assert_true(proj >= 0);
    s->proj = (ProjKind)proj;
    fixture_masks(f, "", s);
    fixture_position(f, s);
    *n_inputs = 0;
    char *names = arena_strdup(&f->arena, fixture_meta(f, "inputs"));
    for (char *save, *name = strtok_r(names, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
        assert_true(*n_inputs < FIXTURE_INPUTS);
        inputs[(*n_inputs)++] = *fixture_tensor(f, name);
    }
}

Trace *fixture_trace(Fixture *f, const CoreContext *cx) {
    AttentionSpec spec;
    TensorInput inputs[FIXTURE_INPUTS];
    int n_inputs;
    Err err = {0};
    Trace *trace = trace_new(&f->arena);
    fixture_spec(f, &spec, inputs, &n_inputs);
    if (!machine_attention(trace, "", &spec, inputs, n_inputs, &err)) fail_msg("%s: %s", f->name, err.message);
    if (!trace_run(trace, cx, &err)) fail_msg("%s: %s", f->name, err.message);
    return trace;
}
