/* Two sentences a stage: a claim, and what happens now with the tokens of the current step. */
#include <assert.h>
#include <math.h>

#include "base/tr.h"
#include "scene/captions.h"
#include "scene/captions_part.h"
#include "scene/compare.h"
#include "scene/look.h"
#include "scene/overview.h"
#include "scene/paint.h"
#include "scene/words.h"

static const char *number(const Caption *c, double value, int decimals) { return scene_number(c->scene, value, decimals); }

static const char *plain_number(const Caption *c, double value) { return scene_short_number(c->scene, value); }

static const char *token(const Caption *c, const TokenList *list, int i) { return words_token(list, i, c->arena); }

static double value_at(const Caption *c, const char *name, int row, int col) {
    TensorId id = scene_find(c->scene, name);
    if (id == TENSOR_NONE) return NAN;
    int index[TENSOR_RANK_MAX];
    scene_index(c->run, id, c->scene->view->head, row, col, index);
    const Tensor *t = trace_tensor(c->trace, id);
    return tensor_has(t, index) ? tensor_at(t, index) : (double)NAN;
}

static void say_embed(Caption *c) {
    if (scene_in_network(c->run)) {
        caption_embed_network(c);
        return;
    }
    static const char *const first[] = {
        [TOKENIZER_WORDS] = tr_mark("A word becomes a row of numbers."),
        [TOKENIZER_CHARACTERS] = tr_mark("A character becomes a row of numbers."),
        [TOKENIZER_SMILES] = tr_mark("A symbol becomes a row of numbers."),
    };
    static_assert(sizeof first / sizeof *first == TOKENIZER_KIND_COUNT, "one sentence a tokenizer");
    static const char *const second[] = {
        [POSITION_NONE] = tr_mark("The row says what the token is. Nothing here says where it stands."),
        [POSITION_SINUSOIDAL] = tr_mark("E holds its own numbers, P the waves of its position. Their sum is X."),
        [POSITION_LEARNED] = tr_mark("E holds its own numbers, P a row for its position. Their sum is X."),
        [POSITION_ROPE_INTERLEAVED] = tr_mark("The row says what the token is. Where it stands will turn q and k in the next stage."),
        [POSITION_ROPE_HALF] = tr_mark("The row says what the token is. Where it stands will turn q and k in the next stage."),
        [POSITION_ALIBI] = tr_mark("The row says what the token is. Where it stands comes in later, as a penalty on distance."),
        [POSITION_GIVEN] = tr_mark("E says what the token is, P where it stands. Their sum is X."),
        [POSITION_RELATIVE] = tr_mark("The row says what the token is. Where it stands comes in later, as a bias for each distance."),
    };
    static_assert(sizeof second / sizeof *second == POSITION_KIND_COUNT, "one sentence a position kind");
    c->first = doc_tokens_listed(c->scene->doc) ? tr("Each token is a row of numbers.") : tr(first[c->scene->doc->tokenizer]);
    c->second = tr(second[c->spec->position.kind]);
    if (scene_stage_tensor(c->scene) == TENSOR_NONE) {
        c->first = tr("Nothing to look up here.");
        c->second = tr("Later numbers are given, so no token rows are needed.");
    } else if (c->run->fields & RUN_GIVEN_X) {
        c->first = tr("Each token is a row of numbers.");
        if (!c->now.work) c->second = tr("The rows are given with the document. Nothing is added for their positions.");
    }
}

static void say_turn(Caption *c, char which) {
    c->first = tr("Turn by position.");
    const char *plain = which == 'q' ? tr("Each pair of numbers in the query of “%s” turns by an angle that grows with its position.")
                                     : tr("Each pair of numbers in the key of “%s” turns by an angle that grows with its position.");
    c->second = arena_printf(c->arena, plain, token(c, which == 'q' ? c->site->queries : c->site->keys, c->now.row));
}

