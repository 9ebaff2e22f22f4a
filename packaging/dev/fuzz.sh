#!/bin/bash
# Runs every fuzz target of build/fuzz for the given number of seconds, starting from its seeds in tests/fuzz/seeds. New
# inputs are kept in build/fuzz/corpus for the next run; inputs that make a target fail, in build/fuzz/found.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
mkdir -p build/fuzz/found
broken=0
for target in build/fuzz/fuzz/fuzz_*; do
    name=${target##*/fuzz_}
    corpus=build/fuzz/corpus/$name
    mkdir -p "$corpus"
    echo "fuzz_$name: $seconds s"
    log=build/fuzz/$name.log
    "$target" "$corpus" "tests/fuzz/seeds/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="build/fuzz/found/$name-" -print_final_stats=1 -verbosity=0 >"$log" 2>&1 || { broken=1; grep -m1 -A20 'ERROR\|runtime error' "$log" || true; }
    grep '^stat::number_of_executed_units' "$log" || true
done
if [ $broken -ne 0 ]; then
    echo "a target failed: its input is in build/fuzz/found; add it to the test of the reader" >&2
fi
exit $broken
