#!/usr/bin/env bash
# Tests that a build is reproducible: packaging/compare_packages.sh PACKAGES [COMMIT]. Builds the commit in a second checkout, in another
# folder, packs it, and compares the packages byte by byte with those in PACKAGES. With CCACHE_DISABLE=1, everything is compiled anew.
set -euo pipefail
packages=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
commit=$(git rev-parse --verify "${2:-HEAD}")
if [ $# -lt 2 ] && [ -n "$(git status --porcelain --untracked-files=no)" ]; then
    echo "error: there are changes that are not committed, which the second build would not contain" >&2
    exit 1
fi
work=$(mktemp -d /var/tmp/crosswalk-another-checkout-XXXXXX)
trap 'rm -rf "$work"' EXIT
git clone -q --no-checkout "$PWD" "$work/checkout"
git -C "$work/checkout" checkout -q --detach "$commit"
mkdir "$work/checkout/build"
ln -s "$(readlink -f build/deps)" "$work/checkout/build/deps"
werror=$(sed -n 's/^CROSSWALK_WERROR:BOOL=//p' build/package/CMakeCache.txt)
(cd "$work/checkout" && cmake --preset package -DCROSSWALK_WERROR="$werror" > "$work/log" 2>&1 && ninja -C build/package > "$work/log" 2>&1) || {
    tail -5 "$work/log" >&2
    echo "error: the second build failed" >&2
    exit 1
}
"$work/checkout/packaging/package.sh" "$work/checkout/build/package" "$work/packages" > /dev/null
cd "$work/packages"
status=0
for file in *; do
    if cmp -s "$file" "$packages/$file"; then
        echo "equal  $(sha256sum "$file")"
    else
        echo "DIFFERENT  $file"
        status=1
    fi
done
exit $status
