#!/bin/bash
# fuzz.sh BUILD SECONDS [TARGET...]: runs the fuzz targets of a build (build/fuzz, build/release) for the given time, all by default
# and as many at once as there are processors, from their seeds in tests/fuzz/seeds and those that make_seeds.py makes, and
# prints a table. New inputs are kept in BUILD/fuzzing/corpus for the next run, inputs that make a target fail in
# BUILD/fuzzing/found, and the CPU time of all runs of a target in BUILD/fuzzing/cpu_time. The column "hours" adds to it what
# record_fuzzing.sh wrote to tests/fuzz/cpu_hours.txt. With CROSSWALK_FUZZ_SEED, a number, the inputs are the same in every run.
#
# An input is a finding if it crashes the target, which tests/hostile would report with 5 s of CPU time and 500 MB for the
# program as it is released. With the sanitizers, it takes six times as long (tests/hostile/bounded_run.py), and their memory
# is added to that of the program, so that the limit of 500 MB holds for a single allocation.
set -euo pipefail
cd "$(dirname "$0")/../.."
export build=$1 seconds=$2
export out=$build/fuzzing
export ASAN_OPTIONS=malloc_context_size=3:quarantine_size_mb=64 # allocations take most of the time otherwise
if [ -d /dev/shm ]; then export TMPDIR=/dev/shm; fi

run() { # run TARGET
    # Without instrumentation no input covers anything new: the seeds are kept nevertheless.
    local name=$1 options=(-keep_seed=1 -seed="${CROSSWALK_FUZZ_SEED:-0}")
    mkdir -p "$out/corpus/$name"
    if [ -e "$out/seeds/$name.dict" ]; then options+=(-dict="$out/seeds/$name.dict"); fi
    for seeds in "tests/fuzz/seeds/$name" "$out/seeds/$name"; do
        if [ -d "$seeds" ]; then options+=("$seeds"); fi
    done
    mkdir -p "$out/cpu_time"
    TIMEFORMAT='%U %S' # user and system, in seconds
    {
        time "$build/fuzz/fuzz_$name" "$out/corpus/$name" -max_total_time="$seconds" -timeout=30 -report_slow_units=30 \
            -malloc_limit_mb=500 -rss_limit_mb=2500 -artifact_prefix="$out/found/$name-" -print_final_stats=1 "${options[@]}" \
            > "$out/$name.log" 2>&1 || true
    } 2>> "$out/cpu_time/$name"
}

# print_row TARGET: executions, covered branches, features and findings of its last run, and the CPU hours of all its runs, also of those
# that tests/fuzz/cpu_hours.txt records.
print_row() {
    local hours
    hours=$(awk -v name="$1" 'NR == FNR { if ($1 == name) recorded = $2; next } { seconds += $1 + $2 } END { printf "%.2f", recorded + seconds / 3600 }' \
        tests/fuzz/cpu_hours.txt "$out/cpu_time/$1")
    awk -v name="$1" -v hours="$hours" '
        /^stat::number_of_executed_units/ { runs = $2 }
        / cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") cov = $(i + 1); if ($i == "ft:") ft = $(i + 1) } }
        /Test unit written to/ { found++; file = $NF }
        /^(defect:|SUMMARY:)/ && !what { what = $0 }
        END {
            if (!runs && !found) { found = 1; what = "did not start" }
            printf "%-22s %11d %10d %10d %9d %6s  %s\n", name, runs, cov, ft, found, hours, what " " file
            exit found > 0
        }' "$out/$1.log"
}

names=("${@:3}")
if [ ${#names[@]} -eq 0 ]; then
    for target in "$build"/fuzz/fuzz_*; do names+=("${target##*/fuzz_}"); done
fi
mkdir -p "$out/found"
build/deps/venv/bin/python tests/fuzz/make_seeds.py --seconds "$seconds" "$out/seeds" "${CROSSWALK_SHARED:-../shared}/cases"
export -f run
printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I{} bash -c 'run {}'
printf '%-22s %11s %10s %10s %9s %6s\n' target executions coverage features findings hours
broken=0
for name in "${names[@]}"; do print_row "$name" || broken=1; done
if [ $broken -ne 0 ]; then
    echo "the inputs of findings are in $out/found, the logs in $out; add them to tests/fuzz/seeds or to the test of what they break" >&2
fi
exit $broken
