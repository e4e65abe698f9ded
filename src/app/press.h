/* What a pressed pointer does: one row a kind of press. The first row whose `down` takes the press has the pointer
 * until the button comes up. A new gesture is one file and one row. Private to app. */
#ifndef APP_PRESS_H
#define APP_PRESS_H

#include "app/session_state.h"

typedef struct {
    const Input *input;
    const DlHit *hit;      /* what lies under the pointer in the last list; NULL = nothing */
    const char *name;      /* of the hit's group; "" = none */
    const ViewRef *number; /* the number under the pointer; NULL = none */
} PressAt;

typedef struct {
    bool (*down)(Session *s, const PressAt *at);      /* true: it is mine. Any button */
    void (*move)(Session *s, const Input *input);     /* NULL: the pointer hovers meanwhile */
    void (*up)(Session *s, const Input *input);       /* NULL: nothing */
} Press;

/* [PRESS_KIND_COUNT], in the order in which they are asked. */
extern const Press press_table[];

bool press_field_down(Session *s, const PressAt *at);
void press_field_move(Session *s, const Input *input);
bool press_slider_down(Session *s, const PressAt *at);
void press_slider_move(Session *s, const Input *input);
/* Esc takes back what is being dragged; a place in the film stays. true: it was meant for the slider. */
bool press_slider_key(Session *s, const Input *input);
bool press_control_down(Session *s, const PressAt *at);
void press_control_up(Session *s, const Input *input);
bool press_mask_down(Session *s, const PressAt *at);
void press_mask_move(Session *s, const Input *input);
bool press_column_down(Session *s, const PressAt *at);
bool press_pan_down(Session *s, const PressAt *at);
void press_pan_move(Session *s, const Input *input);
void press_pan_up(Session *s, const Input *input);
/* The wheel over a map zooms at the pointer, with Shift it pans. false: not over one. */
bool press_wheel(Session *s, const Input *input);
bool press_drag_down(Session *s, const PressAt *at);
void press_drag_move(Session *s, const Input *input);
void press_drag_up(Session *s, const Input *input);
/* Would a press here drag this number? */
bool press_drags(const Session *s, const DlHit *hit, const ViewRef *number);
/* A key while a number is dragged: Esc takes it back, any other ends the drag. true: it is used up. */
bool press_drag_key(Session *s, const Input *input);
bool press_token_down(Session *s, const PressAt *at);
void press_token_move(Session *s, const Input *input);
void press_token_up(Session *s, const Input *input);
bool press_token_key(Session *s, const Input *input); /* Esc: it stays where it was */
bool press_number_down(Session *s, const PressAt *at);

#endif
