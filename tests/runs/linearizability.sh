# shellcheck shell=bash disable=SC2154
# Checks that the store is linearizable.
#
# usage: tests/run linearizability [--device NAMES] [--operations N] [--seed N] [--long] [--evict]
#                                   [--summary FILE]
#        tests/run linearizability --kills N [--evict] [--sync MODES] [--device NAMES] [--seed N]
#        tests/run linearizability --kills N --plug [--seed N]
#        tests/run linearizability --cluster N [--harms N] [--operations N] [--device NAMES] [--seed N]
#
# Lets clients in processes of their own work on a few hot keys of a small store, and checks that there is an order of
# their operations that explains all they saw, with what the last ./check has built. On a violation it shows the fewest
# operations that it found to be without such an order.
#
# With --kills, the server keeps its table in a log and is killed (SIGKILL) at random moments while 8 clients work with
# values of up to 8 MiB. It starts again on the same port, and the order must hold across all restarts.
#
# With --plug, the server is in a virtual machine, with its data on the machine's disk and --sync always, and clients
# outside work over tcp. Each kill pulls the machine's plug: qemu ends by SIGKILL, so the machine's page cache is gone.
#
# With --cluster, there are so many servers, members of a cluster; with more than three, each partition is on three of
# them, and replicas move. One after the other is killed and started again, replaced, or stopped for longer than leases
# last, while 4 clients with 2 threads each work.
#
# --device NAMES    devices, comma-separated (default shm)
# --operations N    on each device (default 2000000)
# --seed N          of what is drawn (default: another one each time; it is printed)
# --long            100 times as many operations
# --evict           with a server that evicts keys; then nobody counts, as a count may begin anew
# --summary FILE    adds a line for each device: its name, operations, faults injected, torn READs caught, violations
# --kills N         of the server, on each device and in each mode of --sync, in rounds of 20 that each begin anew
# --plug            kill the virtual machine of the server, in rounds of 10
# --cluster N       members, at least 3, in rounds that each begin anew
# --harms N         in each round (default 10)
# --sync MODES      when the log is forced to the disk: always, interval, or both (default always,interval)

read_options '--long --evict --plug' '--operations --seed --kills --cluster --harms' '--device --summary --sync' "$@"
if [ -n "$plug" ] && { [ -z "$kills" ] || [ -n "$device$sync$operations$long$evict$summary" ]; }; then
    refuse '--plug needs --kills, and takes no other option than --seed'
fi
run_java concurrency org.onesided.linearizability.Runner "$@"
