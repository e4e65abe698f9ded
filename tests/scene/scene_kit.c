#include "scene_kit.h"

#include <stdio.h>

#include "draw/theme.h"

static void start(SceneKit *kit) {
    Err err = {0};
    *kit = (SceneKit){0};
    if (!lexicon_load(&kit->lasting, &kit->lexicon, &err)) fail_msg("%s", err.message);
    view_init(&kit->view);
}

static void finish(SceneKit *kit, bool good, Err *err) {
    char text[1024];
    RunContext context = {.lexicon = kit->lexicon, .cx = &(CoreContext){0}};
    if (!good || !run_build(&kit->doc, &context, &kit->run, err)) fail_msg("%s", err_format(err, text, sizeof text));
}

void kit_open(SceneKit *kit, const char *yaml) {
    Err err = {0};
    bool more, good = true;
    start(kit);
    View from_file;
    if (yaml)
        good = yaml_read(yaml, strlen(yaml), "test", 0, &kit->doc, &from_file, &more, &err);
    else
        doc_init(&kit->doc);
    finish(kit, good, &err);
}

void kit_open_file(SceneKit *kit, const char *path) {
    Err err = {0};
    bool more;
    View from_file;
    start(kit);
    finish(kit, yaml_read_file(path, 0, &kit->doc, &from_file, &more, &err), &err);
}

void kit_close(SceneKit *kit) {
    run_close(kit->run);
    doc_reset(&kit->doc);
    arena_free(&kit->lasting);
    arena_free(&kit->frame);
}

void kit_film(SceneKit *kit, int stage, double position) {
    kit->view.film.stage = stage;
    kit->view.film.position = kit->view.film.until = position;
}

Scene kit_scene(SceneKit *kit, float width, float height) {
    return (Scene){.doc = &kit->doc,
                   .view = &kit->view,
                   .run = kit->run,
                   .font = font_fake(),
                   .arena = &kit->frame,
                   .layout = layout_make(width, height, &kit->view)};
}

Rect kit_draw_stage(SceneKit *kit, float width, float height, DisplayList *dl) {
    arena_reset(&kit->frame);
    Scene scene = kit_scene(kit, width, height);
    dl_init(dl, &kit->frame, width, height, theme_at(kit->view.theme)->background);
    stage_draw(&scene, scene.layout.stage, dl);
    dl_finish(dl);
    return scene.layout.stage;
}

char *kit_words(Arena *arena, int n) {
    StrBuf sb;
    sb_init(&sb, arena);
    static const char *const words[] = {"the", "cat", "sat", "on", "a", "mat", "and", "slept", "internationalization"};
    for (int i = 0; i < n; i++) sb_printf(&sb, "%s%s", i ? " " : "", words[(i * 5 + i / 3) % 9]);
    return sb.data;
}
