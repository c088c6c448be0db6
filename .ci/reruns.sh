# shellcheck shell=bash
# Which tests continuous integration has run again. Sourced.

# Prints what log $1 of ./check on JDK $2 says was run again, a line each: JDK and test, how its first run failed, and how
# the next ended. Those of the virtual machine come as tests/vm/run-tests says them.
list_reruns()
{
    awk -v version="$2" '
        /^\[(WARNING|ERROR)\] [^ ]/ { test = $0; sub(/^[^ ]* /, "", test) }
        /^\[ERROR\]   Run 1: / { sub(/^\[ERROR\]   Run 1: /, ""); first = $0 }
        /^\[(INFO|ERROR)\]   Run 2: / {
            print "  JDK " version ": " test ": " first " (" ($0 ~ /Run 2: PASS$/ ? "passed" : "failed") " when run again)"
        }
        /^vm: run again after a failure/ { print "  JDK " version ": " $0 }' "$1"
}
