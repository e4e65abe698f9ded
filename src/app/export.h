/* Pictures of a session in files: what is drawn, how, and into which format. The command line, the action `export` and the
 * dialog fill one ExportSpec and share what follows. */
#ifndef APP_EXPORT_H
#define APP_EXPORT_H

#include "app/session.h"
#include "backend/picture.h"

typedef enum { EXPORT_SCREEN, EXPORT_MAP /* of one head */, EXPORT_HEADS /* of all, on one sheet */, EXPORT_STAGES, EXPORT_ROW, EXPORT_LAYERS, EXPORT_WHAT_COUNT } ExportWhat;
extern const char *const export_what_names[EXPORT_WHAT_COUNT];

/* Zeroed: the screen at 1600 x 1000 units, opaque, one pixel a unit. */
typedef struct {
    ExportWhat what;
    float width, height;     /* logical units; 0 = as large as what is drawn needs */
    float wide_points;       /* width on paper, in points; 0 = that of the units */
    float font_points;       /* size of the labels on paper, in points; 0 = what follows from the width */
    bool alt;                /* its description in sentences goes into a .txt file beside it */
    FigureOptions figure;
    PictureOptions picture;  /* its texts are filled in here */
} ExportSpec;

/* "84mm", "3.3in", "240pt", "column", "textwidth" in points. false and err: it is none. */
bool export_length(const char *text, float *points, Err *err);
/* The picture as a list, in `arena`. The session has a run. */
void export_draw(Session *session, const ExportSpec *spec, Arena *arena, DisplayList *list);
/* What the picture carries: the scenario, or where that is too long a line that says so. In `arena`. */
const char *export_scenario(Session *session, const char *path, Arena *arena);
/* Into a file whose ending names the format; a picture carries the scenario that leads back to it. */
bool export_write(Session *session, const ExportSpec *spec, const char *path, Err *err);
/* The same with the format given: for standard output. */
bool export_write_as(Session *session, const ExportSpec *spec, const PictureFormat *format, const char *path, Err *err);

#endif
