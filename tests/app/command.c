#include "app/command.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"

static Arena arena;
static char folder[1024];

void command_begin(const char *name) {
    snprintf(folder, sizeof folder, "%s", scratch_folder(name));
}

void command_end(void) {
    arena_free(&arena);
}

Arena *command_arena(void) {
    return &arena;
}

char *in_folder(const char *name) {
    return path_join(&arena, folder, name);
}

/* Not inlined: gcc 12 then takes what file_read gives for the address of `data`. */
__attribute__((noinline)) char *slurp(const char *path, size_t *size) {
    char *data = NULL;
    Err err = {0};
    if (!file_read(path, (size_t)1 << 30, &arena, &data, size, &err)) fail_msg("%s", err.message);
    return data;
}

void write_text(const char *name, const char *text) {
    Err err = {0};
    if (!file_write(in_folder(name), text, strlen(text), &err)) fail_msg("%s", err.message);
}

static Result run_list(char *const *argv) {
    char *out = in_folder("stdout"), *err = in_folder("stderr");
    pid_t child = fork();
    if (child == 0) {
        int o = open(out, O_CREAT | O_TRUNC | O_WRONLY, 0600), e = open(err, O_CREAT | O_TRUNC | O_WRONLY, 0600);
        dup2(o, STDOUT_FILENO);
        dup2(e, STDERR_FILENO);
        unsetenv("DISPLAY");
        unsetenv("WAYLAND_DISPLAY");
        execv(argv[0], argv);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    Result result = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1};
    size_t ignored;
    result.out = slurp(out, &result.out_size);
    result.err = slurp(err, &ignored);
    return result;
}

Result run(const char *first, ...) {
    char *argv[64] = {TEST_BUILD "/attnscope"};
    int n = 1;
    va_list args;
    va_start(args, first);
    for (const char *arg = first; arg && n < 63; arg = va_arg(args, const char *)) argv[n++] = arena_strdup(&arena, arg);
    va_end(args);
    return run_list(argv);
}

void want_code(Result result, int code, const char *file, int line) {
    if (result.code == code) return;
    print_error("exit code %d, expected %d; standard error: %s\n", result.code, code, result.err);
    _fail(file, line);
}

void want_refused(Result result, const char *says, const char *file, int line) {
    want_code(result, 2, file, line);
    size_t length = strlen(result.err);
    bool one_line = length > 1 && strchr(result.err, '\n') == result.err + length - 1;
    if (one_line && str_starts(result.err, "attnscope: ") && strstr(result.err, says)) return;
    print_error("standard error is \"%s\", expected one line with \"%s\"\n", result.err, says);
    _fail(file, line);
}
