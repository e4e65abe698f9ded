#include "app/session.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "app/files.h"
#include "app/panels.h"
#include "app/product.h"
#include "app/session_state.h"
#include "base/file.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "scene/scene.h"

static const double NOTICE_SECONDS = 6, KEEP_SECONDS = 2;

void session_touch(Session *s) {
    s->fresh = false;
}

void session_clear_notice(Session *s) {
    if (s->view.notice[0] == '\0') return;
    s->view.notice[0] = '\0';
    session_touch(s);
}

void session_notice(Session *s, bool is_error, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(s->view.notice, sizeof s->view.notice, fmt, args);
    va_end(args);
    s->view.notice[utf8_valid_until(s->view.notice, strlen(s->view.notice))] = '\0'; /* cut inside a character */
    s->view.notice_is_error = is_error;
    s->notice_until = s->clock + NOTICE_SECONDS;
    session_touch(s);
}

/* ---- opening and closing ---- */

static void open_recovery(Session *s) {
    Err err = {0};
    s->recovery = recovery_open(s->options.state_folder, &err);
    if (!s->recovery) session_notice(s, true, tr("The document is not kept while you work: %s"), err.message);
    else recovery_due(s->recovery, &s->doc, s->clock); /* changes are those from here on */
    if (s->recovery && recovery_found(s->recovery)) snprintf(s->view.menu, sizeof s->view.menu, "recover");
    s->n_recent = files_recent_read(s->options.state_folder, RECENT_MAX, PATH_SIZE, s->recent[0]);
}

Session *session_open(const SessionOptions *options, Err *err) {
    Arena process = {0};
    Session *s = ARENA_NEW(&process, Session);
    s->options = *options;
    s->font = options->font ? options->font : font_fake();
    if (!lexicon_load(&process, &s->lexicon, err)) {
        arena_free(&process);
        return NULL;
    }
    s->process = process;
    s->width = 1600;
    s->height = 1000;
    dl_init(&s->measure, &s->scratch, s->width, s->height, COLOR_NONE);
    doc_init(&s->doc);
    view_init(&s->view);
    s->history = history_open(&s->doc);
    s->pool = pool_open(0);
    s->core = (CoreContext){.parallel_for = pool_for, .parallel_ctx = s->pool};
    product_plug(&s->core);
    if (options->state_folder) open_recovery(s);
    session_settle(s);
    return s;
}

/* What is unsaved, for the state folder; `docs` holds the list. */
static Keep unsaved(const Session *s, const Doc *docs[HISTORY_UNSAVED_MAX]) {
    int n = history_unsaved(s->history, docs);
    bool open_one = n > 0 && doc_equal(docs[n - 1], &s->doc);
    return (Keep){.docs = docs, .n = n, .view = open_one ? &s->view : NULL};
}

void session_keep(Session *s) {
    const Doc *docs[HISTORY_UNSAVED_MAX];
    Keep keep = unsaved(s, docs);
    Err err = {0};
    if (s->recovery && !recovery_write(s->recovery, &keep, s->clock, &err))
        session_notice(s, true, tr("The document could not be kept: %s"), err.message);
}

static void close_recovery(Session *s) {
    const Doc *docs[HISTORY_UNSAVED_MAX];
    Keep keep = unsaved(s, docs);
    Err err = {0};
    if (!recovery_close(s->recovery, &keep, &err)) fprintf(stderr, "attnscope: %s\n", err.message);
}

void session_close(Session *s) {
    if (!s) return;
    close_recovery(s);
    run_close(s->run);
    doc_reset(&s->doc);
    history_close(s->history);
    pool_close(s->pool);
    arena_free(&s->scratch);
    arena_free(&s->frame);
    arena_free(&s->menu_arena);
    Arena process = s->process; /* the session itself lies in it */
    arena_free(&process);
}

/* ---- what follows from document and view ---- */

