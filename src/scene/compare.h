/* A held run (A) and the one that is there (B), side by side: the numbers of one stage, their signed difference, what changed
 * most, and the settings that made it. Drawn in the place of the stage's own picture and of the inspector. */
#ifndef SCENE_COMPARE_H
#define SCENE_COMPARE_H

#include "scene/matrix.h"
#include "scene/stage_part.h"

typedef struct {
    int row, col;    /* in the map, from 0 */
    double a, b;
    double change;   /* b - a; ±∞ where one of them is; NaN where one is */
} CompareCell;

enum { COMPARE_CELLS = 6 };

typedef struct Compare {
    const Scene *scene;
    Scene of_a;             /* the same view of A's run */
    TensorId a, b;          /* TENSOR_NONE: A has no such numbers */
    int head_a, head_b;     /* 0 where there is no head axis */
    const char *reason;     /* why there is no difference, in words; NULL: there is one */
    bool weights;           /* both on the ramp from 0 to 1 */
    double limit;           /* common end of their colour scale */
    /* of one shape, row by row: */
    int rows, cols;
    double *value_a, *change;
    uint8_t *look_a, *look_change; /* CellMark */
    double change_limit;    /* end of the difference's scale, friendly; > 0 */
    CompareCell cells[COMPARE_CELLS]; /* of those that differ the first ones, the largest change first */
    int n_cells;            /* so many of them: 0 = nothing differs */
    int *row_order;         /* [rows], the largest sum of changes first */
    double *row_change;     /* [rows] sum of |change| */
} Compare;

/* "A, held" and "B, now"; of a check "A, yours" and "B, right". */
const char *compare_side(const Scene *scene, bool b);
/* Is a comparison what is to be drawn? */
bool compare_on(const Scene *scene);
/* What is compared: the selected number's tensor where it is made in the stage in view, else the stage's result. In the frame's
 * arena; a frame makes it once. */
const Compare *compare_make(const Scene *scene);
/* Largest |change| of a head; NaN where there is no difference. */
double compare_head_change(const Scene *scene, int head);
void compare_stage(StageView *v);
/* In scene->layout.inspector. */
void compare_panel(const Scene *scene, DisplayList *dl);
/* "Nothing differs." or the largest changes in one sentence, for captions and narration. In the frame's arena. */
const char *compare_sentence(const Scene *scene);

#endif
