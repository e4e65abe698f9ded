#include "scenes.h"

#include <stdio.h>

#include "doc/yaml.h"
#include "support/support.h"

#define LONG_TEXT                                                                                                                          \
    "The quick brown fox jumps over the lazy dog while a small grey cat watches from the old stone wall and thinks about the long warm "   \
    "afternoon that it spent in the garden with mice of all sorts"

const SceneCase scene_cases[] = {
    {.name = "default", .text = "The cat sat on the mat", .mask = MASK_CAUSAL, .position = POSITION_GIVEN},
    {.name = "chinese", .text = "猫坐在垫子上，狗看着它。", .mask = MASK_CAUSAL, .position = POSITION_GIVEN},
    {.name = "smiles",
     .text = "CC(=O)Oc1ccccc1C(=O)O",
     .tokenizer = TOKENIZER_SMILES,
     .model = MODEL_MOLECULE,
     .mask = MASK_CAUSAL,
     .position = POSITION_GIVEN},
    {.name = "long", .text = LONG_TEXT, .mask = MASK_CAUSAL, .position = POSITION_GIVEN},
    {.name = "one token", .text = "hello", .mask = MASK_CAUSAL, .position = POSITION_GIVEN},
    {.name = "long word",
     .text = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung fährt",
     .mask = MASK_CAUSAL,
     .position = POSITION_GIVEN},
    {.name = "characters", .text = "attention!", .tokenizer = TOKENIZER_CHARACTERS, .mask = MASK_WINDOW, .position = POSITION_GIVEN},
    {.name = "cross", .text = "The cat sat", .source = "Die Katze saß auf der Matte", .mask = MASK_NONE, .position = POSITION_NONE},
    {.name = "no projection",
     .text = "a b c",
     .model = MODEL_RANDOM,
     .d_model = 4,
     .heads = 1,
     .mask = MASK_NONE,
     .position = POSITION_NONE,
     .projections = PROJ_NONE},
    {.name = "twelve heads",
     .text = "one two three four",
     .model = MODEL_RANDOM,
     .heads = 12,
     .d_model = 48,
     .mask = MASK_CAUSAL,
     .position = POSITION_SINUSOIDAL},
    {.name = "many heads",
     .text = "one two three",
     .model = MODEL_RANDOM,
     .heads = 64,
     .d_model = 128,
     .mask = MASK_NONE,
     .position = POSITION_LEARNED},
    {.name = "grouped",
     .text = "The cat sat on the mat",
     .model = MODEL_RANDOM,
     .heads = 8,
     .kv_heads = 2,
     .d_model = 32,
     .mask = MASK_CAUSAL,
     .position = POSITION_ROPE_HALF},
    {.name = "alibi", .text = "The cat sat on the mat", .mask = MASK_CAUSAL, .position = POSITION_ALIBI},
    {.name = "alibi alone", .text = "The cat sat", .mask = MASK_NONE, .position = POSITION_ALIBI},
    {.name = "rope", .text = "The cat sat", .mask = MASK_NONE, .position = POSITION_ROPE_INTERLEAVED},
    {.name = "fill", .text = "The cat sat", .mask = MASK_CAUSAL, .position = POSITION_GIVEN, .fill = -1e9},
    {.name = "added", .text = "The cat sat", .mask = MASK_CAUSAL, .position = POSITION_GIVEN, .fill = -1e9, .mask_op = MASK_ADD},
    {.name = "no scale", .text = "The cat sat", .mask = MASK_CAUSAL, .position = POSITION_GIVEN, .scale = SCALE_NONE},
    {.name = "warm", .text = "The cat sat", .mask = MASK_CAUSAL, .position = POSITION_GIVEN, .temperature = 2},
    {.name = "network gpt", .text = "The cat sat on the mat", .folder = "tiny-gpt2"},
    {.name = "network llama", .text = "Once upon a time", .folder = "tiny-llama3"},
    {.name = "network bert", .text = "the cat sat on the [MASK].", .folder = "tiny-bert-mlm"},
    {.name = "network t5", .text = "the cat sat", .folder = "tiny-t5-encoder"},
    {.name = "network marian", .text = "the", .source = "the cat sat", .folder = "tiny-marian"},
    {.name = "network neox", .text = "The cat sat", .folder = "tiny-gpt-neox"},
};
const int scene_case_count = sizeof scene_cases / sizeof *scene_cases;

const SceneCase *scene_case(const char *name) {
    for (int i = 0; i < scene_case_count; i++)
        if (str_eq(scene_cases[i].name, name)) return &scene_cases[i];
    fail_msg("no case %s", name);
    return NULL;
}

static void fill_doc(Doc *doc, const SceneCase *c) {
    doc_init(doc);
    doc_set_text(doc, c->text, strlen(c->text));
    if (c->source) doc->source_text = blob_new(c->source, strlen(c->source));
    if (c->folder) {
        char name[64];
        snprintf(name, sizeof name, "models/%s", c->folder);
        View view;
        Err err = {0};
        view_init(&view);
        if (!yaml_set(doc, &view, "model", data_path(name), &err)) fail_msg("%s", err.message);
        return;
    }
    doc->tokenizer = c->tokenizer;
    doc->model = c->model;
    doc->heads = c->heads;
    doc->kv_heads = c->kv_heads;
    doc->d_model = c->d_model;
    doc->projections = c->projections;
    doc->scale = c->scale;
    doc->mask_op = c->mask_op;
    if (c->temperature > 0) doc->temperature = c->temperature;
    if (c->fill < 0) doc->fill = c->fill;
    doc->n_masks = c->mask != MASK_NONE;
    doc->masks[0].spec.kind = c->mask;
    doc->masks[0].spec.left = doc->masks[0].spec.right = 1;
    doc->position_origin = c->position == POSITION_GIVEN ? DOC_POSITION_BUILT_IN : DOC_POSITION_SET;
    if (c->position != POSITION_GIVEN) doc->position.kind = c->position;
}

void sample_open(SceneSample *sample, const SceneCase *c) {
    Err err = {0};
    Lexicon *lexicon;
    *sample = (SceneSample){0};
    fill_doc(&sample->doc, c);
    view_init(&sample->view);
    assert_true(lexicon_load(&sample->arena, &lexicon, &err));
    RunContext context = {.lexicon = lexicon, .cx = &(CoreContext){0}};
    if (!run_build(&sample->doc, &context, &sample->run, &err)) fail_msg("%s: %s", c->name, err.message);
    for (int stage = -1; c->folder && stage < trace_stage_count(sample->run->trace); stage++)
        if (!run_need(sample->run, stage, context.cx, &err)) fail_msg("%s: %s", c->name, err.message);
}

void sample_close(SceneSample *sample) {
    run_close(sample->run);
    doc_reset(&sample->doc);
    arena_free(&sample->arena);
}

Scene sample_scene(SceneSample *sample, float width, float height) {
    return (Scene){.doc = &sample->doc,
                   .view = &sample->view,
                   .run = sample->run,
                   .font = font_fake(),
                   .arena = &sample->arena,
                   .layout = layout_make(width, height, &sample->view)};
}

void sample_seek(SceneSample *sample, int stage, double part) {
    film_rest(&sample->view.film, sample->run->trace, 0);
    film_stage(&sample->view.film, sample->run->trace, stage, false);
    film_rest(&sample->view.film, sample->run->trace, (int)(part * film_steps(sample->run->trace, stage) + 0.5));
}
