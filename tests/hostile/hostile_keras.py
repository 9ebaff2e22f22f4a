"""Hostile files of Keras: configurations, archives, HDF5."""
import base64
import functools
import io
import json
import os
import struct
import zipfile
import zlib

from model_files import keras_file, keras_input, keras_layer, keras_sequential

FORMAT = "keras"
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "keras")


def read(name):
    with open(os.path.join(DATA, name), "rb") as file:
        return file.read()


def model(*layers, shape=(8, 8, 3), **more):
    """A .keras file whose layers have no weights."""
    return {"files": lambda: {"m.keras": keras_file(keras_sequential([keras_input(shape), *[l() if callable(l) else l for l in layers]]), read("dense_1.2.h5"))},
            "model": "m.keras", **more}


def config(text, **more):
    return {"files": lambda: {"m.keras": keras_file(text() if callable(text) else text, read("dense_1.2.h5"))}, "model": "m.keras", **more}


@functools.cache
def corpus():
    """The .keras files of tests/data/numeric, by the names of their cases."""
    models = {}
    with open(os.path.join(DATA, "..", "numeric", "keras", "keras.jsonl")) as file:
        for line in file:
            case = json.loads(line)
            if "model.keras" in case["files"]:
                packed = base64.b64decode(case["files"]["model.keras"])
                models[case["case"]] = zlib.decompress(packed[4:])  # behind the size that qCompress writes
    return models


def edited(case, class_name, **settings):
    """A model of the corpus in which the first layer of a class has other settings: the file contradicts itself."""
    def files():
        made = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(corpus()[case])) as old, zipfile.ZipFile(made, "w") as new:
            for name in old.namelist():
                content = old.read(name)
                if name == "config.json":
                    model = json.loads(content)
                    layer = next(l for l in model["config"]["layers"] if l["class_name"] == class_name)
                    for setting, value in settings.items():
                        owner = layer["config"]
                        *path, last = setting.split("__")
                        for step in path:
                            owner = owner[step]["config"]
                        owner[last] = value
                    content = json.dumps(model)
                new.writestr(name, content)
        return {"m.keras": made.getvalue()}
    return {"files": files, "model": "m.keras", "commands": ["convert M -o out.onnx"], "refused": True}


def contradictions():
    """Settings that the weights of the file, or other settings, contradict: Keras refuses nearly all of them."""
    return {
        "dense_units": edited("k2_graph_out_twice_keras", "Dense", units=7),
        "dense_units_negative": edited("k2_graph_out_twice_keras", "Dense", units=-1),
        "dense_units_fraction": edited("k2_graph_out_twice_keras", "Dense", units=1.5),
        "dense_no_bias": edited("k2_act_elu_keras", "Dense", use_bias=False),
        "conv_filters": edited("k2_c2_nobias_selu_keras", "Conv2D", filters=1),
        "conv_kernel": edited("k2_c2_nobias_selu_keras", "Conv2D", kernel_size=[1, 1]),
        "conv_strides": edited("k2_c2_nobias_selu_keras", "Conv2D", strides=[1]),
        "conv_transposed_filters": edited("k2_ct2_outpad0_same_keras", "Conv2DTranspose", filters=1),
        "depthwise_multiplier": edited("k2_dw2_s2_keras", "DepthwiseConv2D", depth_multiplier=5),
        "depthwise_kernel": edited("k2_dw2_s2_keras", "DepthwiseConv2D", kernel_size=[1, 1]),
        "separable_filters": edited("keras333_depthsep_keras", "SeparableConv2D", filters=1),
        "conv_lstm_kernel": edited("k2_cl2_states_keras", "ConvLSTM2D", kernel_size=[1, 1]),
        "embedding_sizes": edited("GRU_backwards_k3", "Embedding", input_dim=2),
        "attention_key_dim": edited("DTypePolicyMap_k3", "MultiHeadAttention", key_dim=1),
        "attention_heads": edited("DTypePolicyMap_k3", "MultiHeadAttention", num_heads=1),
        "norm_no_weights": edited("k2_ln_axes_neg_keras", "LayerNormalization", center=False, scale=False),
        "einsum_output_shape": edited("k3_einsum_abc_keras", "EinsumDense", output_shape=[None, 1]),
        "einsum_bias_axes": edited("k3_einsum_abc_keras", "EinsumDense", bias_axes="z"),
        "norm_axes": edited("k2_ln_axes_neg_keras", "LayerNormalization", axis=[-1]),
        "norm_no_center": edited("k2_ln_axes_neg_keras", "LayerNormalization", center=False),
        "group_norm_axis": edited("k2_gn_rank2_keras", "GroupNormalization", axis=[]),
        "bidirectional_directions": edited("k3_bi_simplernn_mul_keras", "Bidirectional", backward_layer__go_backwards=False),
        "bidirectional_sequences": edited("k3_bi_simplernn_mul_keras", "Bidirectional", backward_layer__return_sequences=False),
        "spectral_units": edited("k3_spectral_dense_keras", "SpectralNormalization", layer__units=9),
        "leaky_negative": model(keras_layer("LeakyReLU", "l", negative_slope=-0.5), refused=True),
        "relu_negative": model(keras_layer("ReLU", "l", max_value=-1.0, negative_slope=0.0, threshold=0.0), refused=True),
        "relu_nan": model(keras_layer("ReLU", "l", max_value=None, negative_slope=0.0, threshold=float("nan")), refused=True),
        "layer_of_integers": model(keras_layer("ReLU", "l", dtype="int32"), refused=True),
        "flatten_format": model(keras_layer("Flatten", "l", data_format="none"), refused=True),
        "upsampling_one_size": model(keras_layer("UpSampling2D", "l", size=[2], interpolation="nearest"), refused=True),
        "resizing_both": model(keras_layer("Resizing", "l", height=2, width=2, crop_to_aspect_ratio=True, pad_to_aspect_ratio=True),
                               refused=True),
    }


