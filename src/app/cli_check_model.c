/* check --model: a folder's numbers against dumps of somebody else's. */
#include <stdio.h>
#include <string.h>

#include "app/cli_commands.h"
#include "app/cli_run.h"
#include "app/product.h"
#include "base/pool.h"
#include "base/str.h"
#include "doc/view.h"
#include "model/checkpoint.h"

static void row_text(const CheckpointRow *row, int width, StrBuf *out) {
    sb_printf(out, "  %-*s ", width, row->name);
    if (row->unknown) {
        sb_add(out, "unknown: there is no such tensor here\n");
        return;
    }
    if (row->problem) {
        sb_printf(out, "%s   DIFFERS\n", row->problem);
        return;
    }
    sb_printf(out, "%10.3g  of %8.3g   %s\n", row->difference, row->tolerance, row->differs ? "DIFFERS" : "ok");
}

typedef struct {
    int compared, differing, unknown;
    const CheckpointRow *first; /* that differs */
} Count;

static Count count_rows(const CheckpointRow *rows, int n) {
    Count count = {0};
    for (int i = 0; i < n; i++) {
        count.unknown += rows[i].unknown;
        count.compared += !rows[i].unknown;
        count.differing += rows[i].differs;
        if (rows[i].differs && !count.first) count.first = &rows[i];
    }
    return count;
}

static void verdict(const char *path, const Count *count, StrBuf *out) {
    char got[NUM_MAX], want[NUM_MAX];
    const CheckpointRow *first = count->first;
    if (count->compared == 0) sb_printf(out, "%s: it has no tensor that could be compared", path);
    else if (!first) sb_printf(out, "%s: all %d tensors agree", path, count->compared);
    else sb_printf(out, "%s: %d of %d tensors differ; %s is the first", path, count->differing, count->compared, first->name);
    if (first && !first->problem)
        sb_printf(out, ", at %s: the file has %s, computed %s", view_index_text("", first->index, first->rank, ",", out->arena),
                  num_double(want, first->want, NUM_FILE), num_double(got, first->got, NUM_FILE));
    if (count->unknown > 0) sb_printf(out, "; %d unknown", count->unknown);
    sb_add(out, "\n");
}

/* 0 agrees, 1 differs, -1 could not be read. */
static int check_dump(const Checkpoint *checkpoint, const char *path, double tolerance, const CoreContext *cx, Err *err) {
    Arena arena = {0};
    CheckpointRow *rows;
    int n, code = -1, width = 14;
    if (checkpoint_check(checkpoint, path, tolerance, cx, &arena, &rows, &n, err)) {
        StrBuf out;
        Count count = count_rows(rows, n);
        sb_init(&out, &arena);
        sb_printf(&out, "%s\n", path);
        for (int i = 0; i < n; i++) width = (int)strlen(rows[i].name) > width ? (int)strlen(rows[i].name) : width;
        for (int i = 0; i < n; i++) row_text(&rows[i], width, &out);
        verdict(path, &count, &out);
        fputs(out.data, stdout);
        code = count.first || count.compared == 0;
    } else {
        err_place(err, path, 0, 0);
    }
    arena_free(&arena);
    return code;
}

int cli_check_model(const CliArgs *args) {
    Err err = {0};
    Checkpoint *checkpoint;
    if (args->n_words == 0) {
        err_set(&err, ERR_USAGE, "check --model needs a file of reference numbers: attnscope check --model FOLDER FILE.safetensors");
        return cli_fail(&err);
    }
    if (!checkpoint_open(args->model, 0, &checkpoint, &err)) return cli_fail(&err);
    Pool *pool = pool_open(0);
    CoreContext cx = {.parallel_for = pool_for, .parallel_ctx = pool};
    product_plug(&cx);
    int code = EXIT_FINE;
    for (int i = 0; i < args->n_words; i++) { /* a file that cannot be read does not hide the others */
        Err unread = {0};
        int result = check_dump(checkpoint, args->words[i], args->has_tolerance ? args->tolerance : -1, &cx, &unread);
        if (result < 0) code = cli_fail(&unread);
        else if (result > 0 && code == EXIT_FINE) code = EXIT_DIFFERS;
    }
    pool_close(pool);
    checkpoint_drop(checkpoint);
    return code;
}
