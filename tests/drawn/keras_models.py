#!/usr/bin/env python3
"""Draw random functional models of Keras and record them as cases for judge.py.

  keras_models.py OUT --seed N --count 300 [--only K]

The models combine masks with merging, attention, recurrent and time-distributed layers, layouts with channels first, open sizes,
nested models that are called twice, and policies of 16 bits. The same seed and environment give the same cases; environments as
for keras_calls.py, whose form of cases this uses."""
import argparse
import os
import random
import shutil
import sys
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import keras_calls as calls
import numpy as np

keras, tf = calls.keras, calls.tf
L = keras.layers
isKeras3 = tf is None
O = keras.ops if isKeras3 else None

ACTIVATIONS = ["linear", "tanh", "sigmoid", "relu", "elu", "selu", "softplus", "softsign", "swish", "gelu", "hard_sigmoid", "exponential", "softmax"]
if isKeras3:
    ACTIVATIONS += ["relu6", "mish", "silu", "leaky_relu", "log_softmax", "hard_silu", "celu", "hard_tanh", "squareplus", "tanh_shrink"]


class Model:
    """A model that grows: lists of tensors by their kind."""

    def __init__(self, rng, policy):
        self.rng, self.policy = rng, policy
        self.inputs, self.arrays = [], []
        self.sequences, self.images, self.vectors = [], [], []
        self.time = rng.choice([None, 5, 6])
        self.steps = self.time or rng.choice([4, 7])
        self.batch = rng.choice([2, 3])

    def pick(self, kind):
        return self.rng.choice(getattr(self, kind))

    def chance(self, share):
        return self.rng.random() < share

    def add_input(self, shape, array, dtype):
        name = f"in{len(self.inputs)}"
        x = keras.Input(shape, dtype=dtype, name=name)
        self.inputs.append(x)
        self.arrays.append(array)
        return x

    def new_sequence(self):
        """(batch, time, features), half of them with a mask."""
        numbers = np.random.default_rng(self.rng.randrange(1 << 30))
        if self.chance(0.4):
            ids = numbers.integers(0, 6, (self.batch, self.steps))
            ids[0, self.steps - 2:] = 0
            x = self.add_input((self.time,), ids.astype(np.int32), "int32")
            return L.Embedding(6, self.rng.choice([3, 4]), mask_zero=self.chance(0.8))(x)
        features = self.rng.choice([3, 4])
        array = numbers.standard_normal((self.batch, self.steps, features)).astype(np.float32)
        array[0, self.steps - 2:] = 0
        array[-1, 1] = 0
        x = self.add_input((self.time, features), array, "float32")
        return L.Masking()(x) if self.chance(0.6) else x

    def new_image(self):
        numbers = np.random.default_rng(self.rng.randrange(1 << 30))
        height, width, channels = self.rng.choice([6, 7]), self.rng.choice([5, 8]), self.rng.choice([2, 4])
        array = numbers.standard_normal((self.batch, height, width, channels)).astype(np.float32)
        isOpen = self.chance(0.3)
        return self.add_input((None, None, channels) if isOpen else (height, width, channels), array, "float32")

    def new_vector(self):
        numbers = np.random.default_rng(self.rng.randrange(1 << 30))
        return self.add_input((4,), numbers.standard_normal((self.batch, 4)).astype(np.float32), "float32")


def flag(m):
    return m.chance(0.5)


def recurrent(m, units=None, sequences=None, inner=False):
    """Arguments of a recurrent layer, and its class."""
    kind = m.rng.choice([L.LSTM, L.GRU, L.SimpleRNN])
    settings = {"units": units or m.rng.choice([2, 3]), "return_sequences": flag(m) if sequences is None else sequences,
                "use_bias": m.chance(0.8), "activation": m.rng.choice(["tanh", "tanh", "tanh", "relu", "softsign", "gelu"])}
    if not inner:
        settings["go_backwards"] = m.chance(0.3)
    if kind is not L.SimpleRNN:
        settings["recurrent_activation"] = m.rng.choice(["sigmoid", "sigmoid", "hard_sigmoid", "tanh"])
    if kind is L.GRU:
        settings["reset_after"] = flag(m)
    if m.chance(0.2):
        settings["zero_output_for_mask"] = True
    return kind, settings


