/* The built program as a user starts it: exit codes, what it writes where. Uses a scratch folder of the test's own. */
#ifndef TESTS_APP_COMMAND_H
#define TESTS_APP_COMMAND_H

#include "base/arena.h"
#include "support/support.h"

typedef struct {
    int code;         /* exit code; -1 = ended by a signal */
    char *out, *err;  /* whole texts */
    size_t out_size;
} Result;

void command_begin(const char *folder);
void command_end(void);
Arena *command_arena(void); /* results live in it until the end */

Result run(const char *first, ...); /* run("trace", "The cat", NULL), without a display */
char *in_folder(const char *name);
char *slurp(const char *path, size_t *size);
void write_text(const char *name, const char *text);

void want_code(Result result, int code, const char *file, int line);
#define assert_code(result, code) want_code((result), (code), __FILE__, __LINE__)
/* Bad input: code 2, nothing on standard output, one line on standard error that has `says`. */
void want_refused(Result result, const char *says, const char *file, int line);
#define assert_refused(result, says) want_refused((result), (says), __FILE__, __LINE__)

#endif
