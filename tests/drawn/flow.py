"""Loops and branches, whose bodies are subgraphs."""
import mxnet as mx
import numpy as np

from draws import Drawn
from variables import data

S = mx.sym


def each(d):
    steps, count, uses = d.between(1, 4), d.between(1, 2), d.maybe()
    shape = d.shape()
    scale = S.Variable(f"data{count + 1}")

    def body(x, state):
        x = x if isinstance(x, list) else [x]
        y = sum(x[1:], x[0]) + state
        return [y * 2, y - state] if uses else y * scale, y

    x = data(count)
    outputs, last = S.contrib.foreach(body, x if count > 1 else x[0], S.Variable(f"data{count}"))
    inputs = [*(d.floats((steps, *shape)) for _ in range(count)), d.floats(shape)] + ([] if uses else [d.floats(shape)])
    return Drawn(S.Group([*(outputs if isinstance(outputs, list) else [outputs]), last]), inputs)


def repeated(d):
    bound, most, shape = d.between(1, 8), d.between(1, 5), d.shape(d.between(1, 2))

    def body(i, total):
        return (total * 2, i + total), [i + 1, total + i]

    outputs, states = S.contrib.while_loop(lambda i, total: i < bound, body, data(2), max_iterations=most)
    executed = min(bound, most)
    cut = [S.slice_axis(o, axis=0, begin=0, end=executed) for o in outputs]  # MXNet leaves later rows uninitialized
    return Drawn(S.Group([*cut, *states]), [np.zeros(1, "float32"), d.floats((1,))])


def chosen(d):
    a, b = data(2)
    symbol = S.contrib.cond(S.sum(a) > d.one_of(-100, 0, 100), lambda: a * 2 + b, lambda: a - b if d.maybe() else S.tanh(b))
    shape = d.shape()
    return Drawn(symbol, [d.floats(shape), d.floats(shape)])


OPERATORS = (each, repeated, chosen)
