#include "app/session_export.h"

#include <stdio.h>
#include <string.h>

#include "app/files.h"
#include "app/session_film.h"
#include "app/session_settle.h"
#include "base/file.h"
#include "base/tr.h"

const char *const session_export_formats[] = {"png", "svg", "pdf", "gif", NULL};

/* ---- names ---- */

/* "the-cat-sat-softmax-head-2": of its content, so that one finds it again. */
static const char *stem_for(Session *s) {
    Arena *arena = &s->scratch;
    const char *words = files_stem(arena, doc_text(&s->doc));
    const char *stage = s->run ? stage_name(trace_stage(s->run->trace, s->view.film.stage)->kind) : "picture";
    const char *stem = words[0] ? words : "attnscope";
    switch (s->export.spec.what) {
    case EXPORT_MAP: return arena_printf(arena, "%s-%s-head-%d", stem, stage, s->view.head + 1);
    case EXPORT_HEADS: return arena_printf(arena, "%s-%s-heads", stem, stage);
    case EXPORT_STAGES: return arena_printf(arena, "%s-stages", stem);
    case EXPORT_LAYERS: return arena_printf(arena, "%s-layers", stem);
    case EXPORT_ROW: return arena_printf(arena, "%s-%s-row", stem, stage);
    default: return arena_printf(arena, "%s-%s", stem, stage);
    }
}

/* In the folder of the last picture, else where this program works; a name that no file has. NULL and err: nowhere. */
static const char *proposal(Session *s, Err *err) {
    const char *ending = arena_printf(&s->scratch, ".%s", session_export_formats[s->export.format]), *slash = strrchr(s->export.written, '/');
    if (!slash) return files_free_name(&s->scratch, stem_for(s), ending, err);
    const char *folder = arena_strndup(&s->scratch, s->export.written, (size_t)(slash - s->export.written));
    for (int i = 1;; i++) {
        const char *path = i == 1 ? arena_printf(&s->scratch, "%s/%s%s", folder, stem_for(s), ending) : arena_printf(&s->scratch, "%s/%s-%d%s", folder, stem_for(s), i, ending);
        if (!file_exists(path)) return path;
    }
}

/* A name that nobody has changed follows the choices; of another one only the ending does. */
static void follow_choices(Session *s, bool format) {
    Err ignored = {0};
    const char *path = proposal(s, &ignored);
    const char *query = s->view.query, *dot = strrchr(path_name(query), '.');
    if (str_eq(query, s->export.proposed) && path) {
        session_set_query(s, path);
        snprintf(s->export.proposed, sizeof s->export.proposed, "%s", path);
    } else if (format && query[0]) {
        int stem = dot ? (int)(dot - query) : (int)strlen(query);
        session_set_query(s, arena_printf(&s->scratch, "%.*s.%s", stem, query, session_export_formats[s->export.format]));
    }
}

/* ---- choices ---- */

static const char *const parts[] = {"title", "caption", "legend", "numbers"}; /* in the order of their bits */
enum { PARTS = sizeof parts / sizeof parts[0] };

static bool set_what(Session *s, const char *value) {
    int what = value ? str_find(export_what_names, EXPORT_WHAT_COUNT, value) : -1;
    if (what >= 0) s->export.spec.what = (ExportWhat)what;
    return what >= 0;
}

static bool set_format(Session *s, const char *value) {
    for (int i = 0; value && session_export_formats[i]; i++)
        if (str_eq(value, session_export_formats[i])) return s->export.format = i, true;
    return false;
}

static bool set_scale(Session *s, const char *value) {
    int scale;
    if (!value || !str_to_int(value, &scale) || scale < 1 || scale > 4) return false;
    s->export.spec.picture.scale = (float)scale;
    return true;
}

static bool set_decimals(Session *s, const char *value) {
    int n;
    if (!value || !str_to_int(value, &n) || n < 0 || n > 4) return false;
    s->export.spec.figure.decimals = n + 1;
    return true;
}

static bool set_part(Session *s, const char *value) {
    int at = value ? str_find(parts, PARTS, value) : -1;
    if (at >= 0) s->export.spec.figure.without ^= 1u << at;
    return at >= 0;
}

static bool set_transparent(Session *s, const char *value) {
    s->export.spec.picture.transparent = value ? str_eq(value, "on") : !s->export.spec.picture.transparent;
    return !value || str_eq(value, "on") || str_eq(value, "off");
}

static const struct { const char *name; bool (*set)(Session *s, const char *value); } choices[] = {
    {"what", set_what}, {"format", set_format}, {"scale", set_scale}, {"decimals", set_decimals}, {"part", set_part}, {"transparent", set_transparent},
};

static bool choose(Session *s, const char *name, const char *value, Err *err) {
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (str_eq(choices[i].name, name) && choices[i].set(s, value)) return true;
    return err_set(err, ERR_USAGE, "%s", tr("export.set takes what (screen, map, heads, stages, row, layers), format (png, svg, pdf, gif), scale (1 to 4), decimals (0 to 4), part (title, caption, legend, numbers: with or without) or transparent (on, off)"));
}

