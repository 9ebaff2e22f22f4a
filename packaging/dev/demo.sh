#!/usr/bin/env bash
# demo.sh BIN: converts four example models with the programs in the folder BIN, verifies them against recorded outputs, and
# shows one. Run by ./dev demo.
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=$1
out=build/demo
mkdir -p "$out"

convert() { # convert NAME FILE FRAMEWORK [options of convert] -- [tolerances of verify]
    local name=$1 model=resources/examples/$1/$2 framework=$3 options=()
    shift 3
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    echo "== $name: converting $model"
    "$bin/crosswalk" convert "$model" -o "$out/$name.onnx" "${options[@]}"
    echo "== $name: verifying against tensors recorded from $framework"
    "$bin/crosswalk" verify "$out/$name.onnx" --data "resources/examples/$name" "${@:2}"
}

convert digits_crnn model-symbol.json MXNet --shape data=32,1,8,8 -- --rtol 1e-4 --atol 1e-5
build/deps/venv/bin/python packaging/dev/count_digits.py "$out/digits_crnn.onnx" resources/examples/digits_crnn
convert request_bilstm model-symbol.json MXNet --shape data=10,32,16 -- --rtol 0 --atol 1e-4
convert speech_commands frozen.pb TensorFlow -- --rtol 1e-4 --atol 1e-6
echo "== speech_commands: the while loop of tf.nn.dynamic_rnn is one node, $("$bin/crosswalk" inspect "$out/speech_commands.onnx" | grep -Eo 'LSTM|Loop|Scan')"
convert wearable_activity activity.ptl PyTorch --shape samples=N,T,3 -- --rtol 1e-4 --atol 1e-6
echo "== The ONNX files are in $PWD/$out"

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
