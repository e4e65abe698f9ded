/* Where lines end: Chinese between any two characters, but no line begins with a closing mark or ends with an opening one; in rich
 * sentences and in plain paragraphs, at every width. The rule is that of CLREQ (W3C, Requirements for Chinese Text Layout, 3.1.6). */
#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "draw/theme.h"
#include "scene/rich.h"
#include "support/support.h"

static const char *const texts[] = {
    "查询（谁在看）在行里，键（被看的）在列里。“猫”得到最大的一份：0.79；其余的分给“坐”、“在”和“上”！行的总和是多少？是 1。",
    "每一行都是一份注意力预算：softmax 把一行分数变成份额，它们加起来是 1（百分之百）。掩码遮住的键得到 exp(−∞) = 0。",
    "连续的标点也一样：“（‘甲’，乙）”。《书名》，【括号】……结束——真的结束了！",
};
enum { TEXTS = sizeof texts / sizeof *texts };

static const char closing[] = "，。、；：！？）”’》】…";
static const char opening[] = "（“‘《【";

typedef struct {
    char first[8], last[8];
    float y, right;
    size_t bytes;
} Line;

enum { LINES_MAX = 256 };

static void take_character(char out[8], const char *text, size_t from, size_t to) { snprintf(out, 8, "%.*s", (int)(to - from), text + from); }

/* Lines in the order of the list, each of all its texts. */
static int read_lines(const DisplayList *dl, Line line[LINES_MAX]) {
    int n = 0;
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind != DL_TEXT) continue;
        const char *text = dl_text_at(dl, c->text.text);
        size_t length = strlen(text), next = 0;
        utf8_next(text, length, &next);
        if (n == 0 || fabsf(line[n - 1].y - c->box.y) > 1) {
            assert_true(n < LINES_MAX);
            line[n] = (Line){.y = c->box.y};
            take_character(line[n++].first, text, 0, next);
        }
        Line *at = &line[n - 1];
        take_character(at->last, text, utf8_grapheme_previous(text, length, length), length);
        at->right = c->box.x + c->text.width;
        at->bytes += length;
    }
    return n;
}

static void check_lines(const DisplayList *dl, float width, float em, const char *text, const char *what) {
    Line line[LINES_MAX];
    int n = read_lines(dl, line);
    size_t bytes = 0, blanks = 0;
    for (int i = 0; i < n; i++) {
        bytes += line[i].bytes;
        if (i > 0 && strstr(closing, line[i].first)) fail_msg("%s, %g wide: line %d begins with %s", what, (double)width, i + 1, line[i].first);
        if (i + 1 < n && strstr(opening, line[i].last)) fail_msg("%s, %g wide: line %d ends with %s", what, (double)width, i + 1, line[i].last);
        if (line[i].right > width + 0.5f) fail_msg("%s, %g wide: line %d is %g wide", what, (double)width, i + 1, (double)line[i].right);
        /* Full, up to what has to stay together: an English word, or a few marks and the characters they belong to. */
        if (i + 1 < n && line[i].right < width - 8 * em) fail_msg("%s, %g wide: line %d is only %g wide", what, (double)width, i + 1, (double)line[i].right);
    }
    for (const char *c = text; *c; c++) blanks += *c == ' ';
    if (bytes + blanks < strlen(text)) fail_msg("%s, %g wide: %zu of %zu bytes are set", what, (double)width, bytes, strlen(text));
}

static void lines_of_sentences_begin_and_end_well(void **unused) {
    (void)unused;
    const Theme *theme = theme_at(THEME_LIGHT);
    RichStyle style = {.font = font_fake(), .theme = theme, .face = FACE_UI, .size = 15, .color = theme->ink, .line = 21};
    for (int t = 0; t < TEXTS; t++)
        for (float width = 140; width < 700; width += 3) {
            Arena arena = {0};
            DisplayList dl;
            dl_init(&dl, &arena, 800, 4000, theme->background);
            rich_paragraph(&dl, &style, (Rect){0, 0, width, 4000}, ALIGN_LEFT, texts[t]);
            check_lines(&dl, width, style.size, texts[t], "sentence");
            arena_free(&arena);
        }
}

static void lines_of_paragraphs_too(void **unused) {
    (void)unused;
    for (int t = 0; t < TEXTS; t++)
        for (float width = 140; width < 700; width += 3) {
            Arena arena = {0};
            DisplayList dl;
            dl_init(&dl, &arena, 800, 4000, theme_at(THEME_LIGHT)->background);
            dl_paragraph(&dl, font_fake(), FACE_UI, 15, 0xff, (Rect){0, 0, width, 0}, 21, texts[t]);
            check_lines(&dl, width, 15, texts[t], "paragraph");
            arena_free(&arena);
        }
}

/* A name keeps its colour and its quotes on both sides of a line's end. */
static void marked_names_break_like_others(void **unused) {
    (void)unused;
    const Theme *theme = theme_at(THEME_LIGHT);
    RichStyle style = {.font = font_fake(), .theme = theme, .face = FACE_UI, .size = 15, .color = theme->ink, .line = 21};
    const char *text = "行“" RICH_Q "垫子" RICH_END "”把预算里最大的一份给了“" RICH_K "猫" RICH_END "”（0.79），其余的给“" RICH_K "坐" RICH_END "”。";
    for (float width = 100; width < 500; width += 1) {
        Arena arena = {0};
        DisplayList dl;
        dl_init(&dl, &arena, 800, 4000, theme->background);
        rich_paragraph(&dl, &style, (Rect){0, 0, width, 4000}, ALIGN_LEFT, text);
        check_lines(&dl, width, style.size, rich_plain(&arena, text), "marked sentence");
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_sentences_begin_and_end_well),
        cmocka_unit_test(lines_of_paragraphs_too),
        cmocka_unit_test(marked_names_break_like_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
