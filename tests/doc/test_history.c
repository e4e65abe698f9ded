/* Undo and redo of whole documents: exact, merged while typing, bounded. */
#include "doc_support.h"

#include <stdio.h>

#include "base/str.h"
#include "doc/history.h"

typedef struct {
    Doc doc;
    History *history;
} Edit;

static void begin(Edit *e) {
    doc_init(&e->doc);
    doc_set_text(&e->doc, "", 0);
    e->history = history_open(&e->doc);
}

static void end(Edit *e) {
    history_close(e->history);
    doc_reset(&e->doc);
}

static void set(Edit *e, const char *text, const char *merge, double now) {
    doc_set_text(&e->doc, text, strlen(text));
    history_push(e->history, &e->doc, merge, now);
}

/* Types letters a tenth of a second apart. */
static double type(Edit *e, const char *more, double now) {
    char text[200];
    for (; *more; more++, now += 0.1) {
        snprintf(text, sizeof text, "%s%c", doc_text(&e->doc), *more);
        set(e, text, "typing", now);
    }
    return now;
}

static void test_undo_and_redo(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    assert_false(history_can_undo(e.history));
    assert_false(history_undo(e.history, &e.doc));
    set(&e, "a", NULL, 0);
    set(&e, "b", NULL, 0);
    assert_true(history_can_undo(e.history));
    assert_false(history_can_redo(e.history));
    assert_true(history_undo(e.history, &e.doc));
    assert_string_equal(doc_text(&e.doc), "a");
    assert_true(history_undo(e.history, &e.doc));
    assert_string_equal(doc_text(&e.doc), "");
    assert_false(history_undo(e.history, &e.doc));
    assert_true(history_redo(e.history, &e.doc));
    assert_true(history_redo(e.history, &e.doc));
    assert_string_equal(doc_text(&e.doc), "b");
    assert_false(history_redo(e.history, &e.doc));
    history_undo(e.history, &e.doc);
    set(&e, "c", NULL, 0); /* a new way drops the old one */
    assert_false(history_can_redo(e.history));
    history_undo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "a");
    end(&e);
}

static void test_no_change_is_no_step(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    set(&e, "a", NULL, 0);
    set(&e, "a", NULL, 1);
    history_undo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "");
    set(&e, "", NULL, 2); /* the same as what is there: redo stays */
    assert_true(history_can_redo(e.history));
    end(&e);
}

static void test_typing_merges_by_word(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    type(&e, "The cat sat", 10);
    assert_true(history_undo(e.history, &e.doc));
    assert_string_equal(doc_text(&e.doc), "The cat ");
    assert_true(history_undo(e.history, &e.doc));
    assert_string_equal(doc_text(&e.doc), "The ");
    assert_true(history_undo(e.history, &e.doc));
    assert_string_equal(doc_text(&e.doc), "");
    assert_false(history_can_undo(e.history));
    history_redo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "The ");
    type(&e, "d", 11.2); /* after an undo nothing merges into what was there */
    history_undo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "The ");
    end(&e);
}

static void test_words_in_the_middle(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    set(&e, "cat sat", NULL, 0);
    set(&e, "cat  sat", "typing", 10);
    set(&e, "cat t sat", "typing", 10.1);
    set(&e, "cat to sat", "typing", 10.2);
    history_undo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "cat  sat");
    end(&e);
}

static void test_a_pause_parts(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    double now = type(&e, "ca", 10);
    type(&e, "t", now + 1.5);
    history_undo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "ca");
    end(&e);
}

static void test_other_edits_part(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    double now = type(&e, "ca", 10);
    e.doc.temperature = 2;
    history_push(e.history, &e.doc, "drag", now);
    e.doc.temperature = 3;
    history_push(e.history, &e.doc, "drag", now + 0.1);
    type(&e, "t", now + 0.2);
    history_undo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "ca");
    assert_near(e.doc.temperature, 3, 0);
    history_undo(e.history, &e.doc);
    assert_near(e.doc.temperature, 1, 0);
    history_undo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "");
    end(&e);
}

