# shellcheck shell=bash disable=SC2154
# Replaces the records of a nearly full server at random, and counts refusals and READs per GET.
#
# usage: tests/run churn [OPTION ...]
#
# Fills a server for each length of values by itself and for all mixed, and replaces records at random, with what the
# last ./check has built. Prints refusals, overflow buckets and READs per GET. Fails if a put is refused.
#
# --device NAME    of server and client (default shm)
# --memory MIB     of each server (default 64)
# --shards N       of each server (default 1); of several the fullest is fuller
# --percent N      of the heap at its full size that is kept in use (default 97)
# --turnovers N    how often the heap's bytes are written anew (default 20)
# --values BYTES[,BYTES...]
#                  lengths of values, one server each; mixed is 8 to 4096 (default mixed and ten lengths)

run_java benchmarks "${quiet[@]}" org.onesided.benchmark.ChurnBenchmark "$@"
