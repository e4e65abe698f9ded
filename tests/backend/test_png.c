#include <stdio.h>

#include <png.h>

#include "backend/demo_list.h"
#include "backend/png.h"
#include "base/file.h"
#include "support/support.h"

static int set_up(void **state) {
    Err err = {0};
    *state = fonts_open(&err);
    if (*state == NULL) fail_msg("%s", err.message);
    return 0;
}

static int tear_down(void **state) {
    fonts_close(*state);
    return 0;
}

static bool has_chunk(const char *data, size_t size, const char *name) {
    for (size_t i = 8; i + 8 < size; i++)
        if (memcmp(data + i, name, 4) == 0) return true;
    return false;
}

static void the_file_holds_the_pixels(void **state) {
    Err err = {0};
    Arena arena = {0};
    DisplayList dl;
    char path[1200], *data;
    size_t size;
    snprintf(path, sizeof path, "%s/demo.png", scratch_folder("png"));
    demo_list(&dl, &arena, fonts_metrics(*state), THEME_LIGHT);
    assert_true(picture_write(*state, &dl, &picture_formats[0], &(PictureOptions){.scale = 0.5f}, path, &err));
    assert_true(file_read(path, 1 << 26, &arena, &data, &size, &err));
    assert_true(has_chunk(data, size, "sRGB"));
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, data, size));
    assert_int_equal(image.width, 800);
    assert_int_equal(image.height, 500);
    assert_int_equal(image.format & PNG_FORMAT_FLAG_ALPHA, 0);
    image.format = PNG_FORMAT_RGBA;
    uint8_t *decoded = arena_alloc(&arena, PNG_IMAGE_SIZE(image), 1);
    assert_true(png_image_finish_read(&image, NULL, decoded, 0, NULL));
    Painter *painter = painter_open(*state);
    Pixels pixels;
    assert_true(painter_draw(painter, &dl, 0.5f, &pixels, &err));
    assert_memory_equal(decoded, pixels.rgba, PNG_IMAGE_SIZE(image));
    painter_close(painter);
    arena_free(&arena);
}

static void the_same_list_gives_the_same_bytes(void **state) {
    Err err = {0};
    Arena arena = {0};
    DisplayList dl;
    void *data[2];
    size_t size[2];
    demo_list(&dl, &arena, fonts_metrics(*state), THEME_DARK);
    for (int i = 0; i < 2; i++) assert_true(picture_png(*state, &dl, &(PictureOptions){0}, &arena, &data[i], &size[i], &err));
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(data[0], data[1], size[0]);
    arena_free(&arena);
}

static void what_cannot_be_written_is_said(void **state) {
    Err err = {0};
    Arena arena = {0};
    DisplayList dl;
    char path[1200];
    snprintf(path, sizeof path, "%s/missing/demo.png", scratch_folder("png_errors"));
    dl_init(&dl, &arena, 10, 10, 0xffffffff);
    assert_false(picture_write(*state, &dl, &picture_formats[0], &(PictureOptions){0}, path, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.message, "missing"));
    err = (Err){0};
    dl_init(&dl, &arena, 0, 10, 0xffffffff);
    snprintf(path, sizeof path, "%s/none.png", scratch_folder("png_errors"));
    assert_false(picture_write(*state, &dl, &picture_formats[0], &(PictureOptions){0}, path, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_false(file_exists(path));
    arena_free(&arena);
}

/* What shows through: half-transparent red over nothing stays red, with half its cover; where nothing is drawn, nothing is. */
static void a_clear_picture_has_no_background(void **state) {
    Err err = {0};
    Arena arena = {0};
    DisplayList dl;
    Painter *painter = painter_open(*state);
    Pixels pixels;
    dl_init(&dl, &arena, 3, 1, 0xFFFFFFFF);
    dl_rect(&dl, (Rect){1, 0, 1, 1}, 0, 0xFF000080, COLOR_NONE, 0);
    dl_rect(&dl, (Rect){2, 0, 1, 1}, 0, 0x102030FF, COLOR_NONE, 0);
    assert_true(painter_draw_clear(painter, &dl, 1, &pixels, &err));
    assert_int_equal(pixels.rgba[3], 0);
    assert_in_range(pixels.rgba[4], 253, 255);
    assert_in_range(pixels.rgba[5], 0, 1);
    assert_in_range(pixels.rgba[7], 127, 129);
    static const uint8_t solid[] = {0x10, 0x20, 0x30, 255};
    assert_memory_equal(pixels.rgba + 8, solid, 4);
    painter_close(painter);
    arena_free(&arena);
}

static void texts_and_resolution(void **state) {
    Err err = {0};
    Arena arena = {0};
    DisplayList dl;
    void *data;
    size_t size;
    char *scenario = arena_alloc(&arena, 300001, 1);
    memset(scenario, 'x', 300000);
    dl_init(&dl, &arena, 10, 10, 0xffffffff);
    PictureOptions options = {.points = 0.72f, .scale = 2, .title = "猫", .description = "A picture.", .scenario = scenario};
    assert_true(picture_png(*state, &dl, &options, &arena, &data, &size, &err));
    assert_string_equal(picture_scenario(data, size, &arena, &err), scenario);
    static const char density[] = "pHYs\0\0\x1e\xc2\0\0\x1e\xc2\x01"; /* 2 pixels in 0.01 inch: 2 / 0.000254 m = 7874 */
    assert_non_null(memmem(data, size, density, sizeof density - 1));
    assert_non_null(memmem(data, size, "Title\0\0\0\0\0猫", 13));
    for (size_t cut = 0; cut < 200; cut++) {
        err = (Err){0};
        assert_null(picture_scenario(data, cut, &arena, &err));
        assert_int_equal(err.code, ERR_INPUT);
    }
    err = (Err){0};
    assert_true(picture_png(*state, &dl, &(PictureOptions){0}, &arena, &data, &size, &err));
    assert_null(picture_scenario(data, size, &arena, &err));
    assert_non_null(strstr(err.message, "holds no scenario"));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_holds_the_pixels),
        cmocka_unit_test(the_same_list_gives_the_same_bytes),
        cmocka_unit_test(a_clear_picture_has_no_background),
        cmocka_unit_test(texts_and_resolution),
        cmocka_unit_test(what_cannot_be_written_is_said),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
