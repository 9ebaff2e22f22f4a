#!/usr/bin/env bash
# record_fuzzing.sh [BUILD]: moves the CPU time that fuzz.sh measured in a build folder (default: build/fuzz) into
# tests/fuzz/cpu_hours.txt, which is committed, so that it adds up over machines. Only for clang's fuzzers: inputs of a build
# without instrumentation do not lead to others.
set -euo pipefail
cd "$(dirname "$0")/../.."
measured=${1:-build/fuzz}/fuzzing/cpu_time
record=tests/fuzz/cpu_hours.txt
shopt -s nullglob
files=("$measured"/*)
if [ ${#files[@]} -eq 0 ]; then
    echo "error: $measured has no CPU time of a run; run ./dev fuzz first" >&2
    exit 1
fi
new=$(mktemp "$record.XXXXXX")
trap 'rm -f "$new"' EXIT
{
    grep '^#' "$record"
    {
        grep -v '^#' "$record"
        awk '{ seconds[FILENAME] += $1 + $2 } END { for (name in seconds) print name, seconds[name] / 3600 }' "${files[@]}" | sed 's|^.*/||'
    } | awk '{ hours[$1] += $2 } END { for (name in hours) printf "%s %.2f\n", name, hours[name] }' | LC_ALL=C sort
} > "$new"
chmod 644 "$new"
mv "$new" "$record"
rm "${files[@]}"
awk '!/^#/ { hours += $2 } END { printf "%s: %.2f hours in all\n", FILENAME, hours }' "$record"
