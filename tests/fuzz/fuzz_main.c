/* The driver of a target where there is no libFuzzer: TARGET [--seed N] [--from N] [--cases N] [FILE…]
 * A case that fails is named with its seed, and its bytes are kept in TARGET.bad. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "fuzz/fuzz.h"

enum { SECONDS_OF_A_CASE = 30 }; /* of processor time: beyond that it hangs */

#if defined(__SANITIZE_ADDRESS__)
enum { SLOWER = 6 };
#else
enum { SLOWER = 1 };
#endif

/* The sanitizers end a program without a signal; they call this first. */
extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));

static struct {
    uint64_t seed;
    long number;
    FuzzInput input;
} now;

static void tell(void) {
    char text[400];
    int n = snprintf(text, sizeof text, "\n%s: this was case %ld of seed %llu; again: %s --seed %llu --from %ld --cases 1; its bytes are in %s.bad\n",
                     fuzz_target.name, now.number, (unsigned long long)now.seed, fuzz_target.name, (unsigned long long)now.seed, now.number,
                     fuzz_target.name);
    if (n > 0 && write(STDERR_FILENO, text, (size_t)n) < 0) _exit(3);
    snprintf(text, sizeof text, "%s.bad", fuzz_target.name);
    int file = open(text, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || write(file, now.input.bytes, now.input.size) < 0) _exit(3);
    close(file);
}

static void on_signal(int number) {
    static const char late[] = "\nthis case takes longer than a case may\n";
    if (number == SIGPROF && write(STDERR_FILENO, late, sizeof late - 1) < 0) _exit(3);
    tell();
    signal(number, SIG_DFL);
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void watch(void) {
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF};
    bool sanitized = __sanitizer_set_death_callback != NULL;
    if (sanitized) __sanitizer_set_death_callback(tell);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!sanitized || signals[i] == SIGABRT || signals[i] == SIGPROF) signal(signals[i], on_signal);
}

static void run_one(long number, FuzzInput input) {
    now.number = number;
    now.input = input;
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = SECONDS_OF_A_CASE}}, NULL);
    LLVMFuzzerTestOneInput(input.bytes, input.size);
}

static int run_file(const char *path) {
    Arena arena = {0};
    char *bytes;
    Err err = {0};
    FuzzInput input = {0};
    if (!file_read(path, (size_t)1 << 30, &arena, &bytes, &input.size, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    /* an exact copy, so that a sanitizer sees a step over its end */
    Arena exact = {0};
    input.bytes = arena_alloc(&exact, input.size + 1, 1);
    memcpy(input.bytes, bytes, input.size);
    run_one(-1, input);
    arena_free(&exact);
    arena_free(&arena);
    return 0;
}

int main(int argc, char **argv) {
    long from = 0, cases = fuzz_target.cases / SLOWER;
    now.seed = 1;
    watch();
    int files = 0;
    for (int i = 1; i < argc; i++) {
        long *number = str_eq(argv[i], "--from") ? &from : str_eq(argv[i], "--cases") ? &cases : NULL;
        if (number && i + 1 < argc) *number = strtol(argv[++i], NULL, 10);
        else if (str_eq(argv[i], "--seed") && i + 1 < argc) now.seed = strtoull(argv[++i], NULL, 10);
        else if (run_file(argv[i]) != 0) return 2;
        else files++;
    }
    if (files) return 0;
    FuzzCorpus corpus;
    Arena arena = {0};
    fuzz_load(&fuzz_target, &corpus);
    for (long i = from; i < from + cases; i++) {
        arena_reset(&arena);
        FuzzInput made = fuzz_make(&fuzz_target, &corpus, now.seed, i, &arena);
        uint8_t *exact = malloc(made.size + !made.size);
        memcpy(exact, made.bytes, made.size);
        run_one(i, (FuzzInput){exact, made.size});
        free(exact);
    }
    printf("%s: %ld cases of seed %llu from %d good inputs\n", fuzz_target.name, cases, (unsigned long long)now.seed, corpus.n_good);
    arena_free(&arena);
    arena_free(&corpus.arena);
    return 0;
}
