/* tokenize: text as the tokens of a model, as a table or line by line as JSON. */
#include <stdio.h>
#include <string.h>

#include "app/cli_commands.h"
#include "app/cli_run.h"
#include "base/file.h"
#include "base/str.h"
#include "base/utf8.h"
#include "model/checkpoint.h"
#include "model/json_text.h"
#include "model/json_tree.h"

enum { LINE_MAX_BYTES = 16 << 20, PIECE_COLUMN = 16 };

/* ---- the table ---- */

static int count_points(const char *text) {
    int n = 0;
    for (size_t pos = 0, length = strlen(text); pos < length; n++) utf8_next(text, length, &pos);
    return n;
}

/* Columns of a terminal: Chinese characters take two. */
static int count_columns(const char *text) {
    int n = 0;
    for (size_t pos = 0, length = strlen(text); pos < length;) n += utf8_is_cjk(utf8_next(text, length, &pos)) ? 2 : 1;
    return n;
}

/* The piece in its column, then the typed text it came from, quoted. `text` NULL: it was put in. */
static void put_piece(StrBuf *out, const char *label, const char *text) {
    int width = count_columns(label);
    sb_printf(out, "%s%*s  ", label, width < PIECE_COLUMN ? PIECE_COLUMN - width : 0, "");
    if (text) json_text_add(out, text);
    else sb_add(out, "added by the tokenizer");
    sb_add(out, "\n");
}

static void put_head(StrBuf *out, bool ids) {
    sb_printf(out, "%5s  %s%-11s  %-*s  %s\n", "#", ids ? "     ID  " : "", "CHARACTERS", PIECE_COLUMN, "PIECE", "FROM");
}

static const char *place(int start, int end, Arena *arena) {
    return arena_printf(arena, "%d-%d", start, end);
}

static void put_encoding(const Encoder *encoder, const Encoding *tokens, const char *text, StrBuf *out) {
    int added = 0;
    put_head(out, true);
    for (int i = 0; i < tokens->n; i++) {
        bool in = tokens->added[i];
        added += in;
        const char *from = in ? NULL : arena_strndup(out->arena, text + tokens->start[i], (size_t)(tokens->end[i] - tokens->start[i]));
        sb_printf(out, "%5d  %7d  %-11s  ", i + 1, tokens->ids[i], in ? "" : place(tokens->char_start[i], tokens->char_end[i], out->arena));
        put_piece(out, encoder_label(encoder, tokens->ids[i], out->arena), from);
    }
    sb_printf(out, "%d %s", tokens->n, tokens->n == 1 ? "token" : "tokens");
    if (added > 0) sb_printf(out, ", %d of them added", added);
    sb_printf(out, "; %s with %d pieces\n", encoder_kind(encoder), encoder_size(encoder));
}

static bool table_of_model(const Encoder *encoder, const char *text, size_t length, Arena *arena, Err *err) {
    Encoding tokens;
    StrBuf out;
    if (!encoder_encode(encoder, text, length, NULL, 0, true, arena, &tokens, err)) return false;
    sb_init(&out, arena);
    put_encoding(encoder, &tokens, text, &out);
    return cli_write(NULL, out.data, out.length, err);
}

/* A folder without a tokenizer: the ids as they stand. */
static bool table_of_ids(const char *folder, int vocabulary, const char *text, size_t length, Arena *arena, Err *err) {
    Encoding ids;
    StrBuf out;
    if (strlen(text) < length) return err_set(err, ERR_INPUT, "the text has a U+0000, which a list of ids cannot have");
    if (!checkpoint_ids(text, path_name(folder), vocabulary, arena, &ids, err)) return false;
    sb_init(&out, arena);
    put_head(&out, true);
    for (int i = 0; i < ids.n; i++) {
        sb_printf(&out, "%5d  %7d  %-11s  ", i + 1, ids.ids[i], place(ids.char_start[i], ids.char_end[i], arena));
        put_piece(&out, arena_printf(arena, "%d", ids.ids[i]), ids.pieces[i]);
    }
    sb_printf(&out, "%d %s; token ids from 0 to %d (no tokenizer)\n", ids.n, ids.n == 1 ? "token" : "tokens", vocabulary - 1);
    return cli_write(NULL, out.data, out.length, err);
}

