#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BLOCK_MIN = 64 * 1024, ALIGN_SMALL = 16, ALIGN_LARGE = 64, LARGE_FROM = 256,
       HUGE_PAGE = 2 * 1024 * 1024, HUGE_FROM = 8 * HUGE_PAGE, HUGE_RESERVED = HUGE_PAGE / 4 * 3 };

struct ArenaBlock {
    ArenaBlock *next;
    size_t capacity; /* bytes behind the header */
    size_t used;
};

struct ArenaChild {
    Arena arena;
    ArenaChild *next;
};

/* The header takes one cache line, so that what follows is aligned to 64. */
enum { HEADER = (sizeof(ArenaBlock) + ALIGN_LARGE - 1) / ALIGN_LARGE * ALIGN_LARGE };

bool size_mul(size_t a, size_t b, size_t *out) {
    return !__builtin_mul_overflow(a, b, out);
}

void arena_init(Arena *arena, size_t limit) {
    *arena = (Arena){.limit = limit};
}

static unsigned char *block_bytes(ArenaBlock *block) {
    return (unsigned char *)block + HEADER;
}

static ArenaBlock *block_new(size_t capacity, size_t huge_from) {
    size_t total = capacity + HEADER;
    if (total < capacity) return NULL;
    void *memory = NULL;
    bool huge = total >= huge_from;
    if (posix_memalign(&memory, huge ? HUGE_PAGE : ALIGN_LARGE, total) != 0) return NULL;
#ifdef MADV_HUGEPAGE
    if (huge) madvise(memory, total, MADV_HUGEPAGE); /* large maps are written whole: fewer page faults */
#endif
    ArenaBlock *block = memory;
    *block = (ArenaBlock){.capacity = capacity};
    return block;
}

/* First free offset in `block` with this alignment, or SIZE_MAX when `bytes` do not fit. */
static size_t block_fit(const ArenaBlock *block, size_t bytes, size_t align) {
    size_t start = (block->used + align - 1) / align * align;
    if (start > block->capacity || bytes > block->capacity - start) return SIZE_MAX;
    return start;
}

/* Blocks are kept by arena_reset with used = 0, so a fitting one may lie behind the head. */
static ArenaBlock *arena_find_block(Arena *arena, size_t bytes, size_t align) {
    ArenaBlock *head = arena->head;
    if (head && block_fit(head, bytes, align) != SIZE_MAX) return head;
    for (ArenaBlock **link = &arena->head; *link; link = &(*link)->next) {
        ArenaBlock *block = *link;
        if (block->used > 0 || block_fit(block, bytes, align) == SIZE_MAX) continue;
        *link = block->next;
        block->next = arena->head;
        arena->head = block;
        return block;
    }
    size_t capacity = bytes + ALIGN_LARGE > BLOCK_MIN ? bytes + ALIGN_LARGE : BLOCK_MIN;
    if (capacity < bytes) return NULL;
    /* grow with the arena, so that many small things do not make many blocks */
    if (capacity < arena->used / 4 && arena->used / 4 <= (size_t)8 << 20) capacity = arena->used / 4;
    ArenaBlock *block = block_new(capacity, HUGE_FROM);
    if (!block) return NULL;
    /* a block for one large thing goes behind the head, which still has room for small ones */
    if (head && bytes > BLOCK_MIN / 4) {
        block->next = head->next;
        head->next = block;
    } else {
        block->next = head;
        arena->head = block;
    }
    return block;
}

bool arena_reserve(Arena *arena, size_t bytes) {
    if (arena->head && block_fit(arena->head, bytes, ALIGN_LARGE) != SIZE_MAX) return true;
    if (arena->limit > 0 && (bytes > arena->limit || arena->used > arena->limit - bytes)) return false;
    ArenaBlock *block = block_new(bytes, HUGE_RESERVED); /* it will be used as a whole */
    if (!block) return false;
    block->next = arena->head;
    arena->head = block;
    return true;
}

void *arena_try_raw(Arena *arena, size_t count, size_t size) {
    size_t bytes;
    if (!size_mul(count, size, &bytes)) return NULL;
    if (bytes == 0) bytes = 1;
    if (arena->limit > 0 && (bytes > arena->limit || arena->used > arena->limit - bytes)) return NULL;
    size_t align = bytes >= LARGE_FROM ? ALIGN_LARGE : ALIGN_SMALL;
    ArenaBlock *block = arena_find_block(arena, bytes, align);
    if (!block) return NULL;
    size_t start = block_fit(block, bytes, align);
    block->used = start + bytes;
    arena->used += bytes;
    return block_bytes(block) + start;
}

void *arena_try(Arena *arena, size_t count, size_t size) {
    void *memory = arena_try_raw(arena, count, size);
    if (memory) memset(memory, 0, count * size);
    return memory;
}

void *arena_alloc(Arena *arena, size_t count, size_t size) {
    void *memory = arena_try(arena, count, size);
    if (!memory) {
        fprintf(stderr, "attnscope: out of memory (%zu × %zu bytes)\n", count, size);
        abort();
    }
    return memory;
}

char *arena_strndup(Arena *arena, const char *text, size_t length) {
    char *copy = arena_alloc(arena, length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(Arena *arena, const char *text) {
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(Arena *arena, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (length < 0) length = 0;
    char *text = arena_alloc(arena, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, fmt, again);
    va_end(again);
    return text;
}

Arena *arena_child(Arena *parent) {
    ArenaChild *child = malloc(sizeof *child);
    if (!child) return NULL;
    *child = (ArenaChild){.arena = {.limit = parent->limit}, .next = parent->children};
    parent->children = child;
    return &child->arena;
}

static void free_children(Arena *arena) {
    while (arena->children) {
        ArenaChild *child = arena->children;
        arena->children = child->next;
        arena_free(&child->arena);
        free(child);
    }
}

void arena_reset(Arena *arena) {
    free_children(arena);
    for (ArenaBlock *block = arena->head; block; block = block->next) block->used = 0;
    arena->used = 0;
}

void arena_free(Arena *arena) {
    free_children(arena);
    ArenaBlock *block = arena->head;
    while (block) {
        ArenaBlock *next = block->next;
        free(block);
        block = next;
    }
    *arena = (Arena){.limit = arena->limit};
}
