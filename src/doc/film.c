#include "doc/film.h"

#include <math.h>

/* ---- layers ---- */

FilmSite film_site(const Trace *trace, int stage) {
    FilmSite site = {.index = -1};
    int count = trace_stage_count(trace);
    for (int s = 0; s < count; s++) {
        if (s > 0 && trace_stage(trace, s)->kind != STAGE_EMBED) continue;
        if (s <= stage) site.first = s, site.index = site.count;
        else if (!site.n) site.n = s - site.first;
        site.count++;
    }
    if (!site.n) site.n = count - site.first;
    return site;
}

bool film_shows(const Trace *trace, int stage, bool block_open) {
    StageKind kind = trace_stage(trace, stage)->kind;
    return block_open || kind < STAGE_ATTENTION_COUNT || kind == STAGE_PREDICT;
}

int film_neighbour(const Trace *trace, int stage, bool block_open, int by) {
    int count = trace_stage_count(trace);
    for (stage += by; stage >= 0 && stage < count; stage += by)
        if (film_shows(trace, stage, block_open)) return stage;
    return -1;
}

int film_stage_in(const Trace *trace, int stage, StageKind kind) {
    FilmSite site = film_site(trace, stage);
    for (int s = site.first; s < site.first + site.n; s++)
        if (trace_stage(trace, s)->kind == kind) return s;
    return -1;
}

/* ---- one film ---- */

static void rest_at(Film *film, double position) {
    film->position = film->until = position;
    film->playing = false;
    film->wait = 0;
}

void film_rest(Film *film, const Trace *trace, int steps) {
    int all = film_steps(trace, film->stage);
    rest_at(film, steps < 0 ? 0 : steps > all ? all : steps);
}

void film_stage(Film *film, const Trace *trace, int stage, bool finished) {
    int count = trace_stage_count(trace);
    film->stage = stage < 0 ? 0 : stage >= count ? count - 1 : stage;
    film->entered = 0;
    film_rest(film, trace, finished ? FILM_STEPS_MAX : 0);
}

void film_home(Film *film) {
    film->stage = 0;
    film->entered = 0;
    rest_at(film, 0);
}

void film_clamp(Film *film, const Trace *trace) {
    int count = trace_stage_count(trace);
    if (film->stage >= count || film->stage < 0) {
        film_stage(film, trace, film->stage, true);
        return;
    }
    int steps = film_steps(trace, film->stage);
    if (film->position > steps) film->position = steps;
    if (film->position < 0) film->position = 0;
    if (film->until > steps) film->until = steps;
    if (film->until < film->position) film->until = film->position;
}

/* The stage of another trace that is most like stage `s` of `before`: of the same scope and kind; else of the same kind in
 * the layer of the same number. */
static int like_stage(const Trace *before, int s, const Trace *after) {
    const Stage *was = trace_stage(before, s);
    int found = trace_stage_find(after, was->scope, was->kind);
    if (found >= 0) return found;
    FilmSite site = film_site(before, s);
    int at = 0;
    for (int next = 0; site.index > 0 && next < trace_stage_count(after); next += film_site(after, next).n)
        if (film_site(after, next).index <= site.index) at = next;
    found = film_stage_in(after, at, was->kind);
    return found >= 0 ? found : at;
}

void film_refit(Film *film, const Trace *before, const Trace *after) {
    if (film->stage < 0 || film->stage >= trace_stage_count(before)) {
        film_clamp(film, after);
        return;
    }
    bool finished = film->position >= film_steps(before, film->stage);
    int stage = like_stage(before, film->stage, after);
    if (stage != film->stage && trace_stage_count(before) != trace_stage_count(after)) film->entered = 0;
    film->stage = stage;
    film_clamp(film, after);
    if (finished) film->position = film->until = film_steps(after, film->stage);
}

/* ---- moving ---- */

/* Begin the step behind `position` (whole); false at the very end. */
static bool start_step(View *view, const Trace *trace) {
    Film *film = &view->film;
    int steps = film_steps(trace, film->stage);
    if (film->position >= steps) {
        int next = film_neighbour(trace, film->stage, view->block_open, 1);
        if (next < 0) return false;
        film->stage = next;
        film->entered++;
        film->position = 0;
    }
    film->until = floor(film->position) + 1;
    film->wait = 0;
    return true;
}

