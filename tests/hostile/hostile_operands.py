"""Nodes whose operands have another rank, length or value than the operator takes: no framework stores them."""
from model_files import (FLOAT, INT32, INT64, exported_program, graph_def, mx_op, pt_node, symbol, tensor_argument, tf_const,
                         tf_float, tf_int, tf_ints, tf_node, tf_placeholder, tf_text, tf_texts, tf_type, torchscript)

FORMAT = "operands"


def mxnet(kind, shapes, **attributes):
    """One operator; `shapes` are those of its inputs."""
    names = [f"x{i}" for i in range(len(shapes))]

    def files():
        inputs = [{"op": "null", "name": name, "inputs": [], "attrs": {"__shape__": str(tuple(shape))}} for name, shape in zip(names, shapes)]
        return {"m-symbol.json": symbol([*inputs, mx_op(kind, "z", [[i, 0, 0] for i in range(len(names))], **attributes)], [[len(names), 0, 0]])}
    return {"files": files, "model": "m-symbol.json"}


def tensorflow(op, *operands, arguments="", **attributes):
    """One operator; operands are the shape of a float32 input, or a constant's (type, shape, values)."""
    def files():
        nodes, names = [], []
        for i, operand in enumerate(operands):
            names.append(f"x{i}")
            if len(operand) == 3 and isinstance(operand[1], tuple):
                nodes.append(tf_const(names[-1], operand[0], operand[1], operand[2]))
            else:
                nodes.append(tf_placeholder(names[-1], operand))
        return {"m.pb": graph_def([*nodes, tf_node("y", op, names, **{name: tf_type(value) if name.startswith("T") else value for name, value in attributes.items()})])}
    return {"files": files, "model": "m.pb", "arguments": arguments}


def script(expression, shape="1,3"):
    return {"files": lambda: {"m.pt": torchscript([f"return torch.{expression}"], "x: Tensor")}, "model": "m.pt", "arguments": f"--shape x={shape}"}


def program(target, shape, *arguments):
    nodes = [pt_node(target, [("self", tensor_argument("x")), *arguments], ["y"])]
    return {"files": lambda: {"m.pt2": exported_program(nodes, {"x": shape, "y": shape}, ("y",))}, "model": "m.pt2"}


def ints(name, *values):
    return name, {"as_ints": list(values)}


