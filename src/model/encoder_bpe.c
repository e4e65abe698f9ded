/* Byte pair encoding (Sennrich et al. 2016): characters are joined, the pair of the lowest rank first, the leftmost of equal ones. */
#include <string.h>

#include "base/tr.h"
#include "model/encoder_internal.h"

/* ---- the table of merges ---- */

static uint64_t pair_key(int left, int right) {
    return ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) + 1;
}

static EncMerge *find_merge(const EncModel *model, uint64_t key) {
    uint64_t hash = key * 0x9E3779B97F4A7C15u;
    uint32_t i = (uint32_t)(hash >> 32) & model->merge_mask;
    while (model->merges[i].key != 0 && model->merges[i].key != key) i = (i + 1) & model->merge_mask;
    return &model->merges[i];
}

bool enc_merges_init(EncRead *read, EncModel *model, int count) {
    uint32_t slots = 16;
    while (slots < (uint32_t)count * 2) slots *= 2;
    model->merge_mask = slots - 1;
    model->merges = arena_try(read->keep, slots, sizeof *model->merges);
    return model->merges != NULL || err_set(read->err, ERR_MEMORY, tr("not enough memory for %d merges"), count);
}

bool enc_merges_add(EncRead *read, EncModel *model, EncBytes left, EncBytes right, int rank) {
    const EncVocab *vocab = &model->vocab;
    int a = enc_vocab_find(vocab, left.bytes, left.n), b = enc_vocab_find(vocab, right.bytes, right.n), skip = model->prefix.n;
    if (a < 0 || b < 0)
        return enc_refuse(read, NULL, tr("merge %d joins \"%.60s\", which the vocabulary has not"), rank + 1, a < 0 ? left.bytes : right.bytes);
    if (right.n < skip) skip = right.n;
    int n = left.n + right.n - skip;
    if (n > vocab->longest) return enc_refuse(read, NULL, tr("merge %d makes a piece that the vocabulary has not: \"%.60s%.60s\""), rank + 1, left.bytes, right.bytes);
    char small[256], *joined = n <= (int)sizeof small ? small : arena_alloc(read->scratch, (size_t)n, 1);
    memcpy(joined, left.bytes, (size_t)left.n);
    memcpy(joined + left.n, right.bytes + skip, (size_t)(right.n - skip));
    int id = enc_vocab_find(vocab, joined, n);
    if (id < 0) return enc_refuse(read, NULL, tr("merge %d makes a piece that the vocabulary has not: \"%.60s%.60s\""), rank + 1, left.bytes, right.bytes + skip);
    uint64_t key = pair_key(a, b);
    *find_merge(model, key) = (EncMerge){key, rank, id};
    return true;
}

bool enc_merges_line(EncRead *read, EncModel *model, EncBytes line, int rank) {
    const char *space = line.n > 0 ? memchr(line.bytes, ' ', (size_t)line.n) : NULL;
    int at = space != NULL ? (int)(space - line.bytes) : 0;
    bool two = space != NULL && memchr(space + 1, ' ', (size_t)(line.n - at - 1)) == NULL;
    if (!two) return enc_refuse(read, NULL, tr("merge %d is \"%.60s\"; two pieces with a space between them are expected"), rank + 1, line.bytes);
    char *left = arena_strndup(read->scratch, line.bytes, (size_t)at);
    return enc_merges_add(read, model, (EncBytes){left, at}, (EncBytes){space + 1, line.n - at - 1}, rank);
}

/* ---- one word ---- */

typedef struct {
    int id, start, end; /* bytes of the word */
    int before, after;  /* neighbours, -1 = none */
} Symbol;

/* A pair that may be joined, until one of its sides has changed. */
typedef struct {
    int rank, at, id;
} Pair;

typedef struct {
    Symbol *symbols;
    Pair *heap;
    int n, n_heap;
} Word;

static void add_symbol(Word *word, int id, int start, int end) {
    word->symbols[word->n] = (Symbol){id, start, end, word->n - 1, word->n + 1};
    word->n++;
}

/* "##" + character + "</w>" as the vocabulary writes it. */
static int find_character(const EncModel *model, const EncText *text, int start, int end) {
    EncBytes prefix = start > 0 ? model->prefix : (EncBytes){NULL, 0}, suffix = end == text->n ? model->suffix : (EncBytes){NULL, 0};
    if (prefix.n == 0 && suffix.n == 0) return enc_vocab_find(&model->vocab, text->bytes + start, end - start);
    char piece[256];
    int n = end - start;
    if (prefix.n + n + suffix.n > (int)sizeof piece) return -1;
    if (prefix.n > 0) memcpy(piece, prefix.bytes, (size_t)prefix.n);
    memcpy(piece + prefix.n, text->bytes + start, (size_t)n);
    if (suffix.n > 0) memcpy(piece + prefix.n + n, suffix.bytes, (size_t)suffix.n);
    return enc_vocab_find(&model->vocab, piece, prefix.n + n + suffix.n);
}