void film_next(View *view, const Trace *trace) {
    Film *film = &view->film;
    bool between = film->position != floor(film->position);
    if (film->until > film->position || between) {
        rest_at(film, floor(film->position) + 1);
        return;
    }
    film->playing = false;
    if (start_step(view, trace) && view->reduced_motion) rest_at(film, film->until);
}

void film_back(View *view, const Trace *trace) {
    Film *film = &view->film;
    double whole = floor(film->position);
    bool running = film->until > film->position || film->position != whole;
    int before = film_neighbour(trace, film->stage, view->block_open, -1);
    if (!running) whole -= 1;
    if (whole <= 0 && before >= 0 && (whole < 0 || film->entered > 0)) {
        if (film->entered > 0) film->entered--;
        film->stage = before;
        whole = film_steps(trace, film->stage);
    }
    rest_at(film, fmax(whole, 0));
}

void film_play(View *view, const Trace *trace) {
    Film *film = &view->film;
    if (film->playing) {
        rest_at(film, film->position);
        return;
    }
    if (film->position == floor(film->position) && !start_step(view, trace)) {
        film_home(film);
        start_step(view, trace);
    }
    film->until = floor(film->position) + 1;
    film->playing = true;
}

void film_end(View *view, const Trace *trace) {
    int stage = film_neighbour(trace, trace_stage_count(trace), view->block_open, -1);
    film_stage(&view->film, trace, stage, true);
}

/* One step, or `dt` of it. Returns what is left of dt. */
static double advance_step(View *view, const Trace *trace, double dt) {
    Film *film = &view->film;
    double whole = floor(film->position);
    double seconds = film_step(trace, film->stage, (int)whole).seconds;
    double left = (whole + 1 - film->position) * seconds - film->wait;
    if (dt >= left) {
        film->position = whole + 1;
        film->wait = 0;
        return dt - left;
    }
    if (view->reduced_motion) film->wait += dt;
    else film->position += dt / seconds;
    return 0;
}

bool film_advance(View *view, const Trace *trace, double dt) {
    Film *film = &view->film;
    dt *= film->speed > 0 ? film->speed : 1;
    if (!film->playing && view->reduced_motion && film->until > film->position) rest_at(film, film->until);
    for (;;) {
        if (film->until <= film->position) {
            if (!film->playing) return false;
            if (!start_step(view, trace)) {
                rest_at(film, film->position);
                return false;
            }
        }
        if (dt <= 0) return true;
        dt = advance_step(view, trace, dt);
    }
}

/* ---- the scrubber ---- */

/* Has stage s a part of the scrubber? The one that is looked at always. */
static bool has_part(const View *view, const Trace *trace, int s) {
    return s == view->film.stage || film_shows(trace, s, view->block_open);
}

double film_fraction(const View *view, const Trace *trace) {
    const Film *film = &view->film;
    FilmSite site = film_site(trace, film->stage);
    int before = 0, all = 0;
    for (int s = site.first; s < site.first + site.n; s++) {
        before += s < film->stage && has_part(view, trace, s);
        all += has_part(view, trace, s);
    }
    return (before + film->position / film_steps(trace, film->stage)) / all;
}

void film_seek(View *view, const Trace *trace, double fraction) {
    Film *film = &view->film;
    FilmSite site = film_site(trace, film->stage);
    int all = 0;
    for (int s = site.first; s < site.first + site.n; s++) all += has_part(view, trace, s);
    double at = (fraction > 0 ? fraction < 1 ? fraction : 1 : 0) * all;
    /* A border belongs to the stage before it: its finished picture says more than an empty one. */
    int part = (int)fmax(ceil(at - 1e-9) - 1, 0), stage = site.first;
    for (int s = site.first, n = 0; s < site.first + site.n; s++)
        if (has_part(view, trace, s) && n++ == part) stage = s;
    film_stage(film, trace, stage, false);
    film_rest(film, trace, (int)lround((at - part) * film_steps(trace, film->stage)));
}
