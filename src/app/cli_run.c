#include "app/cli_run.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app/arrays.h"
#include "app/files.h"
#include "base/file.h"
#include "base/str.h"
#include "doc/action.h"
#include "model/array_file.h"

bool cli_is_document(const char *word) {
    return str_ends(word, ".yaml") || str_ends(word, ".yml") || str_ends(word, ".safetensors") || str_ends(word, ".png") || str_ends(word, ".svg") || array_file_is(word) || str_eq(word, "-");
}

static bool open_words(const CliArgs *args, int from, int n_words, Session *session, Err *err) {
    Arena arena = {0};
    StrBuf text;
    sb_init(&text, &arena);
    bool ok = true;
    for (int i = from; ok && i < n_words; i++) {
        if (cli_is_document(args->words[i])) ok = err_set(err, ERR_USAGE, "one file at a time: %s stands beside other words", args->words[i]);
        sb_printf(&text, "%s%s", i > from ? " " : "", args->words[i]);
    }
    ok = ok && session_open_text(session, text.data, err);
    arena_free(&arena);
    return ok;
}

/* A first word that is a folder: a model's, or one that was meant to be. Before other words a name that is no path may be a word too. */
static bool is_folder_name(const char *word, bool alone) {
    return files_is_model(word) || ((alone || strchr(word, '/')) && file_is_folder(word));
}

/* The folder of a model that stands before the words; NULL: none does. */
static const char *first_folder(const CliArgs *args, int n_words) {
    return n_words > 0 && is_folder_name(args->words[0], n_words == 1) ? args->words[0] : NULL;
}

/* A file, or words; a folder before them is a field, as --model is. */
static bool open_input(const CliArgs *args, int n_words, Session *session, Err *err) {
    if (args->bytes) return session_open_bytes(session, "standard input", args->bytes, args->n_bytes, args->document - 1, err);
    bool file = n_words == 1 && cli_is_document(args->words[0]);
    if (args->document != 1 && (!file || str_ends(args->words[0], ".safetensors")))
        return err_set(err, ERR_USAGE, "--doc %d is for a scenario file with several documents", args->document);
    if (file) return session_open_file(session, args->words[0], args->document - 1, err);
    int from = first_folder(args, n_words) != NULL;
    return from >= n_words || open_words(args, from, n_words, session, err);
}

/* A matrix may lie in a file: "--weights map.npy". */
static bool set_array(Session *session, const char *key, const char *path, Err *err) {
    Arena arena = {0};
    const char *value = arrays_value(path, &arena, err);
    bool ok = value && session_set(session, key, value, err);
    arena_free(&arena);
    return ok;
}

/* A field of the document; a model is more than the name of its folder. */
static bool set_field(Session *session, const char *key, const char *value, Err *err) {
    if (str_find(doc_matrix_names, MATRIX_COUNT, key) >= 0 && array_file_is(value)) return set_array(session, key, value, err);
    bool folder = str_eq(key, "model") && str_find(model_names, MODEL_KIND_COUNT, value) < 0 && (strchr(value, '/') || file_is_folder(value));
    return folder ? session_set_model(session, value, err) : session_set(session, key, value, err);
}

/* What a model from a folder has instead of a refused value is known when it runs: then the error says it. */
static bool apply_field(Session *session, const char *key, const char *value, Err *err) {
    Err why = {0};
    if (set_field(session, key, value, err)) return true;
    bool again = session_doc(session)->model == MODEL_FOLDER && session_need_run(session, &why);
    if (again) *err = (Err){0};
    if (again && set_field(session, key, value, err)) return true;
    err->line = err->column = 0; /* of the value: no place that anyone could look up */
    return err_key(err, key);
}

/* In whatever order they stand, fields are set in turns: the model before what it may have of its own, keep before the mask that
 * takes it over. A source comes before the model too, which takes the words for its source when there is none. */
static const char *const turns[] = {"source_text", "model", "keep"};
enum { TURN_SOURCE, TURN_MODEL, TURN_KEEP, TURN_OTHERS };
static_assert(sizeof turns / sizeof turns[0] == TURN_OTHERS, "a turn a key, and one for all others");

/* With words the source has the last turn too: a model of one text refuses it then. */
static bool apply_turn(const CliArgs *args, int turn, bool words, Session *session, Err *err) {
    for (int i = 0; i < args->n_set; i++) {
        int own = str_find(turns, TURN_OTHERS, args->set[i].key);
        bool now = own == turn ? own != TURN_SOURCE || words : turn == TURN_OTHERS && own <= TURN_SOURCE;
        if (now && !apply_field(session, args->set[i].key, args->set[i].value, err)) return false;
    }
    return true;
}

/* Words were typed for a model whose text is a list of ids. */
static bool check_ids(const CliArgs *args, int from, int n_words, const Session *session, Err *err) {
    const Doc *doc = session_doc(session);
    int sizes[2];
    bool file = n_words == 1 && cli_is_document(args->words[0]);
    if (file || from >= n_words || doc->model != MODEL_FOLDER || !checkpoint_id_texts(doc->model_folder->bytes, sizes)) return true;
    Arena arena = {0};
    Encoding ids;
    bool ok = true;
    for (int i = from; ok && i < n_words; i++) ok = checkpoint_ids(args->words[i], path_name(doc->model_folder->bytes), sizes[0], &arena, &ids, err);
    arena_free(&arena);
    return ok;
}

