#include "model/encoder.h"

#include <string.h>

#include "base/tr.h"
#include "base/utf8.h"
#include "model/encoder_internal.h"

/* ---- what it is ---- */

const char *encoder_kind(const Encoder *encoder) {
    static const char *const names[] = {[ENC_BPE] = "BPE", [ENC_WORDPIECE] = "WordPiece", [ENC_UNIGRAM] = "Unigram", [ENC_WORDLEVEL] = "WordLevel"};
    if (encoder->model.kind == ENC_BPE && encoder->byte_level) return "byte-level BPE";
    if (encoder->model.kind == ENC_BPE && encoder->model.byte_fallback) return "BPE with byte fallback";
    return names[encoder->model.kind];
}

int encoder_size(const Encoder *encoder) {
    return encoder->size;
}

const char *encoder_piece(const Encoder *encoder, int id) {
    bool known = id >= 0 && id < encoder->size && encoder->pieces[id].bytes != NULL;
    return known ? encoder->pieces[id].bytes : "";
}

int encoder_find(const Encoder *encoder, const char *piece) {
    int n = (int)strnlen(piece, ENC_FILE_MAX);
    for (int i = encoder->added.n - 1; i >= 0; i--) {
        const EncAdded *added = &encoder->added.items[i];
        if (added->content.n == n && memcmp(added->content.bytes, piece, (size_t)n) == 0) return added->id;
    }
    return enc_vocab_find(&encoder->model.vocab, piece, n);
}

bool encoder_is_special(const Encoder *encoder, int id) {
    return id >= 0 && id < encoder->size && encoder->special[id];
}

int encoder_mask_id(const Encoder *encoder) {
    return encoder->mask_id;
}

int encoder_unknown_id(const Encoder *encoder) {
    return encoder->model.unknown;
}

/* ---- encoding ---- */

/* Code points before each byte of a text, for places in characters. */
static int *count_points(const EncText *text, Arena *arena) {
    int *points = arena_try_raw(arena, (size_t)text->n + 1, sizeof *points), n = 0;
    for (int i = 0; i < text->n && points != NULL; i++) {
        bool begins = ((unsigned char)text->bytes[i] & 0xC0) != 0x80;
        n += begins;
        points[i] = begins ? n - 1 : n; /* inside a character: behind it */
    }
    if (points != NULL) points[text->n] = n;
    return points;
}

static bool is_space_letter(uint32_t c) {
    return c == 0x120 || enc_is_white(c);
}

/* Spaces at the front and the back of a token, as letters. */
static void count_spaces(EncBytes piece, int *lead, int *trail) {
    EncText text = {piece.bytes, NULL, piece.n, 0};
    bool front = true;
    *lead = *trail = 0;
    for (int at = 0; at < text.n;) {
        bool space = is_space_letter(enc_next(&text, &at));
        front = front && space;
        *lead += front;
        *trail = space ? *trail + 1 : 0;
    }
}

static bool too_many(EncWork *work, int n) {
    return err_set(work->err, ERR_LIMIT, tr("this text has at least %d tokens; at most %d are shown"), n, TOKENS_MAX);
}

/* Words that were met before in this text keep their tokens. */
enum { MEMORY = 1024 };

static bool run_models(EncWork *work, const Encoder *encoder, EncSplits *splits, int *total) {
    EncSplit **memory = ARENA_ARRAY(work->arena, EncSplit *, MEMORY);
    *total = 0;
    for (int i = 0; i < splits->n; i++) {
        EncSplit *split = &splits->items[i];
        if (!split->done) {
            EncSplit **seen = &memory[hash_fnv1a(split->text.bytes, (size_t)split->text.n) % MEMORY];
            bool same = *seen != NULL && (*seen)->text.n == split->text.n && memcmp((*seen)->text.bytes, split->text.bytes, (size_t)split->text.n) == 0;
            if (!same && !enc_model_run(work, &encoder->model, split)) return false;
            if (same) {
                split->tokens = (*seen)->tokens;
                split->n_tokens = (*seen)->n_tokens;
            }
            *seen = split;
        }
        *total += split->n_tokens;
        if (*total > TOKENS_MAX) return too_many(work, *total);
    }
    return true;
}

