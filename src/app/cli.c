/* Parsing, and what all commands share. */
#include "app/cli.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "backend/png.h"
#include "base/file.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/trace.h"
#include "doc/action.h"
#include "doc/yaml.h"

/* ---- parsing ---- */

static int find_command(const char *word) {
    for (int i = COMMAND_WINDOW + 1; i < COMMAND_COUNT; i++)
        if (str_eq(cli_commands[i].name, word)) return i;
    return -1;
}

static const CliOption *find_option(const char *name, CommandId command) {
    for (int i = 0; i < cli_option_count; i++)
        if (str_eq(cli_options[i].name, name) && (cli_options[i].commands & (1U << command))) return &cli_options[i];
    return NULL;
}

static const CliOption *find_letter(char letter, CommandId command) {
    for (int i = 0; i < cli_option_count; i++)
        if (cli_options[i].letter == letter && (cli_options[i].commands & (1U << command))) return &cli_options[i];
    return NULL;
}

static bool takes_fields(CommandId command) {
    return command == COMMAND_WINDOW || command == COMMAND_EXPORT || command == COMMAND_TRACE || command == COMMAND_EXPLAIN || command == COMMAND_DL;
}

/* The fields that have an option of their own name. */
static bool is_flag(const char *key) {
    return !str_eq(key, "view") && !str_eq(key, "attnscope");
}

/* A key of the scenario file, written with dashes or underscores; NULL = none. */
static const char *find_field(const char *name, Arena *arena) {
    char *key = arena_strdup(arena, name);
    for (char *c = key; *c; c++)
        if (*c == '-') *c = '_';
    const char *const *keys = yaml_keys();
    for (int i = 0; keys[i]; i++)
        if (str_eq(keys[i], key) && is_flag(key)) return keys[i];
    return NULL;
}

/* The commands that have this option, as "export, dl"; "" = none. */
static const char *commands_with(const char *name, Arena *arena) {
    StrBuf list;
    sb_init(&list, arena);
    for (int i = 0; i < cli_option_count; i++)
        for (int c = COMMAND_WINDOW + 1; c < COMMAND_COUNT && str_eq(cli_options[i].name, name); c++)
            if (cli_options[i].commands & (1U << c)) sb_printf(&list, "%s%s", list.length ? ", " : "", cli_commands[c].name);
    return list.length ? list.data : "";
}

static const char *nearest_option(const char *name, CommandId command) {
    const char *best = NULL;
    int least = str_slips(name) + 1;
    for (int i = 0; i < cli_option_count; i++) {
        int d = str_distance(name, cli_options[i].name);
        if ((cli_options[i].commands & (1U << command)) && d < least) least = d, best = cli_options[i].name;
    }
    const char *const *keys = yaml_keys();
    for (int i = 0; takes_fields(command) && keys[i]; i++) {
        int d = str_distance(name, keys[i]);
        if (is_flag(keys[i]) && d < least) least = d, best = keys[i];
    }
    return best;
}

/* "exprot": a command that was meant. */
static const char *nearest_command(const CliArgs *args) {
    const char *word = args->command == COMMAND_WINDOW && args->n_words > 0 ? args->words[0] : "", *best = NULL;
    int least = str_slips(word) + 1;
    for (int i = COMMAND_WINDOW + 1; i < COMMAND_COUNT; i++) {
        int d = str_distance(word, cli_commands[i].name);
        if (d < least) least = d, best = cli_commands[i].name;
    }
    return best;
}

/* `option` with its dashes. */
static bool unknown_option(const char *option, const CliArgs *args, Arena *arena, Err *err) {
    const char *name = option + strspn(option, "-"), *command = cli_commands[args->command].name;
    const char *other = commands_with(name, arena), *meant = nearest_command(args), *near = nearest_option(name, args->command);
    const char *who = command[0] ? command : "the window";
    if (meant) return err_set(err, ERR_USAGE, "there is no option %s for words that begin with \"%s\" - did you mean the command %s?", option, args->words[0], meant);
    if (other[0]) return err_set(err, ERR_USAGE, "%s has no option %s; it belongs to %s", who, option, other);
    if (near && option[1] == '-') return err_set(err, ERR_USAGE, "there is no option %s - did you mean --%s?", option, near);
    return err_set(err, ERR_USAGE, "there is no option %s; attnscope%s%s --help lists them, and words that begin with a dash come behind --", option,
                   command[0] ? " " : "", command);
}

static bool add_field(CliArgs *args, const char *key, const char *value, Err *err) {
    if (args->n_set == CLI_LIST_MAX) return err_set(err, ERR_LIMIT, "more than %d fields on the command line", CLI_LIST_MAX);
    args->set[args->n_set].key = key;
    args->set[args->n_set++].value = value;
    return true;
}

/* The value of an option: behind its '=', or the next argument. */
static const char *take_value(int argc, char **argv, int *at, const char *inside, Err *err) {
    if (inside) return inside;
    if (*at + 1 < argc) return argv[++*at];
    err_set(err, ERR_USAGE, "%s needs a value", argv[*at]);
    return NULL;
}

