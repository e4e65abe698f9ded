/* The text field: keys, insertions, clicks; the caret always stands on the boundary of a cluster. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "ui/textedit.h"

static const char *const pieces[] = {"a", "The cat ", "\xE7\x8C\xAB", "e\xCC\x81", "\xCC\x81", "\xF0\x9F\x91\xA8", "\xE2\x80\x8D", "\xF0\x9F\x87\xA9", "\xF0\x9F\x87\xAA", "\n", "\r\n", "\r",
                                     "\t", " ", "\xFF\xC0", "\xEF\xB8\x8F", "\xE1\x84\x80", "\xE1\x85\xA1", "\"", "\x01"};
enum { PIECES = sizeof pieces / sizeof *pieces };
static const char *const keys[] = {"Left", "Right", "Up", "Down", "Home", "End", "Backspace", "Delete", "a", "c", "x", "v", "Insert", "Space", "Enter", "Tab", "F2", "PageUp"};
enum { KEYS = sizeof keys / sizeof *keys };

const FuzzTarget fuzz_target = {.name = "fuzz_text", .cases = 250000, .max = 160};

static bool is_boundary(const char *text, size_t length, size_t pos) {
    size_t at = 0;
    while (at < pos) at = utf8_grapheme_next(text, length, at);
    return at == pos;
}

static void check_field(const TextEdit *edit) {
    fuzz_check(strlen(edit->text) == edit->length, "length %zu of \"%s\"", edit->length, edit->text);
    fuzz_check(utf8_valid_until(edit->text, edit->length) == edit->length, "not UTF-8");
    fuzz_check(edit->max == 0 || edit->length <= edit->max, "%zu bytes", edit->length);
    fuzz_check(is_boundary(edit->text, edit->length, edit->caret), "the caret stands inside a cluster, at %zu of \"%s\"", edit->caret, edit->text);
    fuzz_check(is_boundary(edit->text, edit->length, edit->anchor), "the anchor stands inside a cluster, at %zu of \"%s\"", edit->anchor, edit->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FuzzBytes bytes = {data, size, 0};
    Arena arena = {0};
    TextEdit edit;
    const char *start = "The cat e\xCC\x81\n\xE7\x8C\xAB";
    textedit_init(&edit, &arena, start, strlen(start), fuzz_pick(&bytes, 30), fuzz_pick(&bytes, 30));
    edit.max = fuzz_pick(&bytes, 2) ? 40 : 0;
    edit.one_line = fuzz_pick(&bytes, 2);
    check_field(&edit);
    while (fuzz_more(&bytes)) {
        unsigned what = fuzz_pick(&bytes, 8);
        Input input = {.kind = INPUT_KEY, .mods = fuzz_pick(&bytes, 4) ? 0 : fuzz_pick(&bytes, 8)};
        if (what < 3) {
            const char *piece = pieces[fuzz_pick(&bytes, PIECES)];
            textedit_insert(&edit, piece, strlen(piece));
        } else if (what == 3) {
            textedit_move(&edit, fuzz_pick(&bytes, 60), fuzz_pick(&bytes, 2));
        } else if (what == 4) {
            textedit_select_word(&edit, fuzz_pick(&bytes, 60));
        } else {
            snprintf(input.key, sizeof input.key, "%s", keys[fuzz_pick(&bytes, KEYS)]);
            if (textedit_key(&edit, &input) && edit.clipboard) textedit_insert(&edit, edit.clipboard, strlen(edit.clipboard));
        }
        check_field(&edit);
    }
    arena_free(&arena);
    return 0;
}
