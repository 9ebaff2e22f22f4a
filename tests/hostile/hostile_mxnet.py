"""Hostile files of MXNet: symbols and .params."""
import json
import struct

from model_files import mx_op, mx_params, mx_var, symbol

FORMAT = "mxnet"


def file(content, arguments="--shape x=1,3,8,8", **more):
    return {"files": lambda: {"m-symbol.json": content() if callable(content) else content}, "model": "m-symbol.json", "arguments": arguments, **more}


def one(kind, arguments="--shape x=1,3,8,8", **attributes):
    return file(lambda: symbol([mx_var("x"), mx_op(kind, "z", [[0, 0]], **attributes)], [[1, 0]]), arguments)


def weights(content, **more):
    def files():
        return {"m-symbol.json": symbol([mx_var("x"), mx_var("w"), mx_op("broadcast_add", "z", [[0, 0], [1, 0]])], [[2, 0]]), "m-0000.params": content}
    return {"files": files, "model": "m-symbol.json", "arguments": "--shape x=4", **more}


def nested_foreach(depth):
    graph = {"nodes": [mx_var("d"), mx_var("s"), mx_op("elemwise_add", "a", [[0, 0], [1, 0]])], "arg_nodes": [0, 1], "heads": [[2, 0, 0], [2, 0, 0]]}
    for _ in range(depth):
        node = mx_op("_foreach", "f", [[0, 0, 0], [1, 0, 0]], num_args=3, num_outputs=2, num_out_data=1, in_data_locs="(0,)", in_state_locs="(1,)", remain_locs="()")
        node["subgraphs"] = [graph]
        graph = {"nodes": [mx_var("d"), mx_var("s"), node], "arg_nodes": [0, 1], "heads": [[2, 0, 0], [2, 1, 0]]}
    graph["attrs"] = {"mxnet_version": ["int", 10901]}
    return json.dumps(graph).encode() if depth < 300 else None


def deep_json(depth):
    return b'{"nodes":' + b"[" * depth + b"]" * depth + b"}"


