/* Looking at a network: its film, layers, overview and block, explanations across layers, predictions that are taken, what is
 * refused, and the view of a file. */
#include "network_support.h"

#include <stdio.h>

#include "base/str.h"
#include "doc/action.h"
#include "doc/film.h"

typedef struct {
    Doc doc;
    View view;
    Run *run;
} Session;

static void compute(Session *s) {
    RunContext context = *doc_context();
    Run *run = NULL;
    context.before = s->run;
    if (!run_build(&s->doc, &context, &run, NULL)) return;
    run_settle_view(run, s->run, &s->view);
    run_close(s->run);
    s->run = run;
}

static void begin(Session *s, const char *model, const char *text, const char *source) {
    *s = (Session){0};
    network_doc(&s->doc, model, text, source);
    view_init(&s->view);
    compute(s);
    assert_non_null(s->run);
}

static void end(Session *s) {
    run_close(s->run);
    doc_reset(&s->doc);
}

static bool try_line(Session *s, const char *text, Err *err) {
    ActionLine line;
    int effect;
    Doc before = {0};
    doc_copy(&before, &s->doc);
    ActionContext cx = {.doc = &s->doc, .view = &s->view, .run = s->run, .context = doc_context()};
    bool ok = action_parse(text, &line, err) && action_run(&cx, &line, &effect, err);
    if (!doc_equal(&before, &s->doc)) compute(s);
    else if (s->run) run_settle_view(s->run, NULL, &s->view);
    doc_reset(&before);
    return ok;
}

static void run_line(Session *s, const char *text) {
    Err err = {0};
    if (!try_line(s, text, &err)) fail_msg("%s: %s", text, err.message);
}

static void fail_line(Session *s, const char *text, const char *part) {
    Err err = {0};
    Doc before = {0};
    doc_copy(&before, &s->doc);
    if (try_line(s, text, &err)) fail_msg("%s was taken", text);
    assert_message(&err, part);
    assert_true(doc_equal(&before, &s->doc));
    doc_reset(&before);
}

/* A key as the program takes it. */
static void press(Session *s, unsigned mods, const char *key) {
    Input input = {.kind = INPUT_KEY, .mods = mods};
    char line[ACTION_KEY_LINE_MAX];
    snprintf(input.key, sizeof input.key, "%s", key);
    if (!action_key_line(line, &input, &s->view)) fail_msg("no action has the key %s", key);
    run_line(s, line);
}

static StageKind kind_of(const Session *s) {
    return trace_stage(s->run->trace, s->view.film.stage)->kind;
}

static int site_of(const Session *s) {
    return s->run->stage_site[s->view.film.stage];
}

/* ---- the film ---- */

/* The nine, and what is predicted. */
static bool is_folded(const Trace *trace, int stage) {
    StageKind kind = trace_stage(trace, stage)->kind;
    return kind >= STAGE_ATTENTION_COUNT && kind != STAGE_PREDICT;
}

static void test_film_passes_over_the_block(void **state) {
    (void)state;
    static const char *const models[] = {"tiny-gpt2", "tiny-bert-mlm", "tiny-marian"};
    for (int m = 0; m < 3; m++) {
        Session s;
        begin(&s, models[m], "The cat", m == 2 ? "le chat" : NULL);
        const Trace *trace = s.run->trace;
        for (int open = 0; open < 2; open++) {
            int stops = 0, shown = 0;
            s.view.block_open = open;
            for (int i = 0; i < trace_stage_count(trace); i++) shown += open || !is_folded(trace, i);
            assert_in_range(shown, 9 * s.run->n_sites, open ? trace_stage_count(trace) : 9 * s.run->n_sites + 1);
            film_home(&s.view.film);
            run_line(&s, "stage.next"); /* the end of the first */
            for (int last = -1; s.view.film.stage != last; stops++) {
                last = s.view.film.stage;
                run_line(&s, "stage.next"); /* of the next one */
                assert_true(open || !is_folded(trace, s.view.film.stage));
            }
            assert_int_equal(stops, shown);
            assert_int_equal(site_of(&s), s.run->n_sites - 1);
            run_line(&s, "film.end");
            assert_int_equal(s.view.film.stage, film_neighbour(trace, trace_stage_count(trace), open, -1));
            for (int i = 0; i < stops; i++) run_line(&s, "stage.back");
            assert_true(s.view.film.stage == 0 && s.view.film.position == 0);
        }
        end(&s);
    }
}

