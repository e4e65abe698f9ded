#include "draw/ramp.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "draw/ramp_tables.h"

typedef struct { const uint32_t *anchors; int count; } Ramp;

static const uint32_t grey[] = {0xf7f7f7, 0x1a1a1a};

#define ANCHORS(table) {table, (int)(sizeof(table) / sizeof((table)[0]))}

static const Ramp ramps[RAMP_COUNT] = {
    [RAMP_THEME] = ANCHORS(grey), /* stands in when no theme is asked */
    [RAMP_VIRIDIS] = ANCHORS(ramp_viridis),
    [RAMP_CIVIDIS] = ANCHORS(ramp_cividis),
    [RAMP_GREY] = ANCHORS(grey),
    [RAMP_YLORRD] = ANCHORS(ramp_ylorrd),
};
static_assert(RAMP_COUNT == 5, "a row for each ramp");

static Color opaque(uint32_t rgb) { return rgb << 8 | 0xffu; }

Color ramp_between(const uint32_t *anchors, int count, double t) {
    double place = (t > 0 ? (t < 1 ? t : 1) : 0) * (count - 1);
    int i = (int)place;
    if (i >= count - 1) return opaque(anchors[count - 1]);
    return color_mix(opaque(anchors[i]), opaque(anchors[i + 1]), place - i);
}

Color ramp_color(RampKind ramp, double t) {
    assert((int)ramp >= 0 && ramp < RAMP_COUNT);
    return ramp_between(ramps[ramp].anchors, ramps[ramp].count, t);
}
