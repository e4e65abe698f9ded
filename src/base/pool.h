/* A pool of threads for loops whose turns do not touch each other. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

typedef struct Pool Pool;

/* threads 0 = as many as there are processors. Never NULL; where threads
 * cannot be had, the calling one does all the work. */
Pool *pool_open(int threads);
void pool_close(Pool *pool);
/* Calls body(ctx, i) for i in 0..count-1, in any order, and returns when all are done.
 * Has the signature of the core's ParallelFor, with the pool as its context. */
void pool_for(void *pool, int count, void (*body)(void *ctx, int i), void *ctx);

#endif
