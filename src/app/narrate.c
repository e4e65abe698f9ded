#include "app/narrate.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/narrate_parts.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "scene/look.h"
#include "scene/now.h"
#include "scene/reading.h"
#include "scene/rich.h"
#include "scene/words.h"

enum { TEXT_CLUSTERS = 200 }; /* of the text, before it is cut */

void narrate_say(const Narration *n, const char *sentence) {
    if (sentence && sentence[0]) sb_printf(n->out, "%s\n", rich_plain(n->arena, sentence));
}

const char *narrate_value(const Narration *n, double value, int decimals) {
    char text[NUM_MAX];
    return arena_strdup(n->arena, num_fixed(text, value, decimals, NUM_FILE));
}

/* ---- what is told ---- */

static TensorId enlarged_map(const Narration *n) {
    static const char *const names[] = {
        [AGGREGATE_HEAD] = "weights", [AGGREGATE_AVERAGE] = "head_avg", [AGGREGATE_ROLLOUT] = "rollout",
        [AGGREGATE_LENGTH] = "weighted_length", [AGGREGATE_MAXIMUM] = "head_max",
    };
    static_assert(sizeof names / sizeof *names == AGGREGATE_KIND_COUNT, "a map for each kind");
    const Site *site = scene_site(n->scene);
    AggregateKind kind = n->scene->view->aggregate;
    if (kind == AGGREGATE_HEAD) return site->weights;
    TensorId id = scene_find(n->scene, names[kind]);
    const char *dot = strrchr(site->scope, '.');
    if (id == TENSOR_NONE && dot)
        id = trace_find(n->run->trace, arena_printf(n->arena, "%.*s.%s", (int)(dot - site->scope), site->scope, names[kind]));
    return id != TENSOR_NONE ? id : site->weights;
}

TensorId narrate_tensor(const Narration *n) {
    return n->overview ? enlarged_map(n) : look_tensor(n->scene);
}

bool narrate_number(const Narration *n, TensorId *id, int index[TENSOR_RANK_MAX]) {
    if (scene_selection(n->scene, id, index)) return true;
    if (n->overview) return false;
    Now now = scene_now(n->scene);
    if (!now.work || !now.started) return false;
    *id = now.step.tensor;
    memcpy(index, now.index, sizeof now.index);
    return true;
}

/* ---- place ---- */

static void say_text(const Narration *n) {
    const Site *site = scene_site(n->scene);
    const TokenList *lists[] = {site->queries, site->keys};
    for (int i = 0; i < (site->cross ? 2 : 1); i++) {
        StrBuf words;
        sb_init(&words, n->arena);
        int told = 0;
        for (; told < lists[i]->n && words.length < TEXT_CLUSTERS; told++)
            sb_printf(&words, told > 0 ? " %s" : "%s", words_token(lists[i], told, n->arena));
        int all = lists[i]->n;
        const char *form = told < all ? i == 0 ? tr("%d tokens, which begin with: %s.") : tr("The keys are another text of %d tokens, which begins with: %s.")
                           : i == 0   ? tr_count("%d token: %s.", "%d tokens: %s.", all)
                                      : tr_count("The keys are another text of %d token: %s.", "The keys are another text of %d tokens: %s.", all);
        narrate_say(n, arena_printf(n->arena, form, all, words.data ? words.data : ""));
    }
}

/* Around attention, and where several heads are put together, no head is in view. */
static bool has_head(const Narration *n) {
    AggregateKind kind = n->scene->view->aggregate;
    if (narrate_together(n)) return false;
    return n->overview ? kind == AGGREGATE_HEAD || kind == AGGREGATE_LENGTH : scene_stage(n->scene)->kind < STAGE_ATTENTION_COUNT;
}

