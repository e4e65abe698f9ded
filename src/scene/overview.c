#include "scene/overview.h"

#include <math.h>
#include <stdio.h>

#include "base/tr.h"
#include "doc/film.h"
#include "scene/inspector.h"
#include "scene/now.h"
#include "scene/overview_part.h"

bool overview_on(const Scene *scene) { return scene->run && scene->view->overview && scene->run->n_sites > 1; }

/* ---- what there is to show ---- */

typedef struct {
    const char *title, *brief, *letter;
} GroupWords;

static const GroupWords group_words[OVERVIEW_GROUPS_MAX] = {
    {tr_mark("Encoder"), tr_mark("Encoder"), tr_mark("E")},
    {tr_mark("Decoder"), tr_mark("Decoder"), tr_mark("D")},
    {tr_mark("Cross: the decoder looks at the encoder"), tr_mark("Cross"), tr_mark("C")},
};

/* Sites of one kind form a group; groups without sites are left out. */
static void find_groups(Overview *o) {
    const Run *run = o->run;
    int place[OVERVIEW_GROUPS_MAX];
    for (int kind = 0; kind < OVERVIEW_GROUPS_MAX; kind++) {
        const GroupWords *words = &group_words[kind];
        OverviewGroup group = {.title = tr(words->title), .brief = tr(words->brief), .letter = tr(words->letter)};
        group.sites = ARENA_ARRAY(o->scene->arena, int, (size_t)run->n_sites);
        for (int i = 0; i < run->n_sites; i++)
            if (run_site_kind(&run->sites[i]) == kind) group.sites[group.n++] = i;
        for (int i = 0; i < group.n; i++) {
            int heads = run->sites[group.sites[i]].spec.n_heads;
            if (heads > group.heads) group.heads = heads;
        }
        place[kind] = o->n_groups;
        if (group.n > 0) o->group[o->n_groups++] = group;
    }
    for (int i = 0; i < run->n_sites; i++) o->group_of[i] = place[run_site_kind(&run->sites[i])];
    if (o->n_groups == 1) o->group[0].title = o->group[0].brief = o->group[0].letter = "";
}

/* ---- scales ---- */

/* What decides about scales: the lower half, where even under a causal mask there are many keys to choose from, without the first
 * column, where heads look that look nowhere. */
static float largest_of_choices(const MapSummary *map, int head) {
    const float *picture = map->picture + (size_t)head * (size_t)map->rows * (size_t)map->cols;
    float most = 0;
    for (int row = map->rows / 2; row < map->rows; row++)
        for (int col = 1; col < map->cols; col++) most = fmaxf(most, picture[row * map->cols + col]);
    return most;
}

bool overview_single(const Overview *o, int site) {
    const MapSummary *map = o->summary[site];
    return map && map->L == 1 && map->S == 1;
}

float overview_limit(const Overview *o, int site, int head) {
    const MapSummary *map = o->summary[site];
    if (!o->own_scales || !map) return 1;
    float most = largest_of_choices(map, head);
    return most > 0 && most < 1 ? most : 1;
}

/* The middle one of the largest weights of those rows: one strong cell does not light a pale map. */
static float usual_of_choices(const Overview *o, const MapSummary *map, int head) {
    const float *picture = map->picture + (size_t)head * (size_t)map->rows * (size_t)map->cols;
    float *most = ARENA_ARRAY(o->scene->arena, float, (size_t)map->rows);
    int n = 0;
    for (int row = map->rows / 2; row < map->rows; row++) {
        float value = 0;
        for (int col = 1; col < map->cols; col++) value = fmaxf(value, picture[row * map->cols + col]);
        int at = n++;
        for (; at > 0 && most[at - 1] > value; at--) most[at] = most[at - 1];
        most[at] = value;
    }
    return n ? most[n / 2] : 0;
}

/* Are more than half of the maps pale nearly everywhere? */
static bool mostly_pale(const Overview *o) {
    const float pale = 0.2f;
    int maps = 0, weak = 0;
    for (int i = 0; i < o->run->n_sites; i++) {
        const MapSummary *map = o->summary[i];
        for (int head = 0; map && map->cols > 1 && head < map->n_heads; head++) {
            maps++;
            weak += usual_of_choices(o, map, head) < pale;
        }
    }
    return 2 * weak > maps;
}

