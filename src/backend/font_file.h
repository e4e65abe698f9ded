/* Where font files are. Knows fontconfig, which is only asked for what the bundled files lack. */
#ifndef BACKEND_FONT_FILE_H
#define BACKEND_FONT_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "draw/font.h"

/* The first FACE_COUNT files are the faces; the last one is for what they lack. */
enum { FILE_WIDE = FACE_COUNT, FILE_COUNT };

typedef struct FontConfig FontConfig; /* fontconfig's state: read on the first question */

FontConfig *font_config_open(Arena *arena);
void font_config_close(FontConfig *config);
/* Path (in `arena`) and position in the collection of file `which`. folder NULL = all places. */
bool font_file_find(FontConfig *config, int which, const char *folder, Arena *arena, char **path, int *index, Err *err);
/* A font of the system that has all of these code points, best a scalable one without colours; of Chinese characters the forms
 * of mainland China are preferred. */
bool font_file_for(FontConfig *config, const uint32_t *code_points, int count, Arena *arena, char **path, int *index);

#endif
