"""Arithmetic in every type, between operands of different rank, and in graphs with unusual wiring."""
import mxnet as mx
import numpy as np

import elementwise
from draws import Drawn, nonzero
from operators import made
from variables import data

S = mx.sym
TYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8")


def unary(d):
    name, type, shape = d.one_of(*elementwise.ANY, *elementwise.POSITIVE, *elementwise.BELOW_ONE, "quadratic"), d.one_of(*TYPES), d.shape()
    x = d.values(shape, type)
    if name in elementwise.POSITIVE:
        x = np.minimum(np.abs(x) + np.asarray(1, type), 6)
    elif name in elementwise.BELOW_ONE:
        x = np.clip(x / 8, -0.9, 0.9)
    elif name == "quadratic":
        return Drawn(made("_contrib_quadratic", 1, a=2, b=-1, c=3), [x.astype(type)])
    return Drawn(getattr(S, name)(*data(1)), [x.astype(type)])


def binary(d):
    """One of the operands may have a lower rank."""
    name, type, shape = d.one_of(*elementwise.PAIRS), d.one_of(*TYPES), d.shape(d.between(2, 5), 1, 3)
    a, b = d.values(shape, type), d.values(d.broadcastable(shape)[d.between(0, len(shape) - 1):], type)
    if d.maybe():
        a, b = b, a
    if name in ("div", "mod"):
        b = nonzero(b)
    if name == "power":
        a, b = np.abs(a) + np.asarray(1, type), np.abs(b) % np.asarray(3, type)
    return Drawn(getattr(S, "broadcast_" + name)(*data(2)), [a.astype(type), b.astype(type)])


def scalar(d):
    name, type = d.one_of(*elementwise.SCALARS), d.one_of(*TYPES)
    number = d.one_of(0, 1, 5, -3, 0.25, -0.75, 3.9, 100, 1e-3)
    x = nonzero(d.values(d.shape(), type))
    whole = not type.startswith("float")
    if name in ("div", "mod") and (number == 0 or whole and abs(number) < 1):
        number = 2
    if "power" in name:
        x, number = np.abs(x) % np.asarray(4, type) + np.asarray(1, type), min(abs(number), 3)
    if type == "uint8":
        number = abs(number)
    return Drawn(made(f"_{name}_scalar", 1, scalar=number), [x.astype(type)])


def clip(d):
    type = d.one_of(*TYPES)
    low, high = d.one_of((-2, 3), (0.5, 2.5), (1, 1), (2, -1), (0, 100))
    low, high = (abs(low), abs(high)) if type == "uint8" else (low, high)
    return Drawn(S.clip(*data(1), a_min=low, a_max=high), [d.values(d.shape(), type)])


def cast(d):
    """Includes negative numbers if the other type is signed."""
    to, type = d.one_of("float16", "float32", "float64", "int32", "int64", "int8", "bool"), d.one_of(*TYPES)
    x = d.values(d.shape(), type)
    return Drawn(S.Cast(*data(1), dtype=to), [x])


def sums(d):
    shape, count, type = d.shape(), d.between(1, 5), d.one_of(*TYPES)
    v = data(count)
    if d.maybe(0.3):
        return Drawn(S.smooth_l1(v[0], scalar=d.one_of(0.5, 2.0)), [d.floats(shape, d.one_of("float64", "float16"))])
    return Drawn(S.add_n(*v, *([v[0]] if d.maybe(0.3) else [])), [d.values(shape, type) for _ in range(count)])


def wired(d):
    """Values that are unused, read twice, or output twice or in another order; inputs and weights as outputs."""
    shape = d.shape(2, 2, 4)
    count = d.between(1, 3)
    values = data(count)
    for i in range(d.between(2, 8)):
        a, b = d.one_of(*values), d.one_of(*values)
        name = {} if d.maybe(0.7) else {"name": "again"}
        kinds = (lambda: S.elemwise_add(a, b, **name), lambda: S.elemwise_mul(a, b, **name), lambda: S.tanh(a, **name), lambda: a * 1.5 - b,
                 lambda: S.identity(a, **name), lambda: S.BlockGrad(a, **name), lambda: S.Dropout(a, p=0.3, **name),
                 lambda: S.Cast(a, dtype="float32"),
                 lambda: S.transpose(S.transpose(a)), lambda: S.Reshape(a, shape=(0, 0), **name), lambda: S.expand_dims(a, axis=0).sum(axis=0),
                 lambda: S.SliceChannel(S.Concat(a, b, dim=1), num_outputs=2, axis=1)[d.between(0, 1)],
                 lambda: S.topk(a, axis=1, k=shape[1], ret_typ="value"), lambda: S.maximum(a, b), lambda: S.zeros_like(a) + b)
        values.append(d.one_of(*kinds)())
    shown = [d.one_of(*values) for _ in range(d.between(1, 4))]
    return Drawn(S.Group(shown), [d.distinct(shape) / 7 for _ in range(count)], d.between(0, count - 1))


OPERATORS = (unary, binary, scalar, clip, cast, sums, wired)
