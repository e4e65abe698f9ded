/* What is claimed holds: jobs of heads, numbers in work, changed numbers, what is framed in gold. */
#include <stdio.h>

#include "draw/theme.h"
#include "scene/paint.h"
#include "scene/words.h"
#include "scene_kit.h"

static DisplayList draw(SceneKit *kit, float width, float height) {
    Scene scene = kit_scene(kit, width, height);
    DisplayList dl;
    dl_init(&dl, &kit->frame, width, height, 0xFFFFFFFF);
    scene_draw(&scene, &dl);
    return dl;
}

static int count_text(const DisplayList *dl, const char *text) {
    int n = 0;
    for (int i = 0; i < dl->n; i++) n += dl->commands[i].kind == DL_TEXT && strstr(dl_text_at(dl, dl->commands[i].text.text), text) != NULL;
    return n;
}

static int count_exact(const DisplayList *dl, const char *text) {
    int n = 0;
    for (int i = 0; i < dl->n; i++) n += dl->commands[i].kind == DL_TEXT && str_eq(dl_text_at(dl, dl->commands[i].text.text), text);
    return n;
}

static int count_stroke(const DisplayList *dl, Color color) {
    int n = 0;
    for (int i = 0; i < dl->n; i++) n += dl->commands[i].kind == DL_RECT && dl->commands[i].stroke == color;
    return n;
}

static void select_number(SceneKit *kit, const char *reference) {
    Err err = {0};
    TensorId id;
    ViewRef *ref = &kit->view.selection;
    if (!run_resolve(kit->run, reference, &id, ref->index, &err)) fail_msg("%s", err.message);
    snprintf(ref->tensor, sizeof ref->tensor, "%s", trace_tensor(kit->run->trace, id)->id);
    ref->rank = trace_tensor(kit->run->trace, id)->rank;
}

static void heads_have_the_jobs_they_can_do(void **state) {
    (void)state;
    static const struct {
        const char *yaml;
        bool first, second;
    } cases[] = {
        {"attnscope: 1\ntext: \"the cat sat\"\n", true, true},
        {"attnscope: 1\ntext: \"the cat sat\"\nposition: none\n", false, true},
        {"attnscope: 1\ntext: \"the cat sat\"\nposition: rope_half\n", false, true},
        {"attnscope: 1\ntext: \"the cat sat\"\nposition: alibi\n", false, true},
        {"attnscope: 1\ntext: \"the cat sat\"\nposition: sinusoidal\n", false, true},
        {"attnscope: 1\ntext: \"the cat sat\"\nmodel: random\nseed: 3\n", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SceneKit kit;
        kit_open(&kit, cases[i].yaml);
        assert_int_equal(words_head_job(kit.run, 0) != NULL, cases[i].first);
        assert_int_equal(words_head_job(kit.run, 1) != NULL, cases[i].second);
        kit_film(&kit, STAGE_SOFTMAX, film_steps(kit.run->trace, STAGE_SOFTMAX));
        DisplayList dl = draw(&kit, 1600, 1000);
        assert_int_equal(count_text(&dl, "previous token") > 0, cases[i].first);
        assert_int_equal(count_text(&dl, "grammar partner") > 0, cases[i].second);
        kit_close(&kit);
    }
}

/* A mask's cell is no sum: nothing is shown of it before it is done. */
static void unfinished_numbers_are_not_made_up(void **state) {
    (void)state;
    SceneKit kit;
    kit_open(&kit, "attnscope: 1\ntext: \"the cat sat\"\nmask: causal\n");
    kit_film(&kit, STAGE_MASK, 0);
    kit.view.film.position = 0.5; /* one of two terms is reached, but it is no part of the result */
    kit.view.film.until = 1;
    DisplayList dl = draw(&kit, 1600, 1000);
    assert_int_equal(count_text(&dl, "0.000"), 0);
    assert_int_equal(count_exact(&dl, "…"), 1);
    kit_film(&kit, STAGE_SCORES, 0);
    kit.view.film.position = 0.7; /* the running sum of products is real */
    kit.view.film.until = 1;
    dl = draw(&kit, 1600, 1000);
    assert_int_equal(count_exact(&dl, "…"), 0);
    kit_close(&kit);
}

static void changed_numbers_say_so(void **state) {
    (void)state;
    SceneKit kit;
    kit_open(&kit, "attnscope: 1\ntext: \"the cat sat\"\nedit: [{at: \"w_q[1, 2]\", value: 3.5}]\n");
    kit_film(&kit, STAGE_PROJECT, 1);
    select_number(&kit, "w_q[1,2]");
    assert_int_equal(run_edit_of(kit.run, trace_find(kit.run->trace, "w_q"), kit.view.selection.index), 0);
    DisplayList dl = draw(&kit, 1600, 1000);
    assert_int_equal(count_text(&dl, "set by hand"), 0);
    Color accent = theme_at(kit.view.theme)->accent;
    int dots = 0;
    for (int i = 0; i < dl.n; i++) dots += dl.commands[i].kind == DL_RECT && dl.commands[i].fill == accent && dl.commands[i].box.w < 8;
    int before = dots;
    Explanation e;
    Err err = {0};
    ExplainWords words;
    assert_true(trace_explain(kit.run->trace, trace_find(kit.run->trace, "w_q"), kit.view.selection.index, &kit.frame, &e, &err));
    explain_words(kit.run, &e, &kit.frame, &words);
    assert_non_null(strstr(words.meaning, "Changed by hand: 0 → 3.5."));
    kit_close(&kit);
    kit_open(&kit, "attnscope: 1\ntext: \"the cat sat\"\n");
    kit_film(&kit, STAGE_PROJECT, 1);
    select_number(&kit, "w_q[1,2]");
    dl = draw(&kit, 1600, 1000);
    dots = 0;
    for (int i = 0; i < dl.n; i++) dots += dl.commands[i].kind == DL_RECT && dl.commands[i].fill == accent && dl.commands[i].box.w < 8;
    assert_int_equal(before, dots + 1);
    kit_close(&kit);
}

static void one_number_is_gold(void **state) {
    (void)state;
    static const struct {
        int stage;
        const char *selected;
    } cases[] = {{STAGE_PROJECT, "w_v[1,2]"},
                 {STAGE_EMBED, "tok[1,2]"},
                 {STAGE_SCORES, "q[1,1,1]"},
                 {STAGE_WEIGHTED_SUM, "v[1,1,1]"},
                 {STAGE_OUTPUT, "w_o[1,2]"}};
    SceneKit kit;
    kit_open(&kit, "attnscope: 1\ntext: \"the cat sat\"\n");
    Color gold = theme_at(kit.view.theme)->highlight;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kit_film(&kit, cases[i].stage, film_steps(kit.run->trace, cases[i].stage));
        select_number(&kit, cases[i].selected);
        DisplayList dl = draw(&kit, 1600, 1000);
        if (count_stroke(&dl, gold) != 1) fail_msg("%s: %d gold frames", cases[i].selected, count_stroke(&dl, gold));
    }
    kit_close(&kit);
}

