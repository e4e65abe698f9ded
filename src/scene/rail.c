#include "scene/rail.h"

#include <math.h>
#include <stdio.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "doc/film.h"
#include "scene/now.h"
#include "scene/paint.h"

const char *stage_title(StageKind kind) { return film_station_name(kind); }

bool stage_has_digit(StageKind kind) { return kind < STAGE_ATTENTION_COUNT; }

enum { STOPS_MAX = 40 };
static const float FOLD_WIDE = 0.6f, DIAMOND_WIDE = 0.8f; /* of the room of a station with a digit */

/* A station, or the mark of neighbours that are folded. */
typedef struct {
    int stage;  /* of the trace; of a mark the first one behind it */
    int folded; /* a mark: so many stations behind it; 0 = a station */
    bool closes; /* a mark that folds again */
    bool folds;  /* one of several neighbours that are folded together; a single one always stands */
    float x, room;
} Stop;

typedef struct {
    Stop stop[STOPS_MAX];
    int n, now;
    float circle_y, label_y, label_h;
    bool names; /* there is room for all names */
} Rail;

static StageKind kind_at(const Scene *scene, int stage) { return trace_stage(scene->run->trace, stage)->kind; }

static bool stands_alone(StageKind kind) { return stage_has_digit(kind) || kind == STAGE_PREDICT; }

static Stop *add_stop(Rail *rail, int stage) {
    if (rail->n == STOPS_MAX) return &rail->stop[STOPS_MAX - 1];
    Stop *stop = &rail->stop[rail->n++];
    *stop = (Stop){.stage = stage};
    return stop;
}

/* The stations of the site that the film is in, unfolded, with the mark that folds them. */
static void collect(const Scene *scene, Rail *rail) {
    const Site *site = scene_site(scene);
    int end = site->first_stage + site->n_stages, last = -1;
    for (int i = site->first_stage; i < end; i++) {
        bool before = i > site->first_stage && !stands_alone(kind_at(scene, i - 1));
        bool after = i + 1 < end && !stands_alone(kind_at(scene, i + 1));
        if (!stands_alone(kind_at(scene, i)) && (before || after)) last = i;
    }
    for (int i = site->first_stage; i < end; i++) {
        bool before = i > site->first_stage && !stands_alone(kind_at(scene, i - 1));
        bool after = i + 1 < end && !stands_alone(kind_at(scene, i + 1));
        add_stop(rail, i)->folds = !stands_alone(kind_at(scene, i)) && (before || after);
        if (i == last) *add_stop(rail, i) = (Stop){.stage = i, .folded = 1, .closes = true, .folds = true};
    }
}

/* Neighbours that are folded become a mark. */
static void fold(Rail *rail) {
    int n = 0;
    for (int i = 0; i < rail->n; i++) {
        Stop *stop = &rail->stop[i], *mark = n > 0 ? &rail->stop[n - 1] : NULL;
        if (!stop->folds) {
            rail->stop[n++] = *stop;
        } else if (mark && mark->folded) {
            mark->folded += !stop->closes;
        } else {
            rail->stop[n] = *stop;
            rail->stop[n++].folded = 1;
        }
    }
    rail->n = n;
}

static const char *stop_title(const Scene *scene, const Stop *stop) {
    if (stop->closes) return tr("Fold");
    if (stop->folded > 1) return arena_printf(scene->arena, tr("%d more"), stop->folded);
    return stage_title(kind_at(scene, stop->stage));
}

static float title_width(const Scene *scene, const Stop *stop) {
    return font_width(scene->font, FACE_UI_SEMIBOLD, scene->layout.type[TYPE_LABEL], stop_title(scene, stop));
}

static float width_of(const Scene *scene, const Stop *stop) {
    return stop->folded ? FOLD_WIDE : stage_has_digit(kind_at(scene, stop->stage)) ? 1 : DIAMOND_WIDE;
}

