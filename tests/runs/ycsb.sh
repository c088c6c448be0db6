# shellcheck shell=bash disable=SC2154
# Runs a workload with YCSB itself and with kvctl load, and prints both results as a table.
#
# usage: tests/run ycsb [--workload a|b|c|d|f] [--records N] [--operations N] [--threads N]
#
# Loads records of 1,000 bytes and runs a workload twice, each on a new server with 2 GiB: with YCSB and its binding,
# and with kvctl load, both with the same number of threads and without warming up. Prints what they did and how fast,
# as a table (default: b, 100000 records, 1000000 operations, 2 threads). Uses what the last ./check has built.

read_options '' '' '--workload --records --operations --threads' "$@"
workload=${workload:-b} records=${records:-100000} operations=${operations:-1000000} threads=${threads:-2}
for number in "$records" "$operations" "$threads"; do
    [[ $number =~ ^[1-9][0-9]{0,8}$ ]] || refuse "not a positive number: $number"
done
# Shares of reads, updates, inserts and read-modify-writes, as in YCSB's own files.
case $workload in
    a) mix='0.5 0.5 0 0' ;;
    b) mix='0.95 0.05 0 0' ;;
    c) mix='1 0 0 0' ;;
    d) mix='0.95 0 0.05 0' ;;
    f) mix='0.5 0 0 0.5' ;;
    *) refuse "no such workload: workload=$workload" ;;
esac
distribution=zipfian
[ "$workload" != d ] || distribution=latest

need_build system
[ -f "$root/tools/target/kvctl.jar" ] || fail 'nothing is built: run ./check first'
lock_build
ycsb_jars=$(tr ':' '\n' <<<"$class_path" | grep -E '/(site/ycsb|org/apache/htrace|org/codehaus/jackson|org/hdrhistogram)/' |
    paste -sd:)
flags=(--add-exports java.base/jdk.internal.misc=ALL-UNNAMED --enable-native-access=ALL-UNNAMED)
[ "$java_version" -lt 24 ] || flags+=(--sun-misc-unsafe-memory-access=allow)

work=$(mktemp -d)
server=
end()
{
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    wait
    rm -rf -- "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

kvctl()
{
    JAVA_HOME=$java_home KVCTL_BUILD=no "$root/kvctl" "$@" 9<&-
}

# Starts a server and sets its address.
start_server()
{
    mkfifo "$work/ready"
    JAVA_HOME=$java_home KVCTL_BUILD=no "$root/kvctl" server --listen 127.0.0.1:0 --memory 2g --device shm \
        >"$work/ready" 2>"$work/server.log" 9<&- &
    server=$!
    local line=
    read -r line <"$work/ready" || true
    rm -f -- "$work/ready"
    case $line in
        'ready: '*) address=${line#ready: } address=${address%% *} ;;
        *) cat -- "$work/server.log" >&2 && fail 'the server did not start' ;;
    esac
}

stop_server()
{
    kill "$server"
    wait "$server" || true
    server=
}

ycsb()
{
    local reads updates inserts changes
    read -r reads updates inserts changes <<<"$mix"
    "$java_home/bin/java" "${flags[@]}" -cp "$root/tools/target/kvctl.jar:$ycsb_jars" site.ycsb.Client \
        -db org.onesided.tools.ycsb.OnesidedClient -threads "$threads" -p onesided.server="$address" \
        -p workload=site.ycsb.workloads.CoreWorkload -p recordcount="$records" -p operationcount="$operations" \
        -p readproportion="$reads" -p updateproportion="$updates" -p insertproportion="$inserts" \
        -p readmodifywriteproportion="$changes" -p requestdistribution="$distribution" \
        -p hdrhistogram.percentiles=50,99 "$@" 2>"$work/ycsb.log" 9<&- || { cat -- "$work/ycsb.log" >&2 && fail 'YCSB failed'; }
}

# Prints a row of the table from the lines that YCSB prints, and those that do not say OK.
row()
{
    awk -F ', ' -v name="$1" '
        function count(operation) { return ok[operation] ? ok[operation] : 0 }
        function times(operation) {
            return ok[operation] ? value[operation "50"] " µs / " value[operation "99"] " µs" : "–"
        }
        { kind = $1; gsub(/[][]/, "", kind) }
        kind == "OVERALL" && $2 ~ /^Throughput/ { throughput = $3 }
        $2 ~ /^Return=/ { if ($2 == "Return=OK") ok[kind] = $3; else failed += $3 }
        kind == "READ-MODIFY-WRITE" && $2 == "Operations" { both = $3 }
        $2 ~ /^50th/ { value[kind "50"] = $3 }
        $2 ~ /^99th/ { value[kind "99"] = $3 }
        END {
            # A read-modify-write counts as a read and an update, too.
            done = count("READ") + count("UPDATE") + count("INSERT") - both
            printf "| %s | %d | %d | %d | %d | %d | %d | %s | %s |\n", name, done, count("READ"), count("UPDATE"),
                count("INSERT"), failed, throughput, times("READ"), times(ok["INSERT"] ? "INSERT" : "UPDATE")
        }' "$2"
}

say "workload $workload: $records records, $operations operations, $threads threads, JDK $java_version"
start_server
ycsb -load >"$work/ycsb.load"
ycsb -t >"$work/ycsb.run"
stop_server
start_server
kvctl load --server "$address" --workload "$workload" --records "$records" --threads "$threads" --phase load >"$work/load.load"
kvctl load --server "$address" --workload "$workload" --records "$records" --operations "$operations" --threads "$threads" \
    --phase run -o ycsb >"$work/load.run"
stop_server

echo '| | operations | READs | UPDATEs | INSERTs | failed | operations/s | READ p50 / p99 | write p50 / p99 |'
echo '|---|---|---|---|---|---|---|---|---|'
row YCSB "$work/ycsb.run"
row 'kvctl load' "$work/load.run"
