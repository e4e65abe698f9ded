/* Draws the demonstration list to a PNG: show_demo FILE [light|dark|print] [SCALE] */
#include <stdio.h>

#include "backend/demo_list.h"
#include "backend/picture.h"

int main(int argc, char **argv) {
    Err err = {0};
    Arena arena = {0};
    Fonts *fonts = fonts_open(&err);
    int theme = argc > 2 ? str_find(theme_names, THEME_COUNT, argv[2]) : 0;
    double scale = 1;
    bool ok = fonts != NULL && argc > 1 && theme >= 0 && (argc < 4 || str_to_double(argv[3], &scale));
    if (ok) {
        DisplayList dl;
        demo_list(&dl, &arena, fonts_metrics(fonts), (ThemeKind)theme);
        const PictureFormat *format = picture_format_of(argv[1], &err);
        ok = format && picture_write(fonts, &dl, format, &(PictureOptions){.scale = (float)scale}, argv[1], &err);
    }
    if (!ok) fprintf(stderr, "%s\n", err.code != ERR_NONE ? err.message : "show_demo FILE [light|dark|print] [SCALE]");
    fonts_close(fonts);
    arena_free(&arena);
    return ok ? 0 : 1;
}
