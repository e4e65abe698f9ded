/* Where the inspector lies over a stage that leaves it no room of its own. */
#ifndef SCENE_DRAWER_H
#define SCENE_DRAWER_H

#include "scene/scene.h"

/* Its place over the stage that was drawn from command `from` on: the side that hides least of what is selected. Only for a
 * layout with a drawer. */
Rect drawer_place(const Scene *scene, const DisplayList *dl, int from);

/* Names of rows that a drawer at the left hides: repeated at its right. */
typedef struct {
    int count;
    const DlCommand *names; /* texts, where they were */
    Rect strip;             /* where they go; w = 0: none are hidden */
} DrawerNames;
/* Before the drawer is drawn: takes out words that it would cut, and finds the hidden names, for which it becomes narrower. */
DrawerNames drawer_prepare(const Scene *scene, DisplayList *dl, int from, Rect *place);
void drawer_draw_names(const Scene *scene, const DrawerNames *names, DisplayList *dl);

#endif
