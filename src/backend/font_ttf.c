#include <math.h>

#include "backend/font_shape.h"
#include "base/utf8.h"

enum { LEAD_TERMS = 3 };
static const float lead_min = 0.2f; /* ems: more than any letter reaches left of its pen */

/* Every font has them: HarfBuzz makes those that a file lacks out of its space. */
static const uint16_t spaces[LEAD_SPACES] = {0x20, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a};

static void measure_spaces(Fonts *fonts, FontFile *file) {
    file->measured = true;
    for (int i = 0; i < LEAD_SPACES; i++) {
        hb_buffer_t *buffer = fonts_buffer(fonts, 0);
        hb_buffer_add(buffer, spaces[i], 0);
        hb_buffer_set_content_type(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE);
        hb_buffer_set_script(buffer, HB_SCRIPT_LATIN);
        hb_buffer_set_direction(buffer, HB_DIRECTION_LTR);
        hb_shape(file->font, buffer, NULL, 0);
        unsigned n = 0;
        const hb_glyph_position_t *at = hb_buffer_get_glyph_positions(buffer, &n);
        file->spaces[i] = n > 0 ? (float)at[0].x_advance / file->upem : 0;
    }
}

static bool open_setting(FontSetting *setting, const FontFile *source, int file, int across, int high, uint64_t now) {
    if (setting->ttf != NULL) TTF_CloseFont(setting->ttf);
    unsigned length = 0;
    const char *bytes = hb_blob_get_data(source->blob, &length);
    /* One point at so many dots an inch gives any size, not only whole ones. */
    TTF_Font *ttf = TTF_OpenFontIndexDPIRW(SDL_RWFromConstMem(bytes, (int)length), 1, 1, source->index, (unsigned)across, (unsigned)high);
    *setting = (FontSetting){.ttf = ttf, .file = file, .across = across, .high = high, .used = now};
    if (ttf != NULL) TTF_SetFontHinting(ttf, TTF_HINTING_LIGHT); /* upright only, widths as they were designed */
    return ttf != NULL;
}

TTF_Font *fonts_ttf(Fonts *fonts, const TextPiece *piece, float across, float high) {
    FontSettings *settings = fonts_settings(fonts);
    int hdpi = (int)lroundf(across * 72), vdpi = (int)lroundf(high * 72);
    FontSetting *found = NULL, *oldest = &settings->at[0];
    for (int i = 0; i < FONT_SETTINGS && found == NULL; i++) {
        FontSetting *s = &settings->at[i];
        if (s->ttf != NULL && s->file == piece->file && s->across == hdpi && s->high == vdpi) found = s;
        else if (s->used < oldest->used) oldest = s;
    }
    settings->clock++;
    if (found == NULL && !open_setting(oldest, fonts_file(fonts, piece->file), piece->file, hdpi, vdpi, settings->clock)) return NULL;
    if (found == NULL) found = oldest;
    found->used = settings->clock;
    char script[5] = {0};
    hb_tag_to_string(hb_script_to_iso15924_tag(piece->script), script);
    TTF_SetFontScriptName(found->ttf, script);
    TTF_SetFontDirection(found->ttf, piece->right_to_left ? TTF_DIRECTION_RTL : TTF_DIRECTION_LTR);
    return found->ttf;
}

float fonts_lead(Fonts *fonts, int file, float across, float phase, char lead[LEAD_MAX]) {
    FontFile *source = fonts_file(fonts, file);
    if (!source->measured) measure_spaces(fonts, source);
    const float *ems = source->spaces;
    float least = INFINITY, width = 0;
    int best[LEAD_TERMS] = {0};
    for (int i = 0; i < LEAD_SPACES; i++)
        for (int j = -1; j <= i; j++)
            for (int k = -1; k <= j; k++) {
                float sum = ems[i] + (j < 0 ? 0 : ems[j]) + (k < 0 ? 0 : ems[k]), off = sum * across - phase;
                float cost = fabsf(off - roundf(off)) + 0.02f * sum; /* a short one, unless a long one fits better */
                if (sum < lead_min || cost >= least) continue;
                least = cost, width = sum * across;
                best[0] = i, best[1] = j, best[2] = k;
            }
    int used = 0;
    for (int i = 0; i < LEAD_TERMS; i++)
        if (best[i] >= 0) used += utf8_put(lead + used, spaces[best[i]]);
    lead[used] = '\0';
    return width;
}
