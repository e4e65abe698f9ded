/* What can be copied of the selected number. */
#include "app/menu_rows.h"
#include "base/tr.h"

void menu_copy(Rows *rows) {
    static const struct {
        const char *part, *heading;
    } tables[] = {{"number", tr_mark("The number as")}, {"row", tr_mark("Its row as")}, {"column", tr_mark("Its column as")}, {"map", tr_mark("Its map as")}};
    static const struct {
        const char *form, *label, *detail;
    } forms[] = {{"tsv", tr_mark("Table"), tr_mark("for a spreadsheet")}, {"latex", "LaTeX", "bmatrix"}, {"numpy", "NumPy", "np.array"}, {"c", "C", tr_mark("initialiser")}};
    bool selected = rows->s->view.selection.tensor[0] != '\0';
    if (selected) {
        rows_heading(rows, tr("In words"));
        rows_choice(rows, tr("One sentence"), NULL, "copy sentence", false);
        rows_choice(rows, tr("Its arithmetic"), "Ctrl+C", "copy words", false);
        rows_choice(rows, tr("Its equation"), "LaTeX", "copy equation", false);
    }
    for (size_t i = selected ? 0 : 3; i < sizeof tables / sizeof *tables; i++) {
        rows_heading(rows, selected ? tr(tables[i].heading) : tr("The stage’s map as"));
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
            rows_choice(rows, tr(forms[f].label), i > 0 ? tr(forms[f].detail) : NULL, arena_printf(rows->arena, "copy %s %s", tables[i].part, forms[f].form), false);
    }
}
