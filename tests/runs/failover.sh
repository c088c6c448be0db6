# shellcheck shell=bash disable=SC2154
# Measures how long writes pause when a partition of a cluster gets another leader, and what idle members use.
#
# usage: tests/run failover [OPTION ...]
#
# Starts a cluster of three on this machine, with 8 partitions and leases of 1 s, with what the last ./check has built.
# 24 threads put keys. Prints the longest put around each planned transfer of a partition, and around each kill -9 of a
# member that leads some; then the processor time of the members while nobody uses them, by whose threads use it. The
# machine should have nothing else to do.
#
# --transfers N    (default 40)
# --kills N        (default 20)
# --idle SECONDS   (default 30)

read_options '' '--transfers --kills --idle' '' "$@"
run_java benchmarks "${quiet[@]}" org.onesided.benchmark.FailoverBenchmark "${transfers:-40}" "${kills:-20}" \
    "${idle:-30}"
