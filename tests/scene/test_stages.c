/* Stages of many documents in many windows: nothing overlaps, nothing is cut, numbers are the trace's own. */
#include <stdio.h>

#include "scene/matrix.h"
#include "scene_kit.h"

enum { TEXTS_MAX = 20000 };

typedef struct {
    DlPoint from, to; /* its middle line */
    float half;       /* half of its height */
    float end;        /* the text reaches so far beyond the line */
    const char *text;
} Label;

typedef struct {
    Label *labels;
    int n_labels;
    const DlCommand **cells;
    int n_cells;
    char where[160];
} Picture;

static Label label_of(const DisplayList *dl, const DlCommand *c) {
    float half = c->text.size * 0.35f, length = c->text.width;
    float radians = c->text.angle * 3.14159265f / 180;
    float dx = cosf(radians), dy = -sinf(radians), up_x = -sinf(radians), up_y = -cosf(radians);
    float end = fminf(half, length / 2); /* the ends are round: the line begins and ends inside */
    DlPoint from = {c->box.x + up_x * half + dx * end, c->box.y + up_y * half + dy * end};
    float rest = length - 2 * end;
    return (Label){from, {from.x + dx * rest, from.y + dy * rest}, half, end, dl_text_at(dl, c->text.text)};
}

static Picture read_picture(const DisplayList *dl, Arena *arena) {
    Picture p = {0};
    p.labels = ARENA_ARRAY(arena, Label, TEXTS_MAX);
    p.cells = (const DlCommand **)arena_alloc(arena, TEXTS_MAX, sizeof(DlCommand *));
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_TEXT && p.n_labels < TEXTS_MAX) p.labels[p.n_labels++] = label_of(dl, c);
        if (c->kind == DL_CELLS && p.n_cells < TEXTS_MAX) p.cells[p.n_cells++] = c;
    }
    return p;
}

static float along(float a, float b, float t) { return a + (b - a) * t; }

static Rect bounds(const Label *l) {
    bool level = l->from.y == l->to.y, upright = l->from.x == l->to.x && !level;
    float wide = upright ? l->half : l->end, high = level ? l->half : l->end;
    float x0 = fminf(l->from.x, l->to.x) - wide, x1 = fmaxf(l->from.x, l->to.x) + wide;
    float y0 = fminf(l->from.y, l->to.y) - high, y1 = fmaxf(l->from.y, l->to.y) + high;
    return (Rect){x0, y0, x1 - x0, y1 - y0};
}

static int steps_of(const Label *l) { return 1 + (int)(hypotf(l->to.x - l->from.x, l->to.y - l->from.y) / 4); }

/* Do two texts touch? Along their middle lines, with the room of their capitals. */
static bool labels_touch(const Label *a, const Label *b) {
    Rect both = rect_meet(bounds(a), bounds(b));
    if (both.w <= 0 || both.h <= 0) return false;
    int n = steps_of(a), m = steps_of(b);
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            float x = along(a->from.x, a->to.x, (float)i / (float)n) - along(b->from.x, b->to.x, (float)j / (float)m);
            float y = along(a->from.y, a->to.y, (float)i / (float)n) - along(b->from.y, b->to.y, (float)j / (float)m);
            if (hypotf(x, y) < fminf(a->half, a->end) + fminf(b->half, b->end) - 1) return true;
        }
    return false;
}

static bool holds(Rect outer, Rect inner, float slack) {
    return inner.x >= outer.x - slack && inner.y >= outer.y - slack && inner.x + inner.w <= outer.x + outer.w + slack &&
           inner.y + inner.h <= outer.y + outer.h + slack;
}

static void check_labels(const Picture *p, Rect area) {
    for (int i = 0; i < p->n_labels; i++) {
        const Label *l = &p->labels[i];
        Rect box = bounds(l);
        if (!holds(area, box, 4))
            fail_msg("%s: \"%s\" leaves the stage (%g,%g %gx%g)", p->where, l->text, (double)box.x, (double)box.y, (double)box.w,
                     (double)box.h);
        for (int j = 0; j < i; j++)
            if (labels_touch(l, &p->labels[j])) fail_msg("%s: \"%s\" over \"%s\"", p->where, l->text, p->labels[j].text);
    }
}

