/* Private to inspector*.c: one panel being filled from top to bottom. */
#ifndef SCENE_INSPECTOR_PART_H
#define SCENE_INSPECTOR_PART_H

#include "draw/theme.h"
#include "scene/now.h"
#include "scene/rich.h"
#include "scene/words.h"

typedef struct {
    const Scene *scene;
    DisplayList *dl;
    const Theme *theme;
    Rect inner; /* of the panel, without its padding */
    float y;    /* where the next thing goes */
    Now now;
    bool selected; /* the view's selection is explained; else the film's current number */
    TensorId tensor;
    const int *index;
    bool predicts; /* a number of the prediction: its softmax is over tokens, not keys */
    double phase; /* how much of the number has been worked out, 0..1 */
    Explanation e;
    ExplainWords words;
    const char *question;  /* instead of words.question, or NULL */
    const char *result;    /* instead of words.result_name, or NULL */
    const char *value;     /* instead of the number, or NULL; "" = none */
    const char *meaning;   /* instead of words.meaning, or NULL */
    const char *reference; /* instead of words.reference, or NULL */
    int n_controls;        /* inspector.term.N given out */
    int terse;             /* what gives way to the numbers where it is low: from 1 the meaning, 2 the next line, 3 buttons */
} Inspector;

/* A body fills `box` from its top and returns the height used. */
typedef float (*InspectorBody)(Inspector *in, Rect box);
float inspector_terms(Inspector *in, Rect box);
float inspector_softmax(Inspector *in, Rect box);
float inspector_weighted_sum(Inspector *in, Rect box);
float inspector_embed(Inspector *in, Rect box);
float inspector_mask(Inspector *in, Rect box);
float inspector_output(Inspector *in, Rect box);
float inspector_norm(Inspector *in, Rect box);
float inspector_activation(Inspector *in, Rect box);
/* Terms that count tokens of the vocabulary, the largest first. */
float inspector_vocabulary(Inspector *in, Rect box);
/* Where the selected number comes from, back to its token: "weights[2, sat, cat] ← scaled ← scores ← q ← x ← “sat”". */
void inspector_trail(Inspector *in);
/* Behind the meaning of a mask's cell; 0 when there is no room. */
float inspector_libraries(Inspector *in, Rect box);
/* The same: a switch between what a row without an allowed key gives. */
float inspector_empty_row(Inspector *in, Rect box);
/* Questions and results that a body's picture needs; called before anything is drawn. */
void inspector_prepare(Inspector *in);

/* Open the control of an operand: a click explains it. Close with dl_ungroup. */
void inspector_operand(Inspector *in, Rect box, TensorId tensor, const int *index);
/* Height of n rows in `room`: at most `most`, at least `least`; *shown = how many fit (all, or room for a "more" row). */
float inspector_pitch(const Inspector *in, int n, float room, float least, float most, int *shown);
/* How many of n terms the film has reached, in time with the stage's own running sum. */
int inspector_reached(const Inspector *in, int n);
float inspector_label(Inspector *in, int type, FontFace face, Color color, Rect box, TextAlign align, const char *text);
/* Label of position i on an axis of a tensor, short. */
const char *inspector_name(const Inspector *in, TensorId tensor, int axis, int i);
/* What Scale does to a score, as the stage writes it: "÷ 2 ÷ 0.5"; NULL: nothing. */
const char *inspector_scale_rule(const Inspector *in);
void inspector_line(Inspector *in, float y);

#endif
