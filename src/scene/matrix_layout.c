#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tr.h"
#include "scene/look.h"
#include "scene/matrix.h"
#include "scene/matrix_part.h"
#include "scene/now.h"
#include "scene/paint.h"
#include "scene/words_mask.h"

/* Units at scale 1. */
enum { CELL_MOST = 96, LABEL_MOST = 112, LABELS_MEASURED = 256, COUNTS_LEAST = 20, LETTER_LEAST = 8 };

static float gap_for(float pitch) { return pitch >= 14 ? 2 : pitch >= 5 ? 1 : 0; }

/* ---- sharing room ---- */

static float pitch_at(const MatrixShare *share, float t) {
    float p = floorf(t * share->share);
    return fminf(fmaxf(p, share->least), fmaxf(share->most, share->least));
}

static float total_at(const MatrixShare *shares, int n, float t) {
    float total = 0;
    for (int i = 0; i < n; i++) {
        int cells = side_shown(shares[i].side) + side_folds(shares[i].side);
        total += (float)cells * pitch_at(&shares[i], t);
    }
    return total;
}

void matrix_set_side(MatrixSide *side, float pitch, int block) {
    int shown = side_shown(side);
    side->block = block;
    side->pitch = pitch;
    side->gap = gap_for(pitch);
    side->drawn = (shown + block - 1) / block + side_folds(side);
    if (side->window && block > 1) side->first -= side->first % block; /* blocks begin where those of the whole map do */
}

static int cells_of(const MatrixShare *share) { return side_shown(share->side) + side_folds(share->side); }

/* Even the least pitches are too much: small sides keep theirs, the others divide what is left, in blocks where a unit
 * for each is still too much. A side is small when its cells take no more than an even part of the room. */
static void share_tight(float room, MatrixShare *shares, int n) {
    bool done[64] = {false};
    int left = n;
    assert(n <= 64);
    for (bool again = true; again && left > 1;) {
        again = false;
        for (int i = 0; i < n; i++) {
            float wanted = (float)cells_of(&shares[i]) * shares[i].least;
            if (done[i] || wanted > room / (float)left * 0.6f) continue;
            matrix_set_side(shares[i].side, shares[i].least, 1);
            room -= wanted;
            done[i] = again = true;
            left--;
        }
    }
    float wanted = 0;
    for (int i = 0; i < n; i++) wanted += done[i] ? 0 : (float)cells_of(&shares[i]);
    for (int i = 0; i < n; i++) {
        if (done[i]) continue;
        int shown = side_shown(shares[i].side);
        float mine = fmaxf(2, floorf(room * (float)cells_of(&shares[i]) / wanted));
        float pitch = floorf(mine / (float)cells_of(&shares[i]));
        int block = (int)ceilf((float)shown / (mine - side_folds(shares[i].side)));
        matrix_set_side(shares[i].side, fmaxf(1, pitch), pitch >= 1 || block < 1 ? 1 : block);
    }
}

void matrix_share(float room, MatrixShare *shares, int n) {
    for (int i = 0; i < n; i++) shares[i].least = fmaxf(1, shares[i].least);
    if (total_at(shares, n, 0) > room) {
        share_tight(fmaxf(room, (float)(2 * n)), shares, n);
        return;
    }
    float low = 0, high = 4096;
    for (int i = 0; i < 40; i++) {
        float t = (low + high) / 2;
        if (total_at(shares, n, t) <= room)
            low = t;
        else
            high = t;
    }
    for (int i = 0; i < n; i++) matrix_set_side(shares[i].side, pitch_at(&shares[i], low), 1);
}

/* ---- labels ---- */

static float longest(const Matrix *m, const Scene *scene, const MatrixSide *side, float size, int every) {
    char buffer[32];
    float most = 0;
    int cells = side->drawn - side_folds(side);
    for (int i = 0; i < cells; i += every) {
        const char *text = side_label(m, scene, side, side_position(side, i), buffer);
        most = fmaxf(most, font_width(scene->font, FACE_UI_SEMIBOLD, size, text));
    }
    return ceilf(most);
}

