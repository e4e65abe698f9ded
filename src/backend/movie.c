#include "backend/movie.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <cgif.h>

#include "backend/palette.h"
#include "backend/png.h"
#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"

enum { LAST_HUNDREDTHS = 200 /* a GIF that begins again rests at its end */ };

struct Movie {
    Arena arena, frame;
    const MovieFormat *format;
    MovieSpec spec;
    int n;                /* frames added */
    FileWriter file;      /* of one stream */
    bool writing;
    Palette *palette;
    CGIF *gif;
    uint8_t *indices;
};

/* ---- GIF ---- */

static int hundredths(int per_second) { return (100 + per_second / 2) / per_second; }

static int put_gif(void *context, const uint8_t *data, const size_t size) {
    Movie *m = context;
    return file_put(&m->file, data, size) ? 0 : 1;
}

static bool begin_gif(Movie *m, Err *err) {
    if (m->spec.width > UINT16_MAX || m->spec.height > UINT16_MAX)
        return err_set(err, ERR_LIMIT, tr("A GIF has at most %d pixels a side."), UINT16_MAX);
    m->palette = palette_open();
    m->indices = arena_try_raw(&m->arena, (size_t)m->spec.width, (size_t)m->spec.height);
    if (m->indices == NULL) return err_set(err, ERR_MEMORY, tr("There is no memory for a picture of %d x %d pixels."), m->spec.width, m->spec.height);
    m->writing = file_begin(&m->file, m->spec.path, err);
    return m->writing;
}

static bool gif_failed(Movie *m, Err *err) {
    if (m->file.error == 0) err_set(err, ERR_IO, "%s", tr("The GIF cannot be written."));
    return false; /* else the end tells */
}

static bool open_gif(Movie *m, Err *err) {
    const uint8_t *rgb;
    int n = palette_settle(m->palette, &rgb);
    uint8_t *colors = ARENA_ARRAY(&m->arena, uint8_t, (size_t)n * 3);
    memcpy(colors, rgb, (size_t)n * 3);
    CGIF_Config config = {.pGlobalPalette = colors, .attrFlags = CGIF_ATTR_IS_ANIMATED,
                          .width = (uint16_t)m->spec.width, .height = (uint16_t)m->spec.height, .numGlobalPaletteEntries = (uint16_t)n,
                          .numLoops = CGIF_INFINITE_LOOP, .pWriteFn = put_gif, .pContext = m};
    m->gif = cgif_newgif(&config);
    return m->gif != NULL || gif_failed(m, err);
}

static bool add_gif(Movie *m, const Pixels *pixels, Err *err) {
    if (m->gif == NULL && !open_gif(m, err)) return false;
    palette_map(m->palette, pixels, m->indices);
    bool last = m->n + 1 == m->spec.frames;
    CGIF_FrameConfig frame = {.pImageData = m->indices, .genFlags = CGIF_FRAME_GEN_USE_TRANSPARENCY | CGIF_FRAME_GEN_USE_DIFF_WINDOW,
                              .delay = (uint16_t)(last ? LAST_HUNDREDTHS : hundredths(m->spec.per_second))};
    return cgif_addframe(m->gif, &frame) == CGIF_OK || gif_failed(m, err);
}

/* ---- one stream ---- */

static bool end_stream(Movie *m, bool keep, Err *err) {
    bool good = !m->gif || cgif_close(m->gif) == CGIF_OK;
    if (keep && !good && m->file.error == 0) err_set(err, ERR_IO, "%s", tr("The GIF cannot be written."));
    palette_close(m->palette);
    if (!m->writing) return false;
    if (keep && good) return file_end(&m->file, err);
    if (m->file.error != 0) return file_end(&m->file, err);
    file_drop(&m->file);
    return !keep;
}

/* ---- PPM: each frame says its own size ---- */

