#!/usr/bin/env bash
# Every message of the program stands in the catalogues, translated, with the arguments of the English one: translations.sh SOURCE
source "$(dirname "$0")/report.sh"
said=$("$1/scripts/po" --check 2>&1) || { printf '%s\n' "$said" | head -40 >&2; complain "the catalogues are behind the source: scripts/po brings them up to date"; }
finish "the catalogues hold every message"