/* Thinned ones count too, of very many every n-th: any may become the strong one, which has to fit without moving the rest. */
static int measured(const MatrixSide *side) { return 1 + side->drawn / LABELS_MEASURED; }

static float label_most(const Scene *scene, const MatrixSide *side) {
    return side->max_label > 0 ? side->max_label : LABEL_MOST * scene->layout.scale;
}

static int every_for(float pitch, float room) { return pitch >= room ? 1 : (int)ceilf(room / pitch); }

/* Are all called by their number, so that a few round ones name the others too? The first one's; 0: they have names. */
static int counts_from(const Matrix *m, const Scene *scene, const MatrixSide *side) {
    AxisKind axis = side->axis < 0 ? AXIS_OTHER : run_axis(scene->run, m->tensor, side->axis);
    const int at[] = {0, 1, side->count / 2, side->count - 1};
    int from = 0;
    if (side->kept || side->count < COUNTS_LEAST || axis == AXIS_QUERY || axis == AXIS_KEY) return 0;
    for (int i = 0; i < 4; i++) {
        char buffer[32], *end;
        const char *text = side_label(m, scene, side, side->first + at[i], buffer);
        long number = text[0] >= '1' && text[0] <= '9' ? strtol(text, &end, 10) : 0;
        if (number < 1 || number > INT_MAX / 2 || *end) return 0;
        if (i > 0 && number - at[i] != from) return 0;
        from = (int)number - at[i];
    }
    return from;
}

