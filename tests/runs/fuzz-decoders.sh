# shellcheck shell=bash disable=SC2154,SC2164
# Fuzzes the decoders of messages, memory, files and settings.
#
# usage: tests/run fuzz-decoders [--only NAMES] [--seconds N] [--seed N] [--from N] [--inputs N]
#        tests/run fuzz-decoders --only NAME --file FILE
#        tests/run fuzz-decoders --jazzer [--only NAMES] [--seconds N]
#
# Feeds each decoder changed inputs, with what the last ./check (or ./mvnw -DskipTests package) has built, and prints
# how many there were. Ends with 1 if one crashes, hangs, allocates too much for its input, refuses one otherwise than
# in one line, or does what it must not; the input is kept in tests/conformance/target/fuzz. Put it into the folder
# src/test/resources/fuzz/NAME of that module, where each test run feeds it first.
#
# --only NAMES  of the decoders, with commas between: hostile-client, hostile-server (the bootstrap as a running server
#               and a client meet it), messages (its messages), rpc-requests, rpc-answers, region (superblock, buckets,
#               records), pairs-tsv, pairs-jsonl, settings, workload, options, token, tokens, pem, result; otherwise all
# --seconds N   for each (default 60)
# --seed N      of all that is random; printed, and otherwise new each time
# --from N      number of the first input, as a failure names it; seed and number repeat an input
# --inputs N    for each, at most
# --file FILE   feeds this one and no other
# --jazzer      lets Jazzer choose the inputs, by what code they reach (default 600 seconds for each); it is downloaded
#               from Maven Central the first time

read_options --jazzer '--seed --from --inputs' '--only --seconds --file --write' "$@"
need_build conformance
flags=(-XX:+UseSerialGC -XX:-UsePerfData -Xmx512m)

if [ -z "$jazzer" ]; then
    [ -z "$file" ] || set -- --only "$only" --file "$(readlink -f -- "$file")"
    cd "$tested"
    exec "${java[@]}" "${flags[@]}" org.onesided.fuzz.FuzzDecoders "$@"
fi

"$root/mvnw" -q -f "$root/pom.xml" -pl tests/conformance -am -Pjazzer -DskipTests process-test-resources ||
    fail 'Jazzer could not be downloaded'
jars=$(echo "$tested"/target/jazzer/*.jar | tr ' ' ':')
if [ -z "$only" ]; then
    only=$(find "$tested/src/test/resources/fuzz" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | paste -sd, -)
fi
failed=()
for name in ${only//,/ }; do
    mkdir -p "$tested/target/jazzer/$name"
    cd "$tested/target/jazzer/$name"
    mkdir -p corpus
    say "$name"
    # Its own tests are for programs that must not connect where their input says, and look into Java's own classes.
    "$java_home/bin/java" "${flags[@]}" "@$java_options" -Donesided.fuzz.target="$name" -cp "$jars:$class_path" \
        com.code_intelligence.jazzer.Jazzer --target_class=org.onesided.fuzz.JazzerTarget \
        --instrumentation_includes='org.onesided.**' --custom_hook_includes='org.onesided.**' --reproducer_path=. \
        --disabled_hooks=com.code_intelligence.jazzer.sanitizers.ServerSideRequestForgery \
        corpus "$tested/src/test/resources/fuzz/$name" -max_total_time="${seconds:-600}" -rss_limit_mb=3072 \
        -timeout=30 -max_len=40960 -print_final_stats=1 || failed+=("$name")
done
[ ${#failed[@]} -eq 0 ] || fail "FAILED, see above and $tested/target/jazzer: ${failed[*]}"
