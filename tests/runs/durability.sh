# shellcheck shell=bash disable=SC2154
# Measures a store on disk beside the disk itself, Redis and etcd.
#
# usage: tests/run durability [OPTION ...]
#
# Measures, with what the last ./check has built: puts of 100 bytes to stores with --sync always, --sync interval and
# without --data, beside fdatasync of the same bytes, Redis with appendfsync always and everysec, and a single member of
# etcd; lookups while puts are logged; puts while a snapshot is written; and restarts from the log and from a snapshot.
# Prints medians and ranges, and what was reached of what is asked. It takes some six minutes.
#
# --rounds N          turns of each (default 5)
# --quick             one short round and few records, in some 40 seconds
# --only NAME[,...]   only these parts: disk, puts, redis, etcd, gets, snapshot, restart
# --dir DIR           where the data go, in a folder that is deleted in the end (default: the first directory for
#                     temporary files that is on a disk)
#
# All of it is on one file system, in one run. All systems run at the same time, and take turns; before each turn the
# file system is synced. Ratios are those of one round. Redis and etcd are started on free ports, and stopped in the
# end; one that is not installed is left out. redis-benchmark is the client of Redis. etcd is asked over its JSON
# gateway, which takes more of the processor than its own clients do. Redis does not write its file anew meanwhile, and
# onesided writes no snapshot but where that is measured. The machine should have nothing else to do.

packages=()
for program in redis-server:redis-server redis-benchmark:redis-tools etcd:etcd-server; do
    command -v "${program%:*}" >/dev/null || packages+=("${program#*:}")
done
if [ "${#packages[@]}" -gt 0 ] && may_install; then
    install_packages "${packages[@]}"
elif [ "${#packages[@]}" -gt 0 ]; then
    say "left out, since they are not installed: ${packages[*]} (as root: apt-get install ${packages[*]})"
fi
# As many connections stay open as there are clients of etcd. What servers log of their starts is left out.
run_java benchmarks "${quiet[@]}" -XX:-UsePerfData -Dhttp.maxConnections=16 \
    org.onesided.benchmark.peers.DurabilityBenchmark "--root=$root" "$@" 2> >(grep -v ' INFO ' >&2)
