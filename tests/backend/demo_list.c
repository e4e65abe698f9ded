#include "backend/demo_list.h"

#include <math.h>
#include <stdio.h>

#include "base/str.h"

static const char *const words[] = {"The", "cat", "sat", "on", "the", "mat"};
enum { N = 6 };

static double demo_weight(int head, int row, int col) {
    double away = row - col - (head == 0 ? 1 : 0);
    return exp(-away * away * (head + 1) * 0.9) * 0.94 + 0.01;
}

static void map(DisplayList *dl, const FontMetrics *font, const Theme *t, Rect box, int head, bool numbers) {
    Color colors[N * N];
    float values[N * N];
    uint8_t marks[N * N];
    for (int i = 0; i < N * N; i++) {
        int row = i / N, col = i % N;
        values[i] = (float)demo_weight(head, row, col);
        marks[i] = col > row ? CELL_MASKED : row == 5 && col > 2 ? CELL_EMPTY : row == 4 && col == 2 ? CELL_NAN : CELL_VALUE;
        colors[i] = marks[i] == CELL_VALUE ? theme_weight_color(t, RAMP_THEME, (double)values[i]) : t->empty_cell;
    }
    dl_cells(dl, box, N, N, 2, 3, colors, values, marks, 7, head, 0, 0);
    for (int i = 0; numbers && i < N * N; i++) {
        char text[NUM_MAX];
        if (marks[i] != CELL_VALUE) continue;
        dl_label(dl, font, FACE_MONO, 15, color_ink_on(colors[i]), dl_cell_box(box, N, N, 2, i / N, i % N), ALIGN_CENTER,
                 num_fixed(text, (double)values[i], 2, NUM_SCREEN));
    }
}

static void labels(DisplayList *dl, const FontMetrics *font, const Theme *t, Rect box, float angle) {
    for (int i = 0; i < N; i++) {
        Rect row = dl_cell_box(box, N, N, 2, i, 0), col = dl_cell_box(box, N, N, 2, 0, i);
        row.x = box.x - 80, row.w = 68;
        dl_label(dl, font, i == 2 ? FACE_UI_SEMIBOLD : FACE_UI, 15, t->q, row, ALIGN_RIGHT, words[i]);
        if (angle > 0) dl_text_turned(dl, font, FACE_UI, 15, t->k, col.x + col.w / 2, box.y - 8, angle, words[i]);
        else dl_label(dl, font, FACE_UI, 15, t->k, (Rect){col.x, box.y - 30, col.w, 30}, ALIGN_CENTER, words[i]);
    }
}

static void panel(DisplayList *dl, const FontMetrics *font, const Theme *t) {
    Rect box = {830, 236, 424, 566};
    dl_rect(dl, box, 12, t->panel, t->line, 1);
    dl_text(dl, font, FACE_UI, 18, t->muted, 854, 278, "How well does");
    dl_text(dl, font, FACE_UI_SEMIBOLD, 18, t->q, 980, 278, "sat");
    dl_line(dl, 854, 548, 1230, 548, t->line, 1);
    dl_dash(dl, 854, 560, 1230, 560, t->faint, 1, 6);
    dl_paragraph(dl, font, FACE_UI, 15, t->muted, (Rect){854, 570, 376, 120}, 22,
                 "This is the largest score in the row: head 1 was built to find the previous token from the position numbers. "
                 "注意力机制把每个词与其他词联系起来，并计算权重。");
    dl_control(dl, (Rect){854, 720, 180, 36}, ROLE_BUTTON, "inspector.source", "explain", "Where does q come from?");
    dl_rect(dl, (Rect){854, 720, 180, 36}, 8, t->button, COLOR_NONE, 0);
    dl_label(dl, font, FACE_UI_MEDIUM, 13, t->ink, (Rect){854, 720, 180, 36}, ALIGN_CENTER, "Where does q come from?");
    dl_ungroup(dl);
    dl_rect(dl, (Rect){1050, 720, 180, 36}, 8, t->accent, COLOR_NONE, 0);
    dl_label(dl, font, FACE_UI_MEDIUM, 13, t->on_accent, (Rect){1050, 720, 180, 36}, ALIGN_CENTER, "Export");
    for (int i = 0; i < 4; i++) {
        Color fill = theme_signed_color(t, 3.0 * i - 5, 7);
        Rect chip = {854, (float)(330 + i * 50), 76, 38};
        dl_rect(dl, chip, 6, fill, COLOR_NONE, 0);
        dl_label(dl, font, FACE_MONO, 15, color_ink_on(fill), chip, ALIGN_CENTER, "6.58");
        dl_text(dl, font, FACE_MONO, 15, t->ink, 1090, chip.y + 24, "= 3.60");
    }
}

