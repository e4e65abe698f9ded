/* RoPE: each pair of a row is a clock hand that turns by an angle which grows with the position. */
#include <math.h>

#include "base/tr.h"
#include "scene/stage_part.h"

enum { DIAL_MOST = 136, DIAL_LEAST = 40, ARC_POINTS = 24 };

typedef struct {
    Matrix before, after;
    const Op *op;
    int row;
    double turned; /* 0..1 of the way */
    bool short_names; /* dials are named by their first feature alone */
} Parts;

/* The two features of a pair. */
static void pair_features(const StageView *v, const Op *op, int pair, int *a, int *b) {
    bool half = v->site->spec.position.kind == POSITION_ROPE_HALF;
    int dim = 2 * trace_tensor(v->trace, op->in[1])->dim[1];
    *a = half ? pair : 2 * pair;
    *b = half ? pair + dim / 2 : 2 * pair + 1;
}

static double pair_angle(const StageView *v, const Op *op, int row, int pair) {
    const int index[TENSOR_RANK_MAX] = {row, pair, 0, 0};
    double c = tensor_at(trace_tensor(v->trace, op->in[1]), index), s = tensor_at(trace_tensor(v->trace, op->in[2]), index);
    return atan2(s, c);
}

static void hand(StageView *v, float x, float y, float r, double angle, Color color, float width) {
    float ex = x + r * (float)cos(angle), ey = y - r * (float)sin(angle);
    dl_line(v->dl, x, y, ex, ey, color, width);
    dl_rect(v->dl, (Rect){ex - 3 * v->s, ey - 3 * v->s, 6 * v->s, 6 * v->s}, 3 * v->s, color, COLOR_NONE, 0);
}

static void arc(StageView *v, float x, float y, float r, double from, double to, Color color) {
    DlPoint points[ARC_POINTS];
    for (int i = 0; i < ARC_POINTS; i++) {
        double a = from + (to - from) * i / (ARC_POINTS - 1);
        points[i] = (DlPoint){x + r * (float)cos(a), y - r * (float)sin(a)};
    }
    dl_path(v->dl, points, ARC_POINTS, false, COLOR_NONE, color, 2);
}

static const char *dial_name(StageView *v, const Parts *p, int pair) {
    int a, b;
    pair_features(v, p->op, pair, &a, &b);
    return p->short_names ? arena_printf(v->scene->arena, "%d", a + 1) : arena_printf(v->scene->arena, "%d, %d", a + 1, b + 1);
}

static void draw_dial(StageView *v, const Parts *p, Rect box, int pair, double longest) {
    int a, b;
    pair_features(v, p->op, pair, &a, &b);
    double va = matrix_value(&p->before, v->scene, p->row, a), vb = matrix_value(&p->before, v->scene, p->row, b);
    double start = atan2(vb, va), length = hypot(va, vb), angle = pair_angle(v, p->op, p->row, pair) * stage_ease(p->turned);
    float r = (fminf(box.w, box.h - 2 * v->pad) - 8 * v->s) / 2, x = box.x + box.w / 2, y = box.y + r + 4 * v->s;
    dl_rect(v->dl, (Rect){x - r, y - r, 2 * r, 2 * r}, r, v->theme->panel, v->theme->line, 1.5f);
    float reach = longest > 0 && isfinite(length) ? r * (float)(length / longest) : 0;
    if (reach > 0) {
        hand(v, x, y, reach, start, v->theme->faint, 1.5f);
        if (fabs(angle) > 0.01) arc(v, x, y, fmaxf(6 * v->s, reach * 0.5f), start, start + angle, v->theme->highlight);
        hand(v, x, y, reach, start + angle, p->after.title_color, 2.5f);
    }
    Rect under = {box.x, y + r + 2 * v->s, box.w, 2 * v->pad};
    dl_label(v->dl, v->scene->font, FACE_UI, v->scene->layout.type[TYPE_SMALL], v->theme->muted, under, ALIGN_CENTER,
             dial_name(v, p, pair));
}

static double longest_pair(StageView *v, const Parts *p, int pairs) {
    double most = 0;
    for (int i = 0; i < pairs; i++) {
        int a, b;
        pair_features(v, p->op, i, &a, &b);
        double length = hypot(matrix_value(&p->before, v->scene, p->row, a), matrix_value(&p->before, v->scene, p->row, b));
        if (isfinite(length)) most = fmax(most, length);
    }
    return most;
}