def put(m, x):
    """A tensor into the list of its kind."""
    rank = len(x.shape)
    if rank == 3:
        m.sequences.append(x)
    elif rank == 2:
        m.vectors.append(x)
    elif rank == 4:
        m.images.append(x)
    else:
        m.vectors.append(L.Flatten()(x) if all(d is not None for d in x.shape[1:]) else L.GlobalAveragePooling3D()(x))


def rnn_layer(m):
    x = m.pick("sequences")
    kind, settings = recurrent(m)
    if m.chance(0.25):
        outputs = kind(**settings, return_state=True)(x)
        for y in outputs:
            put(m, y)
        return
    if m.chance(0.2):
        states = [L.Dense(settings["units"])(m.pick("vectors") if m.vectors else m.new_vector()) for _ in range(2 if kind is L.LSTM else 1)]
        put(m, kind(**settings)(x, initial_state=states))
        return
    put(m, kind(**settings)(x))


def stacked_cells(m):
    cells = [m.rng.choice([L.LSTMCell, L.GRUCell, L.SimpleRNNCell])(m.rng.choice([2, 3])) for _ in range(m.rng.choice([1, 2]))]
    put(m, L.RNN(cells if len(cells) > 1 else cells[0], return_sequences=flag(m), go_backwards=m.chance(0.3))(m.pick("sequences")))


def bidirectional(m):
    kind, settings = recurrent(m, inner=True)
    mode = m.rng.choice(["concat", "sum", "mul", "ave", None])
    more = {}
    if m.chance(0.3):
        other, others = recurrent(m, units=settings["units"], sequences=settings["return_sequences"], inner=True)
        others["zero_output_for_mask"] = settings.get("zero_output_for_mask", False)
        more["backward_layer"] = other(**others, go_backwards=True)
    y = L.Bidirectional(kind(**settings), merge_mode=mode, **more)(m.pick("sequences"))
    for part in y if mode is None else [y]:
        put(m, part)


def dense(m):
    x = m.pick(m.rng.choice(["sequences", "vectors"]) if m.vectors else "sequences")
    put(m, L.Dense(m.rng.choice([3, 4]), activation=m.rng.choice(ACTIVATIONS), use_bias=flag(m))(x))


def passing(m):
    x = m.pick("sequences")
    layer = m.rng.choice([
        lambda: L.LayerNormalization(center=flag(m), scale=flag(m), epsilon=1e-3),
        lambda: L.BatchNormalization(center=flag(m), scale=flag(m)),
        lambda: L.UnitNormalization(), lambda: L.PReLU(shared_axes=[1]), lambda: L.LeakyReLU(), lambda: L.ELU(0.7),
        lambda: L.ReLU(max_value=1.5, negative_slope=0.1, threshold=0.2), lambda: L.Softmax(axis=m.rng.choice([-1, 1])),
        lambda: L.Dropout(0.3), lambda: L.GaussianNoise(0.2), lambda: L.SpatialDropout1D(0.2), lambda: L.Activation(m.rng.choice(ACTIVATIONS)),
        lambda: L.ActivityRegularization(0.1), lambda: L.Masking(0.0), lambda: L.Rescaling(0.5, 0.1),
        lambda: L.GroupNormalization(groups=-1)])()
    put(m, layer(x))


def same_shaped(m, x):
    """A tensor of the same shape as a sequence, another branch of it."""
    others = [y for y in m.sequences if tuple(y.shape) == tuple(x.shape)]
    y = m.rng.choice(others)
    if y is x or m.chance(0.4):
        features = x.shape[-1]
        y = m.rng.choice([
            lambda: L.Dense(features)(y), lambda: L.Conv1D(features, 3, padding="same")(y), lambda: L.LSTM(features, return_sequences=True)(y),
            lambda: L.Bidirectional(L.GRU(features, return_sequences=True), merge_mode="sum")(y),
            lambda: L.TimeDistributed(L.Dense(features, activation="tanh"))(y)])()
    return y


def merging(m):
    x = m.pick("sequences")
    y = same_shaped(m, x)
    if m.chance(0.3):
        put(m, L.Concatenate(axis=m.rng.choice([1, -1, 2]))([x, y]))
    elif m.chance(0.15):
        put(m, L.Dot(axes=m.rng.choice([2, (2, 2)]), normalize=flag(m))([x, y]))
    else:
        kind = m.rng.choice([L.Add, L.Multiply, L.Average, L.Maximum, L.Minimum, L.Subtract])
        inputs = [x, y] if kind is L.Subtract or flag(m) else [x, y, L.Dense(x.shape[-1])(x)]
        put(m, kind()(inputs))


