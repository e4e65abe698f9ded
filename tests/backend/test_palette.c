/* The colours of a film: few are kept as they are, many are shared out, the same every time. */
#include <stdlib.h>

#include "backend/palette.h"
#include "support/support.h"

enum { SIDE = 256 };

static Pixels picture(Arena *arena) {
    return (Pixels){SIDE, SIDE, arena_alloc(arena, (size_t)SIDE * SIDE * 4, 1)};
}

static void put(Pixels *pixels, int i, int r, int g, int b) {
    uint8_t *at = pixels->rgba + 4 * i;
    at[0] = (uint8_t)r, at[1] = (uint8_t)g, at[2] = (uint8_t)b, at[3] = 255;
}

static int worst_error(const Pixels *pixels, const uint8_t *rgb, const uint8_t *indices) {
    int worst = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int c = 0; c < 3; c++) {
            int off = abs(pixels->rgba[4 * i + c] - rgb[3 * indices[i] + c]);
            worst = off > worst ? off : worst;
        }
    return worst;
}

static void few_colours_are_kept(void **state) {
    (void)state;
    Arena arena = {0};
    Pixels pixels = picture(&arena);
    uint8_t *indices = arena_alloc(&arena, (size_t)SIDE * SIDE, 1);
    const uint8_t *rgb;
    for (int i = 0; i < SIDE * SIDE; i++) put(&pixels, i, i % 255, 7, 255 - i % 255);
    Palette *palette = palette_open();
    palette_count(palette, &pixels);
    assert_int_equal(palette_settle(palette, &rgb), 255);
    palette_map(palette, &pixels, indices);
    assert_int_equal(worst_error(&pixels, rgb, indices), 0);
    palette_close(palette);
    arena_free(&arena);
}

/* A field of 65,536 colours beside a large area of one: the area stays exact, the field is near, and colours that were never
 * counted find their neighbour. */
static void many_colours_are_shared_out(void **state) {
    (void)state;
    Arena arena = {0};
    Pixels field = picture(&arena), area = picture(&arena), strange = picture(&arena);
    uint8_t *indices = arena_alloc(&arena, (size_t)SIDE * SIDE, 1), first[3 * PALETTE_MOST];
    const uint8_t *rgb;
    for (int i = 0; i < SIDE * SIDE; i++) {
        put(&field, i, i % SIDE, i / SIDE, 128);
        put(&area, i, 251, 250, 247);
        put(&strange, i, 250, 250, 250);
    }
    for (int turn = 0; turn < 2; turn++) {
        Palette *palette = palette_open();
        palette_count(palette, &field);
        palette_count(palette, &area);
        assert_int_equal(palette_settle(palette, &rgb), PALETTE_MOST);
        if (turn == 0) memcpy(first, rgb, sizeof first);
        assert_memory_equal(first, rgb, sizeof first);
        palette_map(palette, &area, indices);
        assert_int_equal(worst_error(&area, rgb, indices), 0);
        palette_map(palette, &field, indices);
        assert_in_range(worst_error(&field, rgb, indices), 1, 24); /* a plane of 256 x 256 in 254 boxes: 16 x 16 each, 8 from the middle */
        palette_map(palette, &strange, indices);
        assert_int_equal(rgb[3 * indices[0]], 251);
        palette_close(palette);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_colours_are_kept),
        cmocka_unit_test(many_colours_are_shared_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
