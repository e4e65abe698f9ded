#include "app/cli_batch.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/cli_picture.h"
#include "app/cli_run.h"
#include "base/file.h"
#include "base/str.h"
#include "doc/film.h"
#include "doc/yaml.h"
#include "doc/yaml_node.h"

enum { PROCESSES_MOST = 64, MESSAGE_MOST = 800 };

/* One document of one file. */
typedef struct { const char *path, *name; int document; } Job;

/* What the processes share. */
typedef struct {
    atomic_int next;              /* the job that nobody has begun */
    atomic_int pictures;
    atomic_bool stopped;          /* by Ctrl+C: what is begun is finished */
    struct { atomic_bool done, bad; char message[MESSAGE_MOST]; } of[]; /* of each job */
} Board;

typedef struct {
    const CliArgs *args;
    Arena arena;
    Job *jobs;
    int n, capacity;
    const char *bytes;            /* --from-stdin: what was read */
    size_t size;
    Board *board;
} Batch;

/* ---- names ---- */

typedef struct { const char *name, *stage, *ext; int document, head; /* head from 1; 0 = none */ } Parts;

enum { PART_NAME, PART_DOC, PART_STAGE, PART_HEAD, PART_EXT, PART_COUNT };
static const char *const part_names[] = {[PART_NAME] = "name", [PART_DOC] = "doc", [PART_STAGE] = "stage", [PART_HEAD] = "head", [PART_EXT] = "ext"};

/* Which part begins at `at` ("{stage}"), and how long it is; -1: none. */
static int part_at(const char *at, size_t *length) {
    for (int i = 0; i < PART_COUNT; i++) {
        size_t n = strlen(part_names[i]);
        if (at[0] == '{' && strncmp(at + 1, part_names[i], n) == 0 && at[n + 1] == '}') return *length = n + 2, i;
    }
    return -1;
}

static bool has_part(const char *pattern, int part) {
    size_t length;
    for (const char *at = pattern; at && *at; at++)
        if (part_at(at, &length) == part) return true;
    return false;
}

static const char *fill(const char *pattern, const Parts *parts, Arena *arena) {
    StrBuf text;
    sb_init(&text, arena);
    for (const char *at = pattern; *at;) {
        size_t length = 1;
        switch (part_at(at, &length)) {
        case PART_NAME: sb_printf(&text, "%s", parts->name); break;
        case PART_DOC: sb_printf(&text, "%d", parts->document); break;
        case PART_STAGE: sb_printf(&text, "%s", parts->stage); break;
        case PART_HEAD: parts->head > 0 ? sb_printf(&text, "%d", parts->head) : sb_printf(&text, "all"); break;
        case PART_EXT: sb_printf(&text, "%s", parts->ext); break;
        default: sb_printf(&text, "%c", *at); break;
        }
        at += length;
    }
    return text.data ? text.data : "";
}

/* Braces that are none of the parts were meant to be one. */
static bool check_pattern(const Batch *b, Err *err) {
    const char *pattern = b->args->output;
    size_t length;
    if (!pattern) return err_set(err, ERR_USAGE, "export of several needs a name for each: -o 'fig/{name}.png'");
    for (const char *at = strchr(pattern, '{'); at; at = strchr(at + 1, '{')) {
        int n = (int)strcspn(at, "}") + (strchr(at, '}') != NULL);
        if (part_at(at, &length) < 0) return err_set(err, ERR_USAGE, "\"%.*s\" in the name is none of {name}, {doc}, {stage}, {head} and {ext}", n, at);
    }
    if (b->n > 1 && !has_part(pattern, PART_NAME) && !has_part(pattern, PART_DOC))
        return err_set(err, ERR_USAGE, "%d pictures would have the name %s; {name} in it stands for the scenario's", b->n, pattern);
    if (has_part(pattern, PART_EXT) && !b->args->format) return err_set(err, ERR_USAGE, "{ext} in the name needs --format, such as --format png,svg");
    return true;
}

/* Two jobs whose names would be the same: the later picture would take the place of the other. */
static bool check_names(Batch *b, Err *err) {
    const char **names = ARENA_ARRAY(&b->arena, const char *, (size_t)b->n);
    for (int i = 0; i < b->n; i++) {
        Parts parts = {b->jobs[i].name, "", "", b->jobs[i].document, 0};
        names[i] = fill(b->args->output, &parts, &b->arena);
        for (int k = 0; k < i; k++)
            if (str_eq(names[i], names[k]))
                return err_set(err, ERR_USAGE, "%s, document %d, and %s, document %d, would be one picture; %s would tell them apart", b->jobs[k].path,
                               b->jobs[k].document, b->jobs[i].path, b->jobs[i].document, str_eq(b->jobs[i].path, b->jobs[k].path) ? "{doc} in the name" : "a file of another name");
    }
    return true;
}

