/* Tokens by hand: actions, the strip of chips by pointer and keyboard, and the padding token. */
#include "app/drive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

static const char *text_of(Session *s) { return doc_text(session_doc(s)); }

static double at(Session *s, const char *id, int i, int j, int k) {
    const Trace *trace = session_run(s)->trace;
    return tensor_at(trace_tensor(trace, trace_find(trace, id)), (int[]){i, j, k, 0});
}

static bool fails(Session *s, const char *line, const char *part) {
    Err err = {0};
    bool ok = session_do(s, line, &err);
    if (!ok && !strstr(err.message, part)) fail_msg("%s: '%s' does not say '%s'", line, err.message, part);
    return !ok;
}

static void the_text_follows(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *line, *after;
    } deeds[] = {
        {"I love NLP", "token.move 1 3", "love NLP I"},
        {"I love NLP", "token.move 3 1", "NLP I love"},
        {"I love NLP", "token.move 2 2", "I love NLP"},
        {"I love NLP", "token.remove 2", "I NLP"},
        {"I love NLP", "token.remove 3", "I love"},
        {"I love NLP", "token.insert 1 we", "we I love NLP"},
        {"I love NLP", "token.insert 4 \"very much\"", "I love NLP very much"},
        {"Stop, now.", "token.remove 2", "Stop now."},
        {"我爱猫", "token.move 3 1", "猫我爱"},
        {"我爱猫", "token.insert 2 很", "我很爱猫"},
    };
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        Session *s = drive_open();
        char line[128];
        snprintf(line, sizeof line, "text \"%s\"", deeds[i].text);
        must(s, line);
        must(s, deeds[i].line);
        if (strcmp(text_of(s), deeds[i].after) != 0) fail_msg("%s, %s: '%s', expected '%s'", deeds[i].text, deeds[i].line, text_of(s), deeds[i].after);
        Err err = {0};
        assert_true(session_need_run(s, &err));
        if (strcmp(deeds[i].text, deeds[i].after) != 0) press(s, MOD_CTRL, "z");
        assert_string_equal(text_of(s), deeds[i].text); /* one step */
        drive_close(s);
    }
}

static void molecules_stay_close(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "model molecule");
    must(s, "tokenizer smiles");
    must(s, "text CCO");
    must(s, "token.move 3 1");
    assert_string_equal(text_of(s), "OCC");
    must(s, "token.insert 2 Cl");
    assert_string_equal(text_of(s), "OClCC");
    drive_close(s);
}

/* A list stays a list: a token may hold a space there. */
static void listed_tokens_stay_listed(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Arena arena = {0};
    must(s, "set tokens \"[New York, is, big]\"");
    must(s, "token.move 1 3");
    must(s, "token.insert 1 \"so far\"");
    must(s, "token.remove 2");
    const char **words = doc_words(&session_doc(s)->tokens, &arena);
    assert_int_equal(session_doc(s)->tokens.n, 3);
    assert_string_equal(words[0], "so far");
    assert_string_equal(words[1], "big");
    assert_string_equal(words[2], "New York");
    must(s, "token.remove 1");
    must(s, "token.remove 1");
    must(s, "token.remove 1"); /* the last one too: then there is an empty text */
    assert_string_equal(text_of(s), "");
    press(s, MOD_CTRL, "z");
    assert_int_equal(session_doc(s)->tokens.n, 1);
    arena_free(&arena);
    drive_close(s);
}

/* A mask painted by hand and a number changed by hand go with their token. */
static void what_belongs_to_a_token_goes_with_it(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "text \"a b c\"");
    must(s, "mask none");
    must(s, "mask.toggle 1 3 0"); /* a may not read c */
    must(s, "token.move 3 1");     /* c a b */
    assert_near(at(s, "weights", 0, 1, 0), 0, 0);
    assert_true(at(s, "weights", 0, 1, 2) > 0 && at(s, "weights", 0, 0, 1) > 0);
    must(s, "token.insert 1 d"); /* d c a b: new ones are read */
    assert_near(at(s, "weights", 0, 2, 1), 0, 0);
    assert_true(at(s, "weights", 0, 2, 0) > 0);
    drive_close(s);
}

