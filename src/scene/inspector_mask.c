/* One cell of the mask: score, penalty, mask; and how three libraries would write its row. */
#include <math.h>
#include <stdlib.h>

#include "base/tr.h"
#include "scene/empty_rows.h"
#include "scene/inspector_part.h"
#include "scene/paint.h"
#include "scene/words_mask.h"

static double keep_at(const Inspector *in, int row, int col) {
    TensorId id = scene_find(in->scene, "mask");
    if (id == TENSOR_NONE) return 1;
    const Tensor *mask = trace_tensor(in->scene->run->trace, id);
    const Tensor *self = trace_tensor(in->scene->run->trace, in->tensor);
    int head = self->rank == 3 ? in->index[0] : in->scene->view->head;
    const int three[TENSOR_RANK_MAX] = {mask->rank == 3 && head < mask->dim[0] ? head : 0, row, col}, two[TENSOR_RANK_MAX] = {row, col};
    return tensor_at(mask, mask->rank == 3 ? three : two);
}

static void value_row(Inspector *in, const char *name, FontFace face, const char *value, TensorId tensor, const int *index, float y) {
    float h = 32 * in->scene->layout.scale;
    Rect row = {in->inner.x, y, in->inner.w, h};
    bool link = tensor != TENSOR_NONE;
    if (link) inspector_operand(in, row, tensor, index);
    inspector_label(in, TYPE_BODY, FACE_UI, in->theme->muted, row, ALIGN_LEFT, name);
    inspector_label(in, TYPE_BODY, face, in->theme->ink, row, ALIGN_RIGHT, value);
    if (link) dl_ungroup(in->dl);
}

/* The operands of OP_MASK: scaled, bias where there is one, the mask's cell. */
float inspector_mask(Inspector *in, Rect box) {
    if (in->e.op != OP_MASK) return 0;
    const Scene *scene = in->scene;
    const Op *op = trace_op(scene->run->trace, trace_tensor(scene->run->trace, in->tensor)->op);
    float y = box.y, pitch = 34 * scene->layout.scale;
    bool relative = scene_site(scene)->spec.position.kind == POSITION_RELATIVE;
    const char *const names[] = {tr("scaled"), relative ? tr("bias for the distance") : tr("distance penalty")};
    for (int i = 0; i < 2; i++) {
        if (op->in[i] == TENSOR_NONE) continue;
        double value = tensor_at(trace_tensor(scene->run->trace, op->in[i]), in->index);
        value_row(in, names[i], FACE_MONO, scene_number(scene, value, 3), op->in[i], in->index, y);
        y += pitch;
    }
    if (op->in[2] == TENSOR_NONE) return y - box.y;
    const Tensor *mask = trace_tensor(scene->run->trace, op->in[2]);
    const int two[TENSOR_RANK_MAX] = {in->index[1], in->index[2]};
    bool word;
    const char *says = words_mask_says(scene, op, in->index, &word);
    value_row(in, tr("mask"), word ? FACE_UI : FACE_MONO, says, op->in[2], mask->rank == 3 ? in->index : two, y);
    return y + pitch - box.y;
}

/* Keys of a row and how each is written, in a mono type size. */
typedef struct {
    const char *hidden, *kept;
    int first, end; /* keys shown */
    float size;
} Pattern;

static const char *pattern_text(const Inspector *in, int row, const Pattern *p) {
    StrBuf sb;
    sb_init(&sb, in->scene->arena);
    if (p->first > 0) sb_add(&sb, "… ");
    for (int j = p->first; j < p->end; j++) sb_printf(&sb, "%s%s", j > p->first ? " " : "", keep_at(in, row, j) == 0 ? p->hidden : p->kept);
    if (p->end < scene_site(in->scene)->spec.S) sb_add(&sb, " …");
    return sb.data ? sb.data : "";
}

/* The place nearest to `key` where the row changes between kept and hidden: after that position. -1: nowhere. */
static int nearest_change(const Inspector *in, int row, int key) {
    int best = -1;
    for (int j = 0; j + 1 < scene_site(in->scene)->spec.S; j++)
        if ((keep_at(in, row, j) == 0) != (keep_at(in, row, j + 1) == 0) && (best < 0 || abs(j - key) < abs(best - key))) best = j;
    return best;
}

/* "F F F T T": the whole row where it fits, else the keys around the one that is explained, with the row's next change
 * if that is near. */
