/* Unigram (Kudo 2018): the way through the text whose pieces have the largest sum of scores. */
#include <assert.h>
#include <string.h>

#include "base/tr.h"
#include "model/encoder_internal.h"

/* An unknown character costs this much more than the rarest piece (SentencePiece). */
static const double unknown_penalty = 10;

/* The best way from the front to a byte: where its last piece begins. */
typedef struct {
    double score;
    int start, id; /* start -1: not reached yet */
} Node;

static void offer(Node *node, double score, int start, int id) {
    if (node->start >= 0 && !(score > node->score)) return; /* the first of equal ways stays */
    *node = (Node){score, start, id};
}

/* All pieces that begin at `start`. */
static bool offer_pieces(EncWork *work, const EncModel *model, const EncText *text, Node *nodes, int start, int next) {
    EncWalk walk = {0};
    bool single = false;
    int id;
    double score = nodes[start].score;
    for (int i = start; i < text->n && enc_trie_walk(&model->trie, &walk, (unsigned char)text->bytes[i], &id); i++) {
        if (id < 0) continue;
        offer(&nodes[i + 1], score + model->scores[id], start, id);
        single = single || i + 1 == next;
    }
    if (single) return true;
    if (model->unknown < 0) return err_set(work->err, ERR_INPUT, tr("the text has a character that no piece has, and the file gives no unk_id"));
    offer(&nodes[next], score + (model->least - unknown_penalty), start, model->unknown);
    return true;
}

/* The pieces from the front on, unknown neighbours as one: their ends go to `ends`, how many is returned. */
static int walk_back(const EncModel *model, const Node *nodes, int size, int *ends) {
    int n = 0;
    bool unknown = false;
    for (int end = size; end > 0; end = nodes[end].start) {
        bool is_unknown = nodes[end].id == model->unknown;
        if (!is_unknown || !unknown) ends[n++] = end;
        unknown = is_unknown;
    }
    for (int i = 0; i < n / 2; i++) {
        int end = ends[i];
        ends[i] = ends[n - 1 - i];
        ends[n - 1 - i] = end;
    }
    return n;
}

static bool have_bytes(const EncModel *model, const EncText *text, int start, int end) {
    if (!model->byte_fallback) return false;
    for (int i = start; i < end; i++)
        if (model->bytes[(unsigned char)text->bytes[i]] < 0) return false;
    return true;
}

static void add_piece(const EncModel *model, EncSplit *split, int start, int end) {
    const EncText *text = &split->text;
    int id = enc_vocab_find(&model->vocab, text->bytes + start, end - start);
    if (id < 0 && have_bytes(model, text, start, end)) {
        for (int i = start; i < end; i++) split->tokens[split->n_tokens++] = (EncToken){model->bytes[(unsigned char)text->bytes[i]], start, end};
        return;
    }
    split->tokens[split->n_tokens++] = (EncToken){id >= 0 ? id : model->unknown, start, end};
}

bool enc_unigram_run(EncWork *work, const EncModel *model, EncSplit *split) {
    const EncText *text = &split->text;
    int size = text->n;
    Node *nodes = arena_try_raw(work->arena, (size_t)size + 1, sizeof *nodes);
    int *ends = arena_try_raw(work->arena, (size_t)size + 1, sizeof *ends);
    split->tokens = arena_try_raw(work->arena, (size_t)size, sizeof *split->tokens);
    if (nodes == NULL || ends == NULL || split->tokens == NULL)
        return err_set(work->err, ERR_MEMORY, tr("not enough memory for a text of %d bytes"), size);
    for (int i = 0; i <= size; i++) nodes[i] = (Node){0, -1, -1};
    for (int at = 0; at < size;) {
        int start = at;
        enc_next(text, &at);
        if (!offer_pieces(work, model, text, nodes, start, at)) return false;
    }
    int n = walk_back(model, nodes, size, ends);
    split->n_tokens = 0;
    for (int i = 0; i < n; i++) add_piece(model, split, i == 0 ? 0 : ends[i - 1], ends[i]);
    return true;
}

/* ---- reading ---- */

/* One [piece, score]; what is wrong with it, NULL = nothing. */
static const char *read_piece(EncModel *model, const JsonNode *entry, int id, EncBytes *word) {
    const JsonNode *piece = entry->as.items;
    bool good = entry->kind == JSON_TREE_ARRAY && entry->n == 2 && piece[0].kind == JSON_TREE_STRING && piece[1].kind == JSON_TREE_NUMBER;
    if (!good) return tr("[piece, score] is expected");
    if (piece[0].n > ENC_PIECE_MAX) return tr("the piece is too long: at most 1024 bytes are read");
    *word = (EncBytes){piece[0].as.text, piece[0].n};
    model->scores[id] = piece[1].as.number;
    if (id == 0 || model->scores[id] < model->least) model->least = model->scores[id];
    return enc_vocab_add(&model->vocab, *word, id) ? NULL : tr("its id is taken");
}
static_assert(ENC_PIECE_MAX == 1024, "the message says so");

bool enc_unigram_init(EncRead *read, EncModel *model, const JsonNode *vocab) {
    int n = vocab->n;
    EncBytes *words = arena_try_raw(read->keep, (size_t)n, sizeof *words);
    int *values = arena_try_raw(read->keep, (size_t)n, sizeof *values);
    model->scores = arena_try_raw(read->keep, (size_t)n, sizeof *model->scores);
    if (words == NULL || values == NULL || model->scores == NULL) return err_set(read->err, ERR_MEMORY, tr("not enough memory for %d pieces"), n);
    for (int i = 0; i < n; i++) {
        values[i] = i;
        const char *wrong = read_piece(model, &vocab->as.items[i], i, &words[i]);
        if (wrong == NULL) continue;
        size_t path = enc_path_push(read, "vocab", i);
        enc_refuse(read, NULL, "%s", wrong);
        enc_path_pop(read, path);
        return false;
    }
    return enc_trie_init(&model->trie, read->scratch, words, values, n) || err_set(read->err, ERR_MEMORY, tr("not enough memory for %d pieces"), n);
}
