/* Numbers as text for the clipboard and the command line: an explanation in words, as LaTeX, a map as a table. */
#ifndef APP_COPY_H
#define APP_COPY_H

#include "doc/run.h"
#include "doc/view.h"

/* The arithmetic of one number, line by line. */
const char *copy_words(const Run *run, const Explanation *explanation, Arena *arena);
/* The same as one LaTeX equation. */
const char *copy_latex(const Run *run, const Explanation *explanation, Arena *arena);
/* By name: "words", "latex", "table"; NULL = words of the selection, else the table. NULL and err when impossible. */
const char *copy_text(const Run *run, const View *view, const char *form, Arena *arena, Err *err);

#endif
