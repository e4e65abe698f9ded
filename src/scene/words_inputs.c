/* Words for what is not computed: given numbers, and rules with their parameters. */
#include "base/tr.h"
#include "scene/rich.h"
#include "scene/words_part.h"

static const char *origin(const Words *w) {
    static const struct {
        int flag;
        const char *tensor, *says;
    } given[] = {
        {RUN_GIVEN_X, "tok", tr_mark("It is given with the document.")},
        {RUN_GIVEN_X, "x", tr_mark("It is given with the document.")},
        {RUN_GIVEN_QKV, "q", tr_mark("It is given with the document.")},
        {RUN_GIVEN_QKV, "k", tr_mark("It is given with the document.")},
        {RUN_GIVEN_QKV, "v", tr_mark("It is given with the document.")},
        {RUN_GIVEN_SCORES, "scores", tr_mark("It is given with the document.")},
        {RUN_GIVEN_WEIGHTS, "weights", tr_mark("It is given with the document.")},
        {RUN_POS_SEEDED, "pos_emb", tr_mark("It was drawn at random from the seed.")},
    };
    static const struct {
        const char *badge, *says;
    } badges[] = {
        {"made by hand", tr_mark("It was set by hand, so that the head’s job can be read off the matrix.")},
        {"random", tr_mark("It was drawn at random from the seed.")},
        {"given", tr_mark("It is given with the document.")},
        {"trained", tr_mark("It was learned in training.")},
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if ((w->run->fields & given[i].flag) && str_eq(w->t->name, given[i].tensor)) return tr(given[i].says);
    if (str_eq(w->t->name, "tok") || str_eq(w->t->name, "x") || str_eq(w->t->name, "x_kv")) {
        if (str_eq(w->run->source.badge, "made by hand")) return tr("It describes the token itself and is looked up, not computed.");
    }
    for (size_t i = 0; i < sizeof badges / sizeof *badges; i++)
        if (str_eq(w->run->source.badge, badges[i].badge)) return tr(badges[i].says);
    return tr("It is given, not computed.");
}

void words_say_input(Words *w, ExplainWords *out) {
    const char *first = word_label(w, 0, word_role(w, 0));
    out->result_name = w->t->name;
    out->meaning = origin(w);
    if (w->t->rank == 1) {
        out->question = arena_printf(w->arena, tr("How much does the bias add to column %s?"), first);
    } else if (str_starts(w->t->name, "w_")) {
        out->question =
            arena_printf(w->arena, tr("How much does %s count for column %d?"), word_feature_label(w, 1), w->e->self.index[0] + 1);
    } else if (w->t->rank == 2) {
        out->question = arena_printf(w->arena, tr("What is %s of %s?"), word_feature_label(w, 1), first);
    } else {
        out->question = arena_printf(w->arena, tr("What is given for %s and %s?"), word_label(w, 1, word_role(w, 1)),
                                     word_label(w, 2, word_role(w, 2)));
    }
}

void words_say_position_row(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("Where does %s stand?"), word_label(w, 0, 'q'));
    out->result_name = arena_printf(w->arena, tr("%s of “%s”"), word_feature(w, 1), word_plain(w, 0));
    if (w->e->rule_text) out->result_name = arena_printf(w->arena, "%s = %s", out->result_name, w->e->rule_text);
    out->meaning =
        arena_printf(w->arena, tr("Position %d, written as numbers: each column is one wave along the sentence."), w->e->self.index[0] + 1);
}

void words_say_rows(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("Where does %s stand?"), word_label(w, 0, 'q'));
    out->result_name = tr("position row");
    out->meaning =
        arena_printf(w->arena, tr("Position %d has a learned row of its own; this is one number of it."), w->e->self.index[0] + 1);
}

void words_say_rope_table(Words *w, ExplainWords *out) {
    out->question =
        arena_printf(w->arena, tr("By how much does position %d turn pair %d?"), w->e->self.index[0] + 1, w->e->self.index[1] + 1);
    out->result_name = w->e->rule_text ? w->e->rule_text : w->t->name;
    out->meaning = tr("The angle grows with the position; later pairs turn more slowly.");
}

void words_say_slope(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How much does distance cost in head %d?"), w->e->self.index[0] + 1);
    out->result_name = w->e->rule_text ? w->e->rule_text : tr("slope");
    out->meaning = tr("Each head has its own slope: a steep one looks nearby, a gentle one far.");
}

void words_say_bias(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("What does the distance from %s to %s cost?"), word_label(w, 1, 'q'), word_label(w, 2, 'k'));
    out->result_name = w->e->rule_text ? w->e->rule_text : tr("bias");
    out->meaning = tr("It is added to the scaled score: the farther away, the lower.");
}

void words_say_mask_rule(Words *w, ExplainWords *out) {
    int q = w->t->rank - 2;
    bool keeps = w->e->self.value != 0;
    out->question = arena_printf(w->arena, tr("May %s look at %s?"), word_label(w, q, 'q'), word_label(w, q + 1, 'k'));
    out->result_name = tr("mask, 1 = keep");
    if (!keeps && w->e->rule_text)
        out->meaning = arena_printf(w->arena, tr("No: %s."), w->e->rule_text);
    else
        out->meaning = keeps ? tr("Yes: the mask keeps this key.") : tr("No: the mask hides this key.");
}