/* Equal rooms, marks a smaller one; where names do not fit so, each has what its name needs; else names are dropped. */
static void share_room(const Scene *scene, Rail *rail) {
    const Layout *l = &scene->layout;
    float units = 0, needed = 0, pad = l->pad;
    for (int i = 0; i < rail->n; i++) {
        units += width_of(scene, &rail->stop[i]);
        needed += title_width(scene, &rail->stop[i]) + 2 * pad;
    }
    rail->names = true;
    for (int i = 0; i < rail->n; i++) {
        Stop *stop = &rail->stop[i];
        stop->room = l->rail.w / units * width_of(scene, stop);
        if (title_width(scene, stop) > stop->room - pad) rail->names = false;
    }
    if (rail->names || needed > l->rail.w) return;
    rail->names = true;
    for (int i = 0; i < rail->n; i++)
        rail->stop[i].room = title_width(scene, &rail->stop[i]) + 2 * pad + (l->rail.w - needed) / (float)rail->n;
}

static Rail measure(const Scene *scene) {
    const Layout *l = &scene->layout;
    Rail rail = {.now = scene->view->film.stage};
    collect(scene, &rail);
    if (!scene->view->block_open && stands_alone(kind_at(scene, rail.now))) fold(&rail);
    share_room(scene, &rail); /* over the whole width, folded or not */
    float x = l->rail.x;
    for (int i = 0; i < rail.n; i++) {
        rail.stop[i].x = x + rail.stop[i].room / 2;
        x += rail.stop[i].room;
    }
    rail.circle_y = l->rail.y + (l->low ? 20 : 37) * l->scale;
    rail.label_y = l->rail.y + (l->low ? 37 : 54) * l->scale;
    rail.label_h = 22 * l->scale;
    return rail;
}

static int last_station(const Rail *rail) { return rail->n - 1 - rail->stop[rail->n - 1].closes; }

/* The stop at which the film is; of a folded stage its mark. */
static int stop_now(const Rail *rail) {
    int at = 0;
    for (int i = 0; i <= last_station(rail); i++)
        if (rail->stop[i].stage <= rail->now && !rail->stop[i].closes) at = i;
    return at;
}

static void draw_line(const Scene *scene, const Rail *rail, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    int at = stop_now(rail), last = last_station(rail);
    float thick = 3 * scene->layout.scale, half = thick / 2, x0 = rail->stop[0].x;
    float end = rail->stop[last].x, here = rail->stop[at].x;
    int steps = film_steps(scene->run->trace, rail->now);
    float part = (float)fmin(1, scene->view->film.position / fmax(1, steps));
    dl_rect(dl, (Rect){x0, rail->circle_y - half, end - x0, thick}, half, theme->line, COLOR_NONE, 0);
    if (here > x0) dl_rect(dl, (Rect){x0, rail->circle_y - half, here - x0, thick}, half, theme->accent, COLOR_NONE, 0);
    int next = at + 1 + (at + 1 < last && rail->stop[at + 1].closes);
    if (part > 0 && here < end)
        dl_rect(dl, (Rect){here, rail->circle_y - half, (rail->stop[next].x - here) * part, thick}, half,
                color_mix(theme->line, theme->accent, 0.55), COLOR_NONE, 0);
}

/* A circle with its digit, or a diamond. */
static void draw_sign(const Scene *scene, const Rail *rail, const Stop *stop, float r, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Layout *l = &scene->layout;
    StageKind kind = kind_at(scene, stop->stage);
    bool here = stop->stage == rail->now, filled = here || stop->stage < rail->now;
    Color fill = filled ? theme->accent : theme->panel, edge = filled ? COLOR_NONE : theme->line;
    float y = rail->circle_y, width = filled ? 0 : 2 * l->scale;
    Rect circle = {stop->x - r, y - r, 2 * r, 2 * r};
    if (!stage_has_digit(kind)) {
        const DlPoint diamond[] = {{stop->x, y - r}, {stop->x + r, y}, {stop->x, y + r}, {stop->x - r, y}};
        dl_path(dl, diamond, 4, true, fill, edge, width);
        return;
    }
    char digit[16];
    snprintf(digit, sizeof digit, "%d", (int)kind + 1);
    dl_rect(dl, circle, r, fill, edge, width);
    dl_label(dl, scene->font, FACE_UI_BOLD, here ? l->type[TYPE_BODY] : l->type[TYPE_SMALL], filled ? theme->on_accent : theme->muted,
             circle, ALIGN_CENTER, digit);
}

