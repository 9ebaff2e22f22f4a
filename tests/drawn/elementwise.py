"""Elementwise operators with one operand, two operands, or a scalar."""
import mxnet as mx
import numpy as np

from draws import FLOATS, INTEGERS, Drawn, nonzero
from operators import made
from variables import data

S = mx.sym

ANY = ("abs", "sign", "round", "rint", "ceil", "floor", "trunc", "fix", "square", "exp", "expm1", "negative", "logical_not",
       "sin", "cos", "tan", "arctan", "sinh", "cosh", "tanh", "arcsinh", "degrees", "radians", "erf", "relu", "sigmoid", "softsign",
       "hard_sigmoid", "size_array", "shape_array", "zeros_like", "ones_like", "BlockGrad", "make_loss", "Flatten", "identity")
POSITIVE = ("sqrt", "rsqrt", "cbrt", "rcbrt", "log", "log10", "log2", "log1p", "reciprocal", "gamma", "gammaln", "arccosh")
BELOW_ONE = ("arcsin", "arccos", "arctanh", "erfinv")
OF_INTEGERS = ("abs", "sign", "square", "negative", "relu", "logical_not", "round", "floor", "ceil", "zeros_like", "ones_like")
PAIRS = ("add", "sub", "mul", "div", "mod", "power", "maximum", "minimum", "hypot", "equal", "not_equal", "greater", "lesser",
         "greater_equal", "lesser_equal", "logical_and", "logical_or", "logical_xor")
SCALARS = ("plus", "minus", "rminus", "mul", "div", "rdiv", "mod", "rmod", "power", "rpower", "maximum", "minimum", "hypot", "equal",
           "not_equal", "greater", "greater_equal", "lesser", "lesser_equal", "logical_and", "logical_or", "logical_xor")


def unary(d):
    name, type, shape = d.one_of(*ANY, *POSITIVE, *BELOW_ONE), d.one_of(*FLOATS), d.shape()
    if name in POSITIVE:
        x = d.positive(shape, type) + np.asarray(1 if name == "arccosh" else 0, type)
        x = np.minimum(x, 6) if name == "gamma" else x
    elif name in BELOW_ONE:
        x = np.clip(d.floats(shape, type) / 8, -0.9, 0.9)
    else:
        x = np.round(d.floats(shape, type) * 4) / 4  # includes halves and integers
    return Drawn(getattr(S, name)(*data(1)), [x.astype(type)])


def unary_of_integers(d):
    return Drawn(getattr(S, d.one_of(*OF_INTEGERS))(*data(1)), [d.values(d.shape(), d.one_of(*INTEGERS))])


def binary(d):
    name, type, shape = d.one_of(*PAIRS), d.one_of(*FLOATS, *INTEGERS), d.shape()
    a, b = d.values(shape, type), d.values(d.broadcastable(shape), type)
    if d.maybe():
        a, b = b, a
    if name in ("div", "mod"):
        b = nonzero(b)
    if name == "power":
        a, b = np.abs(a) + np.asarray(1, type), np.abs(b) % np.asarray(3, type)
    return Drawn(getattr(S, "broadcast_" + name)(*data(2)), [a.astype(type), b.astype(type)])


def scalar(d):
    name, type, number = d.one_of(*SCALARS), d.one_of(*FLOATS, *INTEGERS), d.one_of(0, 1, 2, 3, -2, 0.5, -1.5, 2.7)
    x = d.values(d.shape(), type)
    if name in ("rdiv", "rmod"):
        x = nonzero(x)
    if name in ("div", "mod") and abs(number) < 1:
        number = 2
    if "power" in name:
        x, number = np.abs(x), abs(number)
    if type == "uint8":
        number = abs(number)
    return Drawn(getattr(S._internal, f"_{name}_scalar")(*data(1), scalar=number), [x.astype(type)])


def of_one_shape(d):
    """The forms that do not broadcast."""
    name, type, shape = d.one_of(*PAIRS), d.one_of(*FLOATS, *INTEGERS), d.shape()
    a, b = d.values(shape, type), d.values(shape, type)
    if name in ("div", "mod"):
        b = nonzero(b)
    if name == "power":
        a, b = np.abs(a) + np.asarray(1, type), np.abs(b) % np.asarray(3, type)
    return Drawn(made(("elemwise_" if name in ("add", "sub", "mul", "div") else "_") + name, 2), [a.astype(type), b.astype(type)])


def clip(d):
    return Drawn(S.clip(*data(1), a_min=d.one_of(-1.5, 0, -2), a_max=d.one_of(1.5, 3, 0.5)), [d.floats(d.shape(), d.one_of(*FLOATS))])


def cast(d):
    to = d.one_of("float16", "float32", "float64", *INTEGERS, "bool")
    x = np.abs(d.values(d.shape(), d.one_of("float32", "int32", "float64")))  # the conversion of negative numbers to uint8 depends on the processor
    return Drawn(S.Cast(*data(1), dtype=to), [x])


def smooth_l1(d):
    return Drawn(S.smooth_l1(*data(1), scalar=d.one_of(0.5, 1.0, 2.0)), [d.floats(d.shape())])


def add_n(d):
    shape, count = d.shape(), d.between(1, 4)
    return Drawn(S.add_n(*data(count)), [d.floats(shape) for _ in range(count)])


def where(d):
    shape = d.shape()
    condition = d.integers(shape, 0, 2, d.one_of("float32", "int32"))
    return Drawn(S.where(*data(3)), [condition, d.floats(shape), d.floats(shape)])


OPERATORS = (unary, unary_of_integers, binary, of_one_shape, scalar, clip, cast, smooth_l1, add_n, where)