/* On the map and in the table; the row is shown as it stood then. */
static void parts_of_softmax_are_shown(void **state) {
    (void)state;
    static const struct {
        const char *selected, *number; /* of its row */
    } cases[] = {{"exp[1,3,2]", "1.00"}, {"row_max[1,3]", "−3.59"}, {"row_sum[1,3]", "1.00"}};
    SceneKit kit;
    kit_open(&kit, "attnscope: 1\ntext: \"the cat sat\"\n");
    Color gold = theme_at(kit.view.theme)->highlight;
    kit_film(&kit, STAGE_SOFTMAX, film_steps(kit.run->trace, STAGE_SOFTMAX));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        select_number(&kit, cases[i].selected);
        DisplayList dl = draw(&kit, 1600, 1000);
        if (count_text(&dl, "selected") != 1 || count_text(&dl, cases[i].number) < 1) fail_msg("%s is not told", cases[i].selected);
        if (count_stroke(&dl, gold) < 2) fail_msg("%s is not framed", cases[i].selected);
    }
    kit_close(&kit);
}

static Rect box_of(const DisplayList *dl, const char *name) {
    for (int i = 0; i < dl->n; i++)
        if (dl->commands[i].kind == DL_GROUP && str_eq(dl_text_at(dl, dl->groups[dl->commands[i].group.group].name), name))
            return dl->commands[i].box;
    fail_msg("no group %s", name);
    return (Rect){0};
}

/* Where the inspector is low its prose goes, not what it explains. */
static void a_low_inspector_keeps_its_terms(void **state) {
    (void)state;
    SceneKit kit;
    kit_open(&kit, NULL);
    kit_film(&kit, STAGE_SCORES, film_steps(kit.run->trace, STAGE_SCORES));
    DisplayList dl = draw(&kit, 1900, 620);
    Rect panel = box_of(&dl, "inspector"), first = box_of(&dl, "inspector.term.1"), last = box_of(&dl, "inspector.term.8");
    assert_true(first.y > panel.y && last.y + last.h < panel.y + panel.h);
    kit_close(&kit);
}

static void the_drawer_leaves_the_title(void **state) {
    (void)state;
    SceneKit kit;
    kit_open(&kit, NULL);
    for (int col = 0; col < 6; col++) {
        kit_film(&kit, STAGE_SCORES, film_steps(kit.run->trace, STAGE_SCORES));
        select_number(&kit, "scores[1,1,1]");
        kit.view.selection.index[2] = col;
        DisplayList dl = draw(&kit, 1024, 768);
        Rect drawer = box_of(&dl, "inspector");
        for (int i = 0; i < dl.n; i++) {
            const DlCommand *c = &dl.commands[i];
            if (c->kind == DL_TEXT && str_eq(dl_text_at(&dl, c->text.text), "Head 1") && c->text.size > 13)
                assert_true(c->box.y < drawer.y);
        }
    }
    kit_close(&kit);
}

