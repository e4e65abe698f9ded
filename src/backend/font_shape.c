#include "backend/font_shape.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { CLUSTER_MAX = 8 }; /* code points of a cluster that choose its font */

/* Ligatures and contextual forms would show something else than what was typed ("->", "16x4"). */
static const hb_feature_t as_typed[] = {
    {HB_TAG('c', 'a', 'l', 't'), 0, 0, (unsigned)-1},
    {HB_TAG('l', 'i', 'g', 'a'), 0, 0, (unsigned)-1},
    {HB_TAG('c', 'l', 'i', 'g'), 0, 0, (unsigned)-1},
};
enum { AS_TYPED = sizeof as_typed / sizeof as_typed[0] };

static bool is_plain(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] >= 0x7f) return false;
    return true;
}

/* Joiners, variation selectors and the like, which no font needs to have a glyph for; a tab and a line feed are blank. */
static bool is_silent(uint32_t c) {
    static const uint32_t ranges[][2] = {
        {'\t', '\r'},       {0xad, 0xad},     {0x34f, 0x34f},   {0x61c, 0x61c},   {0x180b, 0x180e}, {0x200b, 0x200f},
        {0x202a, 0x202e},   {0x2060, 0x206f}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1]) return true;
    return false;
}

/* Bytes [from, to) in one font: how many of them it draws without a missing glyph, as whole clusters of HarfBuzz's. */
static size_t drawn_by(Fonts *fonts, int file, const char *text, size_t from, size_t to) {
    hb_buffer_t *buffer = fonts_buffer(fonts, 1);
    hb_buffer_add_utf8(buffer, text + from, (int)(to - from), 0, (int)(to - from));
    hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_CHARACTERS);
    hb_buffer_guess_segment_properties(buffer);
    hb_shape(fonts_file(fonts, file)->font, buffer, NULL, 0);
    unsigned count = 0;
    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &count);
    size_t drawn = to - from;
    for (unsigned i = 0; i < count; i++)
        if (info[i].codepoint == 0 && info[i].cluster < drawn) drawn = info[i].cluster;
    hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_DEFAULT);
    return drawn;
}

/* The file for the cluster [from, to), and where what it draws ends: marks stay in their base's font where any font has both,
 * else they are named. */
static int cluster_file(Fonts *fonts, FontFace face, const char *text, size_t from, size_t to, size_t *end) {
    uint32_t points[CLUSTER_MAX];
    int count = 0;
    for (size_t pos = from; pos < to && count < CLUSTER_MAX;) {
        uint32_t c = utf8_next(text, to, &pos);
        if (!is_silent(c)) points[count++] = c;
    }
    *end = to;
    if (count == 0) return (int)face;
    int base = fonts_file_with(fonts, face, points[0]);
    size_t drawn = base == FILE_NAMED ? 0 : count == 1 ? to - from : drawn_by(fonts, base, text, from, to);
    for (int i = 1; i <= count && count > 1 && drawn < to - from; i++) { /* a mark may know a font that has its base too */
        int other = i < count ? fonts_file_with(fonts, face, points[i]) : fonts_file_with_all(fonts, points, count);
        if (other != FILE_NAMED && other != base && drawn_by(fonts, other, text, from, to) == to - from) return other;
    }
    if (drawn == 0) return FILE_NAMED;
    *end = from + drawn;
    return base;
}

TextName fonts_name(Fonts *fonts, const char *text, size_t from, size_t to) {
    TextName name = {.text = "", .size = 0.62f, .inset = 0.12f, .gap = 0.06f};
    int used = 0;
    for (size_t pos = from; pos < to && used < TEXT_NAME_MAX - 10;) {
        uint32_t c = utf8_next(text, to, &pos);
        if (!is_silent(c)) used += snprintf(name.text + used, (size_t)(TEXT_NAME_MAX - used), used > 0 ? " %04X" : "U+%04X", (unsigned)c);
    }
    name.letters = name.size * fonts_advance(fonts, FACE_MONO, name.text, strlen(name.text));
    name.width = name.letters + 2 * (name.inset + name.gap);
    return name;
}

