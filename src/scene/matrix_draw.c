#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/tr.h"
#include "doc/run_edit.h"
#include "scene/empty_rows.h"
#include "scene/look.h"
#include "scene/matrix_part.h"
#include "scene/paint.h"
#include "scene/words_mask.h"

enum {
    SHADES = 512,
    SHADES_FROM = 4096, /* cells from which colours are looked up instead of mixed */
    SLASH_LEAST = 14,   /* smaller cells have no slash */
    EDGES_MOST = 4096
};

/* Colours of one drawing. */
typedef struct {
    const Matrix *m;
    const Scene *scene;
    const Theme *theme;
    const Color *shades; /* SHADES colours from -1 to 1 or from 0 to 1; NULL = mix each */
} Paint;

static Color value_color(const Paint *p, double t) {
    RampKind palette = p->scene->view->palette;
    return p->m->look == MATRIX_WEIGHT ? theme_weight_color(p->theme, palette, t) : theme_signed_color(p->theme, t, 1);
}

static const Color *shades_for(const Paint *p) {
    if ((size_t)p->m->row.drawn * (size_t)p->m->col.drawn < SHADES_FROM) return NULL;
    Color *shades = ARENA_ARRAY(p->scene->arena, Color, SHADES);
    for (int i = 0; i < SHADES; i++) {
        double t = (double)i / (SHADES - 1);
        shades[i] = value_color(p, p->m->look == MATRIX_WEIGHT ? t : 2 * t - 1);
    }
    return shades;
}

/* What is hidden has one look: the empty cell with a slash, or an edge around many small ones. */
static Color cell_color(const Paint *p, const MatrixCell *cell) {
    const Theme *theme = p->theme;
    if (cell->mark != CELL_VALUE) return theme->empty_cell;
    if (p->m->look == MATRIX_PLAIN) return theme_signed_color(theme, 0, 1);
    if (p->m->look == MATRIX_KEEP) return cell->value != 0 ? theme_signed_color(theme, 0, 1) : theme->empty_cell;
    if (cell->below) return theme->background; /* see draw_below */
    double t = p->m->look == MATRIX_WEIGHT ? look_shade(p->m->log_scale, p->m->limit, cell->value) : cell->value / p->m->limit;
    Color color;
    if (p->shades) {
        double place = p->m->look == MATRIX_WEIGHT ? t : (t + 1) / 2;
        place = place < 0 ? 0 : place > 1 ? 1 : place;
        color = p->shades[(int)(place * (SHADES - 1) + 0.5)];
    } else {
        color = value_color(p, t);
    }
    if (cell->progress < 1) {
        double e = (double)cell->progress;
        color = color_mix(theme->empty_cell, color, e * e * (3 - 2 * e));
    }
    return color;
}

/* ---- numbers ---- */

/* What is written in a cell, and in which colour; NULL = nothing. */
static const char *cell_text(const Paint *p, const MatrixCell *cell, FontFace *face, Color *ink) {
    const Matrix *m = p->m;
    if (m->look == MATRIX_KEEP) {
        if (cell->value != 0) *ink = p->theme->muted;
        if (m->form == MASK_FORM_WORDS) *face = FACE_UI_MEDIUM;
        return words_mask_cell(p->scene, m->form, cell->value != 0, m->fill, m->zeros, m->decimals == 1);
    }
    if (m->zeros && cell->value == 0 && !m->live) {
        *ink = p->theme->muted;
        return "0";
    }
    if (m->look == MATRIX_WEIGHT && cell->value == 0 && !m->live) return "0"; /* "0.0" is a little more than nothing */
    return scene_number(p->scene, cell->value, m->decimals);
}

/* A number that the threshold leaves out: nothing but a dot. */
static void draw_below(const Paint *p, DisplayList *dl, Rect box) {
    float dot = 2 * fminf(p->scene->layout.scale, 2);
    dl_rect(dl, (Rect){box.x + (box.w - dot) / 2, box.y + (box.h - dot) / 2, dot, dot}, dot / 2, p->theme->muted, COLOR_NONE, 0);
}

