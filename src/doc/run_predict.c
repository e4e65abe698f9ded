/* What a model from a folder thinks comes next: the largest of its probabilities, with the text that each stands for. */
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/run_network.h"

/* The place of the k-th largest so far: `top` is kept in order, ties in order of the ids. */
static void offer(Prediction top[PREDICTIONS_MAX], int *n, int id, double probability) {
    int at = *n;
    while (at > 0 && top[at - 1].probability < probability) at--;
    if (at == PREDICTIONS_MAX) return;
    int last = *n < PREDICTIONS_MAX ? (*n)++ : PREDICTIONS_MAX - 1;
    memmove(top + at + 1, top + at, (size_t)(last - at) * sizeof *top);
    top[at] = (Prediction){.id = id, .probability = probability};
}

/* What taking it adds to the text; "" for what is no text: special tokens, and bytes that are no whole character. */
static void fill_text(Prediction *p, const Encoder *encoder, Arena *arena) {
    p->text = encoder ? "" : arena_printf(arena, " %d", p->id);
    if (!encoder || encoder_is_special(encoder, p->id)) return;
    const char *text = encoder_text(encoder, p->id, arena);
    p->part = strstr(text, "<0x") != NULL;
    if (!p->part) p->text = text;
}

void run_predict(Run *run) {
    Network *network = run->network;
    if (network->results.probs == TENSOR_NONE || network->predict_row < 0) {
        network->predict_row = -1;
        return;
    }
    const Encoder *encoder = checkpoint_encoder(network->checkpoint);
    const Tensor *probs = trace_tensor(run->trace, network->results.probs);
    const Tensor *logits = trace_tensor(run->trace, network->results.logits);
    size_t count = tensor_count(probs), row = logits->dim[0] > 1 ? (size_t)network->predict_row : 0;
    Prediction *top = ARENA_ARRAY(&run->arena, Prediction, PREDICTIONS_MAX);
    int n = 0;
    for (size_t i = 0; i < count; i++) {
        double p = tensor_flat(probs, i);
        if (p == p) offer(top, &n, (int)i, p); /* no NaN */
    }
    for (int i = 0; i < n; i++) {
        top[i].label = run_id_label(network->checkpoint, top[i].id, &run->arena);
        fill_text(&top[i], encoder, &run->arena);
        top[i].logit = tensor_flat(logits, row * count + (size_t)top[i].id);
    }
    network->predictions = top;
    network->n_predictions = n;
}

/* ---- taking one ---- */

/* Does the model read the text as the ids it had, with `id` at `row` (at the end: one more)? */
static bool reads_as(const Run *run, const char *text, int row, int id) {
    Arena arena = {0};
    Encoding e;
    int cut = 0;
    const Network *network = run->network;
    int stack = checkpoint_info(network->checkpoint)->n_stacks - 1;
    const Encoding *was = &network->encoding[stack];
    bool same = checkpoint_encode(network->checkpoint, stack, text, NULL, &arena, &e, &cut, NULL) && e.n == (row == was->n ? was->n + 1 : was->n);
    for (int i = 0; same && i < e.n; i++) same = e.ids[i] == (i == row ? id : was->ids[i]);
    arena_free(&arena);
    return same;
}

/* `piece` between the two ends of the text, with or without its space in front, or closed up: the way that the model reads as
 * meant, else with one space between words. */
static const char *put_piece(const Run *run, const char *text, int start, int end, const Prediction *p, int row, Arena *arena) {
    const char *bare = p->text + strspn(p->text, " ");
    int closed = start;
    while (closed > 0 && text[closed - 1] == ' ') closed--;
    const char *way[] = {arena_printf(arena, "%.*s%s%s", start, text, p->text, text + end), arena_printf(arena, "%.*s%s%s", start, text, bare, text + end),
                         arena_printf(arena, "%.*s%s%s", closed, text, p->text, text + end), arena_printf(arena, "%.*s%s%s", closed, text, bare, text + end)};
    for (size_t i = 0; i < sizeof way / sizeof *way; i++)
        if (reads_as(run, way[i], row, p->id)) return way[i];
    bool spaced = start == 0 || text[start - 1] == ' ';
    return way[spaced ? 1 : 0];
}

const char *run_take(const Run *run, int n, Arena *arena, Err *err) {
    const Network *network = run->network;
    const CheckpointInfo *info = checkpoint_info(network->checkpoint);
    const Prediction *p = &network->predictions[n];
    const char *text = doc_text(&run->doc);
    int last = info->n_stacks - 1, length = (int)strlen(text), row = network->predict_row;
    if (!p->text[0]) {
        err_set(err, ERR_USAGE, p->part ? tr("%s is a part of a character; it cannot be taken alone.") : tr("%s is no text that could be taken."), p->label);
        return NULL;
    }
    if (info->masked_lm) {
        const Token *mask = &run->tokens.items[row];
        return put_piece(run, text, mask->start, mask->end, p, row, arena);
    }
    if (info->stack[last].n_positions && network->encoding[last].n >= info->stack[last].n_positions) {
        err_set(err, ERR_USAGE, tr("%s has %d positions, and the text takes them all."), info->name, info->stack[last].n_positions);
        return NULL;
    }
    return put_piece(run, text, length, length, p, network->encoding[last].n, arena);
}
