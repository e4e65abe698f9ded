#!/usr/bin/env bash
# Stepping forward and back in a real window with an exact return, clicking a cell and a station, resizing.
source "$(dirname "$0")/screen.sh"
cat >document.yaml <<'YAML'
attnscope: 1
tokens: ["The", "cat", "sat", "down"]
projections: none
q: [[0, 4, 0, 0], [0, 0, 4, 0], [0, 4, 0, 2], [0, 0, 4, 0]]
k: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
v: [[1, 0], [0, 2], [3, 0], [0, 4]]
mask: causal
view: {stage: scores, step: 3}
YAML
open_screen
open_app document.yaml

# picture FILE: Ctrl+E and Enter, and the PNG that appeared is moved to FILE.
picture() {
    local found
    key ctrl+e
    key Return # the name that the dialog proposes
    written() { found=$(find . -maxdepth 1 -name '*.png' ! -name 'kept-*') && [ -n "$found" ]; }
    until_true 20 written || fail "Ctrl+E wrote no picture here"
    settle
    mv "$found" "kept-$1"
}
# box WIDTHxHEIGHT PATTERN FILE: middle of the first thing in FILE's picture whose line matches, as "x y".
box() {
    "$PROGRAM" dl "$3" --size "$1" >list.txt
    sed -nE "/$2/ s/^ *[a-z]+ ?[a-z]* (-?[0-9.]+),(-?[0-9.]+) ([0-9.]+)x([0-9.]+) .*/\1 \2 \3 \4/p" list.txt | head -1 |
        awk '{ printf "%d %d\n", $1 + $3 / 2, $2 + $4 / 2 }'
}
# cell WIDTHxHEIGHT FILE ROW COLUMN: middle of that cell of the map of weights, counted from 0.
cell() {
    "$PROGRAM" dl "$2" --size "$1" | awk -v r="$3" -v c="$4" '
        / group tensor / { weights = / name "weights" / }
        weights && $1 == "cells" { split($2, at, ","); split($3, box, "x")
            printf "%d %d\n", at[1] + box[1] * (c + 0.5) / 4, at[2] + box[2] * (r + 0.5) / 4; exit }'
}
size() { xdotool getwindowgeometry --shell "$window" | sed -n 's/^WIDTH=/WIDTH /p; s/^HEIGHT=/HEIGHT /p' | awk '{ printf "%s%s", $2, NR == 1 ? "x" : "" }'; }

save before.yaml
picture before.png
key Right Page_Down space Right
save further.yaml
cmp -s before.yaml further.yaml && fail "four steps forward changed nothing"
picture further.png
cmp -s kept-before.png kept-further.png && fail "four steps forward look the same"
key Left BackSpace Page_Up Left
save after.yaml
cmp before.yaml after.yaml || fail "four steps back do not come back to where it was"
picture after.png
cmp kept-before.png kept-after.png || fail "four steps back do not show the same picture"

# A station of the rail by mouse, then a cell of the map: row sat, column cat.
click $(box "$(size)" 'name "rail.6"' after.yaml)
save station.yaml
grep -q 'stage: softmax' station.yaml || fail "a click on the sixth station did not go to Softmax"
click $(cell "$(size)" station.yaml 2 1)
save cell.yaml
grep -q 'selection: .*weights\[1, *3, *2\]' cell.yaml || fail "a click on a cell selected something else: $(grep view: cell.yaml)"
key Escape
save deselected.yaml
cmp station.yaml deselected.yaml || fail "Esc did not take the selection back"

# Other window sizes: the picture fills them, and the stations are where the layout says.
for wanted in 1100x700 1600x1000; do
    xdotool windowsize --sync "$window" ${wanted/x/ }
    settle
    [ "$(size)" = $wanted ] || fail "the window is $(size), not $wanted"
    import -window "$window" "screen-$wanted.png"
    for corner in 2,2 "$((${wanted%x*} - 3)),$((${wanted#*x} - 3))"; do
        color=$(convert "screen-$wanted.png" -format "%[hex:p{$corner}]" info:)
        [ "$color" != 000000 ] || fail "at $wanted the corner $corner is black"
    done
    click $(box $wanted 'name "rail.3"' station.yaml)
    save "resized-$wanted.yaml"
    grep -q 'stage: scores' "resized-$wanted.yaml" || fail "at $wanted the third station is not where it should be"
    key 6
done
kill -TERM "$app"
ended_with 0
printf 'stepped, clicked, resized\n'
