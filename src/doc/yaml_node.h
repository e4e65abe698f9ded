/* Private to yaml*.c: a YAML document as a tree of nodes with places, read from libyaml's events under limits.
 * Knows nothing of keys and documents. */
#ifndef DOC_YAML_NODE_H
#define DOC_YAML_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

enum { YAML_DEPTH_MAX = 32, YAML_NODES_MAX = 6000000, YAML_BYTES_MAX = 16 << 20 };

typedef enum { NODE_SCALAR, NODE_LIST, NODE_MAP } NodeKind;

/* A mapping's children are key, value, key, value …; its keys are scalars and differ. */
typedef struct YamlNode {
    NodeKind kind;
    int line, column;  /* from 1; 0 = a value that no file holds */
    int n;             /* entries: items of a list, pairs of a mapping */
    const char *text;  /* scalar: good UTF-8 without NUL */
    struct YamlNode *first, *next;
} YamlNode;

/* Document number `which` (from 0) of a stream. *more: another one follows. Errors have line and column. */
bool yaml_nodes(const char *text, size_t size, int which, Arena *arena, YamlNode **root, bool *more, Err *err);

#endif
