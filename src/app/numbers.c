#include "app/numbers.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <zip.h>

#include "base/str.h"

/* ---- a tensor as maps: [heads][rows][columns] ---- */

typedef struct { const Run *run; TensorId id; const Tensor *t; int heads, rows, cols; } Maps;

static Maps maps_of(const Run *run, TensorId id) {
    const Tensor *t = trace_tensor(run->trace, id);
    return (Maps){run, id, t, t->rank > 2 ? t->dim[t->rank - 3] : 1, t->rank > 1 ? t->dim[t->rank - 2] : 1, t->dim[t->rank - 1]};
}

static double value_at(const Maps *m, int head, int row, int col) { return tensor_flat(m->t, ((size_t)head * (size_t)m->rows + (size_t)row) * (size_t)m->cols + (size_t)col); }

/* What a row or a column is called: its token, or its number from 1. */
static const char *name_of(const Maps *m, bool row, int i, char buffer[32]) {
    if (row && m->t->rank < 2) return "";
    return run_label(m->run, m->id, m->t->rank - (row ? 2 : 1), i, buffer);
}

static void add_number(StrBuf *out, const Tensor *t, double value) {
    char number[NUM_MAX];
    if (isnan(value)) sb_add(out, "nan");
    else if (isinf(value)) sb_add(out, value > 0 ? "inf" : "-inf");
    else sb_add(out, t->dtype == DTYPE_F32 ? num_float(number, (float)value, NUM_FILE) : num_double(number, value, NUM_FILE));
}

static bool text_of(StrBuf *out, void **data, size_t *size) {
    *data = out->data;
    *size = out->length;
    return true;
}

/* ---- CSV ---- */

/* RFC 4180: in quotes where it holds a comma, a quote or a line break. */
static void add_field(StrBuf *out, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        sb_add(out, text);
        return;
    }
    sb_add(out, "\"");
    for (const char *c = text; *c; c++) sb_add_n(out, c, 1), *c == '"' ? sb_add(out, "\"") : (void)0;
    sb_add(out, "\"");
}

static void add_long(StrBuf *out, const Maps *m) {
    char row[32], col[32];
    for (int h = 0; h < m->heads; h++)
        for (int i = 0; i < m->rows; i++)
            for (int j = 0; j < m->cols; j++) {
                add_field(out, m->t->id);
                if (m->t->rank > 2) sb_printf(out, ",%d", h + 1);
                else sb_add(out, ",");
                if (m->t->rank > 1) sb_printf(out, ",%d,%d,", i + 1, j + 1);
                else sb_printf(out, ",,%d,", j + 1);
                add_field(out, name_of(m, true, i, row));
                sb_add(out, ",");
                add_field(out, name_of(m, false, j, col));
                sb_add(out, ",");
                add_number(out, m->t, value_at(m, h, i, j));
                sb_add(out, "\r\n");
            }
}

static void add_wide(StrBuf *out, const Maps *m) {
    char buffer[32];
    sb_add(out, "head,row_name");
    for (int j = 0; j < m->cols; j++) sb_add(out, ","), add_field(out, name_of(m, false, j, buffer));
    sb_add(out, "\r\n");
    for (int h = 0; h < m->heads; h++)
        for (int i = 0; i < m->rows; i++) {
            if (m->t->rank > 2) sb_printf(out, "%d,", h + 1);
            else sb_add(out, ",");
            add_field(out, name_of(m, true, i, buffer));
            for (int j = 0; j < m->cols; j++) sb_add(out, ","), add_number(out, m->t, value_at(m, h, i, j));
            sb_add(out, "\r\n");
        }
}

static bool write_csv(const Run *run, const TensorId *ids, int n, const NumbersOptions *options, Arena *arena, void **data, size_t *size, Err *err) {
    StrBuf out;
    if (options->wide && n != 1) return err_set(err, ERR_USAGE, "a wide table is of one tensor, not of %d: --tensors weights", n);
    sb_init(&out, arena);
    if (!options->wide) sb_add(&out, "tensor,head,row,column,row_name,column_name,value\r\n");
    for (int i = 0; i < n; i++) {
        Maps maps = maps_of(run, ids[i]);
        if (options->wide) add_wide(&out, &maps);
        else add_long(&out, &maps);
    }
    return text_of(&out, data, size);
}

/* ---- NumPy ---- */

