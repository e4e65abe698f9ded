#!/usr/bin/env python3
"""The same map as a figure by seaborn, as a whole process, under the names that build/bench prints:

    build/bench --only export_png_12 && tests/bench/seaborn.py png

An annotated heat map of 12 tokens, 1000 x 800 pixels (png) or 10 x 8 inches (svg, pdf). Needs python3-seaborn; no test uses it.
With a number it is only how often; the median of all is printed.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

DRAW = """
import sys
import numpy
import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plot
import seaborn
words = [f"w{i}" for i in range(1, 13)]
scores = numpy.random.default_rng(1).normal(size=(12, 12))
scores[numpy.triu_indices(12, 1)] = -numpy.inf
weights = numpy.exp(scores - scores.max(1, keepdims=True))
weights /= weights.sum(1, keepdims=True)
plot.figure(figsize=(10, 8), dpi=100)
axes = seaborn.heatmap(weights, annot=True, fmt=".2f", xticklabels=words, yticklabels=words, vmin=0, vmax=1, cmap="YlOrRd")
axes.set(title="Attention weights", xlabel="keys", ylabel="queries")
plot.savefig(sys.argv[1])
"""


def main():
    ending = sys.argv[1] if len(sys.argv) > 1 else "png"
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    times = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "map." + ending)
        for _ in range(turns + 1):  # the first one reads what is not in memory yet
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", DRAW, path], check=True)
            times.append(1000 * (time.perf_counter() - begin))
    print(f"export_{ending}_12\t{statistics.median(times[1:]):.3f}\tms\tseaborn")


main()
