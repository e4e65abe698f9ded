/* The stations around attention: how they fold on the rail, their formulas, the list of predictions. */
#include <stdio.h>

#include "draw/theme.h"
#include "scene/formula.h"
#include "scenes.h"
#include "support/support.h"

static const char *const networks[] = {"network gpt", "network llama", "network bert", "network t5", "network marian", "network neox"};
enum { NETWORKS = sizeof networks / sizeof *networks };

static int stage_in(const SceneSample *sample, int site, StageKind kind) {
    const Site *s = &sample->run->sites[site];
    for (int i = 0; i < s->n_stages; i++)
        if (trace_stage(sample->run->trace, s->first_stage + i)->kind == kind) return s->first_stage + i;
    fail_msg("site %d has no %s", site + 1, stage_name(kind));
    return -1;
}

static void draw(SceneSample *sample, float width, float height, DisplayList *dl) {
    Scene scene = sample_scene(sample, width, height);
    dl_init(dl, &sample->arena, width, height, 0xFFFFFFFF);
    scene_draw(&scene, dl);
    dl_finish(dl);
}

static const DlGroup *find_group(const DisplayList *dl, const char *name, Rect *box) {
    for (int i = 0; i < dl->n; i++) {
        if (dl->commands[i].kind != DL_GROUP) continue;
        const DlGroup *group = &dl->groups[dl->commands[i].group.group];
        if (!str_eq(dl_text_at(dl, group->name), name)) continue;
        if (box) *box = dl->commands[i].box;
        return group;
    }
    return NULL;
}

static bool has(const DisplayList *dl, const char *name) { return find_group(dl, name, NULL) != NULL; }

/* ---- the rail ---- */

static void stations_are_folded_until_asked_for(void **state) {
    (void)state;
    SceneSample sample;
    DisplayList dl;
    sample_open(&sample, scene_case("network gpt"));
    int last = sample.run->n_sites - 1;
    sample_seek(&sample, stage_in(&sample, last, STAGE_SCORES), 1);
    draw(&sample, 1600, 1000, &dl);
    for (int digit = 1; digit <= 9; digit++) {
        char name[32];
        snprintf(name, sizeof name, "rail.%d", digit);
        assert_true(has(&dl, name));
    }
    assert_true(has(&dl, "rail.x.norm") && has(&dl, "rail.block") && has(&dl, "rail.x.predict")); /* a single one is not folded */
    assert_false(has(&dl, "rail.x.ffn") || has(&dl, "rail.block.before") || has(&dl, "rail.x.add"));
    Rect folded = {0}, unfolded = {0};
    find_group(&dl, "rail.6", &folded);
    assert_string_equal(dl_text_at(&dl, find_group(&dl, "rail.block", NULL)->action), "block");
    assert_string_equal(dl_text_at(&dl, find_group(&dl, "rail.3", NULL)->action), "stage scores");
    assert_string_equal(dl_text_at(&dl, find_group(&dl, "rail.x.predict", NULL)->action), "stage predict");
    assert_string_equal(dl_text_at(&dl, find_group(&dl, "rail.block", NULL)->label),
                        "Residual, Norm 2, Feed-forward, Residual 2, Final norm");
    sample.view.block_open = true;
    draw(&sample, 1600, 1000, &dl);
    static const char *const open[] = {"rail.x.norm", "rail.x.add", "rail.x.ffn_norm", "rail.x.ffn", "rail.x.ffn_add", "rail.x.final_norm"};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (!has(&dl, open[i])) fail_msg("no %s", open[i]);
    assert_true(has(&dl, "rail.block"));
    find_group(&dl, "rail.6", &unfolded);
    assert_true(folded.w > unfolded.w && folded.x > unfolded.x); /* folded, the nine have the whole width */
    sample.view.block_open = false; /* at a station that would be folded all are there */
    sample_seek(&sample, stage_in(&sample, 0, STAGE_FFN), 1);
    draw(&sample, 1600, 1000, &dl);
    assert_true(has(&dl, "rail.x.ffn"));
    assert_false(has(&dl, "rail.x.predict")); /* the first layer predicts nothing */
    sample_close(&sample);
}

