#include "scene/formula.h"

#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/now.h"
#include "scene/paint.h"

typedef struct {
    const Scene *scene;
    StageKind stage;
    char projecting; /* 'q', 'k', 'v' while the film projects, else 0 */
    FormulaPart *parts;
    int n;
} Builder;

static void add(Builder *b, const char *text, char role, PartState state, bool tight) {
    if (b->n < FORMULA_PARTS_MAX) b->parts[b->n++] = (FormulaPart){text, role, state, tight};
}

static PartState state_of(const Builder *b, StageKind stage) {
    return b->stage == stage ? PART_LIT : b->stage > stage ? PART_DONE : PART_TO_COME;
}

/* Q, K and V light up when they are made, and again when they are used. */
static PartState operand_state(const Builder *b, char which, StageKind used) {
    static const char order[] = "qkv";
    if (b->stage == STAGE_PROJECT && b->projecting) {
        if (b->projecting == which) return PART_LIT;
        return strchr(order, which) < strchr(order, b->projecting) ? PART_DONE : PART_TO_COME;
    }
    if (b->stage == used) return PART_LIT;
    if (b->stage > used) return PART_DONE;
    return used == STAGE_SCORES && b->stage > STAGE_PROJECT ? PART_DONE : PART_TO_COME;
}

static const char *number_text(const Builder *b, double value) { return scene_short_number(b->scene, value); }

static void add_source(Builder *b) {
    const Site *site = scene_site(b->scene);
    if (b->stage > STAGE_PROJECT || site->spec.proj == PROJ_GIVEN) return;
    if (scene_in_network(b->scene->run)) {
        bool norm = trace_stage(b->scene->run->trace, site->first_stage + 1)->kind == STAGE_NORM; /* a station of its own */
        PartState behind = b->stage == STAGE_EMBED ? PART_TO_COME : PART_DONE;
        if (norm) add(b, "norm(", 0, behind, false);
        add(b, "X", 0, state_of(b, STAGE_EMBED), norm);
        if (norm || site->cross) add(b, !site->cross ? ")" : norm ? ")," : ",", 0, behind, true);
        if (site->cross) add(b, "Xₖᵥ", 0, state_of(b, STAGE_EMBED), false);
        add(b, "→", 0, behind, false);
        return;
    }
    const char *text = site->spec.proj == PROJ_NONE ? "Q = K = V = X →" : site->cross ? "X, Xₖᵥ →" : "X →";
    if (site->spec.tie_qk) text = site->cross ? "X, Xₖᵥ → (W_Q = W_K)" : "X → (W_Q = W_K)";
    add(b, text, 0, state_of(b, STAGE_EMBED), false);
}

static bool is_rope(PositionKind kind) { return kind == POSITION_ROPE_HALF || kind == POSITION_ROPE_INTERLEAVED; }

static void add_product(Builder *b) {
    PartState q = operand_state(b, 'q', STAGE_SCORES), k = operand_state(b, 'k', STAGE_SCORES);
    bool rope = is_rope(scene_site(b->scene)->spec.position.kind);
    add(b, rope ? "RoPE(Q)" : "Q", 'q', q, false);
    add(b, rope ? "RoPE(K)ᵀ" : "Kᵀ", 'k', k, false);
}

static void add_scale(Builder *b) {
    const AttentionSpec *spec = &scene_site(b->scene)->spec;
    Arena *arena = b->scene->arena;
    double t = spec->temperature;
    bool warm = t != 0 && t != 1;
    PartState state = state_of(b, STAGE_SCALE);
    const char *text = NULL;
    if (spec->scale == SCALE_AUTO) text = warm ? arena_printf(arena, "/ (√dₖ · %s)", number_text(b, t)) : "/ √dₖ";
    if (spec->scale == SCALE_NUMBER) {
        text = arena_printf(arena, "· %s", number_text(b, spec->scale_number));
        if (warm) text = arena_printf(arena, "%s / %s", text, number_text(b, t));
    }
    if (spec->scale == SCALE_NONE && warm) text = arena_printf(arena, "/ %s", number_text(b, t));
    if (text) add(b, text, 0, state, false);
}

