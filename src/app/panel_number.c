/* The field at a cell: over it where the cell is large enough, else beside it, and always inside the window. */
#include <math.h>
#include <string.h>

#include "app/number.h"
#include "app/panel_top.h"
#include "base/tr.h"
#include "doc/run_edit.h"

/* "x[the, noun], at first 0" */
static const char *title_of(const Frame *f, TensorId id) {
    char name[160], was[NUM_MAX];
    const Run *run = f->s->run;
    const int *index = f->view->selection.index;
    int edit = run_edit_of(run, id, index);
    const char *ref = arena_strdup(f->dl->arena, run_ref_text(name, run, id, index));
    return edit < 0 ? ref : arena_printf(f->dl->arena, tr("%s, at first %s"), ref, num_float(was, run->edit_was[edit], NUM_SCREEN));
}

/* A row belongs to a position, not to a word: said where the word stands at several. NULL: it does not. */
static const char *row_note(const Frame *f, TensorId id) {
    const Run *run = f->s->run;
    const TokenList *tokens = run_axis_tokens(run, id, run_axis(run, id, 0));
    bool rows = trace_tensor(run->trace, id)->rank == 2 && tokens;
    int at = f->view->selection.index[0], same = 0;
    for (int i = 0; rows && at < tokens->n && i < tokens->n; i++) same += str_eq(tokens->items[i].text, tokens->items[at].text);
    return same < 2 ? NULL : arena_printf(f->dl->arena, tr("Only the “%s” at position %d changes."), tokens->items[at].text, at + 1);
}

typedef struct {
    const char *title, *note;
    bool wrong;
} Words;

static Words words_of(const Frame *f) {
    TensorId id = f->s->run ? trace_find(f->s->run->trace, f->view->selection.tensor) : TENSOR_NONE;
    Words words = {.title = id == TENSOR_NONE ? "" : title_of(f, id)};
    words.wrong = menu_tells(f) && f->view->notice_is_error;
    words.note = menu_tells(f) ? f->view->notice : id == TENSOR_NONE ? NULL : row_note(f, id);
    if (!words.note) words.note = tr("Enter takes it · Esc leaves it · Tab goes on · ↑ ↓ change it");
    return words;
}

static float clampf(float x, float low, float high) { return x > high ? high : x < low ? low : x; }

static Rect cell_of(const Frame *f) {
    Rect cell;
    if (number_cell(f->s, f->dl, &f->view->selection, &cell) || number_cell(f->s, &f->s->list, &f->view->selection, &cell)) return cell;
    Rect stage = f->layout.content;
    return (Rect){stage.x + stage.w / 2, stage.y + stage.h / 3, 0, 0};
}

typedef struct {
    Rect sheet, field, title, note;
} NumberPlace;

static NumberPlace place_of(const Frame *f, const Words *words) {
    const Kit *kit = &f->kit;
    float pad = kit->pad, size = kit->type[KIT_SMALL], line = 1.4f * size, edge = pad;
    Rect cell = cell_of(f);
    float most = clampf(48 * pad, 0, f->window.w - 4 * pad), high = 4.5f * pad;
    float wide = clampf(font_width(kit->font, FACE_MONO, size, words->title) + 2, clampf(cell.w, 15 * pad, 24 * pad), most);
    float note_wide = clampf(font_width(kit->font, FACE_UI, size, words->note) + 2, 0, most);
    float inner = clampf(note_wide, wide, clampf(wide, 46 * pad, most));
    float note_high = dl_paragraph_height(kit->font, FACE_UI, size, inner, line, words->note);
    float text = line + note_high + pad / 2;
    bool over = cell.w >= 4 * pad && cell.h >= 3 * pad;
    NumberPlace p = {.sheet = {0, 0, inner + 2 * edge, high + text + 2 * edge}};
    float text_wide = font_width(kit->font, FACE_UI, kit->type[KIT_BODY], f->view->query) + 5 * pad;
    float field_wide = clampf(fmaxf(over ? cell.w + 2 * pad : 15 * pad, text_wide), 13 * pad, inner), below = f->window.h - pad;
    p.sheet.x = over ? cell.x + (cell.w - field_wide) / 2 - edge : cell.x + cell.w + pad;
    if (!over && p.sheet.x + p.sheet.w > f->window.w - pad) p.sheet.x = cell.x - pad - p.sheet.w;
    float field_x = p.sheet.x + edge, field_y = cell.y + (cell.h - high) / 2;
    bool up = field_y + high + text + edge > below; /* the words stand above the field */
    p.sheet.x = clampf(p.sheet.x, pad, f->window.w - pad - p.sheet.w);
    p.sheet.y = clampf(field_y - edge - (up ? text : 0), pad, below - p.sheet.h);
    p.field = (Rect){clampf(field_x, p.sheet.x + edge, p.sheet.x + p.sheet.w - edge - field_wide), p.sheet.y + edge + (up ? text : 0), field_wide, high};
    p.title = (Rect){p.sheet.x + edge, up ? p.sheet.y + edge : p.field.y + high + pad / 2, inner, line};
    p.note = (Rect){p.title.x, p.title.y + line, inner, note_high};
    return p;
}

MenuPlace number_place(const Frame *f) {
    Words words = words_of(f);
    NumberPlace place = place_of(f, &words);
    return (MenuPlace){.sheet = place.sheet, .field = place.field, .columns = 1};
}

void number_draw(const Frame *f, const MenuPlace *at) {
    (void)at;
    const Kit *kit = &f->kit;
    Words words = words_of(f);
    NumberPlace place = place_of(f, &words);
    float size = kit->type[KIT_SMALL];
    kit_sheet(kit, place.sheet, 8, "dialog", f->s->menu.title);
    KitField field = top_field(f, FIELD_QUERY);
    kit_field(kit, place.field, &field);
    dl_label(f->dl, kit->font, FACE_MONO, size, kit->theme->muted, place.title, ALIGN_LEFT, words.title);
    dl_paragraph(f->dl, kit->font, FACE_UI, size, words.wrong ? kit->theme->error : kit->theme->ink, place.note, 1.4f * size, words.note);
}
