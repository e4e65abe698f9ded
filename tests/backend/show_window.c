/* Opens a window on the demonstration list and prints each input that arrives, until it is closed. */
#include <stdio.h>

#include "backend/demo_list.h"
#include "backend/window.h"

static const char *const kinds[INPUT_KIND_COUNT] = {
    [INPUT_NONE] = "none",     [INPUT_KEY] = "key",       [INPUT_TEXT] = "text", [INPUT_COMPOSITION] = "composition", [INPUT_MOUSE_MOVE] = "move",
    [INPUT_MOUSE_DOWN] = "down", [INPUT_MOUSE_UP] = "up", [INPUT_WHEEL] = "wheel", [INPUT_RESIZE] = "resize",         [INPUT_FOCUS] = "focus",
    [INPUT_DROP] = "drop",     [INPUT_PASTE] = "paste",   [INPUT_JOB] = "job",   [INPUT_QUIT] = "quit"};

static void print(const Input *in) {
    printf("%s", kinds[in->kind]);
    if (in->key[0] != '\0') printf(" %s", in->key);
    if (in->text != NULL) printf(" \"%s\"", in->text);
    printf(" mods %u x %.1f y %.1f button %d clicks %d%s\n", in->mods, (double)in->x, (double)in->y, in->button, in->clicks, in->repeat ? " repeat" : "");
    fflush(stdout);
}

static void show(Window *window, const Fonts *fonts, Arena *arena, ThemeKind theme) {
    DisplayList dl;
    float width, height;
    arena_reset(arena);
    demo_list(&dl, arena, fonts_metrics(fonts), theme);
    window_size(window, &width, &height);
    dl.width = width, dl.height = height;
    double start = window_clock();
    window_present(window, &dl);
    printf("presented in %.1f ms\n", 1000 * (window_clock() - start));
}

int main(void) {
    Err err = {0};
    Arena arena = {0};
    Fonts *fonts = fonts_open(&err);
    Window *window = fonts != NULL ? window_open("Attnscope demonstration", 1600, 1000, fonts, &err) : NULL;
    if (window == NULL) fprintf(stderr, "%s\n", err.message);
    Input in = {.kind = INPUT_RESIZE};
    int theme = 0;
    while (window != NULL && in.kind != INPUT_QUIT) {
        if (in.kind == INPUT_KEY && str_eq(in.key, "t")) theme = (theme + 1) % THEME_COUNT;
        if (in.kind == INPUT_KEY && str_eq(in.key, "l")) window_text_input(window, true, (Rect){200, 20, 2, 24});
        if (in.kind == INPUT_KEY && str_eq(in.key, "Esc")) window_text_input(window, false, (Rect){0});
        if (in.kind == INPUT_KEY && str_eq(in.key, "F11")) window_fullscreen(window, !window_is_fullscreen(window));
        if (in.kind == INPUT_KEY || in.kind == INPUT_RESIZE) show(window, fonts, &arena, (ThemeKind)theme);
        window_next(window, -1, &in);
        print(&in);
    }
    window_close(window);
    fonts_close(fonts);
    arena_free(&arena);
    return window != NULL ? 0 : 1;
}
