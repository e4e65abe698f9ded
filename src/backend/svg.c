#include "backend/svg.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/svg_parts.h"
#include "base/utf8.h"

static const char metadata_tag[] = "<metadata id=\"attnscope\">";

/* ---- words of the format ---- */

void svg_number(Svg *svg, char before, double value) {
    char text[48];
    int n = snprintf(text, sizeof text, "%.2f", isfinite(value) ? value : 0);
    while (text[n - 1] == '0') n--;
    if (text[n - 1] == '.') n--;
    const char *from = text;
    if (n == 2 && text[0] == '-' && text[1] == '0') from++, n--;
    if (before) sb_add_n(&svg->out, &before, 1);
    sb_add_n(&svg->out, from, (size_t)n);
}

/* XML 1.0, production Char. */
static bool has_place(uint32_t c) { return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xd7ff) || (c >= 0xe000 && c <= 0xfffd) || c >= 0x10000; }

void svg_escaped(Svg *svg, const char *text) {
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        size_t from = at;
        uint32_t c = utf8_next(text, length, &at);
        if (c == '&') sb_add(&svg->out, "&amp;");
        else if (c == '<') sb_add(&svg->out, "&lt;");
        else if (c == '>') sb_add(&svg->out, "&gt;");
        else if (c == '"') sb_add(&svg->out, "&quot;");
        else if (!has_place(c)) sb_add(&svg->out, "\xEF\xBF\xBD");
        else sb_add_n(&svg->out, text + from, at - from);
    }
}

void svg_paint(Svg *svg, const char *what, Color color) {
    if ((color & 0xff) == 0) {
        sb_printf(&svg->out, " %s=\"none\"", what);
        return;
    }
    sb_printf(&svg->out, " %s=\"#%06x\"", what, (unsigned)(color >> 8));
    if ((color & 0xff) == 0xff) return;
    sb_printf(&svg->out, " %s-opacity=\"", what);
    svg_number(svg, 0, (double)(color & 0xff) / 255);
    sb_add(&svg->out, "\"");
}

void svg_base64(Svg *svg, const void *data, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16 | (i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0) | (i + 2 < size ? bytes[i + 2] : 0);
        char text[4] = {digits[three >> 18], digits[three >> 12 & 63], i + 1 < size ? digits[three >> 6 & 63] : '=', i + 2 < size ? digits[three & 63] : '='};
        sb_add_n(&svg->out, text, 4);
    }
}

static void attribute(Svg *svg, const char *name, double value) {
    sb_printf(&svg->out, " %s=\"", name);
    svg_number(svg, 0, value);
    sb_add(&svg->out, "\"");
}

static void box_attributes(Svg *svg, Rect box) {
    attribute(svg, "x", (double)box.x);
    attribute(svg, "y", (double)box.y);
    attribute(svg, "width", (double)fmaxf(box.w, 0));
    attribute(svg, "height", (double)fmaxf(box.h, 0));
}

/* ---- commands ---- */

static void begin_clip(Svg *svg, const DlCommand *c) {
    sb_printf(&svg->out, "<clipPath id=\"clip%d\"><rect", ++svg->n_clips);
    box_attributes(svg, c->box);
    sb_printf(&svg->out, "/></clipPath><g clip-path=\"url(#clip%d)\">\n", svg->n_clips);
}

static void end_g(Svg *svg, const DlCommand *c) {
    (void)c;
    sb_add(&svg->out, "</g>\n");
}

static void begin_group(Svg *svg, const DlCommand *c) {
    const DlGroup *group = &svg->dl->groups[c->group.group];
    const char *name = dl_text_at(svg->dl, group->name), *label = dl_text_at(svg->dl, group->label);
    sb_add(&svg->out, "<g");
    if (group->role != ROLE_NONE) sb_printf(&svg->out, " class=\"%s\"", dl_role_names[group->role]);
    if (name[0]) sb_add(&svg->out, " data-name=\""), svg_escaped(svg, name), sb_add(&svg->out, "\"");
    sb_add(&svg->out, ">");
    if (label[0]) sb_add(&svg->out, "<title>"), svg_escaped(svg, label), sb_add(&svg->out, "</title>");
    sb_add(&svg->out, "\n");
}

