# shellcheck shell=bash disable=SC2154
# Imports into a server that grows while others look up and put, beside one that has its memory from the start.

run_java benchmarks "${quiet[@]}" org.onesided.benchmark.peers.GrowingTable "--root=$root" "$@"
