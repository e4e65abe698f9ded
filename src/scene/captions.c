/* Two sentences a stage: a claim, and what happens now with the tokens of the current step. */
#include <assert.h>
#include <math.h>

#include "base/tr.h"
#include "scene/captions.h"
#include "scene/now.h"
#include "scene/paint.h"
#include "scene/words.h"

typedef struct {
    const Scene *scene;
    const Run *run;
    const AttentionSpec *spec;
    const Trace *trace;
    Arena *arena;
    const Stage *stage;
    Now now;
    bool whole;              /* the stage stands at its start or at its end */
    const char *query, *key; /* names of the current row and column, quoted in the sentences */
    const char *first, *second;
} Caption;

static const char *number(const Caption *c, double value, int decimals) { return scene_number(c->scene, value, decimals); }

static const char *plain_number(const Caption *c, double value) { return scene_short_number(c->scene, value); }

static const char *token(const Caption *c, const TokenList *list, int i) {
    return i >= 0 && i < list->n ? rich_short(c->arena, list->items[i].label) : "";
}

static double value_at(const Caption *c, const char *name, int row, int col) {
    TensorId id = scene_find(c->scene, name);
    if (id == TENSOR_NONE) return NAN;
    int index[TENSOR_RANK_MAX];
    scene_index(c->run, id, c->scene->view->head, row, col, index);
    const Tensor *t = trace_tensor(c->trace, id);
    return tensor_has(t, index) ? tensor_at(t, index) : (double)NAN;
}

static void say_embed(Caption *c) {
    static const char *const first[] = {
        [TOKENIZER_WORDS] = tr_mark("A word becomes a row of numbers."),
        [TOKENIZER_CHARACTERS] = tr_mark("A character becomes a row of numbers."),
        [TOKENIZER_SMILES] = tr_mark("A symbol becomes a row of numbers."),
    };
    static_assert(sizeof first / sizeof *first == TOKENIZER_KIND_COUNT, "one sentence a tokenizer");
    static const char *const second[] = {
        [POSITION_NONE] = tr_mark("The row says what the token is. Nothing here says where it stands."),
        [POSITION_SINUSOIDAL] = tr_mark("Its own numbers come from the table E. The waves of its position come from P. Their sum is X."),
        [POSITION_LEARNED] = tr_mark("Its own numbers come from the table E. A learned row for its position comes from P. Their sum is X."),
        [POSITION_ROPE_INTERLEAVED] = tr_mark("The row says what the token is. Where it stands will turn q and k in the next stage."),
        [POSITION_ROPE_HALF] = tr_mark("The row says what the token is. Where it stands will turn q and k in the next stage."),
        [POSITION_ALIBI] = tr_mark("The row says what the token is. Where it stands comes in later, as a penalty on distance."),
        [POSITION_GIVEN] = tr_mark("Its own features come from the table E. Its place in the sentence comes from P. Their sum is X."),
    };
    static_assert(sizeof second / sizeof *second == POSITION_KIND_COUNT, "one sentence a position kind");
    c->first = tr(first[c->scene->doc->tokenizer]);
    c->second = tr(second[c->spec->position.kind]);
    if (scene_stage_tensor(c->scene) == TENSOR_NONE) {
        c->first = tr("The later numbers are given.");
        c->second = tr("The document begins with queries, keys or scores, so there are no token rows to look up.");
    } else if (c->run->fields & RUN_GIVEN_X) {
        c->first = tr("Each token is a row of numbers.");
        if (!c->now.work) c->second = tr("The rows are given with the document. Nothing is added for their positions.");
    } else if (c->run->source.note) {
        c->second = tr(c->run->source.note);
    }
}

static void say_turn(Caption *c, char which) {
    c->first = tr("Turn by position.");
    const char *plain = which == 'q' ? tr("Each pair of numbers in the query of “%s” turns by an angle that grows with its position.")
                                     : tr("Each pair of numbers in the key of “%s” turns by an angle that grows with its position.");
    c->second = arena_printf(c->arena, plain, token(c, which == 'q' ? &c->run->tokens : &c->run->keys, c->now.row));
}

