/* Long texts: a thousand tokens in every stage and every look, and one more than a map can show. */
#include "app/drive.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "core/explain.h"
#include "doc/film.h"

enum { LONG = 1000, TEXT_BYTES = 1 << 15 };

static const char *words(int n) {
    static char text[TEXT_BYTES];
    static const char *const some[] = {"the", "cat", "sat", "on", "a", "mat", "and", "saw", "dog"};
    size_t used = 0;
    for (int i = 0; i < n; i++) used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "", some[i % 9]);
    return text;
}

static Session *open_long(int n) {
    Session *s = drive_open();
    Err err = {0};
    if (!session_open_text(s, words(n), &err)) fail_msg("%s", err.message);
    assert_int_equal(session_run(s)->tokens.n, n);
    return s;
}

/* Sentences are drawn word by word. */
static bool says(Session *s, const char *part) {
    const DisplayList *list = session_list(s);
    Arena arena = {0};
    StrBuf sb;
    sb_init(&sb, &arena);
    for (int i = 0; i < list->n; i++)
        if (list->commands[i].kind == DL_TEXT) sb_printf(&sb, "%s ", dl_text_at(list, list->commands[i].text.text));
    bool found = strstr(sb.data, part) != NULL;
    arena_free(&arena);
    return found;
}

/* No text and no control leaves the window; no list grows with the square of the text. */
static void check_picture(Session *s, const char *what, float width, float height) {
    const DisplayList *list = session_list(s);
    if (list->n > 20000) fail_msg("%s: %d commands", what, list->n);
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        bool control = c->kind == DL_GROUP && list->groups[c->group.group].action;
        float right = c->kind == DL_TEXT ? c->box.x + (c->text.angle > 0 ? 0 : c->text.width) : c->box.x + c->box.w;
        float bottom = c->kind == DL_TEXT ? c->box.y : c->box.y + c->box.h;
        if (!control && c->kind != DL_TEXT && c->kind != DL_CELLS) continue;
        if (c->box.x < -1 || c->box.y < -1 || right > width + 1 || bottom > height + 1)
            fail_msg("%s: %s leaves the window at %g, %g to %g, %g", what, c->kind == DL_TEXT ? dl_text_at(list, c->text.text) : control ? "a control" : "a map",
                     (double)c->box.x, (double)c->box.y, (double)right, (double)bottom);
    }
}

/* What is selected is explained by terms that give the tensor's number. */
static void check_selected(Session *s, const char *what) {
    const ViewRef *at = &session_view(s)->selection;
    const Trace *trace = session_run(s)->trace;
    Arena arena = {0};
    Explanation e;
    Err err = {0};
    int index[TENSOR_RANK_MAX] = {0};
    if (!at->tensor[0]) fail_msg("%s: the click selected nothing", what);
    TensorId id = trace_find(trace, at->tensor);
    memcpy(index, at->index, sizeof index);
    if (!trace_explain(trace, id, index, &arena, &e, &err)) fail_msg("%s: %s", what, err.message);
    double value = tensor_at(trace_tensor(trace, id), index), sum = 1;
    for (int i = 0; i < e.n_terms; i++) sum += isfinite(e.terms[i].value) ? fabs(e.terms[i].value) : 0;
    if (!near_equal(explanation_evaluate(&e), value, 1e-6 * sum)) fail_msg("%s: %.9g is explained as %.9g", what, value, explanation_evaluate(&e));
    arena_free(&arena);
}

/* In the middle of the largest map, below the diagonal. */
static void click_in_map(Session *s, const char *what) {
    const DisplayList *list = session_list(s);
    const DlCommand *best = NULL;
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        if (c->kind == DL_CELLS && c->cells.tensor >= 0 && (!best || c->box.w * c->box.h > best->box.w * best->box.h)) best = c;
    }
    if (!best) fail_msg("%s: no map", what);
    click_at(s, best->box.x + best->box.w * 0.37f, best->box.y + best->box.h * 0.81f, 0, 1);
}

