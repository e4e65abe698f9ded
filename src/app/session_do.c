#include "app/session_do.h"

#include <stdio.h>
#include <string.h>

#include "app/copy.h"
#include "app/files.h"
#include "app/names.h"
#include "app/session_act.h"
#include "app/session_edit.h"
#include "app/session_export.h"
#include "app/session_files.h"
#include "app/session_film.h"
#include "app/session_check.h"
#include "app/session_hold.h"
#include "app/session_job.h"
#include "app/session_keep.h"
#include "app/session_present.h"
#include "app/session_settle.h"
#include "base/file.h"
#include "base/tr.h"

/* ---- effects ---- */

static const char *argument(const ActionLine *line, int i) {
    return i < line->n ? line->arg[i] : NULL;
}

/* Another step of the history; where that takes another model it is said, and where that model was looked at is found again. */
static bool travel(Session *s, bool (*go)(Session *s), const char *to) {
    Doc before = {0};
    doc_copy(&before, &s->doc);
    bool ok = go(s);
    bool other = ok && !doc_same_model(&before, &s->doc);
    doc_reset(&before);
    if (!other) return ok;
    s->left.back = true;
    session_notice(s, false, to, chip_model(&s->doc, NULL, &s->scratch));
    return true;
}

static bool do_undo(Session *s, const ActionLine *line, Err *err) {
    (void)line;
    return travel(s, session_act_undo, tr("Undone: the model is %s again.")) || err_set(err, ERR_USAGE, "%s", tr("There is nothing to undo."));
}

static bool do_redo(Session *s, const ActionLine *line, Err *err) {
    (void)line;
    return travel(s, session_act_redo, tr("Done again: the model is %s.")) || err_set(err, ERR_USAGE, "%s", tr("There is nothing to redo."));
}

static bool do_open(Session *s, const ActionLine *line, Err *err) {
    const char *path = argument(line, 1);
    if (!path) return session_open_menu(s, "open", "");
    char *full = files_expand(&s->scratch, path);
    if (files_is_model(full)) return session_open_model(s, full, err);
    if (file_is_folder(full)) return session_open_menu(s, "open", str_ends(path, "/") ? path : arena_printf(&s->scratch, "%s/", path));
    if (!session_open_file(s, full, 0, err)) return false;
    if (!s->opening.waits) session_keep_recent(s, full);
    s->opening.recent = s->opening.waits;
    session_tell_waiting(s, s->run, 0);
    return true;
}

static bool do_open_folder(Session *s, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    return session_open_menu(s, "folder", "");
}

static bool do_example(Session *s, const ActionLine *line, Err *err) {
    const char *name = argument(line, 1);
    if (!name) return session_open_menu(s, "examples", "");
    char *path = files_example_path(&s->scratch, name, err);
    return path && session_open_at(s, path, 0, "", err);
}

static bool do_save(Session *s, const ActionLine *line, Err *err) {
    const char *path = argument(line, 1);
    const char *home = history_path(s->history);
    if (!path && (home[0] == '\0' || str_ends(home, ".safetensors"))) return session_open_menu(s, "save", "");
    char *full = files_scenario(&s->scratch, path ? path : home);
    if (!session_save(s, full, err)) return false;
    session_notice(s, false, tr("Saved %s"), files_absolute(&s->scratch, full));
    return true;
}

static bool do_recover(Session *s, const ActionLine *line, Err *err) {
    bool forget = str_eq(argument(line, 1), "no");
    const char *path = s->recovery ? recovery_found(s->recovery) : NULL;
    if (!path) return err_set(err, ERR_USAGE, "%s", tr("Nothing was kept: the last time ended cleanly."));
    if (!forget && !session_open_kept(s, path, err)) return false; /* the file stays: perhaps it can be mended */
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
    return session_open_kept(s, path, err);
}

static bool do_copy(Session *s, const ActionLine *line, Err *err) {
    if (!session_have_picture(s, err)) return false;
    const char *text = copy_text(s->run, &s->view, argument(line, 1), argument(line, 2), &s->scratch, err);
    if (!text) return false;
    s->effects.clipboard = text;
    session_notice(s, false, "%s", tr("Copied to the clipboard."));
    return true;
}

static bool do_narrate(Session *s, const ActionLine *line, Err *err) {
    (void)line;
    const char *text = session_narrate(s, &s->scratch, err);
    if (!text) return false;
    s->effects.clipboard = text;
    session_notice(s, false, "%s", tr("The picture in words is in the clipboard."));
    return true;
}

static bool do_compute(Session *s, const ActionLine *line, Err *err) {
    (void)line;
    return job_resume(s) || err_set(err, ERR_USAGE, "%s", tr("Nothing was stopped."));
}

static bool do_paste(Session *s, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    s->effects.wants_paste = true;
    return true;
}