/* Through hundreds of stages, forward and back by single steps: every place of rest comes again. */
static void test_steps_back_are_exact(void **state) {
    (void)state;
    for (int open = 0; open < 2; open++) {
        Session s;
        begin(&s, "tiny-marian", "le", "a");
        View *v = &s.view;
        enum { PLACES = 4000 };
        static Film film[PLACES];
        int n = 0;
        v->reduced_motion = true;
        v->block_open = open;
        for (;;) {
            film[n++] = v->film;
            film_next(v, s.run->trace);
            if (v->film.stage == film[n - 1].stage && v->film.position == film[n - 1].position) break;
            assert_true(n < PLACES);
        }
        assert_true(n > (open ? 79 : 54));
        for (int i = n - 1; i >= 0; i--) {
            assert_true(v->film.stage == film[i].stage && v->film.position == film[i].position && v->film.entered == film[i].entered);
            film_back(v, s.run->trace);
        }
        end(&s);
    }
}

static void test_film_plans_of_stations(void **state) {
    (void)state;
    Session s;
    begin(&s, "tiny-bert-mlm", "The cat [MASK]", NULL);
    const Trace *trace = s.run->trace;
    for (int stage = 0; stage < trace_stage_count(trace); stage++) {
        FilmPlan plan = film_plan(trace, stage);
        assert_in_range(plan.n_steps, 1, FILM_STEPS_MAX);
        for (int p = 0; p < plan.n_phases; p++) {
            long cells = 0;
            for (int k = 0; k < plan.n_steps; k++) {
                FilmStep step = film_step(trace, stage, k);
                if (step.phase != p) continue;
                cells += (long)(step.row1 - step.row0) * (step.col1 - step.col0);
                Film film = {.stage = stage, .position = k + 0.5, .until = k + 1};
                if (!plan.by_head) assert_near(film_progress(trace, &film, step.tensor, step.row1 - 1, step.col1 - 1), 0.5, 0);
            }
            assert_int_equal(cells, (long)plan.phase[p].n_rows * plan.phase[p].n_cols);
        }
    }
    FilmPlan norm = film_plan(trace, film_stage_in(trace, 0, STAGE_ADD_NORM)), ffn = film_plan(trace, film_stage_in(trace, 0, STAGE_FFN));
    assert_int_equal(norm.n_phases, 3); /* mean, variance, norm */
    assert_int_equal(norm.n_steps, 3 * s.run->tokens.n);
    assert_int_equal(ffn.n_phases, 3); /* hidden, activation, out */
    char text[FILM_TEXT_MAX];
    Film film = {.stage = film_stage_in(trace, 14, STAGE_SCORES), .position = 3, .until = 3};
    assert_string_equal(film_text(text, trace, &film), "layer 2 of 2 · stage 3 of 9 · cell 3 of 25");
    film.stage = film_stage_in(trace, 0, STAGE_ADD_NORM);
    film.position = film.until = 2;
    assert_string_equal(film_text(text, trace, &film), "layer 1 of 2 · Norm · variance · row 1 of 5");
    end(&s);
    begin(&s, "tiny-marian", "le", "a b");
    film = (Film){.stage = s.run->sites[5].first_stage};
    assert_string_equal(film_layer_text(text, s.run->trace, film.stage), "decoder layer 2 of 2, cross");
    end(&s);
}

static void test_scrubber_is_the_layer(void **state) {
    (void)state;
    Session s;
    begin(&s, "tiny-gpt2", "The cat sat", NULL);
    run_line(&s, "layer 1");
    run_line(&s, "seek 0");
    assert_true(site_of(&s) == 0 && kind_of(&s) == STAGE_EMBED);
    run_line(&s, "seek 1");
    assert_true(site_of(&s) == 0 && kind_of(&s) == STAGE_OUTPUT);
    for (int kind = 0; kind < STAGE_ATTENTION_COUNT; kind++) {
        char line[32];
        snprintf(line, sizeof line, "stage %d end", kind + 1);
        run_line(&s, line);
        assert_int_equal(site_of(&s), 0);
        double fraction = film_fraction(&s.view, s.run->trace);
        assert_near(fraction, (kind + 1) / 9.0, 1e-9);
        run_line(&s, "seek 0");
        film_seek(&s.view, s.run->trace, fraction);
        assert_int_equal(kind_of(&s), kind);
    }
    run_line(&s, "layer 2"); /* its last part is the prediction */
    run_line(&s, "seek 1");
    assert_true(site_of(&s) == 1 && kind_of(&s) == STAGE_PREDICT && !s.view.block_open);
    run_line(&s, "seek 0.89");
    assert_true(kind_of(&s) == STAGE_OUTPUT);
    end(&s);
}

