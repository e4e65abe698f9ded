/* What differs between two documents, setting by setting, as people would say it. Every key of the scenario file is
 * looked at, so no change goes unsaid. Knows no picture. */
#ifndef DOC_DOC_DIFF_H
#define DOC_DOC_DIFF_H

#include "doc/doc.h"

typedef struct {
    const char *key;   /* of the scenario file: "temperature" */
    const char *name;  /* in words: "temperature" */
    const char *a, *b; /* as the file has them, in one line; "" = not set. Both NULL: too long to be written, they differ */
} DocChange;

/* In the order of the file; in `arena`. Returns how many. Notes are no setting. */
int doc_diff(const Doc *a, const Doc *b, Arena *arena, DocChange **out);
/* "temperature: 1 → 2"; of long ones "x: other numbers". In `arena`. */
const char *doc_change_text(const DocChange *change, Arena *arena);

#endif
