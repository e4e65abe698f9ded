#include "app/session_files.h"

#include <string.h>

#include "app/session_keep.h"
#include "app/session_settle.h"
#include "base/file.h"
#include "base/utf8.h"
#include "doc/yaml.h"

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
    RunContext context = session_context(s);
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
    return !view->selection.tensor[0] || run_resolve(run, view_ref_text(&view->selection, ",", arena), &id, index, err);
}

static bool open_scenario(Session *s, const char *path, int which, const char *home, Err *err) {
    Doc doc = {0};
    View view;
    bool more = false;
    if (!yaml_read_file(path, which, &doc, &view, &more, err)) return false;
    RunContext context = session_context(s);
    Run *run = NULL;
    /* a file whose numbers do not fit is refused whole; a text still to be typed is not */
    if (!run_build(&doc, &context, &run, err) || !check_selection(run, &view, &s->scratch, err)) {
        yaml_place(path, which, err);
        run_close(run);
        doc_reset(&doc);
        return false;
    }
    session_replace(s, &doc, home, true);
    adopt_view(s, &view);
    session_take_run(s, run, true);
    return true;
}

bool session_open_at(Session *s, const char *path, int which, const char *home, Err *err) {
    bool trace = str_ends(path, ".safetensors");
    if (trace ? !open_trace_file(s, path, home, err) : !open_scenario(s, path, which, home, err)) return false;
    session_settle(s);
    return true;
}

bool session_open_file(Session *s, const char *path, int which, Err *err) {
    return session_open_at(s, path, which, str_eq(path, "-") ? "" : path, err);
}

bool session_open_kept(Session *s, const char *path, Err *err) {
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

bool session_save(Session *s, const char *path, Err *err) {
    char *text = yaml_write(&s->doc, &s->view, &s->scratch);
    if (!file_write(path, text, strlen(text), err)) return false;
    history_saved(s->history, path);
    session_keep(s);
    session_keep_recent(s, path);
    return true;
}
