/* Action lines, one after another, as --do and a replay run them; after each the picture. Files are left alone. */
#include <string.h>

#include "app/session.h"
#include "base/str.h"
#include "doc/action.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_list.h"
#include "fuzz/fuzz_run.h"

static const char *const texts[] = {
    "stage scores\nnext\nnext\nselect weights[2,3,2]\nexplain\nexplain\ntrail.back\nescape\n",
    "text \"The cat\"\nmask window 1 1\nhead 2\nmask.toggle 1 2\nmask.toggle 2 1 0\ntext \"The big cat\"\nundo\nundo\nredo\n",
    "model random\nheads 2\nset d_model 8\nposition rope_half 2\nstage project\nstep 3\nseek 0.4\nplay\nspeed 8\n",
    "source \"dog barks\"\nmask causal top_left\nfill -1e9\nmask_op add\nempty_row nan\nprecision f64\nstage softmax end\nfilm.end\n",
    "model molecule\ntext CCO\npresent\nstage 5\nblank\nnext\npresent\ntheme dark\npalette viridis\n",
    "edit tok[1,1] 5\nedit w_q[1,2] -3\nedits.clear\nscale none\ntemperature 0.1\ntext.larger\ntext.larger\nmotion\nnext\n",
    "menu main\nmenu examples\nmenu keys\nmenu actions\nmenu model\nmenu.close\nfocus top.field\nfield\nescape\nescape\n",
    "example 02-the-cat-sat-down\nset tokens [a,b,c,d]\ncopy words\ncopy equation\ncopy map numpy\ncopy row c\ncopy column latex\ncopy sentence\nset keep [[1,0,0,0],[1,1,0,0],[1,1,1,0],[1,1,1,1]]\nnew\n",
    "position alibi\nmask {kind: padding}\nmask padding 2 left\nmask global_window 1 1 2 causal\nmask strided 2\nmask.cycle\nmask custom\nhead.next\nhead.back\n", NULL};

/* Filled from the action table once. */
static const char *words[400] = {
    "left", "right", "up", "down", "start", "end", "words", "latex", "numpy", "tsv", "c", "map", "row", "equation", "\"The cat sat\"", "\"\"", "CCO", "d_model", "weights[1,1,1]", "weights[2,sat,cat]",
    "scores[1,2,1]", "mask[2,1]", "tok[1,1]", "w_q[1,1]", "out[1,1]", "row_max[1,1]", "causal", "padding", "window", "none", "random", "identity", "classroom", "molecule",
    "alibi", "learned", "sinusoidal", "rope_half", "f64", "zero", "nan", "add", "0.5", "smiles", "characters", "softmax", "wsum", "concat", "output", "embed", "project",
    "top.field", "scrubber", "main", "examples", "actions", "keys", "model", "position", "recover", "edit", "en", "zh", "light", "dark", "print", "viridis", "the#2", NULL};

const FuzzTarget fuzz_target = {.name = "fuzz_actions", .cases = 1200, .max = 700, .words = words, .texts = texts};

/* Not what reads or writes files by a path, and no size that takes long. */
static bool is_allowed(const char *text, const Session *s) {
    static const char *const files[] = {"open", "save", "export"};
    ActionLine line;
    Err err = {0};
    if (!action_parse(text, &line, &err)) {
        fuzz_error(&err);
        return false;
    }
    if (str_find(files, 3, line.arg[0]) >= 0) return false;
    return fuzz_is_small(session_doc(s)) || str_eq(line.arg[0], "undo") || str_eq(line.arg[0], "new");
}

static void add_action_names(void) {
    int at = 0;
    if (str_eq(words[0], action_table[0].name)) return;
    while (words[at]) at++;
    for (int i = 0; i < action_count; i++) words[at++] = action_table[i].name;
    const char *first = words[0];
    words[0] = action_table[0].name;
    words[at - action_count] = first;
}

static void look(Session *s, FuzzBytes *bytes) {
    static const float sizes[][2] = {{1600, 1000}, {1024, 768}, {1920, 1080}, {1280, 800}, {2560, 1440}, {400, 300}};
    const float *size = sizes[fuzz_pick(bytes, 6)];
    Arena arena = {0};
    DisplayList list;
    session_resize(s, size[0], size[1]);
    fuzz_check_list(session_list(s), session_view(s));
    if (session_run(s)) {
        session_figure(s, &(FigureSpec){.head = (int)fuzz_pick(bytes, 2) - 1, .width = 700, .height = 500, .kind = (FigureKind)fuzz_pick(bytes, FIGURE_KIND_COUNT)}, &arena, &list);
        fuzz_check_list(&list, session_view(s));
    }
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FuzzBytes bytes = {data, size, 0};
    Arena arena = {0};
    Err err = {0};
    add_action_names();
    Session *s = session_open(&(SessionOptions){0}, &err);
    fuzz_check(s != NULL, "%s", err.message);
    for (int i = 0; i < 24 && fuzz_more(&bytes); i++) {
        Err refused = {0};
        const char *line = fuzz_line(&bytes, &arena);
        if (!is_allowed(line, s)) continue;
        if (!session_do(s, line, &refused)) fuzz_error(&refused);
        session_update(s, NULL, 0.3);
        if (fuzz_is_small(session_doc(s))) look(s, &bytes);
    }
    fuzz_write_back(session_doc(s), session_view(s));
    session_close(s);
    arena_free(&arena);
    return 0;
}