/* ---- layers and the overview ---- */

static void test_layers(void **state) {
    (void)state;
    Session s;
    begin(&s, "tiny-gpt2", "The cat sat", NULL);
    run_line(&s, "stage softmax end");
    run_line(&s, "head 3");
    run_line(&s, "select weights[3,2,1]");
    assert_string_equal(s.view.selection.tensor, "layers.0.weights");
    press(&s, 0, "l");
    assert_true(site_of(&s) == 1 && kind_of(&s) == STAGE_SOFTMAX && s.view.head == 2);
    assert_near(s.view.film.position, film_steps(s.run->trace, s.view.film.stage), 0);
    assert_string_equal(s.view.selection.tensor, "layers.1.weights"); /* the same number there */
    assert_true(s.view.selection.index[0] == 2 && s.view.selection.index[1] == 1);
    assert_string_equal(s.view.layer, "2");
    press(&s, 0, "l"); /* round */
    assert_int_equal(site_of(&s), 0);
    press(&s, MOD_SHIFT, "l");
    assert_int_equal(site_of(&s), 1);
    press(&s, 0, "3"); /* of this layer */
    assert_true(site_of(&s) == 1 && kind_of(&s) == STAGE_SCORES);
    fail_line(&s, "layer 3", "1 to 2");
    fail_line(&s, "stage 10", "1 to 9");
    end(&s);
    begin(&s, "tiny-marian", "le chat", "The cat");
    run_line(&s, "layer decoder 2 cross");
    assert_string_equal(s.view.layer, "decoder 2 cross");
    run_line(&s, "layer 1");
    assert_string_equal(s.view.layer, "encoder 1");
    fail_line(&s, "layer middle", "decoder 2 cross");
    end(&s);
}

static void test_overview(void **state) {
    (void)state;
    Session s;
    begin(&s, "tiny-gpt2", "The cat sat", NULL);
    press(&s, 0, "o");
    assert_true(s.view.overview);
    press(&s, 0, "Right");
    press(&s, 0, "Right");
    press(&s, 0, "Down");
    assert_true(s.view.overview && s.view.head == 2 && site_of(&s) == 1);
    press(&s, 0, "Down"); /* at the border */
    for (int i = 0; i < 9; i++) press(&s, 0, "Right");
    assert_true(s.view.head == 3 && site_of(&s) == 1);
    press(&s, 0, "Left");
    press(&s, 0, "Enter");
    assert_false(s.view.overview);
    assert_true(s.view.head == 2 && site_of(&s) == 1 && kind_of(&s) == STAGE_PROJECT && s.view.film.position == 0);
    press(&s, 0, "Right"); /* steps again */
    assert_true(s.view.film.until > 0);
    press(&s, 0, "o");
    press(&s, 0, "Space"); /* leaves it and does not step */
    assert_true(!s.view.overview && kind_of(&s) == STAGE_PROJECT);
    run_line(&s, "look 1 4");
    assert_true(site_of(&s) == 0 && s.view.head == 3);
    fail_line(&s, "look 1 5", "1 to 4");
    fail_line(&s, "look 9", "1 to 2");
    run_line(&s, "sort entropy");
    assert_int_equal(s.view.sort, MEASURE_ENTROPY);
    run_line(&s, "sort none");
    assert_int_equal(s.view.sort, -1);
    fail_line(&s, "sort size", "previous, same, next");
    run_line(&s, "aggregate rollout");
    assert_int_equal(s.view.aggregate, AGGREGATE_ROLLOUT);
    fail_line(&s, "aggregate sum", "average");
    run_line(&s, "overview");
    run_line(&s, "stage 6");
    assert_true(!s.view.overview && kind_of(&s) == STAGE_SOFTMAX);
    run_line(&s, "overview");
    run_line(&s, "model classroom"); /* has none */
    assert_false(s.view.overview);
    fail_line(&s, "overview", "one layer");
    end(&s);
}

static void test_block(void **state) {
    (void)state;
    Session s;
    begin(&s, "tiny-gpt2", "The cat sat", NULL);
    run_line(&s, "stage ffn"); /* going there unfolds */
    assert_true(s.view.block_open && kind_of(&s) == STAGE_FFN);
    run_line(&s, "block"); /* folding leaves it */
    assert_true(!s.view.block_open && kind_of(&s) == STAGE_OUTPUT);
    run_line(&s, "block");
    assert_true(s.view.block_open);
    run_line(&s, "stage norm end");
    run_line(&s, "next");
    assert_int_equal(kind_of(&s), STAGE_PROJECT);
    fail_line(&s, "stage predict", "stage is one of"); /* in the last layer only */
    run_line(&s, "layer 2");
    run_line(&s, "stage predict");
    assert_int_equal(kind_of(&s), STAGE_PREDICT);
    end(&s);
}

