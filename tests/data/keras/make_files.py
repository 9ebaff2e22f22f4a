"""Writes the files of this folder: small models of each generation of Keras, and damaged or hostile ones.

  python3 -m venv build/h5py && build/h5py/bin/pip install h5py numpy && build/h5py/bin/python tests/data/keras/make_files.py

Needs no Keras: the files have the structure that docs/keras.md describes.
"""
import io
import json
import os
import zipfile

import h5py
import numpy as np

FOLDER = os.path.dirname(os.path.abspath(__file__))


def path(name):
    return os.path.join(FOLDER, name)


def numbers(*shape):
    count = int(np.prod(shape))
    return (np.arange(count, dtype=np.float32) / 8 - 1).reshape(shape)


def save_legacy(name, config, version, layers, backend="tensorflow", split=False):
    """`layers`: (name, [(weight name, array)]), in order."""
    with h5py.File(path(name), "w") as file:
        file.attrs["model_config"] = json.dumps(config).encode()
        file.attrs["keras_version"] = version
        if backend:
            file.attrs["backend"] = backend
        root = file.create_group("model_weights")
        names = [layer.encode() for layer, _ in layers]
        if split:
            for i, layer in enumerate(names):
                root.attrs[f"layer_names{i}"] = [layer]
        else:
            root.attrs["layer_names"] = names
        for layer, weights in layers:
            group = root.create_group(layer)
            group.attrs["weight_names"] = [weight.encode() for weight, _ in weights]
            for weight, array in weights:
                group.create_dataset(weight, data=array)


def input_layer(name, shape, dtype="float32"):
    return {"class_name": "InputLayer", "name": name, "inbound_nodes": [],
            "config": {"name": name, "batch_input_shape": shape, "dtype": dtype}}


def layer(class_name, name, calls, **config):
    return {"class_name": class_name, "name": name, "config": {"name": name, "trainable": True, **config},
            "inbound_nodes": calls}


def functional(name, layers, inputs, outputs):
    return {"class_name": "Functional", "name": name,
            "config": {"name": name, "layers": layers, "input_layers": inputs, "output_layers": outputs}}


def keras1():
    config = {"class_name": "Sequential", "config": [
        {"class_name": "Dense", "config": {"name": "dense_1", "trainable": True, "batch_input_shape": [None, 3],
                                           "input_dtype": "float32", "output_dim": 2, "activation": "hard_sigmoid",
                                           "bias": True}}]}
    save_legacy("dense_1.2.h5", config, "1.2.2",
                [("dense_1", [("dense_1_W:0", numbers(3, 2)), ("dense_1_b:0", numbers(2))])], backend=None)


def nested():
    """Trainable weights of all inner layers, then the others; the frozen layer's are among the others."""
    def tower():
        norm = {"axis": [1], "epsilon": 0.001, "center": True, "scale": True}
        inner = [input_layer("t", [None, 2]),
                 layer("Dense", "first", [[["t", 0, 0, {}]]], units=2, activation="linear", use_bias=True),
                 layer("BatchNormalization", "norm", [[["first", 0, 0, {}]]], **norm),
                 layer("Dense", "second", [[["norm", 0, 0, {}]]], units=2, activation="linear", use_bias=True)]
        inner[1]["config"]["trainable"] = False
        return functional("tower", inner, [["t", 0, 0]], [["second", 0, 0]])

    nested_model = {**tower(), "inbound_nodes": [[["x", 0, 0, {}]], [["y", 0, 0, {}]]]}
    config = functional("model", [input_layer("x", [None, 2]), input_layer("y", [None, 2]), nested_model,
                                  layer("Add", "add", [[["tower", 1, 0, {}], ["tower", 2, 0, {}]]])],
                        [["x", 0, 0], ["y", 0, 0]], [["add", 0, 0]])
    weights = [("norm/gamma:0", numbers(2)), ("norm/beta:0", numbers(2) + 1),
               ("second/kernel:0", numbers(2, 2)), ("second/bias:0", numbers(2)),
               ("first/kernel:0", numbers(2, 2) + 2), ("first/bias:0", numbers(2)),
               ("norm/moving_mean:0", numbers(2)), ("norm/moving_variance:0", numbers(2) + 3)]
    save_legacy("nested_2.h5", config, "2.15.0", [("x", []), ("y", []), ("tower", weights), ("add", [])], split=True)


