# shellcheck shell=bash disable=SC2154
# Imports into a server that grows while others look up and put, beside one that has its memory from the start.
#
# usage: tests/run growth [OPTION ...]
#
# Imports records by one client until a server is 90 % full, while another client looks up 100,000 keys that its mirror
# knows at full speed, and a third one puts once a millisecond. Each round does that with a server that grows and with
# one that has its memory from the start, with what the last ./check has built. Prints READs per lookup, latencies and
# the rates of the imports.
#
# --device NAME    of server and clients (default shm)
# --memory MIB     of the server at its full size (default 8192)
# --value BYTES    length of the values (default 1000)
# --shards N       of the server (default 1)
# --rounds N       each with both servers (default 1)
# --quick          1 GiB of values of 400 bytes
# --alone          only imports: no lookups, no puts

run_java benchmarks "${quiet[@]}" org.onesided.benchmark.peers.GrowingTable "--root=$root" "$@"
