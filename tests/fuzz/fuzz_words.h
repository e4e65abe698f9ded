/* What scenario files, `set` and action lines know: for mutations of them. Names come from the product's tables. */
#ifndef TESTS_FUZZ_WORDS_H
#define TESTS_FUZZ_WORDS_H

extern const char *const fuzz_scenario_words[];
extern const char *const fuzz_trace_words[];

#endif
