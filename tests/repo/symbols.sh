#!/usr/bin/env bash
# What the rooms' libraries ask for follows the rooms too: symbols.sh BUILD_TYPE LIBRARY…
#   windows, fonts and pictures in backend only; memory from base only; no variables but constant tables.
source "$(dirname "$0")/report.sh"
type=$1
shift

foreign='^(SDL_|TTF_|cairo_|FT_|hb_|Fc[A-Z]|png_|deflate|compress|cgif_|X[A-Z][a-z])'
products='^(dnnl_|cblas_)'
memory='^(malloc|calloc|realloc|reallocarray|free|strdup|strndup|asprintf|vasprintf|aligned_alloc|posix_memalign|memalign|getline|getdelim|realpath|canonicalize_file_name|open_memstream|scandir)$'

for library in "$@"; do
    room=$(basename "$library" .a)
    room=${room#lib}
    case $room in attn) room=core ;; attn_base) room=base ;; esac
    wanted=$(nm --undefined-only --format=posix "$library" | sed -nE 's/^([A-Za-z_][A-Za-z_0-9]*) U.*/\1/p' | sort -u)
    [ -n "$wanted" ] || complain "$library asks for nothing at all"
    if [ "$room" != backend ]; then
        while read -r name; do complain "$room uses $name: only backend may"; done < <(grep -E "$foreign" <<<"$wanted" || true)
    fi
    if [ "$room" != app ]; then
        while read -r name; do complain "$room uses $name: only app may"; done < <(grep -E "$products" <<<"$wanted" || true)
    fi
    if [ "$room" != base ]; then
        while read -r name; do complain "$room calls $name: memory comes from base"; done < <(grep -E "$memory" <<<"$wanted" || true)
    fi
    # The sanitizers and the coverage counters put variables of their own beside ours.
    if [ "$type" = Release ] || [ "$type" = Debug ]; then
        while read -r name; do complain "$room has the variable $name: only constant tables may be global"; done < <(
            nm --format=sysv "$library" |
                awk -F'|' 'NF > 6 { gsub(/ /, "", $1); gsub(/ /, "", $4); gsub(/ /, "", $7); gsub(/\t/, "", $7)
                    if ($4 == "OBJECT" && $7 ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)(\.|$)/ && $7 !~ /rel\.ro/) print $1 }')
    fi
done
finish "the symbols of $# libraries follow the rooms"
