"""Writers of small model files in every format, without the frameworks."""
import io
import json
import pickle
import struct
import zipfile

from onnx import helper


# Protocol buffers ----------------------------------------------------------------------------------------------------

def varint(value):
    value &= 2**64 - 1
    out = bytearray()
    while True:
        out.append(value & 127 | (128 if value > 127 else 0))
        value >>= 7
        if not value:
            return bytes(out)


def message(*fields):
    """Fields as (number, value): an int becomes a varint, a float 32 bits, text and bytes a length-delimited field."""
    out = bytearray()
    for field, value in fields:
        if isinstance(value, float):
            out += varint(field << 3 | 5) + struct.pack("<f", value)
        elif isinstance(value, int):
            out += varint(field << 3) + varint(value)
        else:
            value = value.encode() if isinstance(value, str) else value
            out += varint(field << 3 | 2) + varint(len(value)) + value
    return bytes(out)


# TensorFlow ----------------------------------------------------------------------------------------------------------

FLOAT, INT32, STRING, INT64, BOOL, RESOURCE, VARIANT = 1, 3, 7, 9, 10, 20, 21


def tf_shape(dims):
    return message(*[(2, message((1, d))) for d in dims])


def tf_type(number):
    return message((6, number))


def tf_int(value):
    return message((3, value))


def tf_ints(values):
    return message((1, message((3, b"".join(varint(v) for v in values)))))


def tf_types(values):
    return message((1, message((6, b"".join(varint(v) for v in values)))))


def tf_floats(values):
    return message((1, message((4, struct.pack(f"<{len(values)}f", *values)))))


def tf_text(value):
    return message((2, value))


def tf_float(value):
    return message((4, float(value)))


def tf_texts(values):
    return message((1, message(*[(2, value) for value in values])))


def tf_function(name):
    return message((10, message((1, name))))


def tf_tensor(dtype, dims, values):
    """A Const's value: fewer values than elements repeat the last one."""
    fields = [(1, dtype), (2, tf_shape(dims))]
    if dtype == FLOAT:
        fields.append((5, struct.pack(f"<{len(values)}f", *values)))
    elif dtype == INT32:
        fields.append((7, b"".join(varint(v) for v in values)))
    elif dtype == INT64:
        fields.append((10, b"".join(varint(v) for v in values)))
    elif dtype == BOOL:
        fields.append((11, b"".join(varint(int(v)) for v in values)))
    elif dtype == STRING:
        fields += [(8, v) for v in values]
    return message((8, message(*fields)))


def tf_node(name, op, inputs=(), **attributes):
    return message((1, name), (2, op), *[(3, i) for i in inputs],
                   *[(5, message((1, k), (2, v))) for k, v in attributes.items()])


def tf_const(name, dtype, dims, values):
    return tf_node(name, "Const", dtype=tf_type(dtype), value=tf_tensor(dtype, dims, values))


def tf_placeholder(name="x", dims=(1, 3), dtype=FLOAT):
    return tf_node(name, "Placeholder", dtype=tf_type(dtype), shape=message((7, tf_shape(dims))))


def tf_function_def(name, inputs, outputs, nodes, returns):
    """`inputs` and `outputs` as (name, type); `returns` maps outputs to "node:output:index"."""
    argument = lambda a: message((1, a[0]), (3, a[1]))
    signature = message((1, name), *[(2, argument(a)) for a in inputs], *[(3, argument(a)) for a in outputs])
    return message((1, signature), *[(3, n) for n in nodes], *[(4, message((1, k), (2, v))) for k, v in returns.items()])


def graph_def(nodes, functions=()):
    return message(*[(1, n) for n in nodes], (4, message((1, 1087))),
                   *([(2, message(*[(1, f) for f in functions]))] if functions else []))


# ONNX ----------------------------------------------------------------------------------------------------------------

def onnx_model(nodes, inputs=(("x", 1, (1, 3)),), outputs=("y",), initializers=(), functions=(), opset=17):
    graph = helper.make_graph(list(nodes), "g", [helper.make_tensor_value_info(*i) for i in inputs],
                              [helper.make_tensor_value_info(o, 1, None) if isinstance(o, str) else
                               helper.make_tensor_value_info(*o) for o in outputs], list(initializers))
    domains = [helper.make_opsetid("", opset)] + ([helper.make_opsetid("f", 1)] if functions else [])
    model = helper.make_model(graph, opset_imports=domains, functions=list(functions))
    model.ir_version = 8
    return model.SerializeToString()


# MXNet ---------------------------------------------------------------------------------------------------------------

def mx_var(name):
    return {"op": "null", "name": name, "inputs": []}


def mx_op(kind, name, inputs, **attributes):
    return {"op": kind, "name": name, "inputs": inputs, "attrs": {k: str(v) for k, v in attributes.items()}}


