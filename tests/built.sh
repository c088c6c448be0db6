# shellcheck shell=bash disable=SC2034,SC2154
# What tests/run and the scripts in tests/vm share: Java with what the last ./check has built. Sourced with launcher.sh.

# Takes module $1 of tests: sets module to its directory, class_path to that of its tests, and java to the command that
# starts Java with it.
need_build()
{
    need_java javac
    module=$root/tests/$1
    java_options=$root/tests/target/java-options
    [ -f "$module/target/class-path" ] && [ -f "$java_options" ] || fail 'nothing is built: run ./check first'
    class_path=$module/target/test-classes:$(<"$module/target/class-path")
    java=("$java_home/bin/java" "@$java_options" -cp "$class_path")
}
