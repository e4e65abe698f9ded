# Shared by the tests of the repository: collect complaints, print them all, fail at the end.
set -euo pipefail
export LC_ALL=C.UTF-8
complaints=0
complain() {
    complaints=$((complaints + 1))
    printf '%s\n' "$*"
}
finish() {
    if [ "$complaints" -gt 0 ]; then
        printf '%s complaint(s)\n' "$complaints"
        exit 1
    fi
    printf '%s\n' "$*"
}
