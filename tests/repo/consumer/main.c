/* Three tokens, one head, q = k = v = x, causal: what a stranger writes to get attention weights. */
#include <math.h>
#include <stdio.h>

#include <core/attn.h>

int main(void) {
    static const float x[3][2] = {{1, 0}, {1, 1}, {0, 2}};
    TensorInput input = {.name = "x", .rank = 2, .dim = {3, 2}, .data = &x[0][0]};
    AttentionSpec spec = {.proj = PROJ_NONE, .masks = {{.kind = MASK_CAUSAL}}, .n_masks = 1, .fill = -INFINITY};
    Arena arena = {0};
    Err err = {0};
    Trace *trace = trace_new(&arena);
    if (!machine_attention(trace, "", &spec, &input, 1, &err) || !trace_run(trace, &(CoreContext){0}, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    const Tensor *weights = trace_tensor(trace, trace_find(trace, "weights"));
    double sum = 0;
    for (int j = 0; j < 3; j++) sum += tensor_at(weights, (int[4]){0, 1, j, 0});
    double first = tensor_at(weights, (int[4]){0, 1, 0, 0}), hidden = tensor_at(weights, (int[4]){0, 1, 2, 0});
    printf("weights[1, 2, :] begins with %.4f and sums to %.6f\n", first, sum);
    double want = 1 / (1 + exp(1 / sqrt(2))); /* scores 1 and 2, divided by the root of 2 */
    bool good = fabs(first - want) < 1e-6 && fabs(sum - 1) < 1e-6 && hidden == 0;
    arena_free(&arena);
    return good ? 0 : 1;
}
