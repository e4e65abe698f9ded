#include "base/err.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* How many of the bytes at `p`, which are not UTF-8, are a character that was cut off; 0: they are no character. */
static size_t cut_character(const unsigned char *p) {
    size_t want = *p >= 0xC2 && *p < 0xE0 ? 2 : *p >= 0xE0 && *p < 0xF0 ? 3 : *p >= 0xF0 && *p < 0xF5 ? 4 : 0, n = 1;
    while (n < want && (p[n] & 0xC0) == 0x80) n++;
    return n < want ? n : 0;
}

/* Texts are cut at their array's end, or hold bytes of a file: what is left is good UTF-8 and one line. */
static void mend(char *text) {
    size_t length = strlen(text), at = utf8_valid_until(text, length), kept = at;
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F) *c = ' ';
    while (at < length) {
        size_t good = utf8_valid_until(text + at, length - at), cut;
        memmove(text + kept, text + at, good);
        kept += good;
        at += good;
        if (at == length) break;
        cut = cut_character((const unsigned char *)text + at);
        if (cut == 0) text[kept++] = '?';
        at += cut > 0 ? cut : 1;
    }
    text[kept] = '\0';
}

bool err_set_v(Err *err, ErrCode code, const char *fmt, va_list args) {
    if (!err || err->code != ERR_NONE) return false;
    err->code = code;
    vsnprintf(err->message, sizeof err->message, fmt, args);
    mend(err->message);
    return false;
}

bool err_set(Err *err, ErrCode code, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    err_set_v(err, code, fmt, args);
    va_end(args);
    return false;
}

bool err_place(Err *err, const char *file, int line, int column) {
    if (!err || err->code == ERR_NONE) return false;
    if (file && !err->file[0]) {
        snprintf(err->file, sizeof err->file, "%s", file);
        mend(err->file);
    }
    if (err->line == 0) {
        err->line = line;
        err->column = column;
    }
    return false;
}

bool err_key(Err *err, const char *key) {
    if (!err || err->code == ERR_NONE || err->key[0]) return false;
    snprintf(err->key, sizeof err->key, "%s", key);
    mend(err->key);
    return false;
}

char *err_format(const Err *err, char *out, size_t size) {
    char place[300] = "";
    if (err->file[0] && err->line > 0 && err->column > 0)
        snprintf(place, sizeof place, "%s:%d:%d: ", err->file, err->line, err->column);
    else if (err->file[0] && err->line > 0)
        snprintf(place, sizeof place, "%s:%d: ", err->file, err->line);
    else if (err->file[0] && !strstr(err->message, err->file)) /* messages of the system name it */
        snprintf(place, sizeof place, "%s: ", err->file);
    else if (err->line > 0)
        snprintf(place, sizeof place, "%d:%d: ", err->line, err->column);
    snprintf(out, size, "%s%s%s%s", place, err->key, err->key[0] ? ": " : "", err->message);
    return out;
}
