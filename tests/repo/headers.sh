#!/usr/bin/env bash
# Every header compiles alone, under the strictest flags: headers.sh SOURCE_FOLDER COMPILER
source "$(dirname "$0")/report.sh"
cd "$1/src"
compiler=$2
flags=(-std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror
    -fsyntax-only -I . -x c)

# The one room that may show a library in a header.
read -ra backend < <(pkg-config --cflags SDL2_ttf harfbuzz cairo)

count=0
while IFS= read -r header; do
    count=$((count + 1))
    message=$(printf '#include "%s"\n#include "%s"\ntypedef int not_empty;\n' "$header" "$header" | 
        "$compiler" "${flags[@]}" $([[ $header != backend/* ]] || echo "${backend[@]}") - 2>&1) ||
        complain "$header does not compile alone:"$'\n'"$message"
done < <(find . -name '*.h' | sed 's/^\.\///' | sort)
[ $count -gt 20 ] || complain "only $count headers were found"
finish "$count headers compile alone"
