/* Ids back to text. */
#include <assert.h>
#include <string.h>

#include "base/tr.h"
#include "base/utf8.h"
#include "model/encoder_internal.h"

typedef enum {
    DECODE_BPE, DECODE_FALLBACK, DECODE_BYTES, DECODE_CTC, DECODE_FUSE, DECODE_METASPACE, DECODE_REPLACE, DECODE_STRIP, DECODE_WORDPIECE, DECODE_COUNT
} Decode;

/* ---- reading ---- */

static bool read_bpe(EncRead *read, const JsonNode *node, EncStep *step) {
    step->text = (EncBytes){"</w>", 4};
    return enc_read_text(read, node, "suffix", &step->text);
}

static bool read_ctc(EncRead *read, const JsonNode *node, EncStep *step) {
    step->text = (EncBytes){"|", 1};
    return enc_read_text(read, node, "word_delimiter_token", &step->text);
}

static bool read_metaspace(EncRead *read, const JsonNode *node, EncStep *step) {
    step->text = (EncBytes){"\u2581", 3};
    return enc_read_text(read, node, "replacement", &step->text);
}

static bool read_replace(EncRead *read, const JsonNode *node, EncStep *step) {
    const JsonNode *text;
    return enc_need(read, node, "content", JSON_TREE_STRING, &text) && enc_read_text(read, node, "content", &step->content) &&
           enc_read_pattern(read, node, "pattern", &step->pattern);
}

static bool read_strip(EncRead *read, const JsonNode *node, EncStep *step) {
    step->text = (EncBytes){" ", 1};
    return enc_read_text(read, node, "content", &step->text) && enc_read_int(read, node, "start", 0, TEXT_MAX, &step->length);
}

static bool read_wordpiece(EncRead *read, const JsonNode *node, EncStep *step) {
    step->text = (EncBytes){"##", 2};
    step->clean = true;
    return enc_read_text(read, node, "prefix", &step->text) && enc_read_bool(read, node, "cleanup", &step->clean);
}

static const EncStepKind kinds[] = {
    [DECODE_BPE] = {"BPEDecoder", read_bpe},
    [DECODE_FALLBACK] = {"ByteFallback", NULL},
    [DECODE_BYTES] = {"ByteLevel", NULL},
    [DECODE_CTC] = {"CTC", read_ctc},
    [DECODE_FUSE] = {"Fuse", NULL},
    [DECODE_METASPACE] = {"Metaspace", read_metaspace},
    [DECODE_REPLACE] = {"Replace", read_replace},
    [DECODE_STRIP] = {"Strip", read_strip},
    [DECODE_WORDPIECE] = {"WordPiece", read_wordpiece},
};
static_assert(sizeof kinds / sizeof *kinds == DECODE_COUNT, "one row a decoder");
const EncSection enc_decoders = {"decoder", "decoders", kinds, DECODE_COUNT};

/* ---- one piece ---- */

/* A piece on its way to text. Bytes may be no UTF-8 behind the byte steps. */
typedef struct {
    Arena *arena;
    EncBytes bytes;
    bool first; /* nothing stands before it */
    bool fused; /* what follows is for the whole text */
} Piece;

typedef void Decoder(const EncStep *step, Piece *piece);

static EncBytes joined(Arena *arena, EncBytes a, EncBytes b) {
    char *bytes = arena_alloc(arena, (size_t)a.n + (size_t)b.n + 1, 1);
    if (a.n > 0) memcpy(bytes, a.bytes, (size_t)a.n);
    if (b.n > 0) memcpy(bytes + a.n, b.bytes, (size_t)b.n);
    return (EncBytes){bytes, a.n + b.n};
}

static bool begins(EncBytes text, EncBytes front) {
    return front.n > 0 && text.n >= front.n && memcmp(text.bytes, front.bytes, (size_t)front.n) == 0;
}

static bool is_text(EncBytes text, const char *word) {
    return text.n == (int)strlen(word) && memcmp(text.bytes, word, (size_t)text.n) == 0;
}

/* All of `from` as a space. */
static void as_space(EncBytes from, Piece *piece) {
    StrBuf sb;
    sb_init(&sb, piece->arena);
    for (int i = 0; i < piece->bytes.n;) {
        bool here = begins((EncBytes){piece->bytes.bytes + i, piece->bytes.n - i}, from);
        sb_add_n(&sb, here ? " " : piece->bytes.bytes + i, 1);
        i += here ? from.n : 1;
    }
    piece->bytes = (EncBytes){sb.data, (int)sb.length};
}

