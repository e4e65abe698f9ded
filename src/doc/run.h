/* Doc -> trace: tokens, the model's inputs, the machine, the numbers, the labels that name them. */
#ifndef DOC_RUN_H
#define DOC_RUN_H

#include "doc/doc.h"
#include "core/network.h"
#include "core/summary.h"
#include "doc/view.h"
#include "model/checkpoint.h"
#include "model/tracefile.h"

/* Facts for badges and captions. */
enum {
    RUN_GIVEN_X = 1,        /* the token rows are the document's */
    RUN_GIVEN_QKV = 2,      /* q, k or v is */
    RUN_GIVEN_SCORES = 4,
    RUN_GIVEN_WEIGHTS = 8,
    RUN_GIVEN_PROJ = 16,    /* a projection matrix or bias is */
    RUN_POS_SEEDED = 32,    /* learned positions without pos_emb: rows from the seed */
    RUN_TOKENS_NUMBERED = 64, /* nothing names the tokens: they are called by their position */
};

/* A place where attention happens: self- or cross-attention of one layer. A document without a network has one. */
typedef struct {
    const char *scope;        /* of its nine stages: "", "layers.3", "decoder.layers.3.cross" */
    const char *title;        /* "Layer 4", "Decoder layer 4, cross"; "" where there is only one */
    int stack, layer;         /* from 0 */
    bool cross;               /* the keys are another text */
    AttentionSpec spec;       /* complete: all sizes filled in */
    const TokenList *queries, *keys;
    int first_stage, n_stages;/* of the trace: from its EMBED to before the next site's */
    TensorId weights;         /* TENSOR_NONE: none is made */
} Site;

/* What the model thinks comes next, or stands at the mask: from the trace's probs, largest first. */
typedef struct {
    int id;
    const char *label;        /* visible form */
    const char *text;         /* what taking it adds to the text; "" where it cannot be taken (end of text) */
    bool part;                /* bytes that are no whole character: they cannot be taken alone */
    double probability, logit;
} Prediction;

enum { PREDICTIONS_MAX = 20 };

/* A network from a folder, beside the trace. */
typedef struct {
    Checkpoint *checkpoint;   /* one reference */
    NetworkResults results;
    Encoding encoding[2];     /* of each stack's text; ids behind the tokens */
    int predict_row;          /* -1 = nothing is predicted */
    TokenList predicted;      /* the token of that row, alone: what the rows of logits and probs are */
    TokenList first;          /* the first token, alone: what the pooler reads */
    Prediction *predictions; int n_predictions;
    int used[2];              /* bytes of each text that the model reads; the rest lies beyond its positions */
    int cut[2];               /* tokens left out there */
    int looked;               /* stage that run_need was asked for last; -2 = none */
} Network;

/* Everything a picture or an export needs besides Doc and View. Immutable; lives in its own arena. */
typedef struct Run {
    Arena arena;
    Doc doc;                  /* what it was built from; keeps the numbers alive that the trace borrows */
    Trace *trace;
    Site *sites; int n_sites; /* in computing order; at least one */
    int *stage_site;          /* [stages of the trace] position in `sites` */
    AttentionSpec spec;       /* of the first site */
    TokenList tokens;         /* of the text: the queries, of a network with two texts the decoder's */
    TokenList keys;           /* of the source; the same list where there is no other text */
    bool cross;               /* there is another text */
    Network *network;         /* NULL: a single attention */
    Source source;            /* titles, feature and head names; `source.feature` may be NULL */
    int fields;               /* caption facts: see RUN_ */
    bool *edit_active;        /* [doc.n_edits] false: lies outside today's shapes, or names a matrix this run has not */
    float *edit_was;          /* [doc.n_edits] of an active edit: the number that it took the place of */
    int n_edits_inactive;
    double *magnitude;        /* [tensors of the trace] largest finite magnitude over all heads of what the mask keeps:
                                 the colour scales' ends; 1 for what lies in 0 to 1; NaN: a network's, not looked at yet (run_need) */
    Diagnosis *diagnosis;
    int n_diagnosis;
    double *theirs;           /* [tensors of the trace] of a check (doc/check.h): these numbers are somebody's own, and this is the tolerance
                               * they are compared with; < 0: the file does not have them. NULL: all are computed */
} Run;

typedef struct {
    const Lexicon *lexicon;
    const CoreContext *cx;    /* its cancelled and progress serve networks too */
    const Run *before;        /* the run before, or NULL: an opened folder and the rows of a common beginning are taken over from it; it is
                               * only read, also while its picture is drawn on another thread */
    size_t limit;             /* computed bytes that a network's trace may keep in memory; 0 = 700 MiB */
} RunContext;

/* ERR_INPUT, ERR_SHAPE, ERR_LIMIT as the parts say. Empty text: ERR_INPUT "type some words". */
bool run_build(const Doc *doc, const RunContext *context, Run **out, Err *err);
/* Does building take long enough to be done beside the window: is it a model from a folder? */
bool run_is_slow(const Doc *doc);
/* Is everything in memory that a stage's picture reads, with its colour scales, and are the weights' files what they were?
 * run_need computes what is not there; ERR_IO: a file was changed. The nine stages of a layer are ready together. Stage -1: the
 * rollouts of the overview; its large map of one head is read by its layer's stages. */
