# shellcheck shell=bash disable=SC2154
# Fuzzes the device tcp.
#
# usage: tests/run fuzz [--frames N] [--seconds N] [--seed N] [--from N]
#
# Talks to the device tcp over loopback, with what the last ./check (or ./mvnw -DskipTests package) has built: over one
# connection after the other, in both roles, in frames that are changed so that they stay good, or in any way. A second,
# slow reading of the RFCs says after each round what must have happened: whether the connection ends with a TERMINATE,
# what stands in memory, which messages and READs are complete. Ends with 1 if the device does otherwise, throws, hangs,
# writes outside of its regions, or leaves threads, file descriptors or memory behind.
#
# --frames N   stops when the device has read N frames (default 10000000, some minutes)
# --seconds N  stops after N seconds
# --seed N     of all that is random; printed, and otherwise new each time
# --from N     number of the first conversation, as a failure names it; seed and number repeat a conversation

read_options '' '--frames --seconds --seed --from' '' "$@"
need_build conformance
exec "${java[@]}" -XX:+UseSerialGC -XX:-UsePerfData -Xmx512m org.onesided.iwarp.FuzzMain "$@"
