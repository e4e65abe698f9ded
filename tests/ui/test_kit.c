/* Controls as commands: what a click would run, what a field shows where. */
#include "support/support.h"

#include <math.h>

#include "base/str.h"
#include "ui/kit.h"

static Arena arena;
static const float sizes[] = {12, 13, 15, 18, 24};

static Kit fresh(DisplayList *dl) {
    arena_reset(&arena);
    dl_init(dl, &arena, 400, 300, theme_at(THEME_LIGHT)->background);
    return (Kit){.dl = dl, .font = font_fake(), .theme = theme_at(THEME_LIGHT), .type = sizes, .pad = 8, .hot = "", .focus = ""};
}

static const char *action_under(const DisplayList *dl, float x, float y) {
    DlHit hit;
    if (!dl_hit(dl, x, y, &hit) || !hit.group) return "";
    return dl_text_at(dl, hit.group->action);
}

static bool draws_text(const DisplayList *dl, const char *text) {
    for (int i = 0; i < dl->n; i++)
        if (dl->commands[i].kind == DL_TEXT && str_eq(dl_text_at(dl, dl->commands[i].text.text), text)) return true;
    return false;
}

static void a_button_carries_its_action(void **unused) {
    (void)unused;
    DisplayList dl;
    Kit kit = fresh(&dl);
    kit_button(&kit, (Rect){10, 10, 80, 32}, "go", "next", "Go", LOOK_QUIET);
    dl_finish(&dl);
    assert_string_equal(action_under(&dl, 20, 20), "next");
    assert_string_equal(action_under(&dl, 200, 20), "");
    assert_int_equal(dl_focus_find(&dl, "go"), 0);
    assert_true(draws_text(&dl, "Go"));
}

static int strokes_of(const DisplayList *dl, Color color) {
    int count = 0;
    for (int i = 0; i < dl->n; i++) count += dl->commands[i].stroke == color;
    return count;
}

static void the_ring_is_for_the_keyboard(void **unused) {
    (void)unused;
    for (int visible = 0; visible < 2; visible++) {
        DisplayList dl;
        Kit kit = fresh(&dl);
        kit.focus = "go";
        kit.focus_visible = visible;
        kit_button(&kit, (Rect){10, 10, 80, 32}, "go", "next", "Go", LOOK_QUIET);
        assert_int_equal(strokes_of(&dl, kit.theme->accent), visible);
    }
}

static void every_icon_lies_in_its_box(void **unused) {
    (void)unused;
    for (int icon = 0; icon < ICON_COUNT; icon++) {
        DisplayList dl;
        Kit kit = fresh(&dl);
        kit_icon(&kit, (Rect){100, 100, 16, 16}, (KitIcon)icon, kit.theme->ink);
        assert_true(dl.n > 0);
        for (uint32_t p = 0; p < dl.n_points; p++) assert_true(rect_has((Rect){100, 100, 16.01f, 16.01f}, dl.points[p].x, dl.points[p].y));
    }
}

static void a_slider_and_its_fraction_agree(void **unused) {
    (void)unused;
    Rect box = {50, 10, 216, 20};
    assert_near(kit_slider_fraction(8, box, 58), 0, 1e-6);
    assert_near(kit_slider_fraction(8, box, 158), 0.5, 1e-6);
    assert_near(kit_slider_fraction(8, box, 258), 1, 1e-6);
    assert_near(kit_slider_fraction(8, box, 0), 0, 1e-6);
    assert_near(kit_slider_fraction(8, box, 999), 1, 1e-6);
    for (int end = 0; end < 2; end++) { /* at both ends the knob covers the end of the track */
        DisplayList dl;
        Kit kit = fresh(&dl);
        kit_slider(&kit, box, "s", "seek", "Seek", end);
        dl_finish(&dl);
        Rect all = {1000, 0, -1000, 0}, knob = {0, 0, 0, 0};
        for (int i = 0; i < dl.n; i++) {
            if (dl.commands[i].kind != DL_RECT) continue;
            knob = dl.commands[i].box;
            all = (Rect){fminf(all.x, knob.x), 0, fmaxf(all.x + all.w, knob.x + knob.w) - fminf(all.x, knob.x), 0};
        }
        if (end == 0) assert_near(all.x, knob.x, 1e-4);
        else assert_near(all.x + all.w, knob.x + knob.w, 1e-3);
    }
}

static KitField field_of(const char *text, size_t caret, bool focused) {
    return (KitField){.name = "field", .action = "focus field", .text = text, .length = strlen(text), .caret = caret, .anchor = caret,
                      .hint = "Type some words", .focused = focused};
}

static void an_empty_field_shows_its_hint(void **unused) {
    (void)unused;
    DisplayList dl;
    Kit kit = fresh(&dl);
    KitField field = field_of("", 0, false);
    kit_field(&kit, (Rect){0, 0, 300, 36}, &field);
    assert_true(draws_text(&dl, "Type some words"));
}

static void caret_and_pointer_agree(void **unused) {
    (void)unused;
    DisplayList dl;
    Kit kit = fresh(&dl);
    Rect box = {20, 0, 300, 36};
    for (size_t at = 0; at <= 7; at++) {
        KitField field = field_of("the cat", at, true);
        Rect caret = kit_field_caret(&kit, box, &field);
        assert_near((double)caret.x, 20 + 16 + 9 * (double)at, 1e-3);
        assert_int_equal(kit_field_at(&kit, box, &field, caret.x + 1), at);
    }
}

