#!/usr/bin/env bash
# Converts two example models, verifies them against outputs recorded from MXNet, and shows one. Run by ./dev demo.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=build/release/bin
out=build/demo
mkdir -p "$out"

convert() { # convert NAME SHAPE [verify's tolerances]
    local example=resources/examples/$1
    echo "== $1: converting $example/model-symbol.json"
    "$bin/crosswalk" convert "$example/model-symbol.json" -o "$out/$1.onnx" --shape "data=$2"
    echo "== $1: verifying against tensors recorded from MXNet"
    "$bin/crosswalk" verify "$out/$1.onnx" --data "$example" "${@:3}"
}

convert digits_crnn 32,1,8,8 --rtol 1e-4 --atol 1e-5
build/deps/venv/bin/python packaging/dev/count_digits.py "$out/digits_crnn.onnx" resources/examples/digits_crnn
convert request_bilstm 10,32,16 --rtol 0 --atol 1e-4
echo "== The ONNX files: $PWD/$out/digits_crnn.onnx and $PWD/$out/request_bilstm.onnx"

window=("$bin/crosswalk-gui" resources/examples/request_bilstm/model-symbol.json --shape data=10,32,16)
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo "== Opening a window with request_bilstm (close it to end the demo)"
    "${window[@]}"
else
    QT_QPA_PLATFORM=offscreen "${window[@]}" --screenshot "$out/window.png" --size 1600x1000 2> "$out/window.log" || {
        cat "$out/window.log" >&2
        exit 1
    }
    echo "== No display available: a picture of the window is $PWD/$out/window.png"
fi
