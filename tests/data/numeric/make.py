#!/usr/bin/env python3
"""Chooses recorded cases for the numeric corpus and writes them as JSON, a case a line.

  make.py --bin build/release/bin/crosswalk --verdicts VERDICTS.csv --format FORMAT CASES...

FORMAT is mxnet, tensorflow (frozen graphs), keras (files of every generation) or pytorch (archives without what conversion does not read). CASES are folders of cases as judge.py reads them: the recorded ones, and for
operators of MXNet that these lack those that tests/drawn/draw.py records (--seed 1 --count 1500; --seed 2 --count 9000; --seed 3 --count 3000 --only
'^(elementwise|numpy_elementwise|numpy_numbers|vision)-'; --seed 3 --count 1500 --only
'^(seldom|numpy_arrays|numpy_shaping|reducing)-'). For operators of PyTorch that the recorded cases lack, and corner cases, those that tests/drawn/torch_calls.py records, also with --export; for operators of TensorFlow those of tests/drawn/tensorflow_calls.py, for layers and operations of Keras those of tests/drawn/keras_calls.py. With --add, the rows of frozen graphs
that are there stay, and only operators that none of them has get a case. A folder that is named first is preferred. VERDICTS are tables that
`judge.py --csv` wrote for them: only a case that was `correct` is chosen. For every operator that the program
translates and every form of MXNet's RNN operator and of Keras's recurrent layers the smallest case is chosen whose outputs are not all one number, so that
the same cases yield the same corpus. LOWERED names the cases of operators that only the lowering emits, CORNERS and TORCH_CORNERS further cases.
absent.txt in the folder of the format lists the operators that no case has. tests/core/formats/tst_numeric_corpus.cpp reads
the corpus.

A line: case, symbol (MXNet's JSON) with params (base64 of the .params file, absent if it is empty) or files (base64 of each
file, compressed as Qt's qCompress does; the first is the model; members of archives are stored, because they compress better
together), inputs and outputs (name, type, dims, values in C order; "nan", "inf" and "-inf" are strings), alternatives (further right outputs), and the keys rtol,
atol, mtol, stochastic, check_value and check_dtype of case.json. Needs onnx and numpy.
"""
import argparse
import base64
import csv
import glob
import io
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

import numpy as np
import onnx
from onnx import numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
UNPUBLISHED = ("mxnet-real",)  # pretrained networks, which stay out of the project
EMPTY_PARAMS = 32  # bytes of a .params file without tensors
LARGEST = 64 << 10  # bytes of a case
LARGEST_DATA = 12 << 10  # bytes of its inputs and outputs, which a row has as text
MODELS = {"mxnet": ("model-symbol.json",), "tensorflow": ("frozen.pb",), "pytorch": ("model.pt2", "model.pt", "model.ptl"),
          "keras": ("model.keras", "model.h5", "model.json")}
# members of an archive that conversion does not need
UNREAD = (".debug_pkl", ".data/serialization_id", "bytecode.pkl", "/data/sample_inputs/model.pt")
LOWERED = {"RecurrentLayer": ("tf1rnn_dyn_lstm", "tf1rnn_dyn_lstm_peephole", "tf1rnn_dyn_gru", "tf1rnn_dyn_basicrnn"),
           "While": ("tf1rnn_while_v1_simple", "tf1rnn_while_v1_nested"), "If": ("tf1rnn_cond_v1",),
           "PrependRows": ("t2o1_loops_while_loop_with_ta_write",), "ExtendRows": ("raw_TensorListSetItem_partial",),
           "NoRows": ("raw_TensorListSetItem_partial",),
           "WriteRow": ("raw_TensorListSetItem_history",)}
