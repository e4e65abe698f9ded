#include "app/export_film.h"

#include <math.h>

#include "app/export_aside.h"
#include "app/session_settle.h"
#include "base/str.h"
#include "base/tr.h"
#include "doc/film.h"

enum { RATE = 10, COUNTED_FRAMES = 24, FRAMES_MOST = 20000 };

struct FilmExport {
    Arena arena, frame;
    Session *session;
    ExportSpec spec;
    const MovieFormat *format;
    const Run *run;           /* the session's as long as it has none behind `runs` */
    unsigned runs;
    View view, start;         /* at the next frame, at the first */
    bool stage;
    double dt;                /* seconds a frame */
    float width, height;      /* units; of the largest picture: some stages' figures are larger than others' */
    int frames, counted, done;
    Painter *painter;
    Movie *movie;
    char *path;
};

/* ---- moving ---- */

/* Does the film go on behind the frame that `view` shows? */
static bool move(const FilmExport *f, View *view) {
    const Trace *trace = f->run->trace;
    int site = film_site(trace, f->start.film.stage).index;
    View before = *view;
    bool moved = film_advance(view, trace, f->dt);
    bool left = f->stage ? view->film.stage != f->start.film.stage : film_site(trace, view->film.stage).index != site;
    if (left) { /* beyond what is filmed: its end is the last frame */
        *view = before;
        bool more = view->film.position < film_steps(trace, view->film.stage);
        film_stage(&view->film, trace, view->film.stage, true);
        return more;
    }
    return moved || view->film.position > before.film.position || view->film.stage != before.film.stage;
}

static void rewind_film(FilmExport *f) {
    View *view = &f->view;
    const Trace *trace = f->run->trace;
    int stage = f->stage ? view->film.stage : film_site(trace, view->film.stage).first;
    film_stage(&view->film, trace, stage, false);
    if (!f->stage && !film_shows(trace, stage, view->block_open)) film_stage(&view->film, trace, film_neighbour(trace, stage, view->block_open, 1), false);
    film_play(view, trace);
    f->start = *view;
}

static int count_frames(const FilmExport *f) {
    View view = f->start;
    int n = 1;
    while (n <= FRAMES_MOST && move(f, &view)) n++;
    return n;
}

/* ---- drawing ---- */

/* `view` as the session would show it. */
static bool draw(FilmExport *f, const View *view, DisplayList *list, Err *err) {
    Session *s = f->session;
    if (s->runs != f->runs) return err_set(err, ERR_CANCELLED, "%s", tr("What was filmed has changed; the film is given up."));
    ExportAside aside;
    export_set_aside(s, view, &aside);
    bool ok = session_have_picture(s, err);
    arena_reset(&f->frame);
    if (ok) export_draw(s, &f->spec, &f->frame, list);
    export_give_back(s, &aside);
    return ok;
}

/* Of the finished picture of each stage that is filmed. */
static bool find_size(FilmExport *f, Err *err) {
    const Trace *trace = f->run->trace;
    View view = f->start;
    FilmSite site = film_site(trace, view.film.stage);
    for (int i = site.first; i < site.first + site.n; i++) {
        DisplayList list;
        if (f->stage ? i != f->start.film.stage : !film_shows(trace, i, view.block_open)) continue;
        film_stage(&view.film, trace, i, true);
        if (!draw(f, &view, &list, err)) return false;
        f->width = fmaxf(f->width, list.width);
        f->height = fmaxf(f->height, list.height);
    }
    return true;
}

static bool paint(FilmExport *f, const View *view, Pixels *pixels, Err *err) {
    DisplayList list;
    if (!draw(f, view, &list, err)) return false;
    list.width = f->width;
    list.height = f->height;
    float scale = f->spec.picture.scale > 0 ? f->spec.picture.scale : 1;
    return f->spec.picture.transparent ? painter_draw_clear(f->painter, &list, scale, pixels, err) : painter_draw(f->painter, &list, scale, pixels, err);
}

static bool begin_movie(FilmExport *f, int per_second, Err *err) {
    Pixels first;
    if (!paint(f, &f->start, &first, err)) return false;
    MovieSpec spec = {.path = f->path, .width = first.width, .height = first.height, .frames = f->frames, .per_second = per_second,
                      .transparent = f->spec.picture.transparent, .scenario = export_scenario(f->session, f->path, &f->arena)};
    f->movie = movie_open(f->format, &spec, err);
    return f->movie != NULL;
}

/* A look at the whole before the first frame, for the colours. */
static bool count_one(FilmExport *f, Err *err) {
    Pixels pixels;
    int every = f->frames / COUNTED_FRAMES + 1;
    if (!paint(f, &f->view, &pixels, err)) return false;
    movie_count(f->movie, &pixels);
    for (int i = 0; i < every; i++, f->counted++)
        if (!move(f, &f->view)) f->counted = f->frames;
    if (f->counted >= f->frames) f->view = f->start;
    return true;
}

static bool counts(const FilmExport *f) { return f->format->counts && f->counted < f->frames; }

bool film_export_step(FilmExport *f, Err *err) {
    Pixels pixels;
    if (counts(f)) return count_one(f, err);
    if (!paint(f, &f->view, &pixels, err) || !movie_add(f->movie, &pixels, err)) return false;
    f->done++;
    return move(f, &f->view) && f->done < f->frames;
}

double film_export_done(const FilmExport *f) {
    double looks = f->format->counts ? COUNTED_FRAMES : 0, looked = f->format->counts ? looks * f->counted / f->frames : 0;
    return (looked + f->done) / (looks + f->frames);
}

/* ---- all ---- */

static bool begin(FilmExport *f, int per_second, Err *err) {
    f->view = export_tidy(&f->session->view);
    f->view.selection = (ViewRef){0}; /* the film chooses what it explains */
    f->dt = 1 / movie_rate(f->format, per_second);
    rewind_film(f);
    f->frames = count_frames(f);
    if (f->frames > FRAMES_MOST)
        return err_set(err, ERR_LIMIT, tr("a film of more than %d frames; fewer a second, a higher speed or a single stage make it shorter"), FRAMES_MOST);
    return find_size(f, err) && begin_movie(f, per_second, err);
}

FilmExport *film_export_open(Session *s, const ExportSpec *spec, const FilmSpec *film, const MovieFormat *format, const char *path, Err *err) {
    if (!s->options.fonts) return err_set(err, ERR_USAGE, "%s", tr("this session writes no pictures")), NULL;
    if (!session_need_run(s, err)) return NULL;
    Arena arena = {0};
    FilmExport *f = ARENA_NEW(&arena, FilmExport);
    f->arena = arena;
    f->session = s;
    f->spec = *spec;
    f->format = format;
    f->path = arena_strdup(&f->arena, path);
    f->run = s->run;
    f->runs = s->runs;
    f->stage = film->stage;
    f->painter = painter_open(s->options.fonts);
    if (begin(f, film->per_second > 0 ? film->per_second : RATE, err)) return f;
    film_export_close(f, false, NULL);
    return NULL;
}

bool film_export_close(FilmExport *f, bool keep, Err *err) {
    if (f == NULL) return true;
    bool ok = movie_close(f->movie, keep, err);
    painter_close(f->painter);
    arena_free(&f->frame);
    Arena arena = f->arena; /* holds the object itself */
    arena_free(&arena);
    return ok;
}
