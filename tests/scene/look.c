/* Renders one stage to a PNG, to look at it:
 *   look STAGE PLACE -o OUT.png [--theme dark] [--size 1600x1000] [--head 2] [--stage-only] [--figure] [--present] [KEY=VALUE …] [FILE.yaml]
 * STAGE counts from 1; in a network "3:ffn" is the station ffn of the third place where attention happens.
 * PLACE is a part of the stage (0 to 1) or a step ("14", "14.5"). KEY=VALUE are fields of a scenario file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/fonts.h"
#include "backend/picture.h"
#include "doc/film.h"
#include "doc/yaml.h"
#include "draw/theme.h"
#include "scene/stages.h"

typedef struct {
    Doc doc;
    View view;
    float width, height;
    const char *out, *place, *select;
    bool stage_only, figure;
} Job;

static int fail(const Err *err) {
    char text[1024];
    fprintf(stderr, "look: %s\n", err_format(err, text, sizeof text));
    return 2;
}

static bool take_option(Job *job, const char *name, const char *value, Err *err) {
    if (str_eq(name, "-o")) job->out = value;
    else if (str_eq(name, "--theme")) job->view.theme = (ThemeKind)str_find(theme_names, THEME_COUNT, value);
    else if (str_eq(name, "--head")) job->view.head = atoi(value) - 1;
    else if (str_eq(name, "--select")) job->select = value;
    else if (str_eq(name, "--text-scale")) job->view.text_scale = atof(value);
    else if (str_eq(name, "--size")) return sscanf(value, "%fx%f", &job->width, &job->height) == 2 || err_set(err, ERR_USAGE, "size?");
    else return err_set(err, ERR_USAGE, "unknown option %s", name);
    return true;
}

static bool take(Job *job, int argc, char **argv, Err *err) {
    for (int i = 3; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (str_eq(argv[i], "--stage-only")) {
            job->stage_only = true;
        } else if (str_eq(argv[i], "--present")) {
            job->view.presenting = true;
        } else if (str_eq(argv[i], "--figure")) {
            job->figure = true;
        } else if (argv[i][0] == '-') {
            if (i + 1 >= argc || !take_option(job, argv[i], argv[i + 1], err)) return err_set(err, ERR_USAGE, "%s?", argv[i]);
            i++;
        } else if (str_ends(argv[i], ".yaml")) {
            View view = job->view;
            bool more;
            if (!yaml_read_file(argv[i], 0, &job->doc, &view, &more, err)) return false;
        } else if (equals) {
            *equals = '\0';
            if (!yaml_set(&job->doc, &job->view, argv[i], equals + 1, err)) return false;
        } else {
            return err_set(err, ERR_USAGE, "what is %s?", argv[i]);
        }
    }
    return job->out || err_set(err, ERR_USAGE, "-o OUT.png");
}

static bool set_film(Job *job, const Run *run, int stage, Err *err) {
    double place = atof(job->place);
    int steps = film_steps(run->trace, stage);
    job->view.film.stage = stage;
    job->view.film.position = place > 1 ? fmin(place, steps) : strchr(job->place, '.') && place < 1 ? round(place * steps) : place * steps;
    job->view.film.until = job->view.film.position;
    if (!job->select) return true;
    TensorId id;
    if (!run_resolve(run, job->select, &id, job->view.selection.index, err)) return false;
    snprintf(job->view.selection.tensor, sizeof job->view.selection.tensor, "%s", trace_tensor(run->trace, id)->id);
    return true;
}

static int find_stage(const Run *run, const char *text) {
    const char *name = strchr(text, ':');
    int site = atoi(text) - 1;
    if (!name) return site;
    for (int i = 0; site >= 0 && site < run->n_sites && i < run->sites[site].n_stages; i++)
        if (str_eq(stage_name(trace_stage(run->trace, run->sites[site].first_stage + i)->kind), name + 1)) return run->sites[site].first_stage + i;
    return -1;
}

static bool draw(Job *job, const Run *run, Arena *arena, Err *err) {
    Fonts *fonts = fonts_open(err);
    if (!fonts) return false;
    Layout layout = layout_make(job->width, job->height, &job->view);
    Scene scene = {.doc = &job->doc, .view = &job->view, .run = run, .font = fonts_metrics(fonts), .arena = arena, .layout = layout};
    DisplayList dl;
    dl_init(&dl, arena, job->width, job->height, theme_at(job->view.theme)->background);
    FigureSpec figure = {.stage = job->view.film.stage, .head = job->view.head, .position = job->view.film.position, .width = job->width, .height = job->height};
    if (job->figure) figure_draw(&scene, &figure, &dl);
    else if (job->stage_only) stage_draw(&scene, layout.stage, &dl);
    else scene_draw(&scene, &dl);
    dl_finish(&dl);
    bool good = picture_write(fonts, &dl, &picture_formats[0], &(PictureOptions){0}, job->out, err);
    fonts_close(fonts);
    return good;
}

int main(int argc, char **argv) {
    Err err = {0};
    Arena arena = {0};
    Job job = {.width = 1600, .height = 1000};
    Lexicon *lexicon;
    Run *run = NULL;
    if (argc < 4) return fprintf(stderr, "look STAGE PLACE -o OUT.png …\n"), 2;
    doc_init(&job.doc);
    view_init(&job.view);
    job.place = argv[2];
    if (!take(&job, argc, argv, &err) || !lexicon_load(&arena, &lexicon, &err)) return fail(&err);
    RunContext context = {.lexicon = lexicon, .cx = &(CoreContext){0}};
    if (!run_build(&job.doc, &context, &run, &err)) return fail(&err);
    int stage = find_stage(run, argv[1]);
    if (stage < 0 || stage >= trace_stage_count(run->trace)) return fprintf(stderr, "look: no stage %s\n", argv[1]), 2;
    if (!run_need(run, stage, context.cx, &err) || !set_film(&job, run, stage, &err) || !draw(&job, run, &arena, &err)) return fail(&err);
    run_close(run);
    doc_reset(&job.doc);
    arena_free(&arena);
    return 0;
}
