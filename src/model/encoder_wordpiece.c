/* WordPiece (longest piece first) and WordLevel (whole words). */
#include <string.h>

#include "base/tr.h"
#include "model/encoder_internal.h"

static bool no_unknown(EncWork *work) {
    return err_set(work->err, ERR_INPUT, tr("the text has a word that the vocabulary has not, and there is no unknown token for it"));
}

static bool one_token(EncWork *work, EncSplit *split, int id) {
    if (id < 0) return no_unknown(work);
    split->tokens = ARENA_NEW(work->arena, EncToken);
    split->tokens[0] = (EncToken){id, 0, split->text.n};
    split->n_tokens = 1;
    return true;
}

bool enc_wordlevel_run(EncWork *work, const EncModel *model, EncSplit *split) {
    int id = enc_vocab_find(&model->vocab, split->text.bytes, split->text.n);
    return one_token(work, split, id >= 0 ? id : model->unknown);
}

static int count_characters(const EncText *text) {
    int n = 0;
    for (int i = 0; i < text->n; i++) n += ((unsigned char)text->bytes[i] & 0xC0) != 0x80;
    return n;
}

/* What the longest piece is looked for with: the prefix and a copy of the text behind it. */
typedef struct {
    char *piece;
    uint64_t *hashes;
} Search;

/* The longest piece at `start`, with the prefix inside a word; its end goes to *end. */
static int longest_piece(const EncModel *model, const EncText *text, int start, const Search *search, int *end) {
    int prefix = start > 0 ? model->prefix.n : 0, most = model->vocab.longest - prefix, n = 0;
    if (most > text->n - start) most = text->n - start;
    if (most <= 0) return -1;
    memcpy(search->piece + model->prefix.n, text->bytes + start, (size_t)most);
    const char *piece = search->piece + model->prefix.n - prefix;
    int id = enc_vocab_longest(&model->vocab, piece, prefix + 1, prefix + most, search->hashes, &n);
    *end = start + n - prefix;
    return id;
}

bool enc_wordpiece_run(EncWork *work, const EncModel *model, EncSplit *split) {
    const EncText *text = &split->text;
    int characters = count_characters(text);
    if (characters > model->word_max) return one_token(work, split, model->unknown);
    Search search = {arena_try_raw(work->arena, (size_t)(model->prefix.n + model->vocab.longest), 1),
                     arena_try_raw(work->arena, (size_t)model->vocab.longest, sizeof *search.hashes)};
    EncToken *tokens = arena_try_raw(work->arena, (size_t)characters, sizeof *tokens);
    if (search.piece == NULL || search.hashes == NULL || tokens == NULL) return err_set(work->err, ERR_MEMORY, tr("not enough memory for a word of %d bytes"), text->n);
    if (model->prefix.n > 0) memcpy(search.piece, model->prefix.bytes, (size_t)model->prefix.n);
    int n = 0;
    for (int start = 0, end; start < text->n; start = end) {
        int id = longest_piece(model, text, start, &search, &end);
        if (id < 0) return one_token(work, split, model->unknown);
        tokens[n++] = (EncToken){id, start, end};
    }
    split->tokens = tokens;
    split->n_tokens = n;
    return true;
}
