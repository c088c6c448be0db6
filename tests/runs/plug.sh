# shellcheck shell=bash disable=SC2154
# Pulls the plug of a server's virtual machine, and checks what is left on its disk.
#
# usage: tests/run plug [--cuts N] [--sync MODES] [--seed N]
#
# A server runs in the virtual machine (tests/vm/run-in-vm), with its data on the machine's disk: a file of this machine
# that holds ext4. Eight writers outside put and delete keys over tcp, with values of up to 3 MB. Qemu is killed
# (SIGKILL), so all is gone that the machine's kernel has not written to its disk; a fourth of the cuts comes while the
# machine starts again. Then each key is looked at. With --sync always, all that was acknowledged must be there, each
# session must be resumed, and writes that were under way must have taken effect once. With --sync interval, the last
# acknowledged writes may be missing, but for each shard a beginning of what was written must be there. An error in the
# server's log fails the run. A cut takes some 40 seconds.
#
# --cuts N        in each mode of --sync (default 30)
# --sync MODES    when the log is forced to the disk: always, interval, or both (default always,interval)
# --seed N        of what is drawn (default: another one each time; it is printed)

read_options '' '--cuts --seed' '--sync' "$@"
[[ ${sync:-always} =~ ^(always|interval)(,(always|interval))?$ ]] || refuse "not a mode: option=--sync value=$sync"
run_java concurrency org.onesided.powercut.PlugRun "$@"
