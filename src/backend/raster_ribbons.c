/* Hundreds of ribbons: each by itself would be a picture as large as its box. Layers of one colour over each other are one layer,
 * so that they are put into one picture. */
#include <math.h>

#include "backend/raster_parts.h"

enum { RUN_LEAST = 12 };

int raster_ribbon_run(const DisplayList *dl, int first) {
    int n = 0;
    Color color = dl->commands[first].fill >> 8;
    while (first + n < dl->n && dl->commands[first + n].kind == DL_RIBBON && dl->commands[first + n].fill >> 8 == color) n++;
    return n >= RUN_LEAST ? n : 0;
}

static void lay(Coverage *sheet, const DlCommand *c, float s) {
    if (c->box.w <= 0) return;
    float x0 = c->box.x * s, x1 = (c->box.x + c->box.w) * s;
    coverage_lay_ribbon(sheet, x0, c->ribbon.y0 * s, c->ribbon.h0 * s, x1, c->ribbon.y1 * s, c->ribbon.h1 * s, (float)(c->fill & 0xffu) / 255);
}

static const Sprite *run_sprite(Raster *raster, const DlCommand *command, int n) {
    float s = raster->scale;
    SDL_Rect clip = *raster_clip(raster);
    struct { float scale; SDL_Rect clip; } look = {s, clip};
    uint64_t key = textures_key(textures_key(KEY_RIBBONS, &look, sizeof look), command, (size_t)n * sizeof *command);
    const Sprite *sprite = textures_find(raster->textures, key);
    if (sprite != NULL) return sprite;
    Coverage sheet = coverage_for(&raster->scratch, (float)clip.x, (float)clip.y, (float)(clip.x + clip.w), (float)(clip.y + clip.h));
    for (int i = 0; i < n; i++) lay(&sheet, &command[i], s);
    return raster_keep(raster, key, &sheet);
}

void raster_ribbons(Raster *raster, const DlCommand *command, int n) {
    Color solid = command->fill | 0xffu;
    raster_sprite(raster, run_sprite(raster, command, n), 0, 0, solid);
}
