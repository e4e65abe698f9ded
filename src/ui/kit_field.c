#include <string.h>

#include "base/utf8.h"
#include "ui/kit.h"

/* A text longer than this is looked at through a window around the caret. */
enum { WINDOW_BYTES = 2048 };

/* The part of a field's text that is drawn. */
typedef struct {
    size_t from, to; /* bytes of the text */
    float x;         /* where `from` begins */
} FieldView;

/* Text as it is shown: what has no shape gets one. */
static char *visible(const Kit *kit, const char *text, size_t length) {
    StrBuf sb;
    sb_init(&sb, kit->dl->arena);
    size_t run = 0;
    for (size_t i = 0; i < length; i++) {
        const char *shown = text[i] == '\n' ? "⏎" : text[i] == '\t' ? "⇥" : NULL;
        if (!shown) continue;
        sb_add_n(&sb, text + run, i - run);
        sb_add(&sb, shown);
        run = i + 1;
    }
    sb_add_n(&sb, text + run, length - run);
    return sb.data;
}

static float measure(const Kit *kit, const char *text, size_t length) {
    if (length == 0) return 0;
    return font_width(kit->font, FACE_UI, kit->type[KIT_BODY], visible(kit, text, length));
}

static bool composes(const KitField *field) {
    return field->focused && field->composition && field->composition[0] != '\0';
}

/* Ends of the selection in order; without one both are the caret. */
static size_t selection_from(const KitField *field) {
    return field->caret < field->anchor ? field->caret : field->anchor;
}

static size_t selection_to(const KitField *field) {
    return field->caret < field->anchor ? field->anchor : field->caret;
}

/* What is composed takes the place of the selection: by how much the text grows. */
static float composition_width(const Kit *kit, const KitField *field) {
    return composes(field) ? measure(kit, field->composition, strlen(field->composition)) : 0;
}

static Rect text_box(const Kit *kit, Rect box, const KitField *field) {
    return (Rect){box.x + 2 * kit->pad, box.y, box.w - 4 * kit->pad - field->right, box.h};
}

/* The smallest start whose text up to `end` is no wider than `room`. */
static size_t start_for(const Kit *kit, const char *text, size_t end, float room) {
    size_t start = end;
    float used = 0;
    while (start > 0 && end - start < WINDOW_BYTES) {
        size_t before = utf8_grapheme_previous(text, end, start);
        used += measure(kit, text + before, start - before);
        if (used > room) break;
        start = before;
    }
    return start;
}

static size_t end_for(const KitField *field, size_t from) {
    size_t to = from + WINDOW_BYTES;
    if (to >= field->length) return field->length;
    while (to > from && ((unsigned char)field->text[to] & 0xC0) == 0x80) to--;
    return to;
}

/* Whole when it fits; else from its beginning, or so that the caret stands at most seven tenths in. */
static FieldView field_view(const Kit *kit, Rect inside, const KitField *field) {
    FieldView view = {.from = 0, .to = end_for(field, 0), .x = inside.x};
    float extra = composition_width(kit, field);
    bool fits = view.to == field->length && measure(kit, field->text, field->length) + extra <= inside.w;
    if (fits || !field->focused) return view;
    view.from = start_for(kit, field->text, composes(field) ? selection_from(field) : field->caret, 0.7f * inside.w - extra);
    size_t last = start_for(kit, field->text, field->length, inside.w - extra - 2);
    if (last < view.from) view.from = last;
    view.to = end_for(field, view.from);
    return view;
}

static float offset_x(const Kit *kit, const KitField *field, const FieldView *view, size_t at) {
    if (at <= view->from) return view->x;
    if (at > view->to) at = view->to;
    return view->x + measure(kit, field->text + view->from, at - view->from);
}

static float caret_x(const Kit *kit, const KitField *field, const FieldView *view) {
    if (!composes(field)) return offset_x(kit, field, view, field->caret);
    size_t length = strlen(field->composition), ahead = field->composition_caret < length ? field->composition_caret : length;
    return offset_x(kit, field, view, selection_from(field)) + measure(kit, field->composition, ahead);
}

/* What is composed may be wider than the field: then its caret stands at the right end. */
static FieldView shown_view(const Kit *kit, Rect inside, const KitField *field) {
    FieldView view = field_view(kit, inside, field);
    float beyond = composes(field) ? caret_x(kit, field, &view) - (inside.x + inside.w - 2) : 0;
    if (beyond > 0) view.x -= beyond;
    return view;
}

static void draw_selection(const Kit *kit, Rect inside, const KitField *field, const FieldView *view) {
    size_t from = selection_from(field), to = selection_to(field);
    if (!field->focused || from == to) return;
    float x0 = offset_x(kit, field, view, from), x1 = offset_x(kit, field, view, to), height = 1.5f * kit->type[KIT_BODY];
    dl_rect(kit->dl, (Rect){x0, inside.y + (inside.h - height) / 2, x1 - x0, height}, 3, color_alpha(kit->theme->accent, 0.28), COLOR_NONE, 0);
}

