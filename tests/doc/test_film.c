/* The film over many shapes: steps cover every cell once, progress is exact and monotone, back is exact. */
#include "doc_support.h"

#include <stdio.h>

#include "doc/film.h"

static const char *const shapes[] = {
    "text: \"one\"\nmodel: random\nd_model: 2\nheads: 1\n",
    "text: \"one two\"\nmodel: random\nd_model: 4\nheads: 2\nmask: causal\n",
    "text: \"The cat sat on the mat\"\nmask: causal\n",
    "text: \"a b c d e f g h\"\n",
    "text: \"a b c d e f g h i\"\nposition: rope_half\nmask: causal\n",
    "text: \"a b c d e f g h i j k l m n o p q r s t\"\nposition: alibi\nmodel: random\nd_model: 96\nheads: 3\n",
    "text: \"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\"\ntokenizer: characters\nmask: causal\n",
    "text: \"a b c d e\"\nmodel: random\nd_model: 16\nheads: 8\nkv_heads: 2\nposition: {kind: rope_interleaved, dim: 2}\n",
    "text: \"a b c\"\nsource_text: \"a b c d e f g h i j k l m n o p q r s t u v w x y z\"\n",
    "tokens: [\"a\", \"b\", \"c\"]\nprojections: none\nx: [[1, 0], [0, 1], [1, 1]]\nposition: sinusoidal\n",
    "tokens: [\"a\", \"b\"]\nweights: [[0.5, 0.5], [1, 0]]\n",
    "tokens: [\"a\", \"b\"]\nscores: [[0, 1], [1, 0]]\nscale: none\nv: [[1], [2]]\n",
    "text: \"a b c\"\nmodel: random\nheads: 80\nd_model: 160\n",
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static Run *shape_run(int i) {
    char yaml[600];
    snprintf(yaml, sizeof yaml, "attnscope: 1\n%s", shapes[i]);
    return run_of_text(yaml);
}

static void each_stage(void (*check)(const Trace *trace, int stage)) {
    for (int i = 0; i < SHAPES; i++) {
        Run *run = shape_run(i);
        for (int s = 0; s < trace_stage_count(run->trace); s++) check(run->trace, s);
        run_close(run);
    }
}

static void check_cover(const Trace *trace, int stage) {
    FilmPlan plan = film_plan(trace, stage);
    int n = film_steps(trace, stage);
    assert_in_range(n, 1, FILM_STEPS_MAX);
    for (int p = 0; p < plan.n_phases; p++) {
        long area = 0;
        int last = -1;
        for (int s = 0; s < n; s++) {
            FilmStep step = film_step(trace, stage, s);
            if (step.phase != p) continue;
            assert_int_equal(step.tensor, plan.phase[p].tensor);
            assert_true(step.row0 < step.row1 && step.row1 <= step.n_rows && step.col0 < step.col1 && step.col1 <= step.n_cols);
            if (step.by_cell) assert_int_equal(step.row1 - step.row0, 1);
            int first = step.row0 * step.n_cols + step.col0;
            assert_true(first > last);
            last = (step.row1 - 1) * step.n_cols + step.col1 - 1;
            area += (long)(step.row1 - step.row0) * (step.col1 - step.col0);
        }
        assert_int_equal(area, (long)plan.phase[p].n_rows * plan.phase[p].n_cols);
    }
}

static void test_steps_cover_each_cell_once(void **state) {
    (void)state;
    each_stage(check_cover);
}

static void check_progress(const Trace *trace, int stage) {
    FilmPlan plan = film_plan(trace, stage);
    for (int s = 0; s < plan.n_steps; s++) {
        FilmStep step = film_step(trace, stage, s);
        if (step.tensor == TENSOR_NONE) continue;
        const Tensor *t = trace_tensor(trace, step.tensor);
        int row = step.row1 - 1, col = step.col1 - 1;
        if (plan.by_head) { /* its rows are heads: the last column of that head */
            col = (row + 1) * step.n_cols - 1;
            row = t->dim[0] - 1;
        }
        double before = 0;
        for (double p = 0; p <= plan.n_steps; p += 0.25) {
            Film film = {.stage = stage, .position = p, .until = p};
            double got = film_progress(trace, &film, step.tensor, row, col);
            assert_near(got, p <= s ? 0 : p >= s + 1 ? 1 : p - s, 0);
            assert_true(got >= before);
            before = got;
        }
    }
}

static void test_progress_is_exact(void **state) {
    (void)state;
    each_stage(check_progress);
}

static void test_other_stages(void **state) {
    (void)state;
    Run *run = shape_run(2);
    Film film = {.stage = 3, .position = 2, .until = 2};
    assert_near(film_progress(run->trace, &film, trace_find(run->trace, "scores"), 5, 5), 1, 0);
    assert_near(film_progress(run->trace, &film, trace_find(run->trace, "weights"), 0, 0), 0, 0);
    assert_near(film_progress(run->trace, &film, trace_find(run->trace, "w_q"), 0, 0), 1, 0);
    assert_near(film_progress(run->trace, &film, trace_find(run->trace, "scaled"), 0, 1), 1, 0);
    assert_near(film_progress(run->trace, &film, trace_find(run->trace, "scaled"), 0, 2), 0, 0);
    film.stage = 4;
    assert_near(film_progress(run->trace, &film, trace_find(run->trace, "mask"), 5, 5), 1, 0);
    film = (Film){.stage = 5, .position = 1.5};
    assert_near(film_progress(run->trace, &film, trace_find(run->trace, "row_max"), 0, 0), 1, 0);
    assert_near(film_progress(run->trace, &film, trace_find(run->trace, "exp"), 0, 5), 0.5, 0);
    assert_near(film_progress(run->trace, &film, trace_find(run->trace, "row_sum"), 0, 0), 0.5, 0);
    assert_near(film_progress(run->trace, &film, trace_find(run->trace, "row_max"), 1, 0), 0, 0);
    run_close(run);
}

static void test_step_rules(void **state) {
    (void)state;
    Run *run = shape_run(2); /* 6 tokens, 4 heads of 4 */
    static const int steps[] = {21, 36, 36, 36, 36, 18, 24, 4, 21};
    for (int s = 0; s < 9; s++) assert_int_equal(film_steps(run->trace, s), steps[s]);
    run_close(run);
    run = shape_run(3); /* 8 tokens: 64 cells, one step each; no mask */
    assert_int_equal(film_steps(run->trace, 2), 64);
    assert_int_equal(film_steps(run->trace, 4), 1);
    assert_int_equal(film_step(run->trace, 4, 0).tensor, TENSOR_NONE);
    run_close(run);
    run = shape_run(4); /* 9 tokens: first row by cell, then 8 rows; RoPE has two more phases */
    assert_int_equal(film_steps(run->trace, 2), 17);
    assert_int_equal(film_plan(run->trace, 1).n_phases, 5);
    assert_true(film_step(run->trace, 2, 8).by_cell);
    assert_false(film_step(run->trace, 2, 9).by_cell);
    run_close(run);
    run = shape_run(6); /* 78 tokens: 16 groups of the first row, 48 of the other rows */
    assert_int_equal(film_steps(run->trace, 2), 64);
    assert_true(film_step(run->trace, 2, 15).by_cell);
    assert_false(film_step(run->trace, 2, 16).by_cell);
    assert_int_equal(film_steps(run->trace, 5), 63);
    run_close(run);
}

static void check_seconds(const Trace *trace, int stage) {
    int n = film_steps(trace, stage);
    double sum = 0, before = 1e9;
    for (int s = 0; s < n; s++) {
        double seconds = film_step(trace, stage, s).seconds;
        assert_true(seconds > 0.02 && seconds <= before + 1e-9);
        before = seconds;
        sum += seconds;
    }
    if (film_plan(trace, stage).n_phases == 0) assert_true(sum < 2);
    else assert_true(sum > 4 - 1e-9 && sum < 8 + 1e-9);
}

static void test_seconds(void **state) {
    (void)state;
    each_stage(check_seconds);
}

static bool films_equal(const Film *a, const Film *b) {
    return a->stage == b->stage && a->position == b->position && a->until == b->until && a->playing == b->playing &&
           a->wait == b->wait && a->entered == b->entered;
}

static View film_view(bool reduced) {
    View view;
    view_init(&view);
    view.reduced_motion = reduced;
    return view;
}

/* From every place of rest on the way, forward and back is where it was; half a step forward and back too. */
static void back_is_exact(const Trace *trace, bool reduced, bool block_open) {
    int last = film_neighbour(trace, trace_stage_count(trace), block_open, -1);
    View v = film_view(reduced), running;
    v.block_open = block_open;
    running = v;
    for (int guard = 0; guard < 5000; guard++) {
        Film before = v.film;
        film_next(&v, trace);
        running.film = v.film;
        if (films_equal(&v.film, &before)) break;
        assert_true(film_shows(trace, v.film.stage, block_open));
        film_back(&running, trace);
        assert_true(films_equal(&running.film, &before));
        running.film = v.film;
        film_advance(&running, trace, 0.01);
        if (!reduced) assert_true(running.film.position > floor(running.film.position));
        film_back(&running, trace);
        assert_true(films_equal(&running.film, &before));
        if (!reduced) film_next(&v, trace); /* a second press finishes the step that runs */
        assert_true(v.film.position == v.film.until && v.film.position == floor(v.film.position));
        running.film = v.film;
        film_back(&running, trace);
        assert_true(films_equal(&running.film, &before));
    }
    assert_int_equal(v.film.stage, last);
    /* and all the way home */
    for (int guard = 0; guard < 5000; guard++) film_back(&v, trace);
    assert_true(v.film.stage == 0 && v.film.position == 0 && v.film.entered == 0);
}

static void test_back_is_exact(void **state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        Run *run = shape_run(i);
        for (int reduced = 0; reduced < 2; reduced++) back_is_exact(run->trace, reduced, false);
        run_close(run);
    }
}

