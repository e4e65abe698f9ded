/* A chip of the token strip is dragged to another place, by its cross too, which covers half of a short one; a press that does not
 * move puts the focus on it, or takes it out. */
#include <math.h>
#include <stdlib.h>

#include "app/press.h"
#include "app/session_do.h"

/* Logical units that a press may move and still be a click. */
enum { SLACK = 4 };

/* "token.q.3" -> 3, its side, and whether the name goes on with `more`; 0: it is no chip. */
static int chip_of(const char *name, const char *more, bool *source) {
    if (!str_starts(name, "token.q.") && !str_starts(name, "token.k.")) return 0;
    char *end;
    long at = strtol(name + 8, &end, 10);
    *source = name[6] == 'k';
    return str_eq(end, more) && at > 0 && at <= TOKENS_MAX ? (int)at : 0;
}

bool press_token_down(Session *s, const PressAt *at) {
    bool source;
    if (at->input->button != 1 || s->menu.name) return false;
    int chip = chip_of(at->name, "", &source), crossed = chip ? 0 : chip_of(at->name, ".remove", &source);
    if (!chip && !crossed) return false;
    s->token.cross = crossed > 0;
    if (crossed) chip = crossed;
    s->view.token_from = s->view.token_to = 0;
    s->token.x = at->input->x;
    s->token.chip = chip;
    s->token.source = source;
    return true;
}

/* Among the shown chips of that side: the place that the dragged one has when it is let go at x. */
static int place_at(const Session *s, float x) {
    int before = 0, least = 0;
    for (int i = 0; i < s->list.n; i++) {
        const DlCommand *c = &s->list.commands[i];
        bool source;
        int chip = c->kind == DL_GROUP ? chip_of(dl_text_at(&s->list, s->list.groups[c->group.group].name), "", &source) : 0;
        if (!chip || source != s->token.source) continue;
        if (least == 0) least = chip;
        if (chip != s->token.chip && c->box.x + c->box.w / 2 < x) before++;
    }
    int place = least + before;
    if (s->token.chip < least) place--; /* it has gone out at the left */
    return place;
}

void press_token_move(Session *s, const Input *input) {
    View *view = &s->view;
    if (!view->token_from && fabsf(input->x - s->token.x) <= SLACK) return;
    view->token_from = s->token.chip;
    view->token_source = s->token.source;
    view->token_to = place_at(s, input->x);
    session_touch(s);
}

static void let_go(Session *s) {
    s->view.token_from = s->view.token_to = 0;
    session_touch(s);
}

void press_token_up(Session *s, const Input *input) {
    int from = s->view.token_from, to = s->view.token_to;
    (void)input;
    const char *side = s->token.source ? "source " : "";
    let_go(s);
    if (!from && s->token.cross) session_try(s, arena_printf(&s->scratch, "token.remove %s%d", side, s->token.chip));
    else if (!from) session_try(s, arena_printf(&s->scratch, "focus token.%c.%d", s->token.source ? 'k' : 'q', s->token.chip));
    else if (to != from) session_try(s, arena_printf(&s->scratch, "token.move %s%d %d", side, from, to));
}

bool press_token_key(Session *s, const Input *input) {
    if (s->press != PRESS_TOKEN || !str_eq(input->key, "Esc")) return false;
    let_go(s);
    s->press = PRESS_NONE;
    return true;
}
