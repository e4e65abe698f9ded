#include "backend/fonts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <hb-ot.h>

#include "backend/font_shape.h"
#include "base/str.h"
#include "base/tr.h"

enum { WIDTHS = 8192, CODE_POINTS = 4096 }; /* entries of the two caches; a new one takes the place of an old one */

typedef struct { uint64_t key; float ems; } KnownWidth;
typedef struct { uint32_t code_point; int file; } KnownFile; /* file -1: nobody has it */

struct Fonts {
    Arena arena;
    bool ttf; /* SDL2_ttf is started */
    FontConfig *config;
    const char *folder;
    FontFile files[FONT_FILES_MAX];
    int n_files;
    bool wide_tried;
    hb_buffer_t *buffers[2];
    FontSettings settings;
    FontMetrics metrics;
    float cap[FACE_COUNT], ascent[FACE_COUNT], descent[FACE_COUNT]; /* ems */
    KnownWidth widths[WIDTHS];
    KnownFile known[CODE_POINTS];
};

static void file_drop(FontFile *file) {
    if (file->font != NULL) hb_font_destroy(file->font);
    if (file->blob != NULL) hb_blob_destroy(file->blob);
    *file = (FontFile){0};
}

static bool file_open(FontFile *file, char *path, int index, Err *err) {
    *file = (FontFile){.path = path, .index = index};
    file->blob = hb_blob_create_from_file(path);
    hb_face_t *face = hb_face_create(file->blob, (unsigned)index & 0xffffu);
    if (hb_face_get_glyph_count(face) > 0) {
        file->font = hb_font_create(face);
        file->upem = (float)hb_face_get_upem(face);
        if (index >> 16 > 0) hb_font_set_var_named_instance(file->font, (unsigned)(index >> 16) - 1); /* as fontconfig counts them */
    }
    file->picture = hb_ot_color_has_png(face);
    hb_face_destroy(face);
    if (file->font != NULL) return true;
    file_drop(file);
    return err_set(err, ERR_INPUT, tr("%s is not a usable font file."), path);
}

static void read_metrics(Fonts *fonts, FontFace face) {
    const FontFile *file = &fonts->files[face];
    hb_position_t cap = 0;
    if (!hb_ot_metrics_get_position(file->font, HB_OT_METRICS_TAG_CAP_HEIGHT, &cap) || cap <= 0) cap = (hb_position_t)(0.7f * file->upem);
    hb_font_extents_t line;
    hb_font_get_extents_for_direction(file->font, HB_DIRECTION_LTR, &line);
    fonts->cap[face] = (float)cap / file->upem;
    fonts->ascent[face] = (float)line.ascender / file->upem;
    fonts->descent[face] = -(float)line.descender / file->upem;
}

static uint64_t mix(uint64_t h) {
    h ^= h >> 32;
    h *= 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
}

static float width(void *ctx, FontFace face, float size, const char *text, size_t length) {
    Fonts *fonts = ctx;
    if (length == 0) return 0;
    uint64_t key = mix(hash_fnv1a(text, length) + (uint64_t)face * 0x632be59bd9b4e019u + length) | 1u;
    KnownWidth *slot = &fonts->widths[key % WIDTHS];
    if (slot->key != key) {
        slot->ems = fonts_advance(fonts, face, text, length);
        slot->key = key;
    }
    return slot->ems * size;
}

static float ascent(void *ctx, FontFace face, float size) { return ((const Fonts *)ctx)->ascent[face] * size; }

static float descent(void *ctx, FontFace face, float size) { return ((const Fonts *)ctx)->descent[face] * size; }

static float cap_height(void *ctx, FontFace face, float size) { return ((const Fonts *)ctx)->cap[face] * size; }

Fonts *fonts_open_folder(const char *folder, Err *err) {
    Arena arena = {0};
    Fonts *fonts = ARENA_NEW(&arena, Fonts);
    fonts->arena = arena;
    fonts->folder = folder != NULL ? arena_strdup(&fonts->arena, folder) : NULL;
    fonts->config = font_config_open(&fonts->arena);
    for (int i = 0; i < 2; i++) fonts->buffers[i] = hb_buffer_create();
    fonts->metrics = (FontMetrics){.ctx = fonts, .width = width, .ascent = ascent, .descent = descent, .cap_height = cap_height};
    memset(fonts->known, 0xff, sizeof fonts->known); /* no code point is that large */
    fonts->ttf = TTF_Init() == 0;
    if (!fonts->ttf) {
        err_set(err, ERR_MEMORY, tr("The font library cannot start: %s"), TTF_GetError());
        fonts_close(fonts);
        return NULL;
    }
    for (int i = 0; i < FACE_COUNT; i++) {
        char *path;
        int index;
        if (!font_file_find(fonts->config, i, fonts->folder, &fonts->arena, &path, &index, err) ||
            !file_open(&fonts->files[i], path, index, err)) {
            fonts_close(fonts);
            return NULL;
        }
        read_metrics(fonts, (FontFace)i);
    }
    fonts->n_files = FACE_COUNT;
    return fonts;
}

