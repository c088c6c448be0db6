# shellcheck shell=bash disable=SC2154
# Measures onesided beside Redis, memcached, Chronicle Map and a plain copy.
#
# usage: tests/run benchmark [OPTION ...]
#
# Measures onesided beside Redis, memcached, Chronicle Map and a plain copy, and prints ratios. Builds first what is older
# than its sources.
#
# --records N         records of 16 + 100 bytes (default 1000000)
# --rounds N          turns of each system (default 9)
# --millis N          milliseconds of a turn (default 300)
# --warm-up N         milliseconds of each system at each operation before the rounds (default 2000)
# --quick             three short rounds, in some 2 minutes; otherwise it takes up to 10
# --only WORD[,...]   only operations whose name contains one of these, such as get,put; tcp for all over that device;
#                     counts for what is counted
# --large             also 20,000,000 records beside 100,000; takes 8 GB of memory and minutes
# --vm                also tests/vm/benchmark: READs beside perftest's, in the virtual machine
# --json FILE         where the results go (default tests/target/benchmarks.json)
# --docs              write docs/benchmarks.json and docs/benchmarks.md, too
# --against COMMIT    measures this build beside that of another commit, by default in 15 rounds, each with processes of
#                     its own, and fails if an operation takes 3 % longer for certain
# --page              only write docs/benchmarks.md anew, from docs/benchmarks.json
#
# All systems run at the same time, and take turns: in each round each does each operation for a while. Ratios are those
# of one round; their median and range are printed. Redis and memcached are started on free ports, and stopped in the
# end; one that is not installed is left out. The machine should have nothing else to do. docs/benchmarks.md says more
# about the method.

# Prints the module of folder $1 that has the benchmarks: commits before the division of tests have one module for all.
module_of()
{
    if [ -f "$1/tests/benchmarks/pom.xml" ]; then
        echo tests/benchmarks
    else
        echo tests
    fi
}

# Prints the class path of the benchmarks in folder $1.
class_path_of()
{
    local target
    target=$1/$(module_of "$1")/target
    if [ -f "$target/class-path" ]; then
        printf '%s:%s' "$target/test-classes" "$(<"$target/class-path")"
    else
        printf '%s:%s' "$target/test-classes" "$(<"$target/vm/class-path")"
    fi
}

# Builds the project in folder $1; $2 says in messages which it is.
build()
{
    local root=$1
    if ! maven -q -pl "$(module_of "$1")" -am package -DskipTests -Dcheckstyle.skip -Dman.skip >"$log" 2>&1; then
        cat -- "$log" >&2
        fail "the build$2 failed: see above, or $log"
    fi
}

packages=()
need_java javac maven
for program in redis-server:redis-server redis-benchmark:redis-tools memcached:memcached; do
    command -v "${program%:*}" >/dev/null || packages+=("${program#*:}")
done
case " $* " in
    *' --page '*) ;;
    *)
        if [ "${#packages[@]}" -gt 0 ] && may_install; then
            install_packages "${packages[@]}"
        elif [ "${#packages[@]}" -gt 0 ]; then
            say "left out, since they are not installed: ${packages[*]} (as root: apt-get install ${packages[*]})"
        fi
        ;;
esac

lock_build
begin_stamp
say 'building what is older than its sources ...'
log=$root/target/benchmark-build.log
build "$root" ''
end_stamp
unlock_build

# Builds another commit in a work tree of its own, so that both can be measured in one run.
against=
previous=
for argument; do
    case $argument in
        --against=*) against=${argument#*=} ;;
        *) [ "$previous" != --against ] || against=$argument ;;
    esac
    previous=$argument
done
if [ -n "$against" ]; then
    commit=$(git -C "$root" rev-parse --verify --quiet "$against^{commit}") || fail "there is no such commit: $against"
    other=$root/target/against/$commit
    if [ ! -f "$other/built" ]; then
        say "building $against ..."
        rm -rf -- "$other"
        mkdir -p -- "$other"
        git -C "$root" archive "$commit" | tar -x -C "$other"
        build "$other" " of $against"
        touch -- "$other/built"
    fi
    set -- "$@" "--against-class-path=$(class_path_of "$other")"
fi

need_build benchmarks
exec "${java[@]}" "${quiet[@]}" -XX:-UsePerfData org.onesided.benchmark.peers.PeerBenchmark "--root=$root" "$@"