static const char *project_sentence(const Caption *c, char which) {
    int share = c->spec->n_kv_heads > 0 ? c->spec->n_heads / c->spec->n_kv_heads : 1;
    const char *name = token(c, which == 'q' ? c->site->queries : c->site->keys, c->now.row);
    if (which == 'q') return arena_printf(c->arena, tr("Row “%s” times W_Q asks: what am I looking for?"), name);
    if (which == 'k' && c->spec->tie_qk)
        return arena_printf(c->arena, tr("Row “%s” times W_Q again, because W_Q = W_K: it offers exactly what it asks for."), name);
    if (which == 'k') {
        if (share > 1)
            return arena_printf(c->arena, tr("Row “%s” times W_K answers: what do I offer? %d query heads share this key."), name, share);
        return arena_printf(c->arena, tr("Row “%s” times W_K answers: what do I offer?"), name);
    }
    if (share > 1)
        return arena_printf(c->arena, tr("Row “%s” times W_V holds: what do I pass on? %d query heads share this value."), name, share);
    return arena_printf(c->arena, tr("Row “%s” times W_V holds: what do I pass on?"), name);
}

/* Queries, keys and values without weights: the rows themselves, but for those that are given. */
static void say_no_projection(Caption *c) {
    c->first = tr("No projection here.");
    if (c->run->fields & RUN_GIVEN_QKV)
        c->second = tr("Some of the queries, keys and values are given; the others are the token rows themselves.");
    else if (c->site->cross)
        c->second = tr("Queries are the rows of the text, keys and values the rows of the source.");
    else
        c->second = tr("Queries, keys and values are the token rows themselves: q = k = v = x.");
}

static void say_project(Caption *c) {
    const char *name = c->now.work ? trace_tensor(c->trace, c->now.step.tensor)->name : "";
    c->first = tr("Three questions for every token.");
    if (str_ends(name, "_rope")) {
        say_turn(c, name[0]);
    } else if (!c->now.work) {
        c->first = tr("Nothing to project here.");
        c->second = scene_find(c->scene, "q") != TENSOR_NONE ? tr("Queries, keys and values are given.")
                                                             : tr("Scores or weights are given, so no queries and keys are needed.");
    } else if (c->spec->proj == PROJ_NONE) {
        say_no_projection(c);
    } else if (c->whole) {
        c->second = c->spec->tie_qk ? tr("W_Q = W_K: one matrix makes queries and keys, W_V what is passed on.")
                    : c->site->cross ? tr("Queries come from the text, keys and values from the source: what am I looking for, what do I "
                                       "offer, what do I pass on?")
                                  : tr("Multiply each row by W_Q, W_K and W_V: what am I looking for, what do I offer, what do I pass on?");
    } else {
        c->second = project_sentence(c, name[0]);
    }
}

static void say_scores(Caption *c) {
    c->first = c->site->cross ? tr("Every query meets every key of the source.") : tr("Every query meets every key.");
    if (!c->now.work) {
        bool scores = scene_find(c->scene, "scores") != TENSOR_NONE;
        c->first = scores ? tr("The scores are given.") : tr("No scores here.");
        c->second = scores ? tr("They say how well each query matches each key.") : tr("Weights are given, so no scores are needed.");
        return;
    }
    int count = c->spec->L * c->spec->S;
    if (c->whole && c->run->source.note)
        c->second = tr(c->run->source.note);
    else if (count == 1)
        c->second =
            arena_printf(c->arena, tr("The one score is the dot product of row “%s” of Q with column “%s” of Kᵀ."), c->query, c->key);
    else
        c->second =
            arena_printf(c->arena, tr("One score is the dot product of row “%s” of Q with column “%s” of Kᵀ. %d of them fill the map."),
                         c->query, c->key, count);
}

