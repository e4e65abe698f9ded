#!/usr/bin/env bash
# Presenting with two displays: the picture fills the second, notes stand on the first; with one display it fills that one.
source "$(dirname "$0")/screen.sh"
cat >document.yaml <<'YAML'
attnscope: 1
text: The cat sat on the mat
notes: "Ask first: where does sat look?"
view: {stage: scores, step: 3}
YAML

windows() { xdotool search --onlyvisible --pid "$app" 2>/dev/null; }
there_are() { [ "$(windows | wc -l)" = "$1" ]; }
# bounds WINDOW: X Y WIDTH HEIGHT on the whole of both displays
bounds() { xdotool getwindowgeometry --shell "$1" | awk -F= '/^(X|Y|WIDTH|HEIGHT)=/ { printf "%s ", $2 }'; }
is_at() { [ "$(bounds "$1")" = "$2 " ]; }
notes_window() { windows | grep -vx "$window"; }
# mean WINDOW: its mean brightness, from 0 to 1
mean() { import -silent -window "$1" png:- | convert png:- -colorspace Gray -format '%[fx:mean]' info:; }
is_dark() { awk -v m="$(mean "$1")" 'BEGIN { exit !(m < 0.01) }'; }
is_light() { awk -v m="$(mean "$1")" 'BEGIN { exit !(m > 0.2) }'; }
step() { save now.yaml; sed -n 's/.*step: \([0-9]*\).*/\1/p' now.yaml | head -1; }

open_two_screens
open_app document.yaml --size 900x600
before=$(bounds "$window")
[ "${before%% *}" -lt 1024 ] || fail "the window does not begin on the first display: $before"
key F5
until_true 20 there_are 2 || fail "no second window came with the presentation"
until_true 20 is_at "$window" "1024 0 1600 900" || fail "the picture does not fill the second display: $(bounds "$window")"
notes=$(notes_window)
xdotool getwindowname "$notes" | grep -q Notes || fail "the second window is called $(xdotool getwindowname "$notes")"
read -r x y wide high <<<"$(bounds "$notes")"
[ "$x" -ge 0 ] && [ $((x + wide)) -le 1024 ] || fail "the notes are not on the first display: $x $wide"
settle
import -silent -window root both.png
is_light "$notes" || fail "the notes are black"

# A remote control's keys, whichever window has them.
xdotool windowactivate --sync "$window"
xdotool windowfocus --sync "$window"
[ "$(step)" = 3 ] || fail "presenting begins at step $(step), not 3"
key Page_Down
[ "$(step)" = 4 ] || fail "PageDown came to step $(step), not 4"
key b
until_true 10 is_dark "$window" || fail "B does not blank the picture"
is_light "$notes" || fail "B blanks the notes too"
key Page_Down
[ "$(step)" = 4 ] || fail "a step key over a blank picture stepped to $(step)"
until_true 10 is_light "$window" || fail "a step key does not bring the picture back"
key Page_Down
[ "$(step)" = 5 ] || fail "the next PageDown came to step $(step), not 5"

# The clock goes on by itself.
import -silent -window "$notes" png:clock-before.png
sleep 1.2
import -silent -window "$notes" png:clock-after.png
! cmp -s <(convert clock-before.png rgb:-) <(convert clock-after.png rgb:-) || fail "the clock stands"

key Escape
until_true 20 there_are 1 || fail "the notes stay after the presentation"
until_true 20 is_at "$window" "${before% }" || fail "the window is at $(bounds "$window"), not back at $before"
kill -TERM "$app"
ended_with 0

# One display: all of it, and no second window until F6 asks for it.
kill "${started[@]}"
wait "${started[@]}" 2>/dev/null || true
started=()
open_screen 1024x768
open_app document.yaml
key F5
until_true 20 is_at "$window" "0 0 1024 768" || fail "the picture does not fill the only display: $(bounds "$window")"
there_are 1 || fail "notes cover the only display"
key F6
until_true 20 there_are 2 || fail "F6 opened no notes"
key F6
until_true 20 there_are 1 || fail "F6 did not close the notes"
kill -TERM "$app"
ended_with 0
printf 'presented on one display and on two\n'
