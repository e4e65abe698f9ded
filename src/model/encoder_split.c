/* Pre-tokenizers: where the text is cut before the model sees it. */
#include <assert.h>
#include <string.h>

#include "base/tr.h"
#include "base/utf8.h"
#include "model/encoder_internal.h"

typedef enum {
    SPLIT_BERT, SPLIT_BYTES, SPLIT_CHARACTER, SPLIT_DIGITS, SPLIT_LENGTH, SPLIT_METASPACE, SPLIT_PUNCTUATION, SPLIT_PATTERN,
    SPLIT_WHITESPACE, SPLIT_WHITE, SPLIT_COUNT
} SplitKind;

/* ---- reading ---- */

static const char *const behaviours[] = {
    [ENC_REMOVED] = "Removed", [ENC_ISOLATED] = "Isolated", [ENC_MERGED_PREVIOUS] = "MergedWithPrevious", [ENC_MERGED_NEXT] = "MergedWithNext",
    [ENC_CONTIGUOUS] = "Contiguous"};
static_assert(sizeof behaviours / sizeof *behaviours == ENC_BEHAVIOUR_COUNT, "one name a behaviour");
static const char *const prepends[] = {[ENC_PREPEND_ALWAYS] = "always", [ENC_PREPEND_FIRST] = "first", [ENC_PREPEND_NEVER] = "never"};
static_assert(sizeof prepends / sizeof *prepends == ENC_PREPEND_COUNT, "one name a scheme");

/* GPT-2's: contractions, letters, numbers and others with the space before them, spaces. */
static const char byte_level_expression[] = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

static bool read_behaviour(EncRead *read, const JsonNode *node, EncStep *step) {
    int behaviour = (int)step->behaviour;
    if (!enc_read_choice(read, node, "behavior", behaviours, ENC_BEHAVIOUR_COUNT, &behaviour)) return false;
    step->behaviour = (EncBehaviour)behaviour;
    return true;
}

static bool read_bytes(EncRead *read, const JsonNode *node, EncStep *step) {
    step->prefix_space = step->regex = true;
    return enc_read_bool(read, node, "add_prefix_space", &step->prefix_space) && enc_read_bool(read, node, "use_regex", &step->regex) &&
           enc_pattern_open(read, byte_level_expression, &step->pattern);
}

static bool read_character(EncRead *read, const JsonNode *node, EncStep *step) {
    const JsonNode *text;
    return enc_need(read, node, "delimiter", JSON_TREE_STRING, &text) && enc_read_text(read, node, "delimiter", &step->text);
}

static bool read_digits(EncRead *read, const JsonNode *node, EncStep *step) {
    return enc_read_bool(read, node, "individual_digits", &step->each);
}

static bool read_length(EncRead *read, const JsonNode *node, EncStep *step) {
    step->length = 5;
    return enc_read_int(read, node, "length", 1, TEXT_MAX, &step->length);
}

static bool read_metaspace(EncRead *read, const JsonNode *node, EncStep *step) {
    int prepend = ENC_PREPEND_ALWAYS;
    bool prefix = true;
    step->split = true;
    step->text = (EncBytes){"\u2581", 3};
    if (!enc_read_text(read, node, "replacement", &step->text) || !enc_read_bool(read, node, "split", &step->split) ||
        !enc_read_bool(read, node, "add_prefix_space", &prefix))
        return false;
    if (!prefix) prepend = ENC_PREPEND_NEVER;
    if (!enc_read_choice(read, node, "prepend_scheme", prepends, ENC_PREPEND_COUNT, &prepend)) return false;
    step->prepend = (EncPrepend)prepend;
    return true;
}

static bool read_punctuation(EncRead *read, const JsonNode *node, EncStep *step) {
    step->behaviour = ENC_ISOLATED;
    return read_behaviour(read, node, step);
}

static bool read_pattern(EncRead *read, const JsonNode *node, EncStep *step) {
    const JsonNode *text;
    return enc_need(read, node, "behavior", JSON_TREE_STRING, &text) && read_behaviour(read, node, step) &&
           enc_read_bool(read, node, "invert", &step->invert) && enc_read_pattern(read, node, "pattern", &step->pattern);
}

