/* Runs of models from folders: text to tokens, places of attention, numbers as the reference has them, what is taken over from
 * the run before, what is in memory, and what is refused. */
#include "network_support.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "doc/film.h"
#include "model/safetensors.h"

static void assert_token(const TokenList *tokens, int i, const char *label, const char *text, int start, int end) {
    assert_string_equal(tokens->items[i].label, label);
    assert_string_equal(tokens->items[i].text, text);
    assert_int_equal(tokens->items[i].start, start);
    assert_int_equal(tokens->items[i].end, end);
}

static void test_tokens(void **state) {
    (void)state;
    Run *run = network_run("tiny-gpt2", "The cat sat", NULL, NULL);
    assert_int_equal(run->tokens.n, 5); /* The, Ġc, at, Ġs, at */
    assert_token(&run->tokens, 0, "The", "The", 0, 3);
    assert_token(&run->tokens, 1, "c", "c", 3, 5);
    assert_token(&run->tokens, 4, "at", "at", 9, 11);
    assert_ptr_equal(run->keys.items, run->tokens.items);
    assert_int_equal(run->network->encoding[0].ids[1], run->network->encoding[0].ids[1]);
    run_close(run);
    run = network_run("tiny-bert-mlm", "", NULL, NULL); /* [CLS] and [SEP] are enough */
    assert_int_equal(run->tokens.n, 2);
    assert_token(&run->tokens, 0, "[CLS]", "[CLS]", 0, 0);
    assert_int_equal(run->network->predict_row, -1);
    assert_int_equal(run->network->n_predictions, 0);
    run_close(run);
    run = network_run("tiny-marian", "", "The cat", NULL); /* the start token alone */
    assert_int_equal(run->tokens.n, 1);
    assert_true(run->cross && run->keys.n > 2);
    run_close(run);
}

/* The tensor of the trace that a reference file calls `name`. */
static void compare(const Run *run, const SafetensorsHeader *ref, const char *name, double tolerance) {
    const SafetensorsEntry *entry = safetensors_entry(ref, name);
    TensorId id = checkpoint_reference(run->trace, &run->network->results, name);
    Arena arena = {0};
    const float *want;
    if (!entry || id == TENSOR_NONE || !safetensors_floats(ref, entry, &arena, &want, NULL)) fail_msg("%s is missing", name);
    const Tensor *t = trace_tensor(run->trace, id);
    assert_int_equal(tensor_count(t), entry->count);
    for (size_t i = 0; i < entry->count; i++)
        if (!near_equal(tensor_flat(t, i), (double)want[i], tolerance)) fail_msg("%s at %zu: %g, not %g", name, i, tensor_flat(t, i), (double)want[i]);
    arena_free(&arena);
}

static const char *meta(const SafetensorsHeader *header, const char *key) {
    for (int i = 0; i < header->n_meta; i++)
        if (str_eq(header->meta[i].key, key)) return header->meta[i].value;
    return NULL;
}

/* From the typed text on: numbers of the published modelling code. */
static void test_reference_numbers(void **state) {
    (void)state;
    static const struct {
        const char *model, *attention, *hidden;
    } refs[] = {{"tiny-gpt2", "layers.1.attn", "hidden.2"}, {"tiny-marian", "decoder.layers.1.cross.attn", "decoder.hidden.2"}};
    for (size_t i = 0; i < sizeof refs / sizeof *refs; i++) {
        char path[96], *bytes;
        size_t size;
        Arena arena = {0};
        SafetensorsHeader ref;
        Err err = {0};
        snprintf(path, sizeof path, "models/%s/ref.safetensors", refs[i].model);
        if (!file_read(data_path(path), 1 << 24, &arena, &bytes, &size, &err) || !safetensors_header(bytes, size, path, false, &arena, &ref, &err))
            fail_msg("%s", err.message);
        const char *text = meta(&ref, "text"), *target = meta(&ref, "target");
        Run *run = target ? network_run(refs[i].model, target, text, NULL) : network_run(refs[i].model, text, NULL, NULL);
        compare(run, &ref, refs[i].attention, 1e-4);
        compare(run, &ref, refs[i].hidden, 1e-3);
        run_close(run);
        arena_free(&arena);
    }
}

