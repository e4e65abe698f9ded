#include "doc/yaml_node.h"

#include <string.h>
#include <yaml.h>

#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"

typedef struct {
    yaml_parser_t parser;
    Arena *arena;
    Err *err;
    int n_nodes;
} Loader;

static bool fail_at(Err *err, yaml_mark_t mark, ErrCode code, const char *message) {
    err_set(err, code, "%s", message);
    return err_place(err, NULL, (int)mark.line + 1, (int)mark.column + 1);
}

/* ---- before libyaml sees it ---- */

static void place_of(const char *text, size_t offset, int *line, int *column) {
    *line = *column = 1;
    for (size_t pos = 0; pos < offset;) {
        bool newline = text[pos] == '\n';
        utf8_next(text, offset, &pos);
        *line += newline;
        *column = newline ? 1 : *column + 1;
    }
}

static bool allowed(uint32_t c) {
    if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
    if (c < 0xA0) return c < 0x7F || c == 0x85;
    return c != 0xFFFE && c != 0xFFFF;
}

static bool check_characters(const char *text, size_t size, Err *err) {
    int line, column;
    size_t good = utf8_valid_until(text, size);
    for (size_t pos = 0; pos < good;) {
        size_t at = pos;
        uint32_t c = utf8_next(text, good, &pos);
        if (allowed(c)) continue;
        place_of(text, at, &line, &column);
        err_set(err, ERR_INPUT, tr("the control character U+%04X cannot stand in a scenario; write it as an escape in quotes"),
                (unsigned)c);
        return err_place(err, NULL, line, column);
    }
    if (good == size) return true;
    place_of(text, good, &line, &column);
    err_set(err, ERR_INPUT, tr("the byte 0x%02X is not UTF-8; save the text as UTF-8"), (unsigned)(unsigned char)text[good]);
    return err_place(err, NULL, line, column);
}

/* ---- events ---- */

static bool next_event(Loader *l, yaml_event_t *event) {
    if (yaml_parser_parse(&l->parser, event)) return true;
    const yaml_parser_t *p = &l->parser;
    if (p->error == YAML_MEMORY_ERROR) return err_set(l->err, ERR_MEMORY, "%s", tr("out of memory"));
    const char *problem = p->problem ? p->problem : "";
    if (p->context) err_set(l->err, ERR_INPUT, tr("this is not YAML: %s, %s"), p->context, problem);
    else err_set(l->err, ERR_INPUT, tr("this is not YAML: %s"), problem);
    return err_place(l->err, NULL, (int)p->problem_mark.line + 1, (int)p->problem_mark.column + 1);
}

static const yaml_char_t *anchor_of(const yaml_event_t *e) {
    switch (e->type) {
    case YAML_SCALAR_EVENT: return e->data.scalar.anchor;
    case YAML_SEQUENCE_START_EVENT: return e->data.sequence_start.anchor;
    case YAML_MAPPING_START_EVENT: return e->data.mapping_start.anchor;
    default: return NULL;
    }
}

static const yaml_char_t *tag_of(const yaml_event_t *e) {
    switch (e->type) {
    case YAML_SCALAR_EVENT: return e->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT: return e->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT: return e->data.mapping_start.tag;
    default: return NULL;
    }
}

static bool check_event(Loader *l, const yaml_event_t *e, int depth) {
    if (e->type == YAML_ALIAS_EVENT)
        return fail_at(l->err, e->start_mark, ERR_INPUT, tr("aliases (*name) are not read; write the value out"));
    if (anchor_of(e))
        return fail_at(l->err, e->start_mark, ERR_INPUT, tr("anchors (&name) are not read; leave it out"));
    if (tag_of(e))
        return fail_at(l->err, e->start_mark, ERR_INPUT, tr("tags (!name) are not read; the key says what its value is"));
    if (depth > YAML_DEPTH_MAX) return fail_at(l->err, e->start_mark, ERR_LIMIT, tr("nested more than 32 deep"));
    if (e->type == YAML_SCALAR_EVENT && memchr(e->data.scalar.value, 0, e->data.scalar.length))
        return fail_at(l->err, e->start_mark, ERR_INPUT, tr("the text holds a NUL character"));
    if (++l->n_nodes > YAML_NODES_MAX) return fail_at(l->err, e->start_mark, ERR_LIMIT, tr("more than 6,000,000 values"));
    return true;
}

static YamlNode *make_node(Loader *l, const yaml_event_t *e) {
    YamlNode *node = arena_try(l->arena, 1, sizeof *node);
    if (!node) {
        err_set(l->err, ERR_MEMORY, "%s", tr("out of memory"));
        return NULL;
    }
    node->line = (int)e->start_mark.line + 1;
    node->column = (int)e->start_mark.column + 1;
    node->kind = e->type == YAML_SCALAR_EVENT ? NODE_SCALAR : e->type == YAML_MAPPING_START_EVENT ? NODE_MAP : NODE_LIST;
    if (node->kind != NODE_SCALAR) return node;
    char *text = arena_try_raw(l->arena, e->data.scalar.length + 1, 1);
    if (!text) {
        err_set(l->err, ERR_MEMORY, "%s", tr("out of memory"));
        return NULL;
    }
    memcpy(text, e->data.scalar.value, e->data.scalar.length);
    text[e->data.scalar.length] = 0;
    node->text = text;
    return node;
}

