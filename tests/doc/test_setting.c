/* Settings: what each action changes, what is refused and why, what is possible, and the slider of the temperature. */
#include "network_support.h"

#include <stdio.h>

#include "base/str.h"
#include "doc/action.h"
#include "doc/setting.h"

typedef struct {
    Doc doc;
    View view;
    Run *run;
    Err err;
} Desk;

static void begin(Desk *d, const char *yaml) {
    *d = (Desk){0};
    view_init(&d->view);
    doc_of(yaml, &d->doc);
    d->run = run_of(&d->doc);
}

static void end(Desk *d) {
    run_close(d->run);
    doc_reset(&d->doc);
}

/* Runs a line; the document is computed again. false: refused, and the document is as it was. */
static bool does(Desk *d, const char *text) {
    ActionLine line;
    int effect;
    Doc before = {0};
    doc_copy(&before, &d->doc);
    d->err = (Err){0};
    d->view.control[0] = '\0';
    ActionContext cx = {.doc = &d->doc, .view = &d->view, .run = d->run, .context = doc_context()};
    bool ok = action_parse(text, &line, &d->err) && action_run(&cx, &line, &effect, &d->err);
    if (!ok) assert_true(doc_equal(&before, &d->doc));
    if (ok) {
        run_close(d->run);
        d->run = run_of(&d->doc);
    }
    doc_reset(&before);
    return ok;
}

static void each_says_what_it_changed(void **state) {
    (void)state;
    static const char *const lines[][2] = {
        {"scale none", "scale"}, {"temperature 2", "temperature"}, {"temperature.at 0.75", "temperature"}, {"heads 2", "heads"}, {"kv_heads 1", "kv_heads"},
        {"d_k 8", "d_k"}, {"position alibi", "position"}, {"out_proj off", "out_proj"}, {"seed 3", "seed"}, {"kv_heads 2", "kv_heads"}, {"tie on", "tie"},
        {"projections off", "projections"}, {"setting.reset projections", "projections"},
    };
    Desk d;
    begin(&d, "attnscope: 1\nmodel: random\ntext: \"a b c\"\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!does(&d, lines[i][0])) fail_msg("%s: %s", lines[i][0], d.err.message);
        assert_string_equal(d.view.control, lines[i][1]);
    }
    assert_int_equal(d.run->spec.n_heads, 2);
    assert_int_equal(d.run->spec.d_k, 8);
    assert_near(d.run->spec.temperature, 3.2, 1e-9); /* 10^(2 · 0.75 − 1) = 3.16 */
    assert_true(d.run->spec.tie_qk);
    assert_true(does(&d, "setting.reset"));
    for (int i = 0; i < SETTING_COUNT; i++) assert_true(setting_is_default(&d.doc, (SettingKind)i));
    assert_true(does(&d, "text \"a b\""));
    assert_string_equal(d.view.control, "");
    end(&d);
}

static void refused(Desk *d, const char *line, const char *why) {
    if (does(d, line)) fail_msg("%s was done", line);
    assert_message(&d->err, why);
}

static void refusals_say_why(void **state) {
    (void)state;
    Desk d;
    begin(&d, "attnscope: 1\nmodel: random\nheads: 4\nkv_heads: 2\ntext: \"a b c\"\n");
    refused(&d, "tie on", "as many key/value heads as heads");
    refused(&d, "tie maybe", "off, on");
    refused(&d, "temperature 0", "0.000001");
    refused(&d, "temperature.at 2", "0 to 1");
    refused(&d, "controls volume", "scale");
    refused(&d, "setting.reset volume", "scale");
    end(&d);
    begin(&d, "attnscope: 1\ntokens: [\"a\"]\nq: [[1]]\nk: [[1]]\nv: [[1]]\n");
    refused(&d, "tie on", "Q and K are given");
    refused(&d, "projections on", "Q and K are given");
    refused(&d, "out_proj on", "not given");
    end(&d);
    begin(&d, "attnscope: 1\ntokens: [\"a\", \"b\"]\nx: [[1, 0], [1, 1]]\nprojections: none\n");
    refused(&d, "tie on", "q = k as it is");
    refused(&d, "projections on", "16 columns");
    refused(&d, "out_proj on", "not given");
    end(&d);
}

static bool can_reset(const Desk *d) {
    const ActionContext cx = {.doc = (Doc *)(uintptr_t)&d->doc, .view = (View *)(uintptr_t)&d->view, .run = d->run, .context = doc_context()};
    const Action *action = &action_table[action_find("setting.reset")];
    return action->enabled(&cx);
}

/* What is fixed goes back too, unless the document has no numbers for it: then it is told, and the menu offers nothing. */
static void fixed_ones_are_reset_or_told(void **state) {
    (void)state;
    Desk d;
    begin(&d, "attnscope: 1\ntext: \"a b c\"\n");
    assert_false(can_reset(&d));
    assert_true(does(&d, "seed 5")); /* nothing is random in classroom */
    assert_true(can_reset(&d));
    assert_true(does(&d, "setting.reset"));
    assert_true(d.doc.seed == 0);
    assert_false(can_reset(&d));
    assert_true(does(&d, "seed 5"));
    assert_true(does(&d, "setting.reset seed"));
    assert_true(d.doc.seed == 0);
    end(&d);
    begin(&d, "attnscope: 1\ntokens: [\"a\", \"b\"]\nx: [[1, 0], [1, 1]]\nprojections: none\n");
    assert_false(can_reset(&d));
    refused(&d, "setting.reset projections", "16 columns");
    end(&d);
}