static bool overlap(Rect a, Rect b) {
    Rect both = rect_meet(rect_inset(a, 0.5f), rect_inset(b, 0.5f));
    return both.w > 0 && both.h > 0;
}

/* Boxes of the stations, and their words, stand clear of each other. */
static void check_rail(SceneSample *sample, float width, float height, const char *what) {
    enum { BOXES = 64 };
    Rect box[BOXES], text[BOXES];
    int n = 0, n_text = 0, depth = 0, inside = 0;
    DisplayList dl;
    draw(sample, width, height, &dl);
    for (int i = 0; i < dl.n; i++) {
        const DlCommand *c = &dl.commands[i];
        if (c->kind == DL_GROUP) {
            depth++;
            if (str_starts(dl_text_at(&dl, dl.groups[c->group.group].name), "rail.")) box[n++] = c->box, inside = depth;
        }
        if (c->kind == DL_TEXT && inside) text[n_text++] = (Rect){c->box.x, c->box.y - c->text.size * 0.7f, c->text.width, c->text.size * 0.7f};
        if (c->kind == DL_UNGROUP && depth-- == inside) inside = 0;
    }
    assert_true(n >= 9);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (overlap(box[i], box[k])) fail_msg("%s: stations %d and %d overlap", what, k + 1, i + 1);
    for (int i = 0; i < n_text; i++)
        for (int k = 0; k < i; k++)
            if (overlap(text[i], text[k])) fail_msg("%s: words %d and %d overlap", what, k + 1, i + 1);
}

static void stations_do_not_overlap(void **state) {
    (void)state;
    static const float sizes[][2] = {{1600, 1000}, {1280, 800}, {1024, 768}, {2560, 1440}};
    for (int n = 0; n < NETWORKS; n++) {
        SceneSample sample;
        sample_open(&sample, scene_case(networks[n]));
        for (int site = 0; site < sample.run->n_sites; site++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
                for (int open = 0; open < 2; open++) {
                    char what[96];
                    snprintf(what, sizeof what, "%s, site %d, %g wide, %s", networks[n], site + 1, (double)sizes[k][0], open ? "open" : "folded");
                    sample.view.block_open = open;
                    sample_seek(&sample, stage_in(&sample, site, STAGE_SOFTMAX), 1);
                    check_rail(&sample, sizes[k][0], sizes[k][1], what);
                }
        sample_close(&sample);
    }
}

/* ---- formulas ---- */

#define NB "\u00a0"

static void formulas_say_what_is_there(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int site; /* -1: the last */
        StageKind kind;
        const char *formula;
    } cases[] = {
        {"network gpt", 0, STAGE_EMBED, "norm( X ) → softmax ( Q Kᵀ / √dₖ + M ) V → concat Wᴼ "},
        {"network gpt", 1, STAGE_NORM, "N = (X − μ) / √σ²" NB "+" NB "ε · γ + β "},
        {"network gpt", 1, STAGE_ADD, "H = X + out "},
        {"network gpt", 1, STAGE_FFN_NORM, "N = (H − μ) / √σ²" NB "+" NB "ε · γ + β "},
        {"network gpt", 1, STAGE_FFN, "F = GELU(N W₁ + b₁) W₂ + b₂ "},
        {"network gpt", 1, STAGE_FFN_ADD, "H₂ = H + F "},
        {"network gpt", -1, STAGE_FINAL_NORM, "N = (H₂ − μ) / √σ²" NB "+" NB "ε · γ + β "},
        {"network gpt", -1, STAGE_PREDICT, "softmax(x W_vocab) "},
        {"network llama", 0, STAGE_NORM, "N = X / √ΣX²" NB "/" NB "dₘ" NB "+" NB "ε · γ "},
        {"network llama", 0, STAGE_FFN, "F = ( SiLU(N W_gate) ∘ N W_up ) W_down "},
        {"network bert", 0, STAGE_EMBED, "X → softmax ( Q Kᵀ / √dₖ ) V → concat Wᴼ "},
        {"network bert", 0, STAGE_ADD_NORM, "N = (H − μ) / √σ²" NB "+" NB "ε · γ + β "},
        {"network bert", -1, STAGE_PREDICT, "softmax(norm(GELU(x W_head + b)) W_vocab + b) "},
        {"network t5", 0, STAGE_FFN, "F = ReLU(N W₁) W₂ "},
        {"network t5", 0, STAGE_SCORES, "softmax ( Q Kᵀ + B ) V → concat Wᴼ "},
        {"network neox", 0, STAGE_FFN_NORM, "N = (X − μ) / √σ²" NB "+" NB "ε · γ + β "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SceneSample sample;
        char out[256] = "";
        FormulaPart parts[FORMULA_PARTS_MAX];
        sample_open(&sample, scene_case(cases[i].name));
        int site = cases[i].site < 0 ? sample.run->n_sites - 1 : cases[i].site;
        sample_seek(&sample, stage_in(&sample, site, cases[i].kind), 1);
        Scene scene = sample_scene(&sample, 1600, 1000);
        int n = formula_parts(&scene, parts);
        for (int k = 0; k < n; k++) snprintf(out + strlen(out), sizeof out - strlen(out), "%s ", parts[k].text);
        if (!str_eq(out, cases[i].formula)) fail_msg("%s, %s: '%s'", cases[i].name, stage_name(cases[i].kind), out);
        sample_close(&sample);
    }
}

/* ---- predictions ---- */

/* How long the bar of a row is, of its track. */
static double bar_share(const DisplayList *dl, const char *name) {
    float track = 0, bar = 0;
    bool inside = false;
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_GROUP) inside = str_eq(dl_text_at(dl, dl->groups[c->group.group].name), name);
        if (!inside || c->kind != DL_RECT || c->fill == COLOR_NONE) continue;
        if (c->fill == theme_at(THEME_LIGHT)->accent) bar = c->box.w;
        else track = fmaxf(track, c->box.w);
    }
    return track > 0 ? (double)(bar / track) : -1;
}

