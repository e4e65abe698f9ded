/* Vocabulary: piece to id by a hash table, id to piece by a list. */
#include <stdio.h>
#include <string.h>

#include "model/encoder_internal.h"

static uint32_t fold(uint64_t hash) {
    return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t hash_of(const char *bytes, int n) {
    return fold(hash_fnv1a(bytes, (size_t)n));
}

bool enc_vocab_init(EncVocab *vocab, Arena *arena, int size, int count) {
    uint32_t slots = 16;
    while (slots < (uint32_t)count * 2) slots *= 2;
    *vocab = (EncVocab){.size = size, .mask = slots - 1};
    vocab->pieces = arena_try(arena, (size_t)size, sizeof *vocab->pieces);
    vocab->slots = arena_try(arena, slots, sizeof *vocab->slots);
    return vocab->pieces != NULL && vocab->slots != NULL;
}

/* The slot of a piece, or the free one where it would go. */
static uint64_t *find_slot(const EncVocab *vocab, const char *bytes, int n, uint32_t hash) {
    for (uint32_t i = hash & vocab->mask;; i = (i + 1) & vocab->mask) {
        uint64_t *slot = &vocab->slots[i];
        if (*slot == 0) return slot;
        if ((uint32_t)(*slot >> 32) != hash) continue;
        const EncBytes *piece = &vocab->pieces[(uint32_t)*slot - 1];
        if (piece->n == n && memcmp(piece->bytes, bytes, (size_t)n) == 0) return slot;
    }
}

bool enc_vocab_add(EncVocab *vocab, EncBytes piece, int id) {
    uint32_t hash = hash_of(piece.bytes, piece.n);
    uint64_t *slot = find_slot(vocab, piece.bytes, piece.n, hash);
    int before = *slot == 0 ? -1 : (int)(uint32_t)*slot - 1;
    if (before == id) return true;
    if (vocab->pieces[id].bytes != NULL) return false;
    vocab->pieces[id] = piece;
    if (before >= 0) vocab->pieces[before] = (EncBytes){NULL, 0};
    else vocab->count++;
    *slot = (uint64_t)hash << 32 | (uint32_t)(id + 1);
    if (piece.n > vocab->longest) vocab->longest = piece.n;
    return true;
}

int enc_vocab_find(const EncVocab *vocab, const char *bytes, int n) {
    if (vocab->slots == NULL || n > vocab->longest) return -1;
    uint64_t slot = *find_slot(vocab, bytes, n, hash_of(bytes, n));
    return (int)(uint32_t)slot - 1;
}

int enc_vocab_longest(const EncVocab *vocab, const char *bytes, int least, int most, uint64_t *hashes, int *n) {
    uint64_t hash = hash_fnv1a(bytes, (size_t)(least - 1));
    for (int i = least; i <= most; i++) hashes[i - least] = hash = hash_fnv1a_more(hash, bytes + i - 1, 1);
    for (int i = most; i >= least; i--) {
        uint64_t slot = *find_slot(vocab, bytes, i, fold(hashes[i - least]));
        if (slot == 0) continue;
        *n = i;
        return (int)(uint32_t)slot - 1;
    }
    return -1;
}

void enc_vocab_bytes(const EncVocab *vocab, int ids[256]) {
    char piece[8];
    for (unsigned b = 0; b < 256; b++) ids[b] = enc_vocab_find(vocab, piece, snprintf(piece, sizeof piece, "<0x%02X>", b));
}
