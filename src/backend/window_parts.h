/* What a window is made of; private to window*.c. */
#ifndef BACKEND_WINDOW_PARTS_H
#define BACKEND_WINDOW_PARTS_H

#include <SDL.h>

#include "backend/raster.h"
#include "backend/window.h"

/* The presenter's second window. */
typedef struct {
    SDL_Window *window; /* NULL = not open */
    SDL_Renderer *renderer;
    Raster *raster;
    float ratio;
    bool shown;
    bool dirty, closed; /* since somebody asked last: it must be drawn again; its button to close was pressed */
} NotesPane;

struct Window {
    Arena arena, text; /* text: of the last input */
    SDL_Window *window;
    SDL_Renderer *renderer;
    Raster *raster;
    Fonts *fonts;      /* borrowed */
    float ui_scale;    /* window units a logical unit */
    float ratio;       /* pixels a window unit */
    bool software, shown, text_on, no_pointer, drags;
    SDL_Cursor *up_down; /* NULL until it is needed */
    SDL_Rect caret;
    Uint32 wake_event;
    NotesPane notes;
    SDL_Rect before;      /* where it stood before it was the audience's */
    int frame_top, frame_left; /* of its frame then */
    bool presenting, was_full, moved;
};

/* Of the second window: handled here, an input of the first never. */
bool notes_event(Window *window, const SDL_Event *event, Input *out);
/* Does this event come from the second window? */
bool notes_owns(const Window *window, const SDL_Event *event);
void window_pointer_close(Window *w);

#endif
