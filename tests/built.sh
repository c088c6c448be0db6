# shellcheck shell=bash disable=SC2034,SC2154
# What tests/run and the scripts in tests/vm share: Java with what the last ./check has built. Sourced with launcher.sh.

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