static void test_sites(void **state) {
    (void)state;
    Run *run = network_run("tiny-gpt2", "The cat sat", NULL, NULL);
    assert_int_equal(run->n_sites, 2);
    assert_string_equal(run->sites[0].title, "Layer 1");
    assert_string_equal(run->sites[1].scope, "layers.1");
    assert_int_equal(run->spec.n_heads, 4);
    assert_int_equal(run->sites[1].spec.d_k, 12);
    assert_int_equal(run->sites[1].spec.d_model, 48);
    assert_int_equal(run->sites[0].first_stage, 0);
    assert_int_equal(run->sites[0].n_stages + run->sites[1].n_stages, trace_stage_count(run->trace));
    assert_string_equal(run->source.title, "tiny-gpt2 · 2 layers");
    assert_string_equal(run->source.badge, "trained");
    run_close(run);
    run = network_run("tiny-marian", "le chat", "The cat", NULL);
    static const char *const titles[] = {"Encoder layer 1", "Encoder layer 2", "Decoder layer 1", "Decoder layer 1, cross", "Decoder layer 2",
                                         "Decoder layer 2, cross"};
    static const char *const names[] = {"encoder 1", "encoder 2", "decoder 1", "decoder 1 cross", "decoder 2", "decoder 2 cross"};
    assert_int_equal(run->n_sites, 6);
    for (int i = 0; i < 6; i++) {
        char name[32];
        const Site *site = &run->sites[i];
        assert_string_equal(site->title, titles[i]);
        assert_string_equal(run_layer_name(name, run, i), names[i]);
        assert_int_equal(run_find_layer(run, names[i], NULL), i);
        assert_int_equal(trace_stage(run->trace, site->first_stage)->kind, STAGE_EMBED);
        for (int s = 0; s < site->n_stages; s++) assert_ptr_equal(run_site(run, site->first_stage + s), site);
        assert_int_equal(site->spec.L, i < 2 ? run->keys.n : run->tokens.n);
        assert_int_equal(site->spec.S, i < 2 || site->cross ? run->keys.n : run->tokens.n);
        assert_int_equal(trace_tensor(run->trace, site->weights)->dim[2], site->spec.S);
        assert_ptr_equal(run_site_of(run, site->weights), site);
    }
    Err err = {0};
    assert_int_equal(run_find_layer(run, "encoder 3", &err), -1);
    assert_message(&err, "decoder 2 cross");
    run_close(run);
}

/* Every axis of every tensor counts something, and its positions have the right tokens. */
static void test_axes(void **state) {
    (void)state;
    Run *run = network_run("tiny-marian", "le chat", "The cat", NULL);
    for (int i = 0; i < trace_tensor_count(run->trace); i++) {
        const Tensor *t = trace_tensor(run->trace, i);
        for (int a = 0; a < t->rank; a++) {
            const TokenList *tokens = run_axis_tokens(run, i, run_axis(run, i, a));
            if (tokens && tokens->n != t->dim[a]) fail_msg("%s axis %d: %d tokens for %d", t->id, a, tokens->n, t->dim[a]);
        }
        if (t->rank == 2 && run_axis(run, i, 0) == AXIS_OTHER && run_axis(run, i, 1) == AXIS_OTHER) fail_msg("%s has no axes", t->id);
    }
    const struct {
        const char *tensor;
        int axis, kind;
        const TokenList *tokens;
    } axes[] = {{"encoder.layers.0.ln1", 0, AXIS_QUERY, &run->keys}, {"decoder.layers.0.ln1", 0, AXIS_QUERY, &run->tokens},
                {"decoder.layers.1.cross.weights", 1, AXIS_QUERY, &run->tokens}, {"decoder.layers.1.cross.weights", 2, AXIS_KEY, &run->keys},
                {"decoder.layers.1.cross.k", 1, AXIS_KEY, &run->keys}, {"decoder.layers.1.self.head_avg", 1, AXIS_KEY, &run->tokens},
                {"decoder.layers.1.ffn_hidden", 1, AXIS_OTHER, NULL}, {"decoder.logits", 1, AXIS_VOCABULARY, NULL},
                {"decoder.probs", 1, AXIS_QUERY, &run->network->predicted}, {"encoder.w_embed", 0, AXIS_VOCABULARY, NULL}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        TensorId id = trace_find(run->trace, axes[i].tensor);
        if (id == TENSOR_NONE) fail_msg("%s is missing", axes[i].tensor);
        assert_int_equal(run_axis(run, id, axes[i].axis), axes[i].kind);
        assert_ptr_equal(run_axis_tokens(run, id, (AxisKind)axes[i].kind), axes[i].tokens);
    }
    const Prediction *first = &run->network->predictions[0];
    char buffer[32];
    assert_string_equal(run_label(run, run->network->results.logits, 1, first->id, buffer), first->label);
    run_close(run);
}

