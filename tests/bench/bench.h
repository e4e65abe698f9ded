/* What the benchmark's parts share: a clock, a median, and one line a figure. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>

double bench_now(void); /* seconds */

/* How many runs a figure takes: at least `least`, and as many as fit `seconds`. */
typedef struct {
    int least;
    double seconds;
} Budget;

/* Runs `turn` once to warm up, then as the budget says; the median in milliseconds.
 * A turn that takes its own time returns it in milliseconds, otherwise a negative number. */
double bench_median(const Budget *budget, double (*turn)(void *ctx), void *ctx);
/* "name<TAB>value<TAB>unit" */
void bench_print(const char *name, double value, const char *unit);

/* The figures; false after a message when one could not be taken. `name` is the figure's. */
bool bench_stages(const char *name, const Budget *budget, int length, int d_model, int heads);
bool bench_first_frame(const char *name, const Budget *budget, const char *program);
bool bench_export(const char *name, const Budget *budget, const char *program, int tokens, const char *ending);
bool bench_list(const char *name, const Budget *budget, int tokens);
/* One step of each stage at so many tokens, and of Softmax in other looks: a figure each, called NAME_STAGE. */
bool bench_steps(const char *name, const Budget *budget, int tokens);
/* F2 on a number of the output of a random model. */
bool bench_inputs(const char *name, const Budget *budget, int tokens, int d_model);
/* Of a folder in the shape of GPT-2 small (gpt2_folder.h): 32 tokens with everything kept; one token appended, beside one read of
 * all weights; opening; the largest memory of a process that runs `tokens` tokens with a limit of computed MiB (0 = none). */
bool bench_gpt2_full(const char *name, const Budget *budget, const char *folder);
bool bench_gpt2_append(const char *name, const Budget *budget, const char *folder);
bool bench_gpt2_open(const char *name, const Budget *budget, const char *folder);
bool bench_gpt2_rss(const char *name, const Budget *budget, const char *folder, int tokens, int limit_mib);
int bench_gpt2_child(const char *folder, int tokens, int limit_mib); /* that process */
bool bench_pixels(const char *name, const Budget *budget, int maps, int side);

#endif