static void test_removing_is_not_typing(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    double now = type(&e, "hello world", 10);
    set(&e, "hello worl", "deleting", now);
    set(&e, "hello wor", "deleting", now + 0.1);
    history_undo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "hello world");
    history_redo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "hello wor");
    end(&e);
}

static void test_parted_runs_are_steps(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    for (int stroke = 0; stroke < 2; stroke++) {
        for (int i = 1; i <= 3; i++) { /* slow: only the end of a stroke parts */
            e.doc.temperature = 1 + 3 * stroke + i;
            history_push(e.history, &e.doc, "drag", 10 * i);
        }
        history_part(e.history);
    }
    history_undo(e.history, &e.doc);
    assert_near(e.doc.temperature, 4, 0);
    history_undo(e.history, &e.doc);
    assert_near(e.doc.temperature, 1, 0);
    assert_false(history_can_undo(e.history));
    end(&e);
}

static void test_at_most_256_states(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    char text[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "%d", i);
        set(&e, text, NULL, i);
    }
    int n = 0;
    while (history_undo(e.history, &e.doc)) n++;
    assert_int_equal(n, 255);
    assert_string_equal(doc_text(&e.doc), "744");
    while (history_redo(e.history, &e.doc)) n--;
    assert_int_equal(n, 0);
    assert_string_equal(doc_text(&e.doc), "999");
    end(&e);
}

/* 64 MiB: documents with 8 MiB of their own push the oldest out; shared blobs count once. */
static void test_memory_is_bounded(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    int dim[3] = {1024, 2048, 1};
    for (int i = 0; i < 20; i++) {
        float *numbers = calloc((size_t)dim[0] * (size_t)dim[1], sizeof *numbers);
        assert_non_null(numbers);
        numbers[0] = (float)i;
        doc_set_matrix(&e.doc.matrix[MATRIX_X], 2, dim, numbers);
        free(numbers);
        history_push(e.history, &e.doc, NULL, i);
    }
    int n = 0;
    while (history_undo(e.history, &e.doc)) n++;
    assert_in_range(n, 5, 7);
    while (history_redo(e.history, &e.doc)) continue;
    for (int i = 0; i < 100; i++) { /* the matrix is shared by all of these */
        e.doc.temperature = 2 + i;
        history_push(e.history, &e.doc, NULL, 100 + i);
    }
    for (n = 0; history_undo(e.history, &e.doc);) n++;
    assert_true(n > 100);
    end(&e);
}

/* Any walk of changes, undos and redos agrees with a plain list. */
static void test_against_a_list(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    static char list[3000][12];
    int n = 1, at = 0;
    uint64_t random = 3;
    for (int i = 0; i < 2000; i++) {
        switch (random_next(&random) % 4) {
        case 0:
            assert_int_equal(history_undo(e.history, &e.doc), at > 0 && at > n - 256);
            if (at > 0 && at > n - 256) at--;
            break;
        case 1:
            assert_int_equal(history_redo(e.history, &e.doc), at + 1 < n);
            if (at + 1 < n) at++;
            break;
        default:
            snprintf(list[++at], sizeof list[0], "%d", i);
            n = at + 1;
            set(&e, list[at], NULL, i);
            if (n == 250) goto done; /* before the oldest fall out */
        }
        assert_string_equal(doc_text(&e.doc), list[at]);
    }
done:
    end(&e);
}

/* ---- other documents ---- */

static void begin_another(Edit *e, const char *text, const char *path, bool safe) {
    doc_reset(&e->doc);
    doc_init(&e->doc);
    doc_set_text(&e->doc, text, strlen(text));
    history_begin(e->history, &e->doc, path, safe, 0);
}

/* The unsaved ones as "a|b". */
static const char *unsaved(const Edit *e) {
    static char text[400];
    const Doc *docs[HISTORY_UNSAVED_MAX];
    int n = history_unsaved(e->history, docs), length = 0;
    text[0] = 0;
    for (int i = 0; i < n; i++) length += snprintf(text + length, sizeof text - (size_t)length, "%s%s", i ? "|" : "", doc_text(docs[i]));
    return text;
}

