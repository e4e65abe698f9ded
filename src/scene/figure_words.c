#include <assert.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/figure_part.h"
#include "scene/heads_part.h"
#include "scene/look.h"
#include "scene/now.h"
#include "scene/paint.h"

typedef struct {
    const char *tensor, *title;
} FigureTitle;

static const FigureTitle titles[] = {
    {"x", tr_mark("Token rows")},
    {"q", tr_mark("Queries")},
    {"k", tr_mark("Keys")},
    {"v", tr_mark("Values")},
    {"q_rope", tr_mark("Queries, turned by position")},
    {"k_rope", tr_mark("Keys, turned by position")},
    {"scores", tr_mark("Attention scores")},
    {"scaled", tr_mark("Scaled scores")},
    {"masked", tr_mark("Masked scores")},
    {"weights", tr_mark("Attention weights")},
    {"head_avg", tr_mark("Attention weights, mean of all heads")},
    {"head_max", tr_mark("Attention weights, largest of all heads")},
    {"weighted_length", tr_mark("Attention weights × length of v")},
    {"head_out", tr_mark("Head output")},
    {"concat", tr_mark("Heads side by side")},
    {"out", tr_mark("Output")},
};

/* Of rows that have another name in every layer; NULL: the tensor's own name says it. */
static const char *const stage_titles[] = {
    [STAGE_EMBED] = tr_mark("Token rows"),
    [STAGE_NORM] = tr_mark("Normalised rows"),
    [STAGE_ADD] = tr_mark("Rows with attention’s output added"),
    [STAGE_ADD_NORM] = tr_mark("Normalised rows"),
    [STAGE_FFN_NORM] = tr_mark("Normalised rows"),
    [STAGE_FFN] = tr_mark("Feed-forward output"),
    [STAGE_FFN_ADD] = tr_mark("Rows with the feed-forward output added"),
    [STAGE_FFN_ADD_NORM] = tr_mark("Normalised rows"),
    [STAGE_FINAL_NORM] = tr_mark("Rows after the final norm"),
    [STAGE_POOL] = tr_mark("Pooled row"),
    [STAGE_PREDICT] = tr_mark("Predicted tokens"),
};
static_assert(sizeof stage_titles / sizeof *stage_titles == STAGE_KIND_COUNT, "the last kind has a title");

const char *figure_tensor_title(const char *name) {
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (str_eq(titles[i].tensor, name)) return tr(titles[i].title);
    return name;
}

const char *figure_title(const Figure *f) {
    const Run *run = f->scene.run;
    const Tensor *t = trace_tensor(run->trace, f->tensor);
    StageKind kind = scene_stage(&f->scene)->kind;
    const char *title = figure_tensor_title(t->name);
    if (title == t->name && stage_titles[kind]) title = tr(stage_titles[kind]);
    const Site *site = scene_site(&f->scene);
    if (run->n_sites > 1 && kind < STAGE_FINAL_NORM) {
        char *place = arena_strdup(f->scene.arena, site->title); /* in the middle of a phrase */
        if (place[0] >= 'A' && place[0] <= 'Z') place[0] = (char)(place[0] - 'A' + 'a');
        title = arena_printf(f->scene.arena, tr("%s, %s"), title, place);
    }
    if (t->rank < 3 || kind >= STAGE_ATTENTION_COUNT || site->spec.n_heads < 2 || f->n > 1) return title;
    const char *job = heads_job(&f->scene, f->head);
    if (job) return arena_printf(f->scene.arena, tr("%s, head %d (%s)"), title, f->head + 1, job);
    return arena_printf(f->scene.arena, tr("%s, head %d"), title, f->head + 1);
}

/* Of a sheet: of the map that hides most is too much to say; each map's hidden share stands beside its rows. */
const char *figure_note(const Figure *f) {
    Arena *arena = f->scene.arena;
    const char *labels = matrix_note(&f->map[0], &f->scene), *out = look_words(&f->map[0], &f->scene);
    if (out && f->n > 1) out = arena_printf(arena, tr("in head %d %s"), 1, out);
    return phrase_list(arena, labels, out);
}

const char *figure_map_name(const Figure *f, int map, const char **job) {
    int share = scene_site(&f->scene)->spec.n_heads / f->n;
    const char *range = look_range_words(&f->scene, f->tensor, map);
    *job = share <= 1 ? heads_job(&f->scene, map) : NULL;
    *job = phrase_list(f->scene.arena, *job, range);
    if (share <= 1) return arena_printf(f->scene.arena, tr("Head %d"), map + 1);
    return arena_printf(f->scene.arena, tr("Heads %d to %d"), map * share + 1, (map + 1) * share);
}

static const char *column_words(const Figure *f) {
    const Run *run = f->scene.run;
    const Tensor *t = trace_tensor(run->trace, f->tensor);
    if (str_eq(t->name, "concat")) return scene_site(&f->scene)->spec.n_heads > 1 ? tr("numbers of each head, side by side") : tr("numbers of the head");
    if (f->n == 1 && t->rank == 3 && scene_site(&f->scene)->spec.n_heads > 1) return arena_printf(f->scene.arena, tr("numbers of head %d"), f->head + 1);
    return t->rank == 3 ? tr("numbers of the head") : tr("columns");
}

