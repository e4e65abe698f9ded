/* The action table: names and keys are unique, lines are parsed, each action does what it says and nothing when it fails. */
#include "doc_support.h"

#include <stdio.h>

#include "base/str.h"
#include "doc/action.h"

typedef struct {
    Doc doc;
    View view;
    Run *run;
} Session;

static void begin(Session *s) {
    *s = (Session){0};
    doc_init(&s->doc);
    view_init(&s->view);
    s->run = run_of(&s->doc);
}

static void end(Session *s) {
    run_close(s->run);
    doc_reset(&s->doc);
}

/* Runs a line and, when the document changed, computes it again. */
static bool try_line(Session *s, const char *text, int *effect, Err *err) {
    ActionLine line;
    Doc before = {0};
    doc_copy(&before, &s->doc);
    ActionContext cx = {.doc = &s->doc, .view = &s->view, .run = s->run, .context = doc_context()};
    bool ok = action_parse(text, &line, err) && action_run(&cx, &line, effect, err);
    if (!doc_equal(&before, &s->doc)) {
        Run *run;
        if (run_build(&s->doc, doc_context(), &run, NULL)) {
            run_settle_view(run, s->run, &s->view);
            run_close(s->run);
            s->run = run;
        }
    }
    doc_reset(&before);
    return ok;
}

static void run_line(Session *s, const char *text) {
    Err err = {0};
    int effect;
    if (!try_line(s, text, &effect, &err)) fail_msg("%s: %s", text, err.message);
    assert_int_equal(effect, -1);
}

static void fail_line(Session *s, const char *text, const char *part) {
    Err err = {0};
    int effect;
    Doc before = {0};
    doc_copy(&before, &s->doc);
    if (try_line(s, text, &effect, &err)) fail_msg("%s was taken", text);
    assert_message(&err, part);
    assert_true(doc_equal(&before, &s->doc));
    doc_reset(&before);
}

/* ---- the table ---- */

static void test_table(void **state) {
    (void)state;
    for (int i = 0; i < action_count; i++) {
        const Action *a = &action_table[i];
        assert_int_equal(action_find(a->name), i); /* so names differ */
        assert_true(a->help[0] && a->help[strlen(a->help) - 1] == '.');
        assert_true((a->scope == ACTION_EFFECT) == (a->run == NULL));
        assert_int_equal(strncmp(a->keys, a->first_key, strlen(a->first_key)), 0);
        if (a->menu[0]) {
            assert_non_null(strchr(a->menu, '/'));
            for (int j = 0; j < i; j++) assert_string_not_equal(a->menu, action_table[j].menu);
        }
        if (strchr(a->args, '[') != a->args && a->args[0]) assert_string_equal(a->menu, ""); /* a menu item is a whole line */
    }
}

/* Splits "Ctrl++, Ctrl+=" and calls back with each stroke. */
static void each_key(const char *keys, int action, void (*visit)(const char *key, int action)) {
    char copy[128];
    snprintf(copy, sizeof copy, "%s", keys ? keys : "");
    for (char *at = copy; *at;) {
        char *next = strstr(at, ", ");
        if (next) *next = 0;
        visit(at, action);
        at = next ? next + 2 : at + strlen(at);
    }
}

static Input stroke(const char *key) {
    Input in = {.kind = INPUT_KEY};
    static const struct { const char *name; unsigned mod; } mods[] = {{"Ctrl+", MOD_CTRL}, {"Shift+", MOD_SHIFT}, {"Alt+", MOD_ALT}};
    for (size_t i = 0; i < 3; i++)
        if (str_starts(key, mods[i].name) && strlen(key) > strlen(mods[i].name)) {
            in.mods |= mods[i].mod;
            key += strlen(mods[i].name);
            i = (size_t)-1;
        }
    snprintf(in.key, sizeof in.key, "%s", key);
    return in;
}

static void finds_itself(const char *key, int action) {
    Input in = stroke(str_eq(key, "1-9") ? "5" : key);
    View view;
    view_init(&view);
    if (action_for_key(&in, &view) != action) fail_msg("%s belongs to %s and to another action", key, action_table[action].name);
}

static void test_keys_are_unique(void **state) {
    (void)state;
    int n = 0;
    for (int i = 0; i < action_count; i++) {
        each_key(action_table[i].keys, i, finds_itself);
        n += action_table[i].keys[0] != 0;
    }
    assert_true(n > 25);
}

