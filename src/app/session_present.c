#include "app/session_present.h"

#include <math.h>

#include "base/tr.h"

/* Seconds that the pointer's light stays after the last move, and that it takes to go. */
static const double LIGHT_STAYS = 2, LIGHT_FADES = 0.4;

/* ---- the light at the pointer ---- */

void present_pointed(Session *s, float x, float y) {
    View *view = &s->view;
    bool inside = x >= 0 && y >= 0 && x < s->width && y < s->height;
    bool moved = s->present.pointer_known;
    s->present.pointer_known = true;
    if (!moved || !view->presenting || view->blank || s->present.no_spotlight || s->menu.name || !inside) return;
    view->spot_x = x / s->width;
    view->spot_y = y / s->height;
    view->spotlight = 1;
    s->present.spot_moved = s->clock;
    session_touch(s);
}

static void dim_light(Session *s) {
    View *view = &s->view;
    double rest = s->clock - s->present.spot_moved - LIGHT_STAYS, light = 1;
    if (view->spotlight <= 0) return;
    if (rest > 0) light = view->reduced_motion ? 0 : fmax(0, 1 - rest / LIGHT_FADES);
    if (!view->presenting || view->blank || s->present.no_spotlight || s->menu.name) light = 0;
    if (light == view->spotlight) return;
    view->spotlight = light;
    session_touch(s);
}

double present_due(const Session *s) {
    if (s->view.spotlight <= 0) return 0;
    double rested = s->present.spot_moved + LIGHT_STAYS;
    return s->clock > rested ? s->clock : rested + 1e-3;
}

/* ---- the timer ---- */

double present_timer(const Session *s) {
    return s->present.timer + (s->present.timer_runs ? fmax(0, s->present.steady - s->present.timer_from) : 0);
}

static void run_timer(Session *s, bool runs) {
    s->present.timer = present_timer(s);
    s->present.timer_from = s->present.steady;
    s->present.timer_runs = runs;
}

static void reset_timer(Session *s) {
    s->present.timer = 0;
    s->present.timer_from = s->present.steady;
}

void present_advance(Session *s) {
    bool presenting = s->view.presenting, began = presenting && !s->present.was_presenting;
    dim_light(s);
    if (presenting == s->present.was_presenting) return;
    s->present.was_presenting = presenting;
    s->present.pointer_known = false; /* its window is another one under it */
    if (began) reset_timer(s);
    run_timer(s, presenting);
    if (s->present.notes == NOTES_OFF) s->present.notes = NOTES_AUTO;
}

bool session_tell_time(Session *s, double day, double steady) {
    bool another = floor(day) != floor(s->present.day) || floor(present_timer(s)) != floor(present_timer(s) + steady - s->present.steady);
    s->present.day = day;
    s->present.steady = steady;
    return another;
}

void session_tell_displays(Session *s, int displays) { s->present.second_display = displays > 1; }

bool session_wants_notes(const Session *s) {
    bool by_itself = s->view.presenting && s->present.second_display;
    return s->present.notes == NOTES_ON || (by_itself && s->present.notes == NOTES_AUTO);
}

bool session_hides_pointer(const Session *s) {
    return s->view.presenting && !s->menu.name && !session_wants_notes(s) && (s->view.blank || (!s->present.no_spotlight && s->view.spotlight <= 0));
}

/* ---- effects ---- */

static bool choose(const ActionLine *line, const char *const names[2], bool on, bool *out, Err *err) {
    *out = !on;
    if (line->n < 2) return true;
    int at = str_find(names, 2, line->arg[1]);
    if (at < 0) return err_set(err, ERR_USAGE, tr("%s takes %s or %s, found '%s'"), line->arg[0], names[0], names[1], line->arg[1]);
    *out = at == 0;
    return true;
}

static const char *const on_off[] = {"on", "off"};

bool present_do_notes(Session *s, const ActionLine *line, Err *err) {
    bool on;
    if (!choose(line, on_off, session_wants_notes(s), &on, err)) return false;
    s->present.notes = on ? NOTES_ON : NOTES_OFF;
    return true;
}

bool present_do_timer(Session *s, const ActionLine *line, Err *err) {
    static const char *const names[] = {"start", "pause"};
    bool on;
    if (!choose(line, names, s->present.timer_runs, &on, err)) return false;
    run_timer(s, on);
    return true;
}

bool present_do_timer_reset(Session *s, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    reset_timer(s);
    return true;
}

bool present_do_spotlight(Session *s, const ActionLine *line, Err *err) {
    bool on;
    if (!choose(line, on_off, !s->present.no_spotlight, &on, err)) return false;
    s->present.no_spotlight = !on;
    return true;
}
