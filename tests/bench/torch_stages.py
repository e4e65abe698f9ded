#!/usr/bin/env python3
"""The stages of attention in PyTorch, all intermediates kept, under the names that build/bench prints:
run both, one after the other, and divide. Needs python3-torch and libopenblas0-pthread; no test uses it.

OpenBLAS chooses its kernels when it is loaded and does not know processors newer than itself: then it takes
very old ones. OPENBLAS_CORETYPE is therefore set here, before the import, unless it is set already.
"""
import os
import statistics
import sys
import time

os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
import torch  # noqa: E402  (the environment comes first)


def stages(x, w_q, w_k, w_v, w_o, mask, heads):
    """One layer under a causal mask; returns every stage that Attnscope's trace keeps."""
    length, d_model = x.shape
    d_k = d_model // heads

    def cut(product):  # [L, H*d_k] -> [H, L, d_k]
        return product.view(length, heads, d_k).transpose(0, 1).contiguous()

    q, k, v = cut(x @ w_q.T), cut(x @ w_k.T), cut(x @ w_v.T)
    scores = q @ k.transpose(1, 2)
    scaled = scores * d_k ** -0.5
    masked = scaled.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(masked, -1)
    head_out = weights @ v
    concat = head_out.transpose(0, 1).reshape(length, d_model)
    out = concat @ w_o.T
    return q, k, v, scores, scaled, masked, weights, head_out, concat, out


def median_ms(run):
    for _ in range(3):
        run()
    times, begin = [], time.perf_counter()
    while len(times) < 5 or (time.perf_counter() - begin < 2 and len(times) < 101):
        start = time.perf_counter()
        run()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def blas():
    """Which library does the products: reference BLAS in place of OpenBLAS would make a poor peer."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = {line.split()[-1] for line in maps if "blas" in line}
    return " ".join(sorted(os.path.realpath(path) for path in paths)) or "built in"


def main():
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else None
    threads = len(os.sched_getaffinity(0))
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    print(f"# torch {torch.__version__}, {threads} threads, OPENBLAS_CORETYPE={os.environ['OPENBLAS_CORETYPE']}")
    print(f"# BLAS: {blas()}")
    with torch.no_grad():
        for length, d_model, heads in ((64, 512, 8), (512, 512, 8), (1024, 768, 12)):
            name = f"all_stages_L{length}_d{d_model}_h{heads}"
            if only not in (None, name):
                continue
            x = torch.randn(length, d_model)
            weights = [torch.randn(d_model, d_model) * d_model ** -0.5 for _ in range(4)]
            mask = torch.ones(length, length).tril()
            print(f"{name}\t{median_ms(lambda: stages(x, *weights, mask, heads)):.3f}\tms", flush=True)


main()
