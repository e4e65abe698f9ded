/* Post-processors: tokens put around one text or two ([CLS], </s>), and offsets without spaces. */
#include <assert.h>
#include <string.h>

#include "base/tr.h"
#include "model/encoder_internal.h"

typedef enum { POST_BERT, POST_BYTES, POST_ROBERTA, POST_TEMPLATE, POST_COUNT } Post;

enum { PIECES_MAX = 256, IDS_MAX = 64 };

/* One part of what comes out: a text, or tokens that are put in. */
typedef struct {
    int source; /* 0 the text, 1 the second text, -1 tokens */
    int type_id;
    const int *ids;
    int n_ids;
} Part;

struct EncTemplate {
    Part *single, *pair;
    int n_single, n_pair;
};

/* ---- reading ---- */

static const JsonNode *find_special(const JsonNode *specials, const JsonNode *name) {
    for (int i = specials != NULL && specials->kind == JSON_TREE_OBJECT ? specials->n - 1 : -1; i >= 0; i--) {
        const JsonNode *key = &specials->as.items[2 * i];
        if (key->n == name->n && memcmp(key->as.text, name->as.text, (size_t)name->n) == 0) return key + 1;
    }
    return NULL;
}

static bool read_ids(EncRead *read, const JsonNode *special, const JsonNode *name, Part *part) {
    const JsonNode *list = json_tree_get(special, "ids");
    if (list == NULL || list->kind != JSON_TREE_ARRAY || list->n > IDS_MAX)
        return enc_refuse(read, NULL, tr("special_tokens has no ids for \"%.60s\""), name->as.text);
    int *ids = ARENA_ARRAY(read->keep, int, (size_t)list->n);
    for (int i = 0; i < list->n; i++)
        if (!json_tree_int(&list->as.items[i], 0, ENC_ID_MAX - 1, &ids[i]))
            return enc_refuse(read, NULL, tr("an id of \"%.60s\" is no whole number from 0"), name->as.text);
    part->ids = ids;
    part->n_ids = list->n;
    part->source = -1;
    return true;
}

/* {"SpecialToken": {"id": "[CLS]", "type_id": 0}} or {"Sequence": {"id": "A", "type_id": 0}} */
static bool read_part(EncRead *read, const JsonNode *node, const JsonNode *specials, Part *part) {
    const JsonNode *special = json_tree_get(node, "SpecialToken"), *sequence = json_tree_get(node, "Sequence"), *name;
    const JsonNode *what = special != NULL ? special : sequence;
    if (what == NULL) return enc_refuse_kind(read, NULL, node, tr("{\"SpecialToken\": …} or {\"Sequence\": …}"));
    if (!enc_need(read, what, "id", JSON_TREE_STRING, &name) || !enc_read_int(read, what, "type_id", 0, 1 << 20, &part->type_id)) return false;
    if (special != NULL) return read_ids(read, find_special(specials, name), name, part);
    bool first = str_eq(name->as.text, "A");
    if (!first && !str_eq(name->as.text, "B")) return enc_refuse_kind(read, "id", name, tr("A or B"));
    part->source = first ? 0 : 1;
    return true;
}

static bool read_parts(EncRead *read, const JsonNode *node, const char *key, const JsonNode *specials, Part **out, int *n) {
    const JsonNode *list;
    if (!enc_need(read, node, key, JSON_TREE_ARRAY, &list)) return false;
    if (list->n > PIECES_MAX) return enc_refuse(read, key, tr("%d parts; at most %d are read"), list->n, PIECES_MAX);
    *out = ARENA_ARRAY(read->keep, Part, (size_t)list->n);
    *n = list->n;
    for (int i = 0; i < list->n; i++) {
        size_t path = enc_path_push(read, key, i);
        if (!read_part(read, &list->as.items[i], specials, &(*out)[i])) return false;
        enc_path_pop(read, path);
    }
    return true;
}

/* A then B, nothing added. */
static Part *plain_parts(Arena *arena) {
    Part *parts = ARENA_ARRAY(arena, Part, 2);
    parts[1] = (Part){.source = 1, .type_id = 1};
    return parts;
}