static void list_tokens(const Encoder *encoder, const EncSplits *splits, const int *points, int source, EncList *out) {
    for (int i = 0; i < splits->n; i++) {
        const EncSplit *split = &splits->items[i];
        for (int k = 0; k < split->n_tokens; k++, out->n++) {
            const EncToken *token = &split->tokens[k];
            EncSpan span = enc_span_of(&split->text, token->start, token->end);
            out->ids[out->n] = token->id;
            out->bytes[out->n] = span;
            out->chars[out->n] = (EncSpan){points[span.start], points[span.end]};
            out->source[out->n] = source;
            count_spaces(split->done ? (EncBytes){split->text.bytes, split->text.n} : encoder->pieces[token->id], &out->lead[out->n], &out->trail[out->n]);
        }
    }
}

static bool encode_one(EncWork *work, const Encoder *encoder, const char *bytes, size_t length, int source, EncList *out) {
    EncText text;
    EncMaker maker;
    EncSplits splits = {.n = 0};
    int total;
    if (length > TEXT_MAX) return err_set(work->err, ERR_LIMIT, tr("a text of %zu bytes; at most %d are read"), length, TEXT_MAX);
    if (!utf8_check(bytes, length, work->err)) return false;
    enc_maker_init(&maker, work->arena, (int)length);
    text = (EncText){bytes, NULL, (int)length, 0};
    for (int at = 0; at < text.n;) {
        int start = at;
        enc_next(&text, &at);
        enc_put_bytes(&maker, (EncBytes){bytes + start, at - start}, (EncSpan){start, at});
    }
    int *points = count_points(&text, work->arena);
    if (points == NULL) return err_set(work->err, ERR_MEMORY, tr("not enough memory for a text of %zu bytes"), length);
    return enc_maker_end(&maker, 0, &text, work->err) && enc_added_split(work, &encoder->added, &encoder->normalizers, &text, &splits) &&
           enc_pre_tokenize(work, &encoder->pre_tokenizers, &splits) && run_models(work, encoder, &splits, &total) &&
           enc_list_init(work, bytes, total, out) && (list_tokens(encoder, &splits, points, source, out), true);
}

static void fill(const Encoder *encoder, const EncList *list, Arena *arena, Encoding *out) {
    size_t n = (size_t)list->n;
    *out = (Encoding){.n = list->n, .ids = ARENA_ARRAY(arena, int, n), .pieces = ARENA_ARRAY(arena, const char *, n),
                      .start = ARENA_ARRAY(arena, int, n), .end = ARENA_ARRAY(arena, int, n), .char_start = ARENA_ARRAY(arena, int, n),
                      .char_end = ARENA_ARRAY(arena, int, n), .type_ids = ARENA_ARRAY(arena, int, n), .source = ARENA_ARRAY(arena, int, n),
                      .added = ARENA_ARRAY(arena, bool, n)};
    for (size_t i = 0; i < n; i++) {
        out->ids[i] = list->ids[i];
        out->pieces[i] = encoder_piece(encoder, list->ids[i]);
        out->start[i] = list->bytes[i].start;
        out->end[i] = list->bytes[i].end;
        out->char_start[i] = list->chars[i].start;
        out->char_end[i] = list->chars[i].end;
        out->type_ids[i] = list->type_ids[i];
        out->source[i] = list->source[i];
        out->added[i] = list->source[i] < 0;
    }
}

bool encoder_encode(const Encoder *encoder, const char *text, size_t length, const char *pair, size_t pair_length,
                    bool special, Arena *arena, Encoding *out, Err *err) {
    Arena scratch = {0};
    EncWork work = {.arena = &scratch, .err = err};
    EncList first, second, all;
    bool ok = encode_one(&work, encoder, text, length, 0, &first) && (pair == NULL || encode_one(&work, encoder, pair, pair_length, 1, &second)) &&
              enc_process(&work, encoder, &first, pair != NULL ? &second : NULL, special, &all);
    if (ok) fill(encoder, &all, arena, out);
    else *out = (Encoding){.n = 0};
    arena_free(&scratch);
    return ok;
}
