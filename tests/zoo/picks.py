#!/usr/bin/env python3
"""Runs the last part of an export on MXNet's intermediate values, and compares its outputs with MXNet, bit by bit.

  picks.py FOLDER --mxnet PYTHON --from VALUE,... [--to VALUE,...] [--bin crosswalk]

FOLDER is a model of make_zoo.py. The scores of untrained detectors are nearly equal, so rounding of a layer changes the selected
boxes. This program distinguishes such ties from wrong selections. `--from` names the scores and boxes (yolov30_concat2_output), `--to`
the selected values (default: the model's outputs). PYTHON needs mxnet 1.9.1 and onnx; this program needs onnxruntime and onnx. The exit
status is 0 if all values are equal.
"""
import argparse, json, os, subprocess, sys, tempfile

RECORD = """
import glob, json, sys
import mxnet as mx, numpy as np, onnx
from onnx import numpy_helper
folder, out, before, after = sys.argv[1], sys.argv[2], sys.argv[3].split(","), [v for v in sys.argv[4].split(",") if v]
symbol = mx.sym.load(folder + "/model-symbol.json")
given = {}
for path in glob.glob(folder + "/test_data_set_0/input_*.pb"):
    tensor = onnx.TensorProto()
    tensor.ParseFromString(open(path, "rb").read())
    given[tensor.name] = mx.nd.array(numpy_helper.to_array(tensor))
inner = symbol.get_internals()
wanted = mx.sym.Group([inner[v] for v in before] + ([inner[v] for v in after] or list(symbol)))
stored = {k.split(":", 1)[1]: v for k, v in mx.nd.load(folder + "/model-0000.params").items()}
arguments = {k: v for k, v in {**stored, **given}.items() if k in set(wanted.list_arguments())}
states = {k: v for k, v in stored.items() if k in set(wanted.list_auxiliary_states())}
values = [v.asnumpy() for v in wanted.bind(mx.cpu(), args=arguments, aux_states=states).forward(is_train=False)]
np.savez(out, **{str(i): v for i, v in enumerate(values)})
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--mxnet", required=True, help="python with mxnet 1.9.1")
    parser.add_argument("--from", dest="before", required=True)
    parser.add_argument("--to", dest="after", default="")
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(__file__), "../../build/release/bin/crosswalk"))
    a = parser.parse_args()
    import numpy as np, onnx, onnxruntime
    with open(os.path.join(a.folder, "case.json")) as file:
        shapes = [f"--shape={i['name']}={','.join(map(str, i['shape']))}" for i in json.load(file)["inputs"]]
    with tempfile.TemporaryDirectory() as scratch:
        whole, part, values = (os.path.join(scratch, name) for name in ("whole.onnx", "part.onnx", "values.npz"))
        subprocess.run([a.mxnet, "-c", RECORD, a.folder, values, a.before, a.after], check=True, stderr=subprocess.DEVNULL)
        subprocess.run([a.bin, "convert", os.path.join(a.folder, "model-symbol.json"), "-o", whole, "--quiet", *shapes], check=True)
        after = a.after.split(",") if a.after else [o.name for o in onnx.load(whole, load_external_data=False).graph.output]
        subprocess.run([a.bin, "extract", whole, "--from", a.before, "--to", ",".join(after), "-o", part], check=True,
                       stdout=subprocess.DEVNULL)
        recorded = np.load(values)
        before = a.before.split(",")
        got = onnxruntime.InferenceSession(part).run(after, {name: recorded[str(i)] for i, name in enumerate(before)})
        equal = True
        for i, (name, value) in enumerate(zip(after, got)):
            wanted = recorded[str(len(before) + i)]
            same = np.array_equal(value, wanted)
            equal = equal and same
            print(f"{name} {list(wanted.shape)}: {'equal' if same else f'{int((value != wanted).sum())} of {wanted.size} differ'}")
    sys.exit(0 if equal else 1)


if __name__ == "__main__":
    main()
