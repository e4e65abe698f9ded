/* The figures that Attnscope promises, measured: bench [--quick] [--only NAME] [--model DIR]. First the machine in `#` lines, then
 * name<TAB>value<TAB>unit, medians of several runs. Nothing here passes or fails by its speed. DIR is a folder that gpt2_random
 * wrote; without it one is written to a temporary place, and taken away at the end. */
#include "bench.h"

#include "app/product.h"
#include "gpt2_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { RUNS_MAX = 201 };

double bench_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(const Budget *budget, double (*turn)(void *ctx), void *ctx) {
    double times[RUNS_MAX];
    int n = 0;
    turn(ctx);
    double begin = bench_now();
    while (n < budget->least || (n < RUNS_MAX && bench_now() - begin < budget->seconds)) {
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

static bool first_frame(const char *name, const Budget *budget) { return bench_first_frame(name, budget, BENCH_PROGRAM); }
static bool list_64(const char *name, const Budget *budget) { return bench_list(name, budget, 64); }
static bool list_256(const char *name, const Budget *budget) { return bench_list(name, budget, 256); }
static bool list_1000(const char *name, const Budget *budget) { return bench_list(name, budget, 1000); }
static bool steps_256(const char *name, const Budget *budget) { return bench_steps(name, budget, 256); }
static bool steps_1000(const char *name, const Budget *budget) { return bench_steps(name, budget, 1000); }
static bool inputs_1000(const char *name, const Budget *budget) { return bench_inputs(name, budget, 1000, 256); }
static bool pixels_12x64(const char *name, const Budget *budget) { return bench_pixels(name, budget, 12, 64); }
static bool export_12(const char *name, const Budget *budget) { return bench_export(name, budget, BENCH_PROGRAM, 12, "png"); }
static bool export_svg(const char *name, const Budget *budget) { return bench_export(name, budget, BENCH_PROGRAM, 12, "svg"); }
static bool export_pdf(const char *name, const Budget *budget) { return bench_export(name, budget, BENCH_PROGRAM, 12, "pdf"); }
static bool export_64(const char *name, const Budget *budget) { return bench_export(name, budget, BENCH_PROGRAM, 64, "png"); }
static bool stages_64(const char *name, const Budget *budget) { return bench_stages(name, budget, 64, 512, 8); }
static bool stages_512(const char *name, const Budget *budget) { return bench_stages(name, budget, 512, 512, 8); }
static bool stages_1024(const char *name, const Budget *budget) { return bench_stages(name, budget, 1024, 768, 12); }


/* The folder of the gpt2 figures, there when the first of them asks for it. */
static struct {
    const char *given;
    char made[64];
    const Gpt2Size *size;
} gpt2 = {.size = &gpt2_small};

static const char *gpt2_folder(void) {
    if (gpt2.given) return gpt2.given;
    if (gpt2.made[0]) return gpt2.made;
    snprintf(gpt2.made, sizeof gpt2.made, "/tmp/attnscope-gpt2-XXXXXX");
    return mkdtemp(gpt2.made) && gpt2_write(gpt2.made, gpt2.size) ? gpt2.made : NULL;
}

static bool gpt2_full(const char *name, const Budget *budget) { return gpt2_folder() && bench_gpt2_full(name, budget, gpt2_folder()); }
static bool gpt2_append(const char *name, const Budget *budget) { return gpt2_folder() && bench_gpt2_append(name, budget, gpt2_folder()); }
static bool gpt2_open(const char *name, const Budget *budget) { return gpt2_folder() && bench_gpt2_open(name, budget, gpt2_folder()); }
static bool gpt2_rss(const char *name, const Budget *budget) { return gpt2_folder() && bench_gpt2_rss(name, budget, gpt2_folder(), 32, 0); }
static bool gpt2_1000(const char *name, const Budget *budget) { return gpt2_folder() && bench_gpt2_rss(name, budget, gpt2_folder(), 1000, 1024); }

static const struct {
    const char *name;
    bool (*run)(const char *name, const Budget *budget);
} figures[] = {
    {"start_to_first_frame", first_frame},
    {"input_to_list_64", list_64},
    {"input_to_list_256", list_256},
    {"input_to_list_1000", list_1000},
    {"step_to_list_256", steps_256},
    {"step_to_list_1000", steps_1000},
    {"inputs_to_list_1000", inputs_1000},
    {"list_to_pixels_12x64", pixels_12x64},
    {"export_png_12", export_12},
    {"export_png_64", export_64},
    {"export_svg_12", export_svg},
    {"export_pdf_12", export_pdf},
    {"all_stages_L64_d512_h8", stages_64},
    {"all_stages_L512_d512_h8", stages_512},
    {"all_stages_L1024_d768_h12", stages_1024},
    {"gpt2_full_32", gpt2_full},
    {"gpt2_append_1", gpt2_append},
    {"gpt2_open", gpt2_open},
    {"gpt2_rss", gpt2_rss},
    {"gpt2_rss_1000", gpt2_1000},
};

static int usage(void) {
    fprintf(stderr, "usage: bench [--quick] [--only NAME] [--model DIR], with NAME one of");
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) fprintf(stderr, " %s", figures[i].name);
    fprintf(stderr, "\n--quick takes each figure once: to see that all of them can be taken\n");
    return 2;
}

int main(int argc, char **argv) {
    Budget budget = {.least = 5, .seconds = 2};
    const char *only = NULL;
    bool good = true;
    int n = sizeof figures / sizeof figures[0], taken = 0;
    if (argc == 5 && strcmp(argv[1], "--child") == 0) return bench_gpt2_child(argv[2], atoi(argv[3]), atoi(argv[4]));
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            budget = (Budget){.least = 1, .seconds = 0};
            gpt2.size = &gpt2_little;
        } else if (strcmp(argv[i], "--model") == 0 && i + 1 < argc) gpt2.given = argv[++i];
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) only = argv[++i];
        else return usage();
    }
    for (int i = 0; i < n; i++) {
        if (only && strcmp(only, figures[i].name) != 0) continue;
        if (taken++ == 0) print_machine();
        good = figures[i].run(figures[i].name, &budget) && good;
    }
    if (gpt2.made[0]) gpt2_remove(gpt2.made);
    if (taken == 0) return usage();
    return good ? 0 : 1;
}
