# shellcheck shell=bash disable=SC2154
# Puts large values among short ones while the heap has room for them by its bytes.

run_java benchmarks "${quiet[@]}" org.onesided.benchmark.LargeValuesBenchmark "$@"
