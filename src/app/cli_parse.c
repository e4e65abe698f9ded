#include "app/cli_parse.h"

#include <string.h>

#include "base/lang.h"
#include "base/str.h"
#include "base/utf8.h"
#include "doc/yaml.h"

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
    StrNearest near = str_nearest(name);
    for (int i = 0; i < cli_option_count; i++)
        if (cli_options[i].commands & (1U << command)) str_offer(&near, cli_options[i].name);
    const char *const *keys = yaml_keys();
    for (int i = 0; cli_commands[command].fields && keys[i]; i++)
        if (is_flag(keys[i])) str_offer(&near, keys[i]);
    return near.word;
}

/* "exprot": a command that was meant. */
static const char *nearest_command(const CliArgs *args) {
    StrNearest near = str_nearest(args->command == COMMAND_WINDOW && args->n_words > 0 ? args->words[0] : "");
    for (int i = COMMAND_WINDOW + 1; i < COMMAND_COUNT; i++) str_offer(&near, cli_commands[i].name);
    return near.word;
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
    const char *key = option || !cli_commands[out->command].fields ? NULL : find_field(name, arena);
    if (!option && !key) return unknown_option(arena_printf(arena, "--%s", name), out, arena, err);
    if (option && !option->value) {
        if (inside) return err_set(err, ERR_USAGE, "--%s takes no value", name);
        return option->set(option, "", out, err);
    }
    const char *value = take_value(argc, argv, at, inside, err);
    if (!value) return false;
    return option ? option->set(option, value, out, err) : add_field(out, key, value, err);
}

static bool parse_letter(int argc, char **argv, int *at, Arena *arena, CliArgs *out, Err *err) {
    const char *text = argv[*at];
    const CliOption *option = find_letter(text[1], out->command);
    if (!option) return unknown_option(text, out, arena, err);
    if (!option->value) return option->set(option, "", out, err);
    const char *value = take_value(argc, argv, at, text[2] ? text + 2 : NULL, err);
    return value && option->set(option, value, out, err);
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
    *out = (CliArgs){.command = COMMAND_WINDOW, .document = 1, .scale = 1, .speaks = lang_environment()};
    if (!check_bytes(argc, argv, err)) return false;
    int at = 1, command = argc > 1 ? cli_command_find(argv[1]) : -1;
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
