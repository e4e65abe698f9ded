/* Names of themes and ramps: shared by the document's view, which says them, and by draw, which paints them. */
#ifndef BASE_LOOK_H
#define BASE_LOOK_H

typedef enum { THEME_LIGHT, THEME_DARK, THEME_PRINT, THEME_COUNT } ThemeKind;
typedef enum {
    RAMP_THEME, /* the theme's own sequential ramp */
    RAMP_VIRIDIS, RAMP_CIVIDIS, RAMP_GREY, RAMP_YLORRD,
    RAMP_COUNT
} RampKind;

typedef enum { LANGUAGE_ENGLISH, LANGUAGE_CHINESE, LANGUAGE_COUNT } LanguageKind;

extern const char *const theme_names[THEME_COUNT]; /* "light" */
extern const char *const ramp_names[RAMP_COUNT];   /* "theme", "viridis" */
extern const char *const language_names[LANGUAGE_COUNT]; /* "en", "zh" */

#endif
