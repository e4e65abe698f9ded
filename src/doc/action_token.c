/* Tokens by hand: moved, taken out, put in. The typed text follows where some text is cut into just these tokens; else the document
 * lists them. Numbers changed by hand and masks go with their token. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "doc/action_parts.h"

/* Tokens of one side as they are, and as they shall be. */
typedef struct {
    ActionContext *cx;
    bool source;
    const char *text;      /* typed; NULL: they are listed */
    TokenList now;
    const char **wanted;   /* [n] */
    int *to_old;           /* [n]; -1 = new */
    int n;
    Arena arena;
} Tokens;

/* ---- what there is ---- */

static bool is_folder(const Tokens *t) { return t->cx->doc->model == MODEL_FOLDER; }

/* A model from a folder has cut its text already; else the document's own tokenizer does it again. */
static bool cut(Tokens *t, Err *err) {
    const Run *run = t->cx->run;
    if (!is_folder(t)) return run_tokens(t->cx->doc, t->source, t->cx->context, &t->arena, &t->now, err);
    if (!action_needs_tokens(t->cx, err)) return false;
    t->now = t->source ? run->keys : run->tokens;
    return true;
}

static bool begin(Tokens *t, ActionContext *cx, bool source, Err *err) {
    *t = (Tokens){.cx = cx, .source = source};
    if (!action_needs_run(cx, err)) return false;
    if (!cx->context) return err_set(err, ERR_INPUT, "%s", tr("There are no tokens yet."));
    if (source && !cx->run->cross) return err_set(err, ERR_USAGE, "%s", tr("There is no source text: keys and values come from the text itself."));
    if (!is_folder(t) && (doc_rows_given(cx->doc) || cx->doc->matrix[MATRIX_X_KV].rank > 0 || cx->doc->matrix[MATRIX_K].rank > 0))
        return err_set(err, ERR_USAGE, "%s", tr("The rows' numbers are given here: their tokens can be renamed, not moved, added or taken out."));
    const Blob *text = source ? cx->doc->source_text : cx->doc->text;
    bool listed = (source ? cx->doc->source.n : cx->doc->tokens.n) > 0;
    t->text = listed || !text ? NULL : text->bytes;
    if (!cut(t, err)) return false;
    t->wanted = ARENA_ARRAY(&t->arena, const char *, (size_t)t->now.n + TOKENS_MAX + 1);
    t->to_old = ARENA_ARRAY(&t->arena, int, (size_t)t->now.n + TOKENS_MAX + 1);
    return true;
}

static void want(Tokens *t, const char *text, int old) {
    t->wanted[t->n] = text;
    t->to_old[t->n++] = old;
}

static void want_old(Tokens *t, int from, int to) {
    for (int i = from; i < to; i++) want(t, t->now.items[i].text, i);
}

/* A token that the model's tokenizer adds, or a part of a character, is no piece of the typed text. */
static bool is_piece(const Tokens *t, int i) {
    const Token *token = &t->now.items[i];
    if (t->text == NULL) return true;
    bool apart = (i == 0 || t->now.items[i - 1].end <= token->start) && (i + 1 == t->now.n || t->now.items[i + 1].end == 0 || token->end <= t->now.items[i + 1].start);
    return token->end > token->start && apart;
}

static bool check_piece(const Tokens *t, int i, Err *err) {
    if (is_piece(t, i)) return true;
    return err_set(err, ERR_USAGE, tr("Token %d, %s, is not a word of the text but what the tokenizer makes of it: change the text instead."), i + 1, t->now.items[i].label);
}

/* ---- the text that says it ---- */

/* Where a token's characters stand, without the spaces around them. */
static void span(const Tokens *t, int i, int *from, int *to) {
    *from = t->now.items[i].start;
    *to = t->now.items[i].end;
    while (*from < *to && strchr(" \t\n", t->text[*from])) ++*from;
    while (*to > *from && strchr(" \t\n", t->text[*to - 1])) --*to;
}

/* Neighbours keep what was typed between them, parts of one character make it once; else `glue` stands between. What the tokenizer
 * adds by itself has no characters. */
static char *joined(Tokens *t, const char *glue) {
    StrBuf sb;
    int last = -1, end = 0;
    bool begun = false;
    sb_init(&sb, &t->arena);
    for (int i = 0; i < t->n; i++) {
        int old = t->to_old[i], from = 0, to = 0;
        if (old >= 0) span(t, old, &from, &to);
        if (old >= 0 && from == to) continue;
        bool next = old >= 0 && last >= 0 && old == last + 1;
        if (begun && !next) sb_add(&sb, glue);
        if (old < 0) sb_add(&sb, t->wanted[i]);
        else {
            int begin = next ? end : from; /* with what was between */
            if (to > begin) sb_add_n(&sb, t->text + begin, (size_t)(to - begin));
        }
        last = old;
        end = next && end > to ? end : to;
        begun = true;
    }
    return sb.data ? sb.data : arena_strdup(&t->arena, "");
}

