#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/dl.h"

float dl_text_turned(DisplayList *dl, const FontMetrics *font, FontFace face, float size, Color color, float x, float y, float angle,
                     const char *text) {
    if (text[0] == '\0') return 0;
    float width = font_width(font, face, size, text);
    DlCommand *c = dl_add(dl, DL_TEXT, (Rect){x, y, 0, 0});
    c->fill = color;
    c->text = (DlText){.face = face, .size = size, .angle = angle, .text = dl_store(dl, text), .width = width};
    return width;
}

float dl_text(DisplayList *dl, const FontMetrics *font, FontFace face, float size, Color color, float x, float y, const char *text) {
    return dl_text_turned(dl, font, face, size, color, x, y, 0, text);
}

#define ELLIPSIS "\xe2\x80\xa6"

static const float slack = 0.01f; /* for sums of advances */

/* As much of `text` as fits with an ellipsis behind it; NULL when not even that fits. In the list's arena. */
static const char *with_dots(DisplayList *dl, const FontMetrics *font, FontFace face, float size, const char *text, float width) {
    float dots = font_width(font, face, size, ELLIPSIS);
    if (dots > width + slack) return NULL;
    size_t keep = font_fit(font, face, size, text, width + slack - dots);
    while (keep > 0 && text[keep - 1] == ' ') keep--;
    return arena_printf(dl->arena, "%.*s" ELLIPSIS, (int)keep, text);
}

/* `text`, cut only when it does not fit. */
static const char *text_cut(DisplayList *dl, const FontMetrics *font, FontFace face, float size, const char *text, float width) {
    size_t fits = font_fit(font, face, size, text, width + slack);
    return text[fits] == '\0' ? text : with_dots(dl, font, face, size, text, width);
}

float dl_label(DisplayList *dl, const FontMetrics *font, FontFace face, float size, Color color, Rect box, TextAlign align,
               const char *text) {
    const char *shown = text_cut(dl, font, face, size, text, box.w);
    if (shown == NULL || shown[0] == '\0') return 0;
    float spare = box.w - font_width(font, face, size, shown);
    float x = box.x + (align == ALIGN_LEFT ? 0 : align == ALIGN_CENTER ? spare / 2 : spare);
    float y = box.y + (box.h + font->cap_height(font->ctx, face, size)) / 2;
    return dl_text(dl, font, face, size, color, x, y, shown);
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* End of the next unbreakable piece from `pos` (leading spaces included), never behind a line feed. */
static size_t piece_end(const char *text, size_t length, size_t pos) {
    while (pos < length && is_blank(text[pos])) pos++;
    uint32_t before = 0;
    while (pos < length && !is_blank(text[pos]) && text[pos] != '\n') {
        size_t next = pos;
        uint32_t c = utf8_next(text, length, &next);
        if (before != 0 && utf8_breaks_between(before, c)) break;
        before = c;
        pos = next;
    }
    return pos;
}

/* Bytes of the line that starts at `text`: whole pieces, or the clusters that fit of a piece that is too long. */
static size_t line_length(const FontMetrics *font, FontFace face, float size, const char *text, size_t length, float width) {
    size_t fits = 0;
    while (fits < length && text[fits] != '\n') {
        size_t end = piece_end(text, length, fits);
        if (font->width(font->ctx, face, size, text, end) > width + slack) break;
        fits = end;
    }
    if (fits > 0 || length == 0 || text[0] == '\n') return fits;
    fits = font_fit(font, face, size, text, width);
    size_t piece = piece_end(text, length, 0);
    if (fits > piece) fits = piece;
    return fits > 0 ? fits : utf8_grapheme_next(text, length, 0);
}

typedef struct { const char *text; size_t length; const char *rest; } Line; /* rest: where the next line starts */

static Line next_line(const FontMetrics *font, FontFace face, float size, const char *text, float width) {
    size_t length = strlen(text);
    size_t n = line_length(font, face, size, text, length, width);
    const char *rest = text + n;
    if (*rest == '\n') rest++;
    else
        while (is_blank(*rest)) rest++;
    while (n > 0 && is_blank(text[n - 1])) n--;
    return (Line){text, n, rest};
}

float dl_paragraph(DisplayList *dl, const FontMetrics *font, FontFace face, float size, Color color, Rect box, float line_height,
                   const char *text) {
    float ascent = font->ascent(font->ctx, face, size), descent = font->descent(font->ctx, face, size);
    float used = 0;
    while (*text != '\0') {
        Line line = next_line(font, face, size, text, box.w);
        float baseline = box.y + used + (line_height - ascent - descent) / 2 + ascent;
        used += line_height;
        bool last = box.h > 0 && used + line_height > box.h + 0.5f;
        if (last && *line.rest != '\0') { /* no room for what follows: this line runs on and is cut */
            size_t end = strcspn(text, "\n");
            const char *cut = with_dots(dl, font, face, size, arena_strndup(dl->arena, text, end), box.w);
            if (cut != NULL) dl_text(dl, font, face, size, color, box.x, baseline, cut);
            break;
        }
        dl_text(dl, font, face, size, color, box.x, baseline, arena_strndup(dl->arena, line.text, line.length));
        text = line.rest;
    }
    return used;
}

float dl_paragraph_height(const FontMetrics *font, FontFace face, float size, float width, float line_height, const char *text) {
    float used = 0;
    while (*text != '\0') {
        text = next_line(font, face, size, text, width).rest;
        used += line_height;
    }
    return used;
}
