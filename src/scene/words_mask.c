#include "scene/words_mask.h"

#include <assert.h>
#include <math.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/now.h"
#include "scene/paint.h"

const char *words_mask_kind(MaskKind kind) {
    static const char *const names[] = {
        [MASK_NONE] = tr_mark("No mask"),        [MASK_CAUSAL] = tr_mark("Causal"),        [MASK_PADDING] = tr_mark("Padding"),
        [MASK_WINDOW] = tr_mark("Window"),       [MASK_LOCAL_BLOCK] = tr_mark("Blocks"),   [MASK_GLOBAL_WINDOW] = tr_mark("Global"),
        [MASK_STRIDED] = tr_mark("Strided"),     [MASK_CUSTOM] = tr_mark("Custom"),        [MASK_CUSTOM_PER_HEAD] = tr_mark("Custom per head"),
    };
    static_assert(sizeof names / sizeof *names == MASK_KIND_COUNT, "a name for each kind");
    return tr(names[kind]);
}

/* ---- forms ---- */

static const char *fill_text(const Scene *scene) { return scene_short_number(scene, scene_site(scene)->spec.fill); }

/* A finite fill that takes the place of a score is not added to it. */
static bool adds(const Scene *scene) {
    const AttentionSpec *spec = &scene_site(scene)->spec;
    return spec->mask_op == MASK_ADD || !isfinite(spec->fill);
}

const char *words_mask_form(const Scene *scene, MaskForm form) {
    switch (form) {
    case MASK_FORM_ADDED: return arena_printf(scene->arena, adds(scene) ? tr("added: 0, %s") : tr("fill: %s"), fill_text(scene));
    case MASK_FORM_KEEP: return tr("True = keep");
    case MASK_FORM_IGNORE: return tr("True = ignore");
    default: return tr("KEEP/HIDE");
    }
}

const char *words_mask_source(const Scene *scene, MaskForm form) {
    bool own = scene->run->doc.model == MODEL_FOLDER;
    switch (form) {
    case MASK_FORM_ADDED:
        if (!adds(scene)) return tr("a hidden score becomes the fill, as masked_fill of PyTorch does it; nothing is added");
        return tr("what a float attn_mask of PyTorch adds to the scores");
    case MASK_FORM_KEEP: return tr("PyTorch scaled_dot_product_attention: a bool attn_mask");
    case MASK_FORM_IGNORE: return tr("PyTorch nn.MultiheadAttention: a bool attn_mask or key_padding_mask");
    default: return own ? tr("KEEP: the query may read this key") : tr("click or paint M · right-click a name: the whole row or column");
    }
}

const char *words_mask_cell(const Scene *scene, MaskForm form, bool keep, double fill, bool sum, bool brief) {
    bool yes = keep == (form == MASK_FORM_KEEP);
    switch (form) {
    case MASK_FORM_ADDED: return keep ? (sum ? "0" : tr("keep")) : scene_short_number(scene, fill);
    case MASK_FORM_KEEP:
    case MASK_FORM_IGNORE: return brief ? (yes ? "T" : "F") : yes ? "True" : "False";
    default: return brief ? NULL : keep ? tr("KEEP") : tr("HIDE");
    }
}

const char *words_mask_sign_means(const Scene *scene, MaskForm form, bool keep, double fill, bool sum) {
    const char *number = scene_short_number(scene, fill);
    bool yes = keep == (form == MASK_FORM_KEEP);
    switch (form) {
    case MASK_FORM_ADDED:
        if (keep) return sum ? tr("0 keeps") : tr("KEEP");
        return arena_printf(scene->arena, tr("%s hides"), number);
    case MASK_FORM_KEEP:
    case MASK_FORM_IGNORE: return arena_printf(scene->arena, keep ? tr("%s keeps") : tr("%s hides"), yes ? "True" : "False");
    default:
        if (keep) return sum ? tr("KEEP 0") : tr("KEEP");
        return arena_printf(scene->arena, tr("HIDE %s"), number);
    }
}

const char *words_mask_pattern(const Scene *scene, MaskForm form, double fill, bool sum) {
    if (form == MASK_FORM_WORDS) return NULL;
    return arena_printf(scene->arena, tr("hidden cells: %s, the others: %s"), words_mask_cell(scene, form, false, fill, sum, false),
                        words_mask_cell(scene, form, true, fill, sum, false));
}

/* ---- how far a query sees ---- */

static const char *window_words(const Scene *scene, int left, int right) {
    if (left == 1) return arena_printf(scene->arena, tr("window: 1 token before, %d after"), right);
    return arena_printf(scene->arena, tr("window: %d tokens before, %d after"), left, right);
}

