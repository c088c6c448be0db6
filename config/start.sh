# shellcheck shell=sh
# How kvctl starts its Java. ./kvctl shares it with the kvctl of packages and images.

# Sets $quiet, with which Java VERSION says nothing of an archive that it cannot use: silence_archive VERSION
silence_archive()
{
    if [ "$1" -ge 25 ]; then
        quiet=-Xlog:cds*=off,aot*=off
    else
        quiet=-Xlog:cds*=off
    fi
}

# Replaces this shell by kvctl: start_kvctl JAVA VERSION JAR ARCHIVE ARGUMENT...
# ARCHIVE has loaded classes; it may be empty or missing.
start_kvctl()
{
    java=$1
    version=$2
    jar=$3
    archive=$4
    shift 4
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
    case ${KVCTL_JAVA_OPTS-} in
        # The user's own choice of an archive, beside which Java allows no other.
        *-Xshare* | *Archive* | *AOT*) ;;
        *)
            if [ -s "$archive" ]; then
                silence_archive "$version"
                if [ "$version" -ge 25 ]; then
                    set -- "$quiet" "-XX:AOTCache=$archive" "$@"
                else
                    set -- "$quiet" "-XX:SharedArchiveFile=$archive" "$@"
                fi
            fi
            ;;
    esac
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
