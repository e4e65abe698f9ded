/* How the map is looked at, for who cannot see it: what its numbers are put together from, what of it the picture leaves out. */
#include "app/narrate_parts.h"
#include "base/tr.h"
#include "scene/look.h"
#include "scene/now.h"
#include "scene/paint.h"

static const char *const made_of[AGGREGATE_KIND_COUNT] = {
    [AGGREGATE_AVERAGE] = tr_mark("The map is the average of all %d heads."),
    [AGGREGATE_MAXIMUM] = tr_mark("The map holds of each weight the largest of all %d heads."),
};

bool narrate_together(const Narration *n) {
    return !n->overview && made_of[look_aggregate(n->scene)] != NULL;
}

static const char *shape_words(const Narration *n) {
    MapShape shape = n->scene->view->shape;
    return shape == MAP_LINES ? tr("The picture draws the weights of one query as lines.") : shape == MAP_ALL_LINES ? tr("The picture draws the weights as lines.") : NULL;
}

static void say_left_out(const Narration *n, TensorId tensor) {
    Matrix m;
    matrix_init(&m, n->scene, tensor, n->scene->view->head, false);
    const char *out = look_words(&m, n->scene), *part = look_part_words(&m, n->scene);
    if (out) narrate_say(n, arena_printf(n->arena, tr("Left out of the picture, but told here: %s."), out));
    if (part) narrate_say(n, arena_printf(n->arena, tr("The picture shows a part: %s."), part));
}

void narrate_look(const Narration *n) {
    if (n->overview || scene_stage(n->scene)->kind >= STAGE_ATTENTION_COUNT) return;
    TensorId tensor = narrate_tensor(n);
    const Tensor *t = tensor == TENSOR_NONE ? NULL : trace_tensor(n->run->trace, tensor);
    if (!t || t->rank < 2) return;
    AggregateKind kind = look_aggregate(n->scene);
    bool softmax = scene_stage(n->scene)->kind == STAGE_SOFTMAX;
    const char *scale = look_is_weight(t->name) ? look_scale_words(n->scene) : NULL;
    if (made_of[kind]) narrate_say(n, arena_printf(n->arena, tr(made_of[kind]), scene_site(n->scene)->spec.n_heads));
    else if (kind == AGGREGATE_LENGTH) narrate_say(n, tr("The map holds each weight times the length of its v."));
    if (softmax) narrate_say(n, shape_words(n));
    if (scale) narrate_say(n, arena_printf(n->arena, tr("Colours: %s."), scale));
    say_left_out(n, tensor);
}