static void set_text(Doc *doc, const char *text, bool source) {
    if (!source) {
        doc_set_text(doc, text, strlen(text));
        return;
    }
    doc_set_blob(&doc->source_text, text, strlen(text));
    doc_set_words(&doc->source, NULL, 0);
}

static bool cut_text(Tokens *t, Doc *doc, const char *text, TokenList *out) {
    set_text(doc, text, t->source);
    return is_folder(t) ? run_cut(t->cx->run, t->source, text, &t->arena, out, NULL) : run_tokens(doc, t->source, t->cx->context, &t->arena, out, NULL);
}

/* Is the text cut into what is wanted? New words of a folder's model may become several tokens. */
static bool says_it(Tokens *t, Doc *doc, const char *text) {
    TokenList got;
    if (strlen(text) > TEXT_MAX || !cut_text(t, doc, text, &got)) return false;
    int before = 0, behind = 0;
    while (before < t->n && before < got.n && str_eq(got.items[before].text, t->wanted[before])) before++;
    if (before == t->n && got.n == t->n) return true;
    while (behind < t->n - before && behind < got.n - before && str_eq(got.items[got.n - 1 - behind].text, t->wanted[t->n - 1 - behind])) behind++;
    bool fresh = false, kept = false;
    for (int i = 0; i < t->n; i++) {
        bool middle = i >= before && i < t->n - behind;
        fresh |= t->to_old[i] < 0;
        kept |= middle && t->to_old[i] >= 0;
    }
    return is_folder(t) && fresh && !kept;
}

static void list_tokens(Tokens *t, Doc *doc) {
    doc_set_words(t->source ? &doc->source : &doc->tokens, t->wanted, t->n);
    doc_set_blob(t->source ? &doc->source_text : &doc->text, NULL, 0);
}

/* Nothing stood between the tokens: Chinese, SMILES, characters. */
static bool stands_close(const Tokens *t) {
    for (int i = 1; i < t->now.n; i++) {
        int from, to, start, end;
        span(t, i - 1, &from, &to);
        span(t, i, &start, &end);
        if (end > start && to > from && start > to) return false;
    }
    return t->now.n > 1;
}

/* Columns that are hidden, and the number in view, go with their token. */
static void follow_view(const Tokens *t) {
    View *view = t->cx->view;
    const Run *run = t->cx->run;
    bool keys = t->source || !run->cross;
    int hidden[VIEW_HIDDEN_MAX], n = 0, place[TENSOR_RANK_MAX];
    for (int j = 0; keys && j < t->n; j++)
        if (t->to_old[j] >= 0 && view_hidden_at(view, t->to_old[j]) && n < VIEW_HIDDEN_MAX) hidden[n++] = j;
    if (keys) {
        memcpy(view->hidden, hidden, (size_t)n * sizeof *hidden);
        view->n_hidden = n;
    }
    view->zoom = 1; /* what stood in the middle stands elsewhere */
    TensorId id = trace_find(run->trace, view->selection.tensor);
    if (id == TENSOR_NONE || is_folder(t)) return;
    memcpy(place, view->selection.index, sizeof place);
    for (int axis = 0; axis < view->selection.rank; axis++) {
        AxisKind kind = run_axis(run, id, axis);
        bool own = (kind == AXIS_QUERY && !t->source) || (kind == AXIS_KEY && keys);
        int at = own ? -1 : place[axis];
        for (int j = 0; own && j < t->n; j++)
            if (t->to_old[j] == view->selection.index[axis]) at = j;
        place[axis] = at;
        if (at < 0) break;
    }
    bool gone = false;
    for (int axis = 0; axis < view->selection.rank; axis++) gone |= place[axis] < 0;
    Arena arena = {0};
    const char *text = gone ? "" : view_index_text(view->selection.tensor, place, view->selection.rank, ",", &arena);
    snprintf(view->selection_text, sizeof view->selection_text, "%s", text); /* of the run that comes */
    view->selection = (ViewRef){0};
    view->n_trail = 0;
    arena_free(&arena);
}

