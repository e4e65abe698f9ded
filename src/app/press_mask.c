/* Painting the mask: every cell that the pointer passes, however fast, becomes what the first one became. */
#include "app/hover.h"
#include "app/press.h"
#include "app/press_mask.h"
#include "app/session_do.h"
#include "base/tr.h"

enum { NOTHING = -1 }; /* Session.paint of a press that paints nothing */

static const Tensor *tensor_of(const Session *s, const ViewRef *ref) {
    return trace_tensor(s->run->trace, trace_find(s->run->trace, ref->tensor));
}

static bool is_mask(const Session *s, const ViewRef *ref) {
    return str_eq(tensor_of(s, ref)->name, "mask");
}

static bool is_kept(const Session *s, const ViewRef *ref) { return tensor_at(tensor_of(s, ref), ref->index) > 0.5; }

/* The cell of M at a point. */
static bool cell_at(Session *s, float x, float y, ViewRef *ref) {
    DlHit hit;
    return dl_hit(session_list(s), x, y, &hit) && hover_ref(s, &hit, ref) && is_mask(s, ref);
}

/* The cells from one to another. */
static void paint(Session *s, const ViewRef *from, const ViewRef *to) {
    int row = tensor_of(s, to)->rank - 2;
    bool one = from->index[row] == to->index[row] && from->index[row + 1] == to->index[row + 1];
    if (one && is_kept(s, to) == (s->paint == 1)) return;
    const char *line = arena_printf(&s->scratch, "mask.paint %d %d %d %d %d", from->index[row] + 1, from->index[row + 1] + 1, to->index[row] + 1,
                                    to->index[row + 1] + 1, s->paint);
    session_try_merged(s, line, "drag"); /* the stroke is one step */
}

/* Where M cannot be painted a press says so, and offers what can be. */
static bool refuses(Session *s, const PressAt *at) {
    if (s->view.mask_form != MASK_FORM_WORDS) {
        press_mask_menu(s, at->number);
        session_notice(s, false, "%s", tr("This way of writing M is for reading. KEEP/HIDE can be painted: choose it in the menu."));
        return true;
    }
    const DlGroup *group = at->hit->group;
    if (!group || group->role != ROLE_TENSOR || (group->at[1] <= 1 && group->at[2] <= 1)) return false;
    session_notice(s, false, "%s", tr("A cell here stands for several. Zoom in with the wheel to paint single ones."));
    return true;
}

bool press_mask_down(Session *s, const PressAt *at) {
    s->paint = NOTHING;
    if (at->input->button == 3) return press_mask_head(s, at);
    if (at->input->button != 1 || !at->number || !is_mask(s, at->number)) return false;
    if (refuses(s, at)) return true;
    history_part(s->history);
    s->paint = is_kept(s, at->number) ? 0 : 1;
    s->paint_x = at->input->x;
    s->paint_y = at->input->y;
    paint(s, at->number, at->number);
    return true;
}

/* Where M's cells lie; of several pictures of M the one that the stroke began in. */
static bool mask_box(Session *s, Rect *box) {
    const DisplayList *list = session_list(s);
    bool any = false;
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        if (c->kind != DL_CELLS || c->cells.tensor < 0 || c->cells.tensor >= trace_tensor_count(s->run->trace)) continue;
        if (!str_eq(trace_tensor(s->run->trace, c->cells.tensor)->name, "mask")) continue;
        if (any && box->w * box->h >= c->box.w * c->box.h) continue;
        *box = c->box;
        any = true;
    }
    return any;
}

/* Cuts the piece from t0 to t1 down to where `at` + t × `by` lies between low and high. */
static bool clip(float at, float by, float low, float high, float *t0, float *t1) {
    if (by < 1e-6f && by > -1e-6f) return at >= low && at <= high;
    float a = (low - at) / by, b = (high - at) / by;
    if (a > b) {
        float swap = a;
        a = b;
        b = swap;
    }
    if (a > *t0) *t0 = a;
    if (b < *t1) *t1 = b;
    return *t0 <= *t1;
}

void press_mask_move(Session *s, const Input *input) {
    DlHit hit;
    Rect box = {0, 0, 0, 0};
    ViewRef from, to;
    if (s->paint == NOTHING) return;
    float x = s->paint_x, y = s->paint_y, dx = input->x - x, dy = input->y - y, t0 = 0, t1 = 1;
    s->paint_x = input->x;
    s->paint_y = input->y;
    /* what the pointer has passed since the last event, as far as it lies on M */
    if (s->run && mask_box(s, &box) && clip(x, dx, box.x + 0.5f, box.x + box.w - 0.5f, &t0, &t1) && clip(y, dy, box.y + 0.5f, box.y + box.h - 0.5f, &t0, &t1) &&
        cell_at(s, x + t0 * dx, y + t0 * dy, &from) && cell_at(s, x + t1 * dx, y + t1 * dy, &to))
        paint(s, &from, &to);
    /* as it is painted now */
    if (hover_set(s, dl_hit(session_list(s), input->x, input->y, &hit) ? &hit : NULL)) session_touch(s);
}