CORNERS = ("raw_Asinh_double", "raw_BitwiseAnd_uint16", "raw_ClipByValue_crossed", "raw_EuclideanNorm_none", "raw_Mean_int8", "raw_Sign_half",
           "raw_Bitcast_narrow", "raw_Bitcast_wide", "raw_Dilation2D_special", "raw_IRFFT_cut", "raw_IRFFT_odd", "raw_SparseAdd_int", "raw_SparseAdd_threshold", "raw_SparseReduceMax_none",
           "raw_SparseReduceSum_all", "raw_SparseTensorDenseMatMul_adjoint", "raw_ScaleAndTranslate_gaussian",
           "raw_ScaleAndTranslate_keyscubic", "raw_ScaleAndTranslate_mitchell", "raw_ScaleAndTranslate_triangle", "raw_TensorStridedSliceUpdate_masks",
            "raw_ArgMax_wide", "raw_BitwiseAnd_scalar", "raw_Cast_bfloat16", "raw_Einsum_ellipsis", "raw_EuclideanNorm_half",
            "raw_EuclideanNorm_wrapping", "raw_FloorDiv_extreme", "raw_FloorDiv_wide", "raw_FloorMod_extreme", "raw_FloorMod_wide",
            "raw_HistogramFixedWidth_extreme", "raw_LogSoftmax_infinite", "raw_Max_none", "raw_Max_wide", "raw_MaxPool_infinite",
            "raw_MaxPool_int16", "raw_MaxPoolWithArgmax_int32", "raw_Maximum_wide", "raw_Min_wide", "raw_Minimum_wide", "raw_Mod_wide",
            "raw_NthElement_unsigned", "raw_Pow_computed", "raw_Pow_wrapping", "raw_Prod_wide", "raw_Prod_wrapping", "raw_Relu6_wide",
            "raw_ResizeArea_pixel", "raw_ResizeNearestNeighbor_int64", "raw_SegmentMax_unsigned", "raw_SegmentMean_wrapping",
            "raw_Sign_wide", "raw_Size_bfloat16", "raw_SpaceToBatchND_int16", "raw_Sum_wide", "raw_Sum_wrapping",
            "raw_TensorScatterMax_special", "raw_TopKV2_unsigned", "raw_Unique_unsigned", "raw_UnsortedSegmentMax_bfloat16",
            "raw_UnsortedSegmentMin_unsigned",
           "raw_AddV2_complex", "raw_Cast_complex", "raw_ConcatV2_complex", "raw_Exp_complex", "raw_ExpandDims_complex",
           "raw_GatherV2_complex", "raw_Mean_complex", "raw_Mul_complex", "raw_Neg_complex", "raw_Pack_complex",
           "raw_RealDiv_complex", "raw_Reshape_complex", "raw_Square_complex", "raw_Squeeze_complex", "raw_StridedSlice_complex",
           "raw_Sub_complex", "raw_Sum_complex", "raw_Transpose_complex", "raw_Cast_real", "raw_Dequantize_axis",
           "raw_Dequantize_combined", "raw_Dequantize_stored", "raw_QuantizeV2_axis", "raw_QuantizeV2_first",
           "raw__FusedConv2D_normalized")  # further cases
