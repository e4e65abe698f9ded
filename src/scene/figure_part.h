/* What the files of the figures share; not for others. */
#ifndef SCENE_FIGURE_PART_H
#define SCENE_FIGURE_PART_H

#include "scene/matrix.h"

/* A page: a title, one map or one for each head, axis words and one legend for all, a line that says how it was made. */
typedef struct {
    Scene scene; /* with a view and a layout of its own */
    View view;
    const Theme *theme;
    TensorId tensor;
    int head; /* -1: all */
    FigureOptions options;
    int n, rows, cols, across, down;
    Matrix *map;        /* n */
    double limit;       /* of the colour scale; 0 = that of the tensor */
    float s;            /* scale of the page's type; never below 1 */
    float width, height; /* of the page */
    bool free_width, free_height; /* nobody has set it */
    float lean;         /* of names beyond the last column, where that is more than the legend has */
    float edge;         /* free on all sides */
    float tile_w, tile_h; /* of one map: its margins, and its name on a sheet */
    Rect title, how, body, maps; /* maps: what the tiles cover */
} Figure;

void figure_maps_size(const Scene *scene, const FigureSpec *spec, float *width, float *height);
void figure_maps_draw(const Scene *scene, const FigureSpec *spec, DisplayList *dl);

const char *figure_title(const Figure *f);
/* "Attention weights"; the name itself where there is no other. */
const char *figure_tensor_title(const char *name);
/* "Head 2", "Heads 1 to 4"; the job, or NULL. */
const char *figure_map_name(const Figure *f, int map, const char **job);
/* The longest of these that fits `room`: "queries: the token that looks", "queries". */
const char *figure_axis(const Figure *f, bool rows, float size, float room);
/* What is said below the maps: thinned labels, and what is hidden or left out of them; NULL: nothing. */
const char *figure_note(const Figure *f);
/* "Classroom 16×4, made by hand · causal mask · scale 1/√dₖ = 0.5": what had a part in these numbers. */
const char *figure_how(const Figure *f);

#endif
