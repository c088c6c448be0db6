# shellcheck shell=bash disable=SC2154
# Kills clients of a server in every phase of their lives, or the server.
#
# usage: tests/run faults [--device DEVICE] [--long | CLIENTS]
#        tests/run faults [--device DEVICE] --restarts [N]
#
# Kills (SIGKILL) at least CLIENTS clients of one server, with --long 1,000 (default 50), each a process of its own, as
# many in each of these phases: while its queue pairs are made, connected, and ready; with a READ posted; before and
# after a put is sent; amid many puts; while the server pulls a large value; and idle. Looks meanwhile whether a client
# that stays is served, and at the end whether the server has the sessions, credits, file handles, mappings, shared
# memory, memory, threads and records that it had after the first clients, one in each phase, which do not count.
#
# With --restarts, starts a server anew N times (default 20), killed (SIGKILL) and stopped (SIGTERM) by turns, while six
# writers of two clients are at work. Looks whether each write was done, not done, or of unknown fate, as its writer was
# told; whether any took effect after the life of the server that it was sent to; and whether the store then holds what
# its writers know, to the pair.
#
# DEVICE is shm or tcp; without it, one after the other. Uses what the last ./check has built.

main=ClientKills
devices=(shm tcp)
number=
while [ $# -gt 0 ]; do
    case $1 in
        --help) print_help "$run" && exit 0 ;;
        --device)
            [ $# -gt 1 ] || refuse 'an option without its value: option=--device'
            devices=("$2")
            shift
            ;;
        --long) number=1000 ;;
        --restarts) main=Restarts ;;
        *) number=$1 ;;
    esac
    shift
done
[ -n "$number" ] || { [ $main = Restarts ] && number=20 || number=50; }
[[ $number =~ ^[1-9][0-9]{0,6}$ ]] || refuse "not a number: number=$number"
need_build system
lock_build
for device in "${devices[@]}"; do
    "${java[@]}" "${quiet[@]}" "org.onesided.endtoend.faults.$main" "$number" "$device"
done
