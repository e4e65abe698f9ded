/* The language of the words on screen, switched while the program runs. Texts are English in the source and go through
 * tr() (base/tr.h); catalogues are gettext's. The language is the process's: whoever makes texts says first which one
 * he wants. Before lang_begin all texts are English. */
#ifndef BASE_LANG_H
#define BASE_LANG_H

#include "base/look.h"

/* Once, before there is a second thread: locale and catalogues. LC_CTYPE and LC_MESSAGES are the environment's; where it has
 * none, or C, they are C.UTF-8, without which no catalogue would be read. Numbers stay those of C. */
void lang_begin(void);
/* Costs little when nothing changes. */
void lang_set(LanguageKind language);
/* What LANGUAGE, LC_ALL, LC_MESSAGES or LANG asks for, the first of them that is set; English where it is none of ours. */
LanguageKind lang_environment(void);

#endif