static bool apply_looks(const CliArgs *args, Session *session, Err *err) {
    const char *const looks[][2] = {{"theme", args->theme}, {"palette", args->palette}};
    for (int i = 0; i < 2; i++) {
        char line[256];
        if (!looks[i][1]) continue;
        snprintf(line, sizeof line, "%s \"%s\"", looks[i][0], looks[i][1]);
        if (!session_do(session, line, err)) return false;
    }
    return true;
}

static bool set_tokens(Session *session, const char *path, Err *err) {
    Arena arena = {0};
    const char *words = arrays_words(path, &arena, err);
    bool ok = words && session_set(session, "tokens", words, err);
    arena_free(&arena);
    return ok;
}

static bool apply_fields(const CliArgs *args, int n_words, Session *session, Err *err) {
    const char *folder = first_folder(args, n_words);
    if (args->tokens_from && !set_tokens(session, args->tokens_from, err)) return false;
    bool keep = false, kept = false, words = n_words > (folder != NULL);
    for (int i = 0; i < args->n_set; i++) keep = keep || str_eq(args->set[i].key, "keep");
    for (int turn = 0; turn <= TURN_OTHERS; turn++) {
        if (turn == TURN_MODEL && folder && !session_set_model(session, folder, err)) return false;
        if (!apply_turn(args, turn, words, session, err)) return false;
        if (turn == TURN_MODEL && !check_ids(args, folder != NULL, n_words, session, err)) return false;
    }
    for (int i = 0; i < session_doc(session)->n_masks; i++) kept = kept || session_doc(session)->masks[i].keep.rank > 0;
    if (keep && !kept) return err_set(err, ERR_USAGE, "--keep is the matrix of a custom mask; --mask sets another one");
    return apply_looks(args, session, err);
}

/* Names of the stages of the layer in view. */
static const char *stage_list(const Trace *trace, int stage, Arena *arena) {
    FilmSite site = film_site(trace, stage);
    const char *text = "";
    for (int i = site.first; i < site.first + site.n; i++)
        text = arena_printf(arena, "%s%s%s", text, i > site.first ? ", " : "", stage_name(trace_stage(trace, i)->kind));
    return text;
}

/* In the layer in view, else where there is one: only the last layer predicts. */
static bool find_stage(const char *text, const Trace *trace, int from, int *stage, Err *err) {
    int number, kind = -1;
    if (str_to_int(text, &number) && number >= 1 && number <= STAGE_ATTENTION_COUNT) kind = number - 1;
    for (int i = 0; i < STAGE_KIND_COUNT; i++)
        if (str_eq(stage_name((StageKind)i), text)) kind = i;
    *stage = kind < 0 ? -1 : film_stage_in(trace, from, (StageKind)kind);
    for (int i = 0; kind >= 0 && *stage < 0 && i < trace_stage_count(trace); i++)
        if ((int)trace_stage(trace, i)->kind == kind) *stage = i;
    if (*stage >= 0) return true;
    Arena arena = {0};
    err_set(err, ERR_USAGE, "there is no stage \"%s\"; stages are %s, or 1 to %d", text, stage_list(trace, from, &arena), STAGE_ATTENTION_COUNT);
    arena_free(&arena);
    return false;
}

/* Does this action say where the film is to stand? */
static bool moves_film(const char *action) {
    static const char *const names[] = {"next", "back", "stage", "stage.next", "stage.back", "step", "seek", "play", "film.home", "film.end", "look"};
    ActionLine line;
    return action_parse(action, &line, NULL) && str_find(names, sizeof names / sizeof names[0], line.arg[0]) >= 0;
}

/* Does this action count rows and columns of the map that is looked at? */
static bool counts_cells(const char *action) {
    static const char *const names[] = {"zoom", "zoom.in", "zoom.out", "pan"};
    ActionLine line;
    return action_parse(action, &line, NULL) && str_find(names, sizeof names / sizeof names[0], line.arg[0]) >= 0;
}

static bool apply_layer(const CliArgs *args, Session *session, Err *err) {
    char line[256];
    if (!args->layer) return true;
    snprintf(line, sizeof line, "layer %s", args->layer);
    return session_do(session, line, err);
}

static bool apply_stage(const CliArgs *args, Session *session, Err *err) {
    const Run *run = session_run(session);
    int stage = session_view(session)->film.stage;
    if (args->stage && !find_stage(args->stage, run->trace, stage, &stage, err)) return false;
    return session_show(session, stage, args->step > 0 ? args->step : -1, err);
}

/* A model of several layers begins with all of them, unless something else is asked for or a file says where to look. */
static bool opens_overview(const CliArgs *args, const Session *session) {
    bool file = args->n_words == 1 && cli_is_document(args->words[0]);
    bool asked = args->stage || args->step > 0 || args->layer || args->head || args->n_actions > 0;
    return !file && !asked && session_run(session)->n_sites > 1;
}

