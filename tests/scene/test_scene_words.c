/* What explanations say: every op kind has a question, a name and a meaning; known numbers have known words. */
#include <stdio.h>

#include "scene/rich.h"
#include "scene/words.h"
#include "scenes.h"
#include "support/support.h"

static void say(const SceneSample *sample, Arena *arena, const char *reference, ExplainWords *words) {
    Err err = {0};
    TensorId id;
    int index[TENSOR_RANK_MAX];
    Explanation explanation;
    if (!run_resolve(sample->run, reference, &id, index, &err)) fail_msg("%s", err.message);
    assert_true(trace_explain(sample->run->trace, id, index, arena, &explanation, &err));
    explain_words(sample->run, &explanation, arena, words);
}

static void every_op_kind_is_put_into_words(void **state) {
    (void)state;
    bool seen[OP_KIND_COUNT] = {false};
    for (int i = 0; i < scene_case_count; i++) {
        SceneSample sample;
        sample_open(&sample, &scene_cases[i]);
        const Trace *trace = sample.run->trace;
        for (int id = 0; id < trace_tensor_count(trace); id++) {
            const Tensor *t = trace_tensor(trace, id);
            for (int corner = 0; corner < 2; corner++) {
                int index[TENSOR_RANK_MAX] = {0};
                for (int axis = 0; axis < t->rank; axis++) index[axis] = corner ? t->dim[axis] - 1 : 0;
                Explanation e;
                Err err = {0};
                ExplainWords words;
                assert_true(trace_explain(trace, id, index, &sample.arena, &e, &err));
                explain_words(sample.run, &e, &sample.arena, &words);
                seen[e.op] = true;
                size_t length = strlen(words.question);
                if (length < 8 || words.question[length - 1] != '?')
                    fail_msg("%s of %s: question '%s'", t->id, scene_cases[i].name, words.question);
                if (!words.result_name[0] || !words.meaning[0]) fail_msg("%s of %s: no name or meaning", t->id, scene_cases[i].name);
                assert_true(str_starts(words.reference, t->id));
                for (const char *p = words.question; *p; p++) assert_true((unsigned char)*p >= ' ');
            }
        }
        sample_close(&sample);
    }
    seen[OP_TANH] = true; /* see tanh_is_put_into_words */
    for (int kind = 0; kind < OP_KIND_COUNT; kind++)
        if (!seen[kind]) fail_msg("no case has %s", op_name((OpKind)kind));
}

/* Of the small models only one has a pooler, and it is not among the cases. */
static void tanh_is_put_into_words(void **state) {
    (void)state;
    Arena arena = {0};
    Err err = {0};
    const float numbers[] = {0.5f, -2};
    Trace *trace = trace_new(&arena);
    TensorId x = trace_add_input(trace, "", &(TensorInput){.name = "pool_hidden", .rank = 2, .dim = {1, 2}, .data = numbers}, &err);
    Op op = {.kind = OP_TANH, .in = {x, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE}};
    trace_begin_stage(trace, STAGE_POOL, "");
    TensorId out = trace_add(trace, &op, "", "pooled", DTYPE_F32, 2, (const int[]){1, 2}, &err);
    trace_end_stage(trace, out);
    assert_true(trace_run(trace, &(CoreContext){0}, &err));
    TokenList tokens;
    tokens_from_list((const char *const[]){"[CLS]"}, 1, &arena, &tokens);
    Site site = {.scope = "", .title = "", .queries = &tokens, .keys = &tokens, .n_stages = 1};
    Run run = {.trace = trace, .sites = &site, .n_sites = 1, .stage_site = (int[]){0}, .tokens = tokens};
    Explanation e;
    ExplainWords words;
    assert_true(trace_explain(trace, out, (const int[TENSOR_RANK_MAX]){0, 1}, &arena, &e, &err));
    explain_words(&run, &e, &arena, &words);
    assert_string_equal(words.question, "How much of unit 2 gets through for [CLS]?");
    assert_string_equal(words.result_name, "tanh(−2.000)");
    assert_non_null(strstr(words.meaning, "into −1 to 1"));
    arena_free(&arena);
}

static const struct {
    const char *name, *reference, *question, *meaning;
} network_words[] = {
    {"network gpt", "layers.0.ln1[on,3]", "How does the row of on look once it is normalised?", "its row’s mean"},
    {"network gpt", "layers.0.ln1_mean[on]", "What is the mean of the row of on?", "divided by 48"},
    {"network gpt", "layers.1.resid1[on,3]", "What becomes of column 3 of on?", "A residual"},
    {"network gpt", "layers.1.ffn_act[on,3]", "How much of unit 3 gets through for on?", "GELU"},
    {"network gpt", "layers.1.ffn_out[on,3]", "What does the feed-forward layer add to on, column 3?", "counts most"},
    {"network gpt", "layers.0.tok[on,1]", "What stands in column 1 of the row of on?", "looked up, not computed"},
    {"network gpt", "probs[1,1,187]", "How likely is <0xFE> to come next?", "of the 320 tokens"}, /* a byte, not the letter that stands for it */
    {"network gpt", "layers.1.ln2_g[5]", "How much does the gain weigh column 5?", "learned"},
    {"network llama", "layers.0.ln1[2,3]", "look once it is normalised?", "root mean square"},
    {"network llama", "layers.0.ffn_act[2,3]", "does the gate let through", "A gate"},
    {"network bert", "probs[1,1,5]", "How likely is", "tokens are likelier. It is what the model expects"},
    {"network bert", "logits[1,7]", "fit in place of [MASK]?", "A logit"},
    {"network t5", "layers.0.bias[2,1,3]", "count in head 2?", "for every distance"},
    {"network t5", "layers.0.scaled[1,1,1]", "once scaled?", "does not divide by √dₖ"},
    {"network marian", "decoder.layers.1.cross.weights[1,1,2]", "How much of its attention does", "budget"},
};

