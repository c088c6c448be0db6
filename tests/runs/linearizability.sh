# shellcheck shell=bash disable=SC2154
# Checks that the store is linearizable.
#
# usage: tests/run linearizability [--device NAMES] [--operations N] [--seed N] [--long] [--evict]
#                                   [--summary FILE]
#
# Lets clients in processes of their own work on a few hot keys of a small store, and checks that there is an order of
# their operations that explains all they saw, with what the last ./check has built. On a violation it shows the fewest
# operations that it found to be without such an order.
#
# --device NAMES    devices, comma-separated (default shm)
# --operations N    on each device (default 2000000)
# --seed N          of what is drawn (default: another one each time; it is printed)
# --long            100 times as many operations
# --evict           with a server that evicts keys; then nobody counts, as a count may begin anew
# --summary FILE    adds a line for each device: its name, operations, faults injected, torn READs caught, violations

read_options '--long --evict' '--operations --seed' '--device --summary' "$@"
run_java concurrency org.onesided.linearizability.Runner "$@"
