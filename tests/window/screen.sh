# A screen of its own for one test: Xvfb on a free display, openbox, and the program in a window.
# Sourced by the window tests. Everything that is started here is ended here, by its process id.
set -euo pipefail
export LC_ALL=C.UTF-8
PROGRAM=$1  # build/attnscope
LSAN_OPTIONS=print_suppressions=0:suppressions=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/leaks.supp
export LSAN_OPTIONS
SCRATCH=$2  # a folder of this test's own
rm -rf "$SCRATCH"
mkdir -p "$SCRATCH/home" "$SCRATCH/state"
cd "$SCRATCH"
export HOME=$SCRATCH/home XDG_STATE_HOME=$SCRATCH/state XDG_RUNTIME_DIR=$SCRATCH/home XDG_CONFIG_HOME=$SCRATCH/home
export SDL_VIDEODRIVER=x11 SDL_AUDIODRIVER=dummy
unset WAYLAND_DISPLAY

started=()
app=
end_all() {
    local pid
    for pid in $app "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
}
trap end_all EXIT

fail() {
    printf 'FAILED: %s\n' "$*"
    [ -z "$app" ] || import -window root "$SCRATCH/failed.png" 2>/dev/null || true
    [ ! -s program.log ] || { printf 'The program said:\n'; cat program.log; }
    exit 1
}

# until_true SECONDS COMMAND…: again and again until it succeeds.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -le $end ] || return 1
        sleep 0.05
    done
}

# server COMMAND…: an X server on a free display, and openbox on it.
server() {
    rm -f "$SCRATCH/display"
    exec 9>"$SCRATCH/display"
    "$@" -displayfd 9 -noreset -nolisten tcp >"$SCRATCH/server.log" 2>&1 &
    started+=($!)
    until_true 20 test -s "$SCRATCH/display" || fail "$1 did not start: $(tail -3 "$SCRATCH/server.log")"
    exec 9>&-
    DISPLAY=:$(tr -d '\n' <"$SCRATCH/display")
    export DISPLAY
    "${beside_server[@]}"
    openbox --sm-disable >/dev/null 2>&1 &
    started+=($!)
    until_true 20 wmctrl -m >/dev/null 2>&1 || fail "openbox did not start"
}
beside_server=(true)

# open_screen [WIDTHxHEIGHT]
open_screen() { server Xvfb -screen 0 "${1:-1920x1200}x24"; }

# open_two_screens: 1024x768 and at its right 1600x900, as two outputs of one display, which Xvfb does not have.
open_two_screens() {
    cat >"$SCRATCH/xorg.conf" <<'CONF'
Section "Device"
    Identifier "none"
    Driver "dummy"
    VideoRam 16384
EndSection
Section "Screen"
    Identifier "both"
    Device "none"
    DefaultDepth 24
    SubSection "Display"
        Depth 24
        Virtual 2624 900
    EndSubSection
EndSection
CONF
    beside_server=(place_outputs)
    server Xorg -config "$SCRATCH/xorg.conf" -logfile "$SCRATCH/xorg.log"
    beside_server=(true)
}
place_outputs() {
    xrandr --newmode 1600x900 0 1600 1600 1600 1600 900 900 900 900
    xrandr --addmode DUMMY1 1600x900
    xrandr --output DUMMY0 --mode 1024x768 --pos 0x0 --output DUMMY1 --mode 1600x900 --pos 1024x0
    xrandr --query >"$SCRATCH/outputs" # looks again which outputs are connected
}

window_there() {
    window=$(xdotool search --onlyvisible --pid "$app" 2>/dev/null | tail -1)
    [ -n "$window" ]
}

# open_app ARGUMENTS…: sets app (its process) and window (its window), and waits until it has the focus.
open_app() {
    "$PROGRAM" "$@" >program.log 2>&1 &
    app=$!
    until_true 30 window_there || fail "no window appeared"
    xdotool windowactivate --sync "$window"
    xdotool windowfocus --sync "$window"
    settle
}

# Until the program has been idle for two looks at its processor time.
settle() {
    local last=-1 now=-2 same=0 end=$((SECONDS + 30))
    while [ $same -lt 2 ] && [ $SECONDS -le $end ]; do
        sleep 0.15
        now=$(ticks)
        if [ "$now" = "$last" ]; then same=$((same + 1)); else same=0; fi
        last=$now
    done
}

# Processor time of the program so far, in clock ticks (user and system).
ticks() { sed 's/.*) //' "/proc/$app/stat" | awk '{ print $12 + $13 }'; }

key() {
    local name
    for name in "$@"; do
        xdotool key --clearmodifiers "$name"
        settle
    done
}
# Slowly: xdotool puts a character that is not on the keyboard onto a spare key, and moves it on when the delay
# is over, whether or not the program has read the key by then.
type_text() {
    local delay=150
    [[ $1 =~ ^[[:ascii:]]*$ ]] || delay=400
    xdotool type --clearmodifiers --delay $delay "$1"
    settle
}
# click X Y in the window
click() {
    xdotool mousemove --window "$window" "$1" "$2"
    settle
    xdotool click 1
    settle
}

# save FILE: Ctrl+S and wait until the opened document is newer; a copy goes to FILE.
save() {
    local before
    before=$(stat -c %Y%i document.yaml)
    xdotool key --clearmodifiers ctrl+s
    saved() { [ "$(stat -c %Y%i document.yaml)" != "$before" ]; }
    until_true 10 saved || fail "Ctrl+S wrote nothing"
    settle
    cp document.yaml "$1"
}

# ended_with CODE: the program is gone, with this exit code.
ended_with() {
    local code=0 pid=$app
    gone() { ! kill -0 "$pid" 2>/dev/null; }
    until_true 10 gone || fail "the program does not end"
    wait "$pid" || code=$?
    app=
    [ "$code" = "$1" ] || fail "the program ended with $code, expected $1"
}