/* Round numbers far enough apart: `room` each. false: names, or not even one such number. */
static bool try_count(const Matrix *m, const Scene *scene, MatrixSide *side, float room) {
    static const int steps[] = {5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
    int from = counts_from(m, scene, side);
    for (size_t i = 0; from > 0 && i < sizeof steps / sizeof *steps; i++) {
        if ((float)steps[i] * side->pitch / (float)side->block < room) continue;
        if (steps[i] > from + side->count - 1) return false;
        side->count_step = steps[i];
        side->count_from = from;
        side->label_every = every_for(side->pitch, room);
        return true;
    }
    return false;
}

/* Of any number with as many digits as the last one has. */
static float count_width(const Matrix *m, const Scene *scene, const MatrixSide *side, float size) {
    char buffer[32];
    size_t digits = strlen(side_label(m, scene, side, side->first + side->count - 1, buffer));
    float most = 0;
    for (char digit = '0'; digit <= '9'; digit++) {
        char text[32] = "";
        memset(text, digit, digits < sizeof text ? digits : sizeof text - 1);
        most = fmaxf(most, font_width(scene->font, FACE_UI_SEMIBOLD, size, text));
    }
    return ceilf(most);
}

static void settle_rows(Matrix *m, const Scene *scene) {
    MatrixSide *side = &m->row;
    const float *type = scene->layout.type, s = scene->layout.scale;
    side->label_room = 0;
    side->label_every = side->count_step = 0;
    if (!side->labels || side->axis < 0) return;
    side->label_size = side->pitch >= 28 * s ? type[TYPE_BODY] : side->pitch >= 18 * s ? type[TYPE_LABEL] : type[TYPE_SMALL];
    side->label_every = every_for(side->pitch, side->label_size);
    bool round = side->label_every > 1 && try_count(m, scene, side, side->label_size * 1.5f);
    float width = round ? count_width(m, scene, side, side->label_size) : longest(m, scene, side, side->label_size, measured(side));
    if (side_folds(side)) width = fmaxf(width, font_width(scene->font, FACE_UI, type[TYPE_SMALL], tr("000 more")));
    side->label_room = fminf(width, label_most(scene, side)) + scene->layout.pad;
}

/* "+12" over the folded column. */
static float folded_width(const Matrix *m, const Scene *scene, float size) {
    if (!side_folds(&m->col)) return 0;
    return font_width(scene->font, FACE_UI, size, arena_printf(scene->arena, "+%d", m->col.count - m->col.n_kept));
}

/* Upright if every label fits its column. */
static bool try_upright(Matrix *m, const Scene *scene) {
    MatrixSide *side = &m->col;
    static const int sizes[] = {TYPE_BODY, TYPE_LABEL, TYPE_SMALL};
    if (side->drawn > LABELS_MEASURED) return false;
    for (int i = 0; i < 3; i++) {
        float size = scene->layout.type[sizes[i]];
        if (side->pitch < size * 0.8f) continue;
        if (fmaxf(longest(m, scene, side, size, 1), folded_width(m, scene, size)) > side->pitch - 2) continue;
        side->turn = TURN_NONE;
        side->label_size = size;
        side->label_room = ceilf(size * 1.1f) + scene->layout.pad;
        return true;
    }
    return false;
}

/* Round numbers upright, each over its column. */
static bool try_upright_count(Matrix *m, const Scene *scene) {
    MatrixSide *side = &m->col;
    float size = scene->layout.type[TYPE_SMALL];
    if (side->block < 1 || !try_count(m, scene, side, count_width(m, scene, side, size) + 1.4f * size)) return false;
    side->turn = TURN_NONE;
    side->label_size = size;
    side->label_room = ceilf(size * 1.1f) + scene->layout.pad;
    return true;
}

/* How far a turned label of this width rises, and how far it leans to the right. */
static float rise(LabelTurn turn, float width, float size) { return turn == TURN_45 ? (width + size * 0.8f) * 0.7072f : width; }

static float lean(const Matrix *m, const Scene *scene) {
    const MatrixSide *side = &m->col;
    if (side->labels && side->count_step) return fmaxf(0, ceilf((count_width(m, scene, side, side->label_size) - side->pitch) / 2));
    if (side->turn != TURN_45 || !side->labels) return 0;
    char buffer[32];
    float most = 0, end = (float)side->drawn * side->pitch;
    int cells = side->drawn - side_folds(side);
    for (int i = 0; i<cells; i += side->label_every> 0 ? side->label_every : 1) {
        const char *text = side_label(m, scene, side, side_position(side, i), buffer);
        float width = fminf(font_width(scene->font, FACE_UI_SEMIBOLD, side->label_size, text), label_most(scene, side));
        most = fmaxf(most, ((float)i + 0.5f) * side->pitch + width * 0.7072f + side->label_size * 0.45f - end);
    }
    if (side_folds(side)) most = fmaxf(most, folded_width(m, scene, side->label_size) * 0.7072f - side->pitch / 2);
    return ceilf(most);
}

static void settle_columns(Matrix *m, const Scene *scene) {
    MatrixSide *side = &m->col;
    side->label_room = 0;
    side->label_every = side->count_step = 0;
    if (!side->labels || side->axis < 0) return;
    side->label_every = 1;
    if (try_upright(m, scene) || try_upright_count(m, scene)) return;
    float size = scene->layout.type[side->pitch >= 28 * scene->layout.scale ? TYPE_LABEL : TYPE_SMALL];
    side->label_size = size;
    side->turn = side->pitch >= size * 1.6f ? TURN_45 : TURN_90;
    side->label_every = every_for(side->pitch, size * 1.15f);
    float width = fminf(longest(m, scene, side, size, measured(side)), label_most(scene, side));
    width = fmaxf(width, folded_width(m, scene, size));
    side->label_room = ceilf(rise(side->turn, width, size)) + scene->layout.pad;
}

/* ---- numbers ---- */

/* Numbers of the usual length, and those that are written otherwise. */
typedef struct {
    double least, most;
    bool any, whole, words; /* a number; all are whole; NaN or infinite ones are there */
    double huge;            /* one that is written "−1e9"; 0 = none */
} Extent;

static void extend(Extent *e, const MatrixCell *cell) {
    if (cell->mark == CELL_MASKED || cell->mark == CELL_NONE || cell->below) return;
    if (!isfinite(cell->value)) {
        e->words = true;
        return;
    }
    if (fabs(cell->value) >= SCENE_LONG_NUMBER) {
        e->huge = cell->value;
        return;
    }
    if (!e->any || cell->value < e->least) e->least = cell->value;
    if (!e->any || cell->value > e->most) e->most = cell->value;
    e->any = true;
    e->whole = e->whole && cell->value == floor(cell->value);
}

static Extent extent_of(const Matrix *m, const Scene *scene) {
    MatrixReader reader = matrix_reader(m, scene);
    Extent e = {.whole = true};
    int rows = m->row.drawn - side_folds(&m->row), cols = m->col.drawn - side_folds(&m->col);
    const float all = 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            MatrixCell cell = matrix_read_drawn(&reader, i, j, &all);
            extend(&e, &cell);
        }
    e.whole = e.whole && matrix_is_whole(scene->run, m->tensor);
    return e;
}

