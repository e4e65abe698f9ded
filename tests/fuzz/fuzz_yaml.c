/* The reader of scenario files, and a run of what it accepts. The first byte says which document. */
#include <string.h>

#include "base/str.h"
#include "doc/yaml.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_run.h"
#include "fuzz/fuzz_words.h"

static const char *const texts[] = {
    "attnscope: 1\ntokens: [\"a\", \"b\"]\nx: [[1,0],[1,1]]\nprojections: none\nmask: custom\nkeep: [[1,0],[1,1]]\n---\nattnscope: 1\ntext: two\n",
    "attnscope: 1\ntext: the cat\nmodel: random\nd_model: 8\nheads: 4\nkv_heads: 2\nd_k: 2\nd_v: 3\nbias: true\nseed: 7\nedit: {x[1, 1]: 5, w_q[1, 2]: -1}\n",
    "attnscope: 1\ntext: a b c\nsource_text: d e\nmodel: identity\nd_model: 4\nposition: {kind: rope_half, dim: 2, theta: 100, offset: 3}\nmask: {kind: causal}\n",
    "attnscope: 1\ntokens: [a, b, c]\nscores: [[1,2,3],[4,5,6],[7,8,9]]\nscale: none\nmask: [causal, {kind: padding, keys: [1]}]\nempty_row: nan\n",
    "attnscope: 1\ntokens: [a, b]\nweights: [[0.5,0.5],[0.9,0.2]]\nv: [[1],[2]]\nview: {stage: softmax, step: 1, head: 1, selection: \"weights[1, a, b]\", theme: dark}\n",
    "attnscope: 1\nmodel: molecule\ntext: CC(=O)Oc1ccccc1C(=O)O\nposition: {kind: alibi, slopes: [1, 0.5, 0.25, 0.125]}\nmask: {kind: global_window, each_side: 1, tokens: [1]}\n",
    "attnscope: 1\ntokens: [a, b]\nq: [[[1,0]],[[0,1]]]\nk: [[[1,0],[1,1]]]\nv: [[[1,0],[1,1]]]\nkeep: [[[1, 0]], [[0, 1]]]\nmask: custom\nmask_fill: -1e9\nmask_op: add\n",
    NULL};

const FuzzTarget fuzz_target = {
    .name = "fuzz_yaml", .cases = 90000, .max = 4096, .folders = {"assets/scenarios", "tests/data/scenarios", NULL}, .suffix = ".yaml",
    .words = fuzz_scenario_words, .texts = texts};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Doc doc = {0};
    View view;
    Err err = {0};
    bool more = false;
    int which = size > 0 && data[0] < 3 ? data[0] : 0; /* a good file begins with no such byte */
    if (!yaml_read((const char *)data, size, "input", which, &doc, &view, &more, &err)) {
        Doc none = {0};
        fuzz_error(&err);
        fuzz_check(str_eq(err.file, "input"), "an error without its file: %s", err.message);
        fuzz_check(memcmp(&doc, &none, sizeof doc) == 0, "the document is not empty after \"%s\"", err.message);
        return 0;
    }
    fuzz_write_back(&doc, &view);
    Run *run = NULL;
    if (fuzz_is_small(&doc) && fuzz_run(&doc, &run)) {
        run_settle_view(run, NULL, &view);
        fuzz_check(view.head >= 0 && view.head < run->spec.n_heads, "head %d", view.head);
        run_close(run);
    }
    doc_reset(&doc);
    return 0;
}
