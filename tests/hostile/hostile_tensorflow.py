"""Hostile files of TensorFlow: graphs, SavedModels, checkpoints."""
import struct

from model_files import (BOOL, FLOAT, INT32, INT64, RESOURCE, STRING, graph_def, message, tf_const, tf_function, tf_function_def,
                         tf_int, tf_ints, tf_node, tf_placeholder, tf_shape, tf_tensor, tf_text, tf_type, tf_types, varint)

FORMAT = "tensorflow"


def floats(name="x", dims=(1, 3)):
    return tf_placeholder(name, dims)


def unary(op, name, source, **attributes):
    return tf_node(name, op, [source], T=tf_type(FLOAT), **attributes)


def result(source):
    return tf_node("y", "AddV2", ["x", source], T=tf_type(FLOAT))


def call(name, function, inputs, count=1):
    return tf_node(name, "PartitionedCall", inputs, Tin=tf_types([FLOAT] * len(inputs)), Tout=tf_types([FLOAT] * count), f=tf_function(function))


def doubling_functions(depth):
    functions = []
    for i in range(depth):
        nodes = [call("a", f"F{i + 1}", ["p"]), call("b", f"F{i + 1}", ["a:output:0"])]
        functions.append(tf_function_def(f"F{i}", [("p", FLOAT)], [("q", FLOAT)], nodes, {"q": "b:output:0"}))
    functions.append(tf_function_def(f"F{depth}", [("p", FLOAT)], [("q", FLOAT)], [unary("Relu", "r", "p")], {"q": "r:activations:0"}))
    return graph_def([floats(), call("y", "F0", ["x"])], functions)


def chained_functions(depth):
    functions = [tf_function_def(f"F{i}", [("p", FLOAT)], [("q", FLOAT)], [call("a", f"F{i + 1}", ["p"])], {"q": "a:output:0"}) for i in range(depth)]
    functions.append(tf_function_def(f"F{depth}", [("p", FLOAT)], [("q", FLOAT)], [unary("Relu", "r", "p")], {"q": "r:activations:0"}))
    return graph_def([floats(), call("y", "F0", ["x"])], functions)


def recursive_functions():
    functions = [tf_function_def("F", [("p", FLOAT)], [("q", FLOAT)], [call("a", "G", ["p"])], {"q": "a:output:0"}),
                 tf_function_def("G", [("p", FLOAT)], [("q", FLOAT)], [call("a", "F", ["p"])], {"q": "a:output:0"})]
    return graph_def([floats(), call("y", "F", ["x"])], functions)


def doubling_branches(depth):
    """Each function calls the next one in both branches of an If."""
    functions = []
    for i in range(depth):
        node = tf_node("a", "StatelessIf", ["c:output:0", "p"], Tcond=tf_type(BOOL), Tin=tf_types([FLOAT]), Tout=tf_types([FLOAT]),
                       then_branch=tf_function(f"F{i + 1}"), else_branch=tf_function(f"F{i + 1}"), output_shapes=message((1, b"")))
        functions.append(tf_function_def(f"F{i}", [("p", FLOAT)], [("q", FLOAT)], [tf_const("c", BOOL, (), [1]), node], {"q": "a:output:0"}))
    functions.append(tf_function_def(f"F{depth}", [("p", FLOAT)], [("q", FLOAT)], [unary("Relu", "r", "p")], {"q": "r:activations:0"}))
    return graph_def([floats(), call("y", "F0", ["x"])], functions)


def while_nest(depth):
    functions = []
    for i in range(depth):
        body = tf_node("a", "StatelessWhile", ["p"], T=tf_types([FLOAT]), cond=tf_function("C"), body=tf_function(f"F{i + 1}"))
        functions.append(tf_function_def(f"F{i}", [("p", FLOAT)], [("q", FLOAT)], [body], {"q": "a:output:0"}))
    functions.append(tf_function_def(f"F{depth}", [("p", FLOAT)], [("q", FLOAT)], [unary("Relu", "r", "p")], {"q": "r:activations:0"}))
    functions.append(tf_function_def("C", [("p", FLOAT)], [("q", BOOL)], [
        tf_const("i", INT32, (2,), [0, 1]), tf_node("s", "Sum", ["p", "i:output:0"], T=tf_type(FLOAT), Tidx=tf_type(INT32)),
        tf_const("z", FLOAT, (), [3.0]), tf_node("l", "Less", ["s:output:0", "z:output:0"], T=tf_type(FLOAT))], {"q": "l:z:0"}))
    return graph_def([floats(), call("y", "F0", ["x"])], functions)


