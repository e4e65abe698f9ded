/* The text field's model. A state is written as its text with | for the caret and ^ for the anchor where it
 * differs: "the ^cat| sat". */
#include "support/support.h"

#include <stdio.h>

#include "base/str.h"
#include "ui/textedit.h"

static Arena arena;

static TextEdit state(const char *written) {
    char *text = arena_alloc(&arena, strlen(written) + 1, 1);
    size_t n = 0, caret = 0, anchor = 0;
    bool has_anchor = false;
    for (const char *c = written; *c; c++) {
        if (*c == '|') caret = n;
        else if (*c == '^') anchor = n, has_anchor = true;
        else text[n++] = *c;
    }
    TextEdit edit;
    textedit_init(&edit, &arena, text, n, caret, has_anchor ? anchor : caret);
    return edit;
}

static const char *written(const TextEdit *edit) {
    StrBuf sb;
    sb_init(&sb, &arena);
    for (size_t i = 0; i <= edit->length; i++) {
        if (i == edit->anchor && edit->anchor != edit->caret) sb_add(&sb, "^");
        if (i == edit->caret) sb_add(&sb, "|");
        if (i < edit->length) sb_add_n(&sb, edit->text + i, 1);
    }
    return sb.data;
}

static Input key(unsigned mods, const char *name) {
    Input input = {.kind = INPUT_KEY, .mods = mods};
    snprintf(input.key, sizeof input.key, "%s", name);
    return input;
}

typedef struct {
    const char *before;
    unsigned mods;
    const char *key, *after;
} KeyCase;

static const KeyCase key_cases[] = {
    {"the| cat", 0, "Left", "th|e cat"},
    {"|the", 0, "Left", "|the"},
    {"the|", 0, "Right", "the|"},
    {"th|e", 0, "Right", "the|"},
    {"the ^cat| sat", 0, "Left", "the |cat sat"},
    {"the |cat^ sat", 0, "Right", "the cat| sat"},
    {"the| cat", MOD_SHIFT, "Left", "th|e^ cat"},
    {"th|e^ cat", MOD_SHIFT, "Right", "the| cat"},
    {"the ca|t sat", MOD_CTRL, "Left", "the |cat sat"},
    {"the |cat sat", MOD_CTRL, "Left", "|the cat sat"},
    {"|the cat", MOD_CTRL, "Right", "the |cat"},
    {"the |cat", MOD_CTRL | MOD_SHIFT, "Right", "the ^cat|"},
    {"the| cat", 0, "Home", "|the cat"},
    {"the| cat", 0, "End", "the cat|"},
    {"the| cat", MOD_SHIFT, "Home", "|the^ cat"},
    {"the| cat", MOD_SHIFT, "End", "the^ cat|"},
    {"the| cat", 0, "Up", "|the cat"},
    {"the| cat", 0, "Down", "the cat|"},
    {"the| cat", 0, "Backspace", "th| cat"},
    {"|the", 0, "Backspace", "|the"},
    {"the ^cat| sat", 0, "Backspace", "the | sat"},
    {"the| cat", 0, "Delete", "the|cat"},
    {"the|", 0, "Delete", "the|"},
    {"the cat| sat", MOD_CTRL, "Backspace", "the | sat"},
    {"the |cat sat", MOD_CTRL, "Delete", "the |sat"},
    {"|the cat", MOD_CTRL, "a", "^the cat|"},
    {"the ^cat| sat", MOD_CTRL, "x", "the | sat"},
    {"the ^cat| sat", MOD_CTRL, "c", "the ^cat| sat"},
    {"th|e", 0, "a", "th|e"},
    {"th|e", 0, "Space", "th|e"},
    /* one key, one thing that is seen: e with an accent put on it, a family, a flag */
    {"e\xCC\x81|x", 0, "Backspace", "|x"},
    {"a\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7|", 0, "Left",
     "a|\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7"},
    {"\xE7\x8C\xAB|\xE5\x9D\x90", 0, "Delete", "\xE7\x8C\xAB|"},
    {"\xE7\x8C\xAB|\xE5\x9D\x90", 0, "Left", "|\xE7\x8C\xAB\xE5\x9D\x90"},
};

