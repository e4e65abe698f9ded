/* Trace files: every reference file recomputed, broken copies found out, writing and reading back. */
#include "support/support.h"

#include <stdio.h>

#include "base/file.h"
#include "base/str.h"
#include "model/tracefile.h"

static Arena arena;

static int clean(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static TraceFile read_file(const char *name) {
    TraceFile file;
    Err err = {0};
    if (!tracefile_read(data_path(name), &arena, &file, &err)) fail_msg("%s: %s", name, err.message);
    return file;
}

static Trace *compute(const TraceFile *file) {
    Trace *trace;
    Err err = {0};
    if (!tracefile_compute(file, &(CoreContext){0}, &arena, &trace, &err)) fail_msg("%s: %s", file->path, err.message);
    return trace;
}

static int check(const TraceFile *file, CheckRow **rows) {
    int n;
    Err err = {0};
    if (!tracefile_check(file, compute(file), &arena, rows, &n, &err)) fail_msg("%s: %s", file->path, err.message);
    return n;
}

/* Names of the reference files that sort before `end`, in the test's arena. Cases 01 to 16 are attention and positions. */
static int list_files(const char *end, char ***names) {
    int n;
    Err err = {0};
    assert_true(file_list(data_path("attention"), &arena, names, &n, &err));
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (str_ends((*names)[i], ".safetensors") && strcmp((*names)[i], end) < 0)
            (*names)[kept++] = arena_printf(&arena, "attention/%s", (*names)[i]);
    return kept;
}

/* ---- the reference files ---- */

static void test_all_reference_files(void **state) {
    (void)state;
    char **names;
    int n = list_files("24", &names), outputs = 0;
    assert_int_equal(n, 113);
    for (int i = 0; i < n; i++) {
        TraceFile file = read_file(names[i]);
        CheckRow *rows;
        int count = check(&file, &rows);
        assert_int_equal(count, file.n_outputs);
        outputs += count;
        for (int k = 0; k < count; k++)
            if (rows[k].differs)
                fail_msg("%s: %s differs by %g, tolerance %g%s", names[i], rows[k].name, rows[k].difference, rows[k].tolerance,
                         rows[k].missing ? " (missing)" : "");
    }
    assert_true(outputs > 1000);
}

/* What the metadata of some files become. */
static void test_metadata(void **state) {
    (void)state;
    AttentionSpec s = read_file("attention/09_temperature_0.5_causal_h4_L9_d32.safetensors").spec;
    assert_int_equal(s.scale, SCALE_AUTO);
    assert_near(s.temperature, 0.5, 0);
    assert_int_equal(s.masks[0].kind, MASK_CAUSAL);
    assert_int_equal(s.masks[0].align, ALIGN_TOP_LEFT);
    assert_int_equal(s.empty_row, EMPTY_ROW_NAN);
    assert_near(s.fill, -INFINITY, 0);
    s = read_file("attention/09_noscale_h2_L8_d16.safetensors").spec;
    assert_int_equal(s.scale, SCALE_NONE);
    s = read_file("attention/08_leftpad_causal_1e9_h2_L7_d16.safetensors").spec;
    assert_int_equal(s.n_masks, 2);
    assert_int_equal(s.masks[0].kind, MASK_PADDING);
    assert_true(s.masks[0].pad_left);
    assert_int_equal(s.masks[1].kind, MASK_CAUSAL);
    assert_near(s.fill, -1e9, 0);
    s = read_file("attention/11_global_w3_g3_h2_L48_d32.safetensors").spec;
    assert_int_equal(s.masks[0].n_globals, 3);
    assert_int_equal(s.masks[0].globals[2], 24);
    s = read_file("attention/14_rope_half_h8_kv2_L20_d64_pos5.safetensors").spec;
    assert_int_equal(s.position.kind, POSITION_ROPE_HALF);
    assert_int_equal(s.position.rope_offset, 5);
    TraceFile file = read_file("attention/08_perhead_inf_h2_L5_d8.safetensors");
    assert_int_equal(file.spec.masks[0].kind, MASK_CUSTOM_PER_HEAD);
    assert_ptr_equal(file.spec.masks[0].keep, safetensors_find(&file.file, "mask")->data);
    file = read_file("attention/16_pe_table_L64_d96.safetensors");
    assert_string_equal(file.kind, "positional");
    assert_int_equal(file.n_inputs, 0);
    assert_near(tracefile_tolerance(&file.file, "pe"), 1e-5, 0);
}

/* One number of one stored output is changed: that tensor is the first that differs. */
static void test_broken_outputs(void **state) {
    (void)state;
    static const char *const names[] = {"attention/03_mha_h4_L16_d32.safetensors", "attention/08_fullmask_inf_h2_L6_d16.safetensors",
                                        "attention/15_alibi_h8_causal_L12_d32.safetensors", "attention/16_sinusoidal_h2_L8_d16.safetensors"};
    static const float changes[] = {0.01f, NAN, INFINITY};
    for (size_t f = 0; f < 4; f++) {
        TraceFile file = read_file(names[f]);
        for (int t = 0; t < file.n_outputs; t++)
            for (size_t c = 0; c < 3; c++) {
                TensorInput *output = &file.outputs[t];
                const float *good = output->data;
                size_t count = 1, at;
                for (int d = 0; d < output->rank; d++) count *= (size_t)output->dim[d];
                for (at = count - 1; at > 0 && !isfinite(good[at]); at--) {}
                float *broken = arena_alloc(&arena, count, sizeof *broken);
                memcpy(broken, good, count * sizeof *broken);
                broken[at] = changes[c] == 0.01f ? good[at] + 0.01f * fmaxf(1, fabsf(good[at])) : changes[c];
                output->data = broken;
                CheckRow *rows;
                int n = check(&file, &rows), first = 0;
                output->data = good;
                while (first < n && !rows[first].differs) first++;
                assert_true(first < n);
                assert_string_equal(rows[first].name, output->name);
                int index[4] = {0}, rest = (int)at;
                for (int d = output->rank - 1; d >= 0; d--) index[d] = rest % output->dim[d], rest /= output->dim[d];
                assert_memory_equal(rows[first].index, index, sizeof index);
                assert_near(rows[first].want, (double)broken[at], 0);
                for (int k = first + 1; k < n; k++) assert_false(rows[k].differs);
            }
    }
}

/* A changed input: the first tensor made from it differs first. */
static void test_broken_input(void **state) {
    (void)state;
    TraceFile file = read_file("attention/03_mha_h2_L5_d8.safetensors");
    for (int i = 0; i < file.n_inputs; i++) {
        if (!str_eq(file.inputs[i].name, "w_v")) continue;
        float *w = arena_alloc(&arena, 64, sizeof *w);
        memcpy(w, file.inputs[i].data, 64 * sizeof *w);
        w[0] += 0.5f;
        file.inputs[i].data = w;
    }
    CheckRow *rows;
    int n = check(&file, &rows), first = 0;
    while (first < n && !rows[first].differs) first++;
    assert_string_equal(rows[first].name, "v");
}

/* Rows come in computing order whatever order the file lists, and a name that no machine makes is missing. */
static void test_order_and_missing(void **state) {
    (void)state;
    TraceFile file = read_file("attention/03_mha_h2_L5_d8.safetensors");
    int n = file.n_outputs;
    for (int i = 0; i < n / 2; i++) {
        TensorInput swap = file.outputs[i];
        file.outputs[i] = file.outputs[n - 1 - i];
        file.outputs[n - 1 - i] = swap;
    }
    TensorInput *more = arena_alloc(&arena, (size_t)n + 1, sizeof *more);
    memcpy(more, file.outputs, (size_t)n * sizeof *more);
    more[n] = more[0];
    more[n].name = "attention_out";
    file.outputs = more;
    file.n_outputs = n + 1;
    CheckRow *rows;
    assert_int_equal(check(&file, &rows), n + 1);
    assert_string_equal(rows[0].name, "q");
    assert_string_equal(rows[n - 1].name, "out");
    assert_true(rows[n].missing && rows[n].differs);
    assert_false(rows[n - 1].differs);
}

static void test_nothing_to_compare(void **state) {
    (void)state;
    TraceFile file = read_file("attention/03_mha_h2_L5_d8.safetensors");
    file.n_outputs = 0;
    CheckRow *rows;
    int n;
    Err err = {0};
    assert_false(tracefile_check(&file, compute(&file), &arena, &rows, &n, &err));
    assert_non_null(strstr(err.message, "no outputs"));
}

static void test_wrong_shape(void **state) {
    (void)state;
    TraceFile file = read_file("attention/03_mha_h2_L5_d8.safetensors");
    file.outputs[file.n_outputs - 1].dim[0] = 4;
    CheckRow *rows;
    int n;
    Err err = {0};
    assert_false(tracefile_check(&file, compute(&file), &arena, &rows, &n, &err));
    assert_non_null(strstr(err.message, "[4, 8]"));
    assert_non_null(strstr(err.message, "[5, 8]"));
}

/* ---- metadata that cannot be ---- */

/* A copy of a good file's metadata with one key set (value NULL: taken away). */
static Safetensors with_meta(const Safetensors *file, const char *key, const char *value) {
    Safetensors copy = *file;
    copy.meta = arena_alloc(&arena, (size_t)file->n_meta + 1, sizeof *copy.meta);
    copy.n_meta = 0;
    for (int i = 0; i < file->n_meta; i++)
        if (!str_eq(file->meta[i].key, key)) copy.meta[copy.n_meta++] = file->meta[i];
    if (value != NULL) copy.meta[copy.n_meta++] = (MetaPair){key, value};
    return copy;
}

static void test_bad_metadata(void **state) {
    (void)state;
    static const struct { const char *key, *value, *says; } rows[] = {
        {"kind", NULL, "not a trace file"}, {"kind", "moe", "encoder_block"}, {"kind", "norm", "ln1_g"}, {"inputs", NULL, "inputs"}, {"inputs", "x w_q nothing", "nothing"},
        {"inputs", "x x", "twice"}, {"outputs", "q nothing", "nothing"}, {"L", "five", "\"five\""}, {"L", "0", "from 1"}, {"L", "-5", "from 1"}, {"L", "99999999", "from 1"},
        {"L", "6", "L"}, {"n_heads", "3", "3"}, {"d_k", "5", "5"}, {"n_kv_heads", "7", "7"}, {"proj", "magic", "linear, none, given"},
        {"out_proj", "yes", "0 or 1"}, {"scale", "big", "number"}, {"scale", "nan", "number"}, {"scale", "inf", "finite"},
        {"mask_kind", "casual", "causal"}, {"mask_fill", "x", "number"}, {"mask_op", "both", "replace, add"},
        {"causal_align", "left", "top_left"}, {"empty_row", "one", "zero, nan"}, {"pos_kind", "built-in", "sinusoidal"},
        {"pos_kind", "relative", "rope_half"}, {"tokens", "The cat", "tokens"}, {"tokens", "[\"a\",1,\"c\",\"d\",\"e\"]", "entry 2"},
        {"tokens", "[\"a\"]", "1 labels for 5"}, {"tokens", "{\"a\":1}", "list"}, {"tol", "default=x", "tol"}, {"tol", "q=-1", "tol"},
        {"tol", "default=nan", "tol"}, {"mask_kind", "window", "window_left"}, {"mask_kind", "custom", "no tensor mask"},
        {"mask_kind", "padding", "pad_keys"}, {"precision", "f16", "f32, f64"},
    };
    TraceFile good = read_file("attention/03_mha_h2_L5_d8.safetensors");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Safetensors file = with_meta(&good.file, rows[i].key, rows[i].value);
        TraceFile out;
        Trace *trace;
        Err err = {0};
        if (tracefile_from(&file, "x.safetensors", &arena, &out, &err) && tracefile_compute(&out, &(CoreContext){0}, &arena, &trace, &err))
            fail_msg("accepted %s = %s", rows[i].key, rows[i].value);
        assert_string_equal(err.file, "x.safetensors");
        if (strstr(err.message, rows[i].says) == NULL) fail_msg("%s = %s: \"%s\"", rows[i].key, rows[i].value, err.message);
    }
}

