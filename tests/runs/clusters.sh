# shellcheck shell=bash disable=SC2154
# Measures a cluster beside a single server, etcd and Hazelcast.
#
# usage: tests/run clusters [OPTION ...]
#
# Measures, with what the last ./check has built, a cluster of three servers beside a server alone with --data, three
# members of etcd, and three of Hazelcast with one synchronous backup: lookups by one client, of the first two; puts of
# 100 bytes by one client and by 16; and YCSB's workloads B (5 % puts) and A (50 %), zipfian. Prints medians and ranges
# of operations a second, and of their times; the cluster's ratios to the others, and what was reached of what is
# asked; processor time of members and client for each operation; and what members use while nobody asks them. It takes
# some eight minutes.
#
# --rounds N          turns of each (default 9)
# --millis N          milliseconds of a turn (default 1000)
# --warm-up N         milliseconds of each turn before the rounds (default 10000)
# --records N         records of 16 + 100 bytes (default 100000)
# --partitions N      partitions of the cluster, and shards of the server alone (default 8)
# --threads N         clients of YCSB's workloads (default 4)
# --idle SECONDS      for how long nobody asks at the end, 0 for not at all (default 30)
# --device NAME       shm or tcp: how onesided's clients reach its servers (default shm)
# --only NAME[,...]   only these systems: cluster, server, etcd, hazelcast
# --quick             one short round and few records
# --dir DIR           where the data go, in a folder that is deleted in the end (default: the first directory for
#                     temporary files that is on a disk)
#
# All systems run on loopback at the same time, each member in a process of its own, and take turns, in the other order
# in each second round; before each turn the file system is synced. Ratios are those of one round. All clients are
# threads of one process, and the same code measures them. Each system keeps its promises as it does by default, which
# differ: the run prints them. The machine should have nothing else to do.

if ! command -v etcd >/dev/null && may_install; then
    install_packages etcd-server
fi
run_java benchmarks "${quiet[@]}" -XX:-UsePerfData -Xmx512m org.onesided.benchmark.peers.ClustersBenchmark \
    "--root=$root" "$@"
