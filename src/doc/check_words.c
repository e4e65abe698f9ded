/* The result of a check in sentences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/phrase.h"
#include "base/str.h"
#include "base/tr.h"
#include "doc/check.h"

typedef struct {
    const Check *check;
    Arena *arena;
    CheckWords said;
    int n;
} Words;

static const char *say(Words *w, const char *sentence) { return w->said.lines[w->n++] = sentence; }

/* The first that says where, and the first that says why. */
static void say_where(Words *w, const char *sentence) {
    say(w, sentence);
    if (!w->said.where) w->said.where = sentence;
}

static void say_why(Words *w, const char *sentence) {
    say(w, sentence);
    if (!w->said.why) w->said.why = sentence;
}

/* As few digits as tell the two apart, at least four. */
static const char *number(const Words *w, double value, double other) {
    char a[40], b[40];
    if (isnan(value)) return "NaN";
    if (isinf(value)) return value < 0 ? "−∞" : "∞";
    for (int digits = 4; digits <= 9; digits++) {
        snprintf(a, sizeof a, "%.*g", digits, fabs(value));
        snprintf(b, sizeof b, "%.*g", digits, fabs(other));
        if (strcmp(a, b) != 0 || (value < 0) != (other < 0)) break;
    }
    return arena_printf(w->arena, value < 0 ? "−%s" : "%s", a);
}

static const CheckLine *line_of(const Words *w, int at) { return &w->check->lines[w->check->line_of[at]]; }

/* Names of the lines before the first that differs. */
static void say_agreeing(Words *w, int before) {
    const char *names = NULL;
    for (int i = 0; i < before; i++) names = names ? phrase_names(w->arena, names, line_of(w, i)->name) : line_of(w, i)->name;
    if (names) say(w, arena_printf(w->arena, tr_count("%s agrees.", "%s agree.", before), names));
}

static void say_difference(Words *w, const Finding *f, bool first) {
    const CheckLine *line = line_of(w, f->at);
    const Tensor *right = trace_tensor(w->check->right, line->theirs.id);
    const Difference *d = &f->difference;
    char held[64], made[64];
    if (d->shape) {
        tensor_shape_text(held, line->theirs.numbers.rank, line->theirs.numbers.dim);
        tensor_shape_text(made, right->rank, right->dim);
        say_where(w, arena_printf(w->arena, first ? tr("%s differs first: its shape is %s, right is %s.") : tr("%s differs next: its shape is %s, right is %s."), line->name,
                            held, made));
        return;
    }
    const char *place = mistake_place(right->name, right->rank, d->first, w->arena);
    say_where(w, arena_printf(w->arena, first ? tr("%s differs first at %s: yours %s, right %s.") : tr("%s differs next at %s: yours %s, right %s."), line->name, place,
                        number(w, d->theirs, d->right), number(w, d->right, d->theirs)));
    if (d->count > 1 && isinf(d->largest)) say(w, arena_printf(w->arena, tr("%zu of its %zu numbers differ."), d->count, tensor_count(right)));
    else if (d->count > 1)
        say(w, arena_printf(w->arena, tr("%zu of its %zu numbers differ, by %s at most."), d->count, tensor_count(right), number(w, d->largest, 0)));
}

static void say_cause(Words *w, const Finding *f, int nth) {
    if (!w->check->looked) return;
    if (f->n_causes == 0) {
        const Tensor *right = trace_tensor(w->check->right, line_of(w, f->at)->theirs.id);
        say_why(w, arena_printf(w->arena, tr("None of the known mistakes gives these numbers. What comes before is right, so look at the step that makes %s: %s."),
                            line_of(w, f->at)->name, op_formula(trace_op(w->check->right, right->op)->kind)));
        return;
    }
    say_why(w, arena_printf(w->arena, tr("Likely cause: %s"), mistake_words(f->cause[0])));
    for (int i = 1; i < f->n_causes; i++) say(w, arena_printf(w->arena, tr("It may also be this, which gives the same numbers: %s"), mistake_words(f->cause[i])));
    if (f->next < 0 && w->check->n_differ > nth)
        say(w, arena_printf(w->arena, tr_count("With this one mistake all your numbers are explained.", "With these %d mistakes all your numbers are explained.", nth), nth));
}

static void say_weights(Words *w) {
    const WeightsCheck *c = &w->check->weights;
    const int place[TENSOR_RANK_MAX] = {c->index[0], c->index[1], c->index[2]};
    if (c->fault == WEIGHTS_ROW_SUM)
        say_where(w, arena_printf(w->arena, tr("The row %s of the weights sums to %s, not to 1."), mistake_place("row_sum", 2, place, w->arena), number(w, c->value, 1)));
    if (c->fault == WEIGHTS_READ_HIDDEN)
        say_where(w, arena_printf(w->arena, tr("The weight at %s is %s, though the mask hides this key."), mistake_place("weights", 3, place, w->arena), number(w, c->value, 0)));
    if (c->fault == WEIGHTS_FINE && w->check->n_differ == 0) say_where(w, tr("The weights cannot be computed from this file; their rows sum to 1, and nothing hidden is read."));
    if (c->n_causes > 0) say_why(w, arena_printf(w->arena, tr("Likely cause: %s"), mistake_words(c->cause)));
}

CheckWords check_words(const Check *check, Arena *arena) {
    Words w = {.check = check, .arena = arena};
    w.said.lines = ARENA_ARRAY(arena, const char *, 16 + MISTAKE_FINDINGS_MAX * (3 + (size_t)MISTAKE_COUNT));
    if (check->has_weights) say_weights(&w);
    if (check->n_findings > 0) say_agreeing(&w, check->findings[0].at);
    for (int i = 0; i < check->n_findings; i++) {
        say_difference(&w, &check->findings[i], i == 0);
        say_cause(&w, &check->findings[i], i + 1);
    }
    if (check->n_compared > 0 && check->n_differ == 0)
        say_where(&w, arena_printf(arena, tr_count("The %d tensor that could be compared agrees.", "All %d tensors that could be compared agree.", check->n_compared), check->n_compared));
    return w.said;
}
