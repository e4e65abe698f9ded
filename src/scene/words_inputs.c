/* Words for what is not computed: given numbers, and rules with their parameters. */
#include <string.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/rich.h"
#include "scene/words.h"
#include "scene/words_part.h"

/* Features of the models made by hand. A name that ends in a digit stands for all of its kind. */
static const struct {
    ModelKind model;
    const char *name, *says;
} glosses[] = {
    {MODEL_CLASSROOM, "noun", tr_mark("noun: a thing, a being or an idea, such as cat or mat.")},
    {MODEL_CLASSROOM, "verb", tr_mark("verb: what someone does or is, such as sat.")},
    {MODEL_CLASSROOM, "det", tr_mark("det: a determiner, the small word before a noun, such as the or a.")},
    {MODEL_CLASSROOM, "modif", tr_mark("modif: a modifier, a word that describes, such as big or slowly.")},
    {MODEL_CLASSROOM, "prep", tr_mark("prep: a preposition, such as on or with.")},
    {MODEL_CLASSROOM, "animate", tr_mark("animate: a living being, such as cat.")},
    {MODEL_CLASSROOM, "plural", tr_mark("plural: more than one, such as cats.")},
    {MODEL_MOLECULE, "carbon", tr_mark("carbon: an atom C or c.")},
    {MODEL_MOLECULE, "hetero", tr_mark("hetero: any atom but carbon and hydrogen.")},
    {MODEL_MOLECULE, "halogen", tr_mark("halogen: an atom such as F, Cl, Br or I.")},
    {MODEL_MOLECULE, "bond", tr_mark("bond: a sign for a bond, such as = for a double one.")},
    {MODEL_MOLECULE, "branch", tr_mark("branch: a parenthesis, where a side chain begins or ends.")},
    {MODEL_MOLECULE, "ring", tr_mark("ring: a number; two equal ones close a ring.")},
    {MODEL_MOLECULE, "aromatic", tr_mark("aromatic: part of an aromatic ring, written in lower case.")},
    {MODEL_CLASSROOM, "one", tr_mark("one: always 1, so that every token can ask for the same thing.")},
    {MODEL_MOLECULE, "one", tr_mark("one: always 1, so that every token can ask for the same thing.")},
    {MODEL_CLASSROOM, "id", tr_mark("id₁ to id₄: the word’s own four numbers, the same wherever it stands.")},
    {MODEL_MOLECULE, "id", tr_mark("id₁ to id₄: the symbol’s own four numbers, the same wherever it stands.")},
    {MODEL_CLASSROOM, "pos", tr_mark("pos₁ to pos₄: the sines and cosines of the two clocks.")},
    {MODEL_MOLECULE, "pos", tr_mark("pos₁ to pos₄: the sines and cosines of the two clocks.")},
};

const char *word_gloss(const Words *w, int axis) {
    const Source *s = &w->run->source;
    if (run_axis(w->run, w->e->self.id, axis) != AXIS_FEATURE || !s->feature || w->t->dim[axis] != s->d_model) return NULL;
    const char *name = s->feature[w->e->self.index[axis]];
    if (s->clock_first > 0 && w->e->self.index[axis] >= s->clock_first && s->clock[0] == 0) return NULL; /* other positions than its own */
    for (size_t i = 0; i < sizeof glosses / sizeof *glosses; i++) {
        size_t length = strlen(glosses[i].name);
        bool numbered = str_starts(name, glosses[i].name) && (unsigned char)name[length] == 0xE2; /* "id₁" */
        if (w->run->doc.model == glosses[i].model && (numbered || str_eq(name, glosses[i].name))) return tr(glosses[i].says);
    }
    return NULL;
}

/* NULL: it is as it was. */
static const char *word_changed(const Words *w) {
    int edit = run_edit_of(w->run, w->e->self.id, w->e->self.index);
    if (edit < 0) return NULL;
    return arena_printf(w->arena, tr("Changed by hand: %s → %s."), word_short(w, (double)w->run->edit_was[edit]), word_short(w, w->e->self.value));
}

