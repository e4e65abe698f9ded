/* What the tests of models from folders share: documents that name one, and runs of them. */
#ifndef TESTS_NETWORK_SUPPORT_H
#define TESTS_NETWORK_SUPPORT_H

#include "doc_support.h"

/* A document with a folder of tests/data/models; source NULL: none. Reset with doc_reset. */
void network_doc(Doc *doc, const char *model, const char *text, const char *source);
/* Its run; `context` NULL: the plain one. Fails the test with the message when there is none. */
Run *network_run(const char *model, const char *text, const char *source, const RunContext *context);
/* Fails unless all tensors that both traces have in memory are equal within `tolerance`. */
void assert_same_numbers(const Run *a, const Run *b, double tolerance);

#endif
