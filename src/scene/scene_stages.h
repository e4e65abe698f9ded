/* The table of stage views: one row for each kind of stage. */
#ifndef SCENE_SCENE_STAGES_H
#define SCENE_SCENE_STAGES_H

#include "scene/stage_part.h"

extern const StageDraw stage_views[STAGE_KIND_COUNT];

#endif
