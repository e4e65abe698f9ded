#include "draw/font.h"

#include <string.h>

#include "base/utf8.h"

float font_width(const FontMetrics *font, FontFace face, float size, const char *text) {
    return font->width(font->ctx, face, size, text, strlen(text));
}

/* End of the last whole cluster at or before `limit`, not before `from` (a boundary). */
static size_t cluster_floor(const char *text, size_t length, size_t from, size_t limit) {
    size_t pos = from;
    while (pos < limit) {
        size_t next = utf8_grapheme_next(text, length, pos);
        if (next > limit || next <= pos) break;
        pos = next;
    }
    return pos;
}

size_t font_fit(const FontMetrics *font, FontFace face, float size, const char *text, float width) {
    size_t length = strlen(text);
    if (width <= 0 || size <= 0) return 0;
    /* Never shape a novel to fill a label: more than 16 bytes an eighth of an em do not fit. */
    double most = 64 + 128.0 * (double)width / (double)size;
    if ((double)length > most) length = cluster_floor(text, length, 0, (size_t)most);
    if (font->width(font->ctx, face, size, text, length) <= width) return length;
    size_t fits = 0, over = length;
    while (over > fits) {
        size_t middle = cluster_floor(text, length, fits, fits + (over - fits) / 2);
        if (middle == fits) middle = utf8_grapheme_next(text, length, fits);
        if (middle >= over) break;
        if (font->width(font->ctx, face, size, text, middle) <= width) fits = middle;
        else over = middle;
    }
    return fits;
}
