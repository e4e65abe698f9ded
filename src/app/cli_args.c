#include "app/cli_args.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/export.h"
#include "backend/movie.h"
#include "base/str.h"

#define BIT(command) (1U << (command))

enum {
    ALL = (1 << COMMAND_COUNT) - 1,
    LOOKS = 1 << COMMAND_WINDOW | 1 << COMMAND_EXPORT | 1 << COMMAND_DL | 1 << COMMAND_NARRATE,
    INPUTS = LOOKS | 1 << COMMAND_TRACE | 1 << COMMAND_EXPLAIN | 1 << COMMAND_COPY,
};

const CliCommand cli_commands[COMMAND_COUNT] = {
    [COMMAND_WINDOW] = {"", "attnscope [FILE | FOLDER] [WORDS...] [OPTIONS]",
                        "Open the window: on a scenario (.yaml), a picture that was exported (.png, .svg), a trace file or tensors of your own (.safetensors), a map of weights (.npy, .csv, .json), a model's folder, words, or the default sentence.",
                        "A model's folder is what people get from a model hub: config.json, model.safetensors (or shards with "
                        "model.safetensors.index.json) and a tokenizer (tokenizer.json, or vocab.json and merges.txt, or vocab.txt). "
                        "--model FOLDER names one for every command, such as attnscope --model gpt2 \"The cat sat\"; nothing is "
                        "downloaded. GPT-2, GPT-Neo, GPT-NeoX, BERT, DistilBERT, RoBERTa, ALBERT, Llama, Mistral, Qwen2, T5, BART, "
                        "Marian and Pegasus are known. A folder with config.json alone gets random weights; without a tokenizer the text is a "
                        "list of token ids, such as 5 6 7.",
                        true},
    [COMMAND_EXPORT] = {"export", "attnscope export [FILE... | WORDS...] -o FILE.png|svg|pdf|gif [OPTIONS]", "Write a picture, a film, or many, without a window.",
                        "Without --what and --head the whole screen is drawn, 1600x1000 unless --size says otherwise. With --head N the map of that "
                        "head is drawn as a figure with title, axis words, labels, numbers and legend, with --head all those of all heads on one "
                        "sheet; each is as large as it needs to be read. Without --stage the picture is that of the first stage; "
                        "without --step, or an action that moves the film, the stage is finished. Of a model from a folder --layer chooses the "
                        "layer, and --overview draws the maps of all layers and heads. The name's ending says the format; a name in .gif is a film of the stage, "
                        "without --stage of all stages. A PNG or SVG holds its scenario and opens again. "
                        "Several scenarios, or {name}, {doc}, {stage}, {head} and {ext} in the file's name, make several pictures: a part that no option "
                        "fixes runs over all there is, {ext} over the formats of --format. A bad file does not stop the others; it is told, and the exit code is 1.",
                        true},
    [COMMAND_NARRATE] = {"narrate", "attnscope narrate [FILE | WORDS...] [OPTIONS]", "Tell the picture in plain sentences, for people who cannot see it.",
                         "It says where the film stands, what is computed, the number in view with what it is made of, and the rows of the "
                         "stage's map: \"sat reads cat 0.94, The 0.03\". The number in view is the selected one, else the film's: "
                         "--stage softmax --do \"select weights[2,sat,cat]\". Of long inputs it tells the 12 rows around the one in view and the 5 "
                         "largest numbers of each, of long sums the 8 largest terms, and counts the rest; weights below 0.005 are not told. In the window "
                         "Ctrl+D copies the same text.",
                         true},
    [COMMAND_COPY] = {"copy", "attnscope copy [FILE | WORDS...] 'TENSOR[INDEX,...]' [--what PART] [--as FORM]", "Write a number, its row, its column or its map as text.",
                      "What the Copy menu puts into the clipboard: the map that the number lies in, of its head; with --what number, row or column less "
                      "of it, with --what sentence, words or equation what it is. --as says for what: tsv with the names of rows and columns, latex "
                      "(bmatrix of amsmath, three decimals), numpy, c. But for LaTeX numbers have all digits that bring them back exactly.",
                      true},
    [COMMAND_TRACE] = {"trace", "attnscope trace [FILE | WORDS...] [-o FILE] [--format NAME] [--tensors NAME,...]",
                       "Write every number of every stage.",
                       "JSON on standard output, or a file whose ending says the format: .json, .safetensors (a trace file), .csv, .npy (one tensor), .npz, "
                       ".md and .tex (tables of one tensor). What is read back is the same, bit for bit, but for tables. In JSON numbers that are not finite "
                       "are the strings \"NaN\", \"Infinity\" and \"-Infinity\", in CSV nan, inf and -inf. A CSV has a line for each number: tensor, head, row, column, "
                       "from 1, the names of row and column, value; with --wide a line for each row. Of a model from a folder every layer's tensors are there "
                       "(layers.0.weights is the first layer's), but none of its trained weights: those are written where --tensors names them.",
                       true},
    [COMMAND_EXPLAIN] = {"explain", "attnscope explain [FILE | WORDS...] 'TENSOR[INDEX,...]'", "Say in words how one number comes about.",
                         "Positions count from 1; tokens may be named: 'weights[2,sat,cat]', 'scores[1,the#2,cat]'. Quote it, so that the "
                         "shell leaves the brackets alone. Of a model from a folder: 'layers.3.weights[2,5,3]' is the fourth layer's.",
                         true},
    [COMMAND_CHECK] = {"check", "attnscope check [--model FOLDER] FILE.safetensors... [OPTIONS]", "Compare your own tensors with the right ones, and say what is wrong with them.",
                       "FILE holds what your code computed, or some of it, by the names x, x_kv, w_q, w_k, w_v, w_o (as nn.Linear stores them, "
                       "[out, in]), b_q, b_k, b_v, b_o, q, k, v, q_rope, k_rope, scores, scaled, bias, mask (1 keeps, 0 hides), masked, weights, "
                       "head_out, concat, out, or others in use such as q_proj.weight and attn_weights; of a feed-forward layer x, w_ff1, b_ff1, "
                       "w_ff2, b_ff2, ffn_hidden, ffn_act, ffn_out with --activation. From the earliest of them everything is computed again; what the options do not say "
                       "is found in the shapes, or is the rule: scale 1/sqrt(d_k), no mask, no position. A batch of one in front is left out; q, k, v "
                       "and head_out may be [heads, tokens, width], [tokens, heads, width] (where both are as many, the first is meant) or [tokens, heads * width]. "
                       "F64, F32, F16 and BF16 are read. It says which "
                       "tensor differs first, where, by how much, and which of the classic mistakes gives just these numbers; of several the one that "
                       "explains most of what follows, then the one that comes first in computing. Tolerances are 1e-5, of F16 0.004, of BF16 0.03, times "
                       "the largest value, at least 1; in masked every number of -1e4 or less is a hidden key. "
                       "A trace file says its settings and tolerances itself. The exit code is 1 when something differs, 2 when a file cannot be "
                       "used. With --model the files are dumps of activations: the "
                       "folder is run on their input_ids (decoder_input_ids, token_type_ids), and every tensor in them is compared, by our "
                       "own names or as layers.0.q, k, v, q_rope, k_rope, attn, attn_out, hidden.0, last_layer_out, position_bias, logits, "
                       "pooler_output, with encoder. or decoder. in front where there are two stacks. Tolerances are 0.0001 for "
                       "probabilities, 0.002 for logits, 0.001 for the rest.",
                       true},
    [COMMAND_MODELS] = {"models", "attnscope models FOLDER... [--full]", "List the models in folders: what they are and whether they can be run.",
                        "One line for each folder, or for each folder with config.json below it: architecture, layers, heads (with fewer key "
                        "and value heads behind a slash), width, parameters in the files and how they are stored, tokenizer, hash, whether it can be "
                        "run and if not why. The hash is the SHA-256 of config.json's bytes, the headers of the .safetensors files in the order of "
                        "their names, and those files' sizes, 8 bytes each, low byte first. The exit code is 1 when none can be run.",
                        false},
    [COMMAND_TOKENIZE] = {"tokenize", "attnscope tokenize [--model FOLDER] [TEXT...] [--jsonl]", "Show the tokens of a text, their ids and the characters that each came from.",
                          "FOLDER holds a model's tokenizer.json, or vocab.json and merges.txt, or vocab.txt; of a folder without them TEXT is a "
                          "list of ids. Without --model the program's own words are shown. Without TEXT standard input is read. Characters are counted from 0, and the last is the first "
                          "behind the token. With --jsonl each line of standard input is an object with \"text\" and, for two texts, \"pair\"; each gives "
                          "a line with ids, tokens, offsets (characters), byte_offsets, and with the tokens that the tokenizer adds ids_special and "
                          "type_ids. A bad line is told, the others are read, and the exit code is 1.",
                          false},
    [COMMAND_DL] = {"dl", "attnscope dl [FILE | WORDS...] [OPTIONS]", "Print the picture as a display list, one line a command.", "", true},
    [COMMAND_ACTIONS] = {"actions", "attnscope actions", "List every action with its arguments and keys.",
                         "An action is what a key, a click, a menu and --do have in common.", false},
    [COMMAND_HELP] = {"help", "attnscope help [COMMAND]", "Say how a command is used.", "", false},
};

