"""Layers with rare settings: unusual windows, other types, several outputs, negative axes."""
import mxnet as mx
import numpy as np

from draws import Drawn
from operators import made
from variables import data

S = mx.sym
TYPES = ("float32", "float64", "float16")


def group(symbol):
    return S.Group(list(symbol)) if len(symbol.list_outputs()) > 1 else symbol


def convolution(d):
    rank, type = d.between(1, 3), d.one_of("float32", "float32", "float64")
    channels = d.between(1, 4)
    groups = d.one_of(1, channels)
    filters, kernel = groups * d.between(1, 2), d.sizes(rank, 1, 5)
    settings = d.some(stride=d.sizes(rank, 1, 5), pad=d.sizes(rank, 0, 5), dilate=d.sizes(rank, 1, 4),
                      layout=("NCW", "NCHW", "NCDHW")[rank - 1], workspace=512, cudnn_off=True)
    dilated = [dl * (k - 1) + 1 for dl, k in zip(settings.get("dilate", [1] * rank), kernel)]
    size = [max(1, w - 2 * p) + d.between(0, 6) for w, p in zip(dilated, settings.get("pad", [0] * rank))]
    bias = d.maybe()
    inputs = [d.floats((d.between(1, 3), channels, *size), type), d.floats((filters, channels // groups, *kernel), type)]
    inputs += [d.floats((filters,), type)] if bias else []
    return Drawn(S.Convolution(*data(len(inputs)), kernel=kernel, num_filter=filters, num_group=groups, no_bias=not bias, **settings), inputs,
                 d.one_of(0, len(inputs) - 1))


def deconvolution(d):
    rank, type = d.between(1, 3), d.one_of("float32", "float32", "float64")
    channels = d.between(1, 4)
    groups, kernel = d.one_of(1, channels), d.sizes(rank, 1, 5)
    filters = groups * d.between(1, 2)
    stride, dilate = d.sizes(rank, 1, 4), d.sizes(rank, 1, 3 if type == "float32" else 1)  # without oneDNN, dilation of other types is wrong
    settings = d.some(pad=d.sizes(rank, 0, 3), adj=tuple(d.between(0, s - 1) for s in stride)) | dict(stride=stride, dilate=dilate)
    inputs = [d.floats((d.between(1, 2), channels, *d.sizes(rank, 2, 6)), type), d.floats((channels, filters // groups, *kernel), type)]
    return Drawn(S.Deconvolution(*data(2), kernel=kernel, num_filter=filters, num_group=groups, **settings), inputs, d.one_of(0, 1))


def pooling(d):
    rank, kind, type = d.between(1, 3), d.one_of("max", "avg", "sum", "lp"), d.one_of("float32", "float32", "float64")
    kernel = d.sizes(rank, 1, 5)
    settings = d.some(stride=d.sizes(rank, 1, 6), pad=tuple(d.between(0, k - 1) for k in kernel), count_include_pad=d.maybe(),
                      pooling_convention=d.one_of("valid", "full"), cudnn_off=True)
    if kind == "lp":
        settings["p_value"] = d.between(1, 3)
    pad = settings.get("pad", [0] * rank)
    x = d.floats((*d.sizes(2, 1, 3), *(max(1, k - 2 * p) + d.between(0, 7) for k, p in zip(kernel, pad))), type)
    if d.maybe(0.2):
        return Drawn(S.Pooling(*data(1), pool_type=kind, global_pool=True, **{k: v for k, v in settings.items() if k not in ("stride", "pad")}), [x])
    return Drawn(S.Pooling(*data(1), kernel=kernel, pool_type=kind, **settings), [x])


def fully_connected(d):
    type, rank = d.one_of(*TYPES), d.between(1, 5)
    shape, hidden, flatten, bias = d.shape(rank, 1, 3), d.between(1, 4), d.maybe(), d.maybe()
    width = int(np.prod(shape[1:])) if flatten else shape[-1]
    inputs = [d.floats(shape, type), d.floats((hidden, width), type)] + ([d.floats((hidden,), type)] if bias else [])
    return Drawn(S.FullyConnected(*data(len(inputs)), num_hidden=hidden, flatten=flatten, no_bias=not bias), inputs, d.one_of(0, len(inputs) - 1))


def normalized(d):
    """With mean and standard deviation as outputs."""
    kind, type = d.one_of("batch", "layer", "group", "instance", "l2", "lrn"), d.one_of(*TYPES)
    if kind == "batch":
        shape = d.shape(d.between(2, 5), 1, 4)
        axis = d.axis(shape)
        c, of = (shape[axis],), "float32" if type == "float16" else type
        inputs = [d.floats(shape, type), d.floats(c, of), d.floats(c, of), d.floats(c, of), d.positive(c, of)]
        settings = d.some(eps=d.one_of(2e-5, 0.1), fix_gamma=d.maybe(), output_mean_var=d.maybe())
        return Drawn(group(S.BatchNorm(*data(5), axis=axis, **settings)), inputs, 4)
    if kind == "layer":
        shape = d.shape(d.between(1, 4), 2, 5)
        axis = d.axis(shape)
        inputs = [d.floats(shape, type), d.floats((shape[axis],), type), d.floats((shape[axis],), type)]
        return Drawn(group(S.LayerNorm(*data(3), axis=axis, **d.some(eps=0.1, output_mean_var=True))), inputs, d.one_of(0, 2))
    if kind == "group":
        groups = d.between(1, 3)
        shape = (d.between(1, 3), groups * d.between(1, 3), *d.shape(d.between(1, 3), 1, 3))
        inputs = [d.floats(shape, type), d.floats((groups,), type), d.floats((groups,), type)]
        return Drawn(group(S.GroupNorm(*data(3), num_groups=groups, **d.some(eps=0.1, output_mean_var=True))), inputs, d.one_of(0, 2))
    if kind == "instance":
        shape = d.shape(d.between(3, 5), 1, 4)
        inputs = [d.floats(shape, type), d.floats((shape[1],), type), d.floats((shape[1],), type)]
        return Drawn(S.InstanceNorm(*data(3), **d.some(eps=0.1)), inputs, d.one_of(0, 2))
    if kind == "l2":
        shape = d.shape(d.between(3, 5), 1, 4)
        return Drawn(S.L2Normalization(*data(1), mode=d.one_of("instance", "channel", "spatial"), **d.some(eps=0.1)), [d.floats(shape, type)])
    settings = d.some(alpha=0.3, beta=d.one_of(0.5, 2.0), knorm=d.one_of(1, 0.5))
    return Drawn(S.LRN(*data(1), nsize=d.one_of(1, 3, 7, 9), **settings), [d.floats(d.shape(4, 1, 6), "float32" if type == "float16" else type)])


def activation(d):
    kind = d.one_of("relu", "sigmoid", "tanh", "softrelu", "softsign", "leaky", "elu", "selu", "gelu", "prelu", "rrelu", "hard")
    type = d.one_of(*TYPES)
    shape = d.shape(d.between(1, 5), 1, 4)
    x = d.floats(shape, type)
    if kind == "prelu":
        gamma = d.one_of((1,), (shape[1],) if len(shape) > 1 else (1,))
        return Drawn(S.LeakyReLU(*data(2), act_type=kind), [x, d.floats(gamma, type)], d.one_of(0, 1))
    if kind in ("leaky", "elu", "selu", "gelu"):
        return Drawn(S.LeakyReLU(*data(1), act_type=kind, **d.some(slope=d.one_of(0.1, -0.5, 1.5))), [x])
    if kind == "rrelu":
        return Drawn(S.LeakyReLU(*data(1), act_type=kind, **d.some(lower_bound=0.1, upper_bound=0.5))[0], [x])
    if kind == "hard":
        return Drawn(S.hard_sigmoid(*data(1), **d.some(alpha=d.one_of(0.5, -0.3), beta=d.one_of(0.1, 0.9))), [x])
    return Drawn(S.Activation(*data(1), act_type=kind), [x])


def softmax(d):
    shape, name, type = d.shape(d.between(1, 5), 1, 4), d.one_of("softmax", "log_softmax", "softmin"), d.one_of(*TYPES)
    axis = d.axis(shape)
    settings = d.some(temperature=d.one_of(0.5, 10.0, 3), dtype=d.one_of(*TYPES))
    rest = [s for i, s in enumerate(shape) if i != axis % len(shape)]
    if name == "softmax" and rest and d.maybe(0.5):
        lengths = d.integers(rest, 0, shape[axis] + 1, d.one_of("int32", "int64"))
        return Drawn(S.softmax(*data(2), use_length=True, axis=axis, **settings), [d.floats(shape, type), lengths], finite=False)
    return Drawn(getattr(S, name)(*data(1), axis=axis, **settings), [d.floats(shape, type)])


def softmax_output(d):
    settings = d.some(multi_output=d.maybe(), preserve_shape=d.maybe(), use_ignore=True, ignore_label=1, grad_scale=2.0, out_grad=d.maybe(),
                      smooth_alpha=0.1, normalization=d.one_of("null", "batch", "valid"))
    name = d.one_of("SoftmaxOutput", "Softmax")
    symbol = S.SoftmaxOutput if name == "SoftmaxOutput" or not hasattr(S, name) else S.Softmax
    return Drawn(symbol(*data(1), S.Variable("label"), **settings), [d.floats(d.shape(d.between(2, 5), 1, 4), d.one_of("float32", "float64"))])


def sequences(d):
    name, type = d.one_of("SequenceMask", "SequenceLast", "SequenceReverse"), d.one_of("float32", "float64", "float16", "int32")
    axis = 0 if name == "SequenceReverse" else d.between(0, 1)
    shape, masked = d.shape(d.between(2, 5), 1, 4), d.maybe(0.8)
    settings = {"use_sequence_length": masked} | ({} if name == "SequenceReverse" else {"axis": axis})
    if name == "SequenceMask":
        settings |= d.some(value=d.one_of(-1.5, 7))
    least = 0 if name == "SequenceMask" else 1
    lengths = d.integers((shape[1 - axis],), least, shape[axis] + 1, d.one_of("int32", "float32", "int64", type))
    inputs = [d.values(shape, type)] + ([lengths] if masked else [])
    return Drawn(getattr(S, name)(*data(len(inputs)), **settings), inputs)


def resampled(d):
    """UpSampling of several tensors, and with weights of several channels."""
    if d.maybe():
        size, scale, count = d.sizes(2, 1, 4), d.between(1, 3), d.between(1, 3)
        mode = d.one_of("concat", "sum")
        channels = d.between(1, 3)
        inputs = [d.floats((2, channels, *size))]
        for _ in range(count - 1):
            inputs.append(d.floats((2, channels, *size)))
        return Drawn(S.UpSampling(*data(count), scale=scale, sample_type="nearest", num_args=count, multi_input_mode=mode), inputs)
    x = d.floats((*d.sizes(2, 1, 3), *d.sizes(2, 1, 6)))
    return Drawn(S.contrib.BilinearResize2D(*data(1), height=d.between(1, 13), width=d.between(1, 13), **d.some(align_corners=d.maybe())), [x])


OPERATORS = (convolution, deconvolution, pooling, fully_connected, normalized, activation, softmax, softmax_output, sequences, resampled)
