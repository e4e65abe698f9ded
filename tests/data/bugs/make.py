#!/usr/bin/env python3
"""Makes the files of this folder: attention written as learners write it, in plain Python, right but for one mistake.

One file for each row of the table in src/core/mistake_rules.c, and some for other shapes and number formats. bugs.tsv lists
them: file, options for `attnscope check` ("-": none), the first tensor that differs, the cause ("-": all agrees; "?": none is known). Nothing of the program
is used here. Numbers are computed in double and stored as the file's format says.

    python3 tests/data/bugs/make.py        # writes beside itself
"""
import json, math, os, random, struct

HERE = os.path.dirname(os.path.abspath(__file__))
INF = math.inf


# ---- matrices: nested lists ----
def rand(rng, *dims):
    return [rand(rng, *dims[1:]) for _ in range(dims[0])] if dims else f32(rng.uniform(-1, 1))


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def transpose(m):
    return [list(r) for r in zip(*m)]


def matmul(a, b):
    columns = transpose(b)
    return [[math.fsum(x * y for x, y in zip(r, c)) for c in columns] for r in a]


def linear(x, w, b=None):
    out = matmul(x, transpose(w))
    return [[v + b[j] for j, v in enumerate(r)] for r in out] if b else out


def cut(rows, heads):
    d = len(rows[0]) // heads
    return [[r[h * d:(h + 1) * d] for r in rows] for h in range(heads)]


def reshape(m, *dims):
    flat = flatten(m)
    for d in reversed(dims[1:]):
        flat = [flat[i:i + d] for i in range(0, len(flat), d)]
    return flat


def flatten(m):
    return [v for r in m for v in flatten(r)] if isinstance(m, list) else [m]


def softmax(row):
    top = max(row)
    e = [math.exp(v - top) for v in row]
    return [v / math.fsum(e) for v in e]


def each(f, *maps):
    return [each(f, *z) for z in zip(*maps)] if isinstance(maps[0], list) else f(*maps)


