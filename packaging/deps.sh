#!/usr/bin/env bash
# Builds the dependencies that the distribution does not package, once, into a folder named after a hash of this script,
# the pinned versions and the compiler, and links build/deps to that folder:
#   venv/   a private Python environment from python.lock (cmake, the judge's onnx and numpy, ONNX Runtime)
#   onnx/   onnx's C++ library, static, with the distribution's protobuf
# Everything comes from PyPI by name, pinned and hashed. Returns immediately if the folder is complete; if several run at
# the same time, one builds and the others wait for it.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
onnx_version=1.23.2
onnx_sha256=008cb0467b2bbee41448acc7da8b6f4e704624cb0d327a2d5adafc7ce19bc5b8
# pyenv and the like may shadow a distribution's Python by one for which python3-venv is not installed
python=$(command -v /usr/bin/python3 || command -v python3)

recipe=$({ cat "$0" "$root/packaging/python.lock"; "$python" --version; c++ -dumpfullversion; protoc --version; } | sha256sum | cut -c1-16)
cache="${XDG_CACHE_HOME:-$HOME/.cache}/crosswalk"
deps="$cache/deps-$recipe"

# step "activity" command...: prints nothing unless the command fails, then the last errors and the path of the log.
step() {
    local what=$1
    shift
    if ! "$@" >> "$deps/log" 2>&1 < /dev/null; then
        grep -iE 'error|no matching' "$deps/log" | tail -3 >&2 || true
        echo "error: $what failed; the complete output is in $deps/log" >&2
        exit 1
    fi
}

fetch() {
    "$deps/venv/bin/pip" "$@" --disable-pip-version-check --no-deps --require-hashes
}

build_onnx() {
    local source="$deps/src/onnx-$onnx_version" launcher=()
    if command -v ccache > /dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
    # onnx's asserts contain the paths of its sources, which packages must not depend on.
    "$deps/venv/bin/cmake" -S "$source" -B "$deps/src/build" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG -ffile-prefix-map=$deps/src=." \
        -DCMAKE_INSTALL_PREFIX="$deps/onnx" -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
        -DONNX_ML=ON -DONNX_USE_PROTOBUF_SHARED_LIBS=OFF -DONNX_BUILD_PYTHON=OFF -DONNX_GEN_PB_TYPE_STUBS=OFF \
        -DPython3_EXECUTABLE="$deps/venv/bin/python" "${launcher[@]}"
    "$deps/venv/bin/cmake" --build "$deps/src/build" --target install
}

prepare() {
    echo "Preparing onnx $onnx_version and ONNX Runtime in $deps (about three minutes, once)"
    rm -rf "$deps"
    mkdir -p "$deps/src"
    step "creating a virtual environment with $python" "$python" -m venv "$deps/venv"
    step "downloading packaging/python.lock from PyPI" fetch install --only-binary :all: -r "$root/packaging/python.lock"
    echo "onnx==$onnx_version --hash=sha256:$onnx_sha256" > "$deps/src/onnx.txt"
    # Without build isolation, pip uses the pinned build back end of the environment for metadata.
    PATH="$deps/venv/bin:$PATH" step "downloading onnx $onnx_version from PyPI" \
        fetch download --no-binary onnx --no-build-isolation -r "$deps/src/onnx.txt" -d "$deps/src"
    step "unpacking onnx" tar -xzf "$deps/src/onnx-$onnx_version.tar.gz" -C "$deps/src"
    step "building onnx" build_onnx
    rm -rf "$deps/src"
    touch "$deps/complete"
}

if [ ! -e "$deps/complete" ]; then
    mkdir -p "$cache"
    exec 9> "$deps.lock"
    flock --nonblock 9 || {
        echo "Waiting for another run to prepare $deps"
        flock 9
    }
    if [ ! -e "$deps/complete" ]; then prepare; fi
    exec 9>&-
fi
mkdir -p "$root/build"
if [ "$(readlink "$root/build/deps" || true)" != "$deps" ]; then ln -sfn "$deps" "$root/build/deps"; fi
