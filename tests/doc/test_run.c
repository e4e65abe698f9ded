/* From a document to numbers: tokens, given matrices over the model's, edits, masks, labels and names of numbers. */
#include "doc_support.h"

#include <stdio.h>

#include "base/file.h"
#include "base/str.h"

static void assert_fails(const char *yaml, ErrCode code, const char *part) {
    Doc doc;
    Err err = {0};
    Run *run;
    doc_of(yaml, &doc);
    if (run_build(&doc, doc_context(), &run, &err)) fail_msg("%s was built", yaml);
    assert_null(run);
    assert_int_equal(err.code, code);
    assert_message(&err, part);
    doc_reset(&doc);
}

static void test_errors(void **state) {
    (void)state;
    static const struct {
        const char *yaml;
        ErrCode code;
        const char *part;
    } bad[] = {
        {"attnscope: 1\ntext: \"  \"\n", ERR_INPUT, "Type some words to begin."},
        {"attnscope: 1\ntokens: [\"a\", \"b\"]\nx: [[1, 0], [0, 1], [1, 1]]\nprojections: none\n", ERR_SHAPE,
         "x is given for 3 tokens, but there are 2"},
        {"attnscope: 1\ntext: \"a b\"\nq: [[1]]\nk: [[1]]\nv: [[1]]\n", ERR_SHAPE, "q is given for 1 tokens, but there are 2"},
        {"attnscope: 1\ntokens: [\"a\"]\nsource: [\"b\"]\nscores: [[1, 2]]\nscale: none\n", ERR_SHAPE, "given for 2 keys"},
        {"attnscope: 1\ntokens: [\"a\"]\nscores: [[1]]\n", ERR_INPUT, "give d_k"},
        {"attnscope: 1\ntokens: [\"a\"]\nscores: [[1]]\nweights: [[1]]\nscale: none\n", ERR_INPUT, "give one"},
        {"attnscope: 1\ntokens: [\"a\"]\nscores: [[1]]\nq: [[1]]\nscale: none\n", ERR_INPUT, "nothing to do"},
        {"attnscope: 1\nmodel: random\nd_model: 1600\nheads: 48\n", ERR_SHAPE, "d_model 1600 is not divisible by heads 48"},
        {"attnscope: 1\nheads: 3\n", ERR_SHAPE, "made by hand"},
        {"attnscope: 1\nmodel: random\nd_model: 16\nheads: 3\n", ERR_SHAPE, "d_model 16 is not divisible by heads 3; 2 or 4 would do"},
        {"attnscope: 1\nmodel: random\nheads: 8\nkv_heads: 3\n", ERR_SHAPE, "2 or 4 would do"},
        {"attnscope: 1\nmodel: random\nheads: 4\nkv_heads: 2\ntie: true\n", ERR_SHAPE, "as many key/value heads as heads, not 2 and 4"},
        {"attnscope: 1\ntokens: [\"a\"]\nq: [[1]]\nk: [[1]]\nv: [[1]]\ntie: true\n", ERR_INPUT, "leave tie out"},
        {"attnscope: 1\nmodel: given\n", ERR_INPUT, "model given needs"},
        {"attnscope: 1\ntokens: [\"a\"]\nq: [[1]]\nk: [[1]]\nv: [[1]]\nposition: sinusoidal\n", ERR_INPUT, "added to x"},
        {"attnscope: 1\ntext: \"a b\"\nmask: {kind: padding, keys: 7}\n", ERR_INPUT, ""},
        {"attnscope: 1\ntext: \"a b\"\nmodel: ./no-such-model\n", ERR_IO, "no-such-model is not a folder"},
        {"attnscope: 1\ntext: \"a b\"\nw_q: [[1, 2]]\n", ERR_SHAPE, "w_q"},
        {"attnscope: 1\ntext: \"a b\"\nsource_text: \" \"\n", ERR_INPUT, "source text is empty"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_fails(bad[i].yaml, bad[i].code, bad[i].part);
}

static void test_long_text_is_a_limit(void **state) {
    (void)state;
    Doc doc;
    Err err = {0};
    Run *run;
    static char text[100001];
    for (int i = 0; i < 100000; i++) text[i] = i % 2 ? ' ' : 'a';
    doc_init(&doc);
    doc_set_text(&doc, text, 100000);
    assert_false(run_build(&doc, doc_context(), &run, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_message(&err, "2048");
    doc_reset(&doc);
}

/* x = [1 0], [1 1]; w_q = [1 2], [0 1]: q = k = [1 0], [3 1]; scores 1 3 | 3 10. w_k has nothing to do meanwhile. */
static void test_tied(void **state) {
    (void)state;
    Run *run = run_of_text("attnscope: 1\ntokens: [\"a\", \"b\"]\nx: [[1, 0], [1, 1]]\nw_q: [[1, 2], [0, 1]]\nw_k: [[5, 5], [5, 5]]\n"
                           "w_v: [[1, 0], [0, 1]]\nout_proj: false\nheads: 1\ntie: true\nposition: none\n");
    assert_true(run->sites[0].spec.tie_qk);
    assert_near(value_of(run, "scores[1, a, b]"), 3, 0);
    assert_near(value_of(run, "scores[1, b, a]"), 3, 0);
    assert_near(value_of(run, "scores[1, b, b]"), 10, 0);
    assert_int_equal(trace_find(run->trace, "w_k"), TENSOR_NONE);
    run_close(run);
    run = run_of_text("attnscope: 1\nmodel: random\nseed: 3\ntext: \"one two three\"\ntie: true\n");
    for (int h = 1; h <= run->spec.n_heads; h++) {
        char one[32], two[32];
        snprintf(one, sizeof one, "scores[%d, 1, 3]", h);
        snprintf(two, sizeof two, "scores[%d, 3, 1]", h);
        assert_near(value_of(run, one), value_of(run, two), 1e-6);
    }
    run_close(run);
    run = run_of_text("attnscope: 1\ntokens: [\"a\"]\nx: [[1, 2]]\nprojections: none\ntie: true\n"); /* q = k as it is */
    assert_false(run->spec.tie_qk);
    run_close(run);
}

static void test_given_over_model(void **state) {
    (void)state;
    /* rows for the model random; its weights stay */
    Run *run = run_of_text("attnscope: 1\nmodel: random\nseed: 5\nd_model: 4\nheads: 2\ntext: \"a b\"\nx: [[1, 2, 3, 4], [5, 6, 7, 8]]\n");
    assert_true(run->fields & RUN_GIVEN_X);
    assert_near(value_of(run, "x[b, 4]"), 8, 0);
    assert_int_equal(run->spec.n_heads, 2);
    assert_int_equal(run->spec.d_k, 2);
    run_close(run);
    /* one weight over the classroom's: other heads keep theirs */
    Run *plain = run_of_text("attnscope: 1\n");
    char yaml[8192];
    int n = snprintf(yaml, sizeof yaml, "attnscope: 1\nw_o: [");
    for (int i = 0; i < 16; i++) {
        n += snprintf(yaml + n, sizeof yaml - (size_t)n, "%s[", i ? ", " : "");
        for (int j = 0; j < 16; j++) n += snprintf(yaml + n, sizeof yaml - (size_t)n, "%s%d", j ? ", " : "", i == j);
        n += snprintf(yaml + n, sizeof yaml - (size_t)n, "]");
    }
    snprintf(yaml + n, sizeof yaml - (size_t)n, "]\n");
    run = run_of_text(yaml);
    assert_true(run->fields & RUN_GIVEN_PROJ);
    assert_near(value_of(run, "out[cat, noun]"), value_of(run, "concat[cat, 1]"), 0);
    assert_near(value_of(run, "weights[2, sat, cat]"), value_of(plain, "weights[2, sat, cat]"), 0);
    run_close(run);
    run_close(plain);
}

static void test_positions(void **state) {
    (void)state;
    Run *run = run_of_text("attnscope: 1\n");
    assert_int_equal(run->spec.position.kind, POSITION_GIVEN);
    assert_near(value_of(run, "x[sat, one]"), 1, 0);
    assert_false(value_of(run, "x[sat, pos1]") == 0);
    run_close(run);
    run = run_of_text("attnscope: 1\nposition: none\n");
    assert_int_equal(run->spec.position.kind, POSITION_NONE);
    assert_near(value_of(run, "x[sat, pos1]"), 0, 0);
    assert_near(value_of(run, "x[sat, pos₂]"), 0, 0);
    run_close(run);
    run = run_of_text("attnscope: 1\nposition: sinusoidal\n");
    assert_near(value_of(run, "pe[cat, 1]"), sin(1), 1e-6);
    run_close(run);
    run = run_of_text("attnscope: 1\nposition: learned\nseed: 3\n");
    assert_true(run->fields & RUN_POS_SEEDED);
    Run *again = run_of_text("attnscope: 1\nposition: learned\nseed: 3\n"), *other = run_of_text("attnscope: 1\nposition: learned\nseed: 4\n");
    assert_near(value_of(run, "pe[3, 2]"), value_of(again, "pe[3, 2]"), 0);
    assert_false(value_of(run, "pe[3, 2]") == value_of(other, "pe[3, 2]"));
    run_close(run);
    run_close(again);
    run_close(other);
    run = run_of_text("attnscope: 1\nposition: rope_half\n");
    assert_true(trace_find(run->trace, "q_rope") != TENSOR_NONE);
    run_close(run);
}

static void test_edits(void **state) {
    (void)state;
    Run *run = run_of_text("attnscope: 1\ntext: \"a b\"\nedit:\n- {at: \"w_q[1, 2]\", value: 5}\n- {at: \"x[2, 3]\", value: 7}\n"
                           "- {at: \"x[9, 1]\", value: 1}\n- {at: \"scores[1, 1, 1]\", value: 1}\n");
    assert_near(value_of(run, "w_q[1, verb]"), 5, 0);
    assert_near(value_of(run, "tok[b, det]"), 7, 0);
    assert_int_equal(run->n_edits_inactive, 2);
    assert_true(run->edit_active[0] && run->edit_active[1]);
    assert_false(run->edit_active[2] || run->edit_active[3]);
    run_close(run);
    run = run_of_text("attnscope: 1\nq: [[1, 2]]\nk: [[3, 4]]\nv: [[1]]\ntokens: [\"a\"]\nedit: [{at: \"q[1, 1, 2]\", value: 10}]\n");
    assert_near(value_of(run, "scores[1, a, a]"), 43, 0);
    const float *own = run->doc.matrix[MATRIX_Q].data->bytes;
    assert_near(own[1], 2, 0); /* the document's own number stays: the edit lies over it */
    run_close(run);
}

static void test_custom_mask_grows_and_shrinks(void **state) {
    (void)state;
    Run *run = run_of_text("attnscope: 1\ntext: \"a b c\"\nmask: custom\nkeep: [[1, 0], [0, 1]]\n");
    assert_near(value_of(run, "mask[1, 2]"), 0, 0);
    assert_near(value_of(run, "mask[1, 3]"), 1, 0);
    assert_near(value_of(run, "mask[3, 1]"), 1, 0);
    run_close(run);
    run = run_of_text("attnscope: 1\ntext: \"a b\"\nmask: custom\nkeep: [[1, 1, 0], [0, 1, 0], [0, 0, 1]]\n");
    assert_near(value_of(run, "mask[2, 1]"), 0, 0);
    assert_int_equal(trace_tensor(run->trace, trace_find(run->trace, "mask"))->dim[1], 2);
    run_close(run);
    run = run_of_text("attnscope: 1\ntext: \"a b\"\nmask: custom\nkeep: [[[1, 1], [1, 1]], [[1, 0], [1, 1]], [[1, 1], [1, 1]], [[1, 1], [0, 1]]]\n");
    assert_near(value_of(run, "mask[2, a, b]"), 0, 0);
    assert_near(value_of(run, "mask[1, a, b]"), 1, 0);
    run_close(run);
    /* keys that are not there any more hide nothing */
    run = run_of_text("attnscope: 1\ntext: \"a b\"\nmask: {kind: padding, keys: [5, 6]}\n");
    assert_int_equal(trace_find(run->trace, "mask"), TENSOR_NONE);
    run_close(run);
}

static void test_tokens(void **state) {
    (void)state;
    Run *run = run_of_text("attnscope: 1\nx: [[1, 0], [0, 1]]\nprojections: none\n");
    assert_int_equal(run->tokens.n, 2);
    assert_string_equal(run->tokens.items[1].label, "2");
    assert_true(run->fields & RUN_TOKENS_NUMBERED);
    run_close(run);
    /* typed names of given rows: <pad> is one name when the count asks for it */
    run = run_of_text("attnscope: 1\ntext: \"tea <pad>\"\nx: [[1, 0], [0, 1]]\nprojections: none\n");
    assert_string_equal(run->tokens.items[1].label, "<pad>");
    run_close(run);
    run = run_of_text("attnscope: 1\ntext: \"CCO\"\nmodel: molecule\n");
    assert_int_equal(run->tokens.n, 3);
    run_close(run);
    run = run_of_text("attnscope: 1\ntext: \"ab c\"\ntokenizer: characters\n");
    assert_int_equal(run->tokens.n, 4);
    run_close(run);
    run = run_of_text("attnscope: 1\ntokens: [\"no\", \"on\", \"1e3\"]\n");
    assert_string_equal(run->tokens.items[2].text, "1e3");
    run_close(run);
}

static void test_cross(void **state) {
    (void)state;
    Run *run = run_of_text("attnscope: 1\ntext: \"the cat\"\nsource_text: \"a small dog sat\"\n");
    assert_true(run->cross);
    assert_int_equal(run->keys.n, 4);
    assert_int_equal(trace_tensor(run->trace, trace_find(run->trace, "weights"))->dim[2], 4);
    char buffer[32];
    TensorId id = trace_find(run->trace, "k");
    assert_string_equal(run_label(run, id, 1, 2, buffer), "dog");
    run_close(run);
    /* more keys than queries without a second text: a cache */
    run = run_of_text("attnscope: 1\ntokens: [\"a\", \"b\"]\nscores: [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]\nscale: none\nmask: causal\n");
    assert_false(run->cross);
    assert_near(value_of(run, "weights[1, a, 4]"), 0.25, 1e-6);
    assert_near(value_of(run, "weights[1, a, 5]"), 0, 0);
    assert_near(value_of(run, "weights[1, b, 5]"), 0.2, 1e-6);
    run_close(run);
    run = run_of_text("attnscope: 1\ntokens: [\"a\", \"b\"]\nscores: [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]\nscale: none\nmask: causal\ncausal_align: top_left\n");
    assert_near(value_of(run, "weights[1, b, 2]"), 0.5, 1e-6);
    run_close(run);
}

static void test_sizes(void **state) {
    (void)state;
    Run *run = run_of_text("attnscope: 1\nmodel: random\nd_model: 24\nheads: 6\nkv_heads: 2\nd_v: 3\n");
    const AttentionSpec *s = &run->spec;
    assert_int_equal(s->L, 6);
    assert_int_equal(s->S, 6);
    assert_int_equal(s->d_model, 24);
    assert_int_equal(s->n_heads, 6);
    assert_int_equal(s->n_kv_heads, 2);
    assert_int_equal(s->d_k, 4);
    assert_int_equal(s->d_v, 3);
    run_close(run);
}

/* The name of a number leads back to it, for every tensor, with awkward tokens too. */
static void check_names(const Run *run) {
    for (TensorId id = 0; id < trace_tensor_count(run->trace); id++) {
        const Tensor *t = trace_tensor(run->trace, id);
        for (int step = 0; step < 40; step++) {
            int index[4] = {0}, back[4];
            for (int a = 0; a < t->rank; a++) index[a] = (step * (a + 3) + step / 3) % t->dim[a];
            char name[160];
            TensorId found;
            Err err = {0};
            run_ref_text(name, run, id, index);
            if (!run_resolve(run, name, &found, back, &err)) fail_msg("%s: %s", name, err.message);
            assert_int_equal(found, id);
            for (int a = 0; a < 4; a++)
                if (index[a] != back[a]) fail_msg("%s is another number", name);
        }
    }
}

static void test_names_lead_back(void **state) {
    (void)state;
    static const char *const yaml[] = {
        "attnscope: 1\nmask: causal\n",
        "attnscope: 1\ntext: \"the cat the the 3 , 2 [x] , -inf nan\"\nposition: rope_half\n",
        "attnscope: 1\ntokens: [\"a b\", \"a b\", \"q\\\"\", \"back\\\\slash\", \"#\", \"x#2\", \"x\", \"x\", \"\", \"]\", \"3\", \"\\n\"]\n",
        "attnscope: 1\ntext: \"我爱猫，我爱你\"\nposition: alibi\nmask: causal\n",
        "attnscope: 1\ntext: \"a b c\"\nsource_text: \"d e f g\"\nmodel: random\nheads: 4\nkv_heads: 2\n",
        "attnscope: 1\nx: [[1, 0], [0, 1], [2, 2]]\nprojections: none\n",
        "attnscope: 1\ntokens: [\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\", \"b\"]\n",
    };
    for (size_t i = 0; i < sizeof yaml / sizeof *yaml; i++) {
        Run *run = run_of_text(yaml[i]);
        check_names(run);
        run_close(run);
    }
}

static void test_names(void **state) {
    (void)state;
    Run *run = run_of_text("attnscope: 1\ntext: \"The cat sat on the mat, the end\"\n");
    char name[160], buffer[32];
    TensorId id;
    int index[4] = {1, 2, 1, 0};
    run_ref_text(name, run, trace_find(run->trace, "weights"), index);
    assert_string_equal(name, "weights[2, sat, cat]");
    index[2] = 4;
    run_ref_text(name, run, trace_find(run->trace, "weights"), index);
    assert_string_equal(name, "weights[2, sat, the#1]");
    assert_true(run_resolve(run, " weights [ head 2 , the#2, 3 ] ", &id, index, NULL));
    assert_true(index[0] == 1 && index[1] == 7 && index[2] == 2);
    for (int i = 0; i < 3; i++) {
        static const char *const typed[] = {"x[cat, pos4]", "x[cat, pos_4]", "x[cat, pos₄]"};
        char text[160];
        assert_true(run_resolve(run, typed[i], &id, index, NULL));
        assert_int_equal(index[1], 15);
        assert_string_equal(run_ref_text(text, run, id, index), "x[cat, pos4]");
    }
    assert_true(run_resolve(run, "x[cat,id₁]", &id, index, NULL));
    int other[4];
    assert_true(run_resolve(run, "x[cat,id1]", &id, other, NULL));
    assert_int_equal(index[1], other[1]);
    assert_string_equal(run_label(run, id, 1, 0, buffer), "noun");
    assert_string_equal(run_label(run, id, 0, 1, buffer), "cat");
    assert_string_equal(run_label(run, trace_find(run->trace, "weights"), 0, 1, buffer), "2");
    run_close(run);
}

static void test_name_errors(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {"weigths[1,1,1]", "did you mean weights?"}, {"weights", "needs 3 indices"}, {"weights[1,2]", "found 2"},
        {"weights[1,2,3,4]", "found 4"}, {"weights[9,1,1]", "counts from 1 to 4"}, {"weights[0,1,1]", "counts from 1 to 4"},
        {"weights[1,the,1]", "positions 5, 7"}, {"weights[1,dog,1]", "no token is"}, {"x[cat,nuon]", "not a position"},
        {"weights[1,2,3", "no closing ]"}, {"weights[1,2,3]4", "goes on behind its ]"}, {"weights[1,2,3],[1]", "goes on"}, {"", "there is no tensor"}, {"weights[head x,1,1]", "not a position"},
    };
    Run *run = run_of_text("attnscope: 1\ntext: \"The cat sat on the mat the end\"\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        TensorId id;
        int index[4];
        Err err = {0};
        if (run_resolve(run, bad[i][0], &id, index, &err)) fail_msg("%s was understood", bad[i][0]);
        assert_message(&err, bad[i][1]);
    }
    run_close(run);
}

static void test_axes(void **state) {
    (void)state;
    Run *run = run_of_text("attnscope: 1\nmask: causal\nposition: rope_half\n");
    static const struct {
        const char *tensor;
        int axis;
        AxisKind kind;
    } axes[] = {{"mask", 0, AXIS_QUERY}, {"mask", 1, AXIS_KEY}, {"weights", 0, AXIS_HEAD}, {"weights", 2, AXIS_KEY},
                {"k", 1, AXIS_KEY}, {"q", 2, AXIS_SLOT}, {"w_q", 0, AXIS_SLOT}, {"w_q", 1, AXIS_FEATURE}, {"w_o", 0, AXIS_FEATURE},
                {"concat", 1, AXIS_SLOT}, {"rope_cos", 1, AXIS_PAIR}, {"row_max", 1, AXIS_QUERY}, {"out", 1, AXIS_FEATURE}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        assert_int_equal(run_axis(run, trace_find(run->trace, axes[i].tensor), axes[i].axis), axes[i].kind);
    for (TensorId id = 0; id < trace_tensor_count(run->trace); id++)
        for (int a = 0; a < trace_tensor(run->trace, id)->rank; a++) assert_int_not_equal(run_axis(run, id, a), AXIS_OTHER);
    assert_int_equal(run_matrix_of(run, trace_find(run->trace, "w_q")), MATRIX_W_Q);
    assert_int_equal(run_matrix_of(run, trace_find(run->trace, "x")), MATRIX_X); /* rope adds nothing to x: it is given */
    assert_int_equal(run_matrix_of(run, trace_find(run->trace, "q")), -1);
    run_close(run);
}

/* A trace file as a document: the run that is built from it gives the numbers in the file. */
static void test_trace_files(void **state) {
    (void)state;
    Arena arena = {0};
    char **names;
    int count, seen = 0;
    Err err = {0};
    assert_true(file_list(data_path("attention"), &arena, &names, &count, &err));
    for (int i = 0; i < count; i++) {
        if (!str_ends(names[i], ".safetensors") || strstr(names[i], "16_pe_table") || strcmp(names[i], "17") > 0) continue;
        const char *path = path_join(&arena, data_path("attention"), names[i]);
        Doc doc = {0};
        Run *run;
        TraceFile file;
        CheckRow *rows;
        int n_rows;
        Err e = {0};
        if (!run_from_trace(path, doc_context(), &doc, &run, &e)) fail_msg("%s: %s", names[i], e.message);
        if (!tracefile_read(path, &arena, &file, &e) || !tracefile_check(&file, run->trace, &arena, &rows, &n_rows, &e))
            fail_msg("%s: %s", names[i], e.message);
        for (int r = 0; r < n_rows; r++)
            if (rows[r].differs || rows[r].missing) fail_msg("%s: %s differs by %g", names[i], rows[r].name, rows[r].difference);
        /* and the document says all of it */
        char *text = yaml_write(&doc, NULL, &arena);
        Doc again;
        bool more;
        if (!yaml_read(text, strlen(text), names[i], 0, &again, NULL, &more, &e)) fail_msg("%s: %s", names[i], e.message);
        assert_true(doc_equal(&doc, &again));
        doc_reset(&again);
        doc_reset(&doc);
        run_close(run);
        seen++;
    }
    assert_true(seen > 10);
    arena_free(&arena);
}

static void test_settle_view(void **state) {
    (void)state;
    Run *run = run_of_text("attnscope: 1\nmask: causal\n"), *small = run_of_text("attnscope: 1\ntext: \"a b\"\nmodel: random\nd_model: 4\nheads: 2\n");
    View view;
    view_init(&view);
    snprintf(view.selection_text, sizeof view.selection_text, "weights[2, sat, cat]");
    view.head = 3;
    view.film.stage = 2;
    view.film.position = view.film.until = 64;
    run_settle_view(run, NULL, &view);
    assert_string_equal(view.selection.tensor, "weights");
    assert_true(view.selection.index[0] == 1 && view.selection.index[1] == 2 && view.selection.index[2] == 1);
    assert_near(view.film.position, 36, 0);
    run_settle_view(small, run, &view);
    assert_int_equal(view.head, 1);
    assert_near(view.film.position, 4, 0); /* finished stays finished */
    assert_string_equal(view.selection.tensor, ""); /* row 3 is gone */
    run_settle_view(run, small, &view);
    assert_near(view.film.position, 36, 0);
    run_close(run);
    run_close(small);
}

static void test_slots(void **state) {
    (void)state;
    Run *run = run_of_text("attnscope: 1\n");
    TensorId v = trace_find(run->trace, "v");
    assert_string_equal(run_slot_label(run, v, 1, 0), "noun"); /* head 2 carries the first four features */
    assert_string_equal(run_slot_label(run, v, 1, 1), "verb");
    run_close(run);
    run = run_of_text("attnscope: 1\nprojections: none\nheads: 2\n");
    assert_string_equal(run_slot_label(run, trace_find(run->trace, "q"), 0, 1), "verb");
    assert_string_equal(run_slot_label(run, trace_find(run->trace, "q"), 1, 0), "id₁");
    run_close(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors), cmocka_unit_test(test_long_text_is_a_limit), cmocka_unit_test(test_given_over_model), cmocka_unit_test(test_tied),
        cmocka_unit_test(test_positions), cmocka_unit_test(test_edits), cmocka_unit_test(test_custom_mask_grows_and_shrinks),
        cmocka_unit_test(test_tokens), cmocka_unit_test(test_cross), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_names_lead_back), cmocka_unit_test(test_names), cmocka_unit_test(test_name_errors),
        cmocka_unit_test(test_axes), cmocka_unit_test(test_trace_files), cmocka_unit_test(test_settle_view),
        cmocka_unit_test(test_slots),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
