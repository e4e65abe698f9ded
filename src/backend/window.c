#include "backend/window.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <SDL.h>

#include "backend/raster.h"
#include "backend/window_input.h"
#include "backend/window_parts.h"
#include "backend/x11.h"
#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"

enum { WIDTH_MIN = 800, HEIGHT_MIN = 600, FRAME_WIDE = 16, FRAME_HIGH = 80 };

bool backend_has_display(void) {
    static const char *const names[] = {"SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0') return true;
    }
    return false;
}

static float scale_wanted(void) {
    double scale;
    const char *text = getenv("ATTNSCOPE_SCALE");
    if (text == NULL || !str_to_double(text, &scale) || !(scale >= 0.5 && scale <= 8)) return 1;
    return (float)scale;
}

static void set_hints(bool software) {
    if (software) SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"); /* else each frame goes through a texture once more */
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    SDL_SetHint(SDL_HINT_IME_SHOW_UI, "1");
    SDL_SetHint(SDL_HINT_IME_SUPPORT_EXTENDED_TEXT, "1");
    SDL_SetHint("SDL_VIDEO_X11_WMCLASS", "attnscope");
    SDL_SetHint("SDL_APP_NAME", "Attnscope");
}

static bool create_renderer(Window *w, const char *wanted) {
    if (!w->software) {
        if (!str_eq(wanted, "accelerated")) SDL_SetHint(SDL_HINT_RENDER_DRIVER, wanted);
        w->renderer = SDL_CreateRenderer(w->window, -1, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC);
    }
    if (w->renderer == NULL) {
        w->software = true;
        w->renderer = SDL_CreateRenderer(w->window, -1, SDL_RENDERER_SOFTWARE);
    }
    return w->renderer != NULL;
}

Rect window_fit(Rect usable, float width, float height, float scale) {
    float wide = fmaxf(fminf(width * scale, usable.w - FRAME_WIDE), WIDTH_MIN * scale);
    float high = fmaxf(fminf(height * scale, usable.h - FRAME_HIGH), HEIGHT_MIN * scale);
    float left = floorf((usable.w - wide) / 2), top = floorf((usable.h - high) / 2);
    return (Rect){usable.x + fmaxf(left, 0), usable.y + fmaxf(top, 0), floorf(wide), floorf(high)};
}

static bool create_window(Window *w, const char *title, float width, float height) {
    SDL_Rect at = {SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, (int)(width * w->ui_scale), (int)(height * w->ui_scale)}, screen;
    if (SDL_GetDisplayUsableBounds(0, &screen) == 0) {
        Rect fit = window_fit((Rect){(float)screen.x, (float)screen.y, (float)screen.w, (float)screen.h}, width, height, w->ui_scale);
        at = (SDL_Rect){(int)fit.x, (int)fit.y, (int)fit.w, (int)fit.h};
    }
    Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | SDL_WINDOW_HIDDEN;
    w->window = SDL_CreateWindow(title, at.x, at.y, at.w, at.h, flags);
    if (w->window == NULL) return false;
    SDL_SetWindowMinimumSize(w->window, (int)(WIDTH_MIN * w->ui_scale), (int)(HEIGHT_MIN * w->ui_scale));
    return true;
}

static void measure(Window *w) {
    int wide = 1, high = 1, pixels_wide = 1, pixels_high = 1;
    SDL_GetWindowSize(w->window, &wide, &high);
    if (SDL_GetRendererOutputSize(w->renderer, &pixels_wide, &pixels_high) == 0 && wide > 0) w->ratio = (float)pixels_wide / (float)wide;
}

Window *window_open(const char *title, float width, float height, Fonts *fonts, Err *err) {
    const char *renderer = getenv("ATTNSCOPE_RENDERER");
    Arena arena = {0};
    Window *w = ARENA_NEW(&arena, Window);
    w->arena = arena;
    w->ui_scale = scale_wanted();
    w->ratio = 1;
    w->software = renderer == NULL || renderer[0] == '\0' || str_eq(renderer, "software");
    set_hints(w->software);
    x11_forgive_late_messages();
    if (SDL_Init(SDL_INIT_VIDEO) != 0 || !create_window(w, title, width, height) || !create_renderer(w, renderer)) {
        err_set(err, ERR_IO, tr("No window can be opened: %s"), SDL_GetError());
        window_close(w);
        return NULL;
    }
    measure(w);
    w->fonts = fonts;
    w->raster = raster_open(w->renderer, fonts);
    w->wake_event = SDL_RegisterEvents(1);
    SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
    SDL_StopTextInput();
    return w;
}

void window_close(Window *w) {
    if (w == NULL) return;
    window_notes_close(w);
    raster_close(w->raster);
    if (w->renderer != NULL) SDL_DestroyRenderer(w->renderer);
    window_pointer_close(w);
    if (w->window != NULL) SDL_DestroyWindow(w->window);
    SDL_Quit();
    arena_free(&w->text);
    Arena arena = w->arena; /* holds the object itself */
    arena_free(&arena);
}

