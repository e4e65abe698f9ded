#include "model/encoder_kit.h"

Arena kit_arena;

int kit_clear(void **state) {
    (void)state;
    arena_free(&kit_arena);
    return 0;
}

static const char *with_quotes(const char *text) {
    char *copy = arena_strdup(&kit_arena, text);
    for (char *c = copy; *c != '\0'; c++)
        if (*c == '\'') *c = '"';
    return copy;
}

const char *kit_json(const char *model, const char *added, const char *sections) {
    const char *json = arena_printf(&kit_arena, "{'model': %s, 'added_tokens': %s%s%s}", model, added[0] ? added : "[]", sections[0] ? ", " : "", sections);
    return with_quotes(json);
}

const Encoder *kit_open(const char *model, const char *added, const char *sections) {
    const char *json = kit_json(model, added, sections);
    Encoder *encoder;
    Err err = {0};
    char text[1200];
    if (!encoder_open_text(json, strlen(json), "kit", &kit_arena, &encoder, &err)) fail_msg("%s\n%s", err_format(&err, text, sizeof text), json);
    return encoder;
}

static const char *encoded(const Encoder *encoder, const char *text, const char *pair) {
    Encoding found;
    Err err = {0};
    StrBuf sb;
    if (!encoder_encode(encoder, text, strlen(text), pair, pair ? strlen(pair) : 0, true, &kit_arena, &found, &err)) return arena_printf(&kit_arena, "error: %s", err.message);
    sb_init(&sb, &kit_arena);
    for (int i = 0; i < found.n; i++) {
        sb_printf(&sb, "%s%s", i > 0 ? " " : "", found.pieces[i]);
        if (found.added[i]) sb_printf(&sb, "+");
        else sb_printf(&sb, "[%d,%d]", found.start[i], found.end[i]);
        if (pair) sb_printf(&sb, "%d", found.type_ids[i]);
    }
    return sb.data;
}

const char *kit_pieces(const Encoder *encoder, const char *text) {
    return encoded(encoder, text, NULL);
}

const char *kit_pair(const Encoder *encoder, const char *text, const char *pair) {
    return encoded(encoder, text, pair);
}

const char *kit_letters(void) {
    static const char *const more[] = {"é", "▁", "Ġ", "Ċ", "中", "文", "ß", "\u0301", "\u00a0", "ﬁ", "½", "⁄", "Ã", "©", "i\u0307"};
    StrBuf sb;
    int id = 0;
    sb_init(&sb, &kit_arena);
    sb_add(&sb, "{'type': 'BPE', 'merges': [], 'unk_token': '?u', 'vocab': {'?u': 0");
    for (char c = ' '; c < 0x7F; c++) {
        id++;
        if (c == '\'') sb_printf(&sb, ", '\\u0027': %d", id);
        else if (c == '"' || c == '\\') sb_printf(&sb, ", '\\u%04x': %d", (unsigned)c, id);
        else sb_printf(&sb, ", '%c': %d", c, id);
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) sb_printf(&sb, ", '%s': %d", more[i], ++id);
    sb_add(&sb, "}}");
    return sb.data;
}

void kit_refused(const char *json, const char *key, const char *says) {
    Encoder *encoder;
    Err err = {0};
    Arena arena = {0};
    if (encoder_open_text(json, strlen(json), "kit.json", &arena, &encoder, &err)) fail_msg("opened: %s", json);
    if (strstr(err.message, says) == NULL) fail_msg("\"%s\" does not say \"%s\" for %s", err.message, says, json);
    assert_string_equal(err.file, "kit.json");
    assert_string_equal(err.key, key);
    assert_null(encoder);
    arena_free(&arena);
}
