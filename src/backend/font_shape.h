/* What the drawing parts of this room see of the fonts: the pieces of a text that SDL2_ttf can draw just as they were
 * measured, and the open files behind them. Lengths in ems, so that one shaping serves every size; widths are HarfBuzz's
 * unhinted advances everywhere. */
#ifndef BACKEND_FONT_SHAPE_H
#define BACKEND_FONT_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#include <SDL_ttf.h>
#include <hb.h>

#include "backend/font_file.h"
#include "backend/fonts.h"
#include "base/arena.h"

enum { FONT_FILES_MAX = 32 }; /* the program's own and up to 25 of the system's */
enum { FONT_SETTINGS = 48 };  /* files at a size that are open in SDL2_ttf: what was not used for longest makes room */
enum { LEAD_SPACES = 10, LEAD_MAX = 12 }; /* kinds of blank; bytes of a lead */
/* What no font has is written by its code points, in a frame ("U+1F600"): no text turns into empty boxes. */
enum { FILE_NAMED = -1, TEXT_NAME_MAX = 64 };

typedef struct {
    hb_font_t *font;
    hb_blob_t *blob; /* the file's bytes, shared with SDL2_ttf */
    char *path;
    int index;       /* in a collection */
    float upem;
    bool picture;    /* its glyphs are pictures of one size, with colours of their own: emoji */
    bool measured;   /* the next is filled in */
    float spaces[LEAD_SPACES]; /* ems, for fonts_lead */
} FontFile;

/* A file open in SDL2_ttf, which keeps its glyphs. */
typedef struct { TTF_Font *ttf; int file, across, high; uint64_t used; } FontSetting; /* sizes: pixels * 72 */
typedef struct { FontSetting at[FONT_SETTINGS]; uint64_t clock; } FontSettings;

/* A stretch of one file and one script. SDL2_ttf knows no OpenType features, so a stretch also ends where its ligatures and
 * contextual forms would show something else than what was typed. */
typedef struct {
    int file;              /* for fonts_ttf; FILE_NAMED */
    size_t from, to;       /* bytes of the text */
    float x;               /* where its pen starts, ems */
    hb_script_t script;
    bool right_to_left;
} TextPiece;

/* Advance width in ems. Any bytes will do: invalid ones are shown as U+FFFD. */
float fonts_advance(Fonts *fonts, FontFace face, const char *text, size_t length);
/* The pieces, in `arena`, of the part of a text that starts at `start` ems or behind, but before `end`. Returns how many. */
int fonts_pieces(Fonts *fonts, FontFace face, const char *text, float start, float end, Arena *arena, TextPiece **pieces);

/* The piece's file, set to its script and direction and to an em of `across` by `high` pixels (at least 1). NULL when SDL2_ttf refuses it. */
TTF_Font *fonts_ttf(Fonts *fonts, const TextPiece *piece, float across, float high);
/* SDL2_ttf starts a text at a whole pixel, and further right by what a glyph reaches left of that, without telling. A lead of
 * blank keeps all ink right of the start and moves the pen to any place: this finds one after which the pen is `phase` pixels
 * (0 to 1) behind a whole pixel, to 1/100 as a rule and 1/5 at worst. Returns its width in pixels. */
float fonts_lead(Fonts *fonts, int file, float across, float phase, char lead[LEAD_MAX]);

/* One glyph of a file: where it stands (its pen, with its own offset, y upwards) in ems, and where the bytes that it is for begin. */
typedef struct { uint32_t glyph, cluster; float x, y; } TextGlyph;
/* A stretch of one file in drawing order, for formats that place glyphs themselves. FILE_NAMED: no glyphs, see fonts_name. */
typedef struct { int file; size_t from, to; bool right_to_left; float x, advance; TextGlyph *glyphs; int n; } TextRun;
/* All runs of a text, in `arena`. Returns how many. */
int fonts_runs(Fonts *fonts, FontFace face, const char *text, Arena *arena, TextRun **runs);

/* Of a named piece: the name, its letters' size and the frame around it, in ems. */
typedef struct { char text[TEXT_NAME_MAX]; float size, letters, inset, gap, width; } TextName;
TextName fonts_name(Fonts *fonts, const char *text, size_t from, size_t to);

/* For font_shape.c and font_ttf.c. fonts_file_with: the file that has this code point, best the face's own, then one of the
 * program's own, then the system's; opens files when needed. FILE_NAMED: nobody has it. */
int fonts_file_with(Fonts *fonts, FontFace face, uint32_t code_point);
/* A file of the system that has all of these. */
int fonts_file_with_all(Fonts *fonts, const uint32_t *code_points, int count);
FontFile *fonts_file(Fonts *fonts, int file);
FontSettings *fonts_settings(Fonts *fonts);
/* Two buffers, 0 and 1, cleared. */
hb_buffer_t *fonts_buffer(Fonts *fonts, int which);

#endif