/* A grid of dials, as many as fit; returns how many, and where they are. */
static int draw_dials(StageView *v, Parts *p, Rect area, int pairs, Rect *used) {
    int best = 1, best_down = 1;
    float size = 0;
    for (int across = 1; across <= pairs; across++) {
        int down = (pairs + across - 1) / across;
        float each = fminf(area.w / (float)across, area.h / (float)down - 2 * v->pad);
        if (each > size) size = each, best = across, best_down = down;
    }
    if (size < DIAL_LEAST * v->s) {
        size = DIAL_LEAST * v->s;
        best = (int)fmaxf(1, floorf(area.w / size));
        best_down = (int)fmaxf(1, floorf(area.h / (size + 2 * v->pad)));
    }
    size = fminf(size, DIAL_MOST * v->s);
    int shown = best * best_down < pairs ? best * best_down : pairs;
    double longest = longest_pair(v, p, pairs);
    float w = size * (float)best, h = (size + 2 * v->pad) * (float)best_down;
    float x = area.x + (area.w - w) / 2, y = area.y + fmaxf(0, (area.h - h) / 2);
    *used = (Rect){x, y, w, h};
    p->short_names = font_width(v->scene->font, FACE_UI, v->scene->layout.type[TYPE_SMALL], dial_name(v, p, shown - 1)) > size - v->pad / 2;
    for (int i = 0; i < shown; i++)
        draw_dial(v, p, (Rect){x + (float)(i % best) * size, y + (float)(i / best) * (size + 2 * v->pad), size, size + 2 * v->pad}, i,
                  longest);
    return shown;
}

void stage_rope(StageView *v, const Op *op) {
    bool query = str_eq(trace_tensor(v->trace, op->out)->name, "q_rope");
    stage_head_heading(v, query ? tr("RoPE turns the pairs of Q by the token’s position")
                                : tr("RoPE turns the pairs of K by the token’s position"));
    Parts p = {.op = op};
    int head = scene_tensor_head(v->run, op->out, v->head);
    matrix_init(&p.before, v->scene, op->in[0], head, false);
    matrix_init(&p.after, v->scene, op->out, head, false);
    p.before.title = query ? "Q" : "K";
    p.after.title = query ? tr("Q turned") : tr("K turned");
    p.before.row.color = p.after.row.color = p.before.title_color;
    p.after.row.labels = false;
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    float middle = floorf(area.w * 0.36f);
    StageItem items[2] = {{.m = &p.before}, {.m = &p.after, .before = middle}};
    stage_row(v, area, items, 2);
    int col, pairs = trace_tensor(v->trace, op->in[1])->dim[1];
    bool focus = stage_focus(v, &p.after, &p.row, &col);
    if (!focus) p.row = col = 0;
    p.turned = v->selected ? 1 : (v->now.col + v->now.phase) / fmax(1, v->now.step.n_cols);
    stage_strong(&p.before.row, p.row);
    stage_show(v, &p.before);
    stage_show(v, &p.after);
    matrix_frame(v->scene, v->dl, matrix_row_band(&p.before, p.row, p.row + 1), p.before.title_color);
    if (focus) stage_highlight(v, &p.after, p.row, col);
    float left = p.before.cells.x + p.before.cells.w + 2 * v->pad, right = p.after.cells.x - matrix_margins(&p.after).x - 2 * v->pad;
    Rect dials;
    int shown = draw_dials(v, &p, (Rect){left, area.y, right - left, area.h}, pairs, &dials);
    const char *words = shown < pairs ? arena_printf(v->scene->arena, tr("clock hands of the first %d of %d pairs"), shown, pairs)
                                      : tr("each clock hand is a pair of features");
    if (p.short_names) words = stage_joined(v, words, tr("named by their first column"));
    const StageCaption captions[3] = {{.below = p.before.cells, .text = stage_notes(v, (Matrix *const[]){&p.before}, 1)},
                                      {.below = dials, .text = words},
                                      {.below = p.after.cells}};
    stage_captions(v, captions, 3);
}