static void test_keys_of_the_design(void **state) {
    (void)state;
    static const char *const keys[][2] = {
        {"Space", "next"}, {"PageDown", "next"}, {"Right", "next"}, {"Backspace", "back"}, {"PageUp", "back"}, {"Left", "back"},
        {"Shift+Right", "stage.next"}, {"Shift+Left", "stage.back"}, {"Shift+PageDown", "stage.next"}, {"Home", "film.home"},
        {"End", "film.end"}, {"p", "play"}, {"P", "play"}, {"1", "stage 1"}, {"9", "stage 9"}, {"h", "head.next"},
        {"Shift+h", "head.back"}, {"Enter", "explain"}, {"t", "theme"}, {"m", "mask.cycle"}, {"F5", "present"}, {"b", "blank"},
        {".", "blank"}, {"F11", "fullscreen"}, {"Ctrl++", "text.larger"}, {"Ctrl+=", "text.larger"}, {"Ctrl+Shift++", "text.larger"},
        {"Ctrl+-", "text.smaller"}, {"Ctrl+0", "text.reset"}, {"Ctrl+z", "undo"}, {"Ctrl+Shift+Z", "redo"}, {"Ctrl+o", "open"},
        {"Ctrl+s", "save"}, {"Ctrl+e", "export"}, {"Ctrl+c", "copy"}, {"F1", "menu.keys"}, {"?", "menu.keys"},
        {"Shift+?", "menu.keys"}, {"Ctrl+k", "menu.actions"}, {"Ctrl+l", "field"}, {"Alt+Left", "trail.back"}, {"Esc", "escape"},
        {"Ctrl+Left", "select.move left"}, {"F2", "edit"},
    };
    View view;
    view_init(&view);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        Input in = stroke(keys[i][0]);
        char line[ACTION_KEY_LINE_MAX];
        if (!action_key_line(line, &in, &view)) fail_msg("%s does nothing", keys[i][0]);
        assert_string_equal(line, keys[i][1]);
    }
    static const char *const none[] = {"0", "y", "Ctrl+Space", "Alt+Right", "Up", "Shift+1", "Ctrl+Shift+s", "Tab"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        Input in = stroke(none[i]);
        assert_int_equal(action_for_key(&in, &view), -1);
    }
    assert_string_equal(action_key(action_find("next")), "Space");
    assert_string_equal(action_key(action_find("select")), "");
    Input text = {.kind = INPUT_TEXT, .key = "p"};
    assert_int_equal(action_for_key(&text, &view), -1);
}

static void test_arrows_move_a_selected_cell(void **state) {
    (void)state;
    Session s;
    begin(&s);
    char line[ACTION_KEY_LINE_MAX];
    Input up = stroke("Up"), right = stroke("Right"), ctrl = stroke("Ctrl+Down");
    assert_false(action_key_line(line, &up, &s.view));
    run_line(&s, "select weights[2,sat,cat]");
    assert_true(action_key_line(line, &up, &s.view));
    assert_string_equal(line, "select.move up");
    run_line(&s, line);
    assert_int_equal(s.view.selection.index[1], 1);
    assert_true(action_key_line(line, &right, &s.view));
    assert_string_equal(line, "select.move right");
    run_line(&s, "select.move right");
    assert_int_equal(s.view.selection.index[2], 2);
    for (int i = 0; i < 9; i++) run_line(&s, "select.move right"); /* stays inside */
    assert_int_equal(s.view.selection.index[2], 5);
    s.view.presenting = true; /* plain arrows always step there */
    assert_true(action_key_line(line, &right, &s.view));
    assert_string_equal(line, "next");
    assert_true(action_key_line(line, &ctrl, &s.view));
    assert_string_equal(line, "select.move down");
    end(&s);
}

/* ---- lines ---- */

