#include "model/dump.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
#include "model/dump_parts.h"

/* In computing order. `also`: other names in use, letters in either case, each between spaces. */
const DumpName dump_names[PART_COUNT] = {
    [PART_X] = {"x", FORM_ROWS, " hidden_states input inputs "},
    [PART_TOK] = {"tok", FORM_ROWS, " tok_emb embeddings "},
    [PART_X_KV] = {"x_kv", FORM_ROWS, " memory encoder_hidden_states context_in "},
    [PART_POS_EMB] = {"pos_emb", FORM_MATRIX, " position_embeddings "},
    [PART_W_Q] = {"w_q", FORM_MATRIX, " wq w_q.weight wq.weight q_proj.weight query.weight to_q.weight "},
    [PART_B_Q] = {"b_q", FORM_LIST, " bq w_q.bias wq.bias q_proj.bias query.bias to_q.bias "},
    [PART_W_K] = {"w_k", FORM_MATRIX, " wk w_k.weight wk.weight k_proj.weight key.weight to_k.weight "},
    [PART_B_K] = {"b_k", FORM_LIST, " bk w_k.bias wk.bias k_proj.bias key.bias to_k.bias "},
    [PART_W_V] = {"w_v", FORM_MATRIX, " wv w_v.weight wv.weight v_proj.weight value.weight to_v.weight "},
    [PART_B_V] = {"b_v", FORM_LIST, " bv w_v.bias wv.bias v_proj.bias value.bias to_v.bias "},
    [PART_W_O] = {"w_o", FORM_MATRIX, " wo w_o.weight wo.weight o_proj.weight out_proj.weight to_out.weight "},
    [PART_B_O] = {"b_o", FORM_LIST, " bo w_o.bias wo.bias o_proj.bias out_proj.bias to_out.bias "},
    [PART_W_QKV] = {"in_proj_weight", FORM_MATRIX, " w_qkv qkv.weight "},
    [PART_B_QKV] = {"in_proj_bias", FORM_LIST, " b_qkv qkv.bias "},
    [PART_Q] = {"q", FORM_QUERIES, " query queries "},
    [PART_K] = {"k", FORM_KEYS, " key keys "},
    [PART_V] = {"v", FORM_KEYS, " value values "},
    [PART_Q_ROPE] = {"q_rope", FORM_QUERIES, " q_rot q_rotated "},
    [PART_K_ROPE] = {"k_rope", FORM_KEYS, " k_rot k_rotated "},
    [PART_SCORES] = {"scores", FORM_MAP, " attn_scores raw_scores qk "},
    [PART_SCALED] = {"scaled", FORM_MAP, " scaled_scores scores_scaled "},
    [PART_BIAS] = {"bias", FORM_MAP, " alibi attn_bias "},
    [PART_MASK] = {"mask", FORM_MASK, " attn_mask attention_mask keep "},
    [PART_MASKED] = {"masked", FORM_MAP, " masked_scores scores_masked "},
    [PART_WEIGHTS] = {"weights", FORM_MAP, " attn_weights attention_weights attn attention probs attn_probs "},
    [PART_HEAD_OUT] = {"head_out", FORM_QUERIES, " head_outputs heads_out "},
    [PART_CONCAT] = {"concat", FORM_ROWS, " merged concatenated "},
    [PART_OUT] = {"out", FORM_ROWS, " output outputs attn_output attn_out y "},
    [PART_W_FF1] = {"w_ff1", FORM_MATRIX, " fc1.weight linear1.weight "},
    [PART_B_FF1] = {"b_ff1", FORM_LIST, " fc1.bias linear1.bias "},
    [PART_W_FF2] = {"w_ff2", FORM_MATRIX, " fc2.weight linear2.weight "},
    [PART_B_FF2] = {"b_ff2", FORM_LIST, " fc2.bias linear2.bias "},
    [PART_FFN_HIDDEN] = {"ffn_hidden", FORM_ROWS, " ff_hidden "},
    [PART_FFN_ACT] = {"ffn_act", FORM_ROWS, " ff_act "},
    [PART_FFN_OUT] = {"ffn_out", FORM_ROWS, " ff_out "},
};

bool dump_refuse(DumpReader *r, ErrCode code, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    err_set_v(r->err, code, fmt, args);
    va_end(args);
    return err_place(r->err, r->path, 0, 0);
}

void dump_note(DumpReader *r, const char *text) {
    if (r->out->n_notes == DUMP_NOTES_MAX) return;
    r->out->notes[r->out->n_notes++] = text;
}

/* ---- names ---- */

static bool is_among(const char *names, const char *name) {
    size_t length = strlen(name);
    for (const char *at = names; *at; at++)
        if (at[0] == ' ' && strncasecmp(at + 1, name, length) == 0 && at[length + 1] == ' ') return true;
    return false;
}

static int part_called(const char *name) {
    for (int p = 0; p < PART_COUNT; p++)
        if (strcasecmp(name, dump_names[p].name) == 0 || is_among(dump_names[p].also, name)) return p;
    return -1;
}

/* "attn.q_proj.weight" is q_proj.weight: what stands before a dot may be left out. */
static int part_of(const char *name) {
    for (const char *at = name; at; at = strchr(at, '.') ? strchr(at, '.') + 1 : NULL) {
        int part = part_called(at);
        if (part >= 0) return part;
    }
    return -1;
}

