/* Whole screens of many documents and sizes: closed groups, all text inside the window, captions and questions that say something. */
#include <stdio.h>

#include "draw/theme.h"
#include "scene/formula.h"
#include "scenes.h"
#include "support/support.h"

static void check_text(const DisplayList *dl, const DlCommand *c, const char *what) {
    const FontMetrics *font = font_fake();
    float up = font->ascent(font->ctx, c->text.face, c->text.size) * 0.75f, w = c->text.width;
    float x0 = c->box.x, y0 = c->box.y - up, x1 = c->box.x + w, y1 = c->box.y;
    if (c->text.angle > 80) { /* upwards */
        x0 = c->box.x - up, x1 = c->box.x, y0 = c->box.y - w, y1 = c->box.y;
    } else if (c->text.angle > 0) {
        x1 = c->box.x + w * 0.71f, y0 = c->box.y - w * 0.71f;
    }
    if (x0 < -1 || y0 < -1 || x1 > dl->width + 1 || y1 > dl->height + 1)
        fail_msg("%s: text '%s' at %g %g .. %g %g leaves the window", what, dl_text_at(dl, c->text.text), (double)x0, (double)y0,
                 (double)x1, (double)y1);
}

/* No type is smaller than 12 units at the usual text size. */
static void check_size(const DisplayList *dl, const DlCommand *c, double scale, const char *what) {
    if ((double)c->text.size < 12 * scale - 0.01)
        fail_msg("%s: text '%s' is set in %g", what, dl_text_at(dl, c->text.text), (double)c->text.size);
}

static void check_list(const DisplayList *dl, double scale, const char *what) {
    dl_finish(dl);
    int texts = 0;
    for (int i = 0; i < dl->n; i++) {
        if (dl->commands[i].kind != DL_TEXT) continue;
        texts++;
        check_text(dl, &dl->commands[i], what);
        check_size(dl, &dl->commands[i], scale < 1 ? scale : 1, what);
    }
    assert_true(texts >= 5);
}

static void draw_case(SceneSample *sample, const char *name, float width, float height) {
    for (int stage = 0; stage < trace_stage_count(sample->run->trace); stage++)
        for (int part = 0; part <= 2; part++) {
            Arena frame = {0};
            char what[128];
            snprintf(what, sizeof what, "%s, stage %d, part %d, %gx%g", name, stage + 1, part, (double)width, (double)height);
            sample_seek(sample, stage, part / 2.0);
            if (part == 1) sample->view.film.position -= 0.4, sample->view.film.until = sample->view.film.position + 0.4;
            if (sample->view.film.position < 0) sample->view.film.position = 0;
            Scene scene = sample_scene(sample, width, height);
            scene.arena = &frame;
            DisplayList dl;
            dl_init(&dl, &frame, width, height, theme_at(sample->view.theme)->background);
            scene_draw(&scene, &dl);
            check_list(&dl, sample->view.text_scale, what);
            const char *first, *second;
            scene_captions(&scene, &first, &second);
            assert_true(first[0] && second[0]);
            assert_null(strstr(second, "nan"));
            arena_free(&frame);
        }
}

static void text_stays_in_the_window(void **state) {
    (void)state;
    static const float sizes[][2] = {{1600, 1000}, {1024, 768}, {1280, 800}};
    for (int i = 0; i < scene_case_count; i++) {
        SceneSample sample;
        sample_open(&sample, &scene_cases[i]);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) draw_case(&sample, scene_cases[i].name, sizes[k][0], sizes[k][1]);
        sample_close(&sample);
    }
}

/* Tables that stand beside or above a zoomed one are no wider than it. */
static void zoomed_stages_stay_in_the_window(void **state) {
    (void)state;
    static const double zooms[] = {1.25, 2, 7}, centers[] = {0, 0.5, 1};
    static const char *const names[] = {"default", "grouped", "one token", "cross"};
    for (int i = 0; i < scene_case_count; i++) {
        bool wanted = false;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) wanted |= str_eq(names[k], scene_cases[i].name);
        if (!wanted) continue;
        SceneSample sample;
        sample_open(&sample, &scene_cases[i]);
        for (int k = 0; k < 9; k++) {
            sample.view.zoom = zooms[k / 3];
            sample.view.zoom_row = centers[k % 3] * (sample.run->spec.L - 1);
            sample.view.zoom_column = centers[k % 3] * 15;
            draw_case(&sample, scene_cases[i].name, 1024, 768);
            draw_case(&sample, scene_cases[i].name, 1600, 1000);
        }
        sample_close(&sample);
    }
}