static void bars_are_as_long_as_probabilities(void **state) {
    (void)state;
    SceneSample sample;
    DisplayList dl;
    sample_open(&sample, scene_case("network gpt"));
    const Network *net = sample.run->network;
    int stage = stage_in(&sample, sample.run->n_sites - 1, STAGE_PREDICT);
    sample_seek(&sample, stage, 1);
    draw(&sample, 1600, 1000, &dl);
    double before = 1;
    int parts = 0;
    for (int i = 0; i < net->n_predictions && i < 5; i++) {
        char name[32], action[64];
        snprintf(name, sizeof name, "predict.%d", i + 1);
        assert_true(net->predictions[i].probability <= before);
        before = net->predictions[i].probability;
        assert_near(bar_share(&dl, name), before, 0.01);
        bool takes = net->predictions[i].text[0] != '\0'; /* what ends the text cannot be taken */
        snprintf(action, sizeof action, "take %d", i + 1);
        if (!takes) action[0] = '\0';
        const DlGroup *row = find_group(&dl, name, NULL);
        assert_string_equal(dl_text_at(&dl, row->action), action);
        assert_true(takes || net->predictions[i].part); /* of this model all are bytes */
        assert_non_null(strstr(dl_text_at(&dl, row->label), takes ? "Take “" : "is a part of a character; it cannot be taken alone"));
        parts += !takes;
        snprintf(name, sizeof name, "predict.%d.probability", i + 1);
        Rect box;
        const DlGroup *number = find_group(&dl, name, &box);
        assert_non_null(number);
        snprintf(action, sizeof action, "explain probs[1,1,%d]", net->predictions[i].id + 1);
        assert_string_equal(dl_text_at(&dl, number->action), action);
        DlHit hit;
        assert_true(dl_hit(&dl, box.x + box.w / 2, box.y + box.h / 2, &hit));
        assert_ptr_equal(hit.group, number); /* a click on the number explains it, beside it takes the token */
    }
    assert_int_equal(parts, 2);
    sample_seek(&sample, stage, 0);
    draw(&sample, 1600, 1000, &dl);
    assert_near(bar_share(&dl, "predict.1"), 0, 1e-6);
    assert_false(has(&dl, "predict.1.probability"));
    sample_close(&sample);
}

