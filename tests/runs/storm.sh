# shellcheck shell=bash disable=SC2154
# Measures how long many clients take that connect all at once: the table of docs/library.md.
#
# usage: tests/run storm [OPTION ...]
#
# Lets clients of several processes connect all at once to a server, over tcp, over shm, and over tcp within TLS, with
# what the last ./check has built. Each process has connected one client before. Prints how long it took until the last
# one was connected, and the processor time of the clients and of the server. Fails if a client fails; says "missed" and
# fails if 1,000 clients or fewer take longer than 5 s, within TLS 20 s (more clients: in proportion). That is for two
# cores that have nothing else to do.
#
# --processes N    of clients (default 10)
# --clients N      of each process (default 100)

run_java system "${quiet[@]}" org.onesided.endtoend.storm.ConnectStormRun "$@"
