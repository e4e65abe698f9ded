#include "app/panel_top.h"

#include <string.h>

#include "app/hover.h"
#include "app/logo.h"
#include "app/names.h"
#include "base/tr.h"
#include "ui/textedit.h"

/* What the bar shows, from the most to the least: it shrinks until everything fits. Whether a model is random or trained
 * is never left out. */
typedef struct {
    bool wordmark, titles, hash, names, buttons; /* names: every chip has its words, else mask and position a sign */
    bool position, mask, examples;
    float field; /* least width of the text field, in pads */
} Fit;

static const Fit fits[] = {
    {true, true, true, true, true, true, true, true, 40},         {true, true, false, true, true, true, true, true, 40},
    {true, false, false, true, true, true, true, true, 30},       {false, false, false, true, true, true, true, true, 30},
    {false, false, false, true, false, true, true, true, 26},     {false, false, false, false, false, true, true, true, 24},
    {false, false, false, false, false, false, true, true, 22},   {false, false, false, false, false, false, false, true, 20},
    {false, false, false, false, false, false, false, false, 16},
};
enum { FITS = sizeof fits / sizeof fits[0] };

enum { CHIP_MODEL, CHIP_MASK, CHIP_POSITION, CHIP_BADGE, CHIP_COUNT };

typedef struct {
    KitChip chip[CHIP_COUNT];
    bool shown[CHIP_COUNT]; /* a model from a folder has a badge of its own; the others have it in the first chip */
    Fit fit;
} TopParts;

/* "trained 3f2a91c0": what the model is, and which one exactly. */
static void add_badge(const Frame *f, TopParts *parts) {
    const CheckpointInfo *info = name_folder(&f->s->doc, f->s->run);
    Arena *arena = f->dl->arena;
    if (!info) return;
    const char *kind = info->seeded ? tr("random") : tr("trained"), *hash = parts->fit.hash ? name_short_hash(info, arena) : NULL;
    parts->shown[CHIP_BADGE] = true;
    parts->chip[CHIP_BADGE] = (KitChip){"top.badge", "menu model.about", arena_printf(arena, tr("About this model: %s, SHA-256 %s"), info->name, info->hash),
                                        kind, NULL, hash, f->kit.theme->ink, ICON_MODEL, strcmp(f->view->menu, "model.about") == 0};
}

/* Of the model its name without its layers, or what it is; of the others their signs. */
static void shorten(const Frame *f, TopParts *parts) {
    const CheckpointInfo *info = name_folder(&f->s->doc, f->s->run);
    KitChip *model = &parts->chip[CHIP_MODEL];
    if (info) model->value = info->name;
    else if (model->detail) model->value = model->detail;
    model->detail = NULL;
    parts->chip[CHIP_MASK].value = parts->chip[CHIP_POSITION].value = NULL;
}

/* A model from a folder hides keys in some of its layers and in others none, as a decoder behind an encoder. */
static bool unmasked_in_view(const Frame *f) {
    const Run *run = f->s->run;
    if (!run || !name_folder(&f->s->doc, run) || run->n_sites < 2) return false;
    const char *scope = run_site(run, f->view->film.stage)->scope;
    return trace_find(run->trace, arena_printf(f->dl->arena, "%s%smask", scope, scope[0] ? "." : "")) == TENSOR_NONE;
}

static TopParts make_parts(const Frame *f, const Fit *fit) {
    const Theme *theme = f->kit.theme;
    Arena *arena = f->dl->arena;
    const char *menu = f->view->menu;
    const char *model = chip_model(&f->s->doc, f->s->run, arena), *mask = chip_mask(&f->s->doc, f->s->run, arena);
    const char *position = chip_position(&f->s->doc, f->s->run, arena);
    if (unmasked_in_view(f)) mask = name_of_mask(MASK_NONE);
    bool masked = strcmp(mask, name_of_mask(MASK_NONE)) != 0;
    const char *badge = chip_badge(&f->s->doc, f->s->run), *model_label = tr("Where the numbers come from");
    if (badge) model_label = arena_printf(arena, tr("Where the numbers come from: %s, %s"), model, badge);
    TopParts parts = {
        .chip = {
            [CHIP_MODEL] = {"top.model", "menu model", model_label, tr("Model"), model, badge, theme->ink, ICON_MODEL,
                            strcmp(menu, "model") == 0},
            [CHIP_MASK] = {"top.mask", "menu mask", tr("Which keys a query may read"), tr("Mask"), mask, NULL,
                           masked ? theme->k : theme->ink, ICON_MASK, strcmp(menu, "mask") == 0},
            [CHIP_POSITION] = {"top.position", "menu position", tr("How the place of a token enters"), tr("Position"), position, NULL,
                               theme->ink, ICON_POSITION, strcmp(menu, "position") == 0},
        },
        .shown = {[CHIP_MODEL] = true, [CHIP_MASK] = fit->mask, [CHIP_POSITION] = fit->position},
        .fit = *fit,
    };
    add_badge(f, &parts);
    for (int i = 0; i < CHIP_BADGE && !fit->titles; i++) parts.chip[i].title = NULL;
    if (!fit->names) shorten(f, &parts);
    return parts;
}

