/* check of somebody's own tensors, with what the command line says about them. */
#include <stdio.h>
#include <string.h>

#include "app/cli_check.h"
#include "base/tr.h"

void cli_check_words(const Check *check, StrBuf *out) {
    CheckWords words = check_words(check, out->arena);
    for (int i = 0; words.lines[i]; i++) sb_printf(out, "  %s\n", words.lines[i]);
}

static void line_text(const CheckLine *line, int width, StrBuf *out) {
    sb_printf(out, "  %-*s ", width, line->name);
    const Difference *d = &line->difference;
    if (!line->made) sb_add(out, tr("not made with these settings"));
    else if (d->shape) sb_add(out, tr("DIFFERS, its shape"));
    else sb_printf(out, tr("%10.3g  of %8.3g   %s"), d->largest, line->theirs.tolerance, d->differs ? tr("DIFFERS") : tr("ok"));
    sb_add(out, "\n");
}

static void result_text(const Check *check, StrBuf *out) {
    int width = 14;
    sb_printf(out, "%s\n", check->path);
    for (int i = 0; i < check->n_notes; i++) sb_printf(out, "  %s\n", check->notes[i]);
    for (int i = 0; i < check->n_lines; i++) width = (int)strlen(check->lines[i].name) > width ? (int)strlen(check->lines[i].name) : width;
    for (int i = 0; i < check->n_lines; i++) line_text(&check->lines[i], width, out);
    cli_check_words(check, out);
}

int cli_check_theirs(const CliArgs *args, const char *path, const CoreContext *cx, Err *err) {
    CheckSetting settings[CLI_LIST_MAX];
    CheckAsk ask = {.settings = settings, .n_settings = args->n_set, .activation = args->activation, .tolerance = args->has_tolerance ? args->tolerance : -1};
    for (int i = 0; i < args->n_set; i++) settings[i] = (CheckSetting){args->set[i].key, args->set[i].value};
    Check check;
    int code = -1;
    if (check_open(path, &ask, &(RunContext){.cx = cx}, &check, err)) {
        StrBuf out;
        sb_init(&out, &check.arena);
        result_text(&check, &out);
        fputs(out.data, stdout);
        code = !check_agrees(&check);
    }
    check_close(&check);
    return code;
}
