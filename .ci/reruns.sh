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

# Prints those lines of list_reruns, on standard input, that no second run forgives: a server that failed or ended by
# itself, an error that was logged, or a wake-up that was lost, is no matter of time.
list_unforgiven()
{
    grep -E ': (.* )?(server failed: |server ended by itself: |an error was logged: |wake-ups were lost)' || true
}
