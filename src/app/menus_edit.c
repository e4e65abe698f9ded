/* Menus about numbers that are changed by hand. */
#include <string.h>

#include "app/menu_rows.h"
#include "base/tr.h"
#include "doc/run_edit.h"
#include "scene/paint.h"

/* The field at the cell has no rows. */
void menu_edit(Rows *rows) { (void)rows; }

static const char *name_of(Rows *rows, const Ref *ref) {
    char name[160];
    return arena_strdup(rows->arena, run_ref_text(name, rows->s->run, ref->id, ref->index));
}

static const char *line_of(Rows *rows, const char *action, const Ref *ref) {
    const Tensor *t = trace_tensor(rows->s->run->trace, ref->id);
    return arena_printf(rows->arena, "%s %s", action, view_index_text(t->id, ref->index, t->rank, ",", rows->arena));
}

static const char *number_text(Rows *rows, double value) {
    return scene_short_number(&(Scene){.arena = rows->arena}, value);
}

/* ---- what a computed number comes from ---- */

enum { INPUTS_LOOKED = 400, INPUTS_EACH = 3, INPUTS_SHOWN = 15 };

/* The first few of one tensor; tensors stand in the order of their strongest. */
static int input_rows(Rows *rows, const Ref *refs, int n, TensorId id, int room) {
    int shown = 0;
    for (int i = 0; i < n && shown < INPUTS_EACH && shown < room; i++) {
        if (refs[i].id != id) continue;
        const Tensor *t = trace_tensor(rows->s->run->trace, id);
        rows_choice(rows, name_of(rows, &refs[i]), number_text(rows, tensor_at(t, refs[i].index)), line_of(rows, "edit", &refs[i]),
                    run_edit_of(rows->s->run, id, refs[i].index) >= 0);
        shown++;
    }
    return shown;
}

void menu_edit_inputs(Rows *rows) {
    const Run *run = rows->s->run;
    const ViewRef *of = &rows->s->view.selection;
    TensorId id = run && of->tensor[0] ? trace_find(run->trace, of->tensor) : TENSOR_NONE;
    Ref *refs;
    int n = id == TENSOR_NONE ? 0 : run_edit_inputs(run, id, of->index, INPUTS_LOOKED, rows->arena, &refs), shown = 0;
    rows_heading(rows, tr("This number is computed. Change one of its inputs:"));
    for (int i = 0; i < n && shown < INPUTS_SHOWN; i++) {
        bool listed = false;
        for (int j = 0; j < i && !listed; j++) listed = refs[j].id == refs[i].id;
        if (!listed) shown += input_rows(rows, refs, n, refs[i].id, INPUTS_SHOWN - shown);
    }
    if (shown < n) rows_add(rows, ITEM_NOTE, tr("Others count less: the explanation at the right leads to them."));
}

/* ---- what is changed ---- */

/* The number of the picture that an edit of the list changed; its id is TENSOR_NONE where it waits, inactive. */
static Ref shown_at(const Rows *rows, int i) {
    const Run *run = rows->s->run;
    Ref ref = {.id = TENSOR_NONE};
    bool known = run && i < run->doc.n_edits && run_edit_find(&run->doc, doc_edit_at(&rows->s->doc, i)) == i;
    if (known) ref.id = run_edit_tensor(run, i, ref.index);
    return ref;
}

/* "w_q[1, noun]": of an inactive one with its positions. */
static const char *edit_name(Rows *rows, int i, const Ref *ref) {
    const DocEdit *edit = doc_edit_at(&rows->s->doc, i);
    if (ref->id != TENSOR_NONE) return name_of(rows, ref);
    return view_index_text(doc_matrix_names[edit->matrix], edit->index, doc_matrix_rank(edit->matrix), ", ", rows->arena);
}

/* "w_q[1, noun]: 0.5 → 2" */
static void edit_row(Rows *rows, int i) {
    const Run *run = rows->s->run;
    Ref ref = shown_at(rows, i);
    const char *name = edit_name(rows, i, &ref), *to = number_text(rows, doc_edit_at(&rows->s->doc, i)->value);
    if (ref.id == TENSOR_NONE) {
        const char *why = run && i < run->doc.n_edits ? run_edit_why_not(run, i, rows->arena) : NULL;
        rows_choice(rows, arena_printf(rows->arena, "%s → %s", name, to), why, "", false)->disabled = true;
        return;
    }
    rows_choice(rows, arena_printf(rows->arena, tr("%s: %s → %s"), name, number_text(rows, (double)run->edit_was[i]), to), NULL,
                line_of(rows, "explain", &ref), false);
}

void menu_edits(Rows *rows) {
    const Doc *doc = &rows->s->doc;
    rows->title = arena_printf(rows->arena, tr("Changed numbers (%d)"), doc->n_edits);
    if (doc->n_edits == 0) {
        rows_add(rows, ITEM_NOTE, tr("No number is changed. Double click one of the given numbers, or drag it up and down."));
        return;
    }
    rows_heading(rows, tr("Go to"));
    for (int i = 0; i < doc->n_edits; i++) edit_row(rows, i);
    rows_heading(rows, tr("Restore the first value"));
    for (int i = 0; i < doc->n_edits; i++) {
        Ref ref = shown_at(rows, i);
        rows_choice(rows, edit_name(rows, i, &ref), NULL, arena_printf(rows->arena, "edit.reset %d", i + 1), false);
    }
    if (doc->n_edits > 1) rows_choice(rows, tr("Restore all first values"), NULL, "edits.clear", false);
}
