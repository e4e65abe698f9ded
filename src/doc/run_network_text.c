/* The texts of a model from a folder: ids as its own tokenizer cuts them, tokens that know which characters they are. */
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "doc/run_network.h"

/* ---- labels ---- */

const char *run_id_label(const Checkpoint *checkpoint, int id, Arena *arena) {
    const Encoder *encoder = checkpoint_encoder(checkpoint);
    return encoder ? encoder_label(encoder, id, arena) : arena_printf(arena, "%d", id);
}

/* What a token is called by: the characters it came from, where they are whole ones; else its label. */
static const char *name_of(const char *text, int start, int end, const char *label, Arena *arena) {
    while (start < end && strchr(" \t\n", text[start])) start++;
    while (end > start && strchr(" \t\n", text[end - 1])) end--;
    size_t length = (size_t)(end - start);
    if (length == 0 || utf8_valid_until(text + start, length) != length) return label;
    return arena_strndup(arena, text + start, length);
}

/* On a map the space before a word is left out: nearly every token begins with one. */
static const char *map_label(const char *label) {
    static const char space[] = "\u2423";
    size_t length = sizeof space - 1;
    return str_starts(label, space) && label[length] && !str_starts(label + length, space) ? label + length : label;
}

static TokenList tokens_of(const Checkpoint *checkpoint, const Encoding *e, const char *text, Arena *arena) {
    TokenList list = {.n = e->n, .items = ARENA_ARRAY(arena, Token, (size_t)e->n + 1)};
    for (int i = 0; i < e->n; i++) {
        Token *token = &list.items[i];
        token->label = map_label(run_id_label(checkpoint, e->ids[i], arena));
        token->start = e->added[i] ? 0 : e->start[i];
        token->end = e->added[i] ? 0 : e->end[i];
        token->text = name_of(text, token->start, token->end, token->label, arena);
    }
    return list;
}

/* ---- encoding ---- */

/* Bytes of the text that the model reads. */
static int used_bytes(const Encoding *e, int cut, const char *text) {
    int used = 0;
    for (int i = 0; i < e->n; i++)
        if (!e->added[i] && e->end[i] > used) used = e->end[i];
    return cut ? used : (int)strlen(text);
}

static bool encode(RunBuild *b, int stack, const char *text, TokenList *out, Err *err) {
    Run *run = b->run;
    Network *network = run->network;
    Encoding *e = &network->encoding[stack];
    if (!checkpoint_encode(network->checkpoint, stack, text, NULL, &run->arena, e, &network->cut[stack], err)) return false;
    network->used[stack] = used_bytes(e, network->cut[stack], text);
    *out = tokens_of(network->checkpoint, e, text, &run->arena);
    return true;
}

bool run_cut(const Run *run, bool source, const char *text, Arena *arena, TokenList *out, Err *err) {
    const Checkpoint *checkpoint = run->network->checkpoint;
    Encoding e = {0};
    int cut = 0, stack = checkpoint_info(checkpoint)->n_stacks == 2 && !source;
    if (!checkpoint_encode(checkpoint, stack, text, NULL, arena, &e, &cut, err)) return false;
    *out = tokens_of(checkpoint, &e, text, arena);
    return true;
}

bool run_encode(RunBuild *b, Err *err) {
    Run *run = b->run;
    const Doc *doc = b->doc;
    const CheckpointInfo *info = checkpoint_info(run->network->checkpoint);
    bool two = info->n_stacks == 2;
    if (!two && doc->source_text && doc->source_text->size) {
        err_set(err, ERR_INPUT, tr("%s reads one text: leave source_text out"), info->name);
        return err_key(err, "source_text");
    }
    bool source = doc->source_text && doc->source_text->size > 0;
    if (two && source && !encode(b, 0, doc->source_text->bytes, &run->keys, err)) return false;
    if (two && run->keys.n == 0)
        return err_set(err, ERR_INPUT, tr("%s reads two texts: type what it reads into the source, and what it has written so far into the text."),
                       info->name);
    if (!encode(b, two, doc_text(doc), &run->tokens, err)) return false;
    if (run->tokens.n == 0)
        return err_set(err, ERR_INPUT, "%s", info->tokenizer ? tr("Type some words to begin.") : tr("Type some token ids to begin, such as 5 6 7."));
    if (!two) run->keys = run->tokens;
    run->cross = two;
    return true;
}