static float wordmark_width(const Frame *f) {
    return font_width(f->kit.font, FACE_UI_SEMIBOLD, f->layout.type[TYPE_TITLE] * 0.95f, "Attnscope");
}

static float button_width(const Frame *f, const Fit *fit, const char *text) {
    return fit->buttons ? kit_button_width(&f->kit, text) : 4.25f * f->kit.pad;
}

/* Width of everything but the fields, with the spaces between. */
static float fixed_width(const Frame *f, const TopParts *parts) {
    float pad = f->kit.pad, width = 6 * pad + 3.25f * pad + 2 * pad;
    if (parts->fit.wordmark) width += wordmark_width(f) + 2 * pad;
    for (int i = 0; i < CHIP_COUNT; i++)
        if (parts->shown[i]) width += kit_chip_width(&f->kit, &parts->chip[i]) + 1.25f * pad;
    if (parts->fit.examples) width += button_width(f, &parts->fit, tr("Examples")) + pad;
    return width + button_width(f, &parts->fit, tr("Export")) + 2 * 4.25f * pad + 4 * pad;
}

static TopParts choose_parts(const Frame *f) {
    TopParts parts = {0};
    int fields = field_has_source(f->s) ? 2 : 1;
    for (int i = 0; i < FITS; i++) {
        parts = make_parts(f, &fits[i]);
        float least = fits[i].field * f->kit.pad * (fields == 2 ? 2.2f : 1);
        if (fixed_width(f, &parts) + least <= f->layout.top.w) break;
    }
    return parts;
}

static Rect middle(Rect bar, float x, float w, float h) {
    return (Rect){x, bar.y + (bar.h - h) / 2, w, h};
}

static const char *tokenizer_label(const Frame *f) {
    return chip_tokenizer(&f->s->doc, f->s->run);
}

static float field_label_width(const Frame *f, const char *label) {
    return font_width(f->kit.font, FACE_UI, f->layout.type[TYPE_SMALL], label) + 2 * f->kit.pad;
}

/* The tokenizer's name beside the text; 0 where it would take the place of the text in a narrow field. */
static float shown_label_width(const Frame *f, float field) {
    float label = field_label_width(f, tokenizer_label(f)), pad = f->kit.pad;
    const char *text = field_text(f->s, FIELD_TEXT, f->dl->arena);
    bool narrow = label > 0.25f * field, longer = strlen(text) > 200 || font_width(f->kit.font, FACE_UI, f->layout.type[TYPE_BODY], text) + 4 * pad + label > field;
    return narrow && longer ? 0 : label;
}

/* Which stack of the folder's model reads this field. */
static int stack_of(const Network *network, FieldId id) {
    int n = checkpoint_info(network->checkpoint)->n_stacks;
    return n < 2 ? (id == FIELD_TEXT ? 0 : -1) : id == FIELD_SOURCE ? 0 : 1;
}

/* Is this field's text the one that the run has read? */
static bool field_is_run(const Session *s, FieldId id) {
    const Run *run = s->run;
    if (id == FIELD_QUERY || !run || s->muted) return false;
    const Blob *now = id == FIELD_SOURCE ? s->doc.source_text : s->doc.text, *then = id == FIELD_SOURCE ? run->doc.source_text : run->doc.text;
    return now && then && str_eq(now->bytes, then->bytes);
}

/* "1024 of 1171": the model reads less than is typed. NULL: it reads all. */
static const char *cut_words(const Frame *f, FieldId id) {
    const Network *network = f->s->run ? f->s->run->network : NULL;
    int stack = network && field_is_run(f->s, id) ? stack_of(network, id) : -1;
    if (stack < 0 || network->cut[stack] <= 0) return NULL;
    int n = network->encoding[stack].n;
    return arena_printf(f->dl->arena, tr("%d of %d"), n, n + network->cut[stack]);
}