/* Replacing by minus infinity and adding it are the same; replacing by a number is not, and is written so. */
static void add_mask(Builder *b) {
    const AttentionSpec *spec = &scene_site(b->scene)->spec;
    PartState state = state_of(b, STAGE_MASK);
    if (spec->position.kind == POSITION_ALIBI || spec->position.kind == POSITION_RELATIVE) {
        add(b, "+", 0, state, false);
        add(b, "B", 0, state, false);
    }
    if (spec->n_masks == 0) return;
    if (spec->mask_op == MASK_REPLACE && isfinite(spec->fill)) {
        add(b, arena_printf(b->scene->arena, tr("where M, else %s"), number_text(b, spec->fill)), 0, state, false);
        return;
    }
    add(b, "+", 0, state, false);
    add(b, "M", 0, state, false);
}

int formula_parts(const Scene *scene, FormulaPart parts[FORMULA_PARTS_MAX]) {
    if (scene_stage(scene)->kind >= STAGE_ATTENTION_COUNT) return formula_block_parts(scene, parts);
    Builder b = {.scene = scene, .stage = scene_stage(scene)->kind, .parts = parts};
    if (b.stage == STAGE_PROJECT) {
        Now now = scene_now(scene);
        if (now.work) b.projecting = trace_tensor(scene->run->trace, scene_stage_tensor(scene))->name[0];
        if (b.projecting == 'r') b.projecting = 'q'; /* the tables of RoPE come before q turns */
    }
    PartState softmax = state_of(&b, STAGE_SOFTMAX);
    add_source(&b);
    add(&b, "softmax", 0, softmax, false);
    add(&b, "(", 0, softmax == PART_LIT ? PART_DONE : softmax, false);
    add_product(&b);
    add_scale(&b);
    add_mask(&b);
    add(&b, ")", 0, softmax == PART_LIT ? PART_DONE : softmax, false);
    add(&b, "V", 'v', operand_state(&b, 'v', STAGE_WEIGHTED_SUM), false);
    PartState concat = state_of(&b, STAGE_CONCAT);
    bool ends = b.stage == STAGE_OUTPUT && !scene_site(scene)->spec.out_proj;
    add(&b, "→", 0, concat == PART_LIT ? PART_DONE : concat, false);
    add(&b, "concat", 0, ends ? PART_LIT : concat, false);
    if (scene_site(scene)->spec.out_proj) add(&b, "Wᴼ", 'o', state_of(&b, STAGE_OUTPUT), false);
    return b.n;
}

static Color part_color(const Scene *scene, const FormulaPart *part) {
    const Theme *t = scene_theme(scene);
    Color role = part->role == 'q' ? t->q : part->role == 'k' ? t->k : part->role == 'v' ? t->v : part->role == 'o' ? t->out : t->ink;
    if (part->state != PART_TO_COME) return role;
    return part->role ? color_mix(role, t->muted, 0.55) : t->muted;
}

static float parts_width(const RichStyle *style, const FormulaPart *parts, int n, float gap) {
    float w = 0;
    for (int i = 0; i < n; i++) w += rich_width(style, parts[i].text) + (i && !parts[i].tight ? gap : 0);
    return w;
}

void formula_draw(const Scene *scene, Rect box, float size, TextAlign align, DisplayList *dl) {
    FormulaPart parts[FORMULA_PARTS_MAX];
    int n = formula_parts(scene, parts);
    const Theme *theme = scene_theme(scene);
    RichStyle style = scene_style(scene, TYPE_HEAD, FACE_UI_MEDIUM, theme->ink);
    style.size = size;
    float gap = size * 0.36f, width = parts_width(&style, parts, n, gap);
    if (width > box.w && width > 0) {
        style.size = size * fmaxf(box.w / width, 0.3f);
        gap = style.size * 0.36f;
        width = parts_width(&style, parts, n, gap);
    }
    float cap = scene->font->cap_height(scene->font->ctx, style.face, style.size);
    float y = roundf(box.y + (box.h + cap) / 2);
    float x = align == ALIGN_RIGHT ? box.x + box.w - width : box.x + (box.w - width) / 2;
    for (int i = 0; i < n; i++) {
        if (i && !parts[i].tight) x += gap;
        bool close = parts[i].tight || (i + 1 < n && parts[i + 1].tight);
        float w = rich_width(&style, parts[i].text), pad = style.size * (close ? 0.04f : 0.18f);
        if (parts[i].state == PART_LIT) {
            Rect lit = {x - pad, y - cap / 2 - style.size * 0.69f, w + 2 * pad, style.size * 1.38f};
            dl_rect(dl, lit, style.size * 0.25f, color_alpha(theme->highlight, theme->dark ? 0.18 : 0.26), COLOR_NONE, 0);
        }
        style.color = part_color(scene, &parts[i]);
        rich_line(dl, &style, x, y, parts[i].text);
        x += w;
    }
}