static void keys_do_what_the_table_says(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof key_cases / sizeof key_cases[0]; i++) {
        const KeyCase *c = &key_cases[i];
        TextEdit edit = state(c->before);
        Input input = key(c->mods, c->key);
        assert_true(textedit_key(&edit, &input));
        if (!str_eq(written(&edit), c->after))
            fail_msg("%s + %u %s gives %s, expected %s", c->before, c->mods, c->key, written(&edit), c->after);
        assert_int_equal(edit.changed, !str_eq(edit.text, state(c->before).text));
    }
}

static void some_keys_are_not_the_fields(void **unused) {
    (void)unused;
    static const struct { unsigned mods; const char *key; } cases[] = {
        {0, "Tab"}, {0, "Enter"}, {0, "Esc"}, {0, "F5"}, {0, "F11"}, {0, "PageUp"}, {0, "PageDown"},
        {MOD_CTRL, "z"}, {MOD_CTRL | MOD_SHIFT, "z"}, {MOD_CTRL, "s"}, {MOD_CTRL, "k"}, {MOD_ALT, "Left"}, {MOD_CTRL, "+"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TextEdit edit = state("the| cat");
        Input input = key(cases[i].mods, cases[i].key);
        if (textedit_key(&edit, &input)) fail_msg("the field took %s", cases[i].key);
        assert_string_equal(written(&edit), "the| cat");
    }
}

static void inserting(void **unused) {
    (void)unused;
    static const struct { const char *before, *text, *after; } cases[] = {
        {"the| cat", "re", "there| cat"},
        {"the ^cat| sat", "dog", "the dog| sat"},
        {"|", "\xE7\x8C\xAB", "\xE7\x8C\xAB|"},
        {"a|b", "", "a|b"},
        {"a^b|c", "", "a|c"},
        {"|", "one\r\ntwo\x01\x7F", "one\ntwo|"},
        {"|", "x\xFFy", "x\xEF\xBF\xBDy|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TextEdit edit = state(cases[i].before);
        textedit_insert(&edit, cases[i].text, strlen(cases[i].text));
        assert_string_equal(written(&edit), cases[i].after);
    }
}

static void one_line_fields_take_no_newline(void **unused) {
    (void)unused;
    TextEdit edit = state("|");
    edit.one_line = true;
    textedit_insert(&edit, "a\nb\tc", 5);
    assert_string_equal(written(&edit), "a b c|");
}

static void a_full_field_says_so_and_keeps_whole_characters(void **unused) {
    (void)unused;
    TextEdit edit = state("ab|");
    edit.max = 6;
    textedit_insert(&edit, "\xE7\x8C\xAB\xE5\x9D\x90", 6); /* room for one of the two */
    assert_string_equal(written(&edit), "ab\xE7\x8C\xAB|");
    assert_true(edit.full);
    edit.full = edit.changed = false;
    textedit_insert(&edit, "\xE7\x8C\xAB", 3);
    assert_string_equal(written(&edit), "ab\xE7\x8C\xAB|");
    assert_true(edit.full);
    assert_false(edit.changed);
}

static void clipboard(void **unused) {
    (void)unused;
    TextEdit edit = state("the ^cat| sat");
    Input copy = key(MOD_CTRL, "c"), cut = key(MOD_CTRL, "x"), paste = key(MOD_CTRL, "v");
    assert_true(textedit_key(&edit, &copy));
    assert_string_equal(edit.clipboard, "cat");
    assert_true(textedit_key(&edit, &cut));
    assert_string_equal(edit.clipboard, "cat");
    assert_true(edit.changed);
    assert_true(textedit_key(&edit, &copy)); /* nothing selected: nothing copied */
    assert_null(edit.clipboard);
    assert_true(textedit_key(&edit, &paste));
    assert_true(edit.wants_paste);
    textedit_insert(&edit, "dog", 3);
    assert_string_equal(written(&edit), "the dog| sat");
}

/* In a line of things that are seen as one each, every key takes whole ones: Backspace and Delete one, arrows step over one, a click
 * between them or inside stands at an edge, a double click selects whole ones. */
static void keys_take_whole_clusters(void **unused) {
    (void)unused;
    static const char *const seen[] = {"a", "\U0001F468\u200D\U0001F469\u200D\U0001F467", " ", "\u732B", "e\u0301", "\U0001F1E9\U0001F1EA", "\u2764\uFE0F", "x\u0302\u0323", "\u1112\u1161\u11AB", "b"};
    enum { SEEN = sizeof seen / sizeof seen[0] };
    size_t edge[SEEN + 1] = {0};
    StrBuf line;
    sb_init(&line, &arena);
    for (int i = 0; i < SEEN; i++) {
        sb_add(&line, seen[i]);
        edge[i + 1] = line.length;
    }
    for (int i = 0; i < SEEN; i++)
        for (size_t at = edge[i]; at < edge[i + 1]; at++) {
            TextEdit edit;
            textedit_init(&edit, &arena, line.data, line.length, at, at); /* wherever it is put, it stands at an edge */
            assert_int_equal(edit.caret, edge[i]);
            Input right = key(0, "Right"), left = key(0, "Left"), back = key(0, "Backspace"), del = key(0, "Delete");
            textedit_key(&edit, &right);
            assert_int_equal(edit.caret, edge[i + 1]);
            textedit_key(&edit, &left);
            assert_int_equal(edit.caret, edge[i]);
            textedit_key(&edit, &del);
            assert_int_equal(edit.length, line.length - (edge[i + 1] - edge[i]));
            textedit_init(&edit, &arena, line.data, line.length, edge[i + 1], edge[i + 1]);
            textedit_key(&edit, &back);
            assert_int_equal(edit.length, line.length - (edge[i + 1] - edge[i]));
            assert_int_equal(edit.caret, edge[i]);
            textedit_init(&edit, &arena, line.data, line.length, 0, 0);
            textedit_select_word(&edit, at);
            bool from = false, to = false;
            for (int k = 0; k <= SEEN; k++) from |= edit.anchor == edge[k], to |= edit.caret == edge[k];
            assert_true(from && to);
        }
}

static void words_are_selected_whole(void **unused) {
    (void)unused;
    static const struct { const char *before, *after; } cases[] = {
        {"the c|at sat", "the ^cat| sat"}, {"th|e cat", "^the| cat"}, {"the sa|t", "the ^sat|"}, {"the |cat", "the ^cat|"}, {"|", "|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TextEdit edit = state(cases[i].before);
        textedit_select_word(&edit, edit.caret);
        assert_string_equal(written(&edit), cases[i].after);
    }
}

static void positions_are_put_on_boundaries(void **unused) {
    (void)unused;
    TextEdit edit;
    textedit_init(&edit, &arena, "\xE7\x8C\xAB", 3, 2, 99);
    assert_int_equal(edit.caret, 0);
    assert_int_equal(edit.anchor, 3);
    textedit_init(&edit, &arena, "e\xCC\x81", 3, 1, 0); /* between a letter and its accent */
    assert_int_equal(edit.caret, 0);
}

static void the_caret_leaves_a_cluster_that_forms_around_it(void **unused) {
    (void)unused;
    TextEdit edit = state("|\xCC\x81x"); /* an accent that has no letter yet */
    textedit_insert(&edit, "e", 1);
    assert_string_equal(written(&edit), "e\xCC\x81|x");
    textedit_init(&edit, &arena, "\xF0\x9F\x87\xA9 \xF0\x9F\x87\xAA", 9, 5, 4); /* two halves of a flag, the space selected */
    Input remove = key(0, "Delete");
    textedit_key(&edit, &remove);
    assert_int_equal(edit.length, 8);
    assert_int_equal(edit.caret, 8);
    assert_int_equal(edit.anchor, 8);
}

static void words_are_selected_with_their_marks(void **unused) {
    (void)unused;
    TextEdit edit;
    const char *text = "a \xCC\x81\r\nb";
    textedit_init(&edit, &arena, text, strlen(text), 0, 0);
    textedit_select_word(&edit, 0);
    assert_int_equal(edit.caret, 4); /* not between CR and LF, not before the accent */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_do_what_the_table_says),
        cmocka_unit_test(some_keys_are_not_the_fields),
        cmocka_unit_test(inserting),
        cmocka_unit_test(one_line_fields_take_no_newline),
        cmocka_unit_test(a_full_field_says_so_and_keeps_whole_characters),
        cmocka_unit_test(clipboard),
        cmocka_unit_test(words_are_selected_whole),
        cmocka_unit_test(positions_are_put_on_boundaries),
        cmocka_unit_test(keys_take_whole_clusters),
        cmocka_unit_test(the_caret_leaves_a_cluster_that_forms_around_it),
        cmocka_unit_test(words_are_selected_with_their_marks),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