/* numpy.lib.format, version 1.0: the header ends at a multiple of 64 bytes. */
static bool npy_bytes(const Tensor *t, Arena *arena, void **data, size_t *size) {
    enum { ALIGN = 64, BEFORE = 10 };
    bool single = t->dtype == DTYPE_F32;
    size_t n = tensor_count(t), width = single ? 4 : 8;
    StrBuf head;
    sb_init(&head, arena);
    sb_printf(&head, "{'descr': '<f%zu', 'fortran_order': False, 'shape': (", width);
    for (int i = 0; i < t->rank; i++) sb_printf(&head, t->rank == 1 ? "%d," : i > 0 ? ", %d" : "%d", t->dim[i]);
    sb_add(&head, "), }");
    while ((BEFORE + head.length + 1) % ALIGN != 0) sb_add(&head, " ");
    sb_add(&head, "\n");
    uint8_t *bytes = arena_alloc(arena, BEFORE + head.length + n * width, 1), *to = bytes;
    memcpy(to, "\x93NUMPY\x01\x00", 8);
    to[8] = (uint8_t)(head.length & 255), to[9] = (uint8_t)(head.length >> 8);
    memcpy(to + BEFORE, head.data, head.length);
    to += BEFORE + head.length;
    for (size_t i = 0; i < n; i++) {
        double value = tensor_flat(t, i);
        float narrow = (float)value;
        uint64_t bits = 0;
        uint32_t half = 0;
        if (single) memcpy(&half, &narrow, 4), bits = half;
        else memcpy(&bits, &value, 8);
        for (size_t b = 0; b < width; b++) *to++ = (uint8_t)(bits >> (8 * b)); /* low byte first, on any machine */
    }
    *data = bytes;
    *size = (size_t)(to - bytes);
    return true;
}

static bool write_npy(const Run *run, const TensorId *ids, int n, const NumbersOptions *options, Arena *arena, void **data, size_t *size, Err *err) {
    (void)n, (void)options, (void)err;
    return npy_bytes(trace_tensor(run->trace, ids[0]), arena, data, size);
}

static bool add_member(zip_t *zip, const Tensor *t, Arena *arena) {
    enum { MSDOS_1980 = 0x21 }; /* 1 January 1980, the first date of ZIP: the same numbers are the same file */
    void *data;
    size_t size;
    npy_bytes(t, arena, &data, &size);
    zip_source_t *source = zip_source_buffer(zip, data, size, 0);
    zip_int64_t at = source ? zip_file_add(zip, arena_printf(arena, "%s.npy", t->id), source, ZIP_FL_ENC_UTF_8) : -1;
    if (at < 0 && source) zip_source_free(source);
    return at >= 0 && zip_set_file_compression(zip, (zip_uint64_t)at, ZIP_CM_STORE, 0) == 0 && zip_file_set_dostime(zip, (zip_uint64_t)at, 0, MSDOS_1980, 0) == 0;
}

/* Takes the finished archive out of its source. */
static bool read_source(zip_source_t *source, Arena *arena, void **data, size_t *size) {
    zip_stat_t stat;
    if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0) return false;
    *size = (size_t)stat.size;
    *data = arena_alloc(arena, *size + 1, 1);
    bool ok = zip_source_read(source, *data, *size) == (zip_int64_t)*size;
    zip_source_close(source);
    return ok;
}

static bool write_npz(const Run *run, const TensorId *ids, int n, const NumbersOptions *options, Arena *arena, void **data, size_t *size, Err *err) {
    (void)options;
    zip_error_t why;
    zip_error_init(&why);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 0, &why);
    if (source) zip_source_keep(source); /* beyond the archive's end */
    zip_t *zip = source ? zip_open_from_source(source, ZIP_TRUNCATE, &why) : NULL;
    bool ok = zip != NULL;
    for (int i = 0; ok && i < n; i++) ok = add_member(zip, trace_tensor(run->trace, ids[i]), arena);
    if (zip && !ok) zip_discard(zip);
    else if (zip) ok = zip_close(zip) == 0 && read_source(source, arena, data, size);
    if (source) zip_source_free(source);
    if (!ok) err_set(err, ERR_MEMORY, "the archive cannot be made: %s", zip_error_strerror(&why));
    zip_error_fini(&why);
    return ok;
}

/* ---- tables for people ---- */

typedef struct {
    const char *infinity, *nan, *minus;
    const char *special;            /* characters that need a backslash */
} Table;

