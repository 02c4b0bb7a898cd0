#!/bin/sh
# Runs a PostgreSQL server for a test, until it is sent SIGQUIT or SIGINT or whoever started it has ended:
#   postgres.sh FOLDER PORT TEMPLATE [SETTING=VALUE ...]
# FOLDER, an existing one, takes its data, unless it has some already, and its Unix socket; PORT is that of 127.0.0.1. TEMPLATE is a folder
# in which an initialised cluster is kept for the next server, and made if it is not there. Users: postgres,
# without a password; "scram" needs the password that it is given, over TCP. Root runs it as the user postgres.
set -eu
folder=$1
port=$2
template=$3
shift 3
bin=$(pg_config --bindir 2>/dev/null || true)
[ -x "$bin/postgres" ] || bin=$(find /usr/lib/postgresql -name bin -type d 2>/dev/null | sort -V | tail -n 1)

run_as=
if [ "$(id -u)" = 0 ]; then
  run_as="setpriv --reuid=postgres --regid=postgres --clear-groups"
  chown postgres "$folder"
fi

mkdir -p "$(dirname "$template")"
(
  flock 9
  if [ ! -d "$template" ]; then
    $run_as "$bin/initdb" --no-sync --auth=trust --username=postgres --encoding=UTF8 --locale=C.UTF-8 \
      --wal-segsize=1 --pgdata="$folder/data" > /dev/null
    rm -rf "$template.new"
    cp -r "$folder/data" "$template.new"
    rm -rf "$folder/data"
    mv "$template.new" "$template"
  fi
) 9> "$template.lock"

if [ ! -d "$folder/data" ]; then
  cp -r "$template" "$folder/data"
fi
rm -f "$folder/data/postmaster.pid"
chmod 700 "$folder/data"
{
  echo 'local all all trust'
  echo 'host all scram 127.0.0.1/32 scram-sha-256'
  echo 'host all all 127.0.0.1/32 trust'
} > "$folder/data/pg_hba.conf"
[ -z "$run_as" ] || chown -R postgres "$folder/data"

settings=
for setting in "$@"; do
  settings="$settings -c $setting"
done
cd "$folder"
# shellcheck disable=SC2086  # words of their own
exec setpriv --pdeathsig=INT $run_as "$bin/postgres" -D "$folder/data" -k "$folder" -p "$port" \
  -c listen_addresses=127.0.0.1 \
  -c fsync=off -c full_page_writes=off -c shared_buffers=16MB -c max_connections=120 \
  -c autovacuum=off $settings
