/* What may follow the name of an action: the choices that its arguments name ("light|dark|print"), or those of a kind. */
#include <assert.h>
#include <string.h>

#include "app/files.h"
#include "app/menu_rows.h"
#include "base/tr.h"
#include "doc/yaml.h"

/* Names that stand for an argument of one action; NULL in `names` are left out. */
static const struct {
    const char *action;
    int arg;                  /* from 0 */
    const char *const *names;
    int n;
    const char *more;         /* one that is not among them; NULL = none */
} named_args[] = {
    {"model", 0, model_names, MODEL_FOLDER, NULL}, /* a folder is named by its path */
    {"tokenizer", 0, tokenizer_names, TOKENIZER_KIND_COUNT, NULL},
    {"mask", 0, mask_names, MASK_CUSTOM, NULL}, /* custom masks need their cells */
    {"mask.add", 0, mask_names, MASK_CUSTOM, NULL},
    {"position", 0, position_names, POSITION_GIVEN, "built-in"},
    {"palette", 0, ramp_names, RAMP_COUNT, NULL},
};
static_assert(MODEL_FOLDER + 1 == MODEL_KIND_COUNT && MASK_CUSTOM + 2 == MASK_KIND_COUNT && POSITION_GIVEN + 2 == POSITION_KIND_COUNT, "what is left out comes last");
enum { NAMED_ARGS = sizeof named_args / sizeof named_args[0] };

/* The words of a line up to the one that is being typed. */
typedef struct {
    const char *before; /* all but that one: "select.move " */
    const char *part;   /* what there is of it: "le", or "" */
    int arg;            /* its number, from 0 */
} Typing;

static Typing split(const char *query, Arena *arena) {
    const char *part = strrchr(query, ' ');
    Typing typing = {.part = part ? part + 1 : "", .arg = -1};
    size_t length = part ? (size_t)(part + 1 - query) : strlen(query);
    typing.before = arena_strndup(arena, query, length);
    for (const char *c = typing.before; *c; c++)
        if (*c == ' ' && c[1] != ' ') typing.arg++;
    return typing;
}

/* Word `n` of the arguments as the table writes them, without brackets; NULL behind the last. */
static const char *arg_words(const Action *action, int n, Arena *arena) {
    const char *at = action->args;
    for (; n > 0 && *at; n--) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    bool optional = *at == '[';
    size_t length = strcspn(at + optional, optional ? "]" : " ");
    return *at ? arena_strndup(arena, at + optional, length) : NULL;
}

int menu_args_needed(const Action *action) {
    int n = 0;
    for (const char *at = action->args; *at; at += strspn(at, " ")) {
        if (*at != '[' && *at != '.') n++;
        at += strcspn(at, " ");
    }
    return n;
}

static void offer(Rows *rows, const Action *action, const Typing *typing, const char *word) {
    if (!str_starts(word, typing->part)) return;
    const char *text = arena_printf(rows->arena, "%s%s", typing->before, word);
    bool more = typing->arg + 1 < menu_args_needed(action);
    rows_choice(rows, word, NULL, more ? rows_into_field(rows, "actions", arena_printf(rows->arena, "%s ", text)) : text, false);
}

static void offer_examples(Rows *rows, const Action *action, const Typing *typing) {
    Example *list;
    int n;
    Err ignored = {0};
    if (!files_examples(rows->arena, &list, &n, &ignored)) return;
    for (int i = 0; i < n; i++) offer(rows, action, typing, list[i].name);
}

/* Folders that begin with what is typed: models are taken, others lead on. */
static void offer_folders(Rows *rows, const Typing *typing) {
    char **paths;
    int n;
    if (!strchr(typing->part, '/')) {
        rows_choice(rows, tr("Open folder…"), tr("a trained model on disk"), rows_into_field(rows, "folder", typing->part), false);
        return;
    }
    files_complete(typing->part, rows->arena, &paths, &n);
    for (int i = 0; i < n; i++) {
        if (!str_ends(paths[i], "/")) continue;
        bool model = files_is_model(files_expand(rows->arena, paths[i]));
        const char *line = arena_printf(rows->arena, "%s%s", typing->before, model ? action_quote(paths[i], rows->arena) : paths[i]);
        rows_choice(rows, paths[i], model ? tr("model") : NULL, model ? line : rows_into_field(rows, "actions", line), false);
    }
}

static void offer_stages(Rows *rows, const Action *action, const Typing *typing) {
    for (int i = 0; i < STAGE_ATTENTION_COUNT; i++) offer(rows, action, typing, stage_name((StageKind)i));
}

/* "auto|none|X": words in capitals stand for something else. */
static void offer_written(Rows *rows, const Action *action, const Typing *typing, const char *words) {
    if (!strchr(words, '|')) return;
    for (const char *at = words; *at; at += *at == '|') {
        size_t length = strcspn(at, "|");
        bool capital = *at >= 'A' && *at <= 'Z';
        if (!capital) offer(rows, action, typing, arena_strndup(rows->arena, at, length));
        at += length;
    }
}

void menu_args(Rows *rows, const Action *action, const char *query) {
    Typing typing = split(query, rows->arena);
    if (typing.arg < 0) return;
    for (int i = 0; i < NAMED_ARGS; i++) {
        if (!str_eq(named_args[i].action, action->name) || named_args[i].arg != typing.arg) continue;
        if (named_args[i].more) offer(rows, action, &typing, named_args[i].more);
        for (int k = 0; k < named_args[i].n; k++)
            if (named_args[i].names[k]) offer(rows, action, &typing, named_args[i].names[k]);
    }
    for (const char *const *key = yaml_keys(); str_eq(action->name, "set") && typing.arg == 0 && *key; key++) offer(rows, action, &typing, *key);
    if (str_eq(action->name, "example") && typing.arg == 0) offer_examples(rows, action, &typing);
    if (str_eq(action->name, "model") && typing.arg == 0) offer_folders(rows, &typing);
    if (str_eq(action->name, "stage") && typing.arg == 0) offer_stages(rows, action, &typing);
    const char *written = arg_words(action, typing.arg, rows->arena);
    if (written) offer_written(rows, action, &typing, written);
}