/* D26: "I love NLP <pad>" with equal scores: each query reads the three words 1/3, the padding 0. */
static void padding_is_hidden(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "model identity");
    must(s, "text \"I love NLP\"");
    must(s, "mask none");
    must(s, "token.pad");
    assert_string_equal(text_of(s), "I love NLP <pad>");
    must(s, "set scale 0"); /* all scores alike */
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) assert_near(at(s, "weights", 0, i, j), 1.0 / 3, 1e-6);
        assert_near(at(s, "weights", 0, i, 3), 0, 0);
    }
    must(s, "token.move 4 1"); /* wherever it stands */
    for (int i = 0; i < 4; i++) assert_near(at(s, "weights", 0, i, 0), 0, 0);
    must(s, "text \"I love <pad> NLP <pad>\""); /* typed, too */
    assert_near(at(s, "weights", 0, 0, 2), 0, 0);
    assert_near(at(s, "weights", 0, 0, 4), 0, 0);
    must(s, "text \"I love NLP\"");
    assert_near(at(s, "weights", 0, 0, 2), 1.0 / 3, 1e-6);
    must(s, "mask padding <pad>");
    must(s, "token.pad");
    assert_int_equal(session_doc(s)->n_masks, 1); /* one is enough */
    press(s, MOD_CTRL, "z");
    assert_string_equal(text_of(s), "I love NLP");
    drive_close(s);
}

static void errors_say_what_there_is(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "text \"a b c\"");
    assert_true(fails(s, "token.move 1 4", "1 to 3") && fails(s, "token.move 0 2", "1 to 3") && fails(s, "token.remove x", "1 to 3"));
    assert_true(fails(s, "token.insert 5 d", "1 to 4") && fails(s, "token.remove", "focus") && fails(s, "token.move source 1 2", "no source"));
    assert_string_equal(text_of(s), "a b c");
    must(s, "open \"" TEST_DATA "/scenarios/L06.yaml\"");
    assert_true(fails(s, "token.move 1 2", "are given"));
    must(s, "model " TEST_DATA "/models/tiny-bert-mlm");
    must(s, "text \"the cat sat\"");
    assert_true(fails(s, "token.remove 1", "the tokenizer makes") && fails(s, "token.pad", "built-in"));
    must(s, "token.move 2 3"); /* [CLS] the cat … [SEP] */
    assert_string_equal(text_of(s), "cat the sat");
    drive_close(s);
}

static void two_texts_have_a_strip_each(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "source \"the black cat\"");
    must(s, "text \"le chat\"");
    press(s, 0, "w");
    assert_true(has_control(s, "token.q.2") && has_control(s, "token.k.3"));
    assert_false(has_control(s, "token.q.3"));
    assert_true(shows(s, "target: queries") && shows(s, "source: keys and values"));
    must(s, "token.move source 3 1");
    assert_string_equal(session_doc(s)->source_text->bytes, "cat the black");
    assert_string_equal(text_of(s), "le chat");
    must(s, "token.pad source");
    assert_near(at(s, "weights", 0, 0, 3), 0, 0);
    drive_close(s);
}

/* Of a model from a folder the text has to be cut into just these tokens again; else nothing happens. */
static void folders_keep_every_letter(void **unused) {
    (void)unused;
    static const struct {
        const char *model, *text, *line, *after; /* NULL: refused */
    } deeds[] = {
        {"tiny-gpt2", "cat on the mat", "token.remove 1", "at on the mat"}, /* "c" of "cat" */
        {"tiny-gpt2", "at on the", "token.move 2 3", "at the on"},
        {"tiny-gpt2", "at on the", "token.insert 2 x", "at x on the"},
        {"tiny-gpt2", "日本 on at", "token.remove 8", "日本 on t"},
        {"tiny-gpt2", "日本 at", "token.remove 3", NULL}, /* a part of a character */
        {"tiny-bert-mlm", "the cat on the mat", "token.remove 2", "cat on the mat"},
        {"tiny-bert-mlm", "the cat on", "token.insert 4 the", "the cat the on"},
    };
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        Session *s = drive_open();
        char line[256];
        snprintf(line, sizeof line, "model %s/models/%s", TEST_DATA, deeds[i].model);
        must(s, line);
        snprintf(line, sizeof line, "text \"%s\"", deeds[i].text);
        must(s, line);
        bool done = session_do(s, deeds[i].line, NULL);
        const char *after = deeds[i].after ? deeds[i].after : deeds[i].text;
        if (done != (deeds[i].after != NULL) || strcmp(text_of(s), after) != 0) fail_msg("%s, %s, %s: %d '%s'", deeds[i].model, deeds[i].text, deeds[i].line, done, text_of(s));
        assert_false(session_do(s, "tokens", NULL)); /* all layers are there first */
        must(s, "look 1 1");
        press(s, 0, "w");
        assert_true(has_control(s, "token.q.1"));
        assert_false(has_control(s, "token.q.pad"));
        drive_close(s);
    }
}

