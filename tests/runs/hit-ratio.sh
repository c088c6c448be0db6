# shellcheck shell=bash disable=SC2154
# Replays traces through a server that evicts, beside Redis, memcached and W-TinyLFU with as much memory.
#
# usage: tests/run hit-ratio [OPTION ...]
#
# Each key of a trace is looked up, and put where it was absent, with what the last ./check has built. Prints the share
# of lookups that found their key. Redis or memcached that is not installed is left out.
#
# --traces NAME[,NAME...]  zipf-EXPONENT (with scans), mixed (values of 64 bytes to 64 KiB), or a file with a key a line,
#                          as tests/run eviction --write makes them of real traces
# --percent N[,N...]       memory, in percent of all that the trace's records would take (default 1,5,20)
# --lookups N              of each trace at most (default 300000)
# --value BYTES            length of values, but for mixed (default 4000)
# --runs N                 of which the median is printed (default 1)
# --systems NAME[,NAME...] onesided, allkeys-lru and allkeys-lfu (Redis), memcached, and
#                         w-tinylfu (Caffeine, in this process) (default all)
# --device NAME            of server and client (default shm)

run_java benchmarks "${quiet[@]}" org.onesided.benchmark.peers.HitRatioBenchmark "$@"
