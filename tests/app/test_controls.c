/* The settings panel by keyboard and mouse, and what it says that a setting did. Right values by hand. */
#include "app/drive.h"

#include <math.h>
#include <stdio.h>

#include "base/str.h"
#include "doc/setting.h"
#include "scene/reading.h"

/* Is this written somewhere, whatever the pieces it is set in? */
/* How often it is written. */
static int times(Session *s, const char *part) {
    const DisplayList *list = session_list(s);
    Arena arena = {0};
    StrBuf all;
    sb_init(&all, &arena);
    for (int i = 0; i < list->n; i++)
        if (list->commands[i].kind == DL_TEXT) sb_printf(&all, "%s ", dl_text_at(list, list->commands[i].text.text));
    int found = 0;
    for (const char *at = all.data; (at = strstr(at, part)); at++) found++;
    arena_free(&arena);
    return found;
}

static bool reads(Session *s, const char *part) { return times(s, part) > 0; }

static double temperature(Session *s) { return session_doc(s)->temperature; }

static void send(Session *s, InputKind kind, float x, float y) {
    session_update(s, &(Input){.kind = kind, .x = x, .y = y, .button = 1, .clicks = 1}, 0);
}

static void opens_and_closes(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage scores end");
    press(s, 0, "s");
    assert_true(has_control(s, "controls"));
    assert_false(has_control(s, "inspector"));
    press(s, 0, "s");
    assert_false(has_control(s, "controls"));
    click(s, "top.settings");
    assert_true(has_control(s, "controls"));
    press(s, 0, "Esc");
    assert_false(has_control(s, "controls"));
    must(s, "controls temperature");
    click(s, "controls.close");
    assert_true(has_control(s, "inspector"));
    must(s, "controls");
    float x, y;
    cell_middle(s, "scores", 0, 1, 1, &x, &y);
    click_at(s, x, y, 0, 1); /* a number is explained again */
    assert_false(has_control(s, "controls"));
    assert_true(has_control(s, "inspector"));
    drive_close(s);
}

/* Log scale from 0.1 to 10: a quarter is 10^(−0.5) = 0.316 and three quarters 3.16, rounded to 0.32 and 3.2. */
static void a_drag_is_one_step(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage scale end");
    must(s, "controls");
    char first[32];
    snprintf(first, sizeof first, "%.2f → ", reading_of(session_run(s), session_view(s)->film.stage, 0, true).spread_scaled);
    Rect box = control_box(s, "controls.temperature.1");
    float knob = 8, span = box.w - 2 * knob, y = box.y + box.h / 2;
    move_to(s, box.x + knob + 0.5f * span, y);
    send(s, INPUT_MOUSE_DOWN, box.x + knob + 0.4f * span, y);
    int stage = session_view(s)->film.stage;
    for (int i = 0; i < 10; i++) {
        move_to(s, box.x + knob + (0.4f - 0.015f * (float)(i + 1)) * span, y);
        pass(s, 0.3); /* a slow hand */
        assert_true(temperature(s) < 1); /* while it is dragged */
    }
    send(s, INPUT_MOUSE_UP, box.x + knob + 0.25f * span, y);
    assert_near(temperature(s), 0.32, 1e-9);
    assert_true(reads(s, first)); /* what the whole drag did */
    Rect after = control_box(s, "controls.temperature.1"); /* it stays under the pointer */
    assert_memory_equal(&box, &after, sizeof box);
    assert_int_equal(session_view(s)->film.stage, stage);
    send(s, INPUT_MOUSE_DOWN, box.x + knob + 0.75f * span, y);
    send(s, INPUT_MOUSE_UP, box.x + knob + 0.75f * span, y);
    assert_near(temperature(s), 3.2, 1e-9);
    must(s, "undo");
    assert_near(temperature(s), 0.32, 1e-9);
    must(s, "undo");
    assert_near(temperature(s), 1, 0);
    send(s, INPUT_MOUSE_DOWN, box.x + knob + 0.75f * span, y); /* Esc takes it back, and the button then comes up in vain */
    move_to(s, box.x + knob + 0.9f * span, y);
    assert_true(temperature(s) > 3);
    tap(s, 0, "Esc");
    move_to(s, box.x + knob + 0.2f * span, y);
    send(s, INPUT_MOUSE_UP, box.x + knob + 0.2f * span, y);
    assert_near(temperature(s), 1, 0);
    assert_true(has_control(s, "controls"));
    drive_close(s);
}

