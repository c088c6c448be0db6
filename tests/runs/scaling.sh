# shellcheck shell=bash disable=SC2154
# Computes what clusters of several sizes have on each server and client, and simulates the death of a server.
#
# usage: tests/run scaling
#
# Prints the table of docs/scaling.md, with what the last ./check has built. It takes a second, and prints the same each
# time.

read_options '' '' '' "$@"
run_java benchmarks "${quiet[@]}" org.onesided.benchmark.ScalingSimulation
