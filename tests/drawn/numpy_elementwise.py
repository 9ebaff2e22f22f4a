"""MXNet's NumPy operators: elementwise operators and reductions."""
import mxnet as mx
import numpy as np

from draws import Drawn, nonzero
from variables import numpy_data

N = mx.sym.np
TYPES = ("float32", "float32", "float64", "int32", "int64", "float16")

ANY = ("abs", "sign", "rint", "ceil", "floor", "trunc", "fix", "square", "exp", "expm1", "negative", "logical_not", "sin", "cos", "tan",
       "arctan", "sinh", "cosh", "tanh", "arcsinh", "degrees", "radians", "isnan", "isinf", "isfinite", "nan_to_num", "around")
POSITIVE = ("sqrt", "cbrt", "log", "log10", "log2", "log1p", "reciprocal")
PAIRS = ("add", "subtract", "multiply", "true_divide", "mod", "power", "maximum", "minimum", "hypot", "arctan2", "copysign", "ldexp",
         "equal", "not_equal", "greater", "less", "greater_equal", "less_equal")
OF_BITS = ("bitwise_and", "bitwise_or", "bitwise_xor", "lcm")
REDUCTIONS = ("sum", "mean", "max", "min", "prod", "std", "var", "any", "all", "argmax", "argmin", "cumsum")


def unary(d):
    name, type, shape = d.one_of(*ANY, *POSITIVE), d.one_of(*TYPES), d.shape()
    x = d.values(shape, type)
    x = np.abs(x) + np.asarray(1, type) if name in POSITIVE else x
    return Drawn(getattr(N, name)(*numpy_data(1)), [x.astype(type)])


def binary(d):
    name, shape, type = d.one_of(*PAIRS), d.shape(), d.one_of(*TYPES)
    other = type if d.maybe() else d.one_of(*TYPES)
    a, b = d.values(shape, type), d.values(d.broadcastable(shape), other)
    if name in ("true_divide", "mod"):
        b = nonzero(b)
    if name == "power":
        a, b = np.abs(a) + np.asarray(1, type), np.abs(b) % np.asarray(3, other)
    return Drawn(getattr(N, name)(*numpy_data(2)), [a.astype(type), b.astype(other)])


def number(d):
    """A scalar on either side; its type may widen the tensor's type."""
    name, type, value = d.one_of(*PAIRS[:9], *PAIRS[12:]), d.one_of(*TYPES), d.one_of(1, 2, 3, -2, 0.5, 2.7, -1.5)
    x, on_the_left = nonzero(d.values(d.shape(), type)), d.maybe()
    if name == "power":
        x, value = np.abs(x), abs(value)
    operands = [value, *numpy_data(1)] if on_the_left else [*numpy_data(1), value]
    return Drawn(getattr(N, name)(*operands), [x.astype(type)])


def of_bits(d):
    shape, type = d.shape(), d.one_of("int32", "int64", "uint8")
    a, b = d.integers(shape, 1, 9, type), d.integers(d.broadcastable(shape), 1, 9, type)
    return Drawn(getattr(N, d.one_of(*OF_BITS))(*numpy_data(2)), [a, b])


def reduction(d):
    name, shape = d.one_of(*REDUCTIONS), d.shape(None, 1, 4)
    one_axis = name in ("argmax", "argmin", "cumsum")
    settings = d.some(axis=d.axis(shape) if one_axis or d.maybe() else d.axes(shape))
    if not one_axis:
        settings |= d.some(keepdims=d.maybe())
    if name in ("sum", "mean", "prod", "cumsum", "std", "var") and d.maybe(0.3):
        settings["dtype"] = d.one_of("float32", "float64", "int32")
    if name in ("std", "var"):
        settings |= d.some(ddof=1)
    return Drawn(getattr(N, name)(*numpy_data(1), **settings), [d.values(shape, d.one_of(*TYPES))])


def clip(d):
    return Drawn(N.clip(*numpy_data(1), d.one_of(-1, -0.5), d.one_of(1, 2.5)), [d.values(d.shape(), d.one_of(*TYPES))])


OPERATORS = (unary, binary, number, of_bits, reduction, clip)