static void draw_number(const Paint *p, DisplayList *dl, Rect box, const MatrixCell *cell, Color fill) {
    const Matrix *m = p->m;
    if (cell->mark == CELL_MASKED || cell->mark == CELL_EMPTY || cell->mark == CELL_NONE || cell->progress < 0.5f) return;
    if (cell->below) {
        draw_below(p, dl, box);
        return;
    }
    Color ink = color_ink_on(fill);
    FontFace face = FACE_MONO;
    const char *text = cell_text(p, cell, &face, &ink);
    if (!text) return;
    const FontMetrics *font = p->scene->font;
    float width = font_width(font, face, m->number_size, text);
    if (width > box.w) return;
    float y = box.y + (box.h + font->cap_height(font->ctx, face, m->number_size)) / 2;
    dl_text(dl, font, face, m->number_size, ink, box.x + (box.w - width) / 2, y, text);
}

/* ---- cells ---- */

/* One command for a run of rows and columns: all of them, or what lies between folds. */
typedef struct {
    int row0, rows, col0, cols;
} Part;

/* Along a row the film only moves forward: equal ends mean an equal row. NULL in *uniform = differs. */
static const float *row_progress(const Paint *p, int row, float *progress) {
    const Matrix *m = p->m;
    int r0, r1, c0, c1, last, end;
    side_span(&m->row, row, &r0, &r1);
    side_span(&m->col, 0, &c0, &c1);
    side_span(&m->col, m->col.drawn - side_folds(&m->col) - 1, &last, &end);
    float first = matrix_progress(m, p->scene, r0, c0), finish = matrix_progress(m, p->scene, r0, end - 1);
    *progress = first;
    bool same = first == finish && (first <= 0 || first >= 1);
    return same ? progress : NULL;
}

static bool hidden_at(const uint8_t *marks, const Part *part, int row, int col) {
    return marks[(size_t)row * (size_t)part->cols + (size_t)col] == CELL_MASKED;
}

/* Does an edge between hidden and shown cells run below (or, `upright`, at the right of) this cell? */
static bool has_edge(const uint8_t *marks, const Part *part, int row, int col, bool upright) {
    int next_row = row + !upright, next_col = col + upright;
    if (next_row >= part->rows || next_col >= part->cols) return false;
    size_t a = (size_t)row * (size_t)part->cols + (size_t)col, b = (size_t)next_row * (size_t)part->cols + (size_t)next_col;
    if (marks[a] == CELL_EMPTY || marks[b] == CELL_EMPTY || marks[a] == CELL_NONE || marks[b] == CELL_NONE) return false;
    return hidden_at(marks, part, row, col) != hidden_at(marks, part, next_row, next_col);
}

/* One straight run of edges; returns where it ends. */
static int edge_run(const uint8_t *marks, const Part *part, int line, int from, int end, bool upright) {
    while (from < end && has_edge(marks, part, upright ? from : line, upright ? line : from, upright)) from++;
    return from;
}

/* Where cells are too small for a slash a hairline runs between what is hidden and what is not. */
static void draw_edges(const Paint *p, DisplayList *dl, const Part *part, const uint8_t *marks) {
    const Matrix *m = p->m;
    float x = m->cells.x + (float)part->col0 * m->col.pitch, y = m->cells.y + (float)part->row0 * m->row.pitch;
    int left = EDGES_MOST;
    for (int upright = 0; upright < 2; upright++) {
        int lines = upright ? part->cols - 1 : part->rows - 1, end = upright ? part->rows : part->cols;
        float pitch = upright ? m->row.pitch : m->col.pitch, across = upright ? m->col.pitch : m->row.pitch;
        for (int line = 0; line < lines; line++)
            for (int from = 0; from < end && left > 0; from++) {
                int to = edge_run(marks, part, line, from, end, upright);
                if (to == from) continue;
                float at = (float)(line + 1) * across - 1, start = (float)from * pitch - 1, length = (float)(to - from) * pitch;
                dl_rect(dl, upright ? (Rect){x + at, y + start, 1, length} : (Rect){x + start, y + at, length, 1}, 0, p->theme->faint,
                        COLOR_NONE, 0);
                from = to;
                left--;
            }
    }
}

