#include "doc/view.h"

#include <assert.h>

#include "base/str.h"
#include "core/summary.h"

const char *const aggregate_names[AGGREGATE_KIND_COUNT] = {
    [AGGREGATE_HEAD] = "head", [AGGREGATE_AVERAGE] = "average", [AGGREGATE_ROLLOUT] = "rollout", [AGGREGATE_LENGTH] = "length"};

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
