/* The settings that people play with, one row each: what the settings panel shows, what `setting.reset` takes, which of them an
 * action has just changed. Knows no picture and makes no numbers. */
#ifndef DOC_SETTING_H
#define DOC_SETTING_H

#include "doc/run.h"

typedef enum {
    SETTING_SCALE, SETTING_TEMPERATURE, SETTING_HEADS, SETTING_KV_HEADS, SETTING_D_K, SETTING_POSITION, SETTING_TIE,
    SETTING_PROJECTIONS, SETTING_OUT_PROJ, SETTING_SEED, SETTING_COUNT
} SettingKind;

typedef struct {
    const char *name;      /* its action, and its key in a scenario */
    const char *title;     /* marked for translation */
    const char *sentence;  /* what it does; marked */
    StageKind stage;       /* where it acts */
} Setting;
extern const Setting setting_table[SETTING_COUNT];

int setting_find(const char *name); /* -1: none of them */
/* Does the document leave it as a first document has it? */
bool setting_is_default(const Doc *doc, SettingKind kind);
/* Back to that. */
void setting_reset(Doc *doc, SettingKind kind);
/* Why it cannot be changed here, in a sentence, or NULL: it can. `run` is the document's, or NULL; `stage` is in view. In `arena`. */
const char *setting_fixed(const Doc *doc, const Run *run, int stage, SettingKind kind, Arena *arena);
/* Numbers that are possible for heads, key/value heads or d_k, ascending; at most `most`. Returns how many. */
int setting_choices(const Doc *doc, const Run *run, SettingKind kind, int most, int *out);

/* "RoPE, halves": as menus and chips call it. */
const char *position_title(PositionKind kind);

/* The slider of the temperature: 0.1 at 0, 1 in the middle, 10 at 1, by equal factors. Rounded to two digits; near the middle it
 * is 1. */
double setting_temperature_at(double fraction);
double setting_temperature_fraction(double temperature);

#endif
