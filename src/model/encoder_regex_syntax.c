/* Oniguruma's syntax in PCRE2's: classes of spaces, words and digits, long names of categories, nested and
 * intersected sets, flags. */
#include <string.h>

#include "base/tr.h"
#include "model/encoder_regex.h"

enum { SETS_DEEP = 8, NAME_BYTES = 40 };

typedef struct {
    Arena *arena;
    const char *at, *end;
    const char *reason;
    int depth;
} Syntax;

#define SPACE "\\p{White_Space}"
#define WORD "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}"

/* What a backslash and a letter mean, outside and inside a set; NULL: cannot be said. */
static const struct { char letter; const char *outside, *inside; } classes[] = {
    {'s', SPACE, SPACE},
    {'S', "\\P{White_Space}", "\\P{White_Space}"},
    {'d', "\\p{Nd}", "\\p{Nd}"},
    {'D', "\\P{Nd}", "\\P{Nd}"},
    {'w', "[" WORD "]", WORD},
    {'W', "[^" WORD "]", "\\W"},
    {'h', "[0-9a-fA-F]", "0-9a-fA-F"},
    {'H', "[^0-9a-fA-F]", NULL},
};

static const struct { const char *name, *category; } categories[] = {
    {"letter", "L"}, {"uppercaseletter", "Lu"}, {"lowercaseletter", "Ll"}, {"titlecaseletter", "Lt"}, {"modifierletter", "Lm"}, {"otherletter", "Lo"},
    {"mark", "M"}, {"nonspacingmark", "Mn"}, {"spacingmark", "Mc"}, {"enclosingmark", "Me"}, {"number", "N"}, {"decimalnumber", "Nd"}, {"letternumber", "Nl"},
    {"othernumber", "No"}, {"punctuation", "P"}, {"punct", "P"}, {"connectorpunctuation", "Pc"}, {"dashpunctuation", "Pd"}, {"openpunctuation", "Ps"},
    {"closepunctuation", "Pe"}, {"initialpunctuation", "Pi"}, {"finalpunctuation", "Pf"}, {"otherpunctuation", "Po"}, {"symbol", "S"}, {"mathsymbol", "Sm"},
    {"currencysymbol", "Sc"}, {"modifiersymbol", "Sk"}, {"othersymbol", "So"}, {"separator", "Z"}, {"spaceseparator", "Zs"}, {"lineseparator", "Zl"},
    {"paragraphseparator", "Zp"}, {"other", "C"}, {"control", "Cc"}, {"cntrl", "Cc"}, {"format", "Cf"}, {"unassigned", "Cn"}, {"privateuse", "Co"},
    {"alpha", "Alphabetic"}, {"digit", "Nd"}, {"space", "White_Space"}, {"upper", "Uppercase"}, {"lower", "Lowercase"},
};

static bool refuse(Syntax *s, const char *reason) {
    if (s->reason == NULL) s->reason = reason;
    return false;
}

/* The name without case, spaces, hyphens and underscores. */
static void fold_name(const char *name, size_t n, char out[NAME_BYTES]) {
    size_t used = 0;
    for (size_t i = 0; i < n && used < NAME_BYTES - 1; i++) {
        if (strchr(" -_", name[i]) != NULL) continue;
        out[used++] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] | 32 : name[i]);
    }
    out[used] = '\0';
}

/* "\p{^Name}" from its p on. */
static bool property(Syntax *s, StrBuf *out) {
    bool negated = *s->at == 'P';
    const char *close = s->at + 1 < s->end && s->at[1] == '{' ? memchr(s->at, '}', (size_t)(s->end - s->at)) : NULL;
    if (close == NULL) { /* \pL */
        sb_printf(out, "\\%c", *s->at++);
        return true;
    }
    const char *name = s->at + 2;
    if (*name == '^') {
        negated = !negated;
        name++;
    }
    char folded[NAME_BYTES];
    fold_name(name, (size_t)(close - name), folded);
    const char *category = NULL;
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        if (str_eq(categories[i].name, folded)) category = categories[i].category;
    if (category != NULL) sb_printf(out, "\\%c{%s}", negated ? 'P' : 'p', category);
    else sb_printf(out, "\\%c{%.*s}", negated ? 'P' : 'p', (int)(close - name), name);
    s->at = close + 1;
    return true;
}

/* "\u0041" as "\x{0041}", from its u on. */
static void code_point(Syntax *s, StrBuf *out) {
    size_t n = strspn(s->at + 1, "0123456789abcdefABCDEF");
    if (n > 4) n = 4;
    sb_printf(out, "\\x{%.*s}", (int)n, s->at + 1);
    s->at += 1 + n;
}

/* A backslash and what follows. */
static bool escape(Syntax *s, bool inside, StrBuf *out) {
    if (++s->at >= s->end) return refuse(s, tr("a backslash at its end"));
    char c = *s->at;
    if (c == 'p' || c == 'P') return property(s, out);
    if (c == 'u') {
        code_point(s, out);
        return true;
    }
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (classes[i].letter != c) continue;
        const char *text = inside ? classes[i].inside : classes[i].outside;
        if (text == NULL) return refuse(s, tr("\\H stands in a set"));
        sb_add(out, text);
        s->at++;
        return true;
    }
    sb_add(out, "\\");
    sb_add_n(out, s->at++, 1);
    return true;
}