static const char *project_sentence(const Caption *c, char which) {
    int share = c->spec->n_kv_heads > 0 ? c->spec->n_heads / c->spec->n_kv_heads : 1;
    const char *name = token(c, which == 'q' ? &c->run->tokens : &c->run->keys, c->now.row);
    if (which == 'q') return arena_printf(c->arena, tr("Row “%s” of X times W_Q asks: what am I looking for?"), name);
    if (which == 'k') {
        if (share > 1)
            return arena_printf(c->arena, tr("Row “%s” times W_K answers: what do I offer? %d query heads share this key."), name, share);
        return arena_printf(c->arena, tr("Row “%s” of X times W_K answers: what do I offer?"), name);
    }
    if (share > 1)
        return arena_printf(c->arena, tr("Row “%s” times W_V holds: what do I pass on? %d query heads share this value."), name, share);
    return arena_printf(c->arena, tr("Row “%s” of X times W_V holds: what do I pass on?"), name);
}

static void say_project(Caption *c) {
    const char *name = c->now.work ? trace_tensor(c->trace, c->now.step.tensor)->name : "";
    if (str_ends(name, "_rope") && !c->whole) {
        say_turn(c, name[0]);
        return;
    }
    c->first = tr("Three questions for every token.");
    if (c->spec->proj == PROJ_NONE) {
        c->first = tr("No projection here.");
        c->second = tr("Queries, keys and values are the token rows themselves: q = k = v = x.");
        return;
    }
    if (!c->now.work) {
        bool queries = scene_find(c->scene, "q") != TENSOR_NONE;
        c->first = queries ? tr("Queries, keys and values are given.") : tr("The later numbers are given.");
        c->second = queries ? tr("They come with the document, so there is nothing to project.")
                            : tr("The document begins with scores or weights, so there are no queries and keys.");
        return;
    }
    if (c->whole)
        c->second = c->run->cross ? tr("Queries come from the text, keys and values from the source: what am I looking for, what do I "
                                       "offer, what do I pass on?")
                                  : tr("Multiply each row by W_Q, W_K and W_V: what am I looking for, what do I offer, what do I pass on?");
    else
        c->second = project_sentence(c, name[0]);
}

static void say_scores(Caption *c) {
    c->first = c->run->cross ? tr("Every query meets every key of the source.") : tr("Every query meets every key.");
    if (!c->now.work) {
        bool scores = scene_find(c->scene, "scores") != TENSOR_NONE;
        c->first = scores ? tr("The scores are given.") : tr("The weights are given.");
        c->second = scores ? tr("They come with the document: how well each query matches each key.")
                           : tr("The document begins with weights, so there are no scores to compute.");
        return;
    }
    int count = c->spec->L * c->spec->S;
    if (count == 1) {
        c->second =
            arena_printf(c->arena, tr("The one score is the dot product of row “%s” of Q with column “%s” of Kᵀ."), c->query, c->key);
        return;
    }
    c->second = arena_printf(c->arena, tr("One score is the dot product of row “%s” of Q with column “%s” of Kᵀ. %d of them fill the map."),
                             c->query, c->key, count);
}

static void say_scale(Caption *c) {
    double t = c->spec->temperature;
    bool warm = t != 0 && t != 1;
    c->first = tr("Keep the scores in a gentle range.");
    if (!c->now.work) {
        c->first = tr("The scores pass unchanged.");
        c->second = tr("Nothing is scaled at this stage.");
        return;
    }
    const char *from = number(c, value_at(c, "scores", c->now.row, c->now.col), 2),
               *to = number(c, value_at(c, "scaled", c->now.row, c->now.col), 2);
    if (c->spec->scale == SCALE_AUTO && !warm) {
        const char *root = plain_number(c, sqrt(c->spec->d_k));
        c->second = arena_printf(c->arena, tr("Every score is divided by √dₖ = √%d = %s. For “%s” and “%s”, %s becomes %s."), c->spec->d_k,
                                 root, c->query, c->key, from, to);
        return;
    }
    if (c->spec->scale == SCALE_NONE && !warm) {
        c->first = tr("Scaling is off.");
        c->second = tr("The scores stay as they are. Large ones will make softmax choose a single key.");
        return;
    }
    const char *factor = plain_number(c, attention_scale(c->spec));
    if (warm)
        c->second = arena_printf(c->arena, tr("With temperature %s every score is multiplied by %s. For “%s” and “%s”, %s becomes %s."),
                                 plain_number(c, t), factor, c->query, c->key, from, to);
    else
        c->second = arena_printf(c->arena, tr("Every score is multiplied by %s. For “%s” and “%s”, %s becomes %s."), factor, c->query,
                                 c->key, from, to);
}

/* Keys that a row may look at, and their number in all. */
static int kept_keys(const Caption *c, int row) {
    int kept = 0;
    for (int j = 0; j < c->spec->S; j++) kept += value_at(c, "mask", row, j) != 0;
    return kept;
}

