#include "base/arena.h"
#include "base/blob.h"
#include "base/pool.h"
#include "support/support.h"

static void arena_memory_is_zero_and_aligned(void **state) {
    (void)state;
    Arena arena = {0};
    for (int round = 0; round < 3; round++) {
        for (size_t size = 1; size < 200000; size = size * 3 + 1) {
            unsigned char *p = arena_try(&arena, size, 1);
            assert_non_null(p);
            for (size_t i = 0; i < size; i++) assert_int_equal(p[i], 0);
            assert_int_equal((uintptr_t)p % (size >= 256 ? 64 : 16), 0);
            memset(p, 0xAB, size);
        }
        arena_reset(&arena); /* the next round gets the same, dirty memory */
        assert_int_equal(arena.used, 0);
    }
    arena_free(&arena);
}

static void arena_parts_do_not_overlap(void **state) {
    (void)state;
    Arena arena = {0};
    enum { N = 500 };
    unsigned char *part[N];
    for (int i = 0; i < N; i++) {
        part[i] = arena_try_raw(&arena, (size_t)(i * 37 + 1), 1);
        memset(part[i], i & 255, (size_t)(i * 37 + 1));
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i * 37 + 1; j++) assert_int_equal(part[i][j], i & 255);
    arena_free(&arena);
}

static void arena_refuses_what_it_cannot_hold(void **state) {
    (void)state;
    Arena arena;
    arena_init(&arena, 1000);
    assert_null(arena_try(&arena, SIZE_MAX / 2, 3)); /* the product overflows */
    assert_null(arena_try(&arena, SIZE_MAX, 1));
    assert_null(arena_try(&arena, 1001, 1));
    assert_non_null(arena_try(&arena, 600, 1));
    assert_null(arena_try(&arena, 600, 1));
    assert_non_null(arena_try(&arena, 400, 1));
    arena_free(&arena);
    assert_int_equal(arena.limit, 1000);
}

static void arena_printf_writes_all(void **state) {
    (void)state;
    Arena arena = {0};
    assert_string_equal(arena_printf(&arena, "%s %d", "head", 3), "head 3");
    assert_string_equal(arena_strndup(&arena, "hello", 3), "hel");
    arena_free(&arena);
}

static void blobs_count_their_users(void **state) {
    (void)state;
    Blob *blob = blob_new("abc", 3);
    assert_int_equal(blob->size, 3);
    assert_string_equal(blob->bytes, "abc");
    assert_ptr_equal(blob_keep(blob), blob);
    blob_drop(blob);
    assert_string_equal(blob->bytes, "abc");
    blob_drop(blob);
    blob_drop(NULL);
    assert_null(blob_keep(NULL));
    assert_null(blob_new(NULL, SIZE_MAX));
}

static void count_turn(void *ctx, int i) {
    int *counts = ctx;
    __atomic_fetch_add(&counts[i], 1, __ATOMIC_RELAXED);
}

static void pool_takes_each_turn_once(void **state) {
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        Pool *pool = pool_open(threads);
        for (int round = 0; round < 200; round++) {
            int counts[97] = {0};
            pool_for(pool, 97, count_turn, counts);
            for (int i = 0; i < 97; i++) assert_int_equal(counts[i], 1);
        }
        pool_for(pool, 0, count_turn, NULL);
        pool_close(pool);
    }
}

/* Children end with their parent, and can be emptied before; what is reserved comes from one piece. */
static void children_and_reserve(void **state) {
    (void)state;
    Arena arena = {0};
    Arena *one = arena_child(&arena), *two = arena_child(&arena), *inner = arena_child(one);
    assert_true(one && two && inner);
    memset(arena_alloc(one, 1 << 20, 1), 1, 1 << 20);
    memset(arena_alloc(inner, 100, 1), 2, 100);
    arena_free(one);
    assert_int_equal(one->used, 0);
    assert_true(arena_reserve(two, 3 << 20));
    char *first = arena_alloc(two, 1 << 20, 1), *second = arena_alloc(two, 2 << 20, 1);
    assert_true(second == first + (1 << 20));
    arena_reset(two); /* the memory stays: the next use gets it again */
    assert_true(arena_reserve(two, 3 << 20));
    assert_true(arena_alloc(two, 1 << 20, 1) == first);
    arena_reset(&arena);
    assert_null(arena.children);
    arena_init(&arena, 1000);
    assert_false(arena_reserve(&arena, 2000));
    assert_false(arena_reserve(arena_child(&arena), 2000)); /* a child has its parent's limit */
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_memory_is_zero_and_aligned), cmocka_unit_test(arena_parts_do_not_overlap),
        cmocka_unit_test(arena_refuses_what_it_cannot_hold), cmocka_unit_test(arena_printf_writes_all),
        cmocka_unit_test(blobs_count_their_users), cmocka_unit_test(pool_takes_each_turn_once), cmocka_unit_test(children_and_reserve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
