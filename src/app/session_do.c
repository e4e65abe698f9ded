#include <stdio.h>
#include <string.h>

#include "app/copy.h"
#include "app/files.h"
#include "app/session_state.h"
#include "base/file.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "core/trace.h"

/* ---- the document is another one ---- */

static void doc_changed(Session *s) {
    s->tried = false;
    s->menu_stale = true;
    session_touch(s);
}

void session_replace(Session *s, Doc *doc, const char *path, bool safe) {
    doc_copy(&s->doc, doc);
    doc_reset(doc);
    history_begin(s->history, &s->doc, path, safe, s->clock);
    doc_changed(s);
}

/* Newest first, each once. */
static void remember_file(Session *s, const char *path) {
    char *full = files_absolute(&s->scratch, path);
    if (!s->options.state_folder || strlen(full) >= PATH_SIZE || strchr(full, '\n')) return;
    int found = 0;
    while (found < s->n_recent && !str_eq(s->recent[found], full)) found++;
    if (found == RECENT_MAX) found--;
    if (found == s->n_recent) s->n_recent++;
    memmove(s->recent[1], s->recent[0], (size_t)found * PATH_SIZE);
    snprintf(s->recent[0], PATH_SIZE, "%s", full);
    files_recent_write(s->options.state_folder, s->n_recent, PATH_SIZE, s->recent[0]);
}

/* The file says where to look; how things look stays the user's choice unless the file says otherwise. */
static void adopt_view(Session *s, const View *from) {
    View plain, *view = &s->view;
    double speed = view->film.speed;
    view_init(&plain);
    view->film = from->film;
    if (from->film.speed <= plain.film.speed && from->film.speed >= plain.film.speed) view->film.speed = speed;
    view->head = from->head;
    view->selection = from->selection;
    memcpy(view->selection_text, from->selection_text, sizeof view->selection_text);
    view->n_trail = 0;
    if (from->theme != plain.theme) view->theme = from->theme;
    if (from->palette != plain.palette) view->palette = from->palette;
    if (from->text_scale < plain.text_scale || from->text_scale > plain.text_scale) view->text_scale = from->text_scale;
    view->reduced_motion |= from->reduced_motion;
}

static bool open_trace_file(Session *s, const char *path, const char *home, Err *err) {
    RunContext context = {.lexicon = s->lexicon, .cx = &s->core};
    Doc doc = {0};
    Run *run = NULL;
    if (!run_from_trace(path, &context, &doc, &run, err)) {
        doc_reset(&doc);
        return false;
    }
    session_replace(s, &doc, home, true);
    film_home(&s->view.film);
    s->view.selection = (ViewRef){0};
    s->view.n_trail = 0;
    session_take_run(s, run, true);
    return true;
}

/* The number that the file selects is there. */
static bool check_selection(const Run *run, const View *view, Arena *arena, Err *err) {
    TensorId id;
    int index[TENSOR_RANK_MAX];
    if (view->selection_text[0]) return run_resolve(run, view->selection_text, &id, index, err);
    return !view->selection.tensor[0] || run_resolve(run, session_ref(&view->selection, arena), &id, index, err);
}

static bool open_scenario(Session *s, const char *path, int which, const char *home, Err *err) {
    Doc doc = {0};
    View view;
    bool more = false;
    if (!yaml_read_file(path, which, &doc, &view, &more, err)) return false;
    RunContext context = {.lexicon = s->lexicon, .cx = &s->core};
    Run *run = NULL;
    /* a file whose numbers do not fit is refused whole; a text still to be typed is not */
    if (!run_build(&doc, &context, &run, err) || !check_selection(run, &view, &s->scratch, err)) {
        err_place(err, path, 0, 0);
        run_close(run);
        doc_reset(&doc);
        return false;
    }
    session_replace(s, &doc, home, true);
    adopt_view(s, &view);
    session_take_run(s, run, true);
    return true;
}

/* `home` is where Ctrl+S writes to; "" = it asks. */
static bool open_file(Session *s, const char *path, int which, const char *home, Err *err) {
    bool trace = str_ends(path, ".safetensors");
    if (trace ? !open_trace_file(s, path, home, err) : !open_scenario(s, path, which, home, err)) return false;
    session_settle(s);
    return true;
}

bool session_open_file(Session *s, const char *path, int which, Err *err) {
    return open_file(s, path, which, str_eq(path, "-") ? "" : path, err);
}

/* What was kept: one document on top of the other, so that undo finds them all. None of them is saved, and one that
 * has no run is opened too: its text may still have been on its way. */
