/* The display list: a picture as plain commands in logical units. Scenes and panels write it; the screen,
 * PNG and later formats, hit tests, tooltips and golden tests read it. No pointers inside: text, points,
 * colours and values lie in side pools by offset, so a list can be compared, dumped and kept. */
#ifndef DRAW_DL_H
#define DRAW_DL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "draw/font.h"
#include "draw/geom.h"

typedef enum { DL_CLIP, DL_UNCLIP, DL_GROUP, DL_UNGROUP, DL_RECT, DL_LINE, DL_PATH, DL_TEXT, DL_CELLS, DL_RIBBON, DL_SHADE, DL_KIND_COUNT } DlKind;

/* What a group means. draw never interprets `at`. */
typedef enum {
    ROLE_NONE, ROLE_STAGE, ROLE_TENSOR, ROLE_HEAD, ROLE_ROW, ROLE_COLUMN, ROLE_CELL, ROLE_OPERAND, ROLE_PANEL,
    ROLE_BUTTON, ROLE_FIELD, ROLE_SLIDER, ROLE_MENU, ROLE_ITEM, ROLE_DIALOG, ROLE_COUNT
} DlRole;
extern const char *const dl_role_names[ROLE_COUNT];

/* Looks of a cell; never confused with each other. */
typedef enum { CELL_VALUE, CELL_MASKED /* slash */, CELL_NAN /* hatched */, CELL_EMPTY /* not yet computed */, CELL_NONE /* nothing drawn */, CELL_MARK_COUNT } CellMark;

enum { DL_NO_TEXT = 0 }; /* offset 0 of the text pool is the empty string */

typedef struct {
    DlRole role;
    int tensor;             /* TensorId, or -1 */
    int at[4];              /* index of a cell; head, row, column; meaning by role; -1 = not fixed */
    uint32_t action;        /* text: the action line a click runs ("stage 3"); 0 = none */
    uint32_t double_action; /* on a double click */
    uint32_t name;          /* text: its stable name ("rail.3", "play"): focus, tests, SVG ids */
    uint32_t label;         /* text: for tooltips and titles */
    bool focusable;
} DlGroup;

typedef struct { FontFace face; float size; float angle; /* degrees, counter-clockwise about the start; 0, 45 or 90 */ uint32_t text; float width; } DlText;
typedef struct { int rows, cols; float gap, radius; uint32_t colors, values, marks; int tensor, head, row0, col0; } DlCells;

typedef struct {
    DlKind kind;
    Rect box;       /* RECT, CELLS, CLIP, GROUP, SHADE: the area. TEXT: x, y = start of the baseline. LINE: x,y to x+w,y+h.
                       PATH, RIBBON: bounds */
    Color fill, stroke;
    float width;    /* of strokes */
    float radius;   /* RECT */
    union {
        DlText text;
        DlCells cells;
        struct { uint32_t group; } group;                       /* position in the group pool */
        struct { uint32_t first, count; bool closed; } path;    /* points, straight segments */
        struct { float y0, h0, y1, h1; } ribbon;                /* from the left edge (y0 to y0+h0) to the right, eased */
        struct { float x, y, clear, reach; } shade;             /* nothing up to `clear` from x, y, all beyond `reach` */
        struct { float dash; } line;                            /* 0 = solid */
    };
} DlCommand;

typedef struct { float x, y; } DlPoint;

typedef struct {
    Arena *arena;
    DlCommand *commands; int n, capacity;
    DlGroup *groups; int n_groups, groups_capacity;
    char *text; uint32_t n_text, text_capacity;
    DlPoint *points; uint32_t n_points, points_capacity;
    Color *colors; uint32_t n_colors, colors_capacity;   /* one a cell */
    float *values; uint32_t n_values, values_capacity;   /* one a cell */
    uint8_t *marks; uint32_t n_marks, marks_capacity;    /* CellMark, one a cell */
    int depth_clip, depth_group;                         /* must be 0 at the end */
    float width, height;                                 /* viewport */
    Color background;
} DisplayList;

void dl_init(DisplayList *dl, Arena *arena, float width, float height, Color background);
/* Asserts that clips and groups are closed. */
void dl_finish(const DisplayList *dl);
uint32_t dl_store(DisplayList *dl, const char *text); /* into the text pool */
const char *dl_text_at(const DisplayList *dl, uint32_t offset);

