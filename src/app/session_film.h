/* A film that is being written while the window goes on: a frame with each update. Esc gives it up. */
#ifndef APP_SESSION_FILM_H
#define APP_SESSION_FILM_H

#include "app/session_state.h"
#include "backend/movie.h"

/* One at a time. */
bool session_film_begin(Session *s, const MovieFormat *format, const char *path, Err *err);
/* The next frame, with each update. */
void session_film_advance(Session *s);
/* Esc, or the end of the session: nothing stays. false: none is being written. */
bool session_film_stop(Session *s);
/* "Writing softmax.gif: 34 %. Esc stops it."; NULL: none is being written. In `arena`. */
const char *session_film_words(const Session *s, Arena *arena);
double session_film_done(const Session *s); /* 0 to 1 */

#endif
