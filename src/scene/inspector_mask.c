/* One cell of the mask: score, penalty, mask; and how three libraries would write its row. */
#include <math.h>

#include "base/tr.h"
#include "scene/inspector_part.h"
#include "scene/paint.h"

static double keep_at(const Inspector *in, int row, int col) {
    TensorId id = scene_find(in->scene, "mask");
    if (id == TENSOR_NONE) return 1;
    const Tensor *mask = trace_tensor(in->scene->run->trace, id);
    const Tensor *self = trace_tensor(in->scene->run->trace, in->tensor);
    int head = self->rank == 3 ? in->index[0] : in->scene->view->head;
    const int three[TENSOR_RANK_MAX] = {mask->rank == 3 && head < mask->dim[0] ? head : 0, row, col}, two[TENSOR_RANK_MAX] = {row, col};
    return tensor_at(mask, mask->rank == 3 ? three : two);
}

static void value_row(Inspector *in, const char *name, const char *value, TensorId tensor, const int *index, float y) {
    float h = 32 * in->scene->layout.scale;
    Rect row = {in->inner.x, y, in->inner.w, h};
    bool link = tensor != TENSOR_NONE;
    if (link) inspector_operand(in, row, tensor, index);
    inspector_label(in, TYPE_BODY, FACE_UI, in->theme->muted, row, ALIGN_LEFT, name);
    inspector_label(in, TYPE_BODY, FACE_MONO, in->theme->ink, row, ALIGN_RIGHT, value);
    if (link) dl_ungroup(in->dl);
}

/* The operands of OP_MASK: scaled, bias where there is one, the mask's cell. */
float inspector_mask(Inspector *in, Rect box) {
    if (in->e.op != OP_MASK) return 0;
    const Scene *scene = in->scene;
    const Op *op = trace_op(scene->run->trace, trace_tensor(scene->run->trace, in->tensor)->op);
    float y = box.y, pitch = 34 * scene->layout.scale;
    const char *const names[] = {tr("scaled"), tr("distance penalty")};
    for (int i = 0; i < 2; i++) {
        if (op->in[i] == TENSOR_NONE) continue;
        double value = tensor_at(trace_tensor(scene->run->trace, op->in[i]), in->index);
        value_row(in, names[i], scene_number(scene, value, 3), op->in[i], in->index, y);
        y += pitch;
    }
    if (op->in[2] == TENSOR_NONE) return y - box.y;
    const Tensor *mask = trace_tensor(scene->run->trace, op->in[2]);
    const int two[TENSOR_RANK_MAX] = {in->index[1], in->index[2]};
    bool hidden = keep_at(in, in->index[1], in->index[2]) == 0, adds = op->mask_op == MASK_ADD || !isfinite(op->number);
    const char *says = !hidden ? (adds ? "0" : tr("keep")) : scene_number(scene, op->number, 0);
    const char *name = op->mask_op == MASK_ADD ? tr("mask, added") : tr("mask, replaces");
    value_row(in, name, says, op->in[2], mask->rank == 3 ? in->index : two, y);
    return y + pitch - box.y;
}

/* "F F F T T", as much as fits; `yes` for hidden keys, `no` for kept ones. */
static const char *row_pattern(const Inspector *in, int row, const char *yes, const char *no, float room) {
    const Scene *scene = in->scene;
    int n = scene->run->spec.S;
    float size = scene->layout.type[TYPE_LABEL];
    StrBuf sb;
    sb_init(&sb, scene->arena);
    for (int j = 0; j < n; j++) {
        size_t before = sb.length;
        sb_printf(&sb, "%s%s", j ? " " : "", keep_at(in, row, j) == 0 ? yes : no);
        bool last = j + 1 == n;
        if (font_width(scene->font, FACE_MONO, size, sb.data) + (last ? 0 : font_width(scene->font, FACE_MONO, size, " …")) <= room)
            continue;
        sb.data[before] = '\0';
        return arena_printf(scene->arena, "%s …", sb.data);
    }
    return sb.data ? sb.data : "";
}

float inspector_libraries(Inspector *in, Rect box) {
    const Scene *scene = in->scene;
    float s = scene->layout.scale, title = 34 * s, pitch = 30 * s, all = title + 3 * pitch;
    if (scene_find(scene, "mask") == TENSOR_NONE || box.h < all) return 0;
    const Tensor *self = trace_tensor(scene->run->trace, in->tensor);
    int row = in->index[self->rank - 2];
    inspector_label(in, TYPE_BODY, FACE_UI_SEMIBOLD, in->theme->ink, (Rect){box.x, box.y, box.w, title}, ALIGN_LEFT,
                    tr("How do libraries write it?"));
    const char *fill = scene_number(scene, scene->run->spec.fill, 0);
    const struct {
        const char *name, *yes, *no;
    } rows[] = {{tr("True = ignore"), "T", "F"}, {tr("True = keep"), "F", "T"}, {tr("added"), fill, "0"}};
    float y = box.y + title, name_w = 100 * s;
    for (int i = 0; i < 3; i++, y += pitch) {
        Rect line = {box.x, y, box.w, pitch};
        inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, line, ALIGN_LEFT, rows[i].name);
        const char *pattern = row_pattern(in, row, rows[i].yes, rows[i].no, box.w - name_w);
        inspector_label(in, TYPE_LABEL, FACE_MONO, in->theme->ink, line, ALIGN_RIGHT, pattern);
    }
    return all;
}