/* What stands for numbers that are not there is left out where it does not fit: it must not cost the others theirs. */
static float number_width(const Scene *scene, const Extent *e, int decimals, float size) {
    float width = 0;
    if (e->any) {
        width = font_width(scene->font, FACE_MONO, size, scene_number(scene, e->least, decimals));
        width = fmaxf(width, font_width(scene->font, FACE_MONO, size, scene_number(scene, e->most, decimals)));
    }
    if (e->words && !e->any) width = fmaxf(width, font_width(scene->font, FACE_MONO, size, "NaN"));
    if (e->huge != 0 && !e->any) width = fmaxf(width, font_width(scene->font, FACE_MONO, size, scene_short_number(scene, e->huge)));
    return width;
}

/* Words, else letters, else what is hidden has its pattern. A letter can be read where a number with digits cannot. */
static void settle_mask_numbers(Matrix *m, const Scene *scene) {
    const float *type = scene->layout.type;
    float high = m->row.pitch - m->row.gap, size = high >= 36 ? type[TYPE_LABEL] : fminf(type[TYPE_SMALL], floorf(high * 0.85f));
    if (size < LETTER_LEAST * scene->layout.scale) return;
    FontFace face = m->form == MASK_FORM_WORDS ? FACE_UI_MEDIUM : FACE_MONO;
    for (int brief = 0; brief < 2 && m->decimals < 0; brief++) {
        const char *keep = words_mask_cell(scene, m->form, true, m->fill, m->zeros, brief), *hide = words_mask_cell(scene, m->form, false, m->fill, m->zeros, brief);
        if (!keep || !hide) return;
        float wide = fmaxf(font_width(scene->font, face, size, keep), font_width(scene->font, face, size, hide));
        if (wide + (brief ? 2 : 4) <= m->col.pitch - m->col.gap && (brief || high >= type[TYPE_SMALL] + 3)) m->decimals = brief;
    }
    m->number_size = size;
}

static void settle_numbers(Matrix *m, const Scene *scene) {
    static const int sizes[] = {TYPE_TITLE, TYPE_BODY, TYPE_LABEL, TYPE_SMALL};
    const float *type = scene->layout.type;
    float room = m->col.pitch - m->col.gap - 4, high = m->row.pitch - m->row.gap;
    m->decimals = -1;
    if (!m->numbers || m->row.block > 1 || m->col.block > 1) return;
    if (m->look == MATRIX_KEEP) {
        settle_mask_numbers(m, scene);
        return;
    }
    if (high < type[TYPE_SMALL] + 3 || room < type[TYPE_SMALL] * 0.5f) return;
    Extent e = extent_of(m, scene);
    int most = e.whole ? 0 : 2;
    /* rounding numbers below 1 to whole ones would say nothing */
    int least = (e.any && fmax(fabs(e.least), fabs(e.most)) >= 10) || most == 0 ? 0 : 1;
    if (m->digits > 0 && !e.whole) most = least = m->digits - 1;
    for (int decimals = most; decimals >= least; decimals--) {
        float free = decimals > least ? room - 4 : room; /* frames must not touch them */
        for (int i = 0; i < 4; i++) {
            float size = type[sizes[i]];
            if (size > type[TYPE_SMALL] && (high < size * 2.6f || free < number_width(scene, &e, decimals, size) * 1.25f)) continue;
            if (number_width(scene, &e, decimals, size) > free) continue;
            m->decimals = decimals;
            m->number_size = size;
            return;
        }
    }
}

