#include "doc/history.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { STATES_MAX = 256, BYTES_MAX = 64 << 20, MERGE_MAX = 32 };
static const double PAUSE = 1; /* seconds after which typing is a new step */

typedef struct {
    Doc doc;
    size_t bytes;           /* of blobs that the state before does not hold */
    char merge[MERGE_MAX];  /* run of edits that made it; "" = none */
    double time;            /* of its last change */
} State;

/* A ring: states first … first + n - 1, the present one at `at`. */
struct History {
    Arena arena;
    State ring[STATES_MAX];
    int first, n, at;
    size_t bytes;
};

static State *state_at(History *history, int i) {
    return &history->ring[(history->first + i) % STATES_MAX];
}

static void drop_state(History *history, int i) {
    State *state = state_at(history, i);
    history->bytes -= state->bytes;
    doc_reset(&state->doc);
    *state = (State){0};
}

static void drop_oldest(History *history) {
    drop_state(history, 0);
    history->first = (history->first + 1) % STATES_MAX;
    history->n--;
    history->at--;
    State *oldest = state_at(history, 0); /* it shares with nobody before it now */
    history->bytes -= oldest->bytes;
    oldest->bytes = doc_bytes(&oldest->doc);
    history->bytes += oldest->bytes;
}

static void fill_state(History *history, int i, const Doc *doc, const char *merge, double now) {
    State *state = state_at(history, i);
    history->bytes -= state->bytes;
    doc_copy(&state->doc, doc);
    state->bytes = doc_bytes_beside(doc, i > 0 ? &state_at(history, i - 1)->doc : NULL);
    history->bytes += state->bytes;
    snprintf(state->merge, sizeof state->merge, "%s", merge ? merge : "");
    state->time = now;
}

History *history_open(const Doc *first) {
    Arena arena = {0};
    History *history = ARENA_NEW(&arena, History);
    history->arena = arena;
    history->n = 1;
    fill_state(history, 0, first, NULL, 0);
    return history;
}

void history_close(History *history) {
    if (!history) return;
    for (int i = 0; i < history->n; i++) drop_state(history, i);
    Arena arena = history->arena; /* the history lies in it */
    arena_free(&arena);
}

static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t';
}

/* A letter was put behind a space: a word begins. */
static bool begins_word(const char *before, const char *after) {
    size_t at = 0;
    while (before[at] && before[at] == after[at]) at++;
    bool longer = strlen(after) > strlen(before);
    return longer && at > 0 && is_space(after[at - 1]) && !is_space(after[at]);
}

/* Does a change of this kind go into the state that is there? Typing begins a new step with each word. */
static bool merges(const State *last, const Doc *doc, const char *merge, double now) {
    if (!merge || !*merge || !str_eq(last->merge, merge) || now - last->time > PAUSE || now < last->time) return false;
    return !str_eq(merge, "typing") || !begins_word(doc_text(&last->doc), doc_text(doc));
}

void history_push(History *history, const Doc *doc, const char *merge, double now) {
    State *last = state_at(history, history->at);
    if (doc_equal(&last->doc, doc)) return;
    while (history->n > history->at + 1) drop_state(history, --history->n);
    if (history->at > 0 && merges(last, doc, merge, now)) {
        fill_state(history, history->at, doc, merge, now);
        return;
    }
    if (history->n == STATES_MAX) drop_oldest(history);
    history->n++;
    history->at++;
    fill_state(history, history->at, doc, merge, now);
    while (history->bytes > BYTES_MAX && history->at > 1) drop_oldest(history);
}

static bool move(History *history, int by, Doc *doc) {
    int to = history->at + by;
    if (to < 0 || to >= history->n) return false;
    history->at = to;
    State *state = state_at(history, to);
    state->merge[0] = 0; /* what comes next is a step of its own */
    doc_copy(doc, &state->doc);
    return true;
}

bool history_undo(History *history, Doc *doc) {
    return move(history, -1, doc);
}

bool history_redo(History *history, Doc *doc) {
    return move(history, 1, doc);
}

bool history_can_undo(const History *history) {
    return history->at > 0;
}

bool history_can_redo(const History *history) {
    return history->at + 1 < history->n;
}
