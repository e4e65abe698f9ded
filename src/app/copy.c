#include "app/copy.h"

#include <assert.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "scene/words.h"

const char *const copy_parts[] = {
    [COPY_WORDS] = "words", [COPY_EQUATION] = "equation", [COPY_SENTENCE] = "sentence", [COPY_NUMBER] = "number",
    [COPY_ROW] = "row",     [COPY_COLUMN] = "column",     [COPY_MAP] = "map",           NULL,
};
static_assert(sizeof copy_parts / sizeof *copy_parts == COPY_PART_COUNT + 1, "a name for each part");

int copy_part_find(const char *name, Err *err) {
    int at = str_find(copy_parts, COPY_PART_COUNT, name);
    if (at < 0) err_set(err, ERR_USAGE, tr("%s can be copied: words, equation, sentence, number, row, column or map; found '%s'"), "copy", name);
    return at;
}

int copy_form_find(const char *name, Err *err) {
    int n = 0;
    while (copy_forms[n]) n++;
    int at = str_find(copy_forms, n, name);
    if (at < 0) err_set(err, ERR_USAGE, tr("numbers are copied as tsv, latex, numpy or c; found '%s'"), name);
    return at;
}

const char *copy_of(const Run *run, TensorId id, const int *index, CopyPart part, int form, Arena *arena, Err *err) {
    Explanation explanation;
    if (part >= COPY_NUMBER) return copy_numbers(run, id, index, part, form, arena);
    if (part == COPY_SENTENCE) return words_hover(run, id, index, arena);
    if (!trace_explain(run->trace, id, index, arena, &explanation, err)) return NULL;
    return part == COPY_WORDS ? copy_words(run, &explanation, arena) : copy_latex(run, &explanation, arena);
}

/* What the stage of the view has made, for its head. */
static TensorId stage_result(const Run *run, const View *view, int index[TENSOR_RANK_MAX]) {
    TensorId id = trace_stage(run->trace, view->film.stage)->result;
    memset(index, 0, TENSOR_RANK_MAX * sizeof *index);
    if (id == TENSOR_NONE) return id;
    const Tensor *t = trace_tensor(run->trace, id);
    if (t->rank == 3) index[0] = view->head * t->dim[0] / run_site(run, view->film.stage)->spec.n_heads;
    return id;
}

const char *copy_text(const Run *run, const View *view, const char *part, const char *form, Arena *arena, Err *err) {
    bool selected = view->selection.tensor[0] != '\0';
    int which = part ? copy_part_find(part, err) : selected ? COPY_WORDS : COPY_MAP, as = form ? copy_form_find(form, err) : 0;
    int index[TENSOR_RANK_MAX];
    if (which < 0 || as < 0) return NULL;
    if (!run || (which != COPY_MAP && !selected)) {
        err_set(err, ERR_USAGE, "%s", tr("Nothing is selected: click a number first."));
        return NULL;
    }
    if (form && which < COPY_NUMBER) {
        err_set(err, ERR_USAGE, tr("copy %s takes no form; number, row, column and map do"), copy_parts[which]);
        return NULL;
    }
    TensorId id = selected ? trace_find(run->trace, view->selection.tensor) : stage_result(run, view, index);
    if (selected) memcpy(index, view->selection.index, sizeof index);
    if (id == TENSOR_NONE) {
        err_set(err, ERR_INPUT, "%s", tr("There are no numbers at this stage."));
        return NULL;
    }
    return copy_of(run, id, index, (CopyPart)which, as, arena, err);
}