static void transport(DisplayList *dl, const Theme *t) {
    dl_rect(dl, (Rect){773, 923, 54, 54}, 27, t->accent, COLOR_NONE, 0);
    DlPoint play[] = {{793, 938}, {793, 962}, {812, 950}};
    dl_path(dl, play, 3, true, t->on_accent, COLOR_NONE, 0);
    dl_rect(dl, (Rect){24, 947, 560, 6}, 3, t->button, COLOR_NONE, 0);
    dl_rect(dl, (Rect){24, 947, 196, 6}, 3, t->accent, COLOR_NONE, 0);
    dl_rect(dl, (Rect){210, 940, 20, 20}, 10, t->accent, t->panel, 2);
    DlPoint root[] = {{900, 955}, {904, 952}, {910, 968}, {918, 940}, {960, 940}};
    dl_path(dl, root, 5, false, COLOR_NONE, t->ink, 1.5f);
}

static void ribbons(DisplayList *dl, const Theme *t) {
    static const float weights[] = {0.028f, 0.943f, 0.028f};
    for (int i = 0; i < 3; i++)
        dl_ribbon(dl, 1300, 400 - weights[i] * 8, weights[i] * 16, 1380, (float)(330 + i * 70) - weights[i] * 8, weights[i] * 16, t->v);
    dl_line(dl, 1300, 600, 1400, 660, t->k, 2);
    dl_line(dl, 1300, 660, 1400, 600, t->q, 1);
}

static void ramp_bars(DisplayList *dl, const Theme *t) {
    for (int kind = 0; kind <= RAMP_COUNT; kind++) {
        Color colors[128];
        for (int i = 0; i < 128; i++)
            colors[i] = kind == RAMP_COUNT ? theme_signed_color(t, (i - 63.5) / 63.5, 1) : theme_weight_color(t, (RampKind)kind, i / 127.0);
        dl_cells(dl, (Rect){1300, (float)(700 + kind * 22), 256, 16}, 1, 128, 0, 0, colors, NULL, NULL, -1, -1, 0, 0);
    }
}

void demo_list(DisplayList *dl, Arena *arena, const FontMetrics *font, ThemeKind theme) {
    const Theme *t = theme_at(theme);
    dl_init(dl, arena, 1600, 1000, t->background);
    dl_rect(dl, (Rect){0, 0, 1600, 64}, 0, t->panel, COLOR_NONE, 0);
    dl_line(dl, 0, 64, 1600, 64, t->line, 1);
    dl_text(dl, font, FACE_UI_SEMIBOLD, 18, t->ink, 62, 38, "Attnscope");
    dl_rect(dl, (Rect){180, 13, 520, 38}, 8, t->background, t->muted, 1);
    dl_text(dl, font, FACE_UI, 15, t->ink, 196, 38, "The cat sat on the mat: 猫坐在垫子上 Ünïcödé √dₖ −0.25 ∞ Kᵀ שלום →");
    dl_label(dl, font, FACE_UI_BOLD, 24, t->ink, (Rect){0, 840, 1600, 40}, ALIGN_CENTER, "Every query meets every key.");
    dl_label(dl, font, FACE_UI, 18, t->muted, (Rect){0, 876, 1600, 36}, ALIGN_CENTER,
             "One score is the dot product of row “sat” of Q with column “cat” of Kᵀ. 36 of them fill the map.");
    dl_text(dl, font, FACE_UI, 13, t->muted, 1190, 955, "Space next · Backspace back · P play · F5 present · ? all keys");
    Rect big = {120, 240, 454, 358};
    map(dl, font, t, big, 0, true);
    labels(dl, font, t, big, 0);
    dl_rect(dl, (Rect){116, 362, 462, 66}, 6, COLOR_NONE, t->q, 3);
    Rect left = {120, 680, 124, 124}, right = {330, 680, 124, 124};
    map(dl, font, t, left, 1, false);
    labels(dl, font, t, left, 90);
    map(dl, font, t, right, 2, false);
    labels(dl, font, t, right, 45);
    map(dl, font, t, (Rect){540, 680, 40, 40}, 1, false);
    map(dl, font, t, (Rect){600, 680, 24, 24}, 1, false);
    panel(dl, font, t);
    transport(dl, t);
    ribbons(dl, t);
    ramp_bars(dl, t);
    dl_finish(dl);
}
