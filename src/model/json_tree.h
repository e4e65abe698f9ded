/* A JSON text (RFC 8259) as a tree, for large files with hundreds of thousands of members, such as vocabularies:
 * strings stay where they stand in the text, numbers are doubles, members keep their order. Knows nothing of what
 * the members mean. */
#ifndef MODEL_JSON_TREE_H
#define MODEL_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

typedef enum { JSON_TREE_NULL, JSON_TREE_BOOL, JSON_TREE_NUMBER, JSON_TREE_STRING, JSON_TREE_ARRAY, JSON_TREE_OBJECT, JSON_TREE_KIND_COUNT } JsonKind;

enum { JSON_DEPTH_MAX = 64 };

typedef struct JsonNode JsonNode;
struct JsonNode {
    JsonKind kind;
    int n; /* bytes of a string (U+0000 may be inside; a 0 byte behind the end), items of an array, members of an object */
    union {
        bool flag;
        double number;
        const char *text;
        const JsonNode *items; /* an object has 2 n: name (a string), value, name, value … */
    } as;
};

/* Reads `size` bytes at `text`, which must end with a 0 byte behind them and is written over (strings lose their
 * escapes and end with 0). Nodes lie in `arena`; strings in `text`. Deeper than JSON_DEPTH_MAX, lone surrogates, bad UTF-8 and
 * anything behind the value are errors with line and column (in bytes). */
bool json_tree_read(char *text, size_t size, Arena *arena, const JsonNode **out, Err *err);
/* Value of the last member of this name; NULL when there is none, or `node` is NULL or no object. */
const JsonNode *json_tree_get(const JsonNode *node, const char *name);
/* "a string", "a list" … for messages; NULL is "nothing". */
const char *json_tree_kind(const JsonNode *node);
/* A whole number from `least` to `most`. */
bool json_tree_int(const JsonNode *node, int least, int most, int *out);

#endif