static const char *global_words(const Scene *scene, const MaskSpec *m) {
    if (m->n_globals == 1)
        return arena_printf(scene->arena, tr("global: %d to each side, and token %d reads and is read by all"), m->left, m->globals[0] + 1);
    return arena_printf(scene->arena, tr("global: %d to each side, and %d tokens read and are read by all"), m->left, m->n_globals);
}

/* Of all padding masks together. */
static const char *padding_words(const Scene *scene, const AttentionSpec *spec) {
    int hidden = 0, keys = spec->S;
    for (int j = 0; j < keys; j++) {
        bool kept = true;
        for (int i = 0; i < spec->n_masks; i++)
            if (spec->masks[i].kind == MASK_PADDING) kept = kept && mask_keeps(&spec->masks[i], 0, 0, j, spec->L, spec->S);
        hidden += !kept;
    }
    return arena_printf(scene->arena, hidden == 1 ? tr("padding: %d key of %d is hidden from all") : tr("padding: %d keys of %d are hidden from all"), hidden, keys);
}

/* Where the triangle begins is a choice only where there are not as many queries as keys. */
static const char *causal_words(const AttentionSpec *spec, const MaskSpec *m) {
    if (spec->L == spec->S) return NULL;
    return m->align == ALIGN_BOTTOM_RIGHT ? tr("causal: the last query reads up to the last key") : tr("causal: the first query reads the first key alone");
}

static const char *mask_words(const Scene *scene, const MaskSpec *m, const AttentionSpec *spec) {
    Arena *arena = scene->arena;
    switch (m->kind) {
    case MASK_CAUSAL: return causal_words(spec, m);
    case MASK_WINDOW: return window_words(scene, m->left, m->right);
    case MASK_LOCAL_BLOCK: return arena_printf(arena, m->causal ? tr("blocks of %d: none outside its own block, none after it") : tr("blocks of %d: none outside its own block"), m->block);
    case MASK_GLOBAL_WINDOW: return global_words(scene, m);
    case MASK_STRIDED:
        if (m->stride == 1) return tr("strided 1: every token");
        return arena_printf(arena, m->causal ? tr("strided %d: up to %d tokens before, then one in %d") : tr("strided %d: up to %d tokens to each side, then one in %d"), m->stride,
                            m->stride - 1, m->stride);
    case MASK_PADDING:
        for (const MaskSpec *before = spec->masks; before < m; before++)
            if (before->kind == MASK_PADDING) return NULL; /* said already */
        return padding_words(scene, spec);
    default: return NULL;
    }
}

static const MaskSpec *window_of(const Site *site) {
    for (int i = 0; i < site->spec.n_masks; i++)
        if (site->spec.masks[i].kind == MASK_WINDOW) return &site->spec.masks[i];
    return NULL;
}

/* Layers one upon the other: each adds its window, as long as all have one. */
static const char *layers_words(const Scene *scene) {
    const Run *run = scene->run;
    const Site *here = scene_site(scene);
    int left = 0, right = 0, layers = 0;
    if (run->n_sites < 2 || here->cross || !window_of(here)) return NULL;
    for (const Site *site = run->sites; site <= here; site++) {
        if (site->cross || site->queries != here->queries) continue; /* another text */
        const MaskSpec *window = window_of(site);
        if (!window) return NULL;
        left += window->left;
        right += window->right;
        layers++;
    }
    if (layers < 2) return NULL;
    return arena_printf(scene->arena, tr("over the first %d layers: %d before, %d after"), layers, left, right);
}

const char *words_mask_reach(const Scene *scene) {
    const AttentionSpec *spec = &scene_site(scene)->spec;
    const char *text = NULL;
    for (int i = 0; i < spec->n_masks; i++) {
        const char *one = mask_words(scene, &spec->masks[i], spec);
        text = phrase_list(scene->arena, text, one);
    }
    return phrase_list(scene->arena, text, layers_words(scene));
}

const char *words_mask_says(const Scene *scene, const Op *op, const int *index, bool *word) {
    const Tensor *mask = trace_tensor(scene->run->trace, op->in[2]);
    const int three[TENSOR_RANK_MAX] = {index[0] < mask->dim[0] ? index[0] : 0, index[1], index[2]}, two[TENSOR_RANK_MAX] = {index[1], index[2]};
    bool hidden = tensor_at(mask, mask->rank == 3 ? three : two) == 0;
    const char *fill = scene_short_number(scene, op->number);
    *word = !hidden && op->mask_op != MASK_ADD;
    if (op->mask_op == MASK_ADD) return hidden ? arena_printf(scene->arena, "+ %s", fill) : "+ 0";
    return hidden ? fill : tr("keeps");
}
