/* The rows of a map, or of a table of features, as one sentence each; and what differs from the map that is held. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/narrate_parts.h"
#include "base/tr.h"
#include "doc/film.h"
#include "scene/now.h"
#include "scene/words.h"

typedef struct {
    TensorId id;
    const Tensor *t;
    int head, rows, cols;
    bool map;    /* its columns are keys */
    bool shares; /* its numbers are weights: a row adds up to 1 or less */
} Table;

typedef struct { int row, col; double value; } Entry;

static bool is_shares(const char *name) {
    static const char *const names[] = {"weights", "head_avg", "head_max", "rollout"};
    return str_find(names, sizeof names / sizeof names[0], name) >= 0;
}

static bool table_of(const Run *run, TensorId id, int head, Table *table) {
    if (id == TENSOR_NONE) return false;
    const Tensor *t = trace_tensor(run->trace, id);
    if (t->rank < 2 || t->rank > 3 || !trace_resident(run->trace, id)) return false;
    *table = (Table){.id = id, .t = t, .head = scene_tensor_head(run, id, head), .rows = t->dim[t->rank - 2], .cols = t->dim[t->rank - 1]};
    table->map = run_axis(run, id, t->rank - 1) == AXIS_KEY;
    table->shares = is_shares(t->name);
    return true;
}

static double number_at(const Table *table, int row, int col) {
    int index[TENSOR_RANK_MAX] = {0};
    if (table->t->rank == 3) index[0] = table->head;
    index[table->t->rank - 2] = row;
    index[table->t->rank - 1] = col;
    return tensor_at(table->t, index);
}

/* Scores by value, all else by size; NaN first. Equal ones in their order. */
static int by_value(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    if (isnan(x->value) || isnan(y->value)) return isnan(y->value) - isnan(x->value);
    if (x->value > y->value || x->value < y->value) return x->value > y->value ? -1 : 1;
    return x->col - y->col;
}

static int by_magnitude(const void *a, const void *b) {
    Entry x = *(const Entry *)a, y = *(const Entry *)b;
    x.value = fabs(x.value);
    y.value = fabs(y.value);
    return by_value(&x, &y);
}

static bool computed(const Narration *n, const Table *table, int row, int col) {
    return n->overview || film_progress(n->run->trace, &n->scene->view->film, table->id, row, col) >= 1;
}

/* Is it worth telling? Of weights what two decimals show, of features what is not 0, of scores what the mask leaves. */
static bool counts(const Table *table, double value) {
    if (isnan(value)) return true;
    if (table->shares) return value >= 0.005;
    return table->map ? !isinf(value) : fabs(value) > 0;
}

/* The entries of a row that count, the largest first. -1: its first number is not computed yet. */
static int read_row(const Narration *n, const Table *table, int row, Entry *entries) {
    int count = 0, done = 0;
    for (int col = 0; col < table->cols; col++) {
        if (!computed(n, table, row, col)) continue;
        done++;
        double value = number_at(table, row, col);
        if (counts(table, value)) entries[count++] = (Entry){row, col, value};
    }
    qsort(entries, (size_t)count, sizeof *entries, table->map ? by_value : by_magnitude);
    return done > 0 ? count : -1;
}

/* A column by its name; one that is only counted is called so. */
static const char *column_name(const Narration *n, const Table *table, int col) {
    int number;
    const char *name = words_name(n->run, table->id, table->t->rank - 1, col, n->arena);
    return !table->map && str_to_int(name, &number) ? arena_printf(n->arena, tr("column %s"), name) : name;
}

static void say_row(const Narration *n, const Table *table, int row, const Entry *entries, int count) {
    int rank = table->t->rank, told = count < NARRATE_NUMBERS ? count : NARRATE_NUMBERS;
    const char *name = words_name(n->run, table->id, rank - 2, row, n->arena);
    StrBuf list;
    sb_init(&list, n->arena);
    for (int i = 0; i < told; i++) {
        sb_printf(&list, "%s%s %s", i > 0 ? tr(", ") : "", column_name(n, table, entries[i].col), narrate_value(n, entries[i].value, 2));
    }
    if (told == 0) narrate_say(n, arena_printf(n->arena, table->shares ? tr("%s reads nothing.") : table->map ? tr("%s: all keys are hidden.") : tr("%s: all are 0."), name));
    else if (count > told) narrate_say(n, arena_printf(n->arena, table->shares ? tr("%s reads %s, and %d more.") : tr("%s: %s, and %d more."), name, list.data, count - told));
    else narrate_say(n, arena_printf(n->arena, table->shares ? tr("%s reads %s.") : tr("%s: %s."), name, list.data));
}

