#!/bin/sh
# Runs a PostgreSQL server for a test, until it is sent SIGQUIT or SIGINT or whoever started it has ended:
#   postgres.sh DIRECTORY PORT TEMPLATE [SETTING=VALUE ...]
# DIRECTORY, an existing one, takes its data, unless it has some already, and its Unix socket; PORT is that of 127.0.0.1.
# TEMPLATE is a directory in which an initialised cluster is kept for the next server, and made if it is not there; a user
# who may not write there makes a new one each time. Users: postgres, without a password; "scram" needs the password
# that it is given, over TCP. Root runs it as the user postgres.
set -eu
directory=$1
port=$2
template=$3
shift 3
bin=$(pg_config --bindir 2>/dev/null || true)
[ -x "$bin/postgres" ] || bin=$(find /usr/lib/postgresql -name bin -type d 2>/dev/null | sort -V | tail -n 1)

run_as=
if [ "$(id -u)" = 0 ]; then
  run_as="setpriv --reuid=postgres --regid=postgres --clear-groups"
  chown postgres "$directory"
fi

initialise() {
  $run_as "$bin/initdb" --no-sync --auth=trust --username=postgres --encoding=UTF8 --locale=C.UTF-8 \
    --wal-segsize=1 --pgdata="$directory/data" > /dev/null
}

mkdir -p "$(dirname "$template")" 2> /dev/null || true
if [ -d "$directory/data" ]; then
  :
elif [ ! -w "$(dirname "$template")" ] || { [ -e "$template" ] && [ ! -r "$template" ]; }; then
  initialise
else
  (
    flock 9
    if [ ! -d "$template" ]; then
      initialise
      rm -rf "$template.new"
      cp -r "$directory/data" "$template.new"
      rm -rf "$directory/data"
      mv "$template.new" "$template"
    fi
  ) 9> "$template.lock"
  cp -r "$template" "$directory/data"
fi
rm -f "$directory/data/postmaster.pid"
chmod 700 "$directory/data"
{
  echo 'local all all trust'
  echo 'host all scram 127.0.0.1/32 scram-sha-256'
  echo 'host all all 127.0.0.1/32 trust'
} > "$directory/data/pg_hba.conf"
[ -z "$run_as" ] || chown -R postgres "$directory/data"

settings=
for setting in "$@"; do
  settings="$settings -c $setting"
done
cd "$directory"
# shellcheck disable=SC2086  # words of their own
exec setpriv --pdeathsig=INT $run_as "$bin/postgres" -D "$directory/data" -k "$directory" -p "$port" \
  -c listen_addresses=127.0.0.1 \
  -c fsync=off -c full_page_writes=off -c shared_buffers=16MB -c max_connections=120 \
  -c autovacuum=off $settings
