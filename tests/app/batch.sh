#!/usr/bin/env bash
# Many pictures with one command: their names, the same bytes whatever the number of processes, and what is said of bad files.
source "$(dirname "$0")/../repo/report.sh"
program=$1 folder=$2 scenarios=$3
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
export() { "$program" export "$@"; }
# refused CODE PART ARGUMENTS…: the exit code, and a part of what is said.
refused() {
    local code=0 wanted=$1 part=$2
    shift 2
    export "$@" >out 2>err || code=$?
    [ $code -eq "$wanted" ] || complain "$*: exit code $code, not $wanted"
    grep -qF -- "$part" err || complain "$*: \"$part\" is not in: $(cat err)"
}

printf "attnscope: 1\ntext: a b\nmodel: random\nheads: 2\n---\nattnscope: 1\ntext: c d e\nmodel: random\nheads: 1\n" >two.yaml
printf 'attnscope: 1\ntext: [\n' >bad.yaml

# The same whether one process draws them or several.
export "$scenarios"/*.yaml -o 'one/{name}.png' --jobs 1 --size 400x300 2>err
export "$scenarios"/*.yaml -o 'many/{name}.png' --jobs 4 --size 400x300 2>err
n=$(ls "$scenarios"/*.yaml | wc -l)
[ "$(ls one | wc -l)" -eq "$n" ] || complain "$(ls one | wc -l) pictures of $n scenarios"
diff -r one many || complain "one process and four draw differently"
grep -q "$n pictures of $n scenarios, 0 failed" err || complain "it says: $(cat err)"

# Parts of a name run over all there is, unless an option chooses.
export two.yaml -o 'parts/{name}-{doc}-{stage}-h{head}.png' 2>err
[ "$(ls parts | wc -l)" -eq 27 ] || complain "$(ls parts | wc -l) pictures; 9 stages of 2 heads and of 1 are 27" # (2 + 1) * 9
[ -f parts/two-1-softmax-h2.png ] && [ -f parts/two-2-embed-h1.png ] || complain "names: $(ls parts | head -3)"
export two.yaml -o 'some/{doc}-{stage}.{ext}' --stage softmax --format png,gif 2>err
[ "$(ls some | tr '\n' ' ')" = "1-softmax.gif 1-softmax.png 2-softmax.gif 2-softmax.png " ] || complain "chosen: $(ls some | tr '\n' ' ')"
export "a b" -o 'words/{stage}.png' 2>err
[ "$(ls words | wc -l)" -eq 9 ] || complain "words: $(ls words | wc -l) pictures"
export two.yaml -o 'direct.png' --stage softmax --head 2
export two.yaml -o 'figure/{stage}-{head}.png' --stage softmax 2>err
cmp direct.png figure/softmax-2.png || complain "a figure of a batch is not the one drawn alone"

# Standard input: one scenario a document.
export --from-stdin -o 'in/{doc}.png' --size 400x300 <two.yaml 2>err
[ "$(ls in | tr '\n' ' ')" = "1.png 2.png " ] || complain "from standard input: $(ls in)"

# A bad file does not stop the others; all are listed.
refused 1 "bad.yaml:3:1" two.yaml bad.yaml missing.yaml -o 'bad/{name}.png'
grep -q "missing.yaml" err && grep -q "1 pictures of 3 scenarios, 2 failed" err || complain "bad files: $(cat err)"
[ -f bad/two.png ] || complain "the good one is not there"
refused 1 "heads" "$scenarios"/0*.yaml -o 'bad/{name}.png' --heads 7

# What cannot be meant is refused before anything is written.
refused 2 "{name}" two.yaml bad.yaml -o x.png
refused 2 "{stge}" two.yaml -o '{stge}-{name}.png'
refused 2 "--format" two.yaml -o '{name}.{ext}'
refused 2 "would be one picture" two.yaml ./two.yaml -o '{name}.png'
refused 2 "--from-stdin" --from-stdin two.yaml -o '{doc}.png' </dev/null
refused 2 "name for each" two.yaml two.yaml
refused 1 "end as a picture" two.yaml -o '{name}.bmp'

# Ctrl+C finishes what is begun and leaves no half picture.
(timeout --preserve-status -s INT 0.2 "$program" export "$scenarios"/*.yaml -o 'stopped/{name}-{stage}.png' 2>err; echo $? >code) || true
{ [ "$(cat code)" = 1 ] && grep -q "given up" err; } || { [ "$(cat code)" = 0 ] && grep -q " 0 failed" err; } || complain "stopped: code $(cat code): $(cat err)"
[ -z "$(ls -A stopped 2>/dev/null | grep -v 'png$')" ] || complain "left behind: $(ls -A stopped | grep -v 'png$')"
finish "$n scenarios"
