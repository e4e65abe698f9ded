#include "app/panel_bottom.h"

#include <math.h>
#include <string.h>

#include "app/panel_wait.h"
#include "base/phrase.h"
#include "base/tr.h"

/* The transport from left to right. */
static const struct {
    const char *name, *action;
    KitIcon icon;
    bool main;
} transport[] = {
    {"transport.stage_back", "stage.back", ICON_STAGE_BACK, false}, {"transport.back", "back", ICON_STEP_BACK, false},
    {"transport.play", "play", ICON_PLAY, true},                    {"transport.next", "next", ICON_STEP_NEXT, false},
    {"transport.stage_next", "stage.next", ICON_STAGE_NEXT, false},
};
enum { BUTTONS = sizeof transport / sizeof transport[0] };

/* "Next step (Space)", from the action table. */
static const char *action_tooltip(const Frame *f, const char *name) {
    int action = action_find(name);
    if (action < 0) return name;
    const char *key = action_key(action), *title = action_title(action);
    return key[0] ? arena_printf(f->dl->arena, tr("%s (%s)"), title, key) : title;
}

static void draw_transport(const Frame *f) {
    Rect box = f->layout.transport;
    float small = 0.72f * box.h, gap = (box.w - box.h - (float)(BUTTONS - 1) * small) / (float)(BUTTONS - 1), x = box.x;
    for (int i = 0; i < BUTTONS; i++) {
        float size = transport[i].main ? box.h : small;
        KitIcon icon = transport[i].main && f->view->film.playing ? ICON_PAUSE : transport[i].icon;
        kit_icon_button(&f->kit, (Rect){x, box.y + (box.h - size) / 2, size, size}, transport[i].name, transport[i].action,
                        action_tooltip(f, transport[i].action), icon, transport[i].main ? LOOK_ACCENT : LOOK_QUIET);
        x += size + gap;
    }
}

static const char *speed_text(const Frame *f) {
    char number[NUM_MAX];
    return arena_printf(f->dl->arena, "%s×", num_double(number, f->view->film.speed, NUM_FILE));
}

Rect bottom_speed(const Frame *f) {
    Rect box = f->layout.scrubber;
    float width = font_width(f->kit.font, FACE_UI, f->layout.type[TYPE_SMALL], speed_text(f)) + 2 * f->kit.pad;
    return (Rect){box.x + box.w - width + f->kit.pad, box.y, width, 0.5f * box.h};
}

/* Which of the layers: a dot each, and the chosen one larger; where they would touch, a track that cannot be drawn along. */
static void draw_layers(const Frame *f, Rect box) {
    const Run *run = f->s->run;
    float high = 0.5f * f->kit.pad, at = (float)(run_site(run, f->view->film.stage) - run->sites + 1);
    float step = fminf(3 * f->kit.pad, box.w / (float)run->n_sites);
    for (int i = 0; step >= 1.5f * high && i < run->n_sites; i++) {
        bool here = (float)i + 1 == at;
        float side = here ? fminf(2 * high, 0.9f * step) : high;
        Rect dot = {box.x + step * (float)i + high - side / 2, box.y + (box.h - side) / 2, side, side};
        dl_rect(f->dl, dot, side / 2, here ? f->kit.theme->accent : f->kit.theme->line, COLOR_NONE, 0);
    }
    if (step >= 1.5f * high) return;
    Rect track = {box.x, box.y + (box.h - high) / 2, box.w, high};
    dl_rect(f->dl, track, high / 2, f->kit.theme->line, COLOR_NONE, 0);
    track.w *= at / (float)run->n_sites;
    dl_rect(f->dl, track, high / 2, f->kit.theme->muted, COLOR_NONE, 0);
}

static void draw_scrubber(const Frame *f) {
    const Kit *kit = &f->kit;
    const Film *film = &f->view->film;
    float small = f->layout.type[TYPE_SMALL];
    if (!f->s->run) return;
    char text[FILM_TEXT_MAX];
    Rect text_box = f->layout.scrubber, speed = bottom_speed(f);
    Rect slider = rect_cut_bottom(&text_box, 0.5f * text_box.h);
    text_box.w = speed.x - text_box.x;
    const Trace *trace = f->s->run->trace;
    bool overview = f->view->overview && f->s->run->n_sites > 1;
    const char *place = overview ? film_layer_text(text, trace, film->stage) : film_text(text, trace, film);
    dl_label(f->dl, kit->font, FACE_UI, small, kit->theme->muted, text_box, ALIGN_LEFT, place);
    dl_control(f->dl, speed, ROLE_BUTTON, "speed", "menu speed", tr("Speed of the film"));
    dl_label(f->dl, kit->font, FACE_UI, small, kit_is_hot(kit, "speed") ? kit->theme->ink : kit->theme->muted, speed, ALIGN_CENTER, speed_text(f));
    kit_focus_ring(kit, "speed", rect_inset(speed, 2), 4);
    dl_ungroup(f->dl);
    if (overview) draw_layers(f, slider);
    else kit_slider(kit, slider, "scrubber", "seek", tr("Place in the film"), film_fraction(f->view, trace));
}

/* "Space next · Backspace back · P play": keys looked up in the action table. */
static const char *key_hints(const Frame *f) {
    static const struct { const char *action, *word; } hints[] = {
        {"next", tr_mark("next")}, {"back", tr_mark("back")}, {"play", tr_mark("play")}, {"present", tr_mark("present")}, {"menu.keys", tr_mark("all keys")},
    };
    const char *text = NULL;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        int action = action_find(hints[i].action);
        if (action < 0 || action_key(action)[0] == '\0') continue;
        const char *one = arena_printf(f->dl->arena, "%s %s", action_key(action), tr(hints[i].word));
        text = phrase_list(f->dl->arena, text, one);
    }
    return text ? text : "";
}

