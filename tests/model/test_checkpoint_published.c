/* The four trained models against what their makers published, and texts against the ids that the references were made from. */
#include "model_kit.h"

#include <jansson.h>
#include <stdio.h>

#include "base/file.h"
#include "base/str.h"
#include "model/safetensors.h"

static Arena arena;

static int clean(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static json_t *load(const char *text, size_t size) {
    json_error_t problem;
    json_t *root = json_loadb(text, size, 0, &problem);
    if (!root) fail_msg("%s", problem.text);
    return root;
}

/* A JSON file below the shared models; skips the test when it is not there. */
static json_t *load_shared(const char *name) {
    const char *path = models_path(name);
    if (!path) skip();
    size_t size = 0;
    char *text = NULL;
    Err err = {0};
    if (!file_read(path, (size_t)64 << 20, &arena, &text, &size, &err)) fail_msg("%s", err.message);
    return load(text, size);
}

static Model open_shared(const char *name) {
    const char *path = models_path(name);
    if (!path) skip();
    return model_open(arena_strdup(&arena, path));
}

enum { IDS_MAX = 600 };

static int read_ids(const json_t *list, int *ids, int n) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        assert_true(n < IDS_MAX);
        ids[n++] = (int)json_integer_value(json_array_get(list, i));
    }
    return n;
}

/* The largest number of a row. */
static int best(const Tensor *logits, int row) {
    int at = 0;
    for (int i = 1; i < logits->dim[1]; i++)
        if (tensor_at(logits, (int[]){row, i, 0, 0}) > tensor_at(logits, (int[]){row, at, 0, 0})) at = i;
    return at;
}

static double log_probability(const Tensor *logits, int row, int id) {
    double most = tensor_at(logits, (int[]){row, best(logits, row), 0, 0}), sum = 0;
    for (int i = 0; i < logits->dim[1]; i++) sum += exp(tensor_at(logits, (int[]){row, i, 0, 0}) - most);
    return tensor_at(logits, (int[]){row, id, 0, 0}) - most - log(sum);
}

/* ---- stories260K ---- */

static int text_ids(const Model *model, int stack, const char *text, int *ids) {
    Encoding encoding;
    int cut = 0;
    Err err = {0};
    if (!checkpoint_encode(model->checkpoint, stack, text, NULL, &arena, &encoding, &cut, &err)) fail_msg("%s", err.message);
    assert_int_equal(cut, 0);
    memcpy(ids, encoding.ids, (size_t)encoding.n * sizeof *ids);
    return encoding.n;
}

/* The first words one by one; then all of them at once: under a causal mask each row's choice is that of the text so far. */
static void test_stories_go_on(void **state) {
    (void)state;
    json_t *cases = load_shared("refs/stories260K/greedy.json");
    Model model = open_shared("trained/stories260K");
    for (size_t c = 0; c < json_array_size(cases); c++) {
        json_t *one = json_array_get(cases, c);
        int ids[IDS_MAX], n = text_ids(&model, 0, json_string_value(json_object_get(one, "text")), ids), given[IDS_MAX];
        assert_int_equal(read_ids(json_object_get(one, "ids"), given, 0), n);
        assert_memory_equal(given, ids, (size_t)n * sizeof *ids);
        int all = read_ids(json_object_get(one, "greedy_ids"), ids, n);
        assert_int_equal(all - n, 200);
        for (int t = n; t < n + 12; t++) {
            model_run(&model, ids, t, NULL, 0);
            assert_int_equal(best(model_tensor(&model, "logits"), t - 1), ids[t]);
        }
        model_run(&model, ids, all, NULL, 0);
        for (int t = n; t < all; t++) assert_int_equal(best(model_tensor(&model, "logits"), t - 1), ids[t]);
    }
    model_close(&model);
    json_decref(cases);
}

/* ---- gpt-nano-sort ---- */

/* Rows `which` of a published tensor [3, …] against ours. */
static int check_partial(const Model *model, const SafetensorsHeader *file, const char *theirs, const char *ours, int which, double tolerance) {
    Err err = {0};
    const float *want;
    const SafetensorsEntry *entry = safetensors_entry(file, arena_printf(&arena, "partials.%s", theirs));
    const Tensor *got = model_tensor(model, ours);
    if (!entry) fail_msg("no partials.%s", theirs);
    size_t count = tensor_count(got);
    assert_int_equal(entry->count, count * (size_t)entry->dim[0]);
    if (!safetensors_floats(file, entry, &arena, &want, &err)) fail_msg("%s", err.message);
    for (size_t i = 0; i < count; i++) {
        double value = (double)want[(entry->dim[0] > 1 ? (size_t)which * count : 0) + i];
        if (near_equal(tensor_flat(got, i), value, tolerance)) continue;
        print_error("%s[%zu] of input %d is %g, published %g\n", ours, i, which + 1, tensor_flat(got, i), value);
        return 1;
    }
    return 0;
}

