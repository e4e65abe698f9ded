#include "base/file.h"
#include "model/checkpoint_internal.h"

enum { CONFIG_MAX = 4 << 20 };

int checkpoint_texts(const char *folder) {
    Arena arena = {0};
    ModelConfig config = {0};
    char *text;
    size_t size;
    const char *path = path_join(&arena, folder, "config.json");
    bool known = file_read(path, CONFIG_MAX, &arena, &text, &size, NULL) && checkpoint_config(path, text, size, &arena, &config, NULL);
    int texts = known ? config.n_stacks : 0;
    arena_free(&arena);
    return texts;
}
