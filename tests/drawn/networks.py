"""Networks of several operators: what one operator leaves decides which may follow."""
import math

import mxnet as mx
import numpy as np

import recurrence
from draws import Drawn

S = mx.sym

UNARY = ("tanh", "sigmoid", "relu", "softsign", "abs", "negative", "square", "sin", "cos", "erf", "identity", "BlockGrad", "arctan", "hard_sigmoid")
PAIRS = ("broadcast_add", "broadcast_sub", "broadcast_mul", "broadcast_maximum", "broadcast_minimum", "broadcast_hypot")
COMPARISONS = ("broadcast_greater", "broadcast_lesser_equal", "broadcast_equal", "broadcast_not_equal")
STEPPED = ("round", "floor", "ceil", "sign", "trunc", "rint", "fix")  # of exact operands only: a rounding error would become a whole step


class Value:
    """A symbol, its shape, and whether its elements are computed without rounding, from inputs that are multiples of 1/4."""
    def __init__(self, symbol, shape, exact):
        self.symbol, self.shape, self.exact = symbol, shape, exact


class Network:
    def __init__(self, d, isNumpy=False):
        self.d, self.values, self.data, self.weights, self.isNumpy = d, [], {}, {}, isNumpy

    def array(self, x, isWeight):
        names = self.weights if isWeight else self.data
        name = ("weight" if isWeight else "data") + str(len(names))
        names[name] = x
        variable = S.Variable(name)
        return variable.as_np_ndarray() if self.isNumpy else variable

    def weight(self, *shape):
        return self.array(self.d.floats(shape, scale=0.5), True)

    def input(self, *shape):
        exact = np.round(self.d.floats(shape) * 4) / 4
        self.values.append(Value(self.array(exact.astype("float32"), False), shape, True))

    def shapes(self, symbol):
        known = {n: x.shape for n, x in {**self.data, **self.weights}.items() if n in symbol.list_arguments()}
        return [tuple(s) for s in symbol.infer_shape(**known)[1]]

    def add(self, symbol, exact=False):
        """Keeps the outputs of the symbol, unless they are large."""
        for each in symbol if isinstance(symbol, (list, tuple)) else [symbol]:
            for i, shape in enumerate(self.shapes(each)):
                if 0 < math.prod(shape) <= 4000 and len(shape) <= 5:
                    self.values.append(Value(each if self.isNumpy else each[i], shape, exact))

    def some(self, *ranks, exact=False):
        """A value, mostly a late one, of one of the ranks; None if there is none."""
        found = [v for v in self.values if (not ranks or len(v.shape) in ranks) and (v.exact or not exact)]
        return self.d.random.choice(found[-3:] if self.d.maybe(0.8) else found) if found else None

    def partner(self, value):
        """Another value that broadcasts with this one."""
        def fits(a, b):
            return len(a) == len(b) and all(x == y or x == 1 or y == 1 for x, y in zip(a, b))
        return self.d.random.choice([v for v in self.values if fits(v.shape, value.shape)])

    def equal(self, value):
        return self.d.random.choice([v for v in self.values if v.shape == value.shape])


def unary(d, n):
    x = n.some()
    name = d.one_of(*UNARY)
    n.add(getattr(S, name)(x.symbol), x.exact and name in ("relu", "abs", "negative", "identity", "BlockGrad"))


def stepped(d, n):
    if x := n.some(exact=True):
        n.add(getattr(S, d.one_of(*STEPPED))(x.symbol), True)


def scalar(d, n):
    x = n.some()
    y = d.one_of(lambda: x.symbol * 0.5, lambda: x.symbol + 1, lambda: 2 - x.symbol, lambda: S.clip(x.symbol, a_min=-1, a_max=d.one_of(1, 1.5)),
                 lambda: S.maximum(x.symbol, 0.25), lambda: S.minimum(x.symbol, -0.5), lambda: -x.symbol)()
    n.add(y, x.exact)


def pair(d, n):
    a = n.some()
    b, name = n.partner(a), d.one_of(*PAIRS)
    a, b = (a, b) if d.maybe() else (b, a)
    n.add(getattr(S, name)(a.symbol, b.symbol), a.exact and b.exact and name not in ("broadcast_hypot", "broadcast_mul"))


def elementwise(d, n):
    a = n.some()
    b = n.equal(a)
    n.add(d.one_of(S.elemwise_add, S.elemwise_sub, S.add_n)(a.symbol, b.symbol), a.exact and b.exact)