static void a_long_text_follows_the_caret(void **unused) {
    (void)unused;
    enum { LENGTH = 100000 };
    DisplayList dl;
    Kit kit = fresh(&dl);
    char *text = arena_alloc(&arena, LENGTH + 1, 1);
    memset(text, 'a', LENGTH);
    Rect box = {0, 0, 300, 36};
    static const size_t carets[] = {0, 10, 50000, LENGTH - 1, LENGTH};
    for (int i = 0; i < 5; i++) {
        KitField field = field_of(text, carets[i], true);
        Rect caret = kit_field_caret(&kit, box, &field);
        assert_true(caret.x >= 16 && caret.x <= 284);
        assert_int_equal(kit_field_at(&kit, box, &field, caret.x + 1), carets[i]);
        kit_field(&kit, box, &field);
    }
}

static void a_composition_stands_at_the_caret(void **unused) {
    (void)unused;
    DisplayList dl;
    Kit kit = fresh(&dl);
    KitField field = field_of("ab", 1, true);
    field.composition = "XY";
    field.composition_caret = 2;
    kit_field(&kit, (Rect){0, 0, 300, 36}, &field);
    assert_true(draws_text(&dl, "a"));
    assert_true(draws_text(&dl, "XY"));
    assert_true(draws_text(&dl, "b"));
    assert_near((double)kit_field_caret(&kit, (Rect){0, 0, 300, 36}, &field).x, 16 + 3 * 9, 1e-3);
    field.composition_caret = 1; /* its own caret, not its end */
    assert_near((double)kit_field_caret(&kit, (Rect){0, 0, 300, 36}, &field).x, 16 + 2 * 9, 1e-3);
}

static void a_composition_takes_the_place_of_the_selection(void **unused) {
    (void)unused;
    DisplayList dl;
    Kit kit = fresh(&dl);
    KitField field = field_of("one two", 7, true);
    field.anchor = 4;
    field.composition = "XY";
    kit_field(&kit, (Rect){0, 0, 300, 36}, &field);
    assert_true(draws_text(&dl, "one "));
    assert_true(draws_text(&dl, "XY"));
    assert_false(draws_text(&dl, "two"));
    assert_near((double)kit_field_caret(&kit, (Rect){0, 0, 300, 36}, &field).x, 16 + 4 * 9, 1e-3);
}

static void a_composition_wider_than_the_field_shows_its_caret(void **unused) {
    (void)unused;
    DisplayList dl;
    Kit kit = fresh(&dl);
    static const char pinyin[] = "zhe shi yi ge feichang changde juzi, bi zhege wenbenkuang hai yao chang";
    KitField field = field_of("before and after", 6, true);
    field.composition = pinyin;
    for (field.composition_caret = 0; field.composition_caret < sizeof pinyin; field.composition_caret += 5) {
        Rect caret = kit_field_caret(&kit, (Rect){0, 0, 300, 36}, &field);
        assert_true(caret.x >= 16 && caret.x + caret.w <= 284 + 1);
    }
}

static void lists_scroll_and_run(void **unused) {
    (void)unused;
    static const KitItem items[] = {
        {ITEM_HEADING, "Mask", NULL, NULL, false, false}, {ITEM_ACTION, "None", NULL, "mask none", true, false},
        {ITEM_ACTION, "Causal", "M", "mask causal", false, false}, {ITEM_ACTION, "Off", NULL, "x", false, true},
    };
    DisplayList dl;
    Kit kit = fresh(&dl);
    kit_list(&kit, (Rect){0, 0, 200, 128}, "menu", items, 4, -1, 0);
    assert_string_equal(action_under(&dl, 20, 10), "");
    assert_string_equal(action_under(&dl, 20, 40), "mask none");
    assert_string_equal(action_under(&dl, 20, 70), "mask causal");
    assert_string_equal(action_under(&dl, 20, 110), "");
    kit = fresh(&dl);
    kit_list(&kit, (Rect){0, 0, 200, 64}, "menu", items, 4, -1, 1);
    assert_string_equal(action_under(&dl, 20, 10), "mask none");
    assert_string_equal(action_under(&dl, 20, 40), "mask causal");
    assert_string_equal(action_under(&dl, 20, 70), "");
}

static void a_sheet_covers_what_is_below(void **unused) {
    (void)unused;
    DisplayList dl;
    Kit kit = fresh(&dl);
    kit_button(&kit, (Rect){0, 0, 400, 300}, "below", "next", "Below", LOOK_QUIET);
    kit_scrim(&kit, (Rect){0, 0, 400, 300}, 0.2, "menu.close");
    kit_sheet(&kit, (Rect){100, 100, 200, 100}, 8, "menu", "Menu");
    dl_finish(&dl);
    assert_string_equal(action_under(&dl, 5, 5), "menu.close");
    assert_string_equal(action_under(&dl, 150, 150), "");
    assert_int_equal(dl_focus_count(&dl), 1); /* neither is a stop for Tab */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_button_carries_its_action), cmocka_unit_test(the_ring_is_for_the_keyboard),
        cmocka_unit_test(every_icon_lies_in_its_box), cmocka_unit_test(a_slider_and_its_fraction_agree),
        cmocka_unit_test(an_empty_field_shows_its_hint), cmocka_unit_test(caret_and_pointer_agree),
        cmocka_unit_test(a_long_text_follows_the_caret), cmocka_unit_test(a_composition_stands_at_the_caret),
        cmocka_unit_test(a_composition_takes_the_place_of_the_selection), cmocka_unit_test(a_composition_wider_than_the_field_shows_its_caret),
        cmocka_unit_test(lists_scroll_and_run), cmocka_unit_test(a_sheet_covers_what_is_below),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
