# shellcheck shell=bash disable=SC2154
# Replaces the records of a nearly full server at random, and counts refusals and READs per GET.

run_java benchmarks "${quiet[@]}" org.onesided.benchmark.ChurnBenchmark "$@"