static void test_references(void **state) {
    (void)state;
    Run *run = network_run("tiny-gpt2", "The cat sat", NULL, NULL);
    static const struct {
        int stage;
        const char *text, *tensor;
        int index[3];
    } good[] = {{-1, "layers.1.weights[2,at#2,The]", "layers.1.weights", {1, 4, 0}}, {14, "weights[2,5,3]", "layers.1.weights", {1, 4, 2}},
                {0, "weights[2,5,3]", "layers.0.weights", {1, 4, 2}}, {20, "ln2[c,3]", "layers.1.ln2", {1, 2, 0}},
                {0, "w_embed[Ġc,1]", "w_embed", {-1, 0, 0}}, {-1, "probs[1,at,\"Ġc\"]", "probs", {0, 0, -1}}};
    TensorId id;
    int index[TENSOR_RANK_MAX];
    Err err = {0};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (!run_resolve_at(run, good[i].stage, good[i].text, &id, index, &err)) fail_msg("%s: %s", good[i].text, err.message);
        assert_string_equal(trace_tensor(run->trace, id)->id, good[i].tensor);
        for (int a = 0; a < trace_tensor(run->trace, id)->rank; a++)
            assert_int_equal(index[a], good[i].index[a] < 0 ? run->network->encoding[0].ids[1] : good[i].index[a]);
        char text[160];
        int again[TENSOR_RANK_MAX];
        TensorId same;
        assert_true(run_resolve(run, run_ref_text(text, run, id, index), &same, again, NULL));
        assert_true(same == id && memcmp(again, index, sizeof index) == 0);
    }
    assert_false(run_resolve(run, "weights[2,5,3]", &id, index, &err));
    assert_message(&err, "from layers.0.weights to layers.1.weights");
    err = (Err){0};
    assert_false(run_resolve_at(run, 0, "layers.1.weigts[1,1,1]", &id, index, &err));
    assert_message(&err, "did you mean layers.1.weights");
    run_close(run);
}

/* ---- what is taken over ---- */

static void test_common_beginning(void **state) {
    (void)state;
    static const char *const before[] = {"The cat sat on the", "The cat sat on the mat", "The cat sat on the mat", "The cat sat on the mat", "on"};
    static const char *const after[] = {"The cat sat on the mat", "The cat sat on", "The dog sat on the mat", "The cat sat on the mat", "The"};
    static const char *const models[] = {"tiny-gpt2", "tiny-mistral", "tiny-llama3", "tiny-gpt-neo", "tiny-gpt-neox"};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
            Run *first = network_run(models[m], before[i], NULL, NULL);
            RunContext context = {.before = first};
            Run *next = network_run(models[m], after[i], NULL, &context), *full = network_run(models[m], after[i], NULL, NULL);
            assert_ptr_equal(next->network->checkpoint, first->network->checkpoint);
            assert_same_numbers(next, full, 1e-5);
            run_close(first); /* what was taken over stays */
            assert_same_numbers(next, full, 1e-5);
            assert_int_equal(next->network->predictions[0].id, full->network->predictions[0].id);
            run_close(next);
            run_close(full);
        }
    Run *first = network_run("tiny-bert-mlm", "The cat", NULL, NULL); /* a later token changes all rows here */
    RunContext context = {.before = first};
    Run *next = network_run("tiny-bert-mlm", "The cat sat", NULL, &context), *full = network_run("tiny-bert-mlm", "The cat sat", NULL, NULL);
    assert_same_numbers(next, full, 0);
    Run *other = network_run("tiny-gpt2", "The cat sat", NULL, &context);
    assert_ptr_not_equal(other->network->checkpoint, first->network->checkpoint);
    run_close(first);
    run_close(next);
    run_close(full);
    run_close(other);
}

