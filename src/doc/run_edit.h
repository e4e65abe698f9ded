/* Changing single numbers: which numbers of a run's tensors are the document's own, what may be written there, and on which
 * of them a computed number rests. The table of editable matrices is that of run_matrix_of; nothing here changes anything. */
#ifndef DOC_RUN_EDIT_H
#define DOC_RUN_EDIT_H

#include "doc/run.h"

/* The document's number that this one is (its value is left 0). false: it is computed. */
bool run_edit_place(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX], DocEdit *out);
/* Where this tensor shows an edit; false: nowhere, or the edit is inactive. */
bool run_edit_shown(const Run *run, int edit, TensorId id, int index[TENSOR_RANK_MAX]);
/* A tensor that shows it, and where. TENSOR_NONE: it is inactive. */
TensorId run_edit_tensor(const Run *run, int edit, int index[TENSOR_RANK_MAX]);
/* The edit of this number in the document's list, active or not; -1 = none. */
int run_edit_find(const Doc *doc, const DocEdit *place);
/* A typed text as a number of this matrix: also with the minus sign and ∞ of the screen. The error says what would be right. */
bool run_edit_number(MatrixName matrix, const char *text, double *out, Err *err);
/* "lies outside: x has the shape [6, 16] now"; NULL: it is active. In `arena`. */
const char *run_edit_why_not(const Run *run, int edit, Arena *arena);

/* The document's numbers that a computed one rests on, those first that count most in it: their size times the absolute
 * derivatives along all ways; zeros come last. *out in `arena`; returns how many there are, at most `most`. */
int run_edit_inputs(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX], int most, Arena *arena, Ref **out);

#endif
