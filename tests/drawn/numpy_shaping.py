"""MXNet's NumPy operators that move, join and repeat elements."""
import mxnet as mx
import numpy as np

from draws import Drawn
from variables import numpy_data

N = mx.sym.np
X = mx.sym.npx
TYPES = ("float32", "float64", "int32", "int64", "float16")


def moved(d):
    shape = d.shape(None, 1, 4)
    v, rank = numpy_data(1)[0], len(shape)
    kinds = {
        "reshape": lambda: N.reshape(v, d.one_of((-1,), (1, -1), (-1, shape[-1]), (shape[0], -1))),
        "transpose": lambda: N.transpose(v, d.permutation(rank)),
        "expand_dims": lambda: N.expand_dims(v, d.between(-rank - 1, rank)),
        "moveaxis": lambda: N.moveaxis(v, d.axis(shape), d.axis(shape)),
        "swapaxes": lambda: N.swapaxes(v, d.axis(shape), d.axis(shape)),
        "flip": lambda: N.flip(v, d.one_of(None, d.axis(shape), d.axes(shape))),
        "roll": lambda: N.roll(v, d.one_of(1, -2, 5), axis=d.one_of(None, d.axis(shape))),
        "rot90": lambda: N.rot90(v, d.between(-3, 5), axes=d.permutation(rank)[:2]),
        "tile": lambda: N.tile(v, d.shape(None, 1, 3)),
        "repeat": lambda: N.repeat(v, d.between(1, 3), axis=d.one_of(None, d.axis(shape))),
        "diff": lambda: N.diff(v, n=1, axis=d.axis(shape)),
        "broadcast_to": lambda: N.broadcast_to(v, (2, *shape)),
        "npx.reshape": lambda: X.reshape(v, d.one_of((-2, -1), (-5, -4), (-1,), (-4,))),
    }
    names = [k for k in kinds if k != "rot90" or rank > 1]
    return Drawn(kinds[d.one_of(*names)](), [d.values(shape, d.one_of(*TYPES))])


def padded(d):
    shape = d.shape(None, 2, 4)
    mode = d.one_of("constant", "edge", "reflect", "symmetric", "maximum", "minimum")
    return Drawn(N.pad(*numpy_data(1), tuple(d.sizes(2, 0, 1) for _ in shape), mode=mode), [d.floats(shape)])


def joined(d):
    shape, count, type = d.shape(None, 1, 4), d.between(1, 3), d.one_of(*TYPES)
    v = numpy_data(count)
    symbol = d.one_of(lambda: N.stack(v, axis=d.between(-len(shape) - 1, len(shape))), lambda: N.concatenate(v, axis=d.axis(shape)),
                      lambda: N.vstack(v), lambda: N.hstack(v), lambda: N.dstack(v), lambda: N.column_stack(v))()
    return Drawn(symbol, [d.values(shape, type) for _ in range(count)])


def parts(d):
    shape = (4, *d.shape(d.between(0, 2)))
    return Drawn(mx.sym.Group(list(N.split(*numpy_data(1), d.one_of(2, (1, 3), 4), axis=0))), [d.values(shape, d.one_of(*TYPES))])


def where(d):
    shape, type = d.shape(), d.one_of(*TYPES)
    condition = d.integers(shape, 0, 2, d.one_of("int32", "float32", "bool"))
    return Drawn(N.where(*numpy_data(3)), [condition, d.values(shape, type), d.values(shape, type)])


def products(d):
    (a, b, c), n = d.shape(3), d.between(1, 3)
    x, y = numpy_data(2)
    kinds = (lambda: (N.dot(x, y), (n, a, b), (2, b, c)), lambda: (N.matmul(x, y), (n, 1, a, b), (n, b, c)), lambda: (N.matmul(x, y), (b,), (n, b, c)),
             lambda: (N.tensordot(x, y, axes=1), (a, b), (b, c)), lambda: (N.tensordot(x, y, axes=((0, 2), (1, 0))), (a, n, b), (b, a, c)),
             lambda: (N.einsum(d.one_of("ij,jk->ik", "ij,jk", "ij,jk->kji"), x, y), (a, b), (b, c)), lambda: (N.outer(x, y), (a,), (b,)),
             lambda: (N.inner(x, y), (a, b), (c, b)), lambda: (N.vdot(x, y), (a,), (a,)))
    symbol, left, right = d.one_of(*kinds)()
    return Drawn(symbol, [d.floats(left), d.floats(right)])


def norm(d):
    shape = d.shape(2)
    settings = d.some(ord=d.one_of(1, 2, np.inf, -np.inf), keepdims=d.maybe())
    return Drawn(N.linalg.norm(*numpy_data(1), axis=d.axis(shape), **settings), [d.floats(shape)])


def chosen(d):
    shape = d.shape(d.between(2, 4), 2, 4)
    if d.maybe():
        return Drawn(X.pick(*numpy_data(2), axis=-1), [d.floats(shape), d.integers(shape[:-1], 0, shape[-1], "float32")])
    settings = d.some(is_ascend=d.maybe())
    symbol = X.topk(*numpy_data(1), k=d.between(1, shape[-1]), axis=-1, ret_typ=d.one_of("value", "indices", "both"), **settings)
    return Drawn(mx.sym.Group(symbol) if isinstance(symbol, list) else symbol, [d.distinct(shape)])


OPERATORS = (moved, padded, joined, parts, where, products, norm, chosen)
