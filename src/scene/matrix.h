/* One matrix on the screen: title, labels, cells, numbers, marks and frames. Layout first (cell sizes for an
 * area), then drawing. Cells are those of one tensor, of one head, of any window of rows and columns, as stored
 * or transposed. What does not fit is drawn smaller, then without numbers, then with every n-th label, then as
 * blocks, each with a note that says so; nothing is cut silently. It knows no stage. */
#ifndef SCENE_MATRIX_H
#define SCENE_MATRIX_H

#include "draw/theme.h"
#include "scene/scene.h"

typedef enum {
    MATRIX_SIGNED, /* symmetric range, `limit` at both ends */
    MATRIX_WEIGHT, /* 0 to 1, or to `limit` */
    MATRIX_PLAIN,  /* numbers on cells without colour: work in progress */
    MATRIX_KEEP,   /* a mask, 1 keeps and 0 hides, written in the form of the view */
    MATRIX_LOOK_COUNT
} MatrixLook;

typedef enum { TURN_NONE, TURN_45, TURN_90, TURN_COUNT } LabelTurn;

/* The rows or the columns, as drawn. Positions are the tensor's own, from 0. */
typedef struct {
    int axis;         /* of the tensor; -1: a single line without an axis */
    int first, count; /* positions shown: [first, first + count) */
    const int *kept;  /* when not NULL: only these `n_kept` positions (ascending); the others fold into one cell */
    int n_kept;
    bool window; /* `first` and `count` are the part of the axis that a zoomed stage shows */
    bool labels;
    const char *(*label)(void *ctx, int position, char buffer[32]); /* NULL: run_label */
    void *label_ctx;      /* lives as long as the frame */
    Color color;          /* of the labels */
    int strong0, strong1; /* labels of [strong0, strong1) are bold */
    float max_label;      /* longest label in units; longer ones end in "…". 0 = a default */
    /* set by the layout */
    float pitch, gap; /* from one cell to the next; the space between them */
    int block;        /* so many positions share one cell (1 = each has its own) */
    int drawn;        /* cells, the folded one included */
    LabelTurn turn;   /* columns only */
    float label_size;
    int label_every;  /* 1 = all, n = every n-th, 0 = none */
    int count_step;   /* labels are bare numbers and too many: only those that it divides are written; 0 = all the others */
    int count_from;   /* the number of position `first` */
    float label_room; /* height (columns) or width (rows) that labels take, the space to the cells included */
} MatrixSide;

typedef struct {
    TensorId tensor;
    int head;        /* of a tensor with a head axis; else 0 */
    bool transposed; /* drawn rows are the tensor's last axis */
    MatrixSide row, col;
    MatrixLook look;
    double limit;          /* end of the scale; > 0. MATRIX_WEIGHT: 0 means 1 */
    bool log_scale;        /* MATRIX_WEIGHT: colours by the logarithm, see scene/look.h */
    double threshold;      /* smaller numbers are not shown; 0 = all are */
    const bool *hidden;    /* columns by position that are not shown; NULL = all are */
    TensorId mask;         /* hidden positions are masked; TENSOR_NONE = none */
    const double *instead; /* when not NULL: these numbers, all rows by columns, in place of the tensor's */
    const uint8_t *looks;  /* with `instead`, when not NULL: the CellMark of each, in place of mask and NaN */
    TensorId minus;        /* a number for each row is subtracted (row_max); TENSOR_NONE = none */
    double fill;           /* MATRIX_KEEP: what a hidden cell adds */
    MaskForm form;         /* MATRIX_KEEP; what it writes: scene/words_mask.h. decimals 1 = in one letter */
    bool shares;           /* a hidden cell holds 0; else −∞ or the fill */
    bool film;             /* cells appear as the film reaches them; false: all are there */
    bool whole;            /* with film: a cell appears only when it is finished */
    bool zeros;            /* exact zeros are written "0" in muted ink; of a mask: 0 is added where it keeps */
    bool numbers;          /* write numbers where they fit */
    int digits;            /* decimals of numbers that are wanted, and one; 0 = two, or fewer where they fit */
    bool hide_range;       /* its scale is known from elsewhere */
    const char *title;     /* as scene/rich.h sets it: "Kᵀ"; NULL = none */
    Color title_color;
    bool title_small;  /* where room is scarce */
    bool title_left;   /* beside the labels at the left instead of above */
    float wide_most;   /* of the columns' pitch in matrix_fit; 0 = what suits the rows */
    float above, left; /* room kept free next to the cells, inside of the labels: for bars and the like */
    float right;       /* the same behind the last column */
    bool empty_said;   /* empty_rows_draw follows and says what a row without a key gets: its cells do not */
    float dim;         /* 0..1: how far cells outside rows [bright0, bright1) go towards the background */
    int bright0, bright1;
    bool live; /* one cell shows a running value instead of its own */
    int live_row, live_col;
    double live_value;
    /* set by the layout */
    Rect cells;   /* all cells, without labels */
    int decimals; /* -1 = no numbers */
    float number_size;
    const char *range; /* "±10" behind the title: its scale is not that of the stage's legend; NULL = it is */
    float title_room;  /* height above the column labels, or width when title_left */
    Rect reserve;      /* the largest margins so far: what sharing reckons with, so that it comes to rest */
    float title_up;    /* raised so far, to stand level with other titles; matrix_place forgets it */
    float title_over;  /* the title reaches so far beyond the cells at both ends */
    float right_room;  /* turned labels reach beyond the last column */
} Matrix;

