"""Layers with weights, normalisations and activations."""
import mxnet as mx
import numpy as np

from draws import FLOATS, Drawn
from operators import made
from variables import data

S = mx.sym


def windows(d, rank):
    return d.some(stride=d.sizes(rank, 1, 3), pad=d.sizes(rank, 0, 2), dilate=d.sizes(rank, 1, 2))


def convolution(d):
    rank, groups = d.between(1, 3), d.one_of(1, 1, 2)
    channels, filters, kernel = groups * d.between(1, 2), groups * d.between(1, 3), d.sizes(rank, 1, 3)
    bias = d.maybe()
    inputs = [d.floats((d.between(1, 2), channels, *d.sizes(rank, 6, 9))), d.floats((filters, channels // groups, *kernel))]
    inputs += [d.floats((filters,))] if bias else []
    symbol = S.Convolution(*data(len(inputs)), kernel=kernel, num_filter=filters, num_group=groups, no_bias=not bias, **windows(d, rank))
    return Drawn(symbol, inputs, d.one_of(0, len(inputs) - 1))


def deconvolution(d):
    rank, groups = d.one_of(1, 2, 2, 3), d.one_of(1, 1, 2)
    channels, filters, kernel = groups * d.between(1, 2), groups * d.between(1, 3), d.sizes(rank, 1, 4)
    bias, settings = d.maybe(), windows(d, rank)
    if d.maybe(0.4) and "stride" in settings:
        settings["adj"] = tuple(d.between(0, max(0, s - 1)) for s in settings["stride"])
    if d.maybe(0.25):
        settings["target_shape"] = d.sizes(rank, 5, 14)
    inputs = [d.floats((d.between(1, 2), channels, *d.sizes(rank, 3, 6))), d.floats((channels, filters // groups, *kernel))]
    inputs += [d.floats((filters,))] if bias else []
    symbol = S.Deconvolution(*data(len(inputs)), kernel=kernel, num_filter=filters, num_group=groups, no_bias=not bias, **settings)
    return Drawn(symbol, inputs, d.one_of(0, len(inputs) - 1))


def pooling(d):
    rank, kind = d.between(1, 3), d.one_of("max", "avg", "sum", "lp")
    kernel = d.sizes(rank, 1, 4)
    settings = d.some(stride=d.sizes(rank, 1, 3), pad=tuple(d.between(0, k - 1) for k in kernel), count_include_pad=d.maybe(),
                      pooling_convention=d.one_of("valid", "full", *(["same"] if rank == 1 else [])))
    if kind == "lp":
        settings["p_value"] = d.between(1, 3)
    if d.maybe(0.15):
        settings["global_pool"] = True
    x = d.floats((*d.sizes(2, 1, 3), *(d.between(k, 9) for k in kernel)))
    return Drawn(S.Pooling(*data(1), kernel=kernel, pool_type=kind, **settings), [x])


def fully_connected(d):
    shape, hidden, flatten, bias = d.shape(d.between(2, 4)), d.between(1, 4), d.maybe(), d.maybe()
    width = int(np.prod(shape[1:])) if flatten else shape[-1]
    inputs = [d.floats(shape), d.floats((hidden, width))] + ([d.floats((hidden,))] if bias else [])
    symbol = S.FullyConnected(*data(len(inputs)), num_hidden=hidden, flatten=flatten, no_bias=not bias)
    return Drawn(symbol, inputs, d.one_of(0, len(inputs) - 1))


def batch_norm(d):
    shape = d.shape(d.between(2, 5), 1, 4)
    axis = d.one_of(1, 1, -1, 0)
    c = (shape[axis],)
    settings = d.some(eps=d.one_of(2e-5, 0.1), fix_gamma=d.maybe(), use_global_stats=d.maybe())
    inputs = [d.floats(shape), d.floats(c), d.floats(c), d.floats(c), d.positive(c)]
    return Drawn(S.BatchNorm(*data(5), axis=axis, **settings), inputs, 4)


def layer_norm(d):
    shape = d.shape(None, 2, 5)
    axis = d.axis(shape)
    inputs = [d.floats(shape), d.floats((shape[axis],)), d.floats((shape[axis],))]
    return Drawn(S.LayerNorm(*data(3), axis=axis, **d.some(eps=0.1)), inputs, d.one_of(0, 2))


def group_norm(d):
    groups = d.between(1, 3)
    shape = (d.between(1, 3), groups * d.between(1, 3), *d.shape(d.between(1, 2)))
    inputs = [d.floats(shape), d.floats((groups,)), d.floats((groups,))]
    return Drawn(S.GroupNorm(*data(3), num_groups=groups, **d.some(eps=0.1)), inputs, d.one_of(0, 2))


def instance_norm(d):
    shape = d.shape(d.between(3, 5), 2, 4)
    inputs = [d.floats(shape), d.floats((shape[1],)), d.floats((shape[1],))]
    return Drawn(S.InstanceNorm(*data(3), **d.some(eps=0.1)), inputs, 2)


def l2_normalization(d):
    shape = d.shape(d.between(2, 4), 1, 4)
    mode = d.one_of("instance", "channel", "spatial") if len(shape) > 2 else "instance"
    return Drawn(S.L2Normalization(*data(1), mode=mode, **d.some(eps=0.1)), [d.floats(shape)])


def lrn(d):
    return Drawn(S.LRN(*data(1), nsize=d.one_of(1, 3, 5), **d.some(alpha=0.3, beta=0.5, knorm=1)), [d.floats(d.shape(4, 1, 6))])


def activation(d):
    kind = d.one_of("relu", "sigmoid", "tanh", "softrelu", "softsign")
    return Drawn(S.Activation(*data(1), act_type=kind), [d.floats(d.shape(), d.one_of(*FLOATS))])


def leaky_relu(d):
    kind, shape = d.one_of("leaky", "elu", "selu", "gelu", "prelu"), d.shape(d.between(2, 4))
    if kind == "prelu":
        return Drawn(S.LeakyReLU(*data(2), act_type=kind), [d.floats(shape), d.floats((d.one_of(1, shape[1]),))], 1)
    return Drawn(S.LeakyReLU(*data(1), act_type=kind, **d.some(slope=0.1)), [d.floats(shape)])


def softmax(d):
    shape, name = d.shape(), d.one_of("softmax", "log_softmax", "softmin")
    axis = d.axis(shape)
    settings = d.some(temperature=d.one_of(0.5, 10.0), dtype=d.one_of("float32", "float64"))
    rest = [s for i, s in enumerate(shape) if i != axis % len(shape)]
    if name == "softmax" and rest and d.maybe(0.4):
        lengths = d.integers(rest, 1, shape[axis] + 1)
        return Drawn(S.softmax(*data(2), use_length=True, axis=axis, **settings), [d.floats(shape), lengths])
    return Drawn(getattr(S, name)(*data(1), axis=axis, **settings), [d.floats(shape)])


def softmax_output(d):
    settings = d.some(multi_output=d.maybe(), preserve_shape=d.maybe())
    return Drawn(S.SoftmaxOutput(*data(1), S.Variable("label"), **settings), [d.floats(d.shape(d.between(2, 4)))])


def sequences(d):
    name = d.one_of("SequenceMask", "SequenceLast", "SequenceReverse")
    axis = 0 if name == "SequenceReverse" else d.between(0, 1)
    shape, masked = d.shape(d.between(2, 4)), d.maybe(0.7)
    settings = {"use_sequence_length": masked} | ({} if name == "SequenceReverse" else {"axis": axis})
    if name == "SequenceMask":
        settings |= d.some(value=-1.5)
    lengths = d.integers((shape[1 - axis],), 1, shape[axis] + 1, d.one_of("int32", "float32"))
    inputs = [d.floats(shape)] + ([lengths] if masked else [])
    return Drawn(getattr(S, name)(*data(len(inputs)), **settings), inputs)


def older(d):
    """The `_v1` versions of three layers, and two other names of batch normalization."""
    name, channels = d.one_of("BatchNorm_v1", "Convolution_v1", "Pooling_v1", "_contrib_BatchNormWithReLU", "_contrib_SyncBatchNorm"), d.between(1, 3)
    x, c = d.floats((d.between(1, 2), channels, *d.sizes(2, 5, 7))), (channels,)
    kernel = d.sizes(2, 1, 3)
    if name == "Pooling_v1":
        settings = d.some(stride=d.sizes(2, 1, 2), pad=tuple(d.between(0, k - 1) for k in kernel), pooling_convention=d.one_of("valid", "full"))
        return Drawn(made(name, 1, kernel=kernel, pool_type=d.one_of("max", "avg", "sum"), **settings), [x])
    if name == "Convolution_v1":
        settings = windows(d, 2)
        return Drawn(made(name, 3, kernel=kernel, num_filter=2, **settings), [x, d.floats((2, channels, *kernel)), d.floats((2,))], 2)
    settings = dict(key="one", ndev=1) if name == "_contrib_SyncBatchNorm" else {}
    settings |= d.some(eps=0.1, fix_gamma=d.maybe())
    names = ("data", "gamma", "beta", "moving_mean", "moving_var") if name == "BatchNorm_v1" else 5
    return Drawn(made(name, names, **settings), [x, d.floats(c), d.floats(c), d.floats(c), d.positive(c)], 4)


OPERATORS = (convolution, deconvolution, pooling, fully_connected, batch_norm, layer_norm, group_norm, instance_norm,
             l2_normalization, lrn, activation, leaky_relu, softmax, softmax_output, sequences, older)
