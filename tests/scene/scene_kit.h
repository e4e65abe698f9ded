/* A document, its run and a scene with the made-up font: what tests of the scene begin with. */
#ifndef TESTS_SCENE_KIT_H
#define TESTS_SCENE_KIT_H

#include "doc/film.h"
#include "doc/yaml.h"
#include "scene/stages.h"
#include "support/support.h"

typedef struct {
    Arena lasting, frame;
    Lexicon *lexicon;
    Doc doc;
    View view;
    Run *run;
} SceneKit;

/* `yaml`: a whole scenario, or NULL for the default document. Fails the test when it cannot be run. */
void kit_open(SceneKit *kit, const char *yaml);
void kit_open_file(SceneKit *kit, const char *path);
void kit_close(SceneKit *kit);
/* Film at a step of a stage (from 0), at rest. */
void kit_film(SceneKit *kit, int stage, double position);
Scene kit_scene(SceneKit *kit, float width, float height);
/* The stage alone, in the layout's stage area. Forgets the frame before. */
Rect kit_draw_stage(SceneKit *kit, float width, float height, DisplayList *dl);
/* One word repeated with numbers: n tokens. */
char *kit_words(Arena *arena, int n);

#endif
