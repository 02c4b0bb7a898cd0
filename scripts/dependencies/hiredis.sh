#!/usr/bin/env bash
# Builds a newer hiredis than Debian's, as a static library with its headers and its .pc file, into a directory. Its source
# comes with Python's package `hiredis`.
#   scripts/dependencies/hiredis.sh PREFIX
set -euo pipefail

package=hiredis==3.5.0 # carries hiredis 1.5.0
prefix=$1
[[ ! -e $prefix/lib/libhiredis.a ]] || exit 0

mkdir -p "$prefix"/{source,lib/pkgconfig,include/hiredis}
prefix=$(cd "$prefix" && pwd)
cd "$prefix/source"
python3 -m pip download --quiet --no-deps --no-binary :all: "$package" || {
    echo "dependencies: $package cannot be downloaded; see above" >&2
    exit 1
}
tar --extract --strip-components=1 --file hiredis-*.tar.gz
cd vendor/hiredis
for part in alloc async dict hiredis net read sds sockcompat; do
    cc -O2 -fPIC -c "$part.c"
done
cp ./*.h "$prefix/include/hiredis/"
cat >"$prefix/lib/pkgconfig/hiredis.pc" <<PC
Name: hiredis
Description: Minimalistic C client library for Redis.
Version: $(sed -nE 's/^#define HIREDIS_(MAJOR|MINOR|PATCH) ([0-9]+).*/\2/p' hiredis.h | paste -sd.)
Cflags: -I$prefix/include
Libs: -L$prefix/lib -lhiredis
PC
ar rcs "$prefix/lib/libhiredis.a" ./*.o
