/* Cases of tests/doc/test_cases.c that are about what is seen: D29, D34, D35, D36. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "draw/theme.h"
#include "scene/legend.h"
#include "scene_kit.h"

static void draw(SceneKit *kit, float width, float height, DisplayList *dl) {
    arena_free(&kit->frame);
    kit->frame = (Arena){0};
    dl_init(dl, &kit->frame, width, height, theme_at(kit->view.theme)->background);
    Scene scene = kit_scene(kit, width, height);
    scene_draw(&scene, dl);
    dl_finish(dl);
}

static bool says(const DisplayList *dl, const char *text) {
    for (int i = 0; i < dl->n; i++)
        if (dl->commands[i].kind == DL_TEXT && str_eq(dl_text_at(dl, dl->commands[i].text.text), text)) return true;
    return false;
}

/* ---- D29, poloclub/transformer-explainer#31: a legend belongs to its stage ---- */

/* The numbers of a legend, in the order of its bar. */
static int legend_numbers(SceneKit *kit, const char *tensor, double number[16]) {
    TensorId id = trace_find(kit->run->trace, tensor);
    int n = 0;
    assert_true(id != TENSOR_NONE);
    DisplayList dl;
    arena_free(&kit->frame);
    kit->frame = (Arena){0};
    dl_init(&dl, &kit->frame, 600, 300, theme_at(kit->view.theme)->background);
    Scene scene = kit_scene(kit, 1600, 1000);
    legend_draw(&scene, id, (Rect){0, 0, 400, 200}, &dl);
    for (int i = 0; i < dl.n && n < 16; i++) {
        if (dl.commands[i].kind != DL_TEXT) continue;
        const char *text = dl_text_at(&dl, dl.commands[i].text.text);
        char plain[64] = "";
        const char *minus = strstr(text, "\u2212");
        snprintf(plain, sizeof plain, "%s%s", minus == text ? "-" : "", minus == text ? text + strlen("\u2212") : text);
        if (str_to_double(plain, &number[n])) n++;
    }
    return n;
}

static void D29_legends_belong_to_stages(void **unused) {
    (void)unused;
    static const char *const inputs[] = {NULL, "attnscope: 1\ntext: \"我 爱 猫\"\nmask: none\n", "attnscope: 1\ntext: \"a b c d e f g h\"\nmodel: random\nseed: 3\n",
                                         "attnscope: 1\ntext: \"x\"\nmodel: identity\n"};
    static const char *const before[] = {"scores", "scaled", "masked"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        SceneKit kit;
        double number[16];
        kit_open(&kit, inputs[i]);
        kit_film(&kit, STAGE_SOFTMAX, film_steps(kit.run->trace, STAGE_SOFTMAX));
        int n = legend_numbers(&kit, "weights", number);
        assert_true(n >= 2);
        assert_near(number[0], 0, 0);
        assert_near(number[n - 1], 1, 0);
        for (size_t b = 0; b < sizeof before / sizeof *before; b++) {
            if (trace_find(kit.run->trace, before[b]) == TENSOR_NONE) continue; /* no mask, no masked scores */
            int stage = (int[]){STAGE_SCORES, STAGE_SCALE, STAGE_MASK}[b];
            kit_film(&kit, stage, film_steps(kit.run->trace, stage));
            n = legend_numbers(&kit, before[b], number);
            assert_true(n >= 2);
            assert_true(number[n - 1] > 0);
            assert_near(number[0], -number[n - 1], 1e-9); /* signed and symmetric */
        }
        kit_close(&kit);
    }
}

/* ---- D34, seaborn#1387 and #1773: 22 labels; ten rows of equal height ---- */

static char *document_of(Arena *arena, int n) {
    StrBuf sb;
    sb_init(&sb, arena);
    sb_add(&sb, "attnscope: 1\nmask: none\ntokens: [");
    for (int i = 0; i < n; i++) sb_printf(&sb, "%s\"word%d\"", i ? ", " : "", i + 1);
    sb_add(&sb, "]\nmodel: random\n");
    return sb.data;
}

/* Where it is that a label is written, or how many are left out is said in words. */
static int labels_of(const DisplayList *dl, int n) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        char label[16];
        snprintf(label, sizeof label, "word%d", i + 1);
        found += says(dl, label);
    }
    return found;
}

