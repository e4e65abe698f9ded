/* SDL's keyboard events in the words of base/input.h. */
#ifndef BACKEND_WINDOW_INPUT_H
#define BACKEND_WINDOW_INPUT_H

#include <SDL.h>

#include "base/input.h"

unsigned input_mods(unsigned sdl_mods);
/* Fills key and mods of `out`; false for keys without a name (Shift alone). A sign that needs Shift on the layout is given as
 * itself without MOD_SHIFT ("?"); letters are lower case and keep it. */
bool input_key(const SDL_Keysym *key, Input *out);

#endif
