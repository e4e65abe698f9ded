#include "app/panel_wait.h"

#include "app/session_film.h"
#include "app/session_job.h"
#include "app/session_settle.h"
#include "base/tr.h"

const char *wait_words(const Frame *f) {
    if (f->s->film.writer) return session_film_words(f->s, f->dl->arena);
    if (!job_shown(f->s)) return NULL;
    const char *words = job_words(f->s, f->dl->arena);
    return f->s->job.kind == JOB_NEED ? words : arena_printf(f->dl->arena, tr("%s Esc stops it."), words);
}

void wait_draw(const Frame *f) {
    const Kit *kit = &f->kit;
    const char *words = f->s->film.writer ? wait_words(f) : job_words(f->s, f->dl->arena);
    if (!f->s->film.writer && !job_shown(f->s)) return;
    float high = 0.375f * kit->pad, done = (float)(f->s->film.writer ? session_film_done(f->s) : job_done(f->s));
    Rect line = {0, f->view->presenting ? 0 : f->layout.top.y + f->layout.top.h, f->window.w, high};
    DlGroup group = {.role = ROLE_PANEL, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(f->dl, "progress"),
                     .label = dl_store(f->dl, words)};
    dl_group(f->dl, line, &group);
    dl_rect(f->dl, line, 0, kit->theme->line, COLOR_NONE, 0);
    line.w *= done > 0.02f ? done : 0.02f; /* from the beginning there is something to see */
    dl_rect(f->dl, line, 0, kit->theme->accent, COLOR_NONE, 0);
    dl_ungroup(f->dl);
    if (session_pictured(f->s)) return;
    dl_label(f->dl, kit->font, FACE_UI, f->layout.type[TYPE_TITLE], kit->theme->muted, f->layout.content, ALIGN_CENTER, words);
}
