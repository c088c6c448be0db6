# shellcheck shell=bash disable=SC2154
# Runs the JMH benchmarks of the parts.
#
# usage: tests/run jmh [JMH OPTIONS] [BENCHMARK ...]
#
# Runs the benchmarks of the parts with what the last ./check (or ./mvnw -DskipTests package) has built. BENCHMARKs are
# regular expressions over their names; without one all run, which takes some minutes. In short, unless OPTIONS say
# otherwise: 1 fork, 3 warm-up and 5 measured rounds of 1 s each.
#
#   tests/run jmh -l                             their names
#   tests/run jmh StoreBenchmark -prof gc        a session's operations, and the bytes that each allocates
#   tests/run jmh StoreBenchmark -prof gc -p server=inside   the same of client and server together
#   tests/run jmh RecordCheckBenchmark           candidates for the record check
#   tests/run jmh -h                             JMH's options
#
# The machine should have nothing else to do.

# JMH starts its own JVMs with the options of this one.
run_java benchmarks -Dorg.slf4j.simpleLogger.defaultLogLevel=warn org.openjdk.jmh.Main "$@"
