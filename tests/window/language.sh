#!/usr/bin/env bash
# The language is switched in a running window, where no locale is installed; the picture is that of a start in it, and comes back.
source "$(dirname "$0")/screen.sh"
unset LANGUAGE LANG LC_MESSAGES LC_CTYPE
export LC_ALL=C
open_screen 1600x1000
open_app 'The cat sat on the mat'

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
action() { # through the search of all actions
    key ctrl+k
    type_text "$1"
    key Return
}

action 'stage softmax end'
picture english.png
action 'language zh'
picture chinese.png
cmp -s kept-english.png kept-chinese.png && fail "language zh changed nothing"
import -window "$window" kept-screen.png
action 'language en'
picture again.png
cmp kept-english.png kept-again.png || fail "back in English the picture is another one"
xdotool key --clearmodifiers ctrl+q
until_true 20 eval '! kill -0 $app 2>/dev/null' || fail "Ctrl+Q did not end it"
wait "$app" || fail "the program ended with $?"

open_app 'The cat sat on the mat' --lang zh
action 'stage softmax end'
picture started.png
cmp kept-chinese.png kept-started.png || fail "started in Chinese the picture is another one than after switching"
printf 'the language is switched while the program runs\n'