static bool open_kept(Session *s, const char *path, Err *err) {
    View view;
    bool more = true;
    for (int i = 0; more; i++) {
        Doc doc;
        if (!yaml_read_file(path, i, &doc, &view, &more, err)) return false;
        session_replace(s, &doc, "", false);
    }
    adopt_view(s, &view);
    session_settle(s);
    session_keep(s);
    return true;
}

void session_begin(Session *s) {
    history_saved(s->history, history_path(s->history));
}

bool session_open_text(Session *s, const char *text, Err *err) {
    if (!utf8_check(text, strlen(text), err)) return false;
    Doc doc = {0};
    doc_init(&doc);
    doc_set_text(&doc, text, strlen(text));
    session_replace(s, &doc, "", true);
    session_settle(s);
    return true;
}

bool session_need_run(Session *s, Err *err) {
    session_settle(s);
    if (!s->muted) return true;
    *err = s->error;
    return false;
}

/* ---- effects ---- */

static const char *argument(const ActionLine *line, int i) {
    return i < line->n ? line->arg[i] : NULL;
}

static bool travel(Session *s, bool (*go)(History *history, Doc *doc), const char *nothing, Err *err) {
    if (!go(s->history, &s->doc)) return err_set(err, ERR_USAGE, "%s", nothing);
    doc_changed(s);
    s->view.caret = s->view.anchor = (int)strlen(field_text(s, FIELD_TEXT, &s->scratch));
    return true;
}

static bool do_undo(Session *s, const ActionLine *line, Err *err) {
    (void)line;
    return travel(s, history_undo, tr("There is nothing to undo."), err);
}

static bool do_redo(Session *s, const ActionLine *line, Err *err) {
    (void)line;
    return travel(s, history_redo, tr("There is nothing to redo."), err);
}

static bool open_menu(Session *s, const char *name, const char *query) {
    snprintf(s->view.menu, sizeof s->view.menu, "%s", name);
    session_settle(s);
    session_set_query(s, query);
    return true;
}

static bool do_open(Session *s, const ActionLine *line, Err *err) {
    const char *path = argument(line, 1);
    if (!path) return open_menu(s, "open", "");
    char *full = files_expand(&s->scratch, path);
    if (file_is_folder(full)) return open_menu(s, "open", str_ends(path, "/") ? path : arena_printf(&s->scratch, "%s/", path));
    if (!session_open_file(s, full, 0, err)) return false;
    remember_file(s, full);
    return true;
}

static bool do_example(Session *s, const ActionLine *line, Err *err) {
    const char *name = argument(line, 1);
    if (!name) return open_menu(s, "examples", "");
    char *path = files_example_path(&s->scratch, name, err);
    return path && open_file(s, path, 0, "", err);
}

static bool do_save(Session *s, const ActionLine *line, Err *err) {
    const char *path = argument(line, 1);
    const char *home = history_path(s->history);
    if (!path && (home[0] == '\0' || str_ends(home, ".safetensors"))) return open_menu(s, "save", "");
    char *full = files_expand(&s->scratch, path ? path : home);
    if (!str_ends(full, ".yaml") && !str_ends(full, ".yml")) full = arena_printf(&s->scratch, "%s.yaml", full);
    char *text = yaml_write(&s->doc, &s->view, &s->scratch);
    if (!file_write(full, text, strlen(text), err)) return false;
    history_saved(s->history, full);
    session_keep(s);
    remember_file(s, full);
    session_notice(s, false, tr("Saved %s"), files_absolute(&s->scratch, full));
    return true;
}

/* The picture as it is, without what is open over it. */
static bool write_picture(Session *s, const char *path, Err *err) {
    if (!s->options.save_picture) return err_set(err, ERR_USAGE, "this session writes no pictures");
    View kept = s->view;
    s->view.menu[0] = s->view.focus[0] = s->view.hot[0] = s->view.notice[0] = s->view.composition[0] = '\0';
    s->view.hover = (ViewRef){0};
    Arena arena = {0};
    DisplayList list;
    session_draw(s, s->width, s->height, &arena, &list);
    s->view = kept;
    bool ok = s->options.save_picture(s->options.save_ctx, &list, 2, path, err);
    arena_free(&arena);
    return ok;
}

static bool do_export(Session *s, const ActionLine *line, Err *err) {
    const char *path = argument(line, 1);
    char *full = path ? files_expand(&s->scratch, path) : NULL;
    if (full && !str_ends(full, ".png")) return err_set(err, ERR_USAGE, "\"%s\" does not end in .png, the only picture format", path);
    if (!full) {
        const char *stage = s->run ? stage_name(trace_stage(s->run->trace, s->view.film.stage)->kind) : "picture";
        full = files_free_name(&s->scratch, arena_printf(&s->scratch, "attnscope-%s", stage), ".png", err);
        if (!full) return false;
    }
    if (!write_picture(s, full, err)) return false;
    session_notice(s, false, tr("Picture saved: %s"), files_absolute(&s->scratch, full));
    return true;
}