/* What another kind of position would read is not taken along. */
static void test_foreign_parameters(void **state) {
    (void)state;
    static const char *const kinds[] = {"none", "sinusoidal", "learned", "alibi"};
    TraceFile good = read_file("attention/03_mha_h2_L5_d8.safetensors");
    for (int i = 0; i < 4; i++) {
        Safetensors file = with_meta(&good.file, "pos_kind", kinds[i]);
        file = with_meta(&file, "rope_dim", "4");
        file = with_meta(&file, "rope_theta", "100");
        file = with_meta(&file, "rope_pos0", "3");
        TraceFile out;
        Err err = {0};
        if (!tracefile_from(&file, NULL, &arena, &out, &err)) fail_msg("%s", err.message);
        assert_int_equal(out.spec.position.rope_dim, 0);
        assert_int_equal(out.spec.position.rope_offset, 0);
        assert_near(out.spec.position.rope_theta, 0, 0);
    }
}

static void test_bad_mask_tensor(void **state) {
    (void)state;
    TraceFile good = read_file("attention/08_fullmask_inf_h2_L6_d16.safetensors");
    float cells[36];
    Safetensors file = good.file;
    file.tensors = arena_alloc(&arena, (size_t)file.n_tensors, sizeof *file.tensors);
    memcpy(file.tensors, good.file.tensors, (size_t)file.n_tensors * sizeof *file.tensors);
    TensorInput *mask = NULL;
    for (int i = 0; i < file.n_tensors; i++)
        if (str_eq(file.tensors[i].name, "mask")) mask = &file.tensors[i];
    memcpy(cells, mask->data, sizeof cells);
    cells[7] = 0.5f;
    mask->data = cells;
    TraceFile out;
    Err half = {0}, narrow = {0};
    assert_false(tracefile_from(&file, "x", &arena, &out, &half));
    assert_non_null(strstr(half.message, "number 8 is 0.5"));
    cells[7] = 1;
    mask->dim[1] = 3;
    assert_false(tracefile_from(&file, "x", &arena, &out, &narrow));
    assert_non_null(strstr(narrow.message, "[6, 3]"));
}

