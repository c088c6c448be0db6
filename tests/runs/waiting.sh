# shellcheck shell=bash disable=SC2154
# Measures the ways of waiting: the tables of docs/waiting.md.
#
# usage: tests/run waiting [DEVICE [short]]
#        tests/run waiting shared [--rounds N] [--millis N] [--in WORD,...]
#
# Measures PUTs, lookups and processor time for each way of waiting on both sides, over DEVICE (default shm), with what
# the last ./check has built, in about three minutes; "short" takes only the same way on both sides and the defaults, in
# one. Prints the tables of docs/waiting.md. The machine should have nothing else to do.
#
# "shared" measures GETs over tcp and PUTs over shm beside Redis, on cores that others want, too: beside busy processes,
# on one core, and in cgroups with a quota of a CPU (as root). It takes some 15 minutes; "shared --help" lists its
# options. Exit code 1 if a bar is missed.

if [ "${1-}" = shared ]; then
    run_java benchmarks "${quiet[@]}" org.onesided.benchmark.peers.SharedCoresBenchmark "--root=$root" "${@:2}"
else
    run_java benchmarks "${quiet[@]}" org.onesided.benchmark.WaitingBenchmark "${1:-shm}" "${@:2}"
fi
