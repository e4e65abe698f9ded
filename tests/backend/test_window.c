/* The window on SDL's driver without a display: every event is made by hand. */
#include <SDL.h>

#include "backend/window.h"
#include "backend/window_input.h"
#include "support/support.h"

typedef struct { Fonts *fonts; Window *window; Arena arena; } Bench;

static int set_up(void **state) {
    static Bench bench;
    Err err = {0};
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    setenv("ATTNSCOPE_SCALE", "2", 1);
    bench.fonts = fonts_open(&err);
    bench.window = bench.fonts != NULL ? window_open("test", 900, 700, bench.fonts, &err) : NULL;
    if (bench.window == NULL) fail_msg("%s", err.message);
    *state = &bench;
    return 0;
}

static int tear_down(void **state) {
    Bench *b = *state;
    window_close(b->window);
    fonts_close(b->fonts);
    arena_free(&b->arena);
    return 0;
}

static void drain(Bench *b) {
    Input in;
    while (window_next(b->window, 0, &in)) continue;
}

static Input one(Bench *b, SDL_Event e) {
    Input in = {0};
    drain(b);
    SDL_PushEvent(&e);
    window_next(b->window, 1, &in);
    return in;
}

typedef struct { SDL_Keycode code; SDL_Scancode at; Uint16 mod; const char *key; unsigned mods; } KeyCase;

static const KeyCase keys[] = {
    {SDLK_SPACE, SDL_SCANCODE_SPACE, 0, "Space", 0},
    {SDLK_LEFT, SDL_SCANCODE_LEFT, KMOD_LALT, "Left", MOD_ALT},
    {SDLK_PAGEDOWN, SDL_SCANCODE_PAGEDOWN, KMOD_RSHIFT, "PageDown", MOD_SHIFT},
    {SDLK_KP_ENTER, SDL_SCANCODE_KP_ENTER, 0, "Enter", 0},
    {SDLK_ESCAPE, SDL_SCANCODE_ESCAPE, 0, "Esc", 0},
    {SDLK_F5, SDL_SCANCODE_F5, 0, "F5", 0},
    {SDLK_F11, SDL_SCANCODE_F11, 0, "F11", 0},
    {SDLK_a, SDL_SCANCODE_A, 0, "a", 0},
    {SDLK_h, SDL_SCANCODE_H, KMOD_LSHIFT, "h", MOD_SHIFT},
    {SDLK_z, SDL_SCANCODE_Z, KMOD_LCTRL | KMOD_LSHIFT, "z", MOD_SHIFT | MOD_CTRL},
    {SDLK_5, SDL_SCANCODE_5, KMOD_NUM, "5", 0},
    {SDLK_SLASH, SDL_SCANCODE_SLASH, KMOD_LSHIFT, "?", 0},
    {0xdf, SDL_SCANCODE_MINUS, KMOD_LSHIFT, "?", 0},              /* German */
    {SDLK_COMMA, SDL_SCANCODE_M, KMOD_LSHIFT, "?", 0},            /* French */
    {SDLK_EQUALS, SDL_SCANCODE_EQUALS, KMOD_LSHIFT | KMOD_LCTRL, "+", MOD_CTRL},
    {SDLK_PLUS, SDL_SCANCODE_RIGHTBRACKET, KMOD_LCTRL, "+", MOD_CTRL}, /* German */
    {SDLK_MINUS, SDL_SCANCODE_MINUS, KMOD_LCTRL, "-", MOD_CTRL},
    {SDLK_PERIOD, SDL_SCANCODE_PERIOD, 0, ".", 0},
    {SDLK_AMPERSAND, SDL_SCANCODE_1, 0, "1", 0},                  /* French: digits are behind Shift */
    {SDLK_KP_7, SDL_SCANCODE_KP_7, KMOD_NUM, "7", 0},
    {SDLK_KP_7, SDL_SCANCODE_KP_7, 0, "Home", 0},
    {SDLK_KP_PLUS, SDL_SCANCODE_KP_PLUS, KMOD_LCTRL, "+", MOD_CTRL},
    {0x444, SDL_SCANCODE_A, KMOD_LCTRL, "a", MOD_CTRL},           /* Cyrillic: by place */
    {0xe9, SDL_SCANCODE_2, 0, "2", 0},                            /* French e acute */
};

static void keys_have_the_names_of_the_action_table(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        SDL_Keysym sym = {.sym = keys[i].code, .scancode = keys[i].at, .mod = keys[i].mod};
        Input in = {0};
        assert_true(input_key(&sym, &in));
        assert_string_equal(in.key, keys[i].key);
        assert_int_equal(in.mods, keys[i].mods);
    }
}

