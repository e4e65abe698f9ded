#include "core/position.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/tr.h"

const char *const position_names[POSITION_KIND_COUNT] = {
    [POSITION_NONE] = "none",
    [POSITION_SINUSOIDAL] = "sinusoidal",
    [POSITION_LEARNED] = "learned",
    [POSITION_ROPE_INTERLEAVED] = "rope_interleaved",
    [POSITION_ROPE_HALF] = "rope_half",
    [POSITION_ALIBI] = "alibi",
    [POSITION_GIVEN] = "built-in",
    [POSITION_RELATIVE] = "relative",
};
static_assert(POSITION_KIND_COUNT == 8, "name the new kind");

/* Feature 2i is the sine, 2i + 1 the cosine of t / 10000^(2i/d_model). */
double position_sinusoid(int t, int i, int d_model) {
    double angle = t / pow(10000.0, (double)(i - i % 2) / d_model);
    return i % 2 ? cos(angle) : sin(angle);
}

int position_sinusoid_column(const PositionSpec *position, int i, int d_model) {
    int half = d_model - d_model / 2; /* the sines; one more of them in an odd width */
    if (!position || !position->sinusoid_halves) return i;
    return i < half ? 2 * i : 2 * (i - half) + 1;
}

/* Factor of a pair's speed. With rope_original a wave of w rows is slowed by its length: not below original/high, by
 * 1/scale above original/low, and between by (1 - s) / scale + s with s = (original/w - low) / (high - low). */
static double rope_slowed(const PositionSpec *position, double speed) {
    double scale = position->rope_scale, original = position->rope_original;
    if (scale == 0.0 || scale == 1.0) return 1.0;
    if (position->rope_original == 0) return 1.0 / scale;
    double wave = 2.0 * 3.14159265358979323846 / speed;
    if (wave < original / position->rope_high) return 1.0;
    if (wave > original / position->rope_low) return 1.0 / scale;
    double s = (original / wave - position->rope_low) / (position->rope_high - position->rope_low);
    return (1.0 - s) / scale + s;
}

double position_rope_angle(const PositionSpec *position, int d_k, int t, int i) {
    int dim = position->rope_dim ? position->rope_dim : d_k;
    double theta = position->rope_theta != 0.0 ? position->rope_theta : 10000.0, speed = pow(theta, -2.0 * i / dim);
    return ((double)t + position->rope_offset) * speed * rope_slowed(position, speed);
}

int position_bucket(const PositionSpec *position, int n_buckets, int distance) {
    int first = 0, n = n_buckets, far = distance < 0 ? -distance : 0;
    if (position->rel_both) {
        n = n_buckets / 2;
        first = distance > 0 ? n : 0;
        far = abs(distance);
    }
    int exact = n / 2;
    if (far < exact) return first + far;
    double share = log((double)far / exact) / log((double)position->rel_max_distance / exact);
    int bucket = exact + (int)(share * (n - exact));
    return first + (bucket < n - 1 ? bucket : n - 1);
}

/* n a power of two: 2^(-8(h+1)/n). Else, with c the largest power of two below n: the c slopes of c
 * heads, then the 1st, 3rd, 5th … slope of 2c heads. */
double position_alibi_slope(int h, int n_heads) {
    int c = 1;
    while (c * 2 <= n_heads) c *= 2;
    if (h < c) return exp2(-8.0 * (h + 1) / c);
    return exp2(-8.0 * (2 * (h - c) + 1) / (2 * c));
}

static bool rope_check(const PositionSpec *position, int d_k, Err *err) {
    int dim = position->rope_dim ? position->rope_dim : d_k;
    if (dim < 2 || dim % 2)
        return err_set(err, ERR_INPUT, tr("RoPE turns pairs: %d features cannot be paired; an even number from 2 to d_k %d would do."), dim, d_k);
    if (dim > d_k) return err_set(err, ERR_SHAPE, tr("RoPE turns %d features, but d_k is %d."), dim, d_k);
    if (!isfinite(position->rope_theta) || position->rope_theta < 0.0)
        return err_set(err, ERR_INPUT, tr("The base of RoPE is %g; it must be a number above 0."), position->rope_theta);
    if (!isfinite(position->rope_scale) || position->rope_scale < 0.0)
        return err_set(err, ERR_INPUT, tr("The scale of RoPE is %g; it must be a number above 0."), position->rope_scale);
    if (position->rope_original && !(position->rope_low > 0.0 && position->rope_high > position->rope_low))
        return err_set(err, ERR_INPUT, tr("RoPE slows waves between the factors %g and %g; the first must be above 0, the second larger."),
                       position->rope_low, position->rope_high);
    return true;
}

static bool alibi_check(const PositionSpec *position, int n_heads, Err *err) {
    if (!position->slopes) return true;
    if (position->n_slopes != n_heads)
        return err_set(err, ERR_SHAPE, tr("ALiBi needs a slope for each head: %d, not %d."), n_heads, position->n_slopes);
    for (int h = 0; h < n_heads; h++)
        if (!isfinite(position->slopes[h]))
            return err_set(err, ERR_INPUT, tr("The ALiBi slope of head %d is %g; it must be a number."), h + 1, position->slopes[h]);
    return true;
}

bool position_check(const PositionSpec *position, int n_heads, int d_k, Err *err) {
    if (position->kind == POSITION_ROPE_INTERLEAVED || position->kind == POSITION_ROPE_HALF) return rope_check(position, d_k, err);
    return position->kind != POSITION_ALIBI || alibi_check(position, n_heads, err);
}
