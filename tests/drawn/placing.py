"""Tensor creation, assignment and broadcasting."""
import mxnet as mx
import numpy as np

from draws import FLOATS, Drawn
from operators import made, operator
from shaping import bounds
from variables import data

S = mx.sym
TYPES = ("float32", "float64", "float16", "int32", "int64", "uint8", "int8")


def created(d):
    shape, type = d.shape(), d.one_of(*TYPES)
    start, step = d.one_of(0, 1, -1.5, 2), d.one_of(1, 2, 0.5, -1)
    kinds = (lambda: made("_zeros", 0, shape=shape, dtype=type), lambda: made("_ones", 0, shape=shape, dtype=type),
             lambda: made("_full", 0, shape=shape, dtype=type, value=d.one_of(2, 0.5, 3)),
             lambda: made("_eye", 0, N=d.between(1, 4), M=d.between(0, 4), k=d.between(-2, 2), **d.some(dtype=type)),
             lambda: made("_arange", 0, start=start, stop=start + step * d.between(1, 5), step=step, repeat=d.between(1, 2),
                          **d.some(dtype="float64")),
             lambda: made("_arange", 0, start=d.between(1, 5), **d.some(dtype="int32")),
             lambda: S.linspace(start, start + d.between(1, 3), d.between(1, 6), endpoint=d.maybe()))
    return Drawn(S.Group([d.one_of(*kinds)(), S.identity(*data(1))]), [d.floats((2,))])


def like(d):
    shape = d.shape()
    return Drawn(getattr(S, d.one_of("zeros_like", "ones_like", "shape_array", "size_array"))(*data(1)), [d.values(shape, d.one_of(*TYPES))])


def assigned(d):
    shape = d.shape(None, 2, 6)
    begin, end, step = zip(*(bounds(d, size) for size in shape[:d.between(1, len(shape))]))
    x = d.floats(shape)
    part = x[tuple(slice(b, e, s) for b, e, s in zip(begin, end, step))]
    if d.maybe():
        return Drawn(made("_slice_assign_scalar", 1, scalar=d.one_of(1.5, 0), begin=begin, end=end, step=step), [x])
    return Drawn(made("_slice_assign", 2, begin=begin, end=end, step=step), [x, d.floats(part.shape)])


def written(d):
    shape = d.shape(None, 2, 5)
    if d.maybe():
        rows = d.numbers.permutation(shape[0])[:d.between(1, shape[0])].astype(d.one_of("int32", "int64", "float32"))
        return Drawn(made("_contrib_index_copy", 3), [d.floats(shape), rows, d.floats((len(rows), *shape[1:]))])
    indices = np.unique(np.stack([d.integers((3,), 0, s) for s in shape]), axis=1)
    own = S.Variable("data0") * 2  # the operator writes to its operand, which must not be an input
    symbol = operator("_scatter_set_nd")(lhs=own, rhs=S.Variable("data1"), indices=S.Variable("data2"), shape=shape)
    return Drawn(symbol, [d.floats(shape), d.floats(indices.shape[1:]), indices])


def broadcast(d):
    shape = d.shape(None, 1, 4)
    axes = [i for i, s in enumerate(shape) if s == 1]
    if axes and d.maybe():
        axes = axes[:d.between(1, len(axes))]
        return Drawn(S.broadcast_axis(*data(1), axis=tuple(axes), size=d.sizes(len(axes), 1, 3)), [d.floats(shape)])
    other = d.shape(None, 1, 4)
    count = d.between(1, min(len(shape), len(other)))
    left, right = d.permutation(len(shape))[:count], d.permutation(len(other))[:count]
    small = [1 if i in left else s for i, s in enumerate(shape)]
    return Drawn(S.broadcast_like(*data(2), lhs_axes=left, rhs_axes=right), [d.floats(small), d.floats(other)])


def reshaped_like(d):
    shape = d.shape(d.between(2, 4), 1, 4)
    if d.maybe(0.3):
        return Drawn(S.reshape_like(*data(2)), [d.floats(shape), d.floats(shape[::-1])])
    begin = d.between(0, len(shape) - 1)
    end = d.between(begin + 1, len(shape))
    size = int(np.prod(shape[begin:end]))
    other = (*d.shape(1), *d.one_of((size,), (1, size), (size, 1)), *d.shape(1))
    stop = len(other) - 1
    if d.maybe(0.3):
        begin, end = begin - len(shape), (end if end == len(shape) else end - len(shape))
    return Drawn(S.reshape_like(*data(2), lhs_begin=begin, lhs_end=end, rhs_begin=1, rhs_end=d.one_of(stop, -1)), [d.floats(shape), d.floats(other)])


def index_array(d):
    shape = d.shape()
    return Drawn(made("_contrib_index_array", 1, **d.some(axes=d.axes(shape))), [d.floats(shape)])


def images_of_columns(d):
    kernel, stride, pad, dilate = d.sizes(2, 1, 3), d.sizes(2, 1, 2), d.sizes(2, 0, 1), d.sizes(2, 1, 2)
    size, channels = d.sizes(2, 5, 7), d.between(1, 3)
    count = [(s + 2 * p - dl * (k - 1) - 1) // st + 1 for s, p, dl, k, st in zip(size, pad, dilate, kernel, stride)]
    x = d.floats((d.between(1, 2), channels * kernel[0] * kernel[1], count[0] * count[1]))
    return Drawn(S.col2im(*data(1), output_size=size, kernel=kernel, stride=stride, pad=pad, dilate=dilate), [x])


def counted(d):
    x = d.floats(d.shape())
    if d.maybe():
        return Drawn(made("_histogram", 1, bin_cnt=d.between(1, 6), range=(-2.0, d.one_of(1.0, 2.5))), [x])
    return Drawn(made("_histogram", 2), [x, np.sort(d.floats((d.between(2, 5),)))])


def types(d):
    if d.maybe():
        return Drawn(made("amp_cast", 1, dtype=d.one_of("float16", "float32")), [d.floats(d.shape(), d.one_of("float32", "float16"))])
    count, kinds = d.between(1, 3), ("float16", "float32")
    inputs = [d.floats(d.shape(), d.one_of(*kinds)) for _ in range(count)]
    return Drawn(S.Group(list(made("amp_multicast", count, num_outputs=count, **d.some(cast_narrow=d.maybe())))), inputs)


def stacked(d):
    shape, count = d.shape(), d.between(1, 3)
    return Drawn(S.stack(*data(count), axis=d.between(-len(shape) - 1, len(shape)), num_args=count), [d.floats(shape) for _ in range(count)])


def small_sums(d):
    shape, type = d.shape(), d.one_of(*FLOATS)
    kinds = (lambda: (made("_contrib_quadratic", 1, **d.some(a=2.0, b=-1.5, c=0.5)), 1), lambda: (made("_contrib_round_ste", 1), 1),
             lambda: (made("_contrib_sign_ste", 1), 1), lambda: (made("_contrib_div_sqrt_dim", 1), 1),
             lambda: (made("_contrib_allclose", 2, **d.some(rtol=0.5, equal_nan=d.maybe())), 2),
             lambda: (made("_scatter_plus_scalar", 1, scalar=2.5), 1), lambda: (made("_scatter_elemwise_div", 2), 2), lambda: (made("_hypot", 2), 2))
    symbol, count = d.one_of(*kinds)()
    x = np.round(d.floats(shape, type) * 4) / 4
    return Drawn(symbol, [x.astype(type), (x + np.asarray(0.125, type)).astype(type)][:count])


OPERATORS = (created, like, assigned, written, broadcast, reshaped_like, index_array, images_of_columns, counted, types, stacked, small_sums)
