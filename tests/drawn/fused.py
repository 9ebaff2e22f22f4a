"""Networks with nodes fused by MXNet's oneDNN backend, which keeps the original nodes in subgraphs."""
import mxnet as mx
import numpy as np

from draws import Drawn
from variables import data

S = mx.sym


def partitioned(symbol):
    return symbol.get_backend_symbol("MKLDNN")


def convolution(d):
    channels, filters, size = d.between(1, 3), d.between(1, 4), d.sizes(2, 4, 6)
    v, c = data(8), (filters,)
    bias = d.maybe()
    kernel = d.sizes(2, 1, 3)
    y = S.Convolution(*v[:2], *([v[2]] if bias else []), kernel=kernel, num_filter=filters, no_bias=not bias, name="conv",
                      **d.some(stride=(2, 1), pad=(1, 1)))
    if d.maybe(0.7):
        y = S.BatchNorm(y, *v[3:7], name="norm", **d.some(fix_gamma=d.maybe(), eps=0.1))
    after = d.one_of(None, "relu", "sigmoid", "tanh", "softrelu", "leaky", "gelu", "clip", "sum")
    if after == "leaky" or after == "gelu":
        y = S.LeakyReLU(y, act_type=after, **d.some(slope=0.3))
    elif after == "clip":
        y = S.clip(y, a_min=0, a_max=d.one_of(6, 1.5))
    elif after == "sum":
        y = S.Activation(S.elemwise_add(y, y * 2), act_type="relu")
    elif after:
        y = S.Activation(y, act_type=after)
    inputs = [d.floats((d.between(1, 2), channels, *size)), d.floats((filters, channels, *kernel)), *(d.floats(c) for _ in range(4)), d.positive(c)]
    return Drawn(partitioned(y), inputs, 1)


def fully_connected(d):
    shape, hidden, bias, flat = d.shape(d.between(2, 3), 1, 4), d.between(1, 4), d.maybe(), d.maybe()
    v = data(3)
    y = S.FullyConnected(*v[:3 if bias else 2], num_hidden=hidden, no_bias=not bias, flatten=flat)
    y = d.one_of(lambda: y, lambda: S.Activation(y, act_type=d.one_of("relu", "sigmoid", "tanh", "softrelu")), lambda: S.exp(y), lambda: S.square(y),
                 lambda: S.clip(y, a_min=-1, a_max=2), lambda: S.LeakyReLU(y, act_type=d.one_of("elu", "gelu")))()
    width = int(np.prod(shape[1:])) if flat else shape[-1]
    return Drawn(partitioned(y), [d.floats(shape), d.floats((hidden, width)), d.floats((hidden,))], 1)


def attention(d):
    length, batch, heads, width = d.shape(4, 1, 3)
    v, x = data(2), d.floats((length, batch, heads * width * 3))
    if d.maybe():
        return Drawn(partitioned(S.contrib.interleaved_matmul_selfatt_qk(v[0], heads=heads)), [x])
    weights = d.floats((batch * heads, length, length))
    return Drawn(partitioned(S.contrib.interleaved_matmul_selfatt_valatt(*v, heads=heads)), [x, weights])


OPERATORS = (convolution, fully_connected, attention)
