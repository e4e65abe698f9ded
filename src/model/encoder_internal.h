/* Shared by the parts of model/encoder.h: text that knows where it came from, vocabularies, the steps that a
 * tokenizer.json lists, and what one encoding works with. For files whose names begin with encoder only. */
#ifndef MODEL_ENCODER_INTERNAL_H
#define MODEL_ENCODER_INTERNAL_H

#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "model/encoder.h"
#include "model/json_tree.h"

enum {
    ENC_FILE_MAX = 64 << 20,     /* bytes of a tokenizer file */
    ENC_ID_MAX = 16 << 20,       /* ids are below */
    ENC_STEPS_MAX = 64,          /* normalizers, pre-tokenizers …, with those inside Sequences */
    ENC_NESTED_MAX = 16,         /* Sequences in Sequences */
    ENC_WORD_MAX = 4096,         /* characters of a word that WordPiece looks at */
    ENC_PIECE_MAX = 1024,        /* bytes of an added token and of a Unigram piece */
    ENC_SPLITS_MAX = 1 << 16,    /* pieces of a text before the model */
    ENC_TEXT_MAX = 16 * TEXT_MAX,/* bytes that normalizers may make of a text */
    ENC_WORK_MAX = 1 << 30       /* bytes of memory for one encoding */
};

/* Bytes with a length: U+0000 may be inside. */
typedef struct {
    const char *bytes;
    int n;
} EncBytes;

/* ---- text that knows where it came from (encoder_text.c) ---- */

/* Bytes of the typed text. */
typedef struct {
    int start, end;
} EncSpan;

/* Good UTF-8. spans[i] is what byte i came from, whole characters; origin is where the text begins. */
typedef struct {
    const char *bytes;
    const EncSpan *spans;
    int n, origin;
} EncText;

/* A text being made. `full`: it would pass ENC_TEXT_MAX or memory; what is put then is lost. */
typedef struct {
    Arena *arena;
    char *bytes;
    EncSpan *spans;
    int n, room;
    bool full;
} EncMaker;

void enc_maker_init(EncMaker *maker, Arena *arena, int expected);
void enc_put(EncMaker *maker, uint32_t c, EncSpan span);
void enc_put_bytes(EncMaker *maker, EncBytes bytes, EncSpan span);           /* all from one span */
void enc_put_text(EncMaker *maker, const EncText *text, int start, int end); /* a part as it is */
/* False with ERR_LIMIT when the text did not fit. */
bool enc_maker_end(const EncMaker *maker, int origin, EncText *out, Err *err);
EncText enc_slice(const EncText *text, int start, int end);
/* What is put in at byte `at` of a text belongs to the character before; at the front to nothing: (origin, origin). */
EncSpan enc_span_before(const EncText *text, int at);
/* The typed bytes that bytes start … end-1 came from. */
EncSpan enc_span_of(const EncText *text, int start, int end);
uint32_t enc_next(const EncText *text, int *at); /* code point at *at; moves *at behind it */

/* Classes of code points as the reference library has them. */
bool enc_is_white(uint32_t c);       /* White_Space */
bool enc_is_punctuation(uint32_t c); /* ASCII punctuation and symbols, general category P */
bool enc_is_numeric(uint32_t c);     /* N */
bool enc_is_word(uint32_t c);        /* \w: alphabetic, marks, decimal numbers, connectors, joiners */
bool enc_is_mark(uint32_t c);        /* M */
bool enc_is_nonspacing(uint32_t c);  /* Mn */
bool enc_is_control(uint32_t c);       /* Cc, Cf, Co */

/* ---- byte-level letters (encoder_bytes.c) ---- */

/* GPT-2 writes each byte as a letter that can be seen: itself where it is one, else U+0100 and on. */
uint32_t enc_byte_letter(unsigned char byte);
int enc_letter_byte(uint32_t letter); /* -1: no such letter */

/* ---- vocabulary (encoder_vocab.c) ---- */

typedef struct {
    EncBytes *pieces; /* by id; bytes NULL: no such piece */
    int size;         /* ids are below */
    int count, longest;
    uint64_t *slots;  /* hash << 32 | id + 1; 0 = free */
    uint32_t mask;
} EncVocab;

/* Room for `count` pieces with ids below `size`; false when memory is out. */
bool enc_vocab_init(EncVocab *vocab, Arena *arena, int size, int count);
/* A piece again gets the later id. False: the id has another piece already. */
bool enc_vocab_add(EncVocab *vocab, EncBytes piece, int id);
int enc_vocab_find(const EncVocab *vocab, const char *bytes, int n); /* -1 = none */
/* The longest piece of `least` (from 1) to `most` bytes that `bytes` begins with, and its length; -1 = none. `hashes`: room
 * for most - least + 1. */
int enc_vocab_longest(const EncVocab *vocab, const char *bytes, int least, int most, uint64_t *hashes, int *n);
/* Id of "<0xE4>" for each byte, -1 where there is none. */
void enc_vocab_bytes(const EncVocab *vocab, int ids[256]);

