"""Hostile ONNX files."""
import struct

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from model_files import message, onnx_model

FORMAT = "onnx"
N = helper.make_node


def ints(name, values):
    return numpy_helper.from_array(np.array(values, np.int64), name)


def tensor(name, dims, dtype=TensorProto.FLOAT, raw=b"", external=None):
    t = TensorProto(name=name, data_type=dtype, dims=dims)
    if external is not None:
        t.data_location = TensorProto.EXTERNAL
        for key, value in external.items():
            t.external_data.add(key=key, value=str(value))
    else:
        t.raw_data = raw
    return t


def nested_if(depth):
    graph = helper.make_graph([N("Relu", ["x"], ["r0"])], "b", [], [helper.make_tensor_value_info("r0", 1, None)])
    for i in range(depth):
        node = N("If", ["c"], [f"r{i + 1}"], then_branch=graph, else_branch=graph if i < 1 else
                 helper.make_graph([N("Relu", ["x"], [f"e{i}"])], "e", [], [helper.make_tensor_value_info(f"e{i}", 1, None)]))
        graph = helper.make_graph([node], "b", [], [helper.make_tensor_value_info(f"r{i + 1}", 1, None)])
    return onnx_model([N("Cast", ["x"], ["c0"], to=9), N("ReduceMax", ["x"], ["m"], keepdims=0), N("Cast", ["m"], ["c"], to=9),
                       *graph.node], outputs=(f"r{depth}",))


def raw_nesting(depth):
    """Nodes with a graph attribute in each other, deeper than protobuf's parser allows."""
    inner = b""
    for _ in range(depth):
        node = message((4, "If"), (5, message((1, "then_branch"), (6, inner), (20, 5))))
        inner = message((1, node))
    return message((1, 8), (7, inner), (8, message((1, ""), (2, 17))))


def loop(trip, body_nodes, outputs, opset=17):
    body = helper.make_graph(body_nodes, "body", [helper.make_tensor_value_info("i", 7, []), helper.make_tensor_value_info("c", 9, []),
                                                  helper.make_tensor_value_info("s", 1, None)],
                             [helper.make_tensor_value_info("c2", 9, []), *[helper.make_tensor_value_info(o, 1, None) for o in outputs]])
    return onnx_model([N("Loop", ["n", "", "x"], ["y", *[f"scan{i}" for i in range(len(outputs) - 1)]], body=body)],
                      initializers=[ints("n", trip)], opset=opset)


def doubling(op, steps, **attributes):
    return onnx_model([N("Constant", [], ["c0"], value=numpy_helper.from_array(np.ones(4, np.float32)))] +
                      [N(op, [f"c{i}", f"c{i}"], [f"c{i + 1}"], **attributes) for i in range(steps)] +
                      [N("ReduceSum", [f"c{steps}"], ["sum"]), N("Add", ["x", "sum"], ["y"])])


def constants(op, initializers, inputs, **attributes):
    return onnx_model([N(op, inputs, ["big"], **attributes), N("ReduceSum", ["big"], ["sum"], keepdims=0), N("Cast", ["sum"], ["s"], to=1),
                       N("Add", ["x", "s"], ["y"])], initializers=initializers)


def chained_functions(depth, width):
    """A chain of functions, each calling the next; `width` calls in each."""
    def f(name, nodes):
        return helper.make_function("f", name, ["a"], ["b"], nodes, [helper.make_opsetid("", 17), helper.make_opsetid("f", 1)])
    made = []
    for i in range(depth):
        nodes = [N(f"F{i + 1}", ["a" if k == 0 else f"m{k - 1}"], ["b" if k == width - 1 else f"m{k}"], domain="f") for k in range(width)]
        made.append(f(f"F{i}", nodes))
    return onnx_model([N("F0", ["x"], ["y"], domain="f")], functions=made + [f(f"F{depth}", [N("Relu", ["a"], ["b"])])])


def recursive_function():
    f = helper.make_function("f", "F", ["a"], ["b"], [N("G", ["a"], ["b"], domain="f")], [helper.make_opsetid("f", 1)])
    g = helper.make_function("f", "G", ["a"], ["b"], [N("F", ["a"], ["b"], domain="f")], [helper.make_opsetid("f", 1)])
    return onnx_model([N("F", ["x"], ["y"], domain="f")], functions=[f, g])


