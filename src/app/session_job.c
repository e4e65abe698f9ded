#include "app/session_job.h"

#include <string.h>
#include <time.h>

#include "app/session_files.h"
#include "app/session_settle.h"
#include "base/file.h"
#include "base/tr.h"

static const double SHOWN_AFTER = 0.15; /* seconds: shorter work is not worth a word */
static const double WAKE_SECONDS = 0.03; /* between two looks at the progress */

/* ---- on the worker's thread ---- */

static bool is_cancelled(void *ctx) {
    Job *job = ctx;
    if (job->between_ops) job->between_ops(job->between_ctx);
    return atomic_load(&job->cancel);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void tell(void *ctx, double done) {
    Job *job = ctx;
    double now = seconds();
    atomic_store(&job->done, (int)(1000 * done));
    if (now - job->told < WAKE_SECONDS) return;
    job->told = now;
    job->wake(job->wake_ctx);
}

static void work_run(void *arg) {
    Job *job = arg;
    RunContext context = {.lexicon = job->lexicon, .cx = &job->core, .before = job->before, .limit = job->limit};
    job->ok = run_build(&job->doc, &context, &job->run, &job->err);
}

static void work_need(void *arg) {
    Job *job = arg;
    job->ok = run_need(job->run, job->stage, &job->core, &job->err);
}

/* ---- beginning and ending ---- */

void job_open(Session *s) {
    Job *job = &s->job;
    if (!s->options.wake) return;
    job->wake = s->options.wake;
    job->wake_ctx = s->options.wake_ctx;
    job->between_ops = s->options.between_ops;
    job->between_ctx = s->options.between_ctx;
    job->lexicon = s->lexicon;
    job->limit = s->options.memory;
    job->worker = worker_open(job->wake, job->wake_ctx);
}

static void forget(Session *s) {
    Job *job = &s->job;
    doc_reset(&job->doc);
    run_close(job->orphan);
    job->opens = false;
    job->orphan = job->run = NULL;
    job->before = NULL;
    job->kind = JOB_NONE;
}

void job_close(Session *s) {
    Job *job = &s->job;
    job_cancel(s);
    worker_close(job->worker);
    job->worker = NULL;
    if (job->kind == JOB_RUN) run_close(job->run);
    forget(s);
    doc_reset(&s->opening.doc);
    pool_close(job->pool);
    job->pool = NULL;
}

bool job_serves(const Session *s, const Doc *doc) {
    return s->job.worker && run_is_slow(doc);
}

static bool begin(Session *s, JobKind kind, void (*work)(void *arg)) {
    Job *job = &s->job;
    if (!job->pool) { /* of its own: the session goes on with the other one */
        job->pool = pool_open(0);
        job->core = s->core;
        job->core.parallel_ctx = job->pool;
        job->core.cancelled = is_cancelled;
        job->core.progress = tell;
        job->core.cancel_ctx = job->core.progress_ctx = job;
    }
    job->kind = kind;
    job->ok = false;
    job->err = (Err){0};
    job->told = 0;
    atomic_store(&job->cancel, false);
    atomic_store(&job->done, 0);
    if (job->since <= 0) job->since = s->clock > 0 ? s->clock : 1e-9;
    if (!worker_start(job->worker, work, job)) work(job); /* no thread: at once */
    return true;
}

bool job_run(Session *s, const Doc *doc, bool opens) {
    Job *job = &s->job;
    if (job->kind != JOB_NONE) return false;
    doc_copy(&job->doc, doc);
    job->opens = opens;
    s->muted = false;
    job->before = s->run;
    job->run = NULL;
    return begin(s, JOB_RUN, work_run);
}

bool job_need(Session *s, int stage) {
    Job *job = &s->job;
    if (job->kind != JOB_NONE) return false;
    job->run = s->run;
    job->stage = stage;
    job->opens = false;
    return begin(s, JOB_NEED, work_need);
}

void job_cancel(Session *s) {
    atomic_store(&s->job.cancel, true);
}

bool job_lent(const Session *s) {
    return s->job.kind == JOB_NEED && s->job.run == s->run;
}

void job_drop_run(Session *s, Run *run) {
    Job *job = &s->job;
    bool used = run && ((job->kind == JOB_RUN && job->before == run) || (job->kind == JOB_NEED && job->run == run));
    if (!used) {
        run_close(run);
        return;
    }
    if (job->kind == JOB_NEED) job_cancel(s); /* nobody will look at it again */
    job->orphan = run;
}

/* ---- results ---- */

static void take_run(Session *s, bool cancelled) {
    Job *job = &s->job;
    Run *run = job->ok ? job->run : NULL;
    Err err = job->err;
    bool opens = job->opens;
    forget(s);
    if (cancelled) run_close(run);
    else if (opens) session_opened(s, run, &err);
    else if (run) session_take_run(s, run, false);
    else s->muted = true, s->error = err;
}

static void take_need(Session *s, bool cancelled) {
    Job *job = &s->job;
    bool failed = !job->ok && !cancelled;
    Err err = job->err;
    if (failed && job->run == s->run) s->need_failed = job->stage;
    forget(s);
    if (failed) session_notice(s, true, "%s", err.message);
}

void job_collect(Session *s) {
    Job *job = &s->job;
    if (job->kind == JOB_NONE) return;
    session_touch(s);
    if (worker_busy(job->worker)) return;
    bool cancelled = atomic_load(&job->cancel);
    if (job->kind == JOB_RUN) take_run(s, cancelled);
    else take_need(s, cancelled);
    bool newer = !s->tried || s->opening.waits; /* it has been waited for as long as for this one */
    if (!cancelled || !newer) job->since = 0;
}

void job_wait(Session *s) {
    worker_wait(s->job.worker);
    job_collect(s);
}

void job_take_back(Session *s) {
    if (!job_lent(s)) return;
    job_cancel(s);
    job_wait(s);
}

bool job_stop(Session *s) {
    Job *job = &s->job;
    if (job->kind != JOB_RUN || !job_shown(s)) return false;
    job_cancel(s);
    session_touch(s);
    if (s->opening.waits) {
        s->opening.waits = false;
        session_notice(s, false, "%s", tr("Stopped. The document is the one that was open."));
    } else {
        s->tried = s->muted = s->stopped = true;
        err_set(&s->error, ERR_CANCELLED, "%s", tr("Stopped. You see the picture before your last change."));
    }
    return true;
}

bool job_resume(Session *s) {
    if (!s->stopped) return false;
    s->tried = s->stopped = s->muted = false;
    session_touch(s);
    session_settle(s);
    return true;
}

/* ---- what people see of it ---- */

static bool is_waited_for(const Session *s) {
    return s->job.kind != JOB_NONE && !s->muted;
}

bool job_shown(const Session *s) {
    return is_waited_for(s) && s->clock - s->job.since >= SHOWN_AFTER;
}

double job_due(const Session *s) {
    return is_waited_for(s) && !job_shown(s) ? s->job.since + SHOWN_AFTER : 0;
}

double job_done(const Session *s) {
    return (double)atomic_load(&s->job.done) / 1000;
}

/* Layers of the folder's stacks, where the last run is of the same folder; else 0. */
static int layers(const Session *s) {
    const Network *network = s->run ? s->run->network : NULL;
    const Blob *now = s->doc.model_folder, *then = s->run ? s->run->doc.model_folder : NULL;
    if (!network || !now || !then || strcmp(now->bytes, then->bytes) != 0) return 0;
    const CheckpointInfo *info = checkpoint_info(network->checkpoint);
    int n = 0;
    for (int i = 0; i < info->n_stacks; i++) n += info->stack[i].n_layers;
    return n;
}

const char *job_words(const Session *s, Arena *arena) {
    int n = layers(s), at = (int)(job_done(s) * n) + 1;
    if (s->job.opens) return arena_printf(arena, tr("Opening %s …"), path_name(s->opening.path));
    if (s->job.kind == JOB_NEED) return tr("Computing this layer again …");
    if (n == 0) return tr("Computing …");
    return arena_printf(arena, tr("Computing layer %d of %d …"), at > n ? n : at, n);
}