/* It ends at `right`. */
static Rect place_cut(const Frame *f, FieldId id, Rect field, float right) {
    const char *words = cut_words(f, id);
    if (!words) return (Rect){right, field.y, 0, field.h};
    float width = font_width(f->kit.font, FACE_UI_SEMIBOLD, f->layout.type[TYPE_SMALL], words) + f->kit.pad;
    return (Rect){right - width, field.y, width, field.h};
}

static void place_fields(const Frame *f, TopBar *bar, float left, float right) {
    float pad = f->kit.pad, width = right - left, high = 4.75f * pad;
    Rect top = f->layout.top;
    float most = field_has_source(f->s) ? 110 * pad : 66 * pad;
    if (width > most) width = most;
    bar->field = middle(top, left, width, high);
    if (field_has_source(f->s)) {
        float half = (width - pad) / 2;
        bar->field.w = half;
        bar->source = middle(top, left + half + pad, half, high);
    }
    float label = shown_label_width(f, bar->field.w);
    bar->tokenizer = (Rect){bar->field.x + bar->field.w - label - 0.5f * pad, bar->field.y + 4, label, bar->field.h - 8};
    bar->cut = place_cut(f, FIELD_TEXT, bar->field, bar->tokenizer.x);
    bar->source_cut = place_cut(f, FIELD_SOURCE, bar->source, bar->source.x + bar->source.w - field_label_width(f, tr("source")));
}

static TopBar place_parts(const Frame *f, const TopParts *parts) {
    TopBar bar = {0};
    float pad = f->kit.pad, x = 3 * pad, high = 4.25f * pad;
    Rect top = f->layout.top;
    bar.logo = middle(top, x, 3.25f * pad, 3.25f * pad);
    x += bar.logo.w + 1.5f * pad;
    if (parts->fit.wordmark) {
        bar.name = middle(top, x, wordmark_width(f) + 1, top.h);
        x += bar.name.w + 2.5f * pad;
    }
    float right = top.w - 3 * pad;
    Rect *const buttons[] = {&bar.menu, &bar.settings, &bar.export, &bar.examples};
    const float widths[] = {high, high, button_width(f, &parts->fit, tr("Export")), button_width(f, &parts->fit, tr("Examples"))};
    for (int i = 0; i < (parts->fit.examples ? 4 : 3); i++) {
        right -= widths[i];
        *buttons[i] = middle(top, right, widths[i], high);
        right -= pad;
    }
    float chips = 0, chip_width[CHIP_COUNT];
    for (int i = 0; i < CHIP_COUNT; i++) {
        chip_width[i] = kit_chip_width(&f->kit, &parts->chip[i]) + 1;
        if (parts->shown[i]) chips += chip_width[i] + 1.25f * pad;
    }
    place_fields(f, &bar, x, right - chips - pad);
    Rect last = bar.source.w > 0 ? bar.source : bar.field;
    float chip_x = last.x + last.w + 2 * pad;
    Rect *const chip[] = {&bar.model, &bar.mask, &bar.position, &bar.badge};
    for (int i = 0; i < CHIP_COUNT; i++) {
        if (!parts->shown[i]) continue;
        *chip[i] = middle(top, chip_x, chip_width[i], high);
        chip_x += chip_width[i] + 1.25f * pad;
    }
    return bar;
}

TopBar top_make(const Frame *f) {
    TopParts parts = choose_parts(f);
    return place_parts(f, &parts);
}

/* What the run says about the text: how much of it the model reads, and where the number under the pointer came from. */
static void field_notes(const Frame *f, FieldId id, KitField *field) {
    const Session *s = f->s;
    const Run *run = s->run;
    if (!field_is_run(s, id)) return;
    int stack = run->network ? stack_of(run->network, id) : -1;
    if (stack >= 0 && run->network->cut[stack] > 0) field->used = (size_t)run->network->used[stack];
    hover_spans(s, id == FIELD_SOURCE, field->mark);
    field->mark[0].color = f->kit.theme->q;
    field->mark[1].color = f->kit.theme->k;
}

static bool reads_ids(const Session *s) {
    const CheckpointInfo *info = name_folder(&s->doc, s->run);
    return info && !info->tokenizer;
}

