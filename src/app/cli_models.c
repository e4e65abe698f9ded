/* models: what the folders on disk hold, and whether it can be run. */
#include <stdio.h>
#include <string.h>

#include "app/cli_commands.h"
#include "app/cli_run.h"
#include "base/file.h"
#include "base/str.h"
#include "model/checkpoint.h"

enum { DEPTH_MAX = 5, FOLDERS_MAX = 4096, COLUMNS = 9, SHORT_HASH = 12 };

static const char *const titles[COLUMNS] = {"FOLDER", "ARCHITECTURE", "LAYERS", "HEADS", "WIDTH", "PARAMETERS", "TOKENIZER", "HASH", "CAN BE RUN"};

/* One folder: its columns, or the folder and why it cannot be run. */
typedef struct {
    const char *column[COLUMNS];
    bool runs;
    const char **unused; int n_unused;
} Line;

typedef struct {
    Arena *arena;
    bool full;
    Line *lines;
    int n, visited;
} List;

/* ---- finding ---- */

static bool has_file(const char *folder, const char *name, Arena *arena) {
    return file_exists(path_join(arena, folder, name));
}

static bool is_model(const char *folder, Arena *arena) {
    return has_file(folder, "config.json", arena) || has_file(folder, "model.safetensors", arena) || has_file(folder, "model.safetensors.index.json", arena);
}

/* ---- describing ---- */

/* "124.4 M" */
static const char *short_count(unsigned long long count, Arena *arena) {
    static const char *const units[] = {"", " k", " M", " G", " T"};
    double value = (double)count;
    int unit = 0;
    while (value >= 999.95 && unit < 4) {
        value /= 1000;
        unit++;
    }
    return arena_printf(arena, "%.*f%s", unit == 0 || value >= 99.95 ? 0 : 1, value, units[unit]);
}

/* Of one stack, or of both: "6+6". */
static const char *of_stacks(const CheckpointInfo *info, bool heads, Arena *arena) {
    StrBuf text;
    sb_init(&text, arena);
    for (int i = 0; i < info->n_stacks; i++) {
        int n = info->stack[i].n_heads, kv = info->stack[i].n_kv_heads;
        sb_printf(&text, "%s%d", i > 0 ? "+" : "", heads ? n : info->stack[i].n_layers);
        if (heads && kv != n) sb_printf(&text, "/%d", kv);
    }
    return text.data;
}

static const char *count_text(const List *list, unsigned long long count) {
    return list->full ? arena_printf(list->arena, "%llu", count) : short_count(count, list->arena);
}

static const char *how_it_runs(const List *list, const CheckpointInfo *info, int unused) {
    Arena *arena = list->arena;
    StrBuf text;
    sb_init(&text, arena);
    sb_add(&text, "yes");
    if (info->seeded) sb_add(&text, ", with random weights (there are none in the folder)");
    if (unused > 0) sb_printf(&text, unused == 1 ? ", %d tensor not used" : ", %d tensors not used", unused);
    if (info->used != info->parameters) sb_printf(&text, " (%s of the parameters are)", count_text(list, info->used));
    if (!info->tokenizer) sb_printf(&text, ", on token ids: %s", info->tokenizer_problem);
    return text.data;
}

