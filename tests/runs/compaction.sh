# shellcheck shell=bash disable=SC2154
# Measures puts of a session while another's long values make the heap be compacted.
#
# usage: tests/run compaction [DEVICE [MEMORY-MIB]]
#
# Over DEVICE (default shm), to a server of one shard and MEMORY-MIB (default 256), with what the last ./check has built,
# in some 30 seconds: prints the latencies of a session's puts of 100 bytes alone, beside another session's values of
# 8 MiB that find room, and beside such values in a heap of records of 144 bytes of which 43 % were deleted at random,
# until there is no room. The machine should have nothing else to do.

run_java benchmarks "${quiet[@]}" org.onesided.benchmark.CompactionBenchmark "$@"
