# shellcheck shell=bash disable=SC2154
# Checks what kvctl load shows at a terminal, and writes the transcript in docs/load.md.
#
# usage: tests/run terminal [--check | --docs]
#
# Starts a server, types a load run into a terminal (tmux), waits for its progress, presses Ctrl-C, and prints a
# transcript: the terminal as it was while the run went on, and as it was in the end. Fails if the progress, the result
# or the exit code is not what it must be, or if anything of the progress stays behind.
#
# --check  compares the transcript with that of docs/load.md, without numbers, and prints it only if they differ
# --docs   writes it there
#
# It needs tmux, which root gets installed. Without it, it says so and ends with 77.

mode=${1-}
case $mode in
    '' | --check | --docs) ;;
    *) refuse "no such option: option=$mode" ;;
esac

if ! command -v tmux >/dev/null && ! { may_install && (install_packages tmux); }; then
    say 'left out: needs tmux, install it, as with: apt-get install tmux'
    exit 77
fi

page=$root/docs/load.md
begin='<!-- transcript: made by tests/run terminal --docs -->'
end='<!-- end of transcript -->'
most_seconds=240
work=$(mktemp -d)
socket=$work/tmux
server_process=

clean()
{
    tmux -S "$socket" kill-server 2>/dev/null || true
    if [ -n "$server_process" ]; then
        kill "$server_process" 2>/dev/null || true
        wait "$server_process" 2>/dev/null || true
    fi
    rm -rf "$work"
}
trap clean EXIT

# What somebody at the terminal sees, without empty lines at its end.
screen()
{
    tmux -S "$socket" capture-pane -p -t kvctl | sed -e 's/[[:space:]]*$//' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

# Waits until the terminal shows what matches $1.
await()
{
    local give_up=$((SECONDS + most_seconds))
    until screen >"$work/screen" && grep -Eq -- "$1" "$work/screen"; do
        if [ "$SECONDS" -ge "$give_up" ]; then
            cat "$work/screen" >&2
            fail "the terminal never showed: $1"
        fi
        sleep 0.1
    done
}

# Whatever the environment says, only the server that is started here is asked.
unset KVCTL_SERVER KVCTL_TOKEN KVCTL_TOKEN_FILE KVCTL_OUTPUT KVCTL_VERBOSE KVCTL_DEVICE KVCTL_DEADLINE
"$root/kvctl" --version >/dev/null
coproc server { exec "$root/kvctl" server --listen 127.0.0.1:0 --device shm --memory 64MiB 2>/dev/null; }
# shellcheck disable=SC2154 # coproc sets it.
server_process=$server_PID
read -r -u "${server[0]}" ready address _ || fail 'the server did not start'
[ "$ready" = ready: ] || fail "the server did not start: $ready"

"$root/kvctl" load --server "$address" --phase load --device shm >"$work/loaded" || fail 'no records could be put'

command='./kvctl load --phase run --workload b --threads 2 --duration 1m'
tmux -S "$socket" -f /dev/null new-session -d -s kvctl -x 100 -y 50 -c "$root" \
    "env KVCTL_SERVER=$address KVCTL_BUILD=no LC_ALL=C.UTF-8 PS1='$ ' sh"
await '^\$$'
tmux -S "$socket" send-keys -t kvctl "$command" Enter
await '^run \[#+-*\] +[0-9]+ % [0-9]+ s, [0-9,]+ ops/s, p99 [0-9.]+ .s$'
cp "$work/screen" "$work/before"
tmux -S "$socket" send-keys -t kvctl C-c
await '^\$$'
# $? is the other shell's.
# shellcheck disable=SC2016
tmux -S "$socket" send-keys -t kvctl 'echo "exit code $?"' Enter
await '^exit code [0-9]+$'
cp "$work/screen" "$work/after"

grep -q '^exit code 130$' "$work/after" || fail "kvctl load did not end with 130: $(grep '^exit code' "$work/after")"
grep -Eq '^(\^C)?kvctl load: interrupted; the result is that of the time until then$' "$work/after" ||
    fail 'it is not said that the run was interrupted'
grep -q '^run: .*(interrupted)' "$work/after" || fail 'there is no result of the time until then'
grep -Eq '^(READ|UPDATE) ' "$work/after" || fail 'there are no latencies'
if grep -q '\[#' "$work/after"; then
    fail 'some of the progress stayed behind'
fi

# Behind the last empty prompt there is nothing to see.
{
    echo '```'
    cat "$work/before"
    echo '```'
    echo
    echo 'and, after Ctrl-C,'
    echo
    echo '```'
    sed '$d' "$work/after"
    echo '```'
} >"$work/transcript"

# What differs from run to run: numbers, their units and the room they take; the address; how far a bar is.
shape()
{
    sed -E -e 's/127\.0\.0\.1:[0-9]+/ADDRESS/g' -e 's/\[#+-*\]/BAR/g' -e 's/[0-9][0-9.,]*/N/g' -e 's/N (ns|us|ms|s)\>/TIME/g' \
        -e 's/ +/ /g' "$1"
}

sed -n "\\|^$begin\$|,\\|^$end\$|p" "$page" | sed -e 1,2d -e '$d' | sed '$d' >"$work/documented"
case $mode in
    --docs)
        {
            sed "\\|^$begin\$|q" "$page"
            echo
            cat "$work/transcript"
            echo
            sed -n "\\|^$end\$|,\$p" "$page"
        } >"$work/page"
        grep -qxF -- "$end" "$work/page" || fail "there is no place for it: page=$page"
        cat "$work/page" >"$page"
        ;;
    --check)
        if ! diff -u <(shape "$work/documented") <(shape "$work/transcript") >"$work/diff"; then
            cat "$work/diff" >&2
            fail "the transcript in docs/load.md is not what the terminal shows; tests/run terminal --docs writes it anew"
        fi
        ;;
    *) cat "$work/transcript" ;;
esac