static const Table markdown = {"∞", "NaN", "−", "|\\`*_<[#"}, latex = {"$\\infty$", "NaN", "$-$", "&%$#_{}"};

static void add_name(StrBuf *out, const Table *table, const char *text) {
    for (const char *c = text; *c; c++) {
        if (table == &latex && (*c == '\\' || *c == '^' || *c == '~')) {
            sb_add(out, *c == '\\' ? "\\textbackslash{}" : *c == '^' ? "\\textasciicircum{}" : "\\textasciitilde{}");
            continue;
        }
        if (*c == '\n') {
            sb_add(out, "⏎");
            continue;
        }
        if (strchr(table->special, *c)) sb_add(out, "\\");
        sb_add_n(out, c, 1);
    }
}

static void add_cell(StrBuf *out, const Table *table, double value, int decimals) {
    char number[NUM_MAX];
    const char *text = isnan(value) ? table->nan : isinf(value) ? table->infinity : num_fixed(number, fabs(value), decimals, NUM_FILE);
    if (value < 0 && !(isfinite(value) && strspn(text, "0.") == strlen(text))) sb_add(out, table->minus);
    sb_add(out, text);
}

static void add_rows(StrBuf *out, const Maps *m, int head, const Table *table, int decimals, const char *begin, const char *between, const char *end) {
    char buffer[32];
    for (int i = 0; i < m->rows; i++) {
        sb_add(out, begin);
        add_name(out, table, name_of(m, true, i, buffer));
        for (int j = 0; j < m->cols; j++) sb_add(out, between), add_cell(out, table, value_at(m, head, i, j), decimals);
        sb_add(out, end);
    }
}

static void add_header(StrBuf *out, const Maps *m, const Table *table, const char *begin, const char *between, const char *end) {
    char buffer[32];
    sb_add(out, begin);
    for (int j = 0; j < m->cols; j++) sb_add(out, between), add_name(out, table, name_of(m, false, j, buffer));
    sb_add(out, end);
}

static bool write_markdown(const Run *run, const TensorId *ids, int n, const NumbersOptions *options, Arena *arena, void **data, size_t *size, Err *err) {
    (void)n, (void)err;
    Maps m = maps_of(run, ids[0]);
    StrBuf out;
    sb_init(&out, arena);
    for (int h = 0; h < m.heads; h++) {
        if (m.t->rank > 2) sb_printf(&out, "%s**%s, head %d**\n\n", h > 0 ? "\n" : "", m.t->id, h + 1);
        else sb_printf(&out, "**%s**\n\n", m.t->id);
        add_header(&out, &m, &markdown, "| ", " | ", " |\n");
        sb_add(&out, "|---");
        for (int j = 0; j < m.cols; j++) sb_add(&out, "|---:");
        sb_add(&out, "|\n");
        add_rows(&out, &m, h, &markdown, options->decimals, "| ", " | ", " |\n");
    }
    return text_of(&out, data, size);
}

static bool write_latex(const Run *run, const TensorId *ids, int n, const NumbersOptions *options, Arena *arena, void **data, size_t *size, Err *err) {
    (void)n, (void)err;
    Maps m = maps_of(run, ids[0]);
    StrBuf out;
    sb_init(&out, arena);
    for (int h = 0; h < m.heads; h++) {
        if (m.t->rank > 2) sb_printf(&out, "%s%% %s, head %d\n", h > 0 ? "\n" : "", m.t->id, h + 1);
        else sb_printf(&out, "%% %s\n", m.t->id);
        sb_add(&out, "\\begin{tabular}{l");
        for (int j = 0; j < m.cols; j++) sb_add(&out, "r");
        sb_add(&out, "}\n");
        add_header(&out, &m, &latex, "", " & ", " \\\\\n\\hline\n");
        add_rows(&out, &m, h, &latex, options->decimals, "", " & ", " \\\\\n");
        sb_add(&out, "\\end{tabular}\n");
    }
    return text_of(&out, data, size);
}

static const NumbersFormat formats[] = {
    {"csv", false, write_csv}, {"npy", true, write_npy}, {"npz", false, write_npz}, {"md", true, write_markdown}, {"tex", true, write_latex},
};

const NumbersFormat *numbers_format_named(const char *ending) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (str_eq(formats[i].ending, ending)) return &formats[i];
    return NULL;
}
