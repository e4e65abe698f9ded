/* Runs of many kinds for the tests of the scene. */
#ifndef TESTS_SCENE_SCENES_H
#define TESTS_SCENE_SCENES_H

#include "doc/film.h"
#include "scene/scene.h"

typedef struct {
    const char *name, *text, *source;
    TokenizerKind tokenizer;
    ModelKind model;
    MaskKind mask;
    PositionKind position; /* POSITION_GIVEN: the model's own */
    int heads, kv_heads, d_model;
    ProjKind projections;
    ScaleKind scale;
    double temperature, fill;
    MaskOp mask_op;
    const char *folder; /* below tests/data/models: a network; its settings are its own */
} SceneCase;

extern const SceneCase scene_cases[];
extern const int scene_case_count;
const SceneCase *scene_case(const char *name);

/* A document and its run. close gives both back. */
typedef struct {
    Doc doc;
    View view;
    Run *run;
    Arena arena;
} SceneSample;
void sample_open(SceneSample *sample, const SceneCase *c);
void sample_close(SceneSample *sample);
/* A scene of the sample's view with the made-up font. */
Scene sample_scene(SceneSample *sample, float width, float height);
/* The film at a part (0 to 1, whole steps) of a stage. */
void sample_seek(SceneSample *sample, int stage, double part);

#endif