static bool notes_thinning(const DisplayList *dl) {
    for (int i = 0; i < dl->n; i++)
        if (dl->commands[i].kind == DL_TEXT && strstr(dl_text_at(dl, dl->commands[i].text.text), "named")) return true;
    return false;
}

static void D34_every_label_is_there(void **unused) {
    (void)unused;
    Arena arena = {0};
    SceneKit kit;
    char *yaml = document_of(&arena, 22);
    kit_open(&kit, yaml);
    kit_film(&kit, STAGE_SOFTMAX, film_steps(kit.run->trace, STAGE_SOFTMAX));
    static const float sizes[][2] = {{1600, 1000}, {1024, 768}};
    for (int i = 0; i < 2; i++) { /* the picture: all, or it says which */
        DisplayList dl;
        draw(&kit, sizes[i][0], sizes[i][1], &dl);
        int found = labels_of(&dl, 22);
        if (found != 22 && !notes_thinning(&dl)) fail_msg("%g: %d of 22 labels and no word about it", (double)sizes[i][0], found);
    }
    /* the figure has a page to itself: all */
    DisplayList dl;
    float width, height;
    arena_free(&kit.frame);
    kit.frame = (Arena){0};
    Scene scene = kit_scene(&kit, 1000, 800);
    FigureSpec spec = {.stage = STAGE_SOFTMAX, .head = 0, .position = film_steps(kit.run->trace, STAGE_SOFTMAX)};
    figure_size(&scene, &spec, &width, &height);
    dl_init(&dl, &kit.frame, width, height, theme_at(kit.view.theme)->background);
    figure_draw(&scene, &spec, &dl);
    assert_int_equal(labels_of(&dl, 22), 22);
    kit_close(&kit);
    arena_free(&arena);
}

static void D34_rows_are_equally_high(void **unused) {
    (void)unused;
    Arena arena = {0};
    SceneKit kit;
    char *yaml = document_of(&arena, 10);
    kit_open(&kit, yaml);
    Scene scene = kit_scene(&kit, 1000, 800);
    for (float high = 500; high < 1000; high += 7) {
        DisplayList dl;
        float width, height;
        FigureSpec spec = {.stage = STAGE_SOFTMAX, .head = 0, .position = film_steps(kit.run->trace, STAGE_SOFTMAX), .width = 1000, .height = high};
        figure_size(&scene, &spec, &width, &height);
        dl_init(&dl, &kit.frame, width, height, theme_at(kit.view.theme)->background);
        figure_draw(&scene, &spec, &dl);
        int maps = 0;
        for (int i = 0; i < dl.n; i++) {
            const DlCommand *c = &dl.commands[i];
            if (c->kind != DL_CELLS || c->cells.rows != 10) continue;
            maps++;
            float least = 1e9f, most = 0;
            for (int row = 0; row < 10; row++) {
                Rect cell = dl_cell_box(c->box, 10, c->cells.cols, c->cells.gap, row, 0);
                least = fminf(least, cell.h), most = fmaxf(most, cell.h);
            }
            assert_true(most - least <= 1);
        }
        assert_int_equal(maps, 1);
    }
    kit_close(&kit);
    arena_free(&arena);
}

/* ---- D35, seaborn#375 and #677: NaN is no minimum and no mask; every number can be read ---- */

static double channel(Color color, int shift) {
    double c = (double)(color >> shift & 0xffu) / 255;
    return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(Color color) { return 0.2126 * channel(color, 24) + 0.7152 * channel(color, 16) + 0.0722 * channel(color, 8); }

static double contrast(Color a, Color b) {
    double x = luminance(a), y = luminance(b);
    return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

static const DlCommand *map_of(const DisplayList *dl, const SceneKit *kit, const char *tensor) {
    TensorId id = trace_find(kit->run->trace, tensor);
    const DlCommand *largest = NULL;
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_CELLS && c->cells.tensor == (int)id && (!largest || c->box.w > largest->box.w)) largest = c;
    }
    assert_non_null(largest);
    return largest;
}

