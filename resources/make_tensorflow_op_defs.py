#!/usr/bin/env python3
"""Writes core/formats/tensorflow/op_defs.inc: TensorFlow's operators, one a line, as an installed TensorFlow registers them.

    python3 -m venv /tmp/tensorflow && /tmp/tensorflow/bin/pip install tensorflow-cpu==2.15.1 "numpy<2"
    /tmp/tensorflow/bin/python resources/make_tensorflow_op_defs.py

A line is words separated by spaces:

    NAME [!] i ARGUMENT... o ARGUMENT... a ATTRIBUTE...

`!` marks a stateful operator. An argument is name:TYPE, where TYPE is `#float` (a fixed type), `T` (the type in attribute T), `@T`
(one tensor for each type in the list T), `N*TYPE` (as many tensors as attribute N holds); a trailing `&` marks a reference.
An attribute is name:TYPE or name:TYPE=DEFAULT; the type of a string that must be one of some is string{ONE;ANOTHER}. A default list
stands in brackets, a shape in angle brackets (`<?>`: unknown rank), and characters of a string outside [A-Za-z0-9_./+-] are written
as %XX.
"""

import pathlib
import re

from tensorflow.core.framework import op_def_pb2, types_pb2
from tensorflow.python.client import pywrap_tf_session

# RETURNN's operators. Its native_op.py compiles them at run time, so no registry has them.
CUSTOM = [
    "LstmGenericBase i Z:#float V_h:#float c:#float i:#float o Y:#float H:#float d:#float a",
    "LstmLowMem i X:#float W:#float b:#float y0:#float c0:#float i:#float start:#int32 step:#int32 "
    "o Y:#float C:#float d:#float a",
    "NativeLstm2 i X:#float W:#float y0:#float c0:#float i:#float start:#int32 step:#int32 "
    "o Y:#float C:#float H:#float d:#float a",
]
# Operators of hardware, tests and training infrastructure, which no model for inference has.
LEFT_OUT = re.compile(r"TPU|^Xla|^Test|^Stub|^Dummy|^BoostedTrees|^(Default|Copy)Attrs?$|^Nccl|^Collective|^Risc")


def type_name(number):
    return types_pb2.DataType.Name(number)[3:].lower()


def quoted(data):
    keep = set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-")
    return "".join(chr(b) if b in keep else f"%{b:02X}" for b in data)


def number(value):
    """The shortest decimal that gives the same binary32."""
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if op_def_pb2.OpDef.AttrDef(default_value={"f": float(text)}).default_value.f == value:
            return text
    return repr(value)


def shape_text(shape):
    return "<?>" if shape.unknown_rank else "<" + ",".join(str(dim.size) for dim in shape.dim) + ">"


def default_text(kind, value):
    if kind.startswith("list("):
        inner = kind[5:-1]
        field = {"int": "i", "float": "f", "bool": "b", "string": "s", "type": "type", "shape": "shape"}.get(inner)
        if field is None:
            return None
        items = getattr(value.list, field)
        return "[" + ";".join(scalar_text(inner, item) for item in items) + "]"
    field = {"int": "i", "float": "f", "bool": "b", "string": "s", "type": "type", "shape": "shape"}.get(kind)
    return None if field is None else scalar_text(kind, getattr(value, field))


def scalar_text(kind, item):
    if kind == "string":
        return quoted(item)
    if kind == "float":
        return number(item)
    if kind == "bool":
        return "true" if item else "false"
    if kind == "type":
        return type_name(item)
    return shape_text(item) if kind == "shape" else str(item)


def argument(arg):
    if arg.type_list_attr:
        text = "@" + arg.type_list_attr
    else:
        text = arg.type_attr or "#" + type_name(arg.type)
        if arg.number_attr:
            text = arg.number_attr + "*" + text
    return f"{arg.name}:{text}{'&' if arg.is_ref else ''}"


def attribute(attr):
    default = default_text(attr.type, attr.default_value) if attr.HasField("default_value") else None
    allowed = attr.allowed_values.list.s if attr.type == "string" else []
    kind = attr.type + ("{" + ";".join(quoted(value) for value in allowed) + "}" if allowed else "")
    return f"{attr.name}:{kind}" + ("" if default is None else "=" + default)


def line(op):
    words = [op.name] + (["!"] if op.is_stateful else [])
    words += ["i"] + [argument(arg) for arg in op.input_arg]
    words += ["o"] + [argument(arg) for arg in op.output_arg]
    words += ["a"] + [attribute(attr) for attr in op.attr]
    return " ".join(words)


def main():
    registered = op_def_pb2.OpList.FromString(pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList()))
    lines = [line(op) for op in registered.op if not LEFT_OUT.search(op.name)] + CUSTOM
    out = pathlib.Path(__file__).resolve().parent.parent / "core/formats/tensorflow/op_defs.inc"
    with open(out, "w", encoding="ascii") as file:
        file.write("// Made by resources/make_tensorflow_op_defs.py, which documents the form of a line.\n")
        for text in sorted(lines):
            file.write('"' + text + '\\n"\n')


if __name__ == "__main__":
    main()
