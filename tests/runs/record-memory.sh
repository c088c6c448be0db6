# shellcheck shell=bash disable=SC2154
# Compares the memory that a record takes with memcached's.

run_java benchmarks "${quiet[@]}" org.onesided.benchmark.peers.RecordMemory "--root=$root" "$@"
