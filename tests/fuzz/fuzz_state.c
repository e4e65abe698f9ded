/* The state folder as a crash, another version or a stranger may have left it: what is in its files cannot hurt. */
#include <stdio.h>
#include <string.h>

#include "app/session.h"
#include "base/file.h"
#include "base/str.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_list.h"
#include "fuzz/fuzz_run.h"
#include "fuzz/fuzz_words.h"

static const char *const texts[] = {
    "0/etc/passwd\n/nowhere/a.yaml\n\n" TEST_SOURCE "/assets/lexicon.tsv\n", "1attnscope: 1\ntext: kept\n", "1attnscope: 1\ntext: one\n---\nattnscope: 1\ntext: two\n",
    "2attnscope: 1\ntext: last\nmodel: random\nview: {stage: softmax}\n", "3", "4attnscope: 1\ntokens: [a]\nx: [[1, 2]]\nprojections: none\n", NULL};

const FuzzTarget fuzz_target = {.name = "fuzz_state", .cases = 300, .max = 1500, .words = fuzz_scenario_words, .texts = texts};

static const char *a_folder(void) {
    static char path[1024];
    if (!path[0]) snprintf(path, sizeof path, "%s/scratch/fuzz_state", TEST_BUILD);
    return path;
}

static void clear(Arena *arena) {
    char **names;
    int n;
    Err err = {0};
    if (!file_make_folders(a_folder(), &err) || !file_list(a_folder(), arena, &names, &n, &err)) fuzz_fail(__FILE__, __LINE__, "the folder", "%s", err.message);
    for (int i = 0; i < n; i++) file_remove(path_join(arena, a_folder(), names[i]));
}

static void use(Session *s) {
    static const char *const lines[] = {"menu open", "menu main", "recover", "reopen", "menu.close", "text \"typed on\"", "recover no", "undo"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Err refused = {0};
        if (!session_do(s, lines[i], &refused)) fuzz_error(&refused);
        session_update(s, NULL, 3);
        if (!fuzz_is_small(session_doc(s)) && !session_do(s, "new", &refused)) fuzz_error(&refused);
        fuzz_check_list(session_list(s), session_view(s));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"recent", "attnscope-999999999.yaml", "last.yaml", "attnscope-999999999.lock", "last-2.yaml"};
    Arena arena = {0};
    Err err = {0};
    clear(&arena);
    const char *name = names[size > 0 ? data[0] % 5 : 0];
    fuzz_check(file_write(path_join(&arena, a_folder(), name), data + (size > 0), size - (size > 0), &err), "%s", err.message);
    Session *s = session_open(&(SessionOptions){.state_folder = a_folder()}, &err);
    fuzz_check(s != NULL, "%s", err.message);
    use(s);
    session_close(s);
    arena_free(&arena);
    return 0;
}