void session_take_run(Session *s, Run *run, bool another) {
    run_settle_view(run, another ? NULL : s->run, &s->view);
    run_close(s->run);
    s->run = run;
    s->tried = true;
    s->muted = false;
    s->error = (Err){0};
    session_touch(s);
}

static void settle_run(Session *s) {
    if (s->tried) return;
    s->tried = true;
    s->error = (Err){0};
    Run *run = NULL;
    RunContext context = {.lexicon = s->lexicon, .cx = &s->core};
    s->muted = !run_build(&s->doc, &context, &run, &s->error);
    if (!s->muted) session_take_run(s, run, false);
    session_touch(s);
}

static void settle_menu(Session *s) {
    View *view = &s->view;
    bool other = strcmp(view->menu, s->menu_of) != 0;
    if (!other && !s->menu_stale && strcmp(view->query, s->menu_query) == 0) return;
    arena_reset(&s->menu_arena);
    if (view->menu[0] && !menu_build(s, view->menu, &s->menu_arena, &s->menu)) {
        session_notice(s, true, tr("There is no menu \"%s\""), view->menu);
        view->menu[0] = '\0';
    }
    if (!view->menu[0]) s->menu = (Menu){0};
    if (other || !menu_runs(&s->menu, view->menu_item)) view->menu_item = s->menu.shape == SHAPE_DIALOG ? menu_step(&s->menu, -1, 1) : -1;
    if (other || strcmp(view->query, s->menu_query) != 0) view->menu_scroll = 0;
    snprintf(s->menu_of, sizeof s->menu_of, "%s", view->menu);
    snprintf(s->menu_query, sizeof s->menu_query, "%s", view->query);
    s->menu_stale = false;
    session_touch(s);
}

/* The path of the document stands in the field when saving begins. */
static void settle_query(Session *s) {
    bool opened = strcmp(s->view.menu, s->menu_of) != 0;
    if (opened && strcmp(s->view.menu, "save") == 0 && s->view.query[0] == '\0' && str_ends(history_path(s->history), ".yaml"))
        session_set_query(s, history_path(s->history));
}

void session_settle(Session *s) {
    settle_run(s);
    if (s->run) run_settle_view(s->run, NULL, &s->view);
    settle_query(s);
    settle_menu(s);
}

/* ---- one update ---- */

static void on_composition(Session *s, const Input *input) {
    if (field_active(s) == FIELD_NONE) return;
    const char *text = input->text ? input->text : "";
    snprintf(s->view.composition, sizeof s->view.composition, "%.*s", (int)utf8_valid_until(text, strlen(text)), text);
    session_touch(s);
}

static void on_text(Session *s, const Input *input) {
    if (input->text) field_typed(s, input->text);
}

static void on_paste(Session *s, const Input *input) {
    if (!input->text) return;
    if (field_active(s) == FIELD_NONE && !s->menu.name) { /* on the stage: another text */
        session_try(s, "focus top.field");
        Input all = {.kind = INPUT_KEY, .mods = MOD_CTRL, .key = "a"};
        field_key(s, &all);
    }
    field_typed(s, input->text);
}

static void on_resize(Session *s, const Input *input) {
    session_resize(s, input->x, input->y);
}

static void on_focus(Session *s, const Input *input) {
    if (input->button) return;
    s->view.hover = (ViewRef){0};
    s->view.hot[0] = s->status[0] = '\0';
    s->pointer_in = false;
    s->press = PRESS_NONE;
    session_touch(s);
}

static void on_drop(Session *s, const Input *input) {
    if (input->text) session_try(s, line_quoted(&s->scratch, "open", input->text));
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
    [INPUT_JOB] = on_none,
    [INPUT_QUIT] = on_quit,
};
static_assert(sizeof input_handlers / sizeof input_handlers[0] == INPUT_KIND_COUNT, "each kind of input is handled");