/* The map under the pointer, by its control's name. */
static void find_hovered(Overview *o) {
    int site, head, end = 0;
    const char *hot = o->scene->view->hot;
    if (sscanf(hot, "overview.map.%d.%d%n", &site, &head, &end) != 2 || hot[end] != '\0') return;
    if (site < 1 || site > o->run->n_sites || head < 1 || head > o->run->sites[site - 1].spec.n_heads) return;
    o->hovered = true;
    o->shown_site = site - 1;
    o->shown_head = head - 1;
}

Overview overview_make(const Scene *scene, DisplayList *dl) {
    const Run *run = scene->run;
    Overview o = {.scene = scene, .run = run, .theme = scene_theme(scene), .dl = dl, .s = scene->layout.scale, .pad = scene->layout.pad};
    o.group_of = ARENA_ARRAY(scene->arena, int, (size_t)run->n_sites);
    o.summary = ARENA_ARRAY(scene->arena, const MapSummary *, (size_t)run->n_sites);
    for (int i = 0; i < run->n_sites; i++)
        if (run->sites[i].weights != TENSOR_NONE) o.summary[i] = trace_summary(run->trace, run->sites[i].weights);
    o.own_scales = mostly_pale(&o);
    find_groups(&o);
    o.site = o.shown_site = (int)(scene_site(scene) - run->sites);
    int heads = run->sites[o.site].spec.n_heads;
    o.head = o.shown_head = scene->view->head < heads ? scene->view->head : heads - 1;
    find_hovered(&o);
    for (int i = 0; i < OVERVIEW_SHADES; i++)
        o.shades[i] = theme_weight_color(o.theme, scene->view->palette, (double)i / (OVERVIEW_SHADES - 1));
    return o;
}

const Site *overview_site(const Overview *o, int site) { return &o->run->sites[site]; }

float overview_text(const Overview *o, int type, FontFace face, Color color, Rect box, TextAlign align, const char *text) {
    return dl_label(o->dl, o->scene->font, face, o->scene->layout.type[type], color, box, align, text);
}

/* ---- the whole ---- */

static int softmax_stage(const Scene *scene) {
    const Site *site = scene_site(scene);
    for (int i = 0; i < site->n_stages; i++)
        if (trace_stage(scene->run->trace, site->first_stage + i)->kind == STAGE_SOFTMAX) return site->first_stage + i;
    return site->first_stage;
}

const Scene *overview_film(const Scene *scene) {
    View *view = ARENA_NEW(scene->arena, View);
    Scene *copy = ARENA_NEW(scene->arena, Scene);
    TensorId tensor;
    int index[TENSOR_RANK_MAX], stage = -1;
    *view = *scene->view;
    *copy = *scene;
    copy->view = view;
    if (scene_selection(scene, &tensor, index)) stage = trace_stage_of(scene->run->trace, tensor);
    if (stage < 0) stage = softmax_stage(scene);
    view->film.stage = stage;
    view->film.playing = false;
    view->film.position = view->film.until = film_steps(scene->run->trace, stage);
    return copy;
}

Rect overview_drawer(const Scene *scene) {
    TensorId tensor;
    int index[TENSOR_RANK_MAX];
    const Layout *l = &scene->layout;
    if (!scene_selection(scene, &tensor, index)) return (Rect){0};
    float w = fminf(424 * l->scale, l->stage.w);
    return (Rect){l->stage.x + l->stage.w - w, l->stage.y, w, l->stage.h};
}

static void draw_maps(const Overview *o, Rect area) {
    if (run_maps_in_line(o->run, o->scene->view->sort))
        overview_flow(o, area);
    else
        overview_grid(o, area);
}

void overview_draw(const Scene *scene, DisplayList *dl) {
    Overview o = overview_make(scene, dl);
    Rect area = scene->layout.stage;
    DlGroup group = {.role = ROLE_STAGE, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(dl, "overview")};
    dl_group(dl, area, &group);
    rect_cut_top(&area, overview_head(&o, area));
    draw_maps(&o, area);
    dl_ungroup(dl);
    overview_panel(&o, scene->layout.inspector);
}

void overview_present(const Scene *scene, DisplayList *dl) {
    Overview o = overview_make(scene, dl);
    Rect area = scene->layout.content;
    RichStyle style = scene_style(scene, TYPE_TITLE, FACE_UI_BOLD, o.theme->ink);
    rich_label(dl, &style, scene->layout.rail, ALIGN_LEFT, overview_heading(&o));
    DlGroup group = {.role = ROLE_STAGE, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(dl, "overview")};
    dl_group(dl, area, &group);
    draw_maps(&o, area);
    dl_ungroup(dl);
}