/* ---- sorted words for prefix search (encoder_trie.c) ---- */

typedef struct {
    EncBytes *words; /* sorted by bytes, no two alike */
    int *values;
    int n;
    int first[257];  /* words with first byte b: first[b] … first[b+1]-1 */
} EncTrie;

/* `words` and `values` are sorted in place; of equal words the one that stood last stays. Empty words go. */
bool enc_trie_init(EncTrie *trie, Arena *scratch, EncBytes *words, int *values, int n);
/* The words that agree with what has been walked so far. */
typedef struct {
    int low, high, depth;
} EncWalk;
/* One byte on from `walk` ({0} to begin). False: no word goes on like this. *value: of the word that ends here, else -1. */
bool enc_trie_walk(const EncTrie *trie, EncWalk *walk, unsigned char byte, int *value);

/* ---- regular expressions and plain patterns (encoder_regex.c) ---- */

typedef struct EncPattern EncPattern;

/* ---- one encoding at work ---- */

/* A token of a split: bytes of the split's text. */
typedef struct {
    int id, start, end;
} EncToken;

typedef struct {
    EncText text;
    EncToken *tokens;
    int n_tokens;
    bool done; /* an added token: nothing more is done to it */
} EncSplit;

typedef struct {
    EncSplit *items;
    int n, room;
} EncSplits;

typedef struct {
    Arena *arena;      /* scratch of this call */
    Err *err;
    void *match;       /* match data of expressions, made when first needed */
    void *match_limits;
    int64_t deadline;  /* of expressions, ns; 0 = not begun */
    int matches;
} EncWork;

bool enc_splits_add(EncWork *work, EncSplits *splits, EncSplit split);

/* The next match at or behind `from`; *start = -1: none. False: an error, told in work->err. */
bool enc_pattern_find(EncWork *work, const EncPattern *pattern, const EncText *text, int from, int *start, int *end);

/* ---- steps: rows of a tokenizer file ---- */

typedef enum { ENC_REMOVED, ENC_ISOLATED, ENC_MERGED_PREVIOUS, ENC_MERGED_NEXT, ENC_CONTIGUOUS, ENC_BEHAVIOUR_COUNT } EncBehaviour;
typedef enum { ENC_PREPEND_ALWAYS, ENC_PREPEND_FIRST, ENC_PREPEND_NEVER, ENC_PREPEND_COUNT } EncPrepend;
typedef struct EncCharsMap EncCharsMap;
typedef struct EncTemplate EncTemplate;

/* What any step may need; each kind says what it reads. */
typedef struct {
    int kind; /* row of its table */
    const EncPattern *pattern;
    EncBytes text, content;
    const EncCharsMap *map;
    const EncTemplate *template;
    EncBehaviour behaviour;
    EncPrepend prepend;
    bool invert, prefix_space, regex, trim, left, right, split, clean, chinese, accents, lower, each;
    int length;
} EncStep;

typedef struct {
    EncStep *items;
    int n;
} EncSteps;

/* A file being read: errors name it and the key. `keep`: what the encoder keeps; `scratch`: until it is open. */
typedef struct {
    const char *file;
    Arena *keep, *scratch;
    Err *err;
    char path[128];
} EncRead;

/* "pre_tokenizer.pretokenizers[1]": add a part, take it off again with the length returned. */
size_t enc_path_push(EncRead *read, const char *name, int index);
void enc_path_pop(EncRead *read, size_t length);
/* Refuse with file and key path; `key` may be NULL. Returns false. */
bool enc_refuse(EncRead *read, const char *key, const char *fmt, ...) BASE_PRINTF(3, 4);
/* `node` is none of `expected`. */
bool enc_refuse_kind(EncRead *read, const char *key, const JsonNode *node, const char *expected);
/* Members; absent or null leave *out as it is. */
bool enc_read_bool(EncRead *read, const JsonNode *node, const char *key, bool *out);
bool enc_read_int(EncRead *read, const JsonNode *node, const char *key, int least, int most, int *out);
bool enc_read_text(EncRead *read, const JsonNode *node, const char *key, EncBytes *out);
/* Index of the word among `names`; unknown words are refused with the known ones. */
bool enc_read_choice(EncRead *read, const JsonNode *node, const char *key, const char *const *names, int count, int *out);
/* A member that must be there. */
bool enc_need(EncRead *read, const JsonNode *node, const char *key, JsonKind kind, const JsonNode **out);

/* One kind of step: its name in "type", and what it reads. */
typedef struct {
    const char *name;
    bool (*read)(EncRead *read, const JsonNode *node, EncStep *step); /* NULL: nothing to read */
} EncStepKind;

/* How a section of the file lists its steps: "Sequence" holds more of them under `list`. */
typedef struct {
    const char *section, *list;
    const EncStepKind *kinds;
    int count;
} EncSection;
bool enc_read_steps(EncRead *read, const EncSection *section, const JsonNode *node, EncSteps *out);