/* The number in view and hidden columns are those of the same words afterwards; what no token is left for is taken out. */
static void what_is_looked_at_goes_with_its_token(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "text \"a b c d\"");
    must(s, "select weights[1,4,4]");
    must(s, "hide 2");
    must(s, "token.move 4 1"); /* d a b c */
    const View *view = session_view(s);
    assert_int_equal(view->selection.index[1], 0);
    assert_int_equal(view->selection.index[2], 0);
    assert_true(view->n_hidden == 1 && view->hidden[0] == 2);
    must(s, "token.remove 3"); /* b */
    assert_int_equal(view->n_hidden, 0);
    must(s, "token.remove 1"); /* d */
    assert_string_equal(view->selection.tensor, "");
    must(s, "mask global_window 1 1");
    must(s, "token.remove 1");
    assert_int_equal(session_doc(s)->n_masks, 0);
    drive_close(s);
}

/* ---- the strip ---- */

static void drag(Session *s, const char *from, const char *to, float more, bool let_go) {
    Rect a = control_box(s, from), b = control_box(s, to);
    float x = a.x + a.w / 2, y = a.y + a.h / 2;
    session_update(s, &(Input){.kind = INPUT_MOUSE_DOWN, .x = x, .y = y, .button = 1, .clicks = 1}, 0);
    for (int i = 1; i <= 8; i++) move_to(s, x + (b.x + b.w / 2 + more - x) * (float)i / 8, y);
    if (let_go) session_update(s, &(Input){.kind = INPUT_MOUSE_UP, .x = b.x + b.w / 2 + more, .y = y, .button = 1}, 0);
}

static void a_chip_is_dragged(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "text \"a b c d\"");
    press(s, 0, "w");
    drag(s, "token.q.1", "token.q.3", 4, true); /* behind the middle of c */
    assert_string_equal(text_of(s), "b c a d");
    drag(s, "token.q.4", "token.q.1", -4, true);
    assert_string_equal(text_of(s), "d b c a");
    press(s, MOD_CTRL, "z");
    assert_string_equal(text_of(s), "b c a d");
    drag(s, "token.q.1", "token.q.3", 4, false);
    assert_int_equal(session_view(s)->token_to, 3);
    press(s, 0, "Esc");
    session_update(s, &(Input){.kind = INPUT_MOUSE_UP, .x = 10, .y = 10, .button = 1}, 0);
    assert_string_equal(text_of(s), "b c a d");
    assert_true(session_view(s)->tokens);
    drive_close(s);
}

/* Focus is lost in the middle of a drag: the next click moves nothing. */
static void a_lost_drag_is_forgotten(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "text \"a b c d\"");
    press(s, 0, "w");
    drag(s, "token.q.2", "token.q.4", 4, false);
    session_update(s, &(Input){.kind = INPUT_FOCUS}, 0);
    click(s, "token.q.1");
    assert_string_equal(text_of(s), "a b c d");
    drive_close(s);
}

static void chips_by_click_and_key(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "text \"a b c\"");
    press(s, 0, "w");
    assert_false(has_control(s, "token.q.2.remove"));
    Rect box = control_box(s, "token.q.2");
    move_to(s, box.x + 4, box.y + box.h / 2);
    click(s, "token.q.2.remove");
    assert_string_equal(text_of(s), "a c");
    click(s, "token.q.1");
    assert_string_equal(session_view(s)->focus, "token.q.1");
    press(s, MOD_CTRL | MOD_SHIFT, "Right");
    assert_string_equal(text_of(s), "c a");
    assert_string_equal(session_view(s)->focus, "token.q.2");
    press(s, MOD_CTRL | MOD_SHIFT, "Right"); /* it is the last */
    assert_string_equal(text_of(s), "c a");
    press(s, MOD_SHIFT, "Delete");
    assert_string_equal(text_of(s), "c");
    must(s, "focus token.q.1");
    press(s, 0, "Insert");
    type(s, "old");
    press(s, 0, "Enter");
    assert_string_equal(text_of(s), "old c");
    click(s, "token.q.3.insert");
    type(s, "sat");
    press(s, 0, "Enter");
    assert_string_equal(text_of(s), "old c sat");
    click(s, "token.q.pad");
    assert_string_equal(text_of(s), "old c sat <pad>");
    must(s, "focus \"\"");
    press(s, 0, "Esc");
    assert_false(session_view(s)->tokens);
    drive_close(s);
}