static void test_sorting_in_detail(void **state) {
    (void)state;
    static const struct {
        const char *theirs, *ours;
        double tolerance;
    } names[] = {
        {"tok_emb", "layers.0.tok", 0}, {"pos_emb", "layers.0.pe", 0}, {"x", "hidden.0", 1e-6}, {"ln1", "layers.0.ln1", 1e-5},
        {"q", "layers.0.q", 1e-5}, {"k", "layers.0.k", 1e-5}, {"v", "layers.0.v", 1e-5}, {"att", "layers.0.masked", 1e-5},
        {"attSm", "layers.0.weights", 1e-6}, {"y", "layers.0.concat", 1e-5}, {"yProj", "layers.0.out", 1e-5}, {"attnResid", "layers.0.resid1", 1e-5},
        {"ln2", "layers.0.ln2", 1e-5}, {"fc", "layers.0.ffn_hidden", 1e-5}, {"gelu", "layers.0.ffn_act", 1e-5}, {"mlp", "layers.0.ffn_out", 1e-5},
        {"block0", "hidden.1", 1e-5}, {"block1", "hidden.2", 1e-5}, {"block2", "last_layer_out", 1e-5}, {"ln_f", "hidden.3", 1e-5},
        {"lm_head", "logits", 2e-5},
    };
    const char *path = models_path("trained/gpt-nano-sort/published_partials.safetensors");
    if (!path) skip();
    char *bytes = NULL;
    size_t size = 0;
    int *ids, bad = 0;
    SafetensorsHeader file;
    Err err = {0};
    if (!file_read(path, (size_t)1 << 24, &arena, &bytes, &size, &err) || !safetensors_header(bytes, size, "partials", false, &arena, &file, &err))
        fail_msg("%s", err.message);
    assert_true(safetensors_ints(&file, safetensors_entry(&file, "partials.idx"), &arena, &ids, &err));
    Model model = open_shared("trained/gpt-nano-sort");
    for (int which = 0; which < 3; which++) {
        model_run(&model, ids + which * 11, 11, NULL, 0);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) bad += check_partial(&model, &file, names[i].theirs, names[i].ours, which, names[i].tolerance);
    }
    assert_int_equal(bad, 0);
    model_close(&model);
}

/* It was trained to write six letters again in order: all 729 inputs come out sorted. */
static void test_sorting(void **state) {
    (void)state;
    Model model = open_shared("trained/gpt-nano-sort");
    for (int number = 0; number < 729; number++) {
        int ids[12], sorted[6], count[3] = {0}, rest = number;
        for (int i = 0; i < 6; i++, rest /= 3) count[ids[i] = rest % 3]++;
        for (int i = 0, letter = 0; i < 6; i++) {
            while (count[letter] == 0) letter++;
            sorted[i] = letter;
            count[letter]--;
        }
        memcpy(ids + 6, sorted, sizeof sorted);
        model_run(&model, ids, 11, NULL, 0);
        for (int i = 0; i < 6; i++) assert_int_equal(best(model_tensor(&model, "logits"), 5 + i), sorted[i]);
    }
    model_close(&model);
}

/* ---- aren-transliteration ---- */

static void test_published_scores(void **state) {
    (void)state;
    json_t *root = load_shared("refs/aren-transliteration/published_scores.json"), *cases = json_object_get(root, "cases");
    Model model = open_shared("trained/aren-transliteration");
    int checked = 0;
    for (size_t c = 0; c < json_array_size(cases); c++) {
        json_t *one = json_array_get(cases, c), *scores = json_object_get(one, "log_probs");
        int ids[IDS_MAX], target[IDS_MAX];
        int n = text_ids(&model, 0, json_string_value(json_object_get(one, "text")), ids);
        int m = text_ids(&model, 1, json_string_value(json_object_get(one, "target")), target);
        assert_int_equal(target[0], 52);
        target[m] = 53;
        assert_int_equal(json_array_size(scores), m);
        model_run(&model, ids, n, target, m);
        for (int t = 0; t < m; t++, checked++) {
            double want = json_real_value(json_array_get(scores, (size_t)t));
            assert_near(log_probability(model_tensor(&model, "logits"), t, target[t + 1]), want, 1e-4 * fabs(want) + 2e-6);
        }
    }
    assert_int_equal(checked, 15);
    model_close(&model);
    json_decref(root);
}

