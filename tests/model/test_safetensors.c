/* The container: good files, number formats, and files that lie. */
#include "support/support.h"

#include <stdio.h>

#include "base/file.h"
#include "base/str.h"
#include "model/safetensors.h"

static Arena arena;

static int clean(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

typedef struct {
    unsigned char *bytes;
    size_t size;
} File;

/* Header length, header, `n` bytes of data. */
static File make_file(const char *header, const void *data, size_t n) {
    size_t length = strlen(header);
    File file = {arena_alloc(&arena, 8 + length + n, 1), 8 + length + n};
    for (int i = 0; i < 8; i++) file.bytes[i] = (unsigned char)((uint64_t)length >> (8 * i));
    memcpy(file.bytes + 8, header, length);
    if (n > 0) memcpy(file.bytes + 8 + length, data, n);
    return file;
}

/* Parses a copy whose end is the end of an allocation, so that the sanitizer sees a read behind it. */
static bool parse(File file, Safetensors *out, Err *err) {
    unsigned char *exact = malloc(file.size > 0 ? file.size : 1);
    memcpy(exact, file.bytes, file.size);
    bool good = safetensors_parse(exact, file.size, "x.safetensors", &arena, out, err);
    free(exact);
    return good;
}

#define ENTRY(type, shape, begin, end) "{\"dtype\":\"" type "\",\"shape\":" shape ",\"data_offsets\":[" #begin "," #end "]}"

static void test_good(void **state) {
    (void)state;
    static const float data[6] = {1, 2, 3, 4, -0.5f, INFINITY};
    File file = make_file("{\"__metadata__\":{\"kind\":\"test\",\"tol\":\"\"},\"b\":" ENTRY("F32", "[2]", 16, 24)
                          ",\"a\":" ENTRY("F32", "[2,2]", 0, 16) "}   ", data, sizeof data);
    Safetensors s;
    Err err = {0};
    if (!parse(file, &s, &err)) fail_msg("%s", err.message);
    assert_int_equal(s.n_meta, 2);
    assert_string_equal(safetensors_meta(&s, "kind"), "test");
    assert_null(safetensors_meta(&s, "none"));
    assert_int_equal(s.n_tensors, 2);
    assert_string_equal(s.tensors[0].name, "b"); /* as the header lists them */
    const TensorInput *a = safetensors_find(&s, "a");
    assert_int_equal(a->rank, 2);
    assert_int_equal(a->dim[1], 2);
    assert_near((double)a->data[3], 4, 0);
    assert_near((double)s.tensors[0].data[1], (double)INFINITY, 0);
    assert_null(safetensors_find(&s, "c"));
    File empty = make_file("{}", NULL, 0);
    assert_true(parse(empty, &s, &err));
    assert_int_equal(s.n_tensors, 0);
}

/* Bytes worked out by hand from IEEE 754. */
static void test_number_formats(void **state) {
    (void)state;
    static const unsigned char half[] = {0x00, 0x3C, 0x00, 0xC0, 0x01, 0x00, 0xFF, 0x03, 0xFF, 0x7B, 0x00, 0x7C, 0x00, 0xFC, 0x01, 0x7E, 0x00, 0x80};
    static const double halves[] = {1, -2, 5.9604644775390625e-8, 6.0975551605224609e-5, 65504, INFINITY, -INFINITY, NAN, 0};
    static const unsigned char brain[] = {0x80, 0x3F, 0x49, 0x40, 0x80, 0xFF, 0xC0, 0x7F};
    static const double brains[] = {1, 3.140625, -INFINITY, NAN};
    static const double wide[] = {0.1, -1e300 * 1e300, 3.4028234663852886e38};
    Safetensors s;
    Err err = {0};
    assert_true(parse(make_file("{\"h\":" ENTRY("F16", "[9]", 0, 18) "}", half, 18), &s, &err));
    for (int i = 0; i < 9; i++) assert_near((double)s.tensors[0].data[i], halves[i], 0);
    assert_true(signbit(s.tensors[0].data[8]));
    assert_true(parse(make_file("{\"b\":" ENTRY("BF16", "[2,2]", 0, 8) "}", brain, 8), &s, &err));
    for (int i = 0; i < 4; i++) assert_near((double)s.tensors[0].data[i], brains[i], 0);
    assert_true(parse(make_file("{\"d\":" ENTRY("F64", "[3]", 0, 24) "}", wide, 24), &s, &err));
    assert_near((double)s.tensors[0].data[0], (double)0.1f, 0);
    assert_near((double)s.tensors[0].data[1], -INFINITY, 0);
    assert_true(parse(make_file("{\"one\":" ENTRY("F32", "[]", 0, 4) "}", wide, 4), &s, &err));
    assert_int_equal(s.tensors[0].rank, 1);
    assert_int_equal(s.tensors[0].dim[0], 1);
}

typedef struct {
    const char *header;
    size_t data;
    const char *says[2];
} Bad;

static const Bad bad_headers[] = {
    {"", 0, {"does not begin"}},
    {"[]", 0, {"does not begin"}},
    {" {}", 0, {"does not begin"}},
    {"{", 0, {"not JSON"}},
    {"{}x", 0, {"not JSON"}},
    {"{\"a\":1}", 0, {"a", "not an object"}},
    {"{\"a\":{}}", 0, {"a", "dtype"}},
    {"{\"a\":{\"dtype\":1,\"shape\":[1],\"data_offsets\":[0,4]}}", 4, {"dtype"}},
    {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4, {"shape"}},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, {"data_offsets"}},
    {"{\"a\":" ENTRY("F31", "[1]", 0, 4) "}", 4, {"\"F31\"", "F32, F64, F16 and BF16"}},
    {"{\"a\":" ENTRY("I64", "[1]", 0, 8) "}", 8, {"I64", "whole numbers"}},
    {"{\"a\":" ENTRY("BOOL", "[1]", 0, 1) "}", 1, {"BOOL"}},
    {"{\"a\":" ENTRY("F32", "1", 0, 4) "}", 4, {"shape"}},
    {"{\"a\":" ENTRY("F32", "[1,1,1,1,1]", 0, 4) "}", 4, {"shape"}},
    {"{\"a\":" ENTRY("F32", "[0]", 0, 0) "}", 0, {"dimension 1"}},
    {"{\"a\":" ENTRY("F32", "[-1]", 0, 4) "}", 4, {"dimension 1"}},
    {"{\"a\":" ENTRY("F32", "[1,1.0]", 0, 4) "}", 4, {"dimension 2"}},
    {"{\"a\":" ENTRY("F32", "[1048577]", 0, 4) "}", 4, {"dimension 1", "1048576"}},
    {"{\"a\":" ENTRY("F32", "[1048576,1048576,1048576,1048576]", 0, 4) "}", 4, {"memory can hold"}},
    {"{\"a\":" ENTRY("F32", "[1048576,1048576,1048576,4]", 0, 4) "}", 4, {"a"}},
    {"{\"a\":" ENTRY("F32", "[99999999999999999999]", 0, 4) "}", 4, {"not JSON"}},
    {"{\"a\":" ENTRY("F32", "[3]", 0, 8) "}", 8, {"[3]", "12 bytes"}},
    {"{\"a\":" ENTRY("F64", "[1]", 0, 4) "}", 4, {"8 bytes", "hold 4"}},
    {"{\"a\":" ENTRY("F32", "[1]", 4, 0) "}", 4, {"[4, 0]"}},
    {"{\"a\":" ENTRY("F32", "[1]", -4, 0) "}", 4, {"[-4, 0]"}},
    {"{\"a\":" ENTRY("F32", "[1]", 0, 4) "}", 3, {"[0, 4]", "3 bytes"}},
    {"{\"a\":" ENTRY("F32", "[1]", 9223372036854775803, 9223372036854775807) "}", 4, {"do not lie within"}},
    {"{\"a\":" ENTRY("F32", "[1]", 0, 4) "}", 5, {"5 bytes follow", "fill 4"}},
    {"{\"a\":" ENTRY("F32", "[1]", 4, 8) "}", 8, {"a", "begins at byte 4"}},
    {"{\"a\":" ENTRY("F32", "[2]", 0, 8) ",\"b\":" ENTRY("F32", "[2]", 4, 12) "}", 12, {"a and b overlap", "begins at 4"}},
    {"{\"a\":" ENTRY("F32", "[2]", 0, 8) ",\"b\":" ENTRY("F32", "[2]", 0, 8) "}", 8, {"overlap"}},
    {"{\"a\":" ENTRY("F32", "[1]", 0, 4) ",\"a\":" ENTRY("F32", "[1]", 4, 8) "}", 8, {"duplicate"}},
    {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4, {"duplicate"}},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,8]}}", 4, {"data_offsets"}},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,\"4\"]}}", 4, {"data_offsets"}},
    {"{\"__metadata__\":[]}", 0, {"__metadata__"}},
    {"{\"__metadata__\":{\"a\":1}}", 0, {"a is not a string"}},
    {"{\"__metadata__\":{\"a\":\"x\",\"a\":\"y\"}}", 0, {"duplicate"}},
    {"{\"a\":[[[[[[[[[[[[]]]]]]]]]]]]}", 0, {"nests 13 deep"}},
    {"{\"\xff\":1}", 0, {"not JSON"}},
    {"{\"a\\u0000b\":1}", 0, {"not JSON"}},
};

