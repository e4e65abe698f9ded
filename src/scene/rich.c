#include "scene/rich.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

enum { PIECES_MAX = 400, PIECE_BYTES = 64, NAME_CLUSTERS = 28, PARAGRAPH_BYTES = 2048, RADICAL = 0x221A, TYPE_LEAST = 12 };

/* A run of one colour and one shift. */
typedef struct {
    char text[PIECE_BYTES];
    int mark;     /* 0 or the byte of a mark */
    int shift;    /* -1 lowered, 1 raised, 0 on the line */
    bool radical; /* the sign itself; what it covers follows */
    bool covered;
    bool space;
    bool glue; /* no line break before it */
    float width;
} Piece;

typedef struct {
    Piece item[PIECES_MAX];
    int n;
} Pieces;

typedef struct {
    uint32_t code;
    int shift;
    const char *text;
} Script;

static const Script scripts[] = {
    {0x1D40, 1, "T"},  {0x1D3C, 1, "O"},  {0x1D2C, 1, "A"},  {0xB2, 1, "2"},    {0xB9, 1, "1"},    {0xB3, 1, "3"},
    {0x2096, -1, "k"}, {0x2099, -1, "n"}, {0x1D62, -1, "i"}, {0x2C7C, -1, "j"}, {0x1D65, -1, "v"}, {0x2098, -1, "m"},
    {0x2080, -1, "0"}, {0x2081, -1, "1"}, {0x2082, -1, "2"}, {0x2083, -1, "3"}, {0x2084, -1, "4"}, {0x2085, -1, "5"},
    {0x2086, -1, "6"}, {0x2087, -1, "7"}, {0x2088, -1, "8"}, {0x2089, -1, "9"}, {0x2095, -1, "h"}, {0x2090, -1, "a"},
};

static const Script *find_script(uint32_t code) {
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (scripts[i].code == code) return &scripts[i];
    return NULL;
}

static FontFace piece_face(const RichStyle *style, const Piece *piece) {
    if (piece->mark == 0) return style->face;
    return style->face < FACE_UI_SEMIBOLD ? FACE_UI_SEMIBOLD : style->face;
}

/* Scripts are smaller, but never below the smallest type. */
static float piece_size(const RichStyle *style, const Piece *piece) {
    return piece->shift ? fminf(style->size, fmaxf(style->size * 0.68f, TYPE_LEAST)) : style->size;
}

static float piece_width(const RichStyle *style, const Piece *piece) {
    if (piece->radical) return style->size * 0.56f;
    return font_width(style->font, piece_face(style, piece), piece_size(style, piece), piece->text);
}

static bool ends_radicand(uint32_t code) { return code == ' ' || code == ')' || code == ',' || code == '.' || code == '=' || code == 0xB7; }

/* A new piece, or NULL when the text is longer than any sentence of ours. */
static Piece *add_piece(Pieces *pieces, int mark, int shift, bool covered) {
    if (pieces->n == PIECES_MAX) return NULL;
    Piece *piece = &pieces->item[pieces->n++];
    *piece = (Piece){.mark = mark, .shift = shift, .covered = covered};
    return piece;
}

static bool takes(const Piece *piece, int mark, int shift, bool covered, bool space, size_t bytes) {
    return piece && piece->mark == mark && piece->shift == shift && piece->covered == covered && !piece->radical && piece->space == space &&
           strlen(piece->text) + bytes < PIECE_BYTES;
}

/* One character of the text as it is set. */
typedef struct {
    uint32_t code;
    int shift;
    const char *bytes;
    size_t length;
} Glyph;

static bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/* "W_Q", "W_K", "W_V", "W_gate": the letters behind the underscore are lowered. */
static bool is_weight_name(const char *text, size_t underscore, size_t length) {
    if (underscore < 1 || text[underscore - 1] != 'W' || underscore + 1 >= length) return false;
    return memchr("QKV", text[underscore + 1], 3) || is_small(text[underscore + 1]);
}

