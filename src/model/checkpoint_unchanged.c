#include <string.h>

#include "base/file.h"
#include "model/checkpoint_internal.h"

static bool same_config(const Checkpoint *c) {
    Arena arena = {0};
    char *text;
    size_t size;
    bool same = file_read(path_join(&arena, c->info.folder, "config.json"), c->config_size + 1, &arena, &text, &size, NULL) &&
                size == c->config_size && memcmp(text, c->config_text, size) == 0;
    arena_free(&arena);
    return same;
}

/* Has a folder without weights got some? */
static bool has_weights(const Checkpoint *c) {
    static const char *const names[] = {"model.safetensors", "model.safetensors.index.json"};
    Arena arena = {0};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) found = found || file_exists(path_join(&arena, c->info.folder, names[i]));
    arena_free(&arena);
    return found;
}

bool checkpoint_intact(const Checkpoint *c, Err *err) {
    for (int i = 0; i < c->n_files; i++)
        if (!mapped_unchanged(&c->files[i].map, err)) return false;
    return true;
}

bool checkpoint_unchanged(const Checkpoint *c) {
    for (int i = 0; i < c->n_files; i++)
        if (!mapped_current(&c->files[i].map)) return false;
    return same_config(c) && !(c->info.seeded && has_weights(c));
}