def symbol(nodes, heads):
    return json.dumps({"nodes": nodes, "arg_nodes": [i for i, n in enumerate(nodes) if n["op"] == "null"], "heads": heads,
                       "attrs": {"mxnet_version": ["int", 10901]}}, separators=(",", ":")).encode()


def mx_params(names, shapes, payload=b""):
    """A .params file: the list magic, arrays of version 2 with the given shapes, names."""
    out = struct.pack("<QQQ", 0x112, 0, len(names))
    for shape in shapes:
        out += struct.pack("<Ii", 0xF993FAC9, 0) + struct.pack(f"<I{len(shape)}q", len(shape), *shape)
        out += struct.pack("<iii", 1, 0, 0) + payload
    out += struct.pack("<Q", len(names))
    for name in names:
        out += struct.pack("<Q", len(name)) + name.encode()
    return out


# PyTorch -------------------------------------------------------------------------------------------------------------

def zip_file(members, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


MODULE_PICKLE = b"\x80\x02c__torch__\nModel\n)\x81}X\x08\x00\x00\x00training\x89sb."


def torchscript(body, arguments="x: Tensor", more="", data=MODULE_PICKLE, constants=b"\x80\x02)."):
    """A scripted module: `body` are the lines of forward, each with its own indentation from there."""
    lines = "".join(f"    {line}\n" for line in body)
    code = (f"class Model(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n"
            f"  def forward(self: __torch__.Model,\n    {arguments}) -> Tensor:\n{lines}{more}")
    return zip_file({"m/data.pkl": data, "m/code/__torch__.py": code.encode(), "m/constants.pkl": constants,
                     "m/version": b"3\n", "m/byteorder": b"little"}, zipfile.ZIP_DEFLATED)


def pt_tensor(name, sizes, dtype=7):
    strides, product = [], 1
    for size in reversed(sizes):
        strides.insert(0, {"as_int": product})
        product *= size if isinstance(size, int) else 1
    return {"dtype": dtype, "sizes": [{"as_int": s} for s in sizes], "requires_grad": False,
            "device": {"type": "cpu", "index": None}, "strides": strides, "storage_offset": {"as_int": 0}, "layout": 7}


def pt_node(target, inputs, outputs):
    """`inputs` as (name, argument); `outputs` are names of tensors."""
    return {"target": f"torch.ops.aten.{target}", "metadata": {}, "is_hop_single_tensor_return": None,
            "inputs": [{"name": n, "arg": a, "kind": 1} for n, a in inputs],
            "outputs": [{"as_tensor": {"name": o}} for o in outputs] if not isinstance(outputs, dict) else [outputs]}


def tensor_argument(name):
    return {"as_tensor": {"name": name}}


def exported_program(nodes, tensors, outputs, inputs=("x",)):
    """A .pt2 archive; `tensors` maps names to sizes."""
    program = {
        "graph_module": {
            "graph": {"inputs": [tensor_argument(i) for i in inputs], "outputs": [tensor_argument(o) for o in outputs],
                      "nodes": nodes, "tensor_values": {n: pt_tensor(n, s) for n, s in tensors.items()},
                      "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": False,
                      "custom_obj_values": {}, "sym_float_values": {}},
            "signature": {"input_specs": [{"user_input": {"arg": tensor_argument(i)}} for i in inputs],
                          "output_specs": [{"user_output": {"arg": tensor_argument(o)}} for o in outputs]},
            "module_call_graph": [], "metadata": {}, "treespec_namedtuple_fields": {}},
        "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 14},
        "verifiers": ["TRAINING"], "torch_version": "2.9.1", "guards_code": []}
    return pt2_file(json.dumps(program).encode())


def pt2_file(program, weights=b'{"config": {}}'):
    return zip_file({"m/models/model.json": program, "m/data/weights/model_weights_config.json": weights,
                     "m/data/constants/model_constants_config.json": b'{"config": {}}', "m/archive_format": b"pt2",
                     "m/archive_version": b"0", "m/.data/version": b"3\n", "m/byteorder": b"little"})


def pickled(value):
    return pickle.dumps(value, protocol=2)


# Keras ---------------------------------------------------------------------------------------------------------------

def keras_layer(kind, name, **config):
    return {"module": "keras.layers", "class_name": kind, "config": {"name": name, **config}, "registered_name": None}


def keras_input(shape):
    return keras_layer("InputLayer", "x", batch_shape=[None, *shape], dtype="float32", sparse=False, ragged=False)


def keras_sequential(layers):
    return json.dumps({"module": "keras", "class_name": "Sequential", "registered_name": None,
                       "config": {"name": "m", "trainable": True, "dtype": "float32", "layers": layers}}).encode()


def keras_file(config, weights):
    return zip_file({"metadata.json": b'{"keras_version": "3.10.0", "date_saved": ""}', "config.json": config,
                     "model.weights.h5": weights})
