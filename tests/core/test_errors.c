/* What the machine refuses, and what it says: what was found and what would be right. */
#include <stdio.h>

#include "case.h"

static const float numbers[4096];

/* Two heads over four tokens of eight features, as nn.Linear lays them out. */
static Case linear(void) {
    Case c = case_new();
    c.spec.n_heads = 2;
    c.spec.out_proj = true;
    case_input(&c, "x", 2, 4, 8, 1, numbers);
    case_input(&c, "w_q", 2, 8, 8, 1, numbers);
    case_input(&c, "w_k", 2, 8, 8, 1, numbers);
    case_input(&c, "w_v", 2, 8, 8, 1, numbers);
    case_input(&c, "w_o", 2, 8, 8, 1, numbers);
    return c;
}

static TensorInput *input(Case *c, const char *name) {
    for (int n = 0; n < c->n_inputs; n++)
        if (strcmp(c->inputs[n].name, name) == 0) return &c->inputs[n];
    return NULL;
}

static void add_mask(Case *c, MaskSpec mask) { c->spec.masks[c->spec.n_masks++] = mask; }
static void narrow_w_q(Case *c) { input(c, "w_q")->dim[1] = 6; }
static void narrow_w_k(Case *c) { input(c, "w_k")->dim[1] = input(c, "w_v")->dim[1] = 6; }
static void short_w_k(Case *c) { input(c, "w_k")->dim[0] = 6; }
static void wide_w_o(Case *c) { input(c, "w_o")->dim[1] = 10; }
static void no_rows(Case *c) { input(c, "x")->dim[0] = 0; }
static void vast_rows(Case *c) { input(c, "x")->dim[0] = 2000000000; }
static void vast_map(Case *c) { input(c, "x")->dim[0] = 1 << 20; }
static void flat_x(Case *c) { input(c, "x")->rank = 1; }
static void other_L(Case *c) { c->spec.L = 5; }
static void three_heads(Case *c) { c->spec.n_heads = 3; }
static void heads_48(Case *c) {
    c->spec.n_heads = 48;
    for (int n = 0; n < 5; n++) c->inputs[n].dim[1] = 1600, c->inputs[n].dim[0] = n ? 1600 : 4;
}
static void three_kv_heads(Case *c) {
    c->spec.n_heads = 4;
    c->spec.n_kv_heads = 3;
    input(c, "w_k")->dim[0] = input(c, "w_v")->dim[0] = 6;
}
static void no_w_v(Case *c) { c->inputs[3] = c->inputs[--c->n_inputs]; c->spec.out_proj = false; }
static void no_w_o(Case *c) { c->n_inputs--; }
static void unused_w_o(Case *c) { c->spec.out_proj = false; }
static void unused_pe(Case *c) { case_input(c, "pe", 2, 4, 8, 1, numbers); }
static void stranger(Case *c) { case_input(c, "w_x", 2, 8, 8, 1, numbers); }
static void twice(Case *c) { case_input(c, "x", 2, 4, 8, 1, numbers); }
static void x_and_tok(Case *c) { case_input(c, "tok", 2, 4, 8, 1, numbers); }
static void empty_handed(Case *c) { input(c, "w_q")->data = NULL; }
static void bad_bias(Case *c) { case_input(c, "b_q", 1, 7, 1, 1, numbers); }
static void learned_without_table(Case *c) { c->spec.position.kind = POSITION_LEARNED; }
static void short_table(Case *c) {
    c->spec.position.kind = POSITION_LEARNED;
    case_input(c, "pos_emb", 2, 3, 8, 1, numbers);
}
static void odd_rope(Case *c) { c->spec.position = (PositionSpec){.kind = POSITION_ROPE_HALF, .rope_dim = 3}; }
static void wide_rope(Case *c) { c->spec.position = (PositionSpec){.kind = POSITION_ROPE_HALF, .rope_dim = 6}; }
static void one_slope(Case *c) {
    static const double slope = 1;
    c->spec.position = (PositionSpec){.kind = POSITION_ALIBI, .slopes = &slope, .n_slopes = 1};
}
static void cold(Case *c) { c->spec.temperature = -1; }
static void nan_scale(Case *c) { c->spec.scale = SCALE_NUMBER; c->spec.scale_number = NAN; }
static void rising_fill(Case *c) { c->spec.fill = INFINITY; }
static void far_padding(Case *c) {
    static const int key = 4;
    add_mask(c, (MaskSpec){.kind = MASK_PADDING, .keys = &key, .n_keys = 1});
}
static void much_padding(Case *c) { add_mask(c, (MaskSpec){.kind = MASK_PADDING, .pad_keys = 5}); }
static void no_block(Case *c) { add_mask(c, (MaskSpec){.kind = MASK_LOCAL_BLOCK}); }
static void no_stride(Case *c) { add_mask(c, (MaskSpec){.kind = MASK_STRIDED}); }
static void back_window(Case *c) { add_mask(c, (MaskSpec){.kind = MASK_WINDOW, .left = -1}); }
static void no_cells(Case *c) { add_mask(c, (MaskSpec){.kind = MASK_CUSTOM}); }
static void half_kept(Case *c) {
    static const float half[16] = {0.5f};
    add_mask(c, (MaskSpec){.kind = MASK_CUSTOM, .keep = half});
}
static void five_masks(Case *c) { c->spec.n_masks = 5; }
static void given_without_q(Case *c) { c->spec.proj = PROJ_GIVEN; }
static void two_maps(Case *c) {
    c->spec.scale = SCALE_NONE;
    case_input(c, "scores", 3, 2, 4, 5, numbers);
}
static void map_without_d_k(Case *c) {
    c->n_inputs = c->spec.n_heads = 0;
    case_input(c, "scores", 3, 1, 4, 4, numbers);
}
static void rope_of_a_map(Case *c) {
    map_without_d_k(c);
    c->spec.d_k = 8;
    c->spec.position.kind = POSITION_ROPE_HALF;
}