/* Any change of the header ends in an error or a computed file, never worse. */
static void test_changed_headers(void **state) {
    (void)state;
    static const char *const names[] = {"attention/03_mha_h2_L5_d8.safetensors", "attention/08_perhead_inf_h2_L5_d8.safetensors",
                                        "attention/11_global_w1_g1_h2_L12_d16.safetensors", "attention/12_gqa_h4_kv2_L5_d16.safetensors",
                                        "attention/14_rope_half_h2_L6_d16.safetensors", "attention/16_learned_h2_L9_d16.safetensors"};
    static const char letters[] = "0123456789-,.\"[]{} aeinx";
    uint64_t seed = 2;
    int good = 0;
    for (int turn = 0; turn < 3000; turn++) {
        Arena own = {0};
        char *bytes;
        size_t size;
        Err err = {0};
        assert_true(file_read(data_path(names[turn % 6]), 1 << 20, &own, &bytes, &size, &err));
        size_t header = (size_t)((unsigned char)bytes[0] | (unsigned char)bytes[1] << 8);
        for (int k = 0; k < 1 + turn % 3; k++)
            bytes[8 + random_next(&seed) % header] = letters[random_next(&seed) % (sizeof letters - 1)];
        Safetensors container;
        TraceFile file;
        Trace *trace;
        CheckRow *rows;
        int n;
        void *again;
        if (safetensors_parse(bytes, size, "x", &own, &container, &err) && tracefile_from(&container, "x", &own, &file, &err) &&
            tracefile_compute(&file, &(CoreContext){0}, &own, &trace, &err) && tracefile_check(&file, trace, &own, &rows, &n, &err))
            good += tracefile_format(trace, &file.spec, NULL, 0, NULL, 0, &own, &again, &size, &err);
        else assert_true(err.message[0] != '\0');
        arena_free(&own);
    }
    assert_true(good > 100 && good < 2900);
}

