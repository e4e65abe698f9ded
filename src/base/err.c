#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

bool err_set(Err *err, ErrCode code, const char *fmt, ...) {
    if (!err || err->code != ERR_NONE) return false;
    err->code = code;
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->message, sizeof err->message, fmt, args);
    va_end(args);
    return false;
}

bool err_place(Err *err, const char *file, int line, int column) {
    if (!err || err->code == ERR_NONE) return false;
    if (file && !err->file[0]) snprintf(err->file, sizeof err->file, "%s", file);
    if (err->line == 0) {
        err->line = line;
        err->column = column;
    }
    return false;
}

char *err_format(const Err *err, char *out, size_t size) {
    char place[300] = "";
    if (err->file[0] && err->line > 0)
        snprintf(place, sizeof place, "%s:%d:%d: ", err->file, err->line, err->column);
    else if (err->file[0])
        snprintf(place, sizeof place, "%s: ", err->file);
    else if (err->line > 0)
        snprintf(place, sizeof place, "%d:%d: ", err->line, err->column);
    snprintf(out, size, "%s%s%s%s", place, err->key, err->key[0] ? ": " : "", err->message);
    return out;
}