static void test_parse(void **state) {
    (void)state;
    ActionLine line;
    Err err = {0};
    assert_true(action_parse("  text \"The \\\"cat\\\" \\\\ \\n sat\"  ", &line, &err));
    assert_int_equal(line.n, 2);
    assert_string_equal(line.arg[1], "The \"cat\" \\ \n sat");
    assert_true(action_parse("text \"\"", &line, &err));
    assert_int_equal(line.n, 2);
    assert_string_equal(line.arg[1], "");
    assert_true(action_parse("a b\"c d\"e", &line, &err));
    assert_string_equal(line.arg[1], "bc de");
    static const char *const bad[][2] = {{"", "empty"}, {"   ", "empty"}, {"text \"open", "missing"}, {"text \"open\\", "missing"},
                                         {"a b c d e f g h i", "more than 8"}, {"text \xff", "not UTF-8"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Err e = {0};
        assert_false(action_parse(bad[i][0], &line, &e));
        assert_message(&e, bad[i][1]);
    }
    static char long_line[ACTION_LINE_MAX + 10];
    memset(long_line, 'a', sizeof long_line - 1);
    Err e = {0};
    assert_false(action_parse(long_line, &line, &e));
    assert_int_equal(e.code, ERR_LIMIT);
}

static void test_quote_and_back(void **state) {
    (void)state;
    static const char *const texts[] = {"", "cat", "The cat", "a\"b", "back\\slash", "line\nbreak", " ", "我 爱", "\t", "\"", "\\n"};
    Arena arena = {0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ActionLine line;
        Err err = {0};
        char *whole = arena_printf(&arena, "text %s", action_quote(texts[i], &arena));
        assert_true(action_parse(whole, &line, &err));
        assert_int_equal(line.n, 2);
        assert_string_equal(line.arg[1], texts[i]);
    }
    arena_free(&arena);
}

static void test_refusals(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {"maks causal", "did you mean mask?"}, {"xyzzyx", "no action"}, {"next 3", "takes no arguments"},
        {"stage", "stage STAGE"}, {"mask casual", "did you mean causal?"}, {"mask casual", "found 'casual'"},
        {"mask window -1 0", "whole number"}, {"mask window a", "does not know 'a'"}, {"mask causal left", "bottom_right or top_left"},
        {"mask padding -1", "whole number"}, {"position rope", "position is one of"}, {"position none 3", "takes no numbers"},
        {"position rope_half 3 -5", "above 0"}, {"scale much", "expected auto, none"}, {"temperature 0", "a number from"},
        {"heads 0", "whole number"}, {"seed -1", "whole number"}, {"precision f16", "f32, f64"}, {"fill inf", "-inf or a number"},
        {"set maks 1", "did you mean mask"}, {"set mask", "needs more"}, {"model classrom", "did you mean classroom"},
        {"model given", "needs matrices"}, {"tokenizer word", "did you mean words"}, {"edit scores[1,1,1] 3", "is computed"},
        {"edit mask[1,1] 3", "painted"}, {"edit w_q[1,1] x", "is not a number"}, {"edit w_q[99,1] 3", "counts from 1"},
        {"mask.toggle 9 1", ""}, {"mask.toggle 1 1 2", "from 0 to 1"}, {"text a b", "quote a text with spaces"},
        {"speed 99", "0.25 to 8"}, {"speed nan", "0.25 to 8"}, {"head 5", "1 to 4"}, {"stage 10", "1 to 9"},
        {"stage softmx", "did you mean softmax"}, {"step 99", "from 0 to"}, {"seek 2", "from 0 to 1"},
        {"theme darkk", "did you mean dark"}, {"palette jet", "one of"},
        {"select weights[2,dog,1]", "no token"}, {"explain", ""}, {"edit", "Select a number first"},
    };
    Session s;
    begin(&s);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (str_eq(bad[i][0], "explain")) continue; /* has something to explain here */
        fail_line(&s, bad[i][0], bad[i][1]);
    }
    end(&s);
}

static void test_without_a_run(void **state) {
    (void)state;
    Session s = {0};
    doc_init(&s.doc);
    view_init(&s.view);
    for (int i = 0; i < action_count; i++) { /* nothing may crash */
        ActionLine line;
        char text[128];
        int effect;
        snprintf(text, sizeof text, "%s 1 1", action_table[i].name);
        ActionContext cx = {.doc = &s.doc, .view = &s.view, .run = NULL, .context = NULL};
        for (int words = 1; words <= 3; words++) {
            assert_true(action_parse(text, &line, NULL));
            line.n = words;
            action_run(&cx, &line, &effect, NULL);
        }
        action_enabled(&cx, i);
    }
    doc_reset(&s.doc);
}