/* ---- the tree ---- */

/* An open list or mapping while its entries arrive. */
typedef struct {
    YamlNode *node, *last;
    int children;
} Level;

typedef struct {
    Level level[YAML_DEPTH_MAX + 1];
    int depth;
    YamlNode *root;
} Tree;

static bool check_key(Loader *l, const Level *level, const YamlNode *key) {
    if (key->kind != NODE_SCALAR) {
        err_set(l->err, ERR_INPUT, "%s", tr("a key is a word, found a list or a mapping"));
        return err_place(l->err, NULL, key->line, key->column);
    }
    for (const YamlNode *k = level->node->first; k && k->next; k = k->next->next) {
        if (!str_eq(k->text, key->text)) continue;
        err_set(l->err, ERR_INPUT, tr("the key %.60s stands twice; the first time in line %d"), key->text, k->line);
        return err_place(l->err, NULL, key->line, key->column);
    }
    if (level->node->n >= 256) {
        err_set(l->err, ERR_LIMIT, "%s", tr("a mapping with more than 256 keys"));
        return err_place(l->err, NULL, key->line, key->column);
    }
    return true;
}

static bool attach(Loader *l, Tree *tree, YamlNode *node) {
    if (tree->depth == 0) {
        tree->root = node;
        return true;
    }
    Level *level = &tree->level[tree->depth - 1];
    bool is_key = level->node->kind == NODE_MAP && level->children % 2 == 0;
    if (is_key && !check_key(l, level, node)) return false;
    if (level->last) level->last->next = node;
    else level->node->first = node;
    level->last = node;
    level->children++;
    if (!is_key) level->node->n++;
    return true;
}

static bool take_event(Loader *l, Tree *tree, const yaml_event_t *e) {
    if (e->type == YAML_SEQUENCE_END_EVENT || e->type == YAML_MAPPING_END_EVENT) {
        tree->depth--;
        return true;
    }
    bool opens = e->type != YAML_SCALAR_EVENT;
    if (!check_event(l, e, tree->depth + (opens && e->type != YAML_ALIAS_EVENT))) return false;
    YamlNode *node = make_node(l, e);
    if (!node || !attach(l, tree, node)) return false;
    if (opens) tree->level[tree->depth++] = (Level){.node = node};
    return true;
}

static bool load_document(Loader *l, YamlNode **root) {
    Tree tree = {.depth = 0};
    bool ok = true, done = false;
    while (ok && !done) {
        yaml_event_t event;
        if (!next_event(l, &event)) return false;
        done = event.type == YAML_DOCUMENT_END_EVENT;
        if (!done) ok = take_event(l, &tree, &event);
        yaml_event_delete(&event);
    }
    *root = tree.root;
    return ok;
}

/* The next document's start; *end when the stream is over. */
static bool find_document(Loader *l, bool *end) {
    for (*end = false;;) {
        yaml_event_t event;
        if (!next_event(l, &event)) return false;
        yaml_event_type_t type = event.type;
        yaml_event_delete(&event);
        if (type == YAML_DOCUMENT_START_EVENT) return true;
        if (type == YAML_STREAM_END_EVENT) {
            *end = true;
            return true;
        }
    }
}

static bool load(Loader *l, int which, YamlNode **root, bool *more) {
    bool end;
    for (int i = 0;; i++) {
        if (!find_document(l, &end)) return false;
        if (end && i == 0) return err_set(l->err, ERR_INPUT, "%s", tr("the scenario is empty; it begins with attnscope: 1"));
        if (end) return err_set(l->err, ERR_INPUT, tr("there is no document %d: the file holds %d"), which + 1, i);
        if (!load_document(l, root)) return false;
        if (i == which) break;
    }
    if (!find_document(l, &end)) return false; /* a second root without --- between */
    *more = !end;
    return true;
}

bool yaml_nodes(const char *text, size_t size, int which, Arena *arena, YamlNode **root, bool *more, Err *err) {
    Loader l = {.arena = arena, .err = err};
    *root = NULL;
    *more = false;
    if (size > YAML_BYTES_MAX)
        return err_set(err, ERR_LIMIT, tr("the scenario has %zu bytes; %d are possible"), size, YAML_BYTES_MAX);
    if (!check_characters(text, size, err)) return false;
    if (!yaml_parser_initialize(&l.parser)) return err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* a mark at the start is no part of the text */
        text += 3;
        size -= 3;
    }
    yaml_parser_set_encoding(&l.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&l.parser, (const unsigned char *)text, size);
    bool ok = load(&l, which, root, more);
    yaml_parser_delete(&l.parser);
    return ok;
}
