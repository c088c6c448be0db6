# shellcheck shell=bash disable=SC2154,SC2164
# Stresses records and rings at the level of the memory model, with jcstress.
#
# usage: tests/run jcstress [--all | --mutations] [JCSTRESS OPTIONS]
#
# Has two threads write and read the same record, or the same ring, millions of times, compiled in different ways, and
# says whether the reader ever saw what it may not see, with what the last ./check has built. Takes some 30 seconds.
#
#   --all          all of the JVM's ways to compile, which takes some minutes
#   --mutations    plants four bugs, one at a time, and checks that each is found
#   -t NAME        only tests of that name (InPlaceStress, MoveStress, RingStress, WakeStress); other options are
#                  jcstress' own
#
# Reports go to tests/concurrency/target/jcstress.

mode=short
case ${1-} in
    --all) mode=all && shift ;;
    --mutations) mode=mutations && shift ;;
esac
need_build concurrency
lock_build
output=$tested/target/jcstress
flags=$(grep -v '^#' "$java_options" | tr '\n' ' ')
case $mode in
    mutations) exec "${java[@]}" org.onesided.linearizability.mutation.StressMutations "$root" "$flags" "$@" ;;
    all) set -- -jvmArgsPrepend "$flags" -f 1 -iters 3 -time 500 -r "$output/" "$@" ;;
    *) set -- -jvmArgs "$flags" -f 1 -iters 3 -time 1000 -sc false -r "$output/" "$@" ;;
esac
mkdir -p "$output"
cd "$output"
# Its JVMs have the options from above; this one has none.
exec "$java_home/bin/java" -cp "$class_path" org.openjdk.jcstress.Main "$@"
