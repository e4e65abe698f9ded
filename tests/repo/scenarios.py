"""Every example loads, has a title, and gives the numbers that it promises: scenarios.py PROGRAM SOURCE_FOLDER"""
import json
import math
import pathlib
import subprocess
import sys

program, source = sys.argv[1], pathlib.Path(sys.argv[2])
complaints = []


def trace(path):
    done = subprocess.run([program, "trace", path], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        complaints.append(f"{path.name}: exit code {done.returncode}: {done.stderr.strip()}")
        return None
    return json.loads(done.stdout)


def at(tensor, index):
    """One number by its index from 1, or the sum of all of them."""
    data = tensor["data"]
    if index == "sum":
        return total(data)
    for i in index.split(","):
        data = data[int(i) - 1]
    return float(data)


def total(data):
    return sum(total(part) for part in data) if isinstance(data, list) else float(data)


files = sorted((source / "assets/scenarios").glob("*.yaml"))
traces, titles = {}, {}
for path in files:
    title = path.read_text(encoding="utf-8").splitlines()[0]
    if not title.startswith("# ") or len(title) > 72:
        complaints.append(f"{path.name}: the first line is no title of at most 70 characters: {title}")
    if title in titles:
        complaints.append(f"{path.name}: has the title of {titles[title]}")
    titles[title] = path.name
    traces[path.stem] = trace(path)

rows = [line.split("\t") for line in (source / "tests/repo/scenario_values.tsv").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")]
for name, tensor, index, value in rows:
    if traces.get(name) is None:
        if name not in traces:
            complaints.append(f"{name}: there is no such scenario")
        continue
    got, want = at(traces[name]["tensors"][tensor], index), float(value)
    if not (abs(got - want) <= 5e-5 or (math.isnan(got) and math.isnan(want))):
        complaints.append(f"{name}: {tensor}[{index}] is {got}, expected {want}")
if len(files) < 20 or len(rows) < 50:
    complaints.append("too few scenarios or values were found")

print("\n".join(complaints) or f"{len(files)} scenarios, {len(rows)} numbers")
sys.exit(1 if complaints else 0)