static void test_lies(void **state) {
    (void)state;
    unsigned char data[64] = {0};
    for (size_t i = 0; i < sizeof bad_headers / sizeof *bad_headers; i++) {
        const Bad *bad = &bad_headers[i];
        Safetensors s;
        Err err = {0};
        if (parse(make_file(bad->header, data, bad->data), &s, &err)) fail_msg("accepted: %s", bad->header);
        assert_string_equal(err.file, "x.safetensors");
        for (int k = 0; k < 2 && bad->says[k] != NULL; k++)
            if (strstr(err.message, bad->says[k]) == NULL) fail_msg("%s\n\"%s\" lacks \"%s\"", bad->header, err.message, bad->says[k]);
    }
}

static void test_too_large_double(void **state) {
    (void)state;
    double data[2] = {1, 1e39};
    Safetensors s;
    Err err = {0};
    assert_false(parse(make_file("{\"d\":" ENTRY("F64", "[2]", 0, 16) "}", data, 16), &s, &err));
    assert_non_null(strstr(err.message, "number 2"));
}

static void test_header_length(void **state) {
    (void)state;
    static const uint64_t lengths[] = {1, 3, 100, 100000001, UINT64_MAX, UINT64_MAX - 7, (uint64_t)1 << 63};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        File file = make_file("{}", NULL, 0);
        for (int b = 0; b < 8; b++) file.bytes[b] = (unsigned char)(lengths[i] >> (8 * b));
        Safetensors s;
        Err err = {0};
        assert_false(parse(file, &s, &err));
    }
}