static void run_bpe(const EncStep *step, Piece *piece) {
    as_space(step->text, piece);
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* "<0xE4>" */
static void run_fallback(const EncStep *step, Piece *piece) {
    (void)step;
    const char *p = piece->bytes.bytes;
    if (piece->bytes.n != 6 || memcmp(p, "<0x", 3) != 0 || p[5] != '>' || hex_digit(p[3]) < 0 || hex_digit(p[4]) < 0) return;
    char byte = (char)(hex_digit(p[3]) << 4 | hex_digit(p[4]));
    piece->bytes = (EncBytes){arena_strndup(piece->arena, &byte, 1), 1};
}

/* Letters to bytes; a piece with any other character stays as it is. */
static void run_bytes(const EncStep *step, Piece *piece) {
    (void)step;
    char *bytes = arena_alloc(piece->arena, (size_t)piece->bytes.n + 1, 1);
    int n = 0;
    for (size_t at = 0; at < (size_t)piece->bytes.n;) {
        int byte = enc_letter_byte(utf8_next(piece->bytes.bytes, (size_t)piece->bytes.n, &at));
        if (byte < 0) return;
        bytes[n++] = (char)byte;
    }
    piece->bytes = (EncBytes){bytes, n};
}

static void drop_front(Piece *piece, int n) {
    piece->bytes = (EncBytes){piece->bytes.bytes + n, piece->bytes.n - n};
}

static void run_fuse(const EncStep *step, Piece *piece) {
    (void)step;
    piece->fused = true;
}

static void run_metaspace(const EncStep *step, Piece *piece) {
    if (piece->first && begins(piece->bytes, step->text)) drop_front(piece, step->text.n);
    as_space(step->text, piece);
}

static void run_replace(const EncStep *step, Piece *piece) {
    if (utf8_valid_until(piece->bytes.bytes, (size_t)piece->bytes.n) < (size_t)piece->bytes.n) return;
    EncWork work = {.arena = piece->arena};
    EncText text = {piece->bytes.bytes, NULL, piece->bytes.n, 0};
    StrBuf sb;
    sb_init(&sb, piece->arena);
    int done = 0, start, end;
    while (done < text.n && enc_pattern_find(&work, step->pattern, &text, done, &start, &end) && start >= 0 && end > start) {
        sb_add_n(&sb, text.bytes + done, (size_t)(start - done));
        sb_add_n(&sb, step->content.bytes, (size_t)step->content.n);
        done = end;
    }
    sb_add_n(&sb, text.bytes + done, (size_t)(text.n - done));
    piece->bytes = (EncBytes){sb.data, (int)sb.length};
}

/* Behind Fuse only the front of the whole text is meant. */
static void run_strip(const EncStep *step, Piece *piece) {
    if (piece->fused && !piece->first) return;
    for (int i = 0; i < step->length && begins(piece->bytes, step->text); i++) drop_front(piece, step->text.n);
}

static void run_wordpiece(const EncStep *step, Piece *piece) {
    static const char *const close[] = {".", "?", "!", ",", "n't", "'m", "'s", "'ve", "'re"};
    if (piece->first) return;
    if (begins(piece->bytes, step->text)) {
        drop_front(piece, step->text.n);
        return;
    }
    for (size_t i = 0; i < sizeof close / sizeof *close && step->clean; i++)
        if (is_text(piece->bytes, close[i])) return;
    piece->bytes = joined(piece->arena, (EncBytes){" ", 1}, piece->bytes);
}

static Decoder *const decoders[] = {
    [DECODE_BPE] = run_bpe,             [DECODE_FALLBACK] = run_fallback, [DECODE_BYTES] = run_bytes, [DECODE_CTC] = run_bpe, [DECODE_FUSE] = run_fuse,
    [DECODE_METASPACE] = run_metaspace, [DECODE_REPLACE] = run_replace,   [DECODE_STRIP] = run_strip, [DECODE_WORDPIECE] = run_wordpiece,
};
static_assert(sizeof decoders / sizeof *decoders == DECODE_COUNT, "each decoder does something");

static bool known(const Encoder *encoder, int id) {
    return id >= 0 && id < encoder->size && encoder->pieces[id].bytes != NULL;
}

static EncBytes decode_one(const Encoder *encoder, int id, bool first, Arena *arena) {
    if (!known(encoder, id)) return (EncBytes){"", 0};
    Piece piece = {arena, encoder->pieces[id], first, false};
    if (encoder->special[id]) return piece.bytes;
    if (encoder->decoders.n == 0 && encoder->byte_level) run_bytes(NULL, &piece);
    for (int i = 0; i < encoder->decoders.n; i++) {
        const EncStep *step = &encoder->decoders.items[i];
        decoders[step->kind](step, &piece);
    }
    return piece.bytes;
}

/* Bytes that are no whole character as "<0xE4>", and `zero` for U+0000. */
static const char *spelled(EncBytes bytes, const char *zero, Arena *arena) {
    StrBuf sb;
    sb_init(&sb, arena);
    for (size_t at = 0, n = (size_t)bytes.n; at < n;) {
        size_t start = at, good;
        uint32_t c = utf8_next(bytes.bytes, n, &at);
        good = c == 0xFFFD ? utf8_valid_until(bytes.bytes + start, at - start) : at - start;
        if (c == 0) sb_add(&sb, zero);
        else if (good < at - start) sb_printf(&sb, "<0x%02X>", (unsigned)(unsigned char)bytes.bytes[start]);
        else sb_add_n(&sb, bytes.bytes + start, at - start);
    }
    return sb.data;
}

const char *encoder_text(const Encoder *encoder, int id, Arena *arena) {
    return spelled(decode_one(encoder, id, false, arena), "<0x00>", arena);
}

const char *encoder_label(const Encoder *encoder, int id, Arena *arena) {
    if (!known(encoder, id)) return "";
    bool as_written = encoder->special[id] || encoder->model.kind == ENC_WORDPIECE || encoder->model.kind == ENC_WORDLEVEL;
    EncBytes bytes = as_written ? encoder->pieces[id] : decode_one(encoder, id, false, arena);
    return token_label(spelled(bytes, "\u2400", arena), arena);
}

const char *encoder_decode(const Encoder *encoder, const int *ids, int n, Arena *arena) {
    StrBuf sb;
    bool first = true;
    sb_init(&sb, arena);
    for (int i = 0; i < n; i++) {
        if (!known(encoder, ids[i]) || encoder->special[ids[i]]) continue;
        EncBytes bytes = decode_one(encoder, ids[i], first, arena);
        sb_add_n(&sb, bytes.bytes, (size_t)bytes.n);
        first = false;
    }
    return utf8_clean(arena, sb.data, sb.length);
}
