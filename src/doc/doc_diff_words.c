/* Values of settings as they stand in a file, in words of the language of the screen. */
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/doc_diff_words.h"

static const char *const words[] = {
    tr_mark("none"), tr_mark("auto"), tr_mark("linear"), tr_mark("true"), tr_mark("false"), tr_mark("causal"), tr_mark("padding"), tr_mark("window"),
    tr_mark("local_block"), tr_mark("global_window"), tr_mark("strided"), tr_mark("custom"), tr_mark("keys"), tr_mark("side"), tr_mark("left"), tr_mark("right"),
    tr_mark("block"), tr_mark("each_side"), tr_mark("tokens"), tr_mark("stride"), tr_mark("replace"), tr_mark("add"), tr_mark("zero"), tr_mark("bottom_right"),
    tr_mark("top_left"), tr_mark("sinusoidal"), tr_mark("learned"), tr_mark("rope_interleaved"), tr_mark("rope_half"), tr_mark("built-in"), tr_mark("base"),
    tr_mark("given"), tr_mark("words"), tr_mark("characters"), tr_mark("classroom"), tr_mark("random"),
};

/* Keys whose values people wrote or typed: these stay as they are. */
static const char *const own[] = {"text", "tokens", "source_text", "source", "edit"};

static bool in_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '/' || c == '.'; }

static const char *word_of(const char *at, size_t length) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(words[i], at, length) == 0) return tr(words[i]);
    return NULL;
}

const char *doc_diff_words(const char *key, const char *value, Arena *arena) {
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (str_eq(key, own[i])) return value;
    StrBuf sb;
    sb_init(&sb, arena);
    sb_add(&sb, "");
    int braces = 0;
    for (const char *at = value; *at;) {
        if (str_starts(at, "{kind: ")) {
            at += 7;
            braces++;
            continue;
        }
        if (*at == '}' && braces > 0) {
            at++;
            braces--;
            continue;
        }
        size_t length = 0;
        while (in_word(at[length])) length++;
        const char *word = length > 0 ? word_of(at, length) : NULL;
        if (length == 0) length = 1;
        if (word) sb_add(&sb, word);
        else sb_printf(&sb, "%.*s", (int)length, at);
        at += length;
    }
    return sb.data;
}
