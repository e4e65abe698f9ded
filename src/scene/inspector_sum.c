/* A row of the weighted sum: how much of each value is taken, and the row that comes out. */
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/inspector_part.h"
#include "scene/paint.h"

typedef struct {
    int key;
    double weight;
} Share;

static double weight_at(const Tensor *t, int h, int i, int j) {
    const int at[TENSOR_RANK_MAX] = {h, i, j};
    return tensor_at(t, at);
}

/* All keys in their order; when not all fit, those with the largest weights, the largest first. */
static Share *choose_keys(const Inspector *in, const Tensor *weights, int shown, double *rest) {
    int n = weights->dim[2], h = in->index[0], i = in->index[1];
    Share *keys = ARENA_ARRAY(in->scene->arena, Share, (size_t)n + 1);
    bool *taken = ARENA_ARRAY(in->scene->arena, bool, (size_t)n + 1);
    for (int k = 0; k < shown && k < n; k++) {
        int best = -1;
        for (int j = 0; j < n; j++)
            if (!taken[j] && (best < 0 || (shown < n && weight_at(weights, h, i, j) > weight_at(weights, h, i, best)))) best = j;
        taken[best] = true;
        keys[k] = (Share){best, weight_at(weights, h, i, best)};
    }
    *rest = 0;
    for (int j = 0; j < n; j++)
        if (!taken[j]) *rest += weight_at(weights, h, i, j);
    return keys;
}

/* Number and name, and the weight as a bar: below them where rows are high, else beside them. */
static void draw_key(Inspector *in, TensorId weights, const Share *share, float y, float pitch) {
    const Theme *theme = in->theme;
    float s = in->scene->layout.scale, x = in->inner.x, w = in->inner.w, bar = 8 * s;
    bool below = pitch >= 34 * s, none = share->weight == 0;
    float text_h = below ? fminf(pitch - bar - 4 * s, 26 * s) : pitch, text_w = below ? w : w * 0.6f;
    const int at[TENSOR_RANK_MAX] = {in->index[0], in->index[1], share->key};
    inspector_operand(in, (Rect){x, y, w, pitch - 2 * s}, weights, at);
    inspector_label(in, TYPE_BODY, FACE_MONO, none ? theme->muted : theme->ink, (Rect){x, y, 58 * s, text_h}, ALIGN_LEFT,
                    scene_number(in->scene, share->weight, 3));
    const char *name = inspector_name(in, weights, 2, share->key);
    RichStyle style = scene_style(in->scene, TYPE_BODY, FACE_UI, theme->muted);
    const char *text = arena_printf(in->scene->arena, tr("× v of %s"), none ? name : rich_name(in->scene->arena, 'v', name));
    rich_label(in->dl, &style, (Rect){x + 62 * s, y, text_w - 62 * s, text_h}, ALIGN_LEFT, text);
    Rect track = below ? (Rect){x, y + text_h + 1 * s, w, bar} : (Rect){x + text_w + 8 * s, y + (pitch - bar) / 2, w - text_w - 8 * s, bar};
    scene_bar(in->scene, in->dl, track, share->weight, theme->v, bar / 2);
    dl_ungroup(in->dl);
}

/* "= [0.94 0.03 0.03 0.00]" with what the film has reached; ends in "…" when it does not fit. */
static const char *row_text(const Inspector *in, float size, bool *whole) {
    const Scene *scene = in->scene;
    const Tensor *t = trace_tensor(scene->run->trace, in->tensor);
    StrBuf sb;
    sb_init(&sb, scene->arena);
    sb_add(&sb, "= [");
    *whole = true;
    for (int j = 0; j < t->dim[2]; j++) {
        const int at[TENSOR_RANK_MAX] = {in->index[0], in->index[1], j};
        bool done = film_progress(scene->run->trace, &scene->view->film, in->tensor, in->index[1], j) >= 1;
        char number[NUM_MAX];
        num_fixed(number, tensor_at(t, at), 2, NUM_SCREEN);
        size_t before = sb.length;
        sb_printf(&sb, "%s%s", j ? " " : "", done ? number : "·");
        const char *end = j + 1 < t->dim[2] ? " …]" : "]";
        if (font_width(scene->font, FACE_MONO, size, sb.data) + font_width(scene->font, FACE_MONO, size, end) <= in->inner.w) continue;
        sb.data[before] = '\0';
        *whole = false;
        return arena_printf(scene->arena, "%s …]", sb.data);
    }
    sb_add(&sb, "]");
    return sb.data;
}

static void draw_row(Inspector *in, Rect box) {
    bool whole;
    int type = TYPE_BODY;
    const char *text = row_text(in, in->scene->layout.type[type], &whole);
    if (!whole) text = row_text(in, in->scene->layout.type[type = TYPE_SMALL], &whole);
    inspector_label(in, type, FACE_MONO, in->theme->ink, box, ALIGN_LEFT, text);
}

static void say_row(Inspector *in, TensorId weights) {
    const Scene *scene = in->scene;
    RowLeader leader = words_leader(scene->run, weights, in->index[0], in->index[1]);
    in->result = "";
    if (leader.key < 0 || leader.nan) {
        in->meaning = leader.nan ? tr("The weights of this row are not numbers, so what comes in is none either.")
                                 : tr("Nothing comes in: the row has no weight to give.");
        return;
    }
    const char *share = scene_number(scene, leader.share, 3);
    if (leader.n_shares == 1 && leader.share == 1)
        in->meaning = arena_printf(scene->arena, tr("The whole weight is on “%s”, so its value is taken as it is."),
                                   inspector_name(in, weights, 2, leader.key));
    else if (leader.n_alike > 1)
        in->meaning = arena_printf(scene->arena, tr("The %d largest parts are alike, %s each."), leader.n_alike, share);
    else
        in->meaning = arena_printf(scene->arena, tr("The largest part comes from “%s”, with a weight of %s."),
                                   inspector_name(in, weights, 2, leader.key), share);
}

float inspector_weighted_sum(Inspector *in, Rect box) {
    const Op *op = trace_op(in->scene->run->trace, trace_tensor(in->scene->run->trace, in->tensor)->op);
    if (in->selected) return inspector_terms(in, box);
    TensorId id = op->in[0];
    const Tensor *weights = trace_tensor(in->scene->run->trace, id);
    float s = in->scene->layout.scale, y = box.y, foot = 44 * s;
    int n = weights->dim[2], shown;
    float pitch = inspector_pitch(in, n, box.h - foot, 24, 58, &shown);
    double rest;
    Share *keys = choose_keys(in, weights, shown, &rest);
    for (int k = 0; k < shown; k++, y += pitch) draw_key(in, id, &keys[k], y, pitch);
    if (shown < n) {
        Rect row = {in->inner.x, y, in->inner.w, pitch};
        inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, row, ALIGN_LEFT,
                        arena_printf(in->scene->arena, tr("largest first; %d more, together %s"), n - shown,
                                     scene_number(in->scene, fmax(rest, 0), 3)));
        y += pitch;
    }
    inspector_line(in, y + 8 * s);
    draw_row(in, (Rect){in->inner.x, y + 16 * s, in->inner.w, 28 * s});
    say_row(in, id);
    return y + foot - box.y;
}
