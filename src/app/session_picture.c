/* Pictures of a session: the screen, a figure, the list that clicks are looked up in. */
#include "app/hover.h"
#include "app/narrate.h"
#include "app/panels.h"
#include "app/session_job.h"
#include "app/session_picture.h"
#include "app/session_settle.h"
#include "base/lang.h"
#include "base/tr.h"
#include "scene/scene.h"

Scene session_scene(const Session *s, const View *view, float width, float height, Arena *arena) {
    return (Scene){.doc = &s->doc, .view = view, .run = s->run, .held_doc = s->held_run ? &s->held : NULL, .held = s->held_run, .before = s->before, .check = s->checking ? &s->check_told : NULL,
                   .muted = (s->muted && !s->stopped) || job_shown(s), .font = s->font, .arena = arena,
                   .layout = layout_make(width, height, view)};
}

/* A picture that is not of the document as it is, but that may be read. */
static void veil(const Scene *scene, DisplayList *list) {
    const Layout *l = &scene->layout;
    Rect box = {0, l->presenting ? 0 : l->rail.y, l->width, l->presenting ? l->height : l->bottom.y - l->rail.y};
    dl_rect(list, box, 0, color_alpha(theme_at(scene->view->theme)->background, 0.3), COLOR_NONE, 0);
}

void session_draw(const Session *s, float width, float height, Arena *arena, DisplayList *list) {
    lang_set(s->view.language);
    const Theme *theme = theme_at(s->view.theme);
    dl_init(list, arena, width, height, s->view.blank ? 0x000000FF : theme->background);
    if (!s->view.blank) {
        Scene scene = session_scene(s, &s->view, width, height, arena);
        panels_draw_below(s, list, width, height);
        if (session_pictured(s)) scene_draw(&scene, list);
        if (s->stopped && s->run) veil(&scene, list);
        panels_draw(s, list, width, height);
    }
    dl_finish(list);
}

void session_figure(Session *s, const FigureSpec *wanted, Arena *arena, DisplayList *list) {
    lang_set(s->view.language);
    float width = wanted->width, height = wanted->height;
    Scene scene = session_scene(s, &s->view, width > 0 ? width : 1, height > 0 ? height : 1, arena);
    FigureSpec spec = *wanted;
    spec.stage = s->view.film.stage;
    spec.position = s->view.film.position;
    figure_size(&scene, &spec, &width, &height);
    dl_init(list, arena, width, height, theme_at(s->view.theme)->background);
    figure_draw(&scene, &spec, list);
    dl_finish(list);
}

const char *session_narrate(Session *s, Arena *arena, Err *err) {
    if (!s->run) {
        err_set(err, ERR_USAGE, "%s", tr("There is nothing to tell yet."));
        return NULL;
    }
    if (!session_have_picture(s, err)) return NULL;
    Scene scene = session_scene(s, &s->view, s->width, s->height, arena);
    return narrate_text(&scene, arena);
}

const DisplayList *session_list(Session *s) {
    if (job_lent(s) && !job_shown(s) && s->list.arena) return &s->list; /* the next picture will be there in a moment */
    if (!s->fresh) {
        arena_reset(&s->frame);
        session_draw(s, s->width, s->height, &s->frame, &s->list);
        if (hover_rest(s)) { /* something else has come under the resting pointer */
            arena_reset(&s->frame);
            session_draw(s, s->width, s->height, &s->frame, &s->list);
        }
        s->fresh = true;
    }
    return &s->list;
}