/* ---- writing ---- */

typedef struct {
    void *bytes;
    size_t size;
} Bytes;

static Bytes format(const Trace *trace, const TraceFile *file) {
    Bytes out;
    Err err = {0};
    if (!tracefile_format(trace, &file->spec, file->tokens, file->n_tokens, file->source, file->n_source, &arena, &out.bytes, &out.size, &err))
        fail_msg("%s", err.message);
    return out;
}

static TraceFile parse(Bytes bytes) {
    Safetensors container;
    TraceFile file;
    Err err = {0};
    if (!safetensors_parse(bytes.bytes, bytes.size, "again", &arena, &container, &err) ||
        !tracefile_from(&container, "again", &arena, &file, &err))
        fail_msg("%s", err.message);
    return file;
}

/* Written, read, computed and written again: the same bytes, and every number the machine's own. */
static TraceFile round_trip(const Trace *trace, const TraceFile *from, const char *name) {
    Bytes first = format(trace, from);
    TraceFile file = parse(first);
    CheckRow *rows;
    int n = check(&file, &rows);
    assert_true(n > 0);
    for (int k = 0; k < n; k++)
        if (rows[k].difference != 0 && from->spec.precision == PRECISION_F32)
            fail_msg("%s: %s is %g off after reading it back", name, rows[k].name, rows[k].difference);
        else if (rows[k].differs) fail_msg("%s: %s differs by %g", name, rows[k].name, rows[k].difference);
    Bytes second = format(compute(&file), &file);
    if (second.size != first.size || memcmp(first.bytes, second.bytes, first.size) != 0) fail_msg("%s: other bytes the second time", name);
    return file;
}

