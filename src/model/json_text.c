#include "model/json_text.h"

#include <jansson.h>
#include <string.h>

#include "base/tr.h"

void json_text_add(StrBuf *sb, const char *text) {
    sb_add(sb, "\"");
    for (const char *p = text; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') sb_printf(sb, "\\%c", c);
        else if (c < 0x20) sb_printf(sb, "\\u%04x", (unsigned)c);
        else sb_add_n(sb, p, 1);
    }
    sb_add(sb, "\"");
}

char *json_text_list(Arena *arena, const char *const *texts, int n) {
    StrBuf sb;
    sb_init(&sb, arena);
    sb_add(&sb, "[");
    for (int i = 0; i < n; i++) {
        if (i > 0) sb_add(&sb, ", ");
        json_text_add(&sb, texts[i]);
    }
    sb_add(&sb, "]");
    return sb.data;
}

static bool copy_list(json_t *list, int max, const char *what, Arena *arena, const char ***texts, int *n, Err *err) {
    size_t count = json_array_size(list);
    if (!json_is_array(list)) return err_set(err, ERR_INPUT, tr("%s: not a JSON list of strings"), what);
    if (count > (size_t)max) return err_set(err, ERR_LIMIT, tr("%s: %zu entries; the limit is %d"), what, count, max);
    *texts = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (text == NULL) return err_set(err, ERR_INPUT, tr("%s: entry %zu is not a string"), what, i + 1);
        (*texts)[i] = arena_strdup(arena, text);
    }
    *n = (int)count;
    return true;
}

bool json_text_parse_list(const char *json, int max, const char *what, Arena *arena, const char ***texts, int *n, Err *err) {
    json_error_t problem;
    json_t *list = json_loads(json, 0, &problem);
    if (list == NULL) return err_set(err, ERR_INPUT, tr("%s: %s"), what, problem.text);
    bool good = copy_list(list, max, what, arena, texts, n, err);
    json_decref(list);
    return good;
}
