/* What must hold for every run that is built, whatever it was built from. */
#ifndef TESTS_FUZZ_RUN_H
#define TESTS_FUZZ_RUN_H

#include "doc/run.h"

/* The lexicon of the product, read once. */
const RunContext *fuzz_context(void);
/* Is it small enough to be computed in a moment? */
bool fuzz_is_small(const Doc *doc);
/* run_build, and if it succeeds: every stage has a film, some numbers of every tensor explain themselves, their
 * references are read back as what they were written from. If it does not, there is a message. */
bool fuzz_run(const Doc *doc, Run **out);
/* An error is good UTF-8 and says something. */
void fuzz_error(const Err *err);
/* A document as it is written is read back as the same document and written as the same bytes. */
void fuzz_write_back(const Doc *doc, const View *view);

#endif
