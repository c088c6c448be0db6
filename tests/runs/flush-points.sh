# shellcheck shell=bash disable=SC2154
# Rebuilds a server's disk as it was after each flush, and checks that all that was acknowledged is there.
#
# usage: tests/run flush-points [--points N] [--seconds N] [--seed N]
#
# In the virtual machine (tests/vm/run-in-vm), a server with --sync always has its data on ext4 on a disk whose writes
# are all logged, by the device mapper's target log-writes, while four writers put and delete keys. Each writer writes
# to the same disk, outside the file system, how many of its writes were acknowledged, before it begins the next one.
# The log is then replayed onto another disk. After one flush and another the file system is mounted and a server
# started on it: it must have a beginning of the writes, and in that all that was acknowledged by then.
#
# --points N      flush points at most, evenly among all (default 200)
# --seconds N     of work (default 20)
# --seed N        of what is drawn (default: another one each time; it is printed)

read_options '' '--points --seconds --seed' '' "$@"
need_build concurrency
lock_build
run_with_disks 4 3000 org.onesided.powercut.FlushPoints "${points:-200}" "${seconds:-20}" "${seed:-$RANDOM}"