static bool put(Tokens *t, Err *err) {
    Doc changed = {0};
    bool close = t->text && stands_close(t), listed = t->text == NULL, ok = true;
    if (t->n > TOKENS_MAX) return err_set(err, ERR_LIMIT, tr("%d tokens are more than the limit of %d"), t->n, TOKENS_MAX);
    doc_copy(&changed, t->cx->doc);
    if (listed) {
        list_tokens(t, &changed);
        if (t->n == 0) set_text(&changed, "", t->source);
    } else if (t->n == 0) set_text(&changed, "", t->source);
    else if (!says_it(t, &changed, joined(t, close ? "" : " ")) && !says_it(t, &changed, joined(t, close ? " " : ""))) {
        if (is_folder(t)) ok = err_set(err, ERR_USAGE, "%s", tr("The model’s tokenizer would cut the text in another way then: change the text instead."));
        else {
            list_tokens(t, &changed);
            snprintf(t->cx->view->notice, sizeof t->cx->view->notice, "%s",
                     tr("No text is cut into these tokens, so they are listed now: “set tokens” changes the list, a new text drops it."));
            t->cx->view->notice_is_error = false;
        }
    }
    if (ok && !is_folder(t)) doc_follow_order(&changed, t->source, t->to_old, t->n, t->now.n, &t->arena);
    if (ok) doc_copy(t->cx->doc, &changed);
    if (ok) follow_view(t);
    doc_reset(&changed);
    return ok;
}

/* ---- the actions ---- */

/* The chip that has the focus, "token.q.3", as position from 1 and its side; 0 = none has. */
static int focused(const View *view, bool *source) {
    int at;
    bool chip = str_starts(view->focus, "token.q.") || str_starts(view->focus, "token.k.");
    if (!chip || !str_to_int(view->focus + strlen("token.q."), &at) || at < 1) return 0;
    *source = view->focus[strlen("token.")] == 'k';
    return at;
}

static bool is_source(const ActionLine *line) { return line->n > 1 && str_eq(line->arg[1], "source"); }

/* The argument behind "source", if that stands there. */
static const char *word(const ActionLine *line, int i) {
    i += is_source(line);
    return i < line->n ? line->arg[i] : "";
}

/* -1 and err: there is no such place. */
static int place(const char *text, int most, Err *err) {
    int at;
    if (str_to_int(text, &at) && at >= 1 && at <= most) return at - 1;
    err_set(err, ERR_INPUT, tr("tokens count from 1 to %d here, found '%s'"), most, text);
    return -1;
}

static bool move(Tokens *t, const ActionLine *line, Err *err) {
    int from = place(word(line, 1), t->now.n, err), to = from < 0 ? from : place(word(line, 2), t->now.n, err);
    if (to < 0) return false;
    if (!check_piece(t, from, err) || !check_piece(t, to, err)) return false;
    if (from == to) return true;
    want_old(t, 0, from < to ? from : to);
    if (from < to) want_old(t, from + 1, to + 1);
    want_old(t, from, from + 1);
    if (from > to) want_old(t, to, from);
    want_old(t, (from > to ? from : to) + 1, t->now.n);
    return put(t, err);
}

/* The place that the line names, else that of the chip with the focus; up to `more` places behind the last. */
static int place_or_focus(const Tokens *t, const ActionLine *line, int more, Err *err) {
    bool source;
    int at = word(line, 1)[0] ? 0 : focused(t->cx->view, &source);
    if (word(line, 1)[0]) return place(word(line, 1), t->now.n + more, err);
    if (at > 0 && at <= t->now.n) return at - 1;
    err_set(err, ERR_USAGE, "%s", tr("Put the focus on a token first: W shows them, Tab goes there."));
    return -1;
}

static bool take_out(Tokens *t, const ActionLine *line, Err *err) {
    int at = place_or_focus(t, line, 0, err);
    if (at < 0 || !check_piece(t, at, err)) return false;
    want_old(t, 0, at);
    want_old(t, at + 1, t->now.n);
    return put(t, err);
}

/* New words are cut as the text is; into a list they go as they are. */
static bool want_new(Tokens *t, const char *text, Err *err) {
    TokenList list;
    const Doc *doc = t->cx->doc;
    if (!utf8_check(text, strlen(text), err)) return false;
    if (!t->text || is_folder(t)) {
        want(t, arena_strdup(&t->arena, text), -1);
        return true;
    }
    if (!tokenize(doc->tokenizer, text, t->cx->context->lexicon, &t->arena, &list, err)) return false;
    if (list.n == 0) return err_set(err, ERR_INPUT, tr("there is no word in '%s'"), text);
    for (int i = 0; i < list.n && t->n <= TOKENS_MAX; i++) want(t, list.items[i].text, -1);
    return true;
}

