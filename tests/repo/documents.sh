#!/usr/bin/env bash
# What the documents say is so: documents.sh SOURCE PROGRAM
source "$(dirname "$0")/report.sh"
cd "$1"
program=$2

bash scripts/docs --check "$program" || complain "documents and program differ"

# Links of the documents lead somewhere.
for document in README.md assets/doc/*.md assets/NOTICES.md; do
    while IFS= read -r link; do
        [[ $link == http* || $link == '#'* ]] || [ -e "$(dirname "$document")/$link" ] || complain "$document links to $link, which is not there"
    done < <(grep -oE '\]\([^)]+\)' "$document" | sed 's/^](//; s/)$//')
done

# The first two commands are the two scripts, and every script that is named exists.
mapfile -t first < <(sed -n '/^```sh$/,/^```$/p' README.md | grep -oE '^scripts/[a-z]+' | head -2)
[ "${first[*]}" = "scripts/run scripts/test" ] || complain "the first commands of README.md are: ${first[*]}"
while IFS= read -r script; do
    [ -x "$script" ] || complain "README.md names $script, which is no program"
done < <(grep -oE 'scripts/[a-z]+' README.md | sort -u)

# Every command line of README.md runs as it stands.
commands=$(sed -n '/^```sh$/,/^```$/p' README.md | grep -E '^attnscope ' | sed 's/ *# .*//')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$PWD/assets" "$work/assets"
count=0
while IFS= read -r line; do
    count=$((count + 1))
    (cd "$work" && attnscope() { "$program" "$@"; } && eval "$line") >"$work/said" 2>&1 ||
        complain "README.md: $line fails: $(tail -1 "$work/said")"
done <<<"$commands"
[ $count -ge 6 ] || complain "only $count commands were found in README.md"

# Keys of the scenario format: each is described, and each that is described exists.
"$program" help export | sed -n '/Every key of a scenario/,$p' | grep -oE -- '--[a-z_]+' | sed 's/^--//' | sort -u >"$work/keys"
while IFS= read -r key; do
    grep -qE "\`$key\`" assets/doc/scenario.md || complain "scenario.md does not describe the key $key"
done <"$work/keys"
[ "$(wc -l <"$work/keys")" -gt 25 ] || complain "only $(wc -l <"$work/keys") keys were found"
finish "documents, links, $count commands and $(wc -l <"$work/keys") keys"
