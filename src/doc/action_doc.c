/* Actions on the document. Each leaves it as it was when it fails. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "doc/action_parts.h"
#include "doc/yaml.h"

/* ---- text ---- */

/* A second text comes: queries and keys stand no longer in one order, and a causal mask would hide keys by chance. */
static void drop_causal(Doc *doc) {
    for (int i = doc->n_masks - 1; i >= 0; i--)
        if (doc->masks[i].spec.kind == MASK_CAUSAL) action_remove_mask(doc, i);
}

static void set_text(Doc *doc, const char *text, size_t length, bool source) {
    if (source && length && !doc->source_text && !doc->source.n && doc->model != MODEL_FOLDER) drop_causal(doc);
    if (!source) {
        doc_set_text(doc, text, length);
        return;
    }
    doc_set_blob(&doc->source_text, length ? text : NULL, length);
    doc_set_words(&doc->source, NULL, 0);
}

bool action_set_text(ActionContext *cx, const char *text, size_t length, bool source, Err *err) {
    if (!utf8_check(text, length, err)) return false;
    if (memchr(text, 0, length)) return err_set(err, ERR_INPUT, "%s", tr("the text holds a NUL character"));
    Arena arena = {0};
    Doc changed = {0};
    TokenList before, after;
    doc_copy(&changed, cx->doc);
    set_text(&changed, text, length, source);
    bool follow = cx->context && cx->doc->model != MODEL_FOLDER && !doc_rows_given(cx->doc) &&
                  run_tokens(cx->doc, source, cx->context, &arena, &before, NULL) &&
                  run_tokens(&changed, source, cx->context, &arena, &after, NULL);
    if (follow && before.n && after.n) doc_follow_tokens(&changed, source, &before, &after, &arena);
    doc_copy(cx->doc, &changed);
    doc_reset(&changed);
    arena_free(&arena);
    return true;
}

bool action_text(ActionContext *cx, const ActionLine *line, Err *err) {
    return action_set_text(cx, line->arg[1], strlen(line->arg[1]), false, err);
}

bool action_source(ActionContext *cx, const ActionLine *line, Err *err) {
    const Network *network = cx->doc->model == MODEL_FOLDER && cx->run ? cx->run->network : NULL;
    if (network && checkpoint_info(network->checkpoint)->n_stacks == 1 && line->arg[1][0])
        return err_set(err, ERR_USAGE, tr("%s reads one text: there is no source."), checkpoint_info(network->checkpoint)->name);
    return action_set_text(cx, line->arg[1], strlen(line->arg[1]), true, err);
}

bool action_tokenizer(ActionContext *cx, const ActionLine *line, Err *err) {
    int kind;
    if (!action_choice("tokenizer", tokenizer_names, TOKENIZER_KIND_COUNT, line->arg[1], &kind, err)) return false;
    cx->doc->tokenizer = (TokenizerKind)kind;
    return true;
}

/* ---- models ---- */

/* Could the text be a molecule? Outside brackets SMILES knows few letters. */
static bool is_smiles(const char *text) {
    static const char plain[] = "BCNOPSFIHbcnops0123456789-=#$:/\\.()@+%*";
    if (!*text) return false;
    while (*text) {
        size_t n = *text == '[' ? strcspn(text, "]") : strspn(text, plain);
        if (*text == '[' && text[n] == ']') n++;
        if (strncmp(text, "Cl", 2) == 0 || strncmp(text, "Br", 2) == 0) n = 2;
        if (n == 0 || (*text == '[' && text[n - 1] != ']')) return false;
        text += n;
        if ((*text == 'l' && text[-1] == 'C') || (*text == 'r' && text[-1] == 'B')) text++;
    }
    return true;
}

static bool is_model_folder(const char *path, Err *err) {
    Arena arena = {0};
    bool there = file_exists(path_join(&arena, path, "config.json"));
    arena_free(&arena);
    if (there) return true;
    if (!file_is_folder(path)) return err_set(err, ERR_IO, tr("there is no folder %s"), path);
    return err_set(err, ERR_IO, tr("%s has no config.json; a model is a folder with config.json"), path);
}

