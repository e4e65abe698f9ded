/* The two tables, and what each option does. */
#include <stdio.h>

#include "app/cli.h"
#include "base/str.h"

#define BIT(command) (1U << (command))

enum {
    ALL = (1 << COMMAND_COUNT) - 1,
    LOOKS = 1 << COMMAND_WINDOW | 1 << COMMAND_EXPORT | 1 << COMMAND_DL,
    INPUTS = LOOKS | 1 << COMMAND_TRACE | 1 << COMMAND_EXPLAIN,
};

const CliCommand cli_commands[COMMAND_COUNT] = {
    [COMMAND_WINDOW] = {"", "attnscope [FILE.yaml | FILE.safetensors | WORDS...] [OPTIONS]",
                        "Open the window: on a scenario, on a trace file, on words, or on the default sentence.", "", window_main},
    [COMMAND_EXPORT] = {"export", "attnscope export [FILE | WORDS...] -o FILE.png [OPTIONS]", "Write a picture without a window.",
                        "Without --head the whole screen is drawn, 1600x1000 unless --size says otherwise. With --head N the map of that "
                        "head is drawn as a figure of at most 1000x800 with title, axis words, labels, numbers and legend; with --head all those of "
                        "all heads on one sheet, which grows until its numbers can be read. Without --stage the picture is that of the first stage; "
                        "without --step, or an action that moves the film, the stage is finished.",
                        cli_export},
    [COMMAND_TRACE] = {"trace", "attnscope trace [FILE | WORDS...] [-o FILE.json | -o FILE.safetensors] [--strict]",
                       "Write every number of every stage.",
                       "JSON on standard output, or a file; a trace file when the name ends in .safetensors. Numbers that are not finite "
                       "are the strings \"NaN\", \"Infinity\" and \"-Infinity\".",
                       cli_trace},
    [COMMAND_EXPLAIN] = {"explain", "attnscope explain [FILE | WORDS...] 'TENSOR[INDEX,...]'", "Say in words how one number comes about.",
                         "Positions count from 1; tokens may be named: 'weights[2,sat,cat]', 'scores[1,the#2,cat]'. Quote it, so that the "
                         "shell leaves the brackets alone.",
                         cli_explain},
    [COMMAND_CHECK] = {"check", "attnscope check FILE.safetensors...", "Compute trace files again and compare every output in them.",
                       "One line a tensor: the largest difference, its tolerance, and whether it agrees. Where the file names no "
                       "tolerance it is 1e-5 times the largest value, at least 1e-5.",
                       cli_check},
    [COMMAND_DL] = {"dl", "attnscope dl [FILE | WORDS...] [OPTIONS]", "Print the picture as a display list, one line a command.", "", cli_dl},
    [COMMAND_ACTIONS] = {"actions", "attnscope actions", "List every action with its arguments and keys.",
                         "An action is what a key, a click, a menu and --do have in common.", cli_actions},
    [COMMAND_HELP] = {"help", "attnscope help [COMMAND]", "Say how a command is used.", "", cli_help},
};

/* ---- what options do ---- */

static bool set_output(CliArgs *args, const char *value, Err *err) {
    if (value[0] == '\0') return err_set(err, ERR_USAGE, "-o needs the name of a file");
    args->output = value;
    return true;
}

static bool set_stage(CliArgs *args, const char *value, Err *err) {
    (void)err;
    args->stage = value;
    return true;
}

static bool set_head(CliArgs *args, const char *value, Err *err) {
    int head;
    if (!str_eq(value, "all") && (!str_to_int(value, &head) || head < 1))
        return err_set(err, ERR_USAGE, "--head takes a number from 1 or all, found \"%s\"", value);
    args->head = value;
    return true;
}

static bool set_count(const char *name, const char *value, int *out, Err *err) {
    if (!str_to_int(value, out) || *out < 1) return err_set(err, ERR_USAGE, "--%s takes a number from 1, found \"%s\"", name, value);
    return true;
}