static bool is_written(const DisplayList *dl, const char *text) {
    for (int i = 0; i < dl->n; i++)
        if (dl->commands[i].kind == DL_TEXT && strstr(dl_text_at(dl, dl->commands[i].text.text), text)) return true;
    return false;
}

static void a_masked_model_asks_for_a_mask(void **state) {
    (void)state;
    SceneSample sample;
    DisplayList dl;
    SceneCase c = *scene_case("network bert");
    c.text = "the cat sat";
    sample_open(&sample, &c);
    sample_seek(&sample, stage_in(&sample, sample.run->n_sites - 1, STAGE_PREDICT), 1);
    draw(&sample, 1600, 1000, &dl);
    assert_true(has(&dl, "rail.x.predict"));
    assert_true(is_written(&dl, "[MASK]"));
    assert_false(has(&dl, "predict.1"));
    sample_close(&sample);
}

/* ---- explanations ---- */

/* Any number of a network can be selected where it is made, or read: its explanation is there, and nothing leaves the window. */
static void every_tensor_can_be_explained(void **state) {
    (void)state;
    static const float sizes[][2] = {{1600, 1000}, {1024, 768}};
    for (int n = 0; n < NETWORKS; n++) {
        SceneSample sample;
        sample_open(&sample, scene_case(networks[n]));
        const Trace *trace = sample.run->trace;
        for (int id = 0; id < trace_tensor_count(trace); id++) {
            const Tensor *t = trace_tensor(trace, id);
            ViewRef *ref = &sample.view.selection;
            int stage = trace_stage_of(trace, id);
            snprintf(ref->tensor, sizeof ref->tensor, "%s", t->id);
            for (int axis = 0; axis < TENSOR_RANK_MAX; axis++) ref->index[axis] = axis < t->rank ? t->dim[axis] / 2 : 0;
            sample_seek(&sample, stage < 0 ? stage_in(&sample, 0, STAGE_FFN) : stage, 1);
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                DisplayList dl;
                draw(&sample, sizes[k][0], sizes[k][1], &dl);
                if (!has(&dl, "inspector")) fail_msg("%s, %s: nothing is explained", networks[n], t->id);
                for (int i = 0; i < dl.n; i++) {
                    const DlCommand *c = &dl.commands[i];
                    if (c->kind != DL_TEXT || c->text.angle > 0) continue;
                    if (c->box.x < -1 || c->box.x + c->text.width > dl.width + 1)
                        fail_msg("%s, %s: '%s' leaves the window", networks[n], t->id, dl_text_at(&dl, c->text.text));
                }
            }
        }
        sample_close(&sample);
    }
}

/* ---- what is said of networks ---- */

/* Sentences of models made by hand would be wrong here: named features, heads with jobs, words. */
static void no_claims_of_handmade_models(void **state) {
    (void)state;
    static const char *const claims[] = {"noun", "determiner", "made by hand", "clock 1", "previous token", "A word becomes"};
    for (int n = 0; n < NETWORKS; n++) {
        SceneSample sample;
        sample_open(&sample, scene_case(networks[n]));
        for (int stage = 0; stage < trace_stage_count(sample.run->trace); stage++)
            for (int part = 0; part <= 2; part++) {
                DisplayList dl;
                sample_seek(&sample, stage, part / 2.0);
                draw(&sample, 1600, 1000, &dl);
                for (size_t k = 0; k < sizeof claims / sizeof *claims; k++)
                    if (is_written(&dl, claims[k])) fail_msg("%s, stage %d says %s", networks[n], stage + 1, claims[k]);
            }
        sample_close(&sample);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stations_are_folded_until_asked_for), cmocka_unit_test(stations_do_not_overlap),
        cmocka_unit_test(formulas_say_what_is_there),          cmocka_unit_test(bars_are_as_long_as_probabilities),
        cmocka_unit_test(a_masked_model_asks_for_a_mask),      cmocka_unit_test(every_tensor_can_be_explained),
        cmocka_unit_test(no_claims_of_handmade_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