static bool begin_ppm(Movie *m, Err *err) {
    m->indices = arena_try_raw(&m->arena, (size_t)m->spec.width * 3, (size_t)m->spec.height);
    if (m->indices == NULL) return err_set(err, ERR_MEMORY, tr("There is no memory for a picture of %d x %d pixels."), m->spec.width, m->spec.height);
    m->writing = file_begin(&m->file, m->spec.path, err);
    return m->writing;
}

static bool add_ppm(Movie *m, const Pixels *pixels, Err *err) {
    (void)err; /* the end tells */
    char head[64];
    size_t n = (size_t)pixels->width * (size_t)pixels->height;
    for (size_t i = 0; i < n; i++) memcpy(m->indices + 3 * i, pixels->rgba + 4 * i, 3);
    snprintf(head, sizeof head, "P6\n%d %d\n255\n", pixels->width, pixels->height);
    return file_put(&m->file, head, strlen(head)) && file_put(&m->file, m->indices, 3 * n);
}

/* ---- numbered PNG files ---- */

static const char *numbered(Movie *m, int number) {
    const char *path = m->spec.path, *dot = strrchr(path_name(path), '.');
    int stem = dot != NULL ? (int)(dot - path) : (int)strlen(path), digits = m->spec.frames > 9999 ? 6 : 4;
    return arena_printf(&m->frame, "%.*s-%0*d.png", stem, path, digits, number);
}

static bool begin_png(Movie *m, Err *err) {
    if (str_eq(m->spec.path, "-")) return err_set(err, ERR_USAGE, "%s", tr("numbered pictures need a name; --frames - is one stream"));
    return true;
}

static bool add_png(Movie *m, const Pixels *pixels, Err *err) {
    void *data;
    size_t size;
    PictureOptions options = {.transparent = m->spec.transparent, .scenario = m->n == 0 ? m->spec.scenario : NULL};
    return picture_png_pixels(pixels, &options, &m->frame, &data, &size, err) && file_write(numbered(m, m->n + 1), data, size, err);
}

static bool end_png(Movie *m, bool keep, Err *err) {
    (void)err;
    for (int i = 1; !keep && i <= m->n; i++) {
        file_remove(numbered(m, i));
        arena_reset(&m->frame);
    }
    return true;
}

static const MovieFormat formats[] = {
    {"gif", true, begin_gif, add_gif, end_stream},
    {"png", false, begin_png, add_png, end_png},
    {"ppm", false, begin_ppm, add_ppm, end_stream},
};

const MovieFormat *movie_format_named(const char *extension) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(extension, formats[i].extension) == 0) return &formats[i];
    return NULL;
}

double movie_rate(const MovieFormat *format, int per_second) {
    return format->begin == begin_gif ? 100.0 / hundredths(per_second) : per_second;
}

/* ---- all ---- */

Movie *movie_open(const MovieFormat *format, const MovieSpec *spec, Err *err) {
    Arena arena = {0};
    Movie *m = ARENA_NEW(&arena, Movie);
    m->arena = arena;
    m->format = format;
    m->spec = *spec;
    if (format->begin(m, err)) return m;
    movie_close(m, false, NULL);
    return NULL;
}

void movie_count(Movie *m, const Pixels *pixels) {
    if (m->palette != NULL) palette_count(m->palette, pixels);
}

bool movie_add(Movie *m, const Pixels *pixels, Err *err) {
    if (pixels->width != m->spec.width || pixels->height != m->spec.height)
        return err_set(err, ERR_SHAPE, "a frame of %d x %d pixels in a film of %d x %d", pixels->width, pixels->height, m->spec.width, m->spec.height);
    if (!m->format->add(m, pixels, err)) return false;
    m->n++;
    arena_reset(&m->frame);
    return true;
}

bool movie_close(Movie *m, bool keep, Err *err) {
    if (m == NULL) return true;
    bool ok = m->format->end(m, keep, err);
    arena_free(&m->frame);
    Arena arena = m->arena; /* holds the object itself */
    arena_free(&arena);
    return ok;
}