static bool take_names(DumpReader *r) {
    for (int i = 0; i < r->header.n_entries; i++) {
        const SafetensorsEntry *entry = &r->header.entries[i];
        int p = part_of(entry->name);
        if (p < 0) {
            dump_note(r, arena_printf(r->arena, tr("%s is not compared: nothing is called so here."), entry->name));
            continue;
        }
        if (r->entry[p]) return dump_refuse(r, ERR_INPUT, tr("%s and %s both mean %s: leave one out"), r->entry[p]->name, entry->name, dump_names[p].name);
        r->entry[p] = entry;
        r->shown[p] = entry->name;
        if (!str_eq(entry->name, dump_names[p].name))
            dump_note(r, arena_printf(r->arena, tr("%s is taken for %s."), entry->name, dump_names[p].name));
    }
    return true;
}

/* ---- numbers ---- */

static const char *const whole[] = {"BOOL", "U8", "I8", "I32", "I64"};
enum { WHOLE_BOOL, WHOLE_U8, WHOLE_I8, WHOLE_I32, WHOLE_I64, WHOLE_COUNT };

/* A mask of truth values or whole numbers. */
static const float *whole_numbers(DumpReader *r, const SafetensorsEntry *entry, int kind) {
    float *data = ARENA_ARRAY(r->arena, float, entry->count + 1);
    for (size_t i = 0; i < entry->count; i++) {
        uint64_t bits = 0;
        const unsigned char *at = entry->data + i * (size_t)entry->bytes;
        for (int b = entry->bytes - 1; b >= 0; b--) bits = bits << 8 | at[b];
        int64_t value = kind == WHOLE_I8 ? (int8_t)bits : kind == WHOLE_I32 ? (int32_t)bits : (int64_t)bits;
        data[i] = (float)value;
    }
    return data;
}

static bool load(DumpReader *r, int p) {
    const SafetensorsEntry *entry = r->entry[p];
    DumpTensor *t = &r->tensor[p];
    char shape[SAFETENSORS_SHAPE_TEXT];
    if (entry->rank < 1 || entry->count == 0)
        return dump_refuse(r, ERR_SHAPE, tr("tensor %s %s has no numbers that could be compared"), entry->name, safetensors_shape_text(entry, shape));
    for (int i = 0; i < entry->rank; i++)
        if (entry->dim[i] > TENSOR_DIM_MAX)
            return dump_refuse(r, ERR_LIMIT, tr("tensor %s %s has a dimension above the limit of %d"), entry->name, safetensors_shape_text(entry, shape), TENSOR_DIM_MAX);
    int kind = p == PART_MASK ? str_find(whole, WHOLE_COUNT, entry->dtype) : -1;
    if (kind >= 0) t->data = whole_numbers(r, entry, kind);
    else if (!safetensors_floats(&r->header, entry, r->arena, &t->data, r->err)) return err_place(r->err, r->path, 0, 0);
    t->rank = entry->rank;
    for (int i = 0; i < entry->rank; i++) t->dim[i] = (int)entry->dim[i];
    return true;
}

static bool load_all(DumpReader *r) {
    for (int p = 0; p < PART_COUNT; p++)
        if (r->entry[p] && !load(r, p)) return false;
    return true;
}

/* Half the digits, a coarser comparison. */
double dump_tolerance(const DumpReader *r, int p) {
    const char *dtype = r->entry[p]->dtype;
    double largest = 1, each = str_eq(dtype, "F16") ? 0.004 : str_eq(dtype, "BF16") ? 0.03 : 1e-5;
    const DumpTensor *t = &r->tensor[p];
    size_t count = r->entry[p]->count;
    for (size_t i = 0; i < count; i++) {
        double size = fabs((double)t->data[i]);
        if (isfinite(size) && size < -2 * DUMP_HIDDEN && size > largest) largest = size;
    }
    return each * largest;
}

/* ---- the file ---- */

bool dump_is(const SafetensorsHeader *header) {
    bool kind = false, inputs = false;
    for (int i = 0; i < header->n_meta; i++) {
        kind |= str_eq(header->meta[i].key, "kind");
        inputs |= str_eq(header->meta[i].key, "inputs");
    }
    return !kind || !inputs;
}

static bool is_network(const SafetensorsHeader *header) { return safetensors_entry(header, "input_ids") != NULL; }

bool dump_read(const char *path, const DumpTold *told, Arena *arena, Dump *out, Err *err) {
    DumpReader r = {.path = arena_strdup(arena, path), .told = told, .arena = arena, .out = out, .err = err};
    char *bytes;
    size_t size;
    *out = (Dump){.notes = ARENA_ARRAY(arena, const char *, DUMP_NOTES_MAX)};
    if (!file_read(path, SAFETENSORS_FILE_MAX, arena, &bytes, &size, err) || !safetensors_header(bytes, size, r.path, false, arena, &r.header, err)) return false;
    if (is_network(&r.header))
        return dump_refuse(&r, ERR_INPUT, tr("these are the numbers of a whole network: attnscope check --model FOLDER %s compares them with its model"), path);
    return take_names(&r) && load_all(&r) && dump_shape(&r) && dump_sort(&r);
}
