#include "draw/font.h"

#include "base/utf8.h"

static float code_point_width(uint32_t c) {
    if (c < 0x20 || (c >= 0x300 && c < 0x370)) return 0; /* controls, combining marks */
    return utf8_is_cjk(c) || c >= 0x1f000 ? 1.0f : 0.6f;
}

static float fake_width(void *ctx, FontFace face, float size, const char *text, size_t length) {
    (void)ctx, (void)face;
    float ems = 0;
    for (size_t pos = 0; pos < length;) ems += code_point_width(utf8_next(text, length, &pos));
    return ems * size;
}

static float fake_ascent(void *ctx, FontFace face, float size) { return (void)ctx, (void)face, 0.95f * size; }

static float fake_descent(void *ctx, FontFace face, float size) { return (void)ctx, (void)face, 0.25f * size; }

static float fake_cap_height(void *ctx, FontFace face, float size) { return (void)ctx, (void)face, 0.7f * size; }

static const FontMetrics fake = {
    .ctx = NULL, .width = fake_width, .ascent = fake_ascent, .descent = fake_descent, .cap_height = fake_cap_height};

const FontMetrics *font_fake(void) { return &fake; }
