#include "draw/theme.h"

#include <assert.h>
#include <stddef.h>

#define SOLID(rgb) ((Color)(0x##rgb##ffu))

static const Theme themes[THEME_COUNT] = {
    [THEME_LIGHT] = {
        .name = "light",
        .dark = false,
        .background = SOLID(fbfaf7), .panel = SOLID(ffffff), .line = SOLID(e3e0d8),
        .ink = SOLID(1d2129), .muted = SOLID(5f6b7c), .faint = SOLID(a8aeb9), .empty_cell = SOLID(f1efe9),
        .accent = SOLID(5b4bd6), .on_accent = SOLID(ffffff), .highlight = SOLID(f2a900),
        .head = {SOLID(5b4bd6), SOLID(ad5028), SOLID(0e7680), SOLID(a33b7a)},
        .q = SOLID(2660c4), .k = SOLID(bf2f49), .v = SOLID(0c754e), .out = SOLID(91570a),
        .button = SOLID(f3f1ec), .button_hover = SOLID(e9e6de),
        .error = SOLID(b3261e),
    },
    [THEME_DARK] = {
        .name = "dark",
        .dark = true,
        .background = SOLID(12151b), .panel = SOLID(191d25), .line = SOLID(2b313c),
        .ink = SOLID(e9edf3), .muted = SOLID(9aa5b5), .faint = SOLID(5b6573), .empty_cell = SOLID(1f242d),
        .accent = SOLID(8b7cf6), .on_accent = SOLID(12151b), .highlight = SOLID(ffd166),
        .head = {SOLID(a89bff), SOLID(f0a06f), SOLID(5cc7d0), SOLID(e58ac0)},
        .q = SOLID(6aa6ff), .k = SOLID(ff8a8a), .v = SOLID(5fd3a2), .out = SOLID(f3b95f),
        .button = SOLID(232936), .button_hover = SOLID(2d3545),
        .error = SOLID(ff9b90),
    },
    [THEME_PRINT] = {
        .name = "print",
        .dark = false,
        .background = SOLID(ffffff), .panel = SOLID(ffffff), .line = SOLID(c4c4c4),
        .ink = SOLID(000000), .muted = SOLID(4a4a4a), .faint = SOLID(9a9a9a), .empty_cell = SOLID(ececec),
        .accent = SOLID(33309a), .on_accent = SOLID(ffffff), .highlight = SOLID(d98e00),
        .head = {SOLID(33309a), SOLID(8c3f1c), SOLID(0b5d65), SOLID(7d2a5c)},
        .q = SOLID(1b4a9c), .k = SOLID(9b2339), .v = SOLID(085a3c), .out = SOLID(6e4207),
        .button = SOLID(f2f2f2), .button_hover = SOLID(e4e4e4),
        .error = SOLID(8e1b15),
    },
};
static_assert(THEME_COUNT == 3, "a row for each theme");

enum { SEQUENTIAL = 11, ARM = 5 };

/* Each theme's own ramps, evenly spaced: weights 0..1, and the two arms of the signed ramp from 0 outwards. The
 * print arms differ in darkness, so that the sign survives a grey copy where the numbers are large. */
typedef struct { uint32_t weight[SEQUENTIAL], below[ARM], above[ARM]; } ThemeRamps;

static const ThemeRamps theme_ramps[THEME_COUNT] = {
    [THEME_LIGHT] = {
        .weight = {0xfffae3, 0xfff3cb, 0xfeeab2, 0xfede97, 0xfdcc78, 0xfcb35c, 0xf9954a, 0xf1703c, 0xdf4733, 0xc0262f, 0x980e2d},
        .below = {0xfafafa, 0xd0e0f4, 0x9fc2ec, 0x6796d8, 0x2c60b4},
        .above = {0xfafafa, 0xf8d6cf, 0xefa299, 0xd9666a, 0xb92b3c},
    },
    [THEME_DARK] = {
        .weight = {0x1b1736, 0x252047, 0x352a62, 0x4d347f, 0x6c3d97, 0x96438a, 0xbd5279, 0xdd6b6a, 0xef8d6c, 0xf9b67d, 0xfde3a0},
        .below = {0x2a2f3a, 0x2f456a, 0x365f9c, 0x457fcf, 0x6ba2f2},
        .above = {0x2a2f3a, 0x5f3a46, 0x974a53, 0xcb6166, 0xf08082},
    },
    [THEME_PRINT] = {
        .weight = {0xfbfbf6, 0xf3efdc, 0xe9dfbe, 0xdccb9f, 0xccb385, 0xb89970, 0xa07e5e, 0x85624f, 0x684842, 0x493036, 0x2a1a28},
        .below = {0xfbfbfb, 0xb9c7dc, 0x7b93b9, 0x42608f, 0x152f57},
        .above = {0xfbfbfb, 0xf7ddd2, 0xf0bfae, 0xe59f8c, 0xd67f6d},
    },
};

const Theme *theme_at(ThemeKind kind) {
    assert((int)kind >= 0 && kind < THEME_COUNT);
    return &themes[kind];
}

static const ThemeRamps *ramps_of(const Theme *theme) {
    ptrdiff_t kind = theme - themes;
    assert(kind >= 0 && kind < THEME_COUNT); /* themes come from theme_at */
    return &theme_ramps[kind];
}

Color theme_weight_color(const Theme *theme, RampKind palette, double value) {
    if (palette != RAMP_THEME) return ramp_color(palette, value);
    return ramp_between(ramps_of(theme)->weight, SEQUENTIAL, value);
}

Color theme_signed_color(const Theme *theme, double value, double limit) {
    const ThemeRamps *ramps = ramps_of(theme);
    double t = limit > 0 ? value / limit : 0;
    return t < 0 ? ramp_between(ramps->below, ARM, -t) : ramp_between(ramps->above, ARM, t);
}
