"""Eigenvalues, singular values and operators based on them, and assignment through masks."""
import mxnet as mx
import numpy as np

from draws import Drawn
from operators import made, operator
from variables import numpy_data

N = mx.sym.np


def symmetric(d):
    n, batch, type = d.between(1, 5), d.shape(d.between(0, 2), 1, 2), d.one_of("float32", "float64")
    x = d.floats((*batch, n, n), type) + np.diag(np.arange(n) * 4).astype(type)
    half = d.some(UPLO=d.one_of("L", "U"))
    if d.maybe():
        return Drawn(made("_npi_eigvalsh", 1, **half), [x.astype(type)])
    return Drawn(mx.sym.Group(list(made("_npi_eigh", 1, **half))), [x.astype(type)])


def wide(d):
    """Distinct singular values, because the vectors of equal ones depend on the algorithm."""
    m, batch, type = d.between(1, 4), d.shape(d.between(0, 2), 1, 2), d.one_of("float32", "float64")
    n = m + d.between(0, 3)
    u, _, v = np.linalg.svd(d.floats((*batch, m, n)), full_matrices=False)
    x = (u * (1 + 2 * np.arange(m)[::-1])) @ v
    return Drawn(mx.sym.Group(list(N.linalg.svd(*numpy_data(1)))), [x.astype(type)])


def inverted(d):
    batch, type = d.shape(d.between(0, 2), 1, 2), d.one_of("float32", "float64")
    x = d.floats((*batch, *d.shape(2)), type)
    if d.maybe():
        rcond = d.numbers.uniform(0.01, 0.6, batch).astype(type)
        return Drawn(made("_npi_pinv", 2, **d.some(hermitian=False)), [x, np.asarray(rcond, type)])
    return Drawn(made("_npi_pinv_scalar_rcond", 1, **d.some(rcond=d.one_of(0.01, 0.3))), [x])


def assigned(d):
    """MXNet writes to a tensor of the graph, never to an input."""
    shape, type = d.shape(d.between(1, 4), 1, 4), d.one_of("float32", "float64", "int32", "int64")
    first = d.between(0, len(shape) - 1)
    count = d.between(1, len(shape) - first)
    mask = d.integers(shape[first:first + count], 0, 2, d.one_of("bool", "bool", "int32"))
    x, (data, chosen, value) = d.values(shape, type), numpy_data(3)
    data = data + data
    if d.maybe():
        number = d.one_of(2, -1.5, 7.0)
        return Drawn(operator("_npi_boolean_mask_assign_scalar")(data, chosen, value=number, start_axis=first), [x, mask])
    hits, others = int(mask.astype(bool).sum()), (*shape[:first], *shape[first + count:])
    shapes = [(1,), (*shape[:first], hits, *shape[first + count:]), (*shape[:first], 1, *shape[first + count:]), others]
    chosen_shape = d.one_of(*(s for s in shapes if s and 0 not in s))
    symbol = operator("_npi_boolean_mask_assign_tensor")(data, chosen, value, start_axis=first)
    return Drawn(symbol, [x, mask, d.values(chosen_shape, type)])


OPERATORS = (symmetric, wide, inverted, assigned)