int cli_command_find(const char *name) {
    for (int i = COMMAND_WINDOW + 1; i < COMMAND_COUNT; i++)
        if (str_eq(cli_commands[i].name, name)) return i;
    return -1;
}

/* ---- what options do ---- */

static bool set_text(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    if (value[0] == '\0') return err_set(err, ERR_USAGE, "--%s needs a value that is not empty", option->name);
    memcpy((char *)args + option->at, &value, sizeof value);
    return true;
}

static bool set_switch(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    (void)value, (void)err;
    *(bool *)((char *)args + option->at) = true;
    return true;
}

static bool set_count(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    int count;
    if (!str_to_int(value, &count) || count < 1) return err_set(err, ERR_USAGE, "--%s takes a number from 1, found \"%s\"", option->name, value);
    memcpy((char *)args + option->at, &count, sizeof count);
    return true;
}

static bool set_head(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    int head;
    if (!str_eq(value, "all") && (!str_to_int(value, &head) || head < 1))
        return err_set(err, ERR_USAGE, "--head takes a number from 1 or all, found \"%s\"", value);
    return set_text(option, value, args, err);
}

static bool set_size(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    (void)option;
    int width, height, used = 0;
    bool good = sscanf(value, "%dx%d%n", &width, &height, &used) == 2 && value[used] == '\0';
    if (!good || width < 200 || height < 150 || width > 16384 || height > 16384)
        return err_set(err, ERR_USAGE, "--size takes WIDTHxHEIGHT from 200x150 to 16384x16384, such as 1600x1000, found \"%s\"", value);
    args->width = (float)width;
    args->height = (float)height;
    return true;
}