/* The program's own words, which have no ids. */
static bool table_of_words(const char *text, size_t length, Arena *arena, Err *err) {
    TokenList tokens;
    Lexicon *lexicon;
    StrBuf out;
    if (!utf8_check(text, length, err)) return false;
    if (strlen(text) < length) return err_set(err, ERR_INPUT, "the text has a U+0000, which words cannot have");
    if (!lexicon_load(arena, &lexicon, err) || !tokenize(TOKENIZER_WORDS, text, lexicon, arena, &tokens, err)) return false;
    sb_init(&out, arena);
    put_head(&out, false);
    for (int i = 0, at = 0, points = 0; i < tokens.n; i++) {
        const Token *token = &tokens.items[i];
        points += count_points(arena_strndup(arena, text + at, (size_t)(token->start - at)));
        int end = points + count_points(token->text);
        sb_printf(&out, "%5d  %-11s  ", i + 1, place(points, end, arena));
        put_piece(&out, token->label, token->text);
        points = end;
        at = token->end;
    }
    sb_printf(&out, "%d %s; the program's own words\n", tokens.n, tokens.n == 1 ? "token" : "tokens");
    return cli_write(NULL, out.data, out.length, err);
}

/* ---- lines of JSON ---- */

static void put_ints(StrBuf *out, const char *key, const int *values, int n) {
    sb_printf(out, "\"%s\":[", key);
    for (int i = 0; i < n; i++) sb_printf(out, "%s%d", i > 0 ? "," : "", values[i]);
    sb_add(out, "]");
}

static void put_spans(StrBuf *out, const char *key, const int *start, const int *end, int n) {
    sb_printf(out, "\"%s\":[", key);
    for (int i = 0; i < n; i++) sb_printf(out, "%s[%d,%d]", i > 0 ? "," : "", start[i], end[i]);
    sb_add(out, "]");
}

static void put_line(const Encoding *plain, const Encoding *special, StrBuf *out) {
    sb_add(out, "{");
    put_ints(out, "ids", plain->ids, plain->n);
    sb_add(out, ",\"tokens\":[");
    for (int i = 0; i < plain->n; i++) {
        if (i > 0) sb_add(out, ",");
        json_text_add(out, plain->pieces[i]);
    }
    sb_add(out, "],");
    put_spans(out, "offsets", plain->char_start, plain->char_end, plain->n);
    sb_add(out, ",");
    put_spans(out, "byte_offsets", plain->start, plain->end, plain->n);
    sb_add(out, ",");
    put_ints(out, "ids_special", special->ids, special->n);
    sb_add(out, ",");
    put_ints(out, "type_ids", special->type_ids, special->n);
    sb_add(out, "}\n");
}

static bool get_text(const JsonNode *line, const char *key, bool needed, const JsonNode **out, Err *err) {
    *out = json_tree_get(line, key);
    if (*out && (*out)->kind == JSON_TREE_NULL) *out = NULL;
    if (*out ? (*out)->kind == JSON_TREE_STRING : !needed) return true;
    return err_set(err, ERR_INPUT, "\"%s\" is %s; a string is expected", key, json_tree_kind(*out));
}

static bool encode_line(const Encoder *encoder, char *line, size_t size, Arena *arena, StrBuf *out, Err *err) {
    const JsonNode *root, *text, *pair;
    Encoding tokens[2];
    if (!json_tree_read(line, size, arena, &root, err)) return false;
    if (root->kind != JSON_TREE_OBJECT) return err_set(err, ERR_INPUT, "the line is %s; an object with \"text\" is expected", json_tree_kind(root));
    if (!get_text(root, "text", true, &text, err) || !get_text(root, "pair", false, &pair, err)) return false;
    for (int special = 0; special < 2; special++)
        if (!encoder_encode(encoder, text->as.text, (size_t)text->n, pair ? pair->as.text : NULL, pair ? (size_t)pair->n : 0, special, arena, &tokens[special], err)) return false;
    put_line(&tokens[0], &tokens[1], out);
    return true;
}