/* What a mask keeps, where there is no room for words: a dot, as what it hides has a slash. */
static void draw_kept(const Paint *p, DisplayList *dl, const Part *part, Rect box, const uint8_t *marks) {
    for (int i = 0; i < part->rows; i++)
        for (int j = 0; j < part->cols; j++)
            if (marks[(size_t)i * (size_t)part->cols + (size_t)j] == CELL_VALUE) draw_below(p, dl, dl_cell_box(box, part->rows, part->cols, p->m->col.gap, i, j));
}

static void draw_part(const Paint *p, DisplayList *dl, Part part) {
    const Matrix *m = p->m;
    MatrixReader reader = matrix_reader(m, p->scene);
    size_t count = (size_t)part.rows * (size_t)part.cols;
    Color *colors = ARENA_ARRAY(p->scene->arena, Color, count);
    float *values = ARENA_ARRAY(p->scene->arena, float, count);
    uint8_t *marks = ARENA_ARRAY(p->scene->arena, uint8_t, count);
    MatrixCell *all = m->decimals >= 0 ? ARENA_ARRAY(p->scene->arena, MatrixCell, count) : NULL;
    MatrixCell *line = all ? NULL : ARENA_ARRAY(p->scene->arena, MatrixCell, (size_t)part.cols);
    for (int i = 0; i < part.rows; i++) {
        int row = part.row0 + i, r0 = side_position(&m->row, row);
        float progress;
        const float *uniform = row_progress(p, row, &progress);
        bool dim = m->dim > 0 && (r0 < m->bright0 || r0 >= m->bright1);
        MatrixCell *cells = all ? all + (size_t)i * (size_t)part.cols : line;
        matrix_read_row(&reader, row, part.col0, part.cols, uniform, cells);
        for (int j = 0; j < part.cols; j++) {
            size_t at = (size_t)i * (size_t)part.cols + (size_t)j;
            MatrixCell *cell = &cells[j];
            if (m->look == MATRIX_KEEP && cell->mark == CELL_VALUE && cell->value == 0 && m->decimals < 0) cell->mark = CELL_MASKED;
            Color color = cell_color(p, cell);
            colors[at] = dim ? color_mix(color, p->theme->background, (double)m->dim) : color;
            values[at] = cell->mark == CELL_EMPTY ? 0 : (float)cell->value;
            marks[at] = (uint8_t)cell->mark;
        }
    }
    Rect box = {m->cells.x + (float)part.col0 * m->col.pitch, m->cells.y + (float)part.row0 * m->row.pitch,
                (float)part.cols * m->col.pitch - m->col.gap, (float)part.rows * m->row.pitch - m->row.gap};
    float small = fminf(m->col.pitch, m->row.pitch), radius = small >= 14 ? 3 : small >= 8 ? 1.5f : 0;
    int first_row = side_position(&m->row, part.row0) / m->row.block, first_col = side_position(&m->col, part.col0) / m->col.block;
    dl_cells(dl, box, part.rows, part.cols, fminf(m->col.gap, m->row.gap), radius, colors, values, marks, m->tensor, m->head, first_row,
             first_col);
    if (small < SLASH_LEAST) draw_edges(p, dl, &part, marks);
    else if (m->look == MATRIX_KEEP && !all) draw_kept(p, dl, &part, box, marks);
    if (!all) return;
    for (int i = 0; i < part.rows; i++) {
        bool said = m->empty_said && empty_rows_at(p->scene, m->head, side_position(&m->row, part.row0 + i));
        for (int j = 0; j < part.cols; j++) {
            size_t at = (size_t)i * (size_t)part.cols + (size_t)j;
            if (!said || all[at].mark != CELL_NAN) draw_number(p, dl, dl_cell_box(box, part.rows, part.cols, m->col.gap, i, j), &all[at], colors[at]);
        }
    }
}

