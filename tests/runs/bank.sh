# shellcheck shell=bash disable=SC2154
# Runs all tests of the store's correctness, and prints one table.
#
# usage: tests/run bank [--devices NAMES] [--operations N] [--seed N] [--long] [--no-vm] [--no-mutations]
#
# Runs the whole bank of tests of the store's correctness, with what the last ./check has built, and prints a table:
# device by (operations checked, faults injected, torn READs caught, planted bugs caught, violations). Exits with 1 on
# any violation, any planted bug that is not caught, and any part that fails. Takes an hour or more, most of it for the
# planted bugs.
#
#   --devices NAMES   software devices, comma-separated (default shm, tcp, and chaos over each)
#   --operations N    on each of them (default 2000000); in the virtual machine 100000
#   --seed N          of what is drawn (default: another one each time)
#   --long            100 times as many operations, in the virtual machine, too
#   --no-vm           without the device ibv, which is in the virtual machine
#   --no-mutations    without planted bugs
#
# Table: tests/target/bank/table; all output is beside it.

read_options '--long --no-vm --no-mutations' '--operations --seed' --devices "$@"
seed=${seed:-$(($(date +%s) % 1000000))} operations=${operations:-2000000}
# The faults that go by lines are in some of the READs only, since such take ten times as long.
devices=${devices:-shm,tcp,chaos:$seed/split=4:shm,chaos:$seed/split=4:tcp}
vm_operations=100000 vm_seconds=3600
[ -z "$long" ] || vm_operations=10000000 vm_seconds=36000
need_build conformance
results=$root/tests/target/bank
rm -rf -- "$results"
mkdir -p -- "$results"
status=0
left_out=()

# Says that a part went wrong: $1, whose output is in file $2.
wrong()
{
    status=1
    say "FAILED: $1 (output: $2)"
}

# Runs test class $2 of module $1.
run_tests()
{
    need_build "$1"
    "${java[@]}" org.junit.platform.console.ConsoleLauncher execute --include-engine junit-jupiter --disable-banner \
        --disable-ansi-colors --fail-if-no-tests --select-class "$2"
}

# Adds a row to the table: what, operations, faults, torn READs, planted bugs, violations.
row()
{
    printf '%-26s %18s %16s %18s %20s %11s\n' "$@" >>"$results/table"
}

number()
{
    # Digits in groups of three, in any locale.
    sed -e :a -e 's/^\([0-9]\{1,\}\)\([0-9]\{3\}\)/\1,\2/;ta' <<<"$1"
}

row device 'operations checked' 'faults injected' 'torn READs caught' 'planted bugs caught' violations

for device in ${devices//,/ }; do
    say "linearizability on $device ..."
    output=$results/linearizability-${device//[^a-z0-9]/-}
    "$here/run" linearizability --device "$device" --operations "$operations" --seed "$seed" \
        --summary "$output.summary" ${long:+--long} >"$output" 2>&1 || wrong "linearizability on $device" "$output"
    if [ -s "$output.summary" ]; then
        IFS=$'\t' read -r _ checked faults torn violations <"$output.summary"
        row "$device" "$(number "$checked")" "$(number "$faults")" "$(number "$torn")" - "$violations"
    else
        row "$device" 'did not end' - - - '?'
    fi
done

if [ -n "$no_vm" ]; then
    left_out+=('ibv: --no-vm was given')
elif ! reason=$("$here/vm/run-in-vm" --prepare 2>&1); then
    left_out+=("ibv: no virtual machine: $reason")
else
    say 'linearizability on ibv, in the virtual machine ...'
    output=$results/linearizability-ibv
    VM_SECONDS=$vm_seconds VM_JAVA_OPTS=-Donesided.linearizability.rdma=$vm_operations "$here/vm/run-tests" --select-method \
        org.onesided.linearizability.LinearizabilityTest#shouldBeLinearizableOnRdmaDevices >"$output" 2>&1 ||
        wrong 'linearizability on ibv' "$output"
    # A line for each round: operations, faults, torn READs, verdict.
    read -r checked faults torn violations < <(
        sed -n 's/^ibv: \([0-9,]*\) operations in .* \([0-9,]*\) faults injected, \([0-9,]*\) torn .*: \([a-zA-Z ]*\)$/\1 \2 \3 \4/p' \
            "$root/tests/target/vm-reports/output" | tr -d , |
            awk '{ o += $1; f += $2; t += $3; v += $4 == "NOT" } END { printf "%d %d %d %d\n", o, f, t, v }')
    if [ "$checked" -gt 0 ]; then
        row ibv "$(number "$checked")" "$(number "$faults")" "$(number "$torn")" - "$violations"
    else
        row ibv 'did not end' - - - '?'
    fi
fi

say 'torn READs ...'
output=$results/torn-reads
if run_tests conformance org.onesided.iwarp.TornReadTest >"$output" 2>&1 &&
    run_tests system org.onesided.endtoend.tcp.TornReadTest >>"$output" 2>&1; then
    torn=$(awk '/torn READs caught: [0-9]+$/ { sum += $NF } END { print sum + 0 }' "$output")
    row 'torn READ stress (tcp)' - - "$(number "$torn")" - 0
else
    wrong 'torn READs' "$output"
    row 'torn READ stress (tcp)' - - - - '?'
fi

if [ -n "$no_mutations" ]; then
    left_out+=('planted bugs: --no-mutations was given')
else
    say 'planted bugs ...'
    output=$results/mutations
    "$here/run" mutations >"$output" 2>&1 || wrong 'planted bugs' "$output"
    # A name in a line, and below it a line for each seed.
    read -r caught planted unsound < <(awk '
        /^[a-z(]/ { name = $0 }
        /^ +(caught|NOT CAUGHT) / { planted[name] = 1; if (/NOT CAUGHT/) missed[name] = 1 }
        /^ +UNSOUND/ { unsound++ }
        END { for (n in planted) { all++; if (!(n in missed)) caught++ } print caught + 0, all + 0, unsound + 0 }
        ' "$output")
    [ "$planted" -gt 0 ] || wrong 'planted bugs: none was tried' "$output"
    row 'shm, a bug at a time' - - - "$caught of $planted" "$unsound"
fi

[ ${#left_out[@]} -eq 0 ] || printf 'LEFT OUT: %s\n' "${left_out[@]}" >>"$results/table"
[ "$status" -eq 0 ] || printf 'FAILED: see %s\n' "$results" >>"$results/table"
cat -- "$results/table"
exit "$status"
