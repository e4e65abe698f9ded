/* What a network's stages say about layers, ids, bytes, shares: one way of counting on one screen. */
#include <stdio.h>

#include "draw/theme.h"
#include "scene/formula.h"
#include "scene/words.h"
#include "scenes.h"
#include "support/support.h"

static int stage_in(const SceneSample *sample, int site, StageKind kind) {
    const Site *s = &sample->run->sites[site];
    for (int i = 0; i < s->n_stages; i++)
        if (trace_stage(sample->run->trace, s->first_stage + i)->kind == kind) return s->first_stage + i;
    fail_msg("site %d has no %s", site + 1, stage_name(kind));
    return -1;
}

/* All that is written, in its order. */
static const char *written(SceneSample *sample, float width, float height, DisplayList *dl) {
    Scene scene = sample_scene(sample, width, height);
    dl_init(dl, &sample->arena, width, height, 0xFFFFFFFF);
    scene_draw(&scene, dl);
    dl_finish(dl);
    StrBuf sb;
    sb_init(&sb, &sample->arena);
    for (int i = 0; i < dl->n; i++)
        if (dl->commands[i].kind == DL_TEXT) sb_printf(&sb, "%s ", dl_text_at(dl, dl->commands[i].text.text));
    return sb.data;
}

static void expect(SceneSample *sample, int site, StageKind kind, double part, const char *text) {
    DisplayList dl;
    sample_seek(sample, stage_in(sample, site, kind), part);
    const char *all = written(sample, 1600, 1000, &dl);
    if (!strstr(all, text)) fail_msg("%s of site %d does not say '%s': %s", stage_name(kind), site + 1, text, all);
}

static void layers_are_counted_beside_heads(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("network gpt"));
    int layers = sample.run->n_sites, heads = sample.run->sites[1].spec.n_heads;
    char text[96];
    snprintf(text, sizeof text, "of %d · layer 2 of %d ", heads, layers);
    expect(&sample, 1, STAGE_SCORES, 1, text);
    expect(&sample, 1, STAGE_SCALE, 1, text);
    snprintf(text, sizeof text, "Token rows layer 2 of %d · ", layers);
    expect(&sample, 1, STAGE_EMBED, 1, text);
    sample_close(&sample);
    sample_open(&sample, scene_case("network marian"));
    expect(&sample, 0, STAGE_SCORES, 1, " · encoder layer 1 of ");
    expect(&sample, sample.run->n_sites - 1, STAGE_SCORES, 1, ", cross");
    sample_close(&sample);
    sample_open(&sample, scene_case("default"));
    expect(&sample, 0, STAGE_SCORES, 1, "Head 1 of 4 · ");
    sample_close(&sample);
}

static void stations_have_one_name(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("network gpt"));
    expect(&sample, 0, STAGE_ADD, 1, "Residual layer 1");
    expect(&sample, 0, STAGE_ADD, 1, "what attention found");
    expect(&sample, 0, STAGE_FFN_NORM, 1, "Norm 2 layer 1");
    expect(&sample, 0, STAGE_FFN_ADD, 1, "Residual 2 layer 1");
    expect(&sample, 0, STAGE_FFN_ADD, 1, "what the units found");
    sample_close(&sample);
}

static void rows_of_a_later_layer_say_where_they_are_from(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("network gpt"));
    expect(&sample, 1, STAGE_EMBED, 0, "X is what layer 1 gave, its H + F.");
    expect(&sample, 1, STAGE_EMBED, 0, "layer 1’s H ");
    expect(&sample, 1, STAGE_EMBED, 0, "layer 1’s F ");
    expect(&sample, 1, STAGE_EMBED, 0, "What goes into layer 2 in column 1 of");
    expect(&sample, 0, STAGE_FFN_ADD, 1, " H "); /* in its own layer it has its plain name */
    sample_close(&sample);
    sample_open(&sample, scene_case("network bert")); /* a norm is the last of its layers */
    assert_string_equal(words_rows_name(sample.run, &sample.run->sites[1], &sample.arena), "layer 1’s N");
    assert_null(words_rows_name(sample.run, &sample.run->sites[0], &sample.arena));
    sample_close(&sample);
}

static void nothing_is_looked_up_before_the_film_begins(void **state) {
    (void)state;
    SceneSample sample;
    DisplayList dl;
    sample_open(&sample, scene_case("network llama"));
    int stage = stage_in(&sample, 0, STAGE_EMBED);
    for (int begun = 0; begun <= 1; begun++) {
        sample_seek(&sample, stage, begun);
        written(&sample, 1600, 1000, &dl);
        int operands = 0;
        for (int i = 0; i < dl.n; i++)
            operands += dl.commands[i].kind == DL_GROUP && str_starts(dl_text_at(&dl, dl.groups[dl.commands[i].group.group].name), "inspector.term.");
        assert_int_equal(operands, begun);
    }
    sample_close(&sample);
}