/* ---- what there is to do ---- */

static void add_job(Batch *b, const char *path, const char *name, int document) {
    if (b->n == b->capacity) {
        Job *larger = ARENA_ARRAY(&b->arena, Job, (size_t)b->capacity * 2 + 16);
        if (b->n > 0) memcpy(larger, b->jobs, (size_t)b->n * sizeof *larger);
        b->jobs = larger;
        b->capacity = b->capacity * 2 + 16;
    }
    b->jobs[b->n++] = (Job){path, name, document};
}

static const char *stem(Arena *arena, const char *path) {
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return arena_strndup(arena, name, dot ? (size_t)(dot - name) : strlen(name));
}

/* Every document of a file; of one that cannot be read the first, which says why when its turn comes. */
static void add_documents(Batch *b, const char *path, const char *name) {
    bool more = true;
    for (int i = 0; more; i++) {
        Doc doc;
        Err ignored = {0};
        bool read = b->bytes ? yaml_read(b->bytes, b->size, path, i, &doc, NULL, &more, &ignored) : yaml_read_file(path, i, &doc, NULL, &more, &ignored);
        if (read) doc_reset(&doc);
        else more = false;
        add_job(b, path, name, i + 1);
    }
}

static bool all_files(const CliArgs *args) {
    for (int i = 0; i < args->n_words; i++)
        if (!cli_is_document(args->words[i])) return false;
    return args->n_words > 0;
}

static bool find_jobs(Batch *b, Err *err) {
    const CliArgs *args = b->args;
    if (args->from_stdin) {
        char *bytes;
        if (args->n_words > 0) return err_set(err, ERR_USAGE, "--from-stdin reads scenarios from standard input; \"%s\" stands beside it", args->words[0]);
        if (!file_read("-", YAML_BYTES_MAX, &b->arena, &bytes, &b->size, err)) return false;
        b->bytes = bytes;
        add_documents(b, "standard input", "stdin");
        return true;
    }
    if (!all_files(args)) add_job(b, NULL, "attnscope", 1); /* words are one scenario */
    for (int i = 0; i < args->n_words && all_files(args); i++) {
        const char *path = args->words[i], *name = stem(&b->arena, path);
        if (!str_ends(path, ".yaml") && !str_ends(path, ".yml")) add_job(b, path, name, 1);
        else if (args->document != 1 || !has_part(args->output, PART_DOC)) add_job(b, path, name, args->document);
        else add_documents(b, path, name);
    }
    return true;
}

/* ---- one job ---- */

static bool write_one(Batch *b, Session *session, const Parts *parts, const char *head, Arena *arena, Err *err) {
    CliArgs args = *b->args;
    const char *path = args.output = fill(b->args->output, parts, arena), *slash = strrchr(path, '/');
    if (head) args.head = head;
    args.format = b->args->format ? parts->ext : NULL;
    if (slash && slash > path && !file_make_folders(arena_strndup(arena, path, (size_t)(slash - path)), err)) return false;
    if (!cli_picture_write(&args, session, err)) return false;
    atomic_fetch_add(&b->board->pictures, 1);
    return true;
}

/* One picture for each format, where there are several. */
static bool write_formats(Batch *b, Session *session, Parts parts, const char *head, Arena *arena, Err *err) {
    char *list = arena_strdup(arena, b->args->format ? b->args->format : ""), *rest = list;
    if (!list[0]) return write_one(b, session, &parts, head, arena, err);
    for (char *word; (word = strsep(&rest, ",")) != NULL;) {
        parts.ext = word;
        if (!write_one(b, session, &parts, head, arena, err)) return false;
    }
    return true;
}

/* {head} without --head: every head has a figure of its own. */
static bool write_heads(Batch *b, Session *session, Parts parts, Arena *arena, Err *err) {
    const Run *run = session_run(session);
    int n = run_site(run, session_view(session)->film.stage)->spec.n_heads;
    if (b->args->head && str_to_int(b->args->head, &parts.head)) return write_formats(b, session, parts, NULL, arena, err);
    if (b->args->head || !has_part(b->args->output, PART_HEAD)) return write_formats(b, session, parts, NULL, arena, err);
    for (int i = 0; i < n; i++) {
        char text[16];
        parts.head = i + 1;
        snprintf(text, sizeof text, "%d", i + 1);
        if (!session_show_head(session, i, err) || !write_formats(b, session, parts, text, arena, err)) return false;
    }
    return true;
}