/* ---- sets ---- */

/* One side of && in a set: its members as they stand between brackets, or one whole set. */
typedef struct {
    StrBuf members;
    const char *whole; /* NULL: members */
} Side;

static bool read_set(Syntax *s, StrBuf *out, bool *simple);

/* Members of an inner set among those of the outer one; a hyphen at an end must not become a range. */
static void join_members(const char *members, size_t n, StrBuf *out) {
    bool last = n > 1 && members[n - 1] == '-' && members[n - 2] != '\\';
    if (n > 0 && members[0] == '-') sb_add(out, "\\");
    sb_add_n(out, members, last ? n - 1 : n);
    if (last) sb_add(out, "\\-");
}

/* A set inside a set: its members join those around it; one that is more than members must stand alone. */
static bool inner_set(Syntax *s, Side *side) {
    StrBuf inner;
    bool simple;
    sb_init(&inner, s->arena);
    if (s->at[1] == ':') { /* [:alpha:] */
        const char *close = memmem(s->at, (size_t)(s->end - s->at), ":]", 2);
        if (close == NULL) return refuse(s, tr("[: without :]"));
        sb_add_n(&side->members, s->at, (size_t)(close + 2 - s->at));
        s->at = close + 2;
        return true;
    }
    if (!read_set(s, &inner, &simple)) return false;
    if (simple) {
        join_members(inner.data + 1, inner.length - 2, &side->members);
        return true;
    }
    if (side->members.length > 0 || side->whole != NULL) return refuse(s, tr("a set without something stands beside others in a set"));
    side->whole = inner.data;
    return true;
}

/* Members up to && or the closing bracket. */
static bool read_side(Syntax *s, bool first, Side *side) {
    *side = (Side){.whole = NULL};
    sb_init(&side->members, s->arena);
    for (; s->at < s->end; first = false) {
        if (*s->at == ']' && !first) return true;
        if (*s->at == '&' && s->at + 1 < s->end && s->at[1] == '&') return true;
        if (side->whole != NULL) return refuse(s, tr("a set without something stands beside others in a set"));
        if (*s->at == '\\') {
            if (!escape(s, true, &side->members)) return false;
        } else if (*s->at == '[' && s->at + 1 < s->end) {
            if (!inner_set(s, side)) return false;
        } else {
            sb_add_n(&side->members, s->at++, 1);
        }
    }
    return refuse(s, tr("a set does not end"));
}

static const char *side_text(Syntax *s, const Side *side) {
    return side->whole != NULL ? side->whole : arena_printf(s->arena, "[%s]", side->members.data);
}

/* A set from its [ on. *simple: it is [members], and nothing more. */
static bool read_set(Syntax *s, StrBuf *out, bool *simple) {
    if (s->depth >= SETS_DEEP) return refuse(s, tr("sets lie in each other too deeply"));
    bool negated = s->at + 1 < s->end && s->at[1] == '^';
    Side side;
    s->at += negated ? 2 : 1;
    s->depth++;
    if (!read_side(s, true, &side)) return false;
    if (*s->at == ']' && side.whole == NULL) {
        sb_printf(out, "[%s%s]", negated ? "^" : "", side.members.data);
    } else {
        const char *all = side_text(s, &side);
        while (*s->at == '&') { /* what is in both: looked at ahead, then taken */
            s->at += 2;
            if (!read_side(s, false, &side)) return false;
            all = arena_printf(s->arena, "(?:(?=%s)%s)", side_text(s, &side), all);
        }
        if (negated) sb_printf(out, "(?:(?!%s)(?s:.))", all);
        else sb_add(out, all);
        negated = true; /* not simple */
    }
    *simple = !negated;
    s->at++;
    s->depth--;
    return true;
}

/* "(?im-x": m lets the dot match line breaks, which is s in PCRE2. */
static void flags(Syntax *s, StrBuf *out) {
    sb_add(out, "(?");
    s->at += 2;
    const char *p = s->at;
    while (p < s->end && strchr("imx-", *p) != NULL && *p != '\0') p++;
    if (p >= s->end || (*p != ':' && *p != ')')) return; /* a lookahead, a name … */
    for (; s->at < p; s->at++) sb_add_n(out, *s->at == 'm' ? "s" : s->at, 1);
}

const char *enc_regex_translate(Arena *arena, EncBytes expression, const char **reason) {
    Syntax s = {.arena = arena, .at = expression.bytes, .end = expression.bytes + expression.n};
    StrBuf out;
    bool simple;
    sb_init(&out, arena);
    while (s.at < s.end && s.reason == NULL) {
        if (*s.at == '\0') refuse(&s, tr("U+0000 stands in it"));
        else if (*s.at == '\\') escape(&s, false, &out);
        else if (*s.at == '[') read_set(&s, &out, &simple);
        else if (*s.at == '(' && s.at + 1 < s.end && s.at[1] == '?') flags(&s, &out);
        else sb_add_n(&out, s.at++, 1);
    }
    *reason = s.reason;
    return s.reason == NULL ? out.data : NULL;
}
