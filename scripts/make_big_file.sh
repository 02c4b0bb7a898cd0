#!/usr/bin/env bash
# Writes the file of 10 MiB that the site offers: the same bytes every time.
#   scripts/make_big_file.sh FILE
set -euo pipefail

file=${1:?usage: scripts/make_big_file.sh FILE}
bytes=$((10 * 1024 * 1024))

# A line is 64 bytes and names its own offset, so that a mixed-up download shows where.
line_bytes=64
temporary=$(mktemp "$file.XXXXXX")
trap 'rm -f "$temporary"' EXIT
seq -f '%015.0f eddy carries bytes from here to there and back.' \
    0 "$line_bytes" $((bytes - line_bytes)) | cut -c "-$((line_bytes - 1))" >"$temporary"

[[ $(stat -c %s "$temporary") -eq $bytes ]] || { echo "make_big_file: wrong size" >&2; exit 1; }
chmod 644 "$temporary"
mv "$temporary" "$file"
