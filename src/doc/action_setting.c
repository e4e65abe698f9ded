/* The settings panel and what it runs: each of these leaves the setting it changed in View.control, so that its effect is read. */
#include <stdio.h>

#include "base/tr.h"
#include "doc/action_parts.h"
#include "doc/setting.h"
#include "doc/yaml.h"

static void read_effect(View *view, const char *name) { snprintf(view->control, sizeof view->control, "%s", name); }

bool action_controls(ActionContext *cx, const ActionLine *line, Err *err) {
    View *view = cx->view;
    const char *names[SETTING_COUNT];
    for (int i = 0; i < SETTING_COUNT; i++) names[i] = setting_table[i].name;
    int kind = -1;
    if (line->n > 1 && !action_choice("controls", names, SETTING_COUNT, line->arg[1], &kind, err)) return false;
    view->controls = kind >= 0 || !view->controls;
    if (kind >= 0) read_effect(view, setting_table[kind].name);
    else if (!view->controls) view->control[0] = '\0';
    if (view->controls) view->overview = false; /* maps of all layers have no place for it */
    return true;
}

/* `temperature X` and others that are keys of the scenario file too. */
bool action_setting(ActionContext *cx, const ActionLine *line, Err *err) {
    if (!yaml_set(cx->doc, NULL, line->arg[0], line->arg[1], err)) return false;
    read_effect(cx->view, line->arg[0]);
    return true;
}

bool action_temperature_at(ActionContext *cx, const ActionLine *line, Err *err) {
    double fraction = 0;
    if (!action_double("temperature.at", line->arg[1], 0, 1, &fraction, err)) return false;
    cx->doc->temperature = setting_temperature_at(fraction);
    read_effect(cx->view, "temperature");
    return true;
}

/* on, off, or without a word the other one. */
static bool read_switch(const ActionLine *line, bool now, bool *out, Err *err) {
    static const char *const words[] = {"off", "on"};
    int on = !now;
    if (line->n > 1 && !action_choice(line->arg[0], words, 2, line->arg[1], &on, err)) return false;
    *out = on == 1;
    return true;
}

/* What a click cannot change is refused here too, with the same sentence. */
static bool is_free(const ActionContext *cx, SettingKind kind, Err *err) {
    Arena arena = {0};
    const char *why = setting_fixed(cx->doc, cx->run, cx->view->film.stage, kind, &arena);
    if (why) err_set(err, ERR_USAGE, "%s", why);
    arena_free(&arena);
    return why == NULL;
}

bool action_tie(ActionContext *cx, const ActionLine *line, Err *err) {
    bool on;
    if (!read_switch(line, cx->doc->tie_qk, &on, err) || (on && !is_free(cx, SETTING_TIE, err))) return false;
    cx->doc->tie_qk = on;
    read_effect(cx->view, "tie");
    return true;
}

bool action_projections(ActionContext *cx, const ActionLine *line, Err *err) {
    bool on;
    if (!read_switch(line, cx->doc->projections == PROJ_LINEAR, &on, err) || !is_free(cx, SETTING_PROJECTIONS, err)) return false;
    cx->doc->projections = on ? PROJ_LINEAR : PROJ_NONE;
    read_effect(cx->view, "projections");
    return true;
}

bool action_out_proj(ActionContext *cx, const ActionLine *line, Err *err) {
    bool now = cx->doc->out_proj_set ? cx->doc->out_proj : !cx->run || cx->run->spec.out_proj, on;
    if (!read_switch(line, now, &on, err) || (on && !is_free(cx, SETTING_OUT_PROJ, err))) return false;
    cx->doc->out_proj = on;
    cx->doc->out_proj_set = true;
    read_effect(cx->view, "out_proj");
    return true;
}

/* A setting that is fixed has no effect, and its default has none either; but without projections the document may have no matrices
 * to go back to. */
static bool can_reset(const ActionContext *cx, SettingKind kind, Err *err) {
    return kind != SETTING_PROJECTIONS || setting_is_default(cx->doc, kind) || is_free(cx, kind, err);
}

bool action_setting_reset(ActionContext *cx, const ActionLine *line, Err *err) {
    const char *names[SETTING_COUNT];
    for (int i = 0; i < SETTING_COUNT; i++) names[i] = setting_table[i].name;
    int kind = -1;
    if (line->n > 1 && !action_choice("setting", names, SETTING_COUNT, line->arg[1], &kind, err)) return false;
    if (kind >= 0 && !can_reset(cx, (SettingKind)kind, err)) return false;
    for (int i = 0; i < SETTING_COUNT; i++)
        if ((kind < 0 || i == kind) && can_reset(cx, (SettingKind)i, NULL)) setting_reset(cx->doc, (SettingKind)i);
    if (kind >= 0) read_effect(cx->view, setting_table[kind].name);
    return true;
}

bool action_can_reset(const ActionContext *cx) {
    for (int i = 0; i < SETTING_COUNT; i++)
        if (!setting_is_default(cx->doc, (SettingKind)i) && can_reset(cx, (SettingKind)i, NULL)) return true;
    return false;
}
