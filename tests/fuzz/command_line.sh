#!/usr/bin/env bash
# The command line under pressure: full disks, little memory, missing fonts and assets, huge and hostile
# files. Each time a code of 0, 1 or 2 and at most one line that says why: command_line.sh PROGRAM SCRATCH_FOLDER [ulimits]
set -u
program=$1
scratch=$2
limits=${3:-}
failures=0
unset DISPLAY WAYLAND_DISPLAY
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 2

complain() {
    printf '%s\n' "$*" >&2
    failures=$((failures + 1))
}

# expect CODE PART COMMAND…: the exit code, and a part of the one line of complaint (code 2) or of what is printed.
expect() {
    local code=$1 part=$2 got
    shift 2
    timeout 120 "$@" >out 2>err </dev/null
    got=$?
    [ $got -eq "$code" ] || complain "$*: code $got, not $code: $(head -c 300 err)"
    [ "$code" -ne 2 ] || [ "$(wc -l <err)" -eq 1 ] || complain "$*: $(wc -l <err) lines of complaint"
    [ -z "$part" ] || grep -aqF -- "$part" out err || complain "$*: \"$part\" is not said: $(head -c 300 err)"
}

# ---- what cannot be written ----
"$program" trace 'The cat' -o t.safetensors
for command in 'trace a' 'dl a' "explain a x[1,1]" 'check t.safetensors' 'actions' '--help' '--version' 'help --man' 'export a -o -'; do
    # shellcheck disable=SC2086
    "$program" $command >/dev/full 2>err
    [ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || complain "$command: a full disk is not told"
done
mkdir folder.png folder.json
expect 2 'it is a folder' "$program" export a -o folder.png
expect 2 'it is a folder' "$program" trace a -o folder.json
expect 2 'No such file' "$program" trace a -o absent/x.json
expect 2 'No such file' "$program" export a -o absent/x.png
[ -z "$(find . -name '*.png.??????' -o -name '*.json.??????')" ] || complain "temporary files stay"

# ---- options that belong together or elsewhere ----
expect 0 '"weights"' "$program" trace a b --mask custom --keep '[[1,0],[1,1]]'
expect 0 '"weights"' "$program" trace a b --keep '[[1,0],[1,1]]' --mask '[causal, custom]'
expect 2 'custom mask' "$program" trace a b --keep '[[1,0],[1,1]]' --mask causal
expect 2 'needs keep' "$program" trace a b --mask custom
expect 2 'belongs to export, narrate, dl' "$program" trace a --stage mask
expect 2 'did you mean the command export' "$program" exprot a -o x.png
expect 2 'no option --view' "$program" trace a --view x
expect 2 'several documents' "$program" trace a --doc 2
expect 2 'goes on behind' "$program" explain a 'x[1,1]2'
expect 2 'edit: this is not YAML' "$program" trace a --edit '{x[1,1]: 5}'
expect 2 'absent.safetensors' "$program" check absent.safetensors t.safetensors
grep -q 'agree' out || complain "one file that cannot be read hides the others"

# ---- sizes ----
expect 2 '16384x16384' "$program" export a -o x.png --size 100000x100000
expect 2 '0.1 to 16' "$program" export a -o x.png --scale 1000
expect 2 '16384 pixels' "$program" export a -o x.png --size 16384x16384 --scale 8
expect 2 'd_model 1048576' "$program" trace a --model random --d-model 1048576
expect 2 'heads 1048576' "$program" trace a --model random --heads 1048576
expect 2 'from 1 to' "$program" trace a --heads 0
expect 2 'from 1 to' "$program" trace a --heads -1
{ printf 'attnscope: 1\ntokenizer: characters\nmodel: random\nd_model: 4096\nheads: 256\ntext: '; printf 'a%.0s' {1..2048}; } >huge.yaml
expect 2 'limit of 4 GiB' "$program" trace huge.yaml

# ---- memory that holds the numbers but not all of their text ----
{ printf 'attnscope: 1\ntokenizer: characters\ntext: '; printf 'a%.0s' {1..600}; } >long.yaml
[ -z "$limits" ] || expect 0 '' bash -c "ulimit -v 260000 && exec '$program' trace long.yaml -o long.json"

# ---- fonts and assets that are missing or spoilt ----
mkdir -p data/assets/fonts
expect 0 '"weights"' env ATTNSCOPE_DATA=data "$program" trace a
printf 'no font\n' >data/assets/fonts/Inter-Regular.otf
expect 2 'not a usable font' env ATTNSCOPE_DATA=data "$program" export a -o x.png
expect 2 'not a usable font' env ATTNSCOPE_DATA=data "$program" dl a
expect 0 '"weights"' env ATTNSCOPE_DATA=data "$program" trace a
expect 0 'x[a, ' env ATTNSCOPE_DATA=data "$program" explain a 'x[1,1]'
rm data/assets/fonts/Inter-Regular.otf
head -c 20000 /dev/urandom >data/assets/fonts/wqy-microhei.ttc
expect 0 '' env ATTNSCOPE_DATA=data "$program" export 猫 -o x.png
printf 'cat\n' >data/assets/lexicon.tsv
expect 2 'lexicon.tsv:1: ' env ATTNSCOPE_DATA=data "$program" trace a
rm data/assets/lexicon.tsv
mkdir data/assets/lexicon.tsv
expect 2 'it is a folder' env ATTNSCOPE_DATA=data "$program" trace a

[ $failures -eq 0 ] || exit 1
printf 'the command line holds\n'