static bool do_copy(Session *s, const ActionLine *line, Err *err) {
    const char *text = copy_text(s->run, &s->view, argument(line, 1), &s->scratch, err);
    if (!text) return false;
    s->effects.clipboard = text;
    session_notice(s, false, "%s", tr("Copied to the clipboard."));
    return true;
}

static bool do_paste(Session *s, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    s->effects.wants_paste = true;
    return true;
}

static bool do_cut(Session *s, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    Input cut = {.kind = INPUT_KEY, .mods = MOD_CTRL, .key = "x"};
    field_key(s, &cut);
    return true;
}

static bool do_fullscreen(Session *s, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    s->effects.toggle_fullscreen = true;
    return true;
}

static bool do_quit(Session *s, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    s->effects.quit = true;
    return true;
}

static bool can_undo(const Session *s) { return history_can_undo(s->history); }
static bool can_redo(const Session *s) { return history_can_redo(s->history); }

static bool can_reopen(const Session *s) {
    Arena arena = {0};
    bool there = s->recovery && recovery_session(s->recovery, 0, &arena);
    arena_free(&arena);
    return there;
}

static bool do_recover(Session *s, const ActionLine *line, Err *err) {
    bool forget = str_eq(argument(line, 1), "no");
    const char *path = s->recovery ? recovery_found(s->recovery) : NULL;
    if (!path) return err_set(err, ERR_USAGE, "%s", tr("Nothing was kept: the last time ended cleanly."));
    if (!forget && !open_kept(s, path, err)) return false; /* the file stays: perhaps it can be mended */
    recovery_forget(s->recovery);
    return true;
}

static bool do_reopen(Session *s, const ActionLine *line, Err *err) {
    int back = 1;
    const char *text = argument(line, 1);
    if (text && (!str_to_int(text, &back) || back < 1 || back > SESSIONS_MAX))
        return err_set(err, ERR_USAGE, tr("reopen takes a number from 1 to %d, found '%s'"), SESSIONS_MAX, text);
    const char *path = s->recovery ? recovery_session(s->recovery, back - 1, &s->scratch) : NULL;
    if (!path) return err_set(err, ERR_USAGE, "%s", tr("There is no session with unsaved changes to open."));
    return open_kept(s, path, err);
}

static const struct {
    const char *name;
    bool (*run)(Session *s, const ActionLine *line, Err *err);
    bool (*can)(const Session *s); /* NULL = always */
} effect_table[] = {
    {"undo", do_undo, can_undo},
    {"redo", do_redo, can_redo},
    {"open", do_open, NULL},
    {"reopen", do_reopen, can_reopen},
    {"recover", do_recover, NULL},
    {"example", do_example, NULL},
    {"save", do_save, NULL},
    {"export", do_export, NULL},
    {"copy", do_copy, NULL},
    {"paste", do_paste, NULL},
    {"cut", do_cut, NULL},
    {"fullscreen", do_fullscreen, NULL},
    {"quit", do_quit, NULL},
};
enum { EFFECTS = sizeof effect_table / sizeof effect_table[0] };

bool session_can(const Session *s, int action) {
    ActionContext cx = {(Doc *)(uintptr_t)&s->doc, (View *)(uintptr_t)&s->view, s->run, NULL}; /* only looked at */
    for (int i = 0; i < EFFECTS; i++)
        if (str_eq(effect_table[i].name, action_table[action].name)) return !effect_table[i].can || effect_table[i].can(s);
    return action_enabled(&cx, action);
}

static bool run_effect(Session *s, const ActionLine *line, Err *err) {
    for (int i = 0; i < EFFECTS; i++)
        if (str_eq(effect_table[i].name, line->arg[0])) return effect_table[i].run(s, line, err);
    return err_set(err, ERR_USAGE, "the action %s cannot be run here", line->arg[0]);
}

/* ---- lines ---- */

static ActionContext context_of(Session *s, const RunContext *context) {
    return (ActionContext){&s->doc, &s->view, s->run, context};
}

/* After anything that may have changed the document: one step of undo, and all that follows. */
static void finish(Session *s, Doc *before, const char *merge) {
    if (!doc_equal(before, &s->doc)) {
        history_push(s->history, &s->doc, merge, s->clock);
        doc_changed(s);
    }
    doc_reset(before);
}

