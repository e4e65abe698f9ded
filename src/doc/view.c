#include "doc/view.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "core/summary.h"

const char *const aggregate_names[AGGREGATE_KIND_COUNT] = {
    [AGGREGATE_HEAD] = "head", [AGGREGATE_AVERAGE] = "average", [AGGREGATE_ROLLOUT] = "rollout", [AGGREGATE_LENGTH] = "length",
    [AGGREGATE_MAXIMUM] = "maximum"};
const char *const heads_shown_names[HEADS_SHOWN_COUNT] = {[HEADS_FITTING] = "fitting", [HEADS_ONE] = "one", [HEADS_ALL] = "all"};

const char *const shape_names[MAP_SHAPE_COUNT] = {[MAP_CELLS] = "map", [MAP_LINES] = "lines", [MAP_ALL_LINES] = "all-lines"};
const char *const mask_form_names[MASK_FORM_COUNT] = {
    [MASK_FORM_WORDS] = "words", [MASK_FORM_ADDED] = "added", [MASK_FORM_KEEP] = "keep", [MASK_FORM_IGNORE] = "ignore"};

const char *const sort_names[] = {
    [MEASURE_PREVIOUS] = "previous", [MEASURE_SAME] = "same", [MEASURE_NEXT] = "next",
    [MEASURE_FIRST] = "first", [MEASURE_SPECIAL] = "special", [MEASURE_ENTROPY] = "entropy"};
static_assert(sizeof sort_names / sizeof *sort_names == MEASURE_COUNT, "one name a measure");

void view_init(View *view) {
    *view = (View){
        .film = {.speed = 1},
        .theme = THEME_LIGHT,
        .palette = RAMP_THEME,
        .text_scale = 1,
        .menu_item = -1,
        .sort = -1,
        .zoom = 1,
    };
}

void view_leave_document(View *view) {
    view->n_hidden = 0;
    view->zoom = 1;
    view->zoom_row = view->zoom_column = 0;
    view->token_first = view->token_from = view->token_to = 0;
    view->control[0] = '\0';
}

void view_window(int n, double zoom, double center, int *first, int *count) {
    int least = n < 4 ? n : 4, shown = zoom > 1 ? (int)ceil(n / zoom) : n;
    *count = shown < least ? least : shown;
    double from = round(center + 0.5 - *count / 2.0);
    *first = !(from > 0) ? 0 : from > n - *count ? n - *count : (int)from;
}

static int hidden_place(const View *view, int key) {
    int at = 0;
    while (at < view->n_hidden && view->hidden[at] < key) at++;
    return at;
}

bool view_hidden_at(const View *view, int key) {
    int at = hidden_place(view, key);
    return at < view->n_hidden && view->hidden[at] == key;
}

bool view_hide(View *view, int key) {
    int at = hidden_place(view, key);
    bool hidden = view_hidden_at(view, key);
    if (!hidden && view->n_hidden == VIEW_HIDDEN_MAX) return false;
    int *slot = view->hidden + at;
    size_t behind = (size_t)(view->n_hidden - at - hidden);
    memmove(hidden ? slot : slot + 1, hidden ? slot + 1 : slot, behind * sizeof *slot);
    if (!hidden) *slot = key;
    view->n_hidden += hidden ? -1 : 1;
    return true;
}

char *view_index_text(const char *tensor, const int *index, int rank, const char *between, Arena *arena) {
    StrBuf sb;
    sb_init(&sb, arena);
    sb_printf(&sb, "%s[", tensor);
    for (int i = 0; i < rank; i++) sb_printf(&sb, "%s%d", i > 0 ? between : "", index[i] + 1);
    sb_add(&sb, "]");
    return sb.data;
}

char *view_ref_text(const ViewRef *ref, const char *between, Arena *arena) {
    return view_index_text(ref->tensor, ref->index, ref->rank, between, arena);
}