static void folders_keep_theirs(void **state) {
    (void)state;
    static const char *const lines[] = {"scale none", "temperature 2", "temperature.at 0.2", "heads 2", "kv_heads 1", "d_k 2", "position none", "tie on",
                                        "projections off", "out_proj off", "setting.reset temperature"};
    Desk d = {0};
    Arena arena = {0};
    view_init(&d.view);
    network_doc(&d.doc, "tiny-gpt2", "The cat sat", NULL);
    d.run = run_of(&d.doc);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) refused(&d, lines[i], "folder");
    for (int i = 0; i < SETTING_COUNT; i++) assert_non_null(setting_fixed(&d.doc, d.run, 0, (SettingKind)i, &arena));
    arena_free(&arena);
    end(&d);
}

static void count_choices(const Desk *d, SettingKind kind, int n, const int *want) {
    int list[16];
    assert_int_equal(setting_choices(&d->doc, d->run, kind, 16, list), n);
    for (int i = 0; i < n; i++) assert_int_equal(list[i], want[i]);
}

/* Divisors of 12, of 6; a given W_Q of 6 rows says them too. rasbt/LLMs-from-scratch#444: 1600 is cut into 25, not 48. */
static void heads_are_divisors(void **state) {
    (void)state;
    Desk d;
    begin(&d, "attnscope: 1\nmodel: random\nd_model: 12\nheads: 6\ntext: \"a b c\"\n");
    count_choices(&d, SETTING_HEADS, 6, (const int[]){1, 2, 3, 4, 6, 12});
    count_choices(&d, SETTING_KV_HEADS, 4, (const int[]){1, 2, 3, 6});
    end(&d);
    begin(&d, "attnscope: 1\ntokens: [\"a\"]\nx: [[1, 0]]\nw_q: [[1, 0], [0, 1], [1, 0], [0, 1], [1, 0], [0, 1]]\nw_k: [[1, 0], [0, 1], [1, 0], [0, 1], [1, 0], [0, 1]]\n"
              "w_v: [[1, 0], [0, 1], [1, 0], [0, 1], [1, 0], [0, 1]]\nout_proj: false\nheads: 2\n");
    count_choices(&d, SETTING_HEADS, 4, (const int[]){1, 2, 3, 6});
    end(&d);
    begin(&d, "attnscope: 1\nmodel: random\nd_model: 1600\nheads: 25\ntext: \"a\"\n");
    assert_int_equal(d.run->spec.d_k, 64);
    int list[64], n = setting_choices(&d.doc, d.run, SETTING_HEADS, 64, list);
    for (int i = 0; i < n; i++) assert_true(list[i] != 48 && 1600 % list[i] == 0);
    end(&d);
}

static void the_slider(void **state) {
    (void)state;
    static const double places[][2] = {{0, 0.1}, {0.25, 0.32}, {0.5, 1}, {0.495, 1}, {0.75, 3.2}, {1, 10}, {-1, 0.1}, {2, 10}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) assert_near(setting_temperature_at(places[i][0]), places[i][1], 1e-9);
    assert_near(setting_temperature_fraction(1), 0.5, 1e-12);
    assert_near(setting_temperature_fraction(0.1), 0, 1e-12);
    assert_near(setting_temperature_fraction(10), 1, 1e-12);
    assert_near(setting_temperature_fraction(1e6), 1, 0);
    assert_near(setting_temperature_fraction(1e-6), 0, 0);
}

static void the_panel(void **state) {
    (void)state;
    Desk d;
    begin(&d, "attnscope: 1\n");
    assert_true(does(&d, "controls"));
    assert_true(d.view.controls);
    assert_true(does(&d, "controls heads"));
    assert_true(d.view.controls);
    assert_string_equal(d.view.control, "heads");
    assert_true(does(&d, "escape"));
    assert_false(d.view.controls);
    assert_true(does(&d, "controls"));
    assert_true(does(&d, "select scores[1,1,1]"));
    assert_false(d.view.controls);
    end(&d);
}

static void ties_are_written(void **state) {
    (void)state;
    Desk d;
    Arena arena = {0};
    begin(&d, "attnscope: 1\nmodel: random\ntie: true\ntext: \"a b\"\n");
    assert_true(d.doc.tie_qk);
    assert_non_null(strstr(yaml_write(&d.doc, NULL, &arena), "\ntie: true\n"));
    assert_true(does(&d, "tie"));
    assert_null(strstr(yaml_write(&d.doc, NULL, &arena), "tie"));
    arena_free(&arena);
    end(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_says_what_it_changed), cmocka_unit_test(refusals_say_why), cmocka_unit_test(fixed_ones_are_reset_or_told), cmocka_unit_test(folders_keep_theirs),
        cmocka_unit_test(heads_are_divisors), cmocka_unit_test(the_slider), cmocka_unit_test(the_panel), cmocka_unit_test(ties_are_written),
    };
    return cmocka_run_group_tests_name("setting", tests, NULL, NULL);
}
