#include <assert.h>

#include "ui/kit.h"

enum { PARTS_MAX = 4, POINTS_MAX = 9 };

/* Closed polygons on a 16 × 16 grid. */
typedef struct {
    int n;
    signed char xy[POINTS_MAX][2];
} IconPart;

typedef struct {
    int n;
    IconPart part[PARTS_MAX];
} IconShape;

static const IconShape icon_shapes[] = {
    [ICON_PLAY] = {1, {{3, {{4, 2}, {14, 8}, {4, 14}}}}},
    [ICON_PAUSE] = {2, {{4, {{4, 2}, {7, 2}, {7, 14}, {4, 14}}}, {4, {{9, 2}, {12, 2}, {12, 14}, {9, 14}}}}},
    [ICON_STEP_BACK] = {2, {{4, {{3, 3}, {5, 3}, {5, 13}, {3, 13}}}, {3, {{13, 3}, {13, 13}, {6, 8}}}}},
    [ICON_STEP_NEXT] = {2, {{4, {{11, 3}, {13, 3}, {13, 13}, {11, 13}}}, {3, {{3, 3}, {10, 8}, {3, 13}}}}},
    [ICON_STAGE_BACK] = {2, {{3, {{8, 3}, {8, 13}, {1, 8}}}, {3, {{15, 3}, {15, 13}, {8, 8}}}}},
    [ICON_STAGE_NEXT] = {2, {{3, {{1, 3}, {8, 8}, {1, 13}}}, {3, {{8, 3}, {15, 8}, {8, 13}}}}},
    [ICON_MENU] = {3, {{4, {{2, 3}, {14, 3}, {14, 5}, {2, 5}}}, {4, {{2, 7}, {14, 7}, {14, 9}, {2, 9}}},
                       {4, {{2, 11}, {14, 11}, {14, 13}, {2, 13}}}}},
    [ICON_MODEL] = {4, {{4, {{2, 2}, {7, 2}, {7, 7}, {2, 7}}}, {4, {{9, 2}, {14, 2}, {14, 7}, {9, 7}}},
                        {4, {{2, 9}, {7, 9}, {7, 14}, {2, 14}}}, {4, {{9, 9}, {14, 9}, {14, 14}, {9, 14}}}}},
    [ICON_MASK] = {1, {{8, {{2, 2}, {6, 2}, {6, 6}, {10, 6}, {10, 10}, {14, 10}, {14, 14}, {2, 14}}}}},
    [ICON_POSITION] = {3, {{4, {{2, 9}, {5, 9}, {5, 14}, {2, 14}}}, {4, {{7, 6}, {10, 6}, {10, 14}, {7, 14}}},
                           {4, {{12, 2}, {15, 2}, {15, 14}, {12, 14}}}}},
    [ICON_EXPORT] = {2, {{7, {{7, 2}, {9, 2}, {9, 7}, {12, 7}, {8, 11}, {4, 7}, {7, 7}}},
                         {4, {{2, 12}, {14, 12}, {14, 14}, {2, 14}}}}},
    [ICON_EXAMPLES] = {3, {{4, {{3, 2}, {13, 2}, {13, 5}, {3, 5}}}, {4, {{3, 6}, {13, 6}, {13, 9}, {3, 9}}},
                           {4, {{3, 10}, {13, 10}, {13, 13}, {3, 13}}}}},
    [ICON_CHECK] = {1, {{6, {{2, 8}, {4, 6}, {7, 9}, {13, 3}, {14, 5}, {7, 12}}}}},
    [ICON_DOWN] = {1, {{3, {{4, 6}, {12, 6}, {8, 11}}}}},
    [ICON_SETTINGS] = {4, {{4, {{1, 4}, {15, 4}, {15, 6}, {1, 6}}}, {4, {{4, 2}, {7, 2}, {7, 8}, {4, 8}}},
                           {4, {{1, 11}, {15, 11}, {15, 13}, {1, 13}}}, {4, {{9, 9}, {12, 9}, {12, 15}, {9, 15}}}}},
    [ICON_CLOSE] = {2, {{4, {{3, 4}, {4, 3}, {13, 12}, {12, 13}}}, {4, {{12, 3}, {13, 4}, {4, 13}, {3, 12}}}}},
};
static_assert(sizeof icon_shapes / sizeof icon_shapes[0] == ICON_COUNT, "each icon has a shape");

void kit_icon(const Kit *kit, Rect box, KitIcon icon, Color color) {
    float size = box.w < box.h ? box.w : box.h;
    float x0 = box.x + (box.w - size) / 2, y0 = box.y + (box.h - size) / 2, unit = size / 16;
    const IconShape *shape = &icon_shapes[icon];
    for (int i = 0; i < shape->n; i++) {
        DlPoint points[POINTS_MAX];
        const IconPart *part = &shape->part[i];
        for (int p = 0; p < part->n; p++)
            points[p] = (DlPoint){x0 + unit * (float)part->xy[p][0], y0 + unit * (float)part->xy[p][1]};
        dl_path(kit->dl, points, part->n, true, color, COLOR_NONE, 0);
    }
}
