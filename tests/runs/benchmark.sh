# shellcheck shell=bash disable=SC2154
# Measures onesided beside Redis, memcached, Chronicle Map and a plain copy.

# Builds the project in folder $1; $2 says in messages which it is.
build()
{
    local root=$1
    if ! maven -q -pl tests -am package -DskipTests -Dcheckstyle.skip -Dman.skip >"$log" 2>&1; then
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
    *' --help '* | *' -h '* | *' --page '*) ;;
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
    set -- "$@" "--against-class-path=$(<"$other/tests/target/vm/class-path"):$other/tests/target/test-classes"
fi

need_build
exec "${java[@]}" "${quiet[@]}" -XX:-UsePerfData org.onesided.benchmark.peers.PeerBenchmark "--root=$root" "$@"
