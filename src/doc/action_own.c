/* What a model from a folder has of its own: actions and keys that would change it are refused, each with a sentence that says
 * what it has. */
#include <stdio.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/action_parts.h"
#include "doc/yaml.h"

typedef enum { OWN_MASK, OWN_POSITION, OWN_TOKENIZER, OWN_HEADS, OWN_SCALE, OWN_NUMBERS, OWN_COUNT } Own;

/* Actions, and keys of the scenario file that `set` takes. */
static const struct {
    const char *name;
    Own own;
    bool key; /* only as a key: there is an action of this name that is something else */
} own_names[] = {
    {"mask", OWN_MASK, false}, {"mask.cycle", OWN_MASK, false}, {"mask.toggle", OWN_MASK, false}, {"fill", OWN_MASK, false}, {"mask_fill", OWN_MASK, false},
    {"mask_op", OWN_MASK, false}, {"empty_row", OWN_MASK, false}, {"causal_align", OWN_MASK, false}, {"keep", OWN_MASK, false},
    {"mask.paint", OWN_MASK, false}, {"mask.row", OWN_MASK, false}, {"mask.column", OWN_MASK, false}, {"mask.add", OWN_MASK, false},
    {"mask.drop", OWN_MASK, false}, {"mask.flip", OWN_MASK, false}, {"mask.set", OWN_MASK, false},
    {"position", OWN_POSITION, false}, {"pos_emb", OWN_POSITION, false}, {"tokenizer", OWN_TOKENIZER, false}, {"tokens", OWN_TOKENIZER, true}, {"source", OWN_TOKENIZER, true},
    {"heads", OWN_HEADS, false}, {"kv_heads", OWN_HEADS, false}, {"scale", OWN_SCALE, false}, {"temperature", OWN_SCALE, false}, {"temperature.at", OWN_SCALE, false},
    {"d_k", OWN_NUMBERS, false}, {"tie", OWN_NUMBERS, false}, {"projections", OWN_NUMBERS, false}, {"out_proj", OWN_NUMBERS, false},
    {"setting.reset", OWN_NUMBERS, false}, {"edit", OWN_NUMBERS, false}, {"edit.reset", OWN_NUMBERS, false}, {"precision", OWN_NUMBERS, false},
};

/* What `set` may change. */
static const char *const free_keys[] = {"text", "source_text", "model", "seed", "notes"};

static bool is_key(const char *name) {
    for (const char *const *key = yaml_keys(); *key; key++)
        if (str_eq(*key, name)) return true;
    return false;
}

static int find_own(const ActionLine *line) {
    const char *name = line->arg[0];
    bool set = str_eq(name, "set") && line->n > 1;
    if (set) name = line->arg[1];
    for (size_t i = 0; i < sizeof own_names / sizeof *own_names; i++)
        if (str_eq(own_names[i].name, name) && (set || !own_names[i].key)) return (int)own_names[i].own;
    bool other = set && !str_starts(name, "view.") && str_find(free_keys, sizeof free_keys / sizeof *free_keys, name) < 0 &&
                 is_key(name);
    return other ? OWN_NUMBERS : -1;
}

/* The sentence without what it has, and with it. */
static const struct {
    const char *plain, *with;
} sentences[OWN_COUNT] = {
    [OWN_MASK] = {tr_mark("The mask of a model from a folder is its own. Choose another model to change it."), tr_mark("The mask of a model from a folder is its own: %s. Choose another model to change it.")},
    [OWN_POSITION] = {tr_mark("The positions of a model from a folder are its own. Choose another model to change them."), tr_mark("The positions of a model from a folder are its own: %s. Choose another model to change them.")},
    [OWN_TOKENIZER] = {tr_mark("The tokenizer of a model from a folder is its own. Choose another model to change it."), tr_mark("The tokenizer of a model from a folder is its own: %s. Choose another model to change it.")},
    [OWN_HEADS] = {tr_mark("The heads of a model from a folder are its own. Choose another model to change them."), tr_mark("The heads of a model from a folder are its own: %s in this layer. Choose another model to change them.")},
    [OWN_SCALE] = {tr_mark("The scale of a model from a folder is its own. Choose another model to change it."), tr_mark("The scale of a model from a folder is its own: scores times %s. Choose another model to change it.")},
    [OWN_NUMBERS] = {tr_mark("The numbers of a model from a folder are its own: they can be looked at, not changed. Choose another model to change them."), NULL},
};

/* What the model has, in words; NULL: not known. */
static const char *own_value(const ActionContext *cx, Own own, char buffer[NUM_MAX]) {
    if (!cx->run || !cx->run->network) return NULL;
    const CheckpointInfo *info = checkpoint_info(cx->run->network->checkpoint);
    const Site *site = run_site(cx->run, cx->view->film.stage);
    if (own == OWN_HEADS) snprintf(buffer, NUM_MAX, "%d", site->spec.n_heads);
    if (own == OWN_SCALE) num_fixed(buffer, attention_scale(&site->spec), 3, NUM_SCREEN);
    return own == OWN_MASK ? info->mask : own == OWN_POSITION ? info->position : own == OWN_TOKENIZER ? info->tokenizer : buffer;
}

bool action_allowed(const ActionContext *cx, const ActionLine *line, Err *err) {
    char buffer[NUM_MAX] = "";
    int own = cx->doc->model == MODEL_FOLDER ? find_own(line) : -1;
    if (own < 0) return true;
    const char *value = sentences[own].with ? own_value(cx, (Own)own, buffer) : NULL;
    if (!value) return err_set(err, ERR_USAGE, "%s", tr(sentences[own].plain));
    return err_set(err, ERR_USAGE, tr(sentences[own].with), value);
}
