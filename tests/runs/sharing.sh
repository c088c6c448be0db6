# shellcheck shell=bash disable=SC2154
# Measures lookups of many threads that share one client: the table of docs/library.md.
#
# usage: tests/run sharing [DEVICE [ROUNDS [THREADS:SESSIONS ...]]]
#
# Prints lookups per second over DEVICE (default tcp) of THREADS that share one client with up to SESSIONS, with what the
# last ./check has built: the median of ROUNDS (default 5) and their range. By default it compares 8 threads with 200, in
# a minute. The machine should have nothing else to do.

device=${1:-tcp}
rounds=${2:-5}
[[ $device =~ ^(ibv|shm|tcp)$ ]] || refuse "not a device: device=$device"
[[ $rounds =~ ^[1-9][0-9]{0,2}$ ]] || refuse "not a number of rounds: rounds=$rounds"
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 8:8 200:1 200:8 200:64 200:200
run_java benchmarks "${quiet[@]}" org.onesided.benchmark.SharingBenchmark "$device" "$rounds" "$@"
