#include "backend/picture.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "backend/pdf.h"
#include "backend/png.h"
#include "backend/svg.h"
#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"

const PictureFormat picture_formats[] = {
    {"png", picture_png},
    {"svg", picture_svg},
    {"pdf", picture_pdf},
};
const int picture_format_count = sizeof picture_formats / sizeof *picture_formats;

static const PictureFormat *find(const char *extension) {
    for (int i = 0; i < picture_format_count; i++)
        if (strcasecmp(extension, picture_formats[i].extension) == 0) return &picture_formats[i];
    return NULL;
}

static const char *names(char *list, size_t size) {
    list[0] = '\0';
    for (int i = 0; i < picture_format_count; i++) str_list_add(list, size, picture_formats[i].extension);
    return list;
}

const PictureFormat *picture_format_named(const char *extension, Err *err) {
    char list[128];
    const PictureFormat *format = find(extension);
    if (format == NULL) err_set(err, ERR_USAGE, tr("\"%s\" is no format of pictures; there are %s"), extension, names(list, sizeof list));
    return format;
}

const PictureFormat *picture_format_of(const char *path, Err *err) {
    char list[128];
    const char *dot = strrchr(path_name(path), '.');
    const PictureFormat *format = dot != NULL ? find(dot + 1) : NULL;
    if (format == NULL) err_set(err, ERR_USAGE, tr("the name \"%s\" does not end as a picture does: %s"), path, names(list, sizeof list));
    return format;
}

bool picture_write(Fonts *fonts, const DisplayList *dl, const PictureFormat *format, const PictureOptions *options, const char *path, Err *err) {
    Arena arena = {0};
    void *data;
    size_t size;
    bool ok = format->encode(fonts, dl, options, &arena, &data, &size, err) && file_write(path, data, size, err);
    arena_free(&arena);
    return ok;
}

const char *picture_scenario(const void *data, size_t size, Arena *arena, Err *err) {
    static const unsigned char png[] = {0x89, 'P', 'N', 'G'};
    if (size >= sizeof png && memcmp(data, png, sizeof png) == 0) return picture_png_scenario(data, size, arena, err);
    const char *text = svg_metadata(data, size, arena);
    if (text == NULL) err_set(err, ERR_INPUT, "%s", tr("This picture holds no scenario: only PNG and SVG files that Attnscope wrote can be opened again."));
    return text;
}
