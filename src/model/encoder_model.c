/* The models' part of tokenizer.json: vocabulary, merges, settings; and which model runs. */
#include <assert.h>
#include <string.h>

#include "base/tr.h"
#include "model/encoder_internal.h"

/* ---- vocabularies ---- */

/* Ids may have gaps, but not so many that a small file asks for much memory. */
static bool id_fits(int id, int count) {
    return id < ENC_ID_MAX && id < (1 << 20) + 64 * count;
}

static bool add_piece(EncRead *read, EncVocab *vocab, const JsonNode *name, int id) {
    if (enc_vocab_add(vocab, (EncBytes){name->as.text, name->n}, id)) return true;
    return enc_refuse(read, "vocab", tr("\"%.60s\" and \"%.60s\" have the same id %d"), vocab->pieces[id].bytes, name->as.text, id);
}

/* {"piece": id, …} */
static bool read_vocab(EncRead *read, const JsonNode *node, EncModel *model) {
    const JsonNode *vocab;
    int most = -1, id;
    if (!enc_need(read, node, "vocab", JSON_TREE_OBJECT, &vocab)) return false;
    for (int i = 0; i < vocab->n; i++) {
        const JsonNode *name = &vocab->as.items[2 * i], *value = name + 1;
        if (!json_tree_int(value, 0, ENC_ID_MAX - 1, &id) || !id_fits(id, vocab->n))
            return value->kind != JSON_TREE_NUMBER
                ? enc_refuse(read, "vocab", tr("the id of \"%.60s\" is %s; a whole number is expected"), name->as.text, json_tree_kind(value))
                : enc_refuse(read, "vocab", tr("the id of \"%.60s\" is %.17g; whole numbers from 0, close together, are expected"), name->as.text, value->as.number);
        if (id > most) most = id;
    }
    if (!enc_vocab_init(&model->vocab, read->keep, most + 1, vocab->n)) return err_set(read->err, ERR_MEMORY, tr("not enough memory for %d pieces"), vocab->n);
    for (int i = 0; i < vocab->n; i++) {
        json_tree_int(&vocab->as.items[2 * i + 1], 0, ENC_ID_MAX - 1, &id);
        if (!add_piece(read, &model->vocab, &vocab->as.items[2 * i], id)) return false;
    }
    return true;
}

static bool read_unknown(EncRead *read, const JsonNode *node, EncModel *model) {
    EncBytes unknown = {NULL, 0};
    if (!enc_read_text(read, node, "unk_token", &unknown)) return false;
    if (unknown.bytes != NULL) model->unknown = enc_vocab_find(&model->vocab, unknown.bytes, unknown.n);
    return true;
}

/* ---- each model ---- */

static bool read_merges(EncRead *read, const JsonNode *node, EncModel *model) {
    const JsonNode *merges;
    if (!enc_need(read, node, "merges", JSON_TREE_ARRAY, &merges) || !enc_merges_init(read, model, merges->n)) return false;
    size_t path = enc_path_push(read, "merges", -1);
    for (int i = 0; i < merges->n; i++) {
        const JsonNode *merge = &merges->as.items[i], *pair = merge->as.items;
        bool two = merge->kind == JSON_TREE_ARRAY && merge->n == 2 && pair[0].kind == JSON_TREE_STRING && pair[1].kind == JSON_TREE_STRING;
        if (!two && merge->kind != JSON_TREE_STRING) return enc_refuse_kind(read, NULL, merge, tr("\"a b\" or [\"a\", \"b\"]"));
        bool ok = two ? enc_merges_add(read, model, (EncBytes){pair[0].as.text, pair[0].n}, (EncBytes){pair[1].as.text, pair[1].n}, i)
                      : enc_merges_line(read, model, (EncBytes){merge->as.text, merge->n}, i);
        if (!ok) return false;
    }
    enc_path_pop(read, path);
    return true;
}

