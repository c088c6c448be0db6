# shellcheck shell=bash disable=SC2154
# Measures what sessions that do nothing cost a busy one.
#
# usage: tests/run idle-sessions [OPTION ...]
#
# Measures puts and lookups of one session, alone and beside many that do nothing, with what the last ./check has built.
# Prints the medians and their ratio. The machine should have nothing else to do.
#
# --device NAME    of server and client (default shm)
# --sessions N     that do nothing (default 1000)
# --spin TIME      of the server, as its option --spin (default always)
# --rounds N       of both cases (default 3)
# --millis N       of each measurement (default 1500)

run_java benchmarks "${quiet[@]}" org.onesided.benchmark.IdleSessionsBenchmark "$@"