static bool parse_long(int argc, char **argv, int *at, Arena *arena, CliArgs *out, Err *err) {
    const char *text = argv[*at] + 2, *equals = strchr(text, '=');
    char *name = arena_strndup(arena, text, equals ? (size_t)(equals - text) : strlen(text));
    const char *inside = equals ? equals + 1 : NULL;
    const CliOption *option = find_option(name, out->command);
    const char *key = option || !takes_fields(out->command) ? NULL : find_field(name, arena);
    if (!option && !key) return unknown_option(arena_printf(arena, "--%s", name), out, arena, err);
    if (option && !option->value) {
        if (inside) return err_set(err, ERR_USAGE, "--%s takes no value", name);
        return option->set(out, "", err);
    }
    const char *value = take_value(argc, argv, at, inside, err);
    if (!value) return false;
    return option ? option->set(out, value, err) : add_field(out, key, value, err);
}

static bool parse_letter(int argc, char **argv, int *at, Arena *arena, CliArgs *out, Err *err) {
    const char *text = argv[*at];
    const CliOption *option = find_letter(text[1], out->command);
    if (!option) return unknown_option(text, out, arena, err);
    if (!option->value) return option->set(out, "", err);
    const char *value = take_value(argc, argv, at, text[2] ? text + 2 : NULL, err);
    return value && option->set(out, value, err);
}

static bool add_word(CliArgs *out, const char *word, Err *err) {
    if (out->n_words == (int)(sizeof out->words / sizeof out->words[0]))
        return err_set(err, ERR_LIMIT, "more than %d words on the command line; put them into quotes", out->n_words);
    out->words[out->n_words++] = word;
    return true;
}

static bool check_bytes(int argc, char **argv, Err *err) {
    for (int i = 1; i < argc; i++) {
        size_t length = strlen(argv[i]), good = utf8_valid_until(argv[i], length);
        if (good < length)
            return err_set(err, ERR_INPUT, "argument %d is not UTF-8: byte %zu is 0x%02x", i, good + 1, (unsigned)(unsigned char)argv[i][good]);
    }
    return true;
}

bool cli_parse(int argc, char **argv, Arena *arena, CliArgs *out, Err *err) {
    *out = (CliArgs){.command = COMMAND_WINDOW, .document = 1, .scale = 1};
    if (!check_bytes(argc, argv, err)) return false;
    int at = 1, command = argc > 1 ? find_command(argv[1]) : -1;
    if (command >= 0) out->command = (CommandId)command, at = 2;
    bool only_words = false;
    for (; at < argc; at++) {
        const char *text = argv[at];
        bool ok;
        if (!only_words && str_eq(text, "--")) only_words = ok = true;
        else if (!only_words && str_starts(text, "--")) ok = parse_long(argc, argv, &at, arena, out, err);
        else if (!only_words && text[0] == '-' && text[1]) ok = parse_letter(argc, argv, &at, arena, out, err);
        else ok = add_word(out, text, err);
        if (!ok) return false;
    }
    return true;
}

/* ---- sessions for commands ---- */

static bool save_png(void *fonts, const DisplayList *list, float scale, const char *path, Err *err) {
    return backend_png_write(fonts, list, scale, path, err);
}

static bool is_document_name(const char *word) {
    return str_ends(word, ".yaml") || str_ends(word, ".yml") || str_ends(word, ".safetensors") || str_eq(word, "-");
}

static bool open_input(const CliArgs *args, int n_words, Session *session, Err *err) {
    bool file = n_words == 1 && is_document_name(args->words[0]);
    if (args->document != 1 && (!file || str_ends(args->words[0], ".safetensors")))
        return err_set(err, ERR_USAGE, "--doc %d is for a scenario file with several documents", args->document);
    if (file) return session_open_file(session, args->words[0], args->document - 1, err);
    if (n_words == 0) return true;
    Arena arena = {0};
    StrBuf text;
    sb_init(&text, &arena);
    bool ok = true;
    for (int i = 0; ok && i < n_words; i++) {
        if (is_document_name(args->words[i])) ok = err_set(err, ERR_USAGE, "one file at a time: %s stands beside other words", args->words[i]);
        sb_printf(&text, "%s%s", i > 0 ? " " : "", args->words[i]);
    }
    ok = ok && session_open_text(session, text.data, err);
    arena_free(&arena);
    return ok;
}