def function_in_bodies(depth):
    """Functions that call the next one in both branches of an If."""
    made = []
    for i in range(depth):
        branch = lambda k: helper.make_graph([N(f"F{i + 1}", ["a"], [f"b{k}"], domain="f")], f"g{k}", [],
                                             [helper.make_tensor_value_info(f"b{k}", 1, None)])
        nodes = [N("ReduceMax", ["a"], ["m"], keepdims=0), N("Cast", ["m"], ["c"], to=9),
                 N("If", ["c"], ["b"], then_branch=branch(0), else_branch=branch(1))]
        made.append(helper.make_function("f", f"F{i}", ["a"], ["b"], nodes, [helper.make_opsetid("", 17), helper.make_opsetid("f", 1)]))
    made.append(helper.make_function("f", f"F{depth}", ["a"], ["b"], [N("Relu", ["a"], ["b"])], [helper.make_opsetid("", 17)]))
    return onnx_model([N("F0", ["x"], ["y"], domain="f")], functions=made)


def sparse_initializer(size):
    values = message((1, 1), (2, 1), (8, "w"), (9, b"\0" * 4))
    indices = message((1, 1), (2, 7), (9, struct.pack("<q", size)))
    return message((7, message((15, message((1, values), (2, indices), (3, size))))))


def one_file(content, **more):
    return {"files": lambda: {"m.onnx": content() if callable(content) else content}, "model": "m.onnx", **more}


def zeros(size):
    def write(path):
        with open(path, "wb") as file:
            file.truncate(size)
    return write


def external(dims, dtype=TensorProto.FLOAT, size=64, **fields):
    def files():
        weight = tensor("w", dims, dtype, external={"location": "w.bin", **fields})
        return {"m.onnx": onnx_model([N("Add", ["x", "w"], ["y"])], initializers=[weight]), "w.bin": b"\0" * size}
    return {"files": files, "model": "m.onnx", "refused": True}


