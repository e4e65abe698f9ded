/* The picture in sentences, for tables that are worked out by hand beside each case. */
#include <stdio.h>

#include "app/drive.h"
#include "app/narrate.h"
#include "support/support.h"

static Arena arena;

static const char *told(Session *s) {
    Err err = {0};
    const char *text = session_narrate(s, &arena, &err);
    if (!text) fail_msg("%s", err.message);
    return text;
}

#define says(text, sentence) has_sentence((text), (sentence), true, __LINE__)
#define says_not(text, sentence) has_sentence((text), (sentence), false, __LINE__)
static void has_sentence(const char *text, const char *sentence, bool wanted, int line) {
    if ((strstr(text, sentence) != NULL) != wanted) fail_msg("line %d: \"%s\" %s in:\n%s", line, sentence, wanted ? "is not" : "is", text);
}

/* x = [[1, 0], [1, 1]], q = k = v = x, no scale, causal. Scores 1 1 / 1 2; the second row's weights are
 * e^1 / (e^1 + e^2) = 1 / (1 + e) = 0.269 and e / (1 + e) = 0.731; its output 1, 0.731. */
static Session *two_tokens(void) {
    Session *s = drive_open();
    static const char *const lines[] = {"set tokens [\"a\",\"b\"]", "set x [[1,0],[1,1]]", "set projections none", "set heads 1", "scale none", "mask causal", "position none"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) must(s, lines[i]);
    return s;
}

static void a_score_is_told_with_its_operands(void **unused) {
    (void)unused;
    Session *s = two_tokens();
    must(s, "stage scores end");
    const char *text = told(s);
    says(text, "Scores: stage 3 of 9 · cell 4 of 4.\n");
    says(text, "2 tokens: a b.\n");
    says(text, "scores[1, b, b] = 2.000.\n");
    says(text, "It is a sum of 2 terms:\n");
    says(text, "q[1, b, 1] = 1.000 times k[1, b, 1] = 1.000 makes 1.000.\n");
    says(text, "q[1, b, 2] = 1.000 times k[1, b, 2] = 1.000 makes 1.000.\n");
    says(text, "\na: a 1.00, b 1.00.\n");
    says(text, "\nb: b 2.00, a 1.00.\n");
    drive_close(s);
}

static void weights_are_what_a_row_reads(void **unused) {
    (void)unused;
    Session *s = two_tokens();
    must(s, "stage softmax end");
    must(s, "select weights[1,b,a]");
    const char *text = told(s);
    says(text, "weights[1, b, a] = 0.269.\n");
    says(text, "It is made of exp[1, b, a] = 0.368, row_sum[1, b] = 1.368.\n"); /* e^-1, 1 + e^-1 */
    says(text, "\na reads a 1.00.\n");
    says(text, "\nb reads b 0.73, a 0.27.\n");
    must(s, "stage wsum end");
    text = told(s);
    says(text, "weights[1, b, b] = 0.731 times v[1, b, 2] = 1.000 makes 0.731.\n");
    says(text, "\nb: column 1 1.00, column 2 0.73.\n");
    drive_close(s);
}

static void hidden_keys_are_not_told(void **unused) {
    (void)unused;
    Session *s = two_tokens();
    must(s, "stage mask end");
    says(told(s), "\na: a 1.00.\n");
    must(s, "mask.toggle 1 1 0"); /* a may see nothing any more */
    must(s, "stage softmax end");
    says(told(s), "\na reads nothing.\n");
    drive_close(s);
}

static void what_is_not_computed_is_not_told(void **unused) {
    (void)unused;
    Session *s = two_tokens();
    must(s, "stage scores start");
    const char *text = told(s);
    says(text, "2 rows are not computed yet.\n");
    says_not(text, "The number in view");
    must(s, "step 3");
    text = told(s);
    says(text, "\na: a 1.00, b 1.00.\n");
    says(text, "\nb: a 1.00.\n");
    says_not(text, "b 2.00");
    drive_close(s);
}

static void heads_have_their_job(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage softmax end");
    must(s, "head 2");
    const char *text = told(s);
    says(text, "Head 2 of 4, made by hand for this: grammar partner.\n");
    says(text, "\nsat reads cat 0.94, The 0.03, sat 0.03.\n"); /* DESIGN 7: 0.943 */
    for (const char *c = text; *c; c++) assert_true((unsigned char)*c >= 0x20 || *c == '\n'); /* no colour marks */
    drive_close(s);
}

