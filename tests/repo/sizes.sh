#!/usr/bin/env bash
# Functions of a screenful, files that can be read in one sitting, nothing left undone: sizes.sh SOURCE_FOLDER
source "$(dirname "$0")/report.sh"
cd "$1"
LINES_OF_A_FILE=500
LINES_OF_A_FUNCTION=80
SHORT=40 # at least 90 of 100 functions are no longer

mapfile -t sources < <(find src -name '*.c')
[ ${#sources[@]} -gt 0 ] || complain "no sources found"
for file in "${sources[@]}"; do
    lines=$(wc -l <"$file")
    [ "$lines" -le $LINES_OF_A_FILE ] || complain "$file: $lines lines, at most $LINES_OF_A_FILE"
done

# A function begins with a line at the margin that ends in ") {" and ends with "}" at the margin.
functions=$(awk '
    FNR == 1 { open = 0 }
    /^[A-Za-z].*\) \{$/ && !/=/ { open = FNR; text = $0; start = head ? head : FNR }
    /^[A-Za-z].*[,(]$/ { head = FNR }
    /^    .*\) \{$/ && head && !open { open = FNR; start = head; text = $0 }
    /[;}]$/ && !open { head = 0 }
    /^\}/ && open { print FNR - start + 1, FILENAME ":" start; open = 0; head = 0 }
' "${sources[@]}")
total=$(wc -l <<<"$functions")
long=$(awk -v n=$SHORT '$1 > n' <<<"$functions" | wc -l)
while read -r lines place; do
    complain "$place: a function of $lines lines, at most $LINES_OF_A_FUNCTION"
done < <(awk -v n=$LINES_OF_A_FUNCTION '$1 > n' <<<"$functions")
[ $((long * 10)) -le "$total" ] || complain "$long of $total functions are longer than $SHORT lines"

while IFS= read -r place; do complain "$place: finish it or leave it out"; done < <(
    grep -rnE '\b(TO''DO|FIX''ME|XX''X)\b' --include='*.c' --include='*.h' --include='*.sh' --include='*.md' \
        --include='CMakeLists.txt' --include='*.yaml' src tests scripts assets README.md CMakeLists.txt || true)
while IFS= read -r file; do
    [[ $(head -c 2 "$file") == '/*' ]] || complain "$file does not begin with what it is for"
done < <(find src -name '*.h')
finish "${#sources[@]} files, $total functions, $long of them longer than $SHORT lines"
