/* A run of a network with seeded weights, made without a folder: what tests of layers and heads begin with. */
#ifndef TESTS_NETWORK_KIT_H
#define TESTS_NETWORK_KIT_H

#include "doc/run.h"
#include "scene/scene.h"

typedef struct {
    int layers[2];  /* of encoder and decoder; layers[1] 0: one stack */
    int heads, tokens[2];
    bool causal;    /* of the only stack; a decoder is causal anyway */
    bool special;   /* the first and the last token are special ones */
    bool flat;      /* small weights in w_q and w_k: every key gets about the same */
    size_t limit;   /* of the trace's computed bytes; 0 = none */
    unsigned seed;
} NetworkShape;

typedef struct {
    Arena lasting, frame;
    Doc doc;
    View view;
    Run run;
} NetworkKit;

void network_open(NetworkKit *kit, const NetworkShape *shape);
void network_close(NetworkKit *kit);
Scene network_scene(NetworkKit *kit, const FontMetrics *font, float width, float height);
/* The whole screen but the panels of app. Forgets the frame before. */
void network_draw(NetworkKit *kit, float width, float height, DisplayList *dl);
/* The film at the start of a site, the view's head: what the action "look" does. */
void network_look(NetworkKit *kit, int site, int head);

#endif
