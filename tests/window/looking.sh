#!/usr/bin/env bash
# A map in a real window: the wheel zooms, a drag moves it, a click selects, a double click on a name hides its column.
# What counts is what Ctrl+S writes.
source "$(dirname "$0")/screen.sh"
cat >document.yaml <<'YAML'
attnscope: 1
text: "a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b2 b3 b4 b5 b6 b7 b8 b9 c1 c2 c3 c4 c5 c6 c7 c8 c9 d1 d2 d3 d4 d5"
view: {stage: softmax, heads: one}
YAML
open_screen
open_app document.yaml

size() { xdotool getwindowgeometry --shell "$window" | sed -n 's/^WIDTH=/WIDTH /p; s/^HEIGHT=/HEIGHT /p' | awk '{ printf "%s%s", $2, NR == 1 ? "x" : "" }'; }
# map FILE: the large map of weights in the picture of a saved document: x y w h.
map() {
    "$PROGRAM" dl "$1" --size "$(size)" | awk '
        / group tensor / { own = / name "weights" / }
        own && $1 == "cells" { split($2, at, ","); split($3, box, "x"); print at[1], at[2], box[1], box[2]; exit }'
}
at() { xdotool mousemove --window "$window" "$1" "$2"; settle; }
# place X Y W H ACROSS DOWN: a point of that box.
place() { awk -v x="$1" -v y="$2" -v w="$3" -v h="$4" -v a="$5" -v d="$6" 'BEGIN { printf "%d %d\n", x + w * a, y + h * d }'; }
holds() { grep -qF "$2" "$1" || fail "$1 does not hold $2: $(cat "$1")"; }
lacks() { ! grep -qF "$2" "$1" || fail "$1 holds $2: $(cat "$1")"; }

save start.yaml
holds start.yaml 'heads: one'
lacks start.yaml 'zoom'
box=$(map start.yaml)
[ -n "$box" ] || fail "the map is not drawn"

# Two notches up: twice as large; a drag takes the map along and selects nothing.
# shellcheck disable=SC2086
read -r x y <<<"$(place $box 0.4 0.6)"
at "$x" "$y"
xdotool click 4
settle
xdotool click 4
settle
save zoomed.yaml
holds zoomed.yaml 'zoom: 2,'
xdotool mousedown 1
settle
at $((x - 60)) $((y - 60))
at $((x - 120)) $((y - 90))
xdotool mouseup 1
settle
save dragged.yaml
holds dragged.yaml 'zoom: 2,'
lacks dragged.yaml 'selection'
! cmp -s dragged.yaml zoomed.yaml || fail "the drag moved nothing: $(cat dragged.yaml)"

# A press that does not move selects; the map stays where it is.
at "$x" "$y"
xdotool click 1
settle
save selected.yaml
holds selected.yaml 'selection: "weights[1, '
[ "$(grep -o 'zoom_row: [0-9.]*' selected.yaml)" = "$(grep -o 'zoom_row: [0-9.]*' dragged.yaml)" ] || fail "the click moved the map"

# As many notches back: the whole map.
xdotool click 5
settle
xdotool click 5
settle
key Escape
save whole.yaml
lacks whole.yaml 'zoom'

# Twice on the name of a key: its column is hidden.
box=$(map whole.yaml)
# shellcheck disable=SC2086
read -r x y <<<"$(place $box 0.4 0)"
at "$x" $((y - 14))
xdotool click --repeat 2 --delay 60 1
settle
save hidden.yaml
holds hidden.yaml 'hidden: [13]' # 0.4 of 32 columns
kill -TERM "$app"
ended_with 0
printf 'zoomed, dragged, selected, hidden\n'
