/* Actions on the view: the film, heads, looks, menus and focus. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/action_parts.h"

/* ---- the film ---- */

/* A step key on a blank picture restores it and does no more; on the overview it opens the map that is in view. */
static bool restores(ActionContext *cx) {
    bool was = cx->view->blank || action_in_overview(cx);
    if (!cx->view->blank) cx->view->overview = false;
    cx->view->blank = false;
    return was;
}

/* What ends each action on the film: it stood in stage `before`. */
static bool moved(ActionContext *cx, int before) {
    View *view = cx->view;
    action_film_moved(view, cx->run, before);
    if (!cx->run) return true;
    int heads = run_site(cx->run, view->film.stage)->spec.n_heads;
    if (view->head >= heads) view->head = heads > 0 ? heads - 1 : 0;
    run_note_place(cx->run, view);
    return true;
}

bool action_next(ActionContext *cx, const ActionLine *line, Err *err) {
    int before = cx->view->film.stage;
    (void)line;
    if (restores(cx)) return true;
    if (!action_needs_run(cx, err)) return false;
    film_next(cx->view, cx->run->trace);
    return moved(cx, before);
}

bool action_back(ActionContext *cx, const ActionLine *line, Err *err) {
    int before = cx->view->film.stage;
    (void)line;
    if (restores(cx)) return true;
    if (!action_needs_run(cx, err)) return false;
    film_back(cx->view, cx->run->trace);
    return moved(cx, before);
}

bool action_stage_next(ActionContext *cx, const ActionLine *line, Err *err) {
    int before = cx->view->film.stage;
    (void)line;
    if (restores(cx)) return true;
    if (!action_needs_run(cx, err)) return false;
    Film *film = &cx->view->film;
    const Trace *trace = cx->run->trace;
    bool finished = film->position >= film_steps(trace, film->stage);
    int next = finished ? film_neighbour(trace, film->stage, cx->view->block_open, 1) : film->stage;
    film_stage(film, trace, next < 0 ? film->stage : next, true);
    return moved(cx, before);
}

bool action_stage_back(ActionContext *cx, const ActionLine *line, Err *err) {
    int before = cx->view->film.stage;
    (void)line;
    if (restores(cx)) return true;
    if (!action_needs_run(cx, err)) return false;
    Film *film = &cx->view->film;
    int behind = film_neighbour(cx->run->trace, film->stage, cx->view->block_open, -1);
    film_stage(film, cx->run->trace, behind < 0 ? film->stage : behind, behind >= 0);
    return moved(cx, before);
}

bool action_film_home(ActionContext *cx, const ActionLine *line, Err *err) {
    int before = cx->view->film.stage;
    (void)line, (void)err;
    restores(cx);
    film_home(&cx->view->film);
    return moved(cx, before);
}

bool action_film_end(ActionContext *cx, const ActionLine *line, Err *err) {
    int before = cx->view->film.stage;
    (void)line;
    restores(cx);
    if (!action_needs_run(cx, err)) return false;
    film_end(cx->view, cx->run->trace);
    return moved(cx, before);
}

bool action_play(ActionContext *cx, const ActionLine *line, Err *err) {
    int before = cx->view->film.stage;
    (void)line;
    restores(cx);
    if (!action_needs_run(cx, err)) return false;
    film_play(cx->view, cx->run->trace);
    return moved(cx, before);
}

bool action_speed(ActionContext *cx, const ActionLine *line, Err *err) {
    static const double speeds[] = {0.25, 0.5, 1, 2, 4, 8};
    enum { SPEEDS = sizeof speeds / sizeof *speeds };
    if (line->n > 1) return action_double("speed", line->arg[1], 0.25, 8, &cx->view->film.speed, err);
    int next = 0;
    while (next < SPEEDS && speeds[next] <= cx->view->film.speed) next++;
    cx->view->film.speed = speeds[next % SPEEDS];
    return true;
}

