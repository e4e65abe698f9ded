/* The window loop: inputs in, pictures out. Waits without using the processor while nothing moves. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli_commands.h"
#include "app/cli_run.h"
#include "app/logo.h"
#include "app/present_windows.h"
#include "backend/window.h"
#include "base/file.h"
#include "base/utf8.h"

static const double FRAME_SECONDS = 1.0 / 60, STEP_MAX = 0.1;

typedef struct {
    CliRun run;
    Window *window;
    double last;   /* clock of the last update */
    bool quit;
    Arena paste;
    char title[256];       /* as the window has it */
    _Atomic(Window *) to_wake; /* the window, for the thread that works beside it */
    PresentWindows present;
    const CliArgs *args;
} Loop;

static bool no_display(const CliArgs *args, Err *err) {
    (void)args;
    return err_set(err, ERR_USAGE, "there is no display to open a window on; attnscope export -o picture.png writes the picture without one");
}

/* What the session wants from the window; true when it wants the clipboard's text. */
static bool perform(Loop *loop, const SessionEffects *effects) {
    if (effects->quit) loop->quit = true;
    if (effects->toggle_fullscreen) window_fullscreen(loop->window, !window_is_fullscreen(loop->window));
    if (effects->clipboard) window_clipboard_set(loop->window, effects->clipboard);
    if (effects->drop_composition) window_drop_composition(loop->window);
    window_pointer_shape(loop->window, effects->drags_number);
    window_text_input(loop->window, effects->text_input, effects->text_rect);
    return effects->wants_paste;
}

static SessionEffects feed(Loop *loop, const Input *input, double dt) {
    SessionEffects effects;
    session_update(loop->run.session, input, dt);
    session_take_effects(loop->run.session, &effects);
    if (perform(loop, &effects)) {
        arena_reset(&loop->paste);
        Input paste = {.kind = INPUT_PASTE, .text = window_clipboard(loop->window, &loop->paste)};
        session_update(loop->run.session, &paste, 0);
        session_take_effects(loop->run.session, &effects);
        perform(loop, &effects);
    }
    return effects;
}

static double elapsed(Loop *loop) {
    double now = window_clock(), dt = now - loop->last;
    loop->last = now;
    return dt;
}

static void show_title(Loop *loop) {
    Arena arena = {0};
    const char *title = session_title(loop->run.session, &arena);
    if (strncmp(title, loop->title, sizeof loop->title - 1) != 0) {
        snprintf(loop->title, sizeof loop->title, "%s", title);
        utf8_cut(loop->title, sizeof loop->title);
        window_title(loop->window, title);
    }
    arena_free(&arena);
}

/* One turn: wait, take all inputs that are there, draw when the picture is another one. */
static double turn(Loop *loop, double wait) {
    Input input;
    bool moving = wait >= 0 && wait < FRAME_SECONDS;
    bool came = window_next(loop->window, wait, &input);
    double dt = elapsed(loop);
    present_windows_time(&loop->present, loop->run.session);
    if (moving && dt > STEP_MAX) dt = STEP_MAX; /* a slow frame must not skip what it was to show */
    SessionEffects effects = feed(loop, came ? &input : NULL, dt);
    bool redraw = came && input.kind == INPUT_RESIZE;
    while (!loop->quit && came && window_next(loop->window, 0, &input)) {
        effects = feed(loop, &input, 0);
        redraw |= input.kind == INPUT_RESIZE;
    }
    bool another = session_update(loop->run.session, NULL, 0);
    if (!loop->quit) present_windows_settle(&loop->present, loop->window, loop->run.session, another);
    if (!loop->quit && (another || redraw)) {
        window_present(loop->window, session_list(loop->run.session));
        show_title(loop);
    }
    return present_windows_wait(loop->run.session, effects.wait);
}

/* Sleeps for the rest of the frame while something moves, waking for inputs. */
static double pace(const Loop *loop, double wait) {
    if (wait < 0 || wait >= FRAME_SECONDS) return wait;
    double left = FRAME_SECONDS - (window_clock() - loop->last);
    return left > 0 ? left : 0;
}

/* ---- work beside the window ---- */

static void wake(void *ctx) {
    Loop *loop = ctx;
    Window *window = atomic_load(&loop->to_wake);
    if (window) window_wake(window);
}

/* For measuring the start: say that the picture is there, and be done. */
static bool only_first_frame(void) {
    if (!getenv("ATTNSCOPE_FIRST_FRAME")) return false;
    puts("first frame");
    fflush(stdout);
    return true;
}

static void set_icon(const Loop *loop) {
    enum { SIDE = 64 };
    Arena arena = {0};
    DisplayList list;
    Pixels pixels;
    Err ignored = {0};
    Painter *painter = painter_open(loop->run.fonts);
    const Theme *theme = theme_at(THEME_LIGHT);
    dl_init(&list, &arena, SIDE, SIDE, theme->panel);
    logo_draw(&list, theme, (Rect){4, 4, SIDE - 8, SIDE - 8});
    if (painter_draw(painter, &list, 1, &pixels, &ignored)) window_icon(loop->window, &pixels);
    painter_close(painter);
    arena_free(&arena);
}

/* Once: the first picture is there when it returns. */
static bool show_window(Loop *loop, Err *err) {
    const CliArgs *args = loop->args;
    float width, height;
    if (loop->window) return true;
    loop->window = window_open("Attnscope", args->width > 0 ? args->width : 1600, args->height > 0 ? args->height : 1000, loop->run.fonts, err);
    if (!loop->window) return false;
    atomic_store(&loop->to_wake, loop->window);
    session_update(loop->run.session, &(Input){.kind = INPUT_JOB}, 0); /* what was done before there was a window to wake */
    window_size(loop->window, &width, &height);
    session_resize(loop->run.session, width, height);
    window_present(loop->window, session_list(loop->run.session));
    show_title(loop);
    loop->last = window_clock();
    return true;
}

/* A document that takes long: the window shows how far it is. */
static bool wait_for_session(void *ctx, Err *err) {
    Loop *loop = ctx;
    if (!show_window(loop, err)) return false;
    double wait = 0;
    while (!loop->quit && session_busy(loop->run.session)) wait = turn(loop, pace(loop, wait));
    return !loop->quit;
}

static bool run_window(const CliArgs *args, const char *state_folder, const char *config_folder, Err *err) {
    Loop loop = {.args = args};
    CliHost host = {.state_folder = state_folder, .config_folder = config_folder, .wake = wake, .wait = wait_for_session, .ctx = &loop};
    bool ok = cli_open(args, args->n_words, &host, &loop.run, err);
    ok = (ok && show_window(&loop, err)) || loop.quit;
    if (ok && !loop.quit) {
        loop.quit = only_first_frame();
        if (!loop.quit) set_icon(&loop);
        double wait = 0;
        while (!loop.quit) wait = turn(&loop, pace(&loop, wait));
    }
    if (loop.run.session) session_stop(loop.run.session); /* nobody wakes the window any more */
    if (loop.window) window_close(loop.window);
    present_windows_close(&loop.present);
    arena_free(&loop.paste);
    cli_close(&loop.run);
    return ok;
}

int window_main(const CliArgs *args) {
    Err err = {0}, no_state = {0};
    Arena arena = {0};
    const char *state_folder = path_state_folder(&arena, &no_state); /* without one nothing is kept */
    bool ok = backend_has_display() ? run_window(args, state_folder, path_config_folder(&arena), &err) : no_display(args, &err);
    arena_free(&arena);
    return ok ? EXIT_FINE : cli_fail(&err);
}