def keras3():
    tensor = lambda name, shape, dtype: {"class_name": "__keras_tensor__", "config": {
        "shape": shape, "dtype": dtype, "keras_history": [name, 0, 0]}}
    policy = {"module": "keras", "class_name": "DTypePolicy", "config": {"name": "float32"}}
    ids = tensor("ids", [None, 4], "int32")
    layers = [
        {"module": "keras.layers", "class_name": "InputLayer", "name": "ids", "inbound_nodes": [],
         "config": {"name": "ids", "batch_shape": [None, 4], "dtype": "int32"}},
        {"module": "keras.layers", "class_name": "Embedding", "name": "table",
         "config": {"name": "table", "trainable": True, "dtype": policy, "input_dim": 5, "output_dim": 3,
                    "mask_zero": True}, "inbound_nodes": [{"args": [ids], "kwargs": {}}]},
        {"module": "keras.src.ops.numpy", "class_name": "NotEqual", "name": "not_equal",
         "config": {"name": "not_equal"}, "inbound_nodes": [{"args": [ids, 0], "kwargs": {}}]},
        {"module": "keras.layers", "class_name": "GlobalAveragePooling1D", "name": "mean",
         "config": {"name": "mean", "trainable": True, "dtype": policy, "keepdims": False},
         "inbound_nodes": [{"args": [tensor("table", [None, 4, 3], "float32")],
                            "kwargs": {"mask": tensor("not_equal", [None, 4], "bool")}}]}]
    config = {"module": "keras.src.models.functional", "class_name": "Functional",
              "config": {"name": "functional", "layers": layers, "input_layers": ["ids", 0, 0],
                         "output_layers": ["mean", 0, 0]}}
    weights = io.BytesIO()
    with h5py.File(weights, "w") as file:
        group = file.create_group("layers/embedding/vars")
        group.attrs["name"] = "table"
        group.create_dataset("0", data=numbers(5, 3))
    with zipfile.ZipFile(path("embedding_3.keras"), "w") as archive:
        for name, content in (("metadata.json", json.dumps({"keras_version": "3.15.1"})),
                              ("config.json", json.dumps(config)), ("model.weights.h5", weights.getvalue())):
            archive.writestr(zipfile.ZipInfo(name), content)


