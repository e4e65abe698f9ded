#include "app/session.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "app/files.h"
#include "app/panels.h"
#include "app/press.h"
#include "app/product.h"
#include "app/session_do.h"
#include "app/session_edit.h"
#include "app/session_export.h"
#include "app/session_film.h"
#include "app/session_hold.h"
#include "app/session_input.h"
#include "app/session_job.h"
#include "app/session_keep.h"
#include "app/session_present.h"
#include "app/session_settings.h"
#include "app/session_settle.h"
#include "base/file.h"
#include "base/lang.h"
#include "base/utf8.h"

static const double KEEP_SECONDS = 2;

/* ---- opening and closing ---- */

Session *session_open(const SessionOptions *options, Err *err) {
    Arena process = {0};
    Session *s = ARENA_NEW(&process, Session);
    s->options = *options;
    s->font = options->fonts ? fonts_metrics(options->fonts) : font_fake();
    if (!lexicon_load(&process, &s->lexicon, err)) {
        arena_free(&process);
        return NULL;
    }
    s->process = process;
    s->width = 1600;
    s->height = 1000;
    doc_init(&s->doc);
    view_init(&s->view);
    s->view.language = s->spoken = options->language;
    lang_set(s->spoken);
    s->history = history_open(&s->doc);
    s->pool = pool_open(0);
    s->core = (CoreContext){.parallel_for = pool_for, .parallel_ctx = s->pool};
    product_plug(&s->core);
    s->need_failed = s->held_failed = NEED_FINE;
    job_open(s);
    session_keep_open(s);
    session_export_begin(s);
    session_settings_begin(s);
    session_settle(s);
    return s;
}

void session_close(Session *s) {
    if (!s) return;
    session_film_stop(s);
    session_stop(s);
    session_keep_close(s);
    run_close(s->run);
    hold_close(s);
    doc_reset(&s->doc);
    doc_reset(&s->left.doc);
    doc_reset(&s->number.before);
    history_close(s->history);
    pool_close(s->pool);
    arena_free(&s->scratch);
    arena_free(&s->frame);
    arena_free(&s->menu_arena);
    arena_free(&s->draft_arena);
    Arena process = s->process; /* the session itself lies in it */
    arena_free(&process);
}

void session_stop(Session *s) {
    job_close(s);
}

bool session_busy(const Session *s) {
    return s->job.kind != JOB_NONE || s->opening.waits;
}

/* ---- one update ---- */

static void on_composition(Session *s, const Input *input) {
    if (field_active(s) == FIELD_NONE) return;
    edit_composed(s, input->text ? input->text : "", input->caret);
}

static void on_text(Session *s, const Input *input) {
    if (input->text) edit_typed(s, input->text);
}

static void on_paste(Session *s, const Input *input) {
    if (!input->text) return;
    if (field_active(s) == FIELD_NONE && !s->menu.name) { /* on the stage: another text */
        session_try(s, "focus top.field");
        Input all = {.kind = INPUT_KEY, .mods = MOD_CTRL, .key = "a"};
        edit_key(s, &all);
    }
    edit_typed(s, input->text);
}

static void on_resize(Session *s, const Input *input) {
    session_resize(s, input->x, input->y);
}

static void on_focus(Session *s, const Input *input) {
    if (input->button) return;
    s->view.hover = (ViewRef){0};
    s->view.hot[0] = s->status[0] = '\0';
    s->over_drag = false;
    s->pointer_in = false;
    if (s->press == PRESS_DRAG) press_drag_up(s, input);
    s->view.token_from = s->view.token_to = 0;
    s->press = PRESS_NONE;
    session_touch(s);
}

static void on_drop(Session *s, const Input *input) {
    Err err = {0};
    if (!input->text) return;
    if (file_is_folder(input->text) && !files_is_model(input->text) && !files_no_model(input->text, &err)) session_notice(s, true, "%s", err.message);
    else session_try(s, arena_printf(&s->scratch, "open %s", action_quote(input->text, &s->scratch)));
}

static void on_job(Session *s, const Input *input) {
    (void)input;
    job_collect(s);
}

static void on_quit(Session *s, const Input *input) {
    (void)input;
    s->effects.quit = true;
}

static void on_none(Session *s, const Input *input) {
    (void)s, (void)input;
}

