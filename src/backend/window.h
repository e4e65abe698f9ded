/* The window: turns what the system sends into Inputs and shows display lists. One unit of the interface is `scale` window
 * units ($ATTNSCOPE_SCALE) and as many pixels as the display has for them; everything here is in logical units. */
#ifndef BACKEND_WINDOW_H
#define BACKEND_WINDOW_H

#include <stdbool.h>

#include "backend/fonts.h"
#include "backend/painter.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "draw/dl.h"

typedef struct Window Window;

/* Is there anything to open a window on? Does not start the window system. */
bool backend_has_display(void);

/* Where a window of this size stands on a screen of which `usable` is free, in units of the screen (`scale` to a logical
 * unit): in the middle, with room for its frame, never below 800x600 logical units. */
Rect window_fit(Rect usable, float width, float height, float scale);
/* Opens a window of this size (less when the screen is smaller, see window_fit) and starts text input off. The software
 * renderer is used unless $ATTNSCOPE_RENDERER names another ("accelerated", "opengl", ...). `fonts` is borrowed. NULL and err
 * when there is no display. */
Window *window_open(const char *title, float width, float height, Fonts *fonts, Err *err);
void window_close(Window *window);

/* Waits for the next input, at most `timeout` seconds (0 = look only, below 0 = as long as it takes), using no processor.
 * false: nothing came. An INPUT_RESIZE also comes when the window must be drawn again for another reason. INPUT_JOB: see
 * window_wake. out->text is valid until the next call. */
bool window_next(Window *window, double timeout, Input *out);
/* From any thread: window_next returns an INPUT_JOB soon. */
void window_wake(Window *window);

void window_present(Window *window, const DisplayList *dl);
void window_size(const Window *window, float *width, float *height);
/* Pixels a logical unit. */
float window_scale(const Window *window);

void window_title(Window *window, const char *title);
void window_icon(Window *window, const Pixels *pixels);
void window_fullscreen(Window *window, bool on);
bool window_is_fullscreen(const Window *window);
/* An input method is on only while a text field has the focus; its list of choices opens at the caret. */
void window_text_input(Window *window, bool on, Rect caret);
/* What the input method composes is dropped, not typed. */
void window_drop_composition(Window *window);
void window_clipboard_set(Window *window, const char *text);
/* Good UTF-8 in `arena`; "" when the clipboard has no text. */
char *window_clipboard(Window *window, Arena *arena);
/* ---- presenting ---- */

/* How many displays there are that show different things: 1, or 2 for more than one. */
int window_displays(const Window *window);
/* A second window on the display that the first is on. Keys pressed in it are inputs like any other, its pointer is not. An
 * INPUT_NONE comes when window_notes_asks has something to say. */
bool window_notes_open(Window *window, const char *title, Err *err);
void window_notes_close(Window *window);
bool window_notes_is_open(const Window *window);
void window_notes_size(const Window *window, float *width, float *height);
void window_notes_present(Window *window, const DisplayList *dl);
/* Since it was asked last: must it be drawn again? *closes: its button to close was pressed. */
bool window_notes_asks(Window *window, bool *closes);
/* The window is the audience's: it fills the display that `notes` are not on, where there is another, else its own unless the
 * notes need it. Afterwards it stands where it stood. */
void window_audience(Window *window, bool on, bool notes);
/* The pointer is not seen in any window. */
void window_hide_pointer(Window *window, bool hidden);
/* It is an arrow, or two up and down: what is under it is dragged that way. */
void window_pointer_shape(Window *window, bool drags);
/* Seconds on a clock that never goes back. */
double window_clock(void);

#endif
