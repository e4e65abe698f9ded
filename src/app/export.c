#include "app/export.h"

#include <stdio.h>
#include <string.h>

#include "app/session_files.h"
#include "app/session_picture.h"
#include "app/session_settle.h"
#include "base/sha256.h"
#include "base/tr.h"
#include "scene/scene.h"

enum { SCREEN_WIDTH = 1600, SCREEN_HEIGHT = 1000, SCENARIO_MAX = 256 << 10 };

void export_draw(Session *s, const ExportSpec *spec, Arena *arena, DisplayList *list) {
    float width = spec->width, height = spec->height;
    if (spec->what == EXPORT_SCREEN) session_draw(s, width > 0 ? width : SCREEN_WIDTH, height > 0 ? height : SCREEN_HEIGHT, arena, list);
    else session_figure(s, spec->what == EXPORT_HEADS ? -1 : s->view.head, width, height, arena, list);
}

/* Too long for a picture to carry, it is named by its hash: so one can tell whether a file is the one that was drawn. */
const char *export_scenario(Session *s, const char *path, Arena *arena) {
    const char *text = session_scenario(s, path, arena);
    if (strlen(text) <= SCENARIO_MAX) return text;
    char hash[SHA256_HEX];
    Sha256 sha;
    sha256_init(&sha);
    sha256_add(&sha, text, strlen(text));
    sha256_finish(&sha, hash);
    return arena_printf(arena, "# The scenario of this picture is larger than %d KiB and not kept in it. Its SHA-256: %s\n", SCENARIO_MAX >> 10, hash);
}

bool export_write_as(Session *s, const ExportSpec *spec, const PictureFormat *format, const char *path, Err *err) {
    if (!s->options.fonts) return err_set(err, ERR_USAGE, "%s", tr("this session writes no pictures"));
    if (!session_have_picture(s, err)) return false;
    Arena arena = {0};
    DisplayList list;
    PictureOptions picture = spec->picture;
    export_draw(s, spec, &arena, &list);
    picture.title = session_title(s, &arena);
    picture.description = session_narrate(s, &arena, NULL);
    picture.scenario = export_scenario(s, path, &arena);
    bool ok = picture_write(s->options.fonts, &list, format, &picture, path, err);
    arena_free(&arena);
    return ok;
}

bool export_write(Session *s, const ExportSpec *spec, const char *path, Err *err) {
    const PictureFormat *format = picture_format_of(path, err);
    return format && export_write_as(s, spec, format, path, err);
}
