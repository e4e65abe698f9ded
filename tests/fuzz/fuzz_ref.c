/* Names of numbers, "weights[2,sat,cat]", against runs of several kinds; their explanations in words. */
#include <string.h>

#include "app/copy.h"
#include "base/str.h"
#include "base/utf8.h"
#include "doc/yaml.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_run.h"
#include "scene/scene.h"

static const char *const scenarios[] = {
    "attnscope: 1\ntext: The cat sat on the mat, the cat\nmask: causal\n",
    "attnscope: 1\ntokens: [\"3\", \"a b\", \"#2\", \"the#2\", \"the\", \"the\", \"\\\"\", \"[\", \"]\", \",\", \"\", \" \", \"1\"]\nmodel: random\nd_model: 4\nheads: 2\n"
    "position: rope_half\nkv_heads: 1\nmask: {kind: padding, keys: [1, 2]}\n",
    "attnscope: 1\ntext: CCO\nmodel: molecule\nposition: alibi\n",
    "attnscope: 1\ntext: a b\nsource_text: c d e\nmodel: random\nd_model: 4\nheads: 2\nmask: causal\nbias: true\nposition: sinusoidal\n",
    "attnscope: 1\ntokens: [a, b]\nscores: [[1,2],[3,.nan]]\nscale: none\n",
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static const char *const words[] = {
    "weights", "scores", "masked", "mask", "tok", "pe", "x", "x_kv", "w_q", "w_k", "w_v", "w_o", "b_q", "q", "k", "v", "q_rope", "rope_cos", "bias", "alibi_slopes",
    "row_max", "exp", "row_sum", "head_out", "concat", "out", "scaled", "the", "the#2", "The", "cat", "sat", "\"3\"", "3", "\"a b\"", "head 2", "noun", "id1",
    "id\xE2\x82\x81", "pos4", "#", "#1", "#0", "#99999999999", "[", "]", ",", " ", "\"", "\\", "\\\"", NULL};

static const char *const texts[] = {
    "0weights[2,sat,cat]", "0scores[1,the#2,cat]", "0w_q[1,noun]", "0x[mat,id1]", "0out[1, verb]", "1weights[ 2 , \"a b\", \"#2\" ]", "1q_rope[head 2, 3, 1]",
    "1row_max[1, \"3\"]", "2weights[1,C,O]", "3weights[1,a,c]", "3pe[1,2]", "4weights[1,1,2]", "4row_sum[1,a]", "0mask[1,1]", "0head_out[3, \"The\", 1]", NULL};

const FuzzTarget fuzz_target = {.name = "fuzz_ref", .cases = 400000, .max = 300, .words = words, .texts = texts};

static const Run *a_run(unsigned which) {
    static Run *runs[SCENARIOS];
    if (!runs[which]) {
        Doc doc = {0};
        View view;
        Err err = {0};
        bool more;
        fuzz_check(yaml_read(scenarios[which], strlen(scenarios[which]), "scenario", 0, &doc, &view, &more, &err), "%s", err.message);
        fuzz_check(run_build(&doc, fuzz_context(), &runs[which], &err), "%s", err.message);
        doc_reset(&doc);
    }
    return runs[which];
}

static void check_text(const char *text) {
    fuzz_check(text && utf8_valid_until(text, strlen(text)) == strlen(text), "not UTF-8: %s", text ? text : "(none)");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FuzzBytes bytes = {data, size, 0};
    Arena arena = {0};
    const Run *run = a_run(fuzz_byte(&bytes) % SCENARIOS);
    const char *raw = fuzz_rest(&bytes, &arena), *text = utf8_clean(&arena, raw, strlen(raw));
    TensorId id;
    int index[TENSOR_RANK_MAX];
    Err err = {0};
    if (!run_resolve(run, text, &id, index, &err)) {
        fuzz_error(&err);
    } else {
        const Tensor *t = trace_tensor(run->trace, id);
        Explanation explanation;
        ExplainWords told;
        fuzz_check(tensor_has(t, index), "\"%s\" is outside %s", text, t->id);
        fuzz_check(trace_explain(run->trace, id, index, &arena, &explanation, &err), "%s", err.message);
        explain_words(run, &explanation, &arena, &told);
        check_text(told.question);
        check_text(told.reference);
        check_text(copy_words(run, &explanation, &arena));
        check_text(copy_latex(run, &explanation, &arena));
    }
    arena_free(&arena);
    return 0;
}
