#include "network_support.h"

#include <stdio.h>

void network_doc(Doc *doc, const char *model, const char *text, const char *source) {
    char name[64];
    Err err = {0};
    snprintf(name, sizeof name, "models/%s", model);
    doc_init(doc);
    if (!yaml_set(doc, NULL, "model", data_path(name), &err)) fail_msg("%s", err.message);
    doc_set_text(doc, text, strlen(text));
    doc_set_blob(&doc->source_text, source, source ? strlen(source) : 0);
}

Run *network_run(const char *model, const char *text, const char *source, const RunContext *context) {
    Doc doc;
    Run *run;
    Err err = {0};
    char message[1200];
    network_doc(&doc, model, text, source);
    if (!run_build(&doc, context ? context : doc_context(), &run, &err)) fail_msg("%s", err_format(&err, message, sizeof message));
    doc_reset(&doc);
    return run;
}

void assert_same_numbers(const Run *a, const Run *b, double tolerance) {
    assert_int_equal(trace_tensor_count(a->trace), trace_tensor_count(b->trace));
    for (int i = 0; i < trace_tensor_count(a->trace); i++) {
        const Tensor *t = trace_tensor(a->trace, i), *u = trace_tensor(b->trace, i);
        assert_string_equal(t->id, u->id);
        if (!trace_resident(a->trace, i) || !trace_resident(b->trace, i)) continue;
        assert_int_equal(tensor_count(t), tensor_count(u));
        for (size_t k = 0; k < tensor_count(t); k++)
            if (!near_equal(tensor_flat(t, k), tensor_flat(u, k), tolerance))
                fail_msg("%s at %zu: %.9g and %.9g", t->id, k, tensor_flat(t, k), tensor_flat(u, k));
    }
}