/* What happens to every score, by the kind of scale and whether a temperature comes on top; then the current one. */
static const char *scale_sentence(const Caption *c, bool warm) {
    const char *from = number(c, value_at(c, "scores", c->now.row, c->now.col), 2),
               *to = number(c, value_at(c, "scaled", c->now.row, c->now.col), 2);
    const char *root = words_root(c->spec->d_k, c->arena), *t = plain_number(c, c->spec->temperature);
    const char *factor = plain_number(c, c->spec->scale_number);
    Arena *arena = c->arena;
    if (c->spec->scale == SCALE_AUTO && warm)
        return arena_printf(arena,
                            tr("Every score is divided by √dₖ = √%d = %s and by the temperature %s. For “%s” and “%s”, %s becomes %s."),
                            c->spec->d_k, root, t, c->query, c->key, from, to);
    if (c->spec->scale == SCALE_AUTO && c->spec->d_k == 1) return tr("dₖ is 1 here, so dividing by √dₖ changes nothing.");
    if (c->spec->scale == SCALE_AUTO)
        return arena_printf(arena, tr("Every score is divided by √dₖ = √%d = %s. For “%s” and “%s”, %s becomes %s."), c->spec->d_k, root,
                            c->query, c->key, from, to);
    if (c->spec->scale == SCALE_NONE)
        return arena_printf(arena, tr("Every score is divided by the temperature %s. For “%s” and “%s”, %s becomes %s."), t, c->query,
                            c->key, from, to);
    if (warm)
        return arena_printf(arena,
                            tr("Every score is multiplied by %s and divided by the temperature %s. For “%s” and “%s”, %s becomes %s."),
                            factor, t, c->query, c->key, from, to);
    return arena_printf(arena, tr("Every score is multiplied by %s. For “%s” and “%s”, %s becomes %s."), factor, c->query, c->key, from,
                        to);
}

static void say_scale(Caption *c) {
    bool warm = c->spec->temperature != 0 && c->spec->temperature != 1;
    c->first = tr("Keep the scores in a gentle range.");
    if (!c->now.work) {
        c->first = tr("Nothing to scale here.");
        c->second = tr("Weights are given, so there are no scores.");
    } else if (c->spec->scale == SCALE_NONE && !warm && scene_in_network(c->run)) {
        c->first = tr("No scaling in this model.");
        c->second = tr("It was designed without √dₖ, so the factor is 1; its weights take care of the scores’ size.");
    } else if (c->spec->scale == SCALE_NONE && !warm) {
        c->first = tr("Scaling is off.");
        c->second = tr("The scores stay as they are. Large ones can make softmax choose a single key.");
    } else {
        if (warm) c->first = c->spec->temperature > 1 ? tr("Warm up: the scores draw closer.") : tr("Cool down: the scores move apart.");
        c->second = scale_sentence(c, warm);
    }
}

/* Keys that a row may look at, and their number in all. */
static int kept_keys(const Caption *c, int row) {
    int kept = 0;
    for (int j = 0; j < c->spec->S; j++) kept += value_at(c, "mask", row, j) != 0;
    return kept;
}

static const char *mask_sentence(const Caption *c) {
    int kept = kept_keys(c, c->now.row), all = c->spec->S;
    const char *fill = plain_number(c, c->spec->fill);
    bool adds = c->spec->mask_op == MASK_ADD;
    if (kept == all && all == 1) return arena_printf(c->arena, tr("Row “%s” keeps its only score."), c->query);
    if (kept == all) return arena_printf(c->arena, tr("Row “%s” keeps all of its %d scores."), c->query, all);
    if (kept == 0 && isfinite(c->spec->fill))
        return arena_printf(c->arena,
                            adds ? tr("Row “%s” keeps none of its scores: %s is added to all of them.")
                                 : tr("Row “%s” keeps none of its scores: all become %s."),
                            c->query, fill);
    if (kept == 0) return arena_printf(c->arena, tr("Row “%s” keeps no score at all: there is no key it may look at."), c->query);
    if (all - kept == 1)
        return arena_printf(c->arena,
                            adds ? tr("Row “%s” keeps %d of its %d scores; %s is added to the other one.")
                                 : tr("Row “%s” keeps %d of its %d scores; the other one becomes %s."),
                            c->query, kept, all, fill);
    return arena_printf(c->arena,
                        adds ? tr("Row “%s” keeps %d of its %d scores; %s is added to the others.")
                             : tr("Row “%s” keeps %d of its %d scores; the others become %s."),
                        c->query, kept, all, fill);
}