bool action_model(ActionContext *cx, const ActionLine *line, Err *err) {
    Doc changed = {0};
    doc_copy(&changed, cx->doc);
    bool ok = yaml_set(&changed, NULL, "model", line->arg[1], err);
    if (ok && changed.model == MODEL_GIVEN && !doc_rows_given(cx->doc))
        ok = err_set(err, ERR_USAGE, "%s", tr("model given needs matrices: open a scenario that has them"));
    if (ok && changed.model == MODEL_FOLDER) ok = is_model_folder(changed.model_folder->bytes, err);
    if (ok && changed.model != MODEL_GIVEN && changed.model != MODEL_FOLDER) {
        for (int i = 0; i < MATRIX_COUNT; i++) doc_set_matrix(&changed.matrix[i], 0, NULL, NULL);
        changed.projections = PROJ_LINEAR;
        changed.out_proj = changed.out_proj_set = false;
        changed.d_model = changed.d_k = changed.d_v = changed.heads = changed.kv_heads = 0;
        if (!changed.text && changed.tokens.n == 0) doc_set_text(&changed, "The cat sat on the mat", 22);
        if (changed.model == MODEL_MOLECULE && changed.tokens.n == 0 && !is_smiles(doc_text(&changed)))
            doc_set_text(&changed, "CCO", 3);
    }
    if (ok) doc_copy(cx->doc, &changed);
    doc_reset(&changed);
    return ok;
}

/* ---- positions and plain keys ---- */

static const char *const rope_params[] = {"dim", "theta", "offset"};

static bool is_rope_name(const char *name) {
    return str_eq(name, position_names[POSITION_ROPE_HALF]) || str_eq(name, position_names[POSITION_ROPE_INTERLEAVED]);
}

static bool set_position(ActionContext *cx, const ActionLine *line, Err *err) {
    int kind;
    if (!action_choice("position", position_names, POSITION_RELATIVE, line->arg[1], &kind, err)) return false;
    if (line->n == 2) return yaml_set(cx->doc, NULL, "position", line->arg[1], err);
    if (!is_rope_name(line->arg[1]))
        return err_set(err, ERR_USAGE, tr("position %s takes no numbers, found '%s'"), line->arg[1], line->arg[2]);
    Arena arena = {0};
    StrBuf sb;
    sb_init(&sb, &arena);
    sb_printf(&sb, "{kind: %s", line->arg[1]);
    bool ok = true;
    for (int i = 2; ok && i < line->n; i++) {
        double number;
        ok = str_to_double(line->arg[i], &number) ||
             err_set(err, ERR_USAGE, tr("%s is a number, found '%s'"), rope_params[i - 2], line->arg[i]);
        sb_printf(&sb, ", %s: %s", rope_params[i - 2], line->arg[i]);
    }
    sb_add(&sb, "}");
    ok = ok && yaml_set(cx->doc, NULL, "position", sb.data, err);
    arena_free(&arena);
    return ok;
}

bool action_position(ActionContext *cx, const ActionLine *line, Err *err) {
    if (!set_position(cx, line, err)) return false;
    snprintf(cx->view->control, sizeof cx->view->control, "position"); /* its effect is read */
    return true;
}

bool action_same_key(ActionContext *cx, const ActionLine *line, Err *err) {
    return yaml_set(cx->doc, NULL, line->arg[0], line->arg[1], err);
}

bool action_fill(ActionContext *cx, const ActionLine *line, Err *err) {
    return yaml_set(cx->doc, NULL, "mask_fill", line->arg[1], err);
}

bool action_set(ActionContext *cx, const ActionLine *line, Err *err) {
    if (str_eq(line->arg[1], "text") || str_eq(line->arg[1], "source_text"))
        return action_set_text(cx, line->arg[2], strlen(line->arg[2]), line->arg[1][0] == 's', err);
    return yaml_set(cx->doc, cx->view, line->arg[1], line->arg[2], err);
}

bool action_new(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    doc_reset(cx->doc);
    doc_init(cx->doc);
    view_leave_document(cx->view);
    film_home(&cx->view->film);
    cx->view->head = 0;
    return action_select_none(cx, line, err);
}
