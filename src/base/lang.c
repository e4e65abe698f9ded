#include "base/lang.h"

#include <assert.h>
#include <libintl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"

static const char domain[] = "attnscope";

/* As gettext's variable LANGUAGE has it: also the name of the folder of its catalogue. */
static const char *const codes[LANGUAGE_COUNT] = {[LANGUAGE_ENGLISH] = "en", [LANGUAGE_CHINESE] = "zh_CN"};
static_assert(sizeof codes / sizeof *codes == LANGUAGE_COUNT, "a code for each language");

/* gettext reads no catalogue in the locale C. */
static void set_locale(int category) {
    const char *name = setlocale(category, "");
    if (!name || str_eq(name, "C") || str_eq(name, "POSIX")) setlocale(category, "C.UTF-8");
}

void lang_begin(void) {
    set_locale(LC_CTYPE);
    set_locale(LC_MESSAGES);
    Arena arena = {0};
    const char *folder = path_locale(&arena, arena_printf(&arena, "%s/LC_MESSAGES/%s.mo", codes[LANGUAGE_CHINESE], domain));
    if (folder) bindtextdomain(domain, folder);
    bind_textdomain_codeset(domain, "UTF-8");
    arena_free(&arena);
    lang_set(lang_environment());
}

void lang_set(LanguageKind language) {
    const char *now = getenv("LANGUAGE"), *wanted = codes[language];
    if (now && str_eq(now, wanted) && str_eq(textdomain(NULL), domain)) return;
    setenv("LANGUAGE", wanted, 1);
    textdomain(domain); /* gettext forgets what it has looked up */
}

LanguageKind lang_environment(void) {
    static const char *const variables[] = {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value) return strncmp(value, "zh", 2) == 0 ? LANGUAGE_CHINESE : LANGUAGE_ENGLISH;
    }
    return LANGUAGE_ENGLISH;
}
