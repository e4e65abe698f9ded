/* One matter that only the X library can settle; does nothing where the program is built without it. */
#ifndef BACKEND_X11_H
#define BACKEND_X11_H

/* SDL wakes its own waiting loop by a message to the window, sent on a second connection. The last one may reach
 * the server after the window has gone, which X takes for an error that ends the process: a window closed by its
 * frame would now and then end with exit code 1 and leave the kept document behind. Such a message is forgiven,
 * every other error is dealt with as before. Call before SDL's video is started: SDL puts the handler it finds back
 * when it closes the connections. */
void x11_forgive_late_messages(void);

#endif
