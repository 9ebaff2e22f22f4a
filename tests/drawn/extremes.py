"""Values that are not finite, integer overflow, and empty arrays.

Excludes cases that MXNet does not define: relu of a float32 NaN is 0 with oneDNN and NaN in all other builds; a maximum of NaNs depends
on the order; and compensated sums lose infinities.
"""
import mxnet as mx
import numpy as np

import elementwise
from draws import Drawn
from operators import made
from variables import data, numpy_data

S = mx.sym
N = mx.sym.np
X = mx.sym.npx
NUMBERS = (np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0, -1.0, 0.5, -2.5, 3e4, -3e4, 1e-7)

UNARY = ("abs", "sign", "round", "rint", "ceil", "floor", "trunc", "fix", "square", "exp", "expm1", "negative", "logical_not", "arctan",
         "sinh", "cosh",
         "tanh", "arcsinh", "erf", "relu", "sigmoid", "softsign", "hard_sigmoid", "sqrt", "rsqrt", "log", "log10", "log2", "log1p",
         "reciprocal", "arccosh", "arcsin", "arccos", "arctanh", "degrees", "radians", "softmax", "zeros_like", "sum", "mean", "prod",
         "nanprod", "norm", "erfinv", "gamma", "gammaln")


def special(d, shape, type="float32"):
    return d.numbers.choice(np.array(NUMBERS), shape).astype(type)


def unary(d):
    name = d.one_of(*UNARY)
    return Drawn(getattr(S, name)(*data(1)), [special(d, d.shape(d.between(1, 3)), d.one_of("float32", "float32", "float64"))], finite=False)


def activation(d):
    x = special(d, d.shape(d.between(2, 3)))
    kinds = (lambda: S.Activation(*data(1), act_type=d.one_of("sigmoid", "tanh", "softrelu", "softsign")),
             lambda: S.LeakyReLU(*data(1), act_type=d.one_of("leaky", "elu", "selu", "gelu"), **d.some(slope=0.1)),
             lambda: S.clip(*data(1), a_min=-1, a_max=2), lambda: S.smooth_l1(*data(1), scalar=1.0))
    return Drawn(d.one_of(*kinds)(), [x], finite=False)


def binary(d):
    shape, type = d.shape(), d.one_of("float32", "float32", "float64")
    a, b = special(d, shape, type), special(d, d.broadcastable(shape), type)
    return Drawn(getattr(S, "broadcast_" + d.one_of(*(p for p in elementwise.PAIRS if p != "hypot")))(*data(2)), [a, b], finite=False)


def scalar(d):
    value = d.one_of(0, 1, -1, 2, 0.5, -2.5)
    return Drawn(made(f"_{d.one_of(*(s for s in elementwise.SCALARS if s != 'hypot'))}_scalar", 1, scalar=value), [special(d, d.shape())],
                 finite=False)


def numpy_pair(d):
    name = d.one_of("add", "subtract", "multiply", "true_divide", "mod", "power", "maximum", "minimum", "arctan2", "copysign", "equal", "less",
                    "greater_equal", "not_equal", "isnan", "isinf", "isfinite", "around", "rint", "sign", "logical_not", "any", "all")
    v = numpy_data(2)
    if name in ("isnan", "isinf", "isfinite", "around", "rint", "sign", "logical_not", "any", "all"):
        return Drawn(getattr(N, name)(v[0]), [special(d, d.shape())], finite=False)
    shape = d.shape()
    return Drawn(getattr(N, name)(*v), [special(d, shape), special(d, shape)], finite=False)