def concat_doubling(steps):
    nodes = [floats(), tf_const("k", INT32, (), [0]), tf_const("c0", FLOAT, (4,), [1.0])]
    nodes += [tf_node(f"c{i + 1}", "ConcatV2", [f"c{i}", f"c{i}", "k"], T=tf_type(FLOAT), Tidx=tf_type(INT32), N=tf_int(2)) for i in range(steps)]
    return graph_def(nodes + [tf_node("s", "Sum", [f"c{steps}", "k"], T=tf_type(FLOAT), Tidx=tf_type(INT32)), result("s")])


def from_big(node, *constants):
    return graph_def([floats(), *constants, node, tf_const("axis", INT32, (), [0]),
                      tf_node("s", "Sum", ["big", "axis"], T=tf_type(FLOAT), Tidx=tf_type(INT32)), result("s")])


def tensor_list(count):
    return graph_def([floats(), tf_const("n", INT32, (), [count]), tf_const("e", INT32, (2,), [1, 3]),
                      tf_node("l", "TensorListReserve", ["e", "n"], element_dtype=tf_type(FLOAT), shape_type=tf_type(INT32)),
                      tf_const("i", INT32, (), [0]),
                      tf_node("w", "TensorListSetItem", ["l", "i", "x"], element_dtype=tf_type(FLOAT)),
                      tf_node("y", "TensorListStack", ["w", "e"], element_dtype=tf_type(FLOAT), num_elements=tf_int(-1))])


def frame_loop(wrong):
    """A loop of TensorFlow 1 with one connection wrong."""
    inputs = {"enter": ["x"], "merge": ["enter", "next"], "less": ["merge", "limit"], "cond": ["less"], "switch": ["merge", "cond"],
              "body": ["switch:1"], "next": ["body"], "y": ["switch"]}
    inputs.update(wrong)
    kinds = {"enter": "Enter", "merge": "Merge", "less": "Less", "cond": "LoopCond", "switch": "Switch", "body": "Relu", "next": "NextIteration", "y": "Exit"}
    nodes = [floats("x", ()), tf_const("one", FLOAT, (), [1.0]), tf_node("limit", "Enter", ["one"], T=tf_type(FLOAT), frame_name=tf_text("f"), is_constant=message((5, 1)))]
    for name, kind in kinds.items():
        attributes = {"T": tf_type(FLOAT)} if name != "cond" else {}
        if kind == "Enter":
            attributes["frame_name"] = tf_text("f")
        if kind == "Merge":
            attributes["N"] = tf_int(len(inputs[name]))
        nodes.append(tf_node(name, kind, inputs[name], **attributes))
    return graph_def(nodes)


def file(content, **more):
    return {"files": lambda: {"m.pb": content() if callable(content) else content}, "model": "m.pb", **more}


def crc_of_byte(byte):
    """What a byte contributes to a CRC-32C."""
    for _ in range(8):
        byte = byte >> 1 ^ (0x82f63b78 if byte & 1 else 0)
    return byte


CRC_OF_BYTE = [crc_of_byte(byte) for byte in range(256)]


def masked_crc(content):
    """The CRC-32C of bytes, in the form that checkpoints store."""
    crc = 0xffffffff
    for byte in content:
        crc = crc >> 8 ^ CRC_OF_BYTE[(crc ^ byte) & 255]
    crc ^= 0xffffffff
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff)


def table_block(entries):
    """A block of a table: every entry in full, one restart."""
    out = b"".join(varint(0) + varint(len(k)) + varint(len(v)) + k + v for k, v in entries)
    return out + b"\0\0\0\0" + b"\x01\0\0\0"


def sealed(block, compression=0):
    """A block as a table stores it, with its compression and a CRC that is right: a reader goes on to what the block contains."""
    block += bytes([compression])
    return block + masked_crc(block)


def handle(offset, size):
    """Where a table contains a block."""
    return varint(offset) + varint(size)


