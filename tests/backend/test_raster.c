#include <SDL.h>
#include <math.h>

#include "backend/demo_list.h"
#include "backend/painter.h"
#include "backend/raster.h"
#include "support/support.h"

typedef struct { Fonts *fonts; Painter *painter; Arena arena; DisplayList dl; Pixels pixels; } Bench;

static const Color WHITE = 0xffffffffu;

static int set_up(void **state) {
    static Bench bench;
    Err err = {0};
    bench.fonts = fonts_open(&err);
    if (bench.fonts == NULL) fail_msg("%s", err.message);
    bench.painter = painter_open(bench.fonts);
    *state = &bench;
    return 0;
}

static int tear_down(void **state) {
    Bench *b = *state;
    painter_close(b->painter);
    fonts_close(b->fonts);
    arena_free(&b->arena);
    return 0;
}

static DisplayList *start(Bench *b, float w, float h) {
    arena_reset(&b->arena);
    dl_init(&b->dl, &b->arena, w, h, WHITE);
    return &b->dl;
}

static void paint(Bench *b, float scale) {
    Err err = {0};
    dl_finish(&b->dl);
    if (!painter_draw(b->painter, &b->dl, scale, &b->pixels, &err)) fail_msg("%s", err.message);
}

static Color at(const Bench *b, int x, int y) {
    const uint8_t *p = b->pixels.rgba + ((size_t)y * (size_t)b->pixels.width + (size_t)x) * 4;
    return (Color)p[0] << 24 | (Color)p[1] << 16 | (Color)p[2] << 8 | p[3];
}

static void assert_color(const Bench *b, int x, int y, Color want, int tolerance) {
    Color got = at(b, x, y);
    for (int shift = 8; shift < 32; shift += 8)
        if (abs((int)(got >> shift & 255u) - (int)(want >> shift & 255u)) > tolerance) fail_msg("pixel %d,%d is %08x, expected %08x", x, y, got, want);
}

static void rects_fill_whole_pixels(void **state) {
    Bench *b = *state;
    dl_rect(start(b, 40, 30), (Rect){10, 5, 20, 10}, 0, 0x2660c4ff, COLOR_NONE, 0);
    paint(b, 1);
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 40; x++) assert_color(b, x, y, x >= 10 && x < 30 && y >= 5 && y < 15 ? 0x2660c4ff : WHITE, 0);
    paint(b, 2);
    assert_int_equal(b->pixels.width, 80);
    assert_color(b, 19, 10, WHITE, 0);
    assert_color(b, 20, 10, 0x2660c4ff, 0);
    assert_color(b, 59, 29, 0x2660c4ff, 0);
    assert_color(b, 60, 29, WHITE, 0);
}

static void alpha_is_straight(void **state) {
    Bench *b = *state;
    dl_rect(start(b, 10, 10), (Rect){0, 0, 10, 10}, 0, 0x00000080, COLOR_NONE, 0);
    paint(b, 1);
    assert_color(b, 5, 5, 0x7f7f7fff, 1);
}

static void strokes_lie_inside(void **state) {
    Bench *b = *state;
    dl_rect(start(b, 40, 40), (Rect){10, 10, 20, 20}, 0, COLOR_NONE, 0x000000ff, 2);
    paint(b, 1);
    assert_color(b, 9, 20, WHITE, 0);
    assert_color(b, 10, 20, 0x000000ff, 0);
    assert_color(b, 11, 20, 0x000000ff, 0);
    assert_color(b, 12, 20, WHITE, 0);
    assert_color(b, 29, 29, 0x000000ff, 0);
    assert_color(b, 20, 30, WHITE, 0);
}

/* Sum of darkness, in pixels. */
static double ink_of(const Bench *b) {
    double sum = 0;
    for (int y = 0; y < b->pixels.height; y++)
        for (int x = 0; x < b->pixels.width; x++) sum += (255 - (int)(at(b, x, y) >> 16 & 255u)) / 255.0;
    return sum;
}

