/* Below the scene: transport, scrubber, speed, keys or status; the progress line of presenter mode; notices. Knows
 * nothing of the other panels. */
#ifndef APP_PANEL_BOTTOM_H
#define APP_PANEL_BOTTOM_H

#include "app/frame.h"

void bottom_draw(const Frame *f);
Rect bottom_speed(const Frame *f); /* the control that opens the menu of speeds */
void present_draw(const Frame *f);
void notice_draw(const Frame *f);

#endif