static void say_head(const Narration *n) {
    if (!has_head(n)) return;
    int head = n->scene->view->head, heads = scene_site(n->scene)->spec.n_heads;
    const char *job = n->run->network ? NULL : words_head_job(n->run, head);
    if (job) narrate_say(n, arena_printf(n->arena, tr("Head %d of %d, made by hand for this: %s."), head + 1, heads, job));
    else narrate_say(n, arena_printf(n->arena, tr("Head %d of %d."), head + 1, heads));
}

static void say_place(const Narration *n) {
    const Run *run = n->run;
    const View *view = n->scene->view;
    char where[FILM_TEXT_MAX];
    if (n->scene->muted) narrate_say(n, tr("What is typed has no numbers yet: this is the last picture that had."));
    if (n->overview) {
        int heads = 0;
        for (int i = 0; i < run->n_sites; i++)
            if (run->sites[i].spec.n_heads > heads) heads = run->sites[i].spec.n_heads;
        narrate_say(n, arena_printf(n->arena, tr("All maps: %d layers of attention, %d heads. The enlarged one is told here."), run->n_sites, heads));
        narrate_say(n, arena_printf(n->arena, tr("It is in %s."), film_layer_text(where, run->trace, view->film.stage)));
        return;
    }
    const char *station = film_station_name(scene_stage(n->scene)->kind);
    narrate_say(n, arena_printf(n->arena, tr("%s: %s."), station, film_text(where, run->trace, &view->film)));
}

/* How far scores lie apart, how sharp the weights are, what the layer costs. */
static void say_readings(const Narration *n) {
    const char *line = scene_stage(n->scene)->kind < STAGE_ATTENTION_COUNT ? reading_line(n->scene, true) : NULL;
    if (line) narrate_say(n, arena_printf(n->arena, tr("Reading: %s. %s."), line, reading_totals(n->scene)));
}

static void say_captions(const Narration *n) {
    const char *first = NULL, *second = NULL;
    if (n->overview) return;
    scene_captions(n->scene, &first, &second);
    narrate_say(n, first);
    narrate_say(n, second);
    say_readings(n);
}

/* ---- the number in view ---- */

static const char *ref_text(const Narration *n, const Ref *ref) {
    char name[160];
    return arena_printf(n->arena, tr("%s = %s"), run_ref_text(name, n->run, ref->id, ref->index), narrate_value(n, ref->value, 3));
}

static const char *term_text(const Narration *n, const Term *term) {
    bool factor = fabs(term->factor - 1) > 0, two = term->b.id != TENSOR_NONE;
    const char *a = ref_text(n, &term->a), *value = narrate_value(n, term->value, 3);
    if (factor && two) return arena_printf(n->arena, tr("%s times %s times %s makes %s."), narrate_value(n, term->factor, 3), a, ref_text(n, &term->b), value);
    if (factor) return arena_printf(n->arena, tr("%s times %s makes %s."), narrate_value(n, term->factor, 3), a, value);
    if (two) return arena_printf(n->arena, tr("%s times %s makes %s."), a, ref_text(n, &term->b), value);
    return arena_printf(n->arena, tr("%s."), a);
}