def cases():
    i32 = lambda shape, *values: (INT32, shape, list(values))
    i64 = lambda shape, *values: (INT64, shape, list(values))
    f32 = lambda shape, *values: (FLOAT, shape, list(values))
    return {
        "mxnet_gemm2_ranks": mxnet("_linalg_gemm2", [(4, 8, 6, 2), (4, 1)]),
        "mxnet_gemm_ranks": mxnet("_linalg_gemm", [(4, 1, 6, 3), (4, 1, 6, 3), (4, 3)]),
        "mxnet_batch_take_rank_1": mxnet("batch_take", [(8,), (6, 6)]),
        "mxnet_diagflat_k": mxnet("_np_diagflat", [(2, 3)], k=65536),
        "mxnet_diagflat_dims": mxnet("_np_diagflat", [(4, 4, 2**31)]),
        "mxnet_diagflat_k_2^63": mxnet("_np_diagflat", [(1, 1, 2, 1000, 4)], k=2**63 - 1),
        "mxnet_maketrian_offset": mxnet("_linalg_maketrian", [(3, 2, 3)], offset=10**9),
        "mxnet_maketrian_length": mxnet("_linalg_maketrian", [(3, 2**62)]),
        "mxnet_makediag_dims": mxnet("_linalg_makediag", [(100, 10**6, 2**62)], offset=3),
        "mxnet_sumlogdiag_dims": mxnet("_linalg_sumlogdiag", [(4, 10**9, 10**9)]),
        "mxnet_index_array_dims": mxnet("_contrib_index_array", [(2, 4, 2**62)]),
        "mxnet_tril_dims": mxnet("_npi_tril", [(2**40,)]),
        "mxnet_insert_dims": mxnet("_npi_insert_slice", [(3, 1, 3, 2**40), (4, 2, 2, 2)], start=1, int_ind=0),
        "mxnet_maximum_shapes": {**mxnet("_maximum", [(4, 8), (1, 8)]), "refused": True},
        "mxnet_equal_shapes": {**mxnet("_equal", [(4, 8), (1, 8)]), "refused": True},
        "tensorflow_pad_scalar": tensorflow("Pad", (4, 8, 8, 4), i32((), 1), T=FLOAT, Tpaddings=INT32),
        "tensorflow_pad_vector": tensorflow("Pad", (4, 8), i32((4,), 0, 1, 5, 2), T=FLOAT, Tpaddings=INT32),
        "tensorflow_lrn_rank_1": tensorflow("LRN", (2,), T=FLOAT),
        "tensorflow_cross_entropy_rank_1": tensorflow("SparseSoftmaxCrossEntropyWithLogits", (3,), i32((), 1), T=FLOAT, Tlabels=INT32),
        "tensorflow_cholesky_scalar": tensorflow("Cholesky", (), T=FLOAT),
        "tensorflow_space_to_depth_0": tensorflow("SpaceToDepth", (1, 8, 8, 4), T=FLOAT, block_size=tf_int(0)),
        "tensorflow_resize_one_size": tensorflow("ResizeNearestNeighbor", (1, 8, 8, 1), i32((1,), 7), T=FLOAT),
        "tensorflow_resize_scalar": tensorflow("ResizeBicubic", (1, 2, 1, 3), i32((), 9), T=FLOAT),
        "tensorflow_band_part_rank": tensorflow("MatrixBandPart", (2, 3, 8), i64((1, 1, 4), 1, 1, 1, 5), i64((), 1), T=FLOAT, Tindex=INT64),
        "tensorflow_one_hot_depth": tensorflow("OneHot", i64((1, 4), 0, 1, 2, 0), i32((0, 2)), (), (), T=FLOAT, TI=INT64),
        "tensorflow_segment_scalar": tensorflow("SegmentSum", f32((), 1.0), i32((4,), 0, 1, 2, 3), T=FLOAT, Tindices=INT32),
        "tensorflow_segment_count": tensorflow("UnsortedSegmentMax", f32((4,), 1.0), i32((), 1), i32((4,), 1, 2, 3, 4), T=FLOAT, Tindices=INT32, Tnumsegments=INT32),
        "tensorflow_crop_size": tensorflow("CropAndResize", (1, 2, 8, 1), f32((1, 4), 0., 0., 1., 1.), i32((1,), 0), i32((), 1), T=FLOAT),
        "tensorflow_cumsum_axes": tensorflow("Cumsum", (4, 8), i32((4,), 8, 3, 1, 2), T=FLOAT, Tidx=INT32),
        "tensorflow_linspace_vector": tensorflow("LinSpace", (4,), f32((8,), 1.), i32((4,), 1, 8, 0, 8), T=FLOAT, Tidx=INT32),
        "tensorflow_suppression_rank": tensorflow("NonMaxSuppressionV3", (4,), (4,), i32((), 3), f32((), .5), f32((), .5), T=FLOAT),
        "tensorflow_scatter_scalar": tensorflow("TensorScatterMax", (), i32((), 1), (), T=FLOAT, Tindices=INT32),
        "tensorflow_batch_to_space_crops": tensorflow("BatchToSpace", (8, 1, 2, 8), i32((), 2), T=FLOAT, Tidx=INT32, block_size=tf_int(2)),
        "tensorflow_determinant_scalar": tensorflow("MatrixDeterminant", (), T=FLOAT),
        "tensorflow_einsum_equation": tensorflow("Einsum", f32((4, 1, 0)), T=FLOAT, N=tf_int(1), equation=tf_text("UTF-8")),
        "tensorflow_einsum_opset_11": {**tensorflow("Einsum", (2, 3), (3, 4), arguments="--opset 11", T=FLOAT, N=tf_int(2), equation=tf_text("ij,jk->ik")), "commands": ["convert M -o out.onnx A"], "refused": True},
        "tensorflow_dequantize_axis": tensorflow("Dequantize", i32((2, 3), 1, 2, 3, 4, 5, 6), f32((2,), 0., 0.), f32((2,), 1., 1.), T=INT32, axis=tf_int(5), mode=tf_text("SCALED")),
        "tensorflow_quantize_empty_range": {**tensorflow("QuantizeV2", (2, 3), f32((), 0.), f32((), 0.), T=INT32, ensure_minimum_range=tf_float(0.)), "refused": True},
        "tensorflow_spectrogram_window_2^62": tensorflow("AudioSpectrogram", (400, 1), window_size=tf_int(2**62), stride=tf_int(1)),
        "tensorflow_spectrogram_samples": tensorflow("AudioSpectrogram", (2**62, 1), window_size=tf_int(16), stride=tf_int(1)),
        "tensorflow_mfcc_bands": tensorflow("Mfcc", (1, 2, 257), i32((), 16000), filterbank_channel_count=tf_int(2**62), dct_coefficient_count=tf_int(13)),
        "tensorflow_fused_convolution_operands": tensorflow("_FusedConv2D", (1, 4, 4, 3), (2, 2, 3, 4), T=FLOAT, strides=tf_ints([1, 1, 1, 1]), padding=tf_text("SAME"), fused_ops=tf_texts(["FusedBatchNorm"])),
        "tensorflow_fused_pad_paddings": tensorflow("FusedPadConv2D", (1, 4, 4, 3), i32((1, 2), 1, 1), (2, 2, 3, 4), T=FLOAT, mode=tf_text("REFLECT"), strides=tf_ints([1, 1, 1, 1]), padding=tf_text("SAME")),
        "tensorflow_divisor_0": {**tensorflow("FloorDiv", i32((2, 3), 1, 2, 3, 4, 5, 6), i32((3,), 1, 0, 2), T=INT32), "refused": True},
        "script_two_open_sizes": script("reshape(torch.zeros([2, 4, 2]), [8, -1, -1, 2])"),
        "script_group_norm_0": script("group_norm(torch.ones([2, 2, 3]), 0)"),
        "script_group_norm_minus_1": script("group_norm(torch.ones([2, 2, 3]), -1)"),
        "script_cholesky_scalar": script("linalg_cholesky(x)", ""),
        "script_logdet_scalar": script("logdet(x)", ""),
        "script_upsample_rank_1": script("upsample_nearest2d(x, [2, 2])", "4"),
        "script_upsample_one_size": script("upsample_nearest2d(x, [2])", "1,3,8,8"),
        "script_addr_scalar": script("addr(x, torch.ones([]), torch.zeros([1]))", ""),
        "script_linear_rank_3": script("linear(torch.ones([2]), torch.zeros([4, 3, 2]))"),
        "script_attention_rank_1": script("scaled_dot_product_attention(torch.zeros([2]), x, torch.ones([3]), None)", ""),
        "script_diagflat_large": script("diagflat(torch.ones([4, 1000000]), 3)"),
        "script_adaptive_pool_scalar": script("adaptive_avg_pool2d(x, [5, 2])", ""),
        "script_stack_shapes": script("stack([torch.zeros([3, 1, 2, 3], dtype=6), torch.ones([3, 1, 3], dtype=6)], -1)"),
        "script_narrow_start": script("narrow(torch.zeros([2, 8]), 1, torch.zeros([8, 2], dtype=4), 3)"),
        "script_cartesian_none": {**script("cartesian_prod([])"), "refused": True},
        "exported_permute_twice": {**program("permute.default", (4, 1, 4), ints("dims", -1, 1)), "refused": True},
        "exported_tril_vector": program("tril.default", (4,)),
        "exported_col2im_0": program("col2im.default", (1, 4, 8), ints("output_size", 4, 4), ints("kernel_size", 2, 2), ints("dilation", 1, 1), ints("padding", 0, 0), ints("stride", 0, 0)),
        "exported_unpool_rank_1": program("max_unpool2d.default", (3,), ("indices", tensor_argument("x")), ints("output_size")),
        "exported_upsample_rank_1": program("upsample_nearest2d.vec", (4,), ints("output_size", 2, 2)),
    }
