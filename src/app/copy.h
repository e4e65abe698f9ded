/* Numbers as text for the clipboard and the command line: an explanation in words or as an equation, one sentence, a number, a row,
 * a column or a map as a table, LaTeX, NumPy or C. */
#ifndef APP_COPY_H
#define APP_COPY_H

#include "doc/run.h"
#include "doc/view.h"

typedef enum { COPY_WORDS, COPY_EQUATION, COPY_SENTENCE, COPY_NUMBER, COPY_ROW, COPY_COLUMN, COPY_MAP, COPY_PART_COUNT } CopyPart;
extern const char *const copy_parts[]; /* "words" … "map", then NULL */
extern const char *const copy_forms[]; /* "tsv" "latex" "numpy" "c", then NULL */

/* The arithmetic of one number, line by line. */
const char *copy_words(const Run *run, const Explanation *explanation, Arena *arena);
/* The same as one LaTeX equation. */
const char *copy_latex(const Run *run, const Explanation *explanation, Arena *arena);
/* From COPY_NUMBER on; `form` counts copy_forms. A map of several heads: that of the number's head. */
const char *copy_numbers(const Run *run, TensorId id, const int *index, CopyPart part, int form, Arena *arena);
/* By name; part NULL = words of the selection, without one the stage's map; form NULL = tsv. Where nothing is selected the map is that
 * of the stage's result. NULL and err when it is impossible. */
const char *copy_text(const Run *run, const View *view, const char *part, const char *form, Arena *arena, Err *err);
/* The same of one number; it has to be in memory. */
const char *copy_of(const Run *run, TensorId id, const int *index, CopyPart part, int form, Arena *arena, Err *err);
/* -1 and err: there is no such name. */
int copy_part_find(const char *name, Err *err);
int copy_form_find(const char *name, Err *err);

#endif
