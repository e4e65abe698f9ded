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
    const Doc *docs[] = {doc};
    Keep keep = {docs, 1, &view};
    if (recovery_due(r, doc, now) && !recovery_write(r, &keep, now, &err)) fail_msg("%s", err.message);
}

/* Everything is saved. */
static void end(Recovery *r) {
    Err err = {0};
    if (!recovery_close(r, &(Keep){0}, &err)) fail_msg("%s", err.message);
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
        tick(r, &doc, NULL, 0);
        tick(r, &doc, text, 2);
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
    end(r);
    assert_int_equal(count_files(folder), 0);
    assert_true(recovery_close(NULL, &(Keep){0}, NULL));
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
    end(r);
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
    end(r);
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
    end(r); /* not dealt with: offered again */
    r = open_in(folder);
    assert_non_null(recovery_found(r));
    recovery_forget(r);
    assert_null(recovery_found(r));
    end(r);
    r = open_in(folder);
    assert_null(recovery_found(r));
    end(r);
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
    end(r);
    r = open_in(folder);
    assert_non_null(recovery_found(r));
    recovery_forget(r);
    end(r);
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
    end(r);
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
    end(r);
    assert_true(file_exists(path));
}

static void test_no_folder(void **state) {
    (void)state;
    Err err = {0};
    assert_null(recovery_open("/proc/nothing/here", &err));
    assert_int_equal(err.code, ERR_IO);
}

/* ---- sessions ---- */

static void write_doc(Recovery *r, const char *const *texts, int n) {
    Doc docs[3] = {{0}};
    const Doc *list[3] = {&docs[0], &docs[1], &docs[2]};
    Keep keep = {list, n, NULL};
    Err err = {0};
    for (int i = 0; i < n; i++) {
        doc_init(&docs[i]);
        doc_set_text(&docs[i], texts[i], strlen(texts[i]));
    }
    if (!recovery_close(r, &keep, &err)) fail_msg("%s", err.message);
    for (int i = 0; i < n; i++) doc_reset(&docs[i]);
}

static void end_with(const char *folder, const char *text) {
    write_doc(open_in(folder), &text, 1);
}

/* Text of the document `which` in a session, or "" when there is none. In `arena`. */
static char *session_text(const Recovery *r, int back, int which, Arena *arena) {
    Doc doc;
    bool more;
    Err err = {0};
    char *path = recovery_session(r, back, arena), *text;
    if (!path || !yaml_read_file(path, which, &doc, NULL, &more, &err)) return arena_strdup(arena, "");
    text = arena_strdup(arena, doc_text(&doc));
    doc_reset(&doc);
    return text;
}

static void test_what_is_unsaved_becomes_the_last_session(void **state) {
    (void)state;
    Arena arena = {0};
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", scratch_folder("recovery-session"));
    Recovery *r = open_in(folder);
    assert_null(recovery_session(r, 0, &arena));
    static const char *const both[] = {"under it", "on top"};
    write_doc(r, both, 2);
    r = open_in(folder);
    assert_null(recovery_found(r)); /* it ended cleanly */
    assert_string_equal(session_text(r, 0, 0, &arena), "under it");
    assert_string_equal(session_text(r, 0, 1, &arena), "on top");
    assert_null(recovery_session(r, 1, &arena));
    end(r); /* nothing unsaved: what is there stays */
    assert_int_equal(count_files(folder), 1);
    arena_free(&arena);
}

static void test_sessions_move_back(void **state) {
    (void)state;
    Arena arena = {0};
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", scratch_folder("recovery-sessions"));
    static const char *const texts[] = {"1", "2", "2", "3", "4", "5", "6"}; /* the same again does not push one away */
    for (int i = 0; i < 7; i++) end_with(folder, texts[i]);
    Recovery *r = open_in(folder);
    static const char *const want[] = {"6", "5", "4", "3", "2"};
    for (int i = 0; i < SESSIONS_MAX; i++) assert_string_equal(session_text(r, i, 0, &arena), want[i]);
    assert_null(recovery_session(r, SESSIONS_MAX, &arena));
    assert_null(recovery_session(r, -1, &arena));
    end(r);
    arena_free(&arena);
}

static void test_saved_means_not_kept(void **state) {
    (void)state;
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", scratch_folder("recovery-saved"));
    Doc doc;
    doc_init(&doc);
    Recovery *r = open_in(folder);
    tick(r, &doc, NULL, 0);
    tick(r, &doc, "changed", 3);
    assert_int_equal(count_files(folder), 2);
    assert_true(recovery_write(r, &(Keep){0}, 4, NULL));
    assert_int_equal(count_files(folder), 1);
    end(r);
    doc_reset(&doc);
}

/* What cannot become the last session stays where it is found. */
static void test_a_full_folder_loses_nothing(void **state) {
    (void)state;
    char folder[1024], path[1100];
    Err err = {0};
    snprintf(folder, sizeof folder, "%s", scratch_folder("recovery-full"));
    for (int i = 1; i <= SESSIONS_MAX; i++) { /* folders that are not empty stand in the way */
        if (i == 1) snprintf(path, sizeof path, "%s/last.yaml/x", folder);
        else snprintf(path, sizeof path, "%s/last-%d.yaml/x", folder, i);
        assert_true(file_make_folders(path, &err));
    }
    Doc doc;
    doc_init(&doc);
    doc_set_text(&doc, "precious", 8);
    const Doc *docs[] = {&doc};
    assert_false(recovery_close(open_in(folder), &(Keep){docs, 1, NULL}, &err));
    assert_int_equal(err.code, ERR_IO);
    Recovery *r = open_in(folder);
    assert_non_null(recovery_found(r));
    recovery_forget(r);
    end(r);
    doc_reset(&doc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean_end_leaves_nothing), cmocka_unit_test(test_at_most_once_in_two_seconds),
        cmocka_unit_test(test_kill_9), cmocka_unit_test(test_two_programs), cmocka_unit_test(test_same_number),
        cmocka_unit_test(test_strangers_are_left_alone), cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_what_is_unsaved_becomes_the_last_session), cmocka_unit_test(test_sessions_move_back),
        cmocka_unit_test(test_saved_means_not_kept), cmocka_unit_test(test_a_full_folder_loses_nothing),
    };
    return cmocka_run_group_tests_name("recovery", tests, NULL, NULL);
}