def comparison(d, n):
    if a := n.some(exact=True):
        b = n.partner(a)
        if b.exact:
            n.add(getattr(S, d.one_of(*COMPARISONS))(a.symbol, b.symbol), True)


def where(d, n):
    if c := n.some(exact=True):
        a, b = n.equal(c), n.equal(c)
        n.add(S.where(c.symbol > 0, a.symbol, b.symbol), a.exact and b.exact)


def reduction(d, n):
    x = n.some()
    name = d.one_of("sum", "mean", "max", "min", "norm", "prod")
    axis = d.one_of((), d.axis(x.shape), d.axes(x.shape)) if name != "norm" else d.axis(x.shape)
    settings = dict(axis=axis) if axis != () else {}
    if name in ("sum", "mean", "max", "min") and settings and d.maybe(0.2):
        settings["exclude"] = True
    n.add(getattr(S, name)(x.symbol, keepdims=d.maybe(), **settings), x.exact and name in ("max", "min"))


def index(d, n):
    """Indices of exact values, as one-hot vectors, elements or rows."""
    x = n.some(2, 3, exact=True)
    if not x:
        return
    axis = d.between(0, len(x.shape) - 1)
    found = d.one_of(S.argmax, S.argmin)(S.broadcast_add(x.symbol, x.symbol * 0), axis=axis)
    use = d.one_of("one_hot", "pick", "plain", "take")
    if use == "one_hot":
        n.add(S.one_hot(found, depth=x.shape[axis], **d.some(on_value=2, off_value=-1)), True)
    elif use == "pick":
        n.add(S.pick(n.equal(x).symbol, found, axis=axis, keepdims=d.maybe()))
    elif use == "take":
        other = n.equal(x)
        n.add(S.take(other.symbol, found, axis=0, **d.some(mode=d.one_of("clip", "wrap"))), other.exact)
    else:
        n.add(found, True)


def order(d, n):
    x = n.some(1, 2, 3)
    if not x:
        return
    axis = d.axis(x.shape)
    n.add(d.one_of(lambda: S.sort(x.symbol, axis=axis, is_ascend=d.maybe()),
                   lambda: S.topk(x.symbol, axis=axis, k=d.between(1, x.shape[axis]), ret_typ="value", is_ascend=d.maybe()))(), x.exact)


def shaping(d, n):
    x = n.some()
    shape, s = x.shape, x.symbol
    axis = d.axis(shape)
    size = shape[axis]
    begin = d.between(0, size - 1)
    choices = [lambda: S.transpose(s, **({"axes": d.permutation(len(shape))} if d.maybe(0.8) else {})),
               lambda: S.expand_dims(s, axis=d.between(0, len(shape))),
               lambda: S.flip(s, axis=axis % len(shape)),
               lambda: S.Flatten(s),
               lambda: S.reshape(s, shape=d.one_of((-1,), (0, -1), (-1, size) if axis in (-1, len(shape) - 1) else (0, -1), (-3, -2) if len(shape) > 1 else (-1, 1), (-2, 1))),
               lambda: S.slice_axis(s, axis=axis, begin=begin, end=d.one_of(None, d.between(begin + 1, size))),
               lambda: S.slice(s, begin=tuple(d.one_of(None, 0) for _ in shape), end=tuple(d.one_of(None, z) for z in shape),
                               step=tuple(d.one_of(1, 1, 2) for _ in shape)),
               lambda: S.repeat(s, repeats=2, axis=axis),
               lambda: S.tile(s, reps=d.one_of((2,), (1, 2), (2, 1))),
               lambda: S.concat(s, n.equal(x).symbol, dim=axis % len(shape)),
               lambda: S.stack(s, n.equal(x).symbol, axis=d.between(0, len(shape))),
               lambda: S.squeeze(s),
               lambda: S.reshape_like(s, n.equal(x).symbol),
               lambda: S.slice_like(s, n.equal(x).symbol, **d.some(axes=(0,)))]
    if len(shape) > 1:
        choices += [lambda: S.SwapAxis(s, dim1=0, dim2=len(shape) - 1)]
    if size > 1 and size % 2 == 0:
        choices += [lambda: S.split(s, num_outputs=2, axis=axis % len(shape)), lambda: S.split(s, num_outputs=size, axis=axis % len(shape), squeeze_axis=len(shape) > 1)]
    if len(shape) in (4, 5):
        choices += [lambda: S.pad(s, mode=d.one_of("constant", "edge"), pad_width=(0, 0, 0, 0) + (1, 2) * (len(shape) - 2), **d.some(constant_value=0.5))]
    if 1 in shape:
        one = shape.index(1)
        choices += [lambda: S.broadcast_axis(s, axis=one, size=3), lambda: S.broadcast_to(s, shape=tuple(2 if i == one else 0 for i in range(len(shape))))]
    exact = x.exact
    made = d.random.choice(choices)()
    n.add(made, exact and len(made.list_arguments()) == len(s.list_arguments()))


