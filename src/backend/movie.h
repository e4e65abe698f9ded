/* Films as files, frame by frame: an animated GIF, numbered PNG files, or PPM pictures one after another, which video programs
 * read from a pipe. One table of formats. Of a film that is given up nothing stays. */
#ifndef BACKEND_MOVIE_H
#define BACKEND_MOVIE_H

#include <stdbool.h>

#include "backend/painter.h"
#include "backend/picture.h"

enum { MOVIE_RATE_MOST = 50 };

typedef struct Movie Movie;

/* Texts are borrowed until the movie is closed. */
typedef struct {
    const char *path;       /* "film.gif"; of numbered files "film.png" gives film-0001.png; "-" = standard output where it is one stream */
    int width, height;      /* pixels of every frame */
    int frames;             /* how many there will be */
    int per_second;         /* 1 to MOVIE_RATE_MOST; a GIF counts in hundredths of a second and takes the nearest rate it has */
    bool transparent;       /* PNG only */
    const char *scenario;   /* of the first PNG; NULL = none */
} MovieSpec;

typedef struct MovieFormat MovieFormat;
struct MovieFormat {
    const char *extension;
    bool counts;            /* some frames are looked at before the first is added, for their colours */
    bool (*begin)(Movie *movie, Err *err);
    bool (*add)(Movie *movie, const Pixels *pixels, Err *err);
    bool (*end)(Movie *movie, bool keep, Err *err);
};

/* By its extension, capitals or not; NULL: there is none. */
const MovieFormat *movie_format_named(const char *extension);
/* The rate at which a format shows frames when asked for this one. */
double movie_rate(const MovieFormat *format, int per_second);

/* NULL and err: it cannot be written there. */
Movie *movie_open(const MovieFormat *format, const MovieSpec *spec, Err *err);
/* Where the format counts: before the first movie_add, as many as give a fair picture. */
void movie_count(Movie *movie, const Pixels *pixels);
/* The next frame, of the size that was said (else ERR_SHAPE). */
bool movie_add(Movie *movie, const Pixels *pixels, Err *err);
/* keep false: it was given up, and what was written goes. NULL is fine. */
bool movie_close(Movie *movie, bool keep, Err *err);

#endif