/* The model reads less than is typed. */
static const char *limit_words(const Frame *f) {
    const Network *network = f->s->run ? f->s->run->network : NULL;
    if (!network || f->s->muted) return NULL;
    const CheckpointInfo *info = checkpoint_info(network->checkpoint);
    for (int i = 0; i < info->n_stacks; i++)
        if (network->cut[i] > 0)
            return arena_printf(f->dl->arena, tr_count("This model reads %d tokens at most; %d more is left out.", "This model reads %d tokens at most; %d more are left out.", network->cut[i]), info->stack[i].n_positions, network->cut[i]);
    return NULL;
}

/* Whole clauses of "query sat reads key cat: 0.94 · drag or double click to change it", as many as have room; the first stays. */
static const char *fitting(const Frame *f, const char *text, float room) {
    char *brief = arena_strdup(f->dl->arena, text);
    while (font_width(f->kit.font, FACE_UI, f->layout.type[TYPE_SMALL], brief) > room) {
        char *last = NULL;
        for (char *next = strstr(brief, " · "); next; next = strstr(next + 1, " · ")) last = next;
        if (!last) break;
        *last = '\0';
    }
    return brief;
}

/* What is under the pointer, else the keys that work now. */
static void draw_status(const Frame *f) {
    const Kit *kit = &f->kit;
    Rect box = f->layout.hints;
    const char *waits = wait_words(f);
    const char *says = waits ? waits : f->s->status[0] ? f->s->status : limit_words(f);
    const char *text = says ? says : f->layout.hints.w > 0 ? key_hints(f) : "";
    if (box.w <= 0) {
        float right = f->layout.transport.x + f->layout.transport.w + 2 * f->kit.pad;
        box = (Rect){right, box.y, f->window.w - 3 * f->kit.pad - right, box.h};
    }
    if (box.w < 10 * f->kit.pad) return;
    dl_label(f->dl, kit->font, FACE_UI, f->layout.type[TYPE_SMALL], says ? kit->theme->ink : kit->theme->muted, box, ALIGN_RIGHT, says ? fitting(f, text, box.w) : text);
}

void bottom_draw(const Frame *f) {
    draw_scrubber(f);
    draw_transport(f);
    draw_status(f);
}

void present_draw(const Frame *f) {
    if (!f->s->run) return;
    float high = f->kit.pad;
    Rect line = {0, f->window.h - high, f->window.w, high};
    dl_rect(f->dl, line, 0, f->kit.theme->line, COLOR_NONE, 0);
    line.w *= (float)film_fraction(f->view, f->s->run->trace);
    if (line.w > 0) dl_rect(f->dl, line, 0, f->kit.theme->accent, COLOR_NONE, 0);
}

/* ---- notices ---- */

/* What is said, and the button behind it. */
typedef struct {
    const char *text, *button; /* button NULL: none */
    bool is_error;
} Notice;

static Notice notice_of(const Frame *f) {
    const View *view = f->view;
    const Session *s = f->s;
    bool empty = doc_text(&s->doc)[0] == '\0' && !doc_tokens_listed(&s->doc); /* not an error: a beginning */
    if (view->notice[0]) return (Notice){view->notice, NULL, view->notice_is_error};
    return (Notice){s->muted ? s->error.message : "", s->stopped ? tr("Compute (Enter)") : NULL, !empty && !s->stopped};
}

void notice_draw(const Frame *f) {
    const Kit *kit = &f->kit;
    const View *view = f->view;
    Notice notice = notice_of(f);
    const char *text = notice.text;
    if (text[0] == '\0') return;
    float pad = f->kit.pad, size = f->layout.type[TYPE_LABEL], line = 1.45f * size;
    float button = notice.button ? kit_button_width(kit, notice.button) + 2 * pad : 0;
    float most = f->window.w * 0.92f - 4 * pad - button, natural = font_width(kit->font, FACE_UI, size, text) + 2;
    float width = natural < most ? natural : most;
    float high = dl_paragraph_height(kit->font, FACE_UI, size, width, line, text), height = notice.button ? fmaxf(high, 3 * pad) : high;
    Rect box = {(f->window.w - width - button) / 2 - 2 * pad, 0, width + button + 4 * pad, height + 1.5f * pad};
    Rect under = f->layout.caption2.h > 0 ? f->layout.caption2 : f->layout.caption; /* over the sentences, never over numbers */
    box.y = fmaxf(f->layout.bottom.y + pad / 2, under.y + under.h - box.h);
    if (!view->presenting) { /* the sentence below is not seen in halves */
        float top = fminf(under.y, box.y);
        dl_rect(f->dl, (Rect){0, top, f->window.w, under.y + under.h - top}, 0, kit->theme->panel, COLOR_NONE, 0);
    }
    if (view->presenting) box.y = f->window.h - box.h - 4 * pad;
    kit_sheet(kit, box, 8, "notice", text);
    if (notice.is_error) dl_rect(f->dl, (Rect){box.x, box.y + pad / 2, 3, box.h - pad}, 1.5f, kit->theme->error, COLOR_NONE, 0);
    dl_paragraph(f->dl, kit->font, FACE_UI, size, kit->theme->ink, (Rect){box.x + 2 * pad, box.y + (box.h - high) / 2, width, high}, line, text);
    if (notice.button)
        kit_button(kit, (Rect){box.x + box.w - button + pad / 2, box.y + pad / 2, button - pad, box.h - pad}, "compute", "compute", notice.button, LOOK_ACCENT);
}