static const char *mask_sentence(const Caption *c) {
    int kept = kept_keys(c, c->now.row), all = c->spec->S;
    const char *fill = number(c, c->spec->fill, 0);
    if (kept == all) return arena_printf(c->arena, tr("Row “%s” keeps all of its %d scores."), c->query, all);
    if (kept == 0) return arena_printf(c->arena, tr("Row “%s” keeps no score at all: there is no key it may look at."), c->query);
    if (c->spec->mask_op == MASK_ADD)
        return arena_printf(c->arena, tr("Row “%s” keeps %d of its %d scores; %s is added to the others."), c->query, kept, all, fill);
    return arena_printf(c->arena, tr("Row “%s” keeps %d of its %d scores; the others become %s."), c->query, kept, all, fill);
}

static void say_mask(Caption *c) {
    bool alibi = c->spec->position.kind == POSITION_ALIBI;
    if (!c->now.work) {
        c->first = tr("Nothing is hidden here.");
        c->second = c->run->fields & RUN_GIVEN_WEIGHTS ? tr("The weights are given, so there are no scores to hide.")
                                                       : tr("No mask is set: every query may look at every key.");
        return;
    }
    if (c->spec->n_masks == 0) {
        c->first = tr("What is far away counts less.");
        c->second = arena_printf(c->arena, tr("Distance costs: %s is added to the score of “%s” and “%s”."),
                                 number(c, value_at(c, "bias", c->now.row, c->now.col), 2), c->query, c->key);
        return;
    }
    c->first = alibi ? tr("Far counts less, and some must not be seen.") : tr("Hide what must not be seen.");
    c->second = mask_sentence(c);
}

/* A number of the current row in a [H, L] tensor. */
static double row_value(const Caption *c, const char *name) {
    TensorId id = scene_find(c->scene, name);
    const int at[TENSOR_RANK_MAX] = {c->scene->view->head, c->now.row};
    return id == TENSOR_NONE ? (double)NAN : tensor_at(trace_tensor(c->trace, id), at);
}

/* `one` takes the query, the key that it gives most of its weight, and the weight; `alike` the query, how many keys
 * share the first place, and the weight of each. NULL: nothing to say. */
static const char *leader_sentence(const Caption *c, const char *one, const char *alike) {
    TensorId weights = scene_find(c->scene, "weights");
    if (weights == TENSOR_NONE) return NULL;
    RowLeader leader = words_leader(c->run, weights, c->scene->view->head, c->now.row);
    if (leader.key < 0) return NULL;
    const char *share = number(c, leader.share, 2);
    if (leader.n_alike > 1) return arena_printf(c->arena, alike, c->query, leader.n_alike, share);
    return arena_printf(c->arena, one, c->query, token(c, &c->run->keys, leader.key), share);
}

static const char *empty_row_sentence(const Caption *c) {
    TensorId mask = scene_find(c->scene, "mask");
    if (mask == TENSOR_NONE || kept_keys(c, c->now.row) > 0 || isfinite(c->spec->fill)) return NULL;
    if (c->spec->empty_row == EMPTY_ROW_ZERO)
        return arena_printf(c->arena, tr("Row “%s” has no key it may look at; by the chosen rule all its weights are 0."), c->query);
    return arena_printf(c->arena, tr("Row “%s” has no key it may look at: 0 ÷ 0 is not a number, NaN."), c->query);
}

static void say_softmax(Caption *c) {
    c->first = tr("Each row is a budget of attention.");
    c->second = tr("Softmax turns a row of scores into shares that add up to 1. The largest score takes the largest share.");
    if (!c->now.work) {
        c->first = tr("The weights are given.");
        c->second = tr("They come with the document: how much of its attention each query gives to each key.");
        return;
    }
    if (c->whole) return;
    const char *empty = empty_row_sentence(c);
    if (empty)
        c->second = empty;
    else if (c->now.step.phase == 0)
        c->second = arena_printf(c->arena, tr("Row “%s”: subtract its largest score, %s, from each; the largest becomes 0."), c->query,
                                 number(c, row_value(c, "row_max"), 2));
    else if (c->now.step.phase == 1)
        c->second = arena_printf(
            c->arena, tr("Row “%s”: exp makes every number positive; one more in the score counts e ≈ 2.72 times as much."), c->query);
    else if (c->now.phase < 1)
        c->second = arena_printf(c->arena, tr("Row “%s”: divide each by their sum, %s; together the shares are 1."), c->query,
                                 number(c, row_value(c, "row_sum"), 3));
    else {
        const char *most = leader_sentence(c, tr("Row “%s” gives the largest share of its budget to “%s”: %s."),
                                           tr("Row “%s” gives the same share of its budget to %d keys: %s each."));
        if (most) c->second = most;
    }
}