static bool read_bpe(EncRead *read, const JsonNode *node, EncModel *model) {
    bool ok = read_vocab(read, node, model) && read_unknown(read, node, model) && enc_read_bool(read, node, "fuse_unk", &model->fuse_unknown) &&
              enc_read_bool(read, node, "byte_fallback", &model->byte_fallback) && enc_read_bool(read, node, "ignore_merges", &model->ignore_merges) &&
              enc_read_text(read, node, "continuing_subword_prefix", &model->prefix) &&
              enc_read_text(read, node, "end_of_word_suffix", &model->suffix) && read_merges(read, node, model);
    if (ok && model->byte_fallback) enc_vocab_bytes(&model->vocab, model->bytes);
    return ok;
}

static bool read_wordpiece(EncRead *read, const JsonNode *node, EncModel *model) {
    const JsonNode *most = json_tree_get(node, "max_input_chars_per_word");
    model->prefix = (EncBytes){"##", 2};
    model->word_max = 100;
    if (most != NULL && most->kind == JSON_TREE_NUMBER && most->as.number > ENC_WORD_MAX) model->word_max = ENC_WORD_MAX;
    else if (!enc_read_int(read, node, "max_input_chars_per_word", 0, ENC_WORD_MAX, &model->word_max)) return false;
    return read_vocab(read, node, model) && read_unknown(read, node, model) && enc_read_text(read, node, "continuing_subword_prefix", &model->prefix);
}

static bool read_wordlevel(EncRead *read, const JsonNode *node, EncModel *model) {
    return read_vocab(read, node, model) && read_unknown(read, node, model);
}

static bool read_unigram(EncRead *read, const JsonNode *node, EncModel *model) {
    const JsonNode *vocab;
    if (!enc_need(read, node, "vocab", JSON_TREE_ARRAY, &vocab)) return false;
    if (!enc_vocab_init(&model->vocab, read->keep, vocab->n, vocab->n)) return err_set(read->err, ERR_MEMORY, tr("not enough memory for %d pieces"), vocab->n);
    bool ok = enc_unigram_init(read, model, vocab) && enc_read_int(read, node, "unk_id", 0, vocab->n - 1, &model->unknown) &&
              enc_read_bool(read, node, "byte_fallback", &model->byte_fallback);
    if (ok && model->byte_fallback) enc_vocab_bytes(&model->vocab, model->bytes);
    return ok;
}

static const struct {
    const char *name;
    bool (*read)(EncRead *read, const JsonNode *node, EncModel *model);
    bool (*run)(EncWork *work, const EncModel *model, EncSplit *split);
} models[] = {
    [ENC_BPE] = {"BPE", read_bpe, enc_bpe_run},
    [ENC_WORDPIECE] = {"WordPiece", read_wordpiece, enc_wordpiece_run},
    [ENC_UNIGRAM] = {"Unigram", read_unigram, enc_unigram_run},
    [ENC_WORDLEVEL] = {"WordLevel", read_wordlevel, enc_wordlevel_run},
};
static_assert(sizeof models / sizeof *models == ENC_MODEL_COUNT, "one row a model");

/* Older files do not say the type: the members do. */
static EncModelKind guess(const JsonNode *node) {
    const JsonNode *vocab = json_tree_get(node, "vocab");
    if (json_tree_get(node, "merges") != NULL) return ENC_BPE;
    if (vocab != NULL && vocab->kind == JSON_TREE_ARRAY) return ENC_UNIGRAM;
    return json_tree_get(node, "continuing_subword_prefix") != NULL ? ENC_WORDPIECE : ENC_WORDLEVEL;
}

bool enc_model_read(EncRead *read, const JsonNode *node, EncModel *out) {
    const char *names[ENC_MODEL_COUNT];
    for (int i = 0; i < ENC_MODEL_COUNT; i++) names[i] = models[i].name;
    size_t path = enc_path_push(read, "model", -1);
    int kind = (int)guess(node);
    if (!enc_read_choice(read, node, "type", names, ENC_MODEL_COUNT, &kind)) return false;
    *out = (EncModel){.kind = (EncModelKind)kind, .unknown = -1};
    bool ok = models[kind].read(read, node, out);
    enc_path_pop(read, path);
    return ok;
}

bool enc_model_run(EncWork *work, const EncModel *model, EncSplit *split) {
    return models[model->kind].run(work, model, split);
}
