/* The film: how each stage is cut into steps, and moving along it. Depends on shapes only, so that
 * scenes, keys, the scrubber, the command line and tests agree.
 * Rule: up to 64 result cells one step a cell; otherwise the first row by cell (at most 16 groups), then
 * row by row, rows grouped so that no stage has more than 64 steps. A stage with several phases (Project:
 * q, k, v and their RoPE turns; Softmax: - max, exp, ÷ sum for each row group) shares the 64. Concat steps by head.
 * Around attention all goes row by row: in a norm (mean, variance, norm) and in the feed-forward layer (hidden,
 * activation, out) the phases take turns for each row group, in the prediction they follow each other. Of sums only
 * rows up to ROW_CELLS_MAX cells go by cell.
 * The film of a network runs through its layers, each a site (doc/run.h) that begins with its Embed; the stations around
 * attention are passed over unless the view has the block open. */
#ifndef DOC_FILM_H
#define DOC_FILM_H

#include "core/trace.h"
#include "doc/view.h"

enum { FILM_STEPS_MAX = 64, ROW_CELLS_MAX = 64 };

typedef struct {
    TensorId tensor;   /* what this step fills; TENSOR_NONE: a stage without work (one step that says so) */
    int phase, n_phases;
    int row0, row1;    /* rows [row0, row1) of the result; Concat: heads */
    int col0, col1;    /* columns [col0, col1) */
    int n_rows, n_cols;/* of the result (one head) */
    bool by_cell;      /* the step is one cell (or a group of one row) */
    double seconds;    /* at speed 1: the first slow, the next faster, the rest a sweep; 4 to 8 s a stage */
} FilmStep;

/* One phase of a stage: a tensor that is filled by cell, by row, or its first row by cell and then by row. */
typedef struct {
    TensorId tensor;
    int n_rows, n_cols;
    bool all_cells;      /* one step a cell */
    int cell_groups;     /* steps of the first row; 0 = it goes with the others */
    int row_groups;      /* steps of the (other) rows */
    int first_step;
} FilmPhase;

enum { FILM_PHASES_MAX = 12 };

/* How a stage is cut; film_steps, film_step and film_progress read it. */
typedef struct {
    int stage, n_steps;
    int n_phases;        /* 0: nothing to do, one step */
    bool by_turns;       /* Softmax, norms, feed-forward: the phases take turns for each row group */
    bool by_head;        /* Concat: rows are heads */
    FilmPhase phase[FILM_PHASES_MAX];
} FilmPlan;

FilmPlan film_plan(const Trace *trace, int stage);

int film_steps(const Trace *trace, int stage);                 /* >= 1 */
FilmStep film_step(const Trace *trace, int stage, int step);   /* step from 0 */
/* How far element (row, col) of `tensor` is at a film position: 0 not yet, 1 done, between: in the
 * running step. Tensors of earlier stages are 1, of later ones 0. */
double film_progress(const Trace *trace, const Film *film, TensorId tensor, int row, int col);
/* The step that runs, or that was finished last; -1 at the start of a stage. */
int film_current(const Film *film, const Trace *trace);
/* The stages of one layer: [first, first + n). */
typedef struct {
    int first, n;
    int index, count; /* which of the trace's sites, from 0, of how many */
} FilmSite;
FilmSite film_site(const Trace *trace, int stage);
/* Does the film stop at this stage? At the nine and at what is predicted always, at the others while the block is open. */
bool film_shows(const Trace *trace, int stage, bool block_open);
/* The nearest shown stage behind (by 1) or before (by -1) this one; -1: there is none. */
int film_neighbour(const Trace *trace, int stage, bool block_open, int by);
/* The stage of this kind in the site that `stage` lies in, or -1. */
int film_stage_in(const Trace *trace, int stage, StageKind kind);
/* "stage 3 of 9 · cell 14 of 36"; in a network "layer 5 of 12 · stage 3 of 9 · …". At most FILM_TEXT_MAX bytes. */
enum { FILM_TEXT_MAX = 256 };
char *film_text(char out[FILM_TEXT_MAX], const Trace *trace, const Film *film);
/* What a station is called, everywhere: "Softmax", "Norm 2", "Predict". */
const char *film_station_name(StageKind kind);
/* What the layers are called: "layer 5 of 12", "decoder layer 2 of 6, cross"; "" where there is one site. */
char *film_layer_text(char out[FILM_TEXT_MAX], const Trace *trace, int stage);

/* Moving: the view's film by the view's ways (reduced motion, block open). */
void film_next(View *view, const Trace *trace);  /* finishes a playing step, else starts the next */
void film_back(View *view, const Trace *trace);  /* to the start of the step, exactly */
void film_play(View *view, const Trace *trace);  /* play or pause; at the end from the beginning */
void film_end(View *view, const Trace *trace);   /* of the last layer */
/* Moves the clock by dt seconds. true while anything moves. */
bool film_advance(View *view, const Trace *trace, double dt);
/* Place in the layer's film as 0..1, and back, for the scrubber. */
double film_fraction(const View *view, const Trace *trace);
void film_seek(View *view, const Trace *trace, double fraction);

/* Any film, also one that is only remembered: at rest with `steps` steps of the stage complete, */
void film_rest(Film *film, const Trace *trace, int steps);
void film_stage(Film *film, const Trace *trace, int stage, bool finished);
void film_home(Film *film);
/* kept inside a trace of other sizes, */
void film_clamp(Film *film, const Trace *trace);
/* the same for a film that was made for `before`: a finished stage stays finished, and its place among the layers is
 * that of the same scope and kind where the other trace has it. */
void film_refit(Film *film, const Trace *before, const Trace *after);

#endif