def attention(m):
    x = m.pick("sequences")
    choice = m.rng.randrange(4 if isKeras3 else 3)
    if choice == 0:
        y = same_shaped(m, x)
        if m.chance(0.5):
            put(m, L.Attention(use_scale=flag(m), score_mode=m.rng.choice(["dot", "concat"]))([x, y], use_causal_mask=flag(m)))
        else:
            put(m, L.AdditiveAttention(use_scale=flag(m))([x, y]))
        return
    y = m.pick("sequences") if flag(m) else same_shaped(m, x)
    options = {}
    if y.shape[1] == x.shape[1] and m.chance(0.4):
        options["use_causal_mask"] = True
    if choice == 3:
        put(m, L.GroupQueryAttention(3, 4, 2, use_bias=flag(m))(x, y, **options))
        return
    layer = L.MultiHeadAttention(2, 3, use_bias=flag(m), output_shape=m.rng.choice([None, 4]), dropout=m.rng.choice([0, 0.2]))
    if m.chance(0.2):
        out, scores = layer(x, y, return_attention_scores=True, **options)
        m.images.append(scores)
        put(m, out)
    else:
        put(m, layer(x, y, **options))


def sequence_convolution(m):
    x = m.pick("sequences")
    channels = x.shape[-1]
    padding = m.rng.choice(["same", "causal", "same", "valid"])
    stride = m.rng.choice([1, 1, 2])
    kind = m.rng.randrange(6)
    if kind == 0:
        y = L.Conv1D(4, m.rng.choice([1, 2, 3]), strides=stride, padding=padding, dilation_rate=1 if stride > 1 else m.rng.choice([1, 2]),
                     activation=m.rng.choice(ACTIVATIONS))(x)
    elif kind == 1:
        y = L.SeparableConv1D(3, 2, padding="same" if padding == "causal" else padding, depth_multiplier=2)(x)
    elif kind == 2:
        y = L.DepthwiseConv1D(3, padding="same", depth_multiplier=m.rng.choice([1, 2]))(x)
    elif kind == 3:
        y = L.Conv1DTranspose(3, m.rng.choice([2, 3]), strides=m.rng.choice([1, 2]), padding=m.rng.choice(["same", "valid"]))(x)
    elif kind == 4 and channels % 2 == 0:
        y = L.Conv1D(4, 2, padding="same", groups=2)(x)
    else:
        pool = m.rng.choice([L.MaxPooling1D, L.AveragePooling1D])
        y = pool(2, strides=m.rng.choice([1, 2]), padding=m.rng.choice(["same", "valid"]))(x)
    put(m, y)


def sequence_end(m):
    x = m.pick("sequences")
    put(m, m.rng.choice([
        lambda: L.GlobalAveragePooling1D(keepdims=flag(m))(x), lambda: L.GlobalMaxPooling1D()(x),
        lambda: L.Flatten()(x) if x.shape[1] is not None else L.GlobalAveragePooling1D()(x)])())


def sequence_shape(m):
    x = m.pick("sequences")
    choices = [lambda: L.ZeroPadding1D(m.rng.choice([1, (0, 2)]))(x), lambda: L.Cropping1D((1, 0))(x), lambda: L.UpSampling1D(2)(x)]
    if x.shape[1] is not None:
        choices += [lambda: L.Permute((2, 1))(x), lambda: L.Reshape((-1, x.shape[1]))(x)]
    else:
        choices += [lambda: L.Reshape((-1, 1))(x)]
    put(m, m.rng.choice(choices)())


def repeat(m):
    x = m.pick("vectors") if m.vectors else m.new_vector()
    put(m, L.RepeatVector(m.rng.choice([3, 5]))(x))


