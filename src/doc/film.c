#include "doc/film.h"

#include <assert.h>
#include <math.h>

static void rest_at(Film *film, double position) {
    film->position = film->until = position;
    film->playing = false;
    film->wait = 0;
}

static void enter_stage(Film *film, int stage) {
    film->stage = stage;
    if (stage < 64) film->entered |= 1ull << stage;
}

static bool was_entered(const Film *film) {
    return film->stage < 64 && (film->entered >> film->stage & 1);
}

/* Begin the step behind `position` (whole); false at the very end. */
static bool start_step(Film *film, const Trace *trace) {
    int steps = film_steps(trace, film->stage);
    if (film->position >= steps) {
        if (film->stage + 1 >= trace_stage_count(trace)) return false;
        enter_stage(film, film->stage + 1);
        film->position = 0;
    }
    film->until = floor(film->position) + 1;
    film->wait = 0;
    return true;
}

void film_next(Film *film, const Trace *trace, bool reduced_motion) {
    bool between = film->position != floor(film->position);
    if (film->until > film->position || between) {
        rest_at(film, floor(film->position) + 1);
        return;
    }
    film->playing = false;
    if (start_step(film, trace) && reduced_motion) rest_at(film, film->until);
}

void film_back(Film *film, const Trace *trace) {
    double whole = floor(film->position);
    bool running = film->until > film->position || film->position != whole;
    if (!running) whole -= 1;
    if (whole <= 0 && film->stage > 0 && (whole < 0 || was_entered(film))) {
        if (film->stage < 64) film->entered &= ~(1ull << film->stage);
        film->stage -= 1;
        whole = film_steps(trace, film->stage);
    }
    rest_at(film, fmax(whole, 0));
}

void film_play(Film *film, const Trace *trace) {
    if (film->playing) {
        rest_at(film, film->position);
        return;
    }
    if (film->position == floor(film->position) && !start_step(film, trace)) {
        film_home(film);
        start_step(film, trace);
    }
    film->until = floor(film->position) + 1;
    film->playing = true;
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

void film_end(Film *film, const Trace *trace) {
    film_stage(film, trace, trace_stage_count(trace) - 1, true);
}

/* One step, or `dt` of it. Returns what is left of dt. */
static double advance_step(Film *film, const Trace *trace, double dt, bool reduced_motion) {
    double whole = floor(film->position);
    double seconds = film_step(trace, film->stage, (int)whole).seconds;
    double left = (whole + 1 - film->position) * seconds - film->wait;
    if (dt >= left) {
        film->position = whole + 1;
        film->wait = 0;
        return dt - left;
    }
    if (reduced_motion) film->wait += dt;
    else film->position += dt / seconds;
    return 0;
}

bool film_advance(Film *film, const Trace *trace, double dt, bool reduced_motion) {
    dt *= film->speed > 0 ? film->speed : 1;
    if (!film->playing && reduced_motion && film->until > film->position) rest_at(film, film->until);
    for (;;) {
        if (film->until <= film->position) {
            if (!film->playing) return false;
            if (!start_step(film, trace)) {
                rest_at(film, film->position);
                return false;
            }
        }
        if (dt <= 0) return true;
        dt = advance_step(film, trace, dt, reduced_motion);
    }
}

double film_fraction(const Film *film, const Trace *trace) {
    double steps = film_steps(trace, film->stage);
    return (film->stage + film->position / steps) / trace_stage_count(trace);
}

void film_seek(Film *film, const Trace *trace, double fraction) {
    int count = trace_stage_count(trace);
    double at = (fraction > 0 ? fraction < 1 ? fraction : 1 : 0) * count;
    /* A border belongs to the stage before it: its finished picture says more than an empty one. */
    int stage = (int)ceil(at - 1e-9) - 1;
    film_stage(film, trace, stage, false);
    film_rest(film, trace, (int)lround((at - film->stage) * film_steps(trace, film->stage)));
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

void film_refit(Film *film, const Trace *before, const Trace *after) {
    bool finished = film->stage < trace_stage_count(before) && film->position >= film_steps(before, film->stage);
    film_clamp(film, after);
    if (finished) film->position = film->until = film_steps(after, film->stage);
}