static void by_keyboard(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "model random");
    must(s, "stage softmax end");
    press(s, 0, "s");
    must(s, "focus controls.temperature.1");
    press(s, 0, "Right");
    assert_near(temperature(s), 1.1, 1e-9);
    press(s, 0, "Left");
    assert_near(temperature(s), 1, 0);
    press(s, 0, "Left");
    assert_near(temperature(s), 0.91, 1e-9);
    must(s, "focus controls.temperature.reset");
    press(s, 0, "Enter");
    assert_near(temperature(s), 1, 0);
    assert_false(has_control(s, "controls.temperature.reset")); /* nothing to take back */
    must(s, "focus controls.heads.4"); /* 1 2 4 8 16 */
    press(s, 0, "Enter");
    assert_int_equal(session_run(s)->spec.n_heads, 8);
    assert_int_equal(session_run(s)->spec.d_k, 2);
    must(s, "focus controls.temperature.2"); /* its number: a line to type in */
    press(s, 0, "Enter");
    assert_string_equal(session_view(s)->menu, "actions");
    type(s, "0.25");
    press(s, 0, "Enter");
    assert_near(temperature(s), 0.25, 0);
    drive_close(s);
}

/* Only divisors: of d_model 16, of heads 6, of heads 1. */
static void only_divisors_are_offered(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "model random");
    must(s, "controls");
    static const int all[] = {1, 2, 4, 8, 16};
    int list[16];
    assert_int_equal(setting_choices(session_doc(s), session_run(s), SETTING_HEADS, 16, list), 5);
    for (int i = 0; i < 5; i++) assert_int_equal(list[i], all[i]);
    for (int i = 1; i <= 5; i++) {
        char name[32];
        snprintf(name, sizeof name, "controls.heads.%d", i);
        click(s, name);
        assert_int_equal(session_run(s)->spec.n_heads, all[i - 1]);
        assert_int_equal(session_run(s)->spec.d_model, 16);
    }
    assert_false(has_control(s, "controls.heads.6"));
    must(s, "set d_model 12");
    must(s, "heads 6");
    static const int shared[] = {1, 2, 3, 6};
    assert_int_equal(setting_choices(session_doc(s), session_run(s), SETTING_KV_HEADS, 16, list), 4);
    for (int i = 0; i < 4; i++) assert_int_equal(list[i], shared[i]);
    click(s, "controls.kv_heads.2");
    assert_int_equal(session_run(s)->spec.n_kv_heads, 2);
    assert_true(reads(s, "Key/value heads"));
    must(s, "focus controls.tie"); /* not with shared keys */
    assert_true(reads(s, "one matrix cannot have both widths"));
    drive_close(s);
}

/* Scores 8 0 | 0 8 at d_k 64: the winner has .99966 and p (1 − p) = .00034; scaled 1 0: .7311 and .1966; in bits .0045 and .840. */
static void says_what_the_scale_did(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "example 03a-scaling-off");
    must(s, "stage softmax end");
    must(s, "controls");
    assert_true(reads(s, "0.0003"));
    click(s, "controls.scale.1");
    assert_true(reads(s, "0.0003 → 0.1966"));
    assert_true(reads(s, "0.00 → 0.84"));
    must(s, "stage scale end"); /* scores 8 0 0 8: mean 4, spread 4; a factor of 1/8 makes it 0.5 */
    assert_true(reads(s, "4.00 → 0.50"));
    must(s, "undo");
    assert_false(reads(s, "→ 0.50"));
    drive_close(s);
}

/* Row i of equal causal scores has log₂ i bits: rows 2 to 4 have a choice, (1 + 1.585 + 2) / 3 = 1.53, without mask 2. */
static void says_how_sharp_the_weights_are(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "open \"" TEST_DATA "/scenarios/L06.yaml\"");
    must(s, "stage softmax end");
    assert_false(reads(s, "entropy"));
    must(s, "controls");
    assert_true(reads(s, "mean entropy 1.53 of 1.53 bits"));
    assert_int_equal(times(s, "mean entropy"), 1); /* beside the map alone */
    must(s, "mask none"); /* no setting of the panel: nothing before it is told */
    assert_true(reads(s, "entropy 2.00 of 2.00 bits"));
    assert_true(reads(s, "as sharp as 4.0 equal keys"));
    must(s, "scale none");
    must(s, "mask causal"); /* nor what was before the setting before it */
    assert_true(reads(s, "entropy 1.53 of"));
    drive_close(s);
}

/* 16 × 16 in each of four matrices; one less when W_Q = W_K. 6 tokens: 3 · 6 · 256 + 2 · 4 · 36 · 4 + 6 · 256 = 7,296. */
static void counts_parameters(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "model random");
    must(s, "stage project end");
    must(s, "controls");
    assert_true(reads(s, "1,024 parameters and 7,296 multiply-adds"));
    assert_true(reads(s, " kB"));
    click(s, "controls.tie.2");
    assert_true(session_doc(s)->tie_qk);
    assert_true(reads(s, "768 → 512 parameters"));
    assert_true(reads(s, "1,024 → 768 parameters and 7,296 multiply-adds"));
    assert_true(reads(s, "(W"));
    click(s, "controls.see");
    assert_int_equal(session_view(s)->stage_kind, STAGE_SCORES);
    assert_false(has_control(s, "controls.see"));
    must(s, "head 2"); /* what was read of head 1 does not count here */
    assert_false(reads(s, "1,024 → 768"));
    click(s, "controls.projections.1");
    assert_int_equal(session_run(s)->spec.proj, PROJ_NONE);
    click(s, "controls.out_proj.1");
    assert_true(reads(s, "0 parameters"));
    drive_close(s);
}

