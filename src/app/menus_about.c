/* The dialog "About this model": what the folder holds, and which one it is exactly. */
#include <stdio.h>

#include "app/menu_rows.h"
#include "app/names.h"
#include "base/phrase.h"
#include "base/tr.h"

static void fact(Rows *rows, const char *label, const char *detail) {
    rows_add(rows, ITEM_NOTE, label)->detail = detail;
}

/* "124,439,808". */
static const char *grouped(unsigned long long n, Arena *arena) {
    char digits[32];
    StrBuf out;
    int length = snprintf(digits, sizeof digits, "%llu", n);
    sb_init(&out, arena);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) sb_add(&out, ",");
        sb_add_n(&out, digits + i, 1);
    }
    return out.data;
}

enum { FACT_LAYERS, FACT_HEADS, FACT_WIDE, FACT_LONGEST, FACT_COUNT };

/* Of the only stack, the encoder, the decoder. */
static const char *const labels[3][FACT_COUNT] = {
    {tr_mark("Layers"), tr_mark("Heads"), tr_mark("Feed-forward"), tr_mark("Longest text")},
    {tr_mark("Encoder layers"), tr_mark("Encoder heads"), tr_mark("Encoder feed-forward"), tr_mark("Longest text, encoder")},
    {tr_mark("Decoder layers"), tr_mark("Decoder heads"), tr_mark("Decoder feed-forward"), tr_mark("Longest text, decoder")},
};

static void stack_facts(Rows *rows, const CheckpointInfo *info, int i) {
    Arena *arena = rows->arena;
    int which = info->n_stacks < 2 ? 0 : 1 + i;
    int heads = info->stack[i].n_heads, shared = info->stack[i].n_kv_heads, width = info->stack[i].d_k;
    fact(rows, tr(labels[which][FACT_LAYERS]), arena_printf(arena, "%d", info->stack[i].n_layers));
    fact(rows, tr(labels[which][FACT_HEADS]), shared == heads ? arena_printf(arena, tr("%d of %d numbers"), heads, width)
                                                              : arena_printf(arena, tr("%d of %d numbers, %d for keys and values"), heads, width, shared));
    fact(rows, tr(labels[which][FACT_WIDE]), arena_printf(arena, tr("%d wide"), info->stack[i].d_ff));
    if (info->stack[i].n_positions > 0)
        fact(rows, tr(labels[which][FACT_LONGEST]), arena_printf(arena, tr("%d tokens"), info->stack[i].n_positions));
}

void menu_about(Rows *rows) {
    const CheckpointInfo *info = name_folder(&rows->s->doc, rows->s->run);
    Arena *arena = rows->arena;
    if (!info) {
        rows->note = tr("The open document's model is not from a folder.");
        return;
    }
    rows->note = info->seeded ? tr("The folder has no weights: these are random numbers from the seed, in the sizes of its config.json.")
                              : tr("Trained weights, read from your disk. Nothing leaves this machine.");
    fact(rows, tr("Name"), info->name);
    fact(rows, tr("Folder"), info->folder);
    fact(rows, tr("Architecture"), phrase_list(arena, info->family, info->architecture));
    for (int i = 0; i < info->n_stacks; i++) stack_facts(rows, info, i);
    fact(rows, tr("Width"), arena_printf(arena, "%d", info->d_model));
    fact(rows, tr("Vocabulary"), grouped((unsigned long long)info->vocabulary, arena));
    const char *parameters = grouped(info->parameters, arena);
    if (info->used != info->parameters) parameters = arena_printf(arena, tr("%s, %s of them used"), parameters, grouped(info->used, arena));
    fact(rows, tr("Parameters"), parameters);
    if (!info->seeded) fact(rows, tr("Stored as"), arena_printf(arena, tr("%s, %s bytes"), info->stored_as, grouped(info->bytes, arena)));
    fact(rows, tr("Tokenizer"), info->tokenizer ? info->tokenizer : tr("none: the text is a list of token ids"));
    fact(rows, tr("Mask"), tr(info->mask));
    fact(rows, tr("Position"), tr(info->position));
    fact(rows, "SHA-256", info->hash);
}