static void test_next_crosses_stages(void **state) {
    (void)state;
    Run *run = shape_run(2);
    View v = film_view(true);
    Film *film = &v.film;
    film_stage(film, run->trace, 2, true);
    assert_near(film->position, 36, 0);
    film_next(&v, run->trace);
    assert_true(film->stage == 3 && film->position == 1);
    film_back(&v, run->trace);
    assert_true(film->stage == 2 && film->position == 36);
    film_stage(film, run->trace, 3, false);
    film_next(&v, run->trace);
    film_back(&v, run->trace);
    assert_true(film->stage == 3 && film->position == 0);
    film_back(&v, run->trace);
    assert_true(film->stage == 2 && film->position == 36);
    film_end(&v, run->trace);
    Film end = *film;
    v.reduced_motion = false;
    film_next(&v, run->trace);
    assert_true(films_equal(film, &end));
    run_close(run);
}

static void test_play(void **state) {
    (void)state;
    for (int reduced = 0; reduced < 2; reduced++) {
        Run *run = shape_run(2);
        View v = film_view(reduced);
        Film *film = &v.film;
        film->speed = 2;
        double total = 0, played = 0;
        for (int s = 0; s < 9; s++)
            for (int k = 0; k < film_steps(run->trace, s); k++) total += film_step(run->trace, s, k).seconds;
        film_play(&v, run->trace);
        assert_true(film->playing);
        double at = 0;
        while (film_advance(&v, run->trace, 1.0 / 60)) {
            double now = film_fraction(&v, run->trace);
            assert_true(now >= at - 1e-9);
            if (reduced) assert_near(film->position, floor(film->position), 0);
            at = now;
            played += 1.0 / 60;
        }
        assert_false(film->playing);
        assert_true(film->stage == 8 && film->position == film_steps(run->trace, 8));
        assert_near(played, total / 2, 0.05);
        film_play(&v, run->trace); /* at the end: from the beginning */
        assert_true(film->playing && film->stage == 0 && film->position == 0 && film->until == 1);
        film_advance(&v, run->trace, 0.1);
        Film held = *film;
        film_play(&v, run->trace);
        assert_false(film->playing);
        assert_near(film->position, held.position, 0);
        assert_false(film_advance(&v, run->trace, 10));
        run_close(run);
    }
}

