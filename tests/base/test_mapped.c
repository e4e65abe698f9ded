/* Files in memory and what they are known by. */
#include "support/support.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mapped.h"
#include "base/sha256.h"

/* ---- SHA-256: the examples of FIPS 180-4 and of NIST's test vectors ---- */

static const char *digest(const void *bytes, size_t size, size_t step) {
    static char hex[SHA256_HEX];
    Sha256 sha;
    sha256_init(&sha);
    for (size_t at = 0; at < size; at += step) sha256_add(&sha, (const char *)bytes + at, size - at < step ? size - at : step);
    return sha256_finish(&sha, hex);
}

static void test_published_digests(void **state) {
    (void)state;
    static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    assert_string_equal(digest("", 0, 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_string_equal(digest("abc", 3, 3), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_string_equal(digest(two_blocks, 56, 56), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char *many = malloc(1000000);
    memset(many, 'a', 1000000);
    assert_string_equal(digest(many, 1000000, 977), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    assert_string_equal(digest(many, 1000000, 1000000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(many);
}

/* Every length around a block's end, in one piece and byte by byte. */
static void test_pieces_do_not_matter(void **state) {
    (void)state;
    char text[200], whole[SHA256_HEX];
    for (int i = 0; i < 200; i++) text[i] = (char)(i * 7);
    for (size_t n = 0; n < 200; n++) {
        memcpy(whole, digest(text, n, 200), sizeof whole);
        assert_string_equal(digest(text, n, 1), whole);
        assert_string_equal(digest(text, n, 63), whole);
    }
}

/* ---- mapped files ---- */

static void write_file(const char *path, const char *text) {
    Err err = {0};
    if (!file_write(path, text, strlen(text), &err)) fail_msg("%s", err.message);
}

static void test_reads_and_refuses(void **state) {
    (void)state;
    Arena arena = {0};
    Mapped file;
    Err err = {0}, none = {0}, folder = {0};
    const char *place = scratch_folder("mapped");
    char *path = path_join(&arena, place, "a.bin"), *empty = path_join(&arena, place, "empty.bin");
    write_file(path, "seven b");
    write_file(empty, "");
    assert_true(mapped_open(path, &arena, &file, &err));
    assert_int_equal(file.size, 7);
    assert_memory_equal(file.bytes, "seven b", 7);
    assert_true(mapped_unchanged(&file, &err));
    mapped_close(&file);
    mapped_close(&file);
    assert_true(mapped_open(empty, &arena, &file, &err));
    assert_int_equal(file.size, 0);
    mapped_close(&file);
    assert_false(mapped_open(path_join(&arena, place, "absent"), &arena, &file, &none));
    assert_non_null(strstr(none.message, "absent"));
    assert_false(mapped_open(place, &arena, &file, &folder));
    assert_non_null(strstr(folder.message, "not a file"));
    mapped_close(&file);
    arena_free(&arena);
}

/* A pipe would wait for somebody to write. */
static void test_pipe_does_not_wait(void **state) {
    (void)state;
    Arena arena = {0};
    Mapped file;
    Err err = {0};
    char *path = path_join(&arena, scratch_folder("mapped_pipe"), "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(mapped_open(path, &arena, &file, &err));
    unlink(path);
    arena_free(&arena);
}

static void test_change_is_noticed(void **state) {
    (void)state;
    Arena arena = {0};
    Mapped file;
    Err shorter = {0}, touched = {0}, err = {0};
    char *path = path_join(&arena, scratch_folder("mapped_change"), "b.bin");
    write_file(path, "0123456789");
    assert_true(mapped_open(path, &arena, &file, &err));
    assert_int_equal(truncate(path, 4), 0);
    assert_false(mapped_unchanged(&file, &shorter));
    assert_non_null(strstr(shorter.message, "has 4 bytes now and had 10"));
    assert_int_equal(truncate(path, 10), 0);
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_false(mapped_unchanged(&file, &touched));
    assert_non_null(strstr(touched.message, "was written"));
    mapped_close(&file);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_digests), cmocka_unit_test(test_pieces_do_not_matter), cmocka_unit_test(test_reads_and_refuses),
        cmocka_unit_test(test_pipe_does_not_wait), cmocka_unit_test(test_change_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
