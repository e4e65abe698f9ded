#include "app/drive.h"

#include <ctype.h>
#include <stdio.h>

#include "base/str.h"
#include "base/utf8.h"

static Arena arena; /* dumps, until the session is closed */

Session *drive_open_in(const char *state_folder) {
    Err err = {0};
    Session *session = session_open(&(SessionOptions){.state_folder = state_folder}, &err);
    if (!session) fail_msg("%s", err.message);
    return session;
}

Session *drive_open(void) {
    return drive_open_in(NULL);
}

void drive_close(Session *session) {
    dl_finish(session_list(session));
    session_close(session);
    arena_free(&arena);
}

void pass(Session *session, double seconds) {
    session_update(session, NULL, seconds);
}

void tap(Session *session, unsigned mods, const char *key) {
    Input input = {.kind = INPUT_KEY, .mods = mods};
    snprintf(input.key, sizeof input.key, "%s", key);
    session_update(session, &input, 0);
    session_list(session);
}

void press(Session *session, unsigned mods, const char *key) {
    tap(session, mods, key);
    if (!session_view(session)->film.playing) pass(session, 1000);
}

void type(Session *session, const char *text) {
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        size_t next = at;
        char piece[5] = "";
        uint32_t c = utf8_next(text, length, &next);
        memcpy(piece, text + at, next - at);
        if (c < 0x80) tap(session, isupper((int)c) ? MOD_SHIFT : 0, c == ' ' ? "Space" : piece);
        session_update(session, &(Input){.kind = INPUT_TEXT, .text = piece}, 0.1);
        at = next;
    }
}

void must(Session *session, const char *line) {
    Err err = {0};
    if (!session_do(session, line, &err)) fail_msg("%s: %s", line, err.message);
}

static int find_group(const DisplayList *list, const char *name) {
    int found = -1;
    for (int i = 0; i < list->n; i++)
        if (list->commands[i].kind == DL_GROUP && str_eq(dl_text_at(list, list->groups[list->commands[i].group.group].name), name)) found = i;
    return found;
}

bool has_control(Session *session, const char *name) {
    return find_group(session_list(session), name) >= 0;
}

Rect control_box(Session *session, const char *name) {
    const DisplayList *list = session_list(session);
    int at = find_group(list, name);
    if (at < 0) fail_msg("there is no control \"%s\" in the picture", name);
    return list->commands[at < 0 ? 0 : at].box;
}

void move_to(Session *session, float x, float y) {
    session_update(session, &(Input){.kind = INPUT_MOUSE_MOVE, .x = x, .y = y}, 0);
}

void click_at(Session *session, float x, float y, unsigned mods, int clicks) {
    move_to(session, x, y);
    session_update(session, &(Input){.kind = INPUT_MOUSE_DOWN, .x = x, .y = y, .mods = mods, .button = 1, .clicks = clicks}, 0);
    session_update(session, &(Input){.kind = INPUT_MOUSE_UP, .x = x, .y = y, .mods = mods, .button = 1, .clicks = clicks}, 0);
}

void click(Session *session, const char *name) {
    Rect box = control_box(session, name);
    click_at(session, box.x + box.w / 2, box.y + box.h / 2, 0, 1);
}

void cell_middle(Session *session, const char *tensor, int head, int row, int col, float *x, float *y) {
    const DisplayList *list = session_list(session);
    const Trace *trace = session_run(session)->trace;
    TensorId id = trace_find(trace, tensor);
    for (int i = list->n - 1; i >= 0; i--) {
        const DlCommand *c = &list->commands[i];
        if (c->kind != DL_CELLS || c->cells.tensor != id || (c->cells.head != head && c->cells.head >= 0)) continue;
        int r = row - c->cells.row0, k = col - c->cells.col0;
        if (r < 0 || k < 0 || r >= c->cells.rows || k >= c->cells.cols || c->box.w < 60) continue; /* small maps are controls */
        Rect cell = dl_cell_box(c->box, c->cells.rows, c->cells.cols, c->cells.gap, r, k);
        *x = cell.x + cell.w / 2;
        *y = cell.y + cell.h / 2;
        DlHit hit;
        if (dl_hit(list, *x, *y, &hit) && hit.tensor == id && hit.row == row && hit.col == col) return;
    }
    fail_msg("no cell [%d, %d] of %s is drawn", row, col, tensor);
}

char *dump(Session *session) {
    StrBuf sb;
    sb_init(&sb, &arena);
    dl_dump(session_list(session), &sb);
    return sb.data;
}

bool shows(Session *session, const char *text) {
    const DisplayList *list = session_list(session);
    for (int i = 0; i < list->n; i++)
        if (list->commands[i].kind == DL_TEXT && str_eq(dl_text_at(list, list->commands[i].text.text), text)) return true;
    return false;
}

const char *effects_clipboard(Session *session) {
    SessionEffects effects;
    session_take_effects(session, &effects);
    return effects.clipboard;
}
