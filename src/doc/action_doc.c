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

bool action_has_edits(const ActionContext *cx) {
    return cx->doc->n_edits > 0;
}

/* ---- text ---- */

static void set_text(Doc *doc, const char *text, size_t length, bool source) {
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

/* ---- masks ---- */

/* What the words behind a kind are, with the values that are taken when they are left out. */
typedef struct {
    MaskKind kind;
    const char *param[2], *value[2];
} MaskWords;

static const MaskWords mask_words[] = {
    {MASK_NONE, {NULL, NULL}, {NULL, NULL}},
    {MASK_CAUSAL, {NULL, NULL}, {NULL, NULL}},
    {MASK_PADDING, {"keys", NULL}, {"1", NULL}},
    {MASK_WINDOW, {"left", "right"}, {"2", "0"}},
    {MASK_LOCAL_BLOCK, {"block", NULL}, {"2", NULL}},
    {MASK_GLOBAL_WINDOW, {"each_side", NULL}, {"1", NULL}},
    {MASK_STRIDED, {"stride", NULL}, {"2", NULL}},
};
enum { MASK_WORDS = sizeof mask_words / sizeof *mask_words };

static const MaskWords *words_of(MaskKind kind) {
    for (int i = 0; i < MASK_WORDS; i++)
        if (mask_words[i].kind == kind) return &mask_words[i];
    return NULL;
}

/* Words that may stand behind the numbers: what they add to the mapping. */
static bool add_option(StrBuf *sb, MaskKind kind, const char *word, Err *err) {
    bool side = str_eq(word, "left") || str_eq(word, "right");
    if (kind == MASK_PADDING && side) {
        sb_printf(sb, ", side: %s", word);
        return true;
    }
    if (kind >= MASK_LOCAL_BLOCK && kind <= MASK_STRIDED && str_eq(word, "causal")) {
        sb_add(sb, ", causal: true");
        return true;
    }
    return err_set(err, ERR_USAGE, tr("mask %s does not know '%s'"), mask_names[kind], word);
}

static bool is_number(const char *word) {
    int n;
    return str_to_int(word, &n);
}

/* "window 2 0" as {kind: window, left: 2, right: 0}; further numbers of global_window are its tokens. */
static char *mask_yaml(const ActionLine *line, MaskKind kind, Arena *arena, Err *err) {
    const MaskWords *words = words_of(kind);
    StrBuf sb, tokens;
    int at = 2;
    sb_init(&sb, arena);
    sb_init(&tokens, arena);
    if (!words->param[0] && line->n == 2) return arena_strdup(arena, mask_names[kind]);
    sb_printf(&sb, "{kind: %s", mask_names[kind]);
    for (int i = 0; i < 2 && words->param[i]; i++) {
        bool said = at < line->n && is_number(line->arg[at]);
        sb_printf(&sb, ", %s: %s", words->param[i], said ? line->arg[at++] : words->value[i]);
    }
    for (; at < line->n; at++) {
        if (kind == MASK_GLOBAL_WINDOW && is_number(line->arg[at])) sb_printf(&tokens, "%s%s", tokens.length ? ", " : "", line->arg[at]);
        else if (!add_option(&sb, kind, line->arg[at], err)) return NULL;
    }
    if (kind == MASK_GLOBAL_WINDOW) sb_printf(&sb, ", tokens: [%s]", tokens.length ? tokens.data : "1");
    sb_add(&sb, "}");
    return sb.data;
}

/* The mask that is in force as a custom one; false when nothing tells its size. */
static bool make_custom(const ActionContext *cx, Doc *doc) {
    if (doc->n_masks == 1 && doc->masks[0].keep.rank) return true;
    if (!cx->run) return false;
    TensorId id = trace_find(cx->run->trace, "mask");
    int dim[3] = {cx->run->tokens.n, cx->run->keys.n, 1}, rank = 2;
    const float *data = NULL;
    if (id != TENSOR_NONE) {
        const Tensor *t = trace_tensor(cx->run->trace, id);
        rank = t->rank;
        for (int i = 0; i < rank; i++) dim[i] = t->dim[i];
        data = t->data;
    }
    for (int i = 0; i < MASK_LIST_MAX; i++) doc_mask_reset(&doc->masks[i]);
    doc->masks[0].spec.kind = rank == 3 ? MASK_CUSTOM_PER_HEAD : MASK_CUSTOM;
    doc->n_masks = 1;
    doc_set_matrix(&doc->masks[0].keep, rank, dim, data);
    DocMatrix *keep = &doc->masks[0].keep;
    float *numbers = keep->data ? keep->data->bytes : NULL; /* a new blob: nobody shares it yet */
    for (int i = 0; numbers && !data && i < dim[0] * dim[1]; i++) numbers[i] = 1;
    return numbers != NULL;
}

bool action_mask(ActionContext *cx, const ActionLine *line, Err *err) {
    static const char *const aligns[] = {"top_left", "bottom_right"};
    int kind;
    Arena arena = {0};
    if (!action_choice("mask", mask_names, MASK_CUSTOM + 1, line->arg[1], &kind, err)) return false;
    if (kind == MASK_CUSTOM) {
        if (!make_custom(cx, cx->doc))
            return err_set(err, ERR_INPUT, "%s", tr("mask custom begins with the mask that is there; nothing is computed yet"));
        return true;
    }
    bool align = kind == MASK_CAUSAL && line->n == 3;
    if (align && str_find(aligns, 2, line->arg[2]) < 0)
        return err_set(err, ERR_USAGE, tr("mask causal is bottom_right or top_left, found '%s'"), line->arg[2]);
    char *value = align ? arena_strdup(&arena, "causal") : mask_yaml(line, (MaskKind)kind, &arena, err);
    bool ok = value && yaml_set(cx->doc, NULL, "mask", value, err);
    if (ok && align) ok = yaml_set(cx->doc, NULL, "causal_align", line->arg[2], err);
    arena_free(&arena);
    return ok;
}

bool action_mask_cycle(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line;
    MaskKind now = cx->doc->n_masks == 1 ? cx->doc->masks[0].spec.kind : MASK_NONE;
    int at = 0;
    while (at < MASK_WORDS && mask_words[at].kind != now) at++;
    at = at + 1 < MASK_WORDS ? at + 1 : 0;
    ActionLine next = {.n = 2};
    next.arg[0] = next.arg[1] = next.store;
    snprintf(next.store, sizeof next.store, "%s", mask_names[mask_words[at].kind]);
    return action_mask(cx, &next, err);
}

/* to: 0, 1, or -1 for the other one. */
static bool set_keep(DocMatrix *keep, int head, int row, int col, int to) {
    int rows = keep->dim[keep->rank - 2], cols = keep->dim[keep->rank - 1];
    if (row >= rows || col >= cols || (keep->rank == 3 && head >= keep->dim[0])) return false;
    size_t at = ((size_t)(keep->rank == 3 ? head : 0) * (size_t)rows + (size_t)row) * (size_t)cols + (size_t)col;
    Blob *copy = blob_new(keep->data->bytes, keep->data->size);
    if (!copy) return false;
    float *numbers = copy->bytes; /* new: nobody shares it yet */
    numbers[at] = to >= 0 ? (float)to : 1 - numbers[at];
    blob_drop(keep->data);
    keep->data = copy;
    return true;
}

bool action_mask_toggle(ActionContext *cx, const ActionLine *line, Err *err) {
    int row, col, to = -1;
    if (!action_needs_run(cx, err)) return false;
    if (!token_resolve(&cx->run->tokens, line->arg[1], &row, err) || !token_resolve(&cx->run->keys, line->arg[2], &col, err))
        return false;
    if (line->n > 3 && !action_int("mask", line->arg[3], 0, 1, &to, err)) return false;
    Doc changed = {0};
    doc_copy(&changed, cx->doc);
    bool ok = make_custom(cx, &changed) && set_keep(&changed.masks[0].keep, cx->view->head, row, col, to);
    if (ok) doc_copy(cx->doc, &changed);
    else err_set(err, ERR_INPUT, tr("row %d, column %d lies outside the mask"), row + 1, col + 1);
    doc_reset(&changed);
    return ok;
}

/* ---- positions and plain keys ---- */

static const char *const rope_params[] = {"dim", "theta", "offset"};

static bool is_rope_name(const char *name) {
    return str_eq(name, position_names[POSITION_ROPE_HALF]) || str_eq(name, position_names[POSITION_ROPE_INTERLEAVED]);
}

bool action_position(ActionContext *cx, const ActionLine *line, Err *err) {
    int kind;
    if (!action_choice("position", position_names, POSITION_RELATIVE, line->arg[1], &kind, err)) return false;
    snprintf(cx->view->control, sizeof cx->view->control, "position");
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
    film_home(&cx->view->film);
    cx->view->head = 0;
    return action_select_none(cx, line, err);
}

/* ---- single numbers ---- */

static bool editable(const ActionContext *cx, TensorId id, int *matrix, Err *err) {
    *matrix = run_matrix_of(cx->run, id);
    const char *name = trace_tensor(cx->run->trace, id)->id;
    if (*matrix >= 0) return true;
    if (str_eq(name, "mask")) return err_set(err, ERR_USAGE, "%s", tr("the mask is changed by mask.toggle"));
    return err_set(err, ERR_USAGE, tr("%s is computed; change one of the numbers that it comes from"), name);
}

/* Ask for the new number of the selected one: the dialog "edit" with the present one in its field. */
static bool ask_number(ActionContext *cx, Err *err) {
    View *view = cx->view;
    TensorId id = view->selection.tensor[0] ? trace_find(cx->run->trace, view->selection.tensor) : TENSOR_NONE;
    int matrix;
    if (id == TENSOR_NONE) return err_set(err, ERR_USAGE, "%s", tr("Select a number first."));
    if (!editable(cx, id, &matrix, err)) return false;
    char number[NUM_MAX];
    num_float(number, (float)tensor_at(trace_tensor(cx->run->trace, id), view->selection.index), NUM_FILE);
    snprintf(view->menu, sizeof view->menu, "edit");
    view->menu_item = -1;
    snprintf(view->query, sizeof view->query, "%s", number);
    view->query_anchor = 0;
    view->query_caret = (int)strlen(number);
    return true;
}

bool action_edit(ActionContext *cx, const ActionLine *line, Err *err) {
    TensorId id;
    int index[TENSOR_RANK_MAX], matrix;
    DocEdit edit = {0};
    if (!action_needs_run(cx, err)) return false;
    if (line->n == 1) return ask_number(cx, err);
    if (!run_resolve_at(cx->run, cx->view->film.stage, line->arg[1], &id, index, err) || !editable(cx, id, &matrix, err)) return false;
    if (line->n == 2) return action_select(cx, line, err) && ask_number(cx, err);
    if (!str_to_double(line->arg[2], &edit.value))
        return err_set(err, ERR_USAGE, tr("the new number is a number, found '%s'"), line->arg[2]);
    edit.matrix = (MatrixName)matrix;
    for (int i = 0; i < doc_matrix_rank(edit.matrix); i++) edit.index[i] = index[i];
    Arena arena = {0};
    doc_edit(cx->doc, &edit, &arena);
    arena_free(&arena);
    return true;
}

bool action_edits_clear(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    doc_set_edits(cx->doc, NULL, 0);
    return true;
}
