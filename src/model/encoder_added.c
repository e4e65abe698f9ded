/* Added tokens ([MASK], <|endoftext|>): found in the text before anything else is done to it. */
#include <string.h>

#include "base/tr.h"
#include "model/encoder_internal.h"

/* ---- reading ---- */

static bool read_one(EncRead *read, const JsonNode *node, const EncVocab *vocab, EncAdded *out) {
    const JsonNode *content;
    if (node->kind != JSON_TREE_OBJECT) return enc_refuse_kind(read, NULL, node, tr("an object with id and content"));
    if (!enc_need(read, node, "content", JSON_TREE_STRING, &content)) return false;
    if (content->n > ENC_PIECE_MAX) return enc_refuse(read, "content", tr("a token of %d bytes; at most %d are read"), content->n, ENC_PIECE_MAX);
    *out = (EncAdded){.content = {content->as.text, content->n}, .id = -1, .normalized = true};
    if (!enc_read_int(read, node, "id", 0, ENC_ID_MAX - 1, &out->id) || !enc_read_bool(read, node, "special", &out->special)) return false;
    out->normalized = !out->special;
    if (!enc_read_bool(read, node, "lstrip", &out->left) || !enc_read_bool(read, node, "rstrip", &out->right) ||
        !enc_read_bool(read, node, "single_word", &out->word) || !enc_read_bool(read, node, "normalized", &out->normalized))
        return false;
    int known = enc_vocab_find(vocab, content->as.text, content->n);
    if (known >= 0) out->id = known; /* the vocabulary's own id counts */
    if (out->id < 0) return enc_refuse(read, "id", tr("\"%.60s\" has no id, and the vocabulary has it not"), content->as.text);
    return true;
}

/* The trie of those that are looked for before (or behind) the normalizers; values are places in the list. */
static bool make_trie(EncRead *read, const EncAddedList *list, const EncSteps *normalizers, bool normalized, EncTrie *out) {
    EncBytes *words = ARENA_ARRAY(read->keep, EncBytes, (size_t)list->n);
    int *values = ARENA_ARRAY(read->keep, int, (size_t)list->n), n = 0;
    EncWork work = {.arena = read->scratch, .err = read->err};
    for (int i = 0; i < list->n; i++) {
        const EncAdded *added = &list->items[i];
        if (added->normalized != normalized) continue;
        words[n] = added->content;
        if (normalized) {
            EncMaker maker;
            EncText text;
            enc_maker_init(&maker, read->scratch, added->content.n);
            enc_put_bytes(&maker, added->content, (EncSpan){0, 0});
            if (!enc_maker_end(&maker, 0, &text, read->err) || !enc_normalize(&work, normalizers, &text)) return false;
            words[n] = (EncBytes){arena_strndup(read->keep, text.bytes, (size_t)text.n), text.n};
        }
        values[n++] = i;
    }
    return enc_trie_init(out, read->scratch, words, values, n) || err_set(read->err, ERR_MEMORY, tr("not enough memory for %d tokens"), n);
}

bool enc_read_added(EncRead *read, const JsonNode *node, const EncVocab *vocab, const EncSteps *normalizers, EncAddedList *out) {
    *out = (EncAddedList){.n = 0};
    if (node != NULL && node->kind != JSON_TREE_NULL) {
        if (node->kind != JSON_TREE_ARRAY) return enc_refuse_kind(read, "added_tokens", node, tr("a list"));
        out->items = ARENA_ARRAY(read->keep, EncAdded, (size_t)node->n);
        for (int i = 0; i < node->n; i++) {
            size_t path = enc_path_push(read, "added_tokens", i);
            if (!read_one(read, &node->as.items[i], vocab, &out->items[out->n])) return false;
            enc_path_pop(read, path);
            if (out->items[out->n].content.n > 0) out->n++;
        }
    }
    return make_trie(read, out, normalizers, false, &out->plain) && make_trie(read, out, normalizers, true, &out->normal);
}

/* ---- finding ---- */

/* The longest token at byte `at`; place in the list, its end in *end; -1 = none. */
static int match_at(const EncTrie *trie, const EncText *text, int at, int *end) {
    EncWalk walk = {0};
    int found = -1, value;
    for (int i = at; i < text->n && enc_trie_walk(trie, &walk, (unsigned char)text->bytes[i], &value); i++) {
        if (value < 0) continue;
        found = value;
        *end = i + 1;
    }
    return found;
}

static int step_back(const EncText *text, int at) {
    do at--;
    while (at > 0 && ((unsigned char)text->bytes[at] & 0xC0) == 0x80);
    return at;
}

static bool word_before(const EncText *text, int at) {
    int from = at > 0 ? step_back(text, at) : 0;
    return at > 0 && enc_is_word(enc_next(text, &from));
}

static bool word_behind(const EncText *text, int at) {
    return at < text->n && enc_is_word(enc_next(text, &at));
}

/* White space beside the token that belongs to it; never before `least`. */
static void widen(const EncAdded *added, const EncText *text, int least, int *start, int *end) {
    while (added->left && *start > least) {
        int before = step_back(text, *start), next = before;
        if (!enc_is_white(enc_next(text, &next))) break;
        *start = before;
    }
    while (added->right && *end < text->n) {
        int next = *end;
        if (!enc_is_white(enc_next(text, &next))) break;
        *end = next;
    }
}

static bool add_token(EncWork *work, const EncAdded *added, EncText text, EncSplits *out) {
    EncToken *token = ARENA_NEW(work->arena, EncToken);
    *token = (EncToken){added->id, 0, text.n};
    return enc_splits_add(work, out, (EncSplit){.text = text, .tokens = token, .n_tokens = 1, .done = true});
}

/* Cuts one text at the tokens of a trie; what lies between goes through `between`. */
typedef bool Between(EncWork *work, const EncAddedList *added, const EncSteps *normalizers, EncText text, EncSplits *out);

static bool cut(EncWork *work, const EncAddedList *list, const EncTrie *trie, const EncSteps *normalizers, const EncText *text, Between *between, EncSplits *out) {
    int done = 0;
    for (int at = 0; at < text->n && trie->n > 0;) {
        int end, found = match_at(trie, text, at, &end), start = at;
        if (found < 0) {
            at++;
            continue;
        }
        const EncAdded *added = &list->items[found];
        at = end;
        if (added->word && (word_before(text, start) || word_behind(text, end))) continue;
        if (start < done) continue; /* the token before took it as white space */
        widen(added, text, done, &start, &end);
        if (start > done && !between(work, list, normalizers, enc_slice(text, done, start), out)) return false;
        if (!add_token(work, added, enc_slice(text, start, end), out)) return false;
        done = end;
        if (at < end) at = end;
    }
    return done >= text->n || between(work, list, normalizers, enc_slice(text, done, text->n), out);
}

static bool as_it_is(EncWork *work, const EncAddedList *list, const EncSteps *normalizers, EncText text, EncSplits *out) {
    (void)list, (void)normalizers;
    return enc_splits_add(work, out, (EncSplit){.text = text});
}

static bool normalize_and_cut(EncWork *work, const EncAddedList *list, const EncSteps *normalizers, EncText text, EncSplits *out) {
    return enc_normalize(work, normalizers, &text) && cut(work, list, &list->normal, normalizers, &text, as_it_is, out);
}

bool enc_added_split(EncWork *work, const EncAddedList *added, const EncSteps *normalizers, const EncText *text, EncSplits *out) {
    return cut(work, added, &added->plain, normalizers, text, normalize_and_cut, out);
}
