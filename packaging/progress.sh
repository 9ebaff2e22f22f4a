#!/usr/bin/env bash
# Reads the output of ninja with NINJA_STATUS="[%f of %t] " and prints the progress: on a terminal in a line that it
# overwrites, otherwise on a new line every 30 seconds. Passes warnings and errors through, unless --quiet is given.
set -euo pipefail
status='^\[([0-9]+ of [0-9]+)\] '
next=30
SECONDS=0
while IFS= read -r line; do
    if [[ $line =~ $status ]]; then
        if [ -t 1 ]; then
            printf '\r%s' "${BASH_REMATCH[1]}"
        elif ((SECONDS >= next)); then
            echo "${BASH_REMATCH[1]}"
            next=$((SECONDS + 30))
        fi
    elif [ "${1:-}" != --quiet ] && [ "$line" != 'ninja: no work to do.' ] && [[ $line != 'ninja: Entering directory'* ]]; then
        printf '%s\n' "$line"
    fi
done
if [ -t 1 ]; then printf '\r\033[K'; fi
