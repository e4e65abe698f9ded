/* The export dialog: a name, what is drawn and how, beside a picture of it. */
#include <assert.h>

#include "app/files.h"
#include "app/menu_rows.h"
#include "app/session_export.h"
#include "base/file.h"
#include "base/tr.h"

static void set_row(Rows *rows, const char *label, const char *choice, bool on) {
    rows_choice(rows, label, NULL, arena_printf(rows->arena, "export.set %s", choice), on);
}

static void what_rows(Rows *rows) {
    static const char *const words[EXPORT_WHAT_COUNT] = {[EXPORT_SCREEN] = tr_mark("The screen"), [EXPORT_MAP] = tr_mark("This head’s map"), [EXPORT_HEADS] = tr_mark("All heads"),
                                                         [EXPORT_STAGES] = tr_mark("All stages"), [EXPORT_ROW] = tr_mark("The arithmetic"), [EXPORT_LAYERS] = tr_mark("All layers and heads")};
    bool network = rows->s->run && rows->s->run->n_sites > 1;
    rows_heading(rows, tr("What"));
    for (int i = 0; i < EXPORT_WHAT_COUNT; i++)
        if (i != EXPORT_LAYERS || network) set_row(rows, tr(words[i]), arena_printf(rows->arena, "what %s", export_what_names[i]), rows->s->export.choice.spec.what == (ExportWhat)i);
}

static void format_rows(Rows *rows) {
    static const char *const words[] = {tr_mark("PNG, opens again here"), tr_mark("SVG, for the web and for drawing"), tr_mark("PDF, for papers"), tr_mark("GIF, a film of this stage")};
    rows_heading(rows, tr("Format"));
    for (int i = 0; session_export_formats[i]; i++) set_row(rows, tr(words[i]), arena_printf(rows->arena, "format %s", session_export_formats[i]), rows->s->export.choice.format == i);
}

static void figure_rows(Rows *rows) {
    const FigureOptions *figure = &rows->s->export.choice.spec.figure;
    static const struct { const char *part, *words; unsigned bit; } parts[] = {
        {"title", tr_mark("Title"), FIGURE_TITLE}, {"caption", tr_mark("How it was made"), FIGURE_CAPTION}, {"legend", tr_mark("Legend"), FIGURE_LEGEND}, {"numbers", tr_mark("Numbers"), FIGURE_NUMBERS}};
    if (rows->s->export.choice.spec.what == EXPORT_SCREEN) return;
    rows_heading(rows, tr("With"));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) set_row(rows, tr(parts[i].words), arena_printf(rows->arena, "part %s", parts[i].part), !(figure->without & parts[i].bit));
    rows_heading(rows, tr("Decimals"));
    for (int i = 0; i <= 4; i++)
        set_row(rows, arena_printf(rows->arena, "%d", i), arena_printf(rows->arena, "decimals %d", i), figure->decimals == i + 1 || (figure->decimals == 0 && i == 2));
}

void menu_export(Rows *rows) {
    const Session *s = rows->s;
    const char *query = s->view.query;
    if (query[0] == '\0') {
        rows_add(rows, ITEM_NOTE, tr("Type a file name, such as map.png"));
    } else {
        bool there = file_exists(files_expand(rows->arena, query));
        rows_choice(rows, there ? tr("Replace this file") : tr("Write it"), path_name(query), arena_printf(rows->arena, "export %s", action_quote(query, rows->arena)), false);
    }
    what_rows(rows);
    format_rows(rows);
    figure_rows(rows);
    rows_heading(rows, tr("PNG"));
    for (int i = 1; i <= 4; i++)
        set_row(rows, arena_printf(rows->arena, tr_count("%d pixel a unit", "%d pixels a unit", i), i), arena_printf(rows->arena, "scale %d", i), (int)s->export.choice.spec.picture.scale == i);
    set_row(rows, tr("Without background"), "transparent", s->export.choice.spec.picture.transparent);
}
