/* The presenter's own window: the picture as the audience has it, the next step, notes, stage and clock. */
#include <math.h>
#include <stdio.h>

#include "app/frame.h"
#include "app/session_picture.h"
#include "app/session_present.h"
#include "app/session_settle.h"
#include "base/tr.h"
#include "doc/notes.h"
#include "draw/dl_include.h"
#include "scene/now.h"
#include "scene/paint.h"

/* Units of a window of 1280 x 800. */
static const float WIDE = 1280, HIGH = 800, CLOCK_SIZE = 34, NOTES_SIZE = 26, NOTES_LEAST = 16, PICTURE_SHAPE = 1.6f;

typedef struct {
    const Session *s;
    const Theme *theme;
    Arena *arena;
    DisplayList *dl;
    float scale, pad;
    Rect head, now, next, words, foot;
} Notes;

static RichStyle style_of(const Notes *n, FontFace face, float size, Color color) {
    return (RichStyle){.font = n->s->font, .theme = n->theme, .face = face, .size = size * n->scale, .color = color, .line = roundf(1.35f * size * n->scale)};
}

/* ---- places ---- */

/* The picture and its heading, as large as the room allows. */
static Rect picture_room(const Notes *n, Rect *rest, float width, float most) {
    float heading = 30 * n->scale, high = fminf(width / PICTURE_SHAPE, most - heading);
    return rect_cut_top(rest, high + heading);
}

static void cut(Notes *n, float width, float height) {
    Rect all = {2 * n->pad, n->pad, width - 4 * n->pad, height - 2 * n->pad};
    n->head = rect_cut_top(&all, 64 * n->scale);
    n->foot = rect_cut_bottom(&all, 32 * n->scale);
    rect_cut_top(&all, n->pad);
    if (width < height) { /* upright: one below the other */
        n->now = picture_room(n, &all, all.w, all.h * 0.42f);
        rect_cut_top(&all, n->pad);
        n->next = rect_cut_top(&all, all.h * 0.3f);
        rect_cut_top(&all, n->pad);
        n->words = all;
        return;
    }
    Rect left = rect_cut_left(&all, roundf(all.w * 0.56f));
    rect_cut_left(&all, 3 * n->pad);
    n->now = picture_room(n, &left, left.w, left.h * 0.72f);
    n->next = all;
    rect_cut_top(&left, n->pad);
    n->words = left;
}

/* ---- pictures ---- */

static void draw_heading(const Notes *n, Rect *box, const char *text) {
    RichStyle style = style_of(n, FACE_UI_SEMIBOLD, 17, n->theme->muted);
    rich_label(n->dl, &style, rect_cut_top(box, 30 * n->scale), ALIGN_LEFT, text);
}

/* What the audience would see with this view, in a box of its own. */
static Rect draw_picture(const Notes *n, const View *view, Rect box, bool blank) {
    float w = fminf(box.w, box.h * PICTURE_SHAPE);
    Rect page = {box.x, box.y, floorf(w), floorf(w / PICTURE_SHAPE)};
    DisplayList list;
    if (page.w < 16 || page.h < 16) return page;
    dl_init(&list, n->arena, page.w, page.h, blank ? 0x000000ff : n->theme->background);
    Scene scene = session_scene(n->s, view, page.w, page.h, n->arena);
    if (!blank && session_pictured(n->s)) scene_draw(&scene, &list);
    dl_finish(&list);
    dl_include(n->dl, &list, page.x, page.y, 1);
    dl_rect(n->dl, rect_inset(page, -1), 0, COLOR_NONE, n->theme->line, 1);
    return page;
}

static void draw_now(const Notes *n) {
    Rect box = n->now;
    View view = n->s->view;
    bool blank = view.blank;
    view.presenting = true;
    view.blank = false;
    view.spotlight = 0;
    draw_heading(n, &box, blank ? tr("Now · the audience sees a blank screen") : tr("Now"));
    Rect page = draw_picture(n, &view, box, false);
    if (!blank) return;
    dl_rect(n->dl, page, 0, color_alpha(0x000000ff, 0.72), n->theme->highlight, 3 * n->scale);
    RichStyle style = style_of(n, FACE_UI_BOLD, 30, 0xffffffff);
    rich_label(n->dl, &style, page, ALIGN_CENTER, tr("Blank for the audience"));
}

/* The view once the next step is done; false: there is none. */
static bool next_view(const Session *s, View *view) {
    const Trace *trace = s->run->trace;
    *view = s->view;
    view->presenting = true;
    view->blank = view->overview = false;
    view->spotlight = 0;
    view->selection = (ViewRef){0};
    Film *film = &view->film;
    if (s->view.overview && s->run->n_sites > 1) return true; /* the step key opens the map that is in view */
    if (film->position != floor(film->position) || film->until > film->position) film_next(view, trace);
    Film before = *film;
    film_next(view, trace);
    if (film->until > film->position) film_rest(film, trace, (int)ceil(film->until));
    return film->stage != before.stage || film->position != before.position;
}

