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
    for (int kind = 0; kind < OP_KIND_COUNT; kind++)
        if (!seen[kind]) fail_msg("no case has %s", op_name((OpKind)kind));
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