static void keys_without_a_name_are_left_out(void **state) {
    (void)state;
    static const SDL_Keycode silent[] = {SDLK_LSHIFT, SDLK_RCTRL, SDLK_CAPSLOCK, SDLK_UNKNOWN, SDLK_KP_5, SDLK_AUDIOMUTE};
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++) {
        SDL_Keysym sym = {.sym = silent[i]};
        Input in = {0};
        assert_false(input_key(&sym, &in));
    }
}

static void key_events_arrive(void **state) {
    SDL_Event e = {.key = {.type = SDL_KEYDOWN, .repeat = 1, .keysym = {.sym = SDLK_t, .scancode = SDL_SCANCODE_T}}};
    Input in = one(*state, e);
    assert_int_equal(in.kind, INPUT_KEY);
    assert_string_equal(in.key, "t");
    assert_true(in.repeat);
}

static void text_and_compositions_arrive(void **state) {
    SDL_Event e = {.text = {.type = SDL_TEXTINPUT, .text = "\xe7\x8c\xab"}};
    Input in = one(*state, e);
    assert_int_equal(in.kind, INPUT_TEXT);
    assert_string_equal(in.text, "\xe7\x8c\xab");
    e = (SDL_Event){.edit = {.type = SDL_TEXTEDITING, .text = "ni hao", .start = 2}};
    in = one(*state, e);
    assert_int_equal(in.kind, INPUT_COMPOSITION);
    assert_string_equal(in.text, "ni hao");
    assert_int_equal(in.caret, 2);
    e = (SDL_Event){.edit = {.type = SDL_TEXTEDITING, .text = ""}};
    in = one(*state, e);
    assert_int_equal(in.kind, INPUT_COMPOSITION); /* the empty one ends it */
    assert_string_equal(in.text, "");
    e = (SDL_Event){.editExt = {.type = SDL_TEXTEDITING_EXT, .text = SDL_strdup("a long composition beyond 32 bytes, all of it"), .start = 1}};
    in = one(*state, e);
    assert_string_equal(in.text, "a long composition beyond 32 bytes, all of it");
    e = (SDL_Event){.text = {.type = SDL_TEXTINPUT, .text = "a\xff"}};
    in = one(*state, e);
    assert_string_equal(in.text, "a\xef\xbf\xbd"); /* checked at the door */
}

static void the_pointer_is_in_logical_units(void **state) {
    SDL_Event e = {.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .clicks = 2, .x = 300, .y = 100}};
    Input in = one(*state, e);
    assert_int_equal(in.kind, INPUT_MOUSE_DOWN);
    assert_int_equal(in.button, 1);
    assert_int_equal(in.clicks, 2);
    assert_near((double)in.x, 150, 0);
    assert_near((double)in.y, 50, 0);
    e = (SDL_Event){.wheel = {.type = SDL_MOUSEWHEEL, .preciseY = -1.5f}};
    in = one(*state, e);
    assert_int_equal(in.kind, INPUT_WHEEL);
    assert_near((double)in.y, -1.5, 0);
}

static void moves_that_wait_are_one_move(void **state) {
    Bench *b = *state;
    drain(b);
    for (int i = 1; i <= 20; i++) {
        SDL_Event e = {.motion = {.type = SDL_MOUSEMOTION, .x = i * 2, .y = i * 4}};
        SDL_PushEvent(&e);
    }
    SDL_Event up = {.button = {.type = SDL_MOUSEBUTTONUP, .button = SDL_BUTTON_RIGHT, .x = 40, .y = 80}};
    SDL_PushEvent(&up);
    Input in;
    assert_true(window_next(b->window, 0, &in));
    assert_int_equal(in.kind, INPUT_MOUSE_MOVE);
    assert_near((double)in.x, 20, 0);
    assert_true(window_next(b->window, 0, &in));
    assert_int_equal(in.kind, INPUT_MOUSE_UP);
    assert_int_equal(in.button, 3);
    assert_false(window_next(b->window, 0, &in));
}

/* With a button down a way right and then down keeps its corner; what lies straight between is skipped. The window's units are
 * half a pixel each here. */
static void the_way_of_a_held_pointer_is_kept(void **state) {
    Bench *b = *state;
    drain(b);
    for (int i = 1; i <= 20; i++) {
        bool right = i <= 10;
        SDL_Event e = {.motion = {.type = SDL_MOUSEMOTION, .state = SDL_BUTTON_LMASK, .x = right ? i * 10 : 100, .y = right ? 0 : (i - 10) * 10,
                                  .xrel = right ? 10 : 0, .yrel = right ? 0 : 10}};
        SDL_PushEvent(&e);
    }
    Input in;
    assert_true(window_next(b->window, 0, &in));
    assert_near((double)in.x, 50, 0);
    assert_near((double)in.y, 0, 0);
    assert_true(window_next(b->window, 0, &in));
    assert_near((double)in.x, 50, 0);
    assert_near((double)in.y, 50, 0);
    assert_false(window_next(b->window, 0, &in));
}