static bool set_scale(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    (void)option;
    if (!str_to_double(value, &args->scale) || !(args->scale >= 0.1 && args->scale <= 16))
        return err_set(err, ERR_USAGE, "--scale takes a number from 0.1 to 16, found \"%s\"", value);
    return true;
}

static bool set_what(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    if (str_find(export_what_names, EXPORT_WHAT_COUNT, value) < 0)
        return err_set(err, ERR_USAGE, "--what takes screen, map, heads, stages, row or layers, found \"%s\"", value);
    return set_text(option, value, args, err);
}

static bool set_width(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    float points;
    return export_length(value, &points, err) && set_text(option, value, args, err);
}

static bool set_font(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    (void)option;
    char number[32];
    size_t n = strlen(value) - (str_ends(value, "pt") ? 2 : 0);
    snprintf(number, sizeof number, "%.*s", (int)n, value);
    if (!str_to_double(number, &args->font) || !(args->font >= 3 && args->font <= 72))
        return err_set(err, ERR_USAGE, "--font takes points from 3 to 72, such as 8pt, found \"%s\"", value);
    return true;
}

static bool set_decimals(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    (void)option;
    int n;
    if (!str_to_int(value, &n) || n < 0 || n > (args->command == COMMAND_TRACE ? 9 : 4)) return err_set(err, ERR_USAGE, "--decimals takes 0 to 4, of tables 0 to 9, found \"%s\"", value);
    args->decimals = n + 1;
    return true;
}

static bool set_without(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    (void)option;
    static const char *const parts[] = {"title", "caption", "legend", "numbers"}; /* in the order of their bits */
    char list[128], *rest = list;
    snprintf(list, sizeof list, "%s", value);
    for (char *part; (part = strsep(&rest, ",")) != NULL;) {
        int at = str_find(parts, 4, part);
        if (at < 0) return err_set(err, ERR_USAGE, "--without takes title, caption, legend and numbers, found \"%s\"", part);
        args->without |= BIT(at);
    }
    return true;
}

static bool set_preset(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    if (!str_eq(value, "textbook")) return err_set(err, ERR_USAGE, "--preset takes textbook, found \"%s\"", value);
    if (!args->decimals) args->decimals = 3 + 1;
    if (!args->palette) args->palette = "ylorrd";
    return set_text(option, value, args, err);
}

static bool set_rate(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    (void)option;
    if (!str_to_int(value, &args->rate) || args->rate < 1 || args->rate > MOVIE_RATE_MOST)
        return err_set(err, ERR_USAGE, "--fps takes a number from 1 to %d, found \"%s\"", MOVIE_RATE_MOST, value);
    return true;
}

static bool set_language(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    (void)option;
    int language = str_find(language_names, LANGUAGE_COUNT, value);
    if (language < 0) return err_set(err, ERR_USAGE, "--lang takes en or zh, found \"%s\"", value);
    args->speaks = (LanguageKind)language;
    args->has_language = true;
    return true;
}