/* --stage and --step hold before the first action that moves the film, which goes on from there; else after all. A picture
 * that nobody has moved shows its stage finished. */
static bool apply_view(const CliArgs *args, Session *session, Err *err) {
    bool picture = args->command == COMMAND_EXPORT || args->command == COMMAND_DL, moved = false, asked = args->stage || args->step > 0;
    if (!apply_layer(args, session, err)) return false;
    for (int i = 0; i < args->n_actions; i++) {
        bool moves = moves_film(args->action[i]);
        if (!moved && asked && (moves || counts_cells(args->action[i])) && !apply_stage(args, session, err)) return false;
        moved = moved || moves;
        if (!session_do(session, args->action[i], err)) return false;
    }
    bool finish = picture && session_view(session)->film.position <= 0;
    if (!moved && (asked || finish) && !apply_stage(args, session, err)) return false;
    if ((args->overview || opens_overview(args, session)) && !session_view(session)->overview && !session_do(session, "overview", err)) return false;
    int head;
    return !args->head || !str_to_int(args->head, &head) || session_show_head(session, head - 1, err);
}

/* Where there is a window work may go on beside it: it shows that. */
static bool wait_for(const CliHost *host, Session *session, Err *err) {
    if (host && host->wait && session_busy(session) && !host->wait(host->ctx, err)) return false;
    return session_need_run(session, err);
}

/* A picture says it itself; numbers alone do not. */
static void warn_of_cut(const Session *session) {
    const Run *run = session_run(session);
    const Network *network = run ? run->network : NULL;
    for (int i = 0; network && i < 2; i++)
        if (network->cut[i] > 0)
            fprintf(stderr, "attnscope: the model reads %d tokens at most; %d more are left out\n",
                    checkpoint_info(network->checkpoint)->stack[i].n_positions, network->cut[i]);
}

/* --hold: A is there before what is to be compared with it. */
static bool hold_first(const CliArgs *args, Session *session, Err *err) {
    if (!args->hold) return true;
    return session_open_file(session, args->hold, 0, err) && session_need_run(session, err) && session_do(session, "hold", err) && session_do(session, "new", err);
}

/* --check: what is said beside it are the settings of the file's run. */
static bool open_check(const CliArgs *args, int n_words, Session *session, Err *err) {
    CheckSetting settings[CLI_LIST_MAX];
    if (n_words > 0 || args->hold || args->bytes) return err_set(err, ERR_USAGE, "--check opens one file by itself; words, other files and --hold are too much");
    for (int i = 0; i < args->n_set; i++) settings[i] = (CheckSetting){args->set[i].key, args->set[i].value};
    return session_open_check(session, args->check, settings, args->n_set, err) && apply_looks(args, session, err);
}

bool cli_open(const CliArgs *args, int n_words, const CliHost *host, CliRun *out, Err *err) {
    *out = (CliRun){0};
    SessionOptions options = {.language = args->speaks, .language_fixed = args->has_language, .state_folder = host ? host->state_folder : NULL, .config_folder = host ? host->config_folder : NULL, .wake = host ? host->wake : NULL,
                              .wake_ctx = host ? host->ctx : NULL};
    bool draws = args->command == COMMAND_WINDOW || args->command == COMMAND_EXPORT || args->command == COMMAND_DL || args->n_actions > 0;
    if (draws) { /* numbers alone need no fonts */
        out->fonts = fonts_open(err);
        if (!out->fonts) return false;
        options.fonts = out->fonts;
    }
    Session *session = out->session = session_open(&options, err);
    if (!session) return false;
    session_resize(session, args->width > 0 ? args->width : 1600, args->height > 0 ? args->height : 1000);
    bool ok = args->check ? open_check(args, n_words, session, err)
                          : hold_first(args, session, err) && open_input(args, n_words, session, err) && wait_for(host, session, err) && apply_fields(args, n_words, session, err) &&
                                wait_for(host, session, err);
    ok = ok && apply_view(args, session, err) && wait_for(host, session, err);
    if (ok && args->hold) ok = session_do(session, "compare", err);
    if (ok) session_begin(session);
    if (ok && !host) warn_of_cut(session);
    return ok;
}

void cli_close(CliRun *run) {
    session_close(run->session);
    if (run->fonts) fonts_close(run->fonts);
}

int cli_fail(const Err *err) {
    char text[1200];
    fprintf(stderr, "attnscope: %s\n", err_format(err, text, sizeof text));
    return EXIT_BAD;
}

static void only_interrupt(sigset_t *set) {
    sigemptyset(set);
    sigaddset(set, SIGINT);
}

void cli_hold_interrupt(void) {
    sigset_t set;
    only_interrupt(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

bool cli_interrupted(void) {
    sigset_t set;
    only_interrupt(&set);
    return sigtimedwait(&set, NULL, &(struct timespec){0}) == SIGINT;
}

bool cli_write(const char *path, const void *data, size_t size, Err *err) {
    return file_write(path ? path : "-", data, size, err);
}