/* A text and one run of it: a stretch that one file can draw. */
typedef struct {
    const char *text;
    size_t length, from, to;
    size_t named_to; /* what follows up to here is named: the end of a cluster that the font has only the beginning of */
    int file;        /* or FILE_NAMED */
    hb_script_t script;
    bool right_to_left;
} Run;

/* The run behind run->to; false at the end of the text. */
static bool next_run(Fonts *fonts, FontFace face, bool plain, Run *run) {
    run->from = run->to;
    if (run->from >= run->length) return false;
    if (plain) {
        run->file = (int)face;
        run->to = run->length;
        return true;
    }
    if (run->named_to > run->from) { /* the rest of a cluster */
        run->file = FILE_NAMED;
        run->to = run->named_to;
        return true;
    }
    size_t cluster = utf8_grapheme_next(run->text, run->length, run->from);
    run->file = cluster_file(fonts, face, run->text, run->from, cluster, &run->to);
    while (run->file != FILE_NAMED && run->to == cluster && run->to < run->length) {
        size_t end;
        cluster = utf8_grapheme_next(run->text, run->length, run->to);
        if (cluster_file(fonts, face, run->text, run->to, cluster, &end) != run->file) return true;
        run->to = end;
    }
    if (run->to < cluster) run->named_to = cluster;
    return true;
}

/* The run with its neighbours in mind, as it was typed; finds its script and direction. In buffer 0. */
static hb_buffer_t *shape_run(Fonts *fonts, Run *run) {
    hb_buffer_t *buffer = fonts_buffer(fonts, 0);
    hb_buffer_add_utf8(buffer, run->text, (int)run->length, (unsigned)run->from, (int)(run->to - run->from));
    hb_buffer_guess_segment_properties(buffer);
    hb_buffer_set_language(buffer, HB_LANGUAGE_INVALID); /* SDL2_ttf sets none; and no picture depends on the locale */
    hb_script_t script = hb_buffer_get_script(buffer);
    if (script == HB_SCRIPT_INVALID || script == HB_SCRIPT_COMMON) { /* digits and signs: some fonts kern only as Latin */
        hb_buffer_set_script(buffer, HB_SCRIPT_LATIN);
        hb_buffer_set_direction(buffer, HB_DIRECTION_LTR);
    }
    run->script = hb_buffer_get_script(buffer);
    run->right_to_left = hb_buffer_get_direction(buffer) == HB_DIRECTION_RTL;
    hb_shape(fonts_file(fonts, run->file)->font, buffer, as_typed, AS_TYPED);
    return buffer;
}

float fonts_advance(Fonts *fonts, FontFace face, const char *text, size_t length) {
    bool plain = is_plain(text, length);
    float ems = 0;
    for (Run run = {.text = text, .length = length}; next_run(fonts, face, plain, &run);) {
        if (run.file == FILE_NAMED) {
            ems += fonts_name(fonts, text, run.from, run.to).width;
            continue;
        }
        unsigned n = 0;
        const hb_glyph_position_t *at = hb_buffer_get_glyph_positions(shape_run(fonts, &run), &n);
        long advance = 0;
        for (unsigned i = 0; i < n; i++) advance += at[i].x_advance;
        ems += (float)advance / fonts_file(fonts, run.file)->upem;
    }
    return ems;
}

/* A glyph of a run in drawing order. odd: SDL2_ttf would draw its cluster in another way. */
typedef struct { uint32_t glyph, cluster; float pen; bool odd; } Glyph;

typedef struct {
    Fonts *fonts;
    Arena *arena;
    Run run;
    Glyph *glyphs; /* of the run */
    int n;
    TextPiece *pieces;
    int n_pieces, capacity;
} Cutter;

