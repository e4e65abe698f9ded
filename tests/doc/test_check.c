/* Files of attention with one mistake each (tests/data/bugs, made by a script that knows nothing of the program): each is explained
 * by its own cause alone. */
#include <stdio.h>

#include "base/file.h"
#include "base/str.h"
#include "doc/check.h"
#include "doc_support.h"
#include "model/safetensors.h"

enum { COLUMNS = 4, ROWS_MAX = 100, SETTINGS_MAX = 8 };

typedef struct {
    Arena arena;
    char *cell[ROWS_MAX][COLUMNS]; /* file, options, first, cause */
    int n;
} Table;

static Table read_table(void) {
    Table t = {0};
    char *text;
    size_t size;
    Err err = {0};
    assert_true(file_read(data_path("bugs/bugs.tsv"), 1 << 20, &t.arena, &text, &size, &err));
    char *rest = NULL;
    strtok_r(text, "\n", &rest); /* the heading */
    for (char *line = strtok_r(NULL, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *inner = NULL;
        for (int i = 0; i < COLUMNS; i++) assert_non_null(t.cell[t.n][i] = strtok_r(i ? NULL : line, "\t", &inner));
        t.n++;
    }
    return t;
}

/* "--heads 3 --mask '{kind: padding, keys: 2}'" as a shell would part it. */
static void read_options(Arena *arena, const char *text, CheckSetting *settings, CheckAsk *ask) {
    *ask = (CheckAsk){.settings = settings, .tolerance = -1};
    for (const char *at = text; (at = strstr(at, "--")) != NULL;) {
        size_t length = strcspn(at + 2, " ");
        char *key = arena_strndup(arena, at + 2, length);
        for (char *c = key; *c; c++)
            if (*c == '-') *c = '_';
        at += 2 + length + 1;
        bool quoted = *at == '\'';
        at += quoted;
        length = strcspn(at, quoted ? "'" : " ");
        char *value = arena_strndup(arena, at, length);
        at += length;
        if (str_eq(key, "activation")) ask->activation = value;
        else settings[ask->n_settings++] = (CheckSetting){key, value};
    }
}

static void open_row(Table *t, int i, Check *check) {
    CheckSetting settings[SETTINGS_MAX];
    CheckAsk ask;
    Err err = {0};
    read_options(&t->arena, t->cell[i][1], settings, &ask);
    if (!check_open(data_path(arena_printf(&t->arena, "bugs/%s", t->cell[i][0])), &ask, doc_context(), check, &err)) {
        char text[1200];
        fail_msg("%s: %s", t->cell[i][0], err_format(&err, text, sizeof text));
    }
}

/* Names of the causes one behind the other; a finding that has several or none is "?". */
static const char *causes_of(const Check *check, Arena *arena) {
    const char *text = "";
    if (check->has_weights && check->weights.n_causes) text = mistake_name(check->weights.cause);
    for (int i = 0; i < check->n_findings; i++)
        text = arena_printf(arena, "%s%s%s", text, text[0] ? " " : "", check->findings[i].n_causes == 1 ? mistake_name(check->findings[i].cause[0]) : "?");
    return text[0] ? text : "-";
}

static const char *first_of(const Check *check) {
    if (check->has_weights && check->weights.fault != WEIGHTS_FINE) return "weights";
    return check->n_findings ? check->lines[check->line_of[check->findings[0].at]].theirs.numbers.name : "-";
}

static void each_file_has_its_own_cause_alone(void **state) {
    (void)state;
    Table t = read_table();
    assert_true(t.n >= MISTAKE_COUNT);
    for (int i = 0; i < t.n; i++) {
        Check check;
        open_row(&t, i, &check);
        const char *causes = causes_of(&check, &t.arena);
        const char *first = str_eq(first_of(&check), "gelu_exact") ? "ffn_act" : first_of(&check); /* the activation alone goes by its own name */
        if (!str_eq(causes, t.cell[i][3]) || !str_eq(first, t.cell[i][2]))
            fail_msg("%s: %s differs first, cause %s; right is %s, %s", t.cell[i][0], first, causes, t.cell[i][2], t.cell[i][3]);
        assert_int_equal(check_agrees(&check), str_eq(t.cell[i][2], "-"));
        check_close(&check);
    }
    arena_free(&t.arena);
}

static void each_mistake_has_a_file(void **state) {
    (void)state;
    Table t = read_table();
    for (int m = 0; m < MISTAKE_COUNT; m++) {
        bool found = false;
        for (int i = 0; i < t.n; i++)
            found = found || (str_eq(t.cell[i][3], mistake_name((Mistake)m)) && str_starts(t.cell[i][0], mistake_name((Mistake)m)));
        if (!found) fail_msg("no file has the mistake %s", mistake_name((Mistake)m));
    }
    arena_free(&t.arena);
}

/* With its mistake taken for granted, everything in a file of one mistake agrees. */
static void one_mistake_explains_the_whole_file(void **state) {
    (void)state;
    Table t = read_table();
    for (int i = 0; i < MISTAKE_COUNT; i++) {
        Check check;
        open_row(&t, i, &check);
        assert_int_equal(check.n_findings, 1);
        assert_int_equal(check.findings[0].next, -1);
        check_close(&check);
    }
    arena_free(&t.arena);
}

/* ---- files of a test's own ---- */

static const char *write_file(const char *name, const TensorInput *tensors, int n) {
    static char path[512];
    Arena arena = {0};
    void *bytes;
    size_t size;
    Err err = {0};
    Safetensors file = {.tensors = (TensorInput *)(uintptr_t)tensors, .n_tensors = n};
    assert_true(safetensors_format(&file, &arena, &bytes, &size, &err));
    snprintf(path, sizeof path, "%s/%s", scratch_folder("check"), name);
    assert_true(file_write(path, bytes, size, &err));
    arena_free(&arena);
    return path;
}

static void refused(const TensorInput *tensors, int n, const CheckSetting *settings, int n_settings, const char *says) {
    Check check;
    Err err = {0};
    CheckAsk ask = {.settings = settings, .n_settings = n_settings, .tolerance = -1};
    assert_false(check_open(write_file("bad.safetensors", tensors, n), &ask, doc_context(), &check, &err));
    check_close(&check);
    assert_message(&err, says);
}

static const float ones[64] = {1, 1, 1, 1, 1, 1, 1, 1};

static void files_that_cannot_be_used_say_why(void **state) {
    (void)state;
    TensorInput batch[] = {{.name = "q", .rank = 4, .dim = {2, 1, 2, 2}, .data = ones}, {.name = "k", .rank = 4, .dim = {2, 1, 2, 2}, .data = ones}};
    refused(batch, 2, NULL, 0, "q [2, 1, 2, 2] is a batch of 2");
    TensorInput unknown[] = {{.name = "foo", .rank = 2, .dim = {2, 2, 1, 1}, .data = ones}};
    refused(unknown, 1, NULL, 0, "no tensor of this file has a name that is known here");
    TensorInput lonely[] = {{.name = "q", .rank = 3, .dim = {1, 2, 2, 1}, .data = ones}, {.name = "k", .rank = 3, .dim = {1, 2, 2, 1}, .data = ones}};
    refused(lonely, 2, NULL, 0, "nothing can be compared");
    TensorInput twice[] = {lonely[0], {.name = "query", .rank = 3, .dim = {1, 2, 2, 1}, .data = ones}};
    refused(twice, 2, NULL, 0, "both mean q");
    TensorInput uncut[] = {{.name = "q", .rank = 2, .dim = {2, 4, 1, 1}, .data = ones}, {.name = "k", .rank = 2, .dim = {2, 4, 1, 1}, .data = ones},
                           {.name = "scores", .rank = 2, .dim = {2, 2, 1, 1}, .data = ones}};
    CheckSetting three[] = {{"heads", "3"}}, bad[] = {{"heads", "three"}}, text[] = {{"text", "a b"}};
    refused(uncut, 3, three, 1, "cannot be cut into 3 heads");
    refused(uncut, 3, bad, 1, "a whole number from 1 is needed");
    refused(uncut, 3, text, 1, "text cannot be said beside a file that is checked");
    TensorInput map[] = {{.name = "scores", .rank = 3, .dim = {1, 2, 2, 1}, .data = ones}, {.name = "weights", .rank = 3, .dim = {1, 2, 2, 1}, .data = ones}};
    refused(map, 2, NULL, 0, "give d_k");
    TensorInput ends[] = {{.name = "v", .rank = 3, .dim = {2, 2, 2, 1}, .data = ones}, {.name = "out", .rank = 2, .dim = {2, 4, 1, 1}, .data = ones}};
    CheckSetting two[] = {{"heads", "2"}};
    refused(ends, 2, two, 1, "v is given, but nothing says how many queries there are");
}

/* q [L, d] of width 2, not cut: scores 1 · 1 + 1 · 1 = 2, and what is called so. */
static void one_head_needs_no_options(void **state) {
    (void)state;
    static const float two[] = {2, 2, 2, 2}, off[] = {2, 2, 2, 3};
    TensorInput dump[] = {{.name = "query", .rank = 2, .dim = {2, 2, 1, 1}, .data = ones}, {.name = "key", .rank = 2, .dim = {2, 2, 1, 1}, .data = ones},
                          {.name = "attn_scores", .rank = 2, .dim = {2, 2, 1, 1}, .data = two}};
    Check check;
    Err err = {0};
    CheckAsk ask = {.tolerance = -1};
    assert_true(check_open(write_file("one.safetensors", dump, 3), &ask, doc_context(), &check, &err));
    assert_true(check_agrees(&check));
    check_close(&check);
    dump[2].data = off;
    assert_true(check_open(write_file("one.safetensors", dump, 3), &ask, doc_context(), &check, &err));
    assert_false(check_agrees(&check));
    Arena arena = {0};
    assert_string_equal(check_words(&check, &arena).lines[0], "attn_scores differs first at [head 1, query 2, key 2]: yours 3, right 2.");
    check_close(&check);
    ask.tolerance = 1; /* as far as one is told to look away */
    assert_true(check_open(write_file("one.safetensors", dump, 3), &ask, doc_context(), &check, &err));
    assert_true(check_agrees(&check));
    check_close(&check);
    arena_free(&arena);
}

static void words_say_where_how_much_and_why(void **state) {
    (void)state;
    Arena arena = {0};
    Check check;
    Err err = {0};
    CheckSetting heads[] = {{"heads", "3"}};
    CheckAsk ask = {.settings = heads, .n_settings = 1, .tolerance = -1};
    assert_true(check_open(data_path("bugs/scale_missing.safetensors"), &ask, doc_context(), &check, &err));
    const char **words = check_words(&check, &arena).lines;
    assert_string_equal(words[0], "q, k, v, scores agree.");
    assert_string_equal(words[1], "scaled differs first at [head 1, query 1, key 1]: yours −0.5522, right −0.2761.");
    assert_string_equal(words[2], "75 of its 75 numbers differ, by 3.428 at most.");
    assert_string_equal(words[3], "Likely cause: The scores are not divided by √dₖ.");
    assert_string_equal(words[4], "With this one mistake all your numbers are explained.");
    assert_null(words[5]);
    check_close(&check);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_file_has_its_own_cause_alone), cmocka_unit_test(each_mistake_has_a_file),
        cmocka_unit_test(one_mistake_explains_the_whole_file), cmocka_unit_test(files_that_cannot_be_used_say_why),
        cmocka_unit_test(one_head_needs_no_options),           cmocka_unit_test(words_say_where_how_much_and_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