static void test_transliterations(void **state) {
    (void)state;
    json_t *cases = load_shared("refs/aren-transliteration/greedy.json");
    Model model = open_shared("trained/aren-transliteration");
    for (size_t c = 0; c < json_array_size(cases); c++) {
        json_t *one = json_array_get(cases, c);
        int ids[IDS_MAX], target[IDS_MAX] = {52}, want[IDS_MAX], m = 1;
        int n = text_ids(&model, 0, json_string_value(json_object_get(one, "text")), ids), n_want = read_ids(json_object_get(one, "greedy_ids"), want, 0);
        for (; m < 40; m++) {
            model_run(&model, ids, n, target, m);
            target[m] = best(model_tensor(&model, "logits"), m - 1);
            if (target[m] == 53) break;
        }
        assert_int_equal(m - 1, n_want);
        assert_memory_equal(target + 1, want, (size_t)n_want * sizeof *want);
    }
    model_close(&model);
    json_decref(cases);
}

/* ---- rxn-albert ---- */

/* Layer 11 head 6 looks from each atom of the product at the atom that it was. */
static void test_atom_map(void **state) {
    (void)state;
    json_t *cases = load_shared("refs/rxn-albert/atom_map.json");
    Model model = open_shared("trained/rxn-albert");
    int atoms = 0;
    for (size_t c = 0; c < json_array_size(cases); c++) {
        json_t *one = json_array_get(cases, c), *map = json_object_get(one, "map"), *ids_list = json_object_get(one, "ids"), *tokens = json_object_get(one, "tokens");
        int ids[IDS_MAX], typed[IDS_MAX], n = read_ids(ids_list, ids, 0), arrow = 0;
        assert_int_equal(text_ids(&model, 0, json_string_value(json_object_get(one, "reaction")), typed), n);
        assert_memory_equal(typed, ids, (size_t)n * sizeof *ids);
        while (!str_eq(json_string_value(json_array_get(tokens, (size_t)arrow)), ">>")) arrow++;
        model_run(&model, ids, n, NULL, 0);
        const Tensor *weights = model_tensor(&model, "layers.10.attn");
        for (size_t i = 0; i < json_array_size(map); i++, atoms++) {
            json_t *atom = json_array_get(map, i);
            int row = (int)json_integer_value(json_object_get(atom, "product_token")), most = 0;
            for (int j = 1; j < arrow; j++)
                if (tensor_at(weights, (int[]){5, row, j, 0}) > tensor_at(weights, (int[]){5, row, most, 0})) most = j;
            assert_int_equal(most, json_integer_value(json_object_get(atom, "published")));
            assert_near(tensor_at(weights, (int[]){5, row, most, 0}), json_real_value(json_object_get(atom, "attention")), 1e-4);
        }
    }
    assert_int_equal(atoms, 31);
    model_close(&model);
    json_decref(cases);
}

/* ---- texts to ids, as the references had them ---- */

static void same_ids(const char *name, const int *got, int n, const json_t *want) {
    int ids[IDS_MAX], m = read_ids(want, ids, 0);
    if (m != n || memcmp(ids, got, (size_t)n * sizeof *ids) != 0) fail_msg("%s: other ids", name);
}

static int check_texts(const char *set, const char *name) {
    const char *lines_path = models_path(arena_printf(&arena, "refs/%s/inputs.jsonl", name));
    if (!lines_path) skip();
    char *lines = NULL, *next;
    size_t size;
    int texts = 0;
    Err err = {0};
    if (!file_read(lines_path, (size_t)1 << 24, &arena, &lines, &size, &err)) fail_msg("%s", err.message);
    Model model = open_shared(arena_printf(&arena, "%s/%s", set, name));
    for (char *line = lines; *line; line = next, texts++) {
        size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        json_t *one = load(line, length);
        Encoding encoding;
        int cut;
        const char *target = json_string_value(json_object_get(one, "target"));
        if (!checkpoint_encode(model.checkpoint, 0, json_string_value(json_object_get(one, "text")), json_string_value(json_object_get(one, "pair")), &arena,
                               &encoding, &cut, &err)) fail_msg("%s", err.message);
        same_ids(name, encoding.ids, encoding.n, json_object_get(one, "ids"));
        if (json_object_get(one, "type_ids")) same_ids(name, encoding.type_ids, encoding.n, json_object_get(one, "type_ids"));
        if (target) {
            if (!checkpoint_encode(model.checkpoint, 1, target, NULL, &arena, &encoding, &cut, &err)) fail_msg("%s", err.message);
            same_ids(name, encoding.ids, encoding.n, json_object_get(one, "decoder_ids"));
        }
        json_decref(one);
    }
    model_close(&model);
    return texts;
}

static void test_texts(void **state) {
    (void)state;
    int texts = 0;
    for (int i = 0; model_random[i]; i++) texts += check_texts("random", model_random[i]);
    for (int i = 0; model_trained[i]; i++) texts += check_texts("trained", model_trained[i]);
    assert_true(texts >= 59);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stories_go_on), cmocka_unit_test(test_sorting_in_detail), cmocka_unit_test(test_sorting),
        cmocka_unit_test(test_published_scores), cmocka_unit_test(test_transliterations), cmocka_unit_test(test_atom_map), cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
