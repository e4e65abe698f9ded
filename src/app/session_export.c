#include "app/session_export.h"

#include <stdio.h>
#include <string.h>

#include "app/export_aside.h"
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
    switch (s->export.choice.spec.what) {
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
    const char *ending = arena_printf(&s->scratch, ".%s", session_export_formats[s->export.choice.format]), *slash = strrchr(s->export.written, '/');
    const char *folder = slash ? arena_strndup(&s->scratch, s->export.written, (size_t)(slash - s->export.written)) : NULL;
    return files_free_name(&s->scratch, folder, stem_for(s), ending, err);
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
        session_set_query(s, arena_printf(&s->scratch, "%.*s.%s", stem, query, session_export_formats[s->export.choice.format]));
    }
}

/* ---- choices ---- */

static const char *const parts[] = {"title", "caption", "legend", "numbers"}; /* in the order of their bits */
enum { PARTS = sizeof parts / sizeof parts[0] };

static bool set_what(ExportChoice *to, const char *value) {
    int what = value ? str_find(export_what_names, EXPORT_WHAT_COUNT, value) : -1;
    if (what >= 0) to->spec.what = (ExportWhat)what;
    return what >= 0;
}

static void what_text(const ExportChoice *of, char *out, size_t size) { snprintf(out, size, "%s", export_what_names[of->spec.what]); }

static bool set_format(ExportChoice *to, const char *value) {
    for (int i = 0; value && session_export_formats[i]; i++)
        if (str_eq(value, session_export_formats[i])) return to->format = i, true;
    return false;
}

static void format_text(const ExportChoice *of, char *out, size_t size) { snprintf(out, size, "%s", session_export_formats[of->format]); }

static bool set_scale(ExportChoice *to, const char *value) {
    int scale;
    if (!value || !str_to_int(value, &scale) || scale < 1 || scale > 4) return false;
    to->spec.picture.scale = (float)scale;
    return true;
}

static void scale_text(const ExportChoice *of, char *out, size_t size) { snprintf(out, size, "%d", (int)of->spec.picture.scale); }

static bool set_decimals(ExportChoice *to, const char *value) {
    int n;
    if (!value || !str_to_int(value, &n) || n < 0 || n > 4) return false;
    to->spec.figure.decimals = n + 1;
    return true;
}

static void decimals_text(const ExportChoice *of, char *out, size_t size) {
    if (of->spec.figure.decimals > 0) snprintf(out, size, "%d", of->spec.figure.decimals - 1);
}

static bool set_transparent(ExportChoice *to, const char *value) {
    to->spec.picture.transparent = value ? str_eq(value, "on") : !to->spec.picture.transparent;
    return !value || str_eq(value, "on") || str_eq(value, "off");
}

static void transparent_text(const ExportChoice *of, char *out, size_t size) { snprintf(out, size, "%s", of->spec.picture.transparent ? "on" : "off"); }

/* "title,legend", or "none". */
static bool set_without(ExportChoice *to, const char *value) {
    unsigned without = 0;
    char copy[SETTING_TEXT], *rest = copy;
    if (!value || strlen(value) >= sizeof copy) return false;
    snprintf(copy, sizeof copy, "%s", value);
    for (char *word; !str_eq(value, "none") && (word = strsep(&rest, ",")) != NULL;) {
        int at = str_find(parts, PARTS, word);
        if (at < 0) return false;
        without |= 1u << at;
    }
    to->spec.figure.without = without;
    return true;
}

static void without_text(const ExportChoice *of, char *out, size_t size) {
    out[0] = '\0';
    for (int i = 0; i < PARTS; i++)
        if (of->spec.figure.without & 1u << i) snprintf(out + strlen(out), size - strlen(out), "%s%s", out[0] ? "," : "", parts[i]);
    if (!out[0]) snprintf(out, size, "none");
}

/* With or without it, in turn. */
static bool set_part(ExportChoice *to, const char *value) {
    int at = value ? str_find(parts, PARTS, value) : -1;
    if (at >= 0) to->spec.figure.without ^= 1u << at;
    return at >= 0;
}

const ExportKey session_export_keys[] = {
    {"what", set_what, what_text},          {"format", set_format, format_text},
    {"scale", set_scale, scale_text},       {"decimals", set_decimals, decimals_text},
    {"transparent", set_transparent, transparent_text}, {"without", set_without, without_text},
    {"part", set_part, NULL}, /* "without" says it */
};
enum { KEYS = sizeof session_export_keys / sizeof session_export_keys[0] };
_Static_assert(KEYS == EXPORT_KEPT + 1, "those that stay come first");

bool session_export_choose(ExportChoice *to, const char *name, const char *value, Err *err) {
    for (size_t i = 0; i < KEYS; i++)
        if (str_eq(session_export_keys[i].name, name) && session_export_keys[i].set(to, value)) return true;
    return err_set(err, ERR_USAGE, "%s", tr("export takes what (screen, map, heads, stages, row, layers), format (png, svg, pdf, gif), scale (1 to 4), decimals (0 to 4), transparent (on, off), without (title, caption, legend, numbers, or none) or part (one of these: with or without)"));
}

void session_export_begin(Session *s) { s->export.choice.spec.picture.scale = 2; }

bool session_export_set(Session *s, const ActionLine *line, Err *err) {
    if (!session_export_choose(&s->export.choice, line->n > 1 ? line->arg[1] : "", line->n > 2 ? line->arg[2] : NULL, err)) return false;
    if (str_eq(s->view.menu, "export")) follow_choices(s, str_eq(line->arg[1], "format"));
    s->menu_stale = true;
    session_touch(s);
    return true;
}

/* ---- writing ---- */

static ExportSpec spec_now(const Session *s) {
    ExportSpec spec = s->export.choice.spec;
    if (spec.what == EXPORT_SCREEN) spec.width = s->width, spec.height = s->height;
    if (spec.what == EXPORT_LAYERS && s->run && s->run->n_sites < 2) spec.what = EXPORT_HEADS; /* that was a network */
    return spec;
}

static bool write_picture(Session *s, const char *path, Err *err) {
    ExportAside aside;
    ExportSpec spec = spec_now(s);
    View view = export_tidy(&s->view);
    export_set_aside(s, &view, &aside);
    bool ok = export_write(s, &spec, path, err);
    export_give_back(s, &aside);
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
    shown.view = export_tidy(&s->view);
    shown.menu = (Menu){0};
    shown.status[0] = '\0';
    export_draw(&shown, &spec, arena, list);
    return true;
}
