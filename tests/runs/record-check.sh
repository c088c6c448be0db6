# shellcheck shell=bash disable=SC2154
# Measures candidates for the record check: the table of docs/record-check.md.
#
# usage: tests/run record-check
#
# Measures candidates for the record check beside a plain copy, with what the last ./check has built, in half a minute.
# Prints the table of docs/record-check.md for the JDK it runs on (JAVA_HOME chooses it). tests/run jmh
# RecordCheckBenchmark measures each by itself.

run_java benchmarks "${quiet[@]}" org.onesided.protocol.table.RecordCheckTable
