#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "support/support.h"

static void write_then_read(void **state) {
    (void)state;
    Arena arena = {0};
    Err err = {0};
    char *folder = arena_strdup(&arena, scratch_folder("file"));
    char *path = path_join(&arena, folder, "a.txt");
    char *data;
    size_t size;
    assert_true(file_write(path, "one", 3, &err));
    assert_true(file_write(path, "second", 6, &err));
    assert_true(file_read(path, 100, &arena, &data, &size, &err));
    assert_int_equal(size, 6);
    assert_string_equal(data, "second");
    char **names;
    int count;
    assert_true(file_list(folder, &arena, &names, &count, &err));
    assert_int_equal(count, 1); /* no temporary file stays */
    arena_free(&arena);
}

static void failures_say_why_and_leave_nothing(void **state) {
    (void)state;
    Arena arena = {0};
    char *folder = arena_strdup(&arena, scratch_folder("file_fail"));
    char *path = path_join(&arena, folder, "missing/a.txt");
    char *data;
    size_t size;
    Err err = {0};
    assert_false(file_write(path, "x", 1, &err));
    assert_non_null(strstr(err.message, "missing/a.txt"));
    assert_non_null(strstr(err.message, "No such file"));
    err = (Err){0};
    assert_false(file_read(path, 100, &arena, &data, &size, &err));
    assert_int_equal(err.code, ERR_IO);
    err = (Err){0};
    assert_false(file_write(folder, "x", 1, &err));
    assert_non_null(strstr(err.message, "folder"));
    err = (Err){0};
    assert_false(file_write("/dev/full", "x", 1, &err)); /* a device that is always full */
    assert_non_null(strstr(err.message, "No space left"));
    err = (Err){0};
    char *big = path_join(&arena, folder, "big");
    assert_true(file_write(big, "0123456789", 10, &err));
    assert_false(file_read(big, 9, &arena, &data, &size, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    arena_free(&arena);
}

static void a_pipe_without_a_writer_is_empty(void **state) {
    (void)state;
    Arena arena = {0};
    Err err = {0};
    char *path = path_join(&arena, scratch_folder("pipe"), "p"), *data;
    size_t size = 1;
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(20); /* it is waited for: the test ends */
    assert_true(file_read(path, 1000, &arena, &data, &size, &err));
    alarm(0);
    assert_int_equal(size, 0);
    assert_true(file_remove(path));
    arena_free(&arena);
}

static void a_link_and_a_mode_are_kept(void **state) {
    (void)state;
    Arena arena = {0};
    Err err = {0};
    char *folder = arena_strdup(&arena, scratch_folder("file_link"));
    char *target = path_join(&arena, folder, "target"), *link = path_join(&arena, folder, "link");
    assert_true(file_write(target, "old", 3, &err));
    assert_int_equal(chmod(target, 0640), 0);
    assert_int_equal(symlink("target", link), 0);
    assert_true(file_write(link, "new", 3, &err));
    struct stat st;
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(target, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_int_equal(st.st_size, 3);
    arena_free(&arena);
}

static void pieces_become_a_file_at_the_end(void **state) {
    (void)state;
    Arena arena = {0};
    FileWriter writer;
    Err err = {0};
    char *path = path_join(&arena, scratch_folder("file_pieces"), "a.txt"), *data;
    size_t size;
    assert_true(file_begin(&writer, path, &err));
    for (int i = 0; i < 1000; i++) assert_true(file_put(&writer, "0123456789", 10));
    assert_false(file_exists(path));
    assert_true(file_end(&writer, &err));
    assert_true(file_read(path, 1 << 20, &arena, &data, &size, &err));
    assert_int_equal(size, 10000);
    assert_true(file_begin(&writer, "/dev/full", &err));
    file_put(&writer, data, size);
    assert_false(file_put(&writer, data, size));
    assert_false(file_end(&writer, &err));
    assert_non_null(strstr(err.message, "No space left"));
    arena_free(&arena);
}

static void paths_are_cut_where_they_should(void **state) {
    (void)state;
    Arena arena = {0};
    assert_string_equal(path_name("a/b"), "b");
    assert_string_equal(path_join(&arena, "a", "b"), "a/b");
    assert_string_equal(path_join(&arena, "a/", "b"), "a/b");
    assert_string_equal(path_join(&arena, "a", "/b"), "/b");
    arena_free(&arena);
}

static void missing_data_names_the_places(void **state) {
    (void)state;
    Arena arena = {0};
    Err err = {0};
    setenv("ATTNSCOPE_DATA", "/nowhere/at-all", 1);
    assert_null(path_data(&arena, "assets/no-such-thing", &err));
    assert_non_null(strstr(err.message, "assets/no-such-thing"));
    assert_non_null(strstr(err.message, "/nowhere/at-all"));
    unsetenv("ATTNSCOPE_DATA");
    err = (Err){0};
    assert_non_null(path_data(&arena, "LICENSE", &err));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(write_then_read),
        cmocka_unit_test(failures_say_why_and_leave_nothing),
        cmocka_unit_test(a_pipe_without_a_writer_is_empty),
        cmocka_unit_test(a_link_and_a_mode_are_kept),
        cmocka_unit_test(pieces_become_a_file_at_the_end),
        cmocka_unit_test(paths_are_cut_where_they_should),
        cmocka_unit_test(missing_data_names_the_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
