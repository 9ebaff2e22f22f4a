#!/usr/bin/env python3
"""usage: export_mx2onnx.py MODEL_FOLDER OUT.onnx: exports one model with MXNet 1.9.1's exporter, in a separate process.

Prints the time of the export call as JSON. The installed onnx may support later opsets than mx2onnx, so the opset is limited to the
newest of mx2onnx.
"""
import functools, json, os, sys, time, warnings

warnings.filterwarnings("ignore")
import numpy as np
import onnx

OPSET = 13


def main(folder, out):
    onnx.defs.onnx_opset_version = lambda: OPSET
    onnx.checker.DEFAULT_CONTEXT.opset_imports = {"": OPSET}
    onnx.helper.make_model = functools.partial(onnx.helper.make_model, opset_imports=[onnx.helper.make_opsetid("", OPSET)])
    import mxnet.onnx

    with open(os.path.join(folder, "case.json")) as f:
        inputs = [i for i in json.load(f)["inputs"] if not i.get("unused")]
    start = time.perf_counter()
    mxnet.onnx.export_model(os.path.join(folder, "model-symbol.json"), os.path.join(folder, "model-0000.params"),
                            [tuple(i["shape"]) for i in inputs], [np.dtype(i["dtype"]).type for i in inputs], out)
    print(json.dumps({"seconds": time.perf_counter() - start}))


if __name__ == "__main__":
    main(*sys.argv[1:])
