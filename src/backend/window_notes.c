/* A second window for the presenter, and the first one as the audience's. */
#include <math.h>

#include "backend/window_parts.h"
#include "base/tr.h"

enum { NOTES_WIDE = 1280, NOTES_HIGH = 800, NOTES_LEAST_WIDE = 480, NOTES_LEAST_HIGH = 360 };

/* A display that shows something else than this one; -1: there is none. Two that show the same (mirrored) are one. */
static int other_display(int own) {
    SDL_Rect mine, other;
    if (own < 0 || SDL_GetDisplayBounds(own, &mine) != 0) return -1;
    for (int i = 0, n = SDL_GetNumVideoDisplays(); i < n; i++)
        if (i != own && SDL_GetDisplayBounds(i, &other) == 0 && !SDL_HasIntersection(&mine, &other)) return i;
    return -1;
}

int window_displays(const Window *w) { return other_display(SDL_GetWindowDisplayIndex(w->window)) >= 0 ? 2 : 1; }

/* ---- events ---- */

static Uint32 window_of(const SDL_Event *e) {
    switch (e->type) {
    case SDL_WINDOWEVENT: return e->window.windowID;
    case SDL_MOUSEMOTION: return e->motion.windowID;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP: return e->button.windowID;
    case SDL_MOUSEWHEEL: return e->wheel.windowID;
    default: return 0; /* keys and texts mean the same in both */
    }
}

bool notes_owns(const Window *w, const SDL_Event *e) {
    return w->notes.window != NULL && window_of(e) == SDL_GetWindowID(w->notes.window);
}

bool notes_event(Window *w, const SDL_Event *e, Input *out) {
    if (e->type != SDL_WINDOWEVENT) return false;
    switch (e->window.event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
    case SDL_WINDOWEVENT_EXPOSED: w->notes.dirty = true; break;
    case SDL_WINDOWEVENT_CLOSE: w->notes.closed = true; break;
    default: return false;
    }
    *out = (Input){.kind = INPUT_NONE};
    return true;
}

bool window_notes_asks(Window *w, bool *closes) {
    bool dirty = w->notes.dirty;
    *closes = w->notes.closed;
    w->notes.dirty = w->notes.closed = false;
    return dirty;
}

/* ---- the second window ---- */

static SDL_Rect place_on(const Window *w, int display) {
    SDL_Rect screen = {0, 0, NOTES_WIDE, NOTES_HIGH};
    SDL_GetDisplayUsableBounds(display, &screen);
    Rect fit = window_fit((Rect){(float)screen.x, (float)screen.y, (float)screen.w, (float)screen.h}, NOTES_WIDE, NOTES_HIGH, w->ui_scale);
    return (SDL_Rect){(int)fit.x, (int)fit.y, (int)fit.w, (int)fit.h};
}

bool window_notes_open(Window *w, const char *title, Err *err) {
    NotesPane *notes = &w->notes;
    if (notes->window != NULL) return true;
    SDL_Rect at = place_on(w, SDL_GetWindowDisplayIndex(w->window));
    notes->window = SDL_CreateWindow(title, at.x, at.y, at.w, at.h, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | SDL_WINDOW_HIDDEN);
    if (notes->window != NULL) notes->renderer = SDL_CreateRenderer(notes->window, -1, w->software ? SDL_RENDERER_SOFTWARE : SDL_RENDERER_ACCELERATED);
    if (notes->renderer == NULL) {
        err_set(err, ERR_IO, tr("No window can be opened: %s"), SDL_GetError());
        window_notes_close(w);
        return false;
    }
    SDL_SetWindowMinimumSize(notes->window, (int)(NOTES_LEAST_WIDE * w->ui_scale), (int)(NOTES_LEAST_HIGH * w->ui_scale));
    notes->raster = raster_open(notes->renderer, w->fonts);
    notes->dirty = true;
    return true;
}

void window_notes_close(Window *w) {
    NotesPane *notes = &w->notes;
    raster_close(notes->raster);
    if (notes->renderer != NULL) SDL_DestroyRenderer(notes->renderer);
    if (notes->window != NULL) SDL_DestroyWindow(notes->window);
    *notes = (NotesPane){0};
}

bool window_notes_is_open(const Window *w) { return w->notes.window != NULL; }

void window_notes_size(const Window *w, float *width, float *height) {
    int wide = 1, high = 1;
    SDL_GetWindowSize(w->notes.window, &wide, &high);
    *width = (float)wide / w->ui_scale;
    *height = (float)high / w->ui_scale;
}

void window_notes_present(Window *w, const DisplayList *dl) {
    NotesPane *notes = &w->notes;
    int wide = 1, high = 1, pixels_wide = 1, pixels_high = 1;
    SDL_GetWindowSize(notes->window, &wide, &high);
    notes->ratio = 1;
    if (SDL_GetRendererOutputSize(notes->renderer, &pixels_wide, &pixels_high) == 0 && wide > 0) notes->ratio = (float)pixels_wide / (float)wide;
    raster_draw(notes->raster, dl, w->ui_scale * notes->ratio);
    if (!notes->shown) SDL_ShowWindow(notes->window);
    notes->shown = true;
    SDL_RenderPresent(notes->renderer);
}

/* ---- the audience's ---- */

static void begin_audience(Window *w, bool notes) {
    int other = other_display(SDL_GetWindowDisplayIndex(w->window)), middle = (int)SDL_WINDOWPOS_CENTERED_DISPLAY((unsigned)other);
    w->was_full = window_is_fullscreen(w);
    w->moved = notes && other >= 0;
    int bottom, right;
    w->frame_top = w->frame_left = 0;
    SDL_GetWindowBordersSize(w->window, &w->frame_top, &w->frame_left, &bottom, &right);
    SDL_GetWindowPosition(w->window, &w->before.x, &w->before.y);
    SDL_GetWindowSize(w->window, &w->before.w, &w->before.h);
    if (w->moved) {
        if (w->was_full) window_fullscreen(w, false);
        SDL_SetWindowPosition(w->window, middle, middle);
    }
    if (w->moved || !notes) window_fullscreen(w, true);
}

/* The frame that the window manager gives back takes a moment; without it the window would come to stand beside its place. */
static void wait_for_frame(const Window *w) {
    enum { TRIES = 40, PAUSE_MS = 5 };
    for (int i = 0; i < TRIES; i++) {
        int top = 0, left = 0, bottom, right;
        SDL_PumpEvents();
        if (SDL_GetWindowBordersSize(w->window, &top, &left, &bottom, &right) != 0 || (top == w->frame_top && left == w->frame_left)) return;
        SDL_Delay(PAUSE_MS);
    }
}

static void end_audience(Window *w) {
    if (window_is_fullscreen(w) && !(w->was_full && !w->moved)) window_fullscreen(w, false);
    if (!w->moved) return;
    wait_for_frame(w);
    SDL_SetWindowPosition(w->window, w->before.x, w->before.y);
    SDL_SetWindowSize(w->window, w->before.w, w->before.h);
    if (w->was_full) window_fullscreen(w, true);
}

void window_audience(Window *w, bool on, bool notes) {
    if (on == w->presenting) return;
    w->presenting = on;
    if (on) begin_audience(w, notes);
    else end_audience(w);
}

void window_hide_pointer(Window *w, bool hidden) {
    if (hidden == w->no_pointer) return;
    w->no_pointer = hidden;
    SDL_ShowCursor(hidden ? SDL_DISABLE : SDL_ENABLE);
}
