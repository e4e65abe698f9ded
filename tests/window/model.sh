#!/usr/bin/env bash
# A trained model's folder in a real window: opened by the command line, typed into, looked at from above, stepped, its guess
# taken; back to the built-in model; and opened again by the dialog of the Model chip.
MODEL=$(cd "$(dirname "$0")/../data/models/tiny-gpt2" && pwd)
source "$(dirname "$0")/screen.sh"
cat >document.yaml <<YAML
attnscope: 1
text: "The house"
model: "$MODEL"
YAML
open_screen
open_app document.yaml

size() { xdotool getwindowgeometry --shell "$window" | sed -n 's/^WIDTH=/WIDTH /p; s/^HEIGHT=/HEIGHT /p' | awk '{ printf "%s%s", $2, NR == 1 ? "x" : "" }'; }
# press_on PATTERN FILE [ACTION]: a click into the middle of the first thing whose line matches, where FILE's picture (after
# ACTION) has it.
press_on() {
    "$PROGRAM" dl "$2" --size "$(size)" ${3:+--do "$3"} >list.txt
    local at
    at=$(sed -nE "/$1/ s/^ *[a-z]+ ?[a-z]* (-?[0-9.]+),(-?[0-9.]+) ([0-9.]+)x([0-9.]+) .*/\1 \2 \3 \4/p" list.txt | head -1 |
        awk '{ printf "%d %d\n", $1 + $3 / 2, $2 + $4 / 2 }')
    [ -n "$at" ] || fail "the picture of $2 has nothing like $1"
    click $at
}
has() { grep -q "$2" "$1" || fail "$1 has no line with $2: $(cat "$1")"; }

save start.yaml
has start.yaml "model: \"$MODEL\""

# Typed into: computed beside the window, and nothing is computed when all is done.
key ctrl+l End
type_text " was"
key Return
save typed.yaml
has typed.yaml 'text: "The house was"'
before=$(ticks)
sleep 1
[ $(($(ticks) - before)) -le 1 ] || fail "idle, it uses the processor"

# From above, and down into a head by a click on its map.
key o
save above.yaml
has above.yaml 'overview'
press_on 'name "overview.map.2.3"' above.yaml
save head.yaml
has head.yaml 'head: 3'
! grep -q 'overview' head.yaml || fail "a click on a map stayed in the overview"
key space space 6
save softmax.yaml
has softmax.yaml 'softmax'

# The first guess is taken; undone again.
key n
save taken.yaml
! cmp -s taken.yaml softmax.yaml || fail "the key N took nothing"
grep -qxF 'text: "The house was wh"' taken.yaml || fail "what was taken does not follow the text: $(grep text: taken.yaml)"
key ctrl+z
save undone.yaml
has undone.yaml 'text: "The house was"'

# The built-in model by the menu of the chip, and the folder again by its dialog; undo finds the way back.
press_on 'name "top.model"' undone.yaml
key Down Return
save classroom.yaml
! grep -q 'model:' classroom.yaml || fail "the first row of the menu is not the built-in model: $(cat classroom.yaml)"
press_on 'name "top.model"' classroom.yaml
key Down Down Down Down Down Down Return # below the four models and the one opened lately: Open folder…
type_text "$MODEL"
key Return
save again.yaml
has again.yaml "model: \"$MODEL\""
has "$XDG_STATE_HOME/attnscope/recent" "^$MODEL\$"
key ctrl+z
save back.yaml
cmp back.yaml classroom.yaml || fail "undo does not take the opened model back"

kill -TERM "$app"
ended_with 0
printf 'opened, typed, looked at, stepped, taken, and back\n'
