/* Words sorted by bytes: all that begin a text are found by narrowing the range that agrees, byte by byte. */
#include <stdlib.h>
#include <string.h>

#include "model/encoder_internal.h"

typedef struct {
    uint64_t front; /* the first 8 bytes, the first one highest: most words differ there, and need not be looked at */
    EncBytes word;
    int value, order;
} Entry;

static uint64_t front_of(EncBytes word) {
    uint64_t front = 0;
    for (int i = 0; i < 8; i++) front = front << 8 | (i < word.n ? (unsigned char)word.bytes[i] : 0);
    return front;
}

static int compare(const void *left, const void *right) {
    const Entry *a = left, *b = right;
    if (a->front != b->front) return a->front < b->front ? -1 : 1;
    int common = a->word.n < b->word.n ? a->word.n : b->word.n;
    int order = common > 0 ? memcmp(a->word.bytes, b->word.bytes, (size_t)common) : 0;
    if (order == 0) order = a->word.n - b->word.n;
    return order != 0 ? order : a->order - b->order;
}

static bool same(EncBytes a, EncBytes b) {
    return a.n == b.n && memcmp(a.bytes, b.bytes, (size_t)a.n) == 0;
}

static void count_firsts(EncTrie *trie) {
    for (int i = 0; i < trie->n; i++) trie->first[(unsigned char)trie->words[i].bytes[0] + 1]++;
    for (int b = 0; b < 256; b++) trie->first[b + 1] += trie->first[b];
}

bool enc_trie_init(EncTrie *trie, Arena *scratch, EncBytes *words, int *values, int n) {
    Entry *entries = arena_try_raw(scratch, (size_t)n, sizeof *entries);
    if (entries == NULL) return false;
    *trie = (EncTrie){.words = words, .values = values};
    for (int i = 0; i < n; i++) entries[i] = (Entry){front_of(words[i]), words[i], values[i], i};
    qsort(entries, (size_t)n, sizeof *entries, compare);
    for (int i = 0; i < n; i++) {
        bool last = i + 1 == n || !same(entries[i].word, entries[i + 1].word);
        if (!last || entries[i].word.n == 0) continue;
        words[trie->n] = entries[i].word;
        values[trie->n++] = entries[i].value;
    }
    count_firsts(trie);
    return true;
}

/* First word in low … high-1 whose byte at `depth` is at least `byte`; all are longer than depth. */
static int lower_bound(const EncTrie *trie, int low, int high, int depth, unsigned byte) {
    while (low < high) {
        int middle = low + (high - low) / 2;
        if ((unsigned char)trie->words[middle].bytes[depth] < byte) low = middle + 1;
        else high = middle;
    }
    return low;
}

bool enc_trie_walk(const EncTrie *trie, EncWalk *walk, unsigned char byte, int *value) {
    *value = -1;
    if (walk->depth == 0) {
        *walk = (EncWalk){trie->first[byte], trie->first[byte + 1], 1};
    } else {
        /* the word that ends here stands first and does not go on */
        if (walk->low < walk->high && trie->words[walk->low].n == walk->depth) walk->low++;
        walk->low = lower_bound(trie, walk->low, walk->high, walk->depth, byte);
        walk->high = lower_bound(trie, walk->low, walk->high, walk->depth, byte + 1u);
        walk->depth++;
    }
    if (walk->low >= walk->high) return false;
    if (trie->words[walk->low].n == walk->depth) *value = trie->values[walk->low];
    return true;
}
