#include "app/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session_files.h"
#include "app/session_picture.h"
#include "app/session_settle.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "doc/film.h"
#include "scene/scene.h"

enum { SCREEN_WIDTH = 1600, SCREEN_HEIGHT = 1000, SCENARIO_MAX = 256 << 10 };

const char *const export_what_names[EXPORT_WHAT_COUNT] = {
    [EXPORT_SCREEN] = "screen", [EXPORT_MAP] = "map", [EXPORT_HEADS] = "heads", [EXPORT_STAGES] = "stages", [EXPORT_ROW] = "row", [EXPORT_LAYERS] = "layers"};

/* Labels of a figure, in units: what a size in points is about. */
enum { LABEL_UNITS = 15 };

bool export_length(const char *text, float *points, Err *err) {
    /* column and textwidth: of a two-column conference page 6.75 in wide with a gap of 0.25 in (the style files of ICML) */
    static const struct { const char *unit; double points; } units[] = {{"mm", 72 / 25.4}, {"cm", 72 / 2.54}, {"in", 72}, {"pt", 1}};
    double named = str_eq(text, "column") ? 3.25 * 72 : str_eq(text, "textwidth") ? 6.75 * 72 : 0;
    char *end;
    double number = named > 0 ? named : strtod(text, &end);
    bool good = named > 0;
    for (size_t i = 0; i < sizeof units / sizeof *units && !good; i++)
        if (end != text && str_eq(end, units[i].unit)) good = true, number *= units[i].points;
    if (!good || !(number >= 18 && number <= 14400))
        return err_set(err, ERR_USAGE, tr("\"%s\" is no width; write such as 84mm, 3.25in, 240pt, column (3.25in) or textwidth (6.75in), from 18pt to 14400pt"), text);
    *points = (float)number;
    return true;
}

static FigureSpec figure_of(const Session *s, const ExportSpec *spec) {
    static const FigureKind kinds[EXPORT_WHAT_COUNT] = {[EXPORT_STAGES] = FIGURE_OF_STAGES, [EXPORT_ROW] = FIGURE_OF_ROW, [EXPORT_LAYERS] = FIGURE_OF_LAYERS};
    FigureSpec figure = {.kind = kinds[spec->what], .head = spec->what == EXPORT_HEADS ? -1 : s->view.head, .width = spec->width, .height = spec->height, .options = spec->figure};
    if (spec->wide_points > 0 && spec->font_points > 0 && figure.width <= 0) figure.width = spec->wide_points / spec->font_points * LABEL_UNITS;
    return figure;
}

void export_draw(Session *s, const ExportSpec *spec, Arena *arena, DisplayList *list) {
    float width = spec->width, height = spec->height;
    FigureSpec figure = figure_of(s, spec);
    if (spec->what == EXPORT_SCREEN) session_draw(s, width > 0 ? width : SCREEN_WIDTH, height > 0 ? height : SCREEN_HEIGHT, arena, list);
    else session_figure(s, &figure, arena, list);
}

/* Points a unit, where a size on paper is asked for. */
static float points_of(const ExportSpec *spec, const DisplayList *list) {
    if (spec->wide_points > 0) return spec->wide_points / list->width;
    return spec->font_points > 0 ? spec->font_points / LABEL_UNITS : spec->picture.points;
}

/* Too long for a picture to carry, it is named by its hash: so one can tell whether a file is the one that was drawn. */
const char *export_scenario(Session *s, const char *path, Arena *arena) {
    const char *text = session_scenario(s, path, arena);
    const Network *network = s->run ? s->run->network : NULL; /* a folder may have been changed meanwhile: by its hash one can tell */
    if (network) text = arena_printf(arena, "# %s, SHA-256 %s\n%s", checkpoint_info(network->checkpoint)->name, checkpoint_info(network->checkpoint)->hash, text);
    if (strlen(text) <= SCENARIO_MAX) return text;
    char hash[SHA256_HEX];
    Sha256 sha;
    sha256_init(&sha);
    sha256_add(&sha, text, strlen(text));
    sha256_finish(&sha, hash);
    return arena_printf(arena, "# The scenario of this picture is larger than %d KiB and not kept in it. Its SHA-256: %s\n", SCENARIO_MAX >> 10, hash);
}

/* What is to be seen, and of which words. */
static const char *title_of(const Session *s, const ExportSpec *spec, Arena *arena) {
    static const char *const what[EXPORT_WHAT_COUNT] = {[EXPORT_SCREEN] = tr_mark("%s, the whole screen"), [EXPORT_MAP] = tr_mark("%s, one head"), [EXPORT_HEADS] = tr_mark("%s, all heads"),
                                                        [EXPORT_STAGES] = tr_mark("All stages"), [EXPORT_ROW] = tr_mark("%s, the arithmetic"), [EXPORT_LAYERS] = tr_mark("Weights of all layers and heads")};
    enum { SHOWN = 60 };
    const char *stage = tr(film_station_name(trace_stage(s->run->trace, s->view.film.stage)->kind)), *text = doc_text(&s->doc);
    const char *title = arena_printf(arena, tr(what[spec->what]), stage);
    if (!text[0]) return title;
    size_t fit = utf8_fit(text, strlen(text), SHOWN);
    return arena_printf(arena, text[fit] ? "%s — %.*s…" : "%s — %.*s", title, (int)fit, text);
}

/* "map.png" and "map.txt". */
static bool write_alt(const PictureOptions *picture, const char *path, Arena *arena, Err *err) {
    const char *name = path_name(path), *dot = strrchr(name, '.');
    if (str_eq(path, "-")) return err_set(err, ERR_USAGE, "%s", tr("a picture on standard output has no file beside it for its sentences"));
    int stem = dot ? (int)(dot - path) : (int)strlen(path);
    return file_write(arena_printf(arena, "%.*s.txt", stem, path), picture->description, strlen(picture->description), err);
}

bool export_write_as(Session *s, const ExportSpec *spec, const PictureFormat *format, const char *path, Err *err) {
    if (!s->options.fonts) return err_set(err, ERR_USAGE, "%s", tr("this session writes no pictures"));
    if (!session_have_picture(s, err)) return false;
    Arena arena = {0};
    DisplayList list;
    PictureOptions picture = spec->picture;
    export_draw(s, spec, &arena, &list);
    picture.points = points_of(spec, &list);
    picture.title = title_of(s, spec, &arena);
    picture.description = session_narrate(s, &arena, NULL);
    picture.scenario = export_scenario(s, path, &arena);
    bool ok = picture_write(s->options.fonts, &list, format, &picture, path, err) && (!spec->alt || write_alt(&picture, path, &arena, err));
    arena_free(&arena);
    return ok;
}

bool export_write(Session *s, const ExportSpec *spec, const char *path, Err *err) {
    const PictureFormat *format = picture_format_of(path, err);
    return format && export_write_as(s, spec, format, path, err);
}
