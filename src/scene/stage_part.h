/* What the stage views share: the place in the film, arrangements of matrices, frames in time with the
 * step. Not for other modules, but for the bars in figures. */
#ifndef SCENE_STAGE_PART_H
#define SCENE_STAGE_PART_H

#include "scene/matrix.h"
#include "scene/now.h"
#include "scene/paint.h"

typedef struct {
    const Scene *scene;
    const Run *run;
    const Site *site;
    const Trace *trace;
    const Theme *theme;
    DisplayList *dl;
    const Stage *stage;
    Rect area;    /* below the heading */
    int from;     /* the list's first command of this stage */
    float s, pad; /* scale, and 8 units */
    int head;
    Now now;
    bool selected;   /* something is selected: it is what is framed */
    TensorId chosen; /* the selection */
    int chosen_index[TENSOR_RANK_MAX];
    Matrix lens;     /* the matrix with the selection, when its cells are too small for numbers */
    bool has_lens;
} StageView;

typedef void (*StageDraw)(StageView *v);
void stage_embed(StageView *v);
void stage_project(StageView *v);
void stage_scores(StageView *v);
void stage_scale(StageView *v);
void stage_mask(StageView *v);
void stage_softmax(StageView *v);
void stage_wsum(StageView *v);
void stage_concat(StageView *v);
void stage_output(StageView *v);
/* What stands around attention in a network. */
void stage_norm(StageView *v);
void stage_add(StageView *v);
void stage_ffn(StageView *v);
void stage_pool(StageView *v);
void stage_predict(StageView *v);
/* The list of predictions alone, in v->area; false: there is none. */
bool stage_predict_rows(StageView *v);
/* The rows of a network's first layer, from its tables; of a later layer, from the layer before. */
void stage_embed_network(StageView *v);
/* RoPE's part of Project. */
void stage_rope(StageView *v, const Op *op);

/* ---- heading and words ---- */
/* Takes the strip off v->area; in a network `detail`, which may be NULL, follows "layer 4 of 5". */
void stage_heading(StageView *v, const char *name, const char *detail);
/* "Head 2", "of 4 · previous token"; in a network "Head 2", "of 4 · layer 4 of 5". */
void stage_head_heading(StageView *v, const char *detail);
/* The same in parts, for a heading that shares its strip: the words of both kinds, the width that they take uncut, and drawing them. */
const char *stage_detail(StageView *v, const char *detail);
const char *stage_head_words(StageView *v, const char **detail); /* returns the name; *detail NULL: the head's job */
float stage_heading_width(const StageView *v, const char *name, const char *detail);
void stage_draw_heading(StageView *v, const char *name, const char *detail, bool of_head); /* it names the head in view */
/* A stage without work: one sentence, and the matrix that goes on as it is (TENSOR_NONE: none). */
void stage_idle(StageView *v, const char *sentence, TensorId tensor, const char *title);
/* Muted words below an area, kept inside v->area; several are joined by " · ". NULLs are left out. */
void stage_footer(StageView *v, Rect above, const char *words, const char *note);
float stage_footer_room(const StageView *v);
/* What rows and columns of a map of scores or weights are, as long as there is room for. */
const char *stage_axis_words(StageView *v);
/* Around the cells of several matrices. */
Rect stage_union(const Matrix *const *list, int n);
/* Words under the matrix that they are about (NULL = none), or in one line below all where they would meet. */
typedef struct {
    Rect below;
    const char *text;
    float left; /* room of the labels beside `below` */
} StageCaption;
/* Would they touch one another or another's matrix? */
bool stage_captions_meet(StageView *v, const StageCaption *captions, int n);
void stage_captions(StageView *v, const StageCaption *captions, int n);
/* "a · b"; NULLs are left out. */
const char *stage_joined(StageView *v, const char *a, const char *b);
/* Notes of several matrices, each once. NULL = none. */
const char *stage_notes(StageView *v, Matrix *const *list, int n);

/* ---- arrangements ---- */
typedef struct {
    Matrix *m;
    bool small_sign;  /* words */
    const char *sign; /* before it: "+", "=", or a short text; NULL = none */
    float share;      /* how wide its columns grow beside the others'; 0 = 1 */
    float before;     /* more room before it */
    int group;        /* of rows: one pitch, one top edge; 0 is the main group */
} StageItem;
enum { STAGE_ITEMS_MAX = 6 };
/* Side by side, or one below the other (columns shared); centred in the area. */
void stage_row(StageView *v, Rect area, StageItem *items, int n);
void stage_column(StageView *v, Rect area, StageItem *items, int n);
/* How well the cells of an arranged matrix can be read: to compare arrangements. */
float stage_worth(const StageView *v, const Matrix *m);
/* Whichever of the two gives larger cells. true: it is a row. */
bool stage_flow(StageView *v, Rect area, StageItem *items, int n);
/* How wide columns may be beside rows of this pitch. */
float stage_wide_limit(const StageView *v, float row_pitch);
/* How high rows may be beside columns of this pitch. */
float stage_high_limit(const StageView *v, float col_pitch);
void stage_signs(StageView *v, const StageItem *items, int n, bool row);

/* ---- what is framed ---- */
/* A matrix of the stage's scope with its usual settings; false when there is no such tensor. */
bool stage_matrix(StageView *v, Matrix *m, const char *name, bool transposed, const char *title);
/* The number that is explained, if this matrix shows it: the selection, else the film's. Drawn orientation. */
bool stage_focus(const StageView *v, const Matrix *m, int *row, int *col);
/* As stage_focus for matrices of one shape, the result the last: a number selected in any of them is what is explained. */
bool stage_focus_any(const StageView *v, const Matrix *const *list, int n, int *row, int *col);
/* Frames an operand's number; not over the selection's own frame. */
void stage_frame_same(StageView *v, const Matrix *m, int row, int col);
/* Is the selection in this matrix? */
bool stage_chosen(const StageView *v, const Matrix *m, int *row, int *col);
/* Labels of these rows or columns in bold. */
void stage_strong(MatrixSide *side, int position);
/* Draws the matrix, and the frames of selection and pointer where they lie in it. */
void stage_show(StageView *v, const Matrix *m);
/* The numbers around the selection, enlarged over the stage: for matrices whose cells hold none. */
void stage_lens(StageView *v);
/* The frame of the number in work or explained: gold, but when something else is selected. Drawn orientation. */
void stage_highlight(StageView *v, const Matrix *m, int row, int col);
/* The running sum in the result's current cell, term by term; frames the pair that is being multiplied. */
void stage_run_sum(StageView *v, Matrix *result, int row, int col);
void stage_frame_pair(StageView *v, const Matrix *const *operands, int n);
/* A line behind the cells that ties an operand to the result. */
void stage_tie(StageView *v, Rect from, Rect to, Color color);

/* ---- heads ---- */
/* Bars in the heads' colours along columns (with names) or rows of a matrix whose side counts heads × width. */
void stage_head_bars(StageView *v, const Matrix *m, int width, bool along_rows);
float stage_head_bars_room(const StageView *v, bool along_rows);
/* "Head 2" */
const char *stage_head_name(StageView *v, int head);
const char *stage_head_job(const StageView *v, int head); /* "previous token", or NULL */
double stage_ease(double t);

#endif
