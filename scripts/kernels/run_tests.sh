#!/bin/sh
# Runs the tests that /tests/list names in the emulated machine, two at a time, until the time in /tests/seconds is over,
# and reports them to the console that the host reads (scripts/check_kernels.py):
#   PASS|FAIL <test> <seconds> <exit status>, then, after "| ", what of it was skipped, or the last lines of its output
# Called with a line of the list, it runs that test.
export PATH=/bin HOME=/root
report=/dev/hvc0

run_test() {
    now=$(cut -d. -f1 /proc/uptime)
    deadline=$(cat /tests/deadline)
    [ "$now" -lt "$deadline" ] || return 0
    # One that has begun may take a minute more. One that would take longer did not fit the time.
    bound=300
    left=$((deadline + 60 - now))
    [ $left -ge $bound ] || bound=$left
    output=/tests/output/$1
    if [ "$2" != - ]; then export EDDY_BACKEND="$2"; fi
    cd /root || exit 1
    timeout -s KILL $bound "/tests/$3" "$4" >"$output" 2>&1 </dev/null
    status=$?
    [ $status -ne 137 ] || [ $bound -eq 300 ] || return 0
    seconds=$(($(cut -d. -f1 /proc/uptime) - now))
    word=PASS
    # 77: some of its tests were skipped (tests/support/main.cpp).
    if [ $status -ne 0 ] && [ $status -ne 77 ] || grep -q '^skipped: all:' "$output"; then
        word=FAIL
    fi
    {
        echo "$word $1 $seconds $status"
        case $word$status in
            PASS77) sed -n '/^skipped: /p' "$output" ;;
            FAIL*) grep -v '^\[       OK \]\|^\[ RUN  ' "$output" | tail -n 60 ;;
        esac | sed 's/^/| /'
    } >"$output.report"
    until mkdir /tests/lock 2>/dev/null; do
        sleep 0.1
    done
    cat "$output.report" >$report
    rmdir /tests/lock
    rm -f "$output" "$output.report"
}

if [ $# -eq 4 ]; then
    run_test "$@"
    exit 0
fi

mkdir -p /dev/pts /dev/shm /tests/output
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /run
ln -sf /proc/self/fd /dev/fd
ip link set lo up
hostname eddy
ulimit -n 20000
stty raw <$report
echo "KERNEL $(uname -r)" >$report
echo $(($(cut -d. -f1 /proc/uptime) + $(cat /tests/seconds))) >/tests/deadline
xargs -P 2 -n 4 /bin/sh /run_tests.sh </tests/list
echo "END" >$report
sync
poweroff -f
