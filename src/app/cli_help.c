/* help, actions and the manual page: printed from the tables. */
#include <stdio.h>
#include <string.h>

#include "app/cli_commands.h"
#include "app/cli_run.h"
#include "base/str.h"
#include "doc/action.h"
#include "doc/yaml.h"

/* Words of a text in lines of at most `width` characters, each begun with `indent` spaces. */
static void wrap(StrBuf *out, const char *text, int indent, int width) {
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + length > width) {
            sb_add(out, "\n");
            column = 0;
        }
        if (column == 0) sb_printf(out, "%*s", indent, "");
        else sb_add(out, " ");
        sb_add_n(out, text, (size_t)length);
        column = column == 0 ? indent + length : column + 1 + length;
        text += length;
        while (*text == ' ') text++;
    }
    sb_add(out, "\n");
}

static const char *option_head(const CliOption *option, Arena *arena) {
    const char *letter = option->letter ? arena_printf(arena, "-%c, ", option->letter) : "";
    return arena_printf(arena, "%s--%s%s%s", letter, option->name, option->value ? " " : "", option->value ? option->value : "");
}

static const char *field_list(Arena *arena) {
    const char *text = "";
    const char *const *keys = yaml_keys();
    for (int i = 0; keys[i]; i++) {
        if (str_eq(keys[i], "attnscope") || str_eq(keys[i], "view")) continue;
        text = arena_printf(arena, "%s%s--%s", text, text[0] ? " " : "", keys[i]);
    }
    return text;
}

static void help_command(CommandId id, StrBuf *out) {
    const CliCommand *command = &cli_commands[id];
    sb_printf(out, "Usage: %s\n\n", command->usage);
    wrap(out, command->help, 0, 90);
    if (command->more[0]) {
        sb_add(out, "\n");
        wrap(out, command->more, 0, 90);
    }
    if (id == COMMAND_WINDOW) {
        sb_add(out, "\nCommands:\n");
        for (int i = COMMAND_WINDOW + 1; i < COMMAND_COUNT; i++) sb_printf(out, "  %-9s %s\n", cli_commands[i].name, cli_commands[i].help);
    }
    sb_add(out, "\nOptions:\n");
    for (int i = 0; i < cli_option_count; i++)
        if (cli_options[i].commands & (1U << id)) {
            sb_printf(out, "  %s\n", option_head(&cli_options[i], out->arena));
            wrap(out, cli_options[i].help, 6, 90);
        }
    if (!cli_commands[id].fields) return;
    sb_add(out, "\nEvery key of a scenario file is an option too, such as --mask causal or --heads 2:\n");
    wrap(out, field_list(out->arena), 2, 90);
}

static int wider(int width, const char *text) {
    int length = (int)strlen(text);
    return length > width ? length : width;
}

/* Columns as wide as their widest text and two spaces, under titles: a person and a script can read it. */
static void actions_text(CommandId topic, StrBuf *out) {
    (void)topic;
    static const char *const titles[] = {"ACTION", "ARGUMENTS", "KEYS", "WHAT IT DOES"};
    int name = (int)strlen(titles[0]), args = (int)strlen(titles[1]), keys = (int)strlen(titles[2]);
    for (int i = 0; i < action_count; i++) {
        name = wider(name, action_table[i].name);
        args = wider(args, action_table[i].args);
        keys = wider(keys, action_table[i].keys);
    }
    sb_printf(out, "%-*s  %-*s  %-*s  %s\n", name, titles[0], args, titles[1], keys, titles[2], titles[3]);
    for (int i = 0; i < action_count; i++) {
        const Action *action = &action_table[i];
        sb_printf(out, "%-*s  %-*s  %-*s  %s\n", name, action->name, args, action->args, keys, action->keys, action->help);
    }
}

/* ---- the manual page ---- */

static void roff(StrBuf *out, const char *text) {
    if (text[0] == '.' || text[0] == '\'') sb_add(out, "\\&");
    for (const char *c = text; *c; c++) {
        if (*c == '-') sb_add(out, "\\-");
        else if (*c == '\\') sb_add(out, "\\e");
        else sb_add_n(out, c, 1);
    }
}

static void roff_item(StrBuf *out, const char *head, const char *text) {
    sb_add(out, ".TP\n.B ");
    roff(out, head);
    sb_add(out, "\n");
    roff(out, text);
    sb_add(out, "\n");
}

static void man_commands(StrBuf *out) {
    sb_add(out, ".SH COMMANDS\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        roff_item(out, cli_commands[i].usage, cli_commands[i].help);
        if (cli_commands[i].more[0]) {
            roff(out, cli_commands[i].more);
            sb_add(out, "\n");
        }
    }
}