static const char *origin(const Words *w) {
    const char *changed = word_changed(w);
    if (changed) return changed;
    static const struct {
        int flag;
        const char *tensor, *says;
    } given[] = {
        {RUN_GIVEN_X, "tok", tr_mark("The number is given with the document.")},
        {RUN_GIVEN_X, "x", tr_mark("The number is given with the document.")},
        {RUN_GIVEN_QKV, "q", tr_mark("The number is given with the document.")},
        {RUN_GIVEN_QKV, "k", tr_mark("The number is given with the document.")},
        {RUN_GIVEN_QKV, "v", tr_mark("The number is given with the document.")},
        {RUN_GIVEN_SCORES, "scores", tr_mark("The number is given with the document.")},
        {RUN_GIVEN_WEIGHTS, "weights", tr_mark("The number is given with the document.")},
        {RUN_POS_SEEDED, "pos_emb", tr_mark("The number was drawn at random; the same seed gives the same numbers again.")},
    };
    static const char *const made[MADE_COUNT] = {
        [MADE_BY_HAND] = tr_mark("The number was set by hand, so that the head’s job can be read off the matrix."),
        [MADE_RANDOM] = tr_mark("The number was drawn at random; the same seed gives the same numbers again."),
        [MADE_GIVEN] = tr_mark("The number is given with the document."),
        [MADE_TRAINED] = tr_mark("A number the model learned in training."),
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if ((w->run->fields & given[i].flag) && str_eq(w->t->name, given[i].tensor)) return tr(given[i].says);
    if (str_eq(w->t->name, "tok") || str_eq(w->t->name, "x") || str_eq(w->t->name, "x_kv")) {
        if (w->run->source.made == MADE_BY_HAND)
            return tr("The number describes the token itself: it is looked up, not computed.");
    }
    return tr(made[w->run->source.made]);
}

/* Questions of numbers that are given where they are usually computed. */
static bool ask_given_map(Words *w, ExplainWords *out) {
    bool scores = str_eq(w->t->name, "scores");
    if (w->t->rank != 3 || (!scores && !str_eq(w->t->name, "weights"))) return false;
    const char *query = word_label(w, 1, 'q'), *key = word_label(w, 2, 'k');
    out->question =
        arena_printf(w->arena, scores ? tr("How well does %s match %s?") : tr("How much of its attention does %s give to %s?"), query, key);
    out->result_name = scores ? tr("score") : tr("weight");
    return true;
}

static bool ask_given_row(Words *w, ExplainWords *out) {
    char which = w->t->name[0];
    if (w->t->rank != 3 || w->t->name[1] || !strchr("qkv", which)) return false;
    out->question = word_project_question(w, which);
    out->result_name = word_column(w, which);
    return true;
}

static void ask_weight(Words *w, ExplainWords *out) {
    bool o = str_eq(w->t->name, "w_o"); /* stored [out][in]; drawn and said the other way round */
    const char *to =
        o ? word_feature_label(w, 0) : rich_name(w->arena, 0, arena_printf(w->arena, tr("column %d"), w->e->self.index[0] + 1));
    const char *from =
        o ? rich_name(w->arena, 0, arena_printf(w->arena, tr("column %d"), w->e->self.index[1] + 1)) : word_feature_label(w, 1);
    out->question = arena_printf(w->arena, tr("How much does %s count for %s?"), from, to);
    out->result_name =
        arena_printf(w->arena, tr("%s, row %d, column %d"), words_symbol(w->t->name), w->e->self.index[1] + 1, w->e->self.index[0] + 1);
}

static void ask_table(Words *w, ExplainWords *out) {
    bool tokens = word_role(w, 0) != 0;
    const char *row = tokens ? word_label(w, 0, word_role(w, 0))
                             : rich_name(w->arena, 0, arena_printf(w->arena, tr("position %d"), w->e->self.index[0] + 1));
    out->question = word_content_question(w, row);
    out->result_name = tokens ? arena_printf(w->arena, tr("%s of “%s”"), word_feature(w, 1), word_plain(w, 0)) : words_symbol(w->t->name);
}

/* Tables and lists of a network. */
static bool ask_network(Words *w, ExplainWords *out) {
    const char *name = w->t->name;
    int row = w->e->self.index[0], column = w->e->self.index[w->t->rank - 1] + 1;
    bool gain = w->t->rank == 1 && str_ends(name, "_g"), token = str_eq(name, "w_embed");
    if (gain) {
        out->question = arena_printf(w->arena, tr("How much does the gain weigh column %d?"), column);
        out->result_name = words_symbol(name);
        return true;
    }
    if (str_eq(name, "w_logits") && w->t->rank == 2) {
        out->question = arena_printf(w->arena, tr("How much does column %d count for %s?"), column,
                                     rich_name(w->arena, 'o', words_vocabulary(w->run, row, w->arena)));
        out->result_name = arena_printf(w->arena, tr("%s, id %d, column %d"), words_symbol(name), row, column);
        return true;
    }
    if (!token && !str_eq(name, "w_pos") && !str_eq(name, "w_type") && !str_eq(name, "rel_bias")) return false;
    const char *whose = token ? words_vocabulary(w->run, row, w->arena) : arena_printf(w->arena, tr("row %d"), row + 1);
    out->question = str_eq(name, "rel_bias")
                        ? arena_printf(w->arena, tr("What does a distance of bucket %d count in head %d?"), row + 1, column)
                        : arena_printf(w->arena, tr("What stands in column %d of %s?"), column, rich_name(w->arena, 0, whose));
    out->result_name = token ? arena_printf(w->arena, tr("%s, id %d, column %d"), words_symbol(name), row, column)
                             : arena_printf(w->arena, tr("%s, row %d, column %d"), words_symbol(name), row + 1, column);
    return true;
}

void words_say_input(Words *w, ExplainWords *out) {
    const char *gloss = NULL;
    if (ask_network(w, out)) {
        out->meaning = origin(w);
        return;
    }
    if (w->t->rank == 1) {
        out->question = arena_printf(w->arena, tr("How much does the bias add to column %d?"), w->e->self.index[0] + 1);
        out->result_name = words_symbol(w->t->name);
    } else if (str_starts(w->t->name, "w_") && w->t->rank == 2) {
        ask_weight(w, out);
        gloss = word_gloss(w, str_eq(w->t->name, "w_o") ? 0 : 1);
    } else if (w->t->rank == 2) {
        ask_table(w, out);
        gloss = word_gloss(w, 1);
    } else if (!ask_given_map(w, out) && !ask_given_row(w, out)) {
        out->question = arena_printf(w->arena, tr("What is given for %s and %s?"), word_label(w, 1, word_role(w, 1)),
                                     word_label(w, 2, word_role(w, 2)));
        out->result_name = words_symbol(w->t->name);
    }
    out->meaning = phrase_sentences(w->arena, gloss, origin(w));
}

void words_say_position_row(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("Where does %s stand?"), word_label(w, 0, 'q'));
    out->result_name = arena_printf(w->arena, tr("%s of “%s”"), word_feature(w, 1), word_plain(w, 0));
    if (w->e->rule_text) out->result_name = arena_printf(w->arena, "%s = %s", out->result_name, w->e->rule_text);
    out->meaning =
        arena_printf(w->arena, tr("Position %d, written as numbers: each column is one wave along the tokens."), w->e->self.index[0] + 1);
}

