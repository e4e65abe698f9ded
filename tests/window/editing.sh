#!/usr/bin/env bash
# Numbers in a real window: double click and type, drag up, Esc, undo. What counts is what Ctrl+S writes.
source "$(dirname "$0")/screen.sh"
cat >document.yaml <<'YAML'
attnscope: 1
tokens: ["a", "b"]
x: [[1, 0], [1, 1]]
projections: none
mask: none
view: {stage: embed}
YAML
open_screen
open_app document.yaml

size() { xdotool getwindowgeometry --shell "$window" | sed -n 's/^WIDTH=/WIDTH /p; s/^HEIGHT=/HEIGHT /p' | awk '{ printf "%s%s", $2, NR == 1 ? "x" : "" }'; }
# cell ROW COLUMN: middle of that cell of x, counted from 0.
cell() {
    "$PROGRAM" dl document.yaml --size "$(size)" | awk -v r="$1" -v c="$2" '
        / group tensor / { own = / name "x" / }
        own && $1 == "cells" { split($2, at, ","); split($3, box, "x")
            printf "%d %d\n", at[1] + box[1] * (c + 0.5) / 2, at[2] + box[2] * (r + 0.5) / 2; exit }'
}
# has FILE VALUE: x[2, 1] is changed to it, and nothing else is.
has() {
    grep -qF "{at: \"x[2, 1]\", value: $2}" "$1" || fail "$1 does not hold x[2, 1] = $2: $(grep -A9 '^edit' "$1" || echo 'no edit')"
    [ "$(grep -c 'at: ' "$1")" = 1 ] || fail "$1 holds more than one changed number"
}
has_none() { ! grep -q '^edit' "$1" || fail "$1 holds a changed number: $(grep -A9 '^edit' "$1")"; }

save start.yaml
has_none start.yaml
read -r x y <<<"$(cell 1 0)"
[ -n "$y" ] || fail "x is not drawn"

# Double click, type over what is selected, Enter.
xdotool mousemove --window "$window" "$x" "$y"
settle
xdotool click --repeat 2 --delay 60 1
settle
type_text 2
key Return
save typed.yaml
has typed.yaml 2
key ctrl+z
save undone.yaml
has_none undone.yaml

# Up by 60 in small moves is one step; Esc in the middle of another takes that back.
drag_up() {
    local i
    xdotool mousemove --window "$window" "$x" "$y" mousedown 1
    settle
    for i in 1 2 3 4 5 6; do
        xdotool mousemove --window "$window" "$x" $((y - 10 * i))
        settle
    done
}
drag_up
xdotool mouseup 1
settle
save dragged.yaml
has dragged.yaml 1.6
drag_up
xdotool key Escape # plainly: --clearmodifiers would let the button go
settle
xdotool mouseup 1
settle
save escaped.yaml
has escaped.yaml 1.6
key ctrl+z
save back.yaml
has_none back.yaml
kill -TERM "$app"
ended_with 0
printf 'typed, dragged, undone\n'
