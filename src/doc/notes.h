/* The presenter's notes of a document: one text, of which parts may belong to single stages. */
#ifndef DOC_NOTES_H
#define DOC_NOTES_H

#include "doc/doc.h"

/* What is to be said at a stage: the lines before the first "[…]" that names a stage, or that "[all]" begins, and those that
 * belong to this one. "" = nothing. In `arena`. */
char *doc_notes(const Doc *doc, StageKind stage, Arena *arena);

#endif
