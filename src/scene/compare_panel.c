/* Beside the maps: the selected number in A and in B, the settings that differ, the largest changes. */
#include <math.h>
#include <stdio.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "doc/doc_diff.h"
#include "scene/compare.h"
#include "scene/inspector_part.h"
#include "scene/paint.h"
#include "scene/words.h"

typedef struct {
    const Compare *c;
    const Scene *scene;
    DisplayList *dl;
    const Theme *theme;
    Rect inner; /* what is left of the panel */
    float s, pad, line;
    int controls;
} Panel;

static bool room_for(const Panel *p, float high) { return p->inner.h >= high; }

static void text_line(Panel *p, int type, FontFace face, Color color, const char *text) {
    Rect box = rect_cut_top(&p->inner, p->line);
    dl_label(p->dl, p->scene->font, face, p->scene->layout.type[type], color, box, ALIGN_LEFT, text);
}

static void paragraph(Panel *p, Color color, const char *text) {
    RichStyle style = scene_style(p->scene, TYPE_LABEL, FACE_UI, color);
    float high = rich_height(&style, p->inner.w, text);
    if (!room_for(p, high)) return;
    rich_paragraph(p->dl, &style, rect_cut_top(&p->inner, high), ALIGN_LEFT, text);
}

static void heading(Panel *p, const char *text) {
    if (!room_for(p, 2 * p->line + p->pad)) return;
    rect_cut_top(&p->inner, p->pad);
    text_line(p, TYPE_LABEL, FACE_UI_SEMIBOLD, p->theme->ink, text);
}

static const char *signed_number(const Panel *p, double value, int decimals) {
    return value > 0 ? arena_printf(p->scene->arena, "+%s", scene_number(p->scene, value, decimals)) : scene_number(p->scene, value, decimals);
}

static const char *name_at(const Panel *p, int axis, int i) {
    char buffer[32];
    return arena_strdup(p->scene->arena, rich_short(p->scene->arena, words_label(p->scene->run, p->c->b, axis, i, buffer)));
}

/* A row of words at the left and numbers at the right; a click runs the action. */
static void row(Panel *p, const char *action, const char *words, const char *numbers) {
    char name[32];
    snprintf(name, sizeof name, "compare.row.%d", ++p->controls);
    Rect box = rect_cut_top(&p->inner, p->line * 1.15f);
    const FontMetrics *font = p->scene->font;
    const float *type = p->scene->layout.type;
    float wide = font_width(font, FACE_MONO, type[TYPE_LABEL], numbers) + p->pad;
    dl_control(p->dl, box, ROLE_BUTTON, name, action, tr("Select it"));
    scene_ring(p->scene, p->dl, name, box, 4 * p->s);
    Rect left = box;
    Rect right = rect_cut_right(&left, fminf(wide, box.w * 0.7f));
    RichStyle style = scene_style(p->scene, TYPE_LABEL, FACE_UI, p->theme->ink);
    rich_label(p->dl, &style, left, ALIGN_LEFT, words);
    dl_label(p->dl, font, FACE_MONO, type[TYPE_LABEL], p->theme->ink, right, ALIGN_RIGHT, numbers);
    dl_ungroup(p->dl);
}

static const char *place_words(const Panel *p, int r, int col) {
    const Tensor *b = trace_tensor(p->scene->run->trace, p->c->b);
    Arena *arena = p->scene->arena;
    if (b->rank < 2) return name_at(p, 0, col);
    return phrase_names(arena, rich_name(arena, 'q', name_at(p, b->rank - 2, r)), rich_name(arena, 'k', name_at(p, b->rank - 1, col)));
}

static const char *select_action(const Panel *p, int r, int col) {
    int index[TENSOR_RANK_MAX];
    scene_index(p->scene->run, p->c->b, p->scene->view->head, r, col, index);
    const Tensor *b = trace_tensor(p->scene->run->trace, p->c->b);
    return arena_printf(p->scene->arena, "select %s", view_index_text(b->id, index, b->rank, ",", p->scene->arena));
}

/* ---- sections ---- */

static void draw_settings(Panel *p) {
    DocChange *list;
    int n = doc_diff(p->scene->held_doc, p->scene->doc, p->scene->arena, &list);
    heading(p, tr("What was changed, A → B"));
    if (n == 0) paragraph(p, p->theme->muted, tr("Nothing yet: change a setting, a word or a number, and see what follows."));
    for (int i = 0; i < n; i++) {
        if (i == 4 && n > 5) {
            paragraph(p, p->theme->muted, arena_printf(p->scene->arena, tr_count("and %d more setting", "and %d more settings", n - i), n - i));
            break;
        }
        paragraph(p, p->theme->ink, doc_change_text(&list[i], p->scene->arena));
    }
}

/* What is wrong, in words. */
static void draw_check(Panel *p) {
    const char **lines = p->scene->check->lines;
    heading(p, tr("Result"));
    for (int i = 0; lines[i]; i++) paragraph(p, p->theme->ink, lines[i]);
}