static const struct {
    const char *name;
    void (*change)(Case *c);
    ErrCode code;
    const char *words;
} refused[] = {
    {"narrow w_q", narrow_w_q, ERR_SHAPE, "w_q [8, 6] does not fit x [4, 8]: d_model would be 6 and 8."},
    {"narrow w_k", narrow_w_k, ERR_SHAPE, "x [4, 8] does not fit w_k [8, 6]: d_kv would be 8 and 6."},
    {"short w_k", short_w_k, ERR_SHAPE, "w_k [6, 8] does not fit kv_heads 2 and d_k 4: kv_heads * d_k would be 6 and 8."},
    {"wide w_o", wide_w_o, ERR_SHAPE, "w_o [8, 10] does not fit heads 2 and d_v 4: heads * d_v would be 10 and 8."},
    {"no rows", no_rows, ERR_SHAPE, "x [0, 8] is empty; each dimension must be 1 or more."},
    {"vast rows", vast_rows, ERR_LIMIT, "x [2000000000, 8] has a dimension above the limit of 1048576."},
    {"vast map", vast_map, ERR_LIMIT, "scores [2, 1048576, 1048576] would pass the limit of 4 GiB for all tensors."},
    {"flat x", flat_x, ERR_SHAPE, "x [4] needs 2 dimensions."},
    {"other L", other_L, ERR_SHAPE, "x [4, 8] does not fit the settings: L would be 4 and 5."},
    {"three heads", three_heads, ERR_SHAPE, "d_model 8 is not divisible by heads 3; 2 or 4 would do"},
    {"heads 48", heads_48, ERR_SHAPE, "d_model 1600 is not divisible by heads 48; 25 or 50 would do"},
    {"three kv heads", three_kv_heads, ERR_SHAPE, "4 heads cannot share 3 key/value heads; 2 or 4 would do"},
    {"no w_v", no_w_v, ERR_INPUT, "The input w_v is missing; v is made from it."},
    {"no w_o", no_w_o, ERR_INPUT, "The input w_o is missing; out is made from it."},
    {"unused w_o", unused_w_o, ERR_INPUT, "The input w_o is not used with these settings."},
    {"unused pe", unused_pe, ERR_INPUT, "The input pe is not used with these settings."},
    {"stranger", stranger, ERR_INPUT, "Attention has no input called w_x."},
    {"twice", twice, ERR_INPUT, "x is given twice."},
    {"x and tok", x_and_tok, ERR_INPUT, "Both x and tok are given; one is enough."},
    {"no numbers", empty_handed, ERR_INPUT, "w_q has no numbers."},
    {"bad bias", bad_bias, ERR_SHAPE, "b_q [7] does not fit w_q [8, 8]: heads * d_k would be 7 and 8."},
    {"learned without table", learned_without_table, ERR_INPUT, "The input pos_emb is missing; pe is made from it."},
    {"short table", short_table, ERR_SHAPE, "pos_emb [3, 8] has no row for each of L = 4 tokens."},
    {"odd rope", odd_rope, ERR_INPUT, "RoPE turns pairs: 3 features cannot be paired; an even number from 2 to d_k 4 would do."},
    {"wide rope", wide_rope, ERR_SHAPE, "RoPE turns 6 features, but d_k is 4."},
    {"one slope", one_slope, ERR_SHAPE, "ALiBi needs a slope for each head: 2, not 1."},
    {"cold", cold, ERR_INPUT, "The temperature is -1; it must be a number above 0."},
    {"nan scale", nan_scale, ERR_INPUT, "The scale is nan; it must be a number."},
    {"rising fill", rising_fill, ERR_INPUT, "The mask fill is inf; it must be -inf or a number."},
    {"far padding", far_padding, ERR_INPUT, "Padding names key 5, but there are keys 1 to 4."},
    {"much padding", much_padding, ERR_INPUT, "Padding hides 5 keys, but there are 4."},
    {"no block", no_block, ERR_INPUT, "The block size is 0; it must be 1 or more."},
    {"no stride", no_stride, ERR_INPUT, "The stride is 0; it must be 1 or more."},
    {"back window", back_window, ERR_INPUT, "The window reaches -1 back and 0 ahead; both must be 0 or more."},
    {"no cells", no_cells, ERR_INPUT, "A custom mask needs its cells."},
    {"half kept", half_kept, ERR_INPUT, "A cell of the custom mask is 0.5; 1 keeps and 0 hides."},
    {"five masks", five_masks, ERR_LIMIT, "5 masks are given; up to 4 are possible."},
    {"given without q", given_without_q, ERR_INPUT, "The input q is missing; attention is made from it."},
    {"two maps", two_maps, ERR_SHAPE, "x [4, 8] does not fit scores [2, 4, 5]: S would be 4 and 5."},
    {"map without d_k", map_without_d_k, ERR_INPUT, "The scale 1/sqrt(d_k) needs d_k when scores are given."},
    {"rope of a map", rope_of_a_map, ERR_INPUT, "Position rope_half turns q and k, which are not there when scores or weights are given."},
};

