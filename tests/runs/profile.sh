# shellcheck shell=bash disable=SC2154
# Shows where the time of operations goes: the tables of docs/profile.md.
#
# usage: tests/run profile [RECORDS]
#
# Samples GET, getAll, PUT and putAll over shm on RECORDS records (default 1000000) of 16 + 100 bytes, with what the
# last ./check has built, in about two minutes, and prints the tables of docs/profile.md: of each operation, the share
# of its parts. The machine should have nothing else to do.

records=${1:-1000000}
[[ $records =~ ^[1-9][0-9]{3,7}$ ]] || refuse "not a number of records from 1000 to 99999999: records=$records"
run_java benchmarks "${quiet[@]}" -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints '-Xlog:jfr*=off' \
    org.onesided.benchmark.ProfileBenchmark shm "$records"