# Corner cases of operators that have other cases: of types, of 0-d tensors and of tensors without elements.
TORCH_CORNERS = ("call_index_add_0d", "call_index_add_0d_uint8", "call_index_copy_0d", "call_index_reduce_amax_0d", "call_index_fill_0d",
                 "call_scatter_0d", "call_scatter_reduce_amin_0d", "call_cosine_broadcast", "call_cosine_0d", "call_pairwise_distance_int64",
                 "call_pairwise_distance_uint8", "call_margin_ranking_int32", "call_margin_ranking_uint8", "call_triplet_uint8",
                 "call_trapezoid_uint8", "call_trapezoid_even_uint8", "call_cumulative_trapezoid_uint8", "call_einsum_int32_sum",
                 "call_einsum_uint8", "call_einsum_ellipses", "call_diff_order_0", "call_hypot_large_double", "call_hypot_infinite",
                 "call_bilinear_uint8", "call_bilinear_corners_uint8", "call_bicubic_uint8", "call_bicubic_antialias_uint8",
                 "call_bilinear_double", "call_trilinear_double", "call_nearest_double", "call_nearest_exact_double", "call_bilinear_factors",
                 "call_antialias_factors", "call_area_factor", "call_linear_of_nothing", "call_mean_of_nothing", "call_var_mean_of_nothing",
                 "call_erfc_of_nothing", "call_stack_of_nothing", "call_pixel_unshuffle_of_nothing", "call_unique_consecutive_of_nothing",
                 "call_slogdet_of_nothing", "call_matrix_norm_of_nothing", "call_det_double", "call_solve_right", "call_grid_sample_half",
                 "call_grid_sample_bicubic_half", "call_grid_sample_bicubic_double", "call_grid_sample_tricubic", "call_addbmm_half",
                 "call_soft_margin_half", "call_histc_half", "call_scatter_add_half", "call_index_put_half", "call_embedding_bag_half",
                 "call_ldexp_half", "call_softplus_double", "call_mish_double", "call_log_sigmoid_double", "call_pixel_shuffle_int32",
                 "call_pixel_shuffle_bool", "call_max_pool_dilated", "call_conv2d_int64", "call_conv_transpose2d_int64", "call_avg_pool_int64",
                 "call_logit_eps", "call_nonzero_0d", "call_unfold_0d", "call_squeeze_no_axes", "call_index_select_0d",
                 "call_masked_scatter_broadcast", "call_tensor_split_computed", "call_one_hot_counted", "call_linspace_computed",
                 "call_linspace_int64", "call_logspace_computed", "call_sum_to_size_int32", "call_layer_norm_statistics",
                 "call_group_norm_statistics",
                 "call_pow_negative", "call_rpow_negative", "call_sign_nan", "call_wide_floor_divide", "call_wide_fmod", "call_wide_pow",
                 "call_wide_prod", "call_wide_remainder", "call_wide_sign", "call_wide_sum",
                 "call_cov_weights", "call_cov_ints", "call_cov_single", "call_frexp_special", "call_frexp_powers",
                 "call_frexp_subnormal", "call_frexp_half", "call_polygamma_1", "call_polygamma_4", "call_polygamma_integers",
                 "call_hfft_odd", "call_hfft_of_reals", "call_irfft_of_reals", "call_quantized_linear_half",
                 "call_quantized_lstm_channel", "call_quantized_lstm_half", "call_quantized_lstm_packed",
                 "call_quantized_gru_packed", "call_linear_systems", "call_random_points")
KEYS = ("rtol", "atol", "mtol", "stochastic", "check_value", "check_dtype")
KERAS_CORNERS = (r"_(int|bool|types|lora_h5|constant|batch|1|inf)_k[23]$|^DTypePolicyMap|"
                 r"^(Dense|Embedding)_(int8|int4|float8)\w*_k3$|^EinsumDense_(int8|float8|int4_(groups|moved))\w*_k3$|"
                 r"^ReversibleEmbedding_(int8_untied|int4_untied)_k3$|^(MultiHeadAttention_(int8_h5|int4_(gate|channels)))_k3$|"
                 r"^ops_MapCoordinates\w*_k3$|^ops_(AffineTransform(_edge|_constant)?|PerspectiveTransform)_k3$|"
                 r"^(masked_(attention_(cast|float16|encoder)|directions)|bfloat16_operations|Bidirectional_ConvLSTM1D|UpSampling2D_float16)_k[23]$|"
                 r"^op_(BatchMatMulV2|Cast|GatherV2|MaxPool|Mean_kept|MirrorPad|OneHot|Reshape_computed|SplitV?|StridedSlice_axes|TopKV2)_k2$")
