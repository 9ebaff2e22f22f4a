"""MXNet's NumPy operators on arrays: creation, slicing, counting, insertion, linear algebra."""
import mxnet as mx
import numpy as np

from draws import Drawn
from operators import made
from variables import numpy_data

N = mx.sym.np
X = mx.sym.npx
TYPES = ("float32", "float64", "int32", "int64", "float16", "uint8", "bool")


def beside(d, symbol):
    """With an input, because MXNet cannot run a graph without one."""
    return Drawn(mx.sym.Group([symbol, X.relu(*numpy_data(1))]), [d.floats((2,))])


def created(d):
    type, n = d.one_of("float32", "float64", "int32", "int64"), d.between(1, 6)
    kinds = (lambda: N.zeros(d.shape(), dtype=type), lambda: N.ones(d.shape(), dtype=type), lambda: N.full(d.shape(), 2.5, dtype=type),
             lambda: N.eye(n, d.one_of(None, 3), k=d.between(-1, 2), dtype=type), lambda: N.identity(n, dtype=type),
             lambda: N.arange(d.one_of(0, 1.5), n + 2, d.one_of(1, 0.5), dtype=type), lambda: N.linspace(0, n, n + 1, endpoint=d.maybe()),
             lambda: N.logspace(0, 2, n, endpoint=d.maybe(), base=d.one_of(2.0, 10.0)), lambda: N.indices(d.shape(2, 1, 3)),
             lambda: N.hanning(n), lambda: N.hamming(n), lambda: N.blackman(n))
    return beside(d, d.one_of(*kinds)())


def like(d):
    x, type = d.values(d.shape(), d.one_of("float32", "int32")), d.one_of(None, "float32", "int32", "float64")
    v = numpy_data(1)[0]
    return Drawn(d.one_of(lambda: N.full_like(v, 2.5, dtype=type), lambda: N.zeros_like(v), lambda: N.ones_like(v))(), [x])


def diagonal(d):
    shape = d.shape(d.between(2, 4), 1, 4)
    v, kind = numpy_data(1)[0], d.one_of("diag", "diagonal", "trace", "tril", "diagflat", "diag_indices_from")
    x = d.floats(shape)
    offset, (a, b) = d.between(-1, 1), d.permutation(len(shape))[:2]
    if kind == "diag":
        x = x[0] if x.ndim == 2 and d.maybe() else d.floats(d.shape(2, 2, 4))
        return Drawn(N.diag(v, k=offset), [x])
    if kind == "diagflat":
        return Drawn(N.diagflat(v, k=offset), [d.floats(d.shape(d.between(1, 2)))])
    if kind == "diag_indices_from":
        return Drawn(N.diag_indices_from(v), [d.floats((d.between(1, 4),) * d.between(2, 3))])
    if kind == "tril":
        return Drawn(N.tril(v, k=d.between(-2, 2)), [x])
    return Drawn(getattr(N, kind)(v, offset=0, axis1=a, axis2=b), [x])


def cut(d):
    axis, kind = 0, d.one_of("split", "hsplit", "vsplit", "dsplit", "array_split")
    shape = (4, 4, 4, *d.shape(d.between(0, 1)))
    where = d.one_of(2, 4, (1, 3), (2,))
    more = dict(axis=d.between(0, 2)) if kind in ("split", "array_split") else {}
    return Drawn(mx.sym.Group(list(getattr(N, kind)(*numpy_data(1), where, **more))), [d.floats(shape)])


def at_least(d):
    return Drawn(getattr(N, d.one_of("atleast_1d", "atleast_2d", "atleast_3d"))(*numpy_data(1)),
                 [np.asarray(d.floats(d.shape(d.between(0, 4))), "float32")])


def followed(symbols):
    """Through another operator, because the executor returns empty tensors if they are outputs of the model."""
    copies = [N.copy(s) for s in symbols]
    return mx.sym.Group(copies) if len(copies) > 1 else copies[0]


