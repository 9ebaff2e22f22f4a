#!/usr/bin/env bash
# Installs missing packages of apt.txt: those without a group, and those of the groups given as arguments. Queries the
# package database first, so it returns immediately if nothing is missing. Needs root or sudo; without them it prints the
# missing packages and the command to install them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

fail() {
    echo "error: $1" >&2
    exit 1
}

wanted() {
    local line group
    while read -r line; do
        case $line in
        '' | '#'*) ;;
        *': '*)
            for group in "$@"; do
                if [ "${line%%: *}" = "$group" ]; then echo "${line#*: }"; fi
            done
            ;;
        *) echo "$line" ;;
        esac
    done < "$here/apt.txt"
}

installed() { # any of the names, separated by bars
    local name
    for name in ${1//|/ }; do
        if grep -qx "$name installed" <<< "$have"; then return 0; fi
    done
    return 1
}

available() { # the first of the names that this release provides
    local name
    for name in ${1//|/ }; do
        if apt-cache show --no-all-versions "$name" > /dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
    fail "this release has no package ${1//|/ or }"
}

command -v dpkg-query > /dev/null || fail "set-up supports Debian 12 and Ubuntu 24.04; on other systems install the equivalents of \
$(wanted "$@" | tr '\n' ' ')and run packaging/deps.sh"

# Packages of the native architecture are listed without it.
have=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n')
missing=()
while read -r choice; do
    if ! installed "$choice"; then missing+=("$choice"); fi
done < <(wanted "$@")
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

sudo=()
if [ "$(id -u)" -ne 0 ]; then
    # Without a terminal sudo cannot ask for a password.
    if command -v sudo > /dev/null && { [ -t 0 ] || sudo -n true 2> /dev/null; }; then
        sudo=(sudo)
    else
        fail "missing packages; root or sudo is required to install them: apt-get install ${missing[*]%%|*}"
    fi
fi
echo "Installing with ${sudo[*]:+sudo }apt-get: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
run() { "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" > "$log" 2>&1 < /dev/null; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run update || echo "note: apt-get update failed; using the existing package lists" >&2
packages=()
for choice in "${missing[@]}"; do
    packages+=("$(available "$choice")")
done
run install --no-install-recommends -y "${packages[@]}" || {
    tail -20 "$log" >&2
    fail "apt-get could not install: ${packages[*]}"
}
