#include "backend/font_file.h"

#include <assert.h>
#include <string.h>

#include <fontconfig/fontconfig.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"

struct FontConfig { FcConfig *config; bool tried; };

typedef struct { const char *file, *folder, *family; int weight; } FontSource;

static const FontSource sources[FILE_COUNT] = {
    [FACE_UI] = {"Inter-Regular.otf", INTER_DIR, "Inter", FC_WEIGHT_REGULAR},
    [FACE_UI_MEDIUM] = {"Inter-Medium.otf", INTER_DIR, "Inter", FC_WEIGHT_MEDIUM},
    [FACE_UI_SEMIBOLD] = {"Inter-SemiBold.otf", INTER_DIR, "Inter", FC_WEIGHT_DEMIBOLD},
    [FACE_UI_BOLD] = {"Inter-Bold.otf", INTER_DIR, "Inter", FC_WEIGHT_BOLD},
    [FACE_MONO] = {"JetBrainsMono-Regular.ttf", JETBRAINS_DIR, "JetBrains Mono", FC_WEIGHT_REGULAR},
    [FACE_MONO_BOLD] = {"JetBrainsMono-Bold.ttf", JETBRAINS_DIR, "JetBrains Mono", FC_WEIGHT_BOLD},
    [FILE_WIDE] = {"wqy-microhei.ttc", WQY_DIR, "WenQuanYi Micro Hei", FC_WEIGHT_REGULAR},
};
static_assert(FILE_COUNT == 7, "a row for each font file");

FontConfig *font_config_open(Arena *arena) { return ARENA_NEW(arena, FontConfig); }

void font_config_close(FontConfig *config) {
    if (config->config != NULL) {
        FcConfigDestroy(config->config);
        FcFini();
    }
    config->config = NULL;
}

static FcConfig *config_of(FontConfig *config) {
    if (!config->tried) config->config = FcInitLoadConfigAndFonts();
    config->tried = true;
    return config->config;
}

/* The best match of `pattern` (which is destroyed) into path and index, when `good` accepts it. */
static bool match(FcConfig *config, FcPattern *pattern, bool (*good)(FcPattern *found, const void *ctx), const void *ctx, Arena *arena,
                  char **path, int *index) {
    FcConfigSubstitute(config, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcResult result;
    FcPattern *found = FcFontMatch(config, pattern, &result);
    FcPatternDestroy(pattern);
    if (found == NULL) return false;
    FcChar8 *file = NULL;
    bool ok = good(found, ctx) && FcPatternGetString(found, FC_FILE, 0, &file) == FcResultMatch;
    if (ok) {
        *path = arena_strdup(arena, (const char *)file);
        if (FcPatternGetInteger(found, FC_INDEX, 0, index) != FcResultMatch) *index = 0;
    }
    FcPatternDestroy(found);
    return ok;
}

/* fontconfig answers with its next best family when it lacks the one that was asked for. */
static bool is_family(FcPattern *found, const void *ctx) {
    const FontSource *source = ctx;
    FcChar8 *family;
    for (int i = 0; FcPatternGetString(found, FC_FAMILY, i, &family) == FcResultMatch; i++)
        if (FcStrCmpIgnoreCase(family, (const FcChar8 *)source->family) == 0) return true;
    return false;
}

static bool find_family(FontConfig *config, const FontSource *source, Arena *arena, char **path, int *index) {
    if (config_of(config) == NULL) return false;
    FcPattern *pattern = FcPatternCreate();
    FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)source->family);
    FcPatternAddInteger(pattern, FC_WEIGHT, source->weight);
    FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN);
    FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
    return match(config->config, pattern, is_family, source, arena, path, index);
}

bool font_file_find(FontConfig *config, int which, const char *folder, Arena *arena, char **path, int *index, Err *err) {
    const FontSource *source = &sources[which];
    *index = 0;
    if (folder != NULL) {
        *path = path_join(arena, folder, source->file);
        return file_exists(*path) || err_set(err, ERR_IO, tr("The font file %s is missing in %s."), source->file, folder);
    }
    Err place = {0};
    *path = path_data(arena, arena_printf(arena, "assets/fonts/%s", source->file), &place);
    if (*path != NULL) return true;
    if (source->folder[0] == '/') {
        *path = path_join(arena, source->folder, source->file);
        if (file_exists(*path)) return true;
    }
    if (find_family(config, source, arena, path, index)) return true;
    return err_set(err, ERR_IO, tr("The font \"%s\" (%s) is missing. It was looked for in %s and among the system's fonts. %s"),
                   source->family, source->file, source->folder, place.message);
}

static bool has_code_points(FcPattern *found, const void *ctx) {
    const FcCharSet *wanted = ctx;
    FcCharSet *set;
    return FcPatternGetCharSet(found, FC_CHARSET, 0, &set) == FcResultMatch && FcCharSetIsSubset(wanted, set);
}

bool font_file_for(FontConfig *config, const uint32_t *code_points, int count, Arena *arena, char **path, int *index) {
    if (config_of(config) == NULL) return false;
    bool han = false;
    FcCharSet *set = FcCharSetCreate();
    for (int i = 0; i < count; i++) {
        FcCharSetAddChar(set, code_points[i]);
        han = han || utf8_is_cjk(code_points[i]);
    }
    FcPattern *pattern = FcPatternCreate();
    FcPatternAddCharSet(pattern, FC_CHARSET, set);
    if (han) FcPatternAddString(pattern, FC_LANG, (const FcChar8 *)"zh-cn");
    FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
    FcPatternAddBool(pattern, FC_COLOR, FcFalse);
    bool ok = match(config->config, pattern, has_code_points, set, arena, path, index);
    FcCharSetDestroy(set);
    return ok;
}