/* Nothing but an error from any beginning of a good file, and from any single changed byte. */
static void test_cut_and_broken(void **state) {
    (void)state;
    static const float data[4] = {1, 2, 3, 4};
    File file = make_file("{\"__metadata__\":{\"k\":\"v\"},\"a\":" ENTRY("F32", "[2,1]", 0, 8) ",\"b\":" ENTRY("F16", "[4]", 8, 16) "}", data, 16);
    for (size_t n = 0; n < file.size; n++) {
        Safetensors s;
        Err err = {0};
        assert_false(parse((File){file.bytes, n}, &s, &err));
        assert_true(err.code != ERR_NONE && err.message[0] != '\0');
    }
    for (size_t n = 0; n < file.size; n++)
        for (int bit = 0; bit < 8; bit++) {
            file.bytes[n] ^= (unsigned char)(1 << bit);
            Safetensors s;
            Err err = {0};
            parse(file, &s, &err);
            file.bytes[n] ^= (unsigned char)(1 << bit);
        }
}

static void test_deep_and_long_json(void **state) {
    (void)state;
    enum { N = 200000 };
    char *header = arena_alloc(&arena, N + 16, 1);
    memset(header, '[', N);
    memcpy(header, "{\"a\":", 5);
    Safetensors s;
    Err err = {0};
    assert_false(parse(make_file(header, NULL, 0), &s, &err));
    assert_non_null(strstr(err.message, "deep"));
    StrBuf many;
    sb_init(&many, &arena);
    sb_add(&many, "{");
    for (int i = 0; i < 20000; i++) sb_printf(&many, "\"t%d\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[%d,%d]},", i, 4 * i, 4 * i + 4);
    sb_add(&many, "\"__metadata__\":{}}");
    Err none = {0};
    if (!parse(make_file(many.data, arena_alloc(&arena, 80000, 1), 80000), &s, &none)) fail_msg("%s", none.message);
    assert_int_equal(s.n_tensors, 20000);
}

