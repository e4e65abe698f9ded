/* Texts that are kept in tests/golden: UPDATE_GOLDEN=1 writes them anew. */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include "base/arena.h"
#include "base/str.h"
#include "draw/dl.h"

/* Fails the test with the first line in which `text` differs from tests/golden/NAME.txt. */
void golden_compare(Arena *arena, const char *name, const char *text);
/* The display list as text. */
char *golden_dump(const DisplayList *dl, Arena *arena);
/* "NAME: 278 lines, 7dd6…": a list of which nothing but this is kept. */
void golden_line(StrBuf *out, const char *name, const char *text);

#endif
