#!/usr/bin/env bash
# Includes follow the rooms: layering.sh SOURCE_FOLDER
source "$(dirname "$0")/report.sh"
cd "$1/src"

# Room: the rooms whose headers it may include.
declare -A rooms=(
    [base]="base"
    [core]="base core"
    [model]="base core model"
    [doc]="base core model doc"
    [draw]="base draw"
    [ui]="base draw ui"
    [backend]="base draw backend"
    [scene]="base core model doc draw scene"
    [lesson]="base core model doc lesson"
    [app]="base core model doc draw ui scene lesson backend app"
)
# Header of a library: the rooms that may know it. Everything else in <> has to be C or POSIX.
declare -A libraries=(
    [utf8proc.h]="base model"
    [jansson.h]="model app"
    [yaml.h]="doc"
    [dnnl.h]="app" [cblas.h]="app" [omp.h]="app" [omp.h]="app"
    [SDL.h]="backend" [SDL_ttf.h]="backend" [SDL2/SDL.h]="backend" [SDL2/SDL_ttf.h]="backend"
    [cairo.h]="backend" [cairo-pdf.h]="backend" [cairo-ft.h]="backend" [ft2build.h]="backend"
    [hb.h]="backend" [hb-ot.h]="backend"
    [fontconfig/fontconfig.h]="backend" [png.h]="backend" [X11/Xlib.h]="backend" [X11/Xproto.h]="backend" [zlib.h]="backend" [cgif.h]="backend" [zip.h]="app"
    [pcre2.h]="model"
)
system="assert ctype dirent errno fcntl float fnmatch inttypes libintl limits locale math pthread setjmp signal stdarg
stdatomic stdbool stddef stdint stdio stdlib string strings sys/file sys/mman sys/resource sys/stat sys/time sys/types
sys/wait time unistd"

# has LIST WORD
has() { [[ " ${1//$'\n'/ } " == *" $2 "* ]]; }

seen=0
for room in */; do
    room=${room%/}
    if [ -z "${rooms[$room]:-}" ]; then
        complain "src/$room is not in the table of rooms"
        continue
    fi
    while IFS=: read -r file line text; do
        seen=$((seen + 1))
        [[ $text =~ [\<\"]([^\>\"]*) ]]
        header=${BASH_REMATCH[1]}
        if [[ $text == *\"* ]]; then
            has "${rooms[$room]}" "${header%%/*}" || complain "src/$file:$line: $room may not include $header"
            [[ $header == */* ]] || complain "src/$file:$line: write the room before the name: $room/$header"
        elif [ -n "${libraries[$header]+known}" ]; then
            has "${libraries[$header]}" "$room" || complain "src/$file:$line: $room may not know <$header>"
        elif [[ $header == sanitizer/* ]] || has "$system" "${header%.h}"; then
            :
        else
            complain "src/$file:$line: <$header> is in no table of $(basename "$0")"
        fi
    done < <(find "$room" \( -name '*.c' -o -name '*.h' \) -exec grep -nHE '^ *# *include *[<"]' {} +)
done
[ "$seen" -gt 50 ] || complain "only $seen includes were found: is this the source folder?"
finish "$seen includes follow the rooms"