static bool set_step(CliArgs *args, const char *value, Err *err) { return set_count("step", value, &args->step, err); }
static bool set_document(CliArgs *args, const char *value, Err *err) { return set_count("doc", value, &args->document, err); }

static bool set_size(CliArgs *args, const char *value, Err *err) {
    int width, height, used = 0;
    bool good = sscanf(value, "%dx%d%n", &width, &height, &used) == 2 && value[used] == '\0';
    if (!good || width < 200 || height < 150 || width > 16384 || height > 16384)
        return err_set(err, ERR_USAGE, "--size takes WIDTHxHEIGHT from 200x150 to 16384x16384, such as 1600x1000, found \"%s\"", value);
    args->width = (float)width;
    args->height = (float)height;
    return true;
}

static bool set_scale(CliArgs *args, const char *value, Err *err) {
    if (!str_to_double(value, &args->scale) || !(args->scale >= 0.1 && args->scale <= 16))
        return err_set(err, ERR_USAGE, "--scale takes a number from 0.1 to 16, found \"%s\"", value);
    return true;
}

static bool add_action(CliArgs *args, const char *value, Err *err) {
    if (args->n_actions == CLI_LIST_MAX) return err_set(err, ERR_LIMIT, "more than %d actions on the command line", CLI_LIST_MAX);
    args->action[args->n_actions++] = value;
    return true;
}

static bool set_theme(CliArgs *args, const char *value, Err *err) {
    (void)err;
    args->theme = value;
    return true;
}

static bool set_palette(CliArgs *args, const char *value, Err *err) {
    (void)err;
    args->palette = value;
    return true;
}

static bool set_strict(CliArgs *args, const char *value, Err *err) {
    (void)value, (void)err;
    args->strict = true;
    return true;
}

static bool set_man(CliArgs *args, const char *value, Err *err) {
    (void)value, (void)err;
    args->man = true;
    return true;
}

static bool set_help(CliArgs *args, const char *value, Err *err) {
    (void)value, (void)err;
    args->help = true;
    return true;
}

static bool set_version(CliArgs *args, const char *value, Err *err) {
    (void)value, (void)err;
    args->version = true;
    return true;
}

const CliOption cli_options[] = {
    {"output", 'o', "FILE", BIT(COMMAND_EXPORT) | BIT(COMMAND_TRACE), "Where to write; - is standard output.", set_output},
    {"stage", 0, "NAME|N", LOOKS, "Stage to show: embed, project, scores, scale, mask, softmax, wsum, concat, output, or 1 to 9.", set_stage},
    {"step", 0, "N", LOOKS, "Step in the stage, from 1; without it the stage is finished.", set_step},
    {"head", 0, "N|all", LOOKS, "Head to show, from 1; for export and dl: its map as a figure.", set_head},
    {"size", 0, "WxH", LOOKS, "Size of the picture or window.", set_size},
    {"scale", 0, "X", BIT(COMMAND_EXPORT), "Pixels for one unit of the picture.", set_scale},
    {"theme", 0, "NAME", LOOKS, "light, dark or print.", set_theme},
    {"palette", 0, "NAME", LOOKS, "Colours of the weights: theme, viridis, cividis, grey, ylorrd.", set_palette},
    {"do", 0, "ACTION", INPUTS, "Run an action first, such as --do \"select weights[2,sat,cat]\"; may be repeated.", add_action},
    {"doc", 0, "N", INPUTS, "Which document of a file with several, from 1.", set_document},
    {"strict", 0, NULL, BIT(COMMAND_TRACE), "Exit with 1 when something is diagnosed, such as a row that does not sum to 1.", set_strict},
    {"man", 0, NULL, BIT(COMMAND_HELP), "Print the manual page's source.", set_man},
    {"help", 'h', NULL, ALL, "Say how the command is used.", set_help},
    {"version", 0, NULL, ALL, "Print the version.", set_version},
};
const int cli_option_count = sizeof cli_options / sizeof cli_options[0];
