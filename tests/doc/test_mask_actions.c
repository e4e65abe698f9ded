/* Masks by hand: rows, columns and strokes against matrices written here, the numbers of templates, several masks together. */
#include "doc_support.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "doc/action.h"
#include "doc/history.h"

typedef struct {
    Doc doc;
    View view;
    Run *run;
} Bench;

/* Three tokens, and a causal mask: 100 110 111. */
static Bench bench(void) {
    Bench b = {0};
    doc_init(&b.doc);
    view_init(&b.view);
    doc_set_text(&b.doc, "a b c", 5);
    b.run = run_of(&b.doc);
    return b;
}

static void drop(Bench *b) {
    run_close(b->run);
    doc_reset(&b->doc);
}

static bool try_line(Bench *b, const char *text, Err *err) {
    ActionLine line;
    int effect;
    ActionContext cx = {.doc = &b->doc, .view = &b->view, .run = b->run, .context = doc_context()};
    if (!action_parse(text, &line, err) || !action_run(&cx, &line, &effect, err)) return false;
    run_close(b->run);
    b->run = run_of(&b->doc);
    return true;
}

static void must(Bench *b, const char *text) {
    Err err = {0};
    if (!try_line(b, text, &err)) fail_msg("%s: %s", text, err.message);
}

static void refused(Bench *b, const char *text, const char *part) {
    Err err = {0};
    Doc before = {0};
    doc_copy(&before, &b->doc);
    if (try_line(b, text, &err)) fail_msg("%s was taken", text);
    assert_message(&err, part);
    assert_true(doc_equal(&before, &b->doc));
    doc_reset(&before);
}

/* The mask in force: "100 110 111"; "" when there is none. */
static const char *mask_of(const Bench *b, int head) {
    static char text[256];
    TensorId id = trace_find(b->run->trace, "mask");
    int n = 0;
    text[0] = 0;
    if (id == TENSOR_NONE) return text;
    const Tensor *t = trace_tensor(b->run->trace, id);
    for (int i = 0; i < t->dim[t->rank - 2]; i++) {
        if (i) text[n++] = ' ';
        for (int j = 0; j < t->dim[t->rank - 1]; j++) {
            const int three[TENSOR_RANK_MAX] = {head, i, j}, two[TENSOR_RANK_MAX] = {i, j};
            text[n++] = tensor_at(t, t->rank == 3 ? three : two) != 0 ? '1' : '0';
        }
    }
    text[n] = 0;
    return text;
}

static void test_columns(void **state) {
    (void)state;
    Bench b = bench();
    assert_string_equal(mask_of(&b, 0), "100 110 111");
    must(&b, "mask.column 2");
    assert_string_equal(mask_of(&b, 0), "100 100 101");
    must(&b, "mask.column 1");
    assert_string_equal(mask_of(&b, 0), "000 000 001");
    must(&b, "mask.column b"); /* shown again: as the template has it */
    assert_string_equal(mask_of(&b, 0), "000 010 011");
    must(&b, "mask.column 1 1");
    assert_string_equal(mask_of(&b, 0), "100 110 111");
    assert_int_equal(b.doc.n_masks, 1);
    must(&b, "mask.column 3 0");
    must(&b, "mask.column 3 0"); /* hidden already */
    assert_string_equal(mask_of(&b, 0), "100 110 110");
    must(&b, "mask none");
    must(&b, "mask.column 3");
    assert_string_equal(mask_of(&b, 0), "110 110 110");
    must(&b, "mask.column 3");
    assert_string_equal(mask_of(&b, 0), "");
    must(&b, "mask padding 2"); /* hides the last two; one is shown again, then the other */
    must(&b, "mask.column 3");
    assert_string_equal(mask_of(&b, 0), "101 101 101");
    must(&b, "mask.column 2");
    assert_string_equal(mask_of(&b, 0), "");
    must(&b, "mask causal");
    must(&b, "token.pad"); /* hidden by its token */
    assert_string_equal(mask_of(&b, 0), "1000 1100 1110 1110");
    must(&b, "mask.column 4");
    assert_string_equal(mask_of(&b, 0), "1000 1100 1110 1111");
    must(&b, "mask.column 4");
    assert_string_equal(mask_of(&b, 0), "1000 1100 1110 1110");
    refused(&b, "mask.column 5", "5");
    refused(&b, "mask.column", "Select a cell");
    drop(&b);
}