def none_settings():
    """Settings that are None, and a scale that Keras multiplies by the last axis though the axis is another one."""
    make = lambda class_name, name, **config: {"module": "keras.layers", "class_name": class_name,
                                               "config": {"name": name, "trainable": True, **config}}
    layers = [{"module": "keras.layers", "class_name": "InputLayer",
               "config": {"name": "x", "batch_shape": [None, 3, 3], "dtype": "float32"}},
              make("RMSNormalization", "rms", axis=1, epsilon=1e-6),
              make("LayerNormalization", "norm", axis=[-1], epsilon=None, center=True, scale=True, rms_scaling=False),
              make("LSTM", "lstm", units=1, activation=None, recurrent_activation="sigmoid", use_bias=True,
                   return_sequences=True, return_state=False, go_backwards=False, stateful=False, unroll=False)]
    config = {"module": "keras", "class_name": "Sequential", "config": {"name": "model", "layers": layers}}
    weights = io.BytesIO()
    with h5py.File(weights, "w") as file:
        for group, arrays in {"rms_normalization": [numbers(3)], "layer_normalization": [numbers(3) + 2, numbers(3)],
                              "lstm/cell": [numbers(3, 4), numbers(1, 4), numbers(4)]}.items():
            for i, array in enumerate(arrays):
                file.create_dataset(f"layers/{group}/vars/{i}", data=array)
    with zipfile.ZipFile(path("none_settings_3.keras"), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in [("metadata.json", json.dumps({"keras_version": "3.15.1"})),
                              ("config.json", json.dumps(config)), ("model.weights.h5", weights.getvalue())]:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def normalized_embedding():
    """A table in a SpectralNormalization, with a mask for the first token."""
    layers = [{"class_name": "InputLayer",
               "config": {"name": "ids", "batch_input_shape": [None, 2], "dtype": "int32"}},
              {"class_name": "SpectralNormalization",
               "config": {"name": "norm", "trainable": True, "dtype": "float32", "power_iterations": 1,
                          "layer": {"class_name": "Embedding",
                                    "config": {"name": "table", "trainable": True, "dtype": "float32", "input_dim": 2,
                                               "output_dim": 1, "mask_zero": True}}}},
              {"class_name": "GlobalAveragePooling1D", "config": {"name": "mean", "trainable": True, "dtype": "float32"}}]
    config = {"class_name": "Sequential", "config": {"name": "model", "layers": layers}}
    save_legacy("normalized_embedding_2.h5", config, "2.15.0",
                [("norm", [("norm/embeddings:0", np.array([[5], [3]], np.float32)),
                           ("norm/sn_u:0", np.ones((1, 1), np.float32))]), ("mean", [])])


def query_mask():
    """Attention of one head, whose kernels are 1, that is called with a mask of its query."""
    def tensor(name):
        return {"class_name": "__keras_tensor__", "config": {"keras_history": [name, 0, 0]}}

    def layer(class_name, name, nodes, **config):
        return {"module": "keras.layers", "class_name": class_name, "name": name, "inbound_nodes": nodes,
                "config": {"name": name, "trainable": True, **config}}

    layers = [layer("InputLayer", "x", [], batch_shape=[None, 2, 1], dtype="float32"),
              layer("Reshape", "mask", [{"args": [tensor("x")], "kwargs": {}}], target_shape=[2]),
              layer("MultiHeadAttention", "attention",
                    [{"args": [tensor("x"), tensor("x")], "kwargs": {"query_mask": tensor("mask")}}],
                    num_heads=1, key_dim=1, value_dim=1, use_bias=False, output_shape=None, attention_axes=None)]
    config = {"module": "keras", "class_name": "Functional",
              "config": {"name": "model", "layers": layers, "input_layers": [["x", 0, 0]],
                         "output_layers": [["attention", 0, 0]]}}
    weights = io.BytesIO()
    with h5py.File(weights, "w") as file:
        for part in ("query_dense", "key_dense", "value_dense", "output_dense"):
            file.create_dataset(f"layers/multi_head_attention/{part}/vars/0", data=np.ones((1, 1, 1), np.float32))
    with zipfile.ZipFile(path("query_mask_3.keras"), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in [("metadata.json", json.dumps({"keras_version": "3.15.1"})),
                              ("config.json", json.dumps(config)), ("model.weights.h5", weights.getvalue())]:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def shards():
    """Weights that save_weights("model.weights.json", max_shard_size=...) splits: those of the second layer begin in a new shard,
    after the first one has got their group."""
    folder = path("shards_3")
    os.makedirs(folder, exist_ok=True)
    layers = [{"module": "keras.layers", "class_name": "InputLayer",
               "config": {"name": "x", "batch_shape": [None, 3], "dtype": "float32"}}]
    layers += [{"module": "keras.layers", "class_name": "Dense",
                "config": {"name": name, "trainable": True, "dtype": "float32", "units": units, "activation": "linear", "use_bias": True}}
               for name, units in (("first", 4), ("second", 2))]
    model = {"module": "keras", "class_name": "Sequential", "config": {"name": "split", "layers": layers}}
    with open(os.path.join(folder, "model.json"), "w") as file:
        json.dump(model, file)
    names = ["model_00000.weights.h5", "model_00001.weights.h5"]
    with h5py.File(os.path.join(folder, names[0]), "w") as file:
        group = file.create_group("layers/dense/vars")
        group.attrs["name"] = "first"
        group.create_dataset("0", data=numbers(3, 4))
        group.create_dataset("1", data=numbers(4))
        file.create_group("layers/dense_1/vars").attrs["name"] = "second"
    with h5py.File(os.path.join(folder, names[1]), "w") as file:
        group = file.create_group("layers/dense_1/vars")
        group.create_dataset("0", data=numbers(4, 2))
        group.create_dataset("1", data=numbers(2))
    index = {"metadata": {"total_size": 104.0}, "weight_map": {"/layers/dense/vars": names[:1], "/layers/dense_1/vars": names[1]}}
    with open(os.path.join(folder, "model.weights.json"), "w") as file:
        json.dump(index, file)


def quantized(name, policy, config, units, weights):
    """A Dense of two features; `weights` in the order of the file."""
    tensor = {"class_name": "__keras_tensor__", "config": {"shape": [None, 2], "dtype": "float32",
                                                           "keras_history": ["x", 0, 0]}}
    dtype = {"module": "keras.dtype_policies", "class_name": policy, "config": config}
    layers = [
        {"module": "keras.layers", "class_name": "InputLayer", "name": "x", "inbound_nodes": [],
         "config": {"name": "x", "batch_shape": [None, 2], "dtype": "float32"}},
        {"module": "keras.layers", "class_name": "Dense", "name": "dense",
         "config": {"name": "dense", "trainable": True, "dtype": dtype, "units": units, "use_bias": True},
         "inbound_nodes": [{"args": [tensor], "kwargs": {}}]}]
    model = {"module": "keras.src.models.functional", "class_name": "Functional",
             "config": {"name": "functional", "layers": layers, "input_layers": ["x", 0, 0],
                        "output_layers": ["dense", 0, 0]}}
    content = io.BytesIO()
    with h5py.File(content, "w") as file:
        group = file.create_group("layers/dense/vars")
        for i, array in enumerate(weights):
            group.create_dataset(str(i), data=array)
    with zipfile.ZipFile(path(name), "w") as archive:
        for member, text in (("metadata.json", json.dumps({"keras_version": "3.15.1"})),
                             ("config.json", json.dumps(model)), ("model.weights.h5", content.getvalue())):
            archive.writestr(zipfile.ZipInfo(member), text)


def states():
    """An RNN of two cells, whose states are lists of their own: the data, and 7. The cells keep their states."""
    cell = {"class_name": "SimpleRNNCell", "config": {"name": "cell", "trainable": True, "dtype": "float32", "units": 1,
                                                      "activation": "linear", "use_bias": False}}
    stack = {"class_name": "StackedRNNCells", "config": {"name": "stack", "trainable": True, "dtype": "float32",
                                                         "cells": [cell, cell]}}
    tensor = lambda name: {"class_name": "__keras_tensor__", "config": {"keras_history": [name, 0, 0]}}
    seven = {"class_name": "__tensor__", "config": {"value": [[7.0]], "dtype": "float32"}}
    flat = {2: [["x", 0, 0, {}]], 3: {"args": [tensor("x")], "kwargs": {}}}
    call = {2: [["x", 0, 0, {}], [["flat", 0, 0, {}]], [["_CONSTANT_VALUE", -1, [[7.0]], {}]]],
            3: {"args": [tensor("x")], "kwargs": {"initial_state": [[tensor("flat")], [seven]]}}}
    weights = [(f"rnn/{i}/{name}:0", np.full((1, 1), value, np.float32))
               for i in range(2) for name, value in (("kernel", 0), ("recurrent_kernel", 1))]
    for major, version in ((2, "2.15.0"), (3, "3.15.1")):
        layers = [input_layer("x", [None, 1, 1]), layer("Flatten", "flat", [flat[major]], dtype="float32"),
                  layer("RNN", "rnn", [call[major]], dtype="float32", return_sequences=False, return_state=True,
                        cell=stack)]
        config = functional("model", layers, [["x", 0, 0]], [["rnn", 0, 1], ["rnn", 0, 2]])
        save_legacy(f"states_{major}.h5", config, version, [("x", []), ("flat", []), ("rnn", weights)])


def training():
    """Two calls of a nested model with a BatchNormalization and a frozen one, the first call with training=True."""
    norm = {"axis": [1], "epsilon": 0.0, "center": False, "scale": False, "dtype": "float32"}
    inner = [input_layer("t", [None, 1]), layer("BatchNormalization", "norm", [[["t", 0, 0, {}]]], **norm),
             layer("BatchNormalization", "frozen", [[["norm", 0, 0, {}]]], **norm)]
    inner[2]["config"]["trainable"] = False
    nested_model = {**functional("inner", inner, [["t", 0, 0]], [["frozen", 0, 0]]),
                    "inbound_nodes": [[["x", 0, 0, {"training": True}]], [["x", 0, 0, {}]]]}
    config = functional("model", [input_layer("x", [None, 1]), nested_model], [["x", 0, 0]],
                        [["inner", 1, 0], ["inner", 2, 0]])
    weights = [(f"{name}/{weight}:0", np.full(1, value, np.float32))
               for name in ("norm", "frozen") for weight, value in (("moving_mean", 1), ("moving_variance", 4))]
    save_legacy("training_2.h5", config, "2.15.0", [("x", []), ("inner", weights)])


def eight_bits():
    quantized("int8_3.keras", "QuantizedDTypePolicy", {"mode": "int8", "source_name": "float32"}, 1,
              [np.array([[100], [50]], np.int8), np.array([0.5], np.float32), np.array([50], np.float32)])


def four_bits():
    """[[1, -2, 3], [4, -8, 7]], of each column less a zero point and times a scale."""
    packed = np.array([[0xe1, 0x03], [0x84, 0x07]], np.uint8).view(np.int8)
    quantized("int4_3.keras", "Int4DTypePolicy", {"mode": "int4/2", "source_name": "float32"}, 3,
              [packed, np.array([0, 0, 1], np.float32), np.array([[0.5, 0.25, 1]], np.float32),
               np.array([[1, 0, -1]], np.int8), np.zeros(2, np.float32)])


def calibrated():
    """[[1, 2, 1], [7, -2, -1]], stored transposed; AWQ divides its rows by 2 and 0.5."""
    packed = np.array([[0x43, 0x0f], [0x0c, 0x04]], np.uint8)
    weights = [np.array([0, 0, 1], np.float32), packed, np.array([[0.5], [1], [0.25]], np.float32),
               np.array([[1], [2], [8]], np.uint8)]
    groups = np.zeros(2, np.float32)
    quantized("gptq_3.keras", "GPTQDTypePolicy", {"mode": "gptq/4/-1", "source_name": "float32"}, 3, [*weights, groups])
    quantized("awq_3.keras", "AWQDTypePolicy", {"mode": "awq/4/-1", "source_name": "float32"}, 3,
              [*weights, np.array([2, 0.5], np.float32), groups])


def one_dense(name, write_kernel, **settings):
    config = {"class_name": "Sequential", "config": {"name": "sequential", "layers": [
        input_layer("x", [None, 3]),
        {"class_name": "Dense", "config": {"name": "dense", "trainable": True, "units": 2, "activation": "linear",
                                           "use_bias": False}}]}}
    with h5py.File(path(name), "w", **settings) as file:
        file.attrs["model_config"] = json.dumps(config).encode()
        file.attrs["keras_version"] = "2.15.0"
        root = file.create_group("model_weights")
        root.attrs["layer_names"] = [b"dense"]
        group = root.create_group("dense")
        group.attrs["weight_names"] = [b"kernel:0"]
        write_kernel(file, group)


def forms():
    """Groups and datasets in every form of storage, each with the same kernel."""
    def crowded(file, group):
        for i in range(40):
            group.attrs[f"note{i}"] = "n" * i
            group.create_group(f"part{i}")

    def filtered(file, group):
        crowded(file, group)
        group.create_dataset("kernel:0", data=numbers(3, 2), chunks=(2, 1), compression="gzip", shuffle=True,
                             fletcher32=True)

    def growing(file, group):
        crowded(file, group)
        group.create_dataset("kernel:0", data=numbers(3, 2), maxshape=(7, 9), chunks=(2, 2))

    def endless(file, group):
        group.create_dataset("kernel:0", data=numbers(3, 2), maxshape=(None, 2), chunks=(2, 2))

    def single(file, group):
        group.create_dataset("kernel:0", data=numbers(3, 2), chunks=(3, 2), compression="gzip")

    def pages(file, group):
        group.create_dataset("kernel:0", data=numbers(3, 2), maxshape=(3, 700), chunks=(1, 1))

    one_dense("filtered.h5", filtered)
    one_dense("endless.h5", endless)
    for libver in ("v110", "latest"):
        one_dense(f"filtered_{libver}.h5", filtered, libver=libver)
    one_dense("growing_v110.h5", growing, libver="v110")
    one_dense("single_v110.h5", single, libver="v110")
    one_dense("pages_v110.h5", pages, libver="v110")
    one_dense("endless_v110.h5", endless, libver="v110")
    one_dense("user_block.h5", lambda file, group: group.create_dataset("kernel:0", data=numbers(3, 2)),
              userblock_size=1024)


def hostile():
    def external_link(file, group):
        group["kernel:0"] = h5py.ExternalLink("/etc/passwd", "kernel")

    def soft_loop(file, group):
        group["kernel:0"] = h5py.SoftLink("/model_weights/dense/kernel:0")

    def external_storage(file, group):
        group.create_dataset("kernel:0", (3, 2), dtype="<f4", external=[("/etc/passwd", 0, 24)])

    def virtual(file, group):
        layout = h5py.VirtualLayout((3, 2), dtype="<f4")
        layout[:] = h5py.VirtualSource("/etc/passwd", "kernel", shape=(3, 2))
        group.create_virtual_dataset("kernel:0", layout)

    def huge(file, group):
        group.create_dataset("kernel:0", (1 << 30, 1 << 29), dtype="<f4", chunks=(1, 16), compression="gzip")

    def huge_chunk(file, group):
        group.create_dataset("kernel:0", (3, 2), maxshape=(None, None), dtype="<f4", chunks=(1 << 14, 1 << 14),
                             compression="gzip")

    def unknown_filter(file, group):
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_chunk((3, 2))
        plist.set_filter(32015, h5py.h5z.FLAG_OPTIONAL)
        space = h5py.h5s.create_simple((3, 2))
        h5py.h5d.create(group.id, b"kernel:0", h5py.h5t.IEEE_F32LE, space, plist).write(
            h5py.h5s.ALL, h5py.h5s.ALL, numbers(3, 2))

    def text(file, group):
        group.create_dataset("kernel:0", data=["a", "b"])

    def big_endian(file, group):
        group.create_dataset("kernel:0", data=numbers(3, 2).astype(">f4"))

    def lzf(file, group):
        group.create_dataset("kernel:0", data=np.zeros((3, 2), np.float32), chunks=(3, 2), compression="lzf")

    def scale_offset(file, group):
        group.create_dataset("kernel:0", data=numbers(3, 2), chunks=(2, 2), scaleoffset=3)

    def nbit(file, group):
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_chunk((2, 2))
        plist.set_filter(h5py.h5z.FILTER_NBIT, 0, ())
        space = h5py.h5s.create_simple((3, 2))
        h5py.h5d.create(group.id, b"kernel:0", h5py.h5t.IEEE_F32LE, space, plist).write(
            h5py.h5s.ALL, h5py.h5s.ALL, numbers(3, 2))

    def wrong_shape(file, group):
        group.create_dataset("kernel:0", data=numbers(4, 2))

    def not_utf8(file, group):
        group.attrs["weight_names"] = [b"\xff\xfe"]

    def no_dataset(file, group):
        group.create_group("kernel:0")

    for make in (external_link, soft_loop, external_storage, virtual, huge, huge_chunk, unknown_filter, text,
                 big_endian, lzf, scale_offset, nbit, wrong_shape, not_utf8, no_dataset):
        one_dense(f"{make.__name__}.h5", make)
    with h5py.File(path("weights_only.h5"), "w") as file:
        file.attrs["layer_names"] = [b"dense"]
        file.create_group("dense").attrs["weight_names"] = np.zeros(0)


if __name__ == "__main__":
    keras1()
    nested()
    keras3()
    none_settings()
    normalized_embedding()
    query_mask()
    shards()
    states()
    training()
    eight_bits()
    four_bits()
    calibrated()
    forms()
    hostile()