static void test_round_trip_of_reference_files(void **state) {
    (void)state;
    char **names;
    int n = list_files("17", &names);
    for (int i = 0; i < n; i++) {
        Arena outer = arena;
        arena = (Arena){0};
        TraceFile file = read_file(names[i]);
        TraceFile again = round_trip(compute(&file), &file, names[i]);
        assert_int_equal(again.spec.n_masks, file.spec.n_masks);
        assert_int_equal(again.spec.scale, file.spec.scale);
        for (int k = 0; k < file.n_outputs; k++)
            if (safetensors_find(&again.file, file.outputs[k].name) == NULL) fail_msg("%s: %s is not written", names[i], file.outputs[k].name);
        arena_free(&arena);
        arena = outer;
    }
}

static const float small_x[12] = {1, 0, 0, 2, 0.5f, -1, 0, 1, 1, 1, -2, 0.25f}; /* [3, 4] */
static const float small_kv[20] = {1, 2, 3, 4, 0, 0, 1, 0, -1, 1, 0.5f, 0, 2, 0, 0, -1, 0.125f, 0, 1, 1}; /* [5, 4] */

/* Settings that the reference files do not have. */
static void test_own_settings(void **state) {
    (void)state;
    static const int hidden[] = {1, 3};
    static const int globals[] = {0};
    static const double slopes[] = {0.3, 0.1};
    static const float keep[30] = {1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const float pe[12] = {0, 1, 0, 1, 0.5f, 0.8f, 0.8f, 0.5f, 0.9f, 0.4f, 0.9f, -0.4f};
    const MaskSpec causal = {.kind = MASK_CAUSAL, .align = ALIGN_BOTTOM_RIGHT}, list = {.kind = MASK_PADDING, .keys = hidden, .n_keys = 2},
                   padding = {.kind = MASK_PADDING, .pad_keys = 1}, window = {.kind = MASK_WINDOW, .left = 1, .right = 1},
                   per_head = {.kind = MASK_CUSTOM_PER_HEAD, .keep = keep};
    const struct { const char *name, *mask_kind; AttentionSpec spec; } rows[] = {
        {"bottom right", "causal", {.masks = {causal}, .n_masks = 1, .fill = -INFINITY}},
        {"causal, padding", "padding_causal", {.masks = {causal, padding}, .n_masks = 2, .fill = -INFINITY, .empty_row = EMPTY_ROW_ZERO}},
        {"listed keys", "custom", {.masks = {list}, .n_masks = 1, .fill = -1e9, .mask_op = MASK_ADD}},
        {"three masks", "custom", {.masks = {causal, list, window}, .n_masks = 3, .fill = -INFINITY, .empty_row = EMPTY_ROW_ZERO}},
        {"window, causal, slopes", "custom", {.masks = {window, causal}, .n_masks = 2, .fill = -INFINITY, .position = {.kind = POSITION_ALIBI, .slopes = slopes, .n_slopes = 2}}},
        {"per head and window", "custom_per_head", {.masks = {per_head, window}, .n_masks = 2, .fill = -7.5}},
        {"global", "global_window", {.masks = {{.kind = MASK_GLOBAL_WINDOW, .left = 0, .globals = globals, .n_globals = 1, .causal = true, .align = ALIGN_BOTTOM_RIGHT}}, .n_masks = 1, .fill = -INFINITY}},
        {"no global", "global_window", {.masks = {{.kind = MASK_GLOBAL_WINDOW, .left = 1}}, .n_masks = 1, .fill = -INFINITY}},
        {"none in a list", "none", {.masks = {{.kind = MASK_NONE}}, .n_masks = 1, .fill = -INFINITY}},
        {"number and temperature", "none", {.scale = SCALE_NUMBER, .scale_number = 0.3, .temperature = 3, .fill = -INFINITY}},
        {"no scale, temperature", "none", {.scale = SCALE_NONE, .temperature = 3, .fill = -INFINITY}},
        {"rope", "none", {.position = {.kind = POSITION_ROPE_HALF, .rope_theta = 100, .rope_offset = 7}, .fill = -INFINITY}},
        {"built-in rows", "none", {.position = {.kind = POSITION_GIVEN}, .fill = -INFINITY}},
        {"f64", "causal", {.masks = {causal}, .n_masks = 1, .fill = -1e9, .mask_op = MASK_ADD, .precision = PRECISION_F64}},
    };
    static const char *tokens[] = {"The \"cat\"", "猫", "\n"}, *source[] = {"a", "b", "c", "d", "e"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TensorInput inputs[] = {{.name = "x", .rank = 2, .dim = {3, 4, 1, 1}, .data = small_x}, {.name = "x_kv", .rank = 2, .dim = {5, 4, 1, 1}, .data = small_kv}, {.name = "pe", .rank = 2, .dim = {3, 4, 1, 1}, .data = pe}};
        TraceFile file = {.spec = rows[i].spec, .tokens = tokens, .n_tokens = 3, .source = source, .n_source = 5};
        file.spec.proj = PROJ_NONE;
        file.spec.n_heads = 2;
        Trace *trace = trace_new(&arena);
        Err err = {0};
        int n = file.spec.position.kind == POSITION_GIVEN ? 3 : 2;
        if (!machine_attention(trace, "", &file.spec, inputs, n, &err) || !trace_run(trace, &(CoreContext){0}, &err))
            fail_msg("%s: %s", rows[i].name, err.message);
        TraceFile again = round_trip(trace, &file, rows[i].name);
        assert_string_equal(safetensors_meta(&again.file, "mask_kind"), rows[i].mask_kind);
        assert_int_equal(again.spec.empty_row, file.spec.empty_row);
        assert_int_equal(again.n_tokens, 3);
        for (int k = 0; k < 3; k++) assert_string_equal(again.tokens[k], tokens[k]);
        assert_string_equal(again.source[4], "e");
        if (n == 3) assert_memory_equal(safetensors_find(&again.file, "pos_emb")->data, pe, sizeof pe);
    }
}

/* Scores or weights instead of q and k. */
static void test_given_maps(void **state) {
    (void)state;
    static const float map[6] = {0.5f, 0.25f, 0.25f, 0, 1, 0}, v[3] = {1, 2, 3};
    static const char *const names[] = {"scores", "weights"};
    for (int i = 0; i < 2; i++) {
        TensorInput inputs[] = {{.name = names[i], .rank = 3, .dim = {1, 2, 3, 1}, .data = map}, {.name = "v", .rank = 3, .dim = {1, 3, 1, 1}, .data = v}};
        TraceFile file = {.spec = {.proj = PROJ_GIVEN, .d_k = 4, .fill = -INFINITY}};
        Trace *trace = trace_new(&arena);
        Err err = {0};
        if (!machine_attention(trace, "", &file.spec, inputs, 2, &err) || !trace_run(trace, &(CoreContext){0}, &err)) fail_msg("%s", err.message);
        TraceFile again = round_trip(trace, &file, names[i]);
        assert_int_equal(again.spec.d_k, 4);
        assert_null(again.tokens);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_reference_files),
        cmocka_unit_test(test_metadata),
        cmocka_unit_test(test_broken_outputs),
        cmocka_unit_test(test_broken_input),
        cmocka_unit_test(test_order_and_missing),
        cmocka_unit_test(test_nothing_to_compare),
        cmocka_unit_test(test_wrong_shape),
        cmocka_unit_test(test_bad_metadata),
        cmocka_unit_test(test_foreign_parameters),
        cmocka_unit_test(test_bad_mask_tensor),
        cmocka_unit_test(test_changed_headers),
        cmocka_unit_test(test_round_trip_of_reference_files),
        cmocka_unit_test(test_own_settings),
        cmocka_unit_test(test_given_maps),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