static int cluster_end(const Cutter *c, int i) {
    int end = i + 1;
    while (end < c->n && c->glyphs[end].cluster == c->glyphs[i].cluster) end++;
    return end;
}

/* Bytes of glyphs first to last - 1, which are whole clusters. */
static void bytes_of(const Cutter *c, int first, int last, size_t *from, size_t *to) {
    if (c->run.right_to_left) {
        *from = c->glyphs[last - 1].cluster;
        *to = first > 0 ? c->glyphs[first - 1].cluster : c->run.to;
    } else {
        *from = c->glyphs[first].cluster;
        *to = last < c->n ? c->glyphs[last].cluster : c->run.to;
    }
}

static TextPiece *new_piece(Cutter *c) {
    if (c->n_pieces == c->capacity) {
        c->capacity = c->capacity * 2 + 8;
        TextPiece *bigger = ARENA_ARRAY(c->arena, TextPiece, (size_t)c->capacity);
        if (c->n_pieces > 0) memcpy(bigger, c->pieces, (size_t)c->n_pieces * sizeof *bigger);
        c->pieces = bigger;
    }
    return &c->pieces[c->n_pieces++];
}

static void add_piece(Cutter *c, int first, int last) {
    TextPiece *piece = new_piece(c);
    *piece = (TextPiece){.file = c->run.file, .x = c->glyphs[first].pen, .script = c->run.script, .right_to_left = c->run.right_to_left};
    bytes_of(c, first, last, &piece->from, &piece->to);
}

/* Marks the clusters among first to last - 1 that differ when they are shaped alone and with a font's usual features, as
 * SDL2_ttf does it. True: none. */
static bool are_drawn_as_typed(Cutter *c, int first, int last) {
    size_t from, to;
    bytes_of(c, first, last, &from, &to);
    hb_buffer_t *buffer = fonts_buffer(c->fonts, 1);
    hb_buffer_add_utf8(buffer, c->run.text + from, (int)(to - from), 0, (int)(to - from));
    hb_buffer_set_script(buffer, c->run.script);
    hb_buffer_set_direction(buffer, c->run.right_to_left ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_shape(fonts_file(c->fonts, c->run.file)->font, buffer, NULL, 0);
    unsigned count = 0, j = 0;
    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &count);
    bool same = true;
    for (int i = first; i < last; i = cluster_end(c, i)) {
        uint32_t cluster = c->glyphs[i].cluster - (uint32_t)from;
        while (j < count && (c->run.right_to_left ? info[j].cluster > cluster : info[j].cluster < cluster)) j++;
        bool odd = false;
        for (int k = i; k < cluster_end(c, i); k++, j++)
            odd = odd || j >= count || info[j].cluster != cluster || info[j].codepoint != c->glyphs[k].glyph;
        odd = odd || (j < count && info[j].cluster == cluster);
        for (int k = i; k < cluster_end(c, i); k++) c->glyphs[k].odd = odd;
        same = same && !odd;
    }
    return same;
}

/* Each odd cluster becomes a piece of its own. A stretch between two is looked at once more: its ends have lost their
 * neighbours, so that it may be odd in a new place. */
static void cut(Cutter *c, int first, int last, bool again) {
    if (are_drawn_as_typed(c, first, last)) {
        add_piece(c, first, last);
        return;
    }
    for (int from = first, to; from < last; from = to) {
        to = cluster_end(c, from);
        while (again && !c->glyphs[from].odd && to < last && !c->glyphs[to].odd) to = cluster_end(c, to);
        if (again && !c->glyphs[from].odd) cut(c, from, to, false);
        else add_piece(c, from, to);
    }
}

static float add_named(Cutter *c, float pen, float start) {
    TextName name = fonts_name(c->fonts, c->run.text, c->run.from, c->run.to);
    if (pen >= start) *new_piece(c) = (TextPiece){.file = FILE_NAMED, .from = c->run.from, .to = c->run.to, .x = pen};
    return name.width;
}