static void each_is_refused(void **state) {
    (void)state;
    int bad = 0;
    for (size_t n = 0; n < sizeof refused / sizeof refused[0]; n++) {
        Case c = linear();
        refused[n].change(&c);
        bool ok = case_try(&c);
        if (ok || c.err.code != refused[n].code || strcmp(c.err.message, refused[n].words) != 0) {
            print_error("%s: code %d, \"%s\"\n", refused[n].name, (int)c.err.code, c.err.message);
            bad++;
        }
        case_free(&c);
    }
    assert_int_equal(bad, 0);
}

static void the_base_is_accepted(void **state) {
    (void)state;
    Case c = linear();
    case_run(&c);
    case_free(&c);
}

static void advice(void **state) {
    (void)state;
    const struct { int width, heads; const char *words; } cases[] = {
        {1600, 48, "25 or 50 would do"}, {12, 5, "4 or 6 would do"}, {512, 7, "4 or 8 would do"}, {7, 3, "1 or 7 would do"},
        {8, 100, "8 would do"},          {1, 2, "1 would do"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char words[80];
        assert_string_equal(attention_heads_advice(words, cases[n].width, cases[n].heads), cases[n].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_base_is_accepted),
        cmocka_unit_test(each_is_refused),
        cmocka_unit_test(advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
