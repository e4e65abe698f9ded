/* The core's own exp against libm's. */
#include "core/internal.h"
#include "support/support.h"

static double ulps(double got, double want) {
    if (got == want) return 0.0;
    double next = nextafter(fabs(want), INFINITY) - fabs(want);
    return fabs(got - want) / next;
}

static void special_values(void **state) {
    (void)state;
    double x[] = {0.0, -0.0, -INFINITY, INFINITY, NAN, 1e300, -1e300, -746, 710, 709.78, -745.2, -745.1, 1.0};
    enum { N = sizeof x / sizeof x[0] };
    double y[N];
    exp_shifted(x, 0.0, y, N);
    for (int n = 0; n < N; n++) {
        if (isnan(x[n])) assert_true(isnan(y[n]));
        else if (exp(x[n]) == 0.0 || isinf(exp(x[n])) || exp(x[n]) == 1.0) assert_true(y[n] == exp(x[n]));
        else assert_true(ulps(y[n], exp(x[n])) <= 1.0);
    }
}

static void within_one_ulp(void **state) {
    (void)state;
    enum { N = 1000 };
    double x[N], y[N], worst = 0.0, at = 0.0;
    for (double from = -745.0; from < 709.0; from += 1.0) {
        for (int n = 0; n < N; n++) x[n] = from + n * 0.001 + 0.000137;
        exp_shifted(x, 0.0, y, N);
        for (int n = 0; n < N; n++) {
            double u = ulps(y[n], exp(x[n]));
            if (u > worst) worst = u, at = x[n];
        }
    }
    if (worst > 1.0) fail_msg("%.3f ulp at %.17g", worst, at);
}

static void shift_and_place(void **state) {
    (void)state;
    double x[3] = {5, 4, 3};
    exp_shifted(x, 5.0, x, 3); /* in place */
    assert_near(x[0], 1.0, 0);
    assert_near(x[1], exp(-1), 1e-16);
    assert_near(x[2], exp(-2), 1e-16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_values),
        cmocka_unit_test(within_one_ulp),
        cmocka_unit_test(shift_and_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
