/* A session driven by made-up inputs, with the made-up font. */
#ifndef TESTS_APP_DRIVE_H
#define TESTS_APP_DRIVE_H

#include "app/session.h"
#include "support/support.h"

Session *drive_open(void);                                     /* 1600 x 1000, nothing kept */
Session *drive_open_in(const char *state_folder);              /* kept there */
void drive_close(Session *session);                            /* asserts that the last list was whole */
void press(Session *session, unsigned mods, const char *key);  /* at rest afterwards: films run to their end */
void tap(Session *session, unsigned mods, const char *key);    /* no time passes */
void type(Session *session, const char *text);                 /* as a keyboard does: key, then text */
void pass(Session *session, double seconds);
void must(Session *session, const char *line);                 /* an action that has to succeed */
bool has_control(Session *session, const char *name);
Rect control_box(Session *session, const char *name);          /* fails when it is not there */
void click_at(Session *session, float x, float y, unsigned mods, int clicks);
void click(Session *session, const char *name);                /* its middle */
void move_to(Session *session, float x, float y);
/* Middle of a cell of the map of this tensor (row and column as drawn); fails when it is not drawn. */
void cell_middle(Session *session, const char *tensor, int head, int row, int col, float *x, float *y);
char *dump(Session *session);                                  /* the list as text; free is not needed */
bool shows(Session *session, const char *text);                /* some text command is exactly this */
const char *effects_clipboard(Session *session);

#endif