static const char *row_pattern(const Inspector *in, int row, int key, Pattern p, float room) {
    const Scene *scene = in->scene;
    int n = scene_site(scene)->spec.S, change = nearest_change(in, row, key);
    for (int type = TYPE_LABEL; type >= TYPE_SMALL; type--) {
        p.size = scene->layout.type[type];
        p.first = 0;
        p.end = n;
        if (n <= 64 && font_width(scene->font, FACE_MONO, p.size, pattern_text(in, row, &p)) <= room) return pattern_text(in, row, &p);
    }
    float one = font_width(scene->font, FACE_MONO, p.size, arena_printf(scene->arena, "%s ", p.hidden)); /* the wider sign */
    int fit = (int)((room - 2 * font_width(scene->font, FACE_MONO, p.size, "… ")) / one), middle = key;
    if (fit < 1) fit = 1;
    if (change >= 0 && abs(change - key) + 2 <= fit) middle = (change + key + 1) / 2;
    p.first = middle - fit / 2;
    if (p.first > n - fit) p.first = n - fit;
    if (p.first < 0) p.first = 0;
    p.end = p.first + fit < n ? p.first + fit : n;
    return pattern_text(in, row, &p);
}

float inspector_libraries(Inspector *in, Rect box) {
    const Scene *scene = in->scene;
    float s = scene->layout.scale, title = 34 * s, pitch = 30 * s, all = title + 3 * pitch;
    if (scene_find(scene, "mask") == TENSOR_NONE || box.h < all) return 0;
    const Tensor *self = trace_tensor(scene->run->trace, in->tensor);
    int row = in->index[self->rank - 2], key = in->index[self->rank - 1];
    inspector_label(in, TYPE_BODY, FACE_UI_SEMIBOLD, in->theme->ink, (Rect){box.x, box.y, box.w, title}, ALIGN_LEFT,
                    tr("How do libraries write it?"));
    const char *fill = scene_short_number(scene, scene_site(scene)->spec.fill);
    const struct {
        const char *name;
        Pattern pattern;
    } rows[] = {{tr("True = ignore"), {.hidden = "T", .kept = "F"}},
                {tr("True = keep"), {.hidden = "F", .kept = "T"}},
                {tr("added"), {.hidden = fill, .kept = "0"}}};
    float y = box.y + title;
    for (int i = 0; i < 3; i++, y += pitch) {
        Rect line = {box.x, y, box.w, pitch};
        float name_w = inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, line, ALIGN_LEFT, rows[i].name) + 12 * s;
        const char *pattern = row_pattern(in, row, key, rows[i].pattern, box.w - name_w);
        float size = scene->layout.type[TYPE_LABEL];
        bool small = font_width(scene->font, FACE_MONO, size, pattern) > box.w - name_w;
        inspector_label(in, small ? TYPE_SMALL : TYPE_LABEL, FACE_MONO, in->theme->ink, line, ALIGN_RIGHT, pattern);
    }
    return all;
}

/* The query of the number that is explained, where it has one; -1: it has none. */
static int query_of(const Inspector *in) {
    const Tensor *self = trace_tensor(in->scene->run->trace, in->tensor);
    for (int a = 0; a < self->rank; a++)
        if (run_axis(in->scene->run, in->tensor, a) == AXIS_QUERY) return in->index[a];
    return -1;
}

float inspector_empty_row(Inspector *in, Rect box) {
    static const struct {
        const char *name, *label;
    } sides[EMPTY_ROW_COUNT] = {[EMPTY_ROW_ZERO] = {"zero", tr_mark("zeros")}, [EMPTY_ROW_NAN] = {"nan", tr_mark("NaN")}};
    const Scene *scene = in->scene;
    StageKind stage = scene_stage(scene)->kind;
    float s = scene->layout.scale, row = 38 * s, high = 26 * s;
    const Tensor *self = trace_tensor(scene->run->trace, in->tensor);
    int head = self->rank == 3 ? in->index[0] : scene->view->head;
    if ((stage != STAGE_MASK && stage != STAGE_SOFTMAX) || box.h < row || scene->run->doc.model == MODEL_FOLDER) return 0;
    if (!empty_rows_at(scene, head, query_of(in))) return 0;
    float x = box.x + box.w, y = box.y + row - high;
    for (int i = EMPTY_ROW_COUNT - 1; i >= 0; i--) {
        float w = ceilf(font_width(scene->font, FACE_UI_MEDIUM, scene->layout.type[TYPE_LABEL], tr(sides[i].label)) + 20 * s);
        Rect place = {x -= w, y, w - 1, high};
        bool on = (int)scene->run->doc.empty_row == i;
        const char *name = arena_printf(scene->arena, "inspector.empty.%s", sides[i].name);
        dl_control(in->dl, place, ROLE_BUTTON, name, arena_printf(scene->arena, "empty_row %s", sides[i].name), tr(sides[i].label));
        dl_rect(in->dl, place, 6 * s, on ? in->theme->accent : in->theme->button, COLOR_NONE, 0);
        inspector_label(in, TYPE_LABEL, FACE_UI_MEDIUM, on ? in->theme->on_accent : in->theme->ink, place, ALIGN_CENTER, tr(sides[i].label));
        scene_ring(scene, in->dl, name, place, 6 * s);
        dl_ungroup(in->dl);
    }
    inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, (Rect){box.x, y, x - box.x - 8 * s, high}, ALIGN_LEFT, tr("no key: the row is"));
    return row;
}
