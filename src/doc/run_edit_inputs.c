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
    double share; /* how much the number in question moves when this one does */
    int next;     /* of the same op; -1 = the last one */
} Node;

/* The nodes of an op in the order in which they were met; -1 = none. */
typedef struct {
    int first, last;
} Chain;

typedef struct {
    const Run *run;
    Arena *arena;
    Node *nodes;
    int n, capacity;
    Chain *of_op;
    int *slots, n_slots; /* hash of the nodes: its length is a power of two, -1 = free */
} Walk;

static int *slot_of(const Walk *w, const Ref *ref) {
    uint32_t hash = (uint32_t)ref->id;
    for (int a = 0; a < TENSOR_RANK_MAX; a++) hash = (hash ^ (hash >> 15)) * 0x9E3779B1u + (uint32_t)ref->index[a];
    hash = (hash ^ (hash >> 15)) * 0x9E3779B1u;
    for (uint32_t at = hash >> 8;; at++) {
        int *slot = &w->slots[at & (uint32_t)(w->n_slots - 1)];
        const Node *node = *slot < 0 ? NULL : &w->nodes[*slot];
        if (!node || (node->ref.id == ref->id && memcmp(node->ref.index, ref->index, sizeof ref->index) == 0)) return slot;
    }
}

/* Room for twice as many nodes; half of the slots stay free. */
static void grow(Walk *w) {
    w->capacity = w->capacity ? 2 * w->capacity : 256;
    w->n_slots = 2 * w->capacity;
    Node *more = ARENA_ARRAY(w->arena, Node, (size_t)w->capacity);
    if (w->n) memcpy(more, w->nodes, (size_t)w->n * sizeof *more);
    w->nodes = more;
    w->slots = ARENA_ARRAY(w->arena, int, (size_t)w->n_slots);
    for (int i = 0; i < w->n_slots; i++) w->slots[i] = -1;
    for (int i = 0; i < w->n; i++) *slot_of(w, &w->nodes[i].ref) = i;
}

static void add_share(Walk *w, const Ref *ref, double share) {
    if (ref->id == TENSOR_NONE || isnan(share)) return;
    if (w->n == w->capacity) grow(w);
    int *slot = slot_of(w, ref);
    if (*slot >= 0) {
        w->nodes[*slot].share += share;
        return;
    }
    Chain *chain = &w->of_op[trace_tensor(w->run->trace, ref->id)->op];
    if (chain->first < 0) chain->first = w->n;
    else w->nodes[chain->last].next = w->n;
    chain->last = *slot = w->n;
    w->nodes[w->n++] = (Node){*ref, share, -1};
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

/* An op's strongest nodes, the strongest first; of equal ones that which was met first. */
static int strongest(const Walk *w, int op, int at[FOLLOWED]) {
    int n = 0;
    for (int i = w->of_op[op].first; i >= 0; i = w->nodes[i].next) {
        int to = n < FOLLOWED ? n++ : n;
        for (; to > 0 && w->nodes[at[to - 1]].share < w->nodes[i].share; to--)
            if (to < n) at[to] = at[to - 1];
        if (to < n) at[to] = i;
    }
    return n;
}

int run_edit_inputs(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX], int most, Arena *arena, Ref **out) {
    int n_ops = trace_op_count(run->trace);
    Walk w = {.run = run, .arena = arena, .of_op = ARENA_ARRAY(arena, Chain, (size_t)n_ops)};
    for (int op = 0; op < n_ops; op++) w.of_op[op] = (Chain){-1, -1};
    Ref self = {.id = id};
    memcpy(self.index, index, sizeof self.index);
    add_share(&w, &self, 1);
    *out = ARENA_ARRAY(arena, Ref, (size_t)most + 1);
    Node *found = ARENA_ARRAY(arena, Node, (size_t)most + 1);
    int n = 0;
    for (int op = trace_tensor(run->trace, id)->op; op >= 0; op--) {
        int at_node[FOLLOWED], n_nodes = strongest(&w, op, at_node);
        for (int k = 0; k < n_nodes; k++) {
            Node node = w.nodes[at_node[k]];
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
