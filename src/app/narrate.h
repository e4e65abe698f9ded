/* The picture as plain sentences, for people who cannot see it: where the film stands, what is computed, the number in view
 * with what it is made of, and the rows of the map. Only reads; what a stage says about itself comes from the scene's words.
 * Of long inputs it tells NARRATE_ROWS rows around the one in view and the NARRATE_NUMBERS largest numbers of each, and of a
 * long sum the NARRATE_TERMS largest terms; what is left out is counted. */
#ifndef APP_NARRATE_H
#define APP_NARRATE_H

#include "scene/scene.h"

enum { NARRATE_ROWS = 12, NARRATE_NUMBERS = 5, NARRATE_TERMS = 8 };

/* One sentence or more a line, each line ended. In `arena`. The scene has a run whose numbers are in memory. */
const char *narrate_text(const Scene *scene, Arena *arena);

#endif