def normalization(d, n):
    x = n.some(2, 3, 4)
    if not x:
        return
    last = x.shape[-1]
    c = x.shape[1]
    choices = [lambda: S.LayerNorm(x.symbol, n.weight(last), n.weight(last), **d.some(eps=1e-3)),
               lambda: S.softmax(x.symbol, axis=d.axis(x.shape), **d.some(temperature=2)),
               lambda: S.log_softmax(x.symbol, axis=d.axis(x.shape)),
               lambda: S.L2Normalization(x.symbol, mode="instance", eps=0.1),
               lambda: batch_norm(d, n, x, c)]
    if len(x.shape) > 2:
        choices += [lambda: S.InstanceNorm(x.symbol, n.weight(c), n.weight(c), eps=0.1), lambda: S.L2Normalization(x.symbol, mode="channel", eps=0.1)]
    n.add(d.random.choice(choices)())


def batch_norm(d, n, x, c):
    mean, variance = n.weight(c), n.array(d.positive((c,)), True)
    return S.BatchNorm(x.symbol, n.weight(c), n.weight(c), mean, variance, **d.some(fix_gamma=d.maybe(), eps=0.01, use_global_stats=d.maybe()))[0]


def dense(d, n):
    x = n.some()
    if len(x.shape) < 2:
        return
    flat = d.maybe()
    width, hidden, bias = (math.prod(x.shape[1:]) if flat else x.shape[-1]), d.between(1, 5), d.maybe()
    more = [n.weight(hidden)] if bias else []
    y = S.FullyConnected(x.symbol, n.weight(hidden, width), *more, num_hidden=hidden, no_bias=not bias, flatten=flat)
    n.add(S.Activation(y, act_type=d.one_of("tanh", "sigmoid", "softsign")) if d.maybe(0.7) else y)


def product(d, n):
    if d.maybe() and (a := n.some(2)):
        other = n.weight(a.shape[1], 3)
        n.add(S.tanh(S.dot(a.symbol, other)))
    elif a := n.some(3):
        n.add(S.tanh(S.batch_dot(a.symbol, n.equal(a).symbol, **d.one_of(dict(transpose_b=True), dict(transpose_a=True)))))


def images(d, n):
    x = n.some(4)
    if not x or min(x.shape[2:]) < 3:
        return
    c, filters = x.shape[1], d.between(1, 4)
    grouped = d.maybe(0.3)
    choices = [lambda: S.Convolution(x.symbol, n.weight(c if grouped else filters, 1 if grouped else c, 3, 2), no_bias=True, kernel=(3, 2),
                                     num_filter=c if grouped else filters, num_group=c if grouped else 1, **d.some(pad=(1, 1), stride=(2, 1))),
               lambda: S.Deconvolution(x.symbol, n.weight(c, filters, 2, 2), no_bias=True, kernel=(2, 2), num_filter=filters, **d.some(stride=(2, 2), pad=(1, 1))),
               lambda: S.Pooling(x.symbol, kernel=(2, 3), pool_type=d.one_of("max", "avg", "sum"),
                                 **d.some(stride=(2, 2), pad=(1, 1), pooling_convention=d.one_of("full", "valid"), count_include_pad=d.maybe())),
               lambda: S.Pooling(x.symbol, global_pool=True, kernel=(1, 1), pool_type=d.one_of("max", "avg")),
               lambda: S.UpSampling(x.symbol, scale=2, sample_type="nearest"),
               lambda: S.LRN(x.symbol, nsize=3),
               lambda: S.LeakyReLU(x.symbol, n.weight(c), act_type="prelu"),
               lambda: S.LeakyReLU(x.symbol, act_type=d.one_of("leaky", "elu", "selu", "gelu")),
               lambda: S.contrib.AdaptiveAvgPooling2D(x.symbol, output_size=d.one_of(1, 2, (2, 3))),
               lambda: S.contrib.BilinearResize2D(x.symbol, height=d.between(2, 7), width=d.between(2, 7))]
    n.add(d.random.choice(choices)())


