/* The scenario file (assets/doc/scenario.md): Doc and View as YAML, strict on reading, stable on writing. */
#ifndef DOC_YAML_H
#define DOC_YAML_H

#include "doc/doc.h"
#include "doc/view.h"

/* One file may hold several documents ("---"); `which` counts from 0. *more says whether another follows.
 * Every error has file:line:column, the key path, what was found and what was expected.
 * `doc` and `view` are initialised here; on failure doc is reset. view may be NULL. */
bool yaml_read(const char *text, size_t size, const char *file, int which, Doc *doc, View *view, bool *more, Err *err);
bool yaml_read_file(const char *path, int which, Doc *doc, View *view, bool *more, Err *err);
/* An error about a key of this file that came up after reading, such as sizes that do not fit: adds where the key stands
 * (without one, the file alone). Returns false. */
bool yaml_place(const char *path, int which, Err *err);
/* Reading and writing twice gives the same bytes. view may be NULL. */
char *yaml_write(const Doc *doc, const View *view, Arena *arena);
/* Set one field from a command line: key "mask", value "causal" or any YAML flow text. */
bool yaml_set(Doc *doc, View *view, const char *key, const char *value, Err *err);
/* The first key besides those listed (NULL-terminated) that the document's file would have; NULL = none. */
const char *yaml_key_beside(const Doc *doc, const char *const *keys);
/* Does key `i` of yaml_keys say something else in the two documents? Their values as a file has them, without the key; "" = it would
 * stand in none. In `arena`. */
bool yaml_differs(const Doc *a, const Doc *b, int i, Arena *arena, const char **value_a, const char **value_b);
/* Known keys, for completion and for the command line's flags; NULL-terminated. */
const char *const *yaml_keys(void);

#endif
