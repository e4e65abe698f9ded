/* Menus of how maps of weights are looked at. */
#include <math.h>

#include "app/menu_rows.h"
#include "base/tr.h"

static bool shows(const View *view, HeadsShown shown) { return view->aggregate == AGGREGATE_HEAD && view->heads_shown == shown; }

void menu_heads(Rows *rows) {
    const View *view = &rows->s->view;
    rows_heading(rows, tr("Heads by themselves"));
    rows_choice(rows, tr("Heads that fit"), tr("all while cells stay large"), "heads.show fitting", shows(view, HEADS_FITTING));
    rows_choice(rows, tr("One head"), tr("as large as the stage"), "heads.show one", shows(view, HEADS_ONE));
    rows_choice(rows, tr("All heads"), tr("however small"), "heads.show all", shows(view, HEADS_ALL));
    rows_heading(rows, tr("Heads together"));
    rows_choice(rows, tr("Head average"), tr("mean of the weights"), "aggregate average", view->aggregate == AGGREGATE_AVERAGE);
    rows_choice(rows, tr("Head maximum"), tr("largest of the weights"), "aggregate maximum", view->aggregate == AGGREGATE_MAXIMUM);
    rows_heading(rows, tr("What a weight brings"));
    rows_choice(rows, tr("Weight × |v|"), tr("times the length of v"), "aggregate length", view->aggregate == AGGREGATE_LENGTH);
}

void menu_threshold(Rows *rows) {
    static const double values[] = {0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5};
    rows_heading(rows, tr("Weights that are shown"));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char number[NUM_MAX];
        num_double(number, values[i], NUM_FILE);
        const char *label = values[i] > 0 ? arena_printf(rows->arena, tr("%s and more"), number) : tr("All weights");
        rows_choice(rows, label, NULL, arena_printf(rows->arena, "threshold %s", number), fabs(rows->s->view.threshold - values[i]) < 1e-12);
    }
}

/* All of them, where the controls have no room. */
void menu_view(Rows *rows) {
    const View *view = &rows->s->view;
    rows_heading(rows, tr("Weights as"));
    rows_choice(rows, tr("Map"), NULL, "shape map", view->shape == MAP_CELLS);
    rows_choice(rows, tr("Lines"), tr("of the query in view"), "shape lines", view->shape == MAP_LINES);
    rows_choice(rows, tr("All lines"), tr("of all queries"), "shape all-lines", view->shape == MAP_ALL_LINES);
    menu_heads(rows);
    rows_heading(rows, tr("Colours"));
    rows_choice(rows, tr("Log scale"), tr("from 0.001"), "log", view->log_scale);
    rows_choice(rows, tr("Own range"), tr("to each head’s largest"), "range", view->own_range);
    rows_choice(rows, tr("Threshold…"), NULL, "menu threshold", view->threshold > 0);
    if (view->n_hidden > 0) rows_choice(rows, tr("Show all columns"), NULL, "hide.none", false);
}
