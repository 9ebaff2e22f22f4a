#!/bin/bash
#SBATCH --job-name=crosswalk --cpus-per-task=4 --mem=16G --requeue
# Converts a part of a list of models: sbatch --array=0-15 slurm.sh models.txt onnx
# Task i of n converts the models i, i + n, i + 2n... of the list into the folder, and writes report-i.json there. Afterwards:
#   crosswalk report --merge onnx/report-*.json -o onnx/report.html
set -euo pipefail
list=$1 out=$2
part=${SLURM_ARRAY_TASK_ID:-0} parts=${SLURM_ARRAY_TASK_COUNT:-1}
mkdir -p "$out"
# Beside the list, so that relative paths stay valid. Each task has a journal of its own.
mine="$list.part-$part"
grep -v -e '^#' -e '^[[:space:]]*$' "$list" | awk -v part="$part" -v parts="$parts" '(NR - 1) % parts == part' > "$mine"
if [ ! -s "$mine" ]; then
    rm -f "$mine"
    exit 0
fi
status=0
crosswalk convert --batch "$mine" -o "$out/part-$part" --jobs "${SLURM_CPUS_PER_TASK:-1}" --resume --report "$out/report-$part.json" || status=$?
rm -f "$mine"
# 4: some models were not converted, which the report lists; the task itself succeeded.
if [ "$status" -ne 4 ]; then exit "$status"; fi
