#include "app/copy.h"

#include "base/str.h"
#include "base/tr.h"

/* What the stage of the view has made, for its head: tab-separated with labels. */
static const char *copy_table(const Run *run, const View *view, Arena *arena) {
    TensorId id = trace_stage(run->trace, view->film.stage)->result;
    if (id == TENSOR_NONE) return "";
    const Tensor *tensor = trace_tensor(run->trace, id);
    int rank = tensor->rank, rows = rank > 1 ? tensor->dim[rank - 2] : 1, cols = tensor->dim[rank - 1], index[TENSOR_RANK_MAX] = {0};
    if (rank == 3) index[0] = view->head * tensor->dim[0] / run_site(run, view->film.stage)->spec.n_heads;
    StrBuf out;
    char label[32], number[NUM_MAX];
    sb_init(&out, arena);
    for (int col = 0; col < cols; col++) sb_printf(&out, "\t%s", run_label(run, id, rank - 1, col, label));
    sb_add(&out, "\n");
    for (int row = 0; row < rows; row++) {
        sb_add(&out, rank > 1 ? run_label(run, id, rank - 2, row, label) : "");
        for (int col = 0; col < cols; col++) {
            index[rank - 1] = col;
            if (rank > 1) index[rank - 2] = row;
            sb_printf(&out, "\t%s", num_float(number, (float)tensor_at(tensor, index), NUM_FILE));
        }
        sb_add(&out, "\n");
    }
    return out.data;
}

const char *copy_text(const Run *run, const View *view, const char *form, Arena *arena, Err *err) {
    static const char *const forms[] = {"words", "latex", "table"};
    bool selected = view->selection.tensor[0] != '\0';
    int which = form ? str_find(forms, 3, form) : selected ? 0 : 2;
    if (which < 0) {
        err_set(err, ERR_USAGE, "copy takes words, latex or table, found '%s'", form);
        return NULL;
    }
    if (!run || (which < 2 && !selected)) {
        err_set(err, ERR_USAGE, "%s", tr("Nothing is selected: click a number first."));
        return NULL;
    }
    if (which == 2) return copy_table(run, view, arena);
    Explanation explanation;
    TensorId id = trace_find(run->trace, view->selection.tensor);
    if (id == TENSOR_NONE || !trace_explain(run->trace, id, view->selection.index, arena, &explanation, err)) return NULL;
    return which == 0 ? copy_words(run, &explanation, arena) : copy_latex(run, &explanation, arena);
}
