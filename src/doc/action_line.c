/* Action lines and their arguments: what is said, before it is known what it means. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "doc/action_parts.h"

/* Copies one word to *to and moves *from behind it. */
static bool take_word(const char **from, char **to, Err *err) {
    const char *p = *from;
    bool quoted = false;
    for (; *p && (quoted || (*p != ' ' && *p != '\t')); p++) {
        if (*p == '"') {
            quoted = !quoted;
        } else if (*p == '\\' && quoted) {
            p++;
            if (!*p) break;
            *(*to)++ = *p == 'n' ? '\n' : *p;
        } else {
            *(*to)++ = *p;
        }
    }
    if (quoted) return err_set(err, ERR_USAGE, "%s", tr("a \" is missing at the end"));
    *(*to)++ = 0;
    *from = p;
    return true;
}

bool action_parse(const char *text, ActionLine *line, Err *err) {
    size_t length = strlen(text);
    *line = (ActionLine){0};
    if (length >= ACTION_LINE_MAX)
        return err_set(err, ERR_LIMIT, tr("the action has %zu bytes; %d are possible"), length, ACTION_LINE_MAX - 1);
    if (!utf8_check(text, length, err)) return false;
    char *to = line->store;
    for (;;) {
        text += strspn(text, " \t");
        if (!*text) break;
        if (line->n == ACTION_ARGS_MAX)
            return err_set(err, ERR_USAGE, tr("more than %d words; quote what belongs together"), ACTION_ARGS_MAX);
        line->arg[line->n++] = to;
        if (!take_word(&text, &to, err)) return false;
    }
    if (line->n == 0) return err_set(err, ERR_USAGE, "%s", tr("the action is empty"));
    return true;
}

char *action_quote(const char *text, Arena *arena) {
    StrBuf sb;
    sb_init(&sb, arena);
    bool plain = *text && strcspn(text, " \t\"\\\n") == strlen(text);
    if (plain) return arena_strdup(arena, text);
    sb_add(&sb, "\"");
    for (; *text; text++) {
        if (*text == '\n') sb_add(&sb, "\\n");
        else if (*text == '"' || *text == '\\') sb_printf(&sb, "\\%c", *text);
        else sb_add_n(&sb, text, 1);
    }
    sb_add(&sb, "\"");
    return sb.data;
}

/* ---- arguments ---- */

bool action_int(const char *what, const char *text, int min, int max, int *out, Err *err) {
    int value;
    if (!str_to_int(text, &value) || value < min || value > max)
        return err_set(err, ERR_USAGE, tr("%s is a whole number from %d to %d, found '%s'"), what, min, max, text);
    *out = value;
    return true;
}

bool action_double(const char *what, const char *text, double min, double max, double *out, Err *err) {
    double value;
    if (!str_to_double(text, &value) || isnan(value) || value < min || value > max)
        return err_set(err, ERR_USAGE, tr("%s is a number from %g to %g, found '%s'"), what, min, max, text);
    *out = value;
    return true;
}

bool action_choice(const char *what, const char *const *names, int count, const char *text, int *out, Err *err) {
    char list[320] = "";
    StrNearest near = str_nearest(text);
    int found = str_find(names, count, text);
    if (found >= 0) {
        *out = found;
        return true;
    }
    for (int i = 0; i < count; i++) {
        if (!names[i]) continue;
        str_offer(&near, names[i]);
        str_list_add(list, sizeof list, names[i]);
    }
    if (near.word)
        return err_set(err, ERR_USAGE, tr("%s is one of %s; found '%s' - did you mean %s?"), what, list, text, near.word);
    return err_set(err, ERR_USAGE, tr("%s is one of %s; found '%s'"), what, list, text);
}

static bool same_blob(const Blob *a, const Blob *b) {
    size_t size = a ? a->size : 0;
    return size == (b ? b->size : 0) && (size == 0 || memcmp(a->bytes, b->bytes, size) == 0);
}

static bool same_words(const DocWords *a, const DocWords *b) { return a->n == b->n && same_blob(a->bytes, b->bytes); }

bool action_needs_tokens(const ActionContext *cx, Err *err) {
    if (!action_needs_run(cx, err)) return false;
    const Doc *now = cx->doc, *then = &cx->run->doc;
    bool texts = same_blob(now->text, then->text) && same_blob(now->source_text, then->source_text);
    bool same = texts && same_words(&now->tokens, &then->tokens) && same_words(&now->source, &then->source) && now->tokenizer == then->tokenizer;
    return same || err_set(err, ERR_USAGE, "%s", tr("The text has changed; its tokens are not there yet."));
}

bool action_needs_run(const ActionContext *cx, Err *err) {
    return cx->run || err_set(err, ERR_INPUT, "%s", tr("Nothing is computed yet: type some words first."));
}