/* A long text is shown in parts; nothing leaves the window. */
static void long_texts_in_parts(void **unused) {
    (void)unused;
    static const float sizes[][2] = {{1600, 1000}, {1024, 768}};
    Session *s = drive_open();
    StrBuf sb;
    Arena arena = {0};
    sb_init(&sb, &arena);
    sb_add(&sb, "text \"");
    for (int i = 0; i < 1000; i++) sb_add(&sb, "cat ");
    sb_add(&sb, "\"");
    must(s, sb.data);
    press(s, 0, "w");
    for (size_t k = 0; k < 2; k++) {
        session_resize(s, sizes[k][0], sizes[k][1]);
        must(s, "tokens 1");
        assert_false(has_control(s, "token.q.before"));
        click(s, "token.q.after");
        assert_true(has_control(s, "token.q.before"));
        must(s, "tokens 1000");
        assert_true(has_control(s, "token.q.1000") && has_control(s, "token.q.1001.insert"));
        const DisplayList *list = session_list(s);
        for (int i = 0; i < list->n; i++)
            if (list->commands[i].kind == DL_GROUP && str_starts(dl_text_at(list, list->groups[list->commands[i].group.group].name), "token."))
                assert_true(list->commands[i].box.x >= 0 && list->commands[i].box.x + list->commands[i].box.w <= sizes[k][0]);
    }
    arena_free(&arena);
    drive_close(s);
}

/* The dialog that was opened without saying where puts its words at the end. */
static void the_dialog_by_itself_begins_at_the_end(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "menu token");
    type(s, "today");
    press(s, 0, "Enter");
    assert_string_equal(doc_text(session_doc(s)), "The cat sat on the mat today");
    drive_close(s);
}

/* A second text takes the causal mask away, not the others, and says so; one step of undo brings both back. */
static void a_second_text_is_not_causal(void **state) {
    (void)state;
    Session *s = drive_open();
    must(s, "text \"a b <pad>\"");
    must(s, "token.pad"); /* causal and padding */
    assert_int_equal(session_doc(s)->n_masks, 2);
    must(s, "source \"c d\"");
    assert_int_equal(session_doc(s)->n_masks, 1);
    assert_int_equal(session_doc(s)->masks[0].spec.kind, MASK_PADDING);
    assert_non_null(strstr(session_view(s)->notice, "the causal mask is off"));
    assert_true(shows(s, "None")); /* the chip: no <pad> among the keys, so nothing is hidden */
    must(s, "source \"c d e\"");
    must(s, "undo");
    must(s, "undo");
    assert_int_equal(session_doc(s)->n_masks, 2);
    assert_int_equal(session_doc(s)->masks[0].spec.kind, MASK_CAUSAL);
    assert_true(shows(s, "Causal + Padding"));
    must(s, "mask none");
    must(s, "source \"c d\"");
    must(s, "mask causal"); /* who wants it, has it */
    must(s, "source \"c\"");
    assert_int_equal(session_doc(s)->masks[0].spec.kind, MASK_CAUSAL);
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_text_is_not_causal),
        cmocka_unit_test(the_dialog_by_itself_begins_at_the_end),
        cmocka_unit_test(the_text_follows),        cmocka_unit_test(molecules_stay_close),
        cmocka_unit_test(listed_tokens_stay_listed), cmocka_unit_test(what_belongs_to_a_token_goes_with_it),
        cmocka_unit_test(padding_is_hidden),       cmocka_unit_test(errors_say_what_there_is),
        cmocka_unit_test(two_texts_have_a_strip_each), cmocka_unit_test(a_chip_is_dragged),
        cmocka_unit_test(a_lost_drag_is_forgotten), cmocka_unit_test(chips_by_click_and_key),
        cmocka_unit_test(folders_keep_every_letter), cmocka_unit_test(what_is_looked_at_goes_with_its_token),  cmocka_unit_test(long_texts_in_parts),
    };
    return cmocka_run_group_tests_name("tokens by hand", tests, NULL, NULL);
}
