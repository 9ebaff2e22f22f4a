"""Operators that the other families draw rarely or never, by name."""
import mxnet as mx
import numpy as np

from draws import Drawn
from operators import made, operator
from variables import data, numpy_data

S = mx.sym
N = mx.sym.np
X = mx.sym.npx


def named(d):
    """Operators with classic names."""
    shape, type = d.shape(), d.one_of("float32", "float64", "int32")
    x, y = d.values(shape, type), d.values(shape, type)
    pairs = ("_equal", "_lesser", "_lesser_equal", "_greater", "_greater_equal", "_not_equal", "_logical_or", "_logical_and", "_logical_xor",
             "_identity_with_attr_like_rhs", "_maximum", "_minimum", "_hypot")
    kind = d.one_of("pair", "pair", "copy", "scatter", "makediag", "fill", "square", "product")
    if kind == "pair":
        return Drawn(made(d.one_of(*pairs), 2), [x, y])
    if kind == "copy":
        return Drawn(made(d.one_of("_copyto", "_copy", "make_loss", "BlockGrad"), 1), [x])
    if kind == "scatter":
        return Drawn(made(d.one_of("_scatter_minus_scalar", "_scatter_plus_scalar"), 1, scalar=d.one_of(1.5, 2)), [d.floats(shape)])
    if kind == "makediag":
        return Drawn(S.linalg.makediag(*data(1), offset=d.between(-2, 2)), [d.floats(d.shape(d.between(1, 3)), d.one_of("float32", "float64"))])
    if kind == "fill":
        rows, columns = d.sizes(2, 1, 5)
        places = d.integers((rows,), 0, columns, "float32")
        return Drawn(made("fill_element_0index", ("lhs", "mhs", "rhs")), [d.floats((rows, columns)), d.floats((rows,)), places])
    if kind == "square":
        return Drawn(made("_square_sum", 1, axis=d.one_of(0, 1), keepdims=d.maybe()), [d.floats(d.shape(2))])
    a, b = (np.array([d.numbers.uniform(0.5, 6)], "float32") for _ in range(2))
    levels = [d.numbers.randint(-127, 128, shape).astype("int8") for _ in range(2)]
    return Drawn(made("_contrib_quantized_elemwise_mul", 6, **d.some(enable_float_output=True)), [*levels, -a, a, -b, b])


def numpy_named(d):
    shape, v = d.shape(), numpy_data(2)
    x, kind = d.floats(shape, d.one_of("float32", "float64")), d.one_of("infinite", "bits", "made", "scalar", "checked", "one")
    if kind == "infinite":
        x[d.numbers.rand(*shape) < 0.4] = d.one_of(np.inf, -np.inf)
        return Drawn(d.one_of(N.isposinf, N.isneginf, N.isinf)(v[0]), [x])
    if kind == "bits":
        type = d.one_of("int32", "int64", "uint8", "int8", "bool")
        return Drawn(N.bitwise_not(v[0]), [d.integers(shape, 0, 2, "bool") if type == "bool" else d.values(shape, type)])
    if kind == "made":
        type = d.one_of("float32", "float64", "int32", "int64")
        made_alone = d.one_of(lambda: N.indices(d.shape(d.between(1, 3), 1, 3), dtype=type), lambda: N.zeros(shape, dtype=type),
                              lambda: N.eye(d.between(1, 4), d.between(1, 5), k=d.between(-3, 3), dtype=type))()
        return Drawn(mx.sym.Group([made_alone, X.relu(v[0])]), [x])
    if kind == "scalar":
        name = d.one_of("rldexp", "ldexp", "arctan2", "rarctan2", "copysign", "rcopysign", "greater_equal", "less", "hypot")
        type = d.one_of("float32", "float64", "float16", "int32", "int64", "bool")
        values = d.integers(shape, 0, 2, "bool") if type == "bool" else d.values(shape, type)
        number = d.one_of(1, 2, -3, 2.5)
        return Drawn(made(f"_npi_{name}_scalar", 1, scalar=number, is_int=isinstance(number, int)), [values])
    if kind == "checked":
        return Drawn(mx.sym.Group([operator("_npx_constraint_check")(v[0], msg="it holds")]), [np.ones(shape, bool)])
    name = d.one_of("arccosh", "log2", "reciprocal", "square", "absolute", "cbrt", "log10", "expm1")
    return Drawn(getattr(N, name)(v[0]), [(np.abs(x) + 1).astype(x.dtype)])


def numpy_random(d):
    r, v = mx.sym.np.random, numpy_data(2)
    shape = d.shape()
    kinds = (lambda: operator("_npi_uniform_n")(low=0.5, high=2.0, size=shape), lambda: operator("_npi_normal_n")(loc=0.5, scale=2.0, size=shape),
             lambda: X.random.bernoulli(0.4, size=shape), lambda: r.weibull(1.5, size=shape), lambda: r.logistic(0.5, 1.0, size=shape),
             lambda: operator("_npi_multinomial")(n=5, pvals=(0.2, 0.3, 0.5), size=shape))
    return Drawn(mx.sym.Group([d.one_of(*kinds)(), X.relu(v[0])]), [d.floats((2,))], stochastic=True)


OPERATORS = (named, numpy_named, numpy_random)