/* `new` has made a document that has no file. */
static void finish_new(Session *s, Doc *before) {
    history_begin(s->history, &s->doc, "", true, s->clock);
    doc_changed(s);
    doc_reset(before);
}

bool session_set(Session *s, const char *key, const char *value, Err *err) {
    ActionLine line = {.n = 3, .arg = {(char *)(uintptr_t)"set", (char *)(uintptr_t)key, (char *)(uintptr_t)value}};
    Doc before = {0};
    RunContext context = {.lexicon = s->lexicon, .cx = &s->core};
    ActionContext cx = context_of(s, &context);
    int effect;
    doc_copy(&before, &s->doc);
    bool ok = action_run(&cx, &line, &effect, err);
    finish(s, &before, NULL);
    return ok;
}

/* A field that an action has given the focus to has everything selected. */
static void enter_field(Session *s, const char *focus_before) {
    FieldId id = field_find(s->view.focus);
    if (id == FIELD_NONE || str_eq(focus_before, s->view.focus)) return;
    s->view.anchor = 0;
    s->view.caret = (int)strlen(field_text(s, id, &s->scratch));
}

bool session_run_line(Session *s, const ActionLine *line, const char *merge, Err *err) {
    Doc before = {0};
    char focus[sizeof s->view.focus];
    memcpy(focus, s->view.focus, sizeof focus);
    doc_copy(&before, &s->doc);
    RunContext context = {.lexicon = s->lexicon, .cx = &s->core};
    ActionContext cx = context_of(s, &context);
    int effect = -1;
    bool ok = action_run(&cx, line, &effect, err);
    if (ok && str_eq(line->arg[0], "new")) finish_new(s, &before);
    else finish(s, &before, merge);
    if (ok && effect >= 0) ok = run_effect(s, line, err);
    enter_field(s, focus);
    s->menu_stale = true;
    session_touch(s);
    session_settle(s);
    return ok;
}

bool session_type(Session *s, const char *text, bool source, Err *err) {
    Doc before = {0};
    doc_copy(&before, &s->doc);
    RunContext context = {.lexicon = s->lexicon, .cx = &s->core};
    ActionContext cx = context_of(s, &context);
    bool ok = action_set_text(&cx, text, strlen(text), source, err);
    finish(s, &before, "typing");
    session_settle(s);
    return ok;
}

bool session_do(Session *s, const char *text, Err *err) {
    ActionLine line;
    session_settle(s);
    return action_parse(text, &line, err) && session_run_line(s, &line, NULL, err);
}

bool session_try(Session *s, const char *text) {
    Err err = {0};
    session_clear_notice(s);
    if (session_do(s, text, &err)) return true;
    char message[1200];
    session_notice(s, true, "%s", err_format(&err, message, sizeof message));
    return false;
}

char *line_quoted(Arena *arena, const char *name, const char *argument_text) {
    return arena_printf(arena, "%s %s", name, action_quote(argument_text, arena));
}

void session_item(Session *s, const char *line) {
    char *copy = arena_strdup(&s->scratch, line); /* the row goes with its menu */
    if (copy[0] == '=') {
        size_t name = strcspn(copy + 1, " ");
        const char *query = copy[1 + name] ? copy + 2 + name : "";
        open_menu(s, arena_strndup(&s->scratch, copy + 1, name), query);
        return;
    }
    session_try(s, "menu.close");
    session_try(s, copy);
}

/* ---- where to look ---- */

bool session_show(Session *s, int stage, int step, Err *err) {
    if (!session_need_run(s, err)) return false;
    const Trace *trace = s->run->trace;
    int stages = trace_stage_count(trace);
    if (stage < 0 || stage >= stages) return err_set(err, ERR_USAGE, "there is no stage %d: stages count from 1 to %d", stage + 1, stages);
    int steps = film_steps(trace, stage);
    if (step > steps || step == 0)
        return err_set(err, ERR_USAGE, "there is no step %d: the stage %s has steps 1 to %d", step, stage_name(trace_stage(trace, stage)->kind), steps);
    film_stage(&s->view.film, trace, stage, true);
    if (step > 0) film_rest(&s->view.film, trace, step);
    session_touch(s);
    return true;
}

bool session_show_head(Session *s, int head, Err *err) {
    if (!session_need_run(s, err)) return false;
    int heads = s->run->spec.n_heads;
    if (head < 0 || head >= heads) return err_set(err, ERR_USAGE, "there is no head %d: heads count from 1 to %d", head + 1, heads);
    s->view.head = head;
    session_touch(s);
    return true;
}
