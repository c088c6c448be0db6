# shellcheck shell=bash disable=SC2154
# Lets clients come, work and go for a long time, and checks that the server keeps nothing of them.
#
# usage: tests/run soak [SECONDS [DEVICE]]
#
# Lets clients come, get, put, delete and go, beside one that stays, for SECONDS (default 1800) over DEVICE (default
# shm; tcp; chaos:42:shm puts the server and clients under faults). Verifies each value that is read. Looks at the
# server after a tenth of the time and at least 30 clients, and at the end, after at least 60 more, each time when its
# garbage is collected. Fails if it then has more sessions, threads, file handles, mappings or files in shared memory;
# or 600 KiB more of objects in the Java heap, or of memory outside it; or 48 MiB more of private resident memory, which
# compilers and the C library take. Uses what the last ./check has built; needs a JDK's jcmd.

seconds=${1:-1800}
[[ $seconds =~ ^[1-9][0-9]{0,6}$ ]] || refuse "not a number of seconds: seconds=$seconds"
run_java system "${quiet[@]}" org.onesided.endtoend.faults.Soak "$seconds" "${2:-shm}"