static void corners_are_round(void **state) {
    Bench *b = *state;
    dl_rect(start(b, 60, 60), (Rect){10, 10, 40, 40}, 12, 0x000000ff, COLOR_NONE, 0);
    paint(b, 1);
    assert_color(b, 10, 10, WHITE, 0);
    assert_color(b, 49, 49, WHITE, 0);
    assert_color(b, 10, 30, 0x000000ff, 0);
    assert_near(ink_of(b), 40 * 40 - (4 - 3.14159265) * 144, 3);
    dl_rect(start(b, 60, 60), (Rect){10, 10, 31, 31}, 15.5f, 0x000000ff, COLOR_NONE, 0); /* a circle */
    paint(b, 1);
    assert_near(ink_of(b), 3.14159265 * 15.5 * 15.5, 3);
    dl_rect(start(b, 60, 60), (Rect){10, 10, 31, 31}, 15.5f, COLOR_NONE, 0x000000ff, 3); /* a ring */
    paint(b, 1);
    assert_near(ink_of(b), 3.14159265 * (15.5 * 15.5 - 12.5 * 12.5), 5);
}

static void shapes_cover_their_area(void **state) {
    Bench *b = *state;
    DlPoint triangle[] = {{10, 10}, {10, 50}, {45, 30}};
    dl_path(start(b, 60, 60), triangle, 3, true, 0x000000ff, COLOR_NONE, 0);
    paint(b, 1);
    assert_near(ink_of(b), 40 * 35 / 2.0, 2);
    dl_line(start(b, 60, 60), 10, 10, 50, 40, 0x000000ff, 3);
    paint(b, 1);
    assert_near(ink_of(b), 50 * 3 + 3.14159265 * 1.5 * 1.5, 6);
    dl_line(start(b, 60, 60), 10, 20, 50, 20, 0x000000ff, 1);
    paint(b, 1);
    assert_near(ink_of(b), 40, 0);
    dl_ribbon(start(b, 120, 60), 10, 10, 6, 110, 10, 6, 0x000000ff);
    paint(b, 1);
    assert_near(ink_of(b), 600, 1);
    dl_ribbon(start(b, 120, 60), 10.25f, 10, 6, 110, 40, 2, 0x000000ff); /* at least as much as the straight band */
    paint(b, 1);
    assert_true(ink_of(b) > 400 && ink_of(b) < 500);
    dl_dash(start(b, 120, 60), 10, 30, 110, 30, 0x000000ff, 1, 5);
    paint(b, 1);
    assert_near(ink_of(b), 50, 0);
}

/* Clear inside, the same shade in the corners of the hole's square as far away, softly more between. */
static void a_shade_has_one_round_hole(void **state) {
    Bench *b = *state;
    dl_shade(start(b, 200, 120), (Rect){0, 0, 200, 120}, 60, 50, 20, 40, 0x0000006b);
    paint(b, 1);
    const int dark = 255 - 0x6b; /* black with alpha 0x6b over white */
    Color far = (Color)dark << 24 | (Color)dark << 16 | (Color)dark << 8 | 255u;
    for (int y = 0; y < 120; y++)
        for (int x = 0; x < 200; x++) {
            double away = hypot(x + 0.5 - 60, y + 0.5 - 50);
            if (away <= 20) assert_color(b, x, y, WHITE, 0);
            if (away >= 40) assert_color(b, x, y, far, 1);
            if (away >= 40 && at(b, x, y) != at(b, 199, 119)) fail_msg("the shade at %d,%d is not that of the corner", x, y);
        }
    assert_color(b, 90, 50, 0xc6c6c6ff, 1); /* t = (30.5 - 20) / 20 = 0.525; 255 - 107 (3 t² - 2 t³) = 197.5 */
    for (int x = 60; x < 110; x++) assert_true((at(b, x + 1, 50) >> 8 & 255u) <= (at(b, x, 50) >> 8 & 255u));
    dl_shade(start(b, 40, 40), (Rect){0, 0, 40, 40}, 500, 500, 20, 40, 0x000000ff); /* the hole is elsewhere */
    paint(b, 1);
    for (int i = 0; i < 40; i++) assert_color(b, i, i, 0x000000ff, 0);
}