def cases():
    big = 2**62
    made = {
        "huge_dims": one_file(lambda: onnx_model([N("Add", ["x", "w"], ["y"])], initializers=[tensor("w", [2**40, 2**40])]), refused=True),
        "negative_dims": one_file(lambda: onnx_model([N("Add", ["x", "w"], ["y"])], initializers=[tensor("w", [-1, -4], raw=b"\0" * 16)]), refused=True),
        "rank_100000": one_file(lambda: onnx_model([N("Add", ["x", "w"], ["y"])], initializers=[tensor("w", [1] * 100000, raw=b"\0" * 4)])),
        "input_rank_100000": one_file(lambda: onnx_model([N("Relu", ["x"], ["y"])], inputs=[("x", 1, [1] * 100000)])),
        "input_dims_2^62": one_file(lambda: onnx_model([N("Flatten", ["x"], ["y"])], inputs=[("x", 1, [big, big])])),
        "input_dims_negative": one_file(lambda: onnx_model([N("Flatten", ["x"], ["y"])], inputs=[("x", 1, [-big, -1])])),
        "nested_if_30": one_file(lambda: nested_if(30)),
        "nested_if_3": one_file(lambda: nested_if(3)),
        "nesting_10000": one_file(lambda: raw_nesting(10000), refused=True),
        "nesting_90": one_file(lambda: raw_nesting(15)),
        "loop_2^62": one_file(lambda: loop(big, [N("Relu", ["s"], ["o"]), N("Identity", ["c"], ["c2"])], ["o"])),
        "loop_scan_1e9": one_file(lambda: loop(10**9, [N("Relu", ["s"], ["o"]), N("Identity", ["c"], ["c2"]), N("Identity", ["s"], ["t"])], ["o", "t"])),
        "loop_trip_negative": one_file(lambda: loop(-5, [N("Relu", ["s"], ["o"]), N("Identity", ["c"], ["c2"])], ["o"])),
        "concat_doubling": one_file(lambda: doubling("Concat", 40, axis=0)),
        "concat_doubling_26": one_file(lambda: doubling("Concat", 26, axis=0)),
        "matmul_chain": one_file(lambda: doubling("Add", 2000)),
        "expand_1e12": one_file(lambda: constants("Expand", [numpy_helper.from_array(np.ones(1, np.float32), "o"), ints("s", [10**6, 10**6])], ["o", "s"])),
        "expand_1e8": one_file(lambda: constants("Expand", [numpy_helper.from_array(np.ones(1, np.float32), "o"), ints("s", [10**4, 10**4])], ["o", "s"])),
        "tile_2^62": one_file(lambda: constants("Tile", [numpy_helper.from_array(np.ones(1, np.float32), "o"), ints("s", [big])], ["o", "s"])),
        "tile_1e8": one_file(lambda: constants("Tile", [numpy_helper.from_array(np.ones(1, np.float32), "o"), ints("s", [10**8])], ["o", "s"])),
        "range_1e12": one_file(lambda: constants("Range", [ints("a", 0), ints("b", 10**12), ints("c", 1)], ["a", "b", "c"])),
        "range_zero_step": one_file(lambda: constants("Range", [ints("a", 0), ints("b", 10**12), ints("c", 0)], ["a", "b", "c"])),
        "constant_of_shape": one_file(lambda: constants("ConstantOfShape", [ints("s", [2**31, 2**31])], ["s"])),
        "constant_of_shape_1e8": one_file(lambda: constants("ConstantOfShape", [ints("s", [10**8])], ["s"])),
        "onehot_2^40": one_file(lambda: constants("OneHot", [ints("i", [0] * 1000), ints("d", 2**40), numpy_helper.from_array(np.array([0, 1], np.float32), "v")], ["i", "d", "v"])),
        "eyelike": one_file(lambda: onnx_model([N("ConstantOfShape", ["s"], ["c"]), N("EyeLike", ["c"], ["e"]), N("ReduceSum", ["e"], ["r"], keepdims=0), N("Add", ["x", "r"], ["y"])], initializers=[ints("s", [10**6, 10**6])])),
        "pad_2^60": one_file(lambda: onnx_model([N("Pad", ["x", "p"], ["y"])], initializers=[ints("p", [2**60, 0, 2**60, 0])])),
        "pad_constant": one_file(lambda: constants("Pad", [numpy_helper.from_array(np.ones(1, np.float32), "o"), ints("p", [10**11, 0])], ["o", "p"])),
        "split_60000": one_file(lambda: onnx_model([N("Split", ["x"], [f"o{i}" for i in range(60000)], axis=1), N("Relu", ["o7"], ["y"])], inputs=[("x", 1, [1, 60000])])),
        "split_sequence": one_file(lambda: onnx_model([N("SplitToSequence", ["x"], ["q"], axis=1, keepdims=0), N("ConcatFromSequence", ["q"], ["y"], axis=0)], inputs=[("x", 1, [1, 10**9])])),
        "gather_1e7_constant": one_file(lambda: onnx_model([N("Range", ["a", "b", "c"], ["i"]), N("Gather", ["w", "i"], ["g"]), N("ReduceSum", ["g"], ["r"], keepdims=0), N("Add", ["x", "r"], ["y"])],
                                                           initializers=[ints("a", 0), ints("b", 10**8), ints("c", 1), numpy_helper.from_array(np.ones(10, np.float32), "w")])),
        "conv_kernel_2^31": one_file(lambda: onnx_model([N("MaxPool", ["x"], ["y"], kernel_shape=[2**31, 2**31], strides=[1, 1], pads=[2**31] * 4)], inputs=[("x", 1, [1, 3, 8, 8])])),
        "averagepool_dilations": one_file(lambda: onnx_model([N("AveragePool", ["x"], ["y"], kernel_shape=[3000, 3000], dilations=[2, 2])], inputs=[("x", 1, [1, 1, 8000, 8000])], opset=19), arguments="--opset 17"),
        "pool_strides_0": one_file(lambda: onnx_model([N("AveragePool", ["x"], ["y"], kernel_shape=[2, 2], strides=[0, 0])], inputs=[("x", 1, [1, 3, 8, 8])])),
        "conv_group_0": one_file(lambda: onnx_model([N("Conv", ["x", "w"], ["y"], group=0)], inputs=[("x", 1, [1, 3, 8, 8])], initializers=[numpy_helper.from_array(np.ones((4, 3, 1, 1), np.float32), "w")])),
        "depthtospace_0": one_file(lambda: onnx_model([N("DepthToSpace", ["x"], ["y"], blocksize=0)], inputs=[("x", 1, [1, 4, 8, 8])])),
        "resize_2^62": one_file(lambda: onnx_model([N("Resize", ["x", "", "", "s"], ["y"], mode="cubic")], inputs=[("x", 1, [1, 1, 8, 8])], initializers=[ints("s", [1, 1, big, big])])),
        "lrn_nan": one_file(lambda: onnx_model([N("LRN", ["x"], ["y"], size=3, alpha=float("nan"), beta=float("inf"))], inputs=[("x", 1, [1, 3, 8, 8])])),
        "gemm_inf": one_file(lambda: onnx_model([N("Gemm", ["x", "w"], ["y"], alpha=float("inf"))], initializers=[numpy_helper.from_array(np.ones((3, 3), np.float32), "w")])),
        "einsum_long": one_file(lambda: onnx_model([N("Einsum", ["x"], ["y"], equation="ab->" + "ab" * 50000)])),
        "einsum_spaces": one_file(lambda: onnx_model([N("Einsum", ["x"], ["y"], equation="..." * 30000)])),
        "text_100MB": one_file(lambda: onnx_model([N("Relu", ["x"], ["y"], name="n" * 100_000_000)])),
        "doc_100MB": one_file(lambda: onnx_model([N("Relu", ["x"], ["y"], doc_string="n" * 100_000_000)])),
        "attribute_100MB": one_file(lambda: onnx_model([N("Foo", ["x"], ["y"], domain="d", value="n" * 100_000_000)])),
        "strings_2M": one_file(lambda: onnx_model([N("Foo", ["x"], ["y"], domain="d", values=["a"] * 2_000_000)])),
        "ints_10M": one_file(lambda: onnx_model([N("Foo", ["x"], ["y"], domain="d", values=[1] * 10_000_000)])),
        "functions_chain_190": one_file(lambda: chained_functions(190, 1)),
        "functions_chain_5000": one_file(lambda: chained_functions(5000, 1), refused=True),
        "functions_wide": one_file(lambda: chained_functions(4, 100), refused=True),
        "functions_recursive": one_file(recursive_function, refused=True),
        "functions_in_if_16": one_file(lambda: function_in_bodies(16)),
        "functions_in_if_40": one_file(lambda: function_in_bodies(40), refused=True),
        "functions_unused_2^30": one_file(lambda: onnx_model([N("Relu", ["x"], ["y"])], functions=[
            helper.make_function("f", f"F{i}", ["a"], ["b"], [N(f"F{i + 1}", ["a"], ["m"], domain="f"), N(f"F{i + 1}", ["m"], ["b"], domain="f")],
                                 [helper.make_opsetid("f", 1)]) for i in range(30)])),
        "cycle": one_file(lambda: onnx_model([N("Add", ["x", "b"], ["a"]), N("Relu", ["a"], ["b"]), N("Relu", ["b"], ["y"])]), refused=True),
        "self_input": one_file(lambda: onnx_model([N("Relu", ["y"], ["y"])]), refused=True),
        "same_output_twice": one_file(lambda: onnx_model([N("Relu", ["x"], ["y"]), N("Tanh", ["x"], ["y"])]), refused=True),
        "inputs_100k_of_one": one_file(lambda: onnx_model([N("Sum", ["x"] * 100000, ["y"])])),
        "chain_20000": one_file(lambda: onnx_model([N("Relu", ["x" if i == 0 else f"v{i}"], ["y" if i == 19999 else f"v{i + 1}"]) for i in range(20000)])),
        "fan_out_50000": one_file(lambda: onnx_model([N("Relu", ["x"], [f"v{i}"]) for i in range(50000)] + [N("Relu", ["v7"], ["y"])])),
        "outputs_50000": one_file(lambda: onnx_model([N("Relu", ["x"], [f"v{i}"]) for i in range(20000)], outputs=tuple(f"v{i}" for i in range(20000)))),
        "add_tree_shapes": one_file(lambda: onnx_model([N("Shape", ["x"], ["s0"])] + [N("Add", [f"s{i}", f"s{i}"], [f"s{i + 1}"]) for i in range(3000)] +
                                                       [N("Reshape", ["x", "s3000"], ["y"])], inputs=[("x", 1, ["a", "b"])])),
        "symbol_products": one_file(lambda: onnx_model([N("Concat", ["x" if i == 0 else f"v{i}"] * 2, [f"v{i + 1}"], axis=i % 2) for i in range(400)] + [N("Relu", ["v400"], ["y"])], inputs=[("x", 1, ["a", "b"])])),
        "size_2^31": one_file(lambda: onnx_model([N("Size", ["x"], ["y"])], inputs=[("x", 1, [2**31 - 1])])),
        "gathernd_batch_dims": one_file(lambda: onnx_model([N("GatherND", ["x", "i"], ["y"], batch_dims=-300)], initializers=[ints("i", [[0], [1]])]), refused=True),
        "gathernd_negative_dims": one_file(lambda: onnx_model([N("GatherND", ["x", "i"], ["y"])], inputs=[("x", 1, [2, 3]), ("i", 7, [2, -4000])])),
        "gathernd_padded_dims": one_file(lambda: onnx_model([N("Pad", ["i", "p"], ["j"]), N("GatherND", ["x", "j"], ["y"])], inputs=[("x", 1, [2, 3]), ("i", 7, [2, 1])],
                                                            initializers=[ints("p", [0, 0, 0, -4000])]), refused=True),
        "layernormalization_axis": one_file(lambda: onnx_model([N("LayerNormalization", ["x", "w"], ["y", "m"], axis=2**31)], initializers=[numpy_helper.from_array(np.ones(3, np.float32), "w")]), refused=True),
        "split_num_outputs": one_file(lambda: onnx_model([N("Split", ["x"], ["y", "o1", "o2"], axis=1, num_outputs=1)], opset=18), refused=True),
        "split_num_outputs_0": one_file(lambda: onnx_model([N("Split", ["x"], ["y"], axis=1, num_outputs=0)], opset=18), commands=["convert M -o out.onnx --opset 13"], refused=True),
        "pool_strides_0_dilated": one_file(lambda: onnx_model([N("AveragePool", ["x"], ["y"], kernel_shape=[2, 2], strides=[0, 0], dilations=[2, 2], ceil_mode=1)], inputs=[("x", 1, [1, 1, 8, 8])], opset=19),
                                           commands=["convert M -o out.onnx --opset 17"], refused=True),
        **{f"slice_of_shape_{step}": one_file(lambda step=step: onnx_model([N("Shape", ["x"], ["s"]), N("Slice", ["s", "b", "e", "a", "t"], ["y"])],
                                                                           initializers=[ints("b", [1]), ints("e", [-100 if step < 0 else 3]), ints("a", [0]), ints("t", [step])]))
           for step in (2**31, 2**32, -2**32, -2**31 - 5)},
        "expand_rank_2^40": one_file(lambda: onnx_model([N("Expand", ["x", "s"], ["y"])], inputs=[("x", 1, [4]), ("s", 7, [2**40])], opset=8), refused=True),
        "gather_doubling": one_file(lambda: onnx_model([N("Gather", [f"v{i}"] * 2, [f"v{i + 1}" if i < 39 else "y"]) for i in range(40)], inputs=[("v0", 7, [2, 3])]), refused=True),
        "unsqueeze_chain": one_file(lambda: onnx_model([N("Unsqueeze", [f"v{i}", "a"], [f"v{i + 1}" if i < 1999 else "y"]) for i in range(2000)], inputs=[("v0", 7, [2, 3])],
                                                       initializers=[ints("a", list(range(100_000)))]), refused=True),
        "eyelike_of_unknown": one_file(lambda: onnx_model([N("Foo", ["x"], ["t"], domain="f"), N("EyeLike", ["t"], ["y"], dtype=1)], functions=[
            helper.make_function("f", "Other", ["a"], ["b"], [N("Relu", ["a"], ["b"])], [helper.make_opsetid("", 17)])])),
        "regexfullmatch_of_unknown": one_file(lambda: onnx_model([N("Foo", ["x"], ["t"], domain="f"), N("RegexFullMatch", ["t"], ["y"], pattern="a")], opset=20, functions=[
            helper.make_function("f", "Other", ["a"], ["b"], [N("Relu", ["a"], ["b"])], [helper.make_opsetid("", 20)])])),
        "slice_extremes": one_file(lambda: onnx_model([N("Slice", ["x", "b", "e", "a", "s"], ["y"])], initializers=[ints("b", [-2**63]), ints("e", [2**63 - 1]), ints("a", [1]), ints("s", [-2**63])])),
        "axis_extremes": one_file(lambda: onnx_model([N("Softmax", ["x"], ["y"], axis=-2**63)])),
        "transpose_perm": one_file(lambda: onnx_model([N("Transpose", ["x"], ["y"], perm=[2**40, -1])]), refused=True),
        "cast_to_9999": one_file(lambda: onnx_model([N("Cast", ["x"], ["y"], to=9999)]), refused=True),
        "opset_2^40": one_file(lambda: onnx_model([N("Relu", ["x"], ["y"])], opset=2**40)),
        "sparse_huge": one_file(lambda: onnx_model([N("Add", ["x", "w"], ["y"])]) + sparse_initializer(2**62)),
        "external_offset_2^63": external([4], offset=2**63 - 1, length=16),
        "external_length_2^63": external([4], offset=0, length=2**63 - 1),
        "external_negative": external([4], offset=-16, length=16),
        "external_overflow": external([2**61], offset=2**63 - 8),
        "external_short": external([1000]),
        "external_text": external([4], offset="abc"),
        "external_absolute": {"files": lambda: {"m.onnx": onnx_model([N("Add", ["x", "w"], ["y"])], initializers=[tensor("w", [4], external={"location": "/etc/passwd"})])}, "model": "m.onnx", "refused": True},
        "external_self": {"files": lambda: {"m.onnx": onnx_model([N("Add", ["x", "w"], ["y"])], initializers=[tensor("w", [4], external={"location": "m.onnx"})])}, "model": "m.onnx"},
        "external_sparse_8GB": {"files": lambda: {"m.onnx": onnx_model([N("Add", ["x", "w"], ["y"])], initializers=[tensor("w", [2**31], external={"location": "w.bin"})]), "w.bin": zeros(2**33)}, "model": "m.onnx", "commands": ["inspect M", "diagnose M"]},
        "external_sparse_files": {"files": lambda: {"m.onnx": onnx_model([N("Add", ["x", f"w0"], ["y"])], initializers=[tensor(f"w{i}", [4], external={"location": "w.bin", "offset": i}) for i in range(20000)]), "w.bin": b"\0" * 30000}, "model": "m.onnx"},
        "quantized_zero": one_file(lambda: onnx_model([N("QuantizeLinear", ["x", "s", "z"], ["q"]), N("DequantizeLinear", ["q", "s", "z"], ["y"])], initializers=[numpy_helper.from_array(np.float32(0), "s"), numpy_helper.from_array(np.uint8(0), "z")])),
        "optional_nested": one_file(lambda: onnx_model([N("Optional", ["x"], ["o0"])] + [N("Optional", [f"o{i}"], [f"o{i + 1}"]) for i in range(60)] + [N("OptionalGetElement", ["o60"], ["y"])])),
        "sequence_nested": one_file(lambda: onnx_model([N("SequenceConstruct", ["x"] * 50, ["s"])] + [N("SequenceAt", ["s", "i"], ["y"])], initializers=[ints("i", 2**62)])),
        "scan_2^31": one_file(lambda: onnx_model([N("Scan", ["x"], ["y"], num_scan_inputs=2**31, body=helper.make_graph([N("Relu", ["a"], ["b"])], "b", [helper.make_tensor_value_info("a", 1, None)], [helper.make_tensor_value_info("b", 1, None)]))]), refused=True),
        "lstm_hidden_2^62": one_file(lambda: onnx_model([N("LSTM", ["x", "w", "r"], ["y"], hidden_size=big)], inputs=[("x", 1, [5, 2, 3])], initializers=[numpy_helper.from_array(np.ones((1, 16, 3), np.float32), "w"), numpy_helper.from_array(np.ones((1, 16, 4), np.float32), "r")])),
        "truncated": one_file(lambda: onnx_model([N("Relu", ["x"], ["y"])])[:-7], refused=True),
        "wire_length_2^63": one_file(b"\x08\x08\x3a" + b"\xff" * 9 + b"\x01" + b"\0" * 20, refused=True),
        "empty_nodes": one_file(lambda: onnx_model([N("Relu", ["x"], ["y"])]) + message((7, b"\x0a\x00" * 100000))),
        "empty_outputs": one_file(lambda: onnx_model([N("Relu", ["x"], ["y"]), N("Split", ["x"], [""] * 300000)])),
        "attention_blowup": one_file(lambda: onnx_model([N("Attention", ["x", "x", "x"], ["y"], q_num_heads=2**31, kv_num_heads=2**31)], inputs=[("x", 1, [1, 4, 8])], opset=23), arguments="--opset 17"),
        "col2im": one_file(lambda: onnx_model([N("Col2Im", ["x", "s", "b"], ["y"])], inputs=[("x", 1, [1, 4, 8])], initializers=[ints("s", [2**40, 2**40]), ints("b", [2**40, 1])], opset=18), arguments="--opset 17"),
        "dft": one_file(lambda: onnx_model([N("DFT", ["x", "l"], ["y"], axis=1)], inputs=[("x", 1, [1, 8, 1])], initializers=[ints("l", 2**40)])),
        "hann_1e9": one_file(lambda: onnx_model([N("HannWindow", ["n"], ["w"]), N("ReduceSum", ["w"], ["r"], keepdims=0), N("Add", ["x", "r"], ["y"])], initializers=[ints("n", 10**9)])),
        "mel_1e9": one_file(lambda: onnx_model([N("MelWeightMatrix", ["a", "b", "c", "d", "e"], ["w"]), N("ReduceSum", ["w"], ["r"], keepdims=0), N("Add", ["x", "r"], ["y"])], initializers=[ints("a", 10**6), ints("b", 10**6), ints("c", 16000), numpy_helper.from_array(np.float32(0), "d"), numpy_helper.from_array(np.float32(8000), "e")])),
        "trilu_constant": one_file(lambda: onnx_model([N("ConstantOfShape", ["s"], ["c"]), N("Trilu", ["c"], ["t"]), N("ReduceSum", ["t"], ["r"], keepdims=0), N("Add", ["x", "r"], ["y"])], initializers=[ints("s", [30000, 30000])])),
        "matmul_constants": one_file(lambda: onnx_model([N("ConstantOfShape", ["s"], ["c"]), N("MatMul", ["c", "c"], ["m"]), N("MatMul", ["m", "c"], ["t"]), N("ReduceSum", ["t"], ["r"], keepdims=0), N("Add", ["x", "r"], ["y"])], initializers=[ints("s", [4000, 4000])])),
        "cumsum_constants": one_file(lambda: onnx_model([N("ConstantOfShape", ["s"], ["c0"])] + [N("CumSum", [f"c{i}", "k"], [f"c{i + 1}"]) for i in range(30)] + [N("ReduceSum", ["c30"], ["r"], keepdims=0), N("Add", ["x", "r"], ["y"])], initializers=[ints("s", [10**7]), ints("k", 0)])),
        "lstm_pairs_800": one_file(lambda: onnx_model([N("LSTM", ["x", "w", "r"], [f"a{i}"], hidden_size=2, direction="forward" if i % 2 else "reverse") for i in range(800)] + [N("Sum", [f"a{i}" for i in range(800)], ["y"])],
                                                      inputs=[("x", 1, [4, 2, 3])], initializers=[numpy_helper.from_array(np.ones((1, 8, 3), np.float32), "w"), numpy_helper.from_array(np.ones((1, 8, 2), np.float32), "r")])),
        "computed_shapes_2000": one_file(lambda: onnx_model([n for i in range(2000) for n in (
            N("Shape", [f"v{i}" if i else "x"], [f"s{i}"]), N("Gather", [f"s{i}", "i0"], [f"g{i}"]), N("Unsqueeze", [f"g{i}", "a0"], [f"u{i}"]),
            N("Concat", [f"u{i}", "m1"], [f"c{i}"], axis=0), N("Reshape", [f"v{i}" if i else "x", f"c{i}"], [f"v{i + 1}"]))] + [N("Relu", ["v2000"], ["y"])],
            inputs=[("x", 1, ["N", 3, 4])], initializers=[ints("i0", 0), ints("a0", [0]), ints("m1", [-1])]), arguments="--shape x=A,B,C"),
        "gelu_1000": one_file(lambda: onnx_model([N("Gelu", [f"v{i}" if i else "x"], [f"v{i + 1}" if i < 999 else "y"]) for i in range(1000)], opset=20), arguments="--opset 11"),
        "attention_250": one_file(lambda: onnx_model([N("Attention", [f"v{i}" if i else "x"] * 3, [f"v{i + 1}" if i < 249 else "y"], q_num_heads=2, kv_num_heads=2) for i in range(250)],
                                                     inputs=[("x", 1, [1, 4, 8])], opset=23), arguments="--opset 17"),
        "same_names": one_file(lambda: onnx_model([N("Relu", ["x"], [f"v{i}"], name="same") for i in range(20000)] + [N("Relu", ["v7"], ["y"], name="same")])),
        "names_hostile": one_file(lambda: onnx_model([N("Relu", ["x"], ["<img src=x>\u202e"], name="<script>\x9b31m"), N("Foo\x1b[31m", ["<img src=x>\u202e"], ["y"], domain="\u2066d")]), refused=True),
    }
    return made