static bool do_cut(Session *s, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    Input cut = {.kind = INPUT_KEY, .mods = MOD_CTRL, .key = "x"};
    edit_key(s, &cut);
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

static const struct {
    const char *name;
    bool (*run)(Session *s, const ActionLine *line, Err *err);
} effect_table[] = {
    {"undo", do_undo},
    {"redo", do_redo},
    {"open", do_open},
    {"open.folder", do_open_folder},
    {"reopen", do_reopen},
    {"recover", do_recover},
    {"example", do_example},
    {"save", do_save},
    {"export", session_export_do},
    {"export.set", session_export_set},
    {"export.path", session_export_path},
    {"copy", do_copy},
    {"narrate", do_narrate},
    {"check", check_do_check},
    {"hold", hold_do_hold},
    {"compare", hold_do_compare},
    {"hold.drop", hold_do_drop},
    {"compute", do_compute},
    {"paste", do_paste},
    {"cut", do_cut},
    {"notes.window", present_do_notes},
    {"timer", present_do_timer},
    {"timer.reset", present_do_timer_reset},
    {"spotlight", present_do_spotlight},
    {"fullscreen", do_fullscreen},
    {"quit", do_quit},
};
enum { EFFECTS = sizeof effect_table / sizeof effect_table[0] };

static bool run_effect(Session *s, const ActionLine *line, Err *err) {
    for (int i = 0; i < EFFECTS; i++)
        if (str_eq(effect_table[i].name, line->arg[0])) return effect_table[i].run(s, line, err);
    return err_set(err, ERR_USAGE, tr("the action %s cannot be run here"), line->arg[0]);
}

/* ---- lines ---- */

/* `model PATH`: anything but the name of a model is a folder. It is opened first, and taken when it can be. */
static bool is_folder_line(const ActionLine *line) {
    return str_eq(line->arg[0], "model") && line->n == 2 && str_find(model_names, MODEL_KIND_COUNT, line->arg[1]) < 0;
}

/* Esc while something is computed. Once more on the picture that this has left does nothing: it would be a surprise in the overview. */
static bool stops(Session *s) {
    bool again = s->stopped && !s->view.presenting && !s->view.focus[0];
    return session_film_stop(s) || job_stop(s) || again;
}

static bool run_line(Session *s, const ActionLine *line, const char *merge, Err *err) {
    int effect = -1;
    if (is_folder_line(line) && files_is_model(files_expand(&s->scratch, line->arg[1]))) return session_open_model(s, line->arg[1], err);
    if (str_eq(line->arg[0], "escape") && !s->view.menu[0] && !s->view.composition[0] && !s->view.blank && stops(s)) return true;
    job_take_back(s);
    if (!session_act(s, line, merge, &effect, err)) return false;
    if (effect < 0) return true;
    bool ok = run_effect(s, line, err);
    s->menu_stale = true;
    session_touch(s);
    session_settle(s);
    return ok;
}

static bool run_text(Session *s, const char *text, const char *merge, Err *err) {
    ActionLine line;
    session_settle(s);
    return action_parse(text, &line, err) && run_line(s, &line, merge, err);
}

bool session_do(Session *s, const char *text, Err *err) {
    return run_text(s, text, NULL, err);
}

bool session_try_merged(Session *s, const char *text, const char *merge) {
    Err err = {0};
    session_clear_notice(s);
    if (run_text(s, text, merge, &err)) return true;
    char message[1200];
    session_notice(s, true, "%s", err_format(&err, message, sizeof message));
    return false;
}

bool session_try(Session *s, const char *text) {
    return session_try_merged(s, text, NULL);
}

/* What is being opened may be refused later: then the dialog is there again. */
static void keep_dialog(Session *s, const char *dialog, const char *query) {
    snprintf(s->opening.dialog, sizeof s->opening.dialog, "%s", dialog);
    snprintf(s->opening.query, sizeof s->opening.query, "%s", query);
}

void session_item(Session *s, const char *line) {
    char *copy = arena_strdup(&s->scratch, line); /* the row goes with its menu */
    if (copy[0] == '=') {
        size_t name = strcspn(copy + 1, " ");
        const char *query = copy[1 + name] ? copy + 2 + name : "";
        session_open_menu(s, arena_strndup(&s->scratch, copy + 1, name), query);
        return;
    }
    if (str_starts(copy, "export.set ")) { /* the dialog stays, with another picture */
        session_try(s, copy);
        return;
    }
    bool lists_edits = str_eq(s->menu.name, "edits"); /* it stays for the next one */
    char *dialog = s->menu.hint ? arena_strdup(&s->scratch, s->menu.name) : NULL, *query = arena_strdup(&s->scratch, s->view.query);
    session_try(s, "menu.close");
    if (!dialog) {
        if (session_try(s, copy) && str_starts(copy, "edit.reset ") && lists_edits && s->doc.n_edits > 0) session_open_menu(s, "edits", "");
        return;
    }
    if (!session_try(s, copy)) session_open_menu(s, dialog, query); /* to be mended there */
    else if (s->opening.waits) keep_dialog(s, dialog, query);
}