def counted(d):
    x = d.integers((d.between(1, 8),), 0, 6, d.one_of("int32", "int64"))
    if d.maybe():
        if d.maybe():
            return Drawn(followed([N.bincount(*numpy_data(1), minlength=d.between(0, 8))]), [x], open_size=True)
        return Drawn(followed([N.bincount(*numpy_data(2), minlength=d.between(0, 8))]), [x, d.floats(x.shape)], open_size=True)
    y = d.integers(d.shape(d.between(1, 3)), 0, 4, d.one_of("int32", "float32"))
    axis = d.one_of(None, None, *range(y.ndim))
    asked = d.some(return_index=True, return_inverse=True, return_counts=True)
    outputs = N.unique(*numpy_data(1), axis=axis, **asked)
    return Drawn(followed(outputs if isinstance(outputs, (list, tuple)) else [outputs]), [y], open_size=True)


def weighed(d):
    shape = d.shape(d.between(1, 3), 1, 4)
    axis = d.one_of(None, d.axis(shape))
    kind, v = d.one_of("average", "percentile", "quantile", "weighted"), numpy_data(2)
    x = d.floats(shape, d.one_of("float32", "float64"))
    if kind == "weighted":
        weights = d.positive(shape if axis is None or d.maybe() else (shape[axis],), str(x.dtype))
        return Drawn(N.average(v[0], axis=axis, weights=v[1]), [x, weights])
    if kind == "average":
        return Drawn(N.average(v[0], axis=axis), [x])
    settings = d.some(keepdims=d.maybe())
    settings |= d.some(interpolation=d.one_of("linear", "lower", "higher", "midpoint", "nearest"))
    if d.maybe():
        return Drawn(getattr(N, kind)(v[0], d.one_of(0.3, 0.5, 1.0), axis=axis, **settings), [x])
    return Drawn(getattr(N, kind)(v[0], v[1], axis=axis, **settings), [x, np.array([0.2, 0.7], x.dtype)])


def edited(d):
    shape = d.shape(d.between(1, 3), 2, 5)
    axis, v, type = d.one_of(None, d.axis(shape)), numpy_data(2), d.one_of("float32", "int32", "float64")
    size = int(np.prod(shape)) if axis is None else shape[axis]
    x = d.values(shape, type)
    place = d.one_of(d.between(-size, size - 1), slice(0, size, 2), slice(None, None, None), slice(1, None, None))
    if d.maybe():
        return Drawn(followed([N.delete(v[0], place, axis=axis)]), [x], open_size=True)
    if d.maybe():
        return Drawn(N.insert(v[0], place, d.one_of(2, 1.5), axis=axis), [x])
    if d.maybe(0.3):
        places = np.array(d.numbers.randint(0, size, d.between(1, 3)), "int64")
        return Drawn(followed([N.delete(v[0], v[1], axis=axis)]), [x, places], open_size=True)
    if axis is None:
        return Drawn(N.insert(v[0], place if isinstance(place, int) else 0, v[1], axis=axis), [x, d.values((d.between(1, 3),), type)])
    part = [1 if i == axis % len(shape) else s for i, s in enumerate(shape)]
    return Drawn(N.insert(v[0], slice(0, 1), v[1], axis=axis), [x, d.values(part, type)])


def solved(d):
    n, batch, type = d.between(1, 4), d.shape(d.between(0, 2), 1, 2), d.one_of("float32", "float64")
    square = (d.floats((*batch, n, n), type) + 4 * np.eye(n)).astype(type)
    v, kind = numpy_data(2), d.one_of("solve", "inv", "cholesky", "det", "slogdet", "tensorinv", "tensorsolve")
    positive = (square @ np.swapaxes(square, -1, -2)).astype(type)
    if kind == "solve":
        return Drawn(N.linalg.solve(*v), [square, d.floats((*batch, n, d.between(1, 3)), type)])
    if kind == "tensorinv":
        return Drawn(N.linalg.tensorinv(v[0], ind=1), [d.floats((6, 2, 3), type) + np.eye(6).reshape(6, 2, 3).astype(type) * 4])
    if kind == "tensorsolve":
        return Drawn(N.linalg.tensorsolve(*v), [d.floats((2, 3, 6), type) + np.eye(6).reshape(2, 3, 6).astype(type) * 4, d.floats((2, 3), type)])
    if kind == "slogdet":
        return Drawn(mx.sym.Group(list(N.linalg.slogdet(v[0]))), [square])
    return Drawn(getattr(N.linalg, kind)(v[0]), [positive if kind == "cholesky" else square])


