"""MXNet's NumPy operators with a scalar operand, and further binary operators."""
import mxnet as mx
import numpy as np

from draws import Drawn, nonzero
from operators import made
from variables import numpy_data

N = mx.sym.np
TYPES = ("float32", "float32", "float64", "int32", "int64", "float16")
SCALARS = ("add", "subtract", "rsubtract", "multiply", "mod", "rmod", "power", "rpower", "true_divide", "rtrue_divide", "arctan2",
           "rarctan2", "copysign",
           "rcopysign", "ldexp", "rldexp", "equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "maximum", "minimum")
OF_BITS = ("bitwise_and", "bitwise_or", "bitwise_xor", "lcm")
ANY = ("logical_not", "isposinf", "isneginf", "isnan", "isinf", "isfinite", "arctan", "degrees", "radians", "cosh", "sinh", "tan", "cos",
       "tanh", "negative",
       "around", "rint", "trunc", "fix", "floor", "ceil", "expm1", "square", "absolute", "cbrt", "arcsinh", "sign", "exp", "reciprocal")
ABOVE_ONE = ("log", "log2", "log10", "log1p", "sqrt", "arccosh")
BELOW_ONE = ("arcsin", "arccos", "arctanh")


def number(d):
    name, type, value = d.one_of(*SCALARS), d.one_of(*TYPES), d.one_of(1, 2, 3, -2, 0.5, 2.7, -1.5, 0)
    x = nonzero(d.values(d.shape(), type))
    if "power" in name:
        x, value = np.abs(x), abs(value) + 0.5
    if name in ("mod", "true_divide") and value == 0:
        value = 2
    form = "_" + name + "_scalar" if name in ("maximum", "minimum") else f"_npi_{name}_scalar"
    return Drawn(made(form, 1, scalar=value, is_int=isinstance(value, int)), [x.astype(type)])


def number_of_bits(d):
    name, type = d.one_of(*OF_BITS), d.one_of("int32", "int64", "uint8", "int8")
    x = d.integers(d.shape(), 1 if type == "uint8" or name == "lcm" else -9, 9, type)
    return Drawn(made(f"_npi_{name}_scalar", 1, scalar=d.between(1, 12), is_int=True), [x])


def more_unary(d):
    name, type, shape = d.one_of(*ANY, *ABOVE_ONE, *BELOW_ONE), d.one_of(*TYPES, "uint8", "int8", "bool"), d.shape()
    x = d.integers(shape, 0, 2, "bool") if type == "bool" else d.values(shape, type)
    if name == "reciprocal":
        x = nonzero(x)
    if name in ABOVE_ONE:
        x = (np.abs(x) + np.asarray(1, x.dtype)).astype(x.dtype)
    if name in BELOW_ONE and type.startswith("float"):
        x = np.clip(x / 8, -0.9, 0.9).astype(type)
    settings = d.some(decimals=d.between(-1, 2)) if name == "around" else {}
    return Drawn(getattr(N, name)(*numpy_data(1), **settings), [x])


def not_a_number(d):
    x = d.floats(d.shape(), d.one_of("float32", "float64"))
    for value in (np.nan, np.inf, -np.inf):
        x[d.numbers.rand(*x.shape) < 0.2] = value
    return Drawn(N.nan_to_num(*numpy_data(1), **d.some(nan=1.5, posinf=7.0, neginf=-8.0)), [x])


def mixed(d):
    """Operands of two types; each operator has its own promotion rules."""
    name, shape = d.one_of("add", "subtract", "multiply", "true_divide", "mod", "power", "maximum", "hypot", "arctan2", "logical"), d.shape()
    types = d.one_of(("float32", "float64"), ("int32", "float32"), ("int64", "float16"), ("bool", "float32"), ("bool", "int32"), ("uint8", "int32"))
    a, b = [d.integers(shape, 0, 2, "bool") if t == "bool" else nonzero(d.values(shape, t)) for t in d.random.sample(types, 2)]
    if name == "power":
        a, b = [x if x.dtype == bool else np.abs(x) % np.asarray(4, x.dtype) + np.asarray(1, x.dtype) for x in (a, b)]
    name = d.one_of("equal", "less", "greater_equal", "not_equal") if name == "logical" else name
    return Drawn(getattr(N, name)(*numpy_data(2)), [a, b])


def where(d):
    shape, type, kind = d.shape(), d.one_of("float32", "int32", "float64"), d.one_of("lscalar", "rscalar", "scalar2")
    condition = d.integers(shape, 0, 2, d.one_of("int32", "float32", "bool"))
    if kind == "scalar2":
        return Drawn(made("_npi_where_scalar2", 1, x=1.5, y=-2.0), [condition])
    other = d.values(d.broadcastable(shape), type)
    return Drawn(made("_npi_where_" + kind, 2, scalar=d.one_of(2, 1.5)), [condition, other])


def bounded(d):
    type = d.one_of("float32", "int32", "float64")
    low, high = d.one_of((None, 1), (-1, None), (-1, 2))
    return Drawn(N.clip(*numpy_data(1), low, high), [d.values(d.shape(), type)])


OPERATORS = (number, number_of_bits, more_unary, not_a_number, mixed, where, bounded)
