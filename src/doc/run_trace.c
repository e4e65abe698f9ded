/* A trace file as a document: its inputs become given matrices, so that masks, scale and numbers can be changed. */
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/run.h"
#include "model/tracefile.h"

static bool take_matrices(const TraceFile *file, Doc *doc, Err *err) {
    for (int i = 0; i < file->n_inputs; i++) {
        const TensorInput *in = &file->inputs[i];
        const char *name = str_eq(in->name, "tok") ? "x" : in->name;
        if (str_eq(name, "mask")) continue; /* comes with the masks */
        int at = str_find(doc_matrix_names, MATRIX_COUNT, name);
        if (at < 0 || in->rank > 3)
            return err_set(err, ERR_INPUT, tr("the input %s of the trace file has no place in a document"), in->name);
        doc_set_matrix(&doc->matrix[at], in->rank, in->dim, in->data);
        if (!doc->matrix[at].data) return err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
    }
    return true;
}

static void take_mask(const MaskSpec *from, int heads, int L, int S, DocMask *to) {
    *to = (DocMask){.spec = *from};
    to->spec.keys = to->spec.globals = NULL;
    to->spec.n_keys = to->spec.n_globals = 0;
    to->spec.keep = NULL;
    to->spec.align = ALIGN_BOTTOM_RIGHT; /* the document says it once for all */
    if (from->keys) doc_set_blob(&to->keys, from->keys, (size_t)from->n_keys * sizeof(int));
    if (from->globals) doc_set_blob(&to->globals, from->globals, (size_t)from->n_globals * sizeof(int));
    if (!from->keep) return;
    bool per_head = from->kind == MASK_CUSTOM_PER_HEAD;
    int dim[3] = {per_head ? heads : L, per_head ? L : S, S};
    doc_set_matrix(&to->keep, per_head ? 3 : 2, dim, from->keep);
}

static void take_settings(const AttentionSpec *spec, Doc *doc) {
    doc->model = MODEL_GIVEN;
    doc->heads = spec->n_heads;
    doc->kv_heads = spec->n_kv_heads == spec->n_heads ? 0 : spec->n_kv_heads;
    doc->d_k = spec->d_k;
    doc->projections = spec->proj == PROJ_GIVEN ? PROJ_NONE : spec->proj;
    doc->tie_qk = spec->tie_qk;
    doc->out_proj = spec->out_proj;
    doc->out_proj_set = true;
    doc->scale = spec->scale;
    doc->scale_number = spec->scale_number;
    doc->temperature = spec->temperature > 0 ? spec->temperature : 1;
    if (doc->temperature < DOC_TEMPERATURE_MIN || doc->temperature > DOC_TEMPERATURE_MAX) { /* the same as one number */
        doc->scale = SCALE_NUMBER;
        doc->scale_number = attention_scale(spec);
        doc->temperature = 1;
    }
    doc->fill = spec->fill;
    doc->mask_op = spec->mask_op;
    doc->empty_row = spec->empty_row;
    doc->precision = spec->precision;
    doc->position_origin = DOC_POSITION_SET;
    doc->position = spec->position;
    doc->position.slopes = NULL;
    doc->position.n_slopes = 0;
    if (spec->position.slopes)
        doc_set_blob(&doc->slopes, spec->position.slopes, (size_t)spec->position.n_slopes * sizeof(double));
    doc->n_masks = 0;
    for (int i = 0; i < spec->n_masks; i++) {
        if (spec->masks[i].kind == MASK_NONE) continue;
        doc->causal_align = spec->masks[i].align;
        take_mask(&spec->masks[i], spec->n_heads, spec->L, spec->S, &doc->masks[doc->n_masks++]);
    }
}

bool doc_from_trace(const TraceFile *file, Doc *doc, Err *err) {
    if (!str_eq(file->kind, "attention"))
        return err_set(err, ERR_INPUT, tr("the trace file is of kind %s; only attention can be opened"), file->kind);
    doc_reset(doc);
    doc_init(doc);
    doc_set_blob(&doc->text, NULL, 0);
    take_settings(&file->spec, doc);
    doc_set_words(&doc->tokens, file->tokens, file->n_tokens);
    doc_set_words(&doc->source, file->source, file->n_source);
    return take_matrices(file, doc, err);
}

bool run_from_trace(const char *path, const RunContext *context, Doc *doc, Run **out, Err *err) {
    Arena arena = {0};
    TraceFile file;
    Doc made = {0};
    *out = NULL;
    bool ok = tracefile_read(path, &arena, &file, err) && doc_from_trace(&file, &made, err) &&
              run_build(&made, context, out, err);
    if (ok) doc_copy(doc, &made);
    else err_place(err, path, 0, 0);
    doc_reset(&made);
    arena_free(&arena);
    return ok;
}
