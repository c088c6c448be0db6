# shellcheck shell=sh
# shellcheck disable=SC2154 # need_java sets java_home and java_version
# What packaging/deb and packaging/image share: kvctl with a Java runtime of its own, as files below a root. Sourced
# with $me and $root, after config/launcher.sh.
: "${me:?}" "${root:?}"

# What the classes of kvctl and of its libraries need, and jdk.crypto.ec for TLS, which newer JDKs have in java.base.
# Left out are modules that only unused classes of libraries name: java.compiler (Agrona's compiler of tests),
# java.desktop (Chronicle's property editors) and java.sql (dates of Gson). A test compares the list with what jdeps
# finds.
modules='java.base java.logging java.management java.naming jdk.httpserver jdk.management jdk.net jdk.unsupported'
optional_modules='jdk.crypto.ec'

# Everybody may read the files, whatever the umask of the caller.
umask 022
LC_ALL=C
export LC_ALL

# Sets what names and dates a package, as the poms say: project_version, SOURCE_DATE_EPOCH (unless given) and
# architecture.
read_project()
{
    project_version=$(sed -n '/<artifactId>onesided</{n;s|.*<version>\(.*\)</version>.*|\1|p;q;}' "$root/pom.xml")
    [ -n "$project_version" ] || fail 'the version of the project is not in pom.xml'
    if [ -z "${SOURCE_DATE_EPOCH-}" ]; then
        date=$(sed -n 's|.*<project.build.outputTimestamp>\(.*\)</.*|\1|p' "$root/pom.xml")
        SOURCE_DATE_EPOCH=$(date -u -d "$date" +%s)
    fi
    export SOURCE_DATE_EPOCH
    # shellcheck disable=SC2034 # for the scripts
    case $(uname -m) in
        x86_64) architecture=amd64 ;;
        aarch64) architecture=arm64 ;;
        *) fail "packages are for x86-64 and arm64 only: $(uname -m)" ;;
    esac
}

# Builds kvctl where it is missing or older than its sources, and finds the JDK for its runtime.
build_kvctl()
{
    "$root/kvctl" --version >/dev/null
    need_java jlink
}

# Makes the runtime in directory $1.
link_runtime()
{
    list=
    for module in $modules $optional_modules; do
        if "$java_home/bin/java" --list-modules | grep -q "^$module@"; then
            list=$list${list:+,}$module
        else
            case " $optional_modules " in
                *" $module "*) ;;
                *) fail "the JDK lacks a module: module=$module java=$java_home" ;;
            esac
        fi
    done
    compress=zip-9
    if [ "$java_version" -lt 21 ]; then
        compress=2
    fi
    "$java_home/bin/jlink" --add-modules "$list" --vm server --strip-debug --no-header-files --no-man-pages \
        --compress "$compress" --output "$1" >&2 || fail "jlink failed: java=$java_home"
}

# Puts kvctl, its runtime, its manual pages, its completion and its documentation below the root $1.
make_tree()
{
    lib=$1/usr/lib/onesided
    doc=$1/usr/share/doc/onesided
    mkdir -p "$lib" "$1/usr/bin" "$doc" "$1/etc/onesided" \
        "$1/usr/share/bash-completion/completions" "$1/usr/share/zsh/vendor-completions"
    link_runtime "$lib/runtime"
    cp "$root/tools/target/kvctl.jar" "$root/config/start.sh" "$lib/"
    cp -r "$root/tools/target/lib" "$lib/lib"
    sed "s|@JAVA_VERSION@|$java_version|" "$root/packaging/kvctl" >"$1/usr/bin/kvctl"
    chmod 755 "$1/usr/bin/kvctl"
    cp "$root/docs/deploy/server.properties" "$1/etc/onesided/"
    cp "$root"/docs/*.md "$root/LICENSE" "$doc/"
    cp "$root/packaging/debian/copyright" "$doc/copyright"

    own_kvctl man --install --directory "$1/usr/share/man" 2>/dev/null
    find "$1/usr/share/man" -type f -exec gzip -9n {} +
    own_kvctl completion bash >"$1/usr/share/bash-completion/completions/kvctl"
    {
        echo '#compdef kvctl'
        own_kvctl completion zsh
    } >"$1/usr/share/zsh/vendor-completions/_kvctl"
}

# Runs the kvctl that was put below $lib, on its own runtime.
own_kvctl()
{
    (
        # shellcheck source-path=SCRIPTDIR source=../config/start.sh
        . "$lib/start.sh"
        start_kvctl "$lib/runtime/bin/java" "$java_version" "$lib/kvctl.jar" '' "$@"
    )
}

# Makes modes and times below $1 independent of who builds, and when.
normalize()
{
    find "$1" -type d -exec chmod 755 {} +
    find "$1" -type f -perm /111 -exec chmod 755 {} +
    find "$1" -type f ! -perm /111 -exec chmod 644 {} +
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# Prints the bytes of file $1 as a size.
show_size()
{
    size=$(wc -c <"$1")
    echo "$((size / 1000000)).$((size / 100000 % 10)) MB"
}