static void test_effects(void **state) {
    (void)state;
    Session s;
    begin(&s);
    int effect;
    Err err = {0};
    assert_true(try_line(&s, "save out.yaml", &effect, &err));
    assert_string_equal(action_table[effect].name, "save");
    end(&s);
}

/* ---- the document ---- */

static void test_masks(void **state) {
    (void)state;
    static const char *const lines[][2] = {
        {"mask none", ""}, {"mask causal", "mask: causal\n"}, {"mask causal top_left", "mask: causal\ncausal_align: top_left\n"},
        {"mask window 2 0", "left: 2, right: 0"}, {"mask window", "left: 2, right: 0"}, {"mask window 1 1", "left: 1, right: 1"},
        {"mask padding 2", "keys: 2}"}, {"mask padding 2 left", "keys: 2, side: left"}, {"mask local_block 4", "block: 4"},
        {"mask local_block 4 causal", "block: 4, causal: true"}, {"mask strided 3", "stride: 3"},
        {"mask global_window 1 1", "each_side: 1, tokens: [1]"}, {"mask global_window 2 3 4", "each_side: 2, tokens: [3, 4]"},
        {"set mask \"[causal, {kind: padding, keys: [1]}]\"", "mask: [causal, {kind: padding, keys: [1]}]"},
        {"set keep [[1,0],[1,1]]", "keep: [[1, 0], [1, 1]]"},
    };
    Session s;
    Arena arena = {0};
    begin(&s);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        run_line(&s, lines[i][0]);
        char *text = yaml_write(&s.doc, NULL, &arena);
        if (!strstr(text, lines[i][1])) fail_msg("%s gives\n%s", lines[i][0], text);
    }
    run_line(&s, "mask none");
    const char *seen[12];
    for (int i = 0; i < 7; i++) { /* comes round */
        run_line(&s, "mask.cycle");
        seen[i] = s.doc.n_masks ? mask_names[s.doc.masks[0].spec.kind] : "none";
        for (int j = 0; j < i; j++) assert_string_not_equal(seen[i], seen[j]);
    }
    assert_string_equal(seen[0], "causal");
    assert_string_equal(seen[6], "none");
    arena_free(&arena);
    end(&s);
}

static void test_painting_a_mask(void **state) {
    (void)state;
    Session s;
    begin(&s);
    run_line(&s, "mask.toggle sat mat"); /* causal hides it: now shown */
    assert_int_equal(s.doc.masks[0].spec.kind, MASK_CUSTOM);
    assert_near(value_of(s.run, "mask[sat, mat]"), 1, 0);
    assert_near(value_of(s.run, "mask[cat, mat]"), 0, 0);
    run_line(&s, "mask.toggle 3 6");
    assert_near(value_of(s.run, "mask[sat, mat]"), 0, 0);
    run_line(&s, "mask.toggle 3 6 0");
    assert_near(value_of(s.run, "mask[sat, mat]"), 0, 0);
    /* a word is put in front: rows and columns go with their tokens, what is new may be read */
    run_line(&s, "mask.toggle sat cat 0");
    run_line(&s, "text \"Look The cat sat on the mat\"");
    assert_int_equal(s.run->tokens.n, 7);
    assert_near(value_of(s.run, "mask[sat, cat]"), 0, 0);
    assert_near(value_of(s.run, "mask[Look, mat]"), 1, 0);
    assert_near(value_of(s.run, "mask[cat, mat]"), 0, 0);
    run_line(&s, "text \"Look The sat on the mat\"");
    assert_near(value_of(s.run, "mask[sat, mat]"), 0, 0);
    assert_near(value_of(s.run, "mask[sat, 2]"), 1, 0);
    run_line(&s, "mask none");
    run_line(&s, "mask.toggle 1 2");
    assert_near(value_of(s.run, "mask[1, 2]"), 0, 0);
    assert_near(value_of(s.run, "mask[2, 1]"), 1, 0);
    end(&s);
}

