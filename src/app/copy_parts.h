/* Private to copy*.c. */
#ifndef APP_COPY_PARTS_H
#define APP_COPY_PARTS_H

#include "core/explain.h"

/* A number as a file has it: three decimals. In `arena`. */
const char *copy_fixed(Arena *arena, double value);
/* In mathematics: "-\\infty", "0.943". In `arena`. */
const char *copy_latex_number(Arena *arena, double value);
/* What is added to a mean square before its root, with the digits that it needs: "1e-05". In `arena`. */
const char *copy_epsilon(Arena *arena, double value);

#endif
