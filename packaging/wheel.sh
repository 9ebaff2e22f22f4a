#!/usr/bin/env bash
# Builds and tests wheels of the Python package: packaging/wheel.sh [--local] [PYTHON...], by default for python3. Writes build/wheels.
# CPython 3.12 and newer share one wheel (the stable ABI). Each wheel contains the shared libraries that it needs, and is installed into an
# empty environment and tested there. With --local it uses those of this machine, and is tested only.
# CROSSWALK_WHEEL_TREE: an existing build tree of the library to use in place of build/wheel.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
tree=${CROSSWALK_WHEEL_TREE:-build/wheel}
is_local=
if [ "${1:-}" = --local ]; then
    is_local=1
    shift
fi
pythons=("$@")
if [ ${#pythons[@]} -eq 0 ]; then pythons=(python3); fi

fail() {
    echo "error: $1" >&2
    exit 1
}

if [ -z "${CROSSWALK_WHEEL_TREE:-}" ]; then
    cmake --preset wheel > build/wheel.log 2>&1 || fail "configuration failed; the output is in build/wheel.log"
    ninja -C "$tree" crosswalk crosswalk_core | packaging/progress.sh
fi
case $tree in /*) ;; *) tree=$root/$tree ;; esac
prefix=$root/build/python/prefix
cmake --install "$tree" --prefix "$prefix" --component development > /dev/null
mkdir -p build/wheels
for python in "${pythons[@]}"; do
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])') || fail "$python does not run"
    tools=build/python/tools-$version
    raw=$root/build/python/raw-$version
    if [ ! -e "$tools/complete" ]; then
        rm -rf "$tools"
        "$python" -m venv "$tools"
        "$tools/bin/pip" -q install --disable-pip-version-check --require-hashes --only-binary :all: -r packaging/wheel.lock
        touch "$tools/complete"
    fi
    rm -rf "$raw"
    log=build/python/$version.log
    PATH="$root/$tools/bin:$PATH" CMAKE_PREFIX_PATH=$prefix "$tools/bin/pip" wheel ./python --disable-pip-version-check \
        --no-build-isolation --no-deps -w "$raw" > "$log" 2>&1 || fail "the wheel for Python $version was not built; the output is in $log"
    wheel=$(echo "$raw"/*.whl)
    if [ -z "$is_local" ]; then
        PATH="$root/$tools/bin:$PATH" "$tools/bin/auditwheel" repair --strip -w "$raw/repaired" "$wheel" > "$log" 2>&1 ||
            fail "the libraries were not put into the wheel; the output is in $log"
        wheel=$(echo "$raw"/repaired/*.whl)
        cp "$wheel" build/wheels/
    fi
    # An empty environment has nothing but the wheel.
    "$python" -m venv --clear "build/python/empty-$version"
    "build/python/empty-$version/bin/pip" -q install --disable-pip-version-check --no-index --no-deps "$wheel"
    (cd build/python && CROSSWALK="$tree/bin/crosswalk" "empty-$version/bin/python" -m unittest discover -q -s "$root/python/tests") ||
        fail "the tests of the wheel failed on Python $version"
    echo "Python $version: $(basename "$wheel"), $(du -k "$wheel" | cut -f1) kB"
done
