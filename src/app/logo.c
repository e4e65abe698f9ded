#include "app/logo.h"

void logo_draw(DisplayList *dl, const Theme *theme, Rect box) {
    static const float weight[3][3] = {{0.95f, -1, -1}, {0.35f, 0.6f, -1}, {0.15f, 0.3f, 0.85f}};
    float gap = box.w / 13, cell = (box.w - 2 * gap) / 3;
    for (int row = 0; row < 3; row++) {
        for (int col = 0; col < 3; col++) {
            float w = weight[row][col];
            Color fill = w < 0 ? theme->empty_cell : theme_weight_color(theme, RAMP_THEME, (double)w);
            dl_rect(dl, (Rect){box.x + (float)col * (cell + gap), box.y + (float)row * (cell + gap), cell, cell}, cell / 4, fill, COLOR_NONE, 0);
        }
    }
}