static void copy_file(const char *from, const char *folder, const char *name, bool shorter) {
    Arena arena = {0};
    char *data, path[512];
    size_t size;
    Err err = {0};
    snprintf(path, sizeof path, "%s/%s", from, name);
    if (!file_read(path, 1 << 24, &arena, &data, &size, &err)) fail_msg("%s", err.message);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!file_write(path, data, shorter ? size - 1 : size, &err)) fail_msg("%s", err.message);
    arena_free(&arena);
}

/* A folder that changed is opened anew; one without weights has them from the seed. */
static void test_changed_folder(void **state) {
    (void)state;
    char from[512], folder[512];
    snprintf(from, sizeof from, "%s", data_path("models/tiny-gpt2"));
    snprintf(folder, sizeof folder, "%s", scratch_folder("changed"));
    copy_file(from, folder, "config.json", false);
    copy_file(from, folder, "tokenizer.json", false);
    Doc doc;
    Err err = {0};
    network_doc(&doc, "tiny-gpt2", "The cat", NULL);
    doc_set_blob(&doc.model_folder, folder, strlen(folder));
    Run *seeded, *same, *other, *trained;
    assert_true(run_build(&doc, doc_context(), &seeded, &err));
    assert_string_equal(seeded->source.badge, "random");
    assert_non_null(seeded->source.note);
    RunContext context = {.before = seeded};
    assert_true(run_build(&doc, &context, &same, &err));
    assert_ptr_equal(same->network->checkpoint, seeded->network->checkpoint);
    assert_same_numbers(same, seeded, 1e-5);
    doc.seed = 7;
    assert_true(run_build(&doc, &context, &other, &err));
    assert_ptr_not_equal(other->network->checkpoint, seeded->network->checkpoint);
    copy_file(from, folder, "model.safetensors", false);
    assert_true(run_build(&doc, &context, &trained, &err));
    assert_string_equal(trained->source.badge, "trained");
    run_close(same);
    run_close(other);
    context.before = trained;
    copy_file(from, folder, "model.safetensors", true);
    assert_false(run_build(&doc, &context, &same, &err));
    assert_message(&err, "model.safetensors");
    run_close(trained);
    run_close(seeded);
    doc_reset(&doc);
}

/* A weight file that is cut off under a run: what reads it is refused instead of read. */
static void test_cut_off_weights(void **state) {
    (void)state;
    char from[512], folder[512], path[600];
    snprintf(from, sizeof from, "%s", data_path("models/tiny-gpt2"));
    snprintf(folder, sizeof folder, "%s", scratch_folder("cut-off"));
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    copy_file(from, folder, "config.json", false);
    copy_file(from, folder, "tokenizer.json", false);
    copy_file(from, folder, "model.safetensors", false);
    Doc doc;
    Err err = {0};
    RunContext small = {.limit = 1};
    Run *run;
    network_doc(&doc, "tiny-gpt2", "The cat", NULL);
    doc_set_blob(&doc.model_folder, folder, strlen(folder));
    assert_true(run_build(&doc, &small, &run, &err));
    int stage = run->sites[1].first_stage;
    assert_true(run_need(run, stage, NULL, &err) && run_ready(run, stage));
    assert_int_equal(truncate(path, 5000), 0);
    assert_false(run_ready(run, stage)); /* in memory, but its picture reads weights too */
    assert_false(run_need(run, stage, NULL, &err));
    assert_message(&err, "5000 bytes now");
    err = (Err){0};
    assert_false(run_need(run, run->sites[0].first_stage, NULL, &err));
    assert_message(&err, "model.safetensors");
    run_close(run);
    doc_reset(&doc);
}

/* ---- memory ---- */

static void test_limit(void **state) {
    (void)state;
    RunContext small = {.limit = 1};
    Run *all = network_run("tiny-gpt2", "The cat sat on the mat", NULL, NULL), *run = network_run("tiny-gpt2", "The cat sat on the mat", NULL, &small);
    int gone = 0;
    for (int s = 0; s < trace_stage_count(all->trace); s++) {
        assert_true(run_ready(all, s));
        gone += !run_ready(run, s);
    }
    assert_true(gone > 0);
    for (int i = 0; i < run->n_sites; i++) assert_non_null(trace_summary(run->trace, run->sites[i].weights));
    assert_int_equal(run->network->predictions[0].id, all->network->predictions[0].id);
    for (int s = -1; s < trace_stage_count(run->trace); s++) {
        Err err = {0};
        assert_true(run_need(run, s, NULL, &err));
        assert_true(run_ready(run, s));
        assert_same_numbers(run, all, 0);
    }
    for (int i = 0; i < trace_tensor_count(run->trace); i++) /* each stage has been looked at */
        if (trace_stage_of(run->trace, i) >= 0) assert_near(run->magnitude[i], all->magnitude[i], 0);
    run_close(run);
    run_close(all);
}

