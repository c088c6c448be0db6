# shellcheck shell=bash disable=SC2154
# Measures puts of a session while another's long values make the heap be compacted.
#
# usage: tests/run compaction [DEVICE [MEMORY-MIB]]
#
# Fills a server of one shard and MEMORY-MIB (default 256) with records of 144 bytes, deletes 43 % of them at random, and
# puts values of 8 MiB until there is no room, over DEVICE (default shm), with what the last ./check has built, in some
# 20 seconds. Prints the latencies of another session's puts of 100 bytes before and meanwhile, and what became of the
# long ones. The machine should have nothing else to do.

run_java benchmarks "${quiet[@]}" org.onesided.benchmark.CompactionBenchmark "$@"