/* "±10" when the stage's legend tells of another scale. */
static void settle_range(Matrix *m, const Scene *scene) {
    TensorId told = scene_stage_tensor(scene);
    m->range = NULL;
    if (!m->title || m->hide_range || m->look != MATRIX_SIGNED || told == TENSOR_NONE || told == m->tensor) return;
    const float *type = scene->layout.type;
    if (m->title_left && matrix_cells_height(m) < type[TYPE_TITLE] * 1.3f + type[TYPE_SMALL] * 2) return; /* it stands below the title */
    bool weight = look_is_weight(trace_tensor(scene->run->trace, told)->name); /* another kind of scale; a head's own costs a look at all of it */
    CellScale scale = weight ? (CellScale){.weight = true} : scene_cell_scale(scene, told);
    if (!scale.weight && !scale.plain && scale.limit == m->limit) return;
    m->range = arena_printf(scene->arena, "±%s", scene_short_number(scene, m->limit));
}

/* Width of the title with its range. */
float matrix_title_width(const Matrix *m, const Scene *scene) {
    RichStyle style = scene_style(scene, m->title_small && !m->title_left ? TYPE_LABEL : TYPE_TITLE, FACE_UI_SEMIBOLD, m->title_color);
    float title = rich_width(&style, m->title);
    float range = m->range ? font_width(scene->font, FACE_MONO, scene->layout.type[TYPE_SMALL], m->range) : 0;
    if (m->title_left) return fmaxf(title, range); /* one above the other */
    return title + (m->range ? scene->layout.pad + range : 0);
}

static void settle_all(Matrix *m, const Scene *scene) {
    settle_rows(m, scene);
    settle_columns(m, scene);
    settle_numbers(m, scene);
    settle_range(m, scene);
    m->right_room = lean(m, scene);
    m->title_room = m->title_over = 0;
    if (!m->title) return;
    if (m->title_left) {
        m->title_room = ceilf(matrix_title_width(m, scene)) + 2 * scene->layout.pad;
    } else {
        m->title_over = fmaxf(0, ceilf((matrix_title_width(m, scene) - matrix_cells_width(m)) / 2));
        m->title_room = ceilf(scene->layout.type[TYPE_TITLE] * 1.1f) + scene->layout.pad;
    }
}

void matrix_settle(Matrix *m, const Scene *scene) {
    settle_all(m, scene);
    Rect now = matrix_margins(m), *most = &m->reserve;
    *most = (Rect){fmaxf(most->x, now.x), fmaxf(most->y, now.y), fmaxf(most->w, now.w), fmaxf(most->h, now.h)};
}

Rect matrix_margins(const Matrix *m) {
    float above = m->above + m->col.label_room + (m->title_left ? 0 : m->title_room);
    float left = m->left + m->row.label_room + (m->title_left ? m->title_room : 0);
    return (Rect){fmaxf(left, m->title_over), above, fmaxf(fmaxf(m->right_room, m->right), m->title_over), 0};
}

static float side_extent(const MatrixSide *side) { return (float)side->drawn * side->pitch - side->gap; }
float matrix_cells_width(const Matrix *m) { return side_extent(&m->col); }
float matrix_cells_height(const Matrix *m) { return side_extent(&m->row); }