static void text_stays_in_at_other_text_sizes(void **state) {
    (void)state;
    static const double scales[] = {0.75, 1.5, 2};
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
        SceneSample sample;
        sample_open(&sample, scene_case("default"));
        sample.view.text_scale = scales[k];
        draw_case(&sample, "text size", 1600, 1000);
        draw_case(&sample, "text size", 3840, 2160);
        sample_close(&sample);
    }
}

static void presenter_text_stays_in(void **state) {
    (void)state;
    for (int i = 0; i < scene_case_count; i++) {
        SceneSample sample;
        sample_open(&sample, &scene_cases[i]);
        sample.view.presenting = true;
        draw_case(&sample, scene_cases[i].name, 1600, 1000);
        draw_case(&sample, scene_cases[i].name, 1024, 768);
        sample_close(&sample);
    }
}

static void selections_open_the_drawer(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("default"));
    for (int id = 0; id < trace_tensor_count(sample.run->trace); id++) {
        snprintf(sample.view.selection.tensor, sizeof sample.view.selection.tensor, "%s", trace_tensor(sample.run->trace, id)->id);
        draw_case(&sample, sample.view.selection.tensor, 1024, 768);
    }
    sample_close(&sample);
}

static Rect box_of(const DisplayList *dl, const char *name) {
    for (int i = 0; i < dl->n; i++)
        if (dl->commands[i].kind == DL_GROUP && str_eq(dl_text_at(dl, dl->groups[dl->commands[i].group.group].name), name))
            return dl->commands[i].box;
    fail_msg("no group %s", name);
    return (Rect){0};
}

/* Wherever the selected number is, it stays in sight; what lies under the drawer cannot be hit. */
static void the_drawer_hides_no_selected_number(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("default"));
    sample_seek(&sample, STAGE_SCORES, 1);
    strcpy(sample.view.selection.tensor, "scores");
    for (int i = 0; i < 36; i++) {
        sample.view.selection.index[1] = i / 6;
        sample.view.selection.index[2] = i % 6;
        Scene scene = sample_scene(&sample, 1024, 768);
        DisplayList dl;
        dl_init(&dl, &sample.arena, 1024, 768, 0xFFFFFFFF);
        scene_draw(&scene, &dl);
        Rect drawer = box_of(&dl, "inspector"), close = box_of(&dl, "inspector.close");
        for (int k = 0; k < dl.n; k++) {
            if (dl.commands[k].kind != DL_RECT || dl.commands[k].stroke != theme_at(sample.view.theme)->highlight) continue;
            assert_true(rect_meet(dl.commands[k].box, drawer).w <= 0);
        }
        DlHit hit;
        assert_true(dl_hit(&dl, drawer.x + 4, drawer.y + drawer.h / 2, &hit));
        assert_int_equal(hit.tensor, -1);
        assert_true(dl_hit(&dl, close.x + close.w / 2, close.y + close.h / 2, &hit));
        assert_string_equal(dl_text_at(&dl, hit.group->action), "select.none");
    }
    sample_close(&sample);
}

static int count_names(const DisplayList *dl, const char *start) {
    int n = 0;
    for (int i = 0; i < dl->n_groups; i++) n += str_starts(dl_text_at(dl, dl->groups[i].name), start);
    return n;
}

static void controls_have_names_and_actions(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("default"));
    sample_seek(&sample, STAGE_SCORES, 0.5);
    Scene scene = sample_scene(&sample, 1600, 1000);
    DisplayList dl;
    dl_init(&dl, &sample.arena, 1600, 1000, 0xFFFFFFFF);
    scene_draw(&scene, &dl);
    assert_int_equal(count_names(&dl, "rail."), 9);
    assert_int_equal(count_names(&dl, "head."), 4);
    assert_int_equal(count_names(&dl, "inspector.term."), 8);
    assert_int_equal(count_names(&dl, "inspector.source"), 1);
    int at = dl_focus_find(&dl, "rail.3");
    assert_true(at >= 0);
    Rect box;
    assert_string_equal(dl_text_at(&dl, dl_focus_at(&dl, at, &box)->action), "stage 3");
    DlHit hit;
    assert_true(dl_hit(&dl, box.x + box.w / 2, box.y + box.h / 2, &hit));
    assert_string_equal(dl_text_at(&dl, hit.group->name), "rail.3");
    at = dl_focus_find(&dl, "inspector.term.1");
    assert_non_null(strstr(dl_text_at(&dl, dl_focus_at(&dl, at, &box)->action), "explain q["));
    at = dl_focus_find(&dl, "head.2");
    dl_focus_at(&dl, at, &box);
    assert_true(dl_hit(&dl, box.x + box.w / 2, box.y + box.h / 2, &hit));
    assert_string_equal(dl_text_at(&dl, hit.group->action), "head 2");
    assert_int_equal(hit.tensor, -1);
    sample_close(&sample);
}