static void networks_have_words(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof network_words / sizeof *network_words; i++) {
        SceneSample sample;
        ExplainWords words;
        sample_open(&sample, scene_case(network_words[i].name));
        say(&sample, &sample.arena, network_words[i].reference, &words);
        if (!strstr(words.question, network_words[i].question)) fail_msg("%s asks '%s'", network_words[i].reference, words.question);
        if (!strstr(words.meaning, network_words[i].meaning)) fail_msg("%s means '%s'", network_words[i].reference, words.meaning);
        sample_close(&sample);
    }
}

static void known_numbers_have_known_words(void **state) {
    (void)state;
    static const struct {
        const char *reference, *question, *meaning;
    } known[] = {
        {"scores[1,sat,cat]", "How well does sat match cat?", "This is the largest score in the row."},
        {"scores[1,sat,mat]", "How well does sat match mat?", "The mask will hide “mat” from “sat”."},
        {"scaled[1,sat,cat]", "How well does sat match cat, once scaled?", "Dividing by √4 = 2"},
        {"masked[1,on,mat]", "May on look at mat?", "No: “mat” comes after “on”."},
        {"masked[1,on,cat]", "May on look at cat?", "Yes"},
        {"weights[2,sat,cat]", "How much of its attention does sat give to cat?", "the largest share of the row’s budget"},
        {"weights[2,sat,mat]", "How much of its attention does sat give to mat?", "exp(−∞) is exactly 0"},
        {"q[2,sat,2]", "What does sat ask for?", "asks for an animate noun. Every other token has 0 here."},
        {"k[2,cat,1]", "What does cat offer?", "answers a query for a noun"},
        {"head_out[2,sat,1]", "How much noun does sat take home?", "“cat”"},
        {"out[sat,noun]", "What did each head add to noun of sat?", "Only head 2 changes this number."},
        {"concat[sat,5]", "Which head wrote column 5 of sat?", "column 1 of head 2"},
        {"x[sat,pos₂]", "Where does sat stand?", "E has 0 here"},
        {"x[the,det]", "How much det is in the?", "a determiner"},
        {"w_q[6,verb]", "How much does verb count for column 6?", "set by hand"},
    };
    SceneSample sample;
    sample_open(&sample, scene_case("default"));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ExplainWords words;
        say(&sample, &sample.arena, known[i].reference, &words);
        assert_string_equal(words.question, known[i].question);
        if (!strstr(words.meaning, known[i].meaning)) fail_msg("%s means '%s'", known[i].reference, words.meaning);
    }
    sample_close(&sample);
}

static void hidden_keys_are_judged_by_their_weight(void **state) {
    (void)state;
    static const struct {
        double fill;
        MaskOp op;
        const char *score, *masked;
    } cases[] = {
        {-INFINITY, MASK_REPLACE, "The mask will hide “cat” from “The”.", "becomes exactly 0"},
        {-1e9, MASK_REPLACE, "The mask will put −1e9 in the place of the score of “cat”.", "next to no weight"},
        {-1e9, MASK_ADD, "The mask will add −1e9 to the score of “cat”.", "next to no weight"},
        {-0.1, MASK_REPLACE, "The mask will put −0.1 in the place", "Yet −0.1 is not low enough"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SceneCase c = *scene_case("default");
        c.fill = cases[i].fill;
        c.mask_op = cases[i].op;
        SceneSample sample;
        sample_open(&sample, &c);
        ExplainWords words;
        say(&sample, &sample.arena, "scores[2,The,cat]", &words);
        if (!strstr(words.meaning, cases[i].score)) fail_msg("score: %s", words.meaning);
        say(&sample, &sample.arena, "masked[2,The,cat]", &words);
        if (!strstr(words.meaning, cases[i].masked)) fail_msg("masked: %s", words.meaning);
        sample_close(&sample);
    }
}

static void captions_speak_of_the_selection(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("default"));
    const char *first, *second;
    sample_seek(&sample, STAGE_MASK, 1);
    Scene scene = sample_scene(&sample, 1600, 1000);
    scene_captions(&scene, &first, &second);
    assert_string_equal(second, "Row “mat” keeps all of its 6 scores.");
    Err err = {0};
    TensorId id;
    ViewRef *selection = &sample.view.selection;
    assert_true(run_resolve(sample.run, "masked[1,sat,the]", &id, selection->index, &err));
    snprintf(selection->tensor, sizeof selection->tensor, "%s", "masked");
    scene_captions(&scene, &first, &second);
    assert_string_equal(second, "Row “sat” keeps 3 of its 6 scores; the others become −∞.");
    sample_seek(&sample, STAGE_SCORES, 1); /* a number of another stage */
    scene_captions(&scene, &first, &second);
    assert_non_null(strstr(second, "row “mat”"));
    sample_close(&sample);
}