/* A matrix with the tensor's usual look, mask, limit, labels and colours; all rows and columns of one head. */
void matrix_init(Matrix *m, const Scene *scene, TensorId tensor, int head, bool transposed);
/* Largest magnitude of a tensor's finite numbers over all heads, hidden cells left out, rounded up to a
 * friendly number: the end of its colour scale. Never 0. */
double matrix_limit(const Run *run, TensorId tensor);
/* A magnitude rounded up to a friendly number: 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten. */
double matrix_friendly(double magnitude);
/* Are all numbers of the tensors that share its scale whole? Then none of them is written with decimals. */
bool matrix_is_whole(const Run *run, TensorId tensor);
/* Colour of a role: who looks (Q), who is looked at (K), what is passed on (V), output; ink for the rest. */
Color matrix_tensor_color(const Theme *theme, const char *name);

/* ---- layout ---- */
/* Cell sizes for one matrix in an area, centred in it. */
void matrix_fit(Matrix *m, const Scene *scene, Rect area);
/* As matrix_fit, without labels, title and numbers: a small map with square cells, top left. */
void matrix_fit_small(Matrix *m, const Scene *scene, Rect area);

/* For several matrices that share room: sides with the same number get cells of the same size. */
typedef struct {
    MatrixSide *side;
    float least, most; /* pitch */
    float share;       /* pitches grow in this proportion */
} MatrixShare;
/* Give pitches (whole units), or blocks where even 1 is too much, so that all cells fit in `room`. */
void matrix_share(float room, MatrixShare *shares, int n);
/* Take over a pitch and a block from another side. */
void matrix_set_side(MatrixSide *side, float pitch, int block);
/* Label modes, numbers and rooms that follow from the pitches. */
void matrix_settle(Matrix *m, const Scene *scene);
/* Room around the cells after matrix_settle: x left, y above, w right, h below. */
Rect matrix_margins(const Matrix *m);
float matrix_cells_width(const Matrix *m);
float matrix_cells_height(const Matrix *m);
/* Put the cells' top left corner. */
void matrix_place(Matrix *m, float x, float y);
/* Titles of placed matrices stand level with the highest. */
void matrix_level_titles(Matrix *const *list, int n, const Scene *scene);
/* Baseline of a title above the cells. */
float matrix_title_baseline(const Matrix *m, const Scene *scene);

/* ---- drawing ---- */
void matrix_draw(const Matrix *m, const Scene *scene, DisplayList *dl);
/* Area of positions rows [r0, r1), columns [c0, c1); empty when they are not shown. */
Rect matrix_rect(const Matrix *m, int r0, int r1, int c0, int c1);
/* All cells of these rows, or of these columns. */
Rect matrix_row_band(const Matrix *m, int r0, int r1);
Rect matrix_col_band(const Matrix *m, int c0, int c1);
/* Frame around an area: operands in a role's colour; the highlight with its ink edge. */
void matrix_frame(const Scene *scene, DisplayList *dl, Rect area, Color color);
/* The number under the pointer, with its row and column, whichever head's map of that tensor this is. */
void matrix_hover(const Matrix *m, const Scene *scene, DisplayList *dl);
void matrix_highlight(const Scene *scene, DisplayList *dl, Rect area);
/* What must be said about it ("labels: every 4th"), or NULL. In the frame's arena. */
const char *matrix_note(const Matrix *m, const Scene *scene);
/* The same about several together. */
const char *matrix_notes(Matrix *const *list, int n, const Scene *scene);
/* Number, as drawn, of one position; masked and uncomputed cells included. */
double matrix_value(const Matrix *m, const Scene *scene, int row, int col);

/* A hit in a map to an index of its tensor: undoes transposition and blocks. `group` is the hit's ROLE_TENSOR
 * group: at[] = head, rows in a cell, columns in a cell, 1 when transposed. */
void matrix_hit_index(const Tensor *tensor, const DlGroup *group, int head, int row, int col, int index[TENSOR_RANK_MAX]);

#endif
