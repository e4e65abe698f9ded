/* Private to narrate*.c. */
#ifndef APP_NARRATE_PARTS_H
#define APP_NARRATE_PARTS_H

#include "app/narrate.h"
#include "base/str.h"

typedef struct {
    const Scene *scene;
    const Run *run;
    Arena *arena;
    StrBuf *out;
    bool overview; /* all maps are shown, one of them enlarged: it is the one that is told */
} Narration;

/* What the picture is about: the stage's result, or the enlarged map of the overview. TENSOR_NONE: nothing. */
TensorId narrate_tensor(const Narration *n);
/* The number in view: the selected one, else the film's. false: there is none. */
bool narrate_number(const Narration *n, TensorId *id, int index[TENSOR_RANK_MAX]);
const char *narrate_value(const Narration *n, double value, int decimals);
/* One line. */
void narrate_say(const Narration *n, const char *sentence);
/* narrate_look.c: how the map is looked at; are several heads put together in it? */
void narrate_look(const Narration *n);
bool narrate_together(const Narration *n);
/* narrate_rows.c */
void narrate_rows(const Narration *n);
/* Against what is held as A: the largest changes. */
void narrate_changes(const Narration *n);

#endif