static void addresses_say_layer_and_id(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("network gpt"));
    char text[96];
    int layers = sample.run->n_sites, id = sample.run->network->predictions[0].id;
    snprintf(text, sizeof text, "] layer 2 of %d ", layers); /* behind "layers.1.scores[…]" */
    expect(&sample, 1, STAGE_SCORES, 1, text);
    snprintf(text, sizeof text, "id %d (row %d, counted from 1)", id, id + 1);
    expect(&sample, layers - 1, STAGE_PREDICT, 1, text);
    expect(&sample, layers - 1, STAGE_PREDICT, 1, " token id "); /* heads of columns */
    int first = sample.run->network->encoding[0].ids[0];
    snprintf(text, sizeof text, "id %d (row %d, counted from 1)", first, first + 1);
    snprintf(sample.view.selection.tensor, sizeof sample.view.selection.tensor, "layers.0.tok");
    expect(&sample, 0, STAGE_EMBED, 1, text);
    sample_close(&sample);
}

static void shares_are_not_rounded_to_all_or_nothing(void **state) {
    (void)state;
    static const struct {
        double share;
        const char *text;
    } cases[] = {{1, "100.0 %"},      {0.99998, "99.9+ %"}, {0.9996, "99.9+ %"},   {0.9994, "99.9 %"},     {0.342, "34.2 %"},
                 {0.0047, "0.47 %"},  {2e-5, "0.0020 %"},   {1.2e-6, "0.0001 %"},  {9e-7, "<0.0001 %"},    {1e-30, "<0.0001 %"},
                 {0, "0.0 %"}};
    Arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_string_equal(words_percent(cases[i].share, &arena), cases[i].text);
    arena_free(&arena);
}

static void bytes_say_of_which_character(void **state) {
    (void)state;
    SceneSample sample;
    SceneCase c = *scene_case("network gpt");
    c.text = "a我é";
    sample_open(&sample, &c);
    const TokenList *tokens = &sample.run->tokens;
    int bytes = 0;
    for (int i = 0; i < tokens->n; i++) {
        const char *says = words_byte_of(sample.run, tokens, i, &sample.arena);
        static const char *const right[] = {"byte 1 of 3 of “我”", "byte 2 of 3 of “我”", "byte 3 of 3 of “我”", "byte 1 of 2 of “é”", "byte 2 of 2 of “é”"};
        assert_true((says != NULL) == (strstr(tokens->items[i].label, "<0x") != NULL));
        if (says && bytes < 5) assert_string_equal(says, right[bytes]);
        bytes += says != NULL;
    }
    assert_int_equal(bytes, 5);
    sample_close(&sample);
}

static void ends_of_text_are_named(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("network llama"));
    const Encoder *encoder = checkpoint_encoder(sample.run->network->checkpoint);
    int ends = 0;
    for (int id = 0; id < encoder_size(encoder); id++) {
        const char *says = words_end_of_text(sample.run, id);
        if (!says) continue;
        ends++;
        assert_true(encoder_is_special(encoder, id));
        assert_string_equal(says, "end of text");
    }
    assert_true(ends >= 1 && ends <= 3);
    assert_null(words_end_of_text(sample.run, -1));
    assert_null(words_end_of_text(sample.run, encoder_size(encoder)));
    sample_close(&sample);
}

/* Norm is a station of its own: at Embed it is still to come. */
static void only_the_rows_are_lit_at_embed(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("network gpt"));
    for (int project = 0; project <= 1; project++) {
        FormulaPart parts[FORMULA_PARTS_MAX];
        sample_seek(&sample, stage_in(&sample, 1, project ? STAGE_PROJECT : STAGE_EMBED), 1);
        Scene scene = sample_scene(&sample, 1600, 1000);
        formula_parts(&scene, parts);
        static const char *const texts[] = {"norm(", "X", ")", "→"};
        for (int i = 0; i < 4; i++) {
            assert_string_equal(parts[i].text, texts[i]);
            assert_int_equal(parts[i].state, project ? PART_DONE : i == 1 ? PART_LIT : PART_TO_COME);
        }
    }
    sample_close(&sample);
}

static void shared_heads_say_so(void **state) {
    (void)state;
    SceneSample sample;
    char text[96];
    sample_open(&sample, scene_case("network llama"));
    const AttentionSpec *spec = &sample.run->sites[0].spec;
    int each = spec->n_heads / spec->n_kv_heads;
    assert_true(each > 1);
    sample.view.head = spec->n_heads - 1;
    snprintf(sample.view.selection.tensor, sizeof sample.view.selection.tensor, "layers.0.k");
    snprintf(text, sizeof text, each == 2 ? "heads %d and %d share this key head (%d of %d)" : "heads %d to %d share this key head (%d of %d)",
             spec->n_heads - each + 1, spec->n_heads, spec->n_kv_heads, spec->n_kv_heads);
    expect(&sample, 0, STAGE_PROJECT, 1, text);
    sample_close(&sample);
}