/* A later letter of such a name. */
static bool goes_on(const char *text, size_t at) {
    size_t start = at;
    while (start > 0 && is_small(text[start - 1])) start--;
    return is_small(text[at]) && start > 1 && text[start - 1] == '_' && text[start - 2] == 'W';
}

static Glyph next_glyph(const char *text, size_t length, size_t *pos) {
    size_t start = *pos;
    Glyph glyph = {.code = utf8_next(text, length, pos), .bytes = text + start};
    glyph.length = *pos - start;
    const Script *script = find_script(glyph.code);
    if (script) {
        glyph.shift = script->shift;
        glyph.bytes = script->text;
        glyph.length = strlen(script->text);
    } else if (glyph.code == '_' && is_weight_name(text, start, length)) {
        glyph.code = (unsigned char)text[*pos];
        glyph.shift = -1;
        glyph.bytes = text + *pos;
        glyph.length = 1;
        *pos += 1;
    } else if (goes_on(text, start)) {
        glyph.shift = -1;
    }
    return glyph;
}

/* Cut a text into pieces. A piece is glued to the one before it unless a space or a CJK character parts them. */
static void cut_pieces(const RichStyle *style, const char *text, Pieces *pieces) {
    size_t length = strlen(text), pos = 0;
    int mark = 0;
    bool covered = false;
    uint32_t before = 0;
    Piece *last = NULL;
    pieces->n = 0;
    while (pos < length) {
        Glyph glyph = next_glyph(text, length, &pos);
        if (glyph.code >= 1 && glyph.code <= 6) {
            mark = glyph.code == 6 ? 0 : (int)glyph.code;
            continue;
        }
        if (ends_radicand(glyph.code)) covered = false;
        bool space = glyph.code == ' ', radical = glyph.code == RADICAL, breaks = before != 0 && utf8_breaks_between(before, glyph.code) && !space;
        if (radical || breaks || !takes(last, mark, glyph.shift, covered, space, glyph.length)) {
            bool glue = last && !last->space && !space && !breaks;
            last = add_piece(pieces, mark, glyph.shift, covered);
            if (!last) break;
            last->space = space;
            last->glue = glue;
            last->radical = radical;
        }
        before = space ? 0 : glyph.code;
        if (radical)
            covered = true;
        else
            strncat(last->text, glyph.bytes, glyph.length);
    }
    for (int i = 0; i < pieces->n; i++) pieces->item[i].width = piece_width(style, &pieces->item[i]);
}

static Color piece_color(const RichStyle *style, const Piece *piece) {
    const Theme *t = style->theme;
    const Color colors[] = {style->color, t->q, t->k, t->v, t->out, t->ink};
    return style->one_color ? style->color : colors[piece->mark];
}

/* The sign: a short tick, down, up to the bar; the bar runs over what is covered. */
static void draw_radical(DisplayList *dl, const RichStyle *style, Color color, float x, float y, float bar_end) {
    float s = style->size, top = y - s * 0.86f, w = s * 0.56f;
    const DlPoint points[] = {{x + s * 0.03f, y - s * 0.30f},
                              {x + s * 0.13f, y - s * 0.37f},
                              {x + s * 0.27f, y + s * 0.06f},
                              {x + w - s * 0.06f, top},
                              {bar_end, top}};
    dl_path(dl, points, 5, false, COLOR_NONE, color, s > 20 ? s * 0.075f : s * 0.085f);
}

static float covered_width(const Pieces *pieces, int from, int to) {
    float w = 0;
    for (int i = from; i < to && pieces->item[i].covered; i++) w += pieces->item[i].width;
    return w;
}

static float pieces_width(const Pieces *pieces, int from, int to) {
    float w = 0;
    for (int i = from; i < to; i++) w += pieces->item[i].width;
    return w;
}