static void (*const input_handlers[])(Session *s, const Input *input) = {
    [INPUT_NONE] = on_none,
    [INPUT_KEY] = session_on_key,
    [INPUT_TEXT] = on_text,
    [INPUT_COMPOSITION] = on_composition,
    [INPUT_MOUSE_MOVE] = session_on_mouse,
    [INPUT_MOUSE_DOWN] = session_on_mouse,
    [INPUT_MOUSE_UP] = session_on_mouse,
    [INPUT_WHEEL] = session_on_mouse,
    [INPUT_RESIZE] = on_resize,
    [INPUT_FOCUS] = on_focus,
    [INPUT_DROP] = on_drop,
    [INPUT_PASTE] = on_paste,
    [INPUT_JOB] = on_job,
    [INPUT_QUIT] = on_quit,
};
static_assert(sizeof input_handlers / sizeof input_handlers[0] == INPUT_KIND_COUNT, "each kind of input is handled");

/* When the notice goes; 0 = not by itself: there is none, or it says what is wrong in the open dialog's field. */
static double notice_end(const Session *s) {
    bool stays = s->menu.hint && s->view.notice_is_error;
    return s->view.notice[0] && !stays ? s->notice_until : 0;
}

bool session_update(Session *s, const Input *input, double dt) {
    arena_reset(&s->scratch);
    lang_set(s->view.language);
    s->effects = (SessionEffects){0};
    s->clock += dt;
    /* time first: what an input starts begins now */
    Film before = s->view.film;
    bool composed = s->view.composition[0] != '\0';
    FieldId composing = field_active(s);
    if (session_pictured(s)) film_advance(&s->view, s->run->trace, dt);
    if (memcmp(&before, &s->view.film, sizeof before) != 0) session_touch(s);
    action_film_moved(&s->view, s->run, before.stage);
    if (notice_end(s) > 0 && s->clock >= notice_end(s)) session_clear_notice(s);
    if (job_shown(s) != s->waiting_shown) {
        s->waiting_shown = !s->waiting_shown;
        session_touch(s);
    }
    if (input && input->kind < INPUT_KIND_COUNT) input_handlers[input->kind](s, input);
    if (field_active(s) != composing) s->view.composition[0] = '\0'; /* it was another field's */
    s->effects.drop_composition = composed && !s->view.composition[0] && !(input && (input->kind == INPUT_TEXT || input->kind == INPUT_COMPOSITION));
    if (s->draft && !str_eq(s->view.focus, s->draft_of)) session_drop_draft(s);
    session_settle(s);
    session_film_advance(s);
    present_advance(s);
    if (!s->fresh && s->keep_due <= 0) s->keep_due = s->clock + KEEP_SECONDS;
    session_keep_due(s);
    session_settings_keep(s);
    return !s->fresh;
}

void session_take_effects(Session *s, SessionEffects *out) {
    const Film *film = &s->view.film;
    *out = s->effects;
    out->wait = -1;
    double due[] = {notice_end(s), s->recovery ? s->keep_due : 0, job_due(s), present_due(s)};
    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++)
        if (due[i] > 0 && (out->wait < 0 || due[i] - s->clock < out->wait)) out->wait = due[i] > s->clock ? due[i] - s->clock : 0;
    if (s->film.writer) out->wait = 0;
    if ((film->playing || film->until > film->position) && session_pictured(s)) out->wait = 0;
    out->drags_number = s->press == PRESS_DRAG || (s->press == PRESS_NONE && s->over_drag);
    out->text_input = field_active(s) != FIELD_NONE;
    if (out->text_input) out->text_rect = panels_caret(s, &s->scratch);
    s->effects = (SessionEffects){0};
}

void session_resize(Session *s, float width, float height) {
    if (width < 1 || height < 1) return;
    s->width = width;
    s->height = height;
    s->present.pointer_known = false;
    session_touch(s);
}

/* ---- reading ---- */

const char *session_title(const Session *s, Arena *arena) {
    const char *path = history_path(s->history), *mark = history_is_safe(s->history) ? "" : "• ";
    return path[0] ? arena_printf(arena, "%s%s — Attnscope", mark, path_name(path)) : arena_printf(arena, "%sAttnscope", mark);
}

const Doc *session_doc(const Session *s) { return &s->doc; }
const View *session_view(const Session *s) { return &s->view; }
const Run *session_run(const Session *s) { return s->run; }
const CoreContext *session_core(const Session *s) { return &s->core; }
