#!/usr/bin/env bash
# The settings panel in a real window: S opens it, the temperature is dragged, a chip is clicked, each is one step of undo. What
# counts is what Ctrl+S writes.
source "$(dirname "$0")/screen.sh"
cat >document.yaml <<'YAML'
attnscope: 1
text: "one two three"
model: random
mask: none
view: {stage: softmax}
YAML
open_screen
open_app document.yaml

size() { xdotool getwindowgeometry --shell "$window" | sed -n 's/^WIDTH=/WIDTH /p; s/^HEIGHT=/HEIGHT /p' | awk '{ printf "%s%s", $2, NR == 1 ? "x" : "" }'; }
# place NAME SHARE: a point of that control, in its middle from top to bottom.
place() {
    "$PROGRAM" dl document.yaml --size "$(size)" --do controls | awk -v name="\"$1\"" -v share="$2" '
        $1 == "group" && index($0, "name " name) { split($3, at, ","); split($4, box, "x")
            printf "%d %d\n", at[1] + box[1] * share, at[2] + box[2] * 0.5; exit }'
}
has() { grep -qx "$2" "$1" || fail "$1 does not hold $2: $(cat "$1")"; }
has_no() { ! grep -q "^$2" "$1" || fail "$1 holds $(grep "^$2" "$1")"; }

key s
read -r x y <<<"$(place controls.temperature.1 0.5)"
read -r left _ <<<"$(place controls.temperature.1 0)"
[ -n "$y" ] || fail "there is no slider"
xdotool mousemove --window "$window" "$x" "$y" mousedown 1
settle
for i in 1 2 3 4 5; do
    xdotool mousemove --window "$window" $((x - i * (x - left) / 5)) "$y"
    settle
done
xdotool mouseup 1
settle
save dragged.yaml
has dragged.yaml "temperature: 0.1"
key ctrl+z
save undone.yaml
has_no undone.yaml temperature

read -r x y <<<"$(place controls.heads.2 0.5)" # 1 2 4 8 16
xdotool mousemove --window "$window" "$x" "$y"
settle
xdotool click 1
settle
save heads.yaml
has heads.yaml "heads: 2"
import -window "$window" settings.png

# By keyboard: to the panel with its own key, out of it with Esc.
key Escape
key s
key Tab
key Escape
key ctrl+z
save back.yaml
has_no back.yaml heads
kill -TERM "$app"
ended_with 0
printf 'dragged, clicked, undone\n'