static const EncStepKind kinds[] = {
    [SPLIT_BERT] = {"BertPreTokenizer", NULL},
    [SPLIT_BYTES] = {"ByteLevel", read_bytes},
    [SPLIT_CHARACTER] = {"CharDelimiterSplit", read_character},
    [SPLIT_DIGITS] = {"Digits", read_digits},
    [SPLIT_LENGTH] = {"FixedLength", read_length},
    [SPLIT_METASPACE] = {"Metaspace", read_metaspace},
    [SPLIT_PUNCTUATION] = {"Punctuation", read_punctuation},
    [SPLIT_PATTERN] = {"Split", read_pattern},
    [SPLIT_WHITESPACE] = {"Whitespace", NULL},
    [SPLIT_WHITE] = {"WhitespaceSplit", NULL},
};
static_assert(sizeof kinds / sizeof *kinds == SPLIT_COUNT, "one row a pre-tokenizer");
const EncSection enc_pre_tokenizers = {"pre_tokenizer", "pretokenizers", kinds, SPLIT_COUNT};

/* ---- parts of one text: those that match and those between ---- */

typedef struct {
    int start, end;
    bool match;
} Part;

typedef struct {
    EncWork *work;
    Part *items;
    int n, room;
    bool failed;
} Parts;

static void add_part(Parts *parts, int start, int end, bool match) {
    if (parts->n == parts->room) {
        int room = parts->room * 2 + 16;
        Part *items = parts->work->arena->used > ENC_WORK_MAX ? NULL : arena_try_raw(parts->work->arena, (size_t)room, sizeof *items);
        if (items == NULL) {
            parts->failed = true;
            return;
        }
        if (parts->n > 0) memcpy(items, parts->items, (size_t)parts->n * sizeof *items);
        parts->items = items;
        parts->room = room;
    }
    parts->items[parts->n++] = (Part){start, end, match};
}

static void part_by_characters(Parts *parts, const EncText *text, bool (*is)(uint32_t c)) {
    int done = 0;
    for (int at = 0; at < text->n;) {
        int start = at;
        if (!is(enc_next(text, &at))) continue;
        if (start > done) add_part(parts, done, start, false);
        add_part(parts, start, at, true);
        done = at;
    }
    if (done < text->n) add_part(parts, done, text->n, false);
}

static bool part_by_pattern(Parts *parts, const EncText *text, const EncPattern *pattern) {
    int done = 0, from = 0, start, end;
    while (from < text->n) {
        if (!enc_pattern_find(parts->work, pattern, text, from, &start, &end)) return false;
        if (start < 0) break;
        if (start > done) add_part(parts, done, start, false);
        if (end > start) add_part(parts, start, end, true);
        done = from = end;
        if (end == start && from < text->n) enc_next(text, &from);
    }
    if (done < text->n) add_part(parts, done, text->n, false);
    return true;
}

/* Joins parts as the behaviour says, from the front or (merged with next) from the back; what is put down is not removed. */
static int merge(Part *items, int n, EncBehaviour behaviour) {
    bool back = behaviour == ENC_MERGED_NEXT, before = false;
    int kept = 0;
    for (int i = 0; i < n; i++) {
        Part part = items[back ? n - 1 - i : i];
        bool joins = behaviour == ENC_CONTIGUOUS ? part.match == before : part.match && !before;
        before = part.match;
        part.match = false;
        Part *last = kept == 0 ? NULL : back ? &items[n - kept] : &items[kept - 1];
        if (joins && last != NULL) {
            if (back) last->start = part.start;
            else last->end = part.end;
            continue;
        }
        kept++;
        items[back ? n - kept : kept - 1] = part;
    }
    if (back) memmove(items, items + n - kept, (size_t)kept * sizeof *items);
    return kept;
}