def distributed(m):
    """A layer, a model or a recurrent layer on each step."""
    kind = m.rng.randrange(4)
    if kind == 0:
        put(m, L.TimeDistributed(m.rng.choice([lambda: L.Dense(3, activation="relu"), lambda: L.LayerNormalization(), lambda: L.Dropout(0.1)])())(m.pick("sequences")))
    elif kind == 1:
        x = m.pick("sequences")
        part = keras.Sequential([L.Dense(4, activation="tanh"), L.BatchNormalization(), L.Dense(2)])
        put(m, L.TimeDistributed(part)(x))
    elif kind == 2 and m.images:
        x = m.pick("images")  # rows as steps of sequences
        if x.shape[-1] is not None and x.shape[2] is not None:
            put(m, L.TimeDistributed(L.LSTM(3, return_sequences=flag(m)))(x))
    else:
        numbers = np.random.default_rng(m.rng.randrange(1 << 30))
        array = numbers.standard_normal((m.batch, m.steps, 5, 4, 2)).astype(np.float32)
        x = m.add_input((m.time, 5, 4, 2), array, "float32")
        y = L.TimeDistributed(L.Conv2D(3, 2, strides=m.rng.choice([1, 2]), padding=m.rng.choice(["same", "valid"]), activation="relu"))(x)
        if flag(m):
            y = L.TimeDistributed(L.MaxPooling2D(2, padding="same"))(y)
        put(m, L.TimeDistributed(m.rng.choice([L.Flatten, L.GlobalAveragePooling2D])())(y))


def conv_lstm(m):
    numbers = np.random.default_rng(m.rng.randrange(1 << 30))
    settings = {"filters": 2, "kernel_size": m.rng.choice([1, 2, 3]), "padding": m.rng.choice(["same", "valid"]), "strides": m.rng.choice([1, 2]),
                "return_sequences": flag(m), "go_backwards": m.chance(0.3), "use_bias": flag(m)}
    first = isKeras3 and m.chance(0.3)
    if first:
        settings["data_format"] = "channels_first"
    if flag(m):
        shape = (5, 2) if not first else (2, 5)
        x = m.add_input((m.time, *shape), numbers.standard_normal((m.batch, m.steps, *shape)).astype(np.float32), "float32")
        y = L.ConvLSTM1D(**settings)(x)
    else:
        shape = (5, 4, 2) if not first else (2, 5, 4)
        x = m.add_input((m.time, *shape), numbers.standard_normal((m.batch, m.steps, *shape)).astype(np.float32), "float32")
        if m.chance(0.3) and settings["return_sequences"]:
            y = L.Bidirectional(L.ConvLSTM2D(**{**settings, "go_backwards": False}), merge_mode=m.rng.choice(["concat", "sum"]))(x)
        else:
            y = L.ConvLSTM2D(**settings)(x)
    put(m, y)


def image_layer(m):
    x = m.pick("images") if m.images else m.new_image()
    isFirst = isKeras3 and all(d is not None for d in x.shape[1:]) and m.chance(0.35)
    layout = {"data_format": "channels_first"} if isFirst else {}
    channels = x.shape[1 if isFirst else -1]
    if channels is None:
        return
    padding, stride = m.rng.choice(["same", "valid"]), m.rng.choice([1, 1, 2])
    kernel = m.rng.choice([1, 2, 3, (2, 3)])
    activation = m.rng.choice(ACTIVATIONS)
    kind = m.rng.randrange(14)
    if kind == 0:
        y = L.Conv2D(4, kernel, strides=stride, padding=padding, dilation_rate=1 if stride > 1 else m.rng.choice([1, 2]), activation=activation, **layout)(x)
    elif kind == 1:
        y = L.Conv2DTranspose(3, kernel, strides=m.rng.choice([1, 2, (2, 1)]), padding=padding, **layout)(x)
    elif kind == 2:
        y = L.SeparableConv2D(3, kernel, padding=padding, depth_multiplier=m.rng.choice([1, 2]), activation=activation, **layout)(x)
    elif kind == 3:
        y = L.DepthwiseConv2D(kernel, padding=padding, strides=stride, depth_multiplier=m.rng.choice([1, 2]), **layout)(x)
    elif kind == 4:
        y = m.rng.choice([L.MaxPooling2D, L.AveragePooling2D])(m.rng.choice([2, 3]), strides=m.rng.choice([None, 1, 2]), padding=padding, **layout)(x)
    elif kind == 5:
        y = m.rng.choice([L.GlobalAveragePooling2D, L.GlobalMaxPooling2D])(keepdims=flag(m), **layout)(x)
    elif kind == 6:
        y = L.UpSampling2D(m.rng.choice([2, (1, 2)]), interpolation=m.rng.choice(["nearest", "bilinear"]), **layout)(x)
    elif kind == 7:
        y = m.rng.choice([L.ZeroPadding2D, L.Cropping2D])(((1, 0), (0, 1)), **layout)(x)
    elif kind == 8:
        y = L.BatchNormalization(axis=1 if isFirst else -1)(x)
    elif kind == 9:
        axis = m.rng.choice([-1, [1, 2, 3], [2, 3], [1]])
        y = L.LayerNormalization(axis=axis)(x) if all(x.shape[a] is not None for a in np.ravel(axis)) else L.Activation(activation)(x)
    elif kind == 10:
        y = L.GroupNormalization(groups=m.rng.choice([1, -1, 2 if channels % 2 == 0 else 1]), axis=1 if isFirst else -1)(x)
    elif kind == 11:
        y = L.Resizing(m.rng.choice([4, 9]), m.rng.choice([3, 10]), interpolation=m.rng.choice(["bilinear", "nearest"]), **layout)(x)
    elif kind == 12:
        y = L.MultiHeadAttention(2, 2, attention_axes=m.rng.choice([(1, 2), (2,), None]))(x, x) if all(d is not None for d in x.shape[1:]) else L.Activation(activation)(x)
    else:
        y = L.Reshape((-1, x.shape[-1]))(x) if x.shape[-1] is not None else x
    put(m, y)