/* {"String": …} or {"Regex": …} or a plain string. */
bool enc_read_pattern(EncRead *read, const JsonNode *node, const char *key, const EncPattern **out);
/* An expression of our own tables. */
bool enc_pattern_open(EncRead *read, const char *expression, const EncPattern **out);
bool enc_read_charsmap(EncRead *read, const JsonNode *node, EncStep *step);

extern const EncSection enc_normalizers, enc_pre_tokenizers, enc_processors, enc_decoders;

bool enc_normalize(EncWork *work, const EncSteps *steps, EncText *text);
/* Canonical and compatibility forms (Unicode annex 15). */
typedef enum { ENC_NFC, ENC_NFD, ENC_NFKC, ENC_NFKD } EncForm;
bool enc_form(EncWork *work, EncForm form, EncText *text);
bool enc_charsmap_run(EncWork *work, const EncCharsMap *map, EncText *text);
/* Each byte as its letter. */
bool enc_bytes_run(EncWork *work, EncText *text);
bool enc_pre_tokenize(EncWork *work, const EncSteps *steps, EncSplits *splits);
bool enc_steps_have(const EncSteps *steps, const EncSection *section, const char *name);

/* ---- added tokens (encoder_added.c) ---- */

typedef struct {
    EncBytes content;
    int id;
    bool special, left, right, word, normalized;
} EncAdded;

typedef struct {
    EncAdded *items;
    int n;
    EncTrie plain, normal; /* those looked for before and behind the normalizers */
} EncAddedList;

bool enc_read_added(EncRead *read, const JsonNode *node, const EncVocab *vocab, const EncSteps *normalizers, EncAddedList *out);
/* Cuts the typed text at added tokens, normalizes what lies between them. */
bool enc_added_split(EncWork *work, const EncAddedList *added, const EncSteps *normalizers, const EncText *text, EncSplits *out);

/* ---- models ---- */

typedef enum { ENC_BPE, ENC_WORDPIECE, ENC_UNIGRAM, ENC_WORDLEVEL, ENC_MODEL_COUNT } EncModelKind;

typedef struct {
    uint64_t key; /* left id << 32 | right id, + 1; 0 = free */
    int rank, id;
} EncMerge;

typedef struct {
    EncModelKind kind;
    EncVocab vocab;
    int unknown; /* id, -1 = none */
    EncBytes prefix, suffix;
    bool fuse_unknown, byte_fallback, ignore_merges;
    int bytes[256];
    EncMerge *merges; /* BPE */
    uint32_t merge_mask;
    int word_max;     /* WordPiece: characters of a word */
    double *scores;   /* Unigram, by id */
    double least;
    EncTrie trie;
} EncModel;

bool enc_model_read(EncRead *read, const JsonNode *node, EncModel *out);
/* Pairs of vocabulary pieces, in order of rank. */
bool enc_merges_init(EncRead *read, EncModel *model, int count);
bool enc_merges_add(EncRead *read, EncModel *model, EncBytes left, EncBytes right, int rank);
bool enc_merges_line(EncRead *read, EncModel *model, EncBytes line, int rank); /* "a b" */
/* Tokens of one split, into work->arena. */
bool enc_model_run(EncWork *work, const EncModel *model, EncSplit *split);
bool enc_bpe_run(EncWork *work, const EncModel *model, EncSplit *split);
bool enc_wordpiece_run(EncWork *work, const EncModel *model, EncSplit *split);
bool enc_wordlevel_run(EncWork *work, const EncModel *model, EncSplit *split);
bool enc_unigram_run(EncWork *work, const EncModel *model, EncSplit *split);
bool enc_unigram_init(EncRead *read, EncModel *model, const JsonNode *vocab);

/* ---- the whole ---- */

struct Encoder {
    EncModel model;
    EncAddedList added;
    EncSteps normalizers, pre_tokenizers, processors, decoders;
    EncBytes *pieces; /* by id, added tokens too */
    bool *special;
    int size;
    bool byte_level;
    int mask_id;
};

/* Tokens of one text with their places in what was typed. */
typedef struct {
    const char *text; /* as typed */
    int *ids;
    EncSpan *bytes, *chars;
    int *lead, *trail; /* spaces a token begins and ends with, which trimming takes off its place */
    int *type_ids, *source;
    int n;
} EncList;

/* Room for n tokens. */
bool enc_list_init(EncWork *work, const char *text, int n, EncList *list);
/* What the post-processors make of one list or two; `pair` may be NULL. Changes the places in both. */
bool enc_process(EncWork *work, const Encoder *encoder, EncList *first, EncList *pair, bool special, EncList *out);
/* The ids that are put in are there, and only one step puts some in. */
bool enc_check_processors(EncRead *read, const Encoder *encoder);
bool enc_open_tables(EncRead *read, Encoder *encoder);
bool enc_open_json(EncRead *read, const JsonNode *root, Encoder *encoder);

#endif
