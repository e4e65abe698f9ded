#include <math.h>
#include <string.h>

#include "backend/raster_parts.h"

static const Sprite *text_sprite(Raster *raster, const DlText *text, const char *string, int tile) {
    float size = text->size * raster->scale;
    struct { float size, angle; int face, tile; } look = {size, text->angle, (int)text->face, tile};
    uint64_t key = textures_key(textures_key(KEY_TEXT, &look, sizeof look), string, strlen(string));
    const Sprite *sprite = textures_find(raster->textures, key);
    if (sprite != NULL) return sprite;
    Coverage sheet = glyphs_text(raster->glyphs, text->face, size, text->angle, string, tile, &raster->scratch);
    return raster_keep(raster, key, &sheet);
}

void raster_text(Raster *raster, const DlCommand *command) {
    const DlText *text = &command->text;
    if ((command->fill & 0xffu) == 0 || !(text->size > 0)) return;
    const char *string = dl_text_at(raster->dl, text->text);
    int x = raster_device(raster, command->box.x), y = raster_device(raster, command->box.y);
    float length = text->width * raster->scale;
    int tiles = (int)fminf(length / TEXT_TILE, 1e5f) + 1;
    const SDL_Rect *clip = raster_clip(raster);
    for (int tile = 0; tile < tiles; tile++) {
        int ahead = tile * TEXT_TILE;
        if (text->angle == 0 && tiles > 1 && (x + ahead > clip->x + clip->w || x + ahead + TEXT_TILE + 64 < clip->x)) continue;
        raster_sprite(raster, text_sprite(raster, text, string, tile), x, y, command->fill);
    }
}
