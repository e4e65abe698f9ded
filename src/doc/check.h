/* Somebody's numbers beside the right ones: a dump or a trace file is computed again from its earliest tensors, the settings of a
 * document said beside it, and compared; what is wrong is said in words. */
#ifndef DOC_CHECK_H
#define DOC_CHECK_H

#include "core/mistake.h"
#include "doc/run.h"

/* A key of the scenario file and its value, as on a command line. */
typedef struct {
    const char *key, *value;
} CheckSetting;

typedef struct {
    const CheckSetting *settings; int n_settings;
    const char *activation;   /* of a feed-forward layer: gelu_exact, gelu_tanh, relu, silu; NULL = the file's metadata say it */
    double tolerance;         /* of every tensor; < 0: by the file's number format (model/dump.h) or its metadata */
} CheckAsk;

/* One tensor of the file that was compared. */
typedef struct {
    const char *name;         /* as the file calls it */
    bool made;                /* with these settings there is such a tensor; else nothing was compared */
    Theirs theirs;
    Difference difference;
} CheckLine;

typedef struct {
    Arena arena;
    Arena *found;             /* of what follows from the right numbers: lines' differences, findings, words */
    const char *path;
    Doc doc;                  /* what makes the right numbers; of a feed-forward layer empty */
    Run *run;                 /* of it, to be taken over or closed; NULL: a feed-forward layer, or taken */
    const Trace *right;
    CheckLine *lines; int n_lines;    /* in computing order */
    int n_compared, n_differ;
    int *line_of;             /* [n_compared] of the n-th that findings count */
    Finding findings[MISTAKE_FINDINGS_MAX]; int n_findings;
    bool looked;              /* for causes too; else there is one finding at most, without any */
    double tolerance;         /* that was asked for, or < 0 */
    bool has_weights;         /* weights are given: they were looked at by themselves */
    WeightsCheck weights;
    const char **notes; int n_notes;  /* how the file was read, in sentences */
} Check;

/* Is it somebody's own tensors, without a trace file's metadata? */
bool check_is_dump(const char *path, bool *dump, Err *err);
/* *out is to be closed, also on failure. ERR_INPUT, ERR_SHAPE: the file, or what was said beside it, cannot be used. */
bool check_open(const char *path, const CheckAsk *ask, const RunContext *context, Check *out, Err *err);
void check_close(Check *check);
bool check_agrees(const Check *check);
/* The result in sentences. In the arena. */
typedef struct {
    const char **lines;       /* all of them; NULL behind the last */
    const char *where;        /* of these the one that says what differs first, or that all agrees */
    const char *why;          /* the one that says its cause; NULL: nothing differs */
} CheckWords;
CheckWords check_words(const Check *check, Arena *arena);
/* Against other right numbers: of `run`, which is made of the same matrices by other settings, and outlives what is said. causes:
 * look for them too, which computes the run some thirty times. */
bool check_again(Check *check, const Run *run, bool causes, const RunContext *context, Err *err);
/* The run of the same document with somebody's numbers in place of the right ones: run->theirs says which. */
bool check_theirs(const Check *check, const Doc *doc, const RunContext *context, Run **out, Err *err);

#endif
