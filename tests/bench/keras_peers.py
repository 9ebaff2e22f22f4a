#!/usr/bin/env python3
"""Times whole processes of Keras's converters, for bench_keras: keras_peers.py CASES KERAS2 KERAS3 > tests/data/keras_peers.csv

CASES is a folder of recorded cases of Keras (../shared/cases/keras). KERAS2 is a Python with TensorFlow 2.15 and tf2onnx 1.17, which runs
`python -m tf2onnx.convert --keras`; KERAS3 one with Keras 3.15, TensorFlow 2.21, tf2onnx and onnx, which loads the file, calls the model and runs
`model.export(format="onnx")`. Seconds are those of the CPU from the start of the process to its end, which other programs on the
machine change little."""
import csv
import glob
import json
import os
import resource
import subprocess
import sys
import tempfile

EVERY = 40  # cases: each takes a peer some seconds
EXPORT = """
import json, sys
import numpy as np, keras
model = keras.models.load_model(sys.argv[1], compile=False)
model([np.zeros([1 if n == -1 else n for n in i["shape"]], i["dtype"]) for i in json.load(open(sys.argv[3]))["inputs"]])
model.export(sys.argv[2], format="onnx")
"""


def seconds_of(command):
    """The CPU time of a process; nothing if it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, env={**os.environ, "KERAS_BACKEND": "tensorflow"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu if done.returncode == 0 else None


def main():
    cases, keras2, keras3 = sys.argv[1:]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["case", "file", "peer", "cpu_seconds"])
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "model.onnx")
        for prefix, name, command in (
                ("k2_", "tf2onnx --keras", lambda file, case: [keras2, "-m", "tf2onnx.convert", "--keras", file, "--output", target]),
                ("k3_", "model.export", lambda file, case: [keras3, "-c", EXPORT, file, target, case])):
            paths = [path for path in sorted(glob.glob(os.path.join(cases, prefix + "*"))) if "refuse" not in path]
            for path in paths[::EVERY]:
                files = [file for file in ("model.h5", "model.keras") if os.path.exists(os.path.join(path, file))]
                seconds = seconds_of(command(os.path.join(path, files[0]), os.path.join(path, "case.json"))) if files else None
                if seconds is not None:
                    out.writerow([os.path.basename(path), files[0], name, f"{seconds:.2f}"])
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
