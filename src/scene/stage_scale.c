/* scores ÷ √dₖ = scaled: two maps and the divisor between them. */
#include <math.h>

#include "base/tr.h"
#include "scene/stage_part.h"

/* The rule in symbols, then in numbers. */
static void divisor(StageView *v, const char **symbols, const char **numbers) {
    const AttentionSpec *spec = &v->site->spec;
    Arena *arena = v->scene->arena;
    double temperature = spec->temperature > 0 ? spec->temperature : 1;
    char text[NUM_MAX], t[NUM_MAX];
    num_float(t, (float)temperature, NUM_SCREEN);
    bool warm = temperature != 1;
    if (spec->scale == SCALE_AUTO) {
        double root = sqrt((double)(spec->d_k > 0 ? spec->d_k : 1));
        num_fixed(text, root, root == floor(root) ? 0 : 3, NUM_SCREEN);
        *symbols = warm ? tr("÷ √dₖ ÷ T") : "÷ √dₖ";
        *numbers = warm ? arena_printf(arena, "÷ %s ÷ %s = × %s", text, t, scene_short_number(v->scene, 1 / (root * temperature)))
                        : arena_printf(arena, "÷ %s", text);
    } else {
        num_float(text, spec->scale == SCALE_NONE ? 1.0f : (float)spec->scale_number, NUM_SCREEN);
        *symbols = warm ? arena_printf(arena, "× %s ÷ T", text) : arena_printf(arena, "× %s", text);
        *numbers = warm ? arena_printf(arena, "× %s ÷ %s", text, t) : NULL;
    }
}

static float symbol_width(StageView *v, const char *symbols, const char *numbers) {
    RichStyle large = scene_style(v->scene, TYPE_TITLE, FACE_UI_SEMIBOLD, v->theme->ink);
    RichStyle small = scene_style(v->scene, TYPE_BODY, FACE_MONO, v->theme->muted);
    return fmaxf(rich_width(&large, symbols), numbers ? rich_width(&small, numbers) : 0);
}

static void draw_divisor(StageView *v, const Matrix *a, const Matrix *b, const char *symbols, const char *numbers) {
    RichStyle large = scene_style(v->scene, TYPE_TITLE, FACE_UI_SEMIBOLD, v->theme->ink);
    RichStyle small = scene_style(v->scene, TYPE_BODY, FACE_MONO, v->theme->muted);
    float left = a->cells.x + a->cells.w + matrix_margins(a).w, right = b->cells.x - matrix_margins(b).x;
    float middle = a->cells.y + a->cells.h / 2, x = (left + right) / 2, baseline = middle + (numbers ? -0.2f : 0.35f) * large.size;
    rich_line(v->dl, &large, x - rich_width(&large, symbols) / 2, baseline, symbols);
    if (numbers) rich_line(v->dl, &small, x - rich_width(&small, numbers) / 2, baseline + large.size * 1.4f, numbers);
}

void stage_scale(StageView *v) {
    Matrix a, b;
    stage_head_heading(v, NULL);
    if (!v->now.work || !stage_matrix(v, &a, "scores", false, tr("scores")) || !stage_matrix(v, &b, "scaled", false, tr("scaled scores"))) {
        TensorId scaled = scene_find(v->scene, "scaled");
        stage_idle(v, tr("The weights are given: there are no scores to scale."), scaled, tr("scaled scores"));
        return;
    }
    const char *symbols, *numbers;
    divisor(v, &symbols, &numbers);
    b.row.labels = false;
    StageItem items[2] = {{.m = &a}, {.m = &b, .before = symbol_width(v, symbols, numbers) + 2 * v->pad}};
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    stage_row(v, area, items, 2);
    int row, col;
    bool focus = stage_focus_any(v, (const Matrix *const[]){&a, &b}, 2, &row, &col);
    if (focus) {
        stage_strong(&a.row, row);
        stage_strong(&a.col, col);
        stage_strong(&b.col, col);
    }
    stage_show(v, &a);
    stage_show(v, &b);
    draw_divisor(v, &a, &b, symbols, numbers);
    if (focus) {
        stage_frame_same(v, &a, row, col);
        stage_highlight(v, &b, row, col);
    }
    stage_footer(v, stage_union((const Matrix *const[]){&a, &b}, 2), stage_axis_words(v), stage_notes(v, (Matrix *const[]){&a, &b}, 2));
}
