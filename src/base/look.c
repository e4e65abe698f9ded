#include "base/look.h"

#include <assert.h>

const char *const theme_names[THEME_COUNT] = {[THEME_LIGHT] = "light", [THEME_DARK] = "dark", [THEME_PRINT] = "print"};
const char *const ramp_names[RAMP_COUNT] = {
    [RAMP_THEME] = "theme", [RAMP_VIRIDIS] = "viridis", [RAMP_CIVIDIS] = "cividis",
    [RAMP_GREY] = "grey",   [RAMP_YLORRD] = "ylorrd",
};

const char *const language_names[LANGUAGE_COUNT] = {[LANGUAGE_ENGLISH] = "en", [LANGUAGE_CHINESE] = "zh"};

static_assert(THEME_COUNT == 3 && RAMP_COUNT == 5 && LANGUAGE_COUNT == 2, "each theme, ramp and language has a name here");