KitField top_field(const Frame *f, FieldId id) {
    const View *view = f->view;
    bool focused = field_active(f->s) == id, query = id == FIELD_QUERY;
    KitField field = {.name = field_name(id), .text = field_text(f->s, id, f->dl->arena), .focused = focused};
    field.action = query ? NULL : arena_printf(f->dl->arena, "focus %s", field.name);
    field.length = strlen(field.text);
    field.caret = (size_t)(query ? view->query_caret : view->caret);
    field.anchor = (size_t)(query ? view->query_anchor : view->anchor);
    TextEdit edit; /* caret and anchor on boundaries: the text may be another one since they were set */
    textedit_init(&edit, f->dl->arena, field.text, field.length, field.caret, field.anchor);
    field.caret = edit.caret;
    field.anchor = edit.anchor;
    field.composition = focused ? view->composition : NULL;
    field.composition_caret = (size_t)view->composition_caret;
    field.hint = query ? f->s->menu.hint : id == FIELD_SOURCE ? tr("Type the source text")
                 : field_two_texts(f->s) ? tr("What it has written so far") : reads_ids(f->s) ? tr("Type token ids, such as 5 6 7") : tr("Type some words");
    field_notes(f, id, &field);
    if (query) return field;
    TopBar bar = top_make(f);
    if (id == FIELD_TEXT) field.right = bar.field.x + bar.field.w - bar.cut.x;
    if (id == FIELD_SOURCE) field.right = bar.source.x + bar.source.w - bar.source_cut.x;
    return field;
}

static void draw_tokenizer(const Frame *f, Rect box) {
    const Theme *theme = f->kit.theme;
    bool listed = doc_tokens_listed(&f->s->doc), hot = kit_is_hot(&f->kit, "top.tokenizer");
    if (box.w <= 0) return;
    if (!listed) dl_control(f->dl, box, ROLE_BUTTON, "top.tokenizer", "menu tokenizer", tr("How the text is cut into tokens"));
    dl_label(f->dl, f->kit.font, FACE_UI, f->layout.type[TYPE_SMALL], hot ? theme->ink : theme->muted, box, ALIGN_CENTER, tokenizer_label(f));
    if (listed) return;
    kit_focus_ring(&f->kit, "top.tokenizer", rect_inset(box, 3), 4);
    dl_ungroup(f->dl);
}

static void draw_cut(const Frame *f, FieldId id, Rect box) {
    const char *words = cut_words(f, id);
    if (words) dl_label(f->dl, f->kit.font, FACE_UI_SEMIBOLD, f->layout.type[TYPE_SMALL], f->kit.theme->error, box, ALIGN_CENTER, words);
}

static void draw_fields(const Frame *f, const TopBar *bar) {
    KitField field = top_field(f, FIELD_TEXT);
    kit_field(&f->kit, bar->field, &field);
    draw_tokenizer(f, bar->tokenizer);
    draw_cut(f, FIELD_TEXT, bar->cut);
    if (bar->source.w <= 0) return;
    field = top_field(f, FIELD_SOURCE);
    kit_field(&f->kit, bar->source, &field);
    Rect label = {bar->source.x, bar->source.y, bar->source.w - 1.5f * f->kit.pad, bar->source.h};
    dl_label(f->dl, f->kit.font, FACE_UI, f->layout.type[TYPE_SMALL], f->kit.theme->k, label, ALIGN_RIGHT, tr("source"));
    draw_cut(f, FIELD_SOURCE, bar->source_cut);
}

void top_draw(const Frame *f) {
    TopParts parts = choose_parts(f);
    TopBar bar = place_parts(f, &parts);
    const Kit *kit = &f->kit;
    logo_draw(f->dl, kit->theme, bar.logo);
    if (parts.fit.wordmark)
        dl_label(f->dl, kit->font, FACE_UI_SEMIBOLD, f->layout.type[TYPE_TITLE] * 0.95f, kit->theme->ink, bar.name, ALIGN_LEFT, "Attnscope");
    draw_fields(f, &bar);
    const Rect chip[] = {bar.model, bar.mask, bar.position, bar.badge};
    for (int i = 0; i < CHIP_COUNT; i++)
        if (parts.shown[i]) kit_chip(kit, chip[i], &parts.chip[i]);
    bool examples = parts.fit.examples;
    if (parts.fit.buttons) {
        if (examples) kit_button(kit, bar.examples, "top.examples", "menu examples", tr("Examples"), LOOK_QUIET);
        kit_button(kit, bar.export, "top.export", "export", tr("Export"), LOOK_ACCENT);
    } else {
        if (examples) kit_icon_button(kit, bar.examples, "top.examples", "menu examples", tr("Examples"), ICON_EXAMPLES, LOOK_BARE);
        kit_icon_button(kit, bar.export, "top.export", "export", tr("Export"), ICON_EXPORT, LOOK_BARE);
    }
    kit_icon_button(kit, bar.settings, "top.settings", "controls", tr("Settings and what they do (S)"), ICON_SETTINGS,
                    f->view->controls ? LOOK_QUIET : LOOK_BARE);
    kit_icon_button(kit, bar.menu, "top.menu", "menu main", tr("Menu"), ICON_MENU, LOOK_BARE);
}
