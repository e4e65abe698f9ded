/* explain and check: one number in words, and whole files computed again. */
#include <stdio.h>
#include <string.h>

#include "app/cli_check.h"
#include "app/cli_commands.h"
#include "app/cli_run.h"
#include "app/copy.h"
#include "app/product.h"
#include "base/pool.h"
#include "base/str.h"
#include "doc/view.h"
#include "model/tracefile.h"

int cli_explain(const CliArgs *args) {
    Err err = {0};
    CliRun run = {0};
    Arena arena = {0};
    if (args->n_words == 0) {
        err_set(&err, ERR_USAGE, "explain needs a number, such as 'weights[2,sat,cat]'");
        return cli_fail(&err);
    }
    const char *number = args->words[args->n_words - 1];
    TensorId id;
    int index[TENSOR_RANK_MAX];
    Explanation explanation;
    bool ok = cli_open(args, args->n_words - 1, NULL, &run, &err);
    const Run *numbers = ok ? session_run(run.session) : NULL;
    ok = ok && run_resolve(numbers, number, &id, index, &err) && trace_need(numbers->trace, id, session_core(run.session), &err) &&
         trace_explain(numbers->trace, id, index, &arena, &explanation, &err);
    if (ok) {
        const char *text = copy_words(numbers, &explanation, &arena);
        ok = cli_write(NULL, text, strlen(text), &err);
    }
    arena_free(&arena);
    cli_close(&run);
    return ok ? EXIT_FINE : cli_fail(&err);
}

/* ---- check ---- */

static void row_text(const CheckRow *row, StrBuf *out) {
    sb_printf(out, "  %-14s ", row->name);
    if (row->missing) sb_add(out, "not made by this machine   DIFFERS\n");
    else sb_printf(out, "%10.3g  of %8.3g   %s\n", row->difference, row->tolerance, row->differs ? "DIFFERS" : "ok");
}

/* Where it differs, as the file's own machine says it: of what no tensor of the trace is, such as statistics. */
static void place(const TraceFile *file, const CheckRow *first, StrBuf *out) {
    char got[NUM_MAX], want[NUM_MAX];
    const TensorInput *stored = safetensors_find(&file->file, first->name);
    if (first->missing || !stored) return;
    sb_add(out, ", at ");
    sb_add(out, view_index_text("", first->index, stored->rank, ",", out->arena));
    sb_printf(out, ": the file has %s, computed %s", num_double(want, first->want, NUM_FILE), num_double(got, first->got, NUM_FILE));
}

static void verdict(const char *path, const TraceFile *file, int n, const CheckRow *first, const CoreContext *cx, StrBuf *out) {
    if (!first) {
        sb_printf(out, "%s: all %d tensors agree\n", path, n);
        return;
    }
    sb_printf(out, "%s: %s is the first that differs", path, first->name);
    Err ignored = {0};
    Check check;
    CheckAsk ask = {.tolerance = -1};
    bool found = !first->missing && check_open(path, &ask, &(RunContext){.cx = cx}, &check, &ignored) && check.n_findings > 0;
    if (!found) place(file, first, out);
    sb_add(out, "\n");
    if (found) cli_check_words(&check, out);
    check_close(&check);
}

/* 0 agrees, 1 differs, -1 could not be read. */
static int check_file(const char *path, const CoreContext *cx, Err *err) {
    Arena arena = {0};
    TraceFile file;
    Trace *trace;
    CheckRow *rows;
    int n = 0, code = -1;
    if (tracefile_read(path, &arena, &file, err) && tracefile_compute(&file, cx, &arena, &trace, err) &&
        tracefile_check(&file, trace, &arena, &rows, &n, err)) {
        StrBuf out;
        const CheckRow *first = NULL;
        sb_init(&out, &arena);
        sb_printf(&out, "%s\n", path);
        for (int i = 0; i < n; i++) {
            row_text(&rows[i], &out);
            if (rows[i].differs && !first) first = &rows[i];
        }
        verdict(path, &file, n, first, cx, &out);
        fputs(out.data, stdout);
        code = first != NULL;
    } else {
        err_place(err, path, 0, 0);
    }
    arena_free(&arena);
    return code;
}

/* A trace file is compared as it says itself; whatever is said beside it makes it a dump like others. */
static int check_one(const CliArgs *args, const char *path, const CoreContext *cx, Err *err) {
    bool dump = false;
    if (!check_is_dump(path, &dump, err)) return -1;
    bool said = args->n_set > 0 || args->has_tolerance || args->activation;
    return dump || said ? cli_check_theirs(args, path, cx, err) : check_file(path, cx, err);
}

int cli_check(const CliArgs *args) {
    Err err = {0};
    if (args->model) return cli_check_model(args);
    if (args->n_words == 0) {
        err_set(&err, ERR_USAGE, "check needs a file of your tensors, or a trace file: attnscope check FILE.safetensors");
        return cli_fail(&err);
    }
    Pool *pool = pool_open(0);
    CoreContext cx = {.parallel_for = pool_for, .parallel_ctx = pool};
    product_plug(&cx);
    int code = EXIT_FINE;
    for (int i = 0; i < args->n_words; i++) { /* a file that cannot be read does not hide the others */
        Err unread = {0};
        int result = check_one(args, args->words[i], &cx, &unread);
        if (result < 0) code = cli_fail(&unread);
        else if (result > 0 && code == EXIT_FINE) code = EXIT_DIFFERS;
    }
    pool_close(pool);
    return code;
}
