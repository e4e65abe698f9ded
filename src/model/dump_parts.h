/* What the halves of reading a dump share: names and numbers (dump.c), shapes (dump_shape.c), what is given and what follows (dump_sort.c). */
#ifndef MODEL_DUMP_PARTS_H
#define MODEL_DUMP_PARTS_H

#include "core/mistake.h"
#include "model/dump.h"

typedef enum {
    PART_X, PART_TOK, PART_X_KV, PART_POS_EMB,
    PART_W_Q, PART_B_Q, PART_W_K, PART_B_K, PART_W_V, PART_B_V, PART_W_O, PART_B_O, PART_W_QKV, PART_B_QKV,
    PART_Q, PART_K, PART_V, PART_Q_ROPE, PART_K_ROPE, PART_SCORES, PART_SCALED, PART_BIAS, PART_MASK, PART_MASKED, PART_WEIGHTS,
    PART_HEAD_OUT, PART_CONCAT, PART_OUT,
    PART_W_FF1, PART_B_FF1, PART_W_FF2, PART_B_FF2, PART_FFN_HIDDEN, PART_FFN_ACT, PART_FFN_OUT,
    PART_COUNT
} DumpPart;

typedef enum {
    FORM_ROWS,    /* [T, d] */
    FORM_MATRIX,  /* [out, in] */
    FORM_LIST,    /* [n] */
    FORM_QUERIES, /* [H, L, d] */
    FORM_KEYS,    /* [G, S, d] */
    FORM_MAP,     /* [H, L, S] */
    FORM_MASK,    /* [L, S] or [H, L, S] */
    DUMP_FORM_COUNT
} DumpForm;

typedef struct {
    const char *name;
    DumpForm form;
    const char *also;
} DumpName;
extern const DumpName dump_names[PART_COUNT];

typedef struct {
    int rank, dim[SAFETENSORS_RANK_MAX];
    const float *data; /* NULL: the file has none */
} DumpTensor;

enum { DUMP_NOTES_MAX = 64 };
#define DUMP_HIDDEN MISTAKE_HIDDEN

typedef struct {
    const char *path;
    const DumpTold *told;
    SafetensorsHeader header;
    const SafetensorsEntry *entry[PART_COUNT]; /* NULL: absent */
    const char *shown[PART_COUNT];             /* what the file calls it */
    DumpTensor tensor[PART_COUNT];
    int heads, groups;                         /* H and G */
    Arena *arena;
    Dump *out;
    Err *err;
} DumpReader;

bool dump_refuse(DumpReader *r, ErrCode code, const char *fmt, ...) BASE_PRINTF(3, 4);
void dump_note(DumpReader *r, const char *text); /* `text` in the arena */
double dump_tolerance(const DumpReader *r, int part);
const char *dump_meta(const DumpReader *r, const char *key); /* NULL = absent */
bool dump_shape(DumpReader *r);
bool dump_sort(DumpReader *r);

#endif