bool run_ready(const Run *run, int stage);
bool run_need(Run *run, int stage, const CoreContext *cx, Err *err);
/* Of a model that is no network: head average, head maximum and weight × length of v, with their scales. Small ones are there from
 * the beginning. */
bool run_need_views(Run *run, const CoreContext *cx, Err *err);
/* The document that says what a trace file says: its inputs are given matrices. `doc` must be initialised or zero. */
bool doc_from_trace(const TraceFile *file, Doc *doc, Err *err);
/* A run from a trace file: given numbers, the same machine. `doc` must be initialised or zero; unchanged on failure. */
bool run_from_trace(const char *path, const RunContext *context, Doc *doc, Run **out, Err *err);
void run_close(Run *run); /* NULL is fine */

/* The site that a stage of the trace belongs to. */
const Site *run_site(const Run *run, int stage);
/* What the action `layer` calls a site: "5"; with two stacks "encoder 2", "decoder 2", "decoder 2 cross"; "" where there is one. */
char *run_layer_name(char out[32], const Run *run, int site);
/* The site of such a name, or of its position among all from 1; -1 and an error that says what there is. */
int run_find_layer(const Run *run, const char *name, Err *err);
/* Layers of one kind stand together: of the only stack or the encoder, of the decoder, looking across. */
enum { SITE_KIND_COUNT = 3 };
int run_site_kind(const Site *site);
/* The maps as the overview shows them one behind the other. */
typedef struct {
    int site, head;           /* from 0 */
    double value;             /* of the measure; NaN: the map has none; 0 where nothing is measured */
} RankedMap;
/* `sort` (a Measure) where some map has it, else -1: layer by layer. */
int run_map_sort(const Run *run, int sort);
/* All maps, the largest value first (of the entropy the smallest), those without a value last; *out in `arena`. Returns their number. */
int run_rank_maps(const Run *run, int sort, Arena *arena, RankedMap **out);
/* Does the overview show them so? Else layers are rows and heads columns. */
bool run_maps_in_line(const Run *run, int sort);
/* The site whose tokens and heads name the axes of a tensor. */
const Site *run_site_of(const Run *run, TensorId id);

/* Parse "weights[2,sat,cat]" (positions from 1 or token names) against the run's tensors.
 * Errors list the known tensors, the shape, or the positions of an ambiguous token. */
bool run_resolve(const Run *run, const char *text, TensorId *id, int index[TENSOR_RANK_MAX], Err *err);
/* The same where a stage is in view: a name without its layer ("weights[2,sat,cat]") is looked for in that stage's layer first. */
bool run_resolve_at(const Run *run, int stage, const char *text, TensorId *id, int index[TENSOR_RANK_MAX], Err *err);
/* "weights[2, sat, cat]": names where an axis has names; of TENSOR_NONE, a number of the settings: "fill". At most 160 bytes. */
char *run_ref_text(char out[160], const Run *run, TensorId id, const int index[TENSOR_RANK_MAX]);

typedef enum { AXIS_HEAD, AXIS_QUERY, AXIS_KEY, AXIS_FEATURE, AXIS_SLOT, AXIS_PAIR, AXIS_VOCABULARY /* token ids */, AXIS_OTHER } AxisKind;
/* What axis `axis` of a tensor counts, by the tensor's name (one table in run_axis.c). */
AxisKind run_axis(const Run *run, TensorId id, int axis);
/* The tokens that an axis of this kind counts in this tensor, or NULL: it counts none. */
const TokenList *run_axis_tokens(const Run *run, TensorId id, AxisKind kind);
/* Label of position i on that axis: "cat", "noun", "2". Borrowed from the run or from `buffer`. */
const char *run_label(const Run *run, TensorId id, int axis, int i, char buffer[32]);
/* After each run: keeps stage, step, head and selection of the view inside it; finds a place that waits and a selection by token
 * names, so that it is not to be called with an old run while the one they are meant for is on its way. `before` is the run that
 * the view was made for, or NULL: its layer, stage and finished picture stay where both have them, and what is selected goes with
 * its tokens. */
void run_settle_view(const Run *run, const Run *before, View *view);
/* The text with prediction `n` (from 0) at its end, or in place of the first mask. NULL and an error where it is no text, or no
 * position is left. In `arena`. */
const char *run_take(const Run *run, int n, Arena *arena, Err *err);
/* view->layer and stage_kind, from where its film stands. */
void run_note_place(const Run *run, View *view);
/* What column `slot` of q, k, v, head_out … of head `head` means ("noun", "cat"), or NULL: the model says nothing. */
const char *run_slot_label(const Run *run, TensorId id, int head, int slot);
/* The document matrix that a tensor shows ("tok" shows x), or -1: it is computed. Edits go there (doc/run_edit.h). */
int run_matrix_of(const Run *run, TensorId id);
/* The active edit that changed this number, as a place in the document's list; -1: none did. */
int run_edit_of(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX]);
/* Tokens of the query side (or the key side) of `doc`, as run_build cuts them; not of a model from a folder. Lives in `arena`. */
/* The same of a model from a folder, whose run this is: as its own tokenizer cuts the text, special tokens too. */
bool run_cut(const Run *run, bool source, const char *text, Arena *arena, TokenList *out, Err *err);
bool run_tokens(const Doc *doc, bool key_side, const RunContext *context, Arena *arena, TokenList *out, Err *err);

#endif
