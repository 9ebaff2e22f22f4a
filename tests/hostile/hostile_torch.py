"""Hostile files of PyTorch: TorchScript, exported programs, pickles."""
import struct
import zipfile

from model_files import (MODULE_PICKLE, exported_program, pt2_file, pt_node, tensor_argument, torchscript, zip_file)

FORMAT = "pytorch"


def script(*body, arguments="x: Tensor", more="", **case):
    return {"files": lambda: {"m.pt": torchscript([l for b in body for l in (b if isinstance(b, list) else [b])], arguments, more() if callable(more) else more)},
            "model": "m.pt", "arguments": case.pop("shapes", "--shape x=1,3,8,8"), **case}


def program(nodes, tensors, outputs=("y",), **case):
    return {"files": lambda: {"m.pt2": exported_program(nodes() if callable(nodes) else nodes, tensors, outputs)}, "model": "m.pt2", **case}


def pickle_file(data, **case):
    return {"files": lambda: {"m.pth": zip_file({"m/data.pkl": data() if callable(data) else data, "m/version": b"3\n", "m/byteorder": b"little", "m/data/0": b"\0" * 64})},
            "model": "m.pth", "commands": ["inspect M", "inspect --json M", "convert M -o out.onnx"], **case}


def methods(depth, calls):
    """Methods that call the next one, `calls` times each."""
    lines = []
    for i in range(depth):
        body = "".join(f"    y{k} = (self).f{i + 1}({'x' if k == 0 else f'y{k - 1}'}, )\n" for k in range(calls))
        lines.append(f"  def f{i}(self: __torch__.Model,\n    x: Tensor) -> Tensor:\n{body}    return y{calls - 1}\n")
    lines.append(f"  def f{depth}(self: __torch__.Model,\n    x: Tensor) -> Tensor:\n    return torch.relu(x)\n")
    return "".join(lines)


def loops(*counts):
    lines, indent = ["y = x"], ""
    for i, count in enumerate(counts):
        lines.append(f"{indent}for i{i} in range({count}):")
        indent += "  "
    return lines + [f"{indent}y = torch.relu(y)", "return y"]


def nested_expression(depth):
    return ["y = " + "torch.relu(" * depth + "x" + ")" * depth, "return y"]


def nested_ifs(depth):
    """Branches that depend on the input, in each other."""
    lines, indent = ["y = x", "c = bool(torch.gt(torch.sum(x), 0))"], ""
    for _ in range(depth):
        lines.append(f"{indent}if c:")
        indent += "  "
    lines.append(f"{indent}y = torch.relu(x)")
    for i in range(depth):
        indent = indent[2:]
        lines += [f"{indent}else:", f"{indent}  pass"]
    return lines + ["return y"]


def sequence_of_ifs(count):
    lines = ["y = x"]
    for i in range(count):
        lines += [f"c{i} = bool(torch.gt(torch.sum(y), {i}))", f"if c{i}:", f"  y{i} = torch.relu(y)", "else:", f"  y{i} = torch.tanh(y)", f"y = y{i}"]
    return lines + ["return y"]


def mapping(depth):
    data = b"\x80\x02" + b"(" * 0
    return data + b"]" + b"q\x00" + b"h\x00a" * depth + b"."


def tuples(depth):
    return b"\x80\x02)" + b"\x85" * depth + b"."


def doubling_memo(depth):
    data = b"\x80\x02]q\x00"
    for i in range(depth):
        data += b"h" + bytes([i]) + b"h" + bytes([i]) + b"\x86q" + bytes([i + 1])
    return data + b"."


TENSOR = b"ctorch._utils\n_rebuild_tensor_v2\n"


def stored_tensor(offset, sizes, strides, count=16, dtype=b"FloatStorage", key=b"0"):
    number = lambda v: b"\x8a\x08" + struct.pack("<q", v)
    many = lambda vs: b"(" + b"".join(number(v) for v in vs) + b"t"
    text = lambda t: b"X" + struct.pack("<I", len(t)) + t
    storage = b"(" + text(b"storage") + b"ctorch\n" + dtype + b"\n" + text(key) + text(b"cpu") + number(count) + b"tQ"
    return TENSOR + b"(" + storage + number(offset) + many(sizes) + many(strides) + b"\x89ccollections\nOrderedDict\n)RtR"


def state(tensor):
    return b"\x80\x02}X\x01\x00\x00\x00w" + tensor + b"s."