def wrapped(d):
    """Integers at the limits of their types."""
    type = d.one_of("int8", "uint8", "int32", "int64")
    info, shape = np.iinfo(type), d.shape()
    x, y = (d.numbers.choice(np.array([info.min, info.max, 0, 1, 3, info.max // 2 + 5], type), shape) for _ in range(2))
    name = d.one_of("broadcast_add", "broadcast_sub", "broadcast_mul", "broadcast_maximum", "broadcast_equal", "broadcast_greater",
                    "negative", "sign", "_plus_scalar", "_minus_scalar", "_rminus_scalar", "_mul_scalar", "_maximum_scalar",
                    "_greater_scalar")
    if name.endswith("_scalar"):
        return Drawn(made(name, 1, scalar=d.one_of(1, 3, 100)), [x])
    return Drawn(made(name, 2), [x, y]) if name.startswith("broadcast") else Drawn(made(name, 1), [x])


def cast(d):
    """Casts of values that both types can represent."""
    values = np.array([0, 1, 2.5, 100.75, 127, 0.49, 3.999])
    x = d.numbers.choice(values, d.shape()).astype(d.one_of("float32", "float64", "float16", "int32", "int64", "uint8"))
    return Drawn(S.Cast(*data(1), dtype=d.one_of("float32", "float64", "float16", "int32", "int64", "int8", "uint8", "bool")), [x])


def nothing(d):
    """Empty arrays, which NumPy shapes allow."""
    shape = list(d.shape(d.between(1, 3)))
    shape[d.between(0, len(shape) - 1)] = 0
    v, axis = numpy_data(2), d.axis(shape)
    full = [1 if s == 0 else s for s in shape]
    kinds = (lambda: (N.sum(v[0], **d.some(axis=axis, keepdims=d.maybe())), [shape]), lambda: (N.prod(v[0], **d.some(axis=axis)), [shape]),
             lambda: (N.concatenate(v, axis=shape.index(0)), [shape, full]), lambda: (N.add(*v), [shape, shape]), lambda: (N.exp(v[0]), [shape]),
             lambda: (N.transpose(v[0]), [shape]), lambda: (N.expand_dims(v[0], axis), [shape]), lambda: (X.relu(v[0]), [shape]),
             lambda: (N.stack(v, axis=0), [shape, shape]), lambda: (N.tile(v[0], 2), [shape]), lambda: (N.where(v[0], v[0], v[1]), [shape, shape]),
             lambda: (X.softmax(v[0], axis=axis), [shape]), lambda: (N.reshape(v[0], (0, 3)), [shape]),
             lambda: (N.flip(v[0], axis % len(shape)), [shape]),
             lambda: (N.squeeze(v[0]), [shape]), lambda: (N.mean(v[0], axis=axis), [shape]), lambda: (N.any(v[0]), [shape]),
             lambda: (N.all(v[0]), [shape]),
             lambda: (N.dot(*v), [(2, 0), (0, 3)]), lambda: (N.matmul(*v), [(2, 2, 0), (2, 0, 3)]), lambda: (N.cumsum(v[0], axis=axis), [shape]),
             lambda: (N.broadcast_to(v[0], (2, *shape)), [shape]), lambda: (N.swapaxes(v[0], 0, -1), [shape]),
             lambda: (N.repeat(v[0], 2, axis=axis), [shape]),
             lambda: (N.std(v[0], axis=axis), [shape]), lambda: (N.einsum("ab,bc->ac", *v), [(2, 0), (0, 3)]),
             lambda: (N.tensordot(*v, axes=1), [(2, 0), (0, 3)]),
             lambda: (X.one_hot(v[0], 3), [shape]), lambda: (X.fully_connected(v[0], v[1], num_hidden=2, no_bias=True), [(0, 3), (2, 3)]))
    symbol, shapes = d.one_of(*kinds)()
    return Drawn(symbol, [d.floats(s) for s in shapes], finite=False)


def scalars(d):
    """Scalars (arrays of rank 0)."""
    v, shape = numpy_data(2), d.shape(d.between(0, 2))
    kinds = (lambda: N.add(*v), lambda: N.multiply(*v), lambda: N.maximum(*v),
             lambda: N.concatenate([N.expand_dims(v[0], 0), N.expand_dims(v[0], 0)], axis=0),
             lambda: N.sum(v[0]), lambda: N.exp(v[0]), lambda: N.reshape(v[0], (1, 1)), lambda: N.reshape(v[0], (-1,)),
             lambda: N.broadcast_to(v[0], (2, 3)), lambda: N.where(v[0], v[0], v[1]),
             lambda: N.stack([v[0], v[0]]), lambda: N.dot(*v), lambda: N.tile(v[0], (2, 2)), lambda: N.transpose(v[0]), lambda: N.clip(v[0], -1, 1),
             lambda: N.argmax(v[0]), lambda: N.expand_dims(v[0], -1), lambda: N.ravel(v[0]), lambda: N.atleast_2d(v[0]),
             lambda: N.outer(*v), lambda: N.cumsum(v[0]), lambda: N.mean(v[0], keepdims=True))
    return Drawn(d.one_of(*kinds)(), [np.asarray(d.floats(()), "float32"), np.asarray(d.floats(shape), "float32")])


OPERATORS = (unary, activation, binary, scalar, numpy_pair, wrapped, cast, nothing, scalars)