static void test_idle_is_still(void **state) {
    (void)state;
    Run *run = shape_run(2);
    View v = film_view(false);
    Film before = v.film;
    assert_false(film_advance(&v, run->trace, 100));
    assert_true(films_equal(&v.film, &before));
    film_next(&v, run->trace);
    assert_true(film_advance(&v, run->trace, 0.5));
    assert_false(film_advance(&v, run->trace, 5));
    assert_near(v.film.position, 1, 0);
    run_close(run);
}

static void test_seek(void **state) {
    (void)state;
    Run *run = shape_run(2);
    View v = film_view(false);
    Film *film = &v.film;
    film_seek(&v, run->trace, 0);
    assert_true(film->stage == 0 && film->position == 0);
    film_seek(&v, run->trace, 1);
    assert_true(film->stage == 8 && film->position == 21);
    for (int s = 0; s < 9; s++)
        for (int k = 1; k <= film_steps(run->trace, s); k++) {
            film_stage(film, run->trace, s, false);
            film_rest(film, run->trace, k);
            double fraction = film_fraction(&v, run->trace);
            film_home(film);
            film_seek(&v, run->trace, fraction);
            assert_true(film->stage == s && film->position == k);
        }
    film_seek(&v, run->trace, NAN);
    assert_true(film->stage == 0 || film->stage == 8);
    run_close(run);
}

