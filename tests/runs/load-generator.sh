# shellcheck shell=bash disable=SC2154
# Measures how fast kvctl load itself can be: its rate on a map beside that on a server.
#
# usage: tests/run load-generator [ROUNDS [OPTION...]]
#
# Measures YCSB's workload B with kvctl load, in turns on a server over shm and on a map in the process itself, with
# keys, values, distribution, verification and recording all on, and with as many threads as there are cores. Prints
# both rates of each of ROUNDS rounds (default 3) and the median of their ratios. OPTIONs go to kvctl load, such as
# --workload a or --threads 1.

rounds=${1-3}
shift || true

# Whatever the environment says, only the server that is started here is asked.
unset KVCTL_SERVER KVCTL_TOKEN KVCTL_OUTPUT
"$root/kvctl" --version >/dev/null
coproc server { exec "$root/kvctl" server --listen 127.0.0.1:0 --device shm --memory 256MiB 2>/dev/null; }
# shellcheck disable=SC2154 # coproc sets it.
server_process=$server_PID
trap 'kill "$server_process" 2>/dev/null || true; wait "$server_process" 2>/dev/null || true' EXIT
read -r -u "${server[0]}" ready address _ || fail 'the server did not start'
[ "$ready" = ready: ] || fail "the server did not start: $ready"

# The rate of the run phase, which is the one whose lines are shown.
rate()
{
    "$root/kvctl" load --server "$address" -p threadcount="$(nproc)" --warm-up 3s --duration 5s -o ycsb "$@" |
        awk -F ', ' '$1 == "[OVERALL]" && $2 ~ /^Throughput/ { rate = $3 } END { printf "%.0f\n", rate }'
}

echo 'round  store        map          ratio'
ratios=()
for ((round = 1; round <= rounds; round++)); do
    store=$(rate "$@")
    map=$(rate --store map "$@")
    ratio=$(awk "BEGIN { printf \"%.2f\", $map / $store }")
    ratios+=("$ratio")
    printf '%-5d  %-11s  %-11s  %s\n' "$round" "$store" "$map" "$ratio"
done
printf 'median ratio: %s\n' "$(printf '%s\n' "${ratios[@]}" | sort -n | sed -n "$(((rounds + 1) / 2))p")"