def nested_models(depth):
    layer = keras_layer("ReLU", "r")
    for i in range(depth):
        layer = {"module": "keras", "class_name": "Sequential", "registered_name": None,
                 "config": {"name": f"m{i}", "layers": [keras_input((8, 8, 3)), layer]}}
    return layer


def patched(name, changes):
    """An HDF5 file of the tests with bytes replaced."""
    data = bytearray(read(name))
    for at, content in changes:
        data[at:at + len(content)] = content
    return {"files": lambda: {"m.h5": bytes(data)}, "model": "m.h5"}


def every_field(name, step):
    """Each 8 bytes of the head of a file replaced by a huge number."""
    made = {}
    for at in range(8, min(len(read(name)), 900), step):
        made[f"h5_{name.split('.')[0]}_{at}"] = patched(name, [(at, struct.pack("<Q", 2**62 + 8))]) | {"commands": ["inspect M", "convert M -o out.onnx"]}
    return made


def cases():
    big = 2**62
    L = keras_layer
    made = {
        "padding_2^62": model(L("ZeroPadding2D", "l", padding=[[big, big], [big, big]])),
        "cropping_2^62": model(L("Cropping2D", "l", cropping=[[big, big], [big, big]])),
        "upsampling_2^62": model(L("UpSampling2D", "l", size=[big, big], interpolation="bilinear")),
        "upsampling_1e5": model(L("UpSampling2D", "l", size=[10**5, 10**5], interpolation="bilinear")),
        "upsampling_1e3_bilinear": model(L("UpSampling2D", "l", size=[5000, 5000], interpolation="bilinear")),
        "repeat_2^62": model(L("RepeatVector", "l", n=big), shape=(8,)),
        "input_size_negative": model(L("ReLU", "l"), shape=(-8, 8, 3), refused=True),
        "input_size_fraction": model(L("ReLU", "l"), shape=(8.5, 8, 3), refused=True),
        "input_size_text": model(L("ReLU", "l"), shape=("8", 8, 3), refused=True),
        "reshape_open_sizes": model(L("Reshape", "l", target_shape=[-1, -1]), refused=True),
        "reshape_long": model(L("Reshape", "l", target_shape=[1] * 100000)),
        "permute": model(L("Permute", "l", dims=[2**40, -1, 0])),
        "pool_2^62": model(L("MaxPooling2D", "l", pool_size=[big, big], strides=[big, big], padding="same")),
        "pool_0": model(L("AveragePooling2D", "l", pool_size=[0, 0], strides=[0, 0], padding="valid")),
        "units_2^62": model(L("Dense", "l", units=big, activation="relu", use_bias=True), shape=(8,)),
        "conv_2^62": model(L("Conv2D", "l", filters=big, kernel_size=[big, big], strides=[0, 0], padding="same", use_bias=True, groups=0)),
        "lstm_2^62": model(L("LSTM", "l", units=big, return_sequences=True), shape=(8, 3)),
        "resizing_2^31": model(L("Resizing", "l", height=2**31, width=2**31, interpolation="bicubic")),
        "resizing_30000": model(L("Resizing", "l", height=30000, width=30000, interpolation="lanczos5")),
        "adaptive_2^31": model(L("AdaptiveAveragePooling2D", "l", output_size=[2**31 - 1, 2])),
        "lookup_2^31": model(L("StringLookup", "l", invert=True, num_oov_indices=2**31 - 1, vocabulary=["a", "b"]), shape=(3,)),
        "integer_1e38": model(L("RepeatVector", "l", n=1e38), shape=(8,)),
        "rescaling_nan": model(L("Rescaling", "l", scale=float("nan"), offset=float("inf"))),
        "category_2^40": model(L("CategoryEncoding", "l", num_tokens=2**40, output_mode="one_hot"), shape=(8,)),
        "discretization": model(L("Discretization", "l", bin_boundaries=[1.0] * 300000, output_mode="one_hot"), shape=(8,)),
        "spectrogram_2^31": model(L("STFTSpectrogram", "l", mode="log", frame_length=2**31, frame_step=1, fft_length=2**31), shape=(8000, 1)),
        "mel_2^31": model(L("MelSpectrogram", "l", fft_length=2**31, sequence_stride=1, sequence_length=2**31, num_mel_bins=2**31), shape=(8000,)),
        "mel_8192": model(L("MelSpectrogram", "l", fft_length=32768, sequence_stride=1, sequence_length=32768, num_mel_bins=8192), shape=(80000,)),
        "softmax_axes": model(L("Softmax", "l", axis=[2**62, -2**62])),
        "dropout_nan": model(L("Dropout", "l", rate=float("nan"))),
        "noise": model(L("GaussianNoise", "l", stddev=float("inf"))),
        "input_2^62": model(L("Flatten", "l"), shape=(big, big, big)),
        "input_rank_100000": model(L("Flatten", "l"), shape=(1,) * 100000),
        "layers_30000": model(lambda: L("ReLU", "r0"), *[(lambda i=i: L("ReLU", f"r{i}")) for i in range(1, 30000)]),
        "same_names": model(*[(lambda: L("ReLU", "same")) for _ in range(2000)]),
        "nested_20": model(lambda: nested_models(20)),
        "nested_150": model(lambda: nested_models(150)),
        "nested_400": model(lambda: nested_models(400)),
        "wrapped_bidirectional": model(L("Bidirectional", "b", layer=L("Bidirectional", "c", layer=L("Bidirectional", "d", layer=L("LSTM", "l", units=3)))), shape=(8, 3)),
        "time_distributed_60": model(lambda: wrapped(60), shape=(8,) * 62),
        "stacked_cells_5000": model(L("RNN", "l", cell=L("StackedRNNCells", "s", cells=[L("LSTMCell", f"c{i}", units=3) for i in range(5000)])), shape=(8, 3)),
        "json_nesting": config(lambda: b"[" * 200000 + b"]" * 200000, refused=True),
        "json_numbers": config(lambda: b'{"class_name": "Sequential", "config": {"layers": [{"class_name": "InputLayer", "config": {"batch_shape": [null, 1e400]}}]}}', refused=True),
        "names_hostile": config(lambda: keras_sequential([keras_input((3,)), L("<script>\x1b[31m", "<img src=x>\u202e")]), refused=True),
        "lambda_code": model(L("Lambda", "l", function={"class_name": "__lambda__", "config": {"code": "A" * 1000000}}), shape=(8,), refused=True),
        "functional_cycle": config(functional_cycle, refused=True),
        "config_empty": config(lambda: keras_file(b"", b""), refused=True),
        "input_twice": config(lambda: functional([keras_input((3,)) | {"name": "x", "inbound_nodes": []}], [["x", 0, 0], ["x", 0, 0]],
                                                 [["x", 0, 0]]), refused=True),
        "functional_share_2^40": config(shared_layers),
        "zip_in_zip": config(lambda: keras_file(b"{}", b""), refused=True),
    }
    made.update(contradictions())
    made.update(every_field("dense_1.2.h5", 8))
    made.update(every_field("filtered_latest.h5", 24))
    return made


