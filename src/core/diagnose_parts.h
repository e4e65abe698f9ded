/* What the two halves of the diagnosis share: looking (diagnose.c) and putting into words (diagnose_words.c). */
#ifndef CORE_DIAGNOSE_PARTS_H
#define CORE_DIAGNOSE_PARTS_H

#include "core/stats.h"

/* The list, the head of the tensor being looked at, and one finding of each kind in it. */
typedef struct {
    const Trace *trace;
    Arena *arena;
    Diagnosis *list;
    int count, max;
    bool *has_nan; /* for each tensor looked at so far */
    TensorId id;
    const Tensor *tensor;
    int head;      /* -1 = the tensor has none */
    Diagnosis found[DIAGNOSIS_COUNT];
} Doctor;

/* Where and why, in the doctor's arena. */
const char *diagnosis_words(Doctor *d, const Diagnosis *found);

#endif
