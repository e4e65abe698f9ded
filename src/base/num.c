/* Numbers as text: the one place that decides how a number looks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static const char MINUS[] = "\u2212";

typedef struct {
    const char *nan, *inf, *minus;
} NumLook;

static const NumLook LOOKS[NUM_STYLE_COUNT] = {
    [NUM_SCREEN] = {"NaN", "∞", MINUS},
    [NUM_FILE] = {"nan", "inf", "-"},
};

static bool num_special(char out[NUM_MAX], double value, const NumLook *look) {
    if (isnan(value)) snprintf(out, NUM_MAX, "%s", look->nan);
    else if (isinf(value)) snprintf(out, NUM_MAX, "%s%s", value < 0 ? look->minus : "", look->inf);
    else return false;
    return true;
}

/* Replace each "-" (sign, exponent) by the look's minus. */
static void num_put(char out[NUM_MAX], const char *plain, const NumLook *look) {
    size_t n = 0, m = strlen(look->minus);
    for (const char *p = plain; *p && n + m + 1 < NUM_MAX; p++) {
        if (*p == '-') {
            memcpy(out + n, look->minus, m);
            n += m;
        } else {
            out[n++] = *p;
        }
    }
    out[n] = 0;
}

char *num_fixed(char out[NUM_MAX], double value, int decimals, NumStyle style) {
    const NumLook *look = &LOOKS[style];
    if (num_special(out, value, look)) return out;
    char plain[NUM_MAX];
    if (decimals < 0) decimals = 0;
    if (decimals > 9) decimals = 9;
    int length = fabs(value) < 1e12 ? snprintf(plain, sizeof plain, "%.*f", decimals, value) : NUM_MAX;
    if (length > 12) snprintf(plain, sizeof plain, "%.*e", decimals > 3 ? 3 : decimals, value);
    /* "-0.00" says something that is not so */
    if (plain[0] == '-' && strspn(plain + 1, "0.") == strlen(plain + 1)) memmove(plain, plain + 1, strlen(plain));
    num_put(out, plain, look);
    return out;
}

/* Whole numbers of everyday size are written out: 100, not 1e+02. */
static bool num_whole(char *plain, size_t size, double value) {
    if (!(value > -1e7 && value < 1e7) || value != (double)(long)value) return false;
    snprintf(plain, size, "%.0f", value);
    return true;
}

static bool reads_back_double(const char *plain, double value) {
    return strtod(plain, NULL) == value;
}

static bool reads_back_float(const char *plain, double value) {
    return strtof(plain, NULL) == (float)value;
}

static void num_digits(char plain[NUM_MAX], double value, int digits) {
    snprintf(plain, NUM_MAX, "%.*g", digits < 1 ? 1 : digits > 17 ? 17 : digits, value);
}

/* The fewest digits that read back: more digits never lie farther off, so the search may halve. */
static void num_shortest(char plain[NUM_MAX], double value, int most, bool (*reads_back)(const char *plain, double value)) {
    int least = 1;
    while (least < most) {
        int digits = (least + most) / 2;
        num_digits(plain, value, digits);
        if (reads_back(plain, value)) most = digits;
        else least = digits + 1;
    }
    num_digits(plain, value, most);
}

char *num_double(char out[NUM_MAX], double value, NumStyle style) {
    const NumLook *look = &LOOKS[style];
    if (num_special(out, value, look)) return out;
    char plain[NUM_MAX];
    if (!num_whole(plain, sizeof plain, value)) num_shortest(plain, value, 17, reads_back_double);
    num_put(out, plain, look);
    return out;
}

char *num_float(char out[NUM_MAX], float value, NumStyle style) {
    const NumLook *look = &LOOKS[style];
    if (num_special(out, (double)value, look)) return out;
    char plain[NUM_MAX];
    if (!num_whole(plain, sizeof plain, (double)value)) num_shortest(plain, (double)value, 9, reads_back_float);
    num_put(out, plain, look);
    return out;
}
