/* The figures that Attnscope promises, measured: bench [--only NAME]. First the machine in `#` lines, then
 * name<TAB>value<TAB>unit, medians of several runs. Nothing here passes or fails by its speed. */
#include "bench.h"

#include "app/product.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { RUNS_MIN = 5, RUNS_MAX = 201 };
static const double budget = 2; /* seconds a figure */

double bench_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double (*turn)(void *ctx), void *ctx) {
    double times[RUNS_MAX];
    int n = 0;
    turn(ctx);
    double begin = bench_now();
    while (n < RUNS_MIN || (n < RUNS_MAX && bench_now() - begin < budget)) {
        double start = bench_now(), own = turn(ctx);
        times[n++] = own >= 0 ? own : 1000 * (bench_now() - start);
    }
    qsort(times, (size_t)n, sizeof times[0], by_size);
    return n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
}

void bench_print(const char *name, double value, const char *unit) {
    printf("%s\t%.3f\t%s\n", name, value, unit);
    fflush(stdout);
}

/* The value of a "key : value" line of a file below /proc. */
static void print_line_of(const char *path, const char *key) {
    char line[512];
    FILE *file = fopen(path, "r");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) != 0 || !colon) continue;
        printf("# %s: %s", key, colon + 1 + strspn(colon + 1, " \t"));
        break;
    }
    fclose(file);
}

static void print_machine(void) {
    struct utsname system;
    print_line_of("/proc/cpuinfo", "model name");
    printf("# processors: %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
    print_line_of("/proc/meminfo", "MemTotal");
    if (uname(&system) == 0) printf("# system: %s %s %s\n", system.sysname, system.release, system.machine);
    printf("# matrix products: %s\n", product_name());
    printf("# compiler: %s, build type %s\n", __VERSION__, BENCH_BUILD_TYPE);
    fflush(stdout);
}

static bool first_frame(const char *name) { return bench_first_frame(name, BENCH_PROGRAM); }
static bool list_64(const char *name) { return bench_list(name, 64); }
static bool pixels_12x64(const char *name) { return bench_pixels(name, 12, 64); }
static bool export_12(const char *name) { return bench_export(name, BENCH_PROGRAM, 12); }
static bool export_64(const char *name) { return bench_export(name, BENCH_PROGRAM, 64); }
static bool stages_64(const char *name) { return bench_stages(name, 64, 512, 8); }
static bool stages_512(const char *name) { return bench_stages(name, 512, 512, 8); }
static bool stages_1024(const char *name) { return bench_stages(name, 1024, 768, 12); }

static const struct {
    const char *name;
    bool (*run)(const char *name);
} figures[] = {
    {"start_to_first_frame", first_frame},
    {"input_to_list_64", list_64},
    {"list_to_pixels_12x64", pixels_12x64},
    {"export_png_12", export_12},
    {"export_png_64", export_64},
    {"all_stages_L64_d512_h8", stages_64},
    {"all_stages_L512_d512_h8", stages_512},
    {"all_stages_L1024_d768_h12", stages_1024},
};

int main(int argc, char **argv) {
    const char *only = argc == 3 && strcmp(argv[1], "--only") == 0 ? argv[2] : NULL;
    int n = sizeof figures / sizeof figures[0];
    bool known = !only, good = true;
    for (int i = 0; i < n; i++) known = known || strcmp(only, figures[i].name) == 0;
    if ((argc > 1 && !only) || !known) {
        fprintf(stderr, "usage: bench [--only NAME], with NAME one of");
        for (int i = 0; i < n; i++) fprintf(stderr, " %s", figures[i].name);
        fprintf(stderr, "\n");
        return 2;
    }
    print_machine();
    for (int i = 0; i < n; i++)
        if (!only || strcmp(only, figures[i].name) == 0) good = figures[i].run(figures[i].name) && good;
    return good ? 0 : 1;
}