/* Eight heads read two keys and values: two maps, each called by the four that share it. */
static void maps_that_heads_share_stand_once(void **state) {
    (void)state;
    static const StageKind kinds[] = {STAGE_PROJECT, STAGE_SCORES};
    for (int k = 0; k < 2; k++) {
        SceneSample sample;
        DisplayList dl;
        Rect box;
        sample_open(&sample, scene_case("grouped"));
        sample.view.head = 6;
        sample_seek(&sample, kinds[k], 1); /* V; scores are each head's own */
        Scene scene = sample_scene(&sample, 1600, 1000);
        dl_init(&dl, &sample.arena, 1600, 1000, 0xFFFFFFFF);
        scene_draw(&scene, &dl);
        bool shared = kinds[k] == STAGE_PROJECT;
        assert_int_equal(count_names(&dl, "head."), shared ? 2 : 8);
        const DlGroup *second = dl_focus_at(&dl, dl_focus_find(&dl, "head.2"), &box);
        assert_string_equal(dl_text_at(&dl, second->action), shared ? "head 5" : "head 2");
        assert_string_equal(dl_text_at(&dl, second->label), shared ? "Heads 5–8" : "Head 2");
        sample_close(&sample);
    }
}

static void a_muted_scene_is_covered(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("default"));
    Scene scene = sample_scene(&sample, 1600, 1000);
    DisplayList plain, muted;
    dl_init(&plain, &sample.arena, 1600, 1000, 0xFFFFFFFF);
    dl_init(&muted, &sample.arena, 1600, 1000, 0xFFFFFFFF);
    scene_draw(&scene, &plain);
    scene.muted = true;
    scene_draw(&scene, &muted);
    assert_int_equal(muted.n, plain.n + 1);
    scene.run = NULL; /* nothing to draw yet */
    scene_draw(&scene, &plain);
    dl_finish(&plain);
    sample_close(&sample);
}

/* Nothing leaves the page and nothing is smaller than 12 units; returns how often `text` is written. */
static int check_figure(SceneSample *sample, FigureSpec spec, const char *text, const char *name) {
    Scene scene = sample_scene(sample, 1600, 1000);
    DisplayList dl;
    float width, height;
    int found = 0;
    figure_size(&scene, &spec, &width, &height);
    assert_true(width >= spec.width && height >= spec.height);
    if (spec.width > 0 && spec.head >= 0) assert_true(fabsf(width - spec.width) < 1 && fabsf(height - spec.height) < 1);
    dl_init(&dl, &sample->arena, width, height, 0xFFFFFFFF);
    figure_draw(&scene, &spec, &dl);
    dl_finish(&dl);
    for (int k = 0; k < dl.n; k++) {
        if (dl.commands[k].kind != DL_TEXT) continue;
        check_text(&dl, &dl.commands[k], name);
        check_size(&dl, &dl.commands[k], 1, name);
        found += strstr(dl_text_at(&dl, dl.commands[k].text.text), text) != NULL;
    }
    return found;
}

static void figures_hold_all_their_text(void **state) {
    (void)state;
    static const float sizes[][2] = {{0, 0}, {1000, 800}, {600, 400}};
    for (int i = 0; i < scene_case_count; i++) {
        SceneSample sample;
        sample_open(&sample, &scene_cases[i]);
        for (int stage = 0; stage < trace_stage_count(sample.run->trace); stage++)
            for (int k = 0; k < 6; k++) {
                FigureSpec spec = {.stage = stage, .head = k % 2 - 1, .position = film_steps(sample.run->trace, stage), .width = sizes[k / 2][0], .height = sizes[k / 2][1]};
                check_figure(&sample, spec, "?", scene_cases[i].name);
            }
        sample_close(&sample);
    }
}

