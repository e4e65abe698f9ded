/* What every test uses: cmocka with its includes, and a comparer that NaN cannot pass by accident. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* NaN meets only NaN, an infinity only itself, others |got - want| <= tolerance. */
bool near_equal(double got, double want, double tolerance);
void assert_near_at(double got, double want, double tolerance, const char *expression, const char *file, int line);
#define assert_near(got, want, tolerance) assert_near_at((got), (want), (tolerance), #got, __FILE__, __LINE__)

/* Path below tests/data, in a static buffer that the next call overwrites. */
const char *data_path(const char *name);
/* Path of a model folder or file that is not part of the project: below $ATTNSCOPE_MODELS, else below shared/models beside
 * the project's folder. NULL when it is not there: the test is then skipped. Static buffer. */
const char *models_path(const char *name);
/* A fresh empty folder for this test below the build tree; static buffer. */
const char *scratch_folder(const char *name);

#endif
