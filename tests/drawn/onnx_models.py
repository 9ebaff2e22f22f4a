#!/usr/bin/env python3
"""Draw random ONNX models, convert each with random options, and compare the results of both in ONNX Runtime.

  onnx_models.py --bin build/release/bin/crosswalk --seed N --count 300 [--only K] [--batch] [--keep FOLDER] [--refusals] [--jobs 2]

The models chain the operators that --optimize and changes of the opset rewrite: moves of axes and elements around arithmetic with constants,
shapes that are computed, convolutions, reductions, casts, branches, loops and recurrent layers, some with open sizes. With --batch, models of
one sample are converted for a batch by --shape, and must compute for each sample what the original does.

Verdicts: same; refused (status 4 with a line; --refusals lists the lines); warned (--batch: samples may be combined); unstable (the results
change as much if the inputs change in their last bits); no kernel (of which a warning informs); no runtime (ONNX Runtime rejects the original);
crashed (it ends the process); wrong; invalid (the converted model does not load or run); broken (any other status). Exit status 0 if nothing is
wrong, invalid or broken; --keep keeps these models. The same seed and versions of onnx and ONNX Runtime give the same models. Needs the
environment of the tests (onnx, onnxruntime, numpy)."""
import argparse
import collections
import multiprocessing
import multiprocessing.pool
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from draws import Draws

OPSETS = (13, 17, 18, 19, 20, 21, 22, 23, 24)
TARGETS = (11, 13, 17, 18, 20, 21, 23, 25, 26)
LARGEST = 6000  # elements of a value
SAMPLES = 3  # of a batch
FLOATS = ("float32", "float64", "float16")


def session(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString() if isinstance(model, onnx.ModelProto) else model, options,
                                        providers=["CPUExecutionProvider"])


def type_of(array):
    return helper.np_dtype_to_tensor_dtype(array.dtype)


