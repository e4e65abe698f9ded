/* What a model from a folder thinks comes next: the largest of its probabilities, with the text that each stands for. */
#include <string.h>

#include "base/str.h"
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
static const char *taken_text(const Encoder *encoder, int id, Arena *arena) {
    if (!encoder || encoder_is_special(encoder, id)) return "";
    const char *text = encoder_text(encoder, id, arena);
    return strstr(text, "<0x") ? "" : text;
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
        top[i].text = taken_text(encoder, top[i].id, &run->arena);
        top[i].logit = tensor_flat(logits, row * count + (size_t)top[i].id);
    }
    network->predictions = top;
    network->n_predictions = n;
}