static void equal_tokens_are_counted(void **state) {
    (void)state;
    Arena arena = {0};
    Token items[4] = {{.label = "O"}, {.label = "C"}, {.label = "O"}, {.label = "O"}};
    TokenList list = {.items = items, .n = 4};
    assert_string_equal(words_token(&list, 0, &arena), "O₁");
    assert_string_equal(words_token(&list, 1, &arena), "C");
    assert_string_equal(words_token(&list, 3, &arena), "O₃");
    assert_string_equal(words_token(&list, 4, &arena), "");
    arena_free(&arena);
}

static void entropy_is_told(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("default"));
    TensorId weights = trace_find(sample.run->trace, "weights");
    assert_string_equal(words_entropy(sample.run, weights, 1, 2, &sample.arena), "Entropy of this row: 0.37 bits, of 1.58 possible.");
    assert_string_equal(words_entropy(sample.run, weights, 1, 0, &sample.arena), "Only one key is allowed, so it gets everything.");
    assert_non_null(strstr(words_entropy(sample.run, weights, 2, 2, &sample.arena), "saturated"));
    sample_close(&sample);
}

static void diagnosis_is_told(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("added"));
    int found = 0;
    for (int i = 0; i < sample.run->n_diagnosis; i++) {
        const Diagnosis *d = &sample.run->diagnosis[i];
        if (d->kind == DIAGNOSIS_SATURATED) continue;
        const char *says = words_diagnosis(sample.run, d->id, d->index, &sample.arena);
        assert_non_null(says);
        assert_non_null(strstr(says, d->message));
        found++;
    }
    TensorId weights = trace_find(sample.run->trace, "weights");
    if (found == 0) assert_null(words_diagnosis(sample.run, weights, (const int[TENSOR_RANK_MAX]){0}, &sample.arena));
    sample_close(&sample);
}

static void rich_text_is_measured_and_broken(void **state) {
    (void)state;
    Arena arena = {0};
    DisplayList dl;
    dl_init(&dl, &arena, 400, 400, 0xFFFFFFFF);
    RichStyle style = {.font = font_fake(), .theme = theme_at(THEME_LIGHT), .face = FACE_UI, .size = 10, .color = 0x000000FF, .line = 20};
    assert_near(rich_width(&style, "abcd"), font_width(style.font, FACE_UI, 10, "abcd"), 0.01);
    assert_near(rich_width(&style, RICH_Q "abcd" RICH_END), rich_width(&style, "abcd"), 1);
    RichStyle large = style;
    large.size = 30; /* subscripts are no smaller than 12 */
    assert_true(rich_width(&large, "dₖ") < rich_width(&large, "dk"));
    float word = rich_width(&style, "abcd");
    assert_near(rich_height(&style, word * 2.6f, "abcd abcd abcd"), 40, 0.01);
    assert_near(rich_height(&style, word * 1.1f, "abcd abcd abcd"), 60, 0.01);
    assert_near(rich_height(&style, 1000, "one\ntwo"), 40, 0.01);
    assert_true(rich_height(&style, word * 1.1f, "abcdefghijklmnopqrstuvwxyz") > 100); /* a long word is parted */
    assert_near(rich_height(&style, 25, "猫坐在垫子上"), 60, 0.01);
    assert_string_equal(rich_plain(&arena, "does " RICH_Q "sat" RICH_END " match"), "does sat match");
    rich_line(&dl, &style, 0, 20, "÷ √dₖ = 2");
    int paths = 0, texts = 0;
    for (int i = 0; i < dl.n; i++) {
        paths += dl.commands[i].kind == DL_PATH;
        texts += dl.commands[i].kind == DL_TEXT;
        if (dl.commands[i].kind == DL_TEXT) assert_null(strstr(dl_text_at(&dl, dl.commands[i].text.text), "√"));
    }
    assert_int_equal(paths, 1); /* the radical is drawn */
    assert_true(texts >= 4);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_op_kind_is_put_into_words),
        cmocka_unit_test(tanh_is_put_into_words),
        cmocka_unit_test(networks_have_words),
        cmocka_unit_test(known_numbers_have_known_words),
        cmocka_unit_test(hidden_keys_are_judged_by_their_weight),
        cmocka_unit_test(captions_speak_of_the_selection),
        cmocka_unit_test(equal_tokens_are_counted),
        cmocka_unit_test(entropy_is_told),
        cmocka_unit_test(diagnosis_is_told),
        cmocka_unit_test(rich_text_is_measured_and_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