def table(block, handles=(), compression=0):
    """A table of one block with entries; `handles` are the blocks that its index lists instead of that one."""
    body = sealed(block, compression)
    meta = handle(len(body), 8)
    body += sealed(table_block([]))
    handles = handles or [handle(0, len(block))]
    index = table_block([(struct.pack(">I", i), h) for i, h in enumerate(handles)])
    footer = meta + handle(len(body), len(index))
    return body + sealed(index) + footer + b"\0" * (40 - len(footer)) + (0xdb4775248b80fb57).to_bytes(8, "little")


def index_block(entry, header=message((1, 1)), parts=()):
    """The entries of a checkpoint of the variable v; `parts` are slices with their entries."""
    return table_block([(b"", header), *sorted((slice_key(b"v", s), e) for s, e in parts), (b"v", entry)])


SHARD = struct.pack("<16f", *range(16))


def bundle_entry(dims, offset, size, shard=0):
    """An entry for numbers in SHARD, with the CRC of those."""
    return message((1, FLOAT), (2, tf_shape(dims)), (3, shard), (4, offset), (5, size)) + b"\x35" + masked_crc(SHARD[offset:offset + size])


def sliced_entry(slices, dims=(1, 3)):
    """An entry for a variable in parts. A slice is the start and length of each dimension; -1 is the whole length."""
    extents = [message(*[(1, message((1, start), (2, length))) for start, length in s]) for s in slices]
    return message((1, FLOAT), (2, tf_shape(dims)), *[(7, e) for e in extents])


def slice_key(name, part):
    """The key of a part: the variable's name, the rank, start and length of each dimension, in an encoding that sorts."""
    key = b"\0" + name.replace(b"\0", b"\0\xff") + b"\0\1" + bytes([1, len(part)])
    for number in (n for extent in part for n in extent):
        size = max(number, ~number).bit_length() // 7 + 1
        key += (number % 256**size ^ (1 << size) - 1 << 7 * size).to_bytes(size, "big")
    return key


def checkpoint_case(index, shard="m.data-00000-of-00001", **more):
    """A graph of one variable, and a checkpoint."""
    graph = message((2, graph_def([floats(), tf_node("v", "VariableV2", dtype=tf_type(FLOAT), shape=message((7, tf_shape((1, 3))))),
                                   tf_node("r", "Identity", ["v"], T=tf_type(FLOAT)), result("r")])))
    return {"files": lambda: {"m.meta": graph, "m.index": index(), shard: SHARD}, "model": "m.meta", **more}


def entry_case(entry, header=message((1, 1)), parts=(), **more):
    """A checkpoint that lists this entry for its variable."""
    return checkpoint_case(lambda: table(index_block(entry, header, parts)), **more)


def nested_parts(part, depth, width):
    """The index of a variable whose parts are in parts themselves: width**depth of them."""
    key, entries = b"v", [(b"", message((1, 1)))]
    for _ in range(depth):
        entries.append((key, sliced_entry([part] * width)))
        key = slice_key(key, part)
    return table(table_block(sorted(entries)))


