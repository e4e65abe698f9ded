/* From a computed number down to the document's numbers: each op's explanations are followed from the last op to the first, so
 * that a number has got all its shares before it hands them on. */
#include <math.h>
#include <string.h>

#include "doc/run_edit.h"

/* Of one op only so many numbers are followed: the ones that count most. */
enum { FOLLOWED = 24 };

/* What a 0 counts: it takes no part now, but would. */
static const double LITTLE = 1e-9;

typedef struct {
    Ref ref;
    int op;
    double share; /* how much the number in question moves when this one does */
} Node;

typedef struct {
    const Run *run;
    Arena *arena;
    Node *nodes;
    int n, capacity;
} Walk;

static void add_share(Walk *w, const Ref *ref, double share) {
    if (ref->id == TENSOR_NONE || isnan(share)) return;
    for (int i = 0; i < w->n; i++) {
        Node *node = &w->nodes[i];
        if (node->ref.id != ref->id || memcmp(node->ref.index, ref->index, sizeof ref->index) != 0) continue;
        node->share += share;
        return;
    }
    if (w->n == w->capacity) {
        Node *more = ARENA_ARRAY(w->arena, Node, (size_t)(w->capacity = w->capacity ? 2 * w->capacity : 256));
        if (w->n) memcpy(more, w->nodes, (size_t)w->n * sizeof *more);
        w->nodes = more;
    }
    w->nodes[w->n++] = (Node){*ref, trace_tensor(w->run->trace, ref->id)->op, share};
}

/* |∂ number / ∂ a| and |∂ number / ∂ b| of one term. */
static void slopes(const Explanation *e, const Term *term, double *a, double *b) {
    double x = term->a.value, y = term->b.id == TENSOR_NONE ? 1 : term->b.value;
    *a = fabs(term->factor), *b = 1;
    switch (e->form) {
    case FORM_DOT: *a = fabs(term->factor * y), *b = fabs(term->factor * x); break;
    case FORM_SCALE: *a = fabs(e->number); break;
    case FORM_MAX: *a = x == e->self.value; break;
    case FORM_EXP: *a = *b = fabs(e->self.value); break;
    case FORM_RATIO: *a = y != 0 ? fabs(1 / y) : 0, *b = y != 0 ? fabs(x / (y * y)) : 0; break;
    case FORM_MEAN: *a = 1.0 / e->n_terms; break;
    default: break;
    }
}

static void follow(Walk *w, const Node *node) {
    Explanation e;
    if (!trace_explain(w->run->trace, node->ref.id, node->ref.index, w->arena, &e, NULL) || e.by_policy) return;
    if (e.form == FORM_REPLACE) return; /* the mask's fill stands there: no input moves it */
    double total = 0, a, b;
    for (int i = 0; i < e.n_terms; i++) {
        slopes(&e, &e.terms[i], &a, &b);
        total += a + b;
    }
    /* an exp of a hidden score is 0 whatever the largest score is */
    bool flat = !(total > 0) || isinf(total); /* saturated: all count alike */
    for (int i = 0; i < e.n_terms; i++) {
        slopes(&e, &e.terms[i], &a, &b);
        add_share(w, &e.terms[i].a, node->share * (flat ? 1 : a));
        add_share(w, &e.terms[i].b, node->share * (!flat ? b : e.form == FORM_EXP ? 0 : 1));
    }
}

/* The strongest of an op's nodes, which then no longer belongs to it; -1 = none is left. */
static int take_strongest(Walk *w, int op) {
    int best = -1;
    for (int i = 0; i < w->n; i++)
        if (w->nodes[i].op == op && (best < 0 || w->nodes[i].share > w->nodes[best].share)) best = i;
    if (best >= 0) w->nodes[best].op = -1;
    return best;
}

int run_edit_inputs(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX], int most, Arena *arena, Ref **out) {
    Walk w = {.run = run, .arena = arena};
    Ref self = {.id = id};
    memcpy(self.index, index, sizeof self.index);
    add_share(&w, &self, 1);
    *out = ARENA_ARRAY(arena, Ref, (size_t)most + 1);
    Node *found = ARENA_ARRAY(arena, Node, (size_t)most + 1);
    int n = 0;
    for (int op = trace_tensor(run->trace, id)->op; op >= 0; op--) {
        for (int i, k = 0; k < FOLLOWED && (i = take_strongest(&w, op)) >= 0; k++) {
            Node node = w.nodes[i];
            DocEdit place;
            bool own = run_edit_place(run, node.ref.id, node.ref.index, &place);
            if (!own) follow(&w, &node);
            if (!own || !(node.share > 0)) continue;
            double value = fabs(tensor_at(trace_tensor(run->trace, node.ref.id), node.ref.index));
            node.share *= value > 0 && isfinite(value) ? value : LITTLE;
            int at = n < most ? n++ : n;
            while (at > 0 && found[at - 1].share < node.share) {
                if (at < n) found[at] = found[at - 1];
                at--;
            }
            if (at < n) found[at] = node;
        }
    }
    for (int i = 0; i < n; i++) (*out)[i] = found[i].ref;
    return n;
}
