#!/usr/bin/env bash
# Chinese by pinyin: a real input method (ibus with libpinyin) composes in the text field and in a dialog, and its list of
# choices is told to stand at the caret. Skipped (77) where ibus is not installed.
for needed in ibus-daemon ibus dbus-run-session dbus-monitor; do
    command -v $needed >/dev/null || { echo "skipped: $needed is not installed"; exit 77; }
done
[ -e /usr/share/ibus/component/libpinyin.xml ] || { echo "skipped: ibus-libpinyin is not installed"; exit 77; }
memconf=$(ls /usr/libexec/ibus-memconf /usr/lib/ibus/ibus-memconf 2>/dev/null | head -1)
[ -n "$memconf" ] || { echo "skipped: ibus-memconf is not installed"; exit 77; }
if [ -z "${COMPOSING_BUS:-}" ]; then # the session's bus knows the home of the test, so that comes first
    mkdir -p "$2/home"
    export HOME=$2/home XDG_RUNTIME_DIR=$2/home COMPOSING_BUS=yes
    exec dbus-run-session -- bash "$0" "$@"
fi
source "$(dirname "$0")/screen.sh"
cat >document.yaml <<'YAML'
attnscope: 1
text: "one two"
mask: causal
YAML
open_screen
dbus-update-activation-environment --all # what the bus starts finds the input method by these
ibus-daemon --panel=disable --config="$memconf" --xim >ibus.log 2>&1 &
started+=($!)
ibus_there() { ibus address 2>/dev/null | grep -q '^unix'; }
until_true 20 ibus_there || fail "ibus-daemon did not start: $(cat ibus.log)"
dbus-monitor --address "$(ibus address)" "member='SetCursorLocation'" "member='ProcessKeyEvent'" >places.log 2>&1 &
started+=($!)
export XMODIFIERS=@im=ibus SDL_IM_MODULE=ibus
open_app document.yaml
has_text() { grep -qxF "text: \"$2\"" "$1" || fail "$1 does not hold the text \"$2\": $(grep text: "$1")"; }
pinyin_on() { # setting it fails now and then, and says so even where it has worked
    ibus engine libpinyin >>ibus.log 2>&1 || true
    sleep 0.7
    ibus engine >engine.log 2>&1
    grep -qx libpinyin engine.log
}
# Where the list of choices was last told to stand: X Y of the caret, in pixels of the screen.
place() { awk '/SetCursorLocation/ { n = 0 } /int32/ { if (n < 2) at[n] = $2; n++ } END { print at[0], at[1] }' places.log; }
pinyin() { xdotool type --clearmodifiers --delay 120 "$1"; settle; }

key ctrl+l ctrl+a
until_true 20 pinyin_on || fail "libpinyin is no engine: $(cat ibus.log engine.log)"
settle
pinyin n
before=$(place)
pinyin ihao
import -window "$window" composing.png
during=$(place)
[ "${during% *}" -gt "${before% *}" ] && [ "${during#* }" = "${before#* }" ] || fail "the list of choices does not follow the caret: $before, then $during"
key space
save nihao.yaml
has_text nihao.yaml "你好"

# Esc ends the composition and nothing else; the field still takes the next word.
pinyin nihao
key Escape
save dropped.yaml
has_text dropped.yaml "你好"
pinyin nihao
key space
save second.yaml
has_text second.yaml "你好你好"

# Digits choose from the list, and are no stages; Backspace takes a letter of what is composed.
pinyin nihaoo
key BackSpace 1
save chosen.yaml
has_text chosen.yaml "你好你好你好"

# A click elsewhere drops what is composed.
pinyin ni
click 60 500
key ctrl+l End
pinyin nihao
key space
save clicked.yaml
has_text clicked.yaml "你好你好你好你好"

# In a dialog, whose field stands elsewhere.
field=$(place)
key ctrl+k
pinyin nihao
import -window "$window" dialog.png
dialog=$(place)
[ "${dialog#* }" -gt $((${field#* } + 40)) ] || fail "the list of choices stays at the text field ($field) in the dialog ($dialog)"
key Escape Escape
save ended.yaml
has_text ended.yaml "你好你好你好你好"
kill -TERM "$app"
ended_with 0
printf 'composed in the field at %s and in a dialog at %s\n' "$during" "$dialog"
