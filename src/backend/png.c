#include "backend/png.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

#include <png.h>

#include "backend/painter.h"
#include "base/tr.h"

enum { COMPRESSION = 3, TEXTS_MAX = 4, SCENARIO_MAX = 1 << 20 };
static const char scenario_keyword[] = "attnscope";

typedef struct { Arena *arena; uint8_t *data; size_t size, capacity; } Bytes;

static void add_bytes(png_structp png, png_bytep data, png_size_t length) {
    Bytes *bytes = png_get_io_ptr(png);
    if (bytes->size + length > bytes->capacity) {
        size_t capacity = (bytes->size + length) * 2 + 65536;
        uint8_t *bigger = arena_try_raw(bytes->arena, capacity, 1);
        if (bigger == NULL) png_error(png, "memory");
        if (bytes->size > 0) memcpy(bigger, bytes->data, bytes->size);
        bytes->data = bigger;
        bytes->capacity = capacity;
    }
    memcpy(bytes->data + bytes->size, data, length);
    bytes->size += length;
}

static void no_flush(png_structp png) { (void)png; }

static void keep_message(png_structp png, png_const_charp message) {
    err_set(png_get_error_ptr(png), ERR_IO, tr("The PNG cannot be written: %s"), message);
    longjmp(*png_set_longjmp_fn(png, longjmp, sizeof(jmp_buf)), 1);
}

static void no_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

/* As UTF-8, compressed where it is long. */
static void add_text(png_textp texts, int *n, const char *keyword, const char *text) {
    if (text == NULL) return;
    bool small = strlen(text) < 256;
    texts[(*n)++] = (png_text){.compression = small ? PNG_ITXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_zTXt, .key = (char *)(uintptr_t)keyword,
                               .text = (char *)(uintptr_t)text, .itxt_length = strlen(text), .lang = (char *)(uintptr_t)"", .lang_key = (char *)(uintptr_t)""};
}

static void say_more(png_structp png, png_infop info, const PictureOptions *options) {
    png_text texts[TEXTS_MAX];
    int n = 0;
    add_text(texts, &n, "Title", options->title);
    add_text(texts, &n, "Description", options->description);
    add_text(texts, &n, scenario_keyword, options->scenario);
    if (n > 0) png_set_text(png, info, texts, n);
    double scale = options->scale > 0 ? (double)options->scale : 1, points = (double)options->points;
    png_uint_32 per_metre = points > 0 ? (png_uint_32)lround(scale / (points / 72 * 0.0254)) : 0;
    if (per_metre > 0) png_set_pHYs(png, info, per_metre, per_metre, PNG_RESOLUTION_METER);
}

/* Between creating and destroying; libpng leaves it by longjmp on an error. */
static bool write_rows(png_structp png, png_infop info, const Pixels *pixels, const PictureOptions *options) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_IHDR(png, info, (png_uint_32)pixels->width, (png_uint_32)pixels->height, 8, options->transparent ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, COMPRESSION); /* flat areas: filters and higher levels cost four times as much for little */
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    say_more(png, info, options);
    png_write_info(png, info);
    if (!options->transparent) png_set_filler(png, 0, PNG_FILLER_AFTER); /* the fourth byte is left out */
    for (int y = 0; y < pixels->height; y++) png_write_row(png, pixels->rgba + (size_t)y * (size_t)pixels->width * 4);
    png_write_end(png, info);
    return true;
}

bool picture_png_pixels(const Pixels *pixels, const PictureOptions *options, Arena *arena, void **data, size_t *size, Err *err) {
    Err own = {0};
    Bytes bytes = {.arena = arena};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &own, keep_message, no_warning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    bool ok = info != NULL;
    if (ok) {
        png_set_write_fn(png, &bytes, add_bytes, no_flush);
        ok = write_rows(png, info, pixels, options);
    }
    if (png != NULL) png_destroy_write_struct(&png, &info);
    if (!ok) return err_set(err, ERR_MEMORY, "%s", own.code != ERR_NONE ? own.message : tr("There is no memory for a PNG."));
    *data = bytes.data;
    *size = bytes.size;
    return true;
}

bool picture_png(Fonts *fonts, const DisplayList *dl, const PictureOptions *options, Arena *arena, void **data, size_t *size, Err *err) {
    Painter *painter = painter_open(fonts);
    Pixels pixels;
    float scale = options->scale > 0 ? options->scale : 1;
    bool ok = options->transparent ? painter_draw_clear(painter, dl, scale, &pixels, err) : painter_draw(painter, dl, scale, &pixels, err);
    ok = ok && picture_png_pixels(&pixels, options, arena, data, size, err);
    painter_close(painter);
    return ok;
}

/* ---- reading back ---- */

typedef struct { const uint8_t *data; size_t size, at; } Source;

static void give_bytes(png_structp png, png_bytep to, png_size_t length) {
    Source *source = png_get_io_ptr(png);
    if (length > source->size - source->at) png_error(png, tr("it ends in the middle"));
    memcpy(to, source->data + source->at, length);
    source->at += length;
}

static const char *find_scenario(png_structp png, png_infop info, Arena *arena) {
    png_textp texts;
    int n;
    png_get_text(png, info, &texts, &n);
    for (int i = 0; i < n; i++)
        if (strcmp(texts[i].key, scenario_keyword) == 0) return arena_strndup(arena, texts[i].text, texts[i].itxt_length > 0 ? texts[i].itxt_length : texts[i].text_length);
    return NULL;
}

/* Between creating and destroying, as write_rows. */
static bool read_texts(png_structp png, png_infop info) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_read_info(png, info);
    return true;
}

static void keep_reading_message(png_structp png, png_const_charp message) {
    err_set(png_get_error_ptr(png), ERR_INPUT, tr("This PNG cannot be read: %s."), message);
    longjmp(*png_set_longjmp_fn(png, longjmp, sizeof(jmp_buf)), 1);
}

const char *picture_png_scenario(const void *data, size_t size, Arena *arena, Err *err) {
    Err own = {0};
    Source source = {.data = data, .size = size};
    const char *text = NULL;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &own, keep_reading_message, no_warning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    bool ok = info != NULL;
    if (ok) {
        png_set_chunk_malloc_max(png, SCENARIO_MAX);
        png_set_chunk_cache_max(png, 64);
        png_set_read_fn(png, &source, give_bytes);
        ok = read_texts(png, info);
    }
    if (ok) text = find_scenario(png, info, arena);
    if (png != NULL) png_destroy_read_struct(&png, &info, NULL);
    if (!ok) err_set(err, own.code != ERR_NONE ? own.code : ERR_MEMORY, "%s", own.code != ERR_NONE ? own.message : tr("There is no memory for a PNG."));
    else if (text == NULL) err_set(err, ERR_INPUT, "%s", tr("This picture holds no scenario: only PNG and SVG files that Attnscope wrote can be opened again."));
    return text;
}
