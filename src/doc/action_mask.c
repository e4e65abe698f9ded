/* Actions on masks as templates: their numbers, several together. By hand: action_paint.c. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/action_parts.h"
#include "doc/yaml.h"

/* ---- the list ---- */

void action_remove_mask(Doc *doc, int at) {
    doc_mask_reset(&doc->masks[at]);
    for (int i = at; i + 1 < doc->n_masks; i++) doc->masks[i] = doc->masks[i + 1];
    doc->masks[--doc->n_masks] = (DocMask){0};
}

/* "none" hides nothing: it goes before another comes. */
void action_drop_idle(Doc *doc) {
    for (int i = doc->n_masks - 1; i >= 0; i--)
        if (doc->masks[i].spec.kind == MASK_NONE) action_remove_mask(doc, i);
}

/* ---- templates ---- */

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

/* One that is too large is one too: what reads it says how large it may be. */
static bool is_number(const char *word) {
    const char *digits = word + (*word == '-');
    return *digits && digits[strspn(digits, "0123456789")] == '\0';
}

/* Nobody typed the mapping: a place in it says nothing. */
static bool set_mask(Doc *doc, const char *value, Err *err) {
    bool ok = yaml_set(doc, NULL, "mask", value, err);
    if (!ok && err) err->line = err->column = 0;
    return ok;
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
        bool pad = kind == MASK_PADDING && at < line->n && str_eq(line->arg[at], DOC_PAD), said = pad || (at < line->n && is_number(line->arg[at]));
        sb_printf(&sb, pad ? ", %s: \"%s\"" : ", %s: %s", words->param[i], said ? line->arg[at++] : words->value[i]);
    }
    for (; at < line->n; at++) {
        if (kind == MASK_GLOBAL_WINDOW && is_number(line->arg[at])) sb_printf(&tokens, "%s%s", tokens.length ? ", " : "", line->arg[at]);
        else if (!add_option(&sb, kind, line->arg[at], err)) return NULL;
    }
    if (kind == MASK_GLOBAL_WINDOW) sb_printf(&sb, ", tokens: [%s]", tokens.length ? tokens.data : "1");
    sb_add(&sb, "}");
    return sb.data;
}

bool action_mask(ActionContext *cx, const ActionLine *line, Err *err) {
    static const char *const aligns[] = {"top_left", "bottom_right"};
    int kind;
    Arena arena = {0};
    if (!action_choice("mask", mask_names, MASK_CUSTOM + 1, line->arg[1], &kind, err)) return false;
    if (kind == MASK_CUSTOM) {
        if (cx->run && !action_needs_tokens(cx, err)) return false;
        if (!action_make_custom(cx, cx->doc))
            return err_set(err, ERR_INPUT, "%s", tr("mask custom begins with the mask that is there; nothing is computed yet"));
        return true;
    }
    bool align = kind == MASK_CAUSAL && line->n == 3;
    if (align && str_find(aligns, 2, line->arg[2]) < 0)
        return err_set(err, ERR_USAGE, tr("mask causal is bottom_right or top_left, found '%s'"), line->arg[2]);
    char *value = align ? arena_strdup(&arena, "causal") : mask_yaml(line, (MaskKind)kind, &arena, err);
    bool ok = value && set_mask(cx->doc, value, err);
    if (ok && align) ok = yaml_set(cx->doc, NULL, "causal_align", line->arg[2], err);
    arena_free(&arena);
    return ok;
}

bool action_mask_add(ActionContext *cx, const ActionLine *line, Err *err) {
    const char *kinds[MASK_CUSTOM] = {NULL};
    int kind;
    for (int i = 0; i < MASK_CUSTOM; i++) kinds[i] = i == MASK_NONE ? NULL : mask_names[i];
    if (str_eq(line->arg[1], mask_names[MASK_NONE])) return err_set(err, ERR_USAGE, "%s", tr("mask.add takes a mask that hides something; mask none drops all of them"));
    if (!action_choice("mask.add", kinds, MASK_CUSTOM, line->arg[1], &kind, err)) return false;
    Doc changed = {0}, one = {0};
    doc_copy(&changed, cx->doc);
    doc_init(&one);
    Arena arena = {0};
    char *value = mask_yaml(line, (MaskKind)kind, &arena, err);
    action_drop_idle(&changed);
    bool ok = value && set_mask(&one, value, err);
    if (ok && changed.n_masks == MASK_LIST_MAX) ok = err_set(err, ERR_LIMIT, tr("%d masks; up to %d are possible"), MASK_LIST_MAX + 1, MASK_LIST_MAX);
    if (ok) {
        changed.masks[changed.n_masks++] = one.masks[0];
        one.masks[0] = (DocMask){0};
        one.n_masks = 0;
        doc_copy(cx->doc, &changed);
    }
    doc_reset(&one);
    doc_reset(&changed);
    arena_free(&arena);
    return ok;
}