static void check_cells(const Picture *p, Rect area) {
    for (int i = 0; i < p->n_cells; i++) {
        Rect box = p->cells[i]->box;
        if (!holds(area, box, 0.5f))
            fail_msg("%s: cells leave the stage (%g,%g %gx%g)", p->where, (double)box.x, (double)box.y, (double)box.w, (double)box.h);
        for (int j = 0; j < i; j++) {
            Rect other = p->cells[j]->box, both = rect_meet(box, other);
            bool inside = holds(other, box, 0.5f) || holds(box, other, 0.5f);
            if (both.w > 0.5f && both.h > 0.5f && !inside) fail_msg("%s: cells over cells", p->where);
        }
    }
}

/* A text is inside of a map (a number) or clear of it (a label). */
static void check_labels_and_cells(const Picture *p) {
    for (int i = 0; i < p->n_labels; i++) {
        Rect box = rect_inset(bounds(&p->labels[i]), 1);
        bool straight = p->labels[i].from.y == p->labels[i].to.y || p->labels[i].from.x == p->labels[i].to.x;
        for (int j = 0; j < p->n_cells; j++) {
            Rect both = rect_meet(box, p->cells[j]->box);
            if (both.w <= 0 || both.h <= 0 || holds(p->cells[j]->box, box, 1)) continue;
            if (straight) fail_msg("%s: \"%s\" half over cells", p->where, p->labels[i].text);
        }
    }
}

static void check_texts(const Picture *p) {
    for (int i = 0; i < p->n_labels; i++) {
        assert_null(strstr(p->labels[i].text, "\xe2\x88\x92"
                                              "0.00"));
        if (str_eq(p->labels[i].text, "\xe2\x88\x92"
                                      "0") ||
            str_eq(p->labels[i].text, "\xe2\x88\x92"
                                      "0.0"))
            fail_msg("%s: minus zero", p->where);
    }
}

/* Values of cells that show one number each are the tensor's own. */
static void check_values(const SceneKit *kit, const DisplayList *dl, const Picture *p) {
    int depth = 0;
    const DlGroup *stack[16] = {0};
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_GROUP) stack[++depth] = &dl->groups[c->group.group];
        if (c->kind == DL_UNGROUP) depth--;
        if (c->kind != DL_CELLS) continue;
        const DlGroup *group = stack[depth];
        const Tensor *t = trace_tensor(kit->run->trace, c->cells.tensor);
        assert_int_equal(group->role, ROLE_TENSOR);
        assert_string_equal(dl_text_at(dl, group->name), t->id);
        bool less_max = kit->view.film.stage == 5 && (str_eq(t->name, "masked") || str_eq(t->name, "scaled"));
        if (group->at[1] > 1 || group->at[2] > 1 || less_max) continue;
        for (int row = 0; row < c->cells.rows; row += 3) {
            for (int col = 0; col < c->cells.cols; col += 2) {
                size_t at = (size_t)row * (size_t)c->cells.cols + (size_t)col;
                int index[TENSOR_RANK_MAX];
                if (dl->marks[c->cells.marks + at] != CELL_VALUE) continue;
                matrix_hit_index(t, group, c->cells.head, row + c->cells.row0, col + c->cells.col0, index);
                double want = tensor_at(t, index), got = (double)dl->values[c->cells.values + at];
                if (!near_equal(got, want, 1e-6 * fmax(1, fabs(want)))) fail_msg("%s: %s shows %g for %g", p->where, t->id, got, want);
            }
        }
    }
}

typedef struct {
    const char *name, *yaml;
    int words; /* appended as the text when > 0 */
} Case;

