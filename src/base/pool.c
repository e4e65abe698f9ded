#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 64, SPINS = 4000 }; /* about 50 µs: loops often follow each other, and to be woken takes as long */

struct Pool {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    int n_threads;              /* helpers; the caller works too */
    pthread_t threads[THREADS_MAX];
    /* the loop that runs now */
    void (*body)(void *, int);
    void *ctx;
    int count, next;
    atomic_int running;
    atomic_uint round;          /* counts loops, so that a helper joins each one once */
    bool stop;
};

static void breathe(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Take turns until none is left. Called and left with the lock held. */
static void pool_work(Pool *pool) {
    while (pool->next < pool->count) {
        int i = pool->next++;
        void (*body)(void *, int) = pool->body;
        void *ctx = pool->ctx;
        pool->running++;
        pthread_mutex_unlock(&pool->lock);
        body(ctx, i);
        pthread_mutex_lock(&pool->lock);
        pool->running--;
    }
}

static void *pool_thread(void *arg) {
    Pool *pool = arg;
    unsigned seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->stop && pool->round == seen) pthread_cond_wait(&pool->work, &pool->lock);
        if (pool->stop) break;
        seen = pool->round;
        pool_work(pool);
        if (pool->running == 0) pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
        for (int i = 0; i < SPINS && pool->round == seen; i++) breathe();
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Processors this process may use, which can be fewer than the machine has. */
static int processor_count(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : (int)n;
}

Pool *pool_open(int threads) {
    Pool *pool = calloc(1, sizeof *pool);
    if (!pool) abort(); /* at the program's start: nothing is lost */
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    int wanted = (threads > 0 ? threads : processor_count()) - 1;
    while (pool->n_threads < wanted && pool->n_threads < THREADS_MAX &&
           pthread_create(&pool->threads[pool->n_threads], NULL, pool_thread, pool) == 0)
        pool->n_threads++;
    return pool;
}

void pool_close(Pool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->n_threads; i++) pthread_join(pool->threads[i], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->work);
    pthread_cond_destroy(&pool->done);
    free(pool);
}

void pool_for(void *ctx_pool, int count, void (*body)(void *ctx, int i), void *ctx) {
    Pool *pool = ctx_pool;
    if (pool->n_threads == 0 || count < 2) {
        for (int i = 0; i < count; i++) body(ctx, i);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->body = body;
    pool->ctx = ctx;
    pool->count = count;
    pool->next = 0;
    pool->round++;
    pthread_cond_broadcast(&pool->work);
    pool_work(pool);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < SPINS && pool->running > 0; i++) breathe();
    pthread_mutex_lock(&pool->lock);
    while (pool->running > 0) pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