/* Without words: the dialog that asks for them. */
static void ask(Tokens *t, int at) {
    View *view = t->cx->view;
    snprintf(view->menu, sizeof view->menu, "token");
    view->menu_item = -1;
    view->menu_scroll = 0;
    view->query[0] = '\0';
    view->query_caret = view->query_anchor = 0;
    view->token_to = at + 1;
    view->token_source = t->source;
}

static bool insert(Tokens *t, const ActionLine *line, Err *err) {
    const char *text = word(line, 2);
    int at = place_or_focus(t, line, 1, err);
    if (at < 0) return false;
    if (!text[0]) {
        ask(t, at);
        return true;
    }
    want_old(t, 0, at);
    if (!want_new(t, text, err)) return false;
    want_old(t, at, t->now.n);
    return put(t, err);
}

/* All padding tokens are hidden from now on, wherever they stand. */
static bool hide_padding(Doc *doc, Err *err) {
    for (int i = 0; i < doc->n_masks; i++)
        if (doc->masks[i].spec.kind == MASK_PADDING && doc->masks[i].by_token) return true;
    action_drop_idle(doc);
    if (doc->n_masks == MASK_LIST_MAX) return err_set(err, ERR_LIMIT, tr("%d masks; up to %d are possible"), MASK_LIST_MAX + 1, MASK_LIST_MAX);
    doc->masks[doc->n_masks++] = (DocMask){.spec = {.kind = MASK_PADDING}, .by_token = true};
    return true;
}

static bool pad(Tokens *t, const ActionLine *line, Err *err) {
    (void)line;
    if (is_folder(t)) return err_set(err, ERR_USAGE, "%s", tr("This model hides what its own tokenizer pads; a padding token is for the built-in models."));
    want_old(t, 0, t->now.n);
    want(t, DOC_PAD, -1);
    return put(t, err) && hide_padding(t->cx->doc, err);
}

static bool run(ActionContext *cx, const ActionLine *line, bool source, bool (*deed)(Tokens *t, const ActionLine *line, Err *err), Err *err) {
    Tokens t;
    Doc before = {0};
    doc_copy(&before, cx->doc);
    bool ok = begin(&t, cx, source, err) && deed(&t, line, err);
    if (!ok) doc_copy(cx->doc, &before);
    doc_reset(&before);
    arena_free(&t.arena);
    return ok;
}

bool action_token_move(ActionContext *cx, const ActionLine *line, Err *err) { return run(cx, line, is_source(line), move, err); }
bool action_token_pad(ActionContext *cx, const ActionLine *line, Err *err) { return run(cx, line, is_source(line), pad, err); }

/* Of the chip with the focus where the line says no place. */
static bool side_of(const ActionContext *cx, const ActionLine *line) {
    bool source = false;
    if (line->n > 1 || !focused(cx->view, &source)) return is_source(line);
    return source;
}

bool action_token_remove(ActionContext *cx, const ActionLine *line, Err *err) { return run(cx, line, side_of(cx, line), take_out, err); }
bool action_token_insert(ActionContext *cx, const ActionLine *line, Err *err) { return run(cx, line, side_of(cx, line), insert, err); }

static bool shift(ActionContext *cx, int by, Err *err) {
    bool source;
    int at = focused(cx->view, &source);
    if (!at) return err_set(err, ERR_USAGE, "%s", tr("Put the focus on a token first: W shows them, Tab goes there."));
    int to = at + by, n = !cx->run ? 0 : source ? cx->run->keys.n : cx->run->tokens.n;
    if (to < 1 || to > n) return true; /* it stands at the end */
    char text[64];
    ActionLine moved;
    snprintf(text, sizeof text, source ? "token.move source %d %d" : "token.move %d %d", at, to);
    if (!action_parse(text, &moved, err) || !action_token_move(cx, &moved, err)) return false;
    snprintf(cx->view->focus, sizeof cx->view->focus, "token.%c.%d", source ? 'k' : 'q', to);
    return true;
}

bool action_token_left(ActionContext *cx, const ActionLine *line, Err *err) { return (void)line, shift(cx, -1, err); }
bool action_token_right(ActionContext *cx, const ActionLine *line, Err *err) { return (void)line, shift(cx, 1, err); }

bool action_tokens(ActionContext *cx, const ActionLine *line, Err *err) {
    View *view = cx->view;
    if (line->n > 1) {
        if (!action_int("token", line->arg[1], 1, TOKENS_MAX, &view->token_first, err)) return false;
        view->tokens = true;
        return true;
    }
    if (!view->tokens && action_in_overview(cx)) return err_set(err, ERR_USAGE, "%s", tr("Tokens are moved at the stages: look at one of the maps first."));
    view->tokens = !view->tokens;
    view->token_first = view->token_from = 0;
    return true;
}