Fonts *fonts_open(Err *err) { return fonts_open_folder(NULL, err); }

void fonts_close(Fonts *fonts) {
    if (fonts == NULL) return;
    for (int i = 0; i < FONT_SETTINGS; i++)
        if (fonts->settings.at[i].ttf != NULL) TTF_CloseFont(fonts->settings.at[i].ttf);
    for (int i = 0; i < FONT_FILES_MAX; i++) file_drop(&fonts->files[i]);
    for (int i = 0; i < 2; i++) hb_buffer_destroy(fonts->buffers[i]);
    if (fonts->ttf) TTF_Quit();
    font_config_close(fonts->config);
    Arena arena = fonts->arena; /* holds the object itself */
    arena_free(&arena);
}

const FontMetrics *fonts_metrics(const Fonts *fonts) { return &fonts->metrics; }

FontFile *fonts_file(Fonts *fonts, int file) { return &fonts->files[file]; }

FontSettings *fonts_settings(Fonts *fonts) { return &fonts->settings; }

hb_buffer_t *fonts_buffer(Fonts *fonts, int which) {
    hb_buffer_clear_contents(fonts->buffers[which]);
    return fonts->buffers[which];
}

static bool has(const FontFile *file, uint32_t code_point) {
    hb_codepoint_t glyph;
    return file->font != NULL && hb_font_get_nominal_glyph(file->font, code_point, &glyph);
}

/* The Chinese face is opened when the first text needs it, and then keeps the slot behind the faces. */
static void open_wide(Fonts *fonts) {
    if (fonts->wide_tried) return;
    fonts->wide_tried = true;
    char *path;
    int index;
    Err ignored = {0}; /* without it the system's fonts are asked */
    if (font_file_find(fonts->config, FILE_WIDE, fonts->folder, &fonts->arena, &path, &index, &ignored))
        file_open(&fonts->files[FILE_WIDE], path, index, &ignored);
    fonts->n_files = FILE_COUNT;
}

static int open_from_system(Fonts *fonts, const uint32_t *code_points, int count) {
    char *path;
    int index;
    Err ignored = {0};
    if (fonts->folder != NULL || !font_file_for(fonts->config, code_points, count, &fonts->arena, &path, &index)) return -1;
    for (int i = 0; i < fonts->n_files; i++)
        if (fonts->files[i].index == index && str_eq(fonts->files[i].path, path)) return i;
    if (fonts->n_files >= FONT_FILES_MAX || !file_open(&fonts->files[fonts->n_files], path, index, &ignored)) return -1;
    return fonts->n_files++;
}

/* Faces that lend a sign to another face, as strong as it is. */
static FontFace lender(FontFace face) {
    static const FontFace lenders[FACE_COUNT] = {
        [FACE_UI] = FACE_MONO, [FACE_UI_MEDIUM] = FACE_MONO, [FACE_UI_SEMIBOLD] = FACE_MONO_BOLD, [FACE_UI_BOLD] = FACE_MONO_BOLD,
        [FACE_MONO] = FACE_UI, [FACE_MONO_BOLD] = FACE_UI_BOLD,
    };
    static_assert(FACE_COUNT == 6, "a row for each face");
    return lenders[face];
}

static int fallback_for(Fonts *fonts, uint32_t code_point) {
    KnownFile *slot = &fonts->known[code_point % CODE_POINTS];
    if (slot->code_point == code_point) return slot->file;
    *slot = (KnownFile){code_point, -1};
    open_wide(fonts);
    for (int i = FILE_WIDE; i < fonts->n_files && slot->file < 0; i++)
        if (has(&fonts->files[i], code_point)) slot->file = i;
    if (slot->file < 0) slot->file = open_from_system(fonts, &code_point, 1);
    if (slot->file >= 0 && !has(&fonts->files[slot->file], code_point)) slot->file = -1; /* fontconfig's index was wrong */
    return slot->file;
}

int fonts_file_with(Fonts *fonts, FontFace face, uint32_t code_point) {
    if (has(&fonts->files[face], code_point)) return (int)face;
    if (has(&fonts->files[lender(face)], code_point)) return (int)lender(face);
    return fallback_for(fonts, code_point);
}

int fonts_file_with_all(Fonts *fonts, const uint32_t *code_points, int count) {
    const uint32_t no_code_point = 0x80000000u;
    uint32_t key = (uint32_t)mix(hash_fnv1a(code_points, (size_t)count * sizeof *code_points)) | no_code_point;
    KnownFile *slot = &fonts->known[key % CODE_POINTS];
    if (slot->code_point != key) *slot = (KnownFile){key, open_from_system(fonts, code_points, count)};
    return slot->file;
}
