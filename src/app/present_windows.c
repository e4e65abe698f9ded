#include "app/present_windows.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/tr.h"

static double time_of_day(void) {
    struct timespec now;
    struct tm day;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0 || localtime_r(&now.tv_sec, &day) == NULL) return 0;
    return day.tm_hour * 3600 + day.tm_min * 60 + day.tm_sec + (double)now.tv_nsec * 1e-9;
}

void present_windows_time(PresentWindows *p, Session *s) {
    if (session_tell_time(s, time_of_day(), window_clock())) p->due = true;
}

/* Its button to close says no to it. */
static bool notes_asked(Window *window, Session *s) {
    bool closes;
    bool dirty = window_notes_asks(window, &closes);
    if (closes) session_do(s, "notes.window off", NULL);
    return dirty;
}

/* Is it the light at the pointer alone that has changed? It is not in the notes. */
static bool only_pointer(PresentWindows *p, const View *view) {
    View now = *view;
    now.spotlight = 0;
    now.spot_x = now.spot_y = 0;
    now.hover = (ViewRef){0};
    memset(now.hot, 0, sizeof now.hot);
    bool same = view->spotlight > 0 && memcmp(&now, &p->shown, sizeof now) == 0;
    p->shown = now;
    return same;
}

static void draw_notes(PresentWindows *p, Window *window, const Session *s) {
    DisplayList list;
    float width, height;
    arena_reset(&p->arena);
    window_notes_size(window, &width, &height);
    session_draw_notes(s, width, height, &p->arena, &list);
    window_notes_present(window, &list);
    p->due = false;
}

void present_windows_settle(PresentWindows *p, Window *window, Session *s, bool another) {
    Err err = {0};
    session_tell_displays(s, window_displays(window));
    bool dirty = notes_asked(window, s), wanted = session_wants_notes(s);
    if (wanted && !window_notes_is_open(window)) {
        dirty = true;
        if (!window_notes_open(window, tr("Notes — Attnscope"), &err)) session_do(s, "notes.window off", NULL);
    }
    wanted = session_wants_notes(s);
    window_audience(window, session_view(s)->presenting, wanted);
    window_hide_pointer(window, session_hides_pointer(s));
    if (!wanted) window_notes_close(window);
    else if ((another && !only_pointer(p, session_view(s))) || dirty || p->due) draw_notes(p, window, s);
}

double present_windows_wait(const Session *s, double wait) {
    if (!session_wants_notes(s)) return wait;
    double day = time_of_day(), second = floor(day) + 1 - day + 0.002;
    return wait < 0 || wait > second ? second : wait;
}

void present_windows_close(PresentWindows *p) { arena_free(&p->arena); }