bool action_mask_drop(ActionContext *cx, const ActionLine *line, Err *err) {
    int which;
    if (cx->doc->n_masks == 0) return err_set(err, ERR_USAGE, "%s", tr("No mask is set."));
    if (!action_int("mask", line->arg[1], 1, cx->doc->n_masks, &which, err)) return false;
    action_remove_mask(cx->doc, which - 1);
    return true;
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

/* ---- one number of a template ---- */

typedef enum { NUMBER_INT, NUMBER_SWITCH, NUMBER_SIDE, NUMBER_KEYS, NUMBER_TOKEN } NumberType;

static const struct {
    MaskKind kind;
    const char *name;
    NumberType type;
    int least;
    size_t at; /* in MaskSpec */
} mask_numbers[] = {
    {MASK_PADDING, "keys", NUMBER_KEYS, 0, 0},
    {MASK_PADDING, "side", NUMBER_SIDE, 0, 0},
    {MASK_WINDOW, "left", NUMBER_INT, 0, offsetof(MaskSpec, left)},
    {MASK_WINDOW, "right", NUMBER_INT, 0, offsetof(MaskSpec, right)},
    {MASK_LOCAL_BLOCK, "block", NUMBER_INT, 1, offsetof(MaskSpec, block)},
    {MASK_LOCAL_BLOCK, "causal", NUMBER_SWITCH, 0, 0},
    {MASK_GLOBAL_WINDOW, "each_side", NUMBER_INT, 0, offsetof(MaskSpec, left)},
    {MASK_GLOBAL_WINDOW, "token", NUMBER_TOKEN, 1, 0},
    {MASK_GLOBAL_WINDOW, "causal", NUMBER_SWITCH, 0, 0},
    {MASK_STRIDED, "stride", NUMBER_INT, 1, offsetof(MaskSpec, stride)},
    {MASK_STRIDED, "causal", NUMBER_SWITCH, 0, 0},
};
enum { MASK_NUMBERS = sizeof mask_numbers / sizeof *mask_numbers };

/* Which mask of the document has a number of this name: the one that is named, else the first. */
static bool find_number(const Doc *doc, const ActionLine *line, int *mask, int *number, Err *err) {
    int from = 0, end = doc->n_masks;
    if (end > 0 && line->n > 3) {
        if (!action_int("mask", line->arg[3], 1, end, &from, err)) return false;
        end = from--;
    }
    for (*mask = from; *mask < end; ++*mask)
        for (*number = 0; *number < MASK_NUMBERS; ++*number)
            if (mask_numbers[*number].kind == doc->masks[*mask].spec.kind && str_eq(mask_numbers[*number].name, line->arg[1])) return true;
    return err_set(err, ERR_USAGE, tr("the mask has no '%s'; window has left and right, padding keys and side, local_block block, strided stride, global_window each_side and token"),
                   line->arg[1]);
}

static int most_of(const ActionContext *cx, NumberType type) {
    if (!cx->run || (type != NUMBER_KEYS && type != NUMBER_TOKEN)) return TENSOR_DIM_MAX;
    int queries = cx->run->tokens.n, keys = cx->run->keys.n;
    return type == NUMBER_TOKEN && queries > keys ? queries : keys;
}

static void set_number(DocMask *mask, int number, int value) {
    int token = value - 1;
    if (mask_numbers[number].type == NUMBER_TOKEN) doc_set_blob(&mask->globals, &token, sizeof token);
    if (mask_numbers[number].type == NUMBER_KEYS) {
        doc_set_blob(&mask->keys, NULL, 0);
        mask->spec.pad_keys = value;
        mask->by_token = false;
    }
    if (mask_numbers[number].type == NUMBER_INT) *(int *)(void *)((char *)&mask->spec + mask_numbers[number].at) = value;
}

/* false and err: this one number would drop what the mask lists, or change nothing. */
static bool fits(const DocMask *mask, NumberType type, Err *err) {
    int n = mask->globals ? (int)(mask->globals->size / sizeof(int)) : 1;
    if (type == NUMBER_TOKEN && n > 1)
        return err_set(err, ERR_USAGE, tr("The mask has %d global tokens, and one number would drop the others: name all of them, such as mask global_window 1 1 3."), n);
    if (type == NUMBER_SIDE && mask->by_token) return err_set(err, ERR_USAGE, tr("%s is hidden wherever it stands: this mask has no side."), DOC_PAD);
    if (type == NUMBER_SIDE && mask->keys) return err_set(err, ERR_USAGE, "%s", tr("The padding keys are listed here: this mask has no side."));
    return true;
}

bool action_mask_set(ActionContext *cx, const ActionLine *line, Err *err) {
    static const char *const sides[] = {"right", "left"}, *const switches[] = {"off", "on"};
    int which, number, value;
    if (!find_number(cx->doc, line, &which, &number, err)) return false;
    DocMask *mask = &cx->doc->masks[which];
    NumberType type = mask_numbers[number].type;
    if (!fits(mask, type, err)) return false;
    if (type == NUMBER_SWITCH || type == NUMBER_SIDE) {
        if (!action_choice(line->arg[1], type == NUMBER_SIDE ? sides : switches, 2, line->arg[2], &value, err)) return false;
        if (type == NUMBER_SIDE) mask->spec.pad_left = value == 1;
        else mask->spec.causal = value == 1;
        return true;
    }
    if (!action_int(line->arg[1], line->arg[2], mask_numbers[number].least, most_of(cx, type), &value, err)) return false;
    set_number(mask, number, value);
    return true;
}