def wrapped(depth):
    layer = keras_layer("ReLU", "r")
    for i in range(depth):
        layer = keras_layer("TimeDistributed", f"t{i}", layer=layer)
    return layer


def functional(layers, inputs, outputs):
    return json.dumps({"module": "keras", "class_name": "Functional", "registered_name": None,
                       "config": {"name": "m", "layers": layers, "input_layers": inputs, "output_layers": outputs}}).encode()


def tensor(name, node=0):
    return {"class_name": "__keras_tensor__", "config": {"shape": [None, 3], "dtype": "float32", "keras_history": [name, node, 0]}}


def node(*tensors):
    return {"args": list(tensors), "kwargs": {}}


def functional_cycle():
    layers = [keras_input((3,)) | {"name": "x", "inbound_nodes": []},
              keras_layer("ReLU", "a") | {"name": "a", "inbound_nodes": [node(tensor("b"))]},
              keras_layer("ReLU", "b") | {"name": "b", "inbound_nodes": [node(tensor("a"))]}]
    return functional(layers, [["x", 0, 0]], [["b", 0, 0]])


def shared_layers():
    """Models that call the next one twice."""
    inner = None
    for i in range(40):
        name = f"m{i}"
        layers = [keras_input((3,)) | {"name": "x", "inbound_nodes": []}]
        child = inner or (keras_layer("ReLU", "r") | {"name": "r"})
        layers.append(child | {"inbound_nodes": [node(tensor("x")), node(tensor(child["name"]))]})
        inner = {"module": "keras", "class_name": "Functional", "registered_name": None, "name": name,
                 "config": {"name": name, "layers": layers, "input_layers": [["x", 0, 0]], "output_layers": [[child["name"], 1, 0]]}}
    return json.dumps(inner).encode()
