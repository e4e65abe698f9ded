#include "backend/textures.h"

#include <string.h>

enum { ENTRIES = 4096, BUCKETS = 8192, NONE = -1 };

typedef struct { uint64_t key; Sprite sprite; int chain, older, newer; } Entry;

struct Textures {
    Arena arena;
    SDL_Renderer *renderer;
    size_t bytes, bytes_max;
    int oldest, newest, spare; /* spare: chain of unused entries */
    int buckets[BUCKETS];
    Entry entries[ENTRIES];
};

Textures *textures_open(SDL_Renderer *renderer, size_t bytes_max) {
    Arena arena = {0};
    Textures *t = ARENA_NEW(&arena, Textures);
    t->arena = arena;
    t->renderer = renderer;
    t->bytes_max = bytes_max;
    t->oldest = t->newest = NONE;
    for (int i = 0; i < BUCKETS; i++) t->buckets[i] = NONE;
    for (int i = 0; i < ENTRIES; i++) t->entries[i].chain = i + 1 < ENTRIES ? i + 1 : NONE;
    t->spare = 0;
    return t;
}

static size_t size_of(const Sprite *s) { return (size_t)s->w * (size_t)s->h * 4; }

static void unlink_age(Textures *t, int i) {
    Entry *e = &t->entries[i];
    if (e->older != NONE) t->entries[e->older].newer = e->newer;
    else t->oldest = e->newer;
    if (e->newer != NONE) t->entries[e->newer].older = e->older;
    else t->newest = e->older;
}

static void link_newest(Textures *t, int i) {
    Entry *e = &t->entries[i];
    e->older = t->newest;
    e->newer = NONE;
    if (t->newest != NONE) t->entries[t->newest].newer = i;
    else t->oldest = i;
    t->newest = i;
}

static void drop(Textures *t, int i) {
    Entry *e = &t->entries[i];
    int *link = &t->buckets[e->key % BUCKETS];
    while (*link != i) link = &t->entries[*link].chain;
    *link = e->chain;
    unlink_age(t, i);
    if (e->sprite.texture != NULL) SDL_DestroyTexture(e->sprite.texture);
    t->bytes -= size_of(&e->sprite);
    memset(e, 0, sizeof *e);
    e->chain = t->spare;
    t->spare = i;
}

void textures_close(Textures *t) {
    if (t == NULL) return;
    while (t->oldest != NONE) drop(t, t->oldest);
    Arena arena = t->arena; /* holds the object itself */
    arena_free(&arena);
}

Sprite *textures_find(Textures *t, uint64_t key) {
    for (int i = t->buckets[key % BUCKETS]; i != NONE; i = t->entries[i].chain) {
        if (t->entries[i].key != key) continue;
        if (t->newest != i) {
            unlink_age(t, i);
            link_newest(t, i);
        }
        return &t->entries[i].sprite;
    }
    return NULL;
}

static bool row_has_ink(const uint32_t *row, int from, int to) {
    for (int x = from; x < to; x++)
        if (row[x] >> 24 != 0) return true;
    return false;
}

static void find_strips(Sprite *s, const uint32_t *pixels, bool opaque) {
    bool whole = opaque || s->w < 4 * STRIPS || s->h < 2 * STRIPS || s->h > INT16_MAX; /* small ones are not worth it */
    s->strip_w = whole ? s->w : (s->w + STRIPS - 1) / STRIPS;
    if (whole) return;
    for (int i = 0; i < STRIPS; i++) {
        int from = i * s->strip_w, to = from + s->strip_w < s->w ? from + s->strip_w : s->w, top = 0, bottom = s->h;
        while (top < bottom && !row_has_ink(pixels + (size_t)top * (size_t)s->w, from, to)) top++;
        while (bottom > top && !row_has_ink(pixels + (size_t)(bottom - 1) * (size_t)s->w, from, to)) bottom--;
        s->top[i] = (int16_t)top;
        s->bottom[i] = (int16_t)bottom;
    }
}

static void set_pixels(Sprite *s, const uint32_t *pixels, bool opaque) {
    if (s->texture == NULL) return;
    SDL_UpdateTexture(s->texture, NULL, pixels, s->w * 4);
    SDL_SetTextureBlendMode(s->texture, opaque ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND);
    find_strips(s, pixels, opaque);
}

Sprite *textures_add(Textures *t, uint64_t key, int x, int y, int w, int h, const uint32_t *pixels, bool opaque) {
    Sprite sprite = {.x = x, .y = y, .w = w, .h = h};
    while (t->oldest != NONE && (t->spare == NONE || t->bytes + size_of(&sprite) > t->bytes_max)) drop(t, t->oldest);
    if (w > 0 && h > 0) sprite.texture = SDL_CreateTexture(t->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, w, h);
    set_pixels(&sprite, pixels, opaque);
    int i = t->spare;
    Entry *e = &t->entries[i];
    t->spare = e->chain;
    e->key = key;
    e->sprite = sprite;
    e->chain = t->buckets[key % BUCKETS];
    t->buckets[key % BUCKETS] = i;
    link_newest(t, i);
    t->bytes += size_of(&sprite);
    return &e->sprite;
}

void textures_renew(Sprite *sprite, uint64_t content, const uint32_t *pixels, bool opaque) {
    sprite->content = content;
    set_pixels(sprite, pixels, opaque);
}

size_t textures_bytes(const Textures *t) { return t->bytes; }

uint64_t textures_key(uint64_t seed, const void *bytes, size_t size) {
    const unsigned char *p = bytes;
    uint64_t h = seed ^ (size * 0x9e3779b97f4a7c15u);
    for (; size >= 8; size -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    uint64_t tail = 0;
    memcpy(&tail, p, size);
    h = (h ^ tail) * 0xc4ceb9fe1a85ec53u;
    return h ^ (h >> 29);
}
