/* Private to yaml*.c: one row a key of the scenario file. The row reads, checks and writes its value, so that
 * reading, writing, `set` and the list of keys cannot differ. */
#ifndef DOC_YAML_SCHEMA_H
#define DOC_YAML_SCHEMA_H

#include "base/str.h"
#include "doc/doc.h"
#include "doc/view.h"
#include "doc/yaml_node.h"

typedef struct YamlKey YamlKey;

typedef struct {
    Doc *doc;
    View *view;          /* never NULL while reading */
    Arena *arena;        /* scratch */
    Err *err;
    char path[128];      /* "mask[2].left" */
    const char *folder;  /* where relative paths begin; NULL: the working folder */
    const YamlNode *keep; /* read once the masks are known */
    const YamlNode *mask;
} YamlReader;

typedef struct {
    StrBuf sb;
    const Doc *doc, *base;   /* base: what an absent key means */
    const View *view;        /* NULL: the view is not written */
    const View *base_view;
    bool in_view;            /* fields stand in one line: {stage: mask, head: 2} */
    int n_fields;
} YamlWriter;

struct YamlKey {
    const char *name;
    bool (*read)(YamlReader *r, const YamlKey *key, const YamlNode *node);
    /* Appends "name: value\n"; false = absent, the default holds. */
    bool (*write)(YamlWriter *w, const YamlKey *key);
    size_t at;                  /* offset of its field in Doc or View */
    const char *const *names;   /* words */
    int count;
    double min, max;            /* numbers */
    int matrix, rank_min, rank_max;
    const char *expects;        /* for messages: "a whole number from 1 to 4096" */
    bool in_view;               /* its field is View's */
    bool text;                  /* `set` takes the value as it stands, not as YAML */
};

/* Fill the reader's Err with place and key path; returns false. */
bool yaml_bad(YamlReader *r, const YamlNode *at, ErrCode code, const char *fmt, ...) BASE_PRINTF(4, 5);
/* What a node is, for "found …": "'abc'", "a list of 3", "a mapping". */
const char *yaml_found(const YamlNode *node, char out[96]);
/* Extend the path for one nested value; give the result back to yaml_path_leave. */
size_t yaml_path_enter(YamlReader *r, const char *name, int item);
void yaml_path_leave(YamlReader *r, size_t length);
/* Words, with the nearest in the error. */
bool yaml_choice(YamlReader *r, const YamlNode *node, const char *const *names, int count, int *out);
bool yaml_number(YamlReader *r, const YamlNode *node, double *out);
bool yaml_int(YamlReader *r, const YamlNode *node, int min, int max, int *out);
bool yaml_bool(YamlReader *r, const YamlNode *node, bool *out);
/* Row of a table whose rows begin with a name, or -1 with an error that lists the names. */
int yaml_find_key(YamlReader *r, const YamlNode *key, const char *const *names, int count);
void yaml_put_text(StrBuf *sb, const char *text);        /* double-quoted */
const char *yaml_double(char out[NUM_MAX], double value); /* .inf and .nan where needed */
const char *yaml_float(char out[NUM_MAX], float value);

/* "name: value" with the value as it stands. */
void yaml_put_field(YamlWriter *w, const YamlKey *key, const char *value);

/* values */
bool yaml_read_choice(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_choice(YamlWriter *w, const YamlKey *key);
bool yaml_read_int(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_int(YamlWriter *w, const YamlKey *key);
bool yaml_read_double(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_double(YamlWriter *w, const YamlKey *key);
bool yaml_read_bool(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_bool(YamlWriter *w, const YamlKey *key);
bool yaml_read_seed(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_seed(YamlWriter *w, const YamlKey *key);
bool yaml_read_out_proj(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_out_proj(YamlWriter *w, const YamlKey *key);
bool yaml_read_scale(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_scale(YamlWriter *w, const YamlKey *key);
/* A document that went to a folder's model, or left one, keeps texts and seed; all else is as in a first document: what the other
 * kind of model had of its own has no meaning any more. Between other models the tokenizer follows when it was the usual one. */
void yaml_after_model(Doc *doc, ModelKind before);
bool yaml_read_model(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_model(YamlWriter *w, const YamlKey *key);
bool yaml_write_tokenizer(YamlWriter *w, const YamlKey *key);
bool yaml_read_version(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_version(YamlWriter *w, const YamlKey *key);
/* words and matrices */
bool yaml_read_text(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_text(YamlWriter *w, const YamlKey *key);
bool yaml_write_notes(YamlWriter *w, const YamlKey *key); /* several lines as a block, as people write them */
bool yaml_read_words(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_words(YamlWriter *w, const YamlKey *key);
bool yaml_read_matrix(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_matrix(YamlWriter *w, const YamlKey *key);
bool yaml_read_edit(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_edit(YamlWriter *w, const YamlKey *key);
/* The value of any matrix of rank rank_min to rank_max; `name` for messages. */
bool yaml_take_matrix(YamlReader *r, const YamlNode *node, const char *name, int rank_min, int rank_max, DocMatrix *out);
void yaml_put_matrix(StrBuf *sb, const char *name, const DocMatrix *matrix);
/* "w_q[1, 2]" with positions from 1 to a name and indices from 0; false when it is anything else. */
bool yaml_parse_ref(const char *text, char name[64], int index[4], int *n);
/* masks and positions */
bool yaml_read_mask(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_mask(YamlWriter *w, const YamlKey *key);
bool yaml_read_keep(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_keep(YamlWriter *w, const YamlKey *key);
/* Put `keep` into the custom mask, once both are read. */
bool yaml_join_keep(YamlReader *r);
bool yaml_read_position(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_position(YamlWriter *w, const YamlKey *key);
/* the view */
bool yaml_read_view(YamlReader *r, const YamlKey *key, const YamlNode *node);
bool yaml_write_view(YamlWriter *w, const YamlKey *key);
/* Rows of the view's keys. */
extern const YamlKey yaml_view_table[];
extern const int yaml_view_count;

#endif
