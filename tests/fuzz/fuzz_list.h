/* What must hold for every picture. */
#ifndef TESTS_FUZZ_LIST_H
#define TESTS_FUZZ_LIST_H

#include "doc/view.h"
#include "draw/dl.h"

/* Clips and groups are closed, offsets lie in their pools, boxes are numbers, texts are UTF-8 and start inside the
 * picture. `view` is what it shows, for messages. */
void fuzz_check_list(const DisplayList *list, const View *view);

#endif