/* Chinese has a piece for each character; what stands in one line is one text. */
static const char *joined_run(const DisplayList *dl, const Pieces *pieces, int from, int to, int *end) {
    const Piece *first = &pieces->item[from];
    const char *text = first->text;
    int i = from + 1;
    for (; i < to; i++) {
        const Piece *next = &pieces->item[i];
        if (next->glue || next->space || next->radical || next->mark != first->mark || next->shift != first->shift || next->covered != first->covered) break;
        text = arena_printf(dl->arena, "%s%s", text, next->text);
    }
    *end = i;
    return text;
}

static float draw_pieces(DisplayList *dl, const RichStyle *style, const Pieces *pieces, int from, int to, float x, float y) {
    float start = x;
    for (int i = from, next = from; i < to; i = next) {
        const Piece *piece = &pieces->item[i];
        next = i + 1;
        Color color = piece_color(style, piece);
        float size = piece_size(style, piece);
        float dy = piece->shift > 0 ? -style->size * 0.34f : piece->shift < 0 ? style->size * 0.17f : 0;
        if (piece->radical) {
            float end = x + piece->width + covered_width(pieces, i + 1, to) + style->size * 0.04f;
            draw_radical(dl, style, color, x, y, end);
        } else if (!piece->space) {
            dl_text(dl, style->font, piece_face(style, piece), size, color, x, y + dy, joined_run(dl, pieces, i, to, &next));
        }
        x += pieces_width(pieces, i, next);
    }
    return x - start;
}

/* A piece wider than a whole line is cut into clusters that fit. */
static void split_wide(const RichStyle *style, Pieces *pieces, float width) {
    for (int i = 0; i < pieces->n; i++) {
        Piece *piece = &pieces->item[i];
        if (piece->width <= width || piece->space || piece->radical || pieces->n == PIECES_MAX) continue;
        size_t fits = font_fit(style->font, piece_face(style, piece), piece_size(style, piece), piece->text, width);
        if (fits == 0) fits = utf8_grapheme_next(piece->text, strlen(piece->text), 0);
        if (fits >= strlen(piece->text)) continue;
        memmove(piece + 1, piece, sizeof(Piece) * (size_t)(pieces->n - i));
        pieces->n++;
        piece->text[fits] = '\0';
        memmove(piece[1].text, piece[1].text + fits, strlen(piece[1].text + fits) + 1);
        piece[1].glue = false;
        piece->width = piece_width(style, piece);
        piece[1].width = piece_width(style, &piece[1]);
    }
}

/* As many pieces of one word as fit, at least one. */
static int word_part_end(const Pieces *pieces, int from, int end, float width) {
    float w = pieces->item[from].width;
    int at = from + 1;
    while (at < end && w + pieces->item[at].width <= width) w += pieces->item[at++].width;
    return at;
}

/* End of the line that begins at `from`: the longest that fits; a word longer than a line is parted. */
static int line_end(const Pieces *pieces, int from, float width) {
    float w = 0;
    int end = from;
    for (int i = from; i < pieces->n;) {
        int next = i + 1;
        while (next < pieces->n && pieces->item[next].glue) next++;
        w += pieces_width(pieces, i, next);
        if (w > width && !pieces->item[i].space) return end > from ? end : word_part_end(pieces, from, next, width);
        end = i = next;
    }
    return end;
}

static int skip_spaces(const Pieces *pieces, int at) {
    while (at < pieces->n && pieces->item[at].space) at++;
    return at;
}

static int trim_end(const Pieces *pieces, int from, int end) {
    while (end > from && pieces->item[end - 1].space) end--;
    return end;
}

static float align_offset(TextAlign align, float room, float width) {
    return align == ALIGN_LEFT ? 0 : align == ALIGN_CENTER ? (room - width) / 2 : room - width;
}

