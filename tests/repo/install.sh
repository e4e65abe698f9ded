#!/usr/bin/env bash
# Installs the build tree into a folder of its own and uses it as a stranger would: install.sh SOURCE BUILD
source "$(dirname "$0")/report.sh"
source_folder=$1 build=$2
prefix=$build/scratch/install
rm -rf "$prefix" "$build/scratch/consumer" "$build/scratch/elsewhere"
mkdir -p "$prefix" "$build/scratch/elsewhere"
cmake --install "$build" --prefix "$prefix" >/dev/null

# A consumer project finds the library by its package, and nothing of this tree.
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")
cmake -S "$source_folder/tests/repo/consumer" -B "$build/scratch/consumer" -G "$generator" "-DCMAKE_PREFIX_PATH=$prefix" \
    "-DCMAKE_C_FLAGS=${CONSUMER_FLAGS:-}" >/dev/null
cmake --build "$build/scratch/consumer" >"$build/scratch/consumer.log" 2>&1 || { cat "$build/scratch/consumer.log"; complain "the consumer does not compile"; }
"$build/scratch/consumer/consumer" || complain "the consumer of the installed library failed"

# The installed program brings its own data.
bin=$(find "$prefix" -type f -name attnscope -path '*/bin/*' || true)
if [ -z "$bin" ]; then
    complain "no program was installed"
else
    data=$prefix/share/attnscope
    for wanted in assets/lexicon.tsv assets/scenarios assets/fonts/Inter-Regular.otf assets/fonts/JetBrainsMono-Regular.ttf \
        assets/fonts/wqy-microhei.ttc assets/fonts/fonts-inter-licence.txt; do
        [ -e "$data/$wanted" ] || complain "not installed: $wanted"
    done
    manual=$prefix/share/man/man1/attnscope.1
    for command in $("$bin" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        grep -q "^\.B attnscope $command" "$manual" || complain "the manual page does not tell of $command"
    done
    cd "$build/scratch/elsewhere"
    "$bin" export --size 1024x768 -o picture.png >/dev/null || complain "the installed program does not export"
    [ "$(head -c 4 picture.png | tail -c 3)" = PNG ] || complain "what the installed program exports is no PNG"
    # Its words too: what the installed program says is its own catalogue, not that of the build tree.
    catalogue=$prefix/share/locale/zh_CN/LC_MESSAGES/attnscope.mo
    [ -e "$catalogue" ] || complain "not installed: the Chinese catalogue"
    env -i PATH="$PATH" LC_ALL=C "$bin" dl 'The cat' --lang zh | grep -q 加权和 || complain "the installed program speaks no Chinese"
    printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Weighted sum"\nmsgstr "安装好的"\n' | msgfmt -o "$catalogue" -
    env -i PATH="$PATH" LC_ALL=C "$bin" dl 'The cat' --lang zh | grep -q 安装好的 || complain "the installed program reads another catalogue"
    # And reads that, not the source tree it was built from: a spoilt word list there is noticed.
    echo "not	a word	list" >"$data/assets/lexicon.tsv"
    message=$("$bin" export -o other.png 2>&1) && complain "the installed program does not read its own word list"
    [[ $message == *"$data"/*lexicon.tsv* || $message == *share/attnscope/assets/lexicon.tsv* ]] ||
        complain "the message does not name the file: $message"
    [ ! -e other.png ] || complain "a picture was written in spite of an error"
fi
finish "the installed program and library work on their own"
