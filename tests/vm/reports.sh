# shellcheck shell=bash
# What the reports of JUnit's console tell of tests that failed. Sourced.

# Prints for each failed test of report $1 its unique id, a tab, and how it failed, in a line.
print_failed()
{
    awk '
        /^<testcase / || /^<\/testcase>/ { failed = 0 }
        /^<(failure|error) / {
            failed = 1
            first = ""
            if (match($0, / message="[^"]*/)) {
                first = substr($0, RSTART + 10, RLENGTH - 10)
            } else if (match($0, / type="[^"]*/)) {
                first = substr($0, RSTART + 7, RLENGTH - 7)
            }
            sub(/&#(10|13|x[aAdD]);.*/, "", first)
            gsub(/&lt;/, "<", first)
            gsub(/&gt;/, ">", first)
            gsub(/&quot;/, "\"", first)
            gsub(/&amp;/, "\\&", first)
            gsub(/\t/, " ", first)
            first = substr(first, 1, 500)
        }
        failed && sub(/^unique-id: /, "") { print $0 "\t" first }' "$1"
}

# Prints a line for each test that failed in report $1 and was run again in report $2: how it ended then, its unique id,
# and how it failed first.
print_reruns()
{
    local id first ended
    while IFS=$'\t' read -r id first; do
        if grep -qxF "unique-id: $id" "$2"; then
            ended=passed
            if print_failed "$2" | cut -f 1 | grep -qxF "$id"; then
                ended='failed again'
            fi
            printf 'run again after a failure, and %s: %s: %s\n' "$ended" "$id" "$first"
        fi
    done < <(print_failed "$1")
}