void window_size(const Window *w, float *width, float *height) {
    int wide = 0, high = 0;
    SDL_GetWindowSize(w->window, &wide, &high);
    *width = (float)wide / w->ui_scale;
    *height = (float)high / w->ui_scale;
}

float window_scale(const Window *w) { return w->ui_scale * w->ratio; }

static bool resized(Window *w, Input *out) {
    measure(w);
    out->kind = INPUT_RESIZE;
    window_size(w, &out->x, &out->y);
    return true;
}

static bool from_window(Window *w, const SDL_WindowEvent *e, Input *out) {
    if (e->event == SDL_WINDOWEVENT_SIZE_CHANGED || e->event == SDL_WINDOWEVENT_DISPLAY_CHANGED) return resized(w, out);
    if (e->event == SDL_WINDOWEVENT_CLOSE && w->notes.window != NULL) { /* SDL says to quit for the last window only */
        out->kind = INPUT_QUIT;
        return true;
    }
    if (e->event == SDL_WINDOWEVENT_EXPOSED) {
        if (!w->software || !w->shown) return resized(w, out);
        SDL_RenderPresent(w->renderer); /* the software renderer still has the picture */
        return false;
    }
    if (e->event == SDL_WINDOWEVENT_FOCUS_GAINED || e->event == SDL_WINDOWEVENT_FOCUS_LOST) {
        out->kind = INPUT_FOCUS;
        out->button = e->event == SDL_WINDOWEVENT_FOCUS_GAINED;
        return true;
    }
    if (e->event == SDL_WINDOWEVENT_LEAVE) { /* nothing is under the pointer any more */
        *out = (Input){.kind = INPUT_MOUSE_MOVE, .x = -1, .y = -1};
        return true;
    }
    return false;
}

static const char *keep_text(Window *w, const char *text) {
    arena_reset(&w->text);
    return utf8_clean(&w->text, text, strlen(text));
}

/* The end of what is selected in a composition: some input methods select all of it, ibus says -1. */
static int composed_caret(int start, int length) { return start + (length > 0 ? length : 0); }

static bool from_text(Window *w, InputKind kind, const char *text, int caret, Input *out) {
    *out = (Input){.kind = kind, .text = keep_text(w, text), .caret = caret};
    return kind != INPUT_TEXT || text[0] != '\0';
}

static_assert(SDL_BUTTON_LEFT == 1 && SDL_BUTTON_MIDDLE == 2 && SDL_BUTTON_RIGHT == 3, "SDL counts buttons as Input does");

enum { PASSED_MOST = 32, BEND_MOST = 1 }; /* points; pixels */

/* Does this point lie on the straight way from one to the other, but for a pixel? */
static bool on_the_way(SDL_Point from, SDL_Point point, SDL_Point to) {
    float dx = (float)(to.x - from.x), dy = (float)(to.y - from.y), px = (float)(point.x - from.x), py = (float)(point.y - from.y);
    float length = sqrtf(dx * dx + dy * dy), along = px * dx + py * dy;
    return length > 0 && along >= 0 && along <= length * length && fabsf(px * dy - py * dx) <= BEND_MOST * length;
}

/* Moves that wait behind this one make it old news. While a button is held the way counts too (a stroke paints it): only moves
 * that go straight on are skipped. */
static void skip_to_last_move(SDL_Event *e) {
    SDL_Event next;
    SDL_Point passed[PASSED_MOST], from = {e->motion.x - e->motion.xrel, e->motion.y - e->motion.yrel};
    int n = 0;
    while (SDL_PeepEvents(&next, 1, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) == 1 && next.type == SDL_MOUSEMOTION &&
           next.motion.windowID == e->motion.windowID) {
        if (e->motion.state != 0) {
            if (n == PASSED_MOST) return;
            passed[n++] = (SDL_Point){e->motion.x, e->motion.y};
            for (int i = 0; i < n; i++)
                if (!on_the_way(from, passed[i], (SDL_Point){next.motion.x, next.motion.y})) return;
        }
        SDL_PeepEvents(e, 1, SDL_GETEVENT, SDL_MOUSEMOTION, SDL_MOUSEMOTION);
    }
}

static bool from_mouse(Window *w, SDL_Event *e, Input *out) {
    out->mods = input_mods(SDL_GetModState());
    if (e->type == SDL_MOUSEMOTION) {
        skip_to_last_move(e);
        out->kind = INPUT_MOUSE_MOVE;
        out->x = (float)e->motion.x / w->ui_scale, out->y = (float)e->motion.y / w->ui_scale;
        return true;
    }
    if (e->type == SDL_MOUSEWHEEL) {
        float turn = e->wheel.direction == SDL_MOUSEWHEEL_FLIPPED ? -1.0f : 1.0f;
        out->kind = INPUT_WHEEL;
        out->x = e->wheel.preciseX * turn, out->y = e->wheel.preciseY * turn;
        return true;
    }
    out->kind = e->type == SDL_MOUSEBUTTONDOWN ? INPUT_MOUSE_DOWN : INPUT_MOUSE_UP;
    out->button = e->button.button;
    out->clicks = e->button.clicks;
    out->x = (float)e->button.x / w->ui_scale, out->y = (float)e->button.y / w->ui_scale;
    return true;
}

