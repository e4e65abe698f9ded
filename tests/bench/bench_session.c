/* Figures of one frame: a key stroke until the display list is there, and a list until the pixels are there. */
#include <stdio.h>
#include <string.h>

#include "app/session.h"
#include "backend/fonts.h"
#include "base/str.h"
#include "bench.h"

typedef struct {
    Session *session;
    Err err;
    int turns;
} Typing;

/* A letter goes to the end of the last word, and the next turn takes it away. */
static double run_typing(void *ctx) {
    Typing *typing = ctx;
    Input letter = {.kind = INPUT_TEXT, .text = "a"}, back = {.kind = INPUT_KEY, .key = "Backspace"};
    session_update(typing->session, typing->turns++ % 2 ? &back : &letter, 0);
    if (session_list(typing->session)->n == 0) err_set(&typing->err, ERR_INPUT, "the list is empty");
    return -1;
}

static bool open_words(Typing *typing, Fonts *fonts, int tokens) {
    static char text[32768];
    size_t used = 0;
    for (int i = 0; i < tokens; i++) used += (size_t)snprintf(text + used, sizeof text - used, "%sword%d", i ? " " : "", i + 1);
    typing->session = session_open(&(SessionOptions){.fonts = fonts}, &typing->err);
    if (!typing->session || !session_open_text(typing->session, text, &typing->err)) return false;
    session_resize(typing->session, 1920, 1080);
    return true;
}

static bool set_up(Typing *typing, Fonts *fonts, int tokens) {
    if (!open_words(typing, fonts, tokens) || !session_do(typing->session, "stage softmax", &typing->err)) return false;
    if (!session_do(typing->session, "focus top.field", &typing->err)) return false;
    session_update(typing->session, &(Input){.kind = INPUT_KEY, .key = "End"}, 0); /* to the end, nothing selected */
    return true;
}

bool bench_list(const char *name, const Budget *budget, int tokens) {
    Typing typing = {0};
    Fonts *fonts = fonts_open(&typing.err);
    if (fonts && set_up(&typing, fonts, tokens)) {
        double median = bench_median(budget, run_typing, &typing);
        if (session_run(typing.session)->tokens.n != tokens) err_set(&typing.err, ERR_INPUT, "not %d tokens", tokens);
        if (typing.err.code == ERR_NONE) bench_print(name, median, "ms");
    }
    if (typing.err.code != ERR_NONE) fprintf(stderr, "%s: %s\n", name, typing.err.message);
    session_close(typing.session);
    if (fonts) fonts_close(fonts);
    return typing.err.code == ERR_NONE;
}

/* One step forward or back, and the list that shows it. */
static double run_step(void *ctx) {
    Typing *stepping = ctx;
    session_do(stepping->session, stepping->turns++ % 2 ? "step 3" : "step 4", &stepping->err);
    if (session_list(stepping->session)->n == 0) err_set(&stepping->err, ERR_INPUT, "the list is empty");
    return -1;
}

/* Actions, with a ; between two. */
static bool do_all(Session *session, const char *actions, Err *err) {
    char line[64];
    for (const char *at = actions, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ";");
        snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
        if (!session_do(session, line, err)) return false;
    }
    return true;
}

/* A stage with another look: actions before it. */
static const struct {
    const char *name, *stage, *before;
} looks[] = {
    {"embed", "embed", NULL},     {"project", "project", NULL}, {"scores", "scores", NULL}, {"scale", "scale", NULL},   {"mask", "mask", NULL},
    {"softmax", "softmax", NULL}, {"wsum", "wsum", NULL},       {"concat", "concat", NULL}, {"output", "output", NULL}, {"own_range", "softmax", "range own"},
    {"lines", "softmax", "shape lines"}, {"all_lines", "softmax", "shape all-lines"}, {"threshold", "softmax", "threshold 0.01"}, {"hidden", "softmax", "hide 1"},
    {"zoomed", "softmax", "zoom 16 32 32"}, {"average", "softmax", "aggregate average"},
    {"compare", "softmax", "hold;mask causal;compare"}, {"compare_heads", "softmax", "model random;set heads 8;hold;mask causal;compare"}, {"settings", "softmax", "controls"},
};

bool bench_steps(const char *name, const Budget *budget, int tokens) {
    Typing stepping = {0};
    Fonts *fonts = fonts_open(&stepping.err);
    for (size_t i = 0; fonts && i < sizeof looks / sizeof looks[0] && stepping.err.code == ERR_NONE; i++) {
        char line[64], figure[64];
        if (!open_words(&stepping, fonts, tokens)) break;
        snprintf(line, sizeof line, "stage %s", looks[i].stage);
        snprintf(figure, sizeof figure, "%s_%s", name, looks[i].name);
        if (session_do(stepping.session, line, &stepping.err) && do_all(stepping.session, looks[i].before, &stepping.err))
            bench_print(figure, bench_median(budget, run_step, &stepping), "ms");
        session_close(stepping.session);
        stepping.session = NULL;
    }
    if (stepping.err.code != ERR_NONE) fprintf(stderr, "%s: %s\n", name, stepping.err.message);
    session_close(stepping.session);
    if (fonts) fonts_close(fonts);
    return stepping.err.code == ERR_NONE;
}

/* F2 on a computed number, and the list with the menu of its inputs. */
static double run_inputs(void *ctx) {
    Typing *asking = ctx;
    session_do(asking->session, "edit", &asking->err);
    if (session_list(asking->session)->n == 0) err_set(&asking->err, ERR_INPUT, "the list is empty");
    return -1;
}

bool bench_inputs(const char *name, const Budget *budget, int tokens, int d_model) {
    Typing asking = {0};
    Fonts *fonts = fonts_open(&asking.err);
    char before[128];
    snprintf(before, sizeof before, "model random;set d_model %d;stage output;select out[900,1]", d_model);
    bool good = fonts && open_words(&asking, fonts, tokens) && do_all(asking.session, before, &asking.err);
    if (good) bench_print(name, bench_median(budget, run_inputs, &asking), "ms");
    if (asking.err.code != ERR_NONE) fprintf(stderr, "%s: %s\n", name, asking.err.message);
    session_close(asking.session);
    if (fonts) fonts_close(fonts);
    return good && asking.err.code == ERR_NONE;
}
