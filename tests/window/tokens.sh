#!/usr/bin/env bash
# Tokens by hand in a real window: a chip is dragged, one is taken out by its cross, one moves by keys, a padding token comes.
source "$(dirname "$0")/screen.sh"
cat >document.yaml <<'YAML'
attnscope: 1
text: I love green tea
view: {stage: softmax}
YAML
open_screen
open_app document.yaml --size 1600x1000

# chip NAME FILE: middle of the control, with the strip there.
chip() {
    "$PROGRAM" dl "$2" --do tokens --size 1600x1000 | sed -nE "/name \"$1\"/ s/^ *[a-z]+ ?[a-z]* (-?[0-9.]+),(-?[0-9.]+) ([0-9.]+)x([0-9.]+) .*/\1 \2 \3 \4/p" |
        head -1 | awk '{ printf "%d %d\n", $1 + $3 / 2, $2 + $4 / 2 }'
}
text() { sed -n 's/^text: *"\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' "$1"; }

key w
read -r x0 y0 <<<"$(chip token.q.1 document.yaml)"
read -r x1 y1 <<<"$(chip token.q.3 document.yaml)"
xdotool mousemove --window "$window" "$x0" "$y0"
settle
xdotool mousedown 1
settle
for i in 1 2 3 4 5 6; do
    xdotool mousemove --window "$window" $((x0 + (x1 + 10 - x0) * i / 6)) "$y0"
    settle
done
import -silent -window "$window" dragging.png
xdotool mouseup 1
settle
save moved.yaml
[ "$(text moved.yaml)" = "love green I tea" ] || fail "dragged behind the third: $(text moved.yaml)"
key ctrl+z
save back.yaml
[ "$(text back.yaml)" = "I love green tea" ] || fail "one undo gives: $(text back.yaml)"
click $(chip token.q.2 back.yaml)
key ctrl+shift+Right
save shifted.yaml
[ "$(text shifted.yaml)" = "I green love tea" ] || fail "Ctrl+Shift+Right gives: $(text shifted.yaml)"
key shift+Delete
save less.yaml
[ "$(text less.yaml)" = "I green tea" ] || fail "Shift+Delete gives: $(text less.yaml)"
key Insert
type_text "very"
key Return
save more.yaml
[ "$(text more.yaml)" = "I green very tea" ] || fail "Insert gives: $(text more.yaml)"
click $(chip token.q.pad more.yaml)
save padded.yaml
[ "$(text padded.yaml)" = "I green very tea <pad>" ] || fail "+ <pad> gives: $(text padded.yaml)"
grep -q 'kind: padding, keys: "<pad>"' padded.yaml || fail "no mask hides the padding: $(grep mask padded.yaml)"
kill -TERM "$app"
ended_with 0
printf 'moved, taken out, put in, padded\n'
