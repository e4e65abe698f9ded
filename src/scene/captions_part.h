/* Private to captions*.c: the two sentences being chosen. */
#ifndef SCENE_CAPTIONS_PART_H
#define SCENE_CAPTIONS_PART_H

#include "scene/now.h"

typedef struct {
    const Scene *scene;
    const Site *site;
    const Run *run;
    const AttentionSpec *spec;
    const Trace *trace;
    Arena *arena;
    const Stage *stage;
    Now now;
    bool whole;              /* the stage stands at its start or at its end */
    const char *query, *key; /* names of the current row and column, quoted in the sentences */
    const char *first, *second;
} Caption;

/* captions_block.c: the stations around attention, and where a network's rows come from. */
void caption_embed_network(Caption *c);
void caption_norm(Caption *c);
void caption_add(Caption *c);
void caption_ffn(Caption *c);
void caption_pool(Caption *c);
void caption_predict(Caption *c);

#endif
