#!/bin/bash
# robustness.sh SECONDS: fuzzes each target for this time, runs all commands on the hostile files, and lets calls to the system
# fail, and prints a table of each.
set -euo pipefail
cd "$(dirname "$0")/../.."
broken=0
packaging/dev/fuzz.sh build/fuzz "$1" || broken=1
echo
build/deps/venv/bin/python -B tests/hostile/hostile_files.py --bin build/release/bin/crosswalk || broken=1
echo
for test in tst_write_faults tst_process; do
    log=build/release/$test.log
    QT_QPA_PLATFORM=offscreen "build/release/tests/$test" > "$log" 2>&1 || broken=1
    grep -o 'faults injected.*' "$log" || echo "$test did not end: see $log"
done
exit $broken