# The file of a case: the first one that a prefix of its operator leads to.
FILES = (("recurrent", ("RNN", "_rnn_")), ("numpy", ("_np_", "_npi_", "_npx_")),
         ("random", ("_random_", "_sample_", "_shuffle")), ("linalg", ("_linalg_",)), ("image", ("_image_",)),
         ("quantized", ("_contrib_quantize", "_contrib_dequantize", "_contrib_requantize", "_sg_")),
         ("contrib", ("_contrib_",)), ("elements", ("_", "broadcast_", "elemwise_")), ("arrays", tuple("abcdefghijklmnopqrstuvwxyz")),
         ("layers", tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")))


def nodes_of(symbol):
    for node in symbol["nodes"]:
        if node["op"] != "null":
            yield node
        for inner in node.get("subgraphs", []):
            yield from nodes_of(inner)


def recurrent_form(node):
    """What the translation of an RNN node depends on, as a word."""
    given = {**node.get("param", {}), **node.get("attr", {}), **node.get("attrs", {})}
    on = lambda key: given.get(key, "False") in ("True", "1")
    has = lambda key: given.get(key, "None") != "None"
    parts = [given["mode"], f"layers {min(2, int(given['num_layers']))}"]
    parts += ["bidirectional"] * on("bidirectional") + ["projection"] * has("projection_size")
    parts += ["clip"] * (has("lstm_state_clip_min") or has("lstm_state_clip_max")) + ["clip nan"] * on("lstm_state_clip_nan")
    parts += ["lengths"] * on("use_sequence_length") + ["states"] * on("state_outputs")
    return ", ".join(parts)


class Case:
    def __init__(self, path, order):
        self.path, self.name, self.order = path, os.path.basename(path), order
        with open(os.path.join(path, "case.json")) as file:
            self.keys = json.load(file)
        files = [file for folder, _, names in os.walk(path) for file in (os.path.join(folder, name) for name in names)]
        self.bytes = sum(os.path.getsize(file) for file in files if not os.path.basename(os.path.dirname(file)) == "inner")
        self.data = sum(os.path.getsize(file) for file in files if f"{os.sep}test_data_set_0{os.sep}" in file)
        self.forms = set()

    def drawn(self):
        """Whether the values of the outputs have no meaning. Some cases leave them out."""
        return bool(self.keys.get("stochastic")) or self.keys.get("check_value") is False

    def usable(self):
        sets = glob.glob(os.path.join(self.path, "test_data_set_*"))
        return self.bytes <= LARGEST and (self.data <= LARGEST_DATA or self.drawn()) and len(sets) == 1 and "expect" not in self.keys and "args" not in self.keys

    def rank(self):
        """The best first: values before shapes alone, the folder given first, few other operators, small."""
        return self.drawn(), self.order, len(self.operators), self.bytes, self.name

    def tells(self):
        """Whether a wrong translation is likely to show: the outputs have more than one value."""
        outputs = tensors(os.path.join(self.path, "test_data_set_0"), "output")
        return len({value for output in outputs for value in output["values"]}) > 1


class SymbolCase(Case):
    """A model of MXNet."""

    def __init__(self, path, order, binary):
        super().__init__(path, order)
        with open(os.path.join(path, "model-symbol.json")) as file:
            self.symbol = json.load(file)
        nodes = list(nodes_of(self.symbol))
        self.operators = {node["op"] for node in nodes}
        self.forms = {recurrent_form(node) for node in nodes if node["op"] == "RNN"}

    def usable(self):
        return super().usable() and not any(-1 in i.get("shape", []) for i in self.keys["inputs"])

    def model(self):
        row, params = {"symbol": self.symbol}, os.path.join(self.path, "model-0000.params")
        if os.path.exists(params) and os.path.getsize(params) > EMPTY_PARAMS:
            row["params"] = base64_of(params)
        return row


class FrozenCase(Case):
    """A frozen graph of TensorFlow."""

    def __init__(self, path, order, binary):
        super().__init__(path, order)
        self.file = os.path.join(path, "frozen.pb")
        self.operators = inspected_operators(binary, self.file)
        self.operators |= {operator for operator, names in LOWERED.items() if self.name in names}

    def model(self):
        return {"files": {"frozen.pb": packed_base64_of(self.file)}}


class ArchiveCase(Case):
    """A TorchScript archive or an exported program of PyTorch."""

    def __init__(self, path, order, binary):
        super().__init__(path, order)
        self.file = next(file for name in MODELS["pytorch"] if os.path.exists(file := os.path.join(path, name)))
        words = [binary, "inspect", self.file, "--json"]
        for i in self.keys["inputs"]:
            words += ["--shape", i["name"] + "=" + ",".join(map(str, i["shape"]))] if i["shape"] and -1 not in i["shape"] else []
        inspected = subprocess.run(words, capture_output=True)
        self.operators = set(json.loads(inspected.stdout)["operators"]) if inspected.returncode == 0 else set()
        # The lowering makes complex results real ones with another axis.
        self.operators |= {operator.replace("aten::", "complex::") for operator in self.operators}

    def usable(self):
        return super().usable() and bool(self.operators) and not any(-1 in i["shape"] for i in self.keys["inputs"])

    def model(self):
        return {"files": {"model.pt": packed_base64_of(self.file)}}


class KerasCase(Case):
    """A file of Keras, or a JSON with the weights beside it."""

    def __init__(self, path, order, binary):
        super().__init__(path, order)
        names = [name for name in (*MODELS["keras"], "model.weights.h5") if os.path.exists(os.path.join(path, name))]
        self.files = {name: os.path.join(path, name) for name in names}
        model = self.files[names[0]]
        shapes = {i["name"]: i["shape"] for i in self.keys["inputs"] if i["shape"] and -1 not in i["shape"]}
        inspected = subprocess.run([binary, "inspect", model, "--json"] + [
            word for name, dims in shapes.items() for word in ("--shape", f"{name}={','.join(map(str, dims))}")], capture_output=True)
        self.operators = set(json.loads(inspected.stdout)["operators"]) if inspected.returncode == 0 else set()
        config = keras_config(model)
        text = json.dumps(config)
        masked = " masked" if '"class_name": "Masking"' in text or '"mask_zero": true' in text else ""
        self.forms = set(keras_forms(config, masked))

    def usable(self):
        return super().usable() and bool(self.operators)

    def model(self):
        return {"files": {name: packed_base64_of(file) for name, file in self.files.items()}}


def keras_config(path):
    """The configuration of a model; nothing if it is in an HDF5 file that does not keep it in one piece."""
    with open(path, "rb") as file:
        content = file.read()
    if path.endswith(".keras") and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            content = archive.read("config.json")
    start = content.find(b'{"')
    try:
        return json.JSONDecoder().raw_decode(content[start:].decode("utf-8", "replace"))[0] if start >= 0 else {}
    except ValueError:
        return {}


RECURRENT = ("SimpleRNN", "GRU", "LSTM", "CuDNNGRU", "CuDNNLSTM", "RNN", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D")


def keras_forms(config, mask, around=""):
    """What the translation of a recurrent layer depends on, as tst_numeric_corpus.cpp spells it."""
    if isinstance(config, list):
        for item in config:
            yield from keras_forms(item, mask, around)
    if not isinstance(config, dict):
        return
    name, own = config.get("class_name"), config.get("config")
    if name in RECURRENT and isinstance(own, dict):
        kind = own["cell"]["class_name"] if name == "RNN" else name
        kind += " reset before" * (name == "GRU" and not own.get("reset_after", False)) + around + mask
        yield kind
        yield from (f"{kind} {form}" for key, form in (
            ("return_sequences", "sequences"), ("return_state", "states"), ("go_backwards", "backwards"), ("stateful", "stateful"),
            ("unroll", "unrolled"), ("time_major", "time major")) if own.get(key))
    elif name == "Bidirectional" and isinstance(own, dict):
        yield from keras_forms(own["layer"], mask, f" bidirectional {own['merge_mode'] or 'separate'}")
    elif name == "TimeDistributed" and isinstance(own, dict):
        yield from keras_forms(own["layer"], mask, " distributed")
    else:
        for value in config.values():
            yield from keras_forms(value, mask, around)


def stored_archive(path):
    """The archive without compression, and without members that conversion does not read."""
    stored = io.BytesIO()
    with zipfile.ZipFile(path) as given, zipfile.ZipFile(stored, "w") as made:
        for name in given.namelist():
            if not name.endswith(UNREAD):
                made.writestr(zipfile.ZipInfo(name), given.read(name))
    return stored.getvalue()


def packed_base64_of(path):
    """As qCompress packs a file: its length, then zlib's stream."""
    with open(path, "rb") as file:
        content = file.read()
    if zipfile.is_zipfile(path):
        content = stored_archive(path)
    return base64.b64encode(struct.pack(">I", len(content)) + zlib.compress(content, 9)).decode()


def inspected_operators(binary, path):
    inspected = subprocess.run([binary, "inspect", path, "--json"], check=True, capture_output=True).stdout
    return set(json.loads(inspected)["operators"])


def base64_of(path):
    with open(path, "rb") as file:
        return base64.b64encode(file.read()).decode()


CASES = {"mxnet": SymbolCase, "tensorflow": FrozenCase, "pytorch": ArchiveCase, "keras": KerasCase}


def best(cases):
    """The first that tells, of cases in the order of their ranks."""
    cases = list(cases)
    return next((case for case in cases if case.tells()), cases[0] if cases else None)


def find_cases(roots, verdicts, binary, of_format):
    right = set()
    for path in verdicts:
        with open(path, newline="") as file:
            right |= {row["case"] for row in csv.DictReader(file) if row["verdict"] == "correct"}
    cases = []
    for order, root in enumerate(roots):
        for path in sorted({os.path.dirname(file) for name in MODELS[of_format]
                            for file in glob.glob(os.path.join(root, "**", name), recursive=True)}):
            if os.path.basename(path) in right and not set(path.split(os.sep)) & set(UNPUBLISHED):
                cases.append(CASES[of_format](path, order, binary))
    return sorted((case for case in cases if case.usable()), key=Case.rank)


def translated(binary, of_format):
    table = json.loads(subprocess.run([binary, "ops", "--framework", of_format, "--json"], check=True, capture_output=True).stdout)
    return sorted(row["operator"] for row in table if row["status"].startswith("exact"))


def choose(cases, operators, of_format):
    """The cases, each with the file that it goes to, and the operators that no case has."""
    chosen, absent = {}, []
    for operator in operators:
        having = [case for case in cases if operator in case.operators]
        case = best(case for case in having if case.name not in TORCH_CORNERS) or best(having)
        if case is None:
            absent.append(operator)
        elif case.name not in chosen:
            file = next(file for file, prefixes in FILES if operator.startswith(prefixes)) if of_format == "mxnet" else of_format
            chosen[case.name] = (case, file)
    for form in sorted({form for case in cases for form in case.forms}):
        case = best(case for case in cases if form in case.forms)
        chosen[case.name] = (case, "recurrent" if of_format == "mxnet" else of_format)
    named = {"tensorflow": {name for names in (*LOWERED.values(), CORNERS) for name in names},
             "pytorch": set(TORCH_CORNERS)}.get(of_format, set())
    lost = named - {case.name for case in cases}
    if lost:
        sys.exit(f"named cases that no folder has, or that were not correct: {' '.join(sorted(lost))}")
    is_corner = lambda name: name in named or (of_format == "keras" and re.search(KERAS_CORNERS, name))
    chosen |= {case.name: (case, of_format) for case in cases if is_corner(case.name)}
    return chosen, absent


def present_rows(folder, binary):
    """The rows of frozen graphs in the corpus by the name of their case, and the operators that they have."""
    rows, operators = {}, set()
    for path in glob.glob(os.path.join(folder, "*.jsonl")):
        with open(path) as file:
            for line in file:
                row = json.loads(line)
                rows[row["case"]] = line
                with tempfile.NamedTemporaryFile(suffix=".pb") as model:
                    model.write(zlib.decompress(base64.b64decode(row["files"]["frozen.pb"])[4:]))
                    model.flush()
                    operators |= inspected_operators(binary, model.name)
                operators |= {operator for operator, names in LOWERED.items() if row["case"] in names}
    return rows, operators


def value_of(x):
    if isinstance(x, (bool, np.bool_)):
        return int(x)
    if isinstance(x, (int, np.integer)):
        return int(x)
    if isinstance(x, (bytes, str)):
        return x if isinstance(x, str) else x.decode()
    if not np.isfinite(x):
        return "nan" if np.isnan(x) else "inf" if x > 0 else "-inf"
    # A float32's shortest digits; a float16's would not survive the way through float32.
    shown = float(np.format_float_scientific(np.float32(x) if x.dtype.itemsize < 8 else x, unique=True))
    assert x.dtype.type(shown) == x
    return int(shown) if shown == int(shown) and abs(shown) < 1e9 and not np.signbit(shown) else shown


def tensors(folder, kind, dropped=()):
    rows = []
    for i in range(len(glob.glob(os.path.join(folder, f"{kind}_*.pb")))):
        tensor = onnx.TensorProto()
        with open(os.path.join(folder, f"{kind}_{i}.pb"), "rb") as file:
            tensor.ParseFromString(file.read())
        if tensor.name not in dropped:
            array = numpy_helper.to_array(tensor)
            element = "string" if array.dtype.kind in "OSU" else str(array.dtype)
            rows.append({"name": tensor.name, "type": element, "dims": list(array.shape),
                         "values": [value_of(x) for x in array.ravel()]})
    return rows


def row_of(case):
    data = os.path.join(case.path, "test_data_set_0")
    row = {"case": case.name} | case.model()
    row["inputs"] = tensors(data, "input", case.keys.get("dropped_inputs", []))
    row["outputs"] = tensors(data, "output")
    if case.drawn():
        outputs = row["outputs"] or [{"name": o["name"], "type": o["dtype"], "dims": o["shape"]} for o in case.keys["outputs"]]
        row["outputs"] = [{**output, "values": []} for output in outputs]
    alternatives = [tensors(other, "output") for other in sorted(glob.glob(os.path.join(case.path, "alt_*")))]
    if alternatives:
        row["alternatives"] = alternatives
    return row | {key: case.keys[key] for key in KEYS if case.keys.get(key) is not None}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the crosswalk command-line program")
    parser.add_argument("--verdicts", required=True, action="append", help="a table of judge.py; may be repeated")
    parser.add_argument("--format", choices=MODELS, required=True)
    parser.add_argument("--out", help="the folder to write to (default: that of the format, beside this file)")
    parser.add_argument("--add", action="store_true", help="keep the rows that are there (frozen graphs only)")
    parser.add_argument("cases", nargs="+")
    a = parser.parse_args()
    if a.add and a.format != "tensorflow":
        parser.error("--add is for --format tensorflow")

    a.out = a.out or os.path.join(HERE, a.format)
    kept, covered = present_rows(a.out, a.bin) if a.add else ({}, set())
    operators = [operator for operator in translated(a.bin, a.format) if operator not in covered]
    chosen, absent = choose(find_cases(a.cases, a.verdicts, a.bin, a.format), operators, a.format)
    for old in glob.glob(os.path.join(a.out, "*.jsonl")):
        os.remove(old)
    files = {}
    lines = {name: (line, a.format) for name, line in kept.items()}
    lines |= {name: (json.dumps(row_of(case), separators=(",", ":")) + "\n", file) for name, (case, file) in chosen.items()}
    for name, (line, file) in sorted(lines.items()):
        files.setdefault(file, []).append(line)
    for file, rows in sorted(files.items()):
        with open(os.path.join(a.out, file + ".jsonl"), "w") as stream:
            stream.writelines(rows)
        print(f"{file}.jsonl: {len(rows)} cases, {sum(map(len, rows))} bytes")
    with open(os.path.join(a.out, "absent.txt"), "w") as stream:
        stream.writelines(operator + "\n" for operator in absent)
    print(f"{len(absent)} operators without a case:", *absent)


if __name__ == "__main__":
    main()
