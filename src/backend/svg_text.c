#include <assert.h>
#include <math.h>
#include <string.h>

#include "backend/svg_parts.h"

/* ---- real text ---- */

static const struct { const char *family; int weight; } faces[FACE_COUNT] = {
    [FACE_UI] = {"Inter, 'Noto Sans CJK SC', 'WenQuanYi Micro Hei', 'Microsoft YaHei', sans-serif", 400},
    [FACE_UI_MEDIUM] = {"Inter, 'Noto Sans CJK SC', 'WenQuanYi Micro Hei', 'Microsoft YaHei', sans-serif", 500},
    [FACE_UI_SEMIBOLD] = {"Inter, 'Noto Sans CJK SC', 'WenQuanYi Micro Hei', 'Microsoft YaHei', sans-serif", 600},
    [FACE_UI_BOLD] = {"Inter, 'Noto Sans CJK SC', 'WenQuanYi Micro Hei', 'Microsoft YaHei', sans-serif", 700},
    [FACE_MONO] = {"'JetBrains Mono', 'DejaVu Sans Mono', monospace", 400},
    [FACE_MONO_BOLD] = {"'JetBrains Mono', 'DejaVu Sans Mono', monospace", 700},
};
static_assert(sizeof faces / sizeof faces[0] == FACE_COUNT, "a row for each face");

/* textLength: with another font of the same text a label keeps its width. */
static void put_text(Svg *svg, const DlCommand *c, const char *text) {
    sb_printf(&svg->out, "<text xml:space=\"preserve\" font-family=\"%s\" font-weight=\"%d\" font-size=\"", faces[c->text.face].family, faces[c->text.face].weight);
    svg_number(svg, 0, (double)c->text.size);
    sb_add(&svg->out, "\" style=\"font-variant-ligatures:none\" x=\"");
    svg_number(svg, 0, (double)c->box.x), sb_add(&svg->out, "\" y=\"");
    svg_number(svg, 0, (double)c->box.y), sb_add(&svg->out, "\" textLength=\"");
    svg_number(svg, 0, (double)c->text.width), sb_add(&svg->out, "\" lengthAdjust=\"spacingAndGlyphs\"");
    svg_paint(svg, "fill", c->fill);
    if (c->text.angle != 0) {
        sb_add(&svg->out, " transform=\"rotate(");
        svg_number(svg, 0, (double)-c->text.angle);
        svg_number(svg, ' ', (double)c->box.x), svg_number(svg, ' ', (double)c->box.y);
        sb_add(&svg->out, ")\"");
    }
    sb_add(&svg->out, ">");
    svg_escaped(svg, text);
    sb_add(&svg->out, "</text>\n");
}

/* ---- outlines: a glyph's shape is defined once, in ems of its font ---- */

static void move_to(hb_draw_funcs_t *f, void *data, hb_draw_state_t *st, float x, float y, void *user) {
    (void)f, (void)st, (void)user;
    Svg *svg = data;
    sb_add(&svg->out, "M"), svg_number(svg, 0, (double)x), svg_number(svg, ' ', (double)-y);
}

static void line_to(hb_draw_funcs_t *f, void *data, hb_draw_state_t *st, float x, float y, void *user) {
    (void)f, (void)st, (void)user;
    Svg *svg = data;
    sb_add(&svg->out, "L"), svg_number(svg, 0, (double)x), svg_number(svg, ' ', (double)-y);
}

static void quadratic_to(hb_draw_funcs_t *f, void *data, hb_draw_state_t *st, float cx, float cy, float x, float y, void *user) {
    (void)f, (void)st, (void)user;
    Svg *svg = data;
    sb_add(&svg->out, "Q"), svg_number(svg, 0, (double)cx), svg_number(svg, ' ', (double)-cy);
    svg_number(svg, ' ', (double)x), svg_number(svg, ' ', (double)-y);
}

static void cubic_to(hb_draw_funcs_t *f, void *data, hb_draw_state_t *st, float ax, float ay, float bx, float by, float x, float y, void *user) {
    (void)f, (void)st, (void)user;
    Svg *svg = data;
    const float at[] = {ax, -ay, bx, -by, x, -y};
    sb_add(&svg->out, "C");
    for (int i = 0; i < 6; i++) svg_number(svg, i > 0 ? ' ' : 0, (double)at[i]);
}