/* A stage of the layer in view: one of the nine by its number, any by its name. */
static bool find_stage(const Trace *trace, int from, const char *text, int *out, Err *err) {
    int number;
    const char *names[STAGE_KIND_COUNT];
    FilmSite site = film_site(trace, from);
    for (int i = 0; i < STAGE_KIND_COUNT; i++) names[i] = film_stage_in(trace, from, (StageKind)i) >= 0 ? stage_name((StageKind)i) : NULL;
    if (str_to_int(text, &number)) {
        int most = site.n < STAGE_ATTENTION_COUNT ? site.n : STAGE_ATTENTION_COUNT;
        if (!action_int("stage", text, 1, most, &number, err)) return false;
        number--;
    } else if (!action_choice("stage", names, STAGE_KIND_COUNT, text, &number, err)) {
        return false;
    }
    *out = film_stage_in(trace, from, (StageKind)number);
    return *out >= 0 || err_set(err, ERR_INPUT, tr("there is no stage %s here"), text);
}

bool action_stage(ActionContext *cx, const ActionLine *line, Err *err) {
    int before = cx->view->film.stage;
    static const char *const places[] = {"start", "end"};
    int stage, place;
    cx->view->overview = cx->view->overview && cx->view->blank;
    if (restores(cx)) return true;
    if (!action_needs_run(cx, err) || !find_stage(cx->run->trace, before, line->arg[1], &stage, err)) return false;
    Film *film = &cx->view->film;
    if (!film_shows(cx->run->trace, stage, cx->view->block_open)) cx->view->block_open = true;
    bool again = film->stage == stage && film->position < film_steps(cx->run->trace, stage);
    place = again;
    if (line->n > 2 && !action_choice("place", places, 2, line->arg[2], &place, err)) return false;
    film_stage(film, cx->run->trace, stage, place == 1);
    return moved(cx, before);
}

bool action_step(ActionContext *cx, const ActionLine *line, Err *err) {
    int step;
    if (!action_needs_run(cx, err)) return false;
    int steps = film_steps(cx->run->trace, cx->view->film.stage);
    if (!action_int("step", line->arg[1], 0, steps, &step, err)) return false;
    film_rest(&cx->view->film, cx->run->trace, step);
    return true;
}

bool action_seek(ActionContext *cx, const ActionLine *line, Err *err) {
    int before = cx->view->film.stage;
    double fraction;
    if (!action_needs_run(cx, err) || !action_double("seek", line->arg[1], 0, 1, &fraction, err)) return false;
    restores(cx);
    film_seek(cx->view, cx->run->trace, fraction);
    return moved(cx, before);
}

/* ---- heads ---- */

static int head_count(const ActionContext *cx) {
    int heads = cx->run ? run_site(cx->run, cx->view->film.stage)->spec.n_heads : 0;
    return heads > 0 ? heads : 1;
}

/* A selection goes along: the same cell of the other head. */
static void set_head(ActionContext *cx, int head) {
    View *view = cx->view;
    TensorId id = cx->run && view->selection.tensor[0] ? trace_find(cx->run->trace, view->selection.tensor) : TENSOR_NONE;
    view->head = head;
    if (id == TENSOR_NONE || run_axis(cx->run, id, 0) != AXIS_HEAD) return;
    int heads = trace_tensor(cx->run->trace, id)->dim[0];
    view->selection.index[0] = head * heads / head_count(cx);
}

bool action_head(ActionContext *cx, const ActionLine *line, Err *err) {
    int head;
    if (!action_int("head", line->arg[1], 1, head_count(cx), &head, err)) return false;
    set_head(cx, head - 1);
    return true;
}

bool action_head_next(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    set_head(cx, (cx->view->head + 1) % head_count(cx));
    return true;
}

bool action_head_back(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    int n = head_count(cx);
    set_head(cx, (cx->view->head + n - 1) % n);
    return true;
}

/* ---- looks ---- */

bool action_theme(ActionContext *cx, const ActionLine *line, Err *err) {
    int theme = ((int)cx->view->theme + 1) % THEME_COUNT;
    if (line->n > 1 && !action_choice("theme", theme_names, THEME_COUNT, line->arg[1], &theme, err)) return false;
    cx->view->theme = (ThemeKind)theme;
    return true;
}

bool action_language(ActionContext *cx, const ActionLine *line, Err *err) {
    int language = ((int)cx->view->language + 1) % LANGUAGE_COUNT;
    if (line->n > 1 && !action_choice("language", language_names, LANGUAGE_COUNT, line->arg[1], &language, err)) return false;
    cx->view->language = (LanguageKind)language;
    return true;
}

