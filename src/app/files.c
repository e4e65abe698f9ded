#include "app/files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"

enum { TITLE_BYTES = 1 << 20, COMPLETE_MAX = 200, RECENT_BYTES = 65536 };

/* Text of the first line when it is a comment. */
static const char *first_comment(const char *text, Arena *arena) {
    if (text[0] != '#') return NULL;
    const char *start = text + 1 + strspn(text + 1, "# \t");
    size_t length = strcspn(start, "\r\n");
    while (length > 0 && (start[length - 1] == ' ' || start[length - 1] == '\t')) length--;
    return length > 0 ? utf8_clean(arena, start, length) : NULL;
}

bool files_examples(Arena *arena, Example **list, int *count, Err *err) {
    char **names;
    int n;
    *list = NULL;
    *count = 0;
    char *folder = path_data(arena, "assets/scenarios", err);
    if (!folder || !file_list(folder, arena, &names, &n, err)) return false;
    *list = ARENA_ARRAY(arena, Example, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        if (!str_ends(names[i], ".yaml")) continue;
        char *text;
        size_t size;
        Err ignored = {0};
        Example *example = &(*list)[(*count)++];
        example->name = arena_strndup(arena, names[i], strlen(names[i]) - strlen(".yaml"));
        bool read = file_read(path_join(arena, folder, names[i]), TITLE_BYTES, arena, &text, &size, &ignored);
        const char *title = read ? first_comment(text, arena) : NULL;
        example->title = title ? title : example->name;
    }
    return true;
}

char *files_example_path(Arena *arena, const char *name, Err *err) {
    if (strchr(name, '/')) {
        err_set(err, ERR_USAGE, tr("\"%s\" is not the name of an example"), name);
        return NULL;
    }
    return path_data(arena, arena_printf(arena, "assets/scenarios/%s.yaml", name), err);
}

bool files_is_model(const char *path) {
    Arena arena = {0};
    bool is = file_is_folder(path) && file_exists(path_join(&arena, path, "config.json"));
    arena_free(&arena);
    return is;
}

bool files_no_model(const char *path, Err *err) {
    if (!file_exists(path)) return err_set(err, ERR_IO, tr("%s: there is no such folder"), path);
    if (!file_is_folder(path)) return err_set(err, ERR_IO, tr("%s is not a folder; a model is opened by its folder"), path);
    return err_set(err, ERR_INPUT, tr("%s holds no model: there is no config.json in it. A model's folder has config.json, model.safetensors (or shards "
                                      "with model.safetensors.index.json) and a tokenizer (tokenizer.json, or vocab.json and merges.txt, or vocab.txt)"), path);
}

char *files_expand(Arena *arena, const char *path) {
    const char *home = getenv("HOME");
    if (path[0] == '~' && (path[1] == '/' || path[1] == '\0') && home) return arena_printf(arena, "%s%s", home, path + 1);
    return arena_strdup(arena, path);
}

char *files_scenario(Arena *arena, const char *path) {
    char *full = files_expand(arena, path);
    return str_ends(full, ".yaml") || str_ends(full, ".yml") ? full : arena_printf(arena, "%s.yaml", full);
}

static bool is_openable(const char *name) {
    return str_ends(name, ".yaml") || str_ends(name, ".yml") || str_ends(name, ".safetensors");
}

void files_complete(const char *start, Arena *arena, char ***paths, int *count) {
    const char *slash = strrchr(start, '/');
    char *shown = slash ? arena_strndup(arena, start, (size_t)(slash - start) + 1) : arena_strdup(arena, "");
    const char *prefix = slash ? slash + 1 : start;
    char **names;
    int n;
    Err ignored = {0};
    *paths = ARENA_ARRAY(arena, char *, COMPLETE_MAX);
    *count = 0;
    char *folder = shown[0] ? files_expand(arena, shown) : arena_strdup(arena, ".");
    if (!file_list(folder, arena, &names, &n, &ignored)) return;
    for (int folders = 0; folders < 2; folders++) { /* files first: they are what is looked for */
        for (int i = 0; i < n && *count < COMPLETE_MAX; i++) {
            if (!str_starts(names[i], prefix) || (names[i][0] == '.' && prefix[0] != '.')) continue;
            if (utf8_valid_until(names[i], strlen(names[i])) != strlen(names[i])) continue;
            bool is_folder = file_is_folder(path_join(arena, folder, names[i]));
            if (folders ? is_folder : !is_folder && is_openable(names[i]))
                (*paths)[(*count)++] = arena_printf(arena, "%s%s%s", shown, names[i], is_folder ? "/" : "");
        }
    }
}