static void a_sheet_of_heads_has_one_title_and_one_legend(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("default"));
    FigureSpec spec = {.stage = STAGE_SOFTMAX, .head = -1, .position = film_steps(sample.run->trace, STAGE_SOFTMAX), .width = 1600, .height = 1000};
    assert_int_equal(check_figure(&sample, spec, "Attention", "sheet"), 1);
    assert_int_equal(check_figure(&sample, spec, "keys: ", "sheet"), 1);
    assert_int_equal(check_figure(&sample, spec, "Head ", "sheet"), sample.run->spec.n_heads);
    sample_close(&sample);
}

static const char *formula_of(const char *name, StageKind stage, PartState state, char out[256]) {
    SceneSample sample;
    sample_open(&sample, scene_case(name));
    sample_seek(&sample, stage, 0.5);
    Scene scene = sample_scene(&sample, 1600, 1000);
    FormulaPart parts[FORMULA_PARTS_MAX];
    int n = formula_parts(&scene, parts);
    out[0] = '\0';
    for (int i = 0; i < n; i++) {
        if (state != PART_STATE_COUNT && parts[i].state != state) continue;
        strncat(out, parts[i].text, 255 - strlen(out));
        strncat(out, " ", 255 - strlen(out));
    }
    sample_close(&sample);
    return out;
}

static void formula_follows_the_settings(void **state) {
    (void)state;
    char out[256];
    const PartState all = PART_STATE_COUNT;
    assert_string_equal(formula_of("default", STAGE_SCORES, all, out), "softmax ( Q Kᵀ / √dₖ + M ) V → concat Wᴼ ");
    assert_string_equal(formula_of("default", STAGE_EMBED, all, out), "X → softmax ( Q Kᵀ / √dₖ + M ) V → concat Wᴼ ");
    assert_string_equal(formula_of("cross", STAGE_EMBED, all, out), "X, Xₖᵥ → softmax ( Q Kᵀ / √dₖ ) V → concat Wᴼ ");
    assert_string_equal(formula_of("no scale", STAGE_SCORES, all, out), "softmax ( Q Kᵀ + M ) V → concat Wᴼ ");
    assert_string_equal(formula_of("warm", STAGE_SCORES, all, out), "softmax ( Q Kᵀ / (√dₖ · 2) + M ) V → concat Wᴼ ");
    assert_string_equal(formula_of("alibi", STAGE_SCORES, all, out), "softmax ( Q Kᵀ / √dₖ + B + M ) V → concat Wᴼ ");
    assert_string_equal(formula_of("alibi alone", STAGE_SCORES, all, out), "softmax ( Q Kᵀ / √dₖ + B ) V → concat Wᴼ ");
    assert_string_equal(formula_of("fill", STAGE_MASK, PART_LIT, out), "where M, else −1e9 ");
    assert_string_equal(formula_of("added", STAGE_MASK, PART_LIT, out), "+ M ");
    assert_string_equal(formula_of("no projection", STAGE_EMBED, all, out), "Q = K = V = X → softmax ( Q Kᵀ / √dₖ ) V → concat ");
    assert_string_equal(formula_of("rope", STAGE_SCORES, PART_LIT, out), "RoPE(Q) RoPE(K)ᵀ ");
}

static void the_running_part_is_lit(void **state) {
    (void)state;
    char out[256];
    static const char *const lit[] = {"X → ", "Q ", "Q Kᵀ ", "/ √dₖ ", "+ M ", "softmax ", "V ", "concat ", "Wᴼ "};
    for (int stage = 0; stage < STAGE_ATTENTION_COUNT; stage++)
        assert_string_equal(formula_of("default", (StageKind)stage, PART_LIT, out), lit[stage]);
    assert_string_equal(formula_of("default", STAGE_SCALE, PART_DONE, out), "Q Kᵀ ");
    assert_string_equal(formula_of("default", STAGE_OUTPUT, PART_TO_COME, out), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zoomed_stages_stay_in_the_window), cmocka_unit_test(text_stays_in_the_window),        cmocka_unit_test(text_stays_in_at_other_text_sizes),
        cmocka_unit_test(presenter_text_stays_in),         cmocka_unit_test(selections_open_the_drawer),
        cmocka_unit_test(controls_have_names_and_actions), cmocka_unit_test(maps_that_heads_share_stand_once), cmocka_unit_test(a_muted_scene_is_covered),
        cmocka_unit_test(figures_hold_all_their_text),     cmocka_unit_test(formula_follows_the_settings),
        cmocka_unit_test(the_drawer_hides_no_selected_number),
        cmocka_unit_test(the_running_part_is_lit),         cmocka_unit_test(a_sheet_of_heads_has_one_title_and_one_legend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
