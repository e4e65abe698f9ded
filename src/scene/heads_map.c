#include <math.h>

#include "base/tr.h"
#include "scene/heads.h"
#include "scene/heads_part.h"
#include "scene/look.h"
#include "scene/now.h"
#include "scene/paint.h"
#include "scene/words.h"

/* Products to add up for all parts of the output; beyond it the columns of concat are shown. */
enum { PARTS_WORK_MOST = 3000000 };

/* The joined tensors fall into columns of heads; the output into sums, where that costs little. */
static void find_show(HeadsMaps *maps, StageKind kind) {
    const AttentionSpec *spec = &scene_site(maps->scene)->spec;
    const Tensor *t = trace_tensor(maps->scene->run->trace, maps->tensor);
    maps->n = spec->n_heads;
    maps->share = 1;
    maps->show = kind == STAGE_EMBED ? SHOW_NOTHING : kind == STAGE_CONCAT || kind == STAGE_OUTPUT ? SHOW_COLUMNS : SHOW_HEAD;
    bool around = kind >= STAGE_ATTENTION_COUNT; /* norms and the like know no heads */
    if (around || (maps->show == SHOW_HEAD && t->rank < 3)) maps->show = SHOW_NOTHING;
    if (maps->show == SHOW_HEAD && t->dim[0] > 1 && t->dim[0] < spec->n_heads) {
        maps->n = t->dim[0];
        maps->share = spec->n_heads / maps->n;
    }
    maps->rows = t->rank > 1 ? t->dim[t->rank - 2] : 1;
    maps->cols = maps->show == SHOW_COLUMNS ? spec->d_v : t->dim[t->rank - 1];
    if (kind != STAGE_OUTPUT || !spec->out_proj) return;
    TensorId concat = scene_find(maps->scene, "concat"), w_o = scene_find(maps->scene, "w_o");
    double work = (double)spec->L * t->dim[1] * spec->n_heads * spec->d_v;
    bool cheap = work <= PARTS_WORK_MOST && (double)maps->rows * t->dim[1] <= 64 * 256;
    if (cheap && concat != TENSOR_NONE && w_o != TENSOR_NONE) {
        maps->show = SHOW_PARTS;
        maps->cols = t->dim[1];
    } else if (concat != TENSOR_NONE) {
        maps->tensor = concat;
    }
}

HeadsMaps heads_find(const Scene *scene) {
    HeadsMaps maps = {.scene = scene, .tensor = scene_stage_tensor(scene)};
    if (maps.tensor != TENSOR_NONE) find_show(&maps, scene_stage(scene)->kind);
    return maps;
}

bool heads_have_maps(const Scene *scene) {
    HeadsMaps maps = heads_find(scene);
    return maps.show != SHOW_NOTHING && maps.n > 1;
}

const char *heads_job(const Scene *scene, int head) { return words_head_job(scene->run, head); }

/* One head's share of out[i, c] = sum over its columns of concat[i, j] w_o[c, j]. */
static double part_of(const Tensor *concat, const Tensor *w_o, int head, int width, int i, int c) {
    double sum = 0;
    for (int j = head * width; j < (head + 1) * width; j++) {
        const int a[TENSOR_RANK_MAX] = {i, j}, b[TENSOR_RANK_MAX] = {c, j};
        sum += tensor_at(concat, a) * tensor_at(w_o, b);
    }
    return sum;
}

static const double *parts_of(const HeadsMaps *maps, int head) {
    const Scene *scene = maps->scene;
    const Tensor *concat = trace_tensor(scene->run->trace, scene_find(scene, "concat")),
                 *w_o = trace_tensor(scene->run->trace, scene_find(scene, "w_o"));
    double *parts = ARENA_ARRAY(scene->arena, double, (size_t)maps->rows *(size_t)maps->cols);
    for (int i = 0; i < maps->rows; i++)
        for (int c = 0; c < maps->cols; c++)
            parts[(size_t)i * (size_t)maps->cols + (size_t)c] = part_of(concat, w_o, head, scene_site(scene)->spec.d_v, i, c);
    return parts;
}

static Matrix make_matrix(const HeadsMaps *maps, int head, bool numbers) {
    Matrix m;
    matrix_init(&m, maps->scene, maps->tensor, scene_tensor_head(maps->scene->run, maps->tensor, head * maps->share), false);
    look_whole(&m, maps->scene);
    if (maps->show == SHOW_COLUMNS) {
        m.col.first = head * maps->cols;
        m.col.count = maps->cols;
    }
    if (maps->show == SHOW_PARTS && numbers) m.instead = parts_of(maps, head);
    return m;
}

void heads_map_size(const HeadsMaps *maps, float room_w, float room_h, float *w, float *h) {
    Matrix m = make_matrix(maps, 0, false);
    *w = *h = 0;
    if (room_w < 2 || room_h < 2) return;
    matrix_fit_small(&m, maps->scene, (Rect){0, 0, room_w, room_h});
    *w = m.cells.w;
    *h = m.cells.h;
}

void heads_draw_map(const HeadsMaps *maps, int head, Rect box, DisplayList *dl) {
    Matrix m = make_matrix(maps, head, true);
    matrix_fit_small(&m, maps->scene, box);
    if (m.row.drawn == 1 && m.look == MATRIX_SIGNED) /* a single row has no edge of its own */
        dl_rect(dl, rect_inset(m.cells, -1), 3, COLOR_NONE, scene_theme(maps->scene)->line, 1);
    matrix_draw(&m, maps->scene, dl);
    matrix_hover(&m, maps->scene, dl);
}