static bool put_parts(Parts *parts, const EncText *text, EncBehaviour behaviour, bool invert, EncSplits *out) {
    if (parts->failed) return err_set(parts->work->err, ERR_MEMORY, tr("not enough memory for the pieces of %d bytes"), text->n);
    for (int i = 0; i < parts->n; i++) parts->items[i].match = parts->items[i].match != invert;
    if (behaviour >= ENC_MERGED_PREVIOUS) parts->n = merge(parts->items, parts->n, behaviour);
    for (int i = 0; i < parts->n; i++) {
        const Part *part = &parts->items[i];
        if (behaviour == ENC_REMOVED && part->match) continue;
        if (!enc_splits_add(parts->work, out, (EncSplit){.text = enc_slice(text, part->start, part->end)})) return false;
    }
    return true;
}

static bool by_characters(EncWork *work, const EncText *text, bool (*is)(uint32_t c), EncBehaviour behaviour, EncSplits *out) {
    Parts parts = {.work = work};
    part_by_characters(&parts, text, is);
    return put_parts(&parts, text, behaviour, false, out);
}

/* ---- the kinds ---- */

typedef bool Runner(EncWork *work, const EncStep *step, EncText *text, EncSplits *out);

static bool run_pattern(EncWork *work, const EncStep *step, EncText *text, EncSplits *out) {
    Parts parts = {.work = work};
    return part_by_pattern(&parts, text, step->pattern) && put_parts(&parts, text, step->behaviour, step->invert, out);
}

static bool run_bert(EncWork *work, const EncStep *step, EncText *text, EncSplits *out) {
    (void)step;
    EncSplits words = {.n = 0};
    if (!by_characters(work, text, enc_is_white, ENC_REMOVED, &words)) return false;
    for (int i = 0; i < words.n; i++)
        if (!by_characters(work, &words.items[i].text, enc_is_punctuation, ENC_ISOLATED, out)) return false;
    return true;
}

static bool prepend(EncWork *work, EncBytes front, EncText *text) {
    EncMaker maker;
    enc_maker_init(&maker, work->arena, text->n + front.n);
    enc_put_bytes(&maker, front, text->n > 0 ? text->spans[0] : (EncSpan){text->origin, text->origin});
    enc_put_text(&maker, text, 0, text->n);
    return enc_maker_end(&maker, text->origin, text, work->err);
}

static bool begins(const EncText *text, EncBytes front) {
    return text->n >= front.n && memcmp(text->bytes, front.bytes, (size_t)front.n) == 0;
}

static bool run_bytes(EncWork *work, const EncStep *step, EncText *text, EncSplits *out) {
    EncBytes space = {" ", 1};
    EncSplits words = {.n = 0};
    Parts parts = {.work = work};
    if (step->prefix_space && !begins(text, space) && !prepend(work, space, text)) return false;
    if (!step->regex) return enc_bytes_run(work, text) && enc_splits_add(work, out, (EncSplit){.text = *text});
    if (!part_by_pattern(&parts, text, step->pattern) || !put_parts(&parts, text, ENC_ISOLATED, false, &words)) return false;
    for (int i = 0; i < words.n; i++)
        if (!enc_bytes_run(work, &words.items[i].text) || !enc_splits_add(work, out, words.items[i])) return false;
    return true;
}

static bool replace_spaces(EncWork *work, EncBytes by, EncText *text) {
    EncMaker maker;
    enc_maker_init(&maker, work->arena, text->n * 2);
    for (int at = 0; at < text->n; at++) {
        if (text->bytes[at] == ' ') enc_put_bytes(&maker, by, text->spans[at]);
        else enc_put_text(&maker, text, at, at + 1);
    }
    return enc_maker_end(&maker, text->origin, text, work->err);
}

/* A piece begins with each replacement. */
static bool split_before(EncWork *work, EncBytes mark, const EncText *text, EncSplits *out) {
    Parts parts = {.work = work};
    int done = 0;
    for (int at = 0; at + mark.n <= text->n && mark.n > 0;) {
        const char *found = memmem(text->bytes + at, (size_t)(text->n - at), mark.bytes, (size_t)mark.n);
        if (found == NULL) break;
        int start = (int)(found - text->bytes);
        if (start > done) add_part(&parts, done, start, false);
        add_part(&parts, start, start + mark.n, true);
        done = at = start + mark.n;
    }
    if (done < text->n) add_part(&parts, done, text->n, false);
    return put_parts(&parts, text, ENC_MERGED_NEXT, false, out);
}