static bool set_tolerance(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    (void)option;
    if (!str_to_double(value, &args->tolerance) || !(args->tolerance >= 0) || isinf(args->tolerance))
        return err_set(err, ERR_USAGE, "--tol takes a number from 0, found \"%s\"", value);
    args->has_tolerance = true;
    return true;
}

static bool add_action(const CliOption *option, const char *value, CliArgs *args, Err *err) {
    (void)option;
    if (args->n_actions == CLI_LIST_MAX) return err_set(err, ERR_LIMIT, "more than %d actions on the command line", CLI_LIST_MAX);
    args->action[args->n_actions++] = value;
    return true;
}

const CliOption cli_options[] = {
    {"output", 'o', "FILE", BIT(COMMAND_EXPORT) | BIT(COMMAND_TRACE), "Where to write; - is standard output.", set_text, offsetof(CliArgs, output)},
    {"stage", 0, "NAME|N", LOOKS, "Stage to show: embed, project, scores, scale, mask, softmax, wsum, concat, output, or 1 to 9; in a model from a folder also norm, add, ffn, predict …", set_text, offsetof(CliArgs, stage)},
    {"layer", 0, "N", LOOKS, "Layer of a model from a folder, from 1; \"decoder 3 cross\" where there are two stacks.", set_text, offsetof(CliArgs, layer)},
    {"overview", 0, NULL, LOOKS, "Show the maps of all layers and heads of a model from a folder.", set_switch, offsetof(CliArgs, overview)},
    {"tensors", 0, "NAME,...", BIT(COMMAND_TRACE), "Write these tensors alone; * stands for any letters: 'layers.*.weights', 'layers.0.w_q'.", set_text, offsetof(CliArgs, tensors)},
    {"step", 0, "N", LOOKS, "Step in the stage, from 1; without it the stage is finished.", set_count, offsetof(CliArgs, step)},
    {"head", 0, "N|all", LOOKS, "Head to show, from 1; for export and dl: its map as a figure.", set_head, offsetof(CliArgs, head)},
    {"what", 0, "PART", BIT(COMMAND_COPY), "What is written: map, row, column, number, sentence, words or equation.", set_text, offsetof(CliArgs, what)},
    {"as", 0, "FORM", BIT(COMMAND_COPY), "How numbers are written: tsv, latex, numpy or c.", set_text, offsetof(CliArgs, as)},
    {"hold", 0, "FILE", LOOKS, "Hold this scenario as A, and compare with it what is opened.", set_text, offsetof(CliArgs, hold)},
    {"check", 0, "FILE", LOOKS, "Compare your own tensors with the right ones: the file as attnscope check reads it, with the settings as options.", set_text, offsetof(CliArgs, check)},
    {"size", 0, "WxH", LOOKS, "Size of the picture or window.", set_size, 0},
    {"scale", 0, "X", BIT(COMMAND_EXPORT), "Pixels for one unit of the picture.", set_scale, 0},
    {"format", 0, "NAME", BIT(COMMAND_EXPORT) | BIT(COMMAND_TRACE), "The format, where the file's name does not say it: png, svg, pdf, gif; of numbers json, safetensors, csv, npy, npz, md, tex.", set_text, offsetof(CliArgs, format)},
    {"wide", 0, NULL, BIT(COMMAND_TRACE), "In CSV: a line for each row of one tensor instead of one for each number.", set_switch, offsetof(CliArgs, wide)},
    {"alt", 0, NULL, BIT(COMMAND_EXPORT), "Write the picture in sentences beside it, for those who cannot see it: map.png and map.txt.", set_switch, offsetof(CliArgs, alt)},
    {"film", 0, NULL, BIT(COMMAND_EXPORT), "Write a film: .gif, or .png for numbered pictures. With --stage of that stage, else of the whole layer. A name in .gif is always a film.", set_switch, offsetof(CliArgs, film)},
    {"frames", 0, "FILE", BIT(COMMAND_EXPORT), "Write the film as PPM pictures one after another, - for a pipe: attnscope export --frames - --fps 30 | ffmpeg -f image2pipe -framerate 30 -i - -pix_fmt yuv420p film.mp4", set_text, offsetof(CliArgs, frames)},
    {"fps", 0, "N", BIT(COMMAND_EXPORT), "Pictures of a film in a second, 1 to 50; without it 10.", set_rate, offsetof(CliArgs, rate)},
    {"from-stdin", 0, NULL, BIT(COMMAND_EXPORT), "Read scenarios from standard input, each document (---) one: -o '{doc}.png'.", set_switch, offsetof(CliArgs, from_stdin)},
    {"jobs", 0, "N", BIT(COMMAND_EXPORT), "Of several pictures, how many are drawn at once; without it as many as there are processors.", set_count, offsetof(CliArgs, jobs)},
    {"what", 0, "NAME", BIT(COMMAND_EXPORT) | BIT(COMMAND_DL), "What is drawn: screen, map (of one head), heads, stages (all of them), row (its arithmetic) or layers (of a network). --head N is map, --head all is heads.", set_what, offsetof(CliArgs, picture)},
    {"width", 0, "LENGTH", BIT(COMMAND_EXPORT), "Width on paper: 84mm, 3.25in, 240pt, column (3.25in) or textwidth (6.75in).", set_width, offsetof(CliArgs, width_on_paper)},
    {"font", 0, "POINTS", BIT(COMMAND_EXPORT) | BIT(COMMAND_DL), "Size of a figure's labels on paper, 3 to 72 points.", set_font, 0},
    {"decimals", 0, "N", BIT(COMMAND_EXPORT) | BIT(COMMAND_DL) | BIT(COMMAND_TRACE), "Decimals of the numbers in a figure or in a table for people, 0 to 9.", set_decimals, 0},
    {"without", 0, "PART,...", BIT(COMMAND_EXPORT) | BIT(COMMAND_DL), "Leave parts of a figure out: title, caption, legend, numbers.", set_without, 0},
    {"preset", 0, "NAME", BIT(COMMAND_EXPORT) | BIT(COMMAND_DL), "textbook: colours YlOrRd, three decimals, axis words Query Tokens and Key Tokens.", set_preset, offsetof(CliArgs, preset)},
    {"transparent", 0, NULL, BIT(COMMAND_EXPORT), "Without the background.", set_switch, offsetof(CliArgs, transparent)},
    {"outlines", 0, NULL, BIT(COMMAND_EXPORT), "In SVG: text as the outlines of its letters.", set_switch, offsetof(CliArgs, outlines)},
    {"theme", 0, "NAME", LOOKS, "light, dark or print.", set_text, offsetof(CliArgs, theme)},
    {"palette", 0, "NAME", LOOKS, "Colours of the weights: theme, viridis, cividis, grey, ylorrd.", set_text, offsetof(CliArgs, palette)},
    {"lang", 0, "en|zh", INPUTS | BIT(COMMAND_CHECK) | BIT(COMMAND_ACTIONS), "Language of the words, English or Chinese; without it the environment's.", set_language, 0},
    {"activation", 0, "NAME", BIT(COMMAND_CHECK), "Of a feed-forward layer: gelu_exact, gelu_tanh, relu, silu or tanh.", set_text, offsetof(CliArgs, activation)},
    {"do", 0, "ACTION", INPUTS, "Run an action first, such as --do \"select weights[2,sat,cat]\"; may be repeated.", add_action, 0},
    {"tokens-from", 0, "FILE", INPUTS, "Token labels from a text file, one a line, for numbers of your own.", set_text, offsetof(CliArgs, tokens_from)},
    {"doc", 0, "N", INPUTS, "Which document of a file with several, from 1.", set_count, offsetof(CliArgs, document)},
    {"tol", 0, "X", BIT(COMMAND_CHECK), "The tolerance of every tensor.", set_tolerance, 0},
    {"full", 0, NULL, BIT(COMMAND_MODELS), "Print all digits of hashes and numbers, and the tensors that are not used.", set_switch, offsetof(CliArgs, full)},
    {"strict", 0, NULL, BIT(COMMAND_TRACE), "Exit with 1 when something is diagnosed, such as a row that does not sum to 1.", set_switch, offsetof(CliArgs, strict)},
    {"model", 0, "FOLDER", BIT(COMMAND_CHECK) | BIT(COMMAND_TOKENIZE), "The model's folder.", set_text, offsetof(CliArgs, model)},
    {"jsonl", 0, NULL, BIT(COMMAND_TOKENIZE), "Read lines of JSON from standard input, write one for each.", set_switch, offsetof(CliArgs, jsonl)},
    {"man", 0, NULL, BIT(COMMAND_HELP), "Print the manual page's source.", set_switch, offsetof(CliArgs, man)},
    {"help", 'h', NULL, ALL, "Say how the command is used.", set_switch, offsetof(CliArgs, help)},
    {"version", 0, NULL, ALL, "Print the version.", set_switch, offsetof(CliArgs, version)},
};
const int cli_option_count = sizeof cli_options / sizeof cli_options[0];
