/* Errors as values. Every boundary that sees a file or a person returns bool and fills an Err;
 * a message says what was found, where, and what would be right. This room knows nothing of
 * tensors, documents or windows. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define BASE_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define BASE_PRINTF(fmt, first)
#endif

typedef enum {
    ERR_NONE = 0,
    ERR_USAGE,     /* the command line or an action's arguments */
    ERR_INPUT,     /* a file or a text that cannot be used */
    ERR_SHAPE,     /* sizes that do not fit each other; the message has both */
    ERR_LIMIT,     /* larger than a stated limit */
    ERR_IO,        /* the operating system said no */
    ERR_MEMORY,
    ERR_CANCELLED,
    ERR_CODE_COUNT
} ErrCode;

/* Owned by the caller, initialised with {0}. Texts are cut at their array's end, never overrun, and good UTF-8
 * in one line whatever they were made from. */
typedef struct {
    ErrCode code;
    char file[256];    /* "" = no file */
    int line, column;  /* from 1; 0 = not known */
    char key[128];     /* key path in a document, such as "mask.left"; "" = none */
    char message[640];
} Err;

/* Fill `err` (which may be NULL) and return false, so that a caller can `return err_set(...)`.
 * An Err that already holds an error keeps the first one. */
bool err_set(Err *err, ErrCode code, const char *fmt, ...) BASE_PRINTF(3, 4);
bool err_set_v(Err *err, ErrCode code, const char *fmt, va_list args) BASE_PRINTF(3, 0);
/* Add the place to an error that is set and has none yet. Returns false. */
bool err_place(Err *err, const char *file, int line, int column);
/* Add the key path to an error that is set and has none yet. Returns false. */
bool err_key(Err *err, const char *key);
/* "file:line:column: key: message" with the parts that are known; not the file where the message names it. Returns `out`. */
char *err_format(const Err *err, char *out, size_t size);

#endif
