/* One field after another, as the command line sets them: a key, a space, a value on each line. */
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "doc/yaml.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_run.h"
#include "fuzz/fuzz_words.h"

static const char *const texts[] = {
    "text The cat sat\nmask causal\nheads 2\nmodel random\nd_model 8\nd_k 4\nd_v 4\nkv_heads 1\nposition rope_half\n",
    "tokens [\"a\", \"b\"]\nx [[1,0],[1,1]]\nprojections none\nkeep [[1,0],[1,1]]\nmask_fill -inf\nempty_row zero\nscale none\n",
    "model molecule\ntext CCO\nmask {kind: window, left: 1, right: 1}\nview.stage softmax\nview.head 2\ntemperature 0.5\nprecision f64\n",
    "source_text dog barks\nmask [causal, {kind: padding, count: 1, side: left}]\ncausal_align top_left\nposition {kind: alibi, slopes: [1, 0.5]}\n",
    "model identity\nd_model 4\nw_q [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]\nedit {w_q[1, 1]: 3}\nbias true\nout_proj false\nseed 99\n",
    "scores [[1,2],[3,4]]\ntokens [\"p\", \"q\"]\nd_k 4\nv [[1],[2]]\nmask_op add\nmask strided\n",
    "weights [[1,0],[0,1]]\ntext a b\nview.selection \"weights[1, 1, 1]\"\nmodel given\n",
    NULL};

const FuzzTarget fuzz_target = {
    .name = "fuzz_set", .cases = 24000, .max = 1200, .words = fuzz_scenario_words, .texts = texts};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FuzzBytes bytes = {data, size, 0};
    Arena arena = {0};
    Doc doc, before = {0};
    View view;
    doc_init(&doc);
    view_init(&view);
    for (int i = 0; i < 20 && fuzz_more(&bytes); i++) {
        char *line = fuzz_line(&bytes, &arena);
        char *value = strchr(line, ' ');
        if (value) *value++ = '\0';
        Err err = {0};
        doc_copy(&before, &doc);
        if (utf8_valid_until(line, strlen(line)) != strlen(line)) continue; /* a key comes from checked arguments */
        if (!yaml_set(&doc, &view, line, value ? value : "", &err)) {
            fuzz_error(&err);
            fuzz_check(doc_equal(&before, &doc), "%s changed the document though it failed: %s", line, err.message);
        }
    }
    fuzz_write_back(&doc, &view);
    Run *run = NULL;
    if (fuzz_is_small(&doc) && fuzz_run(&doc, &run)) run_close(run);
    doc_reset(&before);
    doc_reset(&doc);
    arena_free(&arena);
    return 0;
}
