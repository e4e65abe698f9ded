#!/usr/bin/env bash
# Typing in a real window, ASCII and Chinese, undo and redo: what counts is what Ctrl+S writes.
source "$(dirname "$0")/screen.sh"
cat >document.yaml <<'YAML'
attnscope: 1
text: "one two"
mask: causal
YAML
open_screen
open_app document.yaml
save start.yaml

has_text() { grep -qxF "text: \"$2\"" "$1" || fail "$1 does not hold the text \"$2\": $(grep text: "$1")"; }

key ctrl+l ctrl+a
type_text "Dogs chase cats"
save ascii.yaml
has_text ascii.yaml "Dogs chase cats"

# On a busy machine the program may still read a key after xdotool has given it another character: typed again.
for tries in 1 2 3; do
    key ctrl+a
    type_text "我爱猫"
    save chinese.yaml
    ! grep -q 'text: "我爱猫"' chinese.yaml || break
done
has_text chinese.yaml "我爱猫"

# Undo goes back through both, each word or pause at a time, to exactly the first document.
undone() {
    local tries
    for tries in $(seq 30); do
        key ctrl+z
        save undone.yaml
        ! cmp -s undone.yaml "$1" || return 0
    done
    diff undone.yaml "$1" || true
    fail "undo does not come back to $1"
}
undone ascii.yaml
undone start.yaml
for tries in $(seq 30); do
    key ctrl+shift+z
    save redone.yaml
    ! cmp -s redone.yaml chinese.yaml || break
done
cmp redone.yaml chinese.yaml || fail "redo does not come back to the last text"

# The clipboard, out and in. Undone again, so that the document stays as it was.
key ctrl+a ctrl+c
copied=$(timeout 5 xclip -o -selection clipboard) || true
[ "$copied" = "我爱猫" ] || fail "the clipboard holds: $copied"
printf 'pasted, 粘贴' | xclip -i -selection clipboard 2>/dev/null
key ctrl+a ctrl+v
save pasted.yaml
has_text pasted.yaml "pasted, 粘贴"
undone chinese.yaml

# The field gives the focus back on Esc: a digit is then a stage, no text.
key Escape 6
save stage.yaml
has_text stage.yaml "我爱猫"
grep -q 'stage: softmax' stage.yaml || fail "the key 6 did not go to Softmax"
kill -TERM "$app"
ended_with 0
printf 'typed, undone, redone, saved\n'