/* ---- writing ---- */

static void test_format(void **state) {
    (void)state;
    static const float a[2] = {1, -2}, b[1] = {NAN};
    static const float odd[1] = {-NAN};
    MetaPair meta[] = {{"say", "a \"b\" \\ \n 猫"}};
    TensorInput tensors[] = {{.name = "a", .rank = 2, .dim = {1, 2, 1, 1}, .data = a}, {.name = "b", .rank = 1, .dim = {1, 1, 1, 1}, .data = b}, {.name = "c", .rank = 1, .dim = {1, 1, 1, 1}, .data = odd}};
    Safetensors file = {meta, 1, tensors, 3}, again;
    void *bytes;
    size_t size;
    Err err = {0};
    assert_true(safetensors_format(&file, &arena, &bytes, &size, &err));
    static const char header[] = "{\"__metadata__\":{\"say\":\"a \\\"b\\\" \\\\ \\u000a 猫\"},\"a\":" ENTRY("F32", "[1,2]", 0, 8)
                                 ",\"b\":" ENTRY("F32", "[1]", 8, 12) ",\"c\":" ENTRY("F32", "[1]", 12, 16) "}";
    size_t padded = (strlen(header) + 7) / 8 * 8;
    assert_int_equal(size, 8 + padded + 16);
    assert_int_equal(((unsigned char *)bytes)[0], padded);
    assert_memory_equal((char *)bytes + 8, header, strlen(header));
    for (size_t i = strlen(header); i < padded; i++) assert_int_equal(((char *)bytes)[8 + i], ' ');
    static const unsigned char numbers[] = {0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0xC0, 0x7F, 0, 0, 0xC0, 0x7F};
    assert_memory_equal((char *)bytes + 8 + padded, numbers, 16);
    assert_true(parse((File){bytes, size}, &again, &err));
    assert_string_equal(again.meta[0].value, meta[0].value);
}

static void test_format_refuses(void **state) {
    (void)state;
    static const float a[1] = {1};
    TensorInput twice[] = {{.name = "a", .rank = 1, .dim = {1, 1, 1, 1}, .data = a}, {.name = "a", .rank = 1, .dim = {1, 1, 1, 1}, .data = a}}, reserved[] = {{.name = "__metadata__", .rank = 1, .dim = {1, 1, 1, 1}, .data = a}};
    MetaPair broken[] = {{"a", "\xff"}};
    const Safetensors files[] = {{NULL, 0, twice, 2}, {NULL, 0, reserved, 1}, {broken, 1, NULL, 0}};
    for (int i = 0; i < 3; i++) {
        void *bytes;
        size_t size;
        Err err = {0};
        assert_false(safetensors_format(&files[i], &arena, &bytes, &size, &err));
    }
}

static void test_read(void **state) {
    (void)state;
    Safetensors s;
    Err err = {0}, missing = {0};
    if (!safetensors_read(data_path("attention/16_pe_table_L64_d96.safetensors"), &arena, &s, &err)) fail_msg("%s", err.message);
    assert_near((double)safetensors_find(&s, "pe")->data[1], 1, 0);
    assert_false(safetensors_read(data_path("attention/none.safetensors"), &arena, &s, &missing));
    assert_int_equal(missing.code, ERR_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),           cmocka_unit_test(test_number_formats), cmocka_unit_test(test_lies),
        cmocka_unit_test(test_too_large_double), cmocka_unit_test(test_header_length), cmocka_unit_test(test_cut_and_broken),
        cmocka_unit_test(test_deep_and_long_json), cmocka_unit_test(test_format),      cmocka_unit_test(test_format_refuses),
        cmocka_unit_test(test_read),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