static bool read_template(EncRead *read, const JsonNode *node, EncStep *step) {
    EncTemplate *template = ARENA_NEW(read->keep, EncTemplate);
    const JsonNode *specials = json_tree_get(node, "special_tokens"), *pair = json_tree_get(node, "pair");
    step->template = template;
    template->pair = plain_parts(read->keep);
    template->n_pair = 2;
    if (!read_parts(read, node, "single", specials, &template->single, &template->n_single)) return false;
    return pair == NULL || pair->kind == JSON_TREE_NULL || read_parts(read, node, "pair", specials, &template->pair, &template->n_pair);
}

static bool read_bytes(EncRead *read, const JsonNode *node, EncStep *step) {
    step->trim = step->prefix_space = true;
    return enc_read_bool(read, node, "trim_offsets", &step->trim) && enc_read_bool(read, node, "add_prefix_space", &step->prefix_space);
}

/* ["[SEP]", 102] */
static bool read_token(EncRead *read, const JsonNode *node, const char *key, int *id) {
    const JsonNode *value = json_tree_get(node, key);
    if (value == NULL || value->kind != JSON_TREE_ARRAY || value->n != 2 || !json_tree_int(&value->as.items[1], 0, ENC_ID_MAX - 1, id))
        return enc_refuse_kind(read, key, value, tr("[\"token\", id]"));
    return true;
}

/* cls A sep; a pair goes on with B sep of type 1, or (Roberta) sep B sep of type 0. */
static bool read_around(EncRead *read, const JsonNode *node, bool roberta, EncStep *step) {
    int *ids = ARENA_ARRAY(read->keep, int, 2);
    if (!read_token(read, node, "cls", &ids[0]) || !read_token(read, node, "sep", &ids[1])) return false;
    Part cls = {-1, 0, &ids[0], 1}, sep = {-1, 0, &ids[1], 1}, first = {.source = 0}, second = {.source = 1, .type_id = roberta ? 0 : 1};
    Part last = {-1, second.type_id, &ids[1], 1};
    EncTemplate *template = ARENA_NEW(read->keep, EncTemplate);
    Part single[] = {cls, first, sep}, bert[] = {cls, first, sep, second, last}, pairs[] = {cls, first, sep, sep, second, last};
    template->n_single = 3;
    template->n_pair = roberta ? 6 : 5;
    template->single = ARENA_ARRAY(read->keep, Part, 3);
    template->pair = ARENA_ARRAY(read->keep, Part, 6);
    memcpy(template->single, single, sizeof single);
    if (roberta) memcpy(template->pair, pairs, sizeof pairs);
    else memcpy(template->pair, bert, sizeof bert);
    step->template = template;
    return true;
}

static bool read_bert(EncRead *read, const JsonNode *node, EncStep *step) {
    return read_around(read, node, false, step);
}

static bool read_roberta(EncRead *read, const JsonNode *node, EncStep *step) {
    return read_around(read, node, true, step) && read_bytes(read, node, step);
}

static const EncStepKind kinds[] = {
    [POST_BERT] = {"BertProcessing", read_bert},
    [POST_BYTES] = {"ByteLevel", read_bytes},
    [POST_ROBERTA] = {"RobertaProcessing", read_roberta},
    [POST_TEMPLATE] = {"TemplateProcessing", read_template},
};
static_assert(sizeof kinds / sizeof *kinds == POST_COUNT, "one row a post-processor");
const EncSection enc_processors = {"post_processor", "processors", kinds, POST_COUNT};

bool enc_check_processors(EncRead *read, const Encoder *encoder) {
    int templates = 0;
    for (int i = 0; i < encoder->processors.n; i++) {
        const EncTemplate *template = encoder->processors.items[i].template;
        if (template == NULL) continue;
        if (++templates > 1) return enc_refuse(read, "post_processor", tr("two of its steps add tokens; one is expected"));
        for (int p = 0; p < template->n_single + template->n_pair; p++) {
            const Part *part = p < template->n_single ? &template->single[p] : &template->pair[p - template->n_single];
            for (int k = 0; k < part->n_ids; k++)
                if (part->ids[k] >= encoder->size || encoder->pieces[part->ids[k]].bytes == NULL)
                    return enc_refuse(read, "post_processor", tr("it adds the id %d, which the vocabulary has not"), part->ids[k]);
        }
    }
    return true;
}

/* ---- at work ---- */