/* The row in view, which the others are told around. */
static int row_in_view(const Narration *n, const Table *table) {
    TensorId id;
    int index[TENSOR_RANK_MAX];
    if (!narrate_number(n, &id, index)) return 0;
    const Tensor *t = trace_tensor(n->run->trace, id);
    int row = t->rank >= 2 ? index[t->rank - 2] : index[0];
    return row < table->rows ? row : 0;
}

void narrate_rows(const Narration *n) {
    Table table;
    if (!table_of(n->run, narrate_tensor(n), n->scene->view->head, &table)) return;
    int first = row_in_view(n, &table) - NARRATE_ROWS / 2, left_out = 0;
    if (first + NARRATE_ROWS > table.rows) first = table.rows - NARRATE_ROWS;
    if (first < 0) first = 0;
    int end = first + NARRATE_ROWS < table.rows ? first + NARRATE_ROWS : table.rows;
    Entry *entries = ARENA_ARRAY(n->arena, Entry, (size_t)table.cols + 1);
    narrate_say(n, arena_printf(n->arena, tr("%s, row by row:"), table.t->id));
    for (int row = first; row < end; row++) {
        int count = read_row(n, &table, row, entries);
        if (count < 0) left_out++;
        else say_row(n, &table, row, entries, count);
    }
    if (left_out > 0) narrate_say(n, arena_printf(n->arena, tr("%d rows are not computed yet."), left_out));
    if (end - first < table.rows) narrate_say(n, arena_printf(n->arena, tr("These are rows %d to %d of %d."), first + 1, end, table.rows));
}

/* ---- compared ---- */

static int by_change(const void *a, const void *b) {
    const Entry *x = a, *y = b;
    double p = fabs(x->value), q = fabs(y->value);
    if (p > q || p < q) return p > q ? -1 : 1;
    return x->row != y->row ? x->row - y->row : x->col - y->col;
}

/* The largest few differences of two tables of one size into `out`; returns how many, at most `most`. */
static int largest_changes(const Table *a, const Table *b, Entry *out, int most) {
    int n = 0;
    for (int row = 0; row < b->rows; row++)
        for (int col = 0; col < b->cols; col++) {
            double change = number_at(b, row, col) - number_at(a, row, col);
            if (!(fabs(change) >= 0.005) || isinf(change)) continue;
            Entry entry = {row, col, change};
            if (n < most) out[n++] = entry;
            else if (by_change(&entry, &out[most - 1]) < 0) out[most - 1] = entry;
            qsort(out, (size_t)n, sizeof *out, by_change);
        }
    return n;
}

void narrate_changes(const Narration *n) {
    const Scene *scene = n->scene;
    Table now, held;
    if (!scene->view->comparing || !scene->held || n->overview || !table_of(n->run, narrate_tensor(n), scene->view->head, &now)) return;
    TensorId other = trace_find(scene->held->trace, now.t->id);
    for (int i = 0; scene->check && scene->check->lines[i]; i++) narrate_say(n, scene->check->lines[i]);
    if (other != TENSOR_NONE && scene->held->theirs && scene->held->theirs[other] < 0) return;
    if (!table_of(scene->held, other, scene->view->head, &held)) return;
    if (held.rows != now.rows || held.cols != now.cols) {
        narrate_say(n, arena_printf(n->arena, tr("What is held as A has %d by %d numbers here, this has %d by %d: there is no difference to tell."), held.rows, held.cols, now.rows, now.cols));
        return;
    }
    Entry changes[NARRATE_NUMBERS];
    int count = largest_changes(&held, &now, changes, NARRATE_NUMBERS);
    if (count == 0) narrate_say(n, tr("Against what is held as A nothing has changed here by 0.005 or more."));
    for (int i = 0; i < count; i++) {
        const Entry *c = &changes[i];
        const char *row = words_name(n->run, now.id, now.t->rank - 2, c->row, n->arena), *col = words_name(n->run, now.id, now.t->rank - 1, c->col, n->arena);
        narrate_say(n, arena_printf(n->arena, tr("Against A: %s and %s, from %s to %s."), row, col, narrate_value(n, number_at(&held, c->row, c->col), 2),
                                    narrate_value(n, number_at(&now, c->row, c->col), 2)));
    }
}