def quantization(d, n):
    """Through levels of 8 bits, after exact values: others could fall on either side of a half."""
    if x := n.some(exact=True):
        levels = S.contrib.quantize_v2(x.symbol, min_calib_range=-4, max_calib_range=4, out_type=d.one_of("int8", "int8", "uint8"))
        n.add(S.contrib.dequantize(*levels))


def sequence(d, n):
    if d.maybe() and (x := n.some(3, 4)):
        lengths = n.array(d.integers(x.shape[1:2], 1, x.shape[0] + 1, "float32"), False)
        name = d.one_of("SequenceMask", "SequenceReverse", "SequenceLast")
        n.add(getattr(S, name)(x.symbol, lengths, use_sequence_length=True), x.exact)
    elif x := n.some(3):
        mode, units, both = d.one_of("lstm", "gru", "rnn_tanh"), d.between(1, 4), d.maybe()
        directions = 2 if both else 1
        count = recurrence.size_of_weights(mode, x.shape[2], units, 1, directions, None)
        states = [S.zeros((directions, x.shape[1], units)) if d.maybe() else n.weight(directions, x.shape[1], units) for _ in range(2 if mode == "lstm" else 1)]
        y = S.RNN(x.symbol, n.weight(count), *states, mode=mode, state_size=units, num_layers=1, bidirectional=both, state_outputs=d.maybe())
        n.add(y)


def network(d):
    return drawn_of(d, (unary, stepped, scalar, pair, elementwise, comparison, where, reduction, index, order, shaping, shaping, shaping, normalization,
                        dense, product, sequence, quantization), [d.shape(d.between(1, 3)) for _ in range(d.between(1, 3))])


def network_of_images(d):
    shape = (d.between(1, 2), d.between(1, 4), d.between(4, 7), d.between(4, 7))
    return drawn_of(d, (unary, scalar, pair, elementwise, where, shaping, normalization, images, images, images, images, dense, reduction, quantization), [shape])


def drawn_of(d, steps, shapes, isNumpy=False):
    n = Network(d, isNumpy)
    for shape in shapes:
        n.input(*shape)
    count = d.between(5, 16)
    for _ in range(200):
        if len(n.values) >= len(shapes) + count:
            break
        d.random.choice(steps)(d, n)
    outputs = [v.symbol for v in n.values[len(shapes):][-d.between(2, 4):]]
    symbol = S.Group(outputs) if len(outputs) > 1 else outputs[0]
    used = {*symbol.list_arguments(), *symbol.list_auxiliary_states()}
    data = {k: x for k, x in n.data.items() if k in used}
    weights = {k: x for k, x in n.weights.items() if k in used}
    return Drawn(symbol, [*data.values(), *weights.values()], len(weights), [*data, *weights])


NUMPY_UNARY = ("tanh", "sin", "cos", "abs", "negative", "square", "arctan", "sign", "floor", "ceil", "rint", "trunc", "fix")
NUMPY_EXACT = ("abs", "negative", "sign", "floor", "ceil", "rint", "trunc", "fix")
NUMPY_PAIRS = ("add", "subtract", "multiply", "maximum", "minimum", "hypot")


def numpy_elementwise(d, n):
    np_, x = mx.sym.np, n.some()
    name = d.one_of(*NUMPY_UNARY)
    if name in NUMPY_EXACT[2:] and not x.exact:
        name = "tanh"
    if d.maybe():
        n.add(getattr(np_, name)(x.symbol), x.exact and name in NUMPY_EXACT)
        return
    b, name = n.partner(x), d.one_of(*NUMPY_PAIRS)
    n.add(getattr(np_, name)(x.symbol, b.symbol), x.exact and b.exact and name in ("add", "subtract", "maximum", "minimum"))


def numpy_scalar(d, n):
    x = n.some()
    y = d.one_of(lambda: x.symbol * 0.5, lambda: x.symbol + 1, lambda: 2 - x.symbol, lambda: mx.sym.np.clip(x.symbol, -1, 1.5),
                 lambda: mx.sym.np.maximum(x.symbol, 0.25), lambda: mx.sym.np.where(x.symbol > 0.3, x.symbol, n.equal(x).symbol) if x.exact else -x.symbol)()
    n.add(y, False)


