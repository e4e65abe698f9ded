#include "backend/pdf.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <cairo-pdf.h>

#include "backend/pdf_parts.h"
#include "base/tr.h"

/* ---- words of the format ---- */

void pdf_color(Pdf *pdf, Color color) {
    cairo_set_source_rgba(pdf->cr, (color >> 24 & 255) / 255.0, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0);
}

static bool is_clear(Color color) { return (color & 0xff) == 0; }

void pdf_box(Pdf *pdf, Rect box, float radius) {
    cairo_t *cr = pdf->cr;
    double x = (double)box.x, y = (double)box.y, w = (double)box.w, h = (double)box.h, r = (double)fminf(radius, fminf(box.w, box.h) / 2);
    if (!(r > 0)) {
        cairo_rectangle(cr, x, y, w, h);
        return;
    }
    cairo_new_sub_path(cr);
    cairo_arc(cr, x + w - r, y + r, r, -M_PI / 2, 0);
    cairo_arc(cr, x + w - r, y + h - r, r, 0, M_PI / 2);
    cairo_arc(cr, x + r, y + h - r, r, M_PI / 2, M_PI);
    cairo_arc(cr, x + r, y + r, r, M_PI, 3 * M_PI / 2);
    cairo_close_path(cr);
}

static void stroke(Pdf *pdf, Color color, float width) {
    pdf_color(pdf, color);
    cairo_set_line_width(pdf->cr, (double)width);
    cairo_stroke(pdf->cr);
}

void pdf_image(Pdf *pdf, const Pixels *pixels, Rect box) {
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixels->width, pixels->height);
    uint8_t *to = cairo_image_surface_get_data(image);
    int stride = cairo_image_surface_get_stride(image);
    for (int y = 0; to != NULL && y < pixels->height; y++)
        for (int x = 0; x < pixels->width; x++) {
            const uint8_t *p = pixels->rgba + 4 * ((size_t)y * (size_t)pixels->width + (size_t)x);
            uint32_t a = p[3], argb = a << 24 | (p[0] * a + 127) / 255 << 16 | (p[1] * a + 127) / 255 << 8 | (p[2] * a + 127) / 255;
            memcpy(to + (size_t)y * (size_t)stride + 4 * (size_t)x, &argb, 4);
        }
    cairo_surface_mark_dirty(image);
    cairo_save(pdf->cr);
    cairo_translate(pdf->cr, (double)box.x, (double)box.y);
    cairo_scale(pdf->cr, (double)box.w / pixels->width, (double)box.h / pixels->height);
    cairo_set_source_surface(pdf->cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(pdf->cr), CAIRO_FILTER_NEAREST);
    cairo_rectangle(pdf->cr, 0, 0, pixels->width, pixels->height);
    cairo_fill(pdf->cr);
    cairo_restore(pdf->cr);
    cairo_surface_destroy(image);
}

/* ---- commands ---- */

static void begin_clip(Pdf *pdf, const DlCommand *c) {
    cairo_save(pdf->cr);
    pdf_box(pdf, c->box, 0);
    cairo_clip(pdf->cr);
}

static void end_clip(Pdf *pdf, const DlCommand *c) {
    (void)c;
    cairo_restore(pdf->cr);
}

static void draw_nothing(Pdf *pdf, const DlCommand *c) { (void)pdf, (void)c; }

static void draw_rect(Pdf *pdf, const DlCommand *c) {
    if (!is_clear(c->fill)) {
        pdf_box(pdf, c->box, c->radius);
        pdf_color(pdf, c->fill);
        cairo_fill(pdf->cr);
    }
    if (is_clear(c->stroke) || !(c->width > 0)) return;
    pdf_box(pdf, rect_inset(c->box, c->width / 2), c->radius - c->width / 2); /* the stroke lies inside */
    stroke(pdf, c->stroke, c->width);
}

static void draw_line(Pdf *pdf, const DlCommand *c) {
    double dash = (double)c->line.dash;
    cairo_move_to(pdf->cr, (double)c->box.x, (double)c->box.y);
    cairo_line_to(pdf->cr, (double)(c->box.x + c->box.w), (double)(c->box.y + c->box.h));
    if (dash > 0) cairo_set_dash(pdf->cr, &dash, 1, 0);
    stroke(pdf, c->stroke, c->width);
    cairo_set_dash(pdf->cr, NULL, 0, 0);
}

static void draw_path(Pdf *pdf, const DlCommand *c) {
    const DlPoint *points = pdf->dl->points + c->path.first;
    for (uint32_t i = 0; i < c->path.count; i++) cairo_line_to(pdf->cr, (double)points[i].x, (double)points[i].y);
    if (c->path.closed) cairo_close_path(pdf->cr);
    if (!is_clear(c->fill)) {
        pdf_color(pdf, c->fill);
        cairo_fill_preserve(pdf->cr);
    }
    if (!is_clear(c->stroke) && c->width > 0) stroke(pdf, c->stroke, c->width);
    cairo_new_path(pdf->cr);
}

/* As the raster eases it, 3t² - 2t³: a cubic with its inner points at a third and two thirds. */
static void ease_to(cairo_t *cr, float from_x, float from_y, float to_x, float to_y) {
    float third = (to_x - from_x) / 3;
    cairo_curve_to(cr, (double)(from_x + third), (double)from_y, (double)(to_x - third), (double)to_y, (double)to_x, (double)to_y);
}