def volume(m):
    numbers = np.random.default_rng(m.rng.randrange(1 << 30))
    x = m.add_input((4, 5, 6, 2), numbers.standard_normal((m.batch, 4, 5, 6, 2)).astype(np.float32), "float32")
    layout = {"data_format": "channels_first"} if isKeras3 and m.chance(0.3) else {}
    y = L.Conv3D(2, m.rng.choice([1, 2, (1, 2, 2)]), padding=m.rng.choice(["same", "valid"]), strides=m.rng.choice([1, 2]), **layout)(x)
    y = m.rng.choice([lambda: L.MaxPooling3D(2, padding="same", **layout), lambda: L.AveragePooling3D(2, padding="same", strides=1, **layout),
                      lambda: L.UpSampling3D(2, **layout), lambda: L.Conv3DTranspose(2, 2, strides=2, padding="same", **layout), lambda: L.ZeroPadding3D(1, **layout)])()(y)
    put(m, m.rng.choice([L.GlobalAveragePooling3D, L.GlobalMaxPooling3D])(**layout)(y))


def nested(m):
    """A model that is called on two tensors."""
    x = m.pick("sequences")
    inner = keras.Input((None, x.shape[-1]))
    y = inner
    for _ in range(m.rng.choice([1, 2])):
        kind, settings = recurrent(m, sequences=True)
        y = m.rng.choice([lambda: kind(**settings)(y), lambda: L.Dense(3, activation="relu")(y), lambda: L.Masking()(y),
                          lambda: L.Bidirectional(L.LSTM(2, return_sequences=True))(y), lambda: L.MultiHeadAttention(2, 2)(y, y)])()
    if flag(m):
        y = L.GlobalAveragePooling1D()(y)
    part = keras.Model(inner, y)
    others = [z for z in m.sequences if z.shape[-1] == x.shape[-1]]
    for z in [x, m.rng.choice(others)]:
        put(m, part(z))


def operations(m):
    x = m.pick("sequences")
    y = same_shaped(m, x)
    if isKeras3:
        z = m.rng.choice([lambda: x + y, lambda: x * 2.0 - y, lambda: O.softmax(x, axis=1), lambda: O.mean(x, axis=1), lambda: x[:, ::-1], lambda: x[:, -1],
                          lambda: O.concatenate([x, y], axis=1), lambda: O.max(x, axis=-1, keepdims=True), lambda: O.einsum("bti,bsi->bts", x, y),
                          lambda: O.where(x > 0, x, y), lambda: O.maximum(x, y) / (1.5 + O.abs(y)), lambda: O.cumsum(x, axis=1), lambda: O.roll(x, 1, axis=1),
                          lambda: O.transpose(x, (0, 2, 1)) @ y, lambda: O.logsumexp(x, axis=-1), lambda: O.var(x, axis=(1, 2), keepdims=True)])()
    else:
        z = m.rng.choice([lambda: x + y, lambda: x * 2.0 - y, lambda: tf.nn.softmax(x, axis=1), lambda: tf.reduce_mean(x, axis=1), lambda: x[:, ::-1], lambda: x[:, -1],
                          lambda: tf.concat([x, y], axis=1), lambda: tf.reduce_max(x, axis=-1, keepdims=True), lambda: tf.where(x > 0, x, y),
                          lambda: tf.cumsum(x, axis=1), lambda: tf.matmul(x, y, transpose_a=True), lambda: tf.reverse(x, [1])])()
    put(m, z)


