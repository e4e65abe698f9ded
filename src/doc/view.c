#include "doc/view.h"

void view_init(View *view) {
    *view = (View){
        .film = {.speed = 1},
        .theme = THEME_LIGHT,
        .palette = RAMP_THEME,
        .text_scale = 1,
        .menu_item = -1,
    };
}