/* 100 tokens: 12 rows around the one in view, 5 numbers of each. */
static void a_long_text_is_told_in_part(void **unused) {
    (void)unused;
    Session *s = drive_open();
    StrBuf line;
    sb_init(&line, &arena);
    sb_add(&line, "text \"");
    for (int i = 1; i <= 100; i++) sb_printf(&line, "w%d ", i);
    sb_add(&line, "\"");
    must(s, line.data);
    must(s, "stage softmax end");
    must(s, "select weights[3,50,50]");
    const char *text = told(s);
    says(text, "100 tokens, which begin with: w1 w2 ");
    says(text, "These are rows 44 to 55 of 100.\n");
    says(text, "\nw44 reads ");
    says(text, "\nw55 reads ");
    says_not(text, "\nw43 reads ");
    says_not(text, "\nw56 reads ");
    assert_true(strlen(text) < 6000);
    drive_close(s);
}

static void every_stage_is_told(void **unused) {
    (void)unused;
    static const char *const texts[] = {"The cat sat on the mat", "我爱猫", "a"};
    Session *s = drive_open();
    for (int i = 0; i < 3; i++) {
        must(s, arena_printf(&arena, "text \"%s\"", texts[i]));
        for (int stage = 1; stage <= 9; stage++)
            for (int end = 0; end < 2; end++) {
                must(s, arena_printf(&arena, "stage %d %s", stage, end ? "end" : "start"));
                const char *text = told(s);
                says(text, arena_printf(&arena, "stage %d of 9", stage));
                if (end) says_not(text, "not computed yet");
            }
    }
    drive_close(s);
}

static void the_action_puts_it_into_the_clipboard(void **unused) {
    (void)unused;
    Session *s = two_tokens();
    SessionEffects effects;
    must(s, "stage softmax end");
    session_update(s, &(Input){.kind = INPUT_KEY, .mods = MOD_CTRL, .key = "d"}, 0);
    session_take_effects(s, &effects);
    assert_non_null(effects.clipboard);
    says(effects.clipboard, "\nb reads b 0.73, a 0.27.\n");
    assert_true(session_view(s)->notice[0] && !session_view(s)->notice_is_error);
    drive_close(s);
}

static int free_all(void **unused) {
    (void)unused;
    arena_free(&arena);
    return 0;
}

/* Four tokens with equal scores under a causal mask: the first column holds 1 + 1/2 + 1/3 + 1/4 of the four rows' weight, 0.52;
 * below 0.3 are the four quarters of the last row. */
static void what_the_picture_leaves_out_is_told(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Err err = {0};
    if (!session_open_file(s, data_path("scenarios/L06.yaml"), 0, &err)) fail_msg("%s", err.message);
    must(s, "stage softmax end");
    says_not(told(s), "Left out");
    must(s, "hide 1");
    says(told(s), "Left out of the picture, but told here: column The is hidden: 0.52 of the weight.\n");
    must(s, "hide.none");
    must(s, "threshold 0.3");
    must(s, "log on");
    must(s, "shape lines");
    const char *text = told(s);
    says(text, "Left out of the picture, but told here: 4 weights below 0.3 are not shown.\n");
    says(text, "Colours: log scale.\n");
    says(text, "The picture draws the weights of one query as lines.\n");
    drive_close(s);
}

/* The classroom's heads put together: what is told is no head's. */
static void heads_put_together_are_told_so(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage softmax end");
    says(told(s), "Head 1 of 4");
    must(s, "aggregate average");
    says(told(s), "The map is the average of all 4 heads.\n");
    says_not(told(s), "Head 1 of 4");
    must(s, "aggregate maximum");
    says(told(s), "The map holds of each weight the largest of all 4 heads.\n");
    must(s, "stage scores end"); /* which are of one head */
    says(told(s), "Head 1 of 4");
    says_not(told(s), "largest of all");
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_picture_leaves_out_is_told),
        cmocka_unit_test(heads_put_together_are_told_so),
        cmocka_unit_test(a_score_is_told_with_its_operands), cmocka_unit_test(weights_are_what_a_row_reads),
        cmocka_unit_test(hidden_keys_are_not_told),          cmocka_unit_test(what_is_not_computed_is_not_told),
        cmocka_unit_test(heads_have_their_job),              cmocka_unit_test(a_long_text_is_told_in_part),
        cmocka_unit_test(every_stage_is_told),               cmocka_unit_test(the_action_puts_it_into_the_clipboard),
    };
    return cmocka_run_group_tests(tests, NULL, free_all);
}
