#include "app/session_files.h"

#include <stdio.h>
#include <string.h>

#include "app/arrays.h"
#include "app/files.h"
#include "app/session_act.h"
#include "app/session_job.h"
#include "app/session_keep.h"
#include "app/session_settings.h"
#include "app/session_settle.h"
#include "backend/picture.h"
#include "base/file.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "doc/yaml.h"
#include "model/array_file.h"

enum { PICTURE_MAX = 256 << 20 };

/* How maps are drawn, as the file has it: what a file does not name is as it is in a new document. */
static void adopt_maps(View *view, const View *from) {
    view->overview = from->overview;
    view->sort = from->sort;
    view->aggregate = from->aggregate;
    view->shape = from->shape;
    view->heads_shown = from->heads_shown;
    view->log_scale = from->log_scale;
    view->own_range = from->own_range;
    view->threshold = from->threshold;
    memcpy(view->hidden, from->hidden, sizeof view->hidden);
    view->n_hidden = from->n_hidden;
    view->zoom = from->zoom;
    view->zoom_row = from->zoom_row;
    view->zoom_column = from->zoom_column;
    view->mask_form = from->mask_form;
}

/* The file says where to look; how things look stays the user's choice unless the file says otherwise. */
static void adopt_view(Session *s, const View *from) {
    View plain, *view = &s->view;
    double speed = view->film.speed;
    view_init(&plain);
    view->film = from->film;
    if (from->film.speed <= plain.film.speed && from->film.speed >= plain.film.speed) view->film.speed = speed;
    view->head = from->head;
    memcpy(view->layer, from->layer, sizeof view->layer);
    view->place_waits = from->place_waits;
    view->block_open = from->block_open;
    adopt_maps(view, from);
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

/* The stage of the run that the file's view stands at. */
static int stage_of(const Run *run, const View *view, Arena *arena) {
    View *placed = ARENA_NEW(arena, View);
    *placed = *view;
    run_settle_view(run, NULL, placed);
    return placed->film.stage;
}

/* The number that the file selects is there, in the file's layer where it names none. */
static bool check_selection(const Run *run, const View *view, Arena *arena, Err *err) {
    TensorId id;
    int index[TENSOR_RANK_MAX];
    const char *text = view->selection_text[0] ? view->selection_text : view_ref_text(&view->selection, ",", arena);
    bool none = !view->selection_text[0] && !view->selection.tensor[0];
    return none || run_resolve_at(run, stage_of(run, view, arena), text, &id, index, err);
}

/* ---- opening what needs a run first ---- */

/* The document that was to be opened, with its run, takes the place of the open one. */
static void commit_document(Session *s, Run *run) {
    Opening *opening = &s->opening;
    session_replace(s, &opening->doc, opening->home, true);
    session_settings_keep(s);
    if (opening->has_view) adopt_view(s, &opening->view);
    session_settings_accept(s);
    session_take_run(s, run, true);
}

/* Takes `run` over. */
static bool finish_opening(Session *s, Run *run, Err *err) {
    Opening *opening = &s->opening;
    bool ok = run != NULL;
    opening->waits = false;
    if (ok && opening->has_view) ok = check_selection(run, &opening->view, &s->scratch, err);
    bool layers = ok && run->n_sites > 1;
    if (ok && opening->folder) ok = session_act_model(s, opening->home, run, err);
    else if (ok) commit_document(s, run);
    else job_drop_run(s, run);
    if (!ok && !opening->folder) yaml_place(opening->path, opening->which, err);
    if (ok && opening->folder) s->view.overview = layers; /* a model of several layers begins with all of them */
    doc_reset(&opening->doc);
    if (ok && opening->recent) session_keep_recent(s, opening->path);
    return ok;
}

void session_opened(Session *s, Run *run, const Err *err) {
    char message[1200];
    Err why = *err;
    if (finish_opening(s, run, &why)) return;
    s->opening_error = why;
    session_notice(s, true, "%s", err_format(&why, message, sizeof message));
    if (s->opening.dialog[0] && !s->view.menu[0]) session_open_menu(s, s->opening.dialog, s->opening.query); /* to be mended there */
}

/* At once, or begun when the run takes long. */
static bool begin_opening(Session *s, Err *err) {
    Opening *opening = &s->opening;
    s->opening_error = (Err){0};
    if (job_serves(s, &opening->doc)) {
        opening->waits = true;
        session_settle(s);
        return true;
    }
    RunContext context = session_context(s);
    Run *run = NULL;
    job_take_back(s);
    return finish_opening(s, run_build(&opening->doc, &context, &run, err) ? run : NULL, err);
}

/* One at a time: what was on its way makes room for it. */
static Opening *new_opening(Session *s, const char *path, const char *home) {
    Opening *opening = &s->opening;
    if (s->job.opens) job_cancel(s);
    opening->waits = opening->folder = opening->has_view = opening->recent = false;
    opening->which = 0;
    opening->dialog[0] = '\0';
    doc_reset(&opening->doc);
    snprintf(opening->path, sizeof opening->path, "%s", path);
    snprintf(opening->home, sizeof opening->home, "%s", home);
    return opening;
}

static bool is_picture(const char *path) { return str_ends(path, ".png") || str_ends(path, ".svg"); }

/* The scenario that a picture carries. */
static bool read_picture(Session *s, const char *path, int which, Doc *doc, View *view, bool *more, Err *err) {
    char *bytes;
    size_t size;
    if (!file_read(path, PICTURE_MAX, &s->scratch, &bytes, &size, err)) return false;
    const char *text = picture_scenario(bytes, size, &s->scratch, err);
    return text ? yaml_read(text, strlen(text), path, which, doc, view, more, err) : err_place(err, path, 0, 0);
}

/* `doc` is taken over. */
static bool begin_scenario(Session *s, const Doc *doc, const View *view, const char *path, int which, const char *home, Err *err) {
    Opening *opening = new_opening(s, path, home);
    opening->doc = *doc;
    opening->view = *view;
    opening->has_view = true;
    opening->which = which;
    return begin_opening(s, err);
}

/* A file whose numbers do not fit is refused whole; a text still to be typed is not. */
static bool open_scenario(Session *s, const char *path, int which, const char *home, Err *err) {
    Doc doc = {0};
    View view;
    bool more = false;
    bool picture = is_picture(path);
    if (!(picture ? read_picture(s, path, which, &doc, &view, &more, err) : yaml_read_file(path, which, &doc, &view, &more, err))) return false;
    return begin_scenario(s, &doc, &view, path, which, picture ? "" : home, err); /* saving does not write over the picture */
}

bool session_open_bytes(Session *s, const char *name, const char *bytes, size_t size, int which, Err *err) {
    Doc doc = {0};
    View view;
    bool more = false;
    if (!yaml_read(bytes, size, name, which, &doc, &view, &more, err)) return false;
    if (!begin_scenario(s, &doc, &view, name, which, "", err)) return false;
    session_settle(s);
    return true;
}

/* A map of weights from anybody's program: a scenario of its own, which has no file yet. */
static bool open_array(Session *s, const char *path, Err *err) {
    const char *text = arrays_scenario(path, &s->scratch, err);
    return text && session_open_bytes(s, path, text, strlen(text), 0, err);
}

bool session_open_at(Session *s, const char *path, int which, const char *home, Err *err) {
    bool trace = str_ends(path, ".safetensors"), own = false;
    if (array_file_is(path)) return open_array(s, path, err);
    if (trace && !check_is_dump(path, &own, err)) return false;
    if (own) return session_open_check(s, path, NULL, 0, err);
    if (trace ? !open_trace_file(s, path, home, err) : !open_scenario(s, path, which, home, err)) return false;
    session_settle(s);
    return true;
}

/* ---- models ---- */

/* Its absolute path; NULL and err when it is none. */
static char *model_path(Session *s, const char *folder, Err *err) {
    char *full = files_absolute(&s->scratch, files_expand(&s->scratch, folder));
    for (size_t n = strlen(full); n > 1 && full[n - 1] == '/'; n--) full[n - 1] = '\0';
    if (strlen(full) >= PATH_SIZE) err_set(err, ERR_LIMIT, tr("the path of the folder is longer than %d bytes"), PATH_SIZE - 1);
    else if (files_is_model(full)) return full;
    else files_no_model(full, err);
    return NULL;
}

bool session_set_model(Session *s, const char *folder, Err *err) {
    char *full = model_path(s, folder, err);
    return full && session_act_folder(s, full, err);
}

bool session_open_model(Session *s, const char *folder, Err *err) {
    char *full = model_path(s, folder, err);
    if (!full) return false;
    Opening *opening = new_opening(s, full, full);
    opening->folder = opening->recent = true;
    doc_copy(&opening->doc, &s->doc);
    if (!session_try_model(s, full, &opening->doc, err) || !begin_opening(s, err)) return false;
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
    history_start(s->history);
    session_settings_accept(s);
    if (s->doc.model == MODEL_FOLDER && s->doc.model_folder) session_keep_recent(s, s->doc.model_folder->bytes);
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

/* A model's folder below or beside that of the scenario is named from there, so that both can be moved. */
static const char *folder_from(const char *scenario, const char *folder, Arena *arena) {
    const char *full = path_absolute(arena, NULL, scenario), *end = strrchr(full, '/');
    size_t home = (size_t)(end - full);
    if (strncmp(folder, full, home) == 0 && folder[home] == '/' && folder[home + 1]) return arena_printf(arena, "./%s", folder + home + 1);
    while (home > 0 && full[home - 1] != '/') home--;
    bool beside = home > 1 && strncmp(folder, full, home) == 0 && folder[home];
    return beside ? arena_printf(arena, "../%s", folder + home) : folder;
}

char *session_scenario(const Session *s, const char *path, Arena *arena) {
    Doc doc = {0};
    doc_copy(&doc, &s->doc);
    if (doc.model == MODEL_FOLDER && doc.model_folder) {
        const char *folder = folder_from(path, doc.model_folder->bytes, arena);
        doc_set_blob(&doc.model_folder, folder, strlen(folder));
    }
    char *text = yaml_write(&doc, &s->view, arena);
    doc_reset(&doc);
    return text;
}

bool session_save(Session *s, const char *path, Err *err) {
    char *text = session_scenario(s, path, &s->scratch);
    if (!file_write(path, text, strlen(text), err)) return false;
    history_saved(s->history, path);
    session_keep(s);
    session_keep_recent(s, path);
    return true;
}
