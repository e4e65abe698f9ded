/* The tokens as chips that can be taken: in the formula's place while view.tokens is set; in cross-attention one strip for the queries
 * and one for the keys. Names of chips: "token.q.3", "token.k.1"; app moves them. */
#ifndef SCENE_TOKEN_STRIP_H
#define SCENE_TOKEN_STRIP_H

#include "scene/scene.h"

/* Is there a strip in this picture? */
bool token_strip_on(const Scene *scene);
void token_strip_draw(const Scene *scene, DisplayList *dl);

#endif