# ---- positions ----
def rope(heads, layout, theta=10000.0):
    out = []
    for head in heads:
        rows = []
        for t, r in enumerate(head):
            d, new = len(r), list(r)
            for i in range(d // 2):
                a, b = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + d // 2)
                angle = t * theta ** (-2 * i / d)
                new[a] = r[a] * math.cos(angle) - r[b] * math.sin(angle)
                new[b] = r[a] * math.sin(angle) + r[b] * math.cos(angle)
            rows.append(new)
        out.append(rows)
    return out


# ---- one attention with one mistake ----
def attention(bug, seed, L=5, S=None, d=12, H=3, G=None, dk=None, bias=False, mask=None, fill=-INF, layout=None, alibi=False, align=0, wide=None):
    rng = random.Random(seed)
    G, dk, wide = G or H, dk or d // H, wide or d
    t = {"x": rand(rng, L, d)}
    kv = t["x"]
    if S:
        t["x_kv"] = kv = rand(rng, S, d)
    S = S or L
    t["w_q"], t["w_k"], t["w_v"], t["w_o"] = rand(rng, H * dk, d), rand(rng, G * dk, d), rand(rng, G * dk, d), rand(rng, wide, H * dk)
    if bias:
        t["b_q"], t["b_k"], t["b_v"], t["b_o"] = rand(rng, H * dk), rand(rng, G * dk), rand(rng, G * dk), rand(rng, wide)
    w = {n: transpose(t[n]) if bug == "weight_transposed" else t[n] for n in ("w_q", "w_k", "w_v", "w_o")}
    b = {n: None if bug == "bias_missing" else t.get(n) for n in ("b_q", "b_k", "b_v", "b_o")}
    rows = {"q": linear(t["x"], w["w_q"], b["b_q"]), "k": linear(kv, w["w_k"], b["b_k"]), "v": linear(kv, w["w_v"], b["b_v"])}
    for n, heads in (("q", H), ("k", G), ("v", G)):
        t[n] = reshape(rows[n], heads, len(rows[n]), dk) if bug == "heads_reshaped" else cut(rows[n], heads)
    q, k, v = t["q"], t["k"], t["v"]
    if layout:
        used = {"interleaved": "half", "half": "interleaved"}[layout] if bug == "rope_layout" else layout
        q, k = (q, k) if bug == "rope_missing" else (rope(q, used), rope(k, used))
        t["q_rope"], t["k_rope"] = q, k
    group = [h % G if bug == "kv_tiled" else h // (H // G) for h in range(H)]
    t["scores"] = [matmul(k[group[h]], transpose(q[h])) if bug == "q_k_swapped" else matmul(q[h], transpose(k[group[h]])) for h in range(H)]
    scale = {"scale_missing": 1, "scale_d_model": 1 / math.sqrt(d), "scale_d_k": 1 / dk, "scale_multiplied": math.sqrt(dk)}.get(bug, 1 / math.sqrt(dk))
    t["scaled"] = each(lambda s: s * scale, t["scores"])
    soft = t["scaled"]
    if alibi:
        t["bias"] = [[[-(2.0 ** (-8 * (h + 1) / H)) * abs(i - j) for j in range(S)] for i in range(L)] for h in range(H)]
        by = scale if bug == "alibi_before_scale" else 1
        soft = each(lambda s, c: s + c * by, soft, t["bias"])
    keep = None
    if mask == "causal":
        shift = {"mask_shifted": -1}.get(bug, 0) + ((0 if align else S - L) if bug == "mask_corner" else (S - L if align else 0))
        keep = [[1 if j <= i + shift else 0 for j in range(S)] for i in range(L)]
    if mask == "padding":
        keep = [[1 if j < S - 2 else 0 for j in range(S)] for i in range(L)]
    if keep and bug == "mask_inverted":
        keep = each(lambda m: 1 - m, keep)
    if keep and bug == "mask_added":
        soft = [each(lambda s, m: s + (1 - m), head, keep) for head in soft]
    elif keep and bug not in ("mask_missing", "mask_after_softmax"):
        soft = [each(lambda s, m: s if m else (0.0 if bug == "fill_zero" else fill), head, keep) for head in soft]
    if (keep or alibi) and bug != "mask_after_softmax":
        t["masked"] = soft
    if bug == "softmax_queries":
        t["weights"] = [transpose([softmax(c) for c in transpose(head)]) for head in soft]
    elif bug == "softmax_heads":
        t["weights"] = [[[softmax([soft[g][i][j] for g in range(H)])[h] for j in range(S)] for i in range(L)] for h in range(H)]
    else:
        t["weights"] = [[softmax(r) for r in head] for head in soft]
    if bug == "mask_after_softmax":
        t["weights"] = [each(lambda p, m: p * m, head, keep) for head in t["weights"]]
    used = [transpose(head) for head in t["weights"]] if bug == "weights_transposed" else t["weights"]
    t["head_out"] = [matmul(used[h], v[group[h]]) for h in range(H)]
    t["concat"] = reshape(t["head_out"], L, H * dk) if bug == "concat_reshaped" else [sum((t["head_out"][h][i] for h in range(H)), []) for i in range(L)]
    t["out"] = t["concat"] if bug == "output_missing" else linear(t["concat"], w["w_o"], b["b_o"])
    return t


def feed_forward(bug, seed, L=4, d=6, ff=10):
    rng = random.Random(seed)
    t = {"x": each(lambda v: v * 2, rand(rng, L, d)), "w_ff1": rand(rng, ff, d), "b_ff1": rand(rng, ff), "w_ff2": rand(rng, d, ff), "b_ff2": rand(rng, d)}
    t["ffn_hidden"] = linear(t["x"], t["w_ff1"], t["b_ff1"])
    tanh = lambda x: 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    exact = lambda x: 0.5 * x * (1 + math.erf(x / math.sqrt(2)))
    t["ffn_act"] = each(tanh if bug else exact, t["ffn_hidden"])
    t["ffn_out"] = linear(t["ffn_act"], t["w_ff2"], t["b_ff2"])
    return t


# ---- files ----
def bf16(x):
    (bits,) = struct.unpack("<I", struct.pack("<f", x))
    return struct.pack("<H", (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 if x == x and abs(x) != INF else bits >> 16)


PACK = {"F32": lambda x: struct.pack("<f", x), "F64": lambda x: struct.pack("<d", x), "F16": lambda x: struct.pack("<e", x), "BF16": bf16,
        "BOOL": lambda x: struct.pack("<B", int(x))}


def shape(m):
    return [len(m)] + shape(m[0]) if isinstance(m, list) else []


def save(name, tensors, dtype="F32", meta=None, types={}):
    header, data = ({"__metadata__": meta} if meta else {}), b""
    for n, m in tensors.items():
        kind = types.get(n, dtype)
        bytes_ = b"".join(PACK[kind](v) for v in flatten(m))
        header[n] = {"dtype": kind, "shape": shape(m), "data_offsets": [len(data), len(data) + len(bytes_)]}
        data += bytes_
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(os.path.join(HERE, name + ".safetensors"), "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)


rows = []


def case(name, tensors, options, first, cause, **how):
    save(name, tensors, **how)
    rows.append("\t".join((name + ".safetensors", options or "-", first, cause)))


def some(t, *names):
    return {n: t[n] for n in names}


def main():
    heads, causal = "--heads 3", "--heads 3 --mask causal"
    # one for each cause
    case("weight_transposed", attention("weight_transposed", 1), heads, "q", "weight_transposed")
    case("bias_missing", attention("bias_missing", 2, bias=True), heads, "q", "bias_missing")
    case("q_k_swapped", attention("q_k_swapped", 3), heads, "scores", "q_k_swapped")
    case("heads_reshaped", attention("heads_reshaped", 4), heads, "q", "heads_reshaped")
    case("rope_layout", attention("rope_layout", 5, layout="half"), heads + " --position rope_half", "q_rope", "rope_layout")
    case("rope_missing", attention("rope_missing", 6, layout="half"), heads + " --position rope_half", "q_rope", "rope_missing")
    case("kv_tiled", attention("kv_tiled", 7, d=16, H=4, G=2), "--heads 4 --kv-heads 2", "scores", "kv_tiled")
    case("scale_missing", attention("scale_missing", 8), heads, "scaled", "scale_missing")
    case("scale_d_model", attention("scale_d_model", 9), heads, "scaled", "scale_d_model")
    case("scale_d_k", attention("scale_d_k", 10), heads, "scaled", "scale_d_k")
    case("scale_multiplied", attention("scale_multiplied", 11), heads, "scaled", "scale_multiplied")
    case("alibi_before_scale", attention("alibi_before_scale", 12, d=16, H=4, alibi=True), "--heads 4 --position alibi", "masked", "alibi_before_scale")
    case("mask_missing", attention("mask_missing", 13, mask="causal"), causal, "masked", "mask_missing")
    case("mask_inverted", attention("mask_inverted", 14, mask="padding"), heads + " --mask '{kind: padding, keys: 2}'", "masked", "mask_inverted")
    case("mask_shifted", attention("mask_shifted", 15, mask="causal", fill=-1e9), causal + " --mask-fill -1e9", "masked", "mask_shifted")
    case("mask_corner", attention("mask_corner", 16, S=8, mask="causal", align=1), causal + " --causal-align bottom_right", "masked", "mask_corner")
    case("mask_added", attention("mask_added", 17, mask="causal"), causal, "masked", "mask_added")
    case("fill_zero", attention("fill_zero", 18, mask="causal"), causal, "masked", "fill_zero")
    case("softmax_queries", attention("softmax_queries", 19), heads, "weights", "softmax_queries")
    case("softmax_heads", attention("softmax_heads", 20), heads, "weights", "softmax_heads")
    case("mask_after_softmax", attention("mask_after_softmax", 21, mask="causal"), causal, "weights", "mask_after_softmax")
    case("weights_transposed", attention("weights_transposed", 22), heads, "head_out", "weights_transposed")
    case("concat_reshaped", attention("concat_reshaped", 23), heads, "concat", "concat_reshaped")
    case("output_missing", attention("output_missing", 24), heads, "out", "output_missing")
    case("gelu", feed_forward(True, 25), "--activation gelu_exact", "ffn_act", "gelu")
    # nothing wrong
    case("right", attention(None, 30, bias=True, mask="causal"), causal, "-", "-")
    case("right_rope_gqa", attention(None, 31, d=16, H=4, G=2, layout="interleaved"), "--heads 4 --kv-heads 2 --position rope_interleaved", "-", "-")
    case("right_ffn", feed_forward(False, 32), "--activation gelu_exact", "-", "-")
    # some of the tensors
    case("some_scores", some(attention("scale_missing", 8), "q", "k", "scaled"), "", "scaled", "scale_missing")
    case("some_map", some(attention("softmax_queries", 19), "scores", "weights"), "--d-k 4", "weights", "softmax_queries")
    case("some_weights", some(attention("mask_after_softmax", 21, mask="causal"), "weights"), "--mask causal", "weights", "mask_after_softmax")
    case("some_weights_axis", some(attention("softmax_queries", 19), "weights"), "", "weights", "softmax_queries")
    case("some_end", some(attention("concat_reshaped", 23), "weights", "v", "concat", "w_o", "out"), "", "concat", "concat_reshaped")
    case("some_ffn", some(feed_forward(True, 25), "ffn_hidden", "ffn_act"), "--activation gelu_exact", "ffn_act", "gelu")
    # other shapes and names: as they are in PyTorch on the way
    t = attention("fill_zero", 18, mask="causal")
    batch = {n: [m] if n in ("x", "scores", "scaled", "masked", "weights", "head_out", "out") else m for n, m in t.items()}
    batch["q"], batch["k"] = [transpose(t["q"])], [transpose(t["k"])]  # [1, L, H, d]
    batch["v"] = [[sum((t["v"][h][i] for h in range(3)), []) for i in range(5)]]  # [1, L, H * d]
    batch["mask"] = [[[[i < j for j in range(5)] for i in range(5)]]]
    batch["mask"] = each(lambda hidden: not hidden, batch["mask"])
    names = {"w_q": "attn.q_proj.weight", "w_k": "attn.k_proj.weight", "w_v": "attn.v_proj.weight", "w_o": "attn.out_proj.weight", "weights": "attn_weights", "out": "attn_output"}
    batch = {names.get(n, n): m for n, m in batch.items()}
    case("torch_names", batch, "--heads 3", "masked", "fill_zero", types={"mask": "BOOL"})
    t = attention("scale_d_model", 9)
    joined = {"x": t["x"], "in_proj_weight": t["w_q"] + t["w_k"] + t["w_v"], "out_proj.weight": t["w_o"], "scaled": t["scaled"], "out": t["out"]}
    case("torch_joined", joined, "", "scaled", "scale_d_model")
    # number formats
    for dtype in ("F64", "F16", "BF16"):
        case("format_" + dtype.lower(), attention("softmax_queries", 19), heads, "weights", "softmax_queries", dtype=dtype)
    # metadata in place of options
    case("metadata", attention("mask_missing", 13, mask="causal"), "", "masked", "mask_missing", meta={"n_heads": "3", "mask_kind": "causal"})
    # two mistakes: the first is found, and behind it the second
    t, u = attention("scale_missing", 8), attention(None, 8)
    two = dict(t)
    two["out"] = t["concat"]
    case("two", two, heads, "scaled", "scale_missing output_missing")
    # a mistake that is not in the table
    t = dict(attention(None, 40))
    t["scores"] = each(lambda s: s + 0.25, t["scores"])
    case("unknown", t, heads, "scores", "?")
    with open(os.path.join(HERE, "bugs.tsv"), "w") as f:
        f.write("file\toptions\tfirst\tcause\n" + "\n".join(rows) + "\n")


main()
