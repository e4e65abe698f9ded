/* The numeric core of Attnscope as a library: build a machine, run it, ask where numbers come from.
 *
 *     Arena arena = {0};
 *     Trace *trace = trace_new(&arena);
 *     AttentionSpec spec = {.n_heads = 2, .proj = PROJ_LINEAR, .out_proj = true};
 *     Err err = {0};
 *     if (!machine_attention(trace, "", &spec, inputs, n_inputs, &err) ||
 *         !trace_run(trace, &(CoreContext){0}, &err)) puts(err.message);
 */
#ifndef CORE_ATTN_H
#define CORE_ATTN_H

#include "core/explain.h"
#include "core/machine.h"
#include "core/network.h"
#include "core/readings.h"
#include "core/stats.h"
#include "core/summary.h"
#include "core/trace.h"

#endif
