#!/usr/bin/env bash
# The program speaks Chinese without any locale, in numbers of C, and says which languages there are: language.sh PROGRAM SCRATCH
source "$(dirname "$0")/report.sh"
program=$1 scratch=$2
rm -rf "$scratch" && mkdir -p "$scratch"
bare() { env -i PATH="$PATH" "$@"; }

says() { # says WHAT COMMAND…
    local what=$1
    shift
    grep -qF -- "$what" <<<"$("$@" 2>&1)" || complain "not said by $*: $what"
}
says_not() {
    local what=$1
    shift
    ! grep -qF -- "$what" <<<"$("$@" 2>&1)" || complain "said by $*: $what"
}

for locale in C POSIX C.UTF-8 zh_CN.UTF-8 absent_XX.UTF-8; do
    says 加权和 bare LC_ALL=$locale "$program" dl 'The cat' --lang zh
    says 'Weighted sum' bare LC_ALL=$locale "$program" dl 'The cat' --lang en
done
says 加权和 bare LANG=zh_CN.UTF-8 "$program" dl 'The cat'
says 'Weighted sum' bare LANG=de_DE.UTF-8 "$program" dl 'The cat'
says 'Weighted sum' bare "$program" dl 'The cat'
says 加权和 bare LC_ALL=C LANGUAGE=zh_CN "$program" dl 'The cat'

# Numbers have a point, also where the locale has a comma.
mkdir "$scratch/locales"
if localedef -i de_DE -f UTF-8 "$scratch/locales/de_DE.UTF-8" >/dev/null 2>&1; then
    german=(bare LOCPATH="$scratch/locales" LC_ALL=de_DE.UTF-8)
    [ "$("${german[@]}" bash -c 'printf %.1f 0,5' 2>/dev/null)" = 0,5 ] || complain "the German locale was not made"
    for language in en zh; do
        says '0.766' "${german[@]}" "$program" explain a b --model random --lang $language 'scores[1,1,1]'
        says_not '0,5' "${german[@]}" "$program" trace 'a b' --lang $language
    done
fi

# What is wrong is told with what would be right, in one line and in code 2.
code=0
message=$(bare "$program" dl a --lang xx 2>&1) || code=$?
[ $code -eq 2 ] && [ "$(wc -l <<<"$message")" -eq 1 ] || complain "--lang xx ends with $code: $message"
for part in xx en zh; do grep -q "$part" <<<"$message" || complain "--lang xx does not say $part: $message"; done
finish "both languages are there everywhere"
