/* Menus that change the document or the film. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "app/menu_rows.h"
#include "app/names.h"
#include "base/tr.h"

/* "ACTION WORD" */
static void kind_row(Rows *rows, const char *action, const char *word, const char *label, const char *detail, bool on) {
    rows_choice(rows, label, detail, arena_printf(rows->arena, "%s %s", action, word), on);
}

static void scale_rows(Rows *rows) {
    const Doc *doc = &rows->s->doc;
    rows_heading(rows, tr("Scores are scaled"));
    rows_choice(rows, tr("By 1/√dₖ"), NULL, "scale auto", doc->scale == SCALE_AUTO);
    rows_choice(rows, tr("Not at all"), NULL, "scale none", doc->scale == SCALE_NONE);
    rows_heading(rows, tr("Temperature"));
    static const double values[] = {0.5, 1, 2};
    for (int i = 0; i < 3; i++) {
        char number[NUM_MAX];
        num_double(number, values[i], NUM_FILE);
        kind_row(rows, "temperature", number, arena_strdup(rows->arena, number), NULL, fabs(doc->temperature - values[i]) < 1e-12);
    }
}

void menu_model(Rows *rows) {
    const Doc *doc = &rows->s->doc;
    static const struct { ModelKind kind; const char *detail; } models[] = {
        {MODEL_CLASSROOM, tr_mark("words, 4 heads made by hand")},
        {MODEL_MOLECULE, tr_mark("SMILES, 4 heads made by hand")},
        {MODEL_RANDOM, tr_mark("random numbers from a seed")},
        {MODEL_IDENTITY, tr_mark("all weights identity")},
    };
    rows_heading(rows, tr("Where the numbers come from"));
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        ModelKind kind = models[i].kind;
        kind_row(rows, "model", model_names[kind], name_of_model((int)kind), tr(models[i].detail), doc->model == kind);
    }
    if (doc->model == MODEL_RANDOM) {
        const char *now = arena_printf(rows->arena, tr("seed %llu"), doc->seed);
        rows_choice(rows, tr("Other random numbers"), now, arena_printf(rows->arena, "seed %llu", doc->seed + 1), false);
    }
    menu_recent_models(rows);
    if (doc->model != MODEL_FOLDER) {
        rows_choice(rows, tr("Open folder…"), tr("a trained model on disk"), rows_into_field(rows, "folder", ""), false);
        scale_rows(rows);
        return;
    }
    rows_choice(rows, tr("Open folder…"), tr("another model on disk"), rows_into_field(rows, "folder", ""), false);
    rows_choice(rows, tr("About this model…"), NULL, "menu model.about", false);
}

/* What a model from a folder brings along is not to be chosen. */
static bool is_its_own(Rows *rows, const char *what, const char *value) {
    if (rows->s->doc.model != MODEL_FOLDER) return false;
    rows_heading(rows, what);
    rows_add(rows, ITEM_NOTE, arena_printf(rows->arena, tr("%s: the model from the folder brings its own."), value));
    return true;
}

void menu_position(Rows *rows) {
    static const char *const details[] = {
        [POSITION_NONE] = tr_mark("order does not matter"),
        [POSITION_SINUSOIDAL] = tr_mark("waves are added"),
        [POSITION_LEARNED] = tr_mark("rows of a table are added"),
        [POSITION_ROPE_INTERLEAVED] = tr_mark("q and k are turned, neighbours"),
        [POSITION_ROPE_HALF] = tr_mark("q and k are turned, halves"),
        [POSITION_ALIBI] = tr_mark("distance costs"),
        [POSITION_GIVEN] = tr_mark("given rows are added"),
        [POSITION_RELATIVE] = tr_mark("a learned bias for each distance"),
    };
    static_assert(sizeof details / sizeof details[0] == POSITION_KIND_COUNT, "each kind of position says what it does");
    const Doc *doc = &rows->s->doc;
    bool built_in = doc->position_origin == DOC_POSITION_BUILT_IN;
    if (is_its_own(rows, tr("How the place of a token enters"), chip_position(doc, rows->s->run, rows->arena))) return;
    rows_heading(rows, tr("How the place of a token enters"));
    if (model_has_position(&rows->s->doc))
        rows_choice(rows, tr("Built-in"), tr("two clocks in the model's rows"), "position built-in", built_in);
    for (int kind = 0; kind < POSITION_RELATIVE; kind++) {
        bool on = built_in ? kind == POSITION_NONE && !model_has_position(&rows->s->doc) : (int)doc->position.kind == kind;
        bool needs_table = kind == POSITION_LEARNED && doc->matrix[MATRIX_POS_EMB].rank == 0 && doc->model != MODEL_RANDOM;
        if ((kind == POSITION_GIVEN || needs_table) && !on) continue;
        kind_row(rows, "position", position_names[kind], name_of_position(kind), tr(details[kind]), on);
    }
}

void menu_tokenizer(Rows *rows) {
    static const char *const details[] = {
        [TOKENIZER_WORDS] = tr_mark("words and punctuation marks"),
        [TOKENIZER_CHARACTERS] = tr_mark("one token a character"),
        [TOKENIZER_SMILES] = tr_mark("atoms, bonds, rings"),
    };
    static_assert(sizeof details / sizeof details[0] == TOKENIZER_KIND_COUNT, "each tokenizer says what it does");
    if (is_its_own(rows, tr("How the text is cut"), chip_tokenizer(&rows->s->doc, rows->s->run))) return;
    rows_heading(rows, tr("How the text is cut"));
    for (int kind = 0; kind < TOKENIZER_KIND_COUNT; kind++)
        kind_row(rows, "tokenizer", tokenizer_names[kind], name_of_tokenizer(kind), tr(details[kind]), (int)rows->s->doc.tokenizer == kind);
    rows_choice(rows, tr("Tokens by hand"), tr("move, add, take out"), "tokens", rows->s->view.tokens);
    bool cross = doc_has_source(&rows->s->doc);
    rows_heading(rows, tr("Keys and values come from"));
    rows_choice(rows, tr("the same text"), tr("self-attention"), "source \"\"", !cross);
    rows_choice(rows, tr("another text"), tr("cross-attention"), "focus top.source", cross);
}

void menu_speed(Rows *rows) {
    static const double speeds[] = {0.25, 0.5, 1, 2, 4, 8};
    rows_heading(rows, tr("Speed"));
    for (int i = 0; i < 6; i++) {
        char number[NUM_MAX];
        num_double(number, speeds[i], NUM_FILE);
        kind_row(rows, "speed", number, arena_printf(rows->arena, "%s×", number), NULL, fabs(rows->s->view.film.speed - speeds[i]) < 1e-12);
    }
}

void menu_token(Rows *rows) {
    const View *view = &rows->s->view;
    if (view->query[0] == '\0') {
        rows_add(rows, ITEM_NOTE, tr("Type one word or several; Enter puts them in."));
        return;
    }
    const Run *run = rows->s->run;
    int end = !run ? 1 : view->token_source ? run->keys.n + 1 : run->tokens.n + 1; /* nobody said where: behind the last */
    int to = view->token_to > 0 && view->token_to <= end ? view->token_to : end;
    const char *action = arena_printf(rows->arena, "token.insert %s%d %s", view->token_source ? "source " : "", to, action_quote(view->query, rows->arena));
    rows_choice(rows, arena_printf(rows->arena, tr("Put in before token %d"), to), view->query, action, false);
}
