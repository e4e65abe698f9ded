#include "doc/action_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"

/* ---- keys ---- */

typedef struct {
    unsigned mods;
    char key[24];
} Stroke;

static Stroke parse_stroke(const char *text, size_t length) {
    static const struct {
        const char *name;
        unsigned mod;
    } mods[] = {{"Ctrl+", MOD_CTRL}, {"Shift+", MOD_SHIFT}, {"Alt+", MOD_ALT}};
    Stroke stroke = {0};
    for (size_t i = 0; i < sizeof mods / sizeof *mods;) {
        size_t n = strlen(mods[i].name);
        if (length > n && strncmp(text, mods[i].name, n) == 0) {
            stroke.mods |= mods[i].mod;
            text += n;
            length -= n;
            i = 0;
        } else {
            i++;
        }
    }
    if (length < sizeof stroke.key) memcpy(stroke.key, text, length);
    return stroke;
}

static bool is_symbol(const char *key) {
    return key[0] && !key[1] && !isalnum((unsigned char)key[0]);
}

static bool keys_equal(const char *a, const char *b) {
    if (a[0] && !a[1] && b[0] && !b[1]) return tolower((unsigned char)a[0]) == tolower((unsigned char)b[0]);
    return str_eq(a, b);
}

static bool strokes_equal(const Stroke *have, const Input *input) {
    unsigned want = input->mods;
    if (is_symbol(input->key)) want &= ~(unsigned)MOD_SHIFT; /* "?" needs Shift on many keyboards, on others not */
    if (str_eq(have->key, "1-9"))
        return have->mods == want && input->key[0] >= '1' && input->key[0] <= '9' && !input->key[1];
    return have->mods == want && keys_equal(have->key, input->key);
}

static bool in_keys(const char *keys, const Input *input) {
    while (keys && *keys) {
        const char *end = strstr(keys, ", ");
        size_t length = end ? (size_t)(end - keys) : strlen(keys);
        Stroke stroke = parse_stroke(keys, length);
        if (strokes_equal(&stroke, input)) return true;
        keys = end ? end + 2 : NULL;
    }
    return false;
}

int action_for_key(const Input *input, const View *view) {
    bool cell = (view->selection.tensor[0] || view->overview) && !view->presenting;
    if (input->kind != INPUT_KEY) return -1;
    for (int i = 0; cell && i < action_count; i++)
        if (in_keys(action_table[i].cell_keys, input)) return i;
    for (int i = 0; i < action_count; i++)
        if (in_keys(action_table[i].keys, input)) return i;
    return -1;
}

bool action_key_line(char out[ACTION_KEY_LINE_MAX], const Input *input, const View *view) {
    int at = action_for_key(input, view);
    if (at < 0) return false;
    const Action *action = &action_table[at];
    bool digit = strstr(action->keys, "1-9") != NULL, arrow = action->cell_keys != NULL;
    int n = snprintf(out, ACTION_KEY_LINE_MAX, digit || arrow ? "%s %s" : "%s", action->name, input->key);
    for (char *p = out + (n - (int)strlen(input->key)); arrow && *p; p++) *p = (char)tolower((unsigned char)*p);
    return true;
}

const char *action_key(int action) {
    return action_table[action].first_key;
}

/* A path is one message, whose translation is a path too. */
const char *action_title(int action) {
    const Action *a = &action_table[action];
    const char *path = tr(a->menu), *slash = strchr(path, '/');
    return !a->menu[0] ? tr(a->help) : slash ? slash + 1 : path;
}

/* ---- running ---- */

int action_find(const char *name) {
    for (int i = 0; i < action_count; i++)
        if (str_eq(action_table[i].name, name)) return i;
    return -1;
}

bool action_refused(const ActionContext *cx, int action, Err *err) {
    ActionLine line = {.n = 1};
    line.arg[0] = line.store;
    snprintf(line.store, sizeof line.store, "%s", action_table[action].name);
    return !action_allowed(cx, &line, err);
}

bool action_enabled(const ActionContext *cx, int action) {
    const Action *a = &action_table[action];
    return (!a->enabled || a->enabled(cx)) && !action_refused(cx, action, NULL);
}

static bool unknown_action(const char *name, Err *err) {
    StrNearest near = str_nearest(name);
    for (int i = 0; i < action_count; i++) str_offer(&near, action_table[i].name);
    if (near.word) return err_set(err, ERR_USAGE, tr("there is no action '%s' - did you mean %s?"), name, near.word);
    return err_set(err, ERR_USAGE, tr("there is no action '%s'; attnscope actions lists them all"), name);
}

/* How many words may follow the name: "KIND [A] ..." is 1 to any number. */
static void count_args(const char *args, int *min, int *max) {
    *min = *max = 0;
    while (*args) {
        size_t length = strcspn(args, " ");
        if (strncmp(args, "...", length) == 0 && length == 3) *max = ACTION_ARGS_MAX;
        else (*max)++;
        if (*args != '[' && *args != '.') (*min)++;
        args += length;
        args += strspn(args, " ");
    }
}

static bool check_args(const Action *action, const ActionLine *line, Err *err) {
    int min, max, n = line->n - 1;
    count_args(action->args, &min, &max);
    if (n >= min && n <= max) return true;
    if (max == 0) return err_set(err, ERR_USAGE, tr("%s takes no arguments, found '%s'"), action->name, line->arg[1]);
    if (n < min)
        return err_set(err, ERR_USAGE, tr("%s needs more: %s %s"), action->name, action->name, action->args);
    return err_set(err, ERR_USAGE, tr("%s takes less: %s %s; quote a text with spaces"), action->name, action->name,
                   action->args);
}

bool action_run(ActionContext *cx, const ActionLine *line, int *effect, Err *err) {
    int at = line->n > 0 ? action_find(line->arg[0]) : -1;
    *effect = -1;
    if (at < 0) return unknown_action(line->n > 0 ? line->arg[0] : "", err);
    const Action *action = &action_table[at];
    if (!check_args(action, line, err) || !action_allowed(cx, line, err)) return false;
    if (!action->run) {
        *effect = at;
        return true;
    }
    return action->run(cx, line, err);
}
