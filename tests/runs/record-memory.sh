# shellcheck shell=bash disable=SC2154
# Compares the memory that a record takes with memcached's.
#
# usage: tests/run record-memory [OPTION ...]
#
# Fills a server until it refuses a put, and memcached with as many records, with what the last ./check has built.
# Prints bytes per record: of --memory, of memcached's slabs and hash table, and of what both processes have resident
# beyond what they had at their start.
#
# --memory MIB     of each server (default 128)
# --device NAME    of server and client (default shm)
# --values BYTES[,BYTES...]
#                  lengths of values, from 8 (default 8,32,100,1000)

run_java benchmarks "${quiet[@]}" org.onesided.benchmark.peers.RecordMemory "--root=$root" "$@"