const char *figure_axis(const Figure *f, bool rows, float size, float room) {
    const Tensor *t = trace_tensor(f->scene.run->trace, f->tensor);
    static const char *const embedded[] = {"tok", "pe", "x", "x_kv"};
    AxisKind axis = run_axis(f->scene.run, f->tensor, t->rank - (rows ? 2 : 1));
    const char *words[2] = {NULL, NULL};
    StageKind kind = scene_stage(&f->scene)->kind;
    bool looks = kind != STAGE_EMBED && kind < STAGE_ATTENTION_COUNT;
    if (rows && (!looks || str_find(embedded, 4, t->name) >= 0))
        words[0] = tr("tokens");
    else if (f->options.textbook && (axis == AXIS_QUERY || axis == AXIS_KEY))
        words[0] = axis == AXIS_QUERY ? tr("Query Tokens") : tr("Key Tokens");
    else if (axis == AXIS_QUERY)
        words[0] = tr("queries: the token that looks"), words[1] = tr("queries");
    else if (axis == AXIS_KEY)
        words[0] = tr("keys: the token that is looked at"), words[1] = tr("keys");
    else
        words[0] = axis == AXIS_FEATURE ? tr("features") : column_words(f);
    return words[1] && font_width(f->scene.font, FACE_UI, size, words[0]) > room ? words[1] : words[0];
}

static const char *scale_words(const Figure *f) {
    const AttentionSpec *spec = &scene_site(&f->scene)->spec;
    Arena *arena = f->scene.arena;
    const char *scale = tr("scale off"), *warm = NULL;
    if (spec->scale == SCALE_AUTO)
        scale = arena_printf(arena, tr("scale 1/√dₖ = %s"), scene_short_number(&f->scene, 1 / sqrt(spec->d_k > 0 ? spec->d_k : 1)));
    else if (spec->scale != SCALE_NONE)
        scale = arena_printf(arena, tr("scale %s"), scene_short_number(&f->scene, spec->scale_number));
    if (spec->temperature != 0 && spec->temperature != 1)
        warm = arena_printf(arena, tr("temperature %s"), scene_short_number(&f->scene, spec->temperature));
    return phrase_list(arena, scale, warm);
}

/* Which model it is; of one from a folder also which one exactly. */
static const char *source_words(const Figure *f) {
    const Run *run = f->scene.run;
    Arena *arena = f->scene.arena;
    const char *badge = tr(run->source.badge);
    if (run->network) return arena_printf(arena, tr("%s, %s (SHA-256 %.8s…)"), run->source.title, badge, checkpoint_info(run->network->checkpoint)->hash);
    return run->source.title_says_made ? run->source.title : arena_printf(arena, tr("%s, %s"), run->source.title, badge);
}

static const char *masks_words(const Figure *f) {
    static const char *const words[] = {
        [MASK_NONE] = tr_mark("no mask"),
        [MASK_CAUSAL] = tr_mark("causal mask"),
        [MASK_PADDING] = tr_mark("padding mask"),
        [MASK_WINDOW] = tr_mark("window mask"),
        [MASK_LOCAL_BLOCK] = tr_mark("block mask"),
        [MASK_GLOBAL_WINDOW] = tr_mark("global window mask"),
        [MASK_STRIDED] = tr_mark("strided mask"),
        [MASK_CUSTOM] = tr_mark("custom mask"),
        [MASK_CUSTOM_PER_HEAD] = tr_mark("custom mask per head"),
    };
    static_assert(sizeof words / sizeof *words == MASK_KIND_COUNT, "each mask has its words");
    const AttentionSpec *spec = &scene_site(&f->scene)->spec;
    if (spec->n_masks == 0) return tr("no mask");
    const char *all = NULL;
    for (int i = 0; i < spec->n_masks; i++) all = phrase_list(f->scene.arena, all, tr(words[spec->masks[i].kind]));
    return all;
}

const char *figure_how(const Figure *f) {
    const Run *run = f->scene.run;
    StageKind stage = scene_stage(&f->scene)->kind;
    TensorId weights = scene_find(&f->scene, "weights");
    bool given = weights != TENSOR_NONE && trace_op(run->trace, trace_tensor(run->trace, weights)->op)->kind == OP_INPUT;
    Arena *arena = f->scene.arena;
    const char *words = source_words(f);
    if (stage >= STAGE_ATTENTION_COUNT) return words;
    if (stage >= STAGE_SCALE && !given) words = phrase_list(arena, words, scale_words(f));
    if (stage < STAGE_MASK || given) return words;
    const char *scale = look_is_weight(trace_tensor(run->trace, f->tensor)->name) ? look_scale_words(&f->scene) : NULL;
    return phrase_list(arena, phrase_list(arena, words, masks_words(f)), scale);
}