static const Case cases[] = {
    {"default", NULL, 0},
    {"one word", "attnscope: 1\ntext: \"Hi\"\n", 0},
    {"long words", "attnscope: 1\ntext: \"internationalization of antidisestablishmentarianism floccinaucinihilipilification\"\n", 0},
    {"chinese", "attnscope: 1\ntext: \"猫坐在垫子上\"\n", 0},
    {"smiles", "attnscope: 1\ntext: \"CC(=O)Oc1ccccc1C(=O)O\"\ntokenizer: smiles\nmodel: molecule\n", 0},
    {"12 words", "attnscope: 1\n", 12},
    {"40 words", "attnscope: 1\nmask: causal\n", 40},
    {"rope, grouped, biased",
     "attnscope: 1\nmodel: random\nheads: 4\nkv_heads: 2\nd_model: 16\nd_k: 8\nd_v: 6\nbias: true\nposition: rope_half\n", 9},
    {"alibi, causal", "attnscope: 1\nmodel: random\nheads: 2\nd_model: 8\nposition: alibi\nmask: causal\n", 7},
    {"16 heads", "attnscope: 1\nmodel: random\nheads: 16\nd_model: 64\n", 5},
    {"cross", "attnscope: 1\nmodel: random\nheads: 2\nd_model: 16\ntext: \"I love cats\"\nsource_text: \"Ich liebe alle Katzen sehr\"\n",
     0},
    {"given", "attnscope: 1\ntokens: [\"a\", \"b\"]\nprojections: none\nq: [[1,2],[3,4]]\nk: [[1,0],[0,1]]\nv: [[1],[2]]\nheads: 1\n", 0},
    {"given weights", "attnscope: 1\ntokens: [\"a\", \"b\"]\nweights: [[1,0],[0.5,0.5]]\n", 0},
    {"given scores", "attnscope: 1\ntokens: [\"a\", \"b\"]\nscores: [[1,0],[2,0.5]]\nd_k: 4\n", 0},
    {"not a number", "attnscope: 1\ntokens: [\"a\", \"b\"]\nx: [[.nan,0],[1,.inf]]\nprojections: none\nmask: custom\nkeep: [[1,0],[0,0]]\n",
     0},
    {"finite fill", "attnscope: 1\ntext: \"a b c d e\"\nmask: causal\nmask_fill: -3\n", 0},
    {"wide", "attnscope: 1\nmodel: random\nheads: 12\nd_model: 768\n", 6},
    {"600 words", "attnscope: 1\nmodel: random\nheads: 2\nd_model: 8\nmask: causal\n", 600},
};

static const float sizes[][3] = {{1600, 1000, 1}, {1024, 768, 1}, {1280, 800, 1},    {1920, 1080, 1.5f}, {1400, 1050, 1.2f},
                                 {2560, 1440, 1}, {800, 600, 1},  {1024, 768, 1.5f}, {3840, 2160, 1},    {1600, 1000, 2}};

static void open_case(SceneKit *kit, const Case *c) {
    Arena arena = {0};
    const char *yaml = c->yaml;
    if (c->words) yaml = arena_printf(&arena, "%stext: \"%s\"\n", c->yaml, kit_words(&arena, c->words));
    kit_open(kit, yaml);
    arena_free(&arena);
}

static void check_stage(SceneKit *kit, const Case *c, const float *size, int stage, double position) {
    DisplayList dl;
    kit->view.text_scale = (double)size[2];
    kit_film(kit, stage, position);
    Rect area = kit_draw_stage(kit, size[0], size[1], &dl);
    Picture p = read_picture(&dl, &kit->frame);
    snprintf(p.where, sizeof p.where, "%s, %gx%g at %g, stage %d at %g", c->name, (double)size[0], (double)size[1], (double)size[2],
             stage + 1, position);
    check_labels(&p, area);
    check_cells(&p, area);
    check_labels_and_cells(&p);
    check_texts(&p);
    check_values(kit, &dl, &p);
}

static void check_case(const Case *c) {
    SceneKit kit;
    open_case(&kit, c);
    bool large = c->words > 100;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i += large ? 5 : 1)
        for (int stage = 0; stage < trace_stage_count(kit.run->trace); stage++) {
            int steps = film_steps(kit.run->trace, stage);
            kit.view.head = kit.run->spec.n_heads - 1;
            check_stage(&kit, c, sizes[i], stage, steps);
            if (!large) check_stage(&kit, c, sizes[i], stage, steps / 2);
        }
    kit_close(&kit);
}

static void stages_have_no_overlaps(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&cases[i]);
}