/* {stage} without --stage: all that the film of the layer in view stops at. */
static bool write_stages(Batch *b, Session *session, Parts parts, Arena *arena, Err *err) {
    const Trace *trace = session_run(session)->trace;
    const View *view = session_view(session);
    int first = view->film.stage, last = first;
    if (has_part(b->args->output, PART_STAGE) && !b->args->stage) {
        FilmSite site = film_site(trace, first);
        first = site.first;
        last = site.first + site.n - 1;
    }
    for (int i = first; i <= last; i++) {
        if (first != last && !film_shows(trace, i, view->block_open)) continue;
        if (first != last && !(session_show(session, i, -1, err) && session_need_run(session, err))) return false;
        parts.stage = stage_name(trace_stage(trace, i)->kind);
        if (!write_heads(b, session, parts, arena, err)) return false;
    }
    return true;
}

static bool do_job(Batch *b, const Job *job, Err *err) {
    Arena arena = {0};
    CliRun run = {0};
    CliArgs *args = ARENA_NEW(&arena, CliArgs);
    *args = *b->args;
    if (job->path) args->words[0] = job->path, args->n_words = 1;
    args->document = job->document;
    args->bytes = b->bytes;
    args->n_bytes = b->size;
    Parts parts = {.name = job->name, .document = job->document};
    bool ok = cli_open(args, args->n_words, NULL, &run, err) && write_stages(b, run.session, parts, &arena, err);
    cli_close(&run);
    arena_free(&arena);
    return ok;
}

static void work(Batch *b) {
    for (int i; !b->board->stopped && (i = atomic_fetch_add(&b->board->next, 1)) < b->n;) {
        Err err = {0};
        if (!do_job(b, &b->jobs[i], &err)) {
            if (b->jobs[i].path) err_place(&err, b->jobs[i].path, 0, 0);
            err_format(&err, b->board->of[i].message, MESSAGE_MOST);
            b->board->of[i].bad = true;
        }
        b->board->of[i].done = true;
        if (cli_interrupted()) b->board->stopped = true;
    }
}

/* ---- all ---- */

static int processes(const Batch *b) {
    long n = b->args->jobs > 0 ? b->args->jobs : sysconf(_SC_NPROCESSORS_ONLN);
    n = n > PROCESSES_MOST ? PROCESSES_MOST : n > b->n ? b->n : n;
    return n > 1 ? (int)n : 1;
}

/* A process that cannot be made is one fewer; the last one works itself. */
static void work_all(Batch *b) {
    int n = processes(b), begun = 0;
    cli_hold_interrupt();
    fflush(NULL);
    for (; begun < n - 1; begun++) {
        pid_t child = fork();
        if (child < 0) break;
        if (child > 0) continue;
        work(b);
        fflush(NULL);
        _exit(0);
    }
    work(b);
    for (int i = 0; i < begun; i++) wait(NULL);
}

static int report(const Batch *b) {
    int bad = 0;
    for (int i = 0; i < b->n; i++) {
        if (b->board->of[i].done && !b->board->of[i].bad) continue;
        bad++;
        if (b->board->of[i].done) fprintf(stderr, "attnscope: %s\n", b->board->of[i].message);
        else if (!b->board->stopped) fprintf(stderr, "attnscope: %s: the process that drew it has died\n", b->jobs[i].name);
    }
    if (b->board->stopped) fprintf(stderr, "attnscope: given up; %d of %d scenarios are done\n", b->n - bad, b->n);
    else if (b->n > 1) fprintf(stderr, "attnscope: %d pictures of %d scenarios, %d failed\n", b->board->pictures, b->n, bad);
    return bad > 0 ? EXIT_DIFFERS : EXIT_FINE;
}

bool cli_batch_wanted(const CliArgs *args) {
    bool parts = false;
    for (int i = 0; i < PART_COUNT; i++) parts = parts || has_part(args->output, i);
    return args->from_stdin || parts || (args->n_words > 1 && all_files(args));
}

int cli_batch(const CliArgs *args) {
    Err err = {0};
    Batch b = {.args = args};
    int code = EXIT_BAD;
    bool ok = find_jobs(&b, &err) && check_pattern(&b, &err) && check_names(&b, &err);
    size_t size = sizeof(Board) + (size_t)b.n * sizeof b.board->of[0];
    if (ok) b.board = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (ok && b.board == MAP_FAILED) ok = err_set(&err, ERR_MEMORY, "there is no memory for a list of %d pictures", b.n);
    if (ok) {
        work_all(&b);
        code = report(&b);
        munmap(b.board, size);
    }
    arena_free(&b.arena);
    return ok ? code : cli_fail(&err);
}
