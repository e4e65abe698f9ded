/* Arenas: memory that is given back all at once. Each lifetime (process, document, trace, frame)
 * has one; nothing outside this room calls free. Zero-filled, aligned to 64 bytes for large
 * blocks and 16 for small ones. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ArenaBlock ArenaBlock;
typedef struct ArenaChild ArenaChild;

/* Owned by the caller. {0} is a valid empty arena without a limit. */
typedef struct {
    ArenaBlock *head;  /* newest block first */
    size_t used;       /* bytes handed out since the last reset */
    size_t limit;      /* 0 = none; arena_try returns NULL beyond it */
    ArenaChild *children;
} Arena;

void arena_init(Arena *arena, size_t limit);
/* count * size bytes, zeroed; NULL when the product overflows, passes the limit, or memory is out. */
void *arena_try(Arena *arena, size_t count, size_t size);
/* As arena_try without zeroing: for buffers that are written whole. */
void *arena_try_raw(Arena *arena, size_t count, size_t size);
/* Makes sure that the next `bytes`, padding counted, come from one piece of memory; false when it cannot be had. */
bool arena_reserve(Arena *arena, size_t bytes);
/* As arena_try, but never NULL: says so and aborts when memory is out. For small things only. */
void *arena_alloc(Arena *arena, size_t count, size_t size);
char *arena_strdup(Arena *arena, const char *text);
char *arena_strndup(Arena *arena, const char *text, size_t length);
char *arena_printf(Arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* An arena that ends with `parent`, when that is reset or freed, but may be reset or freed before as often as one likes.
 * It has the parent's limit for itself. NULL when memory is out. */
Arena *arena_child(Arena *parent);
/* Forget all contents; memory is kept for the next use (frames), except that of children. */
void arena_reset(Arena *arena);
/* Give all memory back to the system. The arena is then empty and may be used again. */
void arena_free(Arena *arena);

#define ARENA_NEW(arena, Type) ((Type *)arena_alloc((arena), 1, sizeof(Type)))
#define ARENA_ARRAY(arena, Type, count) ((Type *)arena_alloc((arena), (count), sizeof(Type)))

/* *out = a * b; false on overflow. */
bool size_mul(size_t a, size_t b, size_t *out);

#endif
