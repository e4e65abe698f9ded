#!/usr/bin/env bash
# How a window ends: SIGTERM, the window manager's close button, kill -9; and what an idle window costs.
source "$(dirname "$0")/screen.sh"
cat >document.yaml <<'YAML'
attnscope: 1
text: "one two"
mask: causal
YAML
cp document.yaml first.yaml
kept() { find "$XDG_STATE_HOME/attnscope" -name '*.yaml' 2>/dev/null; }
open_screen

# Idle: under a tenth of a second of processor time in three seconds, also with a focused field.
open_app document.yaml
sleep 0.5
for where in stage field; do
    [ $where = stage ] || key ctrl+l
    before=$(ticks)
    sleep 3
    spent=$(($(ticks) - before))
    [ $((spent * 10)) -lt "$(getconf CLK_TCK)" ] || fail "idle with the focus on the $where: $spent ticks in 3 s"
done

kill -TERM "$app"
ended_with 0
[ -z "$(kept)" ] || fail "a clean end by SIGTERM leaves $(kept)"

open_app document.yaml
wmctrl -i -c "$window"
ended_with 0
[ -z "$(kept)" ] || fail "a clean end by the close button leaves $(kept)"

# kill -9 two seconds after a change: nothing is lost, the document itself is untouched.
open_app document.yaml
key ctrl+l ctrl+a
type_text "never saved"
there() { grep -rqF --include='*.yaml' 'text: "never saved"' "$XDG_STATE_HOME/attnscope" 2>/dev/null; }
until_true 5 there || fail "the open document was not kept within seconds of a change"
kill -KILL "$app"
wait "$app" 2>/dev/null || true
app=
cmp document.yaml first.yaml || fail "the document changed without being saved"

# The next start offers it: Enter takes it, and saving under a name writes it.
open_app
import -window "$window" offered.png
key Return ctrl+s
type_text "restored.yaml"
key Return
saved() { [ -s restored.yaml ]; }
until_true 5 saved || fail "the offered document was not saved"
grep -qxF 'text: "never saved"' restored.yaml || fail "the offered document is another one: $(cat restored.yaml)"
kill -TERM "$app"
ended_with 0
[ -z "$(kept)" ] || fail "what was dealt with is still kept: $(kept)"

# Closed with something unsaved: no question, and the next session has it in its menu.
open_app
key ctrl+l ctrl+a
type_text "closed too early"
wmctrl -i -c "$window"
ended_with 0
grep -qxF 'text: "closed too early"' "$(kept)" || fail "closing lost the text: $(kept)"
open_app
key ctrl+k
type_text "reopen"
key Return ctrl+s
type_text "reopened.yaml"
key Return
saved_again() { [ -s reopened.yaml ]; }
until_true 5 saved_again || fail "the last session was not opened and saved"
grep -qxF 'text: "closed too early"' reopened.yaml || fail "the last session is another one: $(cat reopened.yaml)"
xdotool key --clearmodifiers ctrl+q
ended_with 0
printf 'idle, ended, recovered, reopened\n'
