/* exp in double by IEEE operations alone, in a form that compilers turn into vector code.
 * x = n ln2 + r with |r| <= ln2/2 (Cody and Waite 1980), exp(x) = 2^n (1 + r + r²/2! + … + r^13/13!). */
#include <stdint.h>
#include <string.h>

#include "core/internal.h"
#include "core/vectors.h"

static const double
    LOG2E = 1.4426950408889634074,
    LN2_HIGH = 0x1.62e42fee00000p-1,       /* the leading bits: n * LN2_HIGH is exact */
    LN2_LOW = 0x1.a39ef35793c76p-33,
    LEAST = -746.0,                        /* below it the result is 0 */
    MOST = 710.0,                          /* from here on it is inf */
    ROUND = 0x1.8p52;                      /* adding and taking it away rounds to an integer */

static inline double power_of_two(double biased) { /* biased = ROUND + n, |n| < 1023 */
    uint64_t bits;
    memcpy(&bits, &biased, sizeof bits);
    bits = (bits + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* LEAST <= x <= MOST, or NaN */
static inline double exp_one(double x) {
    double n = (x * LOG2E + ROUND) - ROUND;
    double r = (x - n * LN2_HIGH) - n * LN2_LOW;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = 1.0 + (r + r * r * p);
    double half = n * 0.5 + ROUND; /* two factors, so that tiny and huge results round as they should */
    return p * power_of_two(half) * power_of_two(n - (half - ROUND) + ROUND);
}

enum { PIECE = 64 };

/* Several plain loops instead of one: each becomes vector code. Where the result is 0, as for every hidden key, an
 * easier number is computed in its place, because a product that underflows is slow. */
WIDE_VECTORS static void exp_piece(const double *x, double shift, double *out, int n) {
    double y[PIECE], safe[PIECE];
    long some = 0;
    for (int i = 0; i < n; i++) y[i] = x[i] - shift;
    for (int i = 0; i < n; i++) some += !(y[i] < LEAST);
    if (!some) { /* hidden keys lie side by side */
        for (int i = 0; i < n; i++) out[i] = 0.0;
        return;
    }
    for (int i = 0; i < n; i++) safe[i] = y[i] < LEAST ? 0.0 : y[i]; /* NaN passes */
    for (int i = 0; i < n; i++) safe[i] = safe[i] > MOST ? MOST : safe[i];
    for (int i = 0; i < n; i++) safe[i] = exp_one(safe[i]);
    for (int i = 0; i < n; i++) out[i] = y[i] < LEAST ? 0.0 : safe[i];
}

void exp_shifted(const double *x, double shift, double *out, int n) {
    for (int i = 0; i < n; i += PIECE) exp_piece(x + i, shift, out + i, n - i < PIECE ? n - i : PIECE);
}