/* keep and what it belongs to may stand in any order: it is set before the others, and a custom mask takes it over. */
static bool apply_fields(const CliArgs *args, Session *session, Err *err) {
    bool keep = false, kept = false;
    for (int i = 0; i < 2 * args->n_set; i++) {
        const char *key = args->set[i % args->n_set].key, *value = args->set[i % args->n_set].value;
        bool first = i < args->n_set;
        keep = keep || str_eq(key, "keep");
        if (str_eq(key, "keep") != first || session_set(session, key, value, err)) continue;
        err->line = err->column = 0; /* of the value: no place that anyone could look up */
        return err_key(err, key);
    }
    for (int i = 0; i < session_doc(session)->n_masks; i++) kept = kept || session_doc(session)->masks[i].keep.rank > 0;
    if (keep && !kept) return err_set(err, ERR_USAGE, "--keep is the matrix of a custom mask; --mask sets another one");
    const char *const looks[][2] = {{"theme", args->theme}, {"palette", args->palette}};
    for (int i = 0; i < 2; i++) {
        char line[256];
        if (!looks[i][1]) continue;
        snprintf(line, sizeof line, "%s \"%s\"", looks[i][0], looks[i][1]);
        if (!session_do(session, line, err)) return false;
    }
    return true;
}

static int stage_number(const char *text) {
    int number;
    if (str_to_int(text, &number)) return number - 1;
    for (int i = 0; i < STAGE_KIND_COUNT; i++)
        if (str_eq(stage_name((StageKind)i), text)) return i;
    return -1;
}

/* Does this action say where the film is to stand? */
static bool moves_film(const char *action) {
    static const char *const names[] = {"next", "back", "stage", "stage.next", "stage.back", "step", "seek", "play", "film.home", "film.end"};
    ActionLine line;
    return action_parse(action, &line, NULL) && str_find(names, sizeof names / sizeof names[0], line.arg[0]) >= 0;
}

static bool apply_stage(const CliArgs *args, Session *session, Err *err) {
    int stage = args->stage ? stage_number(args->stage) : session_view(session)->film.stage;
    if (stage < 0) return err_set(err, ERR_USAGE, "there is no stage \"%s\"; stages are embed, project, scores, scale, mask, softmax, wsum, "
                                                  "concat, output, or 1 to 9", args->stage);
    return session_show(session, stage, args->step > 0 ? args->step : -1, err);
}

/* --stage and --step hold before the first action that moves the film, which goes on from there; else after all. A picture
 * that nobody has moved shows its stage finished. */
static bool apply_view(const CliArgs *args, Session *session, Err *err) {
    bool picture = args->command == COMMAND_EXPORT || args->command == COMMAND_DL, moved = false, asked = args->stage || args->step > 0;
    for (int i = 0; i < args->n_actions; i++) {
        if (!moved && moves_film(args->action[i])) {
            moved = true;
            if (asked && !apply_stage(args, session, err)) return false;
        }
        if (!session_do(session, args->action[i], err)) return false;
    }
    bool finish = picture && session_view(session)->film.position <= 0;
    if (!moved && (asked || finish) && !apply_stage(args, session, err)) return false;
    int head;
    return !args->head || !str_to_int(args->head, &head) || session_show_head(session, head - 1, err);
}

bool cli_open(const CliArgs *args, int n_words, const char *state_folder, CliRun *out, Err *err) {
    *out = (CliRun){0};
    SessionOptions options = {.state_folder = state_folder};
    bool draws = args->command == COMMAND_WINDOW || args->command == COMMAND_EXPORT || args->command == COMMAND_DL || args->n_actions > 0;
    if (draws) { /* numbers alone need no fonts */
        out->fonts = fonts_open(err);
        if (!out->fonts) return false;
        options.font = fonts_metrics(out->fonts);
        options.save_picture = save_png;
        options.save_ctx = out->fonts;
    }
    out->session = session_open(&options, err);
    if (!out->session) return false;
    session_resize(out->session, args->width > 0 ? args->width : 1600, args->height > 0 ? args->height : 1000);
    bool ok = open_input(args, n_words, out->session, err) && apply_fields(args, out->session, err) && session_need_run(out->session, err);
    ok = ok && apply_view(args, out->session, err) && session_need_run(out->session, err);
    if (ok) session_begin(out->session);
    return ok;
}

void cli_close(CliRun *run) {
    session_close(run->session);
    if (run->fonts) fonts_close(run->fonts);
}

int cli_fail(const Err *err) {
    char text[1200];
    fprintf(stderr, "attnscope: %s\n", err_format(err, text, sizeof text));
    return EXIT_BAD;
}

bool cli_write(const char *path, const void *data, size_t size, Err *err) {
    return file_write(path ? path : "-", data, size, err);
}

int cli_main(int argc, char **argv) {
    setlocale(LC_CTYPE, "");
    setlocale(LC_MESSAGES, ""); /* numbers stay in the C locale */
    Arena arena = {0};
    CliArgs *args = ARENA_NEW(&arena, CliArgs);
    Err err = {0};
    int code;
    if (!cli_parse(argc, argv, &arena, args, &err)) code = cli_fail(&err);
    else if (args->version) code = printf("attnscope %s\n", ATTNSCOPE_VERSION) > 0 ? EXIT_FINE : EXIT_BAD;
    else if (args->help) code = cli_help(args);
    else code = cli_commands[args->command].run(args);
    if ((fflush(stdout) != 0 || ferror(stdout)) && code != EXIT_BAD) {
        err_set(&err, ERR_IO, "standard output cannot be written");
        code = cli_fail(&err);
    }
    arena_free(&arena);
    return code;
}