static void test_edits_follow_their_token(void **state) {
    (void)state;
    Session s;
    begin(&s);
    run_line(&s, "edit tok[sat,noun] 9");
    assert_near(value_of(s.run, "x[sat, noun]"), 9, 0);
    run_line(&s, "text \"Now the cat sat on the mat\"");
    assert_near(value_of(s.run, "x[sat, noun]"), 9, 0);
    assert_near(value_of(s.run, "x[cat, noun]"), 1, 0);
    run_line(&s, "text \"Now the cat sa on the mat\""); /* while it is typed over */
    assert_near(value_of(s.run, "x[sa, noun]"), 9, 0);
    run_line(&s, "text \"Now the cat on the mat\"");
    assert_int_equal(s.doc.n_edits, 0);
    run_line(&s, "edit w_q[2,noun] 0.5");
    run_line(&s, "text \"cat\"");
    assert_near(value_of(s.run, "w_q[2, noun]"), 0.5, 0);
    run_line(&s, "edits.clear");
    assert_int_equal(s.doc.n_edits, 0);
    end(&s);
}

static void test_padding_follows(void **state) {
    (void)state;
    Session s;
    begin(&s);
    run_line(&s, "set mask \"{kind: padding, keys: [2, 3]}\"");
    run_line(&s, "text \"So The cat sat on the mat\"");
    assert_near(value_of(s.run, "mask[1, cat]"), 0, 0);
    assert_near(value_of(s.run, "mask[1, The]"), 1, 0);
    run_line(&s, "text \"So The on the mat\"");
    assert_int_equal(s.doc.n_masks, 0);
    end(&s);
}

static void test_models(void **state) {
    (void)state;
    Session s;
    begin(&s);
    run_line(&s, "model molecule");
    assert_int_equal(s.doc.tokenizer, TOKENIZER_SMILES);
    assert_string_equal(doc_text(&s.doc), "CCO"); /* the sentence was no molecule */
    run_line(&s, "text \"CC(=O)Oc1ccccc1C(=O)O\"");
    run_line(&s, "model classroom");
    assert_int_equal(s.doc.tokenizer, TOKENIZER_WORDS);
    run_line(&s, "tokenizer smiles");
    run_line(&s, "text \"C[NH3+]ClBr%12\"");
    run_line(&s, "model molecule");
    assert_string_equal(doc_text(&s.doc), "C[NH3+]ClBr%12");
    run_line(&s, "model random");
    run_line(&s, "heads 2");
    assert_int_equal(s.run->spec.n_heads, 2);
    run_line(&s, "model classroom"); /* its sizes come with it */
    assert_int_equal(s.run->spec.n_heads, 4);
    doc_reset(&s.doc);
    doc_of_file("L02.yaml", 0, &s.doc);
    run_line(&s, "model classroom");
    assert_int_equal(s.doc.matrix[MATRIX_Q].rank, 0);
    assert_int_equal(s.doc.projections, PROJ_LINEAR);
    assert_string_equal(s.run->source.badge, "made by hand");
    assert_int_equal(s.run->tokens.n, 4);
    end(&s);
}

static void test_settings(void **state) {
    (void)state;
    Session s;
    begin(&s);
    run_line(&s, "position rope_half 2 100 5");
    assert_int_equal(s.run->spec.position.rope_dim, 2);
    assert_near(s.run->spec.position.rope_theta, 100, 0);
    assert_int_equal(s.run->spec.position.rope_offset, 5);
    run_line(&s, "position built-in");
    assert_int_equal(s.run->spec.position.kind, POSITION_GIVEN);
    run_line(&s, "scale none");
    run_line(&s, "temperature 2");
    assert_near(value_of(s.run, "scaled[1, sat, cat]"), 12, 1e-5);
    run_line(&s, "scale 0.25");
    assert_near(value_of(s.run, "scaled[1, sat, cat]"), 3, 1e-5);
    run_line(&s, "precision f64");
    run_line(&s, "empty_row nan");
    run_line(&s, "fill -1e9");
    run_line(&s, "mask_op add");
    assert_near(s.run->spec.fill, -1e9, 0);
    run_line(&s, "source \"a dog\"");
    assert_true(s.run->cross);
    run_line(&s, "source \"\"");
    assert_false(s.run->cross);
    run_line(&s, "set view.theme dark");
    assert_int_equal(s.view.theme, THEME_DARK);
    run_line(&s, "new");
    Doc fresh;
    doc_init(&fresh);
    assert_true(doc_equal(&fresh, &s.doc));
    doc_reset(&fresh);
    end(&s);
}

