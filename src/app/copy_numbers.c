/* A number, a row, a column or a whole map in the form that a spreadsheet, a paper, NumPy or a C program reads. Numbers have all
 * the digits that bring them back exactly; in LaTeX, which is for reading, three decimals. */
#include <math.h>
#include <assert.h>
#include <string.h>

#include "app/copy.h"
#include "app/copy_parts.h"
#include "base/str.h"

typedef struct {
    StrBuf *out;
    const Run *run;
    const Tensor *t;
    TensorId id;
    int index[TENSOR_RANK_MAX]; /* of the number in question */
    int r0, r1, c0, c1;         /* rows and columns that are copied */
} Cut;

static int rows_of(const Tensor *t) { return t->rank > 1 ? t->dim[t->rank - 2] : 1; }

static double value_at(const Cut *cut, int row, int col) {
    int index[TENSOR_RANK_MAX];
    memcpy(index, cut->index, sizeof index);
    if (cut->t->rank > 1) index[cut->t->rank - 2] = row;
    index[cut->t->rank - 1] = col;
    return tensor_at(cut->t, index);
}

static const char *label_at(const Cut *cut, int back, int i, char label[32]) {
    return cut->t->rank >= back ? run_label(cut->run, cut->id, cut->t->rank - back, i, label) : "";
}

static bool is_double(const Cut *cut) { return cut->t->dtype == DTYPE_F64; }

/* All digits: "0.94", "-inf", "nan". */
static const char *digits(const Cut *cut, double value, char out[NUM_MAX]) {
    return is_double(cut) ? num_double(out, value, NUM_FILE) : num_float(out, (float)value, NUM_FILE);
}

/* ---- numbers ---- */

static void tsv_number(const Cut *cut, double value) {
    char number[NUM_MAX];
    sb_add(cut->out, digits(cut, value, number));
}

static void latex_number(const Cut *cut, double value) { sb_add(cut->out, copy_latex_number(cut->out->arena, value)); }

static void numpy_number(const Cut *cut, double value) {
    char number[NUM_MAX];
    sb_add(cut->out, isnan(value) ? "np.nan" : isinf(value) ? (value > 0 ? "np.inf" : "-np.inf") : digits(cut, value, number));
}