def of_rows(d):
    shape = d.shape(d.between(1, 3), 1, 4)
    v, kind = numpy_data(2), d.one_of("ediff1d", "polyval", "squeeze", "broadcast_to", "nonzero", "diff", "cumsum", "copy", "ravel")
    x = d.values(shape, d.one_of("float32", "int32", "float64"))
    if kind == "polyval":
        return Drawn(N.polyval(*v), [d.floats((d.between(1, 4),)), d.floats(shape)])
    if kind == "ediff1d":
        x = d.floats((*shape, 2))
        return Drawn(N.ediff1d(v[0], **d.some(to_end=d.one_of(2.5, -1.0), to_begin=3.0)), [x])
    if kind == "squeeze":
        return Drawn(N.squeeze(v[0], **d.some(axis=d.one_of(0, -1, (0, len(shape) + 1)))), [x.reshape(1, *shape, 1)])
    if kind == "broadcast_to":
        return Drawn(N.broadcast_to(v[0], (*d.shape(d.between(0, 2)), *shape)), [d.floats(d.broadcastable(shape))])
    if kind == "nonzero":
        return Drawn(followed([X.nonzero(v[0])]), [d.integers(shape, 0, 2, "float32") + np.eye(shape[0], 1)[0, 0].astype("float32")], open_size=True)
    if kind == "diff":
        return Drawn(N.diff(v[0], n=d.between(1, 2), axis=d.axis(shape)), [x])
    if kind == "cumsum":
        return Drawn(N.cumsum(v[0], **d.some(axis=d.axis(shape), dtype=d.one_of("float64", "int32"))), [x])
    return Drawn(getattr(N, kind)(v[0]), [x])


def einsum(d):
    a, b, c, e = d.shape(4, 1, 3)
    sizes = dict(a=a, b=b, c=c, e=e)
    text = d.one_of("ab,bc->ac", "abc->cb", "ab->", "aab->b", "abc,cd->abd".replace("d", "e"), "ab,ab->a", "a,b->ab", "...a,a->...",
                    "ab,bc,ce->ae", "aa->a", "ab,cb", "abc,abc")
    shapes = [tuple(sizes[l] for l in term.replace("...", "bc" if "..." in term else "")) for term in text.split("->")[0].split(",")]
    return Drawn(N.einsum(text, *numpy_data(len(shapes))), [d.floats(s) for s in shapes])


def random_shapes(d):
    r, size = N.random, d.shape()
    kinds = (lambda: r.uniform(0, 2, size=size), lambda: r.normal(1, 2, size=size), lambda: r.exponential(2.0, size=size),
             lambda: r.gumbel(0, 1, size=size),
             lambda: r.logistic(0, 1, size=size), lambda: r.rayleigh(1.0, size=size), lambda: r.pareto(2.0, size=size),
             lambda: r.power(2.0, size=size),
             lambda: r.weibull(2.0, size=size), lambda: r.gamma(2.0, 1.0, size=size), lambda: r.choice(5, size=size),
             lambda: r.randint(0, 5, size=size),
             lambda: X.random.bernoulli(0.3, size=size), lambda: r.beta(2.0, 1.0, size=size),
             lambda: r.chisquare(2.0, size=size), lambda: r.lognormal(0, 1, size=size))
    drawn = beside(d, d.one_of(*kinds)())
    drawn.stochastic = True
    return drawn


OPERATORS = (created, like, diagonal, cut, at_least, counted, weighed, edited, solved, of_rows, einsum, random_shapes)
