#include <string.h>

#include "doc/film.h"
#include "doc/run.h"

static void settle_ref(const Run *run, ViewRef *ref) {
    if (!ref->tensor[0]) return;
    TensorId id = trace_find(run->trace, ref->tensor);
    const Tensor *t = id == TENSOR_NONE ? NULL : trace_tensor(run->trace, id);
    if (!t || (ref->rank && ref->rank != t->rank) || !tensor_has(t, ref->index)) *ref = (ViewRef){0};
    else ref->rank = t->rank;
}

void run_settle_view(const Run *run, const Run *before, View *view) {
    TensorId id;
    if (before) film_refit(&view->film, before->trace, run->trace);
    else film_clamp(&view->film, run->trace);
    if (view->head >= run->spec.n_heads) view->head = run->spec.n_heads > 0 ? run->spec.n_heads - 1 : 0;
    ViewRef named = {0};
    if (view->selection_text[0] && run_resolve(run, view->selection_text, &id, named.index, NULL)) {
        const Tensor *t = trace_tensor(run->trace, id);
        if (strlen(t->id) < sizeof named.tensor) {
            memcpy(named.tensor, t->id, strlen(t->id));
            view->selection = named;
        }
    }
    view->selection_text[0] = 0;
    settle_ref(run, &view->selection);
    settle_ref(run, &view->hover);
    int kept = 0;
    for (int i = 0; i < view->n_trail; i++) {
        bool none = !view->trail[i].tensor[0];
        settle_ref(run, &view->trail[i]);
        if (!none && !view->trail[i].tensor[0]) continue;
        view->trail[kept] = view->trail[i];
        view->trail_film[kept] = view->trail_film[i];
        view->trail_head[kept] = view->trail_head[i];
        film_clamp(&view->trail_film[kept], run->trace);
        kept++;
    }
    view->n_trail = kept;
}
