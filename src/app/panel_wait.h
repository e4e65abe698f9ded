/* What is shown while work goes on beside the window. */
#ifndef APP_PANEL_WAIT_H
#define APP_PANEL_WAIT_H

#include "app/frame.h"

/* A thin bar under the top bar; words in the stage's place while there is no picture to show. */
void wait_draw(const Frame *f);
/* The words for the status line; NULL while nothing goes on. */
const char *wait_words(const Frame *f);

#endif
