/* Words for tokens of a vocabulary: their ids, what they end, which bytes they are, how likely they are. */
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "scene/paint.h"
#include "scene/rich.h"
#include "scene/words.h"

static const Encoder *encoder_of(const Run *run) {
    return run->network && run->network->checkpoint ? checkpoint_encoder(run->network->checkpoint) : NULL;
}

const char *words_vocabulary(const Run *run, int id, Arena *arena) {
    const Encoder *encoder = encoder_of(run);
    const char *label = encoder && id < encoder_size(encoder) ? encoder_label(encoder, id, arena) : "";
    return label[0] ? rich_short(arena, label) : arena_printf(arena, tr("token %d"), id);
}

const char *words_mask_sign(const Run *run) {
    const Checkpoint *checkpoint = run->network ? run->network->checkpoint : NULL;
    if (!checkpoint || !checkpoint_info(checkpoint)->masked_lm) return NULL;
    const Encoder *encoder = checkpoint_encoder(checkpoint);
    int id = encoder ? encoder_mask_id(encoder) : -1;
    return id >= 0 ? encoder_piece(encoder, id) : "[MASK]";
}

const char *words_id(int id, Arena *arena) { return arena_printf(arena, tr("id %d (row %d, counted from 1)"), id, id + 1); }

int words_id_of(const Run *run, TensorId tensor, const int index[TENSOR_RANK_MAX]) {
    const Tensor *t = trace_tensor(run->trace, tensor);
    if (str_eq(t->name, "w_embed")) return index[0];
    if (str_eq(t->name, "w_logits")) return index[0];
    if (str_eq(t->name, "b_logits") || str_eq(t->name, "logits") || str_eq(t->name, "row_logits")) return index[t->rank - 1];
    const Network *network = run->network;
    int stage = trace_stage_of(run->trace, tensor);
    if (!network || network->results.probs == TENSOR_NONE || stage < 0 || trace_stage(run->trace, stage)->kind != STAGE_PREDICT) return -1;
    bool over_tokens = t->rank == 3 && t->dim[2] == trace_tensor(run->trace, network->results.probs)->dim[2];
    return over_tokens ? index[2] : -1;
}

const char *words_end_of_text(const Run *run, int id) {
    static const char *const ends[] = {"</s>", "<eos>", "[EOS]", "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|im_end|>", "<|end|>"};
    const Encoder *encoder = encoder_of(run);
    if (!encoder || id < 0 || id >= encoder_size(encoder) || !encoder_is_special(encoder, id)) return NULL;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_eq(encoder_piece(encoder, id), ends[i])) return tr("end of text");
    return NULL;
}

/* Where the character around a byte of the text begins. */
static int character_start(const char *text, int at) {
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80) at--;
    return at;
}

/* Bytes that a label writes out: "<0xE4><0xB8>" holds two. */
static int bytes_in(const char *label) {
    int n = 0;
    while ((label = strstr(label, "<0x")) != NULL) n++, label++;
    return n;
}

const char *words_byte_of(const Run *run, const TokenList *tokens, int i, Arena *arena) {
    if (!run->network || i < 0 || i >= tokens->n) return NULL;
    bool source = run->cross && tokens == &run->keys;
    const Encoding *e = &run->network->encoding[run->cross && !source];
    const char *text = source ? run->doc.source_text->bytes : doc_text(&run->doc);
    int length = (int)strlen(text), own = bytes_in(tokens->items[i].label), before = 0;
    if (i >= e->n || e->added[i] || own == 0 || e->start[i] < 0 || e->start[i] >= length) return NULL;
    int first = character_start(text, e->start[i]), end = first + 1;
    while (end < length && ((unsigned char)text[end] & 0xC0) == 0x80) end++;
    for (int j = i - 1; j >= 0 && !e->added[j] && e->start[j] >= first && e->end[j] <= end; j--) before += bytes_in(tokens->items[j].label);
    int all = end - first, to = before + own;
    if (all < 2 || e->end[i] > end || to > all) return NULL;
    if (own > 1) return arena_printf(arena, tr("bytes %d to %d of %d of “%.*s”"), before + 1, to, all, all, text + first);
    return arena_printf(arena, tr("byte %d of %d of “%.*s”"), to, all, all, text + first);
}

const char *words_percent(double share, Arena *arena) {
    double p = 100 * share;
    if (p < 100 && p >= 99.95) return tr("99.9+ %");
    if (p > 0 && p < 0.0001) return tr("<0.0001 %");
    return arena_printf(arena, tr("%s %%"), scene_number(&(Scene){.arena = arena}, p, p >= 0.995 || p == 0 ? 1 : p >= 0.0095 ? 2 : 4));
}
