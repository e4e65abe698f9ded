#!/usr/bin/env bash
# Numbers in files: what Python reads back from each format is, bit for bit, what the JSON says; the same bytes every time.
source "$(dirname "$0")/../repo/report.sh"
program=$1 folder=$2
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
long=Donaudampfschifffahrtsgesellschaftskapitaenin
printf 'attnscope: 1\ntokens: ["a,b", "say \\"x\\"", "猫", "%s"]\nmask: custom\nkeep: [[1,0,0,0],[0,0,0,0],[1,1,1,0],[1,1,1,1]]\nempty_row: nan\n' $long >nan.yaml
printf 'attnscope: 1\ntokens: ["a|b", "c_d%%", "e"]\nprecision: f64\nmask: causal\n' >double.yaml
for name in nan double; do
    for format in json csv npz; do "$program" trace $name.yaml -o $name.$format || complain "$name.$format"; done
    for tensor in weights masked x row_max; do "$program" trace $name.yaml --tensors $tensor -o $name-$tensor.npy || complain "$name $tensor"; done
    "$program" trace $name.yaml --tensors weights --wide -o $name-wide.csv
    for format in md tex; do "$program" trace $name.yaml --tensors weights --decimals 4 -o $name.$format; done
    "$program" trace $name.yaml -o again.npz
    cmp -s $name.npz again.npz || complain "$name.npz written twice differs"
done
"$program" trace nan.yaml --format csv >stdout.csv
cmp -s stdout.csv nan.csv || complain "standard output is another file"
python3 - "$long" <<'PYTHON' || complain "what was read back"
import csv, io, json, math, struct, sys, zipfile, ast
bad = []
def check(good, words):
    if not good: bad.append(words)
def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))
def flat(x):
    return [v for part in x for v in flat(part)] if isinstance(x, list) else [float(x)]
def npy(data, name):
    check(data[:8] == b"\x93NUMPY\x01\x00", f"{name}: magic")
    n, = struct.unpack("<H", data[8:10])
    check((10 + n) % 64 == 0 and data[9 + n:10 + n] == b"\n", f"{name}: the header's end")
    head = ast.literal_eval(data[10:10 + n].decode())
    count = math.prod(head["shape"])
    code = {"<f4": "f", "<f8": "d"}[head["descr"]]
    check(not head["fortran_order"], f"{name}: order")
    check(len(data) == 10 + n + count * struct.calcsize("<" + code), f"{name}: length")
    return head["shape"], list(struct.unpack(f"<{count}{code}", data[10 + n:])), code
for name in ("nan", "double"):
    tensors = json.load(open(name + ".json"))["tensors"]
    single = name == "nan"
    as_float = lambda v: struct.unpack("<f", struct.pack("<f", v))[0]
    zip = zipfile.ZipFile(name + ".npz")
    code_of = {k: npy(zip.read(k + ".npy"), k)[2] for k in tensors} # of a double run what is given stays single
    narrow_of = {k: as_float if code_of[k] == "f" else (lambda v: v) for k in tensors}
    want = {k: (tuple(t["shape"]), [narrow_of[k](v) for v in flat(t["data"])]) for k, t in tensors.items()}
    check(code_of["weights"] == ("f" if single else "d"), f"{name}: weights are {code_of['weights']}")
    for tensor in ("weights", "masked", "x", "row_max"):
        shape, got, code = npy(open(f"{name}-{tensor}.npy", "rb").read(), f"{name} {tensor}")
        check(shape == want[tensor][0] and all(map(same, got, want[tensor][1])), f"{name}-{tensor}.npy holds other numbers")
    check(zip.testzip() is None and sorted(zip.namelist()) == sorted(k + ".npy" for k in want), f"{name}.npz: {zip.namelist()}")
    for k, (shape, values) in want.items():
        s, got, _ = npy(zip.read(k + ".npy"), k)
        check(s == shape and all(map(same, got, values)), f"{name}.npz: {k}")
    rows = list(csv.DictReader(open(name + ".csv", newline="", encoding="utf-8")))
    check(len(rows) == sum(len(v) for _, v in want.values()), f"{name}.csv has {len(rows)} numbers")
    for k, (shape, values) in want.items():
        got = [narrow_of[k](float(r["value"])) for r in rows if r["tensor"] == k]
        check(len(got) == len(values) and all(map(same, got, values)), f"{name}.csv: {k}")
    wide = list(csv.reader(open(name + "-wide.csv", newline="", encoding="utf-8")))
    heads, queries, keys = want["weights"][0]
    check(len(wide) == 1 + heads * queries and all(len(r) == 2 + keys for r in wide), f"{name}-wide.csv: lines")
    check([narrow_of["weights"](float(v)) for v in wide[-1][2:]] == want["weights"][1][-keys:], f"{name}-wide.csv: last row")
    tex, md = open(name + ".tex", encoding="utf-8").read(), open(name + ".md", encoding="utf-8").read()
    check(tex.count("\\begin{tabular}") == heads and tex.count("\\\\") == heads * (queries + 1), f"{name}.tex: tables")
    check(md.count("|---|") == heads, f"{name}.md: tables")