/* A zeroed command at the end of the list: for functions like those below. Valid until the next one. */
DlCommand *dl_add(DisplayList *dl, DlKind kind, Rect box);
void dl_clip(DisplayList *dl, Rect box);
void dl_unclip(DisplayList *dl);
/* `group` is copied; texts stored with dl_store first. */
void dl_group(DisplayList *dl, Rect box, const DlGroup *group);
void dl_ungroup(DisplayList *dl);
/* Short form of a control: name, action line and label may be NULL. */
void dl_control(DisplayList *dl, Rect box, DlRole role, const char *name, const char *action, const char *label);
/* The stroke lies inside the box. COLOR_NONE = without. */
void dl_rect(DisplayList *dl, Rect box, float radius, Color fill, Color stroke, float width);
void dl_line(DisplayList *dl, float x0, float y0, float x1, float y1, Color color, float width);
void dl_dash(DisplayList *dl, float x0, float y0, float x1, float y1, Color color, float width, float dash);
void dl_path(DisplayList *dl, const DlPoint *points, int count, bool closed, Color fill, Color stroke, float width);
/* x, y: start of the baseline. Returns the advance width. */
float dl_text(DisplayList *dl, const FontMetrics *font, FontFace face, float size, Color color, float x, float y, const char *text);
float dl_text_turned(DisplayList *dl, const FontMetrics *font, FontFace face, float size, Color color, float x, float y, float angle, const char *text);
typedef enum { ALIGN_LEFT, ALIGN_CENTER, ALIGN_RIGHT } TextAlign;
/* Centred by cap height in the box's height; cut with "…" when it does not fit. Returns the width drawn. */
float dl_label(DisplayList *dl, const FontMetrics *font, FontFace face, float size, Color color, Rect box, TextAlign align, const char *text);
/* Lines broken at line feeds, at spaces and between CJK characters, top-aligned; line_height in logical units. What does
 * not fit in box.h is cut with "…" (box.h 0 = no limit). Returns the height used. */
float dl_paragraph(DisplayList *dl, const FontMetrics *font, FontFace face, float size, Color color, Rect box, float line_height, const char *text);
/* Height dl_paragraph would use. */
float dl_paragraph_height(const FontMetrics *font, FontFace face, float size, float width, float line_height, const char *text);
/* Arrays of rows*cols are copied; values and marks may be NULL (0, CELL_VALUE). Cells divide the box evenly, whole units
 * where the box allows. */
void dl_cells(DisplayList *dl, Rect box, int rows, int cols, float gap, float radius, const Color *colors, const float *values,
              const uint8_t *marks, int tensor, int head, int row0, int col0);
/* Area of one cell of a DL_CELLS command: the one place where the grid is computed. */
Rect dl_cell_box(Rect box, int rows, int cols, float gap, int row, int col);
/* `color` over all of the box but a round place about x, y: clear up to there, then softly more up to `reach`. */
void dl_shade(DisplayList *dl, Rect box, float x, float y, float clear, float reach, Color color);
void dl_ribbon(DisplayList *dl, float x0, float y0, float h0, float x1, float y1, float h1, Color fill);

typedef struct {
    const DlGroup *group;   /* innermost group under the point that has an action, a tensor or a name */
    Rect box;               /* of that group, or of the cell */
    int row, col;           /* inside DL_CELLS (with row0, col0 added), else -1 */
    int tensor, head;       /* of those cells, else -1 */
} DlHit;

/* Topmost thing under a point. false: nothing. */
bool dl_hit(const DisplayList *dl, float x, float y, DlHit *out);
/* Focusable groups in the order of drawing: the position of the one with this name, or -1; the one at a position (any
 * whole number, wrapping; NULL when there is none; box may be NULL); how many. */
int dl_focus_find(const DisplayList *dl, const char *name);
const DlGroup *dl_focus_at(const DisplayList *dl, int position, Rect *box);
int dl_focus_count(const DisplayList *dl);

/* One line a command, floats to one decimal: the form of golden tests and of `attnscope dl`. */
void dl_dump(const DisplayList *dl, StrBuf *out);

#endif
