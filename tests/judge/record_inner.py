#!/usr/bin/env python3
"""Record the inner tensors of frozen TensorFlow graphs, so that `crosswalk verify --inner` checks every node.

  python3 record_inner.py OUT CASE...

Each case is a folder with frozen.pb and test_data_set_0. OUT/CASE receives a copy of the data set whose folder `inner` holds every
tensor that TensorFlow can return for these inputs, under its name in the graph: all outputs of nodes outside of loops and branches, fetched
in one run of the graph itself. Needs Python 3.9 to 3.11, `pip install tensorflow-cpu==2.15.1 onnx "numpy<2"`."""
import os
import shutil
import sys

import numpy as np
import onnx
import tensorflow as tf
from onnx import numpy_helper

tf1 = tf.compat.v1
NUMERIC = (tf.float16, tf.float32, tf.float64, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.bool)
CONTROL = {"Enter", "Exit", "Merge", "Switch", "NextIteration", "LoopCond"}


def inner_tensors(graph):
    """The tensors of a graph that a run can return. A tensor in a loop or behind a Switch may have no value."""
    conditional = set()
    for operation in graph.get_operations():  # in topological order, but for the edges back to a Merge
        inputs = {tensor.op.name for tensor in operation.inputs} | {each.name for each in operation.control_inputs}
        if operation.type in CONTROL or inputs & conditional:
            conditional.add(operation.name)
    return [tensor for operation in graph.get_operations() if operation.name not in conditional
            for tensor in operation.outputs[:1 if operation.type.startswith("FusedBatchNorm") else None]
            if tensor.dtype in NUMERIC and operation.type not in ("Const", "Placeholder")]


def read(path):
    with open(path, "rb") as file:
        return onnx.TensorProto.FromString(file.read())


def record(case, out):
    data = os.path.join(case, "test_data_set_0")
    definition = tf1.GraphDef()
    with open(os.path.join(case, "frozen.pb"), "rb") as file:
        definition.ParseFromString(file.read())
    feeds = {}
    for name in sorted(os.listdir(data)):
        if name.startswith("input_"):
            tensor = read(os.path.join(data, name))
            feeds[tensor.name] = numpy_helper.to_array(tensor)
    with tf.Graph().as_default() as graph:
        tf1.import_graph_def(definition, name="")
        fetched = inner_tensors(graph)
        # The optimizer replaces nodes, whose outputs could then not be fetched.
        config = tf1.ConfigProto()
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        with tf1.Session(config=config) as session:
            values = session.run(fetched, feeds)
    copy = os.path.join(out, "test_data_set_0")
    shutil.copytree(data, copy, dirs_exist_ok=True)
    os.makedirs(os.path.join(copy, "inner"), exist_ok=True)
    for index, (tensor, value) in enumerate(zip(fetched, values)):
        with open(os.path.join(copy, "inner", f"{index}.pb"), "wb") as file:
            file.write(numpy_helper.from_array(np.asarray(value), tensor.name).SerializeToString())
    return len(fetched)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for case in sys.argv[2:]:
        name = os.path.basename(os.path.normpath(case))
        print(f"{name}: {record(case, os.path.join(sys.argv[1], name))} tensors")


if __name__ == "__main__":
    main()
