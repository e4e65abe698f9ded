/* Numbers in files that other programs read: one table of formats. JSON and .safetensors of a whole run are in cli_trace.c. */
#ifndef APP_NUMBERS_H
#define APP_NUMBERS_H

#include "doc/run.h"

typedef struct {
    bool wide;       /* CSV: a line for each row of a map instead of one for each number */
    int decimals;    /* Markdown, LaTeX */
} NumbersOptions;

typedef struct NumbersFormat NumbersFormat;
struct NumbersFormat {
    const char *ending;  /* "csv" */
    bool one;            /* holds one tensor */
    /* Bytes in `arena`; `ids` are in memory. The same numbers give the same bytes. */
    bool (*write)(const Run *run, const TensorId *ids, int n, const NumbersOptions *options, Arena *arena, void **data, size_t *size, Err *err);
};

/* csv:  a line "tensor,head,row,column,row_name,column_name,value" for each number, from 1; wide: "head,row_name" and the names of the
 *       columns. Shortest text that reads back as the same number; nan, inf, -inf. Fields in quotes by RFC 4180.
 * npy:  one tensor as NumPy has it (format 1.0, C order); npz: all of them in a ZIP file.
 * md, tex: tables of one tensor, one for each head, with the names of rows and columns. */
const NumbersFormat *numbers_format_named(const char *ending); /* NULL = none of these */

#endif
