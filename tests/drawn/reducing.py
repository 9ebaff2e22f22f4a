"""Reductions."""
import mxnet as mx
import numpy as np

from draws import Drawn
from variables import data

S = mx.sym


def reduction(d):
    name, shape = d.one_of("sum", "mean", "max", "min", "prod", "nansum", "nanprod"), d.shape(None, 1, 4)
    x = d.values(shape, "float32" if name.startswith("nan") else d.one_of("float32", "float64", "int32"))
    if name.startswith("nan"):
        x[d.numbers.rand(*shape) < 0.3] = np.nan
    settings = d.some(axis=d.one_of(d.axis(shape), d.axes(shape)), keepdims=d.maybe(), exclude=d.maybe())
    return Drawn(getattr(S, name)(*data(1), **settings), [x])


def norm(d):
    shape = d.shape(None, 1, 4)
    axes = d.one_of(d.axis(shape), d.permutation(len(shape))[:2])
    return Drawn(S.norm(*data(1), ord=d.between(1, 2), **d.some(axis=axes, keepdims=d.maybe())), [d.floats(shape, d.one_of("float32", "float64"))])


def place_of_extreme(d):
    shape = d.shape()
    settings = d.some(axis=d.axis(shape), keepdims=d.maybe())
    return Drawn(getattr(S, d.one_of("argmax", "argmin"))(*data(1), **settings), [d.values(shape, d.one_of("float32", "int32"))])


def argmax_channel(d):
    return Drawn(S.argmax_channel(*data(1)), [d.floats(d.shape(d.between(2, 4)))])


def moments(d):
    shape = d.shape(None, 2, 4)
    return Drawn(S.moments(*data(1), **d.some(axes=d.axes(shape), keepdims=d.maybe())), [d.floats(shape)])


def cumulated(d):
    shape = d.shape()
    settings = d.some(axis=d.axis(shape), dtype=d.one_of("float32", "float64", "int32", "int64"))
    return Drawn(S.cumsum(*data(1), **settings), [d.values(shape, d.one_of("float32", "int32"))])


def squares(d):
    return Drawn(S._internal._square_sum(*data(1), axis=d.one_of(0, 1), keepdims=d.maybe()), [d.floats(d.shape(2))])


OPERATORS = (reduction, norm, place_of_extreme, argmax_channel, moments, cumulated, squares)