/* The same place of the film gives the same picture, whatever was drawn before. */
static void pictures_depend_on_the_place_alone(void **state) {
    (void)state;
    SceneKit kit;
    Arena keep = {0};
    kit_open(&kit, NULL);
    for (int stage = 0; stage < 9; stage++) {
        DisplayList dl;
        StrBuf first, again;
        kit_film(&kit, stage, 1.5);
        kit_draw_stage(&kit, 1600, 1000, &dl);
        sb_init(&first, &keep);
        dl_dump(&dl, &first);
        kit_film(&kit, stage, 3);
        kit_draw_stage(&kit, 1024, 768, &dl);
        kit_film(&kit, stage, 1.5);
        kit_draw_stage(&kit, 1600, 1000, &dl);
        sb_init(&again, &keep);
        dl_dump(&dl, &again);
        assert_string_equal(first.data, again.data);
    }
    arena_free(&keep);
    kit_close(&kit);
}

static int count_marks(const DisplayList *dl, const char *tensor, CellMark mark) {
    int count = 0;
    bool inside = false;
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_GROUP) inside = str_eq(dl_text_at(dl, dl->groups[c->group.group].name), tensor);
        if (c->kind != DL_CELLS || !inside) continue;
        for (int k = 0; k < c->cells.rows * c->cells.cols; k++) count += dl->marks[c->cells.marks + (uint32_t)k] == mark;
    }
    return count;
}

/* The scores of the first 14 cells are there, the other 22 are empty. */
static void cells_come_with_the_film(void **state) {
    (void)state;
    SceneKit kit;
    DisplayList dl;
    kit_open(&kit, NULL);
    kit_film(&kit, 2, 0);
    kit_draw_stage(&kit, 1600, 1000, &dl);
    assert_int_equal(count_marks(&dl, "scores", CELL_EMPTY), 36);
    kit_film(&kit, 2, 14);
    kit_draw_stage(&kit, 1600, 1000, &dl);
    assert_int_equal(count_marks(&dl, "scores", CELL_VALUE), 14);
    assert_int_equal(count_marks(&dl, "q", CELL_VALUE), 24);
    kit_film(&kit, 4, 36);
    kit_draw_stage(&kit, 1600, 1000, &dl);
    assert_int_equal(count_marks(&dl, "masked", CELL_MASKED), 15);
    assert_int_equal(count_marks(&dl, "masked", CELL_VALUE), 21);
    kit_close(&kit);
}

/* In the middle of a score its cell holds the sum of the products so far. */
static void the_sum_runs(void **state) {
    (void)state;
    SceneKit kit;
    DisplayList dl;
    kit_open(&kit, NULL);
    const Trace *trace = kit.run->trace;
    const Tensor *q = trace_tensor(trace, trace_find(trace, "q")), *k = trace_tensor(trace, trace_find(trace, "k"));
    double want = 0;
    for (int i = 0; i < 2; i++) want += tensor_at(q, (int[4]){0, 2, i, 0}) * tensor_at(k, (int[4]){0, 1, i, 0});
    kit_film(&kit, 2, 13.5); /* sat · cat, half of four products and a last part */
    kit_draw_stage(&kit, 1600, 1000, &dl);
    double got = NAN;
    for (int i = 0; i < dl.n; i++) {
        const DlCommand *c = &dl.commands[i];
        if (c->kind == DL_CELLS && c->cells.tensor == trace_find(trace, "scores")) got = (double)dl.values[c->cells.values + 2 * 6 + 1];
    }
    assert_near(got, want, 1e-4);
    kit_close(&kit);
}

/* What a click hits leads back to the number, also in a transposed map. */
static void clicks_find_their_number(void **state) {
    (void)state;
    SceneKit kit;
    DisplayList dl;
    kit_open(&kit, NULL);
    kit_film(&kit, 2, 36);
    kit_draw_stage(&kit, 1600, 1000, &dl);
    TensorId k = trace_find(kit.run->trace, "k");
    for (int i = 0; i < dl.n; i++) {
        const DlCommand *c = &dl.commands[i];
        if (c->kind != DL_CELLS || c->cells.tensor != k) continue;
        Rect cell = dl_cell_box(c->box, c->cells.rows, c->cells.cols, c->cells.gap, 3, 5); /* feature 4 of "mat" */
        DlHit hit;
        int index[TENSOR_RANK_MAX];
        assert_true(dl_hit(&dl, cell.x + cell.w / 2, cell.y + cell.h / 2, &hit));
        assert_int_equal(hit.tensor, k);
        matrix_hit_index(trace_tensor(kit.run->trace, k), hit.group, hit.head, hit.row, hit.col, index);
        assert_int_equal(index[0], 0);
        assert_int_equal(index[1], 5);
        assert_int_equal(index[2], 3);
        kit_close(&kit);
        return;
    }
    fail_msg("k is not in the picture");
}

