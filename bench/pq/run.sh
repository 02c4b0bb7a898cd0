#!/bin/sh
# Runs a program against a PostgreSQL server of its own, which ends with it:
#   bench/pq/run.sh build/bench/bin/eddy-bench-pq --contest ping/local
set -eu
folder=$(mktemp -d)
server=
end() {
  [ -z "$server" ] || kill -INT "$server" 2> /dev/null || true
  [ -z "$server" ] || wait "$server" 2> /dev/null || true
  rm -rf "$folder"
}
trap end EXIT
chmod 755 "$folder"
port=${PGPORT:-54329}
"$(dirname "$0")/../../tests/support/postgres.sh" "$folder" "$port" "$folder/template" > "$folder/log" 2>&1 &
server=$!
until grep -q 'ready to accept connections' "$folder/log"; do
  kill -0 "$server" 2> /dev/null || { cat "$folder/log" >&2; exit 1; }
  sleep 0.1
done
PGHOST=$folder PGPORT=$port PGUSER=postgres PGDATABASE=postgres "$@"
