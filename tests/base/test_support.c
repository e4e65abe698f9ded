/* The comparer that all tests stand on must be able to fail. */
#include "support/support.h"

static void near_equal_is_strict(void **state) {
    (void)state;
    assert_true(near_equal(1.0, 1.0 + 1e-7, 1e-6));
    assert_false(near_equal(1.0, 1.1, 1e-6));
    assert_true(near_equal(NAN, NAN, 0));
    assert_false(near_equal(NAN, 1.0, 1e9));
    assert_false(near_equal(1.0, NAN, 1e9));
    assert_true(near_equal(-INFINITY, -INFINITY, 0));
    assert_false(near_equal(-INFINITY, INFINITY, 1e9));
    assert_false(near_equal(-INFINITY, -1e30, 1e30));
    assert_false(near_equal(1e30, INFINITY, INFINITY));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(near_equal_is_strict)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