/* From a probability back to the typed text, one operand after the other; then back again. */
static void test_explanations_cross_layers(void **state) {
    (void)state;
    Session s;
    begin(&s, "tiny-gpt2", "The cat sat", NULL);
    run_line(&s, "explain probs[1,1,1]");
    int layer = site_of(&s), steps = 0;
    assert_int_equal(layer, 1);
    Err err = {0};
    while (try_line(&s, "explain", &err) && steps < 60) {
        assert_true(site_of(&s) <= layer);
        layer = site_of(&s);
        steps++;
    }
    assert_message(&err, "comes from no other");
    assert_int_equal(layer, 0);
    assert_true(steps > 10);
    assert_true(s.view.block_open); /* norms and feed-forward were on the way */
    for (int i = 0; i < TRAIL_MAX; i++) run_line(&s, "trail.back");
    assert_true(s.view.n_trail == 0 && (steps >= TRAIL_MAX || !s.view.selection.tensor[0]));
    run_line(&s, "layer 2");
    run_line(&s, "explain weights[2,3,1]"); /* of the layer in view */
    assert_string_equal(s.view.selection.tensor, "layers.1.weights");
    end(&s);
}

/* ---- another text, another model ---- */

static void test_view_settles(void **state) {
    (void)state;
    Session s;
    begin(&s, "tiny-gpt2", "The cat sat", NULL);
    run_line(&s, "layer 2");
    run_line(&s, "stage softmax end");
    run_line(&s, "head 4");
    run_line(&s, "select weights[4,5,2]");
    run_line(&s, "text \"The cat sat on\"");
    assert_true(site_of(&s) == 1 && kind_of(&s) == STAGE_SOFTMAX && s.view.head == 3);
    assert_near(s.view.film.position, film_steps(s.run->trace, s.view.film.stage), 0);
    assert_true(s.view.selection.index[1] == 4 && s.view.selection.index[2] == 1);
    run_line(&s, "text \"So The cat sat on\""); /* the tokens moved */
    int more = s.run->tokens.n - 6, key = s.view.selection.index[2];
    assert_true(more > 0 && s.view.selection.index[1] == 4 + more && key == 1 + more);
    char folder[96];
    snprintf(folder, sizeof folder, "model \"%s\"", data_path("models/tiny-bert-mlm"));
    run_line(&s, folder); /* of other stages */
    assert_true(site_of(&s) == 1 && kind_of(&s) == STAGE_SOFTMAX);
    run_line(&s, "model classroom");
    assert_true(s.view.film.stage == STAGE_SOFTMAX && s.view.layer[0] == 0);
    assert_string_equal(doc_text(&s.doc), "So The cat sat on");
    assert_int_equal(s.doc.n_masks, 1);
    snprintf(folder, sizeof folder, "model \"%s\"", data_path("models/tiny-marian"));
    run_line(&s, folder); /* what was typed is what it reads */
    assert_string_equal(doc_text(&s.doc), "");
    assert_string_equal(s.doc.source_text->bytes, "So The cat sat on");
    assert_int_equal(s.run->n_sites, 6);
    run_line(&s, "model classroom");
    assert_string_equal(doc_text(&s.doc), "So The cat sat on");
    assert_null(s.doc.source_text);
    fail_line(&s, "model /no/such/folder", "/no/such/folder");
    fail_line(&s, "model /", "config.json");
    end(&s);
}

