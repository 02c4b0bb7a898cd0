#!/usr/bin/env bash
# Names the C++ files that are not laid out as .clang-format says, or with --write sets them right.
set -euo pipefail
cd "$(dirname "$0")/.."

sources() {
    git ls-files -z --cached --others --exclude-standard --deduplicate -- '*.cpp' '*.hpp'
}

if [[ ${1:-} == --write ]]; then
    sources | xargs -0 -r -n 40 clang-format-22 -i
    exit 0
fi

report=$(mktemp)
trap 'rm -f "$report"' EXIT
if ! sources | xargs -0 -r -n 40 clang-format-22 --dry-run -Werror 2>"$report"; then
    grep -oE '^[^ :]+:[0-9]+' "$report" | sort -t: -k1,1 -k2,2n | sort -t: -u -k1,1 >&2 || cat "$report" >&2
    echo "format: these files are not laid out; 'make format' does it" >&2
    exit 1
fi