def relu(source, result):
    return pt_node("relu.default", [("self", tensor_argument(source))], [result])


def one_op(target, *inputs, shape=(1, 3, 8, 8), **case):
    return program([pt_node(target, [("self", tensor_argument("x")), *inputs], ["y"])], {"x": shape, "y": shape}, **case)


def ints(name, values):
    return name, {"as_ints": list(values)}


def integer(name, value):
    return name, {"as_int": value}


def bomb(size):
    return lambda: {"m.pt": zip_file({"m/data.pkl": MODULE_PICKLE, "m/code/__torch__.py": b" " * size, "m/constants.pkl": b"\x80\x02).", "m/version": b"3\n"}, zipfile.ZIP_DEFLATED)}


def names(count, length):
    return lambda: {"m.pt": zip_file({f"m/{'d' * length}{i}": b"" for i in range(count)} | {"m/data.pkl": MODULE_PICKLE, "m/version": b"3\n"})}


def cases():
    big = 2**62
    made = {
        "loop_1e9": script(*loops(10**9)),
        "loop_2^63": script(*loops(2**63 - 1)),
        "loop_negative": script(*loops(-5)),
        "loops_60^4": script(*loops(60, 60, 60, 60)),
        "loops_60^3_numbers": script("n = 0", "for i in range(60):", "  for j in range(60):", "    for k in range(60):", "      n = torch.add(n, 1)", "return torch.add(x, n)"),
        "loop_while_true": script("y = x", "n = 0", "while True:", "  n = torch.add(n, 1)", "return torch.add(y, n)"),
        "loop_while_tensor": script("y = x", "while bool(torch.gt(torch.sum(y), 0)):", "  y = torch.sub(y, 1)", "return y"),
        "loop_2000_bodies": script("y = x", "l = annotate(List[Tensor], [])", "for i in range(2000):", "  _0 = torch.append(l, torch.relu(y))", "return torch.cat(l, 0)"),
        "list_doubling": script("l = annotate(List[int], [1])", *["l = torch.add(l, l)"] * 60, "return torch.add(x, torch.len(l))"),
        "tensor_list_doubling": script("l = [x]", *["l = torch.add(l, l)"] * 14, "return torch.cat(l, 0)"),
        "text_doubling": script('s = "abc"', *["s = torch.add(s, s)"] * 60, "return torch.add(x, torch.len(s))"),
        "text_join": script('s = "abc"', *["s = torch.join(s, [s, s, s])"] * 40, "return torch.add(x, torch.len(s))"),
        "text_format": script('s = "{}{}{}"', *['s = torch.format("{}{}{}", s, s, s)'] * 40, "return torch.add(x, torch.len(s))"),
        "text_times": script('s = torch.mul("abc", 1000000000000)', "return torch.add(x, torch.len(s))"),
        "list_times": script("l = torch.mul([1], 1000000000000)", "return torch.add(x, torch.len(l))"),
        "list_times_list": script("l = [1]", *["l = torch.mul(l, 1000)"] * 10, "return torch.add(x, torch.len(l))"),
        "power": script("n = torch.pow(10, 400)", "return torch.add(x, n)"),
        "shift": script("n = torch.__lshift__(1, 9223372036854775807)", "return torch.add(x, n)"),
        "divide_0": script("n = torch.floordiv(1, 0)", "return torch.add(x, n)"),
        "divide_min": script("n = torch.floordiv(-9223372036854775808, -1)", "return torch.add(x, n)"),
        "remainder_min": script("n = torch.remainder(-9223372036854775808, -1)", "return torch.add(x, n)"),
        "format_width": script('s = torch.format("{:1000000000}", 1)', "return torch.add(x, torch.len(s))"),
        "methods_2^30": script("return (self).f0(x, )", more=lambda: methods(30, 2), refused=True),
        "methods_2^17": script("return (self).f0(x, )", more=lambda: methods(17, 2)),
        "methods_chain_140": script("return (self).f0(x, )", more=lambda: methods(140, 1)),
        "methods_chain_5000": script("return (self).f0(x, )", more=lambda: methods(5000, 1), refused=True),
        "method_recursive": script("return (self).forward(x, )", refused=True),
        "expression_150": script(*nested_expression(150)),
        "expression_100000": script(*nested_expression(100000), refused=True),
        "brackets": script("y = " + "[" * 100000, refused=True),
        "parentheses": script("y = " + "(" * 100000, refused=True),
        "unary_minus": script("n = " + "-" * 100000 + "1", "return x", refused=True),
        "attribute_chain": script("n = self" + ".a" * 100000, "return x", refused=True),
        "indent_10000": script(*["  " * i + "if True:" for i in range(3000)], refused=True),
        "if_nest_25": script(*nested_ifs(25)),
        "if_nest_120": script(*nested_ifs(120)),
        "if_sequence_500": script(*sequence_of_ifs(500)),
        "if_sequence_200": script(*sequence_of_ifs(200)),
        "if_sequence_1000": script(*sequence_of_ifs(1000)),
        "if_sequence_2000": script(*sequence_of_ifs(2000)),
        "cat_65536": script("return torch.cat([" + ", ".join(["torch.relu(x)"] * 65536) + "], 0)"),
        "statements_200000": script("y = x", *["y = torch.relu(y)"] * 200000, "return y"),
        "statements_30000": script("y = x", *["y = torch.relu(y)"] * 30000, "return y"),
        "add_doubling": script("y = x", *["y = torch.add(y, y)"] * 500, "return y"),
        "cat_doubling": script("y = x", *["y = torch.cat([y, y], 0)"] * 60, "return y"),
        "views_500": script("y = x", *["y = torch.select(torch.unsqueeze(y, 0), 0, 0)"] * 500, "_0 = torch.add_(y, 1)", "return y"),
        "views_write_300": script("y = torch.zeros([64, 64])", *[l for i in range(300) for l in (f"v{i} = torch.select(y, 0, {i % 64})", f"_{i} = torch.add_(v{i}, {i})")], "return torch.add(torch.sum(x), y)"),
        "zeros_1e12": script("y = torch.zeros([1000000, 1000000])", "return torch.add(torch.sum(y), x)"),
        "zeros_overflow": script("y = torch.zeros([4611686018427387904, 4611686018427387904])", "return torch.add(torch.sum(y), x)"),
        "arange_1e12": script("y = torch.arange(1000000000000)", "return torch.add(torch.sum(y), x)"),
        "arange_step_0": script("y = torch.arange(0, 10, 0)", "return torch.add(torch.sum(y), x)"),
        "linspace_1e9": script("y = torch.linspace(0., 1., 1000000000)", "return torch.add(torch.sum(y), x)"),
        "eye_1e6": script("y = torch.eye(1000000)", "return torch.add(torch.sum(y), x)"),
        "tri_1e5": script("y = torch.tril(torch.ones([100000, 100000]))", "return torch.add(torch.sum(y), x)"),
        "one_hot": script("y = torch.one_hot(torch.zeros([1000], dtype=4), 1000000000)", "return torch.add(torch.sum(y), x)"),
        "hann_1e9": script("y = torch.hann_window(1000000000)", "return torch.add(torch.sum(y), x)"),
        "combinations": script("y = torch.combinations(torch.arange(1000), 20)", "return torch.add(torch.sum(y), x)"),
        "cartesian": script("y = torch.cartesian_prod([torch.arange(1000), torch.arange(1000), torch.arange(1000), torch.arange(1000)])", "return torch.add(torch.sum(y), x)"),
        "chunk_1e9": script("l = torch.chunk(x, 1000000000, 1)", "return l[0]"),
        "unbind_60000": script("l = torch.unbind(x, 1)", "return torch.stack(l, 0)", shapes="--shape x=1,60000"),
        "split_2^62": script("l = torch.split(x, 4611686018427387904, 1)", "return l[0]"),
        "repeat": script("y = x.repeat([1000000000, 1000000000, 1000000000, 1000000000])", "return torch.repeat(x, [1000000000, 1000000000, 1000000000, 1000000000])"),
        "interpolate": script("y = torch.upsample_bilinear2d(x, [1000000000000, 1000000000000], True, None)", "return y"),
        "interpolate_inf": script("y = torch.upsample_nearest2d(x, None, [1e308, 1e308])", "return y"),
        "adaptive": script("y = torch.adaptive_avg_pool2d(x, [100000, 100000])", "return y"),
        "fractional": script("y = torch.adaptive_max_pool2d(x, [1000, 1000])", "return y[0]"),
        "unfold": script("y = torch.unfold(x, 1, 3, 1)", "return torch.im2col(x, [3000, 3000], [1, 1], [3000, 3000], [1, 1])"),
        "conv_2^62": script("w = torch.zeros([4, 3, 3, 3])", "return torch.conv2d(x, w, None, [4611686018427387904, 0], [4611686018427387904, -1], [4611686018427387904, 0], 0)"),
        "pad": script("return torch.constant_pad_nd(x, [4611686018427387904, 4611686018427387904, -4611686018427387904, 0], nan)"),
        "einsum": script('return torch.einsum("' + "ab" * 50000 + '", [x])'),
        "fft": script("y = torch.fft_rfft(x, 1000000)", "return torch.abs(y)"),
        "stft": script("y = torch.stft(x, 1000000, 1, 1000000, None, False, True, True)", "return torch.abs(y)", shapes="--shape x=1,2000000"),
        "lstm_layers": script("y, h, c = torch.lstm(x, [torch.zeros([1000000, 1, 4]), torch.zeros([1000000, 1, 4])], [], True, 1000000, 0., False, True, False)", "return y", shapes="--shape x=5,2,3"),
        "slice": script("return torch.slice(x, 0, -9223372036854775808, 9223372036854775807, 9223372036854775807)"),
        "slice_step_0": script("return torch.slice(x, 0, 0, 3, 0)"),
        "dim_extremes": script("return torch.softmax(x, -9223372036854775808, None)", refused=True),
        "tensors_of_long_list_100": script("l = torch.mul([1.5], 1000000)", [f"t{i} = torch.tensor(l)" for i in range(100)], "return x"),
        "views_of_views_600": script("v0 = torch.clone(x)", [l for i in range(600) for l in (
            f"v{i + 1} = torch.slice(v{i}, 0, 0, 9223372036854775807, 1)", f"w{i} = torch.add_(v{i + 1}, 1)")], "return v0"),
        "views_of_views_40000": script("v0 = torch.clone(x)", [f"v{i + 1} = torch.slice(v{i}, 0, 0, 9223372036854775807, 1)" for i in range(40000)],
                                       "w = torch.add_(v40000, 1)", "return v0"),
        "writes_40000": script("v0 = torch.clone(x)", [f"w{i} = torch.add_(v0, 1)" for i in range(40000)], "return v0"),
        "number_long": script("n = " + "9" * 5_000_000, "return torch.add(x, n)", refused=True),
        "float_long": script("n = 0." + "9" * 5_000_000, "return torch.add(x, n)"),
        "identifier_long": script("n" * 5_000_000 + " = x", "return x"),
        "text_long": script('s = "' + "a" * 10_000_000 + '"', "return x"),
        "text_hostile": script('ops.prim.RaiseException("\\x1b[31m<img src=x>\u202e")', "return x"),
        "operator_hostile": script("return torch.foo\u202e(x)"),
        "code_bomb_1GB": {"files": bomb(10**9), "model": "m.pt"},
        "members_100000": {"files": names(100000, 10), "model": "m.pt", "commands": ["inspect M"]},
        "members_long": {"files": names(1000, 60000), "model": "m.pt", "commands": ["inspect M"]},
        "pickle_tuples_100000": pickle_file(lambda: tuples(100000)),
        "pickle_cycle": pickle_file(lambda: mapping(100000)),
        "pickle_memo_2^40": pickle_file(lambda: doubling_memo(40)),
        "pickle_marks": pickle_file(lambda: b"\x80\x02" + b"(" * 1000000 + b"."),
        "pickle_text_2^32": pickle_file(b"\x80\x02X\xff\xff\xff\xffabc."),
        "pickle_text_2^63": pickle_file(b"\x80\x04\x8d" + b"\xff" * 7 + b"\x7fabc."),
        "pickle_long": pickle_file(lambda: b"\x80\x02\x8b" + struct.pack("<i", 2**31 - 1) + b"\1."),
        "pickle_long_5MB": pickle_file(lambda: b"\x80\x02\x8b" + struct.pack("<i", 5_000_000) + b"\1" * 5_000_000 + b"."),
        "pickle_memo_2^32": pickle_file(b"\x80\x02]r\xff\xff\xff\xff."),
        "pickle_globals": pickle_file(b"\x80\x02cos\nsystem\nX\x04\x00\x00\x00true\x85R."),
        "pickle_empty_lists": pickle_file(lambda: b"\x80\x02](" + b"]" * 3_000_000 + b"e."),
        "tensor_sizes": pickle_file(state(stored_tensor(0, [big, big], [1, 1]))),
        "tensor_offset": pickle_file(state(stored_tensor(2**63 - 1, [4], [1]))),
        "tensor_negative": pickle_file(state(stored_tensor(-4, [-4], [-1]))),
        "tensor_strides": pickle_file(state(stored_tensor(0, [2, 2], [2**62, 2**62]))),
        "tensor_overlap_2^40": pickle_file(state(stored_tensor(0, [2**20, 2**20], [0, 0]))),
        "tensor_rank_100000": pickle_file(lambda: state(stored_tensor(0, [1] * 100000, [1] * 100000))),
        "tensor_key": pickle_file(state(stored_tensor(0, [4], [1], key=b"../../etc/passwd"))),
        "tensor_count": pickle_file(state(stored_tensor(0, [4], [1], count=2**62))),
        "json_nesting": {"files": lambda: {"m.pt2": pt2_file(b"[" * 200000 + b"]" * 200000)}, "model": "m.pt2", "refused": True},
        "json_empty": {"files": lambda: {"m.pt2": pt2_file(b"{}")}, "model": "m.pt2", "refused": True},
        "sizes_2^62": program([relu("x", "y")], {"x": (big, big), "y": (big, big)}),
        "sizes_negative": program([relu("x", "y")], {"x": (-4, big), "y": (-4, big)}),
        "rank_100000": program([relu("x", "y")], {"x": (1,) * 100000, "y": (1,) * 100000}),
        "chain_50000": program(lambda: [relu("x" if i == 0 else f"v{i - 1}", f"v{i}") for i in range(50000)], {"x": (1, 3)}, outputs=("v49999",)),
        "names_hostile": program([relu("x", "<img src=x>\u202e\x9b")], {"x": (1, 3), "<img src=x>\u202e\x9b": (1, 3)}, outputs=("<img src=x>\u202e\x9b",)),
        "undefined": program([relu("z", "y")], {"x": (1, 3), "y": (1, 3)}, refused=True),
        "expand": one_op("expand.default", ints("size", [2**40, 3, 8, 8])),
        "view": one_op("view.default", ints("size", [-1, -1, 2**62])),
        "repeat_pt2": one_op("repeat.default", ints("repeats", [2**40] * 4)),
        "permute": one_op("permute.default", ints("dims", [2**40, -2**63, 0, 1]), refused=True),
        "full": one_op("full_like.default", ("fill_value", {"as_float": "NaN"})),
        "pad_pt2": one_op("constant_pad_nd.default", ints("pad", [2**62, 2**62]), ("value", {"as_float": float("inf")})),
        "avg_pool": one_op("avg_pool2d.default", ints("kernel_size", [2**31, 2**31])),
        "avg_pool_kernel_0": one_op("avg_pool2d.default", ints("kernel_size", [0, 0])),
        "unfold_pt2": one_op("unfold.default", integer("dimension", 3), integer("size", 2**40), integer("step", 0)),
        "im2col": one_op("im2col.default", ints("kernel_size", [3000, 3000]), ints("dilation", [1, 1]), ints("padding", [3000, 3000]), ints("stride", [1, 1])),
        "col2im": one_op("col2im.default", ints("output_size", [2**40, 2**40]), ints("kernel_size", [2, 2]), ints("dilation", [1, 1]), ints("padding", [0, 0]), ints("stride", [1, 1]), shape=(1, 4, 8)),
        "pixel_shuffle": one_op("pixel_shuffle.default", integer("upscale_factor", 2**40)),
        "topk": one_op("topk.default", integer("k", 2**62)),
        "histc": one_op("histc.default", integer("bins", 2**31)),
        "matrix_power": one_op("matrix_power.default", integer("n", 2**62)),
        "matrix_power_1000000": one_op("matrix_power.default", integer("n", 1000003)),
        "diff": one_op("diff.default", integer("n", 2**40)),
        "polygamma": one_op("polygamma.default", integer("n", 2**31)),
        "multinomial": one_op("multinomial.default", integer("num_samples", 2**62)),
        "roll": one_op("roll.default", ints("shifts", [2**62, -2**62]), ints("dims", [0, 1])),
        "rot90": one_op("rot90.default", integer("k", 2**62), ints("dims", [0, 1])),
        "leaky_nan": one_op("leaky_relu.default", ("negative_slope", {"as_float": "NaN"})),
    }
    return made