def read_often(size, count, compression=0):
    """An index that lists one block without entries many times; if it is compressed, it is 64 copies of each 3 bytes."""
    end = struct.pack("<I", size // 4 - 1)
    block = b"\0" * (size - 4) + end
    if compression:
        copies = (size - 68) // 64
        block = varint(64 * copies + 68) + b"\xf0\x3f" + b"\0" * 64 + b"\xfe\1\0" * copies + b"\x0c" + struct.pack("<I", (64 * copies + 68) // 4 - 1)
    return table(block, [handle(0, len(block))] * count, compression)


def checkpoint_cases():
    """Checkpoints whose checksums are right, except where a case is about them."""
    whole = bundle_entry((1, 3), 0, 12)
    good = index_block(whole)
    left, right, middle = [(0, -1), (0, 2)], [(0, -1), (2, 1)], [(0, -1), (1, 2)]
    outside, before, huge = [(0, -1), (2, 9)], [(0, -1), (-1, 2)], [(0, -1), (0, 2**62)]
    two, one = bundle_entry((1, 2), 0, 8), bundle_entry((1, 1), 8, 4)
    refused = lambda index: checkpoint_case(index, refused=True)
    parted = lambda slices, *parts: entry_case(sliced_entry(slices), parts=parts, refused=True)
    return {
        "checkpoint_ok": entry_case(whole),
        "checkpoint_block_crc": refused(lambda: table(good).replace(sealed(good), good + b"\0" * 5)),
        "checkpoint_tensor_crc": entry_case(whole[:-4] + b"\0" * 4, refused=True),
        "checkpoint_offset_2^63": entry_case(bundle_entry((1, 3), 2**63 - 1, 12), refused=True),
        "checkpoint_offset_negative": entry_case(bundle_entry((1, 3), -4, 12), refused=True),
        "checkpoint_size_2^63": entry_case(bundle_entry((1, 3), 0, 2**63 - 1), refused=True),
        "checkpoint_size_negative": entry_case(bundle_entry((1, 3), 8, -4), refused=True),
        "checkpoint_size_long": entry_case(bundle_entry((1, 3), 0, 16), refused=True),
        "checkpoint_dims": entry_case(bundle_entry((2**40, 2**40), 0, 12), refused=True),
        "checkpoint_shard_2^31": entry_case(bundle_entry((1, 3), 0, 12, 2**31 - 1), refused=True),
        "checkpoint_shard_negative": entry_case(bundle_entry((1, 3), 0, 12, -1), refused=True),
        "checkpoint_shard_missing": entry_case(bundle_entry((1, 3), 0, 12, 1), message((1, 2)), shard="m.data-00000-of-00002", refused=True),
        "checkpoint_shards_2^31": entry_case(whole, message((1, 2**31 - 1)), refused=True),
        "checkpoint_parts": entry_case(sliced_entry([left, right]), parts=[(left, two), (right, one)]),
        "checkpoint_slices": parted([huge] * 1000, (huge, whole)),
        "checkpoint_parts_overlap": parted([left, middle], (left, two), (middle, bundle_entry((1, 2), 8, 8))),
        "checkpoint_parts_gap": parted([left], (left, two)),
        "checkpoint_parts_outside": parted([left, outside], (left, two), (outside, bundle_entry((1, 9), 0, 36))),
        "checkpoint_parts_before": parted([left, before], (left, two), (before, two)),
        "checkpoint_parts_lie": parted([left, right], (left, bundle_entry((2, 1), 0, 8)), (right, one)),
        "checkpoint_parts_of_parts": parted([left, right], (left, sliced_entry([left, right])), (right, one)),
        "checkpoint_parts_20000": parted([left] * 20000 + [right], (left, two), (right, one)),
        "checkpoint_parts_of_parts_1000^4": refused(lambda: nested_parts(left, 5, 1000)),
        "checkpoint_parts_again": parted([left] * 8000, (left, two)),
        "checkpoint_unsorted": refused(lambda: table(table_block([(b"", message((1, 1))), (b"v", whole), (b"a", whole)]))),
        "checkpoint_key_2^63": refused(lambda: table(varint(0) + varint(2**63) + varint(5) + good)),
        "checkpoint_restarts_2^32": refused(lambda: table(good[:-4] + b"\xff" * 4)),
        "checkpoint_handle_2^63": refused(lambda: table(good, [handle(2**63, 2**62)])),
        "checkpoint_handle_short": refused(lambda: table(good, [varint(0)])),
        "checkpoint_handle_of_index": refused(lambda: table(good, [handle(len(good) + 18, 17)])),
        "checkpoint_handles_20000": refused(lambda: table(good, [handle(0, len(good))] * 20000)),
        "checkpoint_read_often": refused(lambda: read_often(250000, 20000)),
        "checkpoint_read_often_snappy": refused(lambda: read_often(1000000, 20000, compression=1)),
        "checkpoint_snappy_claim": refused(lambda: table(varint(64 * 10**6) + b"\0" * 10**6, compression=1)),
        "checkpoint_snappy": checkpoint_case(lambda: table(varint(len(good)) + b"\xf0" + bytes([len(good) - 1]) + good, compression=1)),
        "checkpoint_snappy_2^40": refused(lambda: table(varint(2**40) + b"\0a", compression=1)),
        "checkpoint_snappy_bomb": refused(lambda: table(varint(64 * 300001) + b"\xf0\x3f" + b"\0" * 64 + b"\xfe\1\0" * 300000, compression=1)),
        "checkpoint_snappy_before": refused(lambda: table(varint(60) + b"\xfe\xff\xff" * 2, compression=1)),
    }


def cases():
    big = 2**62
    ints = lambda name, values: tf_const(name, INT32, (len(values),), values)
    made = {
        "text_unclosed_any": {"files": lambda: {"m.pbtxt": b"node { name: 'x' op: 'Placeholder' attr { key: 'T' value { [type"}, "model": "m.pbtxt", "refused": True},
        "functions_2^30": file(lambda: doubling_functions(30), refused=True),
        "functions_2^16": file(lambda: doubling_functions(16)),
        "functions_chain_190": file(lambda: chained_functions(190)),
        "functions_chain_20000": file(lambda: chained_functions(20000), refused=True),
        "functions_recursive": file(recursive_functions, refused=True),
        "branches_2^30": file(lambda: doubling_branches(30), refused=True),
        "branches_2^14": file(lambda: doubling_branches(14)),
        "while_nest_60": file(lambda: while_nest(60)),
        "while_nest_5000": file(lambda: while_nest(5000)),
        "concat_doubling": file(lambda: concat_doubling(45)),
        "const_splat_2^40": file(lambda: graph_def([floats(), tf_const("big", FLOAT, (2**20, 2**20), [1.0]), tf_const("axis", INT32, (2,), [0, 1]), tf_node("s", "Sum", ["big", "axis"], T=tf_type(FLOAT), Tidx=tf_type(INT32)), result("s")]), refused=True),
        "const_splat_overflow": file(lambda: graph_def([floats(), tf_const("big", FLOAT, (2**40, 2**40), [1.0]), result("big")]), refused=True),
        "const_negative": file(lambda: graph_def([floats(), tf_const("big", FLOAT, (-5, 3), [1.0]), result("big")]), refused=True),
        "const_rank_100000": file(lambda: graph_def([floats(), tf_const("big", FLOAT, (1,) * 100000, [1.0]), result("big")])),
        "const_axes_splat": file(lambda: graph_def([floats(), tf_const("axis", INT32, (2**30,), [0]), tf_node("s", "Sum", ["x", "axis"], T=tf_type(FLOAT), Tidx=tf_type(INT32)), result("s")]), refused=True),
        "const_shape_splat": file(lambda: graph_def([floats(), tf_const("n", INT32, (2**24,), [1]), tf_node("y", "Reshape", ["x", "n"], T=tf_type(FLOAT), Tshape=tf_type(INT32))])),
        "const_perm_splat": file(lambda: graph_def([floats(), tf_const("n", INT32, (2**28,), [1]), tf_node("y", "Transpose", ["x", "n"], T=tf_type(FLOAT), Tperm=tf_type(INT32))]), refused=True),
        "fill_1e12": file(lambda: from_big(tf_node("big", "Fill", ["n", "v"], T=tf_type(FLOAT), index_type=tf_type(INT64)), tf_const("n", INT64, (1,), [10**12]), tf_const("v", FLOAT, (), [1.0]))),
        "range_1e9": file(lambda: from_big(tf_node("big", "Cast", ["r"], SrcT=tf_type(INT32), DstT=tf_type(FLOAT)), tf_const("a", INT32, (), [0]), tf_const("b", INT32, (), [2**31 - 1]), tf_const("c", INT32, (), [1]), tf_node("r", "Range", ["a", "b", "c"], Tidx=tf_type(INT32)))),
        "range_step_0": file(lambda: from_big(tf_node("big", "Cast", ["r"], SrcT=tf_type(INT32), DstT=tf_type(FLOAT)), tf_const("a", INT32, (), [0]), tf_const("b", INT32, (), [5]), tf_const("c", INT32, (), [0]), tf_node("r", "Range", ["a", "b", "c"], Tidx=tf_type(INT32)))),
        "tile_1e9": file(lambda: from_big(tf_node("big", "Tile", ["v", "n"], T=tf_type(FLOAT), Tmultiples=tf_type(INT32)), tf_const("v", FLOAT, (1,), [1.0]), ints("n", [10**9]))),
        "linspace_1e9": file(lambda: from_big(tf_node("big", "LinSpace", ["a", "b", "n"], T=tf_type(FLOAT), Tidx=tf_type(INT32)), tf_const("a", FLOAT, (), [0.0]), tf_const("b", FLOAT, (), [1.0]), tf_const("n", INT32, (), [10**9]))),
        "onehot_1e9": file(lambda: from_big(tf_node("big", "OneHot", ["i", "d", "v", "z"], T=tf_type(FLOAT), TI=tf_type(INT32), axis=tf_int(-1)), ints("i", [0] * 100), tf_const("d", INT32, (), [10**9]), tf_const("v", FLOAT, (), [1.0]), tf_const("z", FLOAT, (), [0.0]))),
        "eye_1e5": file(lambda: from_big(tf_node("big", "MatrixDiag", ["f"], T=tf_type(FLOAT)), tf_const("n", INT32, (1,), [10**5]), tf_const("v", FLOAT, (), [1.0]), tf_node("f", "Fill", ["n", "v"], T=tf_type(FLOAT), index_type=tf_type(INT32)))),
        "split_1e6": file(lambda: graph_def([floats("x", (1, 10**6)), tf_const("a", INT32, (), [1]), tf_node("s", "Split", ["a", "x"], T=tf_type(FLOAT), num_split=tf_int(10**6)), unary("Relu", "y", "s:7")])),
        "split_2^62": file(lambda: graph_def([floats("x", (1, 8)), tf_const("a", INT32, (), [1]), tf_node("s", "Split", ["a", "x"], T=tf_type(FLOAT), num_split=tf_int(big)), unary("Relu", "y", "s:7")]), refused=True),
        "split_negative": file(lambda: graph_def([floats("x", (1, 8)), tf_const("a", INT32, (), [1]), tf_node("s", "Split", ["a", "x"], T=tf_type(FLOAT), num_split=tf_int(-3)), unary("Relu", "y", "s:0")]), refused=True),
        "unstack_1e6": file(lambda: graph_def([floats("x", (10**6, 1)), tf_node("s", "Unpack", ["x"], T=tf_type(FLOAT), num=tf_int(10**6), axis=tf_int(0)), unary("Relu", "y", "s:7")])),
        "unstack_60000": file(lambda: graph_def([floats("x", (60000, 1)), tf_node("s", "Unpack", ["x"], T=tf_type(FLOAT), num=tf_int(60000), axis=tf_int(0)), unary("Relu", "y", "s:7")])),
        "identityn_5M": file(lambda: graph_def([floats(), tf_node("s", "IdentityN", ["x"], T=tf_types([FLOAT] * 5_000_000)), unary("Relu", "y", "s:0")])),
        "conv_strides_2^62": file(lambda: graph_def([floats("x", (1, 8, 8, 3)), tf_const("w", FLOAT, (3, 3, 3, 4), [1.0]), tf_node("y", "Conv2D", ["x", "w"], T=tf_type(FLOAT), strides=tf_ints([1, big, big, 1]), padding=tf_text("SAME"), dilations=tf_ints([1, big, big, 1]))])),
        "conv_strides_0": file(lambda: graph_def([floats("x", (1, 8, 8, 3)), tf_const("w", FLOAT, (3, 3, 3, 4), [1.0]), tf_node("y", "Conv2D", ["x", "w"], T=tf_type(FLOAT), strides=tf_ints([1, 0, 0, 1]), padding=tf_text("SAME"))]), refused=True),
        "pool_ksize_2^31": file(lambda: graph_def([floats("x", (1, 8, 8, 3)), tf_node("y", "AvgPool", ["x"], T=tf_type(FLOAT), ksize=tf_ints([1, 2**31, 2**31, 1]), strides=tf_ints([1, 1, 1, 1]), padding=tf_text("SAME"))])),
        "einsum_opset_11": file(lambda: graph_def([floats("x", (2, 3)), tf_node("y", "Einsum", ["x", "x"], T=tf_type(FLOAT), N=tf_int(2), equation=tf_text("ij,kj->ik"))]), commands=["convert M -o out.onnx --opset 11"]),
        "patches_1000": file(lambda: graph_def([floats("x", (1, 4000, 4000, 1)), tf_node("y", "ExtractImagePatches", ["x"], T=tf_type(FLOAT), ksizes=tf_ints([1, 3000, 3000, 1]), strides=tf_ints([1, 1, 1, 1]), rates=tf_ints([1, 1, 1, 1]), padding=tf_text("VALID"))])),
        "batchtospace_2^31": file(lambda: graph_def([floats("x", (4, 8, 8, 3)), ints("b", [2**31 - 1, 2**31 - 1]), tf_const("c", INT32, (2, 2), [0]), tf_node("y", "BatchToSpaceND", ["x", "b", "c"], T=tf_type(FLOAT), Tblock_shape=tf_type(INT32), Tcrops=tf_type(INT32))])),
        "spacetobatch": file(lambda: graph_def([floats("x", (4, 8, 8, 3)), ints("b", [2**31 - 1, 2**31 - 1]), tf_const("c", INT32, (2, 2), [2**31 - 1]), tf_node("y", "SpaceToBatchND", ["x", "b", "c"], T=tf_type(FLOAT), Tblock_shape=tf_type(INT32), Tpaddings=tf_type(INT32))])),
        "resize_2^31": file(lambda: graph_def([floats("x", (1, 8, 8, 3)), ints("s", [2**31 - 1, 2**31 - 1]), tf_node("y", "ResizeBicubic", ["x", "s"], T=tf_type(FLOAT), half_pixel_centers=message((5, 1)))])),
        "scale_translate": file(lambda: graph_def([floats("x", (1, 8, 8, 3)), ints("s", [10**6, 10**6]), tf_const("a", FLOAT, (2,), [1e6]), tf_const("b", FLOAT, (2,), [0.0]), tf_node("y", "ScaleAndTranslate", ["x", "s", "a", "b"], T=tf_type(FLOAT), kernel_type=tf_text("lanczos3"), antialias=message((5, 1)))])),
        "mel_1e6": file(lambda: graph_def([floats("x", (1, 8000)), tf_const("f", INT32, (), [2**30]), tf_node("y", "HannWindow", ["f"])])),
        "fft_2^31": file(lambda: graph_def([floats("x", (1, 8000)), ints("f", [2**31 - 1]), tf_node("r", "RFFT", ["x", "f"], Treal=tf_type(FLOAT)), tf_node("y", "ComplexAbs", ["r"], T=tf_type(8), Tout=tf_type(FLOAT))])),
        "einsum_long": file(lambda: graph_def([floats(), tf_node("y", "Einsum", ["x"], T=tf_type(FLOAT), N=tf_int(1), equation=tf_text("ab->" + "ab" * 100000))])),
        "list_2^31": file(lambda: tensor_list(2**31 - 1)),
        "list_60000": file(lambda: tensor_list(60000)),
        "list_negative": file(lambda: tensor_list(-7)),
        "cycle": file(lambda: graph_def([floats(), tf_node("a", "AddV2", ["x", "b"], T=tf_type(FLOAT)), unary("Relu", "b", "a"), unary("Relu", "y", "b")]), refused=True),
        "self": file(lambda: graph_def([floats(), unary("Relu", "y", "y")])),
        "control_cycle": file(lambda: graph_def([floats(), tf_node("a", "Relu", ["x", "^b"], T=tf_type(FLOAT)), tf_node("b", "Relu", ["a", "^a"], T=tf_type(FLOAT))])),
        "chain_50000": file(lambda: graph_def([floats()] + [unary("Relu", f"v{i}", "x" if i == 0 else f"v{i - 1}") for i in range(50000)])),
        "chain_reversed_20000": file(lambda: graph_def([unary("Relu", f"v{i}", "x" if i == 0 else f"v{i - 1}") for i in reversed(range(20000))] + [floats()])),
        "inputs_200000": file(lambda: graph_def([floats(), tf_node("y", "AddN", ["x"] * 200000, T=tf_type(FLOAT), N=tf_int(200000))])),
        "addn_N_2^31": file(lambda: graph_def([floats(), tf_node("y", "AddN", ["x"] * 3, T=tf_type(FLOAT), N=tf_int(2**31))])),
        "output_index_2^31": file(lambda: graph_def([floats(), unary("Relu", "y", "x:2147483647")]), refused=True),
        "output_index_2^64": file(lambda: graph_def([floats(), unary("Relu", "y", "x:18446744073709551617")]), refused=True),
        "names_long": file(lambda: graph_def([floats(), unary("Relu", "n" * 30_000_000, "x")])),
        "names_hostile": file(lambda: graph_def([floats("<img src=x>\u202e"), unary("Foo\x1b[31m", "<script>\x9b31m/\u2066", "<img src=x>\u202e")])),
        "names_not_utf8": file(lambda: graph_def([message((1, b"x\xff\xfe"), (2, "Placeholder"), (5, message((1, "dtype"), (2, tf_type(FLOAT))))), message((1, b"y\xff"), (2, "Relu"), (3, b"x\xff\xfe"), (5, message((1, "T"), (2, tf_type(FLOAT)))))])),
        "strided_slice_masks": file(lambda: graph_def([floats(), ints("a", [0]), ints("b", [2**31 - 1]), ints("c", [-2**31]), tf_node("y", "StridedSlice", ["x", "a", "b", "c"], T=tf_type(FLOAT), Index=tf_type(INT32), begin_mask=tf_int(-1), end_mask=tf_int(2**62), ellipsis_mask=tf_int(-1), new_axis_mask=tf_int(-1), shrink_axis_mask=tf_int(-1))])),
        "strided_slice_step_0": file(lambda: graph_def([floats(), ints("a", [0]), ints("b", [1]), ints("c", [0]), tf_node("y", "StridedSlice", ["x", "a", "b", "c"], T=tf_type(FLOAT), Index=tf_type(INT32))]), refused=True),
        "axis_extremes": file(lambda: graph_def([floats(), tf_const("a", INT64, (), [-2**63]), tf_node("y", "Cumsum", ["x", "a"], T=tf_type(FLOAT), Tidx=tf_type(INT64))]), refused=True),
        "pad_2^31": file(lambda: graph_def([floats(), tf_const("p", INT64, (2, 2), [2**62, 2**62, 2**62, 2**62]), tf_node("y", "Pad", ["x", "p"], T=tf_type(FLOAT), Tpaddings=tf_type(INT64))])),
        "mirror_pad": file(lambda: graph_def([floats(), tf_const("p", INT64, (2, 2), [2**40, 2**40, 2**40, 2**40]), tf_node("y", "MirrorPad", ["x", "p"], T=tf_type(FLOAT), Tpaddings=tf_type(INT64), mode=tf_text("REFLECT"))])),
        "lrn_nan": file(lambda: graph_def([floats("x", (1, 8, 8, 3)), tf_node("y", "LRN", ["x"], T=tf_type(FLOAT), depth_radius=tf_int(2**62), bias=message((4, float("nan"))), alpha=message((4, float("inf"))))])),
        "string_const": file(lambda: graph_def([floats(), tf_const("n", STRING, (2,), [b"a", b"b"]), tf_node("y", "Reshape", ["x", "n"], T=tf_type(FLOAT), Tshape=tf_type(STRING))]), refused=True),
        "string_const_splat": file(lambda: graph_def([floats(), tf_const("n", STRING, (2**30,), [b"a" * 1000]), tf_node("y", "Identity", ["n"], T=tf_type(STRING))])),
        "resource_loop": file(lambda: graph_def([floats(), tf_node("v", "VarHandleOp", dtype=tf_type(FLOAT), shape=message((7, tf_shape((2**40, 2**40))))), tf_node("r", "ReadVariableOp", ["v"], dtype=tf_type(FLOAT)), result("r")])),
        "frame_ok": file(lambda: frame_loop({})),
        "frame_no_inputs": file(lambda: frame_loop({"y": []})),
        "frame_exit_of_input": file(lambda: frame_loop({"y": ["x"]})),
        "frame_merge_of_itself": file(lambda: frame_loop({"merge": ["merge", "next"]})),
        "frame_next_of_outside": file(lambda: frame_loop({"next": ["x"]})),
        "frame_condition_of_exit": file(lambda: frame_loop({"less": ["y", "limit"]})),
        "frame_switch_without_condition": file(lambda: frame_loop({"switch": ["merge", "less"]})),
        "frame_exits_body": file(lambda: frame_loop({"y": ["body"]})),
        "attr_nesting_5000": file(lambda: graph_def([floats(), message((1, "y"), (2, "Relu"), (3, "x"), (5, message((1, "T"), (2, nested_functions(3000)))))])),
        "versions_2^31": file(message((4, message((1, 2**31 - 1), (2, 2**31 - 1)))) + graph_def([floats(), unary("Relu", "y", "x")])),
        "no_nodes": file(message((4, message((1, 1087)))), commands=["convert M -o out.onnx", "inspect M", "diagnose M"]),
    }
    return made | checkpoint_cases()


def nested_functions(depth):
    value = tf_type(FLOAT)
    for _ in range(depth):
        value = message((10, message((1, "f"), (2, message((1, "a"), (2, value))))))
    return value
