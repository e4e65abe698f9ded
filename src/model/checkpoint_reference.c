/* Names under which reference files keep what a trace computes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "model/checkpoint.h"

enum { ID_MAX_BYTES = 160 };

/* The end of a name that stands for another end of ours. */
static const struct {
    const char *theirs, *ours;
} endings[] = {{".attn", ".weights"}, {".attn_out", ".out"}};

static TensorId by_ending(const Trace *trace, const char *name) {
    char id[ID_MAX_BYTES];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (str_ends(name, endings[i].theirs)) {
            snprintf(id, sizeof id, "%.*s%s", (int)(strlen(name) - strlen(endings[i].theirs)), name, endings[i].ours);
            return trace_find(trace, id);
        }
    return TENSOR_NONE;
}

/* T5's bias is the same in all layers: the first one's. In a block with cross-attention it stands in the scope `self`. */
static TensorId position_bias(const Trace *trace, const char *scope) {
    static const char *const places[] = {"layers.0.bias", "layers.0.self.bias"};
    char id[ID_MAX_BYTES];
    for (int i = 0; i < 2; i++) {
        snprintf(id, sizeof id, "%s%s", scope, places[i]);
        if (trace_find(trace, id) != TENSOR_NONE) return trace_find(trace, id);
    }
    return TENSOR_NONE;
}

/* Layers of the stack whose ids begin with `scope`: one after another until there is no further one. */
static int layers_of(const Trace *trace, const char *scope) {
    char plain[ID_MAX_BYTES], self[ID_MAX_BYTES];
    for (int n = 0;; n++) {
        snprintf(plain, sizeof plain, "%slayers.%d", scope, n);
        snprintf(self, sizeof self, "%slayers.%d.self", scope, n);
        if (trace_stage_find(trace, plain, STAGE_PROJECT) < 0 && trace_stage_find(trace, self, STAGE_PROJECT) < 0) return n;
    }
}

/* hidden.I is what enters layer I + 1; behind the last layer it is meant with the final norm. */
static TensorId hidden(const Trace *trace, const NetworkResults *results, int stack, const char *scope, const char *number) {
    int i, n = layers_of(trace, scope);
    if (!results->stack[stack].hidden || !str_to_int(number, &i) || i < 0 || i > n) return TENSOR_NONE;
    return i == n ? results->stack[stack].final : results->stack[stack].hidden[i];
}

TensorId checkpoint_reference(const Trace *trace, const NetworkResults *results, const char *name) {
    bool decoder = str_starts(name, "decoder."), encoder = str_starts(name, "encoder.");
    const char *scope = decoder ? "decoder." : encoder ? "encoder." : "", *rest = name + strlen(scope);
    int stack = decoder && results->stack[1].hidden ? 1 : 0;
    if (strlen(name) > ID_MAX_BYTES / 2) return TENSOR_NONE;
    if (str_eq(name, "logits") || str_eq(rest, "logits")) return results->logits;
    if (str_eq(name, "pooler_output")) return results->pooled;
    if (str_eq(rest, "position_bias")) return position_bias(trace, scope);
    if (str_starts(rest, "hidden.")) return hidden(trace, results, stack, scope, rest + strlen("hidden."));
    if (str_eq(rest, "last_layer_out")) {
        int n = layers_of(trace, scope);
        return n > 0 && results->stack[stack].hidden ? results->stack[stack].hidden[n] : TENSOR_NONE;
    }
    TensorId id = by_ending(trace, name);
    return id != TENSOR_NONE ? id : trace_find(trace, name);
}

double checkpoint_tolerance(const char *name) {
    const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
    static const char *const probabilities[] = {"attn", "weights", "probs", "head_avg", "mixed", "rollout"};
    if (str_find(probabilities, sizeof probabilities / sizeof *probabilities, last) >= 0) return 1e-4;
    return str_eq(last, "logits") ? 2e-3 : 1e-3;
}
