# shellcheck shell=sh
# How kvctl starts its Java. ./kvctl shares it with the kvctl of packages and images.

# Replaces this shell by kvctl: start_kvctl JAVA VERSION JAR ARGUMENT...
start_kvctl()
{
    java=$1
    version=$2
    jar=$3
    shift 3
    # Short commands end before the optimising compiler pays.
    case ${1-} in
        '' | help | --help | -h | --version | -V | get | put | delete | getdel | incr | append | touch | persist | ttl | mget | mput | stats | completion | man)
            compiler=-XX:TieredStopAtLevel=1
            ;;
        *) compiler=-XX:+TieredCompilation ;;
    esac
    # A load run should measure the store, and not how long Java's own memory takes to be reached.
    case ${1-} in
        load) pages=-XX:+UseTransparentHugePages ;;
        *) pages=-XX:-UseTransparentHugePages ;;
    esac
    set -- -jar "$jar" "$@"
    if [ "$version" -ge 24 ]; then
        set -- --sun-misc-unsafe-memory-access=allow "$@"
    fi

    # Java decodes its arguments as the locale says, so it must be a UTF-8 one. The other flags Java needs are in the
    # jar's manifest. UsePerfData would leave files in /tmp behind when killed.
    LC_ALL=C.UTF-8
    export LC_ALL
    set -f
    # KVCTL_JAVA_OPTS is a list. It replaces the choice of collector, since Java takes only one.
    # shellcheck disable=SC2086
    exec "$java" -XX:-UsePerfData "$compiler" "$pages" ${KVCTL_JAVA_OPTS--XX:+UseSerialGC} "$@"
}