static void clips_cut(void **state) {
    Bench *b = *state;
    DisplayList *dl = start(b, 40, 40);
    dl_clip(dl, (Rect){0, 0, 20, 40});
    dl_clip(dl, (Rect){10, 10, 40, 40});
    dl_rect(dl, (Rect){0, 0, 40, 40}, 0, 0xff0000ff, COLOR_NONE, 0);
    dl_unclip(dl);
    dl_unclip(dl);
    dl_rect(dl, (Rect){30, 30, 2, 2}, 0, 0x00ff00ff, COLOR_NONE, 0);
    paint(b, 1);
    assert_color(b, 9, 20, WHITE, 0);
    assert_color(b, 10, 10, 0xff0000ff, 0);
    assert_color(b, 19, 39, 0xff0000ff, 0);
    assert_color(b, 20, 20, WHITE, 0);
    assert_color(b, 30, 30, 0x00ff00ff, 0);
    dl = start(b, 40, 40);
    dl_clip(dl, (Rect){0, 0, 10, 10});
    dl_clip(dl, (Rect){20, 20, 10, 10}); /* nothing in common */
    dl_rect(dl, (Rect){0, 0, 40, 40}, 0, 0xff0000ff, COLOR_NONE, 0);
    dl_unclip(dl);
    dl_unclip(dl);
    paint(b, 1);
    assert_near(ink_of(b), 0, 0);
}

static void cells_lie_where_the_grid_says(void **state) {
    Bench *b = *state;
    Color colors[12];
    for (int i = 0; i < 12; i++) colors[i] = (Color)(i * 20) << 24 | 0x40ffu;
    for (float scale = 1; scale <= 2; scale += 0.5f) {
        Rect box = {7, 9, 83, 50};
        dl_cells(start(b, 120, 80), box, 3, 4, 2, 0, colors, NULL, NULL, -1, 0, 0, 0);
        paint(b, scale);
        for (int i = 0; i < 12; i++) {
            Rect cell = dl_cell_box(box, 3, 4, 2, i / 4, i % 4);
            int x0 = (int)floorf(cell.x * scale + 0.5f), x1 = (int)floorf((cell.x + cell.w) * scale + 0.5f);
            int y0 = (int)floorf(cell.y * scale + 0.5f), y1 = (int)floorf((cell.y + cell.h) * scale + 0.5f);
            assert_color(b, x0, y0, colors[i], 0);
            assert_color(b, x1 - 1, y1 - 1, colors[i], 0);
            assert_color(b, x0 - 1, y0, WHITE, 0);
            assert_color(b, x0, y1, WHITE, 0);
        }
    }
}

static void a_scrolled_map_is_the_same_map(void **state) {
    Bench *b = *state;
    Color colors[64];
    for (int i = 0; i < 64; i++) colors[i] = (Color)(i * 4) << 16 | 0xff0000ffu;
    dl_cells(start(b, 200, 200), (Rect){0, 0, 160, 160}, 8, 8, 2, 3, colors, NULL, NULL, -1, 0, 0, 0);
    paint(b, 1);
    Color want = at(b, 100, 90);
    DisplayList *dl = start(b, 200, 200);
    dl_clip(dl, (Rect){50, 50, 60, 60});
    dl_cells(dl, (Rect){0, 0, 160, 160}, 8, 8, 2, 3, colors, NULL, NULL, -1, 0, 0, 0);
    dl_unclip(dl);
    paint(b, 1);
    assert_color(b, 100, 90, want, 0);
    assert_color(b, 49, 90, WHITE, 0);
    assert_color(b, 110, 90, WHITE, 0);
}

