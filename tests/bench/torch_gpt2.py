#!/usr/bin/env python3
"""A network in PyTorch, from the folder that gpt2_random writes, under the names that build/bench prints:

    build/gpt2_random DIR && build/bench --only gpt2_full_32 --model DIR && tests/bench/torch_gpt2.py DIR

Every intermediate result that Attnscope's trace keeps is kept here too. Needs python3-torch and libopenblas0-pthread; no
test uses it. As in torch_stages.py, OpenBLAS is told its kernels before it is loaded.
"""
import json
import math
import mmap
import os
import statistics
import sys
import time

os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
import torch  # noqa: E402  (the environment comes first)

TOKENS = 32


def weights_of(folder):
    """The tensors of model.safetensors, mapped, without copying."""
    with open(os.path.join(folder, "model.safetensors"), "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    length = int.from_bytes(mapped[:8], "little")
    header = json.loads(mapped[8:8 + length])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        flat = torch.frombuffer(mapped, dtype=torch.float32, count=(end - begin) // 4, offset=8 + length + begin)
        tensors[name.removeprefix("transformer.")] = flat.view(entry["shape"])
    return tensors


class Network:
    def __init__(self, folder):
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
            config = json.load(file)
        self.w = weights_of(folder)
        self.layers, self.heads, self.width = config["n_layer"], config["n_head"], config["n_embd"]
        self.vocabulary = config["vocab_size"]
        self.eps = config["layer_norm_epsilon"]

    def norm(self, x, name):
        mean = x.mean(-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(-1, keepdim=True)
        return mean, variance, torch.layer_norm(x, (self.width,), self.w[name + ".weight"], self.w[name + ".bias"], self.eps)

    def linear(self, x, name):  # weights are [in, out]
        return torch.addmm(self.w[name + ".bias"], x, self.w[name + ".weight"])

    def cut(self, x):  # [T, H*d] -> [H, T, d]
        return x.view(x.shape[0], self.heads, -1).transpose(0, 1).contiguous()

    def attention(self, x, at, past, keep):
        first = 0 if past is None else past[0].shape[1]
        q, k, v = (self.cut(part) for part in self.linear(x, at + "attn.c_attn").split(self.width, 1))
        if past is not None:
            k, v = torch.cat((past[0], k), 1), torch.cat((past[1], v), 1)
        scores = q @ k.transpose(1, 2)
        scaled = scores / math.sqrt(self.width // self.heads)
        mask = torch.ones(x.shape[0], k.shape[1]).tril(first)
        masked = scaled.masked_fill(mask == 0, float("-inf"))
        weights = torch.softmax(masked, -1)
        head_out = weights @ v
        concat = head_out.transpose(0, 1).reshape(x.shape[0], -1)
        out = self.linear(concat, at + "attn.c_proj")
        keep += [q, k, v, scores, scaled, mask, masked, weights, head_out, concat, out]
        return out, (k, v)

    def run(self, ids, past=None, all_logits=True):
        """Logits, keys and values of each layer, and all that lies between."""
        keep, kept = [], []
        first = 0 if past is None else past[0][0].shape[1]
        x = self.w["wte.weight"][ids] + self.w["wpe.weight"][first:first + len(ids)]
        for layer in range(self.layers):
            at = f"h.{layer}."
            ln1 = self.norm(x, at + "ln_1")
            out, k_v = self.attention(ln1[2], at, None if past is None else past[layer], keep)
            resid = x + out
            ln2 = self.norm(resid, at + "ln_2")
            hidden = self.linear(ln2[2], at + "mlp.c_fc")
            act = 0.5 * hidden * (1 + torch.tanh(math.sqrt(2 / math.pi) * (hidden + 0.044715 * hidden ** 3)))
            ffn = self.linear(act, at + "mlp.c_proj")
            x = resid + ffn
            keep += [*ln1, resid, *ln2, hidden, act, ffn, x]
            kept.append(k_v)
        final = self.norm(x, "ln_f")
        rows = final[2] if all_logits else final[2][-1:]
        logits = rows @ self.w["wte.weight"].T
        keep += [*final, logits]
        return logits, kept, keep


def median_ms(run):
    for _ in range(3):
        run()
    times, begin = [], time.perf_counter()
    while len(times) < 5 or (time.perf_counter() - begin < 2 and len(times) < 101):
        start = time.perf_counter()
        run()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: torch_gpt2.py DIR, a folder that gpt2_random wrote")
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    print(f"# torch {torch.__version__}, {torch.get_num_threads()} threads, OPENBLAS_CORETYPE={os.environ['OPENBLAS_CORETYPE']}")
    with torch.no_grad():
        start = time.perf_counter()
        network = Network(sys.argv[1])
        print(f"gpt2_open\t{1000 * (time.perf_counter() - start):.3f}\tms")
        ids = torch.tensor([(i * 7919 + 13) % network.vocabulary for i in range(TOKENS)])
        print(f"gpt2_full_32\t{median_ms(lambda: network.run(ids)):.3f}\tms", flush=True)
        past = network.run(ids[:-1])[1]
        print(f"gpt2_append_1\t{median_ms(lambda: network.run(ids[-1:], past, False)):.3f}\tms")


main()
