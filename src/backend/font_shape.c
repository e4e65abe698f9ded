#include "backend/font_shape.h"

#include "base/utf8.h"

enum { CLUSTER_MAX = 8 }; /* code points of a cluster that choose its font */

/* Ligatures and contextual forms would show something else than what was typed ("->", "16x4"). */
static const hb_feature_t features[] = {
    {HB_TAG('c', 'a', 'l', 't'), 0, 0, (unsigned)-1},
    {HB_TAG('l', 'i', 'g', 'a'), 0, 0, (unsigned)-1},
    {HB_TAG('c', 'l', 'i', 'g'), 0, 0, (unsigned)-1},
};

static bool is_plain(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] >= 0x7f) return false;
    return true;
}

/* Marks and joiners that no font needs to have a glyph for. */
static bool is_silent(uint32_t c) { return c == 0x200d || c == 0x200c || (c >= 0xfe00 && c <= 0xfe0f) || c < 0x20; }

static int cluster_file(Fonts *fonts, FontFace face, const char *text, size_t from, size_t to) {
    uint32_t points[CLUSTER_MAX];
    int count = 0;
    for (size_t pos = from; pos < to && count < CLUSTER_MAX;) {
        uint32_t c = utf8_next(text, to, &pos);
        if (!is_silent(c)) points[count++] = c;
    }
    return count > 0 ? fonts_file_with(fonts, face, points, count) : (int)face;
}

/* End of the longest stretch from `from` that one file can draw. */
static size_t run_end(Fonts *fonts, FontFace face, const char *text, size_t length, size_t from, int *file) {
    size_t pos = utf8_grapheme_next(text, length, from);
    *file = cluster_file(fonts, face, text, from, pos);
    while (pos < length) {
        size_t next = utf8_grapheme_next(text, length, pos);
        if (cluster_file(fonts, face, text, pos, next) != *file) break;
        pos = next;
    }
    return pos;
}

typedef struct { Arena *arena; ShapedGlyph *glyphs; int n, capacity; float pen; bool keep; } Shaped;

static void keep_glyphs(Shaped *out, int file, float upem, const hb_glyph_info_t *info, const hb_glyph_position_t *at, int n) {
    if (out->n + n > out->capacity) {
        out->capacity = (out->n + n) * 2;
        ShapedGlyph *bigger = ARENA_ARRAY(out->arena, ShapedGlyph, (size_t)out->capacity);
        for (int i = 0; i < out->n; i++) bigger[i] = out->glyphs[i];
        out->glyphs = bigger;
    }
    float pen = out->pen;
    for (int i = 0; i < n; i++) {
        out->glyphs[out->n++] = (ShapedGlyph){.glyph = info[i].codepoint, .file = file, .cluster = info[i].cluster,
                                              .x = pen + (float)at[i].x_offset / upem, .y = -(float)at[i].y_offset / upem,
                                              .advance = (float)at[i].x_advance / upem};
        pen += (float)at[i].x_advance / upem;
    }
}

static void shape_run(Fonts *fonts, int file, const char *text, size_t length, size_t from, size_t to, Shaped *out) {
    hb_buffer_t *buffer = fonts_buffer(fonts);
    const FontFile *f = fonts_file(fonts, file);
    hb_buffer_clear_contents(buffer);
    hb_buffer_add_utf8(buffer, text, (int)length, (unsigned)from, (int)(to - from));
    hb_buffer_guess_segment_properties(buffer);
    hb_script_t script = hb_buffer_get_script(buffer);
    if (script == HB_SCRIPT_INVALID || script == HB_SCRIPT_COMMON) { /* digits and signs: some fonts kern only as Latin */
        hb_buffer_set_script(buffer, HB_SCRIPT_LATIN);
        hb_buffer_set_direction(buffer, HB_DIRECTION_LTR);
    }
    hb_shape(f->font, buffer, features, sizeof features / sizeof features[0]);
    unsigned n = 0;
    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &n);
    const hb_glyph_position_t *at = hb_buffer_get_glyph_positions(buffer, &n);
    if (out->keep) keep_glyphs(out, file, f->upem, info, at, (int)n);
    long advance = 0;
    for (unsigned i = 0; i < n; i++) advance += at[i].x_advance;
    out->pen += (float)advance / f->upem;
}

float fonts_shape(Fonts *fonts, FontFace face, const char *text, size_t length, Arena *arena, ShapedGlyph **glyphs, int *count) {
    Shaped out = {.arena = arena, .keep = glyphs != NULL};
    if (is_plain(text, length)) {
        if (length > 0) shape_run(fonts, (int)face, text, length, 0, length, &out);
    } else {
        for (size_t from = 0; from < length;) {
            int file;
            size_t to = run_end(fonts, face, text, length, from, &file);
            shape_run(fonts, file, text, length, from, to, &out);
            from = to;
        }
    }
    if (glyphs != NULL) *glyphs = out.glyphs, *count = out.n;
    return out.pen;
}