def numpy_reduction(d, n):
    x = n.some()
    if x.shape:
        axis = d.one_of(None, d.axis(x.shape), d.axes(x.shape))
        n.add(getattr(mx.sym.np, d.one_of("sum", "mean", "max", "min", "std", "var"))(x.symbol, axis=axis, keepdims=d.maybe()))


def numpy_shaping(d, n):
    np_, x = mx.sym.np, n.some()
    shape, s = x.shape, x.symbol
    if not shape:
        n.add(np_.expand_dims(s, 0), x.exact)
        return
    axis, positive = d.axis(shape), d.between(0, len(shape) - 1)
    size = shape[axis]
    choices = [lambda: np_.transpose(s, d.one_of(None, d.permutation(len(shape)))), lambda: np_.expand_dims(s, d.between(0, len(shape))),
               lambda: np_.squeeze(s), lambda: np_.reshape(s, d.one_of((-1,), (1, -1), (shape[0], -1))), lambda: np_.flip(s, axis),
               lambda: np_.roll(s, d.between(-2, 2), d.one_of(None, positive)), lambda: np_.swapaxes(s, 0, axis), lambda: np_.moveaxis(s, positive, 0),
               lambda: np_.tile(s, d.one_of(2, (2, 1), (1, 2))), lambda: np_.repeat(s, 2, axis=positive), lambda: np_.ravel(s),
               lambda: np_.concatenate([s, n.equal(x).symbol], axis=axis), lambda: np_.stack([s, n.equal(x).symbol], axis=d.between(0, len(shape))),
               lambda: np_.cumsum(s, axis=d.one_of(None, positive)), lambda: np_.broadcast_to(s, (2, *shape)), lambda: np_.atleast_2d(s),
               lambda: s[d.between(0, shape[0] - 1)], lambda: s[::-1], lambda: s[(slice(None),) * (len(shape) - 1) + (d.between(0, shape[-1] - 1),)]]
    if size % 2 == 0:
        choices += [lambda: np_.split(s, 2, axis=axis)]
    if len(shape) > 1:
        choices += [lambda: np_.rot90(s, d.between(0, 3), (0, 1)), lambda: np_.tril(s)]
    n.add(d.random.choice(choices)())


def numpy_product(d, n):
    np_, x = mx.sym.np, n.some(1, 2, 3)
    if not x:
        return
    weight = n.weight(x.shape[-1], 3)
    y = d.one_of(lambda: np_.dot(x.symbol, weight), lambda: np_.matmul(x.symbol, weight), lambda: np_.tensordot(x.symbol, weight, 1),
                 lambda: np_.einsum("...i,ij->...j", x.symbol, weight))()
    n.add(np_.tanh(y))


def numpy_layer(d, n):
    npx, x = mx.sym.npx, n.some(2, 3, 4)
    if not x:
        return
    last, c = x.shape[-1], x.shape[1]
    choices = [lambda: npx.softmax(x.symbol, axis=d.axis(x.shape)), lambda: npx.log_softmax(x.symbol, axis=-1), lambda: npx.relu(x.symbol),
               lambda: npx.sigmoid(x.symbol), lambda: npx.leaky_relu(x.symbol, act_type=d.one_of("elu", "gelu", "leaky", "selu")),
               lambda: npx.layer_norm(x.symbol, n.weight(last), n.weight(last)),
               lambda: npx.fully_connected(x.symbol, n.weight(3, last), num_hidden=3, no_bias=True, flatten=False),
               lambda: npx.reshape(x.symbol, d.one_of((-2, -1), (-5, -4), (-1, -4)) if len(x.shape) > 2 else (-1,))]
    if len(x.shape) == 4 and min(x.shape[2:]) > 2:
        choices += [lambda: npx.convolution(x.symbol, n.weight(2, c, 2, 2), no_bias=True, kernel=(2, 2), num_filter=2),
                    lambda: npx.pooling(x.symbol, kernel=(2, 2), pool_type=d.one_of("max", "avg"), **d.some(stride=(2, 2)))]
    n.add(d.random.choice(choices)())


def numpy_network(d):
    steps = (numpy_elementwise, numpy_scalar, numpy_reduction, numpy_shaping, numpy_shaping, numpy_product, numpy_layer)
    return drawn_of(d, steps, [d.shape(d.between(1, 4)) for _ in range(d.between(1, 2))], True)


OPERATORS = (network, network_of_images, numpy_network)