static void test_texts(void **state) {
    (void)state;
    static const struct {
        int stage;
        double position;
        const char *text;
    } texts[] = {
        {2, 14, "stage 3 of 9 · cell 14 of 36"}, {2, 13.5, "stage 3 of 9 · cell 14 of 36"},
        {5, 9, "stage 6 of 9 · row 3 of 6"},     {5, 7, "stage 6 of 9 · row 3 of 6"},
        {1, 10, "stage 2 of 9 · Q · cell 10 of 24"}, {1, 26, "stage 2 of 9 · K · row 2 of 6"},
        {0, 18, "stage 1 of 9 · row 3 of 6"},    {0, 3, "stage 1 of 9 · first row · cell 3 of 16"},
        {7, 2, "stage 8 of 9 · head 2 of 4"},    {2, 0, "stage 3 of 9 · start"},
    };
    Run *run = shape_run(2);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[FILM_TEXT_MAX];
        Film film = {.stage = texts[i].stage, .position = texts[i].position, .until = texts[i].position};
        assert_string_equal(film_text(text, run->trace, &film), texts[i].text);
    }
    run_close(run);
    run = shape_run(6);
    char text[FILM_TEXT_MAX];
    Film film = {.stage = 2, .position = 17, .until = 17};
    assert_string_equal(film_text(text, run->trace, &film), "stage 3 of 9 · row 2 of 78");
    film.position = film.until = 20;
    assert_string_equal(film_text(text, run->trace, &film), "stage 3 of 9 · rows 6–7 of 78");
    film.stage = 4, film.position = film.until = 0;
    run_close(run);
    run = shape_run(3);
    film = (Film){.stage = 4};
    assert_string_equal(film_text(text, run->trace, &film), "stage 5 of 9 · nothing to do");
    run_close(run);
}

static void test_other_sizes(void **state) {
    (void)state;
    Run *small = shape_run(1), *large = shape_run(2);
    Film film = {.speed = 1};
    film_stage(&film, large->trace, 2, true);
    film_clamp(&film, small->trace);
    assert_near(film.position, 4, 0);
    film_refit(&film, small->trace, large->trace);
    assert_near(film.position, 36, 0);
    film_rest(&film, large->trace, 3);
    film_refit(&film, large->trace, small->trace);
    assert_near(film.position, 3, 0);
    film = (Film){.stage = 99, .position = 7, .until = 3};
    film_clamp(&film, small->trace);
    assert_int_equal(film.stage, 8);
    run_close(small);
    run_close(large);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_cover_each_cell_once), cmocka_unit_test(test_progress_is_exact),
        cmocka_unit_test(test_other_stages), cmocka_unit_test(test_step_rules), cmocka_unit_test(test_seconds),
        cmocka_unit_test(test_back_is_exact), cmocka_unit_test(test_next_crosses_stages), cmocka_unit_test(test_play),
        cmocka_unit_test(test_idle_is_still), cmocka_unit_test(test_seek), cmocka_unit_test(test_texts),
        cmocka_unit_test(test_other_sizes),
    };
    return cmocka_run_group_tests_name("film", tests, NULL, NULL);
}