static void draw_next(const Notes *n) {
    Rect box = n->next;
    View view;
    draw_heading(n, &box, tr("Next"));
    RichStyle style = style_of(n, FACE_UI_SEMIBOLD, 20, n->theme->ink);
    if (!next_view(n->s, &view) || !run_ready(n->s->run, view.film.stage)) {
        bool end = view.film.stage == n->s->view.film.stage;
        rich_paragraph(n->dl, &style, box, ALIGN_LEFT, end ? tr("This is the last step.") : film_station_name(trace_stage(n->s->run->trace, view.film.stage)->kind));
        return;
    }
    bool beside = box.w > 1.6f * box.h;
    Rect place = {box.x, box.y, beside ? box.w * 0.5f : box.w, beside ? box.h : box.h * 0.62f};
    Rect page = draw_picture(n, &view, place, false);
    const char *first, *second;
    Scene scene = session_scene(n->s, &view, page.w, page.h, n->arena);
    scene_captions(&scene, &first, &second);
    rect_cut_top(&box, beside ? 0 : page.h + 1.5f * n->pad);
    rect_cut_left(&box, beside ? page.w + 2 * n->pad : 0);
    float high = rich_paragraph(n->dl, &style, box, ALIGN_LEFT, first);
    rect_cut_top(&box, high + n->pad / 2);
    style = style_of(n, FACE_UI, 18, n->theme->muted);
    rich_paragraph(n->dl, &style, box, ALIGN_LEFT, second);
}

/* ---- words ---- */

static const char *time_text(Arena *arena, double seconds) {
    long all = seconds > 0 ? (long)seconds : 0;
    return arena_printf(arena, "%02ld:%02ld:%02ld", all / 3600, all / 60 % 60, all % 60);
}

static void draw_head(const Notes *n) {
    Rect row = n->head;
    const Session *s = n->s;
    float gap = 3 * n->pad;
    RichStyle clock = style_of(n, FACE_MONO_BOLD, CLOCK_SIZE, n->theme->ink), small = style_of(n, FACE_UI, 18, n->theme->muted);
    const char *day = time_text(n->arena, s->present.day), *timer = time_text(n->arena, present_timer(s));
    rich_label(n->dl, &clock, rect_cut_left(&row, rich_width(&clock, day)), ALIGN_LEFT, day);
    rect_cut_left(&row, gap);
    clock.color = s->present.timer_runs ? n->theme->accent : n->theme->muted;
    rich_label(n->dl, &clock, rect_cut_left(&row, rich_width(&clock, timer)), ALIGN_LEFT, timer);
    rect_cut_left(&row, n->pad);
    const char *state = s->present.timer_runs ? "" : tr("paused");
    rich_label(n->dl, &small, rect_cut_left(&row, rich_width(&small, state)), ALIGN_LEFT, state);
    rect_cut_left(&row, gap);
    char place[FILM_TEXT_MAX];
    if (!s->run) return;
    small = style_of(n, FACE_UI_SEMIBOLD, 20, n->theme->ink);
    rich_label(n->dl, &small, row, ALIGN_RIGHT, film_text(place, s->run->trace, &s->view.film));
}

static void draw_words(const Notes *n) {
    Rect box = n->words;
    const Session *s = n->s;
    StageKind kind = trace_stage(s->run->trace, s->view.film.stage)->kind;
    const char *text = doc_notes(&s->doc, kind, n->arena);
    bool none = text[0] == '\0';
    draw_heading(n, &box, tr("Notes"));
    RichStyle style = style_of(n, FACE_UI, NOTES_SIZE, none ? n->theme->muted : n->theme->ink);
    if (none) text = s->doc.notes ? tr("Nothing for this stage.") : tr("No notes yet. The key “notes” of the scenario file holds them.");
    while (style.size > NOTES_LEAST * n->scale && rich_height(&style, box.w, text) > box.h) {
        style.size *= 0.95f;
        style.line = roundf(1.35f * style.size);
    }
    rich_paragraph(n->dl, &style, box, ALIGN_LEFT, text);
}

/* "F7 timer": keys that work in this window too, looked up in the action table. */
static void draw_foot(const Notes *n) {
    static const struct { const char *action, *word; } keys[] = {
        {"next", tr_mark("next")},   {"back", tr_mark("back")},           {"blank", tr_mark("blank")}, {"spotlight", tr_mark("spotlight")},
        {"timer", tr_mark("timer")}, {"timer.reset", tr_mark("timer to 0")}, {"present", tr_mark("present")},
    };
    StrBuf sb;
    sb_init(&sb, n->arena);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        int at = action_find(keys[i].action);
        if (at >= 0) sb_printf(&sb, "%s%s %s", i ? " · " : "", action_key(at), tr(keys[i].word));
    }
    RichStyle style = style_of(n, FACE_UI, 16, n->theme->muted);
    rich_label(n->dl, &style, n->foot, ALIGN_LEFT, sb.data);
}

void session_draw_notes(const Session *s, float width, float height, Arena *arena, DisplayList *list) {
    const Theme *theme = theme_at(s->view.theme);
    float scale = fminf(2.5f, fmaxf(0.5f, fminf(width / (width < height ? HIGH : WIDE), height / HIGH)));
    Notes n = {.s = s, .theme = theme, .arena = arena, .dl = list, .scale = scale, .pad = 10 * scale};
    dl_init(list, arena, width, height, theme->background);
    cut(&n, width, height);
    dl_rect(list, (Rect){0, 0, width, n.head.y + n.head.h}, 0, theme->panel, COLOR_NONE, 0);
    dl_line(list, 0, n.head.y + n.head.h, width, n.head.y + n.head.h, theme->line, 1);
    draw_head(&n);
    draw_foot(&n);
    if (session_pictured(s)) {
        draw_now(&n);
        draw_next(&n);
        draw_words(&n);
    }
    dl_finish(list);
}