static void all_heads_at_once_have_a_heading(void **state) {
    (void)state;
    SceneSample sample;
    SceneCase c = *scene_case("network marian");
    c.text = c.source = "the";
    sample_open(&sample, &c);
    expect(&sample, 0, STAGE_SOFTMAX, 1, "All heads encoder layer 1 of ");
    sample_close(&sample);
    sample_open(&sample, scene_case("default"));
    DisplayList dl;
    sample_seek(&sample, stage_in(&sample, 0, STAGE_SOFTMAX), 1);
    assert_non_null(strstr(written(&sample, 1600, 1000, &dl), "All heads 4 at once"));
    sample_close(&sample);
}

/* Of a row of predictions and of a number in it: what the pointer is on has a frame. */
static void what_a_click_is_for_has_a_frame(void **state) {
    (void)state;
    SceneSample sample;
    sample_open(&sample, scene_case("network gpt"));
    const Network *net = sample.run->network;
    int row = 0;
    while (row < net->n_predictions - 1 && !net->predictions[row].text[0]) row++;
    sample_seek(&sample, stage_in(&sample, sample.run->n_sites - 1, STAGE_PREDICT), 1);
    for (int number = 0; number <= 1; number++) {
        DisplayList dl;
        snprintf(sample.view.hot, sizeof sample.view.hot, number ? "predict.%d.probability" : "predict.%d", row + 1);
        written(&sample, 1600, 1000, &dl);
        bool inside = false, framed = false;
        for (int i = 0; i < dl.n && !framed; i++) {
            const DlCommand *c = &dl.commands[i];
            if (c->kind == DL_GROUP) inside = str_eq(dl_text_at(&dl, dl.groups[c->group.group].name), sample.view.hot);
            framed = inside && c->kind == DL_RECT && c->stroke == theme_at(THEME_LIGHT)->ink;
        }
        assert_true(framed);
    }
    sample_close(&sample);
}

/* 21 tokens: in equal halves neither map has room for a number. */
static void weights_get_the_room_for_their_numbers(void **state) {
    (void)state;
    SceneSample sample;
    DisplayList dl;
    sample_open(&sample, scene_case("smiles"));
    sample_seek(&sample, stage_in(&sample, 0, STAGE_SOFTMAX), 1);
    written(&sample, 1600, 1000, &dl);
    bool weights = false, numbers = false;
    for (int i = 0; i < dl.n && !numbers; i++) {
        const DlCommand *c = &dl.commands[i];
        if (c->kind == DL_GROUP) weights = str_eq(dl_text_at(&dl, dl.groups[c->group.group].name), "weights");
        numbers = weights && c->kind == DL_TEXT && str_starts(dl_text_at(&dl, c->text.text), "0.9");
    }
    assert_true(numbers);
    sample_close(&sample);
}

/* tiny-mistral reads a window of 6, the token itself among them: 5 before. Two layers of it reach twice as far. tiny-gpt-neo has a
 * window in every second layer alone: nothing is added up. */
static void windows_add_up_over_layers(void **state) {
    (void)state;
    static const SceneCase all = {.name = "mistral", .text = "The cat sat on the mat", .folder = "tiny-mistral"};
    static const SceneCase some = {.name = "gpt-neo", .text = "The cat sat on the mat", .folder = "tiny-gpt-neo"};
    SceneSample sample;
    sample_open(&sample, &all);
    expect(&sample, 0, STAGE_MASK, 1, "window: 5 tokens before, 0 after ");
    expect(&sample, 1, STAGE_MASK, 1, "window: 5 tokens before, 0 after · over the first 2 layers: 10 before, 0 after ");
    sample_close(&sample);
    sample_open(&sample, &some);
    DisplayList dl;
    sample_seek(&sample, stage_in(&sample, 1, STAGE_MASK), 1);
    assert_null(strstr(written(&sample, 1600, 1000, &dl), "over the first"));
    expect(&sample, 1, STAGE_MASK, 1, "window: 4 tokens before, 0 after ");
    sample_close(&sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_are_counted_beside_heads), cmocka_unit_test(stations_have_one_name),
        cmocka_unit_test(rows_of_a_later_layer_say_where_they_are_from), cmocka_unit_test(nothing_is_looked_up_before_the_film_begins),
        cmocka_unit_test(addresses_say_layer_and_id), cmocka_unit_test(shares_are_not_rounded_to_all_or_nothing),
        cmocka_unit_test(bytes_say_of_which_character), cmocka_unit_test(ends_of_text_are_named),
        cmocka_unit_test(weights_get_the_room_for_their_numbers), cmocka_unit_test(only_the_rows_are_lit_at_embed),
        cmocka_unit_test(shared_heads_say_so), cmocka_unit_test(all_heads_at_once_have_a_heading),
        cmocka_unit_test(windows_add_up_over_layers),
        cmocka_unit_test(what_a_click_is_for_has_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