void words_say_rows(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("Where does %s stand?"), word_label(w, 0, 'q'));
    out->result_name = tr("position row");
    out->meaning = arena_printf(w->arena, tr("Position %d has a row of its own; this is one number of it."), w->e->self.index[0] + 1);
    const char *changed = word_changed(w);
    if (changed) out->meaning = phrase_sentences(w->arena, out->meaning, changed);
}

void words_say_rope_table(Words *w, ExplainWords *out) {
    out->question =
        arena_printf(w->arena, tr("By how much does position %d turn pair %d?"), w->e->self.index[0] + 1, w->e->self.index[1] + 1);
    out->result_name = w->e->rule_text ? w->e->rule_text : w->t->name;
    out->meaning = tr("RoPE, a turn by position: the angle grows with the position, and later pairs turn more slowly.");
}

void words_say_slope(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How much does distance cost in head %d?"), w->e->self.index[0] + 1);
    out->result_name = w->e->rule_text ? w->e->rule_text : tr("slope");
    out->meaning = tr("ALiBi takes the slope times the distance off every score: a steep slope looks nearby, a gentle one far.");
}

void words_say_bias(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("What does the distance from %s to %s cost?"), word_label(w, 1, 'q'), word_label(w, 2, 'k'));
    out->result_name = w->e->rule_text ? w->e->rule_text : tr("bias");
    out->meaning = tr("ALiBi, a penalty on distance: it is added to the scaled score, more for each step that the key is farther away.");
}

void words_say_mask_rule(Words *w, ExplainWords *out) {
    int q = w->t->rank - 2;
    bool keeps = w->e->self.value != 0;
    out->question = arena_printf(w->arena, tr("May %s look at %s?"), word_label(w, q, 'q'), word_label(w, q + 1, 'k'));
    out->result_name = words_symbol("mask");
    const char *padding = keeps ? NULL : words_padding_why(w, q);
    if (padding)
        out->meaning = padding;
    else if (!keeps && w->e->rule_text)
        out->meaning = arena_printf(w->arena, tr("No: %s."), w->e->rule_text);
    else
        out->meaning = keeps ? tr("Yes: the mask keeps this key.") : tr("No: the mask hides this key.");
}