static void draw_ribbon(Pdf *pdf, const DlCommand *c) {
    float x0 = c->box.x, x1 = c->box.x + c->box.w, y0 = c->ribbon.y0, y1 = c->ribbon.y1, h0 = c->ribbon.h0, h1 = c->ribbon.h1;
    bool even = fabsf(h0 - h1) < 0.01f; /* then it is as wide everywhere, across its way */
    if (c->box.w <= 0 || is_clear(c->fill)) return;
    cairo_move_to(pdf->cr, (double)x0, (double)(even ? y0 + h0 / 2 : y0));
    ease_to(pdf->cr, x0, even ? y0 + h0 / 2 : y0, x1, even ? y1 + h1 / 2 : y1);
    if (even) {
        stroke(pdf, c->fill, h0);
        return;
    }
    cairo_line_to(pdf->cr, (double)x1, (double)(y1 + h1));
    ease_to(pdf->cr, x1, y1 + h1, x0, y0 + h0);
    cairo_close_path(pdf->cr);
    pdf_color(pdf, c->fill);
    cairo_fill(pdf->cr);
}

/* A round hole that the shade grows around. */
static void draw_shade(Pdf *pdf, const DlCommand *c) {
    enum { STOPS = 6 };
    double x = (double)c->shade.x, y = (double)c->shade.y;
    cairo_pattern_t *shade = cairo_pattern_create_radial(x, y, (double)c->shade.clear, x, y, fmax((double)c->shade.reach, 1e-3));
    for (int i = 0; i <= STOPS; i++) {
        double t = (double)i / STOPS, alpha = (c->fill & 255) / 255.0 * t * t * (3 - 2 * t);
        cairo_pattern_add_color_stop_rgba(shade, t, (c->fill >> 24 & 255) / 255.0, (c->fill >> 16 & 255) / 255.0, (c->fill >> 8 & 255) / 255.0, alpha);
    }
    cairo_set_source(pdf->cr, shade);
    pdf_box(pdf, c->box, 0);
    cairo_fill(pdf->cr);
    cairo_pattern_destroy(shade);
}

static void (*const drawers[])(Pdf *pdf, const DlCommand *command) = {
    [DL_CLIP] = begin_clip, [DL_UNCLIP] = end_clip, [DL_GROUP] = draw_nothing, [DL_UNGROUP] = draw_nothing, [DL_RECT] = draw_rect,   [DL_LINE] = draw_line,
    [DL_PATH] = draw_path,  [DL_TEXT] = pdf_text,   [DL_CELLS] = pdf_cells,    [DL_RIBBON] = draw_ribbon,   [DL_SHADE] = draw_shade,
};
static_assert(sizeof drawers / sizeof drawers[0] == DL_KIND_COUNT, "a function for each kind of command");

/* ---- the file ---- */

typedef struct { Arena *arena; uint8_t *data; size_t size, capacity; } Bytes;

static cairo_status_t add_bytes(void *context, const unsigned char *data, unsigned length) {
    Bytes *bytes = context;
    if (bytes->size + length > bytes->capacity) {
        size_t capacity = (bytes->size + length) * 2 + 65536;
        uint8_t *bigger = arena_try_raw(bytes->arena, capacity, 1);
        if (bigger == NULL) return CAIRO_STATUS_NO_MEMORY;
        if (bytes->size > 0) memcpy(bigger, bytes->data, bytes->size);
        bytes->data = bigger;
        bytes->capacity = capacity;
    }
    memcpy(bytes->data + bytes->size, data, length);
    bytes->size += length;
    return CAIRO_STATUS_SUCCESS;
}

/* The date is one for all: the same picture is the same file. */
static void tell(cairo_surface_t *surface, const PictureOptions *options) {
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Attnscope");
    if (options->title) cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, options->title);
    if (options->description) cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, options->description);
}

static void draw_page(Pdf *pdf, double points) {
    const DisplayList *dl = pdf->dl;
    cairo_scale(pdf->cr, points, points);
    if (!pdf->options->transparent) {
        pdf_color(pdf, dl->background | 0xff);
        cairo_paint(pdf->cr);
    }
    for (int i = 0; i < dl->n && !pdf->failed; i++) {
        drawers[dl->commands[i].kind](pdf, &dl->commands[i]);
        arena_reset(&pdf->scratch);
    }
}

bool picture_pdf(Fonts *fonts, const DisplayList *dl, const PictureOptions *options, Arena *arena, void **data, size_t *size, Err *err) {
    double points = options->points > 0 ? (double)options->points : 0.75;
    Bytes bytes = {.arena = arena};
    if (!(dl->width >= 1 && dl->height >= 1)) return err_set(err, ERR_LIMIT, "a picture of %.0f x %.0f units", (double)dl->width, (double)dl->height);
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(add_bytes, &bytes, (double)dl->width * points, (double)dl->height * points);
    Pdf pdf = {.fonts = fonts, .dl = dl, .options = options, .cr = cairo_create(surface), .faces = pdf_fonts_open(), .err = err};
    tell(surface, options);
    draw_page(&pdf, points);
    cairo_status_t status = cairo_status(pdf.cr);
    cairo_destroy(pdf.cr);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    pdf_fonts_close(pdf.faces);
    painter_close(pdf.painter);
    arena_free(&pdf.scratch);
    if (status != CAIRO_STATUS_SUCCESS) return err_set(err, ERR_MEMORY, tr("The PDF cannot be made: %s."), cairo_status_to_string(status));
    *data = bytes.data;
    *size = bytes.size;
    return !pdf.failed;
}
