# shellcheck shell=bash disable=SC2154
# Plants known bugs, and checks that the tests find each.
#
# usage: tests/run mutations [--only NAMES] [--seeds N] [--verbose]
#
# Plants bugs into a copy of the store, one after the other, and runs the linearizability test with each, with what the
# last ./check has built: it must find a violation, or the failure that the mutation's file names, within 500,000
# operations, with each of 3 seeds. It looks first after 16,000, and then each time that they have doubled. Without a
# bug, but with what makes bugs show (slow-motion), nothing may be found. Bugs that name a test (those in the folder
# unit) come first: that test alone is run, and must fail with the bug and pass without. Runs with the bugs in the folder
# kills kill a server with a log 6 times. Bugs in the folder plug are planted only if --only names them: their runs pull
# the plug of the server's virtual machine, up to 10 times, and take minutes. Exit code 0 if all is so.
#
# --only NAMES    of mutations (files in tests/concurrency/src/test/mutations and its folders unit, kills and plug),
#                 comma-separated; slow-motion for the run without a bug
# --seeds N       runs with each bug (default 3)
# --verbose       show what was found; without it, only of a run that failed otherwise than it should

read_options --verbose '' '--only --seeds' "$@"
[[ ${seeds:-3} =~ ^[1-9][0-9]?$ ]] || refuse "not a number from 1 to 99: option=--seeds value=$seeds"
run_java concurrency org.onesided.linearizability.mutation.Mutations "$root" "$@"