static void draw_title(const Scene *scene, const Rail *rail, const Stop *stop, const char *title, bool here, DisplayList *dl) {
    const Layout *l = &scene->layout;
    const Theme *theme = scene_theme(scene);
    FontFace face = here ? FACE_UI_SEMIBOLD : FACE_UI;
    float wide = font_width(scene->font, face, l->type[TYPE_LABEL], title) + 1, end = l->rail.x + l->rail.w;
    Rect label = {fmaxf(l->rail.x, fminf(stop->x - wide / 2, end - wide)), rail->label_y, wide, rail->label_h};
    dl_label(dl, scene->font, face, l->type[TYPE_LABEL], here ? theme->ink : theme->muted, label, ALIGN_CENTER, title);
}

/* Where a click is meant for this stop. */
static Rect stop_box(const Scene *scene, const Rail *rail, const Stop *stop) {
    float s = scene->layout.scale, half = fminf(stop->room / 2, 64 * s), top = rail->circle_y - 18 * s;
    return (Rect){stop->x - half, top, 2 * half, rail->label_y + rail->label_h - top};
}

static void draw_station(const Scene *scene, const Rail *rail, const Stop *stop, DisplayList *dl) {
    const Layout *l = &scene->layout;
    StageKind kind = kind_at(scene, stop->stage);
    bool here = stop->stage == rail->now, digit = stage_has_digit(kind);
    float r = (here ? 14 : 10) * l->scale * (digit ? 1 : 0.8f);
    char name[32], action[32];
    if (digit)
        snprintf(name, sizeof name, "rail.%d", (int)kind + 1);
    else
        snprintf(name, sizeof name, "rail.x.%s", stage_name(kind));
    if (scene->run->network)
        snprintf(action, sizeof action, "stage %s", stage_name(kind));
    else
        snprintf(action, sizeof action, "stage %d", stop->stage + 1);
    const char *title = stage_title(kind);
    dl_control(dl, stop_box(scene, rail, stop), ROLE_BUTTON, name, action, title);
    draw_sign(scene, rail, stop, r, dl);
    if (rail->names || here) draw_title(scene, rail, stop, title, here, dl);
    scene_ring(scene, dl, name, (Rect){stop->x - r, rail->circle_y - r, 2 * r, 2 * r}, digit ? r : r / 3);
    dl_ungroup(dl);
}

/* All names behind a mark, for its tooltip. */
static const char *folded_names(const Scene *scene, const Stop *stop) {
    const char *all = NULL;
    for (int i = 0; i < stop->folded; i++) all = phrase_names(scene->arena, all, stage_title(kind_at(scene, stop->stage + i)));
    return all ? all : "";
}

/* Three dots: there is more here. One line: fold it again. */
static void draw_mark(const Scene *scene, const Rail *rail, int at, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Stop *stop = &rail->stop[at];
    float s = scene->layout.scale, w = 22 * s, h = 14 * s, y = rail->circle_y, dot = 1.6f * s;
    bool first = !stop->closes && at < rail->n - 1 && kind_at(scene, stop->stage) == STAGE_NORM;
    const char *name = first ? "rail.block.before" : "rail.block";
    const char *label = stop->closes ? tr("Fold the stations around attention") : folded_names(scene, stop);
    Rect pill = {stop->x - w / 2, y - h / 2, w, h};
    bool done = !stop->closes && stop->stage < rail->now;
    dl_control(dl, stop_box(scene, rail, stop), ROLE_BUTTON, name, "block", label);
    dl_rect(dl, pill, h / 2, theme->panel, done ? theme->accent : theme->line, 1.5f * s);
    if (stop->closes)
        dl_line(dl, stop->x - 5 * s, y, stop->x + 5 * s, y, theme->muted, 1.5f * s);
    else
        for (int k = -1; k <= 1; k++)
            dl_rect(dl, (Rect){stop->x + (float)k * 5 * s - dot, y - dot, 2 * dot, 2 * dot}, dot, theme->muted, COLOR_NONE, 0);
    if (rail->names) draw_title(scene, rail, stop, stop_title(scene, stop), false, dl);
    scene_ring(scene, dl, name, pill, h / 2);
    dl_ungroup(dl);
}

void rail_draw(const Scene *scene, DisplayList *dl) {
    Rail rail = measure(scene);
    draw_line(scene, &rail, dl);
    for (int i = 0; i < rail.n; i++) {
        if (rail.stop[i].folded)
            draw_mark(scene, &rail, i, dl);
        else
            draw_station(scene, &rail, &rail.stop[i], dl);
    }
}
