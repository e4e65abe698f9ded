#include "app/names.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/file.h"
#include "base/phrase.h"
#include "base/str.h"
#include "base/tr.h"
#include "doc/setting.h"

static const char *const model_titles[] = {
    [MODEL_CLASSROOM] = tr_mark("Classroom"), [MODEL_MOLECULE] = tr_mark("Molecule"), [MODEL_RANDOM] = tr_mark("Random"),
    [MODEL_IDENTITY] = tr_mark("Identity"),   [MODEL_GIVEN] = tr_mark("Given"),       [MODEL_FOLDER] = tr_mark("From a folder"),
};
static_assert(sizeof model_titles / sizeof model_titles[0] == MODEL_KIND_COUNT, "each model has a title");

static const char *const mask_titles[] = {
    [MASK_NONE] = tr_mark("None"),
    [MASK_CAUSAL] = tr_mark("Causal"),
    [MASK_PADDING] = tr_mark("Padding"),
    [MASK_WINDOW] = tr_mark("Window"),
    [MASK_LOCAL_BLOCK] = tr_mark("Blocks"),
    [MASK_GLOBAL_WINDOW] = tr_mark("Global"),
    [MASK_STRIDED] = tr_mark("Strided"),
    [MASK_CUSTOM] = tr_mark("Custom"),
    [MASK_CUSTOM_PER_HEAD] = tr_mark("Custom per head"),
};
static_assert(sizeof mask_titles / sizeof mask_titles[0] == MASK_KIND_COUNT, "each mask has a title");


static const char *const tokenizer_titles[] = {
    [TOKENIZER_WORDS] = tr_mark("words"),
    [TOKENIZER_CHARACTERS] = tr_mark("characters"),
    [TOKENIZER_SMILES] = tr_mark("SMILES"),
};
static_assert(sizeof tokenizer_titles / sizeof tokenizer_titles[0] == TOKENIZER_KIND_COUNT, "each tokenizer has a title");

const char *name_of_model(int kind) { return tr(model_titles[kind]); }
const char *name_of_mask(int kind) { return tr(mask_titles[kind]); }
const char *name_of_position(int kind) { return position_title((PositionKind)kind); }
const char *name_of_tokenizer(int kind) { return tr(tokenizer_titles[kind]); }

const CheckpointInfo *name_folder(const Doc *doc, const Run *run) {
    const Blob *now = doc->model_folder, *then = run && run->network ? run->doc.model_folder : NULL;
    bool same = doc->model == MODEL_FOLDER && now && then && str_eq(now->bytes, then->bytes) && run->network->checkpoint;
    return same ? checkpoint_info(run->network->checkpoint) : NULL;
}

const char *name_layers(const CheckpointInfo *info, Arena *arena) {
    int n = info->stack[0].n_layers;
    if (info->n_stacks > 1) return arena_printf(arena, tr("%d + %d layers"), n, info->stack[1].n_layers);
    return n == 1 ? tr("1 layer") : arena_printf(arena, tr("%d layers"), n);
}

const char *name_short_hash(const CheckpointInfo *info, Arena *arena) {
    return arena_strndup(arena, info->hash, 8);
}

/* "causal" -> "Causal": chips begin with a capital. */
static const char *capital(const char *text, Arena *arena) {
    char *copy = arena_strdup(arena, text);
    if (copy[0] >= 'a' && copy[0] <= 'z') copy[0] = (char)(copy[0] - 'a' + 'A');
    return copy;
}

/* What is said of a source comes from the run: only where it is one of the document's model. */
static const Source *source_of(const Doc *doc, const Run *run) {
    bool same = run && !run->network && run->doc.model == doc->model && (doc->model != MODEL_RANDOM || run->doc.seed == doc->seed);
    return same ? &run->source : NULL;
}

const char *chip_model(const Doc *doc, const Run *run, Arena *arena) {
    const CheckpointInfo *info = name_folder(doc, run);
    if (info) return phrase_list(arena, info->name, name_layers(info, arena));
    if (doc->model == MODEL_FOLDER) return doc->model_folder ? path_name(doc->model_folder->bytes) : name_of_model(MODEL_FOLDER);
    const Source *source = source_of(doc, run);
    if (source && source->title && source->title[0]) return arena_strdup(arena, source->title);
    return name_of_model((int)doc->model);
}

const char *chip_badge(const Doc *doc, const Run *run) {
    const Source *source = source_of(doc, run); /* a folder's has its own place */
    if (!source || !source->badge || !source->badge[0]) return NULL;
    return source->title_says_made ? NULL : tr(source->badge);
}

/* A padding mask stays when the padding has gone: no key is hidden by it now. */
static bool hides_nothing(const DocMask *mask, const Run *run) {
    bool there = false;
    for (int i = 0; i < run->spec.n_masks; i++) there = there || run->spec.masks[i].kind == MASK_PADDING;
    return mask->spec.kind == MASK_PADDING && !there;
}

const char *chip_mask(const Doc *doc, const Run *run, Arena *arena) {
    const CheckpointInfo *info = name_folder(doc, run);
    if (doc->model == MODEL_FOLDER) return info ? capital(tr(info->mask), arena) : tr("Its own");
    const char *text = NULL;
    for (int i = 0; i < doc->n_masks; i++) {
        if (doc->masks[i].spec.kind == MASK_NONE || (run && hides_nothing(&doc->masks[i], run))) continue;
        const char *name = name_of_mask((int)doc->masks[i].spec.kind);
        text = text ? arena_printf(arena, "%s + %s", text, name) : name;
    }
    return text ? text : name_of_mask(MASK_NONE);
}

bool model_has_position(const Doc *doc) {
    return doc->model == MODEL_CLASSROOM || doc->model == MODEL_MOLECULE;
}

const char *chip_tokenizer(const Doc *doc, const Run *run) {
    const CheckpointInfo *info = name_folder(doc, run);
    if (doc_tokens_listed(doc)) return tr("listed");
    if (doc->model == MODEL_FOLDER) return !info ? tr("its own") : info->tokenizer ? info->tokenizer : tr("token ids");
    return name_of_tokenizer((int)doc->tokenizer);
}

const char *chip_position(const Doc *doc, const Run *run, Arena *arena) {
    const CheckpointInfo *info = name_folder(doc, run);
    if (doc->model == MODEL_FOLDER) return info ? capital(tr(info->position), arena) : tr("Its own");
    if (doc->position_origin == DOC_POSITION_SET) return name_of_position((int)doc->position.kind);
    static const MatrixName instead[] = {MATRIX_X, MATRIX_Q, MATRIX_K, MATRIX_V, MATRIX_SCORES, MATRIX_WEIGHTS}; /* of the model's rows */
    bool given = false;
    for (size_t i = 0; i < sizeof instead / sizeof *instead; i++) given = given || doc->matrix[instead[i]].rank > 0;
    return model_has_position(doc) && !given ? tr("Built-in") : name_of_position(POSITION_NONE);
}
