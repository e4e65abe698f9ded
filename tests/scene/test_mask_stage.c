/* The Mask stage: how M is written in each form, where rows are empty, which controls there are and what is said about reach. */
#include "scene_kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "scene/words_mask.h"

typedef struct {
    SceneKit kit;
    DisplayList dl;
} Bench;

static void open(Bench *b, const char *yaml, StageKind stage) {
    kit_open(&b->kit, yaml);
    kit_film(&b->kit, stage, FILM_STEPS_MAX);
}

static void draw(Bench *b, float width, float height) { kit_draw_stage(&b->kit, width, height, &b->dl); }

/* The cells of the first map of a tensor. */
static const DlCommand *map_of(const Bench *b, const char *name) {
    for (int i = 0; i < b->dl.n; i++) {
        const DlCommand *c = &b->dl.commands[i];
        if (c->kind == DL_CELLS && c->cells.tensor >= 0 && str_eq(trace_tensor(b->kit.run->trace, c->cells.tensor)->name, name)) return c;
    }
    fail_msg("%s is not drawn", name);
    return NULL;
}

/* What is written in a cell; "" = nothing. */
static const char *written(const Bench *b, const DlCommand *map, int row, int col) {
    Rect box = dl_cell_box(map->box, map->cells.rows, map->cells.cols, map->cells.gap, row, col);
    for (int i = 0; i < b->dl.n; i++) {
        const DlCommand *c = &b->dl.commands[i];
        if (c->kind == DL_TEXT && rect_has(box, c->box.x + c->text.width / 2, c->box.y - 2)) return dl_text_at(&b->dl, c->text.text);
    }
    return "";
}

/* In all that is written, in the order of drawing: paragraphs are drawn word by word. */
static bool says(Bench *b, const char *part) {
    StrBuf sb;
    sb_init(&sb, &b->kit.frame);
    for (int i = 0; i < b->dl.n; i++)
        if (b->dl.commands[i].kind == DL_TEXT) sb_printf(&sb, "%s ", dl_text_at(&b->dl, b->dl.commands[i].text.text));
    return sb.data && strstr(sb.data, part);
}

static const DlGroup *control(const Bench *b, const char *name) {
    for (int i = 0; i < b->dl.n_groups; i++)
        if (str_eq(dl_text_at(&b->dl, b->dl.groups[i].name), name)) return &b->dl.groups[i];
    return NULL;
}

static void runs(const Bench *b, const char *name, const char *action) {
    const DlGroup *group = control(b, name);
    if (!group) fail_msg("there is no %s", name);
    else assert_string_equal(dl_text_at(&b->dl, group->action), action);
}

#define THREE "attnscope: 1\ntext: a b c\n"

/* A causal mask of three tokens keeps 100 110 111. PyTorch: scaled_dot_product_attention takes True = takes part;
 * nn.MultiheadAttention takes True = not allowed; float masks are added. */
static void forms_of_a_causal_mask(void **state) {
    (void)state;
    static const struct {
        MaskForm form;
        const char *keep, *hide, *source, *means;
    } forms[] = {
        {MASK_FORM_WORDS, "KEEP", "HIDE", "paint", "KEEP 0"},
        {MASK_FORM_ADDED, "0", "−∞", "float attn_mask", "0 keeps"},
        {MASK_FORM_KEEP, "True", "False", "scaled_dot_product_attention", "True keeps"},
        {MASK_FORM_IGNORE, "False", "True", "nn.MultiheadAttention", "True hides"},
    };
    for (size_t f = 0; f < 4; f++) {
        Bench b = {0};
        open(&b, THREE "mask: causal\n", STAGE_MASK);
        b.kit.view.mask_form = forms[f].form;
        draw(&b, 1600, 1000);
        const DlCommand *map = map_of(&b, "mask");
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) assert_string_equal(written(&b, map, i, j), j <= i ? forms[f].keep : forms[f].hide);
        assert_true(says(&b, forms[f].source));
        assert_true(says(&b, forms[f].means));
        assert_int_equal(says(&b, "masked by"), forms[f].form >= MASK_FORM_KEEP); /* what is True is not added */
        kit_close(&b.kit);
    }
}

/* Small cells: letters of True and False, no words; what is hidden has its mark. */
static void small_cells(void **state) {
    (void)state;
    Bench b = {0};
    Arena arena = {0};
    open(&b, arena_printf(&arena, "attnscope: 1\ntext: \"%s\"\nmask: causal\n", kit_words(&arena, 40)), STAGE_MASK);
    draw(&b, 1600, 1000);
    const DlCommand *map = map_of(&b, "mask");
    assert_string_equal(written(&b, map, 3, 1), "");
    assert_int_equal(b.dl.marks[map->cells.marks + 3 * 40 + 3], CELL_VALUE);
    assert_int_equal(b.dl.marks[map->cells.marks + 3 * 40 + 4], CELL_MASKED);
    kit_close(&b.kit);
    b = (Bench){0};
    open(&b, "attnscope: 1\ntext: a b c d e f g h i j k l\nmask: causal\n", STAGE_MASK);
    b.kit.view.mask_form = MASK_FORM_IGNORE;
    draw(&b, 1280, 1000);
    map = map_of(&b, "mask");
    assert_string_equal(written(&b, map, 3, 3), "F");
    assert_string_equal(written(&b, map, 3, 4), "T");
    kit_close(&b.kit);
    arena_free(&arena);
}