/* Beside a drawer at the left stand the names of the rows, and no half words; settings open at the right. */
static void the_drawer_leaves_the_names(void **state) {
    (void)state;
    SceneKit kit;
    kit_open(&kit, NULL);
    for (int settings = 0; settings < 2; settings++) {
        kit_film(&kit, STAGE_MASK, film_steps(kit.run->trace, STAGE_MASK));
        select_number(&kit, "masked[1,3,6]");
        kit.view.controls = settings;
        DisplayList dl = draw(&kit, 1024, 768);
        Rect drawer = box_of(&dl, settings ? "controls" : "inspector");
        assert_true(settings ? drawer.x > 512 : drawer.x + drawer.w < 512);
        bool named = false;
        for (int i = 0; i < dl.n; i++) {
            const DlCommand *c = &dl.commands[i];
            if (c->kind != DL_TEXT || c->box.y < drawer.y || c->box.y > drawer.y + drawer.h) continue;
            named = named || (str_eq(dl_text_at(&dl, c->text.text), "sat") && c->box.x > drawer.x + drawer.w);
            assert_false(c->box.x < drawer.x - 1 && c->box.x + c->text.width > drawer.x);
            assert_false(c->box.x < drawer.x + drawer.w && c->box.x + c->text.width > drawer.x + drawer.w);
        }
        assert_true(named || settings);
    }
    kit_close(&kit);
}

static int count_texts_in(const DisplayList *dl, Rect box) {
    int n = 0;
    for (int i = 0; i < dl->n; i++) {
        const Rect *at = &dl->commands[i].box;
        n += dl->commands[i].kind == DL_TEXT && at->x >= box.x && at->x <= box.x + box.w && at->y >= box.y && at->y <= box.y + box.h;
    }
    return n;
}

/* The table fills key by key, as the map does. */
static void the_table_keeps_time_with_the_map(void **state) {
    (void)state;
    SceneKit kit;
    kit_open(&kit, "attnscope: 1\ntext: \"the cat sat\"\nmask: none\n");
    int first = 0;
    for (int key = 0; key < 3; key++) {
        kit_film(&kit, STAGE_SOFTMAX, 0);
        kit.view.film.position = 0.02 + key / 3.0;
        kit.view.film.until = 1;
        DisplayList dl = draw(&kit, 1600, 1000);
        int texts = count_texts_in(&dl, box_of(&dl, "inspector"));
        if (key == 0) first = texts;
        assert_int_equal(texts, first + key);
    }
    kit_close(&kit);
}

static void numbers_of_masks_are_words(void **state) {
    (void)state;
    static const struct {
        const char *fill, *op, *keep, *hide;
    } cases[] = {{"-inf", "replace", "keep (adds 0)", "hide (−∞)"},
                 {"-1e9", "replace", "keep", "hide (becomes −1e9)"},
                 {"-1e9", "add", "keep (adds 0)", "hide (adds −1e9)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SceneKit kit;
        char yaml[160];
        snprintf(yaml, sizeof yaml, "attnscope: 1\ntext: \"a b\"\nmask: causal\nmask_fill: %s\nmask_op: %s\n", cases[i].fill, cases[i].op);
        kit_open(&kit, yaml);
        assert_string_equal(words_mask_number(kit.run, 1, &kit.frame), cases[i].keep);
        assert_string_equal(words_mask_number(kit.run, 0, &kit.frame), cases[i].hide);
        kit_close(&kit);
    }
}

static void long_numbers_have_one_short_form(void **state) {
    (void)state;
    Arena arena = {0};
    Scene scene = {.arena = &arena};
    assert_string_equal(scene_short_number(&scene, -1e9), "−1e9");
    assert_string_equal(scene_short_number(&scene, -999999984), "−1e9");
    assert_string_equal(scene_short_number(&scene, -999999991.6), "−1e9");
    assert_string_equal(scene_short_number(&scene, 2.5e-7), "2.5e−7");
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_have_the_jobs_they_can_do), cmocka_unit_test(unfinished_numbers_are_not_made_up),
        cmocka_unit_test(changed_numbers_say_so),          cmocka_unit_test(one_number_is_gold),
        cmocka_unit_test(parts_of_softmax_are_shown),      cmocka_unit_test(a_low_inspector_keeps_its_terms),
        cmocka_unit_test(the_drawer_leaves_the_title),     cmocka_unit_test(the_drawer_leaves_the_names),
           cmocka_unit_test(the_table_keeps_time_with_the_map),
        cmocka_unit_test(numbers_of_masks_are_words),      cmocka_unit_test(long_numbers_have_one_short_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