static void say_mask(Caption *c) {
    bool alibi = c->spec->position.kind == POSITION_ALIBI, relative = c->spec->position.kind == POSITION_RELATIVE;
    if (!c->now.work && c->run->fields & RUN_GIVEN_WEIGHTS) {
        c->first = tr("Nothing to hide here.");
        c->second = tr("Weights are given, so there are no scores.");
    } else if (!c->now.work) {
        c->first = tr("Nothing is hidden here.");
        c->second = tr("No mask is set: every query may look at every key.");
    } else if (c->spec->n_masks == 0 && relative) {
        c->first = tr("A number for every distance.");
        c->second = arena_printf(c->arena, tr("How far apart two tokens stand counts too: %s is added to the score of “%s” and “%s”."),
                                 number(c, value_at(c, "bias", c->now.row, c->now.col), 2), c->query, c->key);
    } else if (c->spec->n_masks == 0) {
        c->first = tr("What is far away counts less.");
        c->second = arena_printf(c->arena, tr("Distance costs: %s is added to the score of “%s” and “%s”."),
                                 number(c, value_at(c, "bias", c->now.row, c->now.col), 2), c->query, c->key);
    } else {
        c->first = alibi      ? tr("Far counts less, and some must not be seen.")
                   : relative ? tr("Distance counts, and some must not be seen.")
                              : tr("Hide what must not be seen.");
        c->second = mask_sentence(c);
    }
}

/* A number of the current row in a [H, L] tensor. */
static double row_value(const Caption *c, const char *name) {
    TensorId id = scene_find(c->scene, name);
    const int at[TENSOR_RANK_MAX] = {c->scene->view->head, c->now.row};
    return id == TENSOR_NONE ? (double)NAN : tensor_at(trace_tensor(c->trace, id), at);
}

/* `all` takes the query and the only key that it looks at; `one` the query, the key that it gives most of its weight,
 * and the weight; `alike` the query, how many keys share the first place, and the weight of each. NULL: nothing to say. */
static const char *leader_sentence(const Caption *c, const char *all, const char *one, const char *alike) {
    TensorId weights = scene_find(c->scene, "weights");
    if (weights == TENSOR_NONE) return NULL;
    RowLeader leader = words_leader(c->run, weights, c->scene->view->head, c->now.row);
    if (leader.key < 0 || leader.nan) return NULL;
    if (leader.n_shares == 1 && leader.share == 1) return arena_printf(c->arena, all, c->query, token(c, c->site->keys, leader.key));
    const char *share = number(c, leader.share, 2);
    if (leader.n_alike > 1) return arena_printf(c->arena, alike, c->query, leader.n_alike, share);
    return arena_printf(c->arena, one, c->query, token(c, c->site->keys, leader.key), share);
}

static bool row_is_empty(const Caption *c) {
    return scene_find(c->scene, "mask") != TENSOR_NONE && kept_keys(c, c->now.row) == 0 && !isfinite(c->spec->fill);
}

static const char *empty_row_sentence(const Caption *c) {
    if (!row_is_empty(c)) return NULL;
    if (c->spec->empty_row == EMPTY_ROW_ZERO)
        return arena_printf(c->arena, tr("Row “%s” has no key it may look at; by the chosen rule all its weights are 0."), c->query);
    return arena_printf(c->arena, tr("Row “%s” has no key it may look at: −∞ − (−∞) is not a number, NaN."), c->query);
}