static void empty_rows(void **state) {
    (void)state;
    static const char *const policies[][2] = {{"zero", "no key allowed → zeros"}, {"nan", "no key allowed → NaN"}};
    for (int i = 0; i < 2; i++)
        for (int stage = STAGE_MASK; stage <= STAGE_SOFTMAX; stage++) {
            Bench b = {0};
            Arena arena = {0};
            open(&b, arena_printf(&arena, THREE "mask: custom\nkeep: [[1, 0, 0], [0, 0, 0], [1, 1, 1]]\nempty_row: %s\n", policies[i][0]), (StageKind)stage);
            draw(&b, 1600, 1000);
            if (!says(&b, policies[i][1])) fail_msg("%s in stage %d says nothing", policies[i][0], stage);
            assert_false(says(&b, policies[1 - i][1]));
            if (stage == STAGE_SOFTMAX) { /* hatched, never a colour */
                const DlCommand *map = map_of(&b, "weights");
                for (int j = 0; j < 3; j++) assert_int_equal(b.dl.marks[map->cells.marks + (uint32_t)(3 + j)], i ? CELL_NAN : CELL_MASKED);
            } else {
                runs(&b, "mask.empty.zero", "empty_row zero");
                runs(&b, "mask.empty.nan", "empty_row nan");
            }
            kit_close(&b.kit);
            arena_free(&arena);
        }
    Bench b = {0};
    open(&b, THREE "mask: causal\n", STAGE_MASK);
    draw(&b, 1600, 1000);
    assert_false(says(&b, "no key"));
    assert_null(control(&b, "mask.empty.zero"));
    kit_close(&b.kit);
}

/* With a finite fill the row keeps numbers: it is not empty. */
static void a_finite_fill_leaves_no_empty_row(void **state) {
    (void)state;
    Bench b = {0};
    open(&b, THREE "mask: custom\nkeep: [[1, 0, 0], [0, 0, 0], [1, 1, 1]]\nmask_fill: -1e9\n", STAGE_MASK);
    b.kit.view.mask_form = MASK_FORM_ADDED;
    draw(&b, 1600, 1000);
    assert_false(says(&b, "no key"));
    assert_string_equal(written(&b, map_of(&b, "mask"), 0, 0), "keep"); /* put in its place: 0 would be a lie */
    assert_string_equal(written(&b, map_of(&b, "mask"), 0, 1), "−1e9");
    assert_true(says(&b, "masked_fill"));
    assert_false(says(&b, "float attn_mask"));
    kit_close(&b.kit);
}

static void numbers_have_steppers(void **state) {
    (void)state;
    Bench b = {0};
    open(&b, THREE "mask: [{kind: window, left: 2, right: 0}, {kind: padding, keys: 1}]\n", STAGE_MASK);
    draw(&b, 1600, 1000);
    runs(&b, "mask.1.left.less", "mask.set left 1 1");
    runs(&b, "mask.1.left.more", "mask.set left 3 1");
    runs(&b, "mask.1.right.less", ""); /* at its end */
    runs(&b, "mask.1.drop", "mask.drop 1");
    runs(&b, "mask.2.keys.more", "mask.set keys 2 2");
    runs(&b, "mask.2.side.left", "mask.set side left 2");
    assert_true(says(&b, "2 masks"));
    assert_true(dl_focus_find(&b.dl, "mask.1.left") >= 0);
    assert_true(dl_focus_find(&b.dl, "mask.1.left.more") < 0); /* one stop for the keyboard */
    assert_null(control(&b, "mask.align.top_left"));            /* as many queries as keys */
    draw(&b, 800, 600);
    assert_null(control(&b, "mask.1.drop")); /* where it is low the menu has it */
    runs(&b, "mask.1.left.less", "mask.set left 1 1"); /* also where it is narrow */
    kit_close(&b.kit);
    b = (Bench){0};
    open(&b, "attnscope: 1\ntext: a b c\nsource: [a, b]\nmask: causal\n", STAGE_MASK);
    draw(&b, 1600, 1000);
    runs(&b, "mask.align.top_left", "causal_align top_left");
    assert_true(says(&b, "the last query reads up to the last key"));
    kit_close(&b.kit);
}