static void test_given_tokens_are_renamed(void **state) {
    (void)state;
    Session s = {0};
    view_init(&s.view);
    doc_of_file("L07.yaml", 0, &s.doc);
    s.run = run_of(&s.doc);
    assert_true(doc_rows_given(&s.doc));
    run_line(&s, "text \"I like milk <pad> <pad>\"");
    assert_string_equal(s.run->tokens.items[2].label, "milk");
    assert_near(value_of(s.run, "weights[1, I, milk]"), 1.0 / 3, 1e-6);
    run_line(&s, "text \"I like\""); /* the document says so; the run tells why it cannot be */
    Run *run;
    Err err = {0};
    assert_false(run_build(&s.doc, doc_context(), &run, &err));
    assert_message(&err, "renamed, not added or removed");
    end(&s);
}

/* ---- the view ---- */

static void test_stages_and_steps(void **state) {
    (void)state;
    Session s;
    begin(&s);
    Film *film = &s.view.film;
    run_line(&s, "stage 3");
    assert_true(film->stage == 2 && film->position == 0);
    run_line(&s, "stage 3"); /* once there: to its end */
    assert_near(film->position, 36, 0);
    run_line(&s, "stage softmax end");
    assert_true(film->stage == 5 && film->position == 18);
    run_line(&s, "step 4");
    assert_near(film->position, 4, 0);
    run_line(&s, "stage.next");
    assert_true(film->stage == 5 && film->position == 18);
    run_line(&s, "stage.next");
    assert_true(film->stage == 6 && film->position == 24);
    run_line(&s, "stage.back");
    assert_true(film->stage == 5 && film->position == 18);
    run_line(&s, "film.home");
    run_line(&s, "stage.back");
    assert_true(film->stage == 0 && film->position == 0);
    run_line(&s, "film.end");
    assert_int_equal(film->stage, 8);
    run_line(&s, "seek 0.5");
    assert_int_equal(film->stage, 4);
    run_line(&s, "speed 2");
    run_line(&s, "speed");
    assert_near(film->speed, 4, 0);
    run_line(&s, "speed");
    run_line(&s, "speed");
    assert_near(film->speed, 0.25, 0);
    end(&s);
}

/* PageDown three times, PageUp, '.', '.', F5, Esc. */
static void test_remote_control(void **state) {
    (void)state;
    Session s;
    begin(&s);
    s.view.reduced_motion = true;
    for (int i = 0; i < 3; i++) run_line(&s, "next");
    run_line(&s, "back");
    assert_near(s.view.film.position, 2, 0);
    run_line(&s, "blank");
    assert_true(s.view.blank);
    run_line(&s, "next"); /* restores and does not step */
    assert_false(s.view.blank);
    assert_near(s.view.film.position, 2, 0);
    run_line(&s, "present");
    assert_true(s.view.presenting);
    run_line(&s, "menu mask");
    run_line(&s, "escape"); /* closes the menu, then leaves */
    assert_true(s.view.presenting);
    run_line(&s, "escape");
    assert_false(s.view.presenting);
    end(&s);
}

static void test_explanations_and_trail(void **state) {
    (void)state;
    Session s;
    begin(&s);
    run_line(&s, "stage softmax end");
    run_line(&s, "select weights[2,sat,cat]");
    assert_int_equal(s.view.head, 1);
    run_line(&s, "explain scores[2,sat,cat]");
    assert_int_equal(s.view.n_trail, 1);
    assert_int_equal(s.view.film.stage, 2);
    assert_near(s.view.film.position, 36, 0);
    run_line(&s, "explain"); /* its first operand is a number of q */
    assert_string_equal(s.view.selection.tensor, "q");
    assert_int_equal(s.view.film.stage, 1);
    run_line(&s, "explain");
    assert_string_equal(s.view.selection.tensor, "x");
    run_line(&s, "explain");
    assert_string_equal(s.view.selection.tensor, "tok");
    assert_int_equal(s.view.film.stage, 0);
    fail_line(&s, "explain", "comes from no other");
    run_line(&s, "trail.back");
    run_line(&s, "trail.back");
    run_line(&s, "escape"); /* a trail step is the innermost thing */
    assert_string_equal(s.view.selection.tensor, "scores");
    run_line(&s, "trail.back");
    assert_string_equal(s.view.selection.tensor, "weights");
    assert_true(s.view.film.stage == 5 && s.view.film.position == 18); /* exactly where it began */
    assert_int_equal(s.view.n_trail, 0);
    run_line(&s, "escape");
    assert_string_equal(s.view.selection.tensor, "");
    run_line(&s, "escape"); /* never quits */
    /* without a selection: the number that the film works on */
    run_line(&s, "stage 3");
    run_line(&s, "step 14");
    run_line(&s, "explain");
    assert_string_equal(s.view.selection.tensor, "scores");
    assert_true(s.view.selection.index[0] == 1 && s.view.selection.index[1] == 2 && s.view.selection.index[2] == 1);
    for (int i = 0; i < 50; i++) run_line(&s, i % 2 ? "explain q[1,1,1]" : "explain k[1,1,1]");
    assert_int_equal(s.view.n_trail, TRAIL_MAX);
    end(&s);
}