static void test_take(void **state) {
    (void)state;
    Session s;
    begin(&s, "tiny-gpt2", "The cat", NULL);
    for (int i = 0; i < 3; i++) { /* each time the predicted token is the text's last one */
        int n = s.run->tokens.n, pick = 0;
        while (!s.run->network->predictions[pick].text[0]) pick++;
        int id = s.run->network->predictions[pick].id;
        char line[32];
        snprintf(line, sizeof line, pick ? "take %d" : "take", pick + 1);
        run_line(&s, line);
        assert_int_equal(s.run->tokens.n, n + 1);
        assert_int_equal(s.run->network->encoding[0].ids[n], id);
    }
    fail_line(&s, "take 21", "1 to 20");
    Prediction *bytes = &s.run->network->predictions[0];
    bytes->text = "";
    bytes->part = false;
    fail_line(&s, "take", "is no text");
    bytes->part = true;
    fail_line(&s, "take", "is a part of a character");
    doc_set_text(&s.doc, "another", 7); /* whose run is on its way */
    ActionLine line;
    int effect;
    Err err = {0};
    ActionContext cx = {.doc = &s.doc, .view = &s.view, .run = s.run, .context = doc_context()};
    assert_true(action_parse("take 2", &line, &err));
    assert_false(action_run(&cx, &line, &effect, &err));
    assert_message(&err, "has changed");
    end(&s);
    begin(&s, "tiny-bert-mlm", "The [MASK] sat", NULL);
    int row = s.run->network->predict_row, id = s.run->network->predictions[0].id;
    assert_int_equal(row, 2);
    run_line(&s, "take");
    assert_int_equal(s.run->network->encoding[0].ids[row], id);
    fail_line(&s, "take", "Nothing is predicted"); /* no mask any more */
    end(&s);
    begin(&s, "tiny-marian", "", "The cat");
    id = s.run->network->predictions[0].id;
    run_line(&s, "take");
    const Encoding *e = &s.run->network->encoding[1]; /* its first word begins with a space of the tokenizer's own */
    assert_int_equal(e->ids[e->n - 1], id);
    assert_string_equal(s.doc.source_text->bytes, "The cat");
    end(&s);
}

