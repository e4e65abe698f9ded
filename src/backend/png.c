#include "backend/png.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

#include <SDL.h>
#include <png.h>

#include "backend/raster.h"
#include "base/file.h"
#include "base/tr.h"

enum { SIDE_MAX = 16384, COMPRESSION = 3 };

struct Painter {
    Arena arena, pixels;
    Fonts *fonts;
    SDL_Surface *surface;
    SDL_Renderer *renderer;
    Raster *raster;
};

Painter *painter_open(Fonts *fonts) {
    Arena arena = {0};
    Painter *painter = ARENA_NEW(&arena, Painter);
    painter->arena = arena;
    painter->fonts = fonts;
    return painter;
}

static void drop_surface(Painter *painter) {
    raster_close(painter->raster);
    if (painter->renderer != NULL) SDL_DestroyRenderer(painter->renderer);
    if (painter->surface != NULL) SDL_FreeSurface(painter->surface);
    painter->raster = NULL;
    painter->renderer = NULL;
    painter->surface = NULL;
}

void painter_close(Painter *painter) {
    if (painter == NULL) return;
    drop_surface(painter);
    arena_free(&painter->pixels);
    Arena arena = painter->arena; /* holds the object itself */
    arena_free(&arena);
}

static bool surface_for(Painter *painter, int width, int height, Err *err) {
    if (painter->surface != NULL && painter->surface->w == width && painter->surface->h == height) return true;
    drop_surface(painter);
    painter->surface = SDL_CreateRGBSurfaceWithFormat(0, width, height, 32, SDL_PIXELFORMAT_XRGB8888);
    if (painter->surface != NULL) painter->renderer = SDL_CreateSoftwareRenderer(painter->surface);
    if (painter->renderer == NULL) {
        drop_surface(painter);
        return err_set(err, ERR_MEMORY, tr("A picture of %d x %d pixels cannot be made: %s"), width, height, SDL_GetError());
    }
    painter->raster = raster_open(painter->renderer, painter->fonts);
    return true;
}

static void copy_row(uint8_t *to, const uint32_t *from, int width) {
    for (int x = 0; x < width; x++, to += 4) {
        to[0] = (uint8_t)(from[x] >> 16), to[1] = (uint8_t)(from[x] >> 8), to[2] = (uint8_t)from[x];
        to[3] = 255;
    }
}

bool painter_draw(Painter *painter, const DisplayList *dl, float scale, Pixels *out, Err *err) {
    float w = ceilf(dl->width * scale), h = ceilf(dl->height * scale);
    if (!(w >= 1 && h >= 1 && w <= SIDE_MAX && h <= SIDE_MAX))
        return err_set(err, ERR_LIMIT, tr("A picture of %.0f x %.0f pixels is outside of 1 to %d pixels a side."), (double)w, (double)h,
                       SIDE_MAX);
    int width = (int)w, height = (int)h;
    if (!surface_for(painter, width, height, err)) return false;
    arena_reset(&painter->pixels);
    uint8_t *rgba = arena_try_raw(&painter->pixels, (size_t)width * (size_t)height, 4);
    if (rgba == NULL) return err_set(err, ERR_MEMORY, tr("There is no memory for a picture of %d x %d pixels."), width, height);
    raster_draw(painter->raster, dl, scale);
    SDL_RenderFlush(painter->renderer);
    const uint8_t *source = painter->surface->pixels;
    for (int y = 0; y < height; y++, source += painter->surface->pitch)
        copy_row(rgba + (size_t)y * (size_t)width * 4, (const uint32_t *)(const void *)source, width);
    *out = (Pixels){width, height, rgba};
    return true;
}

typedef struct { Arena *arena; uint8_t *data; size_t size, capacity; bool full; } Bytes;

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

/* Between creating and destroying; libpng leaves it by longjmp on an error. */
static bool write_rows(png_structp png, png_infop info, const Pixels *pixels) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_IHDR(png, info, (png_uint_32)pixels->width, (png_uint_32)pixels->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, COMPRESSION); /* flat areas: filters and higher levels cost four times as much for little */
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER); /* the fourth byte is left out */
    for (int y = 0; y < pixels->height; y++) png_write_row(png, pixels->rgba + (size_t)y * (size_t)pixels->width * 4);
    png_write_end(png, info);
    return true;
}

/* Opaque RGB with an sRGB chunk. Bytes in `arena`. */
static bool encode(const Pixels *pixels, Arena *arena, void **data, size_t *size, Err *err) {
    Err own = {0};
    Bytes bytes = {.arena = arena};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &own, keep_message, no_warning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    bool ok = info != NULL;
    if (ok) {
        png_set_write_fn(png, &bytes, add_bytes, no_flush);
        ok = write_rows(png, info, pixels);
    }
    if (png != NULL) png_destroy_write_struct(&png, &info);
    if (!ok) return err_set(err, ERR_MEMORY, "%s", own.code != ERR_NONE ? own.message : tr("There is no memory for a PNG."));
    *data = bytes.data;
    *size = bytes.size;
    return true;
}

bool backend_png_encode(Fonts *fonts, const DisplayList *dl, float scale, Arena *arena, void **data, size_t *size, Err *err) {
    Painter *painter = painter_open(fonts);
    Pixels pixels;
    bool ok = painter_draw(painter, dl, scale, &pixels, err) && encode(&pixels, arena, data, size, err);
    painter_close(painter);
    return ok;
}

bool backend_png_write(Fonts *fonts, const DisplayList *dl, float scale, const char *path, Err *err) {
    Arena arena = {0};
    void *data;
    size_t size;
    bool ok = backend_png_encode(fonts, dl, scale, &arena, &data, &size, err) && file_write(path, data, size, err);
    arena_free(&arena);
    return ok;
}