static void test_rows(void **state) {
    (void)state;
    Bench b = bench();
    must(&b, "mask.row 2");
    assert_string_equal(mask_of(&b, 0), "100 000 111");
    must(&b, "mask.row 1 0");
    must(&b, "mask.row 1 0"); /* hidden already */
    assert_string_equal(mask_of(&b, 0), "000 000 111");
    assert_int_equal(b.doc.n_masks, 2);
    must(&b, "mask.row 2"); /* shown again: as the template has it */
    assert_string_equal(mask_of(&b, 0), "000 110 111");
    must(&b, "mask.row 1");
    assert_string_equal(mask_of(&b, 0), "100 110 111");
    assert_int_equal(b.doc.n_masks, 1);
    must(&b, "mask.row 3");
    must(&b, "mask.toggle 3 3"); /* painted: one mask of cells */
    assert_string_equal(mask_of(&b, 0), "100 110 001");
    assert_int_equal(b.doc.n_masks, 1);
    must(&b, "mask.row 2");
    must(&b, "mask.row 2"); /* cells that were painted are all shown */
    assert_string_equal(mask_of(&b, 0), "100 111 001");
    must(&b, "mask window 0 0");
    must(&b, "mask.row 1");
    must(&b, "mask.column 2");
    assert_string_equal(mask_of(&b, 0), "000 000 001");
    must(&b, "text \"a b c d\"");
    must(&b, "mask.row 1");
    assert_string_equal(mask_of(&b, 0), "1000 0000 0010 0001");
    must(&b, "mask none");
    must(&b, "mask.row 1");
    must(&b, "mask.row 1");
    must(&b, "mask.row 1 1");
    assert_string_equal(mask_of(&b, 0), "1111 1111 1111 1111");
    refused(&b, "mask.row 9", "9");
    drop(&b);
}

static void test_of_the_selection(void **state) {
    (void)state;
    Bench b = bench();
    must(&b, "select scores[1,3,2]");
    must(&b, "mask.toggle");
    assert_string_equal(mask_of(&b, 0), "100 110 101");
    must(&b, "mask.row");
    assert_string_equal(mask_of(&b, 0), "100 110 000");
    must(&b, "select mask[3,2]");
    must(&b, "mask.column");
    assert_string_equal(mask_of(&b, 0), "100 100 000");
    must(&b, "select q[1,3,2]"); /* a query, no key */
    must(&b, "mask.row");
    assert_string_equal(mask_of(&b, 0), "100 100 101"); /* the key is hidden from it still */
    refused(&b, "mask.column", "Select a cell");
    refused(&b, "mask.toggle 2", "row and a column");
    drop(&b);
}

/* A line passes one cell for each step of its longer side; by hand: from (1,1) to (4,3) rows 1 2 3 4, columns 1 2 2 3. */
static void test_strokes(void **state) {
    (void)state;
    Bench b = bench();
    must(&b, "text \"a b c d\"");
    must(&b, "mask none");
    must(&b, "mask.paint 1 1 4 4 0");
    assert_string_equal(mask_of(&b, 0), "0111 1011 1101 1110");
    must(&b, "mask.paint 4 4 1 1 1");
    assert_string_equal(mask_of(&b, 0), "1111 1111 1111 1111");
    must(&b, "mask.paint 2 4 2 1 0");
    assert_string_equal(mask_of(&b, 0), "1111 0000 1111 1111");
    must(&b, "mask.paint 2 1 2 4 1");
    must(&b, "mask.paint 1 4 4 1 0");
    assert_string_equal(mask_of(&b, 0), "1110 1101 1011 0111");
    must(&b, "mask none");
    must(&b, "mask.paint 1 1 4 3 0");
    assert_string_equal(mask_of(&b, 0), "0111 1011 1011 1101");
    must(&b, "mask none");
    must(&b, "mask.paint 4 3 1 1 0"); /* the same backwards */
    assert_string_equal(mask_of(&b, 0), "0111 1011 1011 1101");
    must(&b, "mask none");
    must(&b, "mask.paint 3 2 3 2 0");
    assert_string_equal(mask_of(&b, 0), "1111 1111 1011 1111");
    refused(&b, "mask.paint 1 1 5 5 0", "5");
    refused(&b, "mask.paint 1 1 2 2 2", "from 0 to 1");
    drop(&b);
}

