"""Indexing and sorting."""
import mxnet as mx
import numpy as np

from draws import Drawn
from variables import data

S = mx.sym


def take(d):
    shape = d.shape(None, 2, 5)
    indices = d.integers(d.shape(d.between(1, 3)), -8, 9, d.one_of("int32", "float32", "int64"))
    return Drawn(S.take(*data(2), axis=d.axis(shape), **d.some(mode=d.one_of("clip", "wrap"))), [d.floats(shape), indices])


def pick(d):
    shape = d.shape(d.between(2, 4), 2, 5)
    axis = d.axis(shape)
    rest = [s for i, s in enumerate(shape) if i != axis % len(shape)]
    settings = d.some(keepdims=d.maybe(), mode=d.one_of("clip", "wrap"))
    return Drawn(S.pick(*data(2), axis=axis, **settings), [d.floats(shape), d.integers(rest, -6, 9, "float32")])


def embedding(d):
    rows, width = d.between(2, 6), d.between(1, 4)
    indices = d.integers(d.shape(d.between(1, 3)), -2, rows + 3, "float32")
    return Drawn(S.Embedding(*data(2), input_dim=rows, output_dim=width), [indices, d.floats((rows, width))], 1)


def one_hot(d):
    settings = d.some(on_value=2.5, off_value=-1, dtype=d.one_of("float32", "int32", "float16"))
    return Drawn(S.one_hot(*data(1), depth=d.between(1, 5), **settings), [d.integers(d.shape(d.between(1, 3)), -2, 6, "float32")])


def gather_nd(d):
    shape = d.shape(None, 2, 5)
    rest = d.shape(d.between(1, 2))
    indices = np.stack([d.integers(rest, 0, s) for s in shape[:d.between(1, len(shape))]])
    return Drawn(S.gather_nd(*data(2)), [d.floats(shape), indices.astype(d.one_of("float32", "int32", "int64"))])


def scatter_nd(d):
    shape = d.shape(None, 2, 5)
    indices = np.unique(np.stack([d.integers((3,), 0, s) for s in shape]), axis=1)  # without duplicates
    return Drawn(S.scatter_nd(*data(2), shape=shape), [d.floats(indices.shape[1:]), indices])


def batch_take(d):
    rows, width = d.between(1, 5), d.between(1, 5)
    return Drawn(S.batch_take(*data(2)), [d.floats((rows, width)), d.integers((rows,), 0, width)])


def boolean_mask(d):
    shape = d.shape(None, 2, 5)
    mask = d.integers((shape[0],), 0, 2, d.one_of("float32", "int32"))
    mask[0] = 1
    return Drawn(S.contrib.boolean_mask(*data(2)), [d.floats(shape), mask])


def topk(d):
    shape = d.shape(None, 1, 6)
    axis, kind = d.axis(shape), d.one_of("indices", "value", "both", "mask")
    settings = d.some(is_ascend=d.maybe(), dtype=d.one_of("float32", "int32", "int64"))
    x = d.distinct(shape, d.one_of("float32", "int32", "float64"))
    return Drawn(S.topk(*data(1), axis=axis, k=d.between(1, shape[axis]), ret_typ=kind, **settings), [x])


def sort(d):
    shape = d.shape(None, 1, 6)
    x, settings = d.distinct(shape, d.one_of("float32", "int32")), d.some(axis=d.one_of(d.axis(shape), None), is_ascend=d.maybe())
    if d.maybe():
        return Drawn(S.sort(*data(1), **settings), [x])
    return Drawn(S.argsort(*data(1), **settings, **d.some(dtype=d.one_of("int32", "int64"))), [x])


def ravel(d):
    shape, count = d.shape(None, 2, 5), d.between(1, 4)
    if d.maybe():
        return Drawn(S.ravel_multi_index(*data(1), shape=shape), [np.stack([d.integers((count,), 0, s, "float32") for s in shape])])
    return Drawn(S.unravel_index(*data(1), shape=shape), [d.integers((count,), 0, int(np.prod(shape)), "float32")])


OPERATORS = (take, pick, embedding, one_hot, gather_nd, scatter_nd, batch_take, boolean_mask, topk, sort, ravel)