/* ---- kept ---- */

static char *kept_path(const Session *s, Arena *arena) { return s->options.state_folder ? path_join(arena, s->options.state_folder, "export") : NULL; }

static void keep(Session *s) {
    const ExportSpec *spec = &s->export.spec;
    char *path = kept_path(s, &s->scratch);
    StrBuf text;
    if (!path) return;
    sb_init(&text, &s->scratch);
    sb_printf(&text, "what %s\nformat %s\nscale %d\ntransparent %s\n", export_what_names[spec->what], session_export_formats[s->export.format], (int)spec->picture.scale,
              spec->picture.transparent ? "on" : "off");
    if (spec->figure.decimals > 0) sb_printf(&text, "decimals %d\n", spec->figure.decimals - 1);
    for (int i = 0; i < PARTS; i++)
        if (spec->figure.without & 1u << i) sb_printf(&text, "part %s\n", parts[i]);
    Err ignored = {0};
    file_write(path, text.data, text.length, &ignored); /* only a convenience */
}

void session_export_begin(Session *s) {
    enum { BYTES_MOST = 4096 };
    Arena arena = {0};
    char *path = kept_path(s, &arena), *text;
    size_t size;
    Err ignored = {0};
    s->export.spec.picture.scale = 2;
    if (path && file_read(path, BYTES_MOST, &arena, &text, &size, &ignored))
        for (char *line; (line = strsep(&text, "\n")) != NULL;) {
            char *value = strchr(line, ' ');
            if (value) *value++ = '\0';
            choose(s, line, value, &ignored);
        }
    arena_free(&arena);
}

bool session_export_set(Session *s, const ActionLine *line, Err *err) {
    if (!choose(s, line->n > 1 ? line->arg[1] : "", line->n > 2 ? line->arg[2] : NULL, err)) return false;
    keep(s);
    if (str_eq(s->view.menu, "export")) follow_choices(s, str_eq(line->arg[1], "format"));
    s->menu_stale = true;
    session_touch(s);
    return true;
}

/* ---- writing ---- */

static ExportSpec spec_now(const Session *s) {
    ExportSpec spec = s->export.spec;
    if (spec.what == EXPORT_SCREEN) spec.width = s->width, spec.height = s->height;
    if (spec.what == EXPORT_LAYERS && s->run && s->run->n_sites < 2) spec.what = EXPORT_HEADS; /* that was a network */
    return spec;
}

/* What stands over the picture is no part of it. */
static View tidy_view(const Session *s) {
    View view = s->view;
    view.menu[0] = view.focus[0] = view.hot[0] = view.notice[0] = view.composition[0] = '\0';
    view.hover = (ViewRef){0};
    return view;
}

static bool write_picture(Session *s, const char *path, Err *err) {
    View kept = s->view;
    char status[sizeof s->status];
    ExportSpec spec = spec_now(s);
    memcpy(status, s->status, sizeof status);
    s->view = tidy_view(s);
    s->status[0] = '\0';
    bool ok = export_write(s, &spec, path, err);
    s->view = kept;
    memcpy(s->status, status, sizeof status);
    return ok;
}

bool session_export_do(Session *s, const ActionLine *line, Err *err) {
    if (line->n < 2) { /* asks for the name */
        const char *path = proposal(s, err);
        if (!path) return false;
        snprintf(s->export.proposed, sizeof s->export.proposed, "%s", path);
        return session_open_menu(s, "export", path);
    }
    const char *full = files_absolute(&s->scratch, files_expand(&s->scratch, line->arg[1])), *dot = strrchr(path_name(full), '.');
    const MovieFormat *film = dot && !picture_format_of(full, NULL) ? movie_format_named(dot + 1) : NULL;
    bool ok = film ? session_film_begin(s, film, full, err) : write_picture(s, full, err);
    if (!ok) return false;
    snprintf(s->export.written, sizeof s->export.written, "%s", full);
    if (!film) session_notice(s, false, tr("Picture saved: %s (“export.path” copies this path)"), full);
    return true;
}

bool session_export_path(Session *s, const ActionLine *line, Err *err) {
    (void)line;
    if (!s->export.written[0]) return err_set(err, ERR_USAGE, "%s", tr("No picture was written yet."));
    s->effects.clipboard = arena_strdup(&s->scratch, s->export.written);
    session_notice(s, false, tr("Copied: %s"), s->export.written);
    return true;
}

bool session_export_preview(const Session *s, Arena *arena, DisplayList *list) {
    if (!s->run || !session_pictured(s) || s->muted) return false;
    ExportSpec spec = spec_now(s);
    Session shown = *s; /* only looked at; its view without the dialog */
    shown.view = tidy_view(s);
    shown.menu = (Menu){0};
    shown.status[0] = '\0';
    export_draw(&shown, &spec, arena, list);
    return true;
}