/* End of the run of neighbouring positions that begins at drawn place `from`. */
static int run_end(const MatrixSide *side, int from, int cells) {
    int end = from + 1;
    if (!side->kept) return cells;
    while (end < cells && side->block == 1 && side->kept[end] == side->kept[end - 1] + 1) end++;
    return end;
}

static void draw_cells(const Paint *p, DisplayList *dl) {
    const Matrix *m = p->m;
    int rows = m->row.drawn - side_folds(&m->row), cols = m->col.drawn - side_folds(&m->col);
    for (int r = 0; r < rows;) {
        int r_end = run_end(&m->row, r, rows);
        for (int c = 0; c < cols;) {
            int c_end = run_end(&m->col, c, cols);
            draw_part(p, dl, (Part){r, r_end - r, c, c_end - c});
            c = c_end;
        }
        r = r_end;
    }
}

/* The last line of a folded side: empty cells with a dot each. */
static void draw_fold(const Paint *p, DisplayList *dl, bool columns) {
    const Matrix *m = p->m;
    const MatrixSide *along = columns ? &m->row : &m->col, *folded = columns ? &m->col : &m->row;
    float across = (float)(folded->drawn - 1) * folded->pitch, size = folded->pitch - folded->gap;
    for (int i = 0; i < along->drawn; i++) {
        float from = (float)i * along->pitch, length = along->pitch - along->gap;
        Rect box = columns ? (Rect){m->cells.x + across, m->cells.y + from, size, length}
                           : (Rect){m->cells.x + from, m->cells.y + across, length, size};
        float dot = 1.5f, x = box.x + box.w / 2, y = box.y + box.h / 2;
        if (box.w < 12 || box.h < 8) continue;
        for (int k = -1; k <= 1; k++)
            dl_rect(dl, (Rect){x + (float)k * 5 - dot, y - dot, 2 * dot, 2 * dot}, dot, p->theme->faint, COLOR_NONE, 0);
    }
}

/* ---- labels ---- */

/* `text` or, where it is wider than `width`, its start and "…". */
static const char *fitted(const Scene *scene, FontFace face, float size, const char *text, float width) {
    if (font_width(scene->font, face, size, text) <= width) return text;
    float rest = width - font_width(scene->font, face, size, "…");
    size_t n = rest > 0 ? font_fit(scene->font, face, size, text, rest) : 0;
    return arena_printf(scene->arena, "%.*s…", (int)n, text);
}

static bool is_strong(const MatrixSide *side, int p0, int p1) { return side->strong0 < p1 && p0 < side->strong1; }

/* The label of a drawn cell: its first position's, or a round number that it holds. */
static const char *drawn_label(const Paint *p, const MatrixSide *side, int drawn, bool strong, char buffer[32]) {
    int round = strong ? 0 : side_round(side, drawn);
    if (!round) return side_label(p->m, p->scene, side, side_position(side, drawn), buffer);
    snprintf(buffer, 32, "%d", round);
    return buffer;
}

/* Thinned labels: every n-th, and those that are strong with room around them. */
static bool label_shown(const MatrixSide *side, int drawn) {
    int n = side->label_every, p0, p1;
    if (n <= 1) return n == 1;
    side_span(side, drawn, &p0, &p1);
    bool few = side->strong1 - side->strong0 <= side->block;
    if (few && is_strong(side, p0, p1)) return true;
    if (side->count_step ? !side_round(side, drawn) : drawn % n != 0) return false;
    if (!few) return true;
    int place = side_place(side, side->strong0);
    return place < 0 || side->strong0 >= side->strong1 || abs(place - drawn) >= n;
}