/* Numbers on coloured cells, against the cell below them. */
static int check_numbers(const DisplayList *dl, const DlCommand *map) {
    int numbers = 0;
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *text = &dl->commands[i];
        if (text->kind != DL_TEXT) continue;
        for (int row = 0; row < map->cells.rows; row++)
            for (int col = 0; col < map->cells.cols; col++) {
                Rect cell = dl_cell_box(map->box, map->cells.rows, map->cells.cols, map->cells.gap, row, col);
                float x = text->box.x + text->text.width / 2;
                if (x < cell.x || x > cell.x + cell.w || text->box.y < cell.y || text->box.y > cell.y + cell.h) continue;
                Color fill = dl->colors[map->cells.colors + (uint32_t)(row * map->cells.cols + col)];
                if (dl->marks[map->cells.marks + (uint32_t)(row * map->cells.cols + col)] != CELL_VALUE) continue;
                numbers++;
                if (contrast(text->fill, fill) < 4.5)
                    fail_msg("'%s' on row %d, column %d: %.2f to 1", dl_text_at(dl, text->text.text), row + 1, col + 1, contrast(text->fill, fill));
            }
    }
    return numbers;
}

static CellMark mark_at(const DisplayList *dl, const DlCommand *map, int row, int col) {
    return (CellMark)dl->marks[map->cells.marks + (uint32_t)(row * map->cells.cols + col)];
}

static void D35_nan_is_neither_minimum_nor_masked(void **unused) {
    (void)unused;
    for (int theme = 0; theme < THEME_COUNT; theme++) {
        SceneKit kit;
        DisplayList dl;
        kit_open(&kit, "attnscope: 1\ntokens: [\"a\", \"b\", \"c\"]\nscores: [[1,2,3],[1,.nan,3],[1,2,.nan]]\nscale: none\nmask: causal\n");
        kit.view.theme = (ThemeKind)theme;
        kit_film(&kit, STAGE_MASK, film_steps(kit.run->trace, STAGE_MASK));
        draw(&kit, 1600, 1000, &dl);
        const DlCommand *map = map_of(&dl, &kit, "masked");
        assert_int_equal(mark_at(&dl, map, 0, 0), CELL_VALUE); /* the minimum */
        assert_int_equal(mark_at(&dl, map, 0, 1), CELL_MASKED);
        assert_int_equal(mark_at(&dl, map, 1, 1), CELL_NAN);
        assert_int_equal(mark_at(&dl, map, 2, 2), CELL_NAN);
        assert_true(says(&dl, "NaN"));
        assert_true(check_numbers(&dl, map) >= 3);
        kit_close(&kit);
    }
}

static void D35_every_number_can_be_read(void **unused) {
    (void)unused;
    for (int theme = 0; theme < THEME_COUNT; theme++) {
        SceneKit kit;
        DisplayList dl;
        kit_open(&kit, "attnscope: 1\ntokens: [\"a\", \"b\", \"c\"]\nscores: [[50000,50000,50000],[50000,1,50000],[50000,50000,50000]]\nscale: none\nmask: none\n");
        kit.view.theme = (ThemeKind)theme;
        kit_film(&kit, STAGE_SCORES, film_steps(kit.run->trace, STAGE_SCORES));
        draw(&kit, 1600, 1000, &dl);
        const DlCommand *map = map_of(&dl, &kit, "scores");
        assert_int_equal(check_numbers(&dl, map), 9);
        Color one = dl.colors[map->cells.colors + 4], other = dl.colors[map->cells.colors];
        assert_true(one != other); /* it is seen which one */
        kit_close(&kit);
    }
}

/* ---- D36, bojieli/ai-agent-book#258 and Token-Print#32: blanks are seen ---- */

static void D36_no_token_is_blank(void **unused) {
    (void)unused;
    static const char *const labels[] = {"␣the", "␣the", "⏎", "␣"};
    SceneKit kit;
    DisplayList dl;
    kit_open(&kit, "attnscope: 1\ntokens: [\"Ġthe\", \"▁the\", \"\\n\", \" \"]\nmodel: random\nmask: none\n");
    for (int i = 0; i < 4; i++) assert_string_equal(kit.run->tokens.items[i].label, labels[i]);
    kit_film(&kit, STAGE_SCORES, film_steps(kit.run->trace, STAGE_SCORES));
    draw(&kit, 1600, 1000, &dl);
    for (int i = 0; i < 4; i++) assert_true(says(&dl, labels[i]));
    kit_close(&kit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(D29_legends_belong_to_stages),
        cmocka_unit_test(D34_every_label_is_there),
        cmocka_unit_test(D34_rows_are_equally_high),
        cmocka_unit_test(D35_nan_is_neither_minimum_nor_masked),
        cmocka_unit_test(D35_every_number_can_be_read),
        cmocka_unit_test(D36_no_token_is_blank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