static void c_number(const Cut *cut, double value) {
    char number[NUM_MAX];
    if (!isfinite(value)) {
        sb_add(cut->out, isnan(value) ? "NAN" : value > 0 ? "INFINITY" : "-INFINITY");
        return;
    }
    const char *text = digits(cut, value, number);
    sb_printf(cut->out, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0", is_double(cut) ? "" : "f");
}

/* ---- what stands around them ---- */

/* A table keeps the names of its rows and columns. */
static void tsv_begin(const Cut *cut) {
    char label[32];
    for (int col = cut->c0; col < cut->c1; col++) sb_printf(cut->out, "\t%s", label_at(cut, 1, col, label));
    sb_add(cut->out, "\n");
}

static void tsv_row(const Cut *cut, int row) {
    char label[32];
    sb_printf(cut->out, "%s\t", label_at(cut, 2, row, label));
}

static void latex_begin(const Cut *cut) { sb_add(cut->out, "\\begin{bmatrix}\n"); }
static void latex_end(const Cut *cut) { sb_add(cut->out, "\n\\end{bmatrix}\n"); }

static bool one_row(const Cut *cut) { return cut->r1 - cut->r0 == 1; }
static bool one_column(const Cut *cut) { return !one_row(cut) && cut->c1 - cut->c0 == 1; }

static void numpy_begin(const Cut *cut) { sb_add(cut->out, one_row(cut) || one_column(cut) ? "np.array([" : "np.array([\n"); }
static void numpy_row(const Cut *cut, int row) {
    (void)row;
    if (!one_row(cut) && !one_column(cut)) sb_add(cut->out, "    [");
}
static void numpy_row_end(const Cut *cut) {
    if (!one_row(cut) && !one_column(cut)) sb_add(cut->out, "]");
}
static void numpy_end(const Cut *cut) {
    sb_printf(cut->out, "%s], dtype=np.%s)\n", one_row(cut) || one_column(cut) ? "" : "\n", is_double(cut) ? "float64" : "float32");
}

static void c_begin(const Cut *cut) {
    const char *type = is_double(cut) ? "double" : "float";
    int rows = cut->r1 - cut->r0, cols = cut->c1 - cut->c0;
    if (one_row(cut) || one_column(cut)) sb_printf(cut->out, "const %s %s[%d] = {", type, cut->t->name, rows * cols);
    else sb_printf(cut->out, "const %s %s[%d][%d] = {\n", type, cut->t->name, rows, cols);
}
static void c_row(const Cut *cut, int row) {
    (void)row;
    if (!one_row(cut) && !one_column(cut)) sb_add(cut->out, "    {");
}
static void c_row_end(const Cut *cut) {
    if (!one_row(cut) && !one_column(cut)) sb_add(cut->out, "}");
}
static void c_end(const Cut *cut) { sb_add(cut->out, one_row(cut) || one_column(cut) ? "};\n" : "\n};\n"); }

/* NULL: nothing stands there. */
typedef struct {
    const char *name;
    void (*number)(const Cut *cut, double value);
    void (*begin)(const Cut *cut);
    void (*row)(const Cut *cut, int row);
    const char *between;                 /* two numbers */
    void (*row_end)(const Cut *cut);
    const char *between_rows, *in_column;/* two rows; of a single column */
    void (*end)(const Cut *cut);
} Form;

static const Form forms[] = {
    {"tsv", tsv_number, tsv_begin, tsv_row, "\t", NULL, "\n", "\n", NULL},
    {"latex", latex_number, latex_begin, NULL, " & ", NULL, " \\\\\n", " \\\\\n", latex_end},
    {"numpy", numpy_number, numpy_begin, numpy_row, ", ", numpy_row_end, ",\n", ", ", numpy_end},
    {"c", c_number, c_begin, c_row, ", ", c_row_end, ",\n", ", ", c_end},
};

const char *const copy_forms[] = {"tsv", "latex", "numpy", "c", NULL};
static_assert(sizeof forms / sizeof *forms == sizeof copy_forms / sizeof *copy_forms - 1, "a form for each name");

static void write_cut(const Cut *cut, const Form *form) {
    if (form->begin) form->begin(cut);
    for (int row = cut->r0; row < cut->r1; row++) {
        if (row > cut->r0) sb_add(cut->out, one_column(cut) ? form->in_column : form->between_rows);
        if (form->row) form->row(cut, row);
        for (int col = cut->c0; col < cut->c1; col++) {
            if (col > cut->c0) sb_add(cut->out, form->between);
            form->number(cut, value_at(cut, row, col));
        }
        if (form->row_end) form->row_end(cut);
    }
    if (form->end) form->end(cut);
    else sb_add(cut->out, "\n");
}

const char *copy_numbers(const Run *run, TensorId id, const int *index, CopyPart part, int form, Arena *arena) {
    StrBuf out;
    Cut cut = {.out = &out, .run = run, .t = trace_tensor(run->trace, id), .id = id};
    sb_init(&out, arena);
    memcpy(cut.index, index, sizeof cut.index);
    int row = cut.t->rank > 1 ? index[cut.t->rank - 2] : 0, col = index[cut.t->rank - 1];
    if (part == COPY_NUMBER) {
        forms[form].number(&cut, value_at(&cut, row, col));
        return out.data;
    }
    bool all_rows = part != COPY_ROW, all_cols = part != COPY_COLUMN;
    cut.r0 = all_rows ? 0 : row, cut.r1 = all_rows ? rows_of(cut.t) : row + 1;
    cut.c0 = all_cols ? 0 : col, cut.c1 = all_cols ? cut.t->dim[cut.t->rank - 1] : col + 1;
    write_cut(&cut, &forms[form]);
    return out.data;
}
