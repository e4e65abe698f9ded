/* Menus and dialogs about files. */
#include <string.h>

#include "app/files.h"
#include "app/menu_rows.h"
#include "base/file.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "doc/yaml.h"

void menu_examples(Rows *rows) {
    Example *list;
    int n;
    Err err = {0};
    rows_heading(rows, tr("Examples"));
    if (!files_examples(rows->arena, &list, &n, &err)) {
        rows_add(rows, ITEM_NOTE, arena_strdup(rows->arena, err.message));
        return;
    }
    for (int i = 0; i < n; i++) rows_choice(rows, tr(list[i].title), NULL, arena_printf(rows->arena, "example %s", list[i].name), false);
}

/* "open PATH" */
static const char *file_line(Rows *rows, const char *action, const char *path) {
    return arena_printf(rows->arena, "%s %s", action, action_quote(path, rows->arena));
}

/* The folder of the open document's model, or "". */
static const char *open_model(const Rows *rows) {
    const Doc *doc = &rows->s->doc;
    return doc->model == MODEL_FOLDER && doc->model_folder ? doc->model_folder->bytes : "";
}

static void recent_row(Rows *rows, const char *path) {
    const char *name = path_name(path);
    rows_choice(rows, name, arena_strndup(rows->arena, path, (size_t)(name - path)), file_line(rows, "open", path), str_eq(path, open_model(rows)));
}

/* What was opened lately: all of it, or models alone. */
static void recent_rows(Rows *rows, const char *heading, bool models) {
    bool any = false;
    for (int i = 0; i < rows->s->n_recent; i++) {
        if (models && !files_is_model(rows->s->recent[i])) continue;
        if (!any) rows_heading(rows, heading);
        any = true;
        recent_row(rows, rows->s->recent[i]);
    }
}

/* The open one is marked; where nothing is kept it stands alone. */
void menu_recent_models(Rows *rows) {
    bool listed = !open_model(rows)[0];
    for (int i = 0; i < rows->s->n_recent; i++) listed = listed || str_eq(rows->s->recent[i], open_model(rows));
    if (!listed) rows_heading(rows, tr("From a folder"));
    if (!listed) recent_row(rows, open_model(rows));
    recent_rows(rows, tr("Models opened lately"), true);
}

/* Behind the last slash that is not the end: "scenarios/". */
static const char *last_part(const char *path) {
    const char *part = path;
    for (const char *c = path; *c; c++)
        if (*c == '/' && c[1]) part = c + 1;
    return part;
}

/* A folder leads on; a model's folder is opened. */
static void path_row(Rows *rows, const char *menu, const char *path) {
    bool model = str_ends(path, "/") && files_is_model(files_expand(rows->arena, path));
    const char *does = str_eq(menu, "check") ? menu : "open";
    const char *action = str_ends(path, "/") && !model ? rows_into_field(rows, menu, path) : file_line(rows, does, path);
    rows_choice(rows, last_part(path), model ? tr("model") : NULL, action, false);
}

static void path_rows(Rows *rows, const char *menu, bool folders_only) {
    const char *query = rows->s->view.query;
    char **paths;
    int n;
    bool here = query[0] && files_is_model(files_expand(rows->arena, query));
    if (here) rows_choice(rows, tr("Open this model"), NULL, file_line(rows, "open", query), false);
    files_complete(query, rows->arena, &paths, &n);
    for (int i = 0; i < n; i++)
        if (!folders_only || str_ends(paths[i], "/")) path_row(rows, menu, paths[i]);
}

void menu_open(Rows *rows) {
    if (rows->s->view.query[0] == '\0') {
        recent_rows(rows, tr("Opened lately"), false);
        rows_heading(rows, tr("This folder"));
    }
    int before = rows->n;
    path_rows(rows, "open", false);
    if (rows->n == before) rows_add(rows, ITEM_NOTE, tr("No scenario (.yaml), trace file (.safetensors) or folder begins like this."));
}

void menu_check(Rows *rows) {
    char **paths;
    int n, before = rows->n;
    files_complete(rows->s->view.query, rows->arena, &paths, &n);
    for (int i = 0; i < n; i++)
        if (str_ends(paths[i], ".safetensors") || (str_ends(paths[i], "/") && !files_is_model(files_expand(rows->arena, paths[i])))) path_row(rows, "check", paths[i]);
    if (rows->n == before) rows_add(rows, ITEM_NOTE, tr("No .safetensors file or folder begins like this."));
}

void menu_folder(Rows *rows) {
    if (rows->s->view.query[0] == '\0') {
        recent_rows(rows, tr("Models opened lately"), true);
        rows_heading(rows, tr("This folder"));
    }
    int before = rows->n;
    path_rows(rows, "folder", true);
    if (rows->n == before) rows_add(rows, ITEM_NOTE, tr("No folder begins like this."));
}

void menu_save(Rows *rows) {
    const char *query = rows->s->view.query;
    if (query[0] == '\0') {
        rows_add(rows, ITEM_NOTE, tr("Type a file name, such as my-example.yaml"));
        return;
    }
    bool there = file_exists(files_scenario(rows->arena, query));
    rows_choice(rows, there ? tr("Replace this file") : tr("Save"), query, file_line(rows, "save", query), false);
}

/* What there is to begin with: the words, or how many tokens are listed. */
static const char *beginning(const Doc *doc, Arena *arena) {
    enum { SHOWN = 60 };
    const char *text = doc_text(doc);
    if (!text[0] && doc->tokens.n > 0) return arena_printf(arena, tr_count("%d token, “%s”", "%d tokens from “%s”", doc->tokens.n), doc->tokens.n, doc_words(&doc->tokens, arena)[0]);
    if (!text[0]) return doc->text ? tr("an empty text") : tr("given numbers");
    if (strlen(text) <= SHOWN) return arena_printf(arena, "“%s”", text);
    return arena_printf(arena, "“%.*s…”", (int)utf8_fit(text, strlen(text), SHOWN), text);
}

/* Which documents were kept, the one that was open first, and when. */
static const char *kept_note(const char *path, Arena *arena) {
    Doc doc = {0}, open = {0};
    bool more = true;
    int n = 0;
    while (more && yaml_read_file(path, n, &doc, NULL, &more, NULL)) {
        doc_copy(&open, &doc);
        doc_reset(&doc);
        n++;
    }
    const char *what = n > 0 ? beginning(&open, arena) : path_name(path), *when = file_written_at(path, arena);
    doc_reset(&open);
    if (n > 1) return arena_printf(arena, tr("Kept on %s: %s, and unsaved documents from before it: %d. Open what was kept?"), when, what, n - 1);
    return arena_printf(arena, tr("Kept on %s: %s. Open what was kept?"), when, what);
}

void menu_recover(Rows *rows) {
    const char *path = rows->s->recovery ? recovery_found(rows->s->recovery) : NULL;
    if (path) rows->note = kept_note(path, rows->arena);
    rows_choice(rows, tr("Open what was kept"), NULL, "recover", false);
    rows_choice(rows, tr("Start afresh"), NULL, "recover no", false);
}
