"""Matrix products and decompositions."""
import mxnet as mx
import numpy as np

from draws import Drawn
from variables import data

S = mx.sym


def turned(x, is_turned):
    return np.ascontiguousarray(np.swapaxes(x, -1, -2)) if is_turned else x


def product(d):
    (a, b, c), batch, ta, tb = d.shape(3), d.between(1, 3), d.maybe(), d.maybe()
    if d.maybe():
        x, y = d.floats((batch, a, b)), d.floats((batch, b, c))
        return Drawn(S.batch_dot(*data(2), transpose_a=ta, transpose_b=tb), [turned(x, ta), turned(y, tb)])
    if d.maybe(0.3):
        return Drawn(S.dot(*data(2)), [d.floats((*d.shape(2), b)), d.floats((b, *d.shape(d.between(0, 2))))])
    return Drawn(S.dot(*data(2), transpose_a=ta, transpose_b=tb), [turned(d.floats((a, b)), ta), turned(d.floats((b, c)), tb)])


def linalg(d):
    n, m, batch, type = d.between(1, 4), d.between(1, 4), d.between(1, 2), d.one_of("float32", "float64")
    square, wide = d.floats((batch, n, n), type), d.floats((batch, n, m), type)
    positive = (square @ turned(square, True) + np.eye(n)).astype(type)
    lower = np.linalg.cholesky(positive).astype(type)
    ta, tb, factor = d.maybe(), d.maybe(), d.some(alpha=0.5)
    kinds = {
        "gemm2": lambda: (S.linalg.gemm2(*data(2), transpose_a=ta, transpose_b=tb, **factor), [turned(square, ta), turned(wide, tb)]),
        "gemm": lambda: (S.linalg.gemm(*data(3), transpose_a=ta, transpose_b=tb, **factor, **d.some(beta=2.0)),
                         [turned(square, ta), turned(wide, tb), wide]),
        "potrf": lambda: (S.linalg.potrf(*data(1)), [positive]),
        "potri": lambda: (S.linalg.potri(*data(1)), [lower]),
        "trsm": lambda: (S.linalg.trsm(*data(2), transpose=ta, **factor), [lower, wide]),
        "trmm": lambda: (S.linalg.trmm(*data(2), transpose=ta, **factor), [lower, wide]),
        "syrk": lambda: (S.linalg.syrk(*data(1), transpose=ta, **factor), [wide]),
        "inverse": lambda: (S.linalg.inverse(*data(1)), [positive]),
        "det": lambda: (S.linalg.det(*data(1)), [positive]),
        "slogdet": lambda: (S.linalg.slogdet(*data(1)), [square]),
        "sumlogdiag": lambda: (S.linalg.sumlogdiag(*data(1)), [positive]),
        "extractdiag": lambda: (S.linalg.extractdiag(*data(1), **d.some(offset=0 if n == 1 else d.between(-1, 1))), [square]),
        "makediag": lambda: (S.linalg.makediag(*data(1), **d.some(offset=d.between(-1, 1))), [d.floats((batch, n), type)]),
        "extracttrian": lambda: (S.linalg.extracttrian(*data(1), **d.some(lower=d.maybe())), [square]),
    }
    return Drawn(*kinds[d.one_of(*kinds)]())


def khatri_rao(d):
    columns = d.between(1, 3)
    return Drawn(S.khatri_rao(*data(2)), [d.floats((d.between(1, 3), columns)), d.floats((d.between(1, 3), columns))])


def attention(d):
    length, batch, heads, width = d.shape(4, 1, 3)
    x = d.floats((length, batch, heads * width * 3))
    if d.maybe():
        return Drawn(S.contrib.interleaved_matmul_selfatt_qk(*data(1), heads=heads), [x])
    weights = d.floats((batch * heads, length, length))
    return Drawn(S.contrib.interleaved_matmul_selfatt_valatt(*data(2), heads=heads), [x, weights])


def factors(d):
    """The signs of the rows depend on the algorithm, so squares and products are compared."""
    n, batch = d.between(1, 4), d.shape(d.between(0, 1), 1, 2)
    x = d.floats((*batch, n, n + d.between(0, 2)))
    kind = d.one_of("gelqf", "syevd", "maketrian")
    if kind == "maketrian":
        count = d.one_of(1, 3, 6, 10)
        return Drawn(S.linalg.maketrian(*data(1), **d.some(offset=d.one_of(0, 1, -1, 2), lower=d.maybe())), [d.floats((*batch, count))])
    if kind == "gelqf":
        q, l = S.linalg.gelqf(*data(1))
        return Drawn(S.Group([S.abs(q), S.abs(l), S.linalg.gemm2(l, q)]), [x])
    symmetric = x[..., :n] + turned(x[..., :n], True)
    u, values = S.linalg.syevd(*data(1))
    return Drawn(S.Group([S.abs(u), values]), [symmetric + np.diag(np.arange(n) * 4.0).astype("float32")])


def attention_over_another(d):
    queries, keys, batch, heads, width = d.shape(5, 1, 3)
    q, kv = d.floats((queries, batch, heads * width)), d.floats((keys, batch, heads * width * 2))
    if d.maybe():
        return Drawn(S.contrib.interleaved_matmul_encdec_qk(*data(2), heads=heads), [q, kv])
    return Drawn(S.contrib.interleaved_matmul_encdec_valatt(*data(2), heads=heads), [kv, d.floats((batch * heads, queries, keys))])


OPERATORS = (product, linalg, khatri_rao, attention, factors, attention_over_another)