class Drawing:
    """A graph under construction. `values` contains the result of each value for the inputs that were drawn."""

    def __init__(self, seed):
        self.draws = Draws(seed)
        self.opset = self.draws.one_of(*OPSETS)
        self.values, self.nodes, self.constants, self.inputs = {}, [], {}, {}
        self.open = {}  # input: its first axis has the size N

    def model(self, nodes, inputs, outputs, constants):
        graph = helper.make_graph(nodes, "drawn", inputs, outputs, [numpy_helper.from_array(x, name) for name, x in constants.items()])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=min(10, 7 + self.opset // 5))

    def declared(self, name, array, open_axis=False):
        return helper.make_tensor_value_info(name, type_of(array), ["N" if open_axis and i == 0 else d for i, d in enumerate(array.shape)])

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(array)
        self.values[name] = self.constants[name]
        return name

    def ints(self, *numbers):
        return self.constant(np.array(numbers, np.int64))

    def input(self, array, is_open=False):
        name = f"x{len(self.inputs)}"
        self.inputs[name] = self.values[name] = array
        self.open[name] = is_open
        return name

    def add(self, op, inputs, outputs=1, **attributes):
        """The outputs' names, or None if ONNX Runtime refuses the node, or its results are large or not numbers."""
        names = [f"v{len(self.nodes)}_{i}" for i in range(outputs)]
        node = helper.make_node(op, inputs, names, f"n{len(self.nodes)}", **attributes)
        used = [n for n in dict.fromkeys(self.captured(node)) if n]
        fixed = {n: self.constants[n] for n in used if n in self.constants}
        fed = {n: self.values[n] for n in used if n not in fixed}
        model = self.model([node], [self.declared(n, x) for n, x in fed.items()], [onnx.ValueInfoProto(name=n) for n in names], fixed)
        try:
            results = session(model).run(None, fed)
        except Exception:
            return None
        for result in results:
            if not isinstance(result, np.ndarray) or result.size > LARGEST or result.dtype.kind not in "fiub":
                return None
            if result.dtype.kind == "f" and np.abs(result[np.isfinite(result)]).max(initial=0) > 1e4:
                return None
        self.nodes.append(node)
        self.values.update(zip(names, results))
        return names

    def captured(self, node):
        """The values that a node uses, also in its bodies."""
        yield from (n for n in node.input if n in self.values)
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                for inner in attribute.g.node:
                    yield from self.captured(inner)
                yield from (o.name for o in attribute.g.output if o.name in self.values)

    def pick(self, kinds="f", rank=None, least=0):
        """A recent value of these kinds of types."""
        fits = [n for n, x in self.values.items() if n not in self.constants and x.dtype.kind in kinds and (rank is None or x.ndim == rank)
                and x.ndim >= least]
        return self.draws.one_of(*fits[-4:]) if fits and self.draws.maybe(0.8) else self.draws.one_of(*fits) if fits else None


# Steps: each adds one or more nodes to a drawing, or none if what was drawn does not fit.

def unary(g, d):
    x = g.pick()
    op = d.one_of("Relu", "Sigmoid", "Tanh", "Neg", "Abs", "Erf", "Identity", "LeakyRelu", "Elu", "HardSigmoid", "Softplus", "Softsign", "Selu",
                  "HardSwish", "Celu", "ThresholdedRelu", "Exp", "Sqrt", "Reciprocal", "Log", "Sin", "Ceil", "Floor", "Round", "Sign", "Gelu", "Mish",
                  "IsNaN", "Dropout")
    has_alpha = op in ("LeakyRelu", "Elu", "HardSigmoid", "Celu", "ThresholdedRelu")
    attributes = d.some(alpha=d.one_of(0.2 if op == "Celu" else 0.0, 0.1, 0.5, 1.0, -0.5)) if has_alpha else {}
    return x and g.add(op, [x], **attributes)


def integer_unary(g, d):
    x = g.pick("i")
    return x and g.add(d.one_of("Neg", "Abs", "Sign", "Relu", "Identity"), [x])


def operand(g, d, x):
    """A constant or a value that broadcasts with x."""
    value = g.values[x]
    others = [n for n, y in g.values.items() if n not in g.constants and y.dtype == value.dtype and fits(y.shape, value.shape)]
    if others and d.maybe(0.4):
        return d.one_of(*others)
    shape = d.one_of((), (1,), value.shape, tuple(d.one_of(1, s) for s in value.shape), value.shape[d.between(0, value.ndim):],
                     (1,) * value.ndim, (1,) * (value.ndim + 1), (2, *(1,) * value.ndim))
    if d.maybe(0.4):
        return g.constant(np.full(shape, d.one_of(0, 1, -1, 2, 3), value.dtype))
    return g.constant(d.values(shape, value.dtype.name))


def fits(a, b):
    try:
        return len(np.broadcast_shapes(a, b)) <= 5
    except ValueError:
        return False


def binary(g, d):
    x = g.pick("fi")
    if x is None:
        return None
    y = operand(g, d, x)
    op = d.one_of("Add", "Sub", "Mul", "Div", "Add", "Sub", "Mul", "Max", "Min", "Pow", "Mod", "PRelu")
    if op in ("Div", "Mod") and g.values[x].dtype.kind == "i" and (y not in g.constants or not g.constants[y].all()):
        return None
    if op == "Pow" and g.values[x].dtype.kind == "i":
        return None
    ordered = op == "PRelu" or op in ("Div", "Mod") and g.values[x].dtype.kind == "i"
    if op == "PRelu" and np.broadcast_shapes(g.values[x].shape, g.values[y].shape) != g.values[x].shape:
        return None  # ONNX Runtime accepts it
    inputs = [x, y] if ordered or d.maybe(0.7) else [y, x]
    return g.add(op, inputs, **({"fmod": 1} if op == "Mod" and g.values[x].dtype.kind == "f" else {}))


def compared(g, d):
    x = g.pick("fi")
    return x and g.add(d.one_of("Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"), [x, operand(g, d, x)])


def logical(g, d):
    x = g.pick("b")
    if x is None:
        return None
    if d.maybe(0.3):
        return g.add("Not", [x])
    others = [n for n, y in g.values.items() if y.dtype == bool and fits(y.shape, g.values[x].shape)]
    y = g.constant(np.full((), d.maybe(), bool)) if d.maybe(0.3) else d.one_of(*others)
    return g.add(d.one_of("And", "Or", "Xor", "Equal"), [x, y])


def chosen(g, d):
    x = g.pick("fi")
    if x is None:
        return None
    masks = [n for n, y in g.values.items() if y.dtype == bool and fits(y.shape, g.values[x].shape)]
    mask = d.one_of(*masks) if masks and d.maybe(0.7) else g.constant(d.integers(d.broadcastable(g.values[x].shape), 0, 2).astype(bool))
    inputs = [x, operand(g, d, x)]
    return g.add("Where", [mask, *(inputs if d.maybe() else inputs[::-1])])


def cast(g, d):
    x = g.pick("fib")
    to = d.one_of("float32", "float64", "float16", "int64", "int32", "bool", "uint8", "int8")
    return x and g.add("Cast", [x], to=helper.np_dtype_to_tensor_dtype(np.dtype(to)))


def clipped(g, d):
    x = g.pick("fi")
    if x is None:
        return None
    dtype = g.values[x].dtype
    bounds = ["" if d.maybe(0.3) else g.constant(np.array(v, dtype)) for v in (d.one_of(0, -1, -2), d.one_of(6, 1, 2, -3))]
    while bounds and not bounds[-1]:
        bounds.pop()
    return g.add("Clip", [x, *bounds])


def transposed(g, d):
    x = g.pick("fib", least=1)
    return x and g.add("Transpose", [x], **({} if d.maybe(0.1) else {"perm": d.permutation(g.values[x].ndim)}))


def factors(size, d):
    parts = []
    while size > 1 and len(parts) < 3:
        divisors = [k for k in range(1, size + 1) if size % k == 0]
        parts.append(d.one_of(*divisors))
        size //= parts[-1]
    return [*parts, size] if size > 1 or not parts else parts


def reshaped(g, d):
    x = g.pick("fib")
    if x is None:
        return None
    shape = list(g.values[x].shape)
    if d.maybe(0.2):
        return g.add("Flatten", [x], axis=d.between(-len(shape), len(shape)))
    if d.maybe(0.4) and len(shape) > 1:  # merges two axes
        i = d.between(0, len(shape) - 2)
        target = [*shape[:i], shape[i] * shape[i + 1], *shape[i + 2:]]
    elif d.maybe(0.5) and shape:  # splits one
        i = d.between(0, len(shape) - 1)
        target = [*shape[:i], *factors(shape[i], d), *shape[i + 1:]]
    else:
        target = factors(int(np.prod(shape)), d)
    if len(target) > 5:
        return None
    for i, size in enumerate(target):
        if i < len(shape) and size == shape[i] and d.maybe(0.4):
            target[i] = 0
    if d.maybe(0.6) and target and np.prod(shape):
        target[d.between(0, len(target) - 1)] = -1
    return g.add("Reshape", [x, g.ints(*target)])


def reshaped_like(g, d):
    """Reshape to a shape that the graph computes."""
    x = g.pick("fi", least=2)
    if x is None:
        return None
    rank = g.values[x].ndim
    shape = g.add("Shape", [x], **(d.some(start=d.between(-rank, rank - 1)) if g.opset >= 15 and d.maybe(0.3) else {}))
    if shape is None:
        return None
    way = d.between(0, 3)
    if way == 0:
        first = g.add("Gather", [shape[0], g.ints(0)])
        target = first and g.add("Concat", [first[0], g.ints(-1)], axis=0)
    elif way == 1:
        first = g.add("Gather", [shape[0], g.constant(np.array(0, np.int64))])
        product = first and g.add("Mul", [first[0], g.constant(np.array(g.values[shape[0]][1] if len(g.values[shape[0]]) > 1 else 1, np.int64))])
        raised = product and g.add("Unsqueeze", [product[0], g.ints(0)])
        target = raised and g.add("Concat", [*d.random.sample([raised[0], g.ints(-1)], 2)], axis=0)
    elif way == 2:
        part = g.add("Slice", [shape[0], g.ints(0), g.ints(d.between(1, rank))])
        target = part and g.add("Concat", [part[0], g.ints(-1)], axis=0)
    else:
        filled = g.add("ConstantOfShape", [shape[0]], value=helper.make_tensor("v", 1, [1], [d.one_of(0.0, 1.0, 2.5)]))
        if filled and g.values[x].dtype == np.float32:
            return g.add(d.one_of("Add", "Mul"), [x, filled[0]])
        return filled
    return target and g.add("Reshape", [x, target[0]])


def squeezed(g, d):
    x = g.pick("fib", least=1)
    if x is None:
        return None
    shape = g.values[x].shape
    ones = [i - (len(shape) if d.maybe(0.3) else 0) for i, s in enumerate(shape) if s == 1]
    if ones and d.maybe(0.6):
        axes = d.random.sample(ones, d.between(1, len(ones)))
        return g.add("Squeeze", [x, g.ints(*axes)] if d.maybe(0.9) else [x])
    if len(shape) > 4:
        return None
    return g.add("Unsqueeze", [x, g.ints(*d.random.sample(range(len(shape) + 1), 1))])


def expanded(g, d):
    x = g.pick("fi")
    if x is None:
        return None
    shape = g.values[x].shape
    if d.maybe():
        return g.add("Tile", [x, g.ints(*(d.one_of(1, 1, 2, 3) for _ in shape))])
    target = [d.one_of(1, s, s, d.between(1, 3) if s == 1 else s) for s in shape]
    return g.add("Expand", [x, g.ints(*(target if d.maybe(0.8) else [d.between(1, 2), *target]))])


def sliced(g, d):
    x = g.pick("fib", least=1)
    if x is None:
        return None
    shape = g.values[x].shape
    axes = d.axes(shape)
    starts, ends, steps = [], [], []
    for axis in axes:
        size = shape[axis]
        step = d.one_of(1, 1, 1, 2, -1, -2, 3)
        a, b = sorted((d.between(0, size), d.between(0, size)))
        if a == b:
            a, b = 0, size
        start, end = (a, b) if step > 0 else (b - 1, a - 1)
        if d.maybe(0.3):
            start = start - size if start < size else start
        if step < 0 and end < 0:
            end = d.one_of(-size - 1, -2**63)
        elif step > 0 and end == size and d.maybe(0.4):
            end = d.one_of(2**63 - 1, size + 3, 2**31 - 1)
        elif d.maybe(0.3) and 0 <= end < size:
            end -= size
        starts.append(start), ends.append(end), steps.append(step)
    axes = [a - (len(shape) if d.maybe(0.3) else 0) for a in axes]
    inputs = [x, g.ints(*starts), g.ints(*ends), g.ints(*axes)]
    return g.add("Slice", inputs if all(s == 1 for s in steps) and d.maybe() else [*inputs, g.ints(*steps)])


def concatenated(g, d):
    x = g.pick("fi", least=1)
    if x is None:
        return None
    value = g.values[x]
    axis = d.axis(value.shape)
    rest = lambda shape: [s for i, s in enumerate(shape) if i != axis % value.ndim]
    others = [n for n, y in g.values.items() if y.dtype == value.dtype and y.ndim == value.ndim and rest(y.shape) == rest(value.shape)]
    parts = [x, *(d.one_of(*others) for _ in range(d.between(0, 2)))]
    if d.maybe(0.3):
        shape = list(value.shape)
        shape[axis] = d.between(0, 2)
        parts.append(g.constant(np.zeros(shape, value.dtype) if d.maybe() else d.values(tuple(shape), value.dtype.name)))
    return g.add("Concat", d.random.sample(parts, len(parts)), axis=axis)


def split(g, d):
    x = g.pick("fi", least=1)
    if x is None:
        return None
    shape = g.values[x].shape
    axis = d.axis(shape)
    size = shape[axis]
    if size < 2:
        return None
    cut = d.between(0 if d.maybe(0.1) else 1, size - 1)
    inputs = [x] if g.opset < 18 and size % 2 == 0 and d.maybe(0.3) else [x, g.ints(cut, size - cut)]
    extra = {"axis": axis}
    if g.opset >= 18 and d.maybe(0.3):
        inputs, extra = [x], {"axis": axis, "num_outputs": 2}
    parts = g.add("Split", inputs, 2, **extra)
    if parts and d.maybe(0.4):
        return g.add("Concat", parts if d.maybe() else parts[::-1], axis=axis)
    return parts


def padded(g, d):
    x = g.pick("fi", least=1)
    if x is None:
        return None
    shape = g.values[x].shape
    pads = [d.one_of(0, 0, 1, 2, -1) for _ in range(2 * len(shape))]
    mode = d.one_of("constant", "constant", "constant", "edge", "reflect", *(["wrap"] if g.opset >= 19 else []))
    if mode != "constant":
        pads = [max(p, 0) for p in pads]
    inputs = [x, g.ints(*pads)]
    if mode == "constant" and d.maybe():
        inputs.append(g.constant(np.array(d.one_of(0, 0, 1, -2), g.values[x].dtype)))
    return g.add("Pad", inputs, mode=mode)


def gathered(g, d):
    x = g.pick("fi", least=1)
    if x is None:
        return None
    shape = g.values[x].shape
    axis = d.axis(shape)
    size = shape[axis]
    if size == 0:
        return None
    if d.maybe(0.3) and len(shape) > 1 and 0 not in shape:
        indices = d.integers(tuple(d.between(1, s) if i != axis % len(shape) else d.between(1, 4) for i, s in enumerate(shape)), -size, size, "int64")
        return g.add("GatherElements", [x, g.constant(indices)], axis=axis)
    indices = d.integers(d.one_of((), (1,), (2,), (3,), (size,), (2, 2)), -size, size, d.one_of("int64", "int64", "int32"))
    if d.maybe(0.3) and indices.ndim == 1:
        indices = np.arange(len(indices), dtype=np.int64)[:: d.one_of(1, -1)]
        indices = indices[indices < size].copy()
    return g.add("Gather", [x, g.constant(indices)], axis=axis)


def scattered(g, d):
    x = g.pick("fi", least=1)
    if x is None or 0 in g.values[x].shape:
        return None
    value = g.values[x]
    rows = d.random.sample(range(value.shape[0]), d.between(1, value.shape[0]))
    updates = g.constant(d.values((len(rows), *value.shape[1:]), value.dtype.name))
    return g.add("ScatterND", [x, g.constant(np.array(rows, np.int64)[:, None]), updates])


def reduced(g, d):
    x = g.pick("fi")
    if x is None or 0 in g.values[x].shape:  # ONNX Runtime keeps the axes of empty arrays
        return None
    op = d.one_of("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp")
    shape = g.values[x].shape
    axes = [a - (len(shape) if d.maybe(0.3) else 0) for a in d.axes(shape)] if shape else []
    attributes = d.some(keepdims=d.between(0, 1))
    if op == "ReduceSum" or g.opset >= 18:
        if d.maybe(0.1):
            return g.add(op, [x], **attributes, noop_with_empty_axes=d.between(0, 1))
        return g.add(op, [x, g.ints(*axes)], **attributes)
    return g.add(op, [x], **attributes, **({"axes": axes} if axes and d.maybe(0.9) else {}))


def normalized(g, d):
    x = g.pick("f", least=1)
    if x is None:
        return None
    shape = g.values[x].shape
    dtype = g.values[x].dtype.name
    op = d.one_of("Softmax", "LogSoftmax", "LpNormalization", "LayerNormalization", "InstanceNormalization", "LRN", "MeanVarianceNormalization",
                  "Hardmax", "GroupNormalization", "RMSNormalization")
    if op in ("Softmax", "LogSoftmax", "Hardmax"):
        return g.add(op, [x], **d.some(axis=d.axis(shape)))
    if op == "LpNormalization":
        return g.add(op, [x], **d.some(axis=d.axis(shape), p=d.between(1, 2)))
    if op in ("LayerNormalization", "RMSNormalization"):
        axis = d.axis(shape)
        scale = shape[axis % len(shape):]
        inputs = [x, g.constant(d.values(scale, dtype))]
        if op == "LayerNormalization" and d.maybe():
            inputs.append(g.constant(d.values(scale, dtype)))
        return g.add(op, inputs, axis=axis, **d.some(epsilon=1e-3))
    if len(shape) < 3:
        return None
    if op == "InstanceNormalization":
        return g.add(op, [x, g.constant(d.values(shape[1:2], dtype)), g.constant(d.values(shape[1:2], dtype))], **d.some(epsilon=1e-3))
    if op == "GroupNormalization" and g.opset >= 21:
        groups = d.one_of(1, shape[1])
        return g.add(op, [x, g.constant(d.values(shape[1:2], dtype)), g.constant(d.values(shape[1:2], dtype))], num_groups=groups)
    if op == "LRN":
        return g.add(op, [x], size=d.one_of(1, 3, 5), **d.some(alpha=0.1, beta=0.5, bias=2.0))
    if op == "MeanVarianceNormalization" and dtype == "float32":  # opsets 13 and 18 of ONNX Runtime refuse float16
        return g.add(op, [x], **({} if len(shape) == 4 else {"axes": [0, 2]}))
    return None


def batch_normalized(g, d):
    x = g.pick("f", least=2)
    if x is None:
        return None
    value = g.values[x]
    c = value.shape[1:2]
    parts = [d.values(c, value.dtype.name), d.values(c, value.dtype.name), d.values(c, value.dtype.name), d.positive(c, value.dtype.name)]
    return g.add("BatchNormalization", [x, *(g.constant(p) for p in parts)], **d.some(epsilon=1e-3))


def window(d, spatial, stride=True):
    rank = len(spatial)
    attributes = {"kernel_shape": [d.between(1, min(3, max(s, 1))) for s in spatial]}
    if stride and d.maybe():
        attributes["strides"] = d.sizes(rank, 1, 2)
    way = d.between(0, 4)
    if way == 0 and all(k >= s for k, s in zip(attributes["kernel_shape"], attributes.get("strides", [1] * rank))):
        attributes["auto_pad"] = d.one_of("SAME_UPPER", "SAME_LOWER", "VALID")
    elif way <= 2:
        attributes["pads"] = [d.between(0, k - 1) for k in attributes["kernel_shape"] * 2]
    return attributes


def convolved(g, d):
    x = g.pick("f", least=3)
    if x is None:
        return None
    value = g.values[x]
    spatial = value.shape[2:]
    if 0 in value.shape:
        return None
    channels = value.shape[1]
    group = d.one_of(1, 1, channels) if channels < 9 else 1
    outs = group * d.between(1, 4)
    attributes = window(d, spatial)
    if "auto_pad" not in attributes and d.maybe(0.2):
        attributes["dilations"] = d.sizes(len(spatial), 1, 2)
    if d.maybe(0.25):
        weight = (channels, outs // group, *attributes["kernel_shape"])
        op = "ConvTranspose"
        if d.maybe(0.2) and "auto_pad" not in attributes:
            attributes["output_padding"] = [s - 1 for s in attributes.get("strides", [1] * len(spatial))]
    else:
        weight = (outs, channels // group, *attributes["kernel_shape"])
        op = "Conv"
    inputs = [x, g.constant(d.floats(weight, value.dtype.name, 0.5))]
    if d.maybe():
        inputs.append(g.constant(d.floats((outs,), value.dtype.name)))
    return g.add(op, inputs, group=group, **attributes)


def pooled(g, d):
    x = g.pick("f", least=3)
    if x is None:
        return None
    op = d.one_of("MaxPool", "AveragePool", "LpPool", "GlobalAveragePool", "GlobalMaxPool")
    if op.startswith("Global"):
        return g.add(op, [x])
    attributes = window(d, g.values[x].shape[2:])
    if op != "LpPool" and "auto_pad" not in attributes:
        attributes.update(d.some(ceil_mode=d.between(0, 1)))
    if op == "AveragePool":
        attributes.update(d.some(count_include_pad=d.between(0, 1)))
    if (op == "MaxPool" or op == "AveragePool" and g.opset >= 19) and "auto_pad" not in attributes and d.maybe(0.2):
        attributes["dilations"] = d.sizes(len(attributes["kernel_shape"]), 1, 2)
    return g.add(op, [x], **attributes)


def multiplied(g, d):
    x = g.pick("f", least=1)
    if x is None:
        return None
    value = g.values[x]
    columns = d.between(1, 5)
    dtype = value.dtype.name
    way = d.between(0, 4)
    if way == 0 and value.ndim == 2:
        attributes = d.some(transA=d.between(0, 1), transB=d.between(0, 1), alpha=d.one_of(0.5, 2.0, 0.0), beta=d.one_of(0.5, 2.0, 0.0))
        inner = value.shape[0 if attributes.get("transA") else 1]
        rows = value.shape[1 if attributes.get("transA") else 0]
        inputs = [x, g.constant(d.floats((columns, inner) if attributes.get("transB") else (inner, columns), dtype))]
        if d.maybe(0.7):
            inputs.append(g.constant(d.floats(d.one_of((), (1,), (columns,), (rows, 1), (1, columns), (rows, columns)), dtype)))
        return g.add("Gemm", inputs, **attributes)
    if way == 1:
        others = [n for n, y in g.values.items() if y.dtype == value.dtype and y.ndim and y.shape[-2 if y.ndim > 1 else 0] == value.shape[-1]]
        return g.add("MatMul", [x, d.one_of(*others)]) if others else None
    if way == 2 and value.ndim >= 2:
        return g.add("MatMul", [g.constant(d.floats((columns, value.shape[-2]), dtype)), x])
    if way == 3 and value.ndim == 3:
        equation = d.one_of("bij,jk->bik", "bij,kj->bki", "bij,ik->bjk", "bij,bij->b", "bij,j->bi")
        other = {"bij,jk->bik": (value.shape[2], columns), "bij,kj->bki": (columns, value.shape[2]), "bij,ik->bjk": (value.shape[1], columns),
                 "bij,bij->b": value.shape, "bij,j->bi": value.shape[2:]}[equation]
        return g.add("Einsum", [x, g.constant(d.floats(other, dtype))], equation=equation)
    lead = d.one_of((), (), (1,), value.shape[:-2])
    product = g.add("MatMul", [x, g.constant(d.floats((*lead, value.shape[-1], columns), dtype))])
    if product and d.maybe():
        return g.add("Add", d.random.sample([product[0], g.constant(d.floats(d.one_of((columns,), (1, columns), ()), dtype))], 2))
    return product


def attention(g, d):
    x = g.pick("f", rank=3)
    if x is None or g.values[x].shape[2] % 2:
        return None
    width = g.values[x].shape[2]
    heads = 2
    parts = []
    for _ in range(3):
        p = g.add("MatMul", [x, g.constant(d.floats((width, width), g.values[x].dtype.name, 0.3))])
        p = p and g.add("Reshape", [p[0], g.ints(0, -1, heads, width // heads)])
        p = p and g.add("Transpose", [p[0]], perm=(0, 2, 1, 3))
        if p is None:
            return None
        parts.append(p[0])
    keys = g.add("Transpose", [parts[1]], perm=(0, 1, 3, 2))
    scores = keys and g.add("MatMul", [parts[0], keys[0]])
    scores = scores and g.add(d.one_of("Mul", "Div"), [scores[0], g.constant(np.array(d.one_of(0.5, 2.0, 1.0), g.values[x].dtype))])
    weights = scores and g.add("Softmax", [scores[0]], axis=-1)
    heads_out = weights and g.add("MatMul", [weights[0], parts[2]])
    merged = heads_out and g.add("Transpose", [heads_out[0]], perm=(0, 2, 1, 3))
    return merged and g.add("Reshape", [merged[0], g.ints(0, 0, -1)])


def resized(g, d):
    x = g.pick("f", rank=4)
    if x is None:
        return None
    shape = g.values[x].shape
    mode = d.one_of("nearest", "linear", "cubic")
    attributes = dict(mode=mode, coordinate_transformation_mode=d.one_of("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"))
    if mode == "nearest":
        attributes["nearest_mode"] = d.one_of("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")
    if d.maybe():
        return g.add("Resize", [x, "", g.constant(np.array([1, 1, d.one_of(0.5, 1, 2, 1.5), d.one_of(1, 2, 3)], np.float32))], **attributes)
    return g.add("Resize", [x, "", "", g.ints(*shape[:2], d.between(1, 6), d.between(1, 6))], **attributes)


def blocked(g, d):
    x = g.pick("f", rank=4)
    return x and g.add(d.one_of("DepthToSpace", "SpaceToDepth"), [x], blocksize=2)


def ordered(g, d):
    x = g.pick("fi", least=1)
    if x is None:
        return None
    shape = g.values[x].shape
    axis = d.axis(shape)
    way = d.between(0, 3)
    if way == 0:
        return g.add("CumSum", [x, g.constant(np.array(axis, np.int64))], **d.some(exclusive=d.between(0, 1), reverse=d.between(0, 1)))
    if way == 1:
        return g.add(d.one_of("ArgMax", "ArgMin"), [x], axis=axis, **d.some(keepdims=d.between(0, 1), select_last_index=d.between(0, 1)))
    if way == 2:
        return g.add("TopK", [x, g.ints(d.between(1, max(1, shape[axis])))], 2, axis=axis, **d.some(largest=d.between(0, 1)))
    return g.add("Trilu", [x], **d.some(upper=d.between(0, 1))) if g.opset >= 14 else None


def quantized(g, d):
    x = g.pick("f", least=1)
    if x is None or g.values[x].dtype != np.float32:
        return None
    zero = g.constant(np.array(d.between(0, 9), d.one_of("uint8", "int8")))
    scale = g.constant(np.array(d.one_of(0.5, 0.25, 0.1), np.float32))
    q = g.add("QuantizeLinear", [x, scale, zero])
    if q and d.maybe(0.4):
        q = g.add(d.one_of("Transpose", "Identity", "Relu"), q) or q
    return q and g.add("DequantizeLinear", [q[0], scale, zero])


def recurrent(g, d):
    x = g.pick("f", rank=3)
    if x is None or g.values[x].dtype != np.float32 or 0 in g.values[x].shape:
        return None
    steps, batch, features = g.values[x].shape
    op, gates = d.one_of(("LSTM", 4), ("GRU", 3), ("RNN", 1))
    direction = d.one_of("forward", "reverse", "bidirectional")
    directions = 2 if direction == "bidirectional" else 1
    hidden = d.between(1, 3)
    inputs = [x, g.constant(d.floats((directions, gates * hidden, features), scale=0.5)),
              g.constant(d.floats((directions, gates * hidden, hidden), scale=0.5)),
              g.constant(d.floats((directions, 2 * gates * hidden))) if d.maybe() else "",
              g.constant(d.integers((batch,), 1, steps + 1)) if d.maybe(0.3) else "",
              g.constant(d.floats((directions, batch, hidden))) if d.maybe(0.3) else ""]
    while not inputs[-1]:
        inputs.pop()
    attributes = dict(hidden_size=hidden, direction=direction, **d.some(clip=1.5))
    if op == "GRU":
        attributes["linear_before_reset"] = d.between(0, 1)
    outputs = g.add(op, inputs, 3 if op == "LSTM" else 2, **attributes)
    if outputs and d.maybe():
        return g.add("Transpose", [outputs[0]], perm=(0, 2, 1, 3))
    return outputs


def branched(g, d):
    """If of a computed or constant condition, whose branches use values around them."""
    x = g.pick("f")
    if x is None:
        return None
    if d.maybe(0.4):
        condition = g.constant(np.array(d.maybe()))
    else:
        total = g.add("ReduceSum", [x], keepdims=0)
        condition = total and g.add("Greater", [total[0], g.constant(np.array(0, g.values[x].dtype))])
        condition = condition and condition[0]
    if condition is None:
        return None
    y = operand(g, d, x)
    rank = max(g.values[x].ndim, g.values[y].ndim)
    branches = []
    for i in range(2):
        nodes = [helper.make_node(d.one_of("Add", "Mul", "Sub"), [x, y], [f"b{len(g.nodes)}_{i}_a"], ""),
                 helper.make_node(d.one_of("Relu", "Neg", "Identity", "Tanh"), [f"b{len(g.nodes)}_{i}_a"], [f"b{len(g.nodes)}_{i}"], "")]
        out = onnx.ValueInfoProto(name=nodes[-1].output[0])
        branches.append(helper.make_graph(nodes, f"branch{i}", [], [helper.make_tensor_value_info(out.name, type_of(g.values[x]), [None] * rank)]))
    return g.add("If", [condition], then_branch=branches[0], else_branch=branches[1])


def looped(g, d):
    """Loop with a state and scanned results, a constant number of times or until a condition ends it."""
    x = g.pick("f", least=1)
    if x is None:
        return None
    value, k = g.values[x], len(g.nodes)
    name = lambda part: f"l{k}_{part}"
    step = g.constant(d.values(d.one_of((), value.shape), value.dtype.name))
    info = lambda n: helper.make_tensor_value_info(n, type_of(value), [None] * value.ndim if g.is_open else value.shape)
    nodes = [helper.make_node(d.one_of("Add", "Sub", "Mul"), [name("state"), step], [name("sum")]),
             helper.make_node(d.one_of("Tanh", "Neg", "Relu"), [name("sum")], [name("next")]),
             helper.make_node("Identity", [name("cond")], [name("cond_out")]),
             helper.make_node(d.one_of("Abs", "Identity"), [d.one_of(name("next"), name("state"), x)], [name("scanned")])]
    body = helper.make_graph(nodes, "body", [helper.make_tensor_value_info(name("i"), 7, []), helper.make_tensor_value_info(name("cond"), 9, []),
                                             info(name("state"))],
                             [helper.make_tensor_value_info(name("cond_out"), 9, []), info(name("next")), info(name("scanned"))])
    return g.add("Loop", [g.constant(np.array(d.between(0 if d.maybe(0.1) else 1, 4), np.int64)), g.constant(np.array(True)) if d.maybe() else "", x],
                 2, body=body)


def scanned(g, d):
    x = g.pick("f", least=2)
    if x is None:
        return None
    value, k = g.values[x], len(g.nodes)
    name = lambda part: f"s{k}_{part}"
    axis = d.between(0, value.ndim - 1)
    shape = tuple(s for i, s in enumerate(value.shape) if i != axis)
    info = lambda n: helper.make_tensor_value_info(n, type_of(value), [None] * len(shape) if g.is_open else shape)
    nodes = [helper.make_node(d.one_of("Add", "Sub", "Max"), [name("state"), name("x")], [name("sum")]),
             helper.make_node(d.one_of("Tanh", "Neg", "Relu"), [name("sum")], [name("next")]),
             helper.make_node("Identity", [d.one_of(name("next"), name("state"))], [name("y")])]
    body = helper.make_graph(nodes, "body", [info(name("state")), info(name("x"))], [info(name("next")), info(name("y"))])
    return g.add("Scan", [g.constant(d.values(shape, value.dtype.name)), x], 2, body=body, num_scan_inputs=1, scan_input_axes=[axis],
                 scan_input_directions=[d.between(0, 1)], scan_output_axes=[d.between(0, len(shape))], scan_output_directions=[d.between(0, 1)])


STEPS = ((unary, 5), (integer_unary, 1), (binary, 8), (compared, 1), (logical, 1), (chosen, 2), (cast, 2), (clipped, 2), (transposed, 6),
         (reshaped, 5), (reshaped_like, 2), (squeezed, 3), (expanded, 2), (sliced, 4), (concatenated, 3), (split, 2), (padded, 3), (gathered, 3),
         (scattered, 1), (reduced, 3), (normalized, 3), (batch_normalized, 3), (convolved, 4), (pooled, 3), (multiplied, 4), (attention, 1),
         (resized, 1), (blocked, 1), (ordered, 2), (quantized, 1), (recurrent, 1), (branched, 1), (looped, 1), (scanned, 1))


def drawn(seed, batch=False):
    """A drawing with a model, the inputs that it is run with, and the options of its conversion; or None."""
    g = Drawing(seed)
    d = g.draws
    dtype = "float32" if batch else d.one_of(*FLOATS[:1] * 6, *FLOATS)
    is_open = g.is_open = not batch and d.maybe(0.4)
    shapes = ((1, 3, 5, 5), (1, 4, 7), (1, 6)) if batch else ((2, 4, 6, 6), (1, 3, 5, 5), (3, 4), (4, 2, 6), (2, 4, 8), (2, 3), (6,), (1, 4, 7))
    for _ in range(d.between(1, 2)):
        shape = d.one_of(*shapes)
        values = d.floats(shape, dtype) if d.maybe(0.7) else d.integers(shape, -3, 4).astype(dtype)
        if d.maybe(0.05):
            values.flat[d.between(0, values.size - 1)] = d.one_of(np.inf, -np.inf, np.nan, -0.0)
        g.input(values, is_open)
    if not batch and d.maybe(0.2):
        g.input(d.integers(d.one_of((3, 4), (4,), (2, 3)), type=d.one_of("int64", "int32")), is_open)
    steps = [step for step, weight in STEPS for _ in range(weight)]
    for _ in range(d.between(2, 14)):
        d.one_of(*steps)(g, d)
    used = {n for node in g.nodes for n in g.captured(node)}
    ends = [n for node in g.nodes for n in node.output if n not in used or d.maybe(0.1)]
    if not ends:
        return None
    needed = [n for n in g.inputs if n in used]
    constants = {n: x for n, x in g.constants.items() if n in used}
    g.graph = g.model(g.nodes, [g.declared(n, g.inputs[n], g.open[n]) for n in needed],
                      [helper.make_tensor_value_info(n, type_of(g.values[n]), [None] * g.values[n].ndim) for n in ends], constants)
    g.fed = [{n: g.inputs[n] for n in needed}]
    if is_open:
        g.fed.append({n: np.concatenate([g.inputs[n], g.inputs[n][:1]]) for n in needed})
    if batch:
        g.fed += [{n: d.floats(x.shape, dtype) for n, x in g.fed[0].items()} for _ in range(SAMPLES - 1)]
        shapes = (f"{n}={','.join(['N', *map(str, x.shape[1:])])}" for n, x in g.fed[0].items())
        g.options = [o for shape in shapes for o in ("--shape", shape)] + (["--optimize"] if d.maybe(0.3) else [])
        return g
    g.options = []
    if d.maybe(0.75):
        g.options.append(d.one_of("--optimize", "--optimize", "--optimize", "--optimize=attention"))
    if not g.options or d.maybe():
        g.options += ["--opset", str(d.one_of(*TARGETS))]
    return g


def same(a, b, scale=1.0):
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind != "f":
        return np.array_equal(a, b)
    tolerance = (2e-2 if a.dtype == np.float16 else 1e-4) * scale
    a, b = a.astype(np.float64), b.astype(np.float64)
    largest = np.abs(a[np.isfinite(a)]).max(initial=0)
    return np.allclose(a, b, rtol=tolerance, atol=tolerance * max(1.0, largest), equal_nan=True)


def is_stable(run, inputs, expected):
    numbers = np.random.RandomState(1)
    for _ in range(4):
        near = {n: (x * (1 + numbers.choice([-1, 1], x.shape) * 4 * np.finfo(x.dtype).eps)).astype(x.dtype) if x.dtype.kind == "f" else x
                for n, x in inputs.items()}
        if not all(same(x, y, 0.5) for x, y in zip(expected, run(near))):
            return False
    return True


def is_batch_of(result, samples):
    """Whether one axis of the result is that of the samples, alone or as a part of an axis. Results that are equal for all samples may be
    computed from the length of the batch."""
    if all(same(samples[0], s) for s in samples):
        return True
    shape = samples[0].shape
    if result.ndim != len(shape):
        return False
    for axis, size in enumerate(shape):
        if result.shape != (*shape[:axis], size * SAMPLES, *shape[axis + 1:]):
            continue
        for before in (k for k in range(1, size + 1) if size % k == 0):
            parts = [s.reshape(*shape[:axis], before, 1, size // before, *shape[axis + 1:]) for s in samples]
            if same(np.concatenate(parts, axis + 1).reshape(result.shape), result):
                return True
    return False


def judged_batch(g, original, converted):
    """Compares a batch with its samples."""
    samples = [original.run(None, fed) for fed in g.fed]
    batch = {n: np.concatenate([fed[n] for fed in g.fed]) for n in g.fed[0]}
    got = converted.run(None, {i.name: batch[i.name] for i in converted.get_inputs()})
    bad = [o.name for i, o in enumerate(g.graph.graph.output) if not is_batch_of(got[i], [s[i] for s in samples])]
    if bad and not all(is_stable(lambda near: original.run(None, near), fed, s) for fed, s in zip(g.fed, samples)):
        return "unstable", ""
    return ("wrong", f"outputs {bad}") if bad else ("same", "")


def judged_results(g, original, converted, expected):
    """Compares the results for the inputs that the original accepts."""
    verdict, why = "same", ""
    for fed, results in zip(g.fed, expected):
        got = converted.run(None, {i.name: fed[i.name] for i in converted.get_inputs()})
        bad = [o.name for o, x, y in zip(g.graph.graph.output, results, got) if not same(x, y)]
        if bad and is_stable(lambda near: original.run(None, near), fed, results):
            verdict, why = "wrong", f"outputs {bad}"
        elif bad and verdict == "same":
            verdict = "unstable"
    return verdict, why


def judged_conversion(binary, g, batch, folder):
    try:
        onnx.checker.check_model(g.graph)
        original = session(g.graph)
        expected = [original.run(None, g.fed[0])]
    except Exception:
        return "no runtime", ""
    try:
        expected += [original.run(None, fed) for fed in g.fed[1:]]
    except Exception:
        pass  # the model has sizes that its inputs do not declare
    source, target = os.path.join(folder, "m.onnx"), os.path.join(folder, "o.onnx")
    onnx.save(g.graph, source)
    done = subprocess.run([binary, "convert", source, "-o", target, *g.options], capture_output=True, text=True, timeout=300)
    line = next((line for line in done.stderr.splitlines() if "error: " in line), "").replace(folder + "/", "")[:300]
    if done.returncode == 4 and line and not os.path.exists(target):
        return "refused", line
    if done.returncode != 0:
        return "broken", f"status {done.returncode}: {line}"
    try:
        converted = session(target)
        if batch and "warning: " in done.stderr:
            return "warned", ""
        return judged_batch(g, original, converted) if batch else judged_results(g, original, converted, expected)
    except Exception as error:
        return ("no kernel", "") if "does not implement" in done.stderr else ("invalid", str(error)[:300])


def judged(binary, seed, keep, batch):
    g = drawn(seed, batch)
    if g is None:
        return "empty", ""
    with tempfile.TemporaryDirectory() as folder:
        verdict, why = judged_conversion(binary, g, batch, folder)
    if keep and verdict in ("wrong", "invalid", "broken"):
        name = os.path.join(keep, f"{verdict}-{seed}")
        onnx.save(g.graph, name + ".onnx")
        np.savez(name + ".npz", **g.fed[0])
    return verdict, why and f"{' '.join(g.options)}: {why}"


def judged_apart(binary, seed, keep, batch):
    """In a process of its own, because ONNX Runtime ends it for some models."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=lambda: sender.send(judged(binary, seed, keep, batch)))
    child.start()
    sender.close()
    try:
        return seed, *receiver.recv()
    except EOFError:
        return seed, "crashed", ""
    finally:
        child.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--only", type=int)
    parser.add_argument("--batch", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--refusals", action="store_true")
    options = parser.parse_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    seeds = [options.only] if options.only is not None else [options.seed * 1000000 + i for i in range(options.count)]
    verdicts = collections.Counter()
    refusals = collections.Counter()
    with multiprocessing.pool.ThreadPool(options.jobs) as pool:
        for seed, verdict, why in pool.imap(lambda s: judged_apart(os.path.abspath(options.bin), s, options.keep, options.batch), seeds):
            verdicts[verdict] += 1
            if verdict in ("wrong", "invalid", "broken"):
                print(f"{verdict:8} {seed}: {why}", flush=True)
            if verdict == "refused":
                refusals[re.sub(r"\b[ncvxlsb]?\d+(_\w+)?\b", "#", why)] += 1
    if options.refusals:
        for line, count in refusals.most_common(40):
            print(f"{count:4} {line}")
    print(", ".join(f"{name} {count}" for name, count in sorted(verdicts.items())))
    sys.exit(any(verdicts[v] for v in ("wrong", "invalid", "broken")))


if __name__ == "__main__":
    main()