/* The run's glyphs; returns its advance width in ems. */
static float read_glyphs(Cutter *c, float pen) {
    unsigned n = 0;
    hb_buffer_t *buffer = shape_run(c->fonts, &c->run);
    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &n);
    const hb_glyph_position_t *at = hb_buffer_get_glyph_positions(buffer, &n);
    float upem = fonts_file(c->fonts, c->run.file)->upem;
    long advance = 0;
    c->n = (int)n;
    c->glyphs = ARENA_ARRAY(c->arena, Glyph, n);
    for (unsigned i = 0; i < n; i++) {
        c->glyphs[i] = (Glyph){.glyph = info[i].codepoint, .cluster = info[i].cluster, .pen = pen + (float)advance / upem};
        advance += at[i].x_advance;
    }
    return (float)advance / upem;
}

int fonts_pieces(Fonts *fonts, FontFace face, const char *text, float start, float end, Arena *arena, TextPiece **pieces) {
    size_t length = strlen(text);
    bool plain = is_plain(text, length);
    Cutter c = {.fonts = fonts, .arena = arena, .run = {.text = text, .length = length}};
    for (float pen = 0; pen < end && next_run(fonts, face, plain, &c.run);) {
        if (c.run.file == FILE_NAMED) {
            pen += add_named(&c, pen, start);
            continue;
        }
        pen += read_glyphs(&c, pen);
        int first = 0;
        while (first < c.n && c.glyphs[first].pen < start) first = cluster_end(&c, first);
        int last = first;
        while (last < c.n && c.glyphs[last].pen < end) last = cluster_end(&c, last);
        if (first < last) cut(&c, first, last, true);
    }
    *pieces = c.pieces;
    return c.n_pieces;
}

/* ---- for formats that place glyphs themselves ---- */

static void read_run(Fonts *fonts, Run *from, float pen, Arena *arena, TextRun *out) {
    unsigned n = 0;
    hb_buffer_t *buffer = shape_run(fonts, from);
    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &n);
    const hb_glyph_position_t *at = hb_buffer_get_glyph_positions(buffer, &n);
    float upem = fonts_file(fonts, from->file)->upem;
    long x = 0, y = 0;
    *out = (TextRun){.file = from->file, .from = from->from, .to = from->to, .right_to_left = from->right_to_left, .x = pen, .n = (int)n};
    out->glyphs = ARENA_ARRAY(arena, TextGlyph, n);
    for (unsigned i = 0; i < n; i++) {
        out->glyphs[i] = (TextGlyph){info[i].codepoint, info[i].cluster, pen + (float)(x + at[i].x_offset) / upem, (float)(y + at[i].y_offset) / upem};
        x += at[i].x_advance;
        y += at[i].y_advance;
    }
    out->advance = (float)x / upem;
}

int fonts_runs(Fonts *fonts, FontFace face, const char *text, Arena *arena, TextRun **runs) {
    size_t length = strlen(text);
    bool plain = is_plain(text, length);
    int n = 0, capacity = 0;
    float pen = 0;
    *runs = NULL;
    for (Run run = {.text = text, .length = length}; next_run(fonts, face, plain, &run);) {
        if (n == capacity) {
            capacity = capacity * 2 + 4;
            TextRun *larger = ARENA_ARRAY(arena, TextRun, (size_t)capacity);
            if (n > 0) memcpy(larger, *runs, (size_t)n * sizeof *larger);
            *runs = larger;
        }
        TextRun *out = &(*runs)[n++];
        if (run.file != FILE_NAMED) read_run(fonts, &run, pen, arena, out);
        else *out = (TextRun){.file = FILE_NAMED, .from = run.from, .to = run.to, .x = pen, .advance = fonts_name(fonts, text, run.from, run.to).width};
        pen += out->advance;
    }
    return n;
}