static void close_path(hb_draw_funcs_t *f, void *data, hb_draw_state_t *st, void *user) {
    (void)f, (void)st, (void)user;
    sb_add(&((Svg *)data)->out, "Z");
}

static void define_glyph(Svg *svg, int file, uint32_t glyph) {
    uint64_t key = (uint64_t)file << 32 | glyph;
    for (int i = 0; i < svg->n_glyphs; i++)
        if (svg->glyphs[i] == key) return;
    if (svg->n_glyphs == svg->glyphs_capacity) {
        svg->glyphs_capacity = svg->glyphs_capacity * 2 + 64;
        uint64_t *larger = ARENA_ARRAY(svg->arena, uint64_t, (size_t)svg->glyphs_capacity);
        if (svg->n_glyphs > 0) memcpy(larger, svg->glyphs, (size_t)svg->n_glyphs * sizeof *larger);
        svg->glyphs = larger;
    }
    svg->glyphs[svg->n_glyphs++] = key;
    hb_draw_funcs_t *funcs = hb_draw_funcs_create();
    hb_draw_funcs_set_move_to_func(funcs, move_to, NULL, NULL);
    hb_draw_funcs_set_line_to_func(funcs, line_to, NULL, NULL);
    hb_draw_funcs_set_quadratic_to_func(funcs, quadratic_to, NULL, NULL);
    hb_draw_funcs_set_cubic_to_func(funcs, cubic_to, NULL, NULL);
    hb_draw_funcs_set_close_path_func(funcs, close_path, NULL, NULL);
    sb_printf(&svg->out, "<defs><path id=\"g%d-%u\" d=\"", file, glyph);
    hb_font_get_glyph_shape(fonts_file(svg->fonts, file)->font, glyph, funcs, svg);
    sb_add(&svg->out, "\"/></defs>");
    hb_draw_funcs_destroy(funcs);
}

static void put_run(Svg *svg, const TextRun *run, double size) {
    double scale = size / (double)fonts_file(svg->fonts, run->file)->upem;
    for (int i = 0; i < run->n; i++) define_glyph(svg, run->file, run->glyphs[i].glyph);
    for (int i = 0; i < run->n; i++) {
        sb_printf(&svg->out, "<use href=\"#g%d-%u\" transform=\"translate(", run->file, run->glyphs[i].glyph);
        svg_number(svg, 0, (double)run->glyphs[i].x * size), svg_number(svg, ' ', (double)-run->glyphs[i].y * size);
        sb_printf(&svg->out, ") scale(%.6g)\"/>", scale);
    }
}

static void put_outlines(Svg *svg, const DlCommand *c, const char *text) {
    TextRun *runs;
    int n = fonts_runs(svg->fonts, c->text.face, text, &svg->scratch, &runs);
    bool drawn = true; /* pictures and names have no outlines: such a text stays text */
    for (int i = 0; i < n; i++) drawn = drawn && runs[i].file != FILE_NAMED && !fonts_file(svg->fonts, runs[i].file)->picture;
    if (!drawn) {
        put_text(svg, c, text);
        return;
    }
    sb_add(&svg->out, "<g");
    svg_paint(svg, "fill", c->fill);
    sb_add(&svg->out, " transform=\"translate(");
    svg_number(svg, 0, (double)c->box.x), svg_number(svg, ' ', (double)c->box.y);
    sb_add(&svg->out, ")");
    if (c->text.angle != 0) sb_add(&svg->out, " rotate("), svg_number(svg, 0, (double)-c->text.angle), sb_add(&svg->out, ")");
    sb_add(&svg->out, "\" aria-label=\"");
    svg_escaped(svg, text);
    sb_add(&svg->out, "\">");
    for (int i = 0; i < n; i++) put_run(svg, &runs[i], (double)c->text.size);
    sb_add(&svg->out, "</g>\n");
}

void svg_text(Svg *svg, const DlCommand *command) {
    const char *text = dl_text_at(svg->dl, command->text.text);
    if ((command->fill & 0xff) == 0 || !(command->text.size > 0) || !text[0]) return;
    if (svg->options->outlines) put_outlines(svg, command, text);
    else put_text(svg, command, text);
}
