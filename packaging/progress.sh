#!/usr/bin/env bash
# Reads the output of ninja with NINJA_STATUS="[%f of %t] " and prints the progress: on a terminal in a line that it
# overwrites, otherwise on a new line every 30 seconds. Passes warnings and errors through, unless --quiet is given.
set -euo pipefail
status='^\[([0-9]+ of [0-9]+)\] '
next=30
SECONDS=0
progress=
text= # of a line that is not complete yet
report() {
    if [ -n "$progress" ] && ((SECONDS >= next)); then
        echo "$progress"
        next=$((SECONDS + 30))
    fi
}
while true; do
    if IFS= read -r -t 1 line; then
        line=$text$line
        text=
    elif (($? > 128)); then # a second without a line: a step can take long
        text+=$line
        if [ ! -t 1 ]; then report; fi
        continue
    else
        break
    fi
    if [[ $line =~ $status ]]; then
        progress=${BASH_REMATCH[1]}
        if [ -t 1 ]; then printf '\r%s' "$progress"; else report; fi
    elif [ "${1:-}" != --quiet ] && [ "$line" != 'ninja: no work to do.' ] && [[ $line != 'ninja: Entering directory'* ]]; then
        printf '%s\n' "$line"
    fi
done
if [ -t 1 ]; then printf '\r\033[K'; fi