static bool from_drop(Window *w, SDL_Event *e, Input *out) {
    if (e->drop.file == NULL) return false;
    bool ok = from_text(w, INPUT_DROP, e->drop.file, 0, out);
    SDL_free(e->drop.file);
    return ok;
}

static bool from_long_composition(Window *w, SDL_Event *e, Input *out) {
    bool ok = from_text(w, INPUT_COMPOSITION, e->editExt.text, composed_caret(e->editExt.start, e->editExt.length), out);
    SDL_free(e->editExt.text);
    return ok;
}

/* false: an event that means nothing to the program. */
static bool translate(Window *w, SDL_Event *e, Input *out) {
    *out = (Input){0};
    if (notes_owns(w, e)) return notes_event(w, e, out);
    switch (e->type) {
    case SDL_QUIT: out->kind = INPUT_QUIT; return true;
    case SDL_WINDOWEVENT: return from_window(w, &e->window, out);
    case SDL_KEYDOWN: out->kind = INPUT_KEY, out->repeat = e->key.repeat != 0; return input_key(&e->key.keysym, out);
    case SDL_TEXTINPUT: return from_text(w, INPUT_TEXT, e->text.text, 0, out);
    case SDL_TEXTEDITING: return from_text(w, INPUT_COMPOSITION, e->edit.text, composed_caret(e->edit.start, e->edit.length), out);
    case SDL_TEXTEDITING_EXT: return from_long_composition(w, e, out);
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
    case SDL_MOUSEWHEEL: return from_mouse(w, e, out);
    case SDL_DROPFILE: return from_drop(w, e, out);
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET: return resized(w, out);
    default: out->kind = INPUT_JOB; return e->type == w->wake_event;
    }
}

bool window_next(Window *w, double timeout, Input *out) {
    double until = window_clock() + timeout;
    for (;;) {
        SDL_Event e;
        double left = until - window_clock();
        int got = timeout < 0 ? SDL_WaitEvent(&e) : left > 0 ? SDL_WaitEventTimeout(&e, (int)ceil(left * 1000)) : SDL_PollEvent(&e);
        if (!got) return false;
        if (translate(w, &e, out)) return true;
    }
}

void window_wake(Window *w) {
    SDL_Event e = {.type = w->wake_event};
    SDL_PushEvent(&e);
}

void window_present(Window *w, const DisplayList *dl) {
    raster_draw(w->raster, dl, window_scale(w));
    if (!w->shown) SDL_ShowWindow(w->window);
    w->shown = true;
    SDL_RenderPresent(w->renderer);
}

void window_title(Window *w, const char *title) { SDL_SetWindowTitle(w->window, title); }

void window_icon(Window *w, const Pixels *pixels) {
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormatFrom((void *)(uintptr_t)pixels->rgba, pixels->width, pixels->height, 32,
                                                              pixels->width * 4, SDL_PIXELFORMAT_RGBA32);
    if (surface == NULL) return;
    SDL_SetWindowIcon(w->window, surface);
    SDL_FreeSurface(surface);
}

void window_fullscreen(Window *w, bool on) { SDL_SetWindowFullscreen(w->window, on ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0); }

bool window_is_fullscreen(const Window *w) { return (SDL_GetWindowFlags(w->window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0; }

void window_text_input(Window *w, bool on, Rect caret) {
    SDL_Rect area = {(int)(caret.x * w->ui_scale), (int)(caret.y * w->ui_scale), (int)ceilf(caret.w * w->ui_scale) + 1,
                     (int)ceilf(caret.h * w->ui_scale)};
    if (on && memcmp(&area, &w->caret, sizeof area) != 0) {
        w->caret = area;
        SDL_SetTextInputRect(&area);
    }
    if (on == w->text_on) return;
    w->text_on = on;
    if (on) SDL_StartTextInput();
    else SDL_StopTextInput();
}

/* SDL_ClearComposition does nothing on X11. */
void window_drop_composition(Window *w) {
    if (!w->text_on) return;
    SDL_StopTextInput();
    SDL_StartTextInput();
}

void window_clipboard_set(Window *w, const char *text) {
    (void)w;
    SDL_SetClipboardText(text);
}

char *window_clipboard(Window *w, Arena *arena) {
    (void)w;
    char *text = SDL_GetClipboardText();
    char *out = utf8_clean(arena, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
    SDL_free(text);
    return out;
}

double window_clock(void) { return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency(); }