static bool add_bytes(const EncModel *model, const EncText *text, int start, int end, Word *word) {
    if (!model->byte_fallback) return false;
    for (int i = start; i < end; i++)
        if (model->bytes[(unsigned char)text->bytes[i]] < 0) return false;
    for (int i = start; i < end; i++) add_symbol(word, model->bytes[(unsigned char)text->bytes[i]], i, i + 1);
    return true;
}

/* Characters the vocabulary has not are bytes, else the unknown token, else left out. */
static void begin_word(const EncModel *model, const EncText *text, Word *word) {
    bool unknown = false; /* the last symbol is the unknown token */
    for (int at = 0; at < text->n;) {
        int start = at;
        enc_next(text, &at);
        int id = find_character(model, text, start, at);
        if (id >= 0) {
            add_symbol(word, id, start, at);
        } else if (!add_bytes(model, text, start, at, word)) {
            if (unknown && model->fuse_unknown) word->symbols[word->n - 1].end = at;
            else if (model->unknown >= 0) add_symbol(word, model->unknown, start, at);
            unknown = model->unknown >= 0;
            continue;
        }
        unknown = false;
    }
    if (word->n > 0) word->symbols[word->n - 1].after = -1;
}

static bool pair_less(const Pair *a, const Pair *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->at < b->at;
}

static void heap_push(Word *word, Pair pair) {
    int i = word->n_heap++;
    for (; i > 0 && pair_less(&pair, &word->heap[(i - 1) / 2]); i = (i - 1) / 2) word->heap[i] = word->heap[(i - 1) / 2];
    word->heap[i] = pair;
}

static Pair heap_pop(Word *word) {
    Pair top = word->heap[0], last = word->heap[--word->n_heap];
    int i = 0;
    for (int child; (child = 2 * i + 1) < word->n_heap; i = child) {
        if (child + 1 < word->n_heap && pair_less(&word->heap[child + 1], &word->heap[child])) child++;
        if (!pair_less(&word->heap[child], &last)) break;
        word->heap[i] = word->heap[child];
    }
    word->heap[i] = last;
    return top;
}

static void offer_pair(const EncModel *model, Word *word, int at) {
    int after = at >= 0 ? word->symbols[at].after : -1;
    if (after < 0) return;
    const EncMerge *merge = find_merge(model, pair_key(word->symbols[at].id, word->symbols[after].id));
    if (merge->key != 0) heap_push(word, (Pair){merge->rank, at, merge->id});
}

static void join_pairs(const EncModel *model, Word *word) {
    for (int i = 0; i < word->n; i++) offer_pair(model, word, i);
    while (word->n_heap > 0) {
        Pair pair = heap_pop(word);
        Symbol *left = &word->symbols[pair.at];
        if (left->id < 0 || left->after < 0) continue;
        Symbol *right = &word->symbols[left->after];
        const EncMerge *merge = find_merge(model, pair_key(left->id, right->id));
        if (merge->key == 0 || merge->id != pair.id) continue; /* one of them is another by now */
        left->id = pair.id;
        left->end = right->end;
        left->after = right->after;
        right->id = -1;
        if (left->after >= 0) word->symbols[left->after].before = pair.at;
        offer_pair(model, word, left->before);
        offer_pair(model, word, pair.at);
    }
}

static bool no_memory(EncWork *work, int n) {
    return err_set(work->err, ERR_MEMORY, tr("not enough memory for a word of %d bytes"), n);
}

bool enc_bpe_run(EncWork *work, const EncModel *model, EncSplit *split) {
    const EncText *text = &split->text;
    Word word = {0};
    int whole = model->ignore_merges ? enc_vocab_find(&model->vocab, text->bytes, text->n) : -1;
    if (whole >= 0) {
        split->tokens = ARENA_NEW(work->arena, EncToken);
        split->tokens[0] = (EncToken){whole, 0, text->n};
        split->n_tokens = 1;
        return true;
    }
    /* a join takes one symbol away and offers two pairs: never more than three pairs a symbol */
    word.symbols = arena_try_raw(work->arena, (size_t)text->n, sizeof *word.symbols);
    word.heap = arena_try_raw(work->arena, (size_t)text->n * 3, sizeof *word.heap);
    if (word.symbols == NULL || word.heap == NULL) return no_memory(work, text->n);
    begin_word(model, text, &word);
    join_pairs(model, &word);
    int n = 0;
    for (int i = 0; i < word.n; i++) n += word.symbols[i].id >= 0;
    split->tokens = arena_try_raw(work->arena, (size_t)n, sizeof *split->tokens);
    if (split->tokens == NULL) return no_memory(work, n);
    split->n_tokens = 0;
    for (int i = 0; i < word.n; i++) {
        const Symbol *s = &word.symbols[i];
        if (s->id >= 0) split->tokens[split->n_tokens++] = (EncToken){s->id, s->start, s->end};
    }
    return true;
}