static void more_cells_than_pixels_are_averaged(void **state) {
    Bench *b = *state;
    enum { SIDE = 400 };
    Color *colors = calloc(SIDE * SIDE, sizeof *colors);
    for (int i = 0; i < SIDE * SIDE; i++) colors[i] = i % SIDE >= SIDE / 2 ? 0x00ff00ff : (i + i / SIDE) % 2 ? 0xff0000ff : 0x0000ffff;
    dl_cells(start(b, 120, 120), (Rect){10, 10, 100, 100}, SIDE, SIDE, 2, 3, colors, NULL, NULL, -1, 0, 0, 0);
    paint(b, 1);
    assert_color(b, 10, 10, 0x800080ff, 1);
    assert_color(b, 59, 109, 0x800080ff, 1);
    assert_color(b, 60, 109, 0x00ff00ff, 1);
    assert_color(b, 110, 50, WHITE, 0);
    free(colors);
}

static void the_five_looks_differ(void **state) {
    Bench *b = *state;
    const Theme *t = theme_at(THEME_LIGHT);
    uint8_t marks[CELL_MARK_COUNT] = {CELL_VALUE, CELL_MASKED, CELL_NAN, CELL_EMPTY, CELL_NONE};
    Color colors[CELL_MARK_COUNT] = {theme_weight_color(t, RAMP_THEME, 0), t->empty_cell, t->empty_cell, t->empty_cell, t->empty_cell};
    static const float sizes[] = {6, 10, 20, 50};
    for (size_t k = 0; k < 4; k++) {
        int size = (int)sizes[k];
        dl_cells(start(b, 400, 80), (Rect){10, 10, sizes[k] * CELL_MARK_COUNT + 8, sizes[k]}, 1, CELL_MARK_COUNT, 2, 3, colors, NULL, marks, -1, 0, 0, 0);
        paint(b, 1);
        int differing[CELL_MARK_COUNT] = {0};
        for (int mark = 0; mark < CELL_MARK_COUNT; mark++)
            for (int i = 0; i < size * size; i++)
                differing[mark] += at(b, 10 + mark * (size + 2) + i % size, 10 + i / size) != at(b, 10 + CELL_EMPTY * (size + 2) + i % size, 10 + i / size);
        assert_true(differing[CELL_VALUE] >= size * size - 16);
        assert_true(differing[CELL_NONE] >= size * size - 16);
        if (size < 11) assert_int_equal(differing[CELL_MASKED], 0); /* many slashes would be noise: whoever draws the map edges it */
        else assert_true(differing[CELL_MASKED] >= 3);
        assert_true(differing[CELL_NAN] > differing[CELL_MASKED]);
        assert_color(b, 10 + CELL_NONE * (size + 2) + size / 2, 10 + size / 2, WHITE, 0);
    }
}

/* First and last column with ink. */
static void ink_columns(const Bench *b, int *first, int *last) {
    *first = -1, *last = -1;
    for (int x = 0; x < b->pixels.width; x++)
        for (int y = 0; y < b->pixels.height; y++)
            if (at(b, x, y) != WHITE) {
                if (*first < 0) *first = x;
                *last = x;
            }
}

static void text_is_as_wide_as_it_was_measured(void **state) {
    Bench *b = *state;
    for (float scale = 1; scale <= 3; scale++) {
        int first, last;
        float width = dl_text(start(b, 400, 60), fonts_metrics(b->fonts), FACE_UI, 18, 0x000000ff, 20, 40, "HEATMAP and numbers 0.943 H");
        paint(b, scale);
        ink_columns(b, &first, &last);
        assert_near(first, 20 * (double)scale + 1.5 * (double)scale, 1 + 0.5 * (double)scale); /* the bearing of H */
        assert_near(last + 1, (20 + (double)width) * (double)scale - 1.5 * (double)scale, 1 + 0.5 * (double)scale);
    }
}

