#include <math.h>
#include <string.h>

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include "backend/pdf_parts.h"
#include "base/tr.h"

/* ---- open faces ---- */

struct PdfFonts { Arena arena; cairo_font_face_t *of[FONT_FILES_MAX]; };

PdfFonts *pdf_fonts_open(void) {
    Arena arena = {0};
    PdfFonts *faces = ARENA_NEW(&arena, PdfFonts);
    faces->arena = arena;
    return faces;
}

void pdf_fonts_close(PdfFonts *faces) {
    for (int i = 0; i < FONT_FILES_MAX; i++)
        if (faces->of[i] != NULL) cairo_font_face_destroy(faces->of[i]);
    Arena arena = faces->arena; /* holds the object itself */
    arena_free(&arena);
}

/* A face and its library go when cairo, which may keep them in its cache, has no more use for them. */
static void drop_face(void *data) {
    FT_Face face = data;
    FT_Library library = face->glyph->library;
    FT_Done_Face(face);
    FT_Done_FreeType(library);
}

static cairo_font_face_t *open_face(const FontFile *file) {
    static const cairo_user_data_key_t key;
    FT_Library library;
    FT_Face face;
    if (FT_Init_FreeType(&library) != 0) return NULL;
    if (FT_New_Face(library, file->path, file->index, &face) != 0) {
        FT_Done_FreeType(library);
        return NULL;
    }
    cairo_font_face_t *cairo = cairo_ft_font_face_create_for_ft_face(face, FT_LOAD_NO_HINTING);
    if (cairo_font_face_set_user_data(cairo, &key, face, drop_face) == CAIRO_STATUS_SUCCESS) return cairo;
    cairo_font_face_destroy(cairo);
    drop_face(face);
    return NULL;
}

/* NULL and the error: the file cannot be opened. */
static cairo_font_face_t *face_of(Pdf *pdf, int file) {
    PdfFonts *faces = pdf->faces;
    const FontFile *f = fonts_file(pdf->fonts, file);
    if (faces->of[file] == NULL) faces->of[file] = open_face(f);
    if (faces->of[file] != NULL) return faces->of[file];
    pdf->failed = true;
    err_set(pdf->err, ERR_IO, tr("%s is not a usable font file."), f->path);
    return NULL;
}

/* ---- runs ---- */

/* Which bytes each glyph stands for, in the order of the text. */
static int find_clusters(const TextRun *run, cairo_text_cluster_t *out) {
    int n = 0;
    for (int i = 0; i < run->n;) {
        int at = run->right_to_left ? run->n - 1 - i : i, count = 1;
        while (i + count < run->n && run->glyphs[run->right_to_left ? run->n - 1 - i - count : i + count].cluster == run->glyphs[at].cluster) count++;
        int next = i + count;
        size_t end = next < run->n ? run->glyphs[run->right_to_left ? run->n - 1 - next : next].cluster : run->to;
        out[n++] = (cairo_text_cluster_t){.num_bytes = (int)(end - run->glyphs[at].cluster), .num_glyphs = count};
        i = next;
    }
    return n;
}

static void show_run(Pdf *pdf, const TextRun *run, const char *text, double size) {
    cairo_font_face_t *face = face_of(pdf, run->file);
    if (face == NULL || run->n == 0) return;
    cairo_glyph_t *glyphs = ARENA_ARRAY(&pdf->scratch, cairo_glyph_t, (size_t)run->n);
    cairo_text_cluster_t *clusters = ARENA_ARRAY(&pdf->scratch, cairo_text_cluster_t, (size_t)run->n);
    for (int i = 0; i < run->n; i++) glyphs[i] = (cairo_glyph_t){run->glyphs[i].glyph, (double)run->glyphs[i].x * size, -(double)run->glyphs[i].y * size};
    int n = find_clusters(run, clusters);
    cairo_set_font_face(pdf->cr, face);
    cairo_set_font_size(pdf->cr, size);
    cairo_show_text_glyphs(pdf->cr, text + run->from, (int)(run->to - run->from), glyphs, run->n, clusters, n,
                           run->right_to_left ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : 0);
}

/* What no font has: its code point in a frame. */
static void show_name(Pdf *pdf, const TextRun *run, const char *text, double size) {
    TextName name = fonts_name(pdf->fonts, text, run->from, run->to);
    TextRun *letters;
    double x = ((double)run->x + (double)name.gap) * size, w = (double)(name.width - 2 * name.gap) * size;
    cairo_rectangle(pdf->cr, x, -0.75 * size, w, 0.9 * size);
    cairo_set_line_width(pdf->cr, size / 16);
    cairo_stroke(pdf->cr);
    cairo_save(pdf->cr);
    cairo_translate(pdf->cr, x + (double)name.inset * size, -0.08 * size);
    int n = fonts_runs(pdf->fonts, FACE_MONO, name.text, &pdf->scratch, &letters);
    for (int i = 0; i < n; i++) show_run(pdf, &letters[i], name.text, size * (double)name.size);
    cairo_restore(pdf->cr);
}

/* Colour pictures (emoji): as the screen draws them, four pixels a unit. */
static void show_picture(Pdf *pdf, const DlCommand *c, const TextRun *run, const char *text) {
    enum { PIXELS = 4 };
    DisplayList list;
    Pixels pixels;
    float size = c->text.size, w = ceilf(run->advance * size) + 2, h = ceilf(size * 1.5f);
    if (pdf->painter == NULL) pdf->painter = painter_open(pdf->fonts);
    dl_init(&list, &pdf->scratch, w, h, 0);
    dl_text(&list, fonts_metrics(pdf->fonts), c->text.face, size, c->fill, 0, size * 1.1f, arena_strndup(&pdf->scratch, text + run->from, run->to - run->from));
    if (!painter_draw_clear(pdf->painter, &list, PIXELS, &pixels, pdf->err)) pdf->failed = true;
    else pdf_image(pdf, &pixels, (Rect){run->x * size, -size * 1.1f, w, h});
}

void pdf_text(Pdf *pdf, const DlCommand *command) {
    const char *text = dl_text_at(pdf->dl, command->text.text);
    TextRun *runs;
    double size = (double)command->text.size;
    if ((command->fill & 0xff) == 0 || !(size > 0)) return;
    int n = fonts_runs(pdf->fonts, command->text.face, text, &pdf->scratch, &runs);
    cairo_save(pdf->cr);
    cairo_translate(pdf->cr, (double)command->box.x, (double)command->box.y);
    cairo_rotate(pdf->cr, -(double)command->text.angle * M_PI / 180);
    for (int i = 0; i < n; i++) {
        pdf_color(pdf, command->fill);
        if (runs[i].file == FILE_NAMED) show_name(pdf, &runs[i], text, size);
        else if (fonts_file(pdf->fonts, runs[i].file)->picture) show_picture(pdf, command, &runs[i], text);
        else show_run(pdf, &runs[i], text, size);
    }
    cairo_restore(pdf->cr);
}
