/* The presented picture can be read from the last row: text sizes, room, the row in question, the light at the pointer. */
#include <stdio.h>

#include "draw/theme.h"
#include "scene_kit.h"
#include "scenes.h"

/* What text has at least, of the window's shorter side. */
static const double FLOOR = 0.02;

static const float sizes[][2] = {{1024, 768}, {1280, 800}, {1920, 1080}, {768, 1024}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static Rect text_box(const DlCommand *c) {
    float w = c->text.width, size = c->text.size;
    if (c->text.angle > 80) return (Rect){c->box.x - 0.7f * size, c->box.y - w, 0.7f * size, w};
    if (c->text.angle > 0) return (Rect){c->box.x, c->box.y - 0.5f * size, 0.5f * size, 0.5f * size}; /* its start */
    return (Rect){c->box.x, c->box.y - 0.7f * size, w, 0.7f * size};
}

static void check_inside(const DisplayList *dl, const DlCommand *c, const char *what) {
    Rect r = text_box(c);
    if (r.x < -1 || r.y < -1 || r.x + r.w > dl->width + 1 || r.y + r.h > dl->height + 1)
        fail_msg("%s: '%s' at %g %g leaves the picture", what, dl_text_at(dl, c->text.text), (double)r.x, (double)r.y);
}

static void check_apart(const DisplayList *dl, int i, const char *what) {
    Rect a = text_box(&dl->commands[i]);
    for (int j = 0; j < i; j++) {
        if (dl->commands[j].kind != DL_TEXT) continue;
        Rect b = text_box(&dl->commands[j]), both = rect_meet(rect_inset(a, 1), rect_inset(b, 1));
        if (both.w > 0 && both.h > 0)
            fail_msg("%s: '%s' (%g %g, %g) lies on '%s' (%g %g, %g)", what, dl_text_at(dl, dl->commands[i].text.text), (double)a.x, (double)a.y,
                     (double)dl->commands[i].text.angle, dl_text_at(dl, dl->commands[j].text.text), (double)b.x, (double)b.y, (double)dl->commands[j].text.angle);
    }
}

/* A sub- or superscript belongs to the letter before it, which is measured. */
static bool is_script(const DisplayList *dl, int i) {
    return i > 0 && dl->commands[i - 1].kind == DL_TEXT && dl->commands[i].text.size < dl->commands[i - 1].text.size * 0.8f &&
           fabsf(dl->commands[i - 1].box.x + dl->commands[i - 1].text.width - dl->commands[i].box.x) < 4;
}

static void check_picture(const DisplayList *dl, const char *what) {
    double side = (double)fminf(dl->width, dl->height);
    dl_finish(dl);
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind != DL_TEXT || is_script(dl, i)) continue;
        check_inside(dl, c, what);
        check_apart(dl, i, what);
        if ((double)c->text.size < FLOOR * side - 0.01)
            fail_msg("%s: '%s' has %.2f %% of the height", what, dl_text_at(dl, c->text.text), 100 * (double)c->text.size / side);
    }
}

static void draw_sample(SceneSample *sample, const char *name, float width, float height) {
    for (int stage = 0; stage < trace_stage_count(sample->run->trace); stage++)
        for (int part = 0; part <= 2; part++) {
            Arena frame = {0};
            DisplayList dl;
            char what[160];
            snprintf(what, sizeof what, "%s, stage %d, part %d, %gx%g, text %g", name, stage + 1, part, (double)width, (double)height,
                     sample->view.text_scale);
            sample_seek(sample, stage, part / 2.0);
            Scene scene = sample_scene(sample, width, height);
            scene.arena = &frame;
            dl_init(&dl, &frame, width, height, theme_at(sample->view.theme)->background);
            scene_draw(&scene, &dl);
            check_picture(&dl, what);
            arena_free(&frame);
        }
}

static void every_stage_can_be_read(void **state) {
    (void)state;
    for (int i = 0; i < scene_case_count; i++) {
        SceneSample sample;
        sample_open(&sample, &scene_cases[i]);
        sample.view.presenting = true;
        for (int k = 0; k < SIZES; k++) draw_sample(&sample, scene_cases[i].name, sizes[k][0], sizes[k][1]);
        sample_close(&sample);
    }
}

static void many_tokens_can_be_read(void **state) {
    (void)state;
    static const int counts[] = {6, 12, 21, 64, 256};
    static const double scales[] = {0.75, 1, 1.5};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        Arena arena = {0};
        SceneSample sample;
        SceneCase c = *scene_case("default");
        c.text = kit_words(&arena, counts[i]);
        sample_open(&sample, &c);
        sample.view.presenting = true;
        for (size_t t = 0; t < sizeof scales / sizeof *scales; t++)
            for (int k = 0; k < (counts[i] > 64 ? 1 : SIZES); k++) {
                char name[32];
                snprintf(name, sizeof name, "%d tokens", counts[i]);
                sample.view.text_scale = scales[t];
                draw_sample(&sample, name, sizes[k][0], sizes[k][1]);
            }
        sample_close(&sample);
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stage_can_be_read),
        cmocka_unit_test(many_tokens_can_be_read),
    };
    return cmocka_run_group_tests_name("the presented picture", tests, NULL, NULL);
}
