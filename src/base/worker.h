/* One thread beside the caller's that does one piece of work at a time. Nothing queues up: whoever wants other work done
 * waits until the worker is free. The thread sleeps while it has nothing to do. Knows nothing of what it works on. */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include <stdbool.h>

typedef struct Worker Worker;

/* `finished` (may be NULL) is called on the worker's thread after each piece of work, when worker_busy has become false. */
Worker *worker_open(void (*finished)(void *ctx), void *ctx);
void worker_close(Worker *worker); /* waits for the work in hand; NULL is fine */

/* Begin; must not be busy. What the caller wrote before is seen by `work`, what it writes is seen once it is not busy. false: there is no thread. */
bool worker_start(Worker *worker, void (*work)(void *arg), void *arg);
bool worker_busy(Worker *worker); /* NULL: never */
void worker_wait(Worker *worker); /* until it is not; NULL is fine */

#endif