static void describe(List *list, const char *folder) {
    Arena *arena = list->arena;
    Line *line = &list->lines[list->n++];
    Checkpoint *checkpoint;
    Err err = {0};
    *line = (Line){.column = {folder}};
    if (!checkpoint_open(folder, 1, &checkpoint, &err)) {
        char text[1200];
        line->column[COLUMNS - 1] = arena_printf(arena, "no: %s", err_format(&err, text, sizeof text));
        return;
    }
    const CheckpointInfo *info = checkpoint_info(checkpoint);
    const char *const columns[COLUMNS] = {
        folder, arena_strdup(arena, info->architecture), of_stacks(info, false, arena), of_stacks(info, true, arena), arena_printf(arena, "%d", info->d_model),
        arena_printf(arena, "%s %s", count_text(list, info->parameters), info->stored_as),
        info->tokenizer ? arena_strdup(arena, info->tokenizer) : "none", arena_strndup(arena, info->hash, list->full ? sizeof info->hash - 1 : SHORT_HASH), NULL};
    memcpy(line->column, columns, sizeof columns);
    line->n_unused = checkpoint_unused(checkpoint, arena, &line->unused);
    for (int i = 0; i < line->n_unused; i++) line->unused[i] = arena_strdup(arena, line->unused[i]);
    line->column[COLUMNS - 1] = how_it_runs(list, info, line->n_unused);
    line->runs = true;
    checkpoint_drop(checkpoint);
}

/* The folder itself, or what is below it. */
static void visit(List *list, const char *folder, int depth) {
    char **names;
    int n;
    if (list->n == FOLDERS_MAX || list->visited++ >= FOLDERS_MAX) return;
    if (is_model(folder, list->arena)) {
        describe(list, folder);
        return;
    }
    if (depth == DEPTH_MAX || !file_list(folder, list->arena, &names, &n, NULL)) return;
    for (int i = 0; i < n; i++) {
        const char *below = path_join(list->arena, folder, names[i]);
        if (names[i][0] != '.' && file_is_folder(below)) visit(list, below, depth + 1);
    }
}

/* ---- printing ---- */

/* Letters, not bytes. */
static int letters(const char *text) {
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static void add_cell(StrBuf *out, const char *text, int width) {
    sb_printf(out, "%s%*s", text, width - letters(text) + 2, "");
}

static void print_lines(const List *list) {
    StrBuf out;
    int width[COLUMNS];
    sb_init(&out, list->arena);
    for (int k = 0; k < COLUMNS; k++) {
        width[k] = letters(titles[k]);
        for (int i = 0; i < list->n; i++)
            if (list->lines[i].column[k] && letters(list->lines[i].column[k]) > width[k]) width[k] = letters(list->lines[i].column[k]);
    }
    for (int k = 0; k < COLUMNS - 1; k++) add_cell(&out, titles[k], width[k]);
    sb_printf(&out, "%s\n", titles[COLUMNS - 1]);
    for (int i = 0; i < list->n; i++) {
        const Line *line = &list->lines[i];
        for (int k = 0; k < COLUMNS - 1; k++) add_cell(&out, line->column[k] ? line->column[k] : "-", width[k]);
        sb_printf(&out, "%s\n", line->column[COLUMNS - 1]);
        for (int u = 0; list->full && u < line->n_unused; u++) sb_printf(&out, "    not used: %s\n", line->unused[u]);
    }
    fputs(out.data, stdout);
}

int cli_models(const CliArgs *args) {
    Err err = {0};
    Arena arena = {0};
    List list = {.arena = &arena, .full = args->full, .lines = ARENA_ARRAY(&arena, Line, (size_t)FOLDERS_MAX + sizeof args->words / sizeof args->words[0])};
    if (args->n_words == 0) {
        err_set(&err, ERR_USAGE, "models needs a folder: attnscope models FOLDER");
        arena_free(&arena);
        return cli_fail(&err);
    }
    for (int i = 0; i < args->n_words; i++) {
        int before = list.n;
        visit(&list, args->words[i], 0);
        if (list.n > before) continue;
        bool folder = file_is_folder(args->words[i]);
        list.lines[list.n++] = (Line){.column = {args->words[i], [COLUMNS - 1] = folder ? "no: no model lies in it (a folder with config.json)" : "no: it is not a folder"}};
    }
    int code = EXIT_DIFFERS;
    for (int i = 0; i < list.n; i++)
        if (list.lines[i].runs) code = EXIT_FINE;
    print_lines(&list);
    arena_free(&arena);
    return code;
}