static bool run_metaspace(EncWork *work, const EncStep *step, EncText *text, EncSplits *out) {
    if (!replace_spaces(work, step->text, text)) return false;
    bool wanted = step->prepend == ENC_PREPEND_ALWAYS || (step->prepend == ENC_PREPEND_FIRST && text->origin == 0);
    if (wanted && !begins(text, step->text) && !prepend(work, step->text, text)) return false;
    if (!step->split) return enc_splits_add(work, out, (EncSplit){.text = *text});
    return split_before(work, step->text, text, out);
}

static bool run_character(EncWork *work, const EncStep *step, EncText *text, EncSplits *out) {
    int done = 0;
    for (int at = 0; at < text->n;) {
        int start = at;
        enc_next(text, &at);
        if (at - start != step->text.n || memcmp(text->bytes + start, step->text.bytes, (size_t)step->text.n) != 0) continue;
        if (start > done && !enc_splits_add(work, out, (EncSplit){.text = enc_slice(text, done, start)})) return false;
        done = at;
    }
    return done >= text->n || enc_splits_add(work, out, (EncSplit){.text = enc_slice(text, done, text->n)});
}

static bool run_digits(EncWork *work, const EncStep *step, EncText *text, EncSplits *out) {
    return by_characters(work, text, enc_is_numeric, step->each ? ENC_ISOLATED : ENC_CONTIGUOUS, out);
}

static bool run_punctuation(EncWork *work, const EncStep *step, EncText *text, EncSplits *out) {
    return by_characters(work, text, enc_is_punctuation, step->behaviour, out);
}

static bool run_white(EncWork *work, const EncStep *step, EncText *text, EncSplits *out) {
    (void)step;
    return by_characters(work, text, enc_is_white, ENC_REMOVED, out);
}

/* Pieces of so many characters. */
static bool run_length(EncWork *work, const EncStep *step, EncText *text, EncSplits *out) {
    for (int at = 0; at < text->n;) {
        int start = at;
        for (int i = 0; i < step->length && at < text->n; i++) enc_next(text, &at);
        if (!enc_splits_add(work, out, (EncSplit){.text = enc_slice(text, start, at)})) return false;
    }
    return true;
}

/* Runs of word characters, and runs of what is neither those nor white. */
static bool run_whitespace(EncWork *work, const EncStep *step, EncText *text, EncSplits *out) {
    (void)step;
    int start = 0, kind = 0; /* 0 white, 1 word, 2 other */
    for (int at = 0; at <= text->n;) {
        int here = at;
        uint32_t c = at < text->n ? enc_next(text, &at) : ' ';
        int now = enc_is_white(c) ? 0 : enc_is_word(c) ? 1 : 2;
        if (now != kind) {
            if (kind != 0 && !enc_splits_add(work, out, (EncSplit){.text = enc_slice(text, start, here)})) return false;
            start = here;
            kind = now;
        }
        if (here == text->n) break;
    }
    return true;
}

static Runner *const runners[] = {
    [SPLIT_BERT] = run_bert,     [SPLIT_BYTES] = run_bytes,         [SPLIT_CHARACTER] = run_character, [SPLIT_DIGITS] = run_digits,
    [SPLIT_LENGTH] = run_length, [SPLIT_METASPACE] = run_metaspace, [SPLIT_PUNCTUATION] = run_punctuation, [SPLIT_PATTERN] = run_pattern,
    [SPLIT_WHITESPACE] = run_whitespace, [SPLIT_WHITE] = run_white,
};
static_assert(sizeof runners / sizeof *runners == SPLIT_COUNT, "each pre-tokenizer does something");

bool enc_pre_tokenize(EncWork *work, const EncSteps *steps, EncSplits *splits) {
    for (int s = 0; s < steps->n; s++) {
        EncSplits next = {.n = 0};
        for (int i = 0; i < splits->n; i++) {
            EncSplit *split = &splits->items[i];
            bool ok = split->done ? enc_splits_add(work, &next, *split) : runners[steps->items[s].kind](work, &steps->items[s], &split->text, &next);
            if (!ok) return false;
        }
        *splits = next;
    }
    return true;
}