def cases():
    big = 2**63 - 1
    made = {
        "input_without_name": file(lambda: symbol([mx_var(""), mx_var("x"), mx_op("_power", "z", [[0, 0], [1, 0]])], [[2, 0]]), "--partial", refused=True),
        "operator_without_type": file(lambda: symbol([mx_var("x"), mx_op("", "z", [[0, 0]])], [[1, 0]]), "--partial", refused=True),
        "attribute_without_name": file(lambda: symbol([mx_var("x"), mx_op("unknown", "z", [[0, 0]], **{"": 1})], [[1, 0]]), "--partial --shape x=2"),
        "conv_filter_2^63": one("Convolution", kernel="(3,3)", num_filter=big),
        "conv_kernel_2^31": one("Convolution", kernel="(2147483648,2147483648)", num_filter=4),
        "conv_group_0": one("Convolution", kernel="(3,3)", num_filter=4, num_group=0),
        "conv_stride_0": one("Convolution", kernel="(3,3)", num_filter=4, stride="(0,0)"),
        "deconv_adj": one("Deconvolution", kernel="(3,3)", num_filter=4, adj="(99999999999,1)", target_shape="(99999999999,9)"),
        "pool_kernel_2^40": one("Pooling", kernel="(1099511627776,1099511627776)", pool_type="avg", pad="(1099511627776,0)"),
        "pool_lp_1000": one("Pooling", kernel="(3,3)", pool_type="lp", p_value=2**31),
        "rnn_layers_2^31": one("RNN", state_size=2**31, num_layers=2**31, mode="lstm", bidirectional="True", state_outputs="True"),
        "rnn_layers_10000": one("RNN", "--shape x=5,2,3", state_size=4, num_layers=10000, mode="lstm"),
        "embedding": one("Embedding", input_dim=2**62, output_dim=2**62),
        "tile_2^40": one("tile", reps="(1099511627776,1099511627776)"),
        "repeat_2^40": one("repeat", repeats=2**40),
        "broadcast_to": one("broadcast_to", shape="(1099511627776,3,8,8)"),
        "reshape": one("Reshape", shape="(" + "1," * 100000 + ")"),
        "reshape_codes": one("Reshape", shape="(-4,-4,-4,-2,-2,-3,-3,-3,-1,-1)"),
        "one_hot_2^40": one("one_hot", depth=2**40),
        "eye_2^40": file(lambda: symbol([mx_op("_eye", "z", [], N=2**40, M=2**40, k=0)], [[0, 0]]), ""),
        "zeros_2^40": file(lambda: symbol([mx_op("_zeros", "z", [], shape="(1099511627776,1099511627776)")], [[0, 0]]), "", refused=True),
        "ones_1e9": file(lambda: symbol([mx_op("_ones", "z", [], shape="(1000000000,)")], [[0, 0]]), ""),
        "full_1e11": file(lambda: symbol([mx_op("_full", "z", [], shape="(100000000000,)", value="nan")], [[0, 0]]), ""),
        "arange_step_0": file(lambda: symbol([mx_op("_arange", "z", [], start=0, stop=1e9, step=0)], [[0, 0]]), "", refused=True),
        "arange_repeat": file(lambda: symbol([mx_op("_arange", "z", [], start=0, stop=1e9, step=1, repeat=10**9)], [[0, 0]]), ""),
        "arange_inf": file(lambda: symbol([mx_op("_arange", "z", [], start=0, stop="inf", step=1)], [[0, 0]]), "", refused=True),
        "linspace_1e9": file(lambda: symbol([mx_op("_linspace", "z", [], start=0, stop=1, num=10**9)], [[0, 0]]), ""),
        "split_2^31": one("SliceChannel", num_outputs=2**31, axis=1),
        "split_65536": one("SliceChannel", "--shape x=1,65536", num_outputs=65536, axis=1),
        "split_v2": one("_split_v2", indices="(" + "0," * 50000 + ")", axis=1, sections=0),
        "concat_args_2^31": one("Concat", num_args=2**31, dim=0),
        "upsampling": one("UpSampling", scale=2**31, sample_type="bilinear", num_filter=3, num_args=2),
        "resize": one("_contrib_BilinearResize2D", height=2**40, width=2**40),
        "roi": one("ROIPooling", pooled_size="(100000,100000)", spatial_scale="nan"),
        "prior": one("_contrib_MultiBoxPrior", sizes="(" + "0.1," * 10000 + ")", ratios="(" + "1," * 10000 + ")"),
        "anchors_proposal": one("_contrib_Proposal", scales="(" + "1," * 10000 + ")", ratios="(" + "1," * 10000 + ")"),
        "correlation": one("Correlation", kernel_size=2**31, max_displacement=2**31, stride1=0, stride2=0),
        "correlation_1000": file(lambda: symbol([mx_var("x"), mx_op("Correlation", "z", [[0, 0], [0, 0]], kernel_size=1, max_displacement=2000, stride1=1, stride2=1, pad_size=2000)], [[1, 0]])),
        "lrn_nan": one("LRN", nsize=3, alpha="nan", beta="inf", knorm="-inf"),
        "clip_nan": one("clip", a_min="nan", a_max="-nan"),
        "slice": one("slice", begin="(-9223372036854775808,)", end="(9223372036854775807,)", step="(-9223372036854775808,)"),
        "slice_axis": one("slice_axis", axis=-2**63, begin=0, end=1),
        "take_mode": one("take", axis=2**62, mode="raise"),
        "topk": one("topk", k=2**40, axis=-1, ret_typ="mask"),
        "pad": one("Pad", mode="reflect", pad_width="(0,0,0,0,1099511627776,0,0,0)"),
        "depth_to_space": one("depth_to_space", block_size=0),
        "space_to_depth": one("space_to_depth", block_size=2**40),
        "softmax_temperature": one("softmax", temperature=0, axis=2**62),
        "dropout": one("Dropout", p="nan", axes="(9999999999,)"),
        "einsum": one("_npi_einsum", subscripts="ab" * 100000, num_args=1),
        "attribute_long": one("Reshape", shape="(" * 5_000_000),
        "attribute_digits": one("Reshape", shape="(" + "9" * 5_000_000 + ")"),
        "attribute_list": one("Reshape", shape="[" * 100000 + "]" * 100000),
        "tensordot": one("_npi_tensordot", a_axes_summed="(" + "0," * 100000 + ")", b_axes_summed="()"),
        "boolean_mask": one("_contrib_boolean_mask", axis=2**62),
        "hawkes": one("_contrib_hawkesll"),
        "foreach_nested_100": file(lambda: nested_foreach(100), "--shape d=3,4 --shape s=4"),
        "json_nesting": file(lambda: deep_json(100000), refused=True),
        "json_numbers": file(lambda: b'{"nodes":[{"op":"null","name":"x","inputs":[]},{"op":"relu","name":"y","inputs":[[1e308,0]]}],"arg_nodes":[0],"heads":[[1,0]]}', refused=True),
        "json_input_2^63": file(lambda: b'{"nodes":[{"op":"null","name":"x","inputs":[]},{"op":"relu","name":"y","inputs":[[9223372036854775807,9223372036854775807]]}],"arg_nodes":[0],"heads":[[1,0]]}', refused=True),
        "json_input_negative": file(lambda: b'{"nodes":[{"op":"null","name":"x","inputs":[]},{"op":"relu","name":"y","inputs":[[-1,0]]}],"arg_nodes":[0],"heads":[[1,0]]}', refused=True),
        "json_heads": file(lambda: b'{"nodes":[{"op":"null","name":"x","inputs":[]}],"arg_nodes":[0],"heads":[[99999999999,0]]}', refused=True),
        "json_arg_nodes": file(lambda: b'{"nodes":[{"op":"null","name":"x","inputs":[]},{"op":"relu","name":"y","inputs":[[0,0]]}],"arg_nodes":[99999999999,-1],"heads":[[1,0]]}'),
        "json_cycle": file(lambda: symbol([mx_var("x"), mx_op("relu", "a", [[2, 0]]), mx_op("relu", "b", [[1, 0]])], [[2, 0]]), refused=True),
        "custom_100MB": one("Custom", op_type="a" * 20_000_000),
        "params_count_2^63": weights(struct.pack("<QQQ", 0x112, 0, 2**63), refused=True),
        "params_names_2^63": weights(struct.pack("<QQQQ", 0x112, 0, 0, 2**63), refused=True),
        "params_shape_2^63": weights(mx_params(["arg:w"], [(2**62, 2**62)]), refused=True),
        "params_rank_2^31": weights(struct.pack("<QQQIiI", 0x112, 0, 1, 0xF993FAC9, 0, 2**31 - 1) + b"\1" * 100, refused=True),
        "params_storage_csr": weights(struct.pack("<QQQIi", 0x112, 0, 1, 0xF993FAC9, 2) + b"\xff" * 100, refused=True),
        "params_type_99": weights(struct.pack("<QQQIiIqiii", 0x112, 0, 1, 0xF993FAC9, 0, 1, 4, 1, 0, 99) + b"\0" * 100, refused=True),
        "params_many_empty": weights(struct.pack("<QQQ", 0x112, 0, 300000) + struct.pack("<IiIqiii", 0xF993FAC9, 0, 1, 0, 1, 0, 0) * 300000 + struct.pack("<Q", 300000) + b"".join(struct.pack("<Q", 5) + b"arg:w" for _ in range(300000))),
    }
    return made