/* One paragraph from line `lines` on; draws when dl is not NULL. Returns the number of lines so far. */
static int flow_paragraph(DisplayList *dl, const RichStyle *style, Rect box, TextAlign align, const char *text, int lines) {
    Pieces pieces;
    cut_pieces(style, text, &pieces);
    split_wide(style, &pieces, box.w);
    float cap = style->font->cap_height(style->font->ctx, style->face, style->size);
    for (int from = skip_spaces(&pieces, 0); from < pieces.n; lines++) {
        int end = line_end(&pieces, from, box.w);
        int ink = trim_end(&pieces, from, end);
        float y = box.y + (float)lines * style->line + (style->line + cap) / 2;
        if (dl) draw_pieces(dl, style, &pieces, from, ink, box.x + align_offset(align, box.w, pieces_width(&pieces, from, ink)), y);
        from = skip_spaces(&pieces, end);
    }
    return lines;
}

/* Paragraphs are parted by newlines. */
static int flow(DisplayList *dl, const RichStyle *style, Rect box, TextAlign align, const char *text) {
    char part[PARAGRAPH_BYTES];
    int lines = 0;
    while (*text) {
        size_t length = strcspn(text, "\n"), kept = utf8_fit(text, length, sizeof part - 1);
        memcpy(part, text, kept);
        part[kept] = '\0';
        lines = flow_paragraph(dl, style, box, align, part, lines);
        text += length;
        if (*text == '\n') text++;
    }
    return lines;
}

const char *rich_short(Arena *arena, const char *name) {
    size_t length = strlen(name), pos = 0;
    for (int i = 0; i < NAME_CLUSTERS && pos < length; i++) pos = utf8_grapheme_next(name, length, pos);
    return arena_printf(arena, "%.*s%s", (int)pos, name, pos < length ? "…" : "");
}

/* "," and the like would be read as the sentence's own. */
static bool is_punctuation(const char *name) {
    if (!name[0]) return false;
    for (const char *p = name; *p; p++)
        if (!strchr(".,;:!?'\"()-", *p)) return false;
    return true;
}

const char *rich_name(Arena *arena, char role, const char *name) {
    static const char roles[] = "qkvo";
    const char *found = role ? strchr(roles, role) : NULL;
    int mark = found ? (int)(found - roles) + 1 : 5;
    return arena_printf(arena, is_punctuation(name) ? "%c“%s”%s" : "%c%s%s", mark, rich_short(arena, name), RICH_END);
}

const char *rich_plain(Arena *arena, const char *text) {
    char *out = arena_strdup(arena, text), *to = out;
    for (const char *p = text; *p; p++)
        if ((unsigned char)*p > 6) *to++ = *p;
    *to = '\0';
    return out;
}

float rich_width(const RichStyle *style, const char *text) {
    Pieces pieces;
    cut_pieces(style, text, &pieces);
    return pieces_width(&pieces, 0, pieces.n);
}

float rich_line(DisplayList *dl, const RichStyle *style, float x, float y, const char *text) {
    Pieces pieces;
    cut_pieces(style, text, &pieces);
    return draw_pieces(dl, style, &pieces, 0, pieces.n, x, y);
}

void rich_label(DisplayList *dl, const RichStyle *style, Rect box, TextAlign align, const char *text) {
    RichStyle small = *style;
    float width = rich_width(&small, text);
    if (width > box.w && width > 0) {
        float fits = style->size * fmaxf(box.w / width * 0.995f, 0.667f);
        small.size = fminf(style->size, fmaxf(fits, TYPE_LEAST));
        width = rich_width(&small, text);
    }
    if (width > box.w) {
        small.line = small.size * 1.2f;
        float high = rich_height(&small, box.w, text);
        rich_paragraph(dl, &small, (Rect){box.x, box.y + (box.h - high) / 2, box.w, high}, align, text);
        return;
    }
    float cap = small.font->cap_height(small.font->ctx, small.face, small.size);
    rich_line(dl, &small, box.x + align_offset(align, box.w, width), box.y + (box.h + cap) / 2, text);
}

float rich_paragraph(DisplayList *dl, const RichStyle *style, Rect box, TextAlign align, const char *text) {
    return (float)flow(dl, style, box, align, text) * style->line;
}

float rich_height(const RichStyle *style, float width, const char *text) {
    return (float)flow(NULL, style, (Rect){0, 0, width, 0}, ALIGN_LEFT, text) * style->line;
}