static void test_each_document_has_its_file(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    assert_string_equal(history_path(e.history), "");
    assert_string_equal(unsaved(&e), "");
    set(&e, "mine", NULL, 0);
    assert_string_equal(unsaved(&e), "mine");
    begin_another(&e, "theirs", "theirs.yaml", true);
    assert_string_equal(history_path(e.history), "theirs.yaml");
    assert_string_equal(unsaved(&e), "mine"); /* a former one is not forgotten */
    set(&e, "changed", NULL, 0);
    assert_string_equal(unsaved(&e), "mine|changed");
    history_saved(e.history, "other.yaml");
    assert_string_equal(unsaved(&e), "mine");
    assert_true(history_undo(e.history, &e.doc));
    assert_string_equal(history_path(e.history), "other.yaml"); /* of all its states */
    assert_string_equal(unsaved(&e), "mine|theirs");
    assert_true(history_undo(e.history, &e.doc));
    assert_string_equal(doc_text(&e.doc), "mine");
    assert_string_equal(history_path(e.history), "");
    history_saved(e.history, "mine.yaml");
    assert_string_equal(unsaved(&e), "");
    assert_true(history_redo(e.history, &e.doc));
    assert_true(history_redo(e.history, &e.doc));
    assert_string_equal(history_path(e.history), "other.yaml");
    assert_string_equal(unsaved(&e), "");
    end(&e);
}

static void test_the_same_document_again_is_no_step(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    set(&e, "one", NULL, 0);
    set(&e, "one two", NULL, 0);
    begin_another(&e, "one two", "it.yaml", true);
    assert_string_equal(history_path(e.history), "it.yaml");
    assert_string_equal(unsaved(&e), "");
    history_undo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "one");
    history_redo(e.history, &e.doc);
    begin_another(&e, "one two", "", false); /* as it was kept: nowhere else */
    assert_string_equal(unsaved(&e), "one two");
    end(&e);
}

static void test_typing_does_not_merge_over_a_border(void **state) {
    (void)state;
    Edit e;
    begin(&e);
    type(&e, "ab", 0);
    begin_another(&e, "c", "c.yaml", true);
    set(&e, "cd", "typing", 0.3);
    history_undo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "c");
    history_undo(e.history, &e.doc);
    assert_string_equal(doc_text(&e.doc), "ab");
    end(&e);
}

static void test_unsaved_documents_outlive_the_ring(void **state) {
    (void)state;
    Edit e;
    char text[20];
    begin(&e);
    for (int d = 0; d < 12; d++) { /* eight of them are remembered */
        snprintf(text, sizeof text, "doc%d", d);
        begin_another(&e, text, "", true);
        strcat(text, "!");
        set(&e, text, NULL, 0);
    }
    for (int i = 0; i < 600; i++) {
        snprintf(text, sizeof text, "doc11 %d", i);
        set(&e, text, NULL, 0);
    }
    assert_string_equal(unsaved(&e), "doc3!|doc4!|doc5!|doc6!|doc7!|doc8!|doc9!|doc10!|doc11 599");
    end(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undo_and_redo), cmocka_unit_test(test_no_change_is_no_step),
        cmocka_unit_test(test_typing_merges_by_word), cmocka_unit_test(test_words_in_the_middle),
        cmocka_unit_test(test_a_pause_parts), cmocka_unit_test(test_other_edits_part),
        cmocka_unit_test(test_removing_is_not_typing), cmocka_unit_test(test_parted_runs_are_steps),
        cmocka_unit_test(test_at_most_256_states), cmocka_unit_test(test_memory_is_bounded), cmocka_unit_test(test_against_a_list),
        cmocka_unit_test(test_each_document_has_its_file), cmocka_unit_test(test_the_same_document_again_is_no_step),
        cmocka_unit_test(test_typing_does_not_merge_over_a_border), cmocka_unit_test(test_unsaved_documents_outlive_the_ring),
    };
    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
