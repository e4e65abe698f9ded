/* Figures of the program as a whole: a process is started, and the clock runs from before the fork. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { ARGUMENTS_MAX = 16, TEXT_SIZE = 1024 };

typedef struct {
    const char *arguments[ARGUMENTS_MAX];
    bool first_frame; /* stop the clock at the first byte on standard output */
    bool failed;
} Process;

/* Runs the process to its end; milliseconds until it said something (first_frame) or ended. */
static double run_process(void *ctx) {
    Process *process = ctx;
    int ends[2];
    if (pipe(ends) != 0) {
        process->failed = true;
        return 0;
    }
    double start = bench_now();
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(process->arguments[0], (char *const *)process->arguments);
        _exit(127);
    }
    close(ends[1]);
    char byte;
    ssize_t n = read(ends[0], &byte, 1);
    double first = 1000 * (bench_now() - start);
    while (read(ends[0], &(char[256]){0}, 256) > 0) {}
    close(ends[0]);
    int status = 1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    double end = 1000 * (bench_now() - start);
    if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0 || (process->first_frame && n != 1)) process->failed = true;
    return process->first_frame ? first : end;
}

static bool take(const char *name, const Budget *budget, Process *process) {
    double median = bench_median(budget, run_process, process);
    if (process->failed) fprintf(stderr, "%s: %s did not do its work\n", name, process->arguments[0]);
    else bench_print(name, median, "ms");
    return !process->failed;
}

bool bench_first_frame(const char *name, const Budget *budget, const char *program) {
    Process process = {.arguments = {program}, .first_frame = true};
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    setenv("ATTNSCOPE_FIRST_FRAME", "1", 1);
    bool good = take(name, budget, &process);
    unsetenv("ATTNSCOPE_FIRST_FRAME");
    return good;
}

/* One annotated map of 1000×800 as a PNG, whole process. */
bool bench_export(const char *name, const Budget *budget, const char *program, int tokens, const char *ending) {
    char text[TEXT_SIZE] = "", path[] = "/tmp/attnscope-bench-XXXXXX";
    size_t used = 0;
    for (int i = 0; i < tokens; i++) used += (size_t)snprintf(text + used, sizeof text - used, "w%d ", i + 1);
    int file = mkstemp(path);
    if (file < 0) return false;
    close(file);
    char picture[sizeof path + 8];
    snprintf(picture, sizeof picture, "%s.%s", path, ending);
    Process process = {.arguments = {program, "export", "--text", text, "--stage", "softmax", "--head", "2", "-o", picture}};
    bool good = take(name, budget, &process);
    unlink(path);
    unlink(picture);
    return good;
}