static const char *used_by(const CliOption *option, Arena *arena) {
    const char *text = "";
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (option->commands & (1U << i))
            text = arena_printf(arena, "%s%s%s", text, text[0] ? ", " : "", cli_commands[i].name[0] ? cli_commands[i].name : "the window");
    return text;
}

static void man_options(StrBuf *out) {
    sb_add(out, ".SH OPTIONS\n");
    for (int i = 0; i < cli_option_count; i++)
        roff_item(out, option_head(&cli_options[i], out->arena),
                  arena_printf(out->arena, "%s (%s)", cli_options[i].help, used_by(&cli_options[i], out->arena)));
    sb_add(out, ".PP\nEvery key of a scenario file is an option too:\n");
    roff(out, field_list(out->arena));
    sb_add(out, "\n");
}

static void man_actions(StrBuf *out) {
    sb_add(out, ".SH ACTIONS\nWhat keys, clicks, menus and \\fB\\-\\-do\\fR run.\n");
    for (int i = 0; i < action_count; i++) {
        const Action *action = &action_table[i];
        const char *head = arena_printf(out->arena, "%s %s", action->name, action->args);
        const char *text = action->keys[0] ? arena_printf(out->arena, "%s (%s)", action->help, action->keys) : action->help;
        roff_item(out, head, text);
    }
}

static void man_text(CommandId topic, StrBuf *out) {
    (void)topic;
    sb_printf(out, ".TH ATTNSCOPE 1 \"\" \"attnscope %s\"\n.SH NAME\nattnscope \\- watch transformer attention, number by number\n", ATTNSCOPE_VERSION);
    sb_add(out, ".SH SYNOPSIS\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        roff(out, cli_commands[i].usage);
        sb_add(out, "\n.br\n");
    }
    man_commands(out);
    man_options(out);
    man_actions(out);
    sb_add(out, ".SH EXIT STATUS\n");
    roff_item(out, "0", "All is well.");
    roff_item(out, "1", "check: something differs. trace --strict: something is diagnosed.");
    roff_item(out, "2", "Bad usage or input; one line on standard error says what is wrong and what would be right.");
    sb_add(out, ".SH ENVIRONMENT\n");
    roff_item(out, "ATTNSCOPE_DATA", "Folder with the assets, looked at before the built and the installed ones.");
    roff_item(out, "ATTNSCOPE_SCALE", "Window units for one unit of the interface, on displays with small pixels.");
    roff_item(out, "ATTNSCOPE_RENDERER", "Another renderer of the window than the software one: accelerated, opengl.");
    roff_item(out, "ATTNSCOPE_FIRST_FRAME", "When set, the window says \"first frame\" on standard output once it is drawn, and closes.");
    roff_item(out, "XDG_STATE_HOME", "Where what is not saved is kept, should the program end uncleanly or be closed; ~/.local/state without it.");
    roff_item(out, "XDG_CONFIG_HOME", "Where the window keeps theme, colours, speed, text size, motion, language and the choices of the export dialog, in attnscope/settings; ~/.config without it.");
}

static bool find_topic(const CliArgs *args, CommandId *out, Err *err) {
    *out = args->help ? args->command : COMMAND_WINDOW;
    if (args->command != COMMAND_HELP || args->n_words == 0) return true;
    int found = cli_command_find(args->words[0]);
    if (found >= 0) *out = (CommandId)found;
    return found >= 0 || err_set(err, ERR_USAGE, "there is no command \"%s\"; attnscope help lists them", args->words[0]);
}

/* What `make` writes, on standard output. */
static int print(void (*make)(CommandId topic, StrBuf *out), CommandId topic) {
    Arena arena = {0};
    StrBuf out;
    Err err = {0};
    sb_init(&out, &arena);
    make(topic, &out);
    bool ok = cli_write(NULL, out.data, out.length, &err);
    arena_free(&arena);
    return ok ? EXIT_FINE : cli_fail(&err);
}

int cli_actions(const CliArgs *args) {
    Err err = {0};
    if (args->n_words == 0) return print(actions_text, COMMAND_ACTIONS);
    err_set(&err, ERR_USAGE, "actions takes no words, found \"%s\"", args->words[0]);
    return cli_fail(&err);
}

int cli_help(const CliArgs *args) {
    Err err = {0};
    CommandId topic;
    if (args->man) return print(man_text, COMMAND_HELP);
    return find_topic(args, &topic, &err) ? print(help_command, topic) : cli_fail(&err);
}
