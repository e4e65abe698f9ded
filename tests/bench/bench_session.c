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

static bool set_up(Typing *typing, const FontMetrics *font, int tokens) {
    char text[1024] = "";
    size_t used = 0;
    for (int i = 0; i < tokens; i++) used += (size_t)snprintf(text + used, sizeof text - used, "%sword%d", i ? " " : "", i + 1);
    typing->session = session_open(&(SessionOptions){.font = font}, &typing->err);
    if (!typing->session || !session_open_text(typing->session, text, &typing->err)) return false;
    session_resize(typing->session, 1920, 1080);
    if (!session_do(typing->session, "stage softmax", &typing->err)) return false;
    if (!session_do(typing->session, "focus top.field", &typing->err)) return false;
    session_update(typing->session, &(Input){.kind = INPUT_KEY, .key = "End"}, 0); /* to the end, nothing selected */
    return true;
}

bool bench_list(const char *name, const Budget *budget, int tokens) {
    Typing typing = {0};
    Fonts *fonts = fonts_open(&typing.err);
    if (fonts && set_up(&typing, fonts_metrics(fonts), tokens)) {
        double median = bench_median(budget, run_typing, &typing);
        if (session_run(typing.session)->tokens.n != tokens) err_set(&typing.err, ERR_INPUT, "not %d tokens", tokens);
        if (typing.err.code == ERR_NONE) bench_print(name, median, "ms");
    }
    if (typing.err.code != ERR_NONE) fprintf(stderr, "%s: %s\n", name, typing.err.message);
    session_close(typing.session);
    if (fonts) fonts_close(fonts);
    return typing.err.code == ERR_NONE;
}