static void say_weighted_sum(Caption *c) {
    c->first = tr("Take home a mixture of values.");
    c->second = tr("Each output row is the average of the rows of V, weighted by that token’s attention.");
    if (c->whole || !c->now.work) return;
    const char *most = leader_sentence(c, tr("Row “%s” mixes the rows of V by its weights; the largest part comes from “%s”: %s."),
                                       tr("Row “%s” mixes the rows of V by its weights; %d of them count alike, with %s each."));
    if (most) c->second = most;
}

static void say_concat(Caption *c) {
    c->first = tr("The heads stand side by side.");
    if (!c->now.work) {
        c->second = tr("There is nothing to join at this stage.");
        return;
    }
    int head = c->now.step.row1, width = c->spec->d_v;
    if (c->spec->n_heads == 1)
        c->second = tr("There is one head, so its output is the whole row.");
    else if (c->whole)
        c->second = arena_printf(c->arena, tr("The outputs of %d heads, %d columns each, become one row of %d."), c->spec->n_heads, width,
                                 c->spec->n_heads * width);
    else
        c->second = arena_printf(c->arena, tr("Head %d fills columns %d to %d of every row."), head, (head - 1) * width + 1, head * width);
}

static void say_output(Caption *c) {
    if (!c->spec->out_proj) {
        c->first = tr("No output projection here.");
        c->second = tr("The heads side by side are the result.");
        return;
    }
    c->first = tr("Bring the heads back together.");
    if (c->spec->n_heads == 1) c->first = tr("Bring the result back.");
    if (c->whole || !c->now.work)
        c->second = c->spec->n_heads == 1
                        ? tr("Wᴼ turns the head’s output into one row per token.")
                        : arena_printf(c->arena, tr("The outputs of %d heads stand side by side; Wᴼ mixes them into one row per token."),
                                       c->spec->n_heads);
    else
        c->second = arena_printf(c->arena, tr("Row “%s” times Wᴼ: what each head brought home is mixed into one row."), c->query);
}

static void (*const say[])(Caption *) = {
    [STAGE_EMBED] = say_embed,
    [STAGE_PROJECT] = say_project,
    [STAGE_SCORES] = say_scores,
    [STAGE_SCALE] = say_scale,
    [STAGE_MASK] = say_mask,
    [STAGE_SOFTMAX] = say_softmax,
    [STAGE_WEIGHTED_SUM] = say_weighted_sum,
    [STAGE_CONCAT] = say_concat,
    [STAGE_OUTPUT] = say_output,
};
static_assert(sizeof say / sizeof *say == STAGE_KIND_COUNT, "captions for each stage kind");

void scene_captions(const Scene *scene, const char **first, const char **second) {
    const Run *run = scene->run;
    Caption c = {.scene = scene, .run = run, .spec = &run->spec, .trace = run->trace, .arena = scene->arena, .first = "", .second = ""};
    c.stage = scene_stage(scene);
    c.now = scene_now(scene);
    double steps = film_steps(run->trace, scene->view->film.stage);
    c.whole = !c.now.started || scene->view->film.position >= steps;
    c.query = token(&c, &run->tokens, c.now.work ? c.now.row : 0);
    c.key = token(&c, &run->keys, c.now.work ? c.now.col : 0);
    say[c.stage->kind](&c);
    *first = c.first;
    *second = c.second;
}

void captions_draw(const Scene *scene, DisplayList *dl) {
    const char *first, *second;
    scene_captions(scene, &first, &second);
    const Theme *theme = scene_theme(scene);
    bool presenting = scene->layout.presenting;
    RichStyle style = scene_style(scene, presenting ? TYPE_TITLE : TYPE_HEAD, FACE_UI_BOLD, theme->ink);
    rich_label(dl, &style, scene->layout.caption, ALIGN_CENTER, first);
    if (scene->layout.caption2.h <= 0) return;
    style = scene_style(scene, presenting ? TYPE_LABEL : TYPE_TITLE, FACE_UI, theme->muted);
    rich_label(dl, &style, scene->layout.caption2, ALIGN_CENTER, second);
}
