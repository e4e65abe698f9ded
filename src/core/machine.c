#include "core/machine.h"

#include <math.h>
#include <stdio.h>

#include "base/tr.h"

const char *const proj_names[PROJ_KIND_COUNT] = {[PROJ_LINEAR] = "linear", [PROJ_NONE] = "none", [PROJ_GIVEN] = "given"};
const char *const precision_names[PRECISION_COUNT] = {[PRECISION_F32] = "f32", [PRECISION_F64] = "f64"};

double attention_scale(const AttentionSpec *spec) {
    double temperature = spec->temperature != 0.0 ? spec->temperature : 1.0;
    if (spec->scale == SCALE_NONE) return 1.0 / temperature;
    if (spec->scale == SCALE_NUMBER) return spec->scale_number / temperature;
    return 1.0 / (sqrt((double)spec->d_k) * temperature);
}

/* Heads are usually of a width that is a power of two, 8 or more: such a number of heads is named first. */
static bool head_width_fits(int width, int heads, bool usual) {
    if (heads < 1 || heads > width || width % heads) return false;
    int d = width / heads;
    return !usual || (d >= 8 && (d & (d - 1)) == 0);
}

static int nearest_heads(int width, int from, int step, bool usual) {
    for (int heads = from + step; heads >= 1 && heads <= width; heads += step)
        if (head_width_fits(width, heads, usual)) return heads;
    return 0;
}

char *attention_heads_advice(char out[80], int width, int n_heads) {
    if (n_heads > width) n_heads = width + 1;
    int below = nearest_heads(width, n_heads, -1, true), above = nearest_heads(width, n_heads, 1, true);
    if (!below || !above) {
        below = nearest_heads(width, n_heads, -1, false);
        above = nearest_heads(width, n_heads, 1, false);
    }
    if (below && above) snprintf(out, 80, tr("%d or %d would do"), below, above);
    else snprintf(out, 80, tr("%d would do"), below ? below : above);
    return out;
}
