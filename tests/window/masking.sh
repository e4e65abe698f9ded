#!/usr/bin/env bash
# Masks in a real window: a drag paints, the right button hides a key or a query by its name, Ctrl+Z takes back one step each.
# What counts is what Ctrl+S writes.
source "$(dirname "$0")/screen.sh"
cat >document.yaml <<'YAML'
attnscope: 1
text: "a b c d"
mask: causal
view: {stage: mask}
YAML
open_screen
open_app document.yaml

size() { xdotool getwindowgeometry --shell "$window" | sed -n 's/^WIDTH=/WIDTH /p; s/^HEIGHT=/HEIGHT /p' | awk '{ printf "%s%s", $2, NR == 1 ? "x" : "" }'; }
"$PROGRAM" dl document.yaml --size "$(size)" >list.txt
# cell ROW COLUMN: middle of that cell of M, counted from 0.
cell() {
    awk -v r="$1" -v c="$2" '
        / group tensor / { own = / name "mask" / }
        own && $1 == "cells" { split($2, at, ","); split($3, box, "x")
            printf "%d %d\n", at[1] + box[1] * (c + 0.5) / 4, at[2] + box[2] * (r + 0.5) / 4; exit }' list.txt
}
# band NAME: the place of that group: x y w h.
band() { sed -n "s/.*group [a-z]* \([0-9.-]*\),\([0-9.-]*\) \([0-9.]*\)x\([0-9.]*\) .*name \"$1\".*/\1 \2 \3 \4/p" list.txt | head -1; }
at() { xdotool mousemove --window "$window" "$1" "$2"; settle; }
holds() { grep -qF "$2" "$1" || fail "$1 does not hold $2: $(cat "$1")"; }

save start.yaml
grep -q '^mask' start.yaml && holds start.yaml 'mask: causal'

# A drag from row 1, column 4 to row 3, column 4 in two moves: all three are kept.
read -r x y <<<"$(cell 0 3)"
[ -n "${y:-}" ] || fail "M is not drawn"
at "$x" "$y"
xdotool mousedown 1
settle
read -r x y <<<"$(cell 2 3)"
at "$x" "$y"
xdotool mouseup 1
settle
save painted.yaml
holds painted.yaml 'mask: custom'
rows() { tr -d ' \n' <"$1" | grep -o 'keep:[-0-9.,\[]*\(\]\|[0-9.,\[]\)*\]\]' || tr -d ' \n' <"$1"; }
case $(rows painted.yaml) in
    *'[[1,0,0,1],[1,1,0,1],[1,1,1,1],[1,1,1,1]]'*) ;;
    *) fail "the stroke painted otherwise: $(rows painted.yaml)" ;;
esac
key ctrl+z
save undone.yaml
cmp undone.yaml start.yaml || fail "one undo does not take the stroke back"

# A fast hand: down and up again, two columns on, within a picture. The corner below is painted although nobody waited there.
read -r x0 y0 <<<"$(cell 0 1)"
read -r x1 y1 <<<"$(cell 3 2)"
read -r x2 y2 <<<"$(cell 0 3)"
at "$x0" "$y0"
xdotool mousedown 1 mousemove --window "$window" "$x1" "$y1" sleep 0.004 mousemove --window "$window" "$x2" "$y2" sleep 0.004 mouseup 1
settle
save fast.yaml
case $(rows fast.yaml) in
    # from row 1, column 2 down to row 4, column 3 (columns 2 2 3 3), and up to row 1, column 4 (3 3 4 4): all kept
    *'[[1,1,0,1],[1,1,0,1],[1,1,1,0],[1,1,1,1]]'*) ;;
    *) fail "the fast stroke painted otherwise: $(rows fast.yaml)" ;;
esac
key ctrl+z
save undone.yaml
cmp undone.yaml start.yaml || fail "one undo does not take the fast stroke back"

# The right button on the name of the second key: hidden from all, and shown again.
read -r bx by bw bh <<<"$(band mask.keys.2)"
[ -n "${bh:-}" ] || fail "M has no names"
read -r x y <<<"$(cell 0 1)"
at "$x" "$(awk -v y="$by" -v h="$bh" 'BEGIN { printf "%d", y + h / 2 }')"
xdotool click 3
settle
save key.yaml
holds key.yaml 'keys: [2]'
xdotool click 3
settle
save shown.yaml
cmp shown.yaml start.yaml || fail "a second right click does not show the key again"

# On the name of the last query: it reads nothing.
read -r bx by bw bh <<<"$(band mask.queries.1)"
read -r x y <<<"$(cell 3 0)"
at "$(awk -v x="$bx" -v w="$bw" 'BEGIN { printf "%d", x + w - 12 }')" "$y"
xdotool click 3
settle
save query.yaml
holds query.yaml 'mask: [causal, custom]'
case $(rows query.yaml) in
    *'[[1,1,1,1],[1,1,1,1],[1,1,1,1],[0,0,0,0]]'*) ;;
    *) fail "the query still reads something: $(rows query.yaml)" ;;
esac
xdotool click 3
settle
save again.yaml
cmp again.yaml start.yaml || fail "a second right click does not show the query's keys again"
key ctrl+z ctrl+z
save end.yaml
cmp end.yaml start.yaml || fail "undo does not take the query's row back"
kill -TERM "$app"
ended_with 0
printf 'painted, hidden by name, undone\n'
