#!/usr/bin/env bash
# Builds what the distribution does not carry, once, into a folder named after what went into it, and links
# build/deps to that folder:
#   venv/   a private Python environment from python.lock (cmake, the judge's onnx and numpy, ONNX Runtime)
#   onnx/   onnx's C++ library, static, with the distribution's protobuf
# Everything comes from PyPI by name, pinned and hashed. Starts at once when the folder is complete.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
onnx_version=1.23.2
onnx_sha256=008cb0467b2bbee41448acc7da8b6f4e704624cb0d327a2d5adafc7ce19bc5b8
python=$(command -v /usr/bin/python3 || command -v python3)

recipe=$({ cat "$0" "$root/packaging/python.lock"; "$python" --version; c++ -dumpfullversion; protoc --version; } | sha256sum | cut -c1-16)
deps="${XDG_CACHE_HOME:-$HOME/.cache}/crosswalk/deps-$recipe"

if [ ! -e "$deps/complete" ]; then
    echo "Preparing onnx $onnx_version and ONNX Runtime in $deps (about three minutes, once)"
    rm -rf "$deps"
    mkdir -p "$deps/src"
    "$python" -m venv "$deps/venv"
    "$deps/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
        -r "$root/packaging/python.lock"
    echo "onnx==$onnx_version --hash=sha256:$onnx_sha256" > "$deps/src/onnx.txt"
    PATH="$deps/venv/bin:$PATH" "$deps/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps \
        --no-binary onnx --no-build-isolation --require-hashes -r "$deps/src/onnx.txt" -d "$deps/src"
    tar -xzf "$deps/src/onnx-$onnx_version.tar.gz" -C "$deps/src"
    launcher=()
    if command -v ccache > /dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
    "$deps/venv/bin/cmake" -S "$deps/src/onnx-$onnx_version" -B "$deps/src/build" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$deps/onnx" -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
        -DONNX_ML=ON -DONNX_USE_PROTOBUF_SHARED_LIBS=OFF -DONNX_BUILD_PYTHON=OFF -DONNX_GEN_PB_TYPE_STUBS=OFF \
        -DPython3_EXECUTABLE="$deps/venv/bin/python" "${launcher[@]}" > "$deps/src/configure.log"
    "$deps/venv/bin/cmake" --build "$deps/src/build" --target install > "$deps/src/build.log" || {
        tail -30 "$deps/src/build.log" >&2
        exit 1
    }
    rm -rf "$deps/src/build" "$deps/src/onnx-$onnx_version"
    touch "$deps/complete"
fi
mkdir -p "$root/build"
ln -sfn "$deps" "$root/build/deps"