STEPS = [(rnn_layer, 4), (stacked_cells, 1), (bidirectional, 4), (dense, 2), (passing, 4), (merging, 4), (attention, 4), (sequence_convolution, 3),
         (sequence_end, 2), (sequence_shape, 2), (repeat, 1), (distributed, 3), (conv_lstm, 2), (image_layer, 4), (volume, 1), (nested, 2), (operations, 3)]


def drawn(rng, policy):
    m = Model(rng, policy)
    m.sequences.append(m.new_sequence())
    focus = rng.sample(range(len(STEPS)), 5)
    steps = [step for k, (step, weight) in enumerate(STEPS) for _ in range(weight * (3 if k in focus else 1))]
    problems = 0
    count = rng.choice([3, 4, 5, 6])
    while count > 0 and problems < 12:
        inputs = len(m.inputs)
        try:
            rng.choice(steps)(m)
            count -= 1
            if m.chance(0.15):
                m.sequences.append(m.new_sequence())
        except (ValueError, TypeError, NotImplementedError, AttributeError, KeyError, tf.errors.OpError if tf else ValueError):  # settings that do not go together
            problems += 1
            del m.inputs[inputs:], m.arrays[inputs:]
    tensors = m.sequences[-2:] + m.vectors[-2:] + m.images[-1:]
    return m, [x for x in tensors if all(x is not y for y in m.inputs)]


def record(out, seed):
    rng = random.Random(seed)
    keras.backend.clear_session()
    keras.utils.set_random_seed(seed)
    policy = rng.choice(["float32"] * 6 + ["mixed_float16", "float16", "mixed_bfloat16", "float32" if isKeras3 and keras.backend.backend() == "jax" else "float64"])  # JAX has no doubles
    set_policy = keras.config.set_dtype_policy if isKeras3 else keras.mixed_precision.set_global_policy
    set_policy(policy)
    try:
        m, outputs = drawn(rng, policy)
        if policy == "mixed_bfloat16" or policy == "bfloat16":
            outputs = [L.Activation("linear", dtype="float32")(x) for x in outputs]
        model = keras.Model(m.inputs, outputs)
    finally:
        set_policy("float32")
    calls.randomize(model, seed)
    kept = [x for x in m.inputs]
    results = [np.asarray(x) for x in calls.flat(model([np.asarray(a) for a in m.arrays], training=False))]
    if any(not np.all(np.isfinite(x.astype(np.float64))) or np.abs(x.astype(np.float64)).max(initial=0) > 1e4 for x in results):
        return None
    names = model.output_names if tf else [f"output_{k}" for k in range(len(results))]
    folder = os.path.join(out, f"m{seed}_{'k2' if tf else 'k3'}" + rng.choice(["", "_h5"]))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    if model.weights:
        model.save(os.path.join(folder, "model.h5" if folder.endswith("_h5") else "model.keras"))
    else:
        with open(os.path.join(folder, "model.json"), "w") as file:
            file.write(model.to_json())
    if isKeras3 and folder.endswith("k3"):  # some settings, such as the type of SpatialDropout1D, are saved differently
        model = keras.models.load_model(os.path.join(folder, "model.keras")) if model.weights else keras.models.model_from_json(model.to_json())
        results = [np.asarray(x) for x in calls.flat(model([np.asarray(a) for a in m.arrays], training=False))]
    tolerance = {"float32": 1e-4, "float64": 1e-4, "mixed_float16": 2e-2, "float16": 2e-2, "mixed_bfloat16": 1e-1}[policy]
    calls.write_case(folder, dict(zip([x.name.split(":")[0] for x in kept], m.arrays)), dict(zip(names, results)), [x.shape for x in kept],
                     rtol=tolerance, atol=tolerance)
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    arguments = parser.parse_args()
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        try:
            if record(arguments.out, seed) is None:
                print(f"{seed}: numbers that are not finite or too large")
        except Exception as error:  # shown with the seed that it belongs to
            print(f"{seed}: {type(error).__name__}: {str(error)[:300]}")


if __name__ == "__main__":
    main()
