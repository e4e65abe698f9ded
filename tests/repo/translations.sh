#!/usr/bin/env bash
# Every message of the program stands in the catalogues, translated, with the arguments of the English one: translations.sh SOURCE
source "$(dirname "$0")/report.sh"
said=$("$1/scripts/po" --check 2>&1) || { printf '%s\n' "$said" | head -40 >&2; complain "the catalogues are behind the source: scripts/po brings them up to date"; }
# A message is a whole text: it neither begins nor ends with what would join it to another one. Separators of names and indented
# lines of a copied text are the exceptions.
glued=$(msgcat --no-wrap "$1/assets/po/zh_CN.po" | sed -n 's/^msgid\(_plural\)\? "\(.*\)"$/\2/p' |
    grep -E '^[ ,;·]|[ ,·]$|\(s\)' | grep -vxE ', |  \(.*\)\\n|sum %s\\n' || true)
[ -z "$glued" ] || complain "messages that are fragments: $glued"

finish "the catalogues hold every message"
