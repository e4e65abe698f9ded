#include "doc_support.h"

#include <stdio.h>

const RunContext *doc_context(void) {
    static RunContext context;
    static Arena arena;
    static Lexicon *lexicon;
    Err err = {0};
    if (!lexicon) {
        setenv("ATTNSCOPE_DATA", TEST_SOURCE, 1);
        if (!lexicon_load(&arena, &lexicon, &err)) fail_msg("%s", err.message);
        context.lexicon = lexicon;
    }
    return &context;
}

Run *run_of(const Doc *doc) {
    Err err = {0};
    Run *run;
    char text[1200];
    if (!run_build(doc, doc_context(), &run, &err)) fail_msg("%s", err_format(&err, text, sizeof text));
    return run;
}

void doc_of(const char *yaml, Doc *doc) {
    Err err = {0};
    bool more;
    char text[1200];
    if (!yaml_read(yaml, strlen(yaml), "test", 0, doc, NULL, &more, &err))
        fail_msg("%s", err_format(&err, text, sizeof text));
}

void doc_of_file(const char *name, int which, Doc *doc) {
    Err err = {0};
    bool more;
    char path[256], text[1200];
    snprintf(path, sizeof path, "scenarios/%s", name);
    if (!yaml_read_file(data_path(path), which, doc, NULL, &more, &err))
        fail_msg("%s", err_format(&err, text, sizeof text));
}

Run *run_of_text(const char *yaml) {
    Doc doc;
    doc_of(yaml, &doc);
    Run *run = run_of(&doc);
    doc_reset(&doc);
    return run;
}

double value_of(const Run *run, const char *number) {
    TensorId id;
    int index[TENSOR_RANK_MAX];
    Err err = {0};
    if (!run_resolve(run, number, &id, index, &err)) fail_msg("%s: %s", number, err.message);
    return tensor_at(trace_tensor(run->trace, id), index);
}

void assert_message(const Err *err, const char *part) {
    char text[1200];
    err_format(err, text, sizeof text);
    assert_int_not_equal(err->code, ERR_NONE);
    if (!strstr(text, part)) fail_msg("\"%s\" does not say \"%s\"", text, part);
}
