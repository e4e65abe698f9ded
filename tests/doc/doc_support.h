/* What the tests of doc share: a lexicon, runs from texts and files. */
#ifndef TESTS_DOC_SUPPORT_H
#define TESTS_DOC_SUPPORT_H

#include "support/support.h"

#include "doc/run.h"
#include "doc/yaml.h"

/* The lexicon of the program, loaded once. */
const RunContext *doc_context(void);
/* A run of a document; fails the test with the message when there is none. Close with run_close. */
Run *run_of(const Doc *doc);
/* A document from scenario text or from tests/data/scenarios. Reset with doc_reset. */
void doc_of(const char *yaml, Doc *doc);
void doc_of_file(const char *name, int which, Doc *doc);
Run *run_of_text(const char *yaml);
/* The value of "weights[1, cat, sat]" in a run. */
double value_of(const Run *run, const char *number);
/* Fails unless the error's whole text holds `part`. */
void assert_message(const Err *err, const char *part);

#endif