static void draw_rect(Svg *svg, const DlCommand *c) {
    bool stroked = (c->stroke & 0xff) != 0 && c->width > 0;
    Rect box = stroked ? rect_inset(c->box, c->width / 2) : c->box; /* the stroke lies inside */
    sb_add(&svg->out, "<rect");
    box_attributes(svg, box);
    float radius = fminf(c->radius - (stroked ? c->width / 2 : 0), fminf(box.w, box.h) / 2);
    if (radius > 0) attribute(svg, "rx", (double)radius);
    svg_paint(svg, "fill", c->fill);
    if (stroked) svg_paint(svg, "stroke", c->stroke), attribute(svg, "stroke-width", (double)c->width);
    sb_add(&svg->out, "/>\n");
}

static void draw_line(Svg *svg, const DlCommand *c) {
    sb_add(&svg->out, "<line");
    attribute(svg, "x1", (double)c->box.x);
    attribute(svg, "y1", (double)c->box.y);
    attribute(svg, "x2", (double)(c->box.x + c->box.w));
    attribute(svg, "y2", (double)(c->box.y + c->box.h));
    svg_paint(svg, "stroke", c->stroke);
    attribute(svg, "stroke-width", (double)c->width);
    if (c->line.dash > 0) attribute(svg, "stroke-dasharray", (double)c->line.dash);
    sb_add(&svg->out, "/>\n");
}

static void draw_path(Svg *svg, const DlCommand *c) {
    const DlPoint *points = svg->dl->points + c->path.first;
    sb_add(&svg->out, "<path d=\"");
    for (uint32_t i = 0; i < c->path.count; i++) {
        sb_add(&svg->out, i == 0 ? "M" : "L");
        svg_number(svg, 0, (double)points[i].x);
        svg_number(svg, ' ', (double)points[i].y);
    }
    sb_add(&svg->out, c->path.closed ? "Z\"" : "\"");
    svg_paint(svg, "fill", c->fill);
    if ((c->stroke & 0xff) != 0 && c->width > 0) svg_paint(svg, "stroke", c->stroke), attribute(svg, "stroke-width", (double)c->width);
    sb_add(&svg->out, "/>\n");
}

/* As the raster eases it, 3t² - 2t³: a cubic with its inner points at a third and two thirds. */
static void ease_to(Svg *svg, float from_x, float from_y, float to_x, float to_y) {
    const float w = to_x - from_x, at[] = {from_x + w / 3, from_y, to_x - w / 3, to_y, to_x, to_y};
    sb_add(&svg->out, "C");
    for (int i = 0; i < 6; i++) svg_number(svg, i > 0 ? ' ' : 0, (double)at[i]);
}

static void draw_ribbon(Svg *svg, const DlCommand *c) {
    float x0 = c->box.x, x1 = c->box.x + c->box.w, y0 = c->ribbon.y0, y1 = c->ribbon.y1, h0 = c->ribbon.h0, h1 = c->ribbon.h1;
    bool even = fabsf(h0 - h1) < 0.01f; /* then it is as wide everywhere, across its way */
    if (c->box.w <= 0) return;
    sb_add(&svg->out, "<path d=\"M");
    svg_number(svg, 0, (double)x0);
    svg_number(svg, ' ', (double)(even ? y0 + h0 / 2 : y0));
    ease_to(svg, x0, even ? y0 + h0 / 2 : y0, x1, even ? y1 + h1 / 2 : y1);
    if (even) {
        sb_add(&svg->out, "\" fill=\"none\"");
        svg_paint(svg, "stroke", c->fill);
        attribute(svg, "stroke-width", (double)h0);
    } else {
        sb_add(&svg->out, "V");
        svg_number(svg, 0, (double)(y1 + h1));
        ease_to(svg, x1, y1 + h1, x0, y0 + h0);
        sb_add(&svg->out, "Z\"");
        svg_paint(svg, "fill", c->fill);
    }
    sb_add(&svg->out, "/>\n");
}

/* A round hole that the shade grows around. */
static void draw_shade(Svg *svg, const DlCommand *c) {
    enum { STOPS = 6 };
    double reach = fmax((double)c->shade.reach, 1e-3), clear = fmin((double)c->shade.clear / reach, 1);
    sb_printf(&svg->out, "<radialGradient id=\"shade%d\" gradientUnits=\"userSpaceOnUse\"", ++svg->n_shades);
    attribute(svg, "cx", (double)c->shade.x);
    attribute(svg, "cy", (double)c->shade.y);
    attribute(svg, "r", reach);
    sb_add(&svg->out, ">");
    for (int i = 0; i <= STOPS; i++) {
        double t = (double)i / STOPS;
        sb_add(&svg->out, "<stop");
        attribute(svg, "offset", clear + (1 - clear) * t);
        sb_printf(&svg->out, " stop-color=\"#%06x\"", (unsigned)(c->fill >> 8));
        attribute(svg, "stop-opacity", (double)(c->fill & 0xff) / 255 * t * t * (3 - 2 * t));
        sb_add(&svg->out, "/>");
    }
    sb_add(&svg->out, "</radialGradient><rect");
    box_attributes(svg, c->box);
    sb_printf(&svg->out, " fill=\"url(#shade%d)\"/>\n", svg->n_shades);
}

