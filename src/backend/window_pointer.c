/* The shape of the pointer over the window. */
#include "backend/window_parts.h"

void window_pointer_shape(Window *w, bool drags) {
    if (drags == w->drags) return;
    w->drags = drags;
    if (drags && !w->up_down) w->up_down = SDL_CreateSystemCursor(SDL_SYSTEM_CURSOR_SIZENS);
    if (drags && w->up_down) SDL_SetCursor(w->up_down);
    else SDL_SetCursor(SDL_GetDefaultCursor());
}

void window_pointer_close(Window *w) {
    if (w->up_down) SDL_FreeCursor(w->up_down);
    w->up_down = NULL;
}