char *files_common(Arena *arena, char *const *paths, int count, const char *start) {
    if (count == 0) return arena_strdup(arena, start);
    size_t length = strlen(paths[0]);
    for (int i = 1; i < count; i++) {
        size_t same = 0;
        while (same < length && paths[i][same] == paths[0][same]) same++;
        length = same;
    }
    while (length > 0 && ((unsigned char)paths[0][length] & 0xC0) == 0x80) length--; /* whole characters */
    return arena_strndup(arena, paths[0], length);
}

char *files_absolute(Arena *arena, const char *path) {
    char folder[PATH_MAX];
    if (path[0] == '/' || !getcwd(folder, sizeof folder)) return arena_strdup(arena, path);
    return path_join(arena, folder, path);
}

/* Where a picture goes that nobody has named a folder for. NULL and err: nowhere. */
static const char *pictures_folder(Arena *arena, Err *err) {
    const char *home = getenv("HOME"), *here = files_absolute(arena, ".");
    if (access(".", W_OK) == 0) return str_ends(here, "/.") ? arena_strndup(arena, here, strlen(here) - 2) : here;
    const char *pictures = home ? path_join(arena, home, "Pictures") : NULL;
    if (pictures) return file_make_folders(pictures, err) ? pictures : NULL;
    err_set(err, ERR_IO, tr("neither the working folder nor a Pictures folder takes a file; `export PATH` names another place"));
    return NULL;
}

char *files_free_name(Arena *arena, const char *folder, const char *stem, const char *suffix, Err *err) {
    if (!folder) folder = pictures_folder(arena, err);
    if (!folder) return NULL;
    for (int i = 1;; i++) {
        char *name = i == 1 ? arena_printf(arena, "%s%s", stem, suffix) : arena_printf(arena, "%s-%d%s", stem, i, suffix);
        char *path = path_join(arena, folder, name);
        if (!file_exists(path)) return path;
    }
}

/* The first words of a text as a name: small letters, digits, hyphens. */
char *files_stem(Arena *arena, const char *text) {
    enum { WORDS = 3, LONGEST = 40 };
    StrBuf stem;
    sb_init(&stem, arena);
    int words = 0;
    bool inside = false;
    for (const char *c = text; *c && stem.length < LONGEST; c++) {
        bool plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (plain && !inside && words++ == WORDS) break;
        if (plain && !inside && stem.length > 0) sb_add(&stem, "-");
        if (plain) sb_printf(&stem, "%c", *c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
        inside = plain;
    }
    return stem.length > 0 ? stem.data : arena_strdup(arena, "attention");
}

char *files_new_scenario(Arena *arena, const char *text) {
    const char *stem = files_stem(arena, text);
    for (int i = 1;; i++) {
        char *name = i == 1 ? arena_printf(arena, "%s.yaml", stem) : arena_printf(arena, "%s-%d.yaml", stem, i);
        if (!file_exists(name)) return name;
    }
}

int files_recent_read(const char *state_folder, int max, size_t size, char *paths) {
    Arena arena = {0};
    char *text;
    size_t length;
    Err ignored = {0};
    int count = 0;
    if (file_read(path_join(&arena, state_folder, "recent"), RECENT_BYTES, &arena, &text, &length, &ignored)) {
        char *save = NULL;
        for (char *line = strtok_r(text, "\n", &save); line && count < max; line = strtok_r(NULL, "\n", &save)) {
            size_t n = strlen(line);
            if (n < size && utf8_valid_until(line, n) == n && file_exists(line)) memcpy(paths + size * (size_t)count++, line, n + 1);
        }
    }
    arena_free(&arena);
    return count;
}

void files_recent_write(const char *state_folder, int count, size_t size, const char *paths) {
    Arena arena = {0};
    StrBuf sb;
    Err ignored = {0};
    sb_init(&sb, &arena);
    for (int i = 0; i < count; i++) sb_printf(&sb, "%s\n", paths + size * (size_t)i);
    file_write(path_join(&arena, state_folder, "recent"), sb.data, sb.length, &ignored);
    arena_free(&arena);
}