bool action_palette(ActionContext *cx, const ActionLine *line, Err *err) {
    int palette;
    if (!action_choice("palette", ramp_names, RAMP_COUNT, line->arg[1], &palette, err)) return false;
    cx->view->palette = (RampKind)palette;
    return true;
}

static const double text_scales[] = {0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3};
enum { TEXT_SCALES = sizeof text_scales / sizeof *text_scales };

bool action_text_larger(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    int i = 0;
    while (i < TEXT_SCALES - 1 && text_scales[i] <= cx->view->text_scale + 1e-6) i++;
    cx->view->text_scale = text_scales[i];
    return true;
}

bool action_text_smaller(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    int i = TEXT_SCALES - 1;
    while (i > 0 && text_scales[i] >= cx->view->text_scale - 1e-6) i--;
    cx->view->text_scale = text_scales[i];
    return true;
}

bool action_text_reset(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    cx->view->text_scale = 1;
    return true;
}

bool action_motion(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    cx->view->reduced_motion = !cx->view->reduced_motion;
    return true;
}

bool action_present(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    cx->view->presenting = !cx->view->presenting;
    cx->view->menu[0] = 0;
    cx->view->focus[0] = 0;
    return true;
}

bool action_blank(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    cx->view->blank = !cx->view->blank;
    return true;
}

/* ---- menus and focus ---- */

static bool open_menu(View *view, const char *name, Err *err) {
    if (strlen(name) >= sizeof view->menu) return err_set(err, ERR_USAGE, tr("there is no menu '%s'"), name);
    bool close = str_eq(view->menu, name);
    snprintf(view->menu, sizeof view->menu, "%s", close ? "" : name);
    view->menu_item = -1;
    view->menu_scroll = 0;
    view->query[0] = 0;
    view->query_caret = view->query_anchor = 0;
    return true;
}

bool action_menu(ActionContext *cx, const ActionLine *line, Err *err) {
    return open_menu(cx->view, line->arg[1], err);
}

bool action_menu_main(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line;
    return open_menu(cx->view, "main", err);
}

bool action_menu_keys(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line;
    return open_menu(cx->view, "keys", err);
}

bool action_menu_actions(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line;
    return open_menu(cx->view, "actions", err);
}

bool action_menu_close(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    cx->view->menu[0] = 0;
    cx->view->menu_item = -1;
    return true;
}

static bool set_focus(View *view, const char *name, Err *err) {
    if (strlen(name) >= sizeof view->focus) return err_set(err, ERR_USAGE, tr("there is no control '%s'"), name);
    snprintf(view->focus, sizeof view->focus, "%s", name);
    view->focus_visible = name[0] != 0;
    view->composition[0] = 0;
    return true;
}

bool action_focus(ActionContext *cx, const ActionLine *line, Err *err) {
    return set_focus(cx->view, line->n > 1 ? line->arg[1] : "", err);
}

bool action_field(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line;
    return set_focus(cx->view, "top.field", err);
}

/* The line that tells what a setting did goes; false: it was not to be seen. */
static bool leaves_reading(View *view) {
    bool seen = view->control[0] && !view->comparing && !view->overview;
    view->control[0] = '\0';
    return seen;
}

bool action_escape(ActionContext *cx, const ActionLine *line, Err *err) {
    View *view = cx->view;
    if (view->blank) return restores(cx);
    if (view->composition[0]) {
        view->composition[0] = 0;
        return true;
    }
    if (view->menu[0]) return action_menu_close(cx, line, err);
    if (view->presenting) {
        view->presenting = false;
        return true;
    }
    if (view->focus[0]) return set_focus(view, "", err);
    if (restores(cx)) return true;
    if (view->controls) {
        view->controls = false;
        view->control[0] = '\0';
        return true;
    }
    if (leaves_reading(view)) return true;
    if (view->n_trail) return action_trail_back(cx, line, err);
    if (view->comparing && !view->selection.tensor[0]) {
        view->comparing = false;
        return true;
    }
    if (view->tokens && !view->selection.tensor[0]) {
        view->tokens = false;
        return true;
    }
    return action_select_none(cx, line, err);
}