static void go_through_every_stage(int tokens, float width, float height) {
    Session *s = open_long(tokens);
    session_resize(s, width, height);
    int stages = trace_stage_count(session_run(s)->trace);
    assert_int_equal(stages, 9);
    for (int stage = 0; stage < stages; stage++) {
        char what[64];
        Err err = {0};
        snprintf(what, sizeof what, "%d tokens, stage %d", tokens, stage + 1);
        if (!session_show(s, stage, 1, &err)) fail_msg("%s", err.message);
        for (int i = 0; i < 3; i++) press(s, 0, "Right"), check_picture(s, what, width, height);
        press(s, 0, "Left");
        assert_int_equal(session_view(s)->film.stage, stage);
        session_show(s, stage, -1, &err);
        check_picture(s, what, width, height);
        click_in_map(s, what);
        check_selected(s, what);
        check_picture(s, what, width, height);
        press(s, 0, "Esc");
    }
    drive_close(s);
}

static void long_texts_go_through_every_stage(void **unused) {
    (void)unused;
    go_through_every_stage(LONG, 1600, 1000);
    go_through_every_stage(LONG, 1024, 768);
    go_through_every_stage(256, 1024, 768);
    go_through_every_stage(256, 1600, 1000);
    go_through_every_stage(64, 1280, 720);
}

/* Names are thinned, and the picture says by which rule. */
static void thinned_names_say_their_rule(void **unused) {
    (void)unused;
    Session *s = open_long(LONG);
    static const char *const stages[] = {"scores", "scale", "mask", "softmax"};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        char line[32];
        snprintf(line, sizeof line, "stage %s end", stages[i]);
        must(s, line);
        if (!says(s, "is named") && !says(s, "are named")) fail_msg("%s does not say which tokens are named", stages[i]);
    }
    drive_close(s);
}

static void every_look_holds_a_thousand_tokens(void **unused) {
    (void)unused;
    static const char *const looks[] = {"shape lines", "shape all-lines", "heads.show all", "heads.show one", "aggregate average", "aggregate maximum",
                                        "aggregate length", "log on", "range own", "threshold 0.01", "hide 1", "zoom 16 500 480", "shape map"};
    static const float sizes[][2] = {{1600, 1000}, {1024, 768}};
    for (int z = 0; z < 2; z++) {
        Session *s = open_long(LONG);
        session_resize(s, sizes[z][0], sizes[z][1]);
        must(s, "stage softmax end");
        for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) { /* each on top of those before */
            must(s, looks[i]);
            check_picture(s, looks[i], sizes[z][0], sizes[z][1]);
            press(s, 0, "Left");
            press(s, 0, "Right");
            check_picture(s, looks[i], sizes[z][0], sizes[z][1]);
        }
        click_in_map(s, "all looks");
        check_selected(s, "all looks");
        drive_close(s);
    }
}

/* 2,048 are the most: one more is refused with both numbers, and what was there stays. */
static void one_token_too_many_is_refused(void **unused) {
    (void)unused;
    Session *s = open_long(256);
    Err err = {0};
    must(s, "stage softmax end");
    session_set(s, "text", words(2049), &err);
    pass(s, 1);
    assert_int_equal(session_run(s)->tokens.n, 256);
    if (!says(s, "the text has 2049 tokens; a map shows at most 2048: shorten it")) fail_msg("nothing says how many tokens there are and may be");
    check_picture(s, "too long", 1600, 1000);
    assert_true(session_set(s, "text", words(2048), &err));
    pass(s, 1);
    assert_int_equal(session_run(s)->tokens.n, 2048);
    check_picture(s, "2,048 tokens", 1600, 1000);
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_texts_go_through_every_stage),
        cmocka_unit_test(thinned_names_say_their_rule),
        cmocka_unit_test(every_look_holds_a_thousand_tokens),
        cmocka_unit_test(one_token_too_many_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
