/* A place of a tensor in words. */
#include <string.h>

#include "base/tr.h"
#include "core/mistake.h"

static char *of_key(const int *i, Arena *arena) { return arena_printf(arena, tr("[head %d, query %d, key %d]"), i[0] + 1, i[1] + 1, i[2] + 1); }
static char *of_cell(const int *i, Arena *arena) { return arena_printf(arena, tr("[query %d, key %d]"), i[0] + 1, i[1] + 1); }
static char *of_row(const int *i, Arena *arena) { return arena_printf(arena, tr("[head %d, query %d]"), i[0] + 1, i[1] + 1); }
static char *of_query(const int *i, Arena *arena) { return arena_printf(arena, tr("[head %d, query %d, feature %d]"), i[0] + 1, i[1] + 1, i[2] + 1); }
static char *of_value(const int *i, Arena *arena) { return arena_printf(arena, tr("[head %d, key %d, feature %d]"), i[0] + 1, i[1] + 1, i[2] + 1); }
static char *of_token(const int *i, Arena *arena) { return arena_printf(arena, tr("[token %d, feature %d]"), i[0] + 1, i[1] + 1); }
static char *of_one(const int *i, Arena *arena) { return arena_printf(arena, "[%d]", i[0] + 1); }
static char *of_three(const int *i, Arena *arena) { return arena_printf(arena, "[%d, %d, %d]", i[0] + 1, i[1] + 1, i[2] + 1); }
static char *of_four(const int *i, Arena *arena) { return arena_printf(arena, "[%d, %d, %d, %d]", i[0] + 1, i[1] + 1, i[2] + 1, i[3] + 1); }

/* What the axes count, by the tensor's name; others by their rank. */
static const struct {
    const char *names; /* each between spaces; NULL: all others */
    int rank;
    char *(*words)(const int *index, Arena *arena);
} places[] = {
    {" scores scaled bias masked exp weights mask ", 3, of_key}, {" mask ", 2, of_cell},  {" row_max row_sum ", 2, of_row},
    {" q q_rope head_out ", 3, of_query},                         {" k v k_rope ", 3, of_value}, {NULL, 1, of_one},
    {NULL, 2, of_token},                                          {NULL, 3, of_three},         {NULL, 4, of_four},
};

static bool is_among(const char *names, const char *name) {
    size_t length = strlen(name);
    for (const char *at = names; length > 0 && (at = strstr(at, name)) != NULL; at += length)
        if (at > names && at[-1] == ' ' && at[length] == ' ') return true;
    return false;
}

char *mistake_place(const char *name, int rank, const int index[TENSOR_RANK_MAX], Arena *arena) {
    for (size_t n = 0; n < sizeof places / sizeof *places; n++)
        if (places[n].rank == rank && (!places[n].names || is_among(places[n].names, name))) return places[n].words(index, arena);
    return arena_strdup(arena, "");
}
