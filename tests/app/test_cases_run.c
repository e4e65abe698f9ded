/* Cases of tests/doc/test_cases.c that are about the whole program: D41, the same numbers and the same picture whenever and wherever
 * it runs; D42, Chinese tokens beside a minus sign. */
#include <math.h>
#include <stdio.h>

#include "app/command.h"
#include "app/session.h"
#include "backend/fonts.h"
#include "base/file.h"
#include "base/str.h"

/* ---- D41, neetcode-gh/leetcode#5169 ---- */

static const char d41[] = "attnscope: 1\ntext: \"one two three four\"\nmodel: random\nseed: 5169\nd_model: 8\nheads: 2\nmask: none\n";

static void same_bytes(const char *a, const char *b) {
    size_t size_a, size_b;
    const char *bytes_a = slurp(in_folder(a), &size_a), *bytes_b = slurp(in_folder(b), &size_b);
    if (size_a != size_b || memcmp(bytes_a, bytes_b, size_a) != 0) fail_msg("%s and %s differ", a, b);
    assert_true(size_a > 100);
}

static void D41_run_twice_gives_the_same_bytes(void **unused) {
    (void)unused;
    write_text("d41.yaml", d41);
    static const char *const files[] = {"1.png", "2.png", "1.json", "2.json", "1.safetensors", "2.safetensors"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        bool png = strstr(files[i], "png") != NULL;
        if (i % 2) setenv("LANG", "de_DE.UTF-8", 1), setenv("TZ", "Asia/Shanghai", 1); /* another machine, as far as can be had */
        Result result = png ? run("export", in_folder("d41.yaml"), "--stage", "softmax", "--head", "2", "-o", in_folder(files[i]), NULL)
                            : run("trace", in_folder("d41.yaml"), "-o", in_folder(files[i]), NULL);
        unsetenv("TZ"), unsetenv("LANG");
        assert_code(result, 0);
    }
    same_bytes("1.png", "2.png");
    same_bytes("1.json", "2.json");
    same_bytes("1.safetensors", "2.safetensors");
}

/* splitmix64 (Steele, Lea and Flood, 2014; S. Vigna's reference code), and the upper 53 bits as a number in [0, 1). */
static double next_unit(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* What the page on models says, done again here: w_q, w_k, w_v, w_o from one stream, uniform with variance 1 / d_model. */
static void D41_the_order_of_drawing_is_the_written_one(void **unused) {
    (void)unused;
    Err err = {0};
    size_t size;
    const char *page = slurp(TEST_SOURCE "/assets/doc/models.md", &size);
    assert_non_null(strstr(page, "in the order w_q, w_k, w_v, w_o"));
    Session *s = session_open(&(SessionOptions){0}, &err);
    assert_non_null(s);
    write_text("d41.yaml", d41);
    assert_true(session_open_file(s, in_folder("d41.yaml"), 0, &err));
    static const char *const names[] = {"w_q", "w_k", "w_v", "w_o"};
    uint64_t state = 5169;
    double wide = sqrt(3.0 / 8);
    for (int i = 0; i < 4; i++) {
        TensorId id = trace_find(session_run(s)->trace, names[i]);
        assert_true(id != TENSOR_NONE);
        const Tensor *t = trace_tensor(session_run(s)->trace, id);
        assert_int_equal(tensor_count(t), 64);
        for (int k = 0; k < 64; k++) assert_near(tensor_flat(t, (size_t)k), (2 * next_unit(&state) - 1) * wide, 1e-6);
    }
    session_close(s);
}

/* ---- D42, matplotlib#15062 ---- */

/* Both are written; that no glyph of them is a box is held by tests/backend/test_missing.c. */
static void D42_chinese_stands_beside_a_minus_sign(void **unused) {
    (void)unused;
    Err err = {0};
    Fonts *fonts = fonts_open(&err);
    if (!fonts) fail_msg("%s", err.message);
    Session *s = session_open(&(SessionOptions){.fonts = fonts}, &err);
    assert_non_null(s);
    assert_true(session_open_file(s, data_path("scenarios/D42.yaml"), 0, &err));
    assert_true(session_show(s, STAGE_SCORES, -1, &err));
    const DisplayList *dl = session_list(s);
    int months = 0, minus = 0;
    for (int i = 0; i < dl->n; i++) {
        if (dl->commands[i].kind != DL_TEXT) continue;
        const char *text = dl_text_at(dl, dl->commands[i].text.text);
        months += str_eq(text, "三月") || str_eq(text, "四月");
        minus += str_starts(text, "−1"); /* U+2212, not a hyphen */
    }
    assert_true(months >= 4);
    assert_true(minus >= 2);
    session_close(s);
    fonts_close(fonts);
}

static int begin(void **unused) {
    (void)unused;
    command_begin("cases_run");
    return 0;
}

static int end(void **unused) {
    (void)unused;
    command_end();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(D41_run_twice_gives_the_same_bytes),
        cmocka_unit_test(D41_the_order_of_drawing_is_the_written_one),
        cmocka_unit_test(D42_chinese_stands_beside_a_minus_sign),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
