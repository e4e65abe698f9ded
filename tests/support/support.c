#include "support/support.h"

#include <stdio.h>

#include "base/err.h"
#include "base/file.h"

bool near_equal(double got, double want, double tolerance) {
    if (isnan(got) || isnan(want)) return isnan(got) && isnan(want);
    if (isinf(got) || isinf(want)) return got == want;
    return fabs(got - want) <= tolerance;
}

void assert_near_at(double got, double want, double tolerance, const char *expression, const char *file, int line) {
    if (near_equal(got, want, tolerance)) return;
    print_error("%s is %.9g, expected %.9g within %.3g\n", expression, got, want, tolerance);
    _fail(file, line);
}

const char *data_path(const char *name) {
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    return path;
}

const char *models_path(const char *name) {
    static char path[1024];
    const char *folder = getenv("ATTNSCOPE_MODELS");
    if (folder != NULL) snprintf(path, sizeof path, "%s/%s", folder, name);
    else snprintf(path, sizeof path, "%s/../shared/models/%s", TEST_SOURCE, name);
    return file_exists(path) || file_is_folder(path) ? path : NULL;
}

const char *scratch_folder(const char *name) {
    static char path[1024];
    snprintf(path, sizeof path, "%s/scratch/%s", TEST_BUILD, name);
    Err err = {0};
    Arena arena = {0};
    char **names;
    int count;
    if (!file_make_folders(path, &err)) fail_msg("%s", err.message);
    if (file_list(path, &arena, &names, &count, &err))
        for (int i = 0; i < count; i++) file_remove(path_join(&arena, path, names[i]));
    arena_free(&arena);
    return path;
}