/* A letter where it can be read, else a sentence: no form looks like another. 16 and 60 tokens. */
static void forms_differ_in_small_cells(void **state) {
    (void)state;
    static const struct {
        MaskForm form;
        const char *hide, *sentence;
    } forms[] = {
        {MASK_FORM_ADDED, "−∞", "hidden cells: −∞, the others: 0"},
        {MASK_FORM_KEEP, "F", "hidden cells: False, the others: True"},
        {MASK_FORM_IGNORE, "T", "hidden cells: True, the others: False"},
    };
    for (int tokens = 16; tokens <= 60; tokens += 44) {
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            Bench b = {0};
            Arena arena = {0};
            open(&b, arena_printf(&arena, "attnscope: 1\ntext: \"%s\"\nmask: causal\n", kit_words(&arena, tokens)), STAGE_MASK);
            b.kit.view.mask_form = forms[f].form;
            draw(&b, 1600, 1000);
            assert_string_equal(written(&b, map_of(&b, "mask"), 3, 5), tokens == 16 ? forms[f].hide : "");
            assert_int_equal(says(&b, forms[f].sentence), tokens > 16);
            kit_close(&b.kit);
            arena_free(&arena);
        }
    }
}

static float line_of(const Bench *b, const char *name) {
    for (int i = 0; i < b->dl.n; i++) {
        const DlCommand *c = &b->dl.commands[i];
        if (c->kind == DL_GROUP && str_eq(dl_text_at(&b->dl, b->dl.groups[c->group.group].name), name)) return c->box.y;
    }
    fail_msg("%s is not drawn", name);
    return 0;
}

/* Where controls need several lines, the numbers of a mask stay beside its name. */
static void masks_stay_with_their_numbers(void **state) {
    (void)state;
    Bench b = {0};
    open(&b, "attnscope: 1\ntext: a b c d e f\nmask: [{kind: padding, keys: 2}, causal, {kind: window, left: 2, right: 0}]\n", STAGE_MASK);
    draw(&b, 1024, 768);
    float padding = line_of(&b, "mask.1.drop"), window = line_of(&b, "mask.3.drop");
    assert_true(window > padding);
    assert_true(fabsf(line_of(&b, "mask.1.keys") - padding) < 0.01f);
    assert_true(fabsf(line_of(&b, "mask.1.side.right") - padding) < 0.01f);
    assert_true(fabsf(line_of(&b, "mask.3.left") - window) < 0.01f);
    assert_true(fabsf(line_of(&b, "mask.3.right") - window) < 0.01f);
    assert_true(says(&b, "2 keys"));
    kit_close(&b.kit);
}

/* The token is named, not counted. */
static void padding_has_a_name(void **state) {
    (void)state;
    static const char *const numbers[] = {"masked", "mask"};
    Bench b = {0};
    open(&b, "attnscope: 1\ntext: the cat sat\nmask: {kind: padding, keys: 1}\n", STAGE_MASK);
    for (int i = 0; i < 2; i++) {
        Explanation e;
        Err err = {0};
        ExplainWords words;
        TensorId id = trace_find(b.kit.run->trace, numbers[i]);
        const int whole[] = {0, 1, 2, 0}, plain[] = {1, 2, 0, 0};
        assert_true(trace_explain(b.kit.run->trace, id, trace_tensor(b.kit.run->trace, id)->rank == 3 ? whole : plain, &b.kit.frame, &e, &err));
        explain_words(b.kit.run, &e, &b.kit.frame, &words);
        assert_non_null(strstr(words.meaning, "No: “sat” is padding."));
    }
    kit_close(&b.kit);
}

static void reach_in_words(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"{kind: window, left: 2, right: 1}", "window: 2 tokens before, 1 after"},
        {"{kind: window, left: 1, right: 0}", "window: 1 token before, 0 after"},
        {"{kind: local_block, block: 2}", "blocks of 2: none outside its own block"},
        {"{kind: strided, stride: 3}", "strided 3: up to 2 tokens to each side, then one in 3"},
        {"{kind: strided, stride: 3, causal: true}", "strided 3: up to 2 tokens before, then one in 3"},
        {"{kind: global_window, each_side: 1, tokens: [2]}", "global: 1 to each side, and token 2 reads and is read by all"},
        {"{kind: padding, keys: 1}", "padding: 1 key of 3 is hidden from all"},
        {"[causal, {kind: padding, keys: [1, 2]}]", "padding: 2 keys of 3 are hidden from all"},
        {"[{kind: padding, keys: 1}, {kind: padding, keys: [2, 3]}]", "padding: 2 keys of 3 are hidden from all"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Bench b = {0};
        Arena arena = {0};
        open(&b, arena_printf(&arena, THREE "mask: %s\n", cases[i][0]), STAGE_MASK);
        Scene scene = kit_scene(&b.kit, 1600, 1000);
        const char *words = words_mask_reach(&scene);
        assert_non_null(words);
        assert_string_equal(words, cases[i][1]);
        draw(&b, 1600, 1000);
        assert_true(says(&b, cases[i][1]));
        kit_close(&b.kit);
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_a_causal_mask), cmocka_unit_test(small_cells),    cmocka_unit_test(empty_rows), cmocka_unit_test(a_finite_fill_leaves_no_empty_row),
        cmocka_unit_test(numbers_have_steppers),  cmocka_unit_test(reach_in_words), cmocka_unit_test(forms_differ_in_small_cells), cmocka_unit_test(masks_stay_with_their_numbers),
        cmocka_unit_test(padding_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