/* Enter goes to a number that counts, never to one that adds 0: to the largest product, or to the maximum itself. */
static void test_explain_follows_what_counts(void **state) {
    (void)state;
    static const char *const from[] = {"out[sat,3]", "out[6,2]", "scores[2,sat,cat]", "weights[2,sat,cat]", "row_max[2,sat]", "row_sum[1,3]"};
    Session s;
    begin(&s);
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
        char line[64];
        snprintf(line, sizeof line, "select %s", from[i]);
        run_line(&s, line);
        for (int effect, n = 0; n < 12; n++) {
            Err err = {0};
            Explanation e;
            Arena arena = {0};
            ViewRef at = s.view.selection;
            assert_true(trace_explain(s.run->trace, trace_find(s.run->trace, at.tensor), at.index, &arena, &e, &err));
            const Ref *source = explanation_source(&e);
            double most = 0;
            for (int t = 0; t < e.n_terms; t++) most = fmax(most, fabs(e.terms[t].value));
            for (int t = 0; t < e.n_terms; t++)
                if (&e.terms[t].a == source && (e.form == FORM_DOT || e.form == FORM_SUM)) assert_near(fabs(e.terms[t].value), most, 0);
            if (e.form == FORM_MAX) assert_near(source->value, e.self.value, 0);
            bool went = try_line(&s, "explain", &effect, &err);
            assert_int_equal(went, source != NULL);
            if (went) assert_memory_equal(s.view.selection.index, source->index, sizeof source->index);
            if (went && (e.form == FORM_DOT || e.form == FORM_SUM) && e.self.value != 0) assert_true(source->value != 0);
            arena_free(&arena);
            if (!went) break;
        }
    }
    end(&s);
}

/* A number stays selected in its stage; in another one the inspector is the film's again. */
static void test_a_selection_stays_in_its_stage(void **state) {
    (void)state;
    static const struct {
        const char *from, *line;
        bool stays;
    } moves[] = {
        {"scores", "next", false},        {"scores", "stage.next", false}, {"scores", "stage 5", false}, {"scores", "film.home", false},
        {"scores", "film.end", false},    {"scores", "seek 0.9", false},   {"scores", "play", false},    {"scores", "stage.back", false},
        {"scores", "back", true},         {"scores", "stage 3", true},     {"scores", "seek 0.3", true}, {"scores", "head 2", true},
        {"scores", "explain", true},
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        char line[64];
        Session s;
        begin(&s);
        snprintf(line, sizeof line, "stage %s end", moves[i].from);
        run_line(&s, line);
        run_line(&s, "select scores[1,2,1]");
        run_line(&s, moves[i].line);
        if ((s.view.selection.tensor[0] != 0) != moves[i].stays) fail_msg("%s", moves[i].line);
        if (!moves[i].stays) assert_int_equal(s.view.n_trail, 0);
        end(&s);
    }
}

