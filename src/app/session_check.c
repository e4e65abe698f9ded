#include "app/session_check.h"

#include <stdio.h>

#include "app/files.h"
#include "app/session_hold.h"
#include "app/session_job.h"
#include "app/session_settle.h"
#include "base/file.h"
#include "base/tr.h"

enum { QUICK = 4 << 20 }; /* bytes of a trace whose causes are looked for at each change */

void check_drop(Session *s) {
    if (!s->checking) return;
    s->checking = false;
    check_close(&s->check);
    s->check_told = (CheckWords){0};
}

/* A: the same document with their numbers. */
static bool hold_theirs(Session *s, Err *err) {
    RunContext context = session_context(s);
    Run *theirs;
    if (!check_theirs(&s->check, &s->run->doc, &context, &theirs, err)) return false;
    hold_replace(s, theirs);
    return true;
}

void check_settle(Session *s) {
    if (!s->checking || !s->run || s->muted || s->check_runs == s->runs) return;
    RunContext context = session_context(s);
    bool quick = trace_bytes(s->run->trace) <= QUICK;
    s->check_runs = s->runs;
    bool same = s->run->doc.model == MODEL_GIVEN && !s->run->network;
    if (same && check_again(&s->check, s->run, quick, &context, NULL) && hold_theirs(s, NULL)) s->check_told = check_words(&s->check, s->check.found);
    else {
        hold_close(s);
        s->view.comparing = false;
    }
    session_touch(s);
}

/* Where the first difference is made, with it selected; where all agree, at the last that was compared. */
static void look_at_first(Session *s) {
    const Check *c = &s->check;
    Err ignored = {0};
    TensorId id = TENSOR_NONE;
    const int *index = c->weights.index;
    bool place = true;
    if (c->has_weights && c->weights.fault != WEIGHTS_FINE) id = trace_find(s->run->trace, "weights");
    else if (c->n_findings > 0) {
        id = trace_find(s->run->trace, c->lines[c->line_of[c->findings[0].at]].theirs.numbers.name);
        index = c->findings[0].difference.first;
        place = !c->findings[0].difference.shape;
    } else if (c->n_compared > 0) { /* all agree: the last of them */
        id = c->lines[c->n_compared - 1].theirs.id;
        place = false;
    }
    if (id == TENSOR_NONE) return;
    const Tensor *t = trace_tensor(s->run->trace, id);
    int stage = trace_stage_of(s->run->trace, id);
    if (stage < 0) stage = trace_stage_find(s->run->trace, "", STAGE_SOFTMAX); /* given weights are made nowhere */
    session_show(s, stage, -1, &ignored);
    if (!place) return;
    if (t->rank == 3) session_show_head(s, index[0], &ignored);
    session_do(s, arena_printf(&s->scratch, "select %s", view_index_text(t->id, index, t->rank, ",", &s->scratch)), &ignored);
}

bool session_open_check(Session *s, const char *path, const CheckSetting *settings, int n_settings, Err *err) {
    RunContext context = session_context(s);
    CheckAsk ask = {.settings = settings, .n_settings = n_settings, .tolerance = -1};
    Check check;
    job_take_back(s);
    bool ok = check_open(path, &ask, &context, &check, err);
    if (ok && !check.run) ok = err_set(err, ERR_INPUT, tr("a feed-forward layer is checked by the command line alone: attnscope check %s"), path);
    if (!ok) {
        check_close(&check);
        return false;
    }
    Doc doc = {0};
    doc_copy(&doc, &check.doc);
    hold_close(s);
    session_replace(s, &doc, "", true);
    film_home(&s->view.film);
    session_take_run(s, check.run, true);
    check.run = NULL;
    s->check = check;
    s->checking = true;
    s->check_runs = s->runs - 1;
    s->view.comparing = true;
    s->view.overview = false;
    session_settle(s);
    look_at_first(s);
    return true;
}

bool check_do_check(Session *s, const ActionLine *line, Err *err) {
    if (line->n < 2) return session_open_menu(s, "check", "");
    char *full = files_expand(&s->scratch, line->arg[1]);
    if (file_is_folder(full)) return session_open_menu(s, "check", str_ends(line->arg[1], "/") ? line->arg[1] : arena_printf(&s->scratch, "%s/", line->arg[1]));
    return session_open_check(s, full, NULL, 0, err);
}