/* A mask for each head: what is painted belongs to the head in view. */
static void test_heads_of_their_own(void **state) {
    (void)state;
    Bench b = bench();
    drop(&b);
    b = (Bench){0};
    view_init(&b.view);
    doc_of("attnscope: 1\ntext: a b c\nmask: custom\nkeep: [[[1,1,1],[1,1,1],[1,1,1]],[[1,0,0],[1,1,0],[1,1,1]],[[1,1,1],[1,1,1],[1,1,1]],[[1,1,1],[1,1,1],[1,1,1]]]\n",
           &b.doc);
    b.run = run_of(&b.doc);
    must(&b, "head 2");
    must(&b, "mask.column 1");
    assert_string_equal(mask_of(&b, 1), "000 010 011");
    assert_string_equal(mask_of(&b, 0), "111 111 111");
    drop(&b);
}

static void test_numbers_of_templates(void **state) {
    (void)state;
    Bench b = bench();
    must(&b, "mask window 1 0");
    must(&b, "mask.set right 1");
    assert_string_equal(mask_of(&b, 0), "110 111 011");
    must(&b, "mask.set left 0");
    assert_string_equal(mask_of(&b, 0), "110 011 001");
    must(&b, "mask padding 1");
    must(&b, "mask.set keys 2");
    assert_string_equal(mask_of(&b, 0), "100 100 100");
    must(&b, "set mask \"{kind: padding, keys: [2]}\""); /* listed keys give way to a number */
    must(&b, "mask.set keys 2");
    assert_string_equal(mask_of(&b, 0), "100 100 100");
    must(&b, "mask.set side left");
    assert_string_equal(mask_of(&b, 0), "001 001 001");
    must(&b, "mask local_block 1");
    must(&b, "mask.set block 2");
    assert_string_equal(mask_of(&b, 0), "110 110 001");
    must(&b, "mask.set causal on");
    assert_string_equal(mask_of(&b, 0), "100 110 001");
    must(&b, "mask strided 1");
    assert_string_equal(mask_of(&b, 0), "111 111 111");
    must(&b, "mask global_window 0 1");
    must(&b, "mask.set token 3");
    assert_string_equal(mask_of(&b, 0), "101 011 111");
    must(&b, "mask.set each_side 1");
    assert_string_equal(mask_of(&b, 0), "111 111 111");
    refused(&b, "mask.set left 1", "no 'left'");
    refused(&b, "mask.set token 4", "1 to 3");
    must(&b, "mask padding 1");
    refused(&b, "mask.set keys 4", "0 to 3");
    refused(&b, "mask.set side up", "side");
    must(&b, "mask none");
    refused(&b, "mask.set left 1", "no 'left'");
    drop(&b);
}

/* What is too large, or too small, is said as that; a mapping that nobody typed has no places. */
static void test_refused_numbers(void **state) {
    (void)state;
    Bench b = bench();
    static const char *const lines[] = {"mask window 999999999999 2", "mask window -1 2", "mask.add window -1 2"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Err err = {0};
        char text[1200];
        assert_false(try_line(&b, lines[i], &err));
        if (!strstr(err_format(&err, text, sizeof text), "mask.left: expected a whole number from 0")) fail_msg("%s: %s", lines[i], text);
        assert_int_equal(err.line, 0);
        assert_int_equal(err.column, 0);
    }
    Err err = {0};
    assert_false(try_line(&b, "mask.add custom", &err));
    assert_null(strstr(err.message, "none"));
    assert_message(&err, "causal, padding");
    drop(&b);
}