static void a_sentence_set_from_words_is_spaced_like_one_text(void **state) {
    Bench *b = *state;
    const FontMetrics *font = fonts_metrics(b->fonts);
    static const char *const words[] = {"One", "score", "is", "the", "dot", "product", "of", "row"};
    dl_text(start(b, 400, 40), font, FACE_UI, 18, 0x000000ff, 10, 26, "One score is the dot product of row");
    paint(b, 1);
    size_t size = (size_t)b->pixels.width * (size_t)b->pixels.height * 4;
    uint8_t *whole = malloc(size);
    memcpy(whole, b->pixels.rgba, size);
    DisplayList *dl = start(b, 400, 40);
    float x = 10;
    for (int i = 0; i < 8; i++) x += dl_text(dl, font, FACE_UI, 18, 0x000000ff, x, 26, words[i]) + font_width(font, FACE_UI, 18, " ");
    paint(b, 1);
    double ink = ink_of(b), differs = 0;
    for (size_t i = 0; i < size; i += 4) differs += abs(whole[i] - b->pixels.rgba[i]) / 255.0;
    assert_true(differs < ink * 0.15); /* half a pixel off would be half of the ink */
    free(whole);
}

static void a_long_text_is_drawn_in_pieces(void **state) {
    Bench *b = *state;
    char text[2001];
    memset(text, 'H', 2000);
    text[2000] = '\0';
    float width = dl_text(start(b, 600, 40), fonts_metrics(b->fonts), FACE_UI, 18, 0x000000ff, -10000, 30, text);
    assert_true(width > 20000);
    paint(b, 1);
    int first, last;
    ink_columns(b, &first, &last);
    assert_true(first < 12 && last > 588);
    int bare = 0; /* no seam: strokes come at the same distance everywhere */
    for (int x = 0, run = 0; x < 600; x++) {
        run = at(b, x, 25) == WHITE ? run + 1 : 0;
        bare = run > bare ? run : bare;
    }
    assert_true(bare <= 10);
}

static void strange_texts_and_numbers_do_no_harm(void **state) {
    Bench *b = *state;
    const FontMetrics *font = fonts_metrics(b->fonts);
    DisplayList *dl = start(b, 100, 100);
    dl_text(dl, font, FACE_UI, 18, 0x000000ff, 10, 30, "\xff\xf0\x9f\x98\x80\xe7\x8c");
    dl_text(dl, font, FACE_UI, 0, 0x000000ff, 10, 30, "none");
    dl_text(dl, font, FACE_UI, 18, 0x000000ff, NAN, 30, "nowhere");
    dl_rect(dl, (Rect){NAN, 0, 10, INFINITY}, 3, 0x000000ff, COLOR_NONE, 0);
    dl_line(dl, -INFINITY, 3, 10, 40, 0x000000ff, 1);
    dl_ribbon(dl, 10, NAN, 4, 50, 20, 4, 0x000000ff);
    dl_shade(dl, (Rect){0, 0, 100, 100}, NAN, 5, -3, INFINITY, 0x00000080);
    DlPoint points[] = {{0, 0}, {1e30f, 5}, {-1e30f, NAN}};
    dl_path(dl, points, 3, true, 0x000000ff, 0x000000ff, 1);
    dl_rect(dl, (Rect){10, 10, -5, 10}, 3, 0x000000ff, COLOR_NONE, 0);
    dl_clip(dl, (Rect){NAN, NAN, NAN, NAN});
    dl_unclip(dl);
    paint(b, 1);
}

