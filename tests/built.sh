# shellcheck shell=bash disable=SC2034,SC2154
# What tests/run and the scripts in tests/vm share: Java with what the last ./check has built, and disks for the virtual
# machine. Sourced with launcher.sh.

# Takes module $1 of tests: sets tested to its directory, class_path to that of its tests, and java to the command that
# starts Java with it.
need_build()
{
    need_java javac
    tested=$root/tests/$1
    java_options=$root/tests/target/java-options
    if ! [ -f "$tested/target/class-path" ] || ! [ -f "$java_options" ]; then
        fail 'nothing is built: run ./check first'
    fi
    class_path=$tested/target/test-classes:$(<"$tested/target/class-path")
    java=("$java_home/bin/java" "@$java_options" -cp "$class_path")
}

# Makes $2 equal disks of 1 GiB in directory $1, whose first 400 MiB hold ext4, and sets disks to what tests/vm/run-in-vm
# takes them by.
make_disks()
{
    local i
    disks=()
    truncate -s 1G "$1/0"
    # Debian keeps the program where only root's PATH looks. What it left to the kernel would be written during the run.
    PATH=$PATH:/usr/sbin:/sbin mkfs.ext4 -q -b 4096 -E lazy_itable_init=0,lazy_journal_init=0 "$1/0" 400M
    for ((i = 0; i < $2; i++)); do
        [ "$i" -eq 0 ] || cp --sparse=always -- "$1/0" "$1/$i"
        disks+=(-d "$1/$i")
    done
}
