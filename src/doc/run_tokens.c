#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "doc/run_build.h"

typedef struct {
    MatrixName matrix;
    int from_end; /* which dimension counts the tokens, 1 = the last */
} RowSource;

static const RowSource query_rows[] = {{MATRIX_X, 2}, {MATRIX_Q, 2}, {MATRIX_SCORES, 2}, {MATRIX_WEIGHTS, 2}};
static const RowSource key_rows[] = {{MATRIX_X_KV, 2}, {MATRIX_K, 2}, {MATRIX_SCORES, 1}, {MATRIX_WEIGHTS, 1}, {MATRIX_V, 2}};

/* Rows of the query side (or key side) that the given matrices fix; 0 = none does. *matrix names the one. */
static int given_rows(const Doc *doc, bool key_side, MatrixName *matrix) {
    const RowSource *rows = key_side ? key_rows : query_rows;
    size_t n = key_side ? sizeof key_rows / sizeof *key_rows : sizeof query_rows / sizeof *query_rows;
    for (size_t i = 0; i < n; i++) {
        const DocMatrix *m = &doc->matrix[rows[i].matrix];
        if (m->rank < rows[i].from_end) continue;
        if (matrix) *matrix = rows[i].matrix;
        return m->dim[m->rank - rows[i].from_end];
    }
    return 0;
}

static void number_tokens(int n, Arena *arena, TokenList *out) {
    const char **names = ARENA_ARRAY(arena, const char *, (size_t)n + 1);
    for (int i = 0; i < n; i++) names[i] = arena_printf(arena, "%d", i + 1);
    tokens_from_list(names, n, arena, out);
}

static void split_at_spaces(const char *text, Arena *arena, TokenList *out) {
    size_t length = strlen(text), n = 0;
    const char **words = ARENA_ARRAY(arena, const char *, length / 2 + 2);
    for (size_t pos = 0, start = 0; start < length; start = pos) {
        size_t end = start;
        bool space = false;
        while (pos < length && !space) {
            end = pos;
            space = utf8_is_space(utf8_next(text, length, &pos));
        }
        if (!space) end = pos;
        if (end > start) words[n++] = arena_strndup(arena, text + start, end - start);
    }
    tokens_from_list(words, (int)n, arena, out);
}

/* With given numbers the text only names rows: where the tokenizer finds another number of tokens,
 * words between spaces are tried ("<pad>" is one name then). */
static bool typed_tokens(const Doc *doc, const char *text, int rows, const RunContext *context, Arena *arena,
                         TokenList *out, Err *err) {
    if (!tokenize(doc->tokenizer, text, context->lexicon, arena, out, err)) return false;
    if (rows && out->n != rows && strlen(text) <= TEXT_MAX) {
        TokenList split;
        split_at_spaces(text, arena, &split);
        if (split.n == rows) *out = split;
    }
    return true;
}

bool run_tokens(const Doc *doc, bool key_side, const RunContext *context, Arena *arena, TokenList *out, Err *err) {
    const DocWords *words = key_side ? &doc->source : &doc->tokens;
    const Blob *text = key_side ? doc->source_text : doc->text;
    int rows = given_rows(doc, key_side, NULL);
    *out = (TokenList){0};
    if (doc->model == MODEL_FOLDER) return err_set(err, ERR_INPUT, "%s", tr("a model from a folder cuts its text itself"));
    if (words->n) {
        tokens_from_list(doc_words(words, arena), words->n, arena, out);
        return true;
    }
    if (text) return typed_tokens(doc, text->bytes, rows, context, arena, out, err);
    if (rows > TOKENS_MAX)
        return err_set(err, ERR_LIMIT, tr("%d tokens are more than the limit of %d"), rows, TOKENS_MAX);
    number_tokens(rows, arena, out);
    return true;
}

static bool check_count(const Doc *doc, bool key_side, int n, Err *err) {
    MatrixName matrix = MATRIX_X;
    int rows = given_rows(doc, key_side, &matrix);
    if (n > TOKENS_MAX) return err_set(err, ERR_LIMIT, tr("%d tokens are more than the limit of %d"), n, TOKENS_MAX);
    if (rows == 0 || rows == n) return true;
    const char *name = doc_matrix_names[matrix];
    if (key_side)
        return err_set(err, ERR_SHAPE, tr("%s is given for %d keys, but there are %d source tokens; "
                                          "with given numbers the tokens can be renamed, not added or removed"),
                       name, rows, n);
    return err_set(err, ERR_SHAPE, tr("%s is given for %d tokens, but there are %d; "
                                      "with given numbers the tokens can be renamed, not added or removed"),
                   name, rows, n);
}

/* Nothing was typed, or keys and values are given of which no number of queries follows. */
static bool no_tokens(const Doc *doc, Err *err) {
    MatrixName given = MATRIX_X;
    if (given_rows(doc, true, &given) == 0) return err_set(err, ERR_INPUT, "%s", tr("Type some words to begin."));
    return err_set(err, ERR_INPUT, tr("%s is given, but nothing says how many queries there are: tokens, x, q, scores or weights would"), doc_matrix_names[given]);
}

static bool has_source(const Doc *doc) {
    return doc_has_source(doc) || doc->matrix[MATRIX_X_KV].rank > 0;
}

bool run_build_tokens(RunBuild *build, Err *err) {
    const Doc *doc = build->doc;
    Run *run = build->run;
    if (!run_tokens(doc, false, build->context, &run->arena, &run->tokens, err)) return false;
    if (run->tokens.n == 0) return no_tokens(doc, err);
    if (!check_count(doc, false, run->tokens.n, err)) return false;
    if (!doc->text && doc->tokens.n == 0) run->fields |= RUN_TOKENS_NUMBERED;
    build->cross = run->cross = has_source(doc);
    run->keys = run->tokens;
    int keys = given_rows(doc, true, NULL);
    if (!build->cross && (keys == 0 || keys == run->tokens.n)) return true;
    if (!run_tokens(doc, true, build->context, &run->arena, &run->keys, err)) return false;
    if (run->keys.n == 0) return err_set(err, ERR_INPUT, "%s", tr("The source text is empty: type some words there."));
    return check_count(doc, true, run->keys.n, err);
}
