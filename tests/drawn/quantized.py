"""Operators of quantized models: integers, each with the range that it represents."""
import mxnet as mx
import numpy as np

from draws import Drawn
from operators import made


def span(d):
    """A range that includes zero, as in MXNet's quantization pass."""
    reach = d.numbers.uniform(0.5, 6)
    low, high = d.one_of((-reach, reach), (0, reach), (-reach / 3, reach))
    return [np.array([low], "float32"), np.array([high], "float32")]


def levels(d, shape, type):
    low, high = dict(int8=(-127, 128), uint8=(0, 256), int32=(-90000, 90000))[type]
    return d.numbers.randint(low, high, shape).astype(type)


def around(d):
    reach = np.array([d.numbers.uniform(0.5, 6)], "float32")
    return [-reach, reach]


def calibrated(d):
    reach = round(d.numbers.uniform(0.5, 4), 3)
    return dict(min_calib_range=-round(reach * d.one_of(0, 0.5, 1), 3), max_calib_range=reach) if d.maybe() else {}


def quantize(d):
    x = d.floats(d.shape())
    if d.maybe():
        return Drawn(made("_contrib_quantize", 3, **d.some(out_type=d.one_of("int8", "uint8"))), [x, *span(d)])
    settings = d.some(out_type=d.one_of("int8", "uint8", "auto")) | calibrated(d)
    if d.maybe(0.2):
        return Drawn(made("_contrib_quantize_v2", 1, **settings), [levels(d, d.shape(), d.one_of("int8", "uint8"))])
    x = np.abs(x) if settings.get("out_type") in ("uint8", "auto") and d.maybe() else x
    return Drawn(made("_contrib_quantize_v2", 1, **settings), [x])


def dequantize(d):
    type = d.one_of("int8", "uint8")
    return Drawn(made("_contrib_dequantize", 3), [levels(d, d.shape(), type), *(span(d) if type == "uint8" else around(d))])


def requantize(d):
    reach = np.array([d.numbers.uniform(1e4, 9e4)], "float32")
    settings = d.some(out_type=d.one_of("int8", "auto")) | calibrated(d)
    return Drawn(made("_contrib_requantize", 3, **settings), [levels(d, d.shape(), "int32"), -reach, reach])


def of_layer(bias):
    kinds = ("data", "weight", "bias") if bias else ("data", "weight")
    return [*kinds, *(f"{end}_{k}" for k in kinds for end in ("min", "max"))]


def convolution(d):
    """Weights of at most 63, because oneDNN adds pairs of products in 16 bits for dilated windows."""
    channels, filters, kernel, bias = d.between(1, 4), d.between(1, 4), d.sizes(2, 1, 3), d.maybe()
    inputs = [levels(d, (d.between(1, 2), channels, *d.sizes(2, 5, 7)), "uint8"), levels(d, (filters, channels, *kernel), "int8") // 2]
    inputs += [levels(d, (filters,), "int8")] if bias else []
    inputs += [np.zeros(1, "float32"), around(d)[1], *around(d), *(around(d) if bias else [])]
    settings = d.some(stride=d.sizes(2, 1, 2), pad=d.sizes(2, 0, 1), dilate=d.sizes(2, 1, 2))
    return Drawn(made("_contrib_quantized_conv", of_layer(bias), kernel=kernel, num_filter=filters, no_bias=not bias, **settings), inputs)


def fully_connected(d):
    units, bias, flat = d.between(1, 5), d.maybe(), d.maybe(0.7)
    shape, type = d.shape(d.between(2, 4)), d.one_of("int8", "uint8")
    depth = int(np.prod(shape[1:])) if flat else shape[-1]
    inputs = [levels(d, shape, type), levels(d, (units, depth), "int8")]
    inputs += [levels(d, (units,), "int8")] if bias else []
    inputs += [*(span(d) if type == "uint8" else around(d)), *around(d), *(around(d) if bias else [])]
    settings = dict(num_hidden=units, no_bias=not bias, flatten=flat)
    return Drawn(made("_contrib_quantized_fully_connected", of_layer(bias), **settings), inputs)


def pooling(d):
    kernel, type = d.sizes(2, 1, 3), d.one_of("int8", "uint8")
    settings = d.some(stride=d.sizes(2, 1, 3), pad=tuple(d.between(0, k - 1) for k in kernel), pooling_convention=d.one_of("valid", "full"),
                      count_include_pad=d.maybe())
    if d.maybe(0.2):
        settings["global_pool"] = True
    inputs = [levels(d, (d.between(1, 2), d.between(1, 3), *(d.between(k, 7) for k in kernel)), type), *around(d)]
    return Drawn(made("_contrib_quantized_pooling", 3, kernel=kernel, pool_type=d.one_of("max", "avg"), **settings), inputs)


def passed_on(d):
    type = d.one_of("int8", "uint8")
    inputs = [levels(d, d.shape(), type), *around(d)]
    if d.maybe():
        return Drawn(made("_contrib_quantized_act", 3, act_type="relu"), inputs)
    return Drawn(made("_contrib_quantized_flatten", 3), inputs)


def concat(d):
    shape, count = list(d.shape(d.between(2, 4))), d.between(1, 3)
    axis, parts = d.between(0, len(shape) - 1), []
    for _ in range(count):
        shape[axis] = d.between(1, 3)
        parts.append(levels(d, shape, "int8"))
    ranges = [x for _ in range(count) for x in around(d)]
    return Drawn(made("_contrib_quantized_concat", 3 * count, num_args=count, dim=axis), [*parts, *ranges])


def sum_or_product(d):
    shape, (a, b) = d.shape(), d.one_of(("int8", "int8"), ("uint8", "uint8"), ("int8", "uint8"))
    name = d.one_of("_contrib_quantized_elemwise_add", "_contrib_quantized_elemwise_mul")
    settings = calibrated(d)
    if name.endswith("mul"):
        settings |= d.some(enable_float_output=d.maybe())
    return Drawn(made(name, 6, **settings), [levels(d, shape, a), levels(d, shape, b), *around(d), *around(d)])


def embedding(d):
    rows, width = d.between(2, 6), d.between(1, 4)
    inputs = [d.integers(d.shape(d.between(1, 3)), 0, rows, "float32"), levels(d, (rows, width), "int8"), *around(d)]
    return Drawn(made("_contrib_quantized_embedding", 4, input_dim=rows, output_dim=width), inputs, d.one_of(0, 3))


def batch_norm(d):
    shape = d.shape(4)
    c = (shape[1],)
    inputs = [levels(d, shape, "int8"), d.floats(c), d.floats(c), d.floats(c), d.positive(c), *around(d)]
    return Drawn(made("_contrib_quantized_batch_norm", 7, **d.some(eps=0.1), **calibrated(d)), inputs)


OPERATORS = (quantize, dequantize, requantize, convolution, fully_connected, pooling, passed_on, concat, sum_or_product, embedding, batch_norm)
