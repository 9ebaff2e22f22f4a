#!/usr/bin/env python3
"""Record the inner tensors of exported programs of PyTorch, so that `crosswalk verify --inner` checks every node.

  python3 record_inner_torch.py OUT CASE...

Each case is a folder with model.pt2 and test_data_set_0. OUT/CASE receives a copy of the data set whose folder `inner` holds the result of
every node of the program's own graph, under the node's name, as PyTorch's interpreter of the graph computes it: submodules are part of that
graph. Needs the environment of tests/drawn/torch_calls.py."""
import os
import shutil
import sys

import numpy as np
import onnx
import torch
import torchvision  # registers its operators
from onnx import numpy_helper


class Recorder(torch.fx.Interpreter):
    """Runs a graph and keeps a copy of each tensor that a node returns, as later nodes can write to it."""

    def __init__(self, module):
        super().__init__(module)
        self.tensors = {}

    def run_node(self, node):
        result = super().run_node(node)
        if node.op == "call_function" and isinstance(result, torch.Tensor):
            self.tensors[node.name] = result.detach().clone().contiguous()
        return result


def record(case, out):
    data = os.path.join(case, "test_data_set_0")
    program = torch.export.load(os.path.join(case, "model.pt2"))
    inputs = {}
    for name in sorted(os.listdir(data)):
        if name.startswith("input_"):
            with open(os.path.join(data, name), "rb") as file:
                tensor = onnx.TensorProto.FromString(file.read())
            inputs[tensor.name] = torch.from_numpy(numpy_helper.to_array(tensor).copy())
    recorder = Recorder(program.module())
    with torch.no_grad():
        recorder.run(*[inputs[name] for name in program.graph_signature.user_inputs])
    copy = os.path.join(out, "test_data_set_0")
    shutil.copytree(data, copy, dirs_exist_ok=True)
    os.makedirs(os.path.join(copy, "inner"), exist_ok=True)
    for index, (name, value) in enumerate(recorder.tensors.items()):
        with open(os.path.join(copy, "inner", f"{index}.pb"), "wb") as file:
            file.write(numpy_helper.from_array(np.asarray(value), name).SerializeToString())
    return len(recorder.tensors)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for case in sys.argv[2:]:
        name = os.path.basename(os.path.normpath(case))
        print(f"{name}: {record(case, os.path.join(sys.argv[1], name))} tensors", flush=True)


if __name__ == "__main__":
    main()
