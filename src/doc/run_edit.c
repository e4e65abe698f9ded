/* Which numbers of the document the tensors of a run show: where a change goes, and which changes a number has. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/run_edit.h"

/* Rows of a given table are the table's own: pe shows pos_emb. */
static TensorId table_of(const Run *run, TensorId id, int *first) {
    const Op *op = trace_op(run->trace, trace_tensor(run->trace, id)->op);
    *first = op->kind == OP_ROWS ? op->row : 0;
    return op->kind == OP_ROWS ? op->in[0] : id;
}

bool run_edit_place(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX], DocEdit *out) {
    int first, matrix = run_matrix_of(run, table_of(run, id, &first));
    if (matrix < 0) return false;
    int rank = trace_tensor(run->trace, id)->rank, skip = doc_matrix_rank((MatrixName)matrix) - rank; /* a 2-D q is head 1 */
    *out = (DocEdit){.matrix = (MatrixName)matrix};
    for (int a = 0; a < rank && a + skip < 3; a++) out->index[a + skip] = index[a];
    out->index[skip] += first;
    return true;
}

bool run_edit_shown(const Run *run, int edit, TensorId id, int index[TENSOR_RANK_MAX]) {
    const DocEdit *of = doc_edit_at(&run->doc, edit);
    int first, matrix = run->edit_active[edit] ? run_matrix_of(run, table_of(run, id, &first)) : -1;
    if (matrix < 0 || matrix != (int)of->matrix) return false;
    const Tensor *t = trace_tensor(run->trace, id);
    int skip = doc_matrix_rank(of->matrix) - t->rank;
    for (int a = 0; a < TENSOR_RANK_MAX; a++) index[a] = a < t->rank ? of->index[a + skip] : 0;
    index[0] -= first;
    return tensor_has(t, index);
}

int run_edit_of(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX]) {
    DocEdit place;
    if (run->doc.n_edits == 0 || !run_edit_place(run, id, index, &place)) return -1;
    int i = run_edit_find(&run->doc, &place);
    return i >= 0 && run->edit_active[i] ? i : -1;
}

int run_edit_find(const Doc *doc, const DocEdit *place) {
    for (int i = doc->n_edits - 1; i >= 0; i--) {
        const DocEdit *edit = doc_edit_at(doc, i);
        if (edit->matrix == place->matrix && memcmp(edit->index, place->index, sizeof edit->index) == 0) return i;
    }
    return -1;
}

TensorId run_edit_tensor(const Run *run, int edit, int index[TENSOR_RANK_MAX]) {
    TensorId found = TENSOR_NONE;
    int at[TENSOR_RANK_MAX];
    for (TensorId id = 0; id < trace_tensor_count(run->trace); id++) {
        if (!run_edit_shown(run, edit, id, at)) continue;
        found = id; /* pe is drawn, pos_emb is not: the later one */
        memcpy(index, at, sizeof at);
    }
    return found;
}

/* ---- what may be written ---- */

/* A text as people type numbers: their minus, spaces around it, any case. false: longer than numbers are. */
static bool plain_number(const char *text, char *out, size_t size) {
    static const struct { const char *from, *to; } signs[] = {{"\xE2\x88\x92", "-"}, {"\xE2\x88\x9E", "inf"}};
    size_t n = 0;
    text += strspn(text, " ");
    while (*text) {
        const char *put = NULL;
        for (size_t i = 0; !put && i < 2; i++)
            if (str_starts(text, signs[i].from)) put = signs[i].to, text += strlen(signs[i].from);
        char one[2] = {0};
        if (!put) one[0] = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text, put = one, text++;
        if (n + strlen(put) >= size) return false;
        memcpy(out + n, put, strlen(put));
        n += strlen(put);
    }
    while (n > 0 && out[n - 1] == ' ') n--;
    out[n] = 0;
    return true;
}

static bool not_a_number(const char *text, char *plain, Err *err) {
    double value;
    char *comma = strchr(plain, ',');
    if (!*plain) return err_set(err, ERR_USAGE, "%s", tr("Type a number, such as 0.5 or -2."));
    if (comma) *comma = '.';
    if (comma && str_to_double(plain, &value)) return err_set(err, ERR_USAGE, tr("\"%s\" is not a number; write %s."), text, plain);
    return err_set(err, ERR_USAGE, tr("\"%s\" is not a number; write one such as 0.5 or -2."), text);
}

bool run_edit_number(MatrixName matrix, const char *text, double *out, Err *err) {
    char plain[64];
    double value;
    if (!plain_number(text, plain, sizeof plain)) return err_set(err, ERR_USAGE, tr("\"%.40s…\" is too long for a number."), text);
    if (!str_to_double(plain, &value)) return not_a_number(text, plain, err);
    if (isinf(value) && strpbrk(plain, "0123456789")) return err_set(err, ERR_USAGE, tr("\"%s\" is too large: numbers go up to 3.4e38."), text);
    if (isinf(value) && (matrix != MATRIX_SCORES || value > 0)) {
        if (matrix == MATRIX_SCORES)
            return err_set(err, ERR_USAGE, "%s", tr("A score cannot be ∞: its row would have no weights. Write a large number, such as 100."));
        return err_set(err, ERR_USAGE, "%s", tr("∞ cannot stand here: sums with it become NaN. Write a large number, such as 1000."));
    }
    if (isfinite(value) && fabs(value) > (double)FLT_MAX) return err_set(err, ERR_USAGE, tr("\"%s\" is too large: numbers go up to 3.4e38."), text);
    *out = value;
    return true;
}

const char *run_edit_why_not(const Run *run, int edit, Arena *arena) {
    const DocEdit *of = doc_edit_at(&run->doc, edit);
    const char *name = doc_matrix_names[of->matrix];
    for (TensorId id = 0; !run->edit_active[edit] && id < trace_tensor_count(run->trace); id++) {
        const Tensor *t = trace_tensor(run->trace, id);
        char shape[64];
        if (run_matrix_of(run, id) == (int)of->matrix)
            return arena_printf(arena, tr("lies outside: %s has the shape %s now"), t->id, tensor_shape_text(shape, t->rank, t->dim));
        if (str_eq(t->id, name)) return arena_printf(arena, tr("waits: %s is computed now, not given"), name);
    }
    return run->edit_active[edit] ? NULL : arena_printf(arena, tr("waits: there is no %s now"), name);
}