/* The map is no head's. NULL: it is. */
static const char *all_heads_sentence(const Caption *c) {
    if (!look_over_heads(c->scene)) return NULL;
    int heads = c->spec->n_heads;
    if (look_aggregate(c->scene) == AGGREGATE_AVERAGE)
        return arena_printf(c->arena, tr("Each number is the mean of the same weight in all %d heads, so rows still add up to 1."), heads);
    return arena_printf(c->arena, tr("Each number is the largest of the same weight in all %d heads, so rows add up to more than 1."), heads);
}

static void say_softmax(Caption *c) {
    c->first = tr("Each row is a budget of attention.");
    c->second = tr("Softmax turns a row of scores into shares that add up to 1. The largest score takes the largest share.");
    if (!c->now.work) {
        c->first = tr("The weights are given.");
        c->second = tr("They say how much of its attention each query gives to each key.");
        for (int i = c->run->n_diagnosis - 1; i >= 0; i--) /* the first one */
            if (c->run->diagnosis[i].kind == DIAGNOSIS_ROW_SUM) c->second = c->run->diagnosis[i].message;
        return;
    }
    const char *empty = empty_row_sentence(c), *all = all_heads_sentence(c);
    bool at_rest = c->now.step.phase == 2 && c->now.phase >= 1;
    if (c->whole && !empty && !all) return;
    if (empty)
        c->second = empty;
    else if (all && (c->whole || at_rest))
        c->second = all;
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
        const char *most = leader_sentence(c, tr("Row “%s” gives its whole budget to “%s”."),
                                           tr("Row “%s” gives the largest share of its budget to “%s”: %s."),
                                           tr("Row “%s” gives the same share of its budget to %d keys: %s each."));
        if (most) c->second = most;
    }
}

static void say_weighted_sum(Caption *c) {
    c->first = tr("Take home a mixture of values.");
    c->second = tr("Each output row mixes the rows of V by the weights of its token.");
    if (c->whole || !c->now.work) return;
    if (row_is_empty(c)) {
        const char *plain = c->spec->empty_row == EMPTY_ROW_ZERO
                                ? tr("Row “%s” has no key it may look at, so it takes home zeros.")
                                : tr("Row “%s” has no key it may look at, so what it takes home is not a number.");
        c->second = arena_printf(c->arena, plain, c->query);
        return;
    }
    const char *most = leader_sentence(c, tr("Row “%s” takes the value of “%s” as it is: it is the only key with weight."),
                                       tr("Row “%s” mixes the rows of V by its weights; the largest part comes from “%s”: %s."),
                                       tr("Row “%s” mixes the rows of V by its weights; the %d largest parts are alike, with %s each."));
    if (most) c->second = most;
}

static void say_concat(Caption *c) {
    int heads = c->spec->n_heads, head = c->now.work ? c->now.step.row1 : 1, width = c->spec->d_v;
    c->first = heads > 1 ? tr("The heads stand side by side.") : tr("One head: nothing to join.");
    if (!c->now.work)
        c->second = tr("There is nothing to join at this stage.");
    else if (heads == 1)
        c->second = tr("The head’s output is the whole row.");
    else if (c->whole && width == 1)
        c->second = arena_printf(c->arena, tr("The outputs of %d heads, one column each, become one row."), heads);
    else if (c->whole)
        c->second =
            arena_printf(c->arena, tr("The outputs of %d heads, %d columns each, become one row of %d."), heads, width, heads * width);
    else if (width == 1)
        c->second = arena_printf(c->arena, tr("Head %d fills column %d of every row."), head, head);
    else
        c->second = arena_printf(c->arena, tr("Head %d fills columns %d to %d of every row."), head, (head - 1) * width + 1, head * width);
}

