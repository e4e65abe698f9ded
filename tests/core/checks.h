/* Comparing a trace with a reference file, and the invariant of explanations. Mistakes are printed. */
#ifndef TESTS_CORE_CHECKS_H
#define TESTS_CORE_CHECKS_H

#include "fixture.h"

/* The file's tensor `name` against one of the trace, within the file's tolerance for that name. */
bool check_near(Fixture *f, const char *name, const TensorInput *want, const Tensor *got);
bool check_tensor(Fixture *f, const Trace *trace, const char *name, const char *id);
/* 0, or 1 when an element's explanation does not give its value within the tolerance or refers to what is not there. `arena`
 * is emptied for each element. */
int explain_every_element(const char *file, const Trace *trace, TensorId id, double tolerance, Arena *arena);

#endif