static float draw_piece(const Kit *kit, Rect inside, float x, Color color, const char *text, size_t length) {
    if (length == 0) return 0;
    const char *shown = visible(kit, text, length);
    float cap = kit->font->cap_height(kit->font->ctx, FACE_UI, kit->type[KIT_BODY]);
    return dl_text(kit->dl, kit->font, FACE_UI, kit->type[KIT_BODY], color, x, inside.y + (inside.h + cap) / 2, shown);
}

/* Bytes [from, to) of the field's text, those beyond what is used muted. */
static void draw_span(const Kit *kit, Rect inside, float x, const KitField *field, size_t from, size_t to) {
    size_t used = field->used > 0 && field->used < to ? field->used : to;
    if (used < from) used = from;
    x += draw_piece(kit, inside, x, kit->theme->ink, field->text + from, used - from);
    draw_piece(kit, inside, x, kit->theme->muted, field->text + used, to - used);
}

static void draw_marks(const Kit *kit, Rect inside, const KitField *field, const FieldView *view) {
    float height = 1.5f * kit->type[KIT_BODY];
    for (int i = 0; i < 2; i++) {
        const KitSpan *mark = &field->mark[i];
        float x0 = offset_x(kit, field, view, mark->from), x1 = offset_x(kit, field, view, mark->to);
        if (mark->to <= mark->from || x1 <= x0) continue;
        dl_rect(kit->dl, (Rect){x0, inside.y + (inside.h - height) / 2, x1 - x0, height}, 3, color_alpha(mark->color, 0.22), COLOR_NONE, 0);
    }
}

static size_t inside_view(const FieldView *view, size_t at) {
    return at < view->from ? view->from : at > view->to ? view->to : at;
}

static void draw_composed(const Kit *kit, Rect inside, const KitField *field, const FieldView *view) {
    size_t from = inside_view(view, selection_from(field)), to = inside_view(view, selection_to(field));
    size_t composed = strlen(field->composition);
    float x = view->x, underline = inside.y + inside.h / 2 + 0.65f * kit->type[KIT_BODY];
    x += draw_piece(kit, inside, x, kit->theme->ink, field->text + view->from, from - view->from);
    float width = draw_piece(kit, inside, x, kit->theme->ink, field->composition, composed);
    dl_line(kit->dl, x, underline, x + width, underline, kit->theme->accent, 1.5f);
    draw_span(kit, inside, x + width, field, to, view->to);
}

static void draw_text(const Kit *kit, Rect inside, const KitField *field) {
    float size = kit->type[KIT_BODY];
    bool composing = composes(field);
    if (field->length == 0 && !composing) {
        dl_label(kit->dl, kit->font, FACE_UI, size, kit->theme->muted, inside, ALIGN_LEFT, field->hint ? field->hint : "");
        return;
    }
    FieldView view = shown_view(kit, inside, field);
    if (!composing) draw_marks(kit, inside, field, &view);
    if (composing) {
        draw_composed(kit, inside, field, &view);
    } else if (field->focused) {
        draw_selection(kit, inside, field, &view);
        draw_span(kit, inside, view.x, field, view.from, view.to);
    } else if (field->used > 0 && field->used < view.to && offset_x(kit, field, &view, field->used) < inside.x + inside.w) {
        draw_span(kit, inside, view.x, field, view.from, view.to);
    } else {
        dl_label(kit->dl, kit->font, FACE_UI, size, kit->theme->ink, inside, ALIGN_LEFT, visible(kit, field->text, view.to));
    }
}

Rect kit_field_caret(const Kit *kit, Rect box, const KitField *field) {
    Rect inside = text_box(kit, box, field);
    FieldView view = shown_view(kit, inside, field);
    float height = 1.4f * kit->type[KIT_BODY], x = caret_x(kit, field, &view);
    return (Rect){x, inside.y + (inside.h - height) / 2, 2, height};
}

size_t kit_field_at(const Kit *kit, Rect box, const KitField *field, float x) {
    Rect inside = text_box(kit, box, field);
    FieldView view = shown_view(kit, inside, field);
    size_t pos = view.from;
    float left = view.x;
    while (pos < view.to && left < inside.x + inside.w + 4 * kit->pad) {
        size_t next = utf8_grapheme_next(field->text, field->length, pos);
        float right = offset_x(kit, field, &view, next);
        if (x < (left + right) / 2) break;
        left = right;
        pos = next;
    }
    return pos;
}

void kit_field(const Kit *kit, Rect box, const KitField *field) {
    const Theme *theme = kit->theme;
    bool hot = kit_is_hot(kit, field->name);
    dl_control(kit->dl, box, ROLE_FIELD, field->name, field->action, field->hint);
    Color edge = field->focused ? theme->accent : hot ? theme->muted : kit_edge(theme);
    dl_rect(kit->dl, box, 8, theme->background, edge, field->focused ? 1.5f : 1);
    Rect inside = text_box(kit, box, field);
    dl_clip(kit->dl, (Rect){inside.x - 2, box.y + 1, inside.w + 4, box.h - 2});
    draw_text(kit, inside, field);
    if (field->focused) {
        Rect caret = kit_field_caret(kit, box, field);
        dl_rect(kit->dl, caret, 0, theme->accent, COLOR_NONE, 0);
    }
    dl_unclip(kit->dl);
    dl_ungroup(kit->dl);
}
