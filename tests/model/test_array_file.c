/* Arrays from files of others: what is read, and what is said of what cannot be. */
#include <math.h>
#include <stdio.h>

#include "model/array_file.h"
#include "support/support.h"

static bool parse(const char *ending, const char *bytes, size_t size, Arena *arena, ArrayFile *out, Err *err) {
    char *copy = arena_alloc(arena, size + 1, 1);
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    return array_file_parse(ending, copy, size, arena, out, err);
}

/* A .npy of this header and these bytes of numbers. */
static size_t make_npy(char *out, const char *header, const char *numbers, size_t n) {
    size_t length = strlen(header);
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (char)length, out[9] = (char)(length >> 8);
    memcpy(out + 10, header, length);
    memcpy(out + 10 + length, numbers, n);
    return 10 + length + n;
}

static void types_and_orders_of_npy(void **state) {
    (void)state;
    static const struct { const char *header, *numbers; size_t n; float want[6]; } cases[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }", "\0\0\x80\x3f\0\0\0\xbf", 8, {1, -0.5f}},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (1, 2), }", "\x3f\x80\0\0\xbf\0\0\0", 8, {1, -0.5f}},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }", "\0\0\0\0\0\0\xf8\x3f", 8, {1.5f}},
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (1, 4), }", "\0\x3c\0\xb8\x01\0\0\x7c", 8, {1, -0.5f, 5.9604645e-8f, INFINITY}}, /* 1, -1/2, 2^-24, infinity */
        {"{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }", "\1\0\1\1", 4, {1, 0, 1, 1}},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }", "\xff\xff\x02\0", 4, {-1, 2}},
        {"{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", "\1\4\2\5\3\6", 6, {1, 2, 3, 4, 5, 6}},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 2, 2), }", "\1\2\3\4", 4, {1, 2, 3, 4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena arena = {0};
        ArrayFile a;
        Err err = {0};
        char bytes[256];
        size_t size = make_npy(bytes, cases[i].header, cases[i].numbers, cases[i].n), n = 1;
        if (!parse("npy", bytes, size, &arena, &a, &err)) fail_msg("%s: %s", cases[i].header, err.message);
        for (int axis = 0; axis < a.rank; axis++) n *= (size_t)a.dim[axis];
        for (size_t k = 0; k < n; k++)
            if (!(a.data[k] >= cases[i].want[k] && a.data[k] <= cases[i].want[k])) fail_msg("%s: number %zu is %g", cases[i].header, k, (double)a.data[k]);
        for (size_t cut = 0; cut < size; cut++) { /* every beginning of it is refused */
            err = (Err){0};
            assert_false(parse("npy", bytes, cut, &arena, &a, &err));
            assert_true(err.message[0] != '\0');
        }
        arena_free(&arena);
    }
}

static void tables_and_lists(void **state) {
    (void)state;
    static const struct { const char *ending, *text; int rank, dim[3]; float last; const char *name; } cases[] = {
        {"csv", "1,0\n0.25,0.75\n", 2, {2, 2}, 0.75f, NULL},
        {"csv", ",a,b\r\na,1,0\r\n\"b, \"\"x\"\"\",0.25,0.75", 2, {2, 2}, 0.75f, "b, \"x\""},
        {"csv", "1\t2\n3\t-inf\n\n", 2, {2, 2}, -INFINITY, NULL},
        {"csv", "head,row_name,a,b\r\n1,a,1,0\r\n1,b,0,1\r\n2,a,1,0\r\n2,b,0.5,0.5\r\n", 3, {2, 2, 2}, 0.5f, "b"},
        {"json", "[[1, 0], [0.25, 0.75]]", 2, {2, 2}, 0.75f, NULL},
        {"json", "[[[1, 0], [0.25, \"-Infinity\"]], [[1, 0], [0, 1]]]", 3, {2, 2, 2}, 1, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena arena = {0};
        ArrayFile a;
        Err err = {0};
        size_t n = 1;
        if (!parse(cases[i].ending, cases[i].text, strlen(cases[i].text), &arena, &a, &err)) fail_msg("%s: %s", cases[i].text, err.message);
        assert_int_equal(a.rank, cases[i].rank);
        for (int axis = 0; axis < a.rank; axis++) assert_int_equal(a.dim[axis], cases[i].dim[axis]), n *= (size_t)a.dim[axis];
        assert_true(a.data[n - 1] >= cases[i].last && a.data[n - 1] <= cases[i].last);
        if (cases[i].name) assert_string_equal(a.names[a.n_names - 1], cases[i].name);
        else assert_null(a.names);
        arena_free(&arena);
    }
}

static void bad_files_say_what_is_wrong(void **state) {
    (void)state;
    static const struct { const char *ending, *text, *says; } cases[] = {
        {"npy", "PK\3\4 not numpy", "no .npy file"},
        {"npy", "\x93NUMPY\x09\x01\x01\x01\x01\x01\x01", "version 9"},
        {"csv", "", "no line"},
        {"csv", "a,b\nc,d\n", "line 2, field 2: \"d\" is not a number"},
        {"csv", "1,2\n3\n", "line 2 has 1 numbers, the lines before it have 2"},
        {"csv", "1,\"2\n", "a quote is not closed"},
        {"csv", "head,row_name,a\n1,a,1\n1,b,1\n2,a,1\n", "not as many for each"},
        {"csv", "names,only\n", "names and no numbers"},
        {"json", "{\"a\": 1}", "expected lists of numbers"},
        {"json", "[[1, 2], [3]]", "not as long as each other"},
        {"json", "[[1, \"x\"]]", "expected a number, found \"x\""},
        {"json", "[]", "expected lists of numbers"},
        {"json", "[[[[[1]]]], 2]", "rank 5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena arena = {0};
        ArrayFile a;
        Err err = {0};
        if (parse(cases[i].ending, cases[i].text, strlen(cases[i].text), &arena, &a, &err)) fail_msg("%s is taken", cases[i].text);
        if (!strstr(err.message, cases[i].says)) fail_msg("'%s' says '%s', not '%s'", cases[i].text, err.message, cases[i].says);
        arena_free(&arena);
    }
    Arena arena = {0};
    ArrayFile a;
    Err err = {0};
    char bytes[256];
    static const struct { const char *header, *says; } headers[] = {
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1), }", "'<c8'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 9), }", "a side of"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }", "wants 16"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 2, 2, 2), }", "rank 5"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "rank 0"},
        {"{'shape': (1, 1)}", "descr"}, {"{'descr': '<f4', 'fortran_order': False, 'shape': (x), }", "shape"}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        err = (Err){0};
        assert_false(parse("npy", bytes, make_npy(bytes, headers[i].header, "1234", 4), &arena, &a, &err));
        if (!strstr(err.message, headers[i].says)) fail_msg("%s says '%s'", headers[i].header, err.message);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_and_orders_of_npy),
        cmocka_unit_test(tables_and_lists),
        cmocka_unit_test(bad_files_say_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