/* What the published programs of trained models write, token by token (greedy.json beside the references). */
static void test_trained_models_write(void **state) {
    (void)state;
    static const struct {
        const char *model, *text, *source;
        int tokens;
        const char *written;
    } cases[] = {
        {"trained/gpt-nano-sort", "CBABBC", NULL, 5, "CBABBCABBBC"},
        {"trained/aren-transliteration", "", "آتزمون", 6, "atzmon"},
        {"trained/aren-transliteration", "", "آزا", 4, "azza"},
        {"trained/stories260K", "", NULL, 25, "Once upon a time, there was a little girl named Lily. She loved to play outside"},
        {"trained/stories260K", "Lily wanted to", NULL, 25,
         "Lily wanted to go on a walk. She saw a big box with a big box. She wanted"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Session s = {0};
        Err err = {0};
        const char *folder = models_path(cases[i].model);
        if (!folder) skip();
        network_doc(&s.doc, "", cases[i].text, cases[i].source);
        doc_set_blob(&s.doc.model_folder, folder, strlen(folder));
        view_init(&s.view);
        compute(&s);
        assert_non_null(s.run);
        for (int k = 0; k < cases[i].tokens; k++) run_line(&s, "take");
        assert_string_equal(doc_text(&s.doc), cases[i].written);
        if (i < 3) assert_false(try_line(&s, "take", &err)); /* no position is left, or the text ends */
        if (i == 0) assert_message(&err, "has 11 positions");
        if (i == 1) assert_message(&err, "</s> is no text");
        end(&s);
    }
}

static void test_refused(void **state) {
    (void)state;
    Session s;
    begin(&s, "tiny-gpt2", "The cat", NULL);
    fail_line(&s, "mask none", "The mask of a model from a folder is its own: causal.");
    fail_line(&s, "mask.cycle", "is its own: causal");
    fail_line(&s, "mask.toggle 1 1", "mask");
    fail_line(&s, "set mask_fill 0", "mask");
    fail_line(&s, "position none", "own: learned");
    fail_line(&s, "heads 2", "own: 4 in this layer");
    fail_line(&s, "scale none", "times 0.289"); /* 1/sqrt(12) */
    fail_line(&s, "temperature 2", "scale");
    fail_line(&s, "tokenizer words", "own: byte-level BPE");
    fail_line(&s, "edit w_q[1,1] 2", "not changed");
    fail_line(&s, "set w_q [[1]]", "not changed");
    fail_line(&s, "set d_model 8", "not changed");
    fail_line(&s, "set tokens [a]", "tokenizer");
    fail_line(&s, "set nonsense 1", "unknown key");
    fail_line(&s, "source \"a b\"", "reads one text");
    run_line(&s, "set text \"a b\"");
    run_line(&s, "set view.head 2");
    assert_int_equal(s.view.head, 1);
    ActionContext cx = {.doc = &s.doc, .view = &s.view, .run = s.run, .context = doc_context()};
    assert_false(action_enabled(&cx, action_find("mask.cycle")));
    assert_false(action_enabled(&cx, action_find("edit")));
    assert_true(action_enabled(&cx, action_find("overview")) && action_enabled(&cx, action_find("take")));
    run_line(&s, "model classroom");
    cx.run = s.run;
    assert_true(action_enabled(&cx, action_find("mask.cycle")));
    assert_false(action_enabled(&cx, action_find("overview")) || action_enabled(&cx, action_find("take")));
    run_line(&s, "mask none");
    end(&s);
}

/* ---- files ---- */

static void test_view_of_a_file(void **state) {
    (void)state;
    Session s;
    Arena arena = {0};
    begin(&s, "tiny-marian", "le chat", "The cat");
    run_line(&s, "layer decoder 2 cross");
    run_line(&s, "stage mask end");
    run_line(&s, "step 1");
    run_line(&s, "head 2");
    run_line(&s, "overview");
    run_line(&s, "sort first");
    run_line(&s, "aggregate length");
    run_line(&s, "block");
    char *text = yaml_write(&s.doc, &s.view, &arena);
    assert_non_null(strstr(text, "stage: mask, layer: \"decoder 2 cross\", step: 1, head: 2"));
    assert_non_null(strstr(text, "overview: true, sort: first, aggregate: length, block: true"));
    Doc doc;
    View view;
    bool more;
    Err err = {0};
    if (!yaml_read(text, strlen(text), "a.yaml", 0, &doc, &view, &more, &err)) fail_msg("%s", err.message);
    assert_true(doc_equal(&doc, &s.doc));
    assert_string_equal(yaml_write(&doc, &view, &arena), text);
    run_settle_view(s.run, NULL, &view);
    assert_int_equal(view.film.stage, s.view.film.stage);
    assert_near(view.film.position, 1, 0);
    assert_true(view.overview && view.block_open && view.sort == MEASURE_FIRST && view.aggregate == AGGREGATE_LENGTH);
    assert_string_equal(yaml_write(&doc, &view, &arena), text);
    run_line(&s, "set view.layer \"encoder 2\""); /* the stage stays */
    assert_true(site_of(&s) == 1 && kind_of(&s) == STAGE_MASK);
    run_line(&s, "set view.stage ffn");
    assert_true(site_of(&s) == 1 && kind_of(&s) == STAGE_FFN);
    run_line(&s, "set view.selection \"weights[2, 1, 1]\""); /* of the layer in view */
    assert_string_equal(s.view.selection.tensor, "encoder.layers.1.weights");
    text = yaml_write(&s.doc, &s.view, &arena);
    assert_non_null(strstr(text, "selection: \"encoder.layers.1.weights[2, 1, 1]\""));
    doc_reset(&doc);
    end(&s);
    arena_free(&arena);
}

/* A path counts from the file that names it, and stays the same folder wherever the document is saved. */
static void test_path_of_a_file(void **state) {
    (void)state;
    static const struct {
        const char *file, *path, *folder;
    } paths[] = {{"/a/b/c.yaml", "../models/x/", "/a/models/x"}, {"/a/b/c.yaml", "./x", "/a/b/x"}, {"/a/b/c.yaml", "/m/./x", "/m/x"}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char yaml[200];
        Doc doc, again;
        bool more;
        Arena arena = {0};
        Err err = {0};
        snprintf(yaml, sizeof yaml, "attnscope: 1\nmodel: %s\n", paths[i].path);
        if (!yaml_read(yaml, strlen(yaml), paths[i].file, 0, &doc, NULL, &more, &err)) fail_msg("%s", err.message);
        assert_string_equal(doc.model_folder->bytes, paths[i].folder);
        char *text = yaml_write(&doc, NULL, &arena);
        assert_true(yaml_read(text, strlen(text), "/elsewhere/d.yaml", 0, &again, NULL, &more, &err));
        assert_true(doc_equal(&doc, &again));
        doc_reset(&doc);
        doc_reset(&again);
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_film_passes_over_the_block), cmocka_unit_test(test_steps_back_are_exact),
        cmocka_unit_test(test_film_plans_of_stations), cmocka_unit_test(test_scrubber_is_the_layer), cmocka_unit_test(test_layers),
        cmocka_unit_test(test_overview), cmocka_unit_test(test_block), cmocka_unit_test(test_explanations_cross_layers),
        cmocka_unit_test(test_view_settles), cmocka_unit_test(test_take), cmocka_unit_test(test_trained_models_write),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_view_of_a_file), cmocka_unit_test(test_path_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
