/* A click on a number explains it; a double click asks for another in its place. */
#include "app/press.h"
#include "app/session_do.h"

bool press_number_down(Session *s, const PressAt *at) {
    if (at->input->button != 1 || !at->number) return false;
    if (at->input->clicks == 2) session_try(s, "edit");
    else session_try(s, arena_printf(&s->scratch, "select %s", view_ref_text(at->number, ",", &s->scratch)));
    return true;
}
