# shellcheck shell=bash disable=SC2154
# Puts large values among short ones while the heap has room for them by its bytes.
#
# usage: tests/run large-values [OPTION ...]
#
# Prints how many large values were taken, and how long that took, with what the last ./check has built. Fails if one is
# refused.
#
# --device NAME    of server and client (default shm)
# --memory MIB     of each server, at least 256 (default 512)
# --lengths N      values of random lengths up to 64 MiB that are put (default 500)

run_java benchmarks "${quiet[@]}" org.onesided.benchmark.LargeValuesBenchmark "$@"