static void draw_row_labels(const Paint *p, DisplayList *dl) {
    const Matrix *m = p->m;
    const MatrixSide *side = &m->row;
    float pad = p->scene->layout.pad, width = side->label_room - pad;
    int cells = side->drawn - side_folds(side);
    for (int i = 0; i < cells; i++) {
        if (!label_shown(side, i)) continue;
        char buffer[32];
        int p0, p1;
        side_span(side, i, &p0, &p1);
        bool strong = is_strong(side, p0, p1);
        float middle = m->cells.y + (float)i * side->pitch + (side->pitch - side->gap) / 2, high = side->label_size * 1.4f;
        Rect box = {m->cells.x - m->left - pad - width, middle - high / 2, width, high};
        dl_label(dl, p->scene->font, strong ? FACE_UI_SEMIBOLD : FACE_UI_MEDIUM, side->label_size, side->color, box, ALIGN_RIGHT,
                 drawn_label(p, side, i, strong, buffer));
    }
    if (!side_folds(side)) return;
    float middle = m->cells.y + (float)cells * side->pitch + (side->pitch - side->gap) / 2;
    Rect box = {m->cells.x - m->left - pad - width, middle - 10, width, 20};
    char more[48];
    snprintf(more, sizeof more, tr("%d more"), side->count - side->n_kept);
    dl_label(dl, p->scene->font, FACE_UI, p->scene->layout.type[TYPE_SMALL], p->theme->muted, box, ALIGN_RIGHT, more);
}

static void draw_column_label(const Paint *p, DisplayList *dl, int drawn, const char *text, bool strong, Color color) {
    const Matrix *m = p->m;
    const MatrixSide *side = &m->col;
    const FontMetrics *font = p->scene->font;
    FontFace face = strong ? FACE_UI_SEMIBOLD : FACE_UI_MEDIUM;
    float size = side->label_size, cap = font->cap_height(font->ctx, face, size), bottom = m->cells.y - m->above - p->scene->layout.pad;
    float middle = m->cells.x + (float)drawn * side->pitch + (side->pitch - side->gap) / 2;
    if (side->turn == TURN_NONE) {
        dl_text(dl, font, face, size, color, middle - font_width(font, face, size, text) / 2, bottom, text);
        return;
    }
    float most = side->max_label > 0 ? side->max_label : side->label_room;
    if (side->turn == TURN_45)
        most = fminf(most, (side->label_room - p->scene->layout.pad) / 0.7072f - size * 0.8f + 1);
    else
        most = fminf(most, side->label_room - p->scene->layout.pad);
    text = fitted(p->scene, face, size, text, most);
    if (side->turn == TURN_45)
        dl_text_turned(dl, font, face, size, color, middle + cap * 0.2f, bottom + cap * 0.2f, 45, text);
    else
        dl_text_turned(dl, font, face, size, color, middle + cap / 2, bottom, 90, text);
}

static void draw_column_labels(const Paint *p, DisplayList *dl) {
    const MatrixSide *side = &p->m->col;
    int cells = side->drawn - side_folds(side);
    for (int i = 0; i < cells; i++) {
        if (!label_shown(side, i)) continue;
        char buffer[32];
        int p0, p1;
        side_span(side, i, &p0, &p1);
        bool strong = is_strong(side, p0, p1);
        bool hidden = p->m->hidden && p->m->hidden[p0];
        draw_column_label(p, dl, i, drawn_label(p, side, i, strong, buffer), strong, hidden ? p->theme->muted : side->color);
    }
    if (!side_folds(side)) return;
    draw_column_label(p, dl, cells, arena_printf(p->scene->arena, "+%d", side->count - side->n_kept), false, p->theme->muted);
}

static void draw_range(const Paint *p, DisplayList *dl, float x, float baseline) {
    if (p->m->range) dl_text(dl, p->scene->font, FACE_MONO, p->scene->layout.type[TYPE_SMALL], p->theme->muted, x, baseline, p->m->range);
}

