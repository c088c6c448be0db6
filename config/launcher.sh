# shellcheck shell=sh
# What ./kvctl, ./check and .ci/run share: finding a JDK, installing what is missing, running Maven.
# Sourced with $me, the name that messages start with, and $root, the project's directory.
: "${me:?}" "${root:?}"

oldest_java=17
newest_java=999

say()
{
    printf '%s: %s\n' "$me" "$1" >&2
}

fail()
{
    say "$1"
    exit 1
}

# Sets found_version to the feature version of the Java in directory $1, 0 if there is none.
read_java_version()
{
    found_version=
    if [ -x "$1/bin/java" ]; then
        # The file saves starting a JVM only to ask.
        if [ -r "$1/release" ]; then
            while IFS='=' read -r key value; do
                if [ "$key" = JAVA_VERSION ]; then
                    found_version=${value#\"}
                fi
            done <"$1/release"
        fi
        if [ -z "$found_version" ]; then
            found_version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
        fi
    fi
    found_version=${found_version#1.}
    found_version=${found_version%%[!0-9]*}
    found_version=${found_version:-0}
}

# Takes the Java in directory $1 if it has the program $2, is neither too old nor too new, and newer than what java_home
# already holds.
consider()
{
    read_java_version "$1"
    if [ -x "$1/bin/$2" ] && [ "$found_version" -ge "$oldest_java" ] && [ "$found_version" -le "$newest_java" ] &&
        [ "$found_version" -gt "$java_version" ]; then
        java_home=$1
        java_version=$found_version
    fi
}

# Sets java_home and java_version to JAVA_HOME, or else to the newest Java that has the program $1 (java or javac).
# java_home is empty if there is none.
find_java()
{
    java_home=
    java_version=0
    if [ -n "${JAVA_HOME-}" ]; then
        consider "$JAVA_HOME" "$1"
        if [ -n "$java_home" ]; then
            return
        fi
        if [ "$found_version" -gt 0 ] && [ "$found_version" -lt "$oldest_java" ]; then
            complaint="JAVA_HOME=$JAVA_HOME is Java $found_version, older than $oldest_java: looking elsewhere"
        else
            complaint="JAVA_HOME=$JAVA_HOME has no bin/$1: looking elsewhere"
        fi
        if [ "$complaint" != "${last_complaint-}" ]; then
            say "$complaint"
            last_complaint=$complaint
        fi
    fi
    if java_on_path=$(command -v java); then
        java_on_path=$(readlink -f -- "$java_on_path")
        consider "${java_on_path%/bin/java}" "$1"
    fi
    for home in /usr/lib/jvm/*; do
        consider "$home" "$1"
    done
}

may_install()
{
    [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null
}

# Prints the package of the newest headless JDK that Debian's package lists have, or nothing.
newest_jdk_package()
{
    if command -v apt-cache >/dev/null; then
        apt-cache search --names-only '^openjdk-[0-9]+-jdk-headless$' | sed 's/ .*//' | sort -t - -k 2,2n | tail -n 1
    fi
}

# Installs Debian packages; "newest-jdk" stands for what newest_jdk_package prints once the lists are up to date.
install_packages()
{
    mkdir -p "$root/target"
    log=$root/target/install.log
    say "installing what is missing: $* (as root, with apt-get) ..."
    # Lists of one source that fail to load need not matter: the install below decides.
    apt-get -o DPkg::Lock::Timeout=600 update >"$log" 2>&1 9<&- || true
    for package; do
        shift
        if [ "$package" = newest-jdk ]; then
            package=$(newest_jdk_package)
            [ -n "$package" ] || fail "apt-get offers no JDK: install $oldest_java or newer and set JAVA_HOME (log: $log)"
        fi
        set -- "$@" "$package"
    done
    if ! DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@" \
        >>"$log" 2>&1 9<&-; then
        cat -- "$log" >&2
        fail "could not install $*: see above, or $log"
    fi
}

# Whether the Maven wrapper can work: it fetches Maven once, and the checksum it knows is the zip file's.
has_maven()
{
    maven_name=$(sed -n 's|^distributionUrl=.*/\(.*\)-bin\.zip$|\1|p' "$root/.mvn/wrapper/maven-wrapper.properties")
    [ -d "${MAVEN_USER_HOME:-$HOME/.m2}/wrapper/dists/$maven_name" ] || command -v unzip >/dev/null
}

# Sets java_home and java_version as find_java does. With "maven" as $2, Maven will run too. Installs what is missing
# where it may, or else says what to install.
need_java()
{
    find_java "$1"
    missing=
    if [ -z "$java_home" ]; then
        missing=newest-jdk
    fi
    if [ "${2-}" = maven ] && ! has_maven; then
        missing="$missing unzip"
    fi
    if [ -n "$missing" ] && may_install; then
        # shellcheck disable=SC2086 # a list
        install_packages $missing
        find_java "$1"
        missing=
    fi
    if [ -z "$java_home" ]; then
        jdk=$(newest_jdk_package)
        fail "needs JDK $oldest_java or newer: set JAVA_HOME or install it, as with: apt-get install ${jdk:-openjdk-17-jdk-headless} unzip"
    fi
    [ -z "$missing" ] || fail 'needs unzip, to unpack Maven: install it, as with: apt-get install unzip'
}

# Prints the mirror of Maven Central that the user's Maven settings name. Maven itself obeys it, its wrapper does not.
central_mirror()
{
    settings=${MAVEN_USER_HOME:-$HOME/.m2}/settings.xml
    if [ -r "$settings" ]; then
        awk -v RS='>' '
            comment { if (/--$/) comment = 0; next }
            /<!--/ { if (!/--$/) comment = 1; next }
            {
                tag = $0; sub(/.*</, "", tag)
                text = $0; sub(/<.*/, "", text); gsub(/[ \t\r\n]/, "", text)
            }
            tag == "mirror" { url = ""; of = "" }
            tag == "/url" { url = text }
            tag == "/mirrorOf" { of = text }
            tag == "/mirror" && of ~ /^(\*|central|external:\*)(,|$)/ { sub(/\/$/, "", url); print url; exit }
        ' "$settings"
    fi
}

# Runs Maven for this project, whatever the working directory, on the Java that need_java found.
maven()
{
    maven_flags=
    if [ "$java_version" -ge 24 ]; then
        # Maven's own libraries use what these versions warn about.
        maven_flags='--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED'
    fi
    # Without descriptor 9, the lock, so that nothing that Maven leaves running can hold it.
    JAVA_HOME=$java_home MVNW_REPOURL=${MVNW_REPOURL:-$(central_mirror)} MAVEN_OPTS="$maven_flags ${MAVEN_OPTS-}" \
        "$root/mvnw" -B -f "$root/pom.xml" "$@" 9<&-
}

# One build at a time: waits until no other process holds this project's lock, then holds it on descriptor 9.
# The lock is on a file that "clean" does not remove.
lock_build()
{
    exec 9<"$root/pom.xml"
    if ! flock -n 9; then
        say "waiting for another build of this project to end ..."
        flock 9
    fi
}

unlock_build()
{
    exec 9<&-
}

# The stamp's time is the beginning of the last build that succeeded: a source changed during it counts as newer.
begin_stamp()
{
    mkdir -p "$root/target"
    : >"$root/target/build-began"
}

end_stamp()
{
    if [ -f "$root/target/build-began" ]; then
        mv -f -- "$root/target/build-began" "$root/tools/target/kvctl.stamp"
    fi
}