static void (*const drawers[])(Svg *svg, const DlCommand *command) = {
    [DL_CLIP] = begin_clip, [DL_UNCLIP] = end_g, [DL_GROUP] = begin_group, [DL_UNGROUP] = end_g,     [DL_RECT] = draw_rect,   [DL_LINE] = draw_line,
    [DL_PATH] = draw_path,  [DL_TEXT] = svg_text, [DL_CELLS] = svg_cells,  [DL_RIBBON] = draw_ribbon, [DL_SHADE] = draw_shade,
};
static_assert(sizeof drawers / sizeof drawers[0] == DL_KIND_COUNT, "a function for each kind of command");

/* ---- the file ---- */

static void begin_file(Svg *svg) {
    const DisplayList *dl = svg->dl;
    const PictureOptions *o = svg->options;
    double points = o->points > 0 ? (double)o->points : 0.75;
    sb_add(&svg->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    if (o->title) sb_printf(&svg->out, " aria-labelledby=\"title%s\"", o->description ? " desc" : "");
    attribute(svg, "width", (double)dl->width * points);
    svg->out.data[--svg->out.length] = '\0'; /* the quote: a unit follows */
    sb_add(&svg->out, "pt\"");
    attribute(svg, "height", (double)dl->height * points);
    svg->out.data[--svg->out.length] = '\0';
    sb_add(&svg->out, "pt\" viewBox=\"0 0");
    svg_number(svg, ' ', (double)dl->width);
    svg_number(svg, ' ', (double)dl->height);
    sb_add(&svg->out, "\">\n");
    if (o->title) sb_add(&svg->out, "<title id=\"title\">"), svg_escaped(svg, o->title), sb_add(&svg->out, "</title>\n");
    if (o->description) sb_add(&svg->out, "<desc id=\"desc\">"), svg_escaped(svg, o->description), sb_add(&svg->out, "</desc>\n");
    if (o->scenario) sb_add(&svg->out, metadata_tag), svg_escaped(svg, o->scenario), sb_add(&svg->out, "</metadata>\n");
    if (o->transparent) return;
    sb_add(&svg->out, "<rect width=\"100%\" height=\"100%\"");
    svg_paint(svg, "fill", dl->background | 0xff);
    sb_add(&svg->out, "/>\n");
}

bool picture_svg(Fonts *fonts, const DisplayList *dl, const PictureOptions *options, Arena *arena, void **data, size_t *size, Err *err) {
    Svg svg = {.fonts = fonts, .dl = dl, .options = options, .arena = arena, .err = err};
    if (!(dl->width >= 1 && dl->height >= 1)) return err_set(err, ERR_LIMIT, "a picture of %.0f x %.0f units", (double)dl->width, (double)dl->height);
    sb_init(&svg.out, arena);
    begin_file(&svg);
    for (int i = 0; i < dl->n && !svg.failed; i++) {
        drawers[dl->commands[i].kind](&svg, &dl->commands[i]);
        arena_reset(&svg.scratch);
    }
    sb_add(&svg.out, "</svg>\n");
    arena_free(&svg.scratch);
    *data = svg.out.data;
    *size = svg.out.length;
    return !svg.failed;
}

const char *svg_metadata(const char *data, size_t size, Arena *arena) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    static const char meant[] = "&<>\"";
    const char *from = memmem(data, size, metadata_tag, sizeof metadata_tag - 1), *file_end = data + size;
    if (from == NULL) return NULL;
    from += sizeof metadata_tag - 1;
    const char *end = memmem(from, (size_t)(file_end - from), "</metadata>", 11);
    if (end == NULL) return NULL;
    char *text = arena_alloc(arena, (size_t)(end - from) + 1, 1), *to = text;
    while (from < end) {
        int which = -1;
        for (int i = 0; i < 4 && *from == '&'; i++)
            if ((size_t)(end - from) >= strlen(entities[i]) && memcmp(from, entities[i], strlen(entities[i])) == 0) which = i;
        *to++ = which >= 0 ? meant[which] : *from;
        from += which >= 0 ? strlen(entities[which]) : 1;
    }
    *to = '\0';
    return text;
}
