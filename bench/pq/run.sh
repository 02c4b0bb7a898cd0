#!/bin/sh
# Runs a program against a PostgreSQL server of its own, which ends with it:
#   bench/pq/run.sh build/bench/bin/eddy-bench-pq --contest ping/local
# The server has one core and the program, unless it is told otherwise, another one: where the scheduler puts
# two that wait for each other counts for more than what either of them does.
set -eu
directory=$(mktemp -d)
server=
end() {
  [ -z "$server" ] || kill -INT "$server" 2> /dev/null || true
  [ -z "$server" ] || wait "$server" 2> /dev/null || true
  rm -rf "$directory"
}
trap end EXIT
chmod 755 "$directory"
tests=$(dirname "$0")/../../tests
port=${PGPORT:-$(PYTHONPATH=$tests/apps PYTHONDONTWRITEBYTECODE=1 python3 -c 'import ports; print(ports.free_port())')}
server_core=
program_core=
if taskset -c 1 true 2> /dev/null; then
  server_core='taskset -c 0'
  program_core='taskset -c 1'
fi
: > "$directory/log"
$server_core "$tests/support/postgres.sh" "$directory" "$port" "$directory/template" > "$directory/log" 2>&1 &
server=$!
until grep -q 'ready to accept connections' "$directory/log"; do
  kill -0 "$server" 2> /dev/null || { cat "$directory/log" >&2; exit 1; }
  sleep 0.1
done
PGHOST=$directory PGPORT=$port PGUSER=postgres PGDATABASE=postgres $program_core "$@"