void matrix_place(Matrix *m, float x, float y) {
    m->cells = (Rect){floorf(x), floorf(y), matrix_cells_width(m), matrix_cells_height(m)};
    m->title_up = 0;
}

float matrix_title_baseline(const Matrix *m, const Scene *scene) {
    return m->cells.y - m->above - m->col.label_room - scene->layout.pad * 1.25f - m->title_up;
}

void matrix_level_titles(Matrix *const *list, int n, const Scene *scene) {
    float top = INFINITY;
    for (int i = 0; i < n; i++)
        if (list[i]->title && !list[i]->title_left) top = fminf(top, matrix_title_baseline(list[i], scene));
    for (int i = 0; i < n; i++)
        if (list[i]->title && !list[i]->title_left) list[i]->title_up = matrix_title_baseline(list[i], scene) - top;
}

/* ---- one matrix in an area ---- */

void matrix_fit(Matrix *m, const Scene *scene, Rect area) {
    float s = scene->layout.scale, most = CELL_MOST * s;
    Rect margins = m->reserve = (Rect){0};
    for (int pass = 0; pass < 4; pass++) {
        MatrixShare rows = {&m->row, 1, most, 1};
        matrix_share(area.h - margins.y - margins.h, &rows, 1);
        float wide = m->wide_most > 0        ? m->wide_most
                     : m->row.pitch < 15 * s ? fmaxf(m->row.pitch * 3, 10 * s)
                                             : fmaxf(m->row.pitch * 1.75f, 72 * s);
        MatrixShare cols = {&m->col, 1, fminf(most * 1.25f, wide), 1};
        matrix_share(area.w - margins.x - margins.w, &cols, 1);
        float tall = m->col.pitch < 8 ? 40 * s : fmaxf(m->col.pitch * 1.25f, 24 * s);
        if (m->row.pitch > tall) {
            rows.most = tall;
            matrix_share(area.h - margins.y - margins.h, &rows, 1);
        }
        matrix_settle(m, scene);
        if (m->reserve.x <= margins.x && m->reserve.y <= margins.y && m->reserve.w <= margins.w) break;
        margins = m->reserve;
    }
    margins = matrix_margins(m);
    float w = margins.x + matrix_cells_width(m) + margins.w, h = margins.y + matrix_cells_height(m);
    matrix_place(m, area.x + fmaxf(0, (area.w - w) / 2) + margins.x, area.y + fmaxf(0, (area.h - h) / 2) + margins.y);
}

void matrix_fit_small(Matrix *m, const Scene *scene, Rect area) {
    m->numbers = m->row.labels = m->col.labels = false;
    m->right = 0;
    m->title = NULL;
    float most = CELL_MOST * scene->layout.scale;
    MatrixShare rows = {&m->row, 1, most, 1}, cols = {&m->col, 1, most, 1};
    matrix_share(area.h, &rows, 1);
    matrix_share(area.w, &cols, 1);
    if (m->row.block == 1 && m->col.block == 1) {
        float pitch = fminf(m->row.pitch, m->col.pitch);
        /* a long thin matrix may use cells that are wider than high */
        rows.most = fminf(m->row.pitch, fmaxf(pitch, 4));
        cols.most = fminf(m->col.pitch, fmaxf(pitch, 4));
        matrix_share(area.h, &rows, 1);
        matrix_share(area.w, &cols, 1);
    } else if (m->row.block > 1 && m->col.block > 1) { /* of long texts on both sides: as square as its numbers are */
        float least = 24 * scene->layout.scale, unit = fminf(matrix_cells_height(m) / (float)m->row.count, matrix_cells_width(m) / (float)m->col.count);
        matrix_share(fminf(area.h, fmaxf(least, unit * (float)m->row.count)), &rows, 1);
        matrix_share(fminf(area.w, fmaxf(least, unit * (float)m->col.count)), &cols, 1);
    }
    matrix_settle(m, scene);
    matrix_place(m, area.x, area.y);
}
