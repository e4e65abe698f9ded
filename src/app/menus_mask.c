/* Menus of the mask: which, what a hidden score becomes, how M is written, and what can be done with one cell of it. */
#include <assert.h>
#include <math.h>

#include "app/menu_rows.h"
#include "app/names.h"
#include "base/tr.h"
#include "scene/words_mask.h"

static bool mask_is(const Doc *doc, MaskKind kind) {
    if (kind == MASK_NONE) return doc->n_masks == 0 || (doc->n_masks == 1 && doc->masks[0].spec.kind == MASK_NONE);
    for (int i = 0; i < doc->n_masks; i++)
        if (doc->masks[i].spec.kind == kind) return true;
    return false;
}

static void fill_rows(Rows *rows) {
    const Doc *doc = &rows->s->doc;
    rows_heading(rows, tr("A hidden score becomes"));
    rows_choice(rows, "−∞", NULL, "fill -inf", isinf(doc->fill) != 0);
    rows_choice(rows, "−1e9", NULL, "fill -1e9", !(doc->fill < -1e9) && !(doc->fill > -1e9));
    rows_heading(rows, tr("The fill is"));
    rows_choice(rows, tr("put in its place"), NULL, "mask_op replace", doc->mask_op == MASK_REPLACE);
    rows_choice(rows, tr("added to it"), NULL, "mask_op add", doc->mask_op == MASK_ADD);
    rows_heading(rows, tr("A row with no allowed key"));
    rows_choice(rows, tr("gets zeros"), NULL, "empty_row zero", doc->empty_row == EMPTY_ROW_ZERO);
    rows_choice(rows, tr("gets NaN"), NULL, "empty_row nan", doc->empty_row == EMPTY_ROW_NAN);
}

static const char *const details[] = {
    [MASK_NONE] = tr_mark("every token may read every token"),
    [MASK_CAUSAL] = tr_mark("nothing that comes later"),
    [MASK_PADDING] = tr_mark("the last keys are hidden"),
    [MASK_WINDOW] = tr_mark("near tokens only"),
    [MASK_LOCAL_BLOCK] = tr_mark("its own block only"),
    [MASK_GLOBAL_WINDOW] = tr_mark("near tokens, and a few that all read"),
    [MASK_STRIDED] = tr_mark("near tokens and every nth"),
    [MASK_CUSTOM] = tr_mark("cell by cell"),
    [MASK_CUSTOM_PER_HEAD] = tr_mark("cell by cell in each head"),
};
static_assert(sizeof details / sizeof details[0] == MASK_KIND_COUNT, "each mask says what it does");

/* A cell of M is painted with the mask that is there. */
static void kind_rows(Rows *rows) {
    const Doc *doc = &rows->s->doc;
    for (int kind = 0; kind < MASK_KIND_COUNT; kind++) {
        bool on = mask_is(doc, (MaskKind)kind);
        if (kind == MASK_CUSTOM_PER_HEAD && !on) continue; /* there is nothing to choose without its cells */
        if (kind == MASK_CUSTOM && mask_is(doc, MASK_CUSTOM_PER_HEAD)) continue;
        rows_choice(rows, name_of_mask(kind), tr(details[kind]), arena_printf(rows->arena, "mask %s", mask_names[kind]), on);
    }
}

/* The mistake that the names of libraries lead to. */
static void flip_row(Rows *rows) {
    if (mask_is(&rows->s->doc, MASK_NONE)) return;
    rows_heading(rows, tr("Try a mistake"));
    rows_choice(rows, tr("Keep and hide swapped"), tr("as if True meant the opposite"), "mask.flip", false);
}

/* What can stand beside the masks that are there. */
static void and_rows(Rows *rows) {
    static const MaskKind also[] = {MASK_CAUSAL, MASK_PADDING, MASK_WINDOW};
    const Doc *doc = &rows->s->doc;
    if (mask_is(doc, MASK_NONE) || doc->n_masks >= MASK_LIST_MAX) return;
    rows_heading(rows, tr("Together with"));
    for (size_t i = 0; i < sizeof also / sizeof *also; i++)
        if (!mask_is(doc, also[i]))
            rows_choice(rows, name_of_mask((int)also[i]), tr(details[also[i]]), arena_printf(rows->arena, "mask.add %s", mask_names[also[i]]), false);
}

/* What a model from a folder brings along is not to be chosen. */
static bool is_its_own(Rows *rows) {
    if (rows->s->doc.model != MODEL_FOLDER) return false;
    rows_heading(rows, tr("Which keys a query may read"));
    rows_add(rows, ITEM_NOTE, arena_printf(rows->arena, tr("%s: the model from the folder brings its own."), chip_mask(&rows->s->doc, rows->s->run, rows->arena)));
    return true;
}

/* Which corner a triangle starts from matters where there are not as many queries as keys. */
static void align_rows(Rows *rows) {
    const Run *run = rows->s->run;
    const Doc *doc = &rows->s->doc;
    if (!run || run->tokens.n == run->keys.n || !mask_is(doc, MASK_CAUSAL)) return;
    rows_heading(rows, tr("The triangle of a causal mask"));
    rows_choice(rows, tr("last query with last key"), tr("bottom right"), "causal_align bottom_right", doc->causal_align == ALIGN_BOTTOM_RIGHT);
    rows_choice(rows, tr("first query with first key"), tr("top left"), "causal_align top_left", doc->causal_align == ALIGN_TOP_LEFT);
}

void menu_mask(Rows *rows) {
    if (is_its_own(rows)) return;
    rows_heading(rows, tr("Which keys a query may read"));
    kind_rows(rows);
    and_rows(rows);
    align_rows(rows);
    flip_row(rows);
    fill_rows(rows);
}

void menu_mask_form(Rows *rows) {
    const View *view = &rows->s->view;
    static const char *const labels[] = {[MASK_FORM_WORDS] = tr_mark("KEEP/HIDE"), [MASK_FORM_ADDED] = tr_mark("what is added"), [MASK_FORM_KEEP] = tr_mark("True = keep"),
                                         [MASK_FORM_IGNORE] = tr_mark("True = ignore")};
    static const char *const whose[] = {[MASK_FORM_WORDS] = tr_mark("can be painted"), [MASK_FORM_ADDED] = tr_mark("a float attn_mask of PyTorch"),
                                        [MASK_FORM_KEEP] = "scaled_dot_product_attention", [MASK_FORM_IGNORE] = "nn.MultiheadAttention"};
    static_assert(sizeof labels / sizeof *labels == MASK_FORM_COUNT && sizeof whose / sizeof *whose == MASK_FORM_COUNT, "words for each form");
    rows_heading(rows, tr("M is written as"));
    for (int i = 0; i < MASK_FORM_COUNT; i++)
        rows_choice(rows, tr(labels[i]), tr(whose[i]), arena_printf(rows->arena, "mask.form %s", mask_form_names[i]), view->mask_form == (MaskForm)i);
}

/* Of the selected cell. */
void menu_mask_cell(Rows *rows) {
    bool own = rows->s->doc.model == MODEL_FOLDER;
    rows_heading(rows, tr("This cell"));
    rows_choice(rows, tr("Explain"), "Enter", "explain", false);
    if (!own) {
        rows_choice(rows, tr("Hide or show this key for this query"), "X", "mask.toggle", false);
        rows_choice(rows, tr("Hide or show this key for all queries"), "K", "mask.column", false);
        rows_choice(rows, tr("Hide or show all keys for this query"), "Shift+K", "mask.row", false);
    }
    if (trace_find(rows->s->run->trace, "mask") != TENSOR_NONE || own) menu_mask_form(rows);
}