static void draw_selected(Panel *p) {
    TensorId id;
    int index[TENSOR_RANK_MAX];
    const Compare *c = p->c;
    if (c->reason || !scene_selection(p->scene, &id, index) || id != c->b) return;
    const Tensor *b = trace_tensor(p->scene->run->trace, id);
    int r = b->rank >= 2 ? index[b->rank - 2] : 0, col = index[b->rank - 1];
    if (b->rank == 3 && index[0] != c->head_b) return;
    double was = c->value_a[(size_t)r * (size_t)c->cols + (size_t)col], now = tensor_at(b, index);
    Arena *arena = p->scene->arena;
    RichStyle style = scene_style(p->scene, TYPE_BODY, FACE_UI, p->theme->ink);
    rich_line(p->dl, &style, p->inner.x, p->inner.y + style.size, place_words(p, r, col));
    rect_cut_top(&p->inner, p->line * 1.4f);
    const char *const words[] = {compare_side(p->scene, false), compare_side(p->scene, true), tr("B − A")};
    const char *const numbers[] = {scene_number(p->scene, was, 3), scene_number(p->scene, now, 3),
                                   was == now ? "0" : signed_number(p, now - was, 3)};
    for (int i = 0; i < 3; i++) {
        Rect box = rect_cut_top(&p->inner, p->line * 1.1f);
        dl_label(p->dl, p->scene->font, i == 2 ? FACE_UI_SEMIBOLD : FACE_UI, p->scene->layout.type[TYPE_LABEL], i == 2 ? p->theme->ink : p->theme->muted, box, ALIGN_LEFT,
                 words[i]);
        dl_label(p->dl, p->scene->font, i == 2 ? FACE_MONO_BOLD : FACE_MONO, p->scene->layout.type[TYPE_LABEL], p->theme->ink, box, ALIGN_RIGHT, numbers[i]);
    }
    paragraph(p, p->theme->muted, arena_printf(arena, tr("%s shows what B’s number is made from."), tr("Enter")));
    dl_line(p->dl, p->inner.x, p->inner.y + p->pad / 2, p->inner.x + p->inner.w, p->inner.y + p->pad / 2, p->theme->line, 1);
}

static void draw_cells(Panel *p) {
    const Compare *c = p->c;
    if (c->reason) return;
    heading(p, tr("Largest changes"));
    if (c->n_cells == 0) {
        paragraph(p, p->theme->muted, tr("A and B do not differ here."));
        return;
    }
    for (int i = 0; i < c->n_cells && room_for(p, 1.2f * p->line); i++) {
        const CompareCell *cell = &c->cells[i];
        row(p, select_action(p, cell->row, cell->col), place_words(p, cell->row, cell->col),
            arena_printf(p->scene->arena, "%s → %s", scene_number(p->scene, cell->a, 2), scene_number(p->scene, cell->b, 2)));
    }
}

static void draw_rows(Panel *p) {
    const Compare *c = p->c;
    const Tensor *b = c->b == TENSOR_NONE ? NULL : trace_tensor(p->scene->run->trace, c->b);
    if (c->reason || c->n_cells == 0 || b->rank < 2) return;
    heading(p, tr("Rows, by the sum of their changes"));
    for (int i = 0; i < c->rows && i < 4 && room_for(p, 1.2f * p->line); i++) {
        int r = c->row_order[i];
        if (!(c->row_change[r] > 0)) break;
        row(p, select_action(p, r, 0), rich_name(p->scene->arena, 'q', name_at(p, b->rank - 2, r)), scene_number(p->scene, c->row_change[r], 2));
    }
}

static void draw_heads(Panel *p) {
    int n = scene_site(p->scene)->spec.n_heads;
    const Compare *c = p->c;
    if (c->reason || n < 2 || trace_tensor(p->scene->run->trace, c->b)->rank < 3 || n > 16) return;
    heading(p, tr("Heads, by their largest change"));
    for (int h = 0; h < n && room_for(p, 1.2f * p->line); h++) {
        double most = compare_head_change(p->scene, h);
        if (isnan(most)) continue;
        row(p, arena_printf(p->scene->arena, "head %d", h + 1), arena_printf(p->scene->arena, tr("Head %d"), h + 1), scene_number(p->scene, most, 2));
    }
}

/* Along the bottom: what ends the comparison. */
static void draw_buttons(Panel *p) {
    float high = 34 * p->s, half = (p->inner.w - p->pad) / 2;
    Rect line = rect_cut_bottom(&p->inner, high);
    rect_cut_bottom(&p->inner, p->pad);
    scene_button(p->scene, p->dl, rect_cut_left(&line, half), "compare.hold", "hold", tr("Hold B as A"));
    rect_cut_left(&line, p->pad);
    scene_button(p->scene, p->dl, line, "compare.close", "compare", tr("Back to the stage"));
}

void compare_panel(const Scene *scene, DisplayList *dl) {
    const Layout *l = &scene->layout;
    if (l->inspector.w <= 0 || l->inspector.h <= 0) return;
    const Compare *c = compare_make(scene);
    Panel p = {.c = c, .scene = scene, .dl = dl, .theme = scene_theme(scene), .inner = rect_inset(l->inspector, 3 * l->pad), .s = l->scale,
               .pad = l->pad, .line = l->type[TYPE_LABEL] * 1.5f};
    DlGroup group = {.role = ROLE_PANEL, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(dl, "compare")};
    dl_group(dl, l->inspector, &group);
    dl_rect(dl, l->inspector, 1.5f * l->pad, p.theme->panel, p.theme->line, 1);
    dl_clip(dl, rect_inset(l->inspector, 1));
    draw_buttons(&p);
    if (c->reason) paragraph(&p, p.theme->ink, c->reason);
    draw_selected(&p);
    if (scene->check) draw_check(&p);
    else draw_settings(&p);
    draw_cells(&p);
    draw_rows(&p);
    draw_heads(&p);
    dl_unclip(dl);
    dl_ungroup(dl);
}