/* One number never drops what is listed, nor claims to change what has no such number. */
static void test_numbers_that_do_not_fit(void **state) {
    (void)state;
    Bench b = bench();
    must(&b, "mask global_window 0 1 3");
    refused(&b, "mask.set token 2", "2 global tokens");
    must(&b, "set mask \"{kind: padding, keys: [2]}\"");
    refused(&b, "mask.set side left", "listed");
    must(&b, "token.pad");
    must(&b, "mask padding <pad>");
    refused(&b, "mask.set side left", "<pad> is hidden wherever it stands");
    drop(&b);
}

/* The run of another text has other cells: nothing is painted or edited by its places. */
static void test_another_text(void **state) {
    (void)state;
    static const char *const lines[] = {"mask.toggle 1 1", "mask.paint 1 1 2 2 0", "mask.row 1", "mask.column 1", "mask.flip", "mask custom", "edit tok[3,1] 4"};
    Bench b = bench();
    for (int round = 0; round < 2; round++) {
        doc_set_text(&b.doc, round ? "a b" : "", round ? 3 : 0); /* the run is still that of "a b c" */
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) refused(&b, lines[i], "The text has changed");
    }
    drop(&b);
}

/* A key is read where every mask allows it. */
static void test_several(void **state) {
    (void)state;
    Bench b = bench();
    must(&b, "mask.add padding 1");
    assert_int_equal(b.doc.n_masks, 2);
    assert_string_equal(mask_of(&b, 0), "100 110 110");
    must(&b, "mask.set keys 2");
    assert_string_equal(mask_of(&b, 0), "100 100 100");
    must(&b, "mask.add window 0 0");
    must(&b, "mask.set left 1 3");
    assert_string_equal(mask_of(&b, 0), "100 100 000");
    refused(&b, "mask.set left 1 2", "no 'left'");
    must(&b, "mask.drop 2");
    assert_string_equal(mask_of(&b, 0), "100 110 011");
    must(&b, "mask.add strided 2");
    must(&b, "mask.add local_block 2");
    refused(&b, "mask.add strided 3", "up to 4");
    refused(&b, "mask.add none", "hides something");
    refused(&b, "mask.drop 5", "1 to 4");
    must(&b, "mask none");
    refused(&b, "mask.drop 1", "No mask");
    must(&b, "mask.add causal"); /* in place of none */
    assert_int_equal(b.doc.n_masks, 1);
    drop(&b);
}

/* Padding of tokens 2 and 3, read the wrong way round: the words are hidden and the pads are read. */
static void test_flip(void **state) {
    (void)state;
    Bench b = bench();
    must(&b, "mask padding 2");
    must(&b, "mask.flip");
    assert_string_equal(mask_of(&b, 0), "011 011 011");
    must(&b, "mask.flip");
    assert_string_equal(mask_of(&b, 0), "100 100 100");
    must(&b, "mask none");
    must(&b, "mask.flip");
    assert_string_equal(mask_of(&b, 0), "000 000 000");
    drop(&b);
}

static void test_forms(void **state) {
    (void)state;
    Bench b = bench();
    static const char *const order[] = {"added", "keep", "ignore", "words"};
    for (size_t i = 0; i < 4; i++) {
        must(&b, "mask.form");
        assert_string_equal(mask_form_names[b.view.mask_form], order[i]);
    }
    must(&b, "mask.form ignore");
    assert_int_equal(b.view.mask_form, MASK_FORM_IGNORE);
    refused(&b, "mask.form true", "mask.form");
    drop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),  cmocka_unit_test(test_rows),    cmocka_unit_test(test_of_the_selection),
        cmocka_unit_test(test_strokes),  cmocka_unit_test(test_forms),   cmocka_unit_test(test_heads_of_their_own),
        cmocka_unit_test(test_refused_numbers), cmocka_unit_test(test_numbers_that_do_not_fit), cmocka_unit_test(test_another_text), cmocka_unit_test(test_several),  cmocka_unit_test(test_flip),  cmocka_unit_test(test_numbers_of_templates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
