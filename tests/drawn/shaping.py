"""Operators that change dimensions, order and repetition of elements."""
import mxnet as mx
import numpy as np

from draws import Drawn
from variables import data

S = mx.sym


def reshape(d):
    shape = d.shape(d.between(1, 5), 1, 4)
    codes = d.one_of((-1,), (0, -1), (-2,), (0, 0, -1), (-1, 0), (-3, -2), (-4, 1, -1, -2), (0, -3, -2), (-2, 1), (1, -2), (-3, -1),
                     (0, -4, -1, 1, -2), (shape[-1], -1), (-1, shape[-1]))
    return Drawn(S.Reshape(*data(1), shape=codes, **d.some(reverse=d.maybe(0.3))), [d.values(shape, d.one_of("float32", "int32"))])


def transpose(d):
    shape = d.shape()
    return Drawn(S.transpose(*data(1), **d.some(axes=d.permutation(len(shape)))), [d.values(shape, d.one_of("float32", "int64", "uint8"))])


def bounds(d, size):
    """begin, end and step of one axis that select at least one element."""
    step = d.one_of(None, 1, 2, -1, -2)
    first, last = sorted((d.between(0, size - 1), d.between(0, size - 1)))
    if step is None or step > 0:
        return d.one_of(first, first - size, *([None] if first == 0 else [])), d.one_of(last + 1, *([None] if last == size - 1 else [])), step
    return last, (None if first == 0 else first - 1), step


def slice_(d):
    shape = d.shape(None, 2, 6)
    begin, end, step = zip(*(bounds(d, size) for size in shape[:d.between(1, len(shape))]))
    return Drawn(S.slice(*data(1), begin=begin, end=end, step=step), [d.values(shape, d.one_of("float32", "int32"))])


def slice_axis(d):
    shape = d.shape(None, 2, 6)
    axis = d.axis(shape)
    size = shape[axis]
    begin = d.between(0, size - 1)
    end = d.one_of(None, d.between(begin + 1, size))
    return Drawn(S.slice_axis(*data(1), axis=axis, begin=d.one_of(begin, begin - size), end=end), [d.floats(shape)])


def slice_like(d):
    shape = d.shape(None, 2, 5)
    return Drawn(S.slice_like(*data(2), **d.some(axes=d.axes(shape))), [d.floats(shape), d.floats([d.between(1, s) for s in shape])])


def split(d):
    shape = list(d.shape(None, 1, 4))
    axis, count, squeeze = d.axis(shape), d.between(1, 3), d.maybe()
    if d.maybe():
        shape[axis] = 6
        return Drawn(S.split_v2(*data(1), d.one_of((1, 4), (2,), 3, (2, 3, 5)), axis=axis), [d.floats(shape)])
    shape[axis] = count * (1 if squeeze else d.between(1, 3))
    return Drawn(S.SliceChannel(*data(1), num_outputs=count, axis=axis, squeeze_axis=squeeze), [d.floats(shape)])


def join(d):
    shape, count = list(d.shape(None, 1, 4)), d.between(1, 4)
    axis = d.axis(shape)
    if d.maybe():
        return Drawn(S.stack(*data(count), axis=d.between(-len(shape) - 1, len(shape))), [d.floats(shape) for _ in range(count)])
    parts = []
    for _ in range(count):
        shape[axis] = d.between(1, 3)
        parts.append(d.floats(shape))
    return Drawn(S.Concat(*data(count), dim=axis), parts)


def one_dimension_more_or_less(d):
    shape = d.shape(None, 1, 4)
    if d.maybe():
        return Drawn(S.expand_dims(*data(1), axis=d.between(-len(shape) - 1, len(shape))), [d.floats(shape)])
    shape = (1, *shape, 1)
    return Drawn(S.squeeze(*data(1), **d.some(axis=d.one_of(0, -1, (0, len(shape) - 1)))), [d.floats(shape)])


def swapped_or_reversed(d):
    shape = d.shape()
    if d.maybe():
        return Drawn(S.SwapAxis(*data(1), dim1=d.between(0, len(shape) - 1), dim2=d.between(0, len(shape) - 1)), [d.floats(shape)])
    return Drawn(S.reverse(*data(1), axis=d.axes(shape)), [d.floats(shape)])


def broadcast(d):
    shape = d.shape()
    small = d.broadcastable(shape)
    if d.maybe():
        return Drawn(S.broadcast_like(*data(2)), [d.floats(small), d.floats(shape)])
    target = tuple(d.one_of(0, s) if t == s else s for t, s in zip(small, shape))
    return Drawn(S.broadcast_to(*data(1), shape=target), [d.floats(small)])


def repeated(d):
    shape = d.shape()
    if d.maybe():
        return Drawn(S.tile(*data(1), reps=d.shape(None, 1, 3)), [d.floats(shape)])
    return Drawn(S.repeat(*data(1), repeats=d.between(1, 3), **d.some(axis=d.axis(shape))), [d.floats(shape)])


def pad(d):
    shape = d.shape(d.one_of(4, 5), 2, 4)
    widths = (0, 0, 0, 0, *d.sizes(2 * (len(shape) - 2), 0, 1))
    return Drawn(S.Pad(*data(1), mode=d.one_of("constant", "edge", "reflect"), pad_width=widths, **d.some(constant_value=1.5)), [d.floats(shape)])


def blocks(d):
    size = d.between(2, 3)
    if d.maybe():
        return Drawn(S.depth_to_space(*data(1), block_size=size), [d.floats((d.between(1, 2), size * size * d.between(1, 2), 2, 3))])
    return Drawn(S.space_to_depth(*data(1), block_size=size), [d.floats((1, 2, size * 2, size * 3))])


def diagonal(d):
    shape = d.shape(d.between(1, 3), 2, 5)
    return Drawn(S.diag(*data(1), **d.some(k=d.between(-1, 1))), [d.floats(shape)])


def arange_like(d):
    shape = d.shape()
    return Drawn(S.contrib.arange_like(*data(1), **d.some(start=1.5, step=d.one_of(0.5, -2), axis=d.axis(shape))), [d.floats(shape)])


def columns_of_patches(d):
    kernel = d.sizes(2, 1, 3)
    settings = d.some(stride=d.sizes(2, 1, 2), pad=d.sizes(2, 0, 1), dilate=d.sizes(2, 1, 2))
    return Drawn(S.im2col(*data(1), kernel=kernel, **settings), [d.floats((d.between(1, 2), d.between(1, 3), 6, 7))])


OPERATORS = (reshape, transpose, slice_, slice_axis, slice_like, split, join, one_dimension_more_or_less, swapped_or_reversed, broadcast,
             repeated, pad, blocks, diagonal, arange_like, columns_of_patches)
