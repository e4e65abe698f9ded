#include "base/worker.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct Worker {
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    pthread_t thread;
    bool has_thread, stop, busy;
    void (*work)(void *arg);
    void *arg;
    void (*finished)(void *ctx);
    void *ctx;
};

static void *worker_thread(void *arg) {
    Worker *worker = arg;
    pthread_mutex_lock(&worker->lock);
    for (;;) {
        while (!worker->stop && !worker->work) pthread_cond_wait(&worker->begin, &worker->lock);
        if (!worker->work) break;
        void (*work)(void *) = worker->work;
        void *what = worker->arg;
        worker->work = NULL;
        pthread_mutex_unlock(&worker->lock);
        work(what);
        pthread_mutex_lock(&worker->lock);
        worker->busy = false;
        pthread_cond_broadcast(&worker->end);
        pthread_mutex_unlock(&worker->lock);
        if (worker->finished) worker->finished(worker->ctx);
        pthread_mutex_lock(&worker->lock);
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

Worker *worker_open(void (*finished)(void *ctx), void *ctx) {
    Worker *worker = calloc(1, sizeof *worker);
    if (!worker) abort(); /* a few bytes at the program's start */
    worker->finished = finished;
    worker->ctx = ctx;
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->begin, NULL);
    pthread_cond_init(&worker->end, NULL);
    worker->has_thread = pthread_create(&worker->thread, NULL, worker_thread, worker) == 0;
    return worker;
}

void worker_close(Worker *worker) {
    if (!worker) return;
    pthread_mutex_lock(&worker->lock);
    worker->stop = true;
    pthread_cond_signal(&worker->begin);
    pthread_mutex_unlock(&worker->lock);
    if (worker->has_thread) pthread_join(worker->thread, NULL);
    pthread_mutex_destroy(&worker->lock);
    pthread_cond_destroy(&worker->begin);
    pthread_cond_destroy(&worker->end);
    free(worker);
}

bool worker_start(Worker *worker, void (*work)(void *arg), void *arg) {
    if (!worker->has_thread) return false;
    pthread_mutex_lock(&worker->lock);
    assert(!worker->busy);
    worker->work = work;
    worker->arg = arg;
    worker->busy = true;
    pthread_cond_signal(&worker->begin);
    pthread_mutex_unlock(&worker->lock);
    return true;
}

bool worker_busy(Worker *worker) {
    if (!worker) return false;
    pthread_mutex_lock(&worker->lock);
    bool busy = worker->busy;
    pthread_mutex_unlock(&worker->lock);
    return busy;
}

void worker_wait(Worker *worker) {
    if (!worker) return;
    pthread_mutex_lock(&worker->lock);
    while (worker->busy) pthread_cond_wait(&worker->end, &worker->lock);
    pthread_mutex_unlock(&worker->lock);
}