/* ---- texts that do not fit, settings that do not ---- */

static void test_long_text(void **state) {
    (void)state;
    char text[600] = "";
    for (int i = 0; i < 200; i++) memcpy(text + 2 * i, " a", 3);
    Run *run = network_run("tiny-gpt2", text, NULL, NULL); /* 128 positions, a token for each letter with its space */
    assert_int_equal(run->tokens.n, 128);
    assert_int_equal(run->network->cut[0], 72);
    assert_int_equal(run->network->used[0], 256);
    Arena arena = {0};
    Err err = {0};
    assert_null(run_take(run, 0, &arena, &err));
    run_close(run);
    run = network_run("tiny-gpt2", "a b", NULL, NULL);
    assert_int_equal(run->network->used[0], 3);
    assert_int_equal(run->network->cut[0], 0);
    run_close(run);
    arena_free(&arena);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *model, *more, *part;
        int code;
    } bad[] = {
        {"tiny-gpt2", "mask: causal\n", "mask", ERR_INPUT},
        {"tiny-gpt2", "heads: 2\n", "heads", ERR_INPUT},
        {"tiny-gpt2", "w_q: [[1]]\n", "w_q", ERR_INPUT},
        {"tiny-gpt2", "temperature: 2\n", "temperature", ERR_INPUT},
        {"tiny-gpt2", "edit: [{at: \"w_q[1, 1]\", value: 2}]\n", "edit", ERR_INPUT},
        {"tiny-gpt2", "position: none\n", "position", ERR_INPUT},
        {"tiny-gpt2", "tokenizer: characters\n", "tokenizer", ERR_INPUT},
        {"tiny-gpt2", "source_text: \"a\"\n", "reads one text", ERR_INPUT},
        {"tiny-marian", "", "reads two texts", ERR_INPUT},
        {"no-such-model", "", "no-such-model is not a folder", ERR_IO},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char yaml[900], name[96];
        Doc doc;
        Run *run;
        Err err = {0};
        snprintf(name, sizeof name, "models/%s", bad[i].model);
        snprintf(yaml, sizeof yaml, "attnscope: 1\ntext: \"a b\"\nmodel: \"%s\"\n%s", data_path(name), bad[i].more);
        doc_of(yaml, &doc);
        if (run_build(&doc, doc_context(), &run, &err)) fail_msg("%s was taken", yaml);
        assert_message(&err, bad[i].part);
        assert_int_equal(err.code, bad[i].code);
        doc_reset(&doc);
    }
    Doc doc;
    Run *run;
    Err err = {0};
    network_doc(&doc, "tiny-gpt2", "", NULL);
    assert_false(run_build(&doc, doc_context(), &run, &err));
    assert_message(&err, "Type some words");
    doc_reset(&doc);
}

static bool always(void *ctx) {
    (void)ctx;
    return true;
}

static void test_cancelled(void **state) {
    (void)state;
    CoreContext core = {.cancelled = always};
    RunContext context = {.cx = &core};
    Doc doc;
    Run *run;
    Err err = {0};
    network_doc(&doc, "tiny-gpt2", "The cat", NULL);
    assert_true(run_is_slow(&doc));
    assert_false(run_build(&doc, &context, &run, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    doc_reset(&doc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens), cmocka_unit_test(test_reference_numbers), cmocka_unit_test(test_sites), cmocka_unit_test(test_axes),
        cmocka_unit_test(test_references), cmocka_unit_test(test_common_beginning), cmocka_unit_test(test_changed_folder),
        cmocka_unit_test(test_cut_off_weights), cmocka_unit_test(test_limit), cmocka_unit_test(test_long_text), cmocka_unit_test(test_refused), cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
