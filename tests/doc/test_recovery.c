/* A document survives the end of its program, also kill -9, and is offered once; running programs do not meet. */
#include "doc_support.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "doc/recovery.h"

static int count_files(const char *folder) {
    Arena arena = {0};
    char **names;
    int count = 0;
    file_list(folder, &arena, &names, &count, NULL);
    arena_free(&arena);
    return count;
}

static Recovery *open_in(const char *folder) {
    Err err = {0};
    Recovery *r = recovery_open(folder, &err);
    if (!r) fail_msg("%s", err.message);
    return r;
}

static void tick(Recovery *r, Doc *doc, const char *text, double now) {
    Err err = {0};
    View view;
    view_init(&view);
    view.head = 2;
    if (text) doc_set_text(doc, text, strlen(text));
    if (!recovery_tick(r, doc, &view, now, &err)) fail_msg("%s", err.message);
}

/* Another program: opens, changes its document, tells its process id by living until it is killed. */
static pid_t start_program(const char *folder, const char *text) {
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nobody behind */
        Doc doc;
        doc_init(&doc);
        Recovery *r = recovery_open(folder, NULL);
        View view;
        view_init(&view);
        recovery_tick(r, &doc, &view, 0, NULL);
        doc_set_text(&doc, text, strlen(text));
        recovery_tick(r, &doc, &view, 2, NULL);
        if (write(ready[1], "x", 1) != 1) _exit(1);
        for (;;) pause();
    }
    assert_true(pid > 0);
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static void kill_program(pid_t pid) {
    int status;
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    assert_true(WIFSIGNALED(status));
}

static void test_clean_end_leaves_nothing(void **state) {
    (void)state;
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", scratch_folder("recovery-clean"));
    Doc doc;
    doc_init(&doc);
    Recovery *r = open_in(folder);
    assert_null(recovery_found(r));
    tick(r, &doc, NULL, 100);
    assert_int_equal(count_files(folder), 1); /* the lock: an unchanged document is not kept */
    tick(r, &doc, "changed", 100.1);
    assert_int_equal(count_files(folder), 2);
    recovery_close(r);
    assert_int_equal(count_files(folder), 0);
    recovery_close(NULL);
    doc_reset(&doc);
}

static void test_at_most_once_in_two_seconds(void **state) {
    (void)state;
    Arena arena = {0};
    char folder[1024], **names;
    int count;
    snprintf(folder, sizeof folder, "%s", scratch_folder("recovery-time"));
    Doc doc;
    doc_init(&doc);
    Recovery *r = open_in(folder);
    tick(r, &doc, NULL, 0);
    tick(r, &doc, "one", 1);
    tick(r, &doc, "two", 2);
    assert_true(file_list(folder, &arena, &names, &count, NULL));
    char *path = NULL, *text;
    size_t size;
    for (int i = 0; i < count; i++)
        if (str_ends(names[i], ".yaml")) path = path_join(&arena, folder, names[i]);
    assert_non_null(path);
    assert_true(file_read(path, 10000, &arena, &text, &size, NULL));
    assert_non_null(strstr(text, "one"));
    assert_non_null(strstr(text, "head: 3")); /* with the view */
    tick(r, &doc, NULL, 3); /* 2 s after the last write, without a further change */
    assert_true(file_read(path, 10000, &arena, &text, &size, NULL));
    assert_non_null(strstr(text, "two"));
    recovery_close(r);
    doc_reset(&doc);
    arena_free(&arena);
}

static void test_kill_9(void **state) {
    (void)state;
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", scratch_folder("recovery-kill"));
    pid_t pid = start_program(folder, "saved in time");
    Recovery *r = open_in(folder);
    assert_null(recovery_found(r)); /* it still runs */
    recovery_close(r);
    kill_program(pid);
    r = open_in(folder);
    assert_non_null(recovery_found(r));
    Doc doc;
    View view;
    bool more;
    Err err = {0};
    if (!yaml_read_file(recovery_found(r), 0, &doc, &view, &more, &err)) fail_msg("%s", err.message);
    assert_string_equal(doc_text(&doc), "saved in time");
    doc_reset(&doc);
    recovery_close(r); /* not dealt with: offered again */
    r = open_in(folder);
    assert_non_null(recovery_found(r));
    recovery_forget(r);
    assert_null(recovery_found(r));
    recovery_close(r);
    r = open_in(folder);
    assert_null(recovery_found(r));
    recovery_close(r);
    assert_int_equal(count_files(folder), 0);
}

static void test_two_programs(void **state) {
    (void)state;
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", scratch_folder("recovery-two"));
    pid_t a = start_program(folder, "first"), b = start_program(folder, "second");
    assert_int_equal(count_files(folder), 4);
    kill_program(b);
    Recovery *r = open_in(folder);
    assert_non_null(recovery_found(r));
    Doc doc;
    bool more;
    assert_true(yaml_read_file(recovery_found(r), 0, &doc, NULL, &more, NULL));
    assert_string_equal(doc_text(&doc), "second");
    doc_reset(&doc);
    recovery_forget(r);
    kill_program(a);
    recovery_close(r);
    r = open_in(folder);
    assert_non_null(recovery_found(r));
    recovery_forget(r);
    recovery_close(r);
    assert_int_equal(count_files(folder), 0);
}

/* A dead program with our number: its document is found, not overwritten. */
static void test_same_number(void **state) {
    (void)state;
    char folder[1024], path[1200];
    snprintf(folder, sizeof folder, "%s", scratch_folder("recovery-number"));
    snprintf(path, sizeof path, "%s/attnscope-%ld.yaml", folder, (long)getpid());
    assert_true(file_write(path, "attnscope: 1\ntext: old\n", 23, NULL));
    Doc doc;
    doc_init(&doc);
    Recovery *r = open_in(folder);
    assert_string_equal(recovery_found(r), path);
    tick(r, &doc, NULL, 0);
    tick(r, &doc, "new", 5);
    Arena arena = {0};
    char *text;
    size_t size;
    assert_true(file_read(path, 10000, &arena, &text, &size, NULL));
    assert_non_null(strstr(text, "old"));
    recovery_close(r);
    assert_true(file_exists(path));
    doc_reset(&doc);
    arena_free(&arena);
}

static void test_strangers_are_left_alone(void **state) {
    (void)state;
    char folder[1024], path[1200];
    snprintf(folder, sizeof folder, "%s", scratch_folder("recovery-strangers"));
    snprintf(path, sizeof path, "%s/notes.yaml", folder);
    assert_true(file_write(path, "x", 1, NULL));
    Recovery *r = open_in(folder);
    assert_null(recovery_found(r));
    recovery_close(r);
    assert_true(file_exists(path));
}

static void test_no_folder(void **state) {
    (void)state;
    Err err = {0};
    assert_null(recovery_open("/proc/nothing/here", &err));
    assert_int_equal(err.code, ERR_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean_end_leaves_nothing), cmocka_unit_test(test_at_most_once_in_two_seconds),
        cmocka_unit_test(test_kill_9), cmocka_unit_test(test_two_programs), cmocka_unit_test(test_same_number),
        cmocka_unit_test(test_strangers_are_left_alone), cmocka_unit_test(test_no_folder),
    };
    return cmocka_run_group_tests_name("recovery", tests, NULL, NULL);
}