static int by_size(const void *a, const void *b) {
    const Term *const *x = a, *const *y = b;
    double p = fabs((*x)->value), q = fabs((*y)->value);
    if (isnan(p) || isnan(q)) return isnan(q) - isnan(p);
    if (p > q || p < q) return p > q ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

/* Terms that are 0 are not told; of many the largest. */
static void say_sum(const Narration *n, const Explanation *e) {
    const Term **terms = ARENA_ARRAY(n->arena, const Term *, (size_t)e->n_terms + 1);
    int count = 0;
    for (int i = 0; i < e->n_terms; i++)
        if (fabs(e->terms[i].value) > 0 || isnan(e->terms[i].value)) terms[count++] = &e->terms[i];
    if (count > NARRATE_TERMS) qsort(terms, (size_t)count, sizeof *terms, by_size);
    narrate_say(n, arena_printf(n->arena, count < e->n_terms ? tr_count("It is a sum of %d term. Those that are not 0:", "It is a sum of %d terms. Those that are not 0:", e->n_terms)
                                                                : tr_count("It is a sum of %d term:", "It is a sum of %d terms:", e->n_terms), e->n_terms));
    if (count == 0) narrate_say(n, tr("None: it is 0."));
    for (int i = 0; i < count && i < NARRATE_TERMS; i++) narrate_say(n, term_text(n, terms[i]));
    if (count > NARRATE_TERMS) narrate_say(n, arena_printf(n->arena, tr_count("These are the largest; %d smaller term is left out.", "These are the largest; %d smaller terms are left out.", count - NARRATE_TERMS), count - NARRATE_TERMS));
    if (e->n_hidden > 0) narrate_say(n, arena_printf(n->arena, tr_count("%d key is hidden by the mask and forms no term.", "%d keys are hidden by the mask and form no term.", e->n_hidden), e->n_hidden));
}

static void say_operands(const Narration *n, const Explanation *e) {
    if ((e->form == FORM_SUM || e->form == FORM_DOT) && (e->n_terms != 1 || e->terms[0].b.id != TENSOR_NONE)) {
        say_sum(n, e);
        return;
    }
    StrBuf list;
    sb_init(&list, n->arena);
    int told = 0, count = 0;
    for (int i = 0; i < e->n_terms; i++)
        for (int side = 0; side < 2; side++) {
            const Ref *ref = side == 0 ? &e->terms[i].a : &e->terms[i].b;
            if (ref->id == TENSOR_NONE || count++ >= NARRATE_TERMS) continue;
            sb_printf(&list, "%s%s", told++ > 0 ? tr(", ") : "", ref_text(n, ref));
        }
    if (told > 0) narrate_say(n, arena_printf(n->arena, tr("It is made of %s."), list.data));
    if (count > told) narrate_say(n, arena_printf(n->arena, tr_count("%d more number goes into it.", "%d more numbers go into it.", count - told), count - told));
    if (e->form == FORM_RULE && e->rule_text) narrate_say(n, arena_printf(n->arena, tr("It follows from a rule: %s."), e->rule_text));
}

static void say_number(const Narration *n) {
    TensorId id;
    int index[TENSOR_RANK_MAX];
    Explanation e;
    ExplainWords words;
    Err ignored = {0}; /* a network's numbers may not be in memory: then the rest is told */
    if (!narrate_number(n, &id, index) || !trace_explain(n->run->trace, id, index, n->arena, &e, &ignored)) return;
    explain_words(n->run, &e, n->arena, &words);
    narrate_say(n, arena_printf(n->arena, tr("The number in view: %s"), words.question));
    narrate_say(n, arena_printf(n->arena, tr("%s = %s."), words.reference, narrate_value(n, e.self.value, 3)));
    say_operands(n, &e);
    narrate_say(n, words.meaning);
}

/* On screen a minus is U+2212; a text has the sign that is on a keyboard. */
static const char *with_keyboard_minus(Arena *arena, const char *text) {
    StrBuf out;
    sb_init(&out, arena);
    for (const char *at = text; *at;) {
        const char *minus = strstr(at, "\u2212");
        size_t run = minus ? (size_t)(minus - at) : strlen(at);
        sb_add_n(&out, at, run);
        if (minus) sb_add(&out, "-");
        at += run + (minus ? strlen("\u2212") : 0);
    }
    return out.data ? out.data : "";
}

const char *narrate_text(const Scene *scene, Arena *arena) {
    StrBuf out;
    sb_init(&out, arena);
    Narration n = {.scene = scene, .run = scene->run, .arena = arena, .out = &out, .overview = scene->view->overview && scene->run->n_sites > 1};
    say_place(&n);
    say_text(&n);
    say_head(&n);
    narrate_look(&n);
    say_captions(&n);
    say_number(&n);
    narrate_rows(&n);
    narrate_changes(&n);
    return with_keyboard_minus(arena, out.data ? out.data : "");
}
