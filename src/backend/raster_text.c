#include <math.h>
#include <string.h>

#include "backend/raster_parts.h"

static const Sprite *text_sprite(Raster *raster, const TextLook *look, const char *string, int tile) {
    struct { float size, angle, shift; int face, tile; } parts = {look->size, look->angle, look->shift, (int)look->face, tile};
    uint64_t key = textures_key(textures_key(KEY_TEXT, &parts, sizeof parts), string, strlen(string));
    const Sprite *sprite = textures_find(raster->textures, key);
    if (sprite != NULL) return sprite;
    Coverage sheet = text_ink(raster->fonts, look, string, tile, &raster->scratch);
    return raster_keep(raster, key, &sheet);
}

/* Level words start at quarters of a pixel, so that a sentence set from pieces is spaced evenly. Numbers start at whole
 * pixels: columns of digits stay equal. */
static int start_of(const DlText *text, float x, float *shift) {
    bool number = text->face == FACE_MONO || text->face == FACE_MONO_BOLD;
    *shift = 0;
    if (number || text->angle != 0) return raster_whole(x + 0.5f);
    int pixel = raster_whole(x + 0.125f);
    *shift = floorf((x + 0.125f - (float)pixel) * 4) / 4;
    return pixel;
}

void raster_text(Raster *raster, const DlCommand *command) {
    const DlText *text = &command->text;
    if ((command->fill & 0xffu) == 0 || !(text->size > 0)) return;
    const char *string = dl_text_at(raster->dl, text->text);
    TextLook look = {.face = text->face, .size = text->size * raster->scale, .angle = text->angle};
    int x = start_of(text, command->box.x * raster->scale, &look.shift), y = raster_device(raster, command->box.y);
    int tiles = (int)fminf(text->width * raster->scale / TEXT_TILE, 1e5f) + 1;
    const SDL_Rect *clip = raster_clip(raster);
    for (int tile = 0; tile < tiles; tile++) {
        int ahead = tile * TEXT_TILE;
        if (text->angle == 0 && tiles > 1 && (x + ahead > clip->x + clip->w || x + ahead + TEXT_TILE + 64 < clip->x)) continue;
        raster_sprite(raster, text_sprite(raster, &look, string, tile), x, y, command->fill);
    }
}