static void draw_title(const Paint *p, DisplayList *dl) {
    const Matrix *m = p->m;
    if (!m->title) return;
    const FontMetrics *font = p->scene->font;
    float pad = p->scene->layout.pad;
    RichStyle style = scene_style(p->scene, m->title_small && !m->title_left ? TYPE_LABEL : TYPE_TITLE, FACE_UI_SEMIBOLD, m->title_color);
    if (m->title_left) {
        float cap = font->cap_height(font->ctx, style.face, style.size), below = m->range ? p->scene->layout.type[TYPE_SMALL] * 1.4f : 0;
        float x = m->cells.x - m->left - m->row.label_room - m->title_room, baseline = m->cells.y + (m->cells.h + cap - below) / 2;
        rich_line(dl, &style, x, baseline, m->title);
        draw_range(p, dl, x, baseline + below);
        return;
    }
    float x = m->cells.x + (m->cells.w - matrix_title_width(m, p->scene)) / 2;
    float baseline = matrix_title_baseline(m, p->scene);
    float width = rich_line(dl, &style, x, baseline, m->title);
    draw_range(p, dl, x + width + pad, baseline);
}

/* A dot in the corner of each number that was changed by hand; around a cell that is too small for it a ring. */
static void mark_edit(const Paint *p, DisplayList *dl, Rect cell) {
    float small = fminf(cell.w, cell.h), dot = fmaxf(4.5f, fminf(9 * p->scene->layout.scale, small * 0.35f)), in = small >= 20 ? 2 : 0;
    if (small < 8) {
        float side = fmaxf(small, 3) + 5;
        Rect ring = {cell.x + (cell.w - side) / 2, cell.y + (cell.h - side) / 2, side, side};
        dl_rect(dl, ring, side / 2, COLOR_NONE, p->theme->panel, 3);
        dl_rect(dl, ring, side / 2, COLOR_NONE, p->theme->accent, 1.5f);
        return;
    }
    Rect corner = {cell.x + cell.w - dot - in, cell.y + in, dot, dot};
    dl_rect(dl, rect_inset(corner, -1), dot / 2 + 1, p->theme->panel, COLOR_NONE, 0);
    dl_rect(dl, corner, dot / 2, p->theme->accent, COLOR_NONE, 0);
}

static void mark_edits(const Paint *p, DisplayList *dl) {
    const Matrix *m = p->m;
    const Run *run = p->scene->run;
    for (int i = 0; !m->instead && i < run->doc.n_edits; i++) {
        int index[TENSOR_RANK_MAX], rank = trace_tensor(run->trace, m->tensor)->rank;
        if (!run_edit_shown(run, i, m->tensor, index) || (rank == 3 && index[0] != m->head)) continue;
        int r = rank > 1 ? index[rank - 2] : 0, c = index[rank - 1];
        int row = m->transposed ? c : r, col = m->transposed ? r : c;
        Rect cell = matrix_rect(m, row, row + 1, col, col + 1);
        if (cell.w > 0 && cell.h > 0) mark_edit(p, dl, cell);
    }
}

void matrix_draw(const Matrix *m, const Scene *scene, DisplayList *dl) {
    Paint p = {.m = m, .scene = scene, .theme = theme_at(scene->view->theme)};
    p.shades = shades_for(&p);
    const char *id = trace_tensor(scene->run->trace, m->tensor)->id;
    DlGroup group = {.role = ROLE_TENSOR,
                     .tensor = m->tensor,
                     .at = {m->head, m->row.block, m->col.block, m->transposed},
                     .name = dl_store(dl, id),
                     .label = m->title ? dl_store(dl, m->title) : 0};
    dl_group(dl, m->cells, &group);
    draw_title(&p, dl);
    if (m->col.labels) draw_column_labels(&p, dl);
    if (m->row.labels) draw_row_labels(&p, dl);
    /* zeros have the colour of the background: where nothing is written the edge says how far the matrix reaches */
    if ((m->look == MATRIX_SIGNED || m->look == MATRIX_KEEP) && m->decimals < 0 && m->row.drawn > 1 && m->cells.w > 4)
        dl_rect(dl, rect_inset(m->cells, -1), 3, COLOR_NONE, p.theme->line, 1);
    draw_cells(&p, dl);
    mark_edits(&p, dl);
    look_draw_shares(m, scene, dl);
    if (side_folds(&m->col)) draw_fold(&p, dl, true);
    if (side_folds(&m->row)) draw_fold(&p, dl, false);
    dl_ungroup(dl);
}
