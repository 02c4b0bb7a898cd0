#!/usr/bin/env bash
# Checks the layout of all C++ files, or with --write sets it right.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(--dry-run -Werror)
[[ ${1:-} == --write ]] && mode=(-i)
git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.hpp' |
    xargs -0 -r -n 40 clang-format-22 "${mode[@]}" ||
    { echo "format: 'make format' lays the code out" >&2; exit 1; }
