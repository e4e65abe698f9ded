/* Small maps of the running step's result, one a head; a click looks at that head. With the legend,
 * and of a network with the layer. */
#ifndef SCENE_HEADS_H
#define SCENE_HEADS_H

#include "scene/scene.h"

/* Has this stage something to show for each head beside what the stage itself draws? */
bool heads_have_maps(const Scene *scene);
void heads_draw(const Scene *scene, DisplayList *dl);

#endif
