/* The document: everything that changes a number or its label. Small fields by value; large parts
 * (texts, matrices, lists) are immutable shared blobs, so that a copy for undo costs little. */
#ifndef DOC_DOC_H
#define DOC_DOC_H

#include "base/blob.h"
#include "core/attn.h"
#include "model/source.h"
#include "model/tokenizer.h"

/* Matrices a document may give. Names in doc_matrix_names; shapes as DESIGN's trace file has them,
 * W as [out][in]. q k v scores weights may be 2-D for one head. */
typedef enum {
    MATRIX_X, MATRIX_X_KV, MATRIX_Q, MATRIX_K, MATRIX_V, MATRIX_SCORES, MATRIX_WEIGHTS,
    MATRIX_W_Q, MATRIX_W_K, MATRIX_W_V, MATRIX_W_O, MATRIX_B_Q, MATRIX_B_K, MATRIX_B_V, MATRIX_B_O,
    MATRIX_POS_EMB, MATRIX_COUNT
} MatrixName;
extern const char *const doc_matrix_names[MATRIX_COUNT];

typedef struct {
    int rank; /* 0 = not given */
    int dim[3];
    Blob *data; /* floats */
} DocMatrix;

/* Words: NUL-terminated strings one behind the other. */
typedef struct {
    int n; /* 0 = none listed */
    Blob *bytes;
} DocWords;

/* The token that stands for nothing: sequences of one batch are filled up with it. */
#define DOC_PAD "<pad>"

/* A mask as the document says it: MaskSpec with blobs for its arrays. */
typedef struct {
    MaskSpec spec;  /* its arrays are NULL; they are set from the blobs when the run is built */
    Blob *keys;     /* ints, from 0 */
    Blob *globals;  /* ints, from 0 */
    bool by_token;  /* PADDING: the keys that are DOC_PAD, wherever they stand */
    DocMatrix keep;
} DocMask;

typedef enum { DOC_POSITION_BUILT_IN, DOC_POSITION_SET } DocPositionOrigin;

typedef struct {
    MatrixName matrix;
    int index[3]; /* from 0 here, from 1 in the file */
    double value;
} DocEdit;

/* Limits of Doc.temperature. */
#define DOC_TEMPERATURE_MIN 1e-6
#define DOC_TEMPERATURE_MAX 1e6

typedef struct Doc {
    TokenizerKind tokenizer;
    Blob *text;             /* typed; NULL when tokens are listed */
    DocWords tokens;        /* listed instead of text */
    Blob *source_text;      /* key side of cross-attention; NULL = self-attention or listed */
    DocWords source;
    ModelKind model;
    Blob *model_folder;
    unsigned long long seed;
    int d_model, d_k, d_v, heads, kv_heads;   /* 0 = the model's own */
    ProjKind projections;
    bool out_proj, out_proj_set;              /* not set: as projections */
    bool bias;
    bool tie_qk;                              /* k is projected by w_q and b_q: W_Q = W_K */
    DocMatrix matrix[MATRIX_COUNT];
    ScaleKind scale;
    double scale_number, temperature;
    DocPositionOrigin position_origin;        /* BUILT_IN: the model's own clocks */
    PositionSpec position;                    /* slopes NULL; see slopes */
    Blob *slopes;                             /* doubles */
    DocMask masks[MASK_LIST_MAX];
    int n_masks;
    CausalAlign causal_align;
    double fill;
    MaskOp mask_op;
    EmptyRow empty_row;
    Precision precision;
    int n_edits;
    Blob *edits;                              /* DocEdit[] */
    Blob *notes;                              /* what the presenter alone sees; NULL = none */
} Doc;

/* The default document: "The cat sat on the mat", classroom, causal. */
void doc_init(Doc *doc);
void doc_reset(Doc *doc);                     /* drops its blobs; the Doc is then all zero */
void doc_copy(Doc *to, const Doc *from);      /* `to` must be initialised or zero */
bool doc_equal(const Doc *a, const Doc *b);
bool doc_same_model(const Doc *a, const Doc *b); /* of folders: the same folder */
size_t doc_bytes(const Doc *doc);             /* memory of its blobs */
const char *doc_text(const Doc *doc);         /* typed text, or "" */
void doc_set_text(Doc *doc, const char *text, size_t length);
bool doc_tokens_listed(const Doc *doc);       /* tokens are labels of given matrices or a list */
/* x, q, scores or weights is given: the tokens name its rows and cannot change their number. */
bool doc_rows_given(const Doc *doc);
/* The keys come from a text or tokens of their own. */
bool doc_has_source(const Doc *doc);
/* How text is cut unless the document says otherwise: smiles for molecule, else words. */
TokenizerKind doc_model_tokenizer(ModelKind model);
/* doc_bytes without the blobs that `other` (NULL: none) holds in the same place. */
size_t doc_bytes_beside(const Doc *doc, const Doc *other);

/* ---- parts; each takes a copy of what it is given ---- */
void doc_set_blob(Blob **slot, const void *bytes, size_t size);                     /* bytes NULL: none */
void doc_set_words(DocWords *words, const char *const *list, int n);                /* n 0: none */
const char **doc_words(const DocWords *words, Arena *arena);                        /* n pointers into the blob, then NULL */
/* The product of `dim` must be checked before. rank 0: not given; data NULL: zeros. */
void doc_set_matrix(DocMatrix *matrix, int rank, const int *dim, const float *data);
/* How many indices name a number of this matrix, as in the trace: 3 for q, where a 2-D one is head 1. */
int doc_matrix_rank(MatrixName matrix);
const DocEdit *doc_edit_at(const Doc *doc, int i);
void doc_mask_reset(DocMask *mask);                                                 /* drops its blobs */
void doc_set_edits(Doc *doc, const DocEdit *edits, int n);
/* Adds an edit, or takes the place of the one of the same number. `arena` for scratch. */
void doc_edit(Doc *doc, const DocEdit *edit, Arena *arena);

#endif
