# shellcheck shell=bash disable=SC2154
# Imports the same pairs with kvctl import and with redis-cli --pipe, and compares their times.
#
# usage: tests/run import [OPTION ...]
#
# Makes a file of pairs for each of the two, and imports it into a server that was started for that, in turns. Prints of
# each import its time, and the processor time of client and server during it; then for each round the ratio of ours to
# Redis', and the median of these. kvctl import includes the start of its JVM. The servers have their defaults, but for
# the memory of ours, and Redis writes nothing to disk. Redis comes with Debian's redis-server and redis-tools.
#
# --pairs N        pairs of the file (default 3000000)
# --value BYTES    length of the values, 1 to 1000 (default 100)
# --rounds N       each with both (default 5)
# --memory MIB     of our server (default 1024)
# --device NAME    of our server (default shm)
# --ours           only ours

read_options '--ours' '--pairs --value --rounds --memory' '--device' "$@"
pairs=${pairs:-3000000}
value=${value:-100}
rounds=${rounds:-5}
[ "$pairs" -ge 1 ] || refuse "nothing to import: option=--pairs value=$pairs"
[ "$rounds" -ge 1 ] || refuse "no round: option=--rounds value=$rounds"
[[ $value -ge 1 && $value -le 1000 ]] || refuse "not from 1 to 1000: option=--value value=$value"

if [ -z "$ours" ]; then
    packages=()
    for program in redis-server:redis-server redis-cli:redis-tools; do
        command -v "${program%:*}" >/dev/null || packages+=("${program#*:}")
    done
    if [ "${#packages[@]}" -gt 0 ]; then
        may_install || fail "not installed: ${packages[*]} (as root: apt-get install ${packages[*]})"
        install_packages "${packages[@]}"
    fi
fi

# Whatever the environment says, only the servers that are started here are asked.
unset KVCTL_SERVER KVCTL_TOKEN KVCTL_OUTPUT KVCTL_DEVICE
"$root/kvctl" --version >/dev/null
# The archive of classes is made now, and not beside the first imports.
KVCTL_BUILD=archive "$root/kvctl" --version >/dev/null

folder=$(mktemp -d "${TMPDIR:-/tmp}/onesided-import.XXXXXX")
server_process=
stop_server()
{
    if [ -n "$server_process" ]; then
        kill "$server_process" 2>/dev/null || true
        wait "$server_process" 2>/dev/null || true
        server_process=
    fi
}
trap 'stop_server; rm -rf -- "$folder"' EXIT

# Keys in no order, each once: a prime step visits all numbers below one that it does not divide.
LC_ALL=C awk -v pairs="$pairs" -v length_="$value" -v tsv="$folder/pairs.tsv" -v resp="$folder/pairs.resp" 'BEGIN {
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    srand(1)
    for (i = 0; i < 5000; i++)
        text = text substr(letters, 1 + int(rand() * 62), 1)
    step = pairs % 7919 ? 7919 : 7907
    for (i = 0; i < pairs; i++) {
        number = (i * step) % pairs
        key = sprintf("key:%012d", number)
        value = substr(text, 1 + number % 4000, length_)
        printf "%s\t%s\n", key, value >tsv
        printf "*3\r\n$3\r\nSET\r\n$16\r\n%s\r\n$%d\r\n%s\r\n", key, length_, value >resp
    }
}'
# Both are read once, so that they are in memory.
cat -- "$folder/pairs.tsv" "$folder/pairs.resp" >/dev/null

# Prints the processor time of the server in seconds.
server_seconds()
{
    awk -v ticks="$(getconf CLK_TCK)" '{ sub(/^.*\) /, ""); printf "%.2f\n", ($12 + $13) / ticks }' \
        "/proc/$server_process/stat"
}

# Runs the rest of the arguments as the client of the server that was started, and sets seconds, client and server.
measure()
{
    local before after times
    before=$(server_seconds)
    TIMEFORMAT='%R %U %S'
    { time "$@" >"$folder/output" 2>&1; } 2>"$folder/times" || fail "$(<"$folder/output")"
    after=$(server_seconds)
    read -r -a times <"$folder/times"
    seconds=${times[0]}
    client=$(awk "BEGIN { print ${times[1]} + ${times[2]} }")
    server=$(awk "BEGIN { print $after - $before }")
}

print_row()
{
    printf '%-5d  %-17s  %7.2f  %11.2f  %11.2f  %11.0f\n' \
        "$round" "$1" "$seconds" "$client" "$server" "$(awk "BEGIN { print $pairs / $seconds }")"
}

import_ours()
{
    local address ready
    coproc ours_server {
        exec "$root/kvctl" server --listen 127.0.0.1:0 --device "${device:-shm}" --memory "${memory:-1024}MiB" \
            2>"$folder/server.log"
    }
    server_process=$ours_server_PID
    read -r -u "${ours_server[0]}" ready address _ || fail "the server did not start: $(<"$folder/server.log")"
    [ "$ready" = ready: ] || fail "the server did not start: $ready"
    measure "$root/kvctl" import --server "$address" -o plain "$folder/pairs.tsv"
    grep -q "^pairs $pairs\$" "$folder/output" || fail "$(<"$folder/output")"
    stop_server
    print_row 'kvctl import'
}

import_theirs()
{
    local port=$((20000 + RANDOM % 10000)) attempt
    redis-server --bind 127.0.0.1 --port "$port" --save '' --appendonly no --dir "$folder" >"$folder/redis.log" 2>&1 &
    server_process=$!
    for ((attempt = 0; attempt < 100; attempt++)); do
        [ "$(redis-cli -p "$port" ping 2>&1)" != PONG ] || break
        sleep 0.1
    done
    measure redis-cli -p "$port" --pipe <"$folder/pairs.resp"
    [ "$(redis-cli -p "$port" dbsize)" = "$pairs" ] || fail "$(<"$folder/output")"
    stop_server
    print_row 'redis-cli --pipe'
}

# Prints the median of the arguments.
median()
{
    printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p"
}

printf '%s\n' 'round  system             seconds  client cpu s  server cpu s  pairs a s'
ratios=()
processor_ratios=()
for ((round = 1; round <= rounds; round++)); do
    # In turns, so that neither is always the first.
    if [ -n "$ours" ] || ((round % 2 == 1)); then
        import_ours
        our_seconds=$seconds our_processor=$(awk "BEGIN { print $client + $server }")
    fi
    [ -z "$ours" ] || continue
    import_theirs
    their_seconds=$seconds their_processor=$(awk "BEGIN { print $client + $server }")
    if ((round % 2 == 0)); then
        import_ours
        our_seconds=$seconds our_processor=$(awk "BEGIN { print $client + $server }")
    fi
    ratios+=("$(awk "BEGIN { printf \"%.3f\", $our_seconds / $their_seconds }")")
    processor_ratios+=("$(awk "BEGIN { printf \"%.3f\", $our_processor / $their_processor }")")
    echo "       ours / Redis'      time ${ratios[-1]}, processor time ${processor_ratios[-1]}"
done
if [ -z "$ours" ]; then
    echo "median ratio: time $(median "${ratios[@]}"), processor time $(median "${processor_ratios[@]}")"
fi
