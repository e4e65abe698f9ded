/* What the pictures of a session are made from. */
#ifndef APP_SESSION_PICTURE_H
#define APP_SESSION_PICTURE_H

#include "app/session_state.h"
#include "scene/scene.h"

/* The scene of the session's run as `view` looks at it, at this size. */
Scene session_scene(const Session *s, const View *view, float width, float height, Arena *arena);

#endif