static void drops_quits_and_wakes_arrive(void **state) {
    Bench *b = *state;
    SDL_Event e = {.drop = {.type = SDL_DROPFILE, .file = SDL_strdup("/a/b.yaml")}};
    Input in = one(b, e);
    assert_int_equal(in.kind, INPUT_DROP);
    assert_string_equal(in.text, "/a/b.yaml");
    e = (SDL_Event){.type = SDL_QUIT};
    in = one(b, e);
    assert_int_equal(in.kind, INPUT_QUIT);
    drain(b);
    window_wake(b->window);
    assert_true(window_next(b->window, 1, &in));
    assert_int_equal(in.kind, INPUT_JOB);
}

static void waiting_ends_in_time(void **state) {
    Bench *b = *state;
    Input in;
    drain(b);
    double start = window_clock();
    assert_false(window_next(b->window, 0.05, &in));
    double took = window_clock() - start;
    assert_true(took >= 0.045 && took < 2);
}

static void sizes_follow_the_scale(void **state) {
    Bench *b = *state;
    float width, height;
    window_size(b->window, &width, &height);
    assert_near((double)window_scale(b->window), 2, 1e-6);
    assert_true(width >= 400 && width <= 900 && height >= 300 && height <= 700);
    DisplayList dl;
    dl_init(&dl, &b->arena, width, height, 0xfbfaf7ff);
    dl_text(&dl, fonts_metrics(b->fonts), FACE_UI, 18, 0x000000ff, 20, 40, "shown");
    dl_finish(&dl);
    window_present(b->window, &dl);
    Input in = {0};
    SDL_Event e = {.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_SIZE_CHANGED}};
    in = one(b, e);
    assert_int_equal(in.kind, INPUT_RESIZE);
    assert_near((double)in.x, (double)width, 1);
}

static void the_clipboard_keeps_text(void **state) {
    Bench *b = *state;
    assert_string_equal(window_clipboard(b->window, &b->arena), "");
    window_clipboard_set(b->window, "\xe7\x8c\xab 0.94");
    assert_string_equal(window_clipboard(b->window, &b->arena), "\xe7\x8c\xab 0.94");
}

static void text_input_is_off_until_it_is_wanted(void **state) {
    Bench *b = *state;
    assert_false(SDL_IsTextInputActive());
    window_text_input(b->window, true, (Rect){10, 10, 1, 20});
    assert_true(SDL_IsTextInputActive());
    window_text_input(b->window, false, (Rect){0});
    assert_false(SDL_IsTextInputActive());
}

static void a_missing_display_is_said(void **state) {
    (void)state;
    assert_true(backend_has_display());
    unsetenv("SDL_VIDEODRIVER");
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    assert_false(backend_has_display());
}

static void a_window_fits_its_screen(void **state) {
    (void)state;
    const struct { Rect usable; float wide, high, scale; Rect fit; } cases[] = {
        {{0, 0, 1920, 1200}, 1600, 1000, 1, {160, 100, 1600, 1000}},
        {{0, 0, 1366, 768}, 1600, 1000, 1, {8, 40, 1350, 688}},
        {{60, 30, 1306, 738}, 1600, 1000, 1, {68, 70, 1290, 658}}, /* beside a panel */
        {{0, 0, 1366, 768}, 1600, 1000, 2, {0, 0, 1600, 1200}},    /* the least that shows everything */
        {{0, 0, 1366, 768}, 100, 100, 1, {283, 84, 800, 600}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Rect fit = window_fit(cases[i].usable, cases[i].wide, cases[i].high, cases[i].scale);
        assert_near(fit.x, cases[i].fit.x, 0);
        assert_near(fit.y, cases[i].fit.y, 0);
        assert_near(fit.w, cases[i].fit.w, 0);
        assert_near(fit.h, cases[i].fit.h, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_fits_its_screen),
        cmocka_unit_test(keys_have_the_names_of_the_action_table),
        cmocka_unit_test(keys_without_a_name_are_left_out),
        cmocka_unit_test(key_events_arrive),
        cmocka_unit_test(text_and_compositions_arrive),
        cmocka_unit_test(the_pointer_is_in_logical_units),
        cmocka_unit_test(moves_that_wait_are_one_move),
        cmocka_unit_test(the_way_of_a_held_pointer_is_kept),
        cmocka_unit_test(drops_quits_and_wakes_arrive),
        cmocka_unit_test(waiting_ends_in_time),
        cmocka_unit_test(sizes_follow_the_scale),
        cmocka_unit_test(the_clipboard_keeps_text),
        cmocka_unit_test(text_input_is_off_until_it_is_wanted),
        cmocka_unit_test(a_missing_display_is_said),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