static void say_output(Caption *c) {
    int heads = c->spec->n_heads;
    if (!c->spec->out_proj) {
        c->first = tr("No output projection here.");
        c->second = heads > 1 ? tr("The heads side by side are the result.") : tr("The head’s output is the result.");
        return;
    }
    c->first = heads > 1 ? tr("Bring the heads back together.") : tr("Bring the result back.");
    bool whole = c->whole || !c->now.work;
    if (heads == 1)
        c->second = whole ? tr("Wᴼ turns the head’s output into one row per token.")
                          : arena_printf(c->arena, tr("Row “%s” times Wᴼ: what the head brought home becomes one row."), c->query);
    else if (whole)
        c->second = arena_printf(c->arena, tr("The outputs of %d heads stand side by side; Wᴼ mixes them into one row per token."), heads);
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
    [STAGE_NORM] = caption_norm,
    [STAGE_ADD] = caption_add,
    [STAGE_ADD_NORM] = caption_norm,
    [STAGE_FFN_NORM] = caption_norm,
    [STAGE_FFN] = caption_ffn,
    [STAGE_FFN_ADD] = caption_add,
    [STAGE_FFN_ADD_NORM] = caption_norm,
    [STAGE_FINAL_NORM] = caption_norm,
    [STAGE_POOL] = caption_pool,
    [STAGE_PREDICT] = caption_predict,
};
static_assert(sizeof say / sizeof *say == STAGE_KIND_COUNT, "captions for each stage kind");

/* A selected number of this stage is what the sentences are about, as the inspector is; and so it stays while its trail is followed. */
static void follow_selection(Caption *c) {
    TensorId tensor;
    int index[TENSOR_RANK_MAX];
    if (!c->now.work || !scene_anchor(c->scene, &tensor, index)) return;
    const Tensor *t = trace_tensor(c->trace, tensor);
    if (t->rank < 2 || c->stage->kind == STAGE_PREDICT || c->stage->kind == STAGE_CONCAT || trace_op(c->trace, t->op)->kind == OP_INPUT) return;
    bool row_only = str_starts(t->name, "row_"); /* [H, L] */
    c->now.row = row_only ? index[1] : index[t->rank - 2];
    c->now.col = row_only ? 0 : index[t->rank - 1];
    c->now.step.tensor = tensor;
    c->now.step.phase = str_eq(t->name, "row_max") ? 0 : str_eq(t->name, "exp") || str_eq(t->name, "row_sum") ? 1 : 2;
    c->now.phase = film_progress(c->trace, &c->scene->view->film, tensor, c->now.row, c->now.col);
    c->whole = false;
}

void scene_captions(const Scene *scene, const char **first, const char **second) {
    if (overview_on(scene)) {
        overview_captions(scene, first, second);
        return;
    }
    if (compare_on(scene) && scene->check) {
        *first = scene->check->where;
        *second = scene->check->why ? scene->check->why : compare_sentence(scene);
        return;
    }
    if (compare_on(scene)) {
        *first = tr("What changed, and what followed?");
        *second = compare_sentence(scene);
        return;
    }
    const Run *run = scene->run;
    Caption c = {.scene = scene, .run = run, .site = scene_site(scene), .spec = &scene_site(scene)->spec, .trace = run->trace, .arena = scene->arena, .first = "", .second = ""};
    c.stage = scene_stage(scene);
    c.now = scene_now(scene);
    double steps = film_steps(run->trace, scene->view->film.stage);
    c.whole = !c.now.started || scene->view->film.position >= steps;
    follow_selection(&c);
    c.query = token(&c, c.site->queries, c.now.work ? c.now.row : 0);
    c.key = token(&c, c.site->keys, c.now.work ? c.now.col : 0);
    say[c.stage->kind](&c);
    *first = c.first;
    *second = c.second;
}

void captions_draw(const Scene *scene, DisplayList *dl) {
    const char *first, *second;
    scene_captions(scene, &first, &second);
    const Theme *theme = scene_theme(scene);
    RichStyle style = scene_style(scene, TYPE_HEAD, FACE_UI_BOLD, theme->ink);
    rich_label(dl, &style, scene->layout.caption, ALIGN_CENTER, first);
    if (scene->layout.caption2.h <= 0) return;
    style = scene_style(scene, TYPE_TITLE, FACE_UI, theme->muted);
    rich_label(dl, &style, scene->layout.caption2, ALIGN_CENTER, second);
}