/* Sentences are drawn word by word. */
static bool says(const DisplayList *dl, const char *text) {
    StrBuf all;
    sb_init(&all, dl->arena);
    for (int i = 0; i < dl->n; i++)
        if (dl->commands[i].kind == DL_TEXT) sb_printf(&all, "%s ", dl_text_at(dl, dl->commands[i].text.text));
    return strstr(all.data, text) != NULL;
}

/* A selected number of Q, or a weight of it, brings its product back although the film is at V. */
static void a_selection_shows_its_phase(void **state) {
    (void)state;
    static const char *const chosen[] = {"q", "w_k", "v"}, *const shown[] = {"q", "k", "v"};
    SceneKit kit;
    DisplayList dl;
    kit_open(&kit, NULL);
    for (int i = 0; i < 3; i++) {
        kit.view.selection = (ViewRef){.index = {0, 1, 0, 0}};
        strcpy(kit.view.selection.tensor, chosen[i]);
        kit_film(&kit, 1, film_steps(kit.run->trace, 1));
        kit_draw_stage(&kit, 1600, 1000, &dl);
        for (int k = 0; k < 3; k++) assert_int_equal(count_marks(&dl, shown[k], CELL_VALUE), k == i ? 24 : 0);
    }
    kit_close(&kit);
}

/* One long number does not cost the others theirs, and kept cells say so. */
static void long_fills_are_written_short(void **state) {
    (void)state;
    SceneKit kit;
    DisplayList dl;
    kit_open(&kit, "attnscope: 1\ntext: \"a b c d e f\"\nmask: causal\nmask_fill: -1000000000.0\n");
    kit_film(&kit, 4, film_steps(kit.run->trace, 4));
    kit_draw_stage(&kit, 1600, 1000, &dl);
    assert_true(says(&dl, "−1e9") && says(&dl, "HIDE −1e9") && says(&dl, "keep"));
    assert_false(says(&dl, "000000") || says(&dl, "e+09"));
    int decimals = 0;
    for (int i = 0; i < dl.n; i++)
        decimals += dl.commands[i].kind == DL_TEXT && strchr(dl_text_at(&dl, dl.commands[i].text.text), '.') != NULL;
    assert_true(decimals >= 36 + 21);
    kit_close(&kit);
}

static void what_is_left_out_is_said(void **state) {
    (void)state;
    SceneKit kit;
    DisplayList dl;
    open_case(&kit, &(Case){"", "attnscope: 1\nmodel: random\nheads: 2\nd_model: 8\n", 600});
    kit_film(&kit, 3, film_steps(kit.run->trace, 3));
    kit_draw_stage(&kit, 1024, 768, &dl);
    assert_true(says(&dl, " is named"));
    assert_true(says(&dl, "the largest of"));
    kit_close(&kit);
    kit_open(&kit, NULL);
    kit.view.head = 1;
    kit_film(&kit, 1, 5);
    kit_draw_stage(&kit, 1024, 768, &dl);
    assert_true(says(&dl, "11 more") && says(&dl, "+11")); /* features that head 2 does not read */
    kit_close(&kit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_have_no_overlaps),     cmocka_unit_test(pictures_depend_on_the_place_alone),
        cmocka_unit_test(cells_come_with_the_film),    cmocka_unit_test(the_sum_runs),
        cmocka_unit_test(clicks_find_their_number),    cmocka_unit_test(what_is_left_out_is_said),
        cmocka_unit_test(a_selection_shows_its_phase), cmocka_unit_test(long_fills_are_written_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