static void what_cannot_be_changed_says_why(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "controls");
    assert_false(has_control(s, "controls.heads.1"));
    click(s, "controls.heads");
    assert_true(reads(s, "made by hand"));
    click(s, "controls.seed");
    assert_true(reads(s, "Nothing here is random"));
    must(s, "model \"" TEST_DATA "/models/tiny-gpt2\"");
    must(s, "controls heads"); /* the overview of all maps goes */
    static const char *const fixed[] = {"scale", "temperature", "heads", "kv_heads", "d_k", "position", "tie", "projections", "out_proj", "seed"};
    for (int i = 0; i < SETTING_COUNT; i++) {
        char name[40];
        snprintf(name, sizeof name, "controls.%s.1", fixed[i]);
        assert_false(has_control(s, name));
        snprintf(name, sizeof name, "controls.%s", fixed[i]);
        click(s, name);
        assert_true(reads(s, "folder"));
    }
    assert_true(reads(s, "parameters and"));
    drive_close(s);
}

/* Nothing is asked for that cannot be done. */
static void a_folder_asks_for_no_change(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "model \"" TEST_DATA "/models/tiny-gpt2\"");
    must(s, "stage softmax");
    must(s, "controls");
    assert_false(reads(s, "Change a setting"));
    assert_true(reads(s, "brings its own settings"));
    drive_close(s);
}

static bool inside(Rect in, Rect box) {
    return in.x >= box.x - 0.5f && in.y >= box.y - 0.5f && in.x + in.w <= box.x + box.w + 0.5f && in.y + in.h <= box.y + box.h + 0.5f;
}

/* All rows, one below the other, in both layouts; in a low window those about the one that is asked for. */
static void has_room(void **unused) {
    (void)unused;
    static const struct {
        float w, h;
        bool all;
    } sizes[] = {{1600, 1000, true}, {1280, 1000, true}, {1024, 768, true}, {800, 600, false}};
    Session *s = drive_open();
    must(s, "model random");
    must(s, "position rope_half");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        session_update(s, &(Input){.kind = INPUT_RESIZE, .x = sizes[i].w, .y = sizes[i].h}, 0);
        for (int stage = 1; stage <= 9; stage++) {
            char line[48];
            snprintf(line, sizeof line, "stage %d end", stage);
            must(s, line);
            for (int k = 0; k < SETTING_COUNT; k++) {
                snprintf(line, sizeof line, "controls %s", setting_table[k].name);
                must(s, line);
                Rect panel = control_box(s, "controls"), before = {0};
                float bottom = 0;
                for (int r = 0; r < SETTING_COUNT; r++) {
                    char name[40];
                    snprintf(name, sizeof name, "controls.%s", setting_table[r].name);
                    if (!has_control(s, name)) {
                        if (sizes[i].all || r == k) fail_msg("%g x %g, stage %d: no row %s with %s", (double)sizes[i].w, (double)sizes[i].h, stage, name, line);
                        continue;
                    }
                    Rect row = control_box(s, name);
                    assert_true(inside(row, panel));
                    assert_true(row.h >= 20 && (row.y >= before.y + before.h - 0.5f || row.x >= before.x + before.w));
                    before = row;
                    bottom = fmaxf(bottom, row.y + row.h);
                }
                if (has_control(s, "controls.mask")) assert_true(control_box(s, "controls.mask").y >= bottom);
            }
        }
    }
    drive_close(s);
}

/* The panel's texts lie inside it, and none over another. */
static void check_texts(Session *s, const char *what) {
    const DisplayList *list = session_list(s);
    Rect panel = control_box(s, "controls");
    const DlCommand *texts[256];
    int n = 0, depth = 0;
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        bool here = c->kind == DL_GROUP && str_eq(dl_text_at(list, list->groups[c->group.group].name), "controls");
        if (here || (depth > 0 && c->kind == DL_GROUP)) depth++;
        else if (depth > 0 && c->kind == DL_UNGROUP) depth--;
        else if (depth > 0 && c->kind == DL_TEXT && n < 256) texts[n++] = c;
    }
    assert_true(n > 20);
    for (int i = 0; i < n; i++) {
        const DlCommand *a = texts[i];
        const char *text = dl_text_at(list, a->text.text);
        if (a->box.x < panel.x || a->box.x + a->text.width > panel.x + panel.w || a->box.y > panel.y + panel.h) fail_msg("%s: \"%s\" leaves the panel", what, text);
        for (int k = 0; k < i; k++) {
            const DlCommand *b = texts[k];
            bool line = fabsf(a->box.y - b->box.y) < 0.7f * fminf(a->text.size, b->text.size);
            float over = fminf(a->box.x + a->text.width, b->box.x + b->text.width) - fmaxf(a->box.x, b->box.x);
            if (line && over > 1) fail_msg("%s: \"%s\" stands over \"%s\"", what, text, dl_text_at(list, b->text.text));
        }
    }
}