static void trim(EncSpan *span, int lead, int trail, bool first, bool prefix_space) {
    if (lead > 0 && prefix_space && (first || span->start == 0)) lead--; /* the space that was put in front */
    if (lead > 0) span->start = span->start + lead < span->end ? span->start + lead : span->end;
    if (trail > 0 && span->end >= trail) span->end = span->end - trail > span->start ? span->end - trail : span->start;
}

static bool inside(const char *text, const EncSpan *span, int at) {
    return at > span->start && at < span->end && ((unsigned char)text[at] & 0xC0) == 0x80;
}

/* As `trim`; an end that would lie inside a character goes on to that character's own. */
static void trim_bytes(const char *text, EncSpan *span, int lead, int trail, bool first, bool prefix_space) {
    EncSpan whole = *span;
    trim(span, lead, trail, first, prefix_space);
    while (inside(text, &whole, span->start)) span->start++;
    while (inside(text, &whole, span->end)) span->end--;
    if (span->end < span->start) span->end = span->start;
}

static void trim_list(const EncStep *step, EncList *list) {
    for (int i = 0; i < list->n; i++) {
        trim_bytes(list->text, &list->bytes[i], list->lead[i], list->trail[i], i == 0, step->prefix_space);
        trim(&list->chars[i], list->lead[i], list->trail[i], i == 0, step->prefix_space);
    }
}

bool enc_list_init(EncWork *work, const char *text, int n, EncList *list) {
    list->ids = arena_try(work->arena, (size_t)n, sizeof *list->ids);
    list->bytes = arena_try(work->arena, (size_t)n, sizeof *list->bytes);
    list->chars = arena_try(work->arena, (size_t)n, sizeof *list->chars);
    list->lead = arena_try(work->arena, (size_t)n, sizeof *list->lead);
    list->trail = arena_try(work->arena, (size_t)n, sizeof *list->trail);
    list->type_ids = arena_try(work->arena, (size_t)n, sizeof *list->type_ids);
    list->source = arena_try(work->arena, (size_t)n, sizeof *list->source);
    list->n = 0;
    list->text = text;
    bool ok = list->ids && list->bytes && list->chars && list->lead && list->trail && list->type_ids && list->source;
    return ok || err_set(work->err, ERR_MEMORY, tr("not enough memory for %d tokens"), n);
}

static void put_part(const Part *part, const EncList *from, EncList *out) {
    int n = part->source < 0 ? part->n_ids : from->n;
    for (int i = 0; i < n; i++, out->n++) {
        out->type_ids[out->n] = part->type_id;
        out->source[out->n] = part->source;
        out->ids[out->n] = part->source < 0 ? part->ids[i] : from->ids[i];
        if (part->source < 0) continue;
        out->bytes[out->n] = from->bytes[i];
        out->chars[out->n] = from->chars[i];
    }
}

bool enc_process(EncWork *work, const Encoder *encoder, EncList *first, EncList *pair, bool special, EncList *out) {
    Part *plain = plain_parts(work->arena);
    const Part *parts = plain;
    int n_parts = pair != NULL ? 2 : 1;
    size_t total = 0;
    for (int i = 0; i < encoder->processors.n; i++) {
        const EncStep *step = &encoder->processors.items[i];
        if (step->trim) trim_list(step, first);
        if (step->trim && pair != NULL) trim_list(step, pair);
        if (step->template == NULL) continue;
        parts = pair != NULL ? step->template->pair : step->template->single;
        n_parts = pair != NULL ? step->template->n_pair : step->template->n_single;
    }
    for (int i = 0; i < n_parts; i++) {
        if (parts[i].source == 1 && pair == NULL) return err_set(work->err, ERR_INPUT, tr("the tokenizer puts a second text where only one is given"));
        total += (size_t)(parts[i].source < 0 ? parts[i].n_ids : parts[i].source == 0 ? first->n : pair->n);
    }
    if (total > TOKENS_MAX) return err_set(work->err, ERR_LIMIT, tr("this text has %zu tokens; at most %d are shown"), total, TOKENS_MAX);
    if (!enc_list_init(work, NULL, (int)total, out)) return false;
    for (int i = 0; i < n_parts; i++)
        if (special || parts[i].source >= 0) put_part(&parts[i], parts[i].source == 1 ? pair : first, out);
    return true;
}
