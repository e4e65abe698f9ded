#include "doc/history.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { STATES_MAX = 256, BYTES_MAX = 64 << 20, MERGE_MAX = 32, DROPPED_MAX = 8 };
static const double PAUSE = 1; /* seconds after which typing is a new step */

/* A document that was opened or begun; all its states point here. */
typedef struct {
    const char *path;  /* "" = none */
    Doc safe;          /* as it can be had again; all zero = not at all */
    int states;        /* how many point here; 0 = free for the next */
} Origin;

typedef struct {
    Doc doc;
    Origin *origin;
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
    Origin origins[STATES_MAX + 1]; /* one more than states: there is always a free one */
    Doc dropped[DROPPED_MAX];       /* unsaved documents that the ring had no room for, oldest first */
    int n_dropped;
};

static State *state_at(History *history, int i) {
    return &history->ring[(history->first + i) % STATES_MAX];
}

static const State *state_of(const History *history, int i) {
    return &history->ring[(history->first + i) % STATES_MAX];
}

/* ---- origins ---- */

static void leave_origin(State *state) {
    if (state->origin && --state->origin->states == 0) doc_reset(&state->origin->safe);
    state->origin = NULL;
}

static void join_origin(State *state, Origin *origin) {
    if (state->origin == origin) return;
    leave_origin(state);
    state->origin = origin;
    origin->states++;
}

static Origin *new_origin(History *history) {
    Origin *origin = history->origins;
    while (origin->states > 0) origin++;
    *origin = (Origin){.path = ""};
    return origin;
}

/* Is this the last that is known of its document, and nowhere else? */
static bool is_unsaved(const History *history, int i) {
    const State *state = state_of(history, i);
    bool newest = i == history->at || state_of(history, i + 1)->origin != state->origin;
    return newest && !doc_equal(&state->doc, &state->origin->safe);
}

static void keep_dropped(History *history, const Doc *doc) {
    if (history->n_dropped == DROPPED_MAX) {
        doc_reset(&history->dropped[0]);
        memmove(history->dropped, history->dropped + 1, (DROPPED_MAX - 1) * sizeof(Doc));
        history->dropped[--history->n_dropped] = (Doc){0};
    }
    doc_copy(&history->dropped[history->n_dropped++], doc);
}

/* ---- states ---- */

static void drop_state(History *history, int i) {
    State *state = state_at(history, i);
    history->bytes -= state->bytes;
    doc_reset(&state->doc);
    leave_origin(state);
    *state = (State){0};
}

static void drop_oldest(History *history) {
    if (is_unsaved(history, 0)) keep_dropped(history, &state_at(history, 0)->doc);
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
    join_origin(state_at(history, 0), new_origin(history));
    history_saved(history, "");
    return history;
}

void history_close(History *history) {
    if (!history) return;
    for (int i = 0; i < history->n; i++) drop_state(history, i);
    for (int i = 0; i < history->n_dropped; i++) doc_reset(&history->dropped[i]);
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
    if (!merge || !*merge || !str_eq(last->merge, merge)) return false;
    if (str_eq(merge, "drag")) return true;
    if (now - last->time > PAUSE || now < last->time) return false;
    return !str_eq(merge, "typing") || !begins_word(doc_text(&last->doc), doc_text(doc));
}

static void drop_redo(History *history) {
    while (history->n > history->at + 1) drop_state(history, --history->n);
}

static void add_state(History *history, const Doc *doc, Origin *origin, const char *merge, double now) {
    if (history->n == STATES_MAX) drop_oldest(history);
    history->n++;
    history->at++;
    fill_state(history, history->at, doc, merge, now);
    join_origin(state_at(history, history->at), origin);
    while (history->bytes > BYTES_MAX && history->at > 1) drop_oldest(history);
}

void history_push(History *history, const Doc *doc, const char *merge, double now) {
    State *last = state_at(history, history->at);
    if (doc_equal(&last->doc, doc)) return;
    drop_redo(history);
    if (history->at > 0 && merges(last, doc, merge, now)) fill_state(history, history->at, doc, merge, now);
    else add_state(history, doc, last->origin, merge, now);
}

void history_part(History *history) {
    state_at(history, history->at)->merge[0] = 0;
}

void history_begin(History *history, const Doc *doc, const char *path, bool safe, double now) {
    State *last = state_at(history, history->at);
    if (!doc_equal(&last->doc, doc)) {
        drop_redo(history);
        add_state(history, doc, new_origin(history), NULL, now);
    }
    last = state_at(history, history->at); /* the same document again is no step */
    last->merge[0] = 0;
    last->origin->path = arena_strdup(&history->arena, path);
    if (safe) doc_copy(&last->origin->safe, doc);
    else doc_reset(&last->origin->safe);
}

void history_start(History *history) {
    drop_redo(history);
    while (history->at > 0) {
        drop_state(history, 0);
        history->first = (history->first + 1) % STATES_MAX;
        history->n--;
        history->at--;
    }
    State *first = state_at(history, 0);
    history->bytes += doc_bytes(&first->doc) - first->bytes; /* it shares with nobody now */
    first->bytes = doc_bytes(&first->doc);
    first->merge[0] = 0;
    history_saved(history, first->origin->path);
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

void history_forget_redo(History *history) {
    drop_redo(history);
}

bool history_can_undo(const History *history) {
    return history->at > 0;
}

bool history_can_redo(const History *history) {
    return history->at + 1 < history->n;
}

/* ---- files ---- */

const char *history_path(const History *history) {
    return state_of(history, history->at)->origin->path;
}

void history_saved(History *history, const char *path) {
    const State *state = state_of(history, history->at);
    state->origin->path = arena_strdup(&history->arena, path);
    doc_copy(&state->origin->safe, &state->doc);
}

bool history_is_safe(const History *history) {
    const State *state = state_of(history, history->at);
    return doc_equal(&state->doc, &state->origin->safe);
}

int history_unsaved(const History *history, const Doc *out[HISTORY_UNSAVED_MAX]) {
    int n = 0;
    for (int i = 0; i < history->n_dropped; i++) out[n++] = &history->dropped[i];
    for (int i = history->at; i >= 0 && n < HISTORY_UNSAVED_MAX; i--) /* the newest first, as far as there is room */
        if (is_unsaved(history, i)) out[n++] = &state_of(history, i)->doc;
    for (int a = history->n_dropped, b = n - 1; a < b; a++, b--) {
        const Doc *swap = out[a];
        out[a] = out[b];
        out[b] = swap;
    }
    return n;
}