static void texts_do_not_meet(void **unused) {
    (void)unused;
    static const char *const setups[][2] = {{"model random", "position rope_half"}, {"model random", "position alibi"}, {"model classroom", "temperature 0.35"},
                                            {"model \"" TEST_DATA "/models/tiny-gpt2\"", "controls"}};
    static const float sizes[][2] = {{1600, 1000}, {1280, 900}, {1024, 768}, {800, 600}};
    Session *s = drive_open();
    for (int m = 0; m < 4; m++) {
        must(s, setups[m][0]);
        must(s, setups[m][1]);
        for (int i = 0; i < 36; i++) {
            char line[64];
            session_update(s, &(Input){.kind = INPUT_RESIZE, .x = sizes[i / 9][0], .y = sizes[i / 9][1]}, 0);
            snprintf(line, sizeof line, "controls %s", setting_table[i % SETTING_COUNT].name);
            must(s, line);
            snprintf(line, sizeof line, "stage %s end", stage_name((StageKind)(i % 9)));
            must(s, line);
            snprintf(line, sizeof line, "%.20s at %g x %g, stage %d", setups[m][1], (double)sizes[i / 9][0], (double)sizes[i / 9][1], i % 9 + 1);
            check_texts(s, line);
        }
    }
    drive_close(s);
}

/* However long the line above them gets. */
static void rows_stay_where_they_are(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "model random");
    for (int i = 0; i < 18; i++) {
        char line[32];
        session_update(s, &(Input){.kind = INPUT_RESIZE, .x = i < 9 ? 1600 : 1024, .y = i < 9 ? 1000 : 768}, 0);
        snprintf(line, sizeof line, "stage %d end", i % 9 + 1);
        must(s, line);
        must(s, i % 2 ? "mask none" : "mask causal");
        must(s, "controls temperature");
        Rect before = control_box(s, "controls.tie");
        must(s, "temperature 0.5");
        Rect after = control_box(s, "controls.tie");
        assert_memory_equal(&before, &after, sizeof before);
        must(s, "temperature 1");
    }
    drive_close(s);
}

static void another_document_begins_anew(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage softmax end");
    must(s, "temperature 2"); /* without the panel too the line is there */
    assert_true(reads(s, "entropy"));
    must(s, "text \"one two three\"");
    assert_false(reads(s, "entropy"));
    Err err = {0};
    must(s, "temperature 2");
    assert_false(session_do(s, "temperature none", &err));
    assert_true(reads(s, "entropy")); /* what was refused changes nothing */
    must(s, "setting.reset");
    assert_near(temperature(s), 1, 0);
    drive_close(s);
}

static void its_line_goes_with_what_it_was_about(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Err err = {0};
    must(s, "stage softmax end");
    must(s, "temperature 2");
    must(s, "undo");
    assert_false(reads(s, "entropy"));
    must(s, "redo");
    assert_false(reads(s, "entropy"));
    must(s, "temperature 4");
    must(s, "escape"); /* there is no panel to close */
    assert_false(reads(s, "entropy"));
    must(s, "temperature 2");
    if (!session_open_text(s, "one two three", &err)) fail_msg("%s", err.message);
    must(s, "stage softmax end");
    assert_false(reads(s, "entropy"));
    must(s, "temperature 2");
    must(s, "new");
    must(s, "stage softmax end");
    assert_false(reads(s, "entropy"));
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_and_closes), cmocka_unit_test(a_drag_is_one_step), cmocka_unit_test(by_keyboard),
        cmocka_unit_test(only_divisors_are_offered), cmocka_unit_test(says_what_the_scale_did), cmocka_unit_test(says_how_sharp_the_weights_are),
        cmocka_unit_test(counts_parameters), cmocka_unit_test(what_cannot_be_changed_says_why), cmocka_unit_test(a_folder_asks_for_no_change),
        cmocka_unit_test(has_room), cmocka_unit_test(rows_stay_where_they_are), cmocka_unit_test(texts_do_not_meet),
        cmocka_unit_test(another_document_begins_anew), cmocka_unit_test(its_line_goes_with_what_it_was_about),
    };
    return cmocka_run_group_tests_name("controls", tests, NULL, NULL);
}
