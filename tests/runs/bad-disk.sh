# shellcheck shell=bash disable=SC2154
# Lets a server's disk report errors or drop writes, and checks what is refused and what is left.
#
# usage: tests/run bad-disk [--errors N] [--drops N] [--seed N]
#
# In the virtual machine (tests/vm/run-in-vm), a server has its data on ext4 on a disk that goes bad while four writers
# put and delete keys, by the device mapper's target flakey.
#
# Rounds with errors: each write to the disk fails. Writes must be refused, kvctl must end with exit code 8, and lookups
# must go on. When the disk is good again, writes must still be refused until the server starts anew; then all that was
# acknowledged must be there.
#
# Rounds with dropped writes: the disk drops all writes and says that it has them, in each second round only for a while;
# then its power is cut. The start must be refused, in a line, or else find a beginning of the writes of each shard.
#
# --errors N      rounds with errors (default 3)
# --drops N       rounds with dropped writes (default 20)
# --seed N        of what is drawn (default: another one each time; it is printed)

read_options '' '--errors --drops --seed' '' "$@"
need_build concurrency
lock_build
run_with_disks 1 1800 org.onesided.powercut.BadDisk "${errors:-3}" "${drops:-20}" "${seed:-$RANDOM}"