names = [r["row_name"] for r in csv.DictReader(open("nan.csv", newline="", encoding="utf-8")) if r["tensor"] == "weights" and r["head"] == "1" and r["column"] == "1"]
check(names == ["a,b", 'say␣"x"', "猫", sys.argv[1]], f"names: {names}")
check("NaN" in open("nan.md").read() and "nan" in open("nan.csv").read() and "-inf" in open("nan.csv").read(), "what is no number")
check("c\\_d\\%" in open("double.tex").read() and "a\\|b" in open("double.md").read(), "special characters of tables")
print("\n".join(bad))
sys.exit(bool(bad))
PYTHON
# Numbers of others come in: what was written opens, and is written again as it was; labels from a file; rows that do not add up.
"$program" trace double-weights.npy --tensors weights --wide --format csv >own.csv 2>err || complain "double-weights.npy: $(cat err)"
"$program" trace own.csv --tensors weights --wide --format csv >own-again.csv
cmp -s own.csv own-again.csv || complain "a wide table that was read is written otherwise"
printf 'one\n二\nthree, four\n' >labels.txt
"$program" trace double-weights.npy --tokens-from labels.txt --tensors weights --wide --format csv | head -1 | grep -q '^head,row_name,one,二,"three,' || complain "labels from a file"
printf '0.5,0.4\n0,1\n' >short.csv
code=0; "$program" trace short.csv --strict -o short.json 2>err || code=$?
[ $code -eq 1 ] && grep -q 'weights\[1, 1\] sums to 0.9' err || complain "a row that does not add up: code $code, $(cat err)"
printf '0.5,x\n' >bad.csv
code=0; "$program" trace bad.csv 2>err || code=$?
[ $code -eq 2 ] && grep -q 'bad.csv: line 1, field 2' err || { grep -q 'bad.csv' err && [ $code -eq 2 ]; } || complain "a bad file: code $code, $(cat err)"
code=0; "$program" trace short.csv --tokens-from missing.txt 2>err || code=$?
[ $code -eq 2 ] && grep -q 'missing.txt' err || complain "missing labels: code $code, $(cat err)"
refused() { local code=0; "$program" trace nan.yaml "${@:2}" >out 2>err || code=$?; [ $code -eq 2 ] && grep -qF -- "$1" err || complain "$*: code $code, $(cat err)"; }
refused "holds one tensor" -o two.npy
refused "wide table is of one tensor" --wide -o two.csv
refused "npz" -o two.xlsx
refused "no tensor is called" --tensors wieghts -o w.npy
[ ! -e two.npy ] && [ ! -e two.csv ] || complain "something half-written stays"
"$program" export nan.yaml --stage softmax --head 1 --alt -o alt.png && grep -q '猫' alt.txt || complain "sentences beside the picture"
finish "$(ls *.npy *.npz *.csv | wc -l) files"
