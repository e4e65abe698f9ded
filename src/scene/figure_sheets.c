/* Pages that are no map: all stages as a contact sheet, the arithmetic of one row, the maps of all layers and heads. */
#include <assert.h>
#include <math.h>

#include "base/tr.h"
#include "doc/film.h"
#include "draw/dl_include.h"
#include "scene/figure_part.h"
#include "scene/inspector.h"
#include "scene/now.h"
#include "scene/overview.h"
#include "scene/paint.h"

/* Units at scale 1. */
enum { TILE_WIDE = 720, TILE_HIGH = 600, TILES_ACROSS = 3, TILE_NAME = 36, SHEET_EDGE = 24, ROW_WIDE = 680, ROW_MOST = 40, ROW_HIGH = 32, ROW_AROUND = 320,
       LAYERS_WIDE = 1280, LAYERS_MOST = 4000 };

/* ---- all stages ---- */

/* Those that the film of the layer in view stops at. */
static int stages_of(const Scene *scene, int *list) {
    const Trace *trace = scene->run->trace;
    FilmSite site = film_site(trace, scene->view->film.stage);
    int n = 0;
    for (int i = site.first; i < site.first + site.n && n < STAGE_KIND_COUNT; i++)
        if (film_shows(trace, i, scene->view->block_open)) list[n++] = i;
    return n;
}

static void size_stages(const Scene *scene, const FigureSpec *spec, float *width, float *height) {
    (void)spec;
    int list[STAGE_KIND_COUNT], n = stages_of(scene, list), across = n < TILES_ACROSS ? n : TILES_ACROSS, down = (n + across - 1) / (across > 0 ? across : 1);
    *width = (float)(across * TILE_WIDE + 2 * SHEET_EDGE);
    *height = (float)(down * (TILE_HIGH + TILE_NAME) + 2 * SHEET_EDGE);
}

static void draw_stages(const Scene *scene, const FigureSpec *spec, DisplayList *dl) {
    const Theme *theme = theme_at(scene->view->theme);
    int list[STAGE_KIND_COUNT], n = stages_of(scene, list);
    for (int i = 0; i < n; i++) {
        float x = (float)(SHEET_EDGE + i % TILES_ACROSS * TILE_WIDE), y = (float)(SHEET_EDGE + i / TILES_ACROSS * (TILE_HIGH + TILE_NAME));
        FigureSpec one = {.stage = list[i], .head = spec->head, .position = film_steps(scene->run->trace, list[i]), .width = TILE_WIDE, .height = TILE_HIGH, .options = spec->options};
        DisplayList *tile = ARENA_NEW(scene->arena, DisplayList);
        one.options.without |= FIGURE_CAPTION;
        dl_init(tile, scene->arena, TILE_WIDE, TILE_HIGH, dl->background);
        figure_draw(scene, &one, tile);
        dl_finish(tile);
        dl_include(dl, tile, x, y + TILE_NAME, 1);
        const char *name = arena_printf(scene->arena, "%d  %s", i + 1, tr(film_station_name(trace_stage(scene->run->trace, list[i])->kind)));
        dl_label(dl, scene->font, FACE_UI_SEMIBOLD, 18, theme->accent, (Rect){x + SHEET_EDGE, y, TILE_WIDE - 2 * SHEET_EDGE, TILE_NAME}, ALIGN_LEFT, name);
        if (i % TILES_ACROSS) dl_line(dl, x, y + 12, x, y + TILE_HIGH + TILE_NAME - 12, theme->line, 1);
    }
}

/* ---- one row ---- */

static void size_row(const Scene *scene, const FigureSpec *spec, float *width, float *height) {
    int keys = scene_site(scene)->spec.S < ROW_MOST ? scene_site(scene)->spec.S : ROW_MOST;
    *width = spec->width > 0 ? spec->width : ROW_WIDE;
    *height = spec->height > 0 ? spec->height : (float)(ROW_AROUND + ROW_HIGH * keys);
}

static void draw_row(const Scene *scene, const FigureSpec *spec, DisplayList *dl) {
    (void)spec;
    Scene page = *scene;
    page.layout.inspector = rect_inset((Rect){0, 0, dl->width, dl->height}, SHEET_EDGE);
    page.layout.paper = true;
    inspector_draw(&page, dl);
}

/* ---- layers and heads ---- */

static void size_layers(const Scene *scene, const FigureSpec *spec, float *width, float *height) {
    int heads = scene_site(scene)->spec.n_heads, layers = scene->run->n_sites;
    *width = spec->width > 0 ? spec->width : LAYERS_WIDE;
    float side = (*width - 4 * SHEET_EDGE) / (float)(heads > 0 ? heads : 1);
    *height = spec->height > 0 ? spec->height : fminf(6 * SHEET_EDGE + side * (float)layers, LAYERS_MOST);
}

static void draw_layers(const Scene *scene, const FigureSpec *spec, DisplayList *dl) {
    (void)spec;
    Scene page = *scene;
    View *view = ARENA_NEW(scene->arena, View);
    *view = *scene->view;
    view->overview = true;
    page.view = view;
    page.layout.rail = (Rect){SHEET_EDGE, SHEET_EDGE / 2, dl->width - 2 * SHEET_EDGE, 2 * SHEET_EDGE};
    page.layout.content = page.layout.stage = (Rect){2 * SHEET_EDGE, 3 * SHEET_EDGE, dl->width - 3 * SHEET_EDGE, dl->height - 5 * SHEET_EDGE};
    overview_present(&page, dl);
    Color muted = theme_at(scene->view->theme)->muted;
    const char *layers = tr("layers"), *heads = tr("heads");
    float wide = font_width(scene->font, FACE_UI, 15, layers);
    dl_text_turned(dl, scene->font, FACE_UI, 15, muted, 1.4f * SHEET_EDGE, (dl->height + wide) / 2, 90, layers);
    dl_label(dl, scene->font, FACE_UI, 15, muted, (Rect){0, dl->height - 2 * SHEET_EDGE, dl->width, SHEET_EDGE}, ALIGN_CENTER, heads);
}

/* ---- all ---- */

static const struct {
    void (*size)(const Scene *scene, const FigureSpec *spec, float *width, float *height);
    void (*draw)(const Scene *scene, const FigureSpec *spec, DisplayList *dl);
} sheets[FIGURE_KIND_COUNT] = {
    [FIGURE_OF_MAPS] = {figure_maps_size, figure_maps_draw},
    [FIGURE_OF_STAGES] = {size_stages, draw_stages},
    [FIGURE_OF_ROW] = {size_row, draw_row},
    [FIGURE_OF_LAYERS] = {size_layers, draw_layers},
};

void figure_size(const Scene *scene, const FigureSpec *spec, float *width, float *height) { sheets[spec->kind].size(scene, spec, width, height); }

void figure_draw(const Scene *scene, const FigureSpec *spec, DisplayList *dl) { sheets[spec->kind].draw(scene, spec, dl); }