/* In every stage and at every step there is something to explain, or it is said. */
static void test_explain_everywhere(void **state) {
    (void)state;
    static const char *const yaml[] = {"attnscope: 1\nmask: causal\n", "attnscope: 1\nposition: rope_half\n",
                                       "attnscope: 1\ntokens: [\"a\", \"b\"]\nweights: [[1, 0], [0, 1]]\n",
                                       "attnscope: 1\ntext: \"a b c\"\nmodel: random\nheads: 4\nkv_heads: 2\nposition: alibi\n"};
    for (size_t y = 0; y < sizeof yaml / sizeof *yaml; y++) {
        Session s = {0};
        view_init(&s.view);
        doc_of(yaml[y], &s.doc);
        s.run = run_of(&s.doc);
        for (int stage = 0; stage < 9; stage++)
            for (int step = 0; step <= film_steps(s.run->trace, stage); step++) {
                int effect;
                Err err = {0};
                char line[32];
                snprintf(line, sizeof line, "stage %d start", stage + 1);
                run_line(&s, line);
                film_rest(&s.view.film, s.run->trace, step);
                run_line(&s, "select.none");
                s.view.head = s.run->spec.n_heads - 1;
                if (!try_line(&s, "explain", &effect, &err)) assert_message(&err, "no number to explain");
                else assert_true(trace_find(s.run->trace, s.view.selection.tensor) >= 0);
            }
        end(&s);
    }
}

static void test_looks_and_focus(void **state) {
    (void)state;
    Session s;
    begin(&s);
    run_line(&s, "theme");
    assert_int_equal(s.view.theme, THEME_DARK);
    run_line(&s, "theme print");
    run_line(&s, "theme");
    assert_int_equal(s.view.theme, THEME_LIGHT);
    run_line(&s, "palette viridis");
    for (int i = 0; i < 20; i++) run_line(&s, "text.larger");
    assert_near(s.view.text_scale, 3, 0);
    for (int i = 0; i < 20; i++) run_line(&s, "text.smaller");
    assert_near(s.view.text_scale, 0.75, 0);
    run_line(&s, "text.larger");
    run_line(&s, "text.reset");
    assert_near(s.view.text_scale, 1, 0);
    run_line(&s, "head 3");
    run_line(&s, "head.next");
    run_line(&s, "head.next");
    assert_int_equal(s.view.head, 0);
    run_line(&s, "head.back");
    assert_int_equal(s.view.head, 3);
    run_line(&s, "select weights[1,2,2]");
    run_line(&s, "head.next");
    assert_int_equal(s.view.selection.index[0], 1);
    run_line(&s, "field");
    assert_string_equal(s.view.focus, "top.field");
    snprintf(s.view.composition, sizeof s.view.composition, "ni");
    run_line(&s, "menu mask");
    run_line(&s, "escape");
    assert_string_equal(s.view.composition, "");
    run_line(&s, "escape");
    assert_string_equal(s.view.menu, "");
    run_line(&s, "escape");
    assert_string_equal(s.view.focus, "");
    run_line(&s, "menu.keys");
    run_line(&s, "menu.keys");
    assert_string_equal(s.view.menu, "");
    end(&s);
}

static void test_asking_for_a_number(void **state) {
    (void)state;
    Session s;
    begin(&s);
    run_line(&s, "select w_q[1,2]");
    run_line(&s, "edit");
    assert_string_equal(s.view.menu, "edit");
    double value;
    assert_true(str_to_double(s.view.query, &value));
    assert_near(value, value_of(s.run, "w_q[1, 2]"), 0);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table), cmocka_unit_test(test_keys_are_unique), cmocka_unit_test(test_keys_of_the_design),
        cmocka_unit_test(test_arrows_move_a_selected_cell), cmocka_unit_test(test_parse), cmocka_unit_test(test_quote_and_back),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_without_a_run), cmocka_unit_test(test_effects),
        cmocka_unit_test(test_masks), cmocka_unit_test(test_painting_a_mask), cmocka_unit_test(test_edits_follow_their_token),
        cmocka_unit_test(test_padding_follows), cmocka_unit_test(test_models), cmocka_unit_test(test_settings),
        cmocka_unit_test(test_given_tokens_are_renamed), cmocka_unit_test(test_stages_and_steps),
        cmocka_unit_test(test_remote_control), cmocka_unit_test(test_explanations_and_trail),
        cmocka_unit_test(test_explain_follows_what_counts), cmocka_unit_test(test_a_selection_stays_in_its_stage),
        cmocka_unit_test(test_explain_everywhere), cmocka_unit_test(test_looks_and_focus),
        cmocka_unit_test(test_asking_for_a_number),
    };
    return cmocka_run_group_tests_name("action", tests, NULL, NULL);
}