/* One line without its end, with a 0 behind it. False: there are no more, or one is too long (told in err). */
static bool read_line(FILE *file, Arena *arena, char **line, size_t *size, Err *err) {
    StrBuf sb;
    sb_init(&sb, arena);
    int c;
    while ((c = getc_unlocked(file)) != EOF && c != '\n' && sb.length < LINE_MAX_BYTES) {
        char byte = (char)c;
        sb_add_n(&sb, &byte, 1);
    }
    if (sb.length >= LINE_MAX_BYTES) return err_set(err, ERR_LIMIT, "a line of more than %d bytes", LINE_MAX_BYTES);
    *line = sb.data;
    *size = sb.length;
    return c != EOF || sb.length > 0;
}

static bool is_blank(const char *line, size_t size) {
    return strspn(line, " \t\r") == size;
}

/* Each line gives one line; a bad one is told, and the exit code is 1 in the end. */
static int all_lines(const Encoder *encoder) {
    Arena arena = {0};
    char *line = NULL;
    size_t size = 0;
    Err end = {0};
    int code = EXIT_FINE;
    for (int number = 1; read_line(stdin, &arena, &line, &size, &end); number++) {
        Err err = {0};
        StrBuf out;
        sb_init(&out, &arena);
        if (!is_blank(line, size) && !encode_line(encoder, line, size, &arena, &out, &err)) {
            err.line = 0;
            err.file[0] = '\0';
            err_place(&err, "standard input", number, 0);
            cli_fail(&err);
            code = EXIT_DIFFERS;
            sb_add(&out, "{\"error\":");
            json_text_add(&out, err.message);
            sb_add(&out, "}\n");
        }
        if (out.length > 0) fwrite(out.data, 1, out.length, stdout);
        if (fflush(stdout) != 0) break; /* told at the end */
        arena_reset(&arena);
    }
    arena_free(&arena);
    return end.code != ERR_NONE ? cli_fail(&end) : code;
}

/* ---- the command ---- */

/* The words with spaces between them, else all of standard input without its last line break. */
static bool get_input(const CliArgs *args, Arena *arena, char **text, size_t *length, Err *err) {
    if (args->n_words == 0) {
        if (!file_read("-", TEXT_MAX, arena, text, length, err)) return false;
        if (*length > 0 && (*text)[*length - 1] == '\n') (*text)[--*length] = '\0';
        return true;
    }
    StrBuf sb;
    sb_init(&sb, arena);
    for (int i = 0; i < args->n_words; i++) {
        if (i > 0) sb_add(&sb, " ");
        sb_add(&sb, args->words[i]);
    }
    *text = sb.data;
    *length = sb.length;
    return true;
}

static bool make_table(const CliArgs *args, const Encoder *encoder, Arena *arena, Err *err) {
    char *text;
    size_t length;
    if (!get_input(args, arena, &text, &length, err)) return false;
    int sizes[2];
    if (args->model && !encoder) return checkpoint_id_texts(args->model, sizes) > 0 && table_of_ids(args->model, sizes[0], text, length, arena, err);
    return encoder ? table_of_model(encoder, text, length, arena, err) : table_of_words(text, length, arena, err);
}

int cli_tokenize(const CliArgs *args) {
    Arena arena = {0};
    Err err = {0};
    Encoder *encoder = NULL;
    int code = EXIT_FINE;
    bool ok = true;
    if (args->jsonl && !args->model) ok = err_set(&err, ERR_USAGE, "--jsonl needs --model FOLDER");
    else if (args->jsonl && args->n_words > 0) ok = err_set(&err, ERR_USAGE, "--jsonl reads its texts from standard input; found the word \"%.80s\"", args->words[0]);
    int sizes[2];
    bool ids = args->model && !args->jsonl && checkpoint_id_texts(args->model, sizes) > 0;
    if (ok && args->model && !ids) ok = encoder_open(args->model, &arena, &encoder, &err);
    if (ok && args->jsonl) code = all_lines(encoder);
    else if (ok) ok = make_table(args, encoder, &arena, &err);
    if (!ok) code = cli_fail(&err);
    arena_free(&arena);
    return code;
}