static void sizes_beyond_the_limit_are_refused(void **state) {
    Bench *b = *state;
    Err err = {0};
    start(b, 20000, 10);
    assert_false(painter_draw(b->painter, &b->dl, 1, &b->pixels, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_non_null(strstr(err.message, "20000"));
    err = (Err){0};
    start(b, 10, 10);
    assert_false(painter_draw(b->painter, &b->dl, 0, &b->pixels, &err));
    assert_false(painter_draw(b->painter, &b->dl, NAN, &b->pixels, &err));
}

static void a_second_drawing_is_the_same_picture(void **state) {
    Bench *b = *state;
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        arena_reset(&b->arena);
        demo_list(&b->dl, &b->arena, fonts_metrics(b->fonts), i == 1 ? THEME_DARK : THEME_LIGHT);
        paint(b, 1);
        hashes[i] = hash_fnv1a(b->pixels.rgba, (size_t)b->pixels.width * (size_t)b->pixels.height * 4);
    }
    assert_true(hashes[0] == hashes[2]);
    assert_true(hashes[0] != hashes[1]);
}

static void caches_stay_bounded(void **state) {
    Bench *b = *state;
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, 800, 600, 32, SDL_PIXELFORMAT_XRGB8888);
    SDL_Renderer *renderer = SDL_CreateSoftwareRenderer(surface);
    Raster *raster = raster_open(renderer, b->fonts);
    size_t most = 0;
    for (int frame = 0; frame < 120; frame++) {
        DisplayList *dl = start(b, 800, 600);
        Color colors[16 * 16];
        for (int i = 0; i < 256; i++) colors[i] = (Color)(i * frame) << 8 | 255u;
        dl_cells(dl, (Rect){(float)-frame, 0, 1000, 600}, 16, 16, 2, 3, colors, NULL, NULL, -1, 0, 0, 0);
        for (int i = 0; i < 50; i++) {
            char text[NUM_MAX];
            num_fixed(text, frame + i / 100.0, 2, NUM_SCREEN);
            dl_text(dl, fonts_metrics(b->fonts), FACE_MONO, 15, 0x000000ff, (float)(i * 10), (float)(i * 10), text);
        }
        raster_draw(raster, dl, 1);
        SDL_RenderFlush(renderer);
        if (raster_memory(raster) > most) most = raster_memory(raster);
    }
    assert_true(most > 32u << 20);  /* the cache was filled ... */
    assert_true(most <= 64u << 20); /* ... and no more than that */
    size_t full = raster_memory(raster);
    for (int frame = 0; frame < 20; frame++) { /* a map that stays where it is keeps its texture */
        DisplayList *dl = start(b, 800, 600);
        Color color = (Color)frame << 8 | 255u;
        dl_cells(dl, (Rect){0, 0, 100, 100}, 1, 1, 0, 0, &color, NULL, NULL, -1, 0, 0, 0);
        raster_draw(raster, dl, 1);
    }
    assert_true(raster_memory(raster) <= full + 100 * 100 * 4);
    raster_close(raster);
    SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(surface);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rects_fill_whole_pixels),
        cmocka_unit_test(alpha_is_straight),
        cmocka_unit_test(strokes_lie_inside),
        cmocka_unit_test(corners_are_round),
        cmocka_unit_test(shapes_cover_their_area),
        cmocka_unit_test(a_shade_has_one_round_hole),
        cmocka_unit_test(clips_cut),
        cmocka_unit_test(cells_lie_where_the_grid_says),
        cmocka_unit_test(a_scrolled_map_is_the_same_map),
        cmocka_unit_test(more_cells_than_pixels_are_averaged),
        cmocka_unit_test(the_five_looks_differ),
        cmocka_unit_test(text_is_as_wide_as_it_was_measured),
        cmocka_unit_test(a_sentence_set_from_words_is_spaced_like_one_text),
        cmocka_unit_test(a_long_text_is_drawn_in_pieces),
        cmocka_unit_test(strange_texts_and_numbers_do_no_harm),
        cmocka_unit_test(sizes_beyond_the_limit_are_refused),
        cmocka_unit_test(a_second_drawing_is_the_same_picture),
        cmocka_unit_test(caches_stay_bounded),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