static void keep_document(Session *s) {
    if (s->recovery && recovery_due(s->recovery, &s->doc, s->clock)) session_keep(s);
    if (s->keep_due > 0 && s->clock >= s->keep_due) s->keep_due = 0;
}

bool session_update(Session *s, const Input *input, double dt) {
    arena_reset(&s->scratch);
    s->effects = (SessionEffects){0};
    s->clock += dt;
    /* time first: what an input starts begins now */
    Film before = s->view.film;
    if (s->run) film_advance(&s->view.film, s->run->trace, dt, s->view.reduced_motion);
    if (memcmp(&before, &s->view.film, sizeof before) != 0) session_touch(s);
    if (s->view.notice[0] && s->clock >= s->notice_until) session_clear_notice(s);
    if (input && input->kind < INPUT_KIND_COUNT) input_handlers[input->kind](s, input);
    session_settle(s);
    if (!s->fresh && s->keep_due <= 0) s->keep_due = s->clock + KEEP_SECONDS;
    keep_document(s);
    return !s->fresh;
}

void session_take_effects(Session *s, SessionEffects *out) {
    const Film *film = &s->view.film;
    *out = s->effects;
    out->wait = -1;
    double due[] = {s->view.notice[0] ? s->notice_until : 0, s->recovery ? s->keep_due : 0};
    for (int i = 0; i < 2; i++)
        if (due[i] > 0 && (out->wait < 0 || due[i] - s->clock < out->wait)) out->wait = due[i] > s->clock ? due[i] - s->clock : 0;
    if (film->playing || film->until > film->position) out->wait = 0;
    out->text_input = field_active(s) != FIELD_NONE;
    if (out->text_input) out->text_rect = panels_caret(s, s->width, s->height);
    s->effects = (SessionEffects){0};
}

/* ---- pictures ---- */

static Scene make_scene(const Session *s, float width, float height, Arena *arena) {
    return (Scene){.doc = &s->doc, .view = &s->view, .run = s->run, .muted = s->muted, .font = s->font, .arena = arena,
                   .layout = layout_make(width, height, &s->view)};
}

void session_draw(const Session *s, float width, float height, Arena *arena, DisplayList *list) {
    const Theme *theme = theme_at(s->view.theme);
    dl_init(list, arena, width, height, s->view.blank ? 0x000000FF : theme->background);
    if (!s->view.blank) {
        Scene scene = make_scene(s, width, height, arena);
        panels_draw_below(s, list, width, height);
        if (s->run) scene_draw(&scene, list);
        panels_draw(s, list, width, height);
    }
    dl_finish(list);
}

void session_figure(Session *s, int head, float width, float height, Arena *arena, DisplayList *list) {
    Scene scene = make_scene(s, width > 0 ? width : 1, height > 0 ? height : 1, arena);
    FigureSpec spec = {.stage = s->view.film.stage, .head = head, .position = s->view.film.position, .width = width, .height = height};
    figure_size(&scene, &spec, &width, &height);
    dl_init(list, arena, width, height, theme_at(s->view.theme)->background);
    figure_draw(&scene, &spec, list);
    dl_finish(list);
}

const DisplayList *session_list(Session *s) {
    if (!s->fresh) {
        arena_reset(&s->frame);
        session_draw(s, s->width, s->height, &s->frame, &s->list);
        if (session_hover(s)) { /* something else has come under the resting pointer */
            arena_reset(&s->frame);
            session_draw(s, s->width, s->height, &s->frame, &s->list);
        }
        s->fresh = true;
    }
    return &s->list;
}

void session_resize(Session *s, float width, float height) {
    if (width < 1 || height < 1) return;
    s->width = width;
    s->height = height;
    session_touch(s);
}

/* ---- reading ---- */

const Doc *session_doc(const Session *s) { return &s->doc; }
const View *session_view(const Session *s) { return &s->view; }
const Run *session_run(const Session *s) { return s->run; }
const CoreContext *session_core(const Session *s) { return &s->core; }
